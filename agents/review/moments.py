"""The choices of a finished game, each with exactly what its seat had seen."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

from agents.review.played import Made, Played
from agents.table import Rules
from domain.ruleset import Seat

Leads: TypeAlias = tuple[int, ...]
"""What choices are measured in. By seat: its points less the mean of the others, times the number of the others.

They are whole numbers, so sums of them are exact, and those of all seats add up to zero.
"""


def leads(points: Sequence[int]) -> Leads:
    total, seats = sum(points), len(points)
    return tuple([each * seats - total for each in points])


class Moment(NamedTuple):
    """A choice between at least two legal moves. Nothing in it is more than its seat knows, but the made move."""

    number: int
    """Of the move in its game, from 0."""
    version: int
    round: int
    seat: Seat
    start: Any
    """The seat's view from which worlds are imagined: of the beginning of the round, if that is possible."""
    seen: Sequence[Any]
    """What the seat has seen since then."""
    view: Any
    legal: Sequence[Any]
    made: int
    by_bot: bool = False
    hinted: bool = False


class Side:
    """What one seat has seen of a game."""

    def __init__(self, rules: Rules, initial: Any, seat: Seat) -> None:
        self.rules, self.seat = rules, seat
        self.afresh = rules.yardstick.afresh(len(rules.standing(initial)))
        self.start = self.view = initial
        self.seen: list[Any] = []

    def tell(self, shown: Any) -> None:
        """An event as the seat sees it."""
        if self.afresh is type(shown):
            self.start, self.seen = self.view, []
        self.seen.append(shown)
        self.view = self.rules.fold(self.view, [shown])

    def moment(self, number: int, made: Made, round_: int) -> Moment | None:
        """None if the move was forced."""
        legal = self.rules.legal(self.view, self.seat)
        if len(legal) < 2:
            return None
        return Moment(
            number, made.version, round_, self.seat, self.start, tuple(self.seen), self.view, legal,
            legal.index(made.move), made.by_bot, made.hinted,
        )  # fmt: skip


class Rounds:
    """The standings after each round; only the first and the last where the points of a round can be lost again."""

    def __init__(self, played: Played) -> None:
        self.rules, self.state = played.rules, played.initial
        self.standings = [self.rules.standing(self.state)]

    @property
    def number(self) -> int:
        """Of the current round, from 0."""
        return 0 if self.rules.yardstick.whole_game else len(self.standings) - 1

    def tell(self, event: Any) -> None:
        self.state = self.rules.fold(self.state, [event])
        if (now := self.rules.standing(self.state)) != self.standings[-1]:
            self.standings.append(now)

    def outcomes(self) -> list[Leads]:
        ends = self.standings
        if self.rules.yardstick.whole_game or len(ends) == 1:
            ends = [ends[0], ends[-1]]
        return [leads([after - before for before, after in zip(*pair, strict=True)]) for pair in pairwise(ends)]


def moments(played: Played) -> Iterator[Moment]:
    """In the order of the moves. Forced moves are left out."""
    rules = played.rules
    rounds, sides = Rounds(played), [Side(rules, played.initial, seat) for seat in range(played.seats)]
    last = len(outcomes(played)) - 1
    told = 0
    for number, made in enumerate(played.moves):
        for event in played.events[told : made.after]:
            rounds.tell(event)
            for side in sides:
                side.tell(rules.redact(event, side.seat))
        told = made.after
        # A last round without points does not change the standing, so it counts as a part of the one before.
        if moment := sides[made.seat].moment(number, made, min(rounds.number, last)):
            yield moment


def outcomes(played: Played) -> list[Leads]:
    """By round: the lead of every seat. One for the whole game where the points of a round can be lost again."""
    rounds = Rounds(played)
    for event in played.events:
        rounds.tell(event)
    return rounds.outcomes()


def whole(outcomes: Sequence[Leads]) -> Leads:
    """The outcome of the game."""
    return tuple(map(sum, zip(*outcomes, strict=True)))
