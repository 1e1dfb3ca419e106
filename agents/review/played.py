"""Games in the form that a review needs: from records, and from the arena."""

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any, NamedTuple

from msgspec import UNSET

from agents.comparing import stood
from agents.table import Rules, Table
from domain.fairness.record import Record
from domain.game import LIFECYCLE, Gone, Hinted, Opened, Rejoined
from domain.game.state import bots_of
from domain.registry import VERSIONS
from domain.ruleset import Seat


class NotReviewable(Exception):
    """The game has no result, or the record is not the complete one. The message says which."""


class Made(NamedTuple):
    """A move, and the number of the ruleset's events before it."""

    after: int
    seat: Seat
    move: Any
    version: int
    """Of the first event that it caused, in the record."""
    by_bot: bool = False
    """A house player made it."""
    hinted: bool = False
    """The player had a hint."""


class Played(NamedTuple):
    """A finished game. Moves that were taken back are not in it."""

    rules: Rules
    initial: Any
    events: Sequence[Any]
    moves: Sequence[Made]
    head: bytes
    """All random numbers of the review follow from it."""

    @property
    def seats(self) -> int:
        return len(self.rules.standing(self.initial))


def of_record(record: Record[Any, Any, Any, Any]) -> Played:
    """Raises `NotReviewable`."""
    if record.result is None:
        raise NotReviewable("Only finished games can be reviewed.")
    if record.secret is None:
        raise NotReviewable("Only complete records can be reviewed: this one is redacted.")
    rules = VERSIONS[record.rules]
    initial = rules.initial(len(record.seats), record.options, rules.deck_of(record.deck))
    houses, hinted = house_players(record), set[Seat]()
    events, moves = list[Any](), list[Made]()
    for entry in stood(record):
        if isinstance(entry.event, Hinted):  # of the seat's next choice, whatever others do meanwhile
            hinted.add(entry.event.seat)
        if type(entry.event) in LIFECYCLE:
            continue
        if entry.by is not None and entry.move is not UNSET:
            by_bot, with_hint = entry.by in houses[entry.version - 1], entry.by in hinted
            moves.append(Made(len(events), entry.by, entry.move, entry.version, by_bot, with_hint))
            hinted.discard(entry.by)
        events.append(entry.event)
    return Played(rules, initial, events, moves, bytes.fromhex(record.head))


def house_players(record: Record[Any, Any, Any, Any]) -> list[frozenset[Seat]]:
    """By event: the seats that house players have when it happens."""
    seats, found = frozenset[Seat](), list[frozenset[Seat]]()
    for entry in record.events:
        found.append(seats)
        match entry.event:
            case Opened():
                seats = frozenset([seat for seat, bot in enumerate(bots_of(entry.event)) if bot])
            case Gone(seat, bot=bot):
                seats = seats if bot is UNSET else seats | {seat}
            case Rejoined(seat):
                seats -= {seat}
    return found


def of_table(table: Table, after: Sequence[int]) -> Played:
    """A finished game of the arena; `after` has the number of the ruleset's events before each move."""
    moves = [Made(*made) for made in zip(after, *zip(*table.moves, strict=True), count(1), strict=False)]
    return Played(table.rules, table.initial, table.events, moves, table.secret)


def played_by(table: Table) -> Played:
    """Plays the game to its end."""
    return of_table(table, [*played_out(table)])


def played_out(table: Table) -> Iterator[int]:
    """The number of events before each move, until the game is over."""
    while table.acting is not None:
        question = table.question()
        yield len(table.events)
        table.move(question.legal[table.bots[question.seat].choose(question)])
