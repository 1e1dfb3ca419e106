"""All worlds of a small game, by trying every outcome of the dealer and every move that a seat may have made.

What is compared are the hidden parts of a history: whatever is redacted for the viewer.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from math import factorial, prod
from typing import Any, NamedTuple, TypeVar

from domain.ruleset import Seat
from stammtisch.testing.imagined import Append, Lots, Rules, chi_squared, seen_by

C = TypeVar("C")

Hidden = tuple[Any, ...]
Dealt = Callable[[Any], bool]
"""Whether the dealer's question, a number or a sequence of cards, is answered at random; else by the first answer."""


class Question(Exception):
    """The dealer asks for a number below this one, or for an order of these cards."""

    def __init__(self, asked: Any) -> None:
        self.asked = asked


class Answered:
    """Chance with these answers."""

    def __init__(self, answers: Sequence[Any], dealt: Dealt) -> None:
        self._answers, self._dealt = iter(answers), dealt

    def below(self, n: int) -> int:
        return self._answer(n) if self._dealt(n) else 0

    def shuffled(self, items: Sequence[C]) -> tuple[C, ...]:
        return tuple(self._answer(items) if self._dealt(items) else items)

    def _answer(self, asked: Any) -> Any:
        for answer in self._answers:
            return answer
        raise Question(asked)


class Card:
    """Stands for a card in its place in an order, until it is known which one."""

    def __init__(self, place: int) -> None:
        self.place = place


class Partly(Lots):
    """Random numbers where the dealer's question is answered at random."""

    def __init__(self, seed: int, dealt: Dealt) -> None:
        super().__init__(seed)
        self._dealt = dealt

    def below(self, n: int) -> int:
        return super().below(n) if self._dealt(n) else 0

    def shuffled(self, items: Sequence[C]) -> tuple[C, ...]:
        return super().shuffled(items) if self._dealt(items) else tuple(items)


def orders(cards: Counter[C], known: Mapping[int, C], place: int = 0) -> Iterator[tuple[C, ...]]:
    """All that look different, with the known cards in their places."""
    if not cards:
        yield ()
    for card in [known[place]] if place in known else [*cards]:
        if cards[card]:
            for order in orders(cards - Counter([card]), known, place + 1):
                yield (card, *order)


def many_orders(cards: Counter[C]) -> int:
    return factorial(cards.total()) // prod(map(factorial, cards.values()))


class Table(NamedTuple):
    """A position, and what the viewer sees next."""

    rules: Rules
    state: Any
    seat: Seat
    seen: list[Any]
    dealt: Dealt
    open_moves: bool

    def outcomes(self) -> Iterator[tuple[list[Any], float]]:
        """The events of the dealer, and how likely they are; without most of those that look different."""
        asked: list[tuple[tuple[Any, ...], float]] = [((), 1.0)]
        while asked:
            answers, likely = asked.pop()
            try:
                yield self.rules.deal(self.state, Answered(answers, self.dealt)), likely
            except Question as question:
                if isinstance(question.asked, int):
                    asked += [((*answers, lot), likely / question.asked) for lot in range(question.asked)]
                else:
                    cards = Counter(question.asked)
                    likely /= many_orders(cards)
                    known = self.known(answers, len(question.asked))
                    asked += [((*answers, order), likely) for order in orders(cards, known)]

    def known(self, answers: tuple[Any, ...], many: int) -> dict[int, Any]:
        """The places in the next order of cards whose cards the viewer sees."""
        blank = tuple([Card(place) for place in range(many)])
        try:
            events = self.rules.deal(self.state, Answered((*answers, blank), self.dealt))
        except (Question, TypeError, KeyError):  # the dealer has another question, or looks at the cards
            return {}
        shown = [self.rules.redact(event, self.seat) for event in events]
        return dict(opened(tuple(shown), tuple(self.seen)))


def opened(shown: Any, seen: Any) -> Iterator[tuple[int, Any]]:
    """Where there is a blank card in the one and a card in the other."""
    if isinstance(shown, Card):
        yield shown.place, seen
    elif isinstance(shown, tuple) and isinstance(seen, tuple):
        for one, other in zip(shown, seen, strict=False):
            yield from opened(one, other)
    elif hasattr(shown, "__struct_fields__") and type(shown) is type(seen):
        for field in shown.__struct_fields__:
            yield from opened(getattr(shown, field), getattr(seen, field))


class TooMany(Exception):
    """There are too many worlds to count them."""


