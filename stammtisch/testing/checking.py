"""All laws over one ruleset: as tests of pytest, and as a list of reports."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import cycle, islice
from random import Random
from typing import Any, NamedTuple

from msgspec import inspect as kinds

from domain.ruleset import InvalidSetup
from stammtisch.testing import described, imagined, laws, marks, undoing
from stammtisch.testing.broken import LAWS, Broken, Inapplicable, Refused
from stammtisch.testing.playing import Play, Rules, Table

GAMES = 4
"""Games of each law and number of seats in tests."""

_OF_A_PLAY = {law.__name__: law for law in (*laws.OF_ONE_PLAY, *laws.FOR_AUTHORS, marks.marks, described.description)}
_WHOLE: dict[str, Callable[[Rules, Table], None]] = {
    "two_worlds": laws.two_worlds,
    "termination": laws.termination,
    "imagined": imagined.of_a_game,
    "undo": undoing.of_a_game,
}


def obey(rules: Rules, law: str, seats: int, seed: int) -> None:
    """Raises `Broken`, or `Inapplicable`."""
    try:
        table = table_of(rules, seats, seed)
        if law in _OF_A_PLAY:
            if reason := inapplicable(rules, law):
                raise Inapplicable(reason)
            _OF_A_PLAY[law](play_of(rules, table))
        else:
            _WHOLE[law](rules, table)
    except Inapplicable:
        raise
    except Exception as error:
        broken = "playing" if isinstance(error, Refused) else law
        again = f"stammtisch check {rules.name} --law {broken} --seats {seats} --seed {seed}"
        raise Broken(broken, rules, again, error) from error


def inapplicable(rules: Rules, law: str) -> str | None:
    """Why the law says nothing about these rules."""
    if law == "secrecy" and not laws.hides(rules):
        return "no event hides anything"
    if law in ("dealing", "fairness") and not laws.deals(rules):
        return "nothing is dealt"
    return None


@lru_cache(maxsize=32)
def play_of(rules: Rules, table: Table) -> Play:
    return Play(rules, table)


def table_of(rules: Rules, seats: int, seed: int) -> Table:
    """The seed chooses among the options that fit the seats, and the two cards that are exchanged."""
    dice, why = Random(seed), ""
    deck = next(iter(rules.decks.values()))
    for options in islice(cycle(every_option(rules)), seed, seed + 50):
        try:
            rules.initial(seats, options, deck)
        except InvalidSetup as error:
            why = str(error)
            continue
        exchange = (dice.randrange(3), dice.randrange(200), dice.randrange(200))
        return Table(seats, options, seed, exchange=exchange)
    raise Refused(f"no options fit {seats} seats: {why}")


def every_option(rules: Rules) -> Iterator[Any]:
    """The default options, those of the shortest game, then for each option its other listed values."""
    yield rules.options()
    if rules.board:
        yield rules.options(**rules.board)
    info: Any = kinds.type_info(rules.options)
    for field in info.fields:
        match field.type:
            case kinds.BoolType() | kinds.Metadata(type=kinds.BoolType()):
                yield rules.options(**{field.name: not field.default})
            case kinds.LiteralType(values=listed) | kinds.Metadata(type=kinds.LiteralType(values=listed)):
                yield from (rules.options(**{field.name: value}) for value in listed if value != field.default)


def laws_of(rules: Rules, games: int = GAMES) -> Callable[..., None]:
    """A test with a case for each law and number of seats: `test_laws = laws_of(RULES)`."""
    import pytest

    @pytest.mark.parametrize("law", LAWS)
    @pytest.mark.parametrize("seats", rules.seats)
    def test_laws(law: str, seats: int) -> None:
        __tracebackhide__ = True
        for seed in range(games):
            try:
                obey(rules, law, seats, seed)
            except Inapplicable as reason:
                pytest.skip(str(reason))

    return test_laws


class Report(NamedTuple):
    """What became of a law."""

    law: str
    games: int
    """How many obeyed it."""
    broken: Broken | None = None
    """What the first game was that did not."""
    skipped: str = ""
    """Why the law says nothing about these rules."""


def check(
    rules: Rules,
    games: int = 20,
    laws: Sequence[str] = tuple(LAWS),
    seats: int | None = None,
    seed: int | None = None,
) -> Iterator[Report]:
    """A report for each law, after as many games with each number of seats, or after the game with this seed."""
    for law in laws:
        obeyed = 0
        try:
            for number in range(games) if seed is None else (seed,):
                for many in rules.seats if seats is None else (seats,):
                    obey(rules, law, many, number)
                    obeyed += 1
        except Inapplicable as reason:
            yield Report(law, obeyed, skipped=str(reason))
        except Broken as broken:
            yield Report(law, obeyed, broken)
        else:
            yield Report(law, obeyed)
