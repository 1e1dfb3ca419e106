"""What is played: terms, seatings, and the games of a board."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from hashlib import sha256
from itertools import permutations
from time import thread_time_ns
from typing import Any, NamedTuple

from msgspec import UNSET, UnsetType

from agents.arena.journal import Journal
from agents.arena.records import record_of
from agents.bots import bot_named, from_view
from agents.external import USUAL, Forfeited, Manners
from agents.review.accounts import account
from agents.review.moments import outcomes, whole
from agents.review.played import Played as Reviewed
from agents.review.played import of_table
from agents.review.values import Valuation
from agents.review.weighing import differing
from agents.table import Bot, Rules, Table
from domain.messages import Value
from domain.ruleset import Seat

ALL_ORDERS = 3
"""Up to this number of seats, as many bots are seated in every order."""


MOST = 20_000
"""Moves after which a game is given up: bots can wait for each other forever."""


WORLDS = 24
"""In which each choice is weighed that differs from the house player's."""


class Terms(Value, kw_only=True):
    """All that the games follow from, except the code of the bots."""

    rules: str
    options: dict[str, Any]
    seats: int
    bots: tuple[str, ...]
    seed: int


class Played(Value):
    """A game of a board."""

    seating: tuple[int, ...]
    """By seat: the number of the bot."""
    scores: tuple[int, ...]
    """By seat: the points, more is better."""
    winners: tuple[Seat, ...]
    """None if the game was given up."""
    choices: int
    """The number of moves."""
    forfeits: tuple[Seat, ...]
    """The seats whose bot has failed. `random/1` went on for it."""
    head: str
    """The secret and all moves, hashed: equal if the games are."""
    chosen: tuple[float, ...] | UnsetType = UNSET
    """By seat: the part of its points ahead that follows from the choices of all seats, so without luck. Absent: not
    weighed."""
    own: tuple[float, ...] | UnsetType = UNSET
    """By seat: its own play, what its own choices changed of its points ahead. Absent: not weighed."""
    replaced: tuple[int, ...] | UnsetType = UNSET
    """By seat: the number of choices that `random/1` made because no legal answer came. Absent: none."""


class Board(Value):
    """All games with the same deals."""

    number: int
    secret: str
    games: tuple[Played, ...]


class Arena(Value):
    """The content of `results.json`: everything that the figures are computed from."""

    terms: Terms
    boards: tuple[Board, ...]


class Outcome(NamedTuple):
    """A board, the times of its choices, and records of its games if they are wanted."""

    board: Board
    times: tuple[Counter[int], ...]
    """By bot: how many choices took how long, in microseconds to two digits."""
    records: tuple[bytes, ...]