def every_world(
    rules: Rules, initial: Any, played: Sequence[Append], seat: Seat, dealt: Dealt, apart: Sequence[str] = (),
    open_moves: bool = False, most: int = 20_000,
) -> dict[Hidden, float]:  # fmt: skip
    """The hidden parts of each history in which the seat has seen the same, with its share, `apart` from these fields.

    The share is that of its shuffles. Of moves nothing is known but that they were legal: each counts once. With
    `open_moves` there are no hidden ones.
    """
    worlds: list[tuple[Any, Hidden, float]] = [(initial, (), 1.0)]
    for append in played:
        seen, more = seen_by(rules, append.events, seat), list[tuple[Any, Hidden, float]]()
        for state, hidden, share in worlds:
            for events, likely in alternatives(Table(rules, state, seat, seen, dealt, open_moves), append):
                if seen_by(rules, events, seat) == seen:
                    parts = (*hidden, *concealed(tuple(events), tuple(seen), apart))
                    more.append((rules.fold(state, events), parts, share * likely))
            if len(more) > most:
                raise TooMany
        worlds = more
    total, shares = sum([share for _, _, share in worlds]), dict[Hidden, float]()
    for _, hidden, share in worlds:
        shares[hidden] = shares.get(hidden, 0) + share / total
    return shares


def alternatives(table: Table, append: Append) -> Iterator[tuple[list[Any], float]]:
    """What can have happened in place of the append."""
    rules, state, by = table.rules, table.state, append.by
    if by is None:
        if not rules.to_act(state):
            yield from table.outcomes()
    elif by in rules.to_act(state):
        found: list[list[Any]] = []
        legal = rules.legal(state, by)
        for move in [append.move] if table.open_moves else legal:
            events = rules.decide(state, by, move) if move in legal else []
            if events not in found:
                found.append(events)
                yield events, 1.0


def concealed(whole: Any, seen: Any, apart: Sequence[str] = ()) -> Iterator[Any]:
    """The parts of a value that its redacted form does not have, `apart` from these fields."""
    if whole == seen:
        return
    if isinstance(whole, tuple) and isinstance(seen, tuple) and len(whole) == len(seen):
        for one, other in zip(whole, seen, strict=True):
            yield from concealed(one, other, apart)
    elif hasattr(whole, "__struct_fields__") and type(whole) is type(seen):
        for field in whole.__struct_fields__:
            if field not in apart:
                yield from concealed(getattr(whole, field), getattr(seen, field), apart)
    else:
        yield whole


class Deviation(NamedTuple):
    """The most unlikely of the comparisons."""

    ratio: float
    """The statistic by its limit: above 1 the worlds are not distributed as they should be."""
    parts: tuple[int, ...]
    compared: int
    """The number of comparisons."""


SURELY = 6.0
"""In standard deviations: a right sampler exceeds it once in a thousand million comparisons."""
FEW = 8.0
"""Outcomes that are expected less often are counted together."""
PAIRS = 40


def deviation(shares: dict[Hidden, float], worlds: Sequence[Hidden]) -> Deviation:
    """Compare by chi-square: each hidden part, some pairs of parts, and whole histories."""
    for world in worlds:
        assert world in shares, f"an impossible world: {world}"
    varied = [place for place, parts in enumerate(zip(*shares, strict=True)) if len(set(parts)) > 1]
    pairs = [*combinations(varied, 2)]
    step = len(pairs) // PAIRS + 1
    views = [*[(place,) for place in varied], *pairs[::step], tuple(varied)]
    worst = Deviation(0.0, (), len(views))
    for places in views:
        expected: dict[Hidden, float] = {}
        for hidden, share in shares.items():
            key = tuple([hidden[place] for place in places])
            expected[key] = expected.get(key, 0) + share * len(worlds)
        found = Counter([tuple([world[place] for place in places]) for world in worlds])
        statistic, free, rare, rare_found = 0.0, -1, 0.0, 0
        for key, many in expected.items():
            if many < FEW:
                rare, rare_found = rare + many, rare_found + found[key]
            else:
                statistic, free = statistic + (found[key] - many) ** 2 / many, free + 1
        if rare >= FEW:
            statistic, free = statistic + (rare_found - rare) ** 2 / rare, free + 1
        if free > 0 and statistic / chi_squared(free, SURELY) > worst.ratio:
            worst = Deviation(statistic / chi_squared(free, SURELY), places, len(views))
    return worst