class Field:
    """The bots that meet, ready to play boards."""

    def __init__(
        self, rules: Rules, terms: Terms, *, records: bool = False, review: bool = False,
        manners: Manners = USUAL, journal: Journal | None = None,
    ) -> None:  # fmt: skip
        self.rules, self.terms, self.records, self.review = rules, terms, records, review
        self.manners, self.journal = manners, journal or Journal()
        self.options = rules.options(**terms.options)

    @cached_property
    def bots(self) -> tuple[Bot, ...]:
        return tuple([bot_named(self.rules, plain_name(name), self.manners) for name in self.terms.bots])

    @property
    def teams(self) -> tuple[tuple[Seat, ...], ...] | None:
        return None if self.rules.teams is None else self.rules.teams(self.terms.seats)

    @property
    def seatings(self) -> list[tuple[int, ...]]:
        """By game of a board, the bot at each seat."""
        return [*seatings(len(self.terms.bots), self.terms.seats, self.teams)]

    def secret(self, number: int) -> bytes:
        return sha256(f"{self.terms.seed}:{number}".encode()).digest()

    def name_of(self, number: int, seating: tuple[int, ...]) -> str:
        """What the game is called to bots outside."""
        return sha256(b"game" + self.secret(number) + repr(seating).encode()).hexdigest()[:16]

    def play(self, number: int) -> Outcome:
        """All games of the board with this number."""
        return self.together(number, [self.play_one(number, seating) for seating in self.seatings])

    def play_one(self, number: int, seating: tuple[int, ...]) -> tuple[Played, tuple[Counter[int], ...], bytes]:
        """One game of the board, the times of its choices by bot, and its record if it is wanted."""
        times: tuple[Counter[int], ...] = tuple([Counter() for _ in self.bots])
        table, after, forfeits, replaced = self.play_game(number, seating, times)
        record = self.record(table, number, seating) if self.records else b""
        return self.outcome(table, after, seating, forfeits, replaced), times, record

    def record(self, table: Table, number: int, seating: tuple[int, ...]) -> bytes:  # noqa: ARG002
        """The finished game as a line of JSON."""
        return record_of(table, self.options, [self.terms.bots[bot] for bot in seating])

    def together(self, number: int, games: Sequence[tuple[Played, tuple[Counter[int], ...], bytes]]) -> Outcome:
        times = tuple([sum([of[bot] for _, of, _ in games], Counter()) for bot in range(len(self.bots))])
        board = Board(number, self.secret(number).hex(), tuple([played for played, _, _ in games]))
        return Outcome(board, times, tuple([record for _, _, record in games if record]))

    def play_game(
        self, number: int, seating: tuple[int, ...], times: Sequence[Counter[int]]
    ) -> tuple[Table, list[int], tuple[Seat, ...], tuple[int, ...]]:
        """The finished game, the number of events before each move, the seats whose bot has forfeited, and by seat the
        number of choices that `random/1` made for the bot."""
        table = Table(self.rules, self.options, [self.bots[bot] for bot in seating], self.secret(number))
        replaced, after = [0] * len(seating), list[int]()
        substitute = from_view(next(iter(self.rules.bots.values())))
        name = self.name_of(number, seating)
        while table.acting is not None and len(table.moves) < MOST:
            question = table.question()._replace(game=name)
            seat, bot = question.seat, table.bots[question.seat]
            after.append(len(table.events))
            began = thread_time_ns()
            if replaced[seat] >= bot.strikes:
                chosen: int | None = substitute.choose(question)
            elif bot.answer is not None:
                key = (number, seating, len(table.moves))
                answer = self.journal.known(key)
                if answer is None:
                    answer = bot.answer(question)
                    self.journal.write(key, seating[seat], answer)
                chosen, began = answer.index, thread_time_ns() - int(answer.seconds * 1e9)
            else:
                try:
                    chosen = bot.choose(question)
                except Forfeited:
                    chosen = None
            if chosen is None:
                replaced[seat] += 1
                chosen = substitute.choose(question)
            times[seating[seat]][two_digits((thread_time_ns() - began) // 1000)] += 1
            table.move(question.legal[chosen])
        forfeits = [seat for seat, many in enumerate(replaced) if many >= table.bots[seat].strikes]
        return table, after, tuple(forfeits), tuple(replaced)

    def outcome(
        self, table: Table, after: Sequence[int], seating: tuple[int, ...], forfeits: tuple[Seat, ...],
        replaced: tuple[int, ...] = (),
    ) -> Played:  # fmt: skip
        winners = () if table.result is None else table.result.winners
        head = sha256(table.secret + repr(table.moves).encode()).hexdigest()
        scores = self.rules.standing(table.state)
        weighed = self.review and table.result is not None
        chosen, own = by_choices(of_table(table, after), table.secret) if weighed else (UNSET, UNSET)
        more = replaced if any(replaced) else UNSET
        return Played(seating, scores, winners, len(table.moves), forfeits, head, chosen, own, more)


def by_choices(played: Reviewed, seed: bytes) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """By seat: what the choices of all seats changed, and what its own ones did, beside those of the house player, in
    points ahead. The imagined worlds follow from the seed."""
    seats = range(played.seats)
    made = differing(Valuation(played.rules, seed), played, WORLDS, seats)
    outcome = whole(outcomes(played))
    split = [account(outcome, made, seat, shrunk=False) for seat in seats]
    chosen = tuple([float(each.result - each.luck) for each in split])
    return chosen, tuple([float(each.errors + each.finds) for each in split])


def seatings(bots: int, seats: int, teams: tuple[tuple[Seat, ...], ...] | None = None) -> Iterator[tuple[int, ...]]:
    """Who sits where in the games of a board; every bot has every seat equally often.

    As many bots as seats: every order of up to three, else every rotation. Fewer bots: they take seats in turn, from
    each of them on, in every rotation. With `teams` they take teams instead of seats: partners are the same bot.
    """
    if teams is not None:
        team_of = {seat: number for number, team in enumerate(teams) for seat in team}
        for by_team in seatings(bots, len(teams)):
            yield tuple([by_team[team_of[seat]] for seat in range(seats)])
        return
    if bots == seats <= ALL_ORDERS:
        yield from permutations(range(bots))
        return
    found: dict[tuple[int, ...], None] = {}
    for first in range(bots if bots < seats else 1):
        field = [(first + seat) % bots for seat in range(seats)]
        for turned in range(seats):
            found[(*field[turned:], *field[:turned])] = None
    yield from found


def named_apart(names: Sequence[str]) -> tuple[str, ...]:
    """The names; one that comes again gets a number."""
    seen: Counter[str] = Counter()
    apart = []
    for name in names:
        seen[name] += 1
        apart.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return tuple(apart)


def plain_name(name: str) -> str:
    """Without the number that distinguishes it from others of its name."""
    return name.split("#")[0]


def two_digits(number: int) -> int:
    """Rounded down to two significant digits."""
    digits = str(number)
    return int(digits[:2].ljust(len(digits), "0"))
