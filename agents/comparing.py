"""What would have gone differently under changed rules: the moves of recorded games, replayed with the same secret."""

from collections.abc import Iterator
from functools import cached_property, partial
from typing import Any, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import UNSET
from msgspec.structs import asdict, replace

from agents.table import Rules
from domain import game
from domain.codec import encode
from domain.deck import DeckData, InvalidDeck
from domain.fairness.record import Record
from domain.game import Begun, Game, Opened
from domain.game.log import Entry, standing_entries
from domain.messages import Value
from domain.ruleset import Illegal, InvalidSetup, Seat

Outcome: TypeAlias = Literal["same", "told", "result", "illegal", "open", "deal", "setup"]
"""In rising order of what has changed. See `docs/compare.md`."""

OUTCOMES: tuple[Outcome, ...] = ("same", "told", "result", "illegal", "open", "deal", "setup")


class Compared(Value):
    """A recorded game, and what becomes of it."""

    id: str
    outcome: Outcome
    version: int | None = None
    """The version of the record at which it goes otherwise first."""
    before: str | None = None
    """What happened there: the type of an event or of a move, or the scores."""
    after: str | None = None


class Made(NamedTuple):
    """A recorded move, and the version of its first event."""

    version: int
    seat: Seat
    move: Any


class Change:
    """The new rules, with options and a deck in place of those of the record."""

    def __init__(self, rules: Rules, options: dict[str, Any] | None = None, deck: DeckData | None = None) -> None:
        self.rules, self.options, self.deck = rules, options or {}, deck

    def terms(self, opened: Opened[Any, Any]) -> Opened[Any, Any]:
        """Raises `InvalidSetup` and `InvalidDeck`."""
        rules = self.rules
        try:
            options = msgspec.convert({**asdict(opened.options), **self.options}, rules.options)
            data = opened.deck if self.deck is None else self.deck
            deck = msgspec.convert(msgspec.to_builtins(data), rules.deck.data_type)
        except msgspec.ValidationError as error:
            raise InvalidSetup(str(error)) from None
        rules.initial(opened.seats, options, rules.deck_of(deck))
        return replace(opened, rules=rules.rules, options=options, deck=deck)


def stood(record: Record[Any, Any, Any, Any]) -> list[Entry[Any, Any]]:
    """The entries of the record without those that were taken back."""
    stands = game.standing([entry.event for entry in record.events])
    return [entry for entry, stayed in zip(record.events, stands, strict=True) if stayed]


def moves_of(record: Record[Any, Any, Any, Any]) -> Iterator[Made]:
    """The moves of a game in their order, those of its bots included, those that were taken back not."""
    for entry in stood(record):
        if entry.move is not UNSET and entry.by is not None:
            yield Made(entry.version, entry.by, entry.move)


def compared(record: Record[Any, Any, Any, Any], change: Change) -> Compared | None:
    """What becomes of the game; None if it has no result."""
    if record.result is None:
        return None
    try:
        replay = Replay(record, change)
    except (InvalidSetup, InvalidDeck) as error:
        return Compared(record.id, "setup", after=str(error))
    return replay.outcome()


class Replay:
    """The game under the new rules, move by move."""

    def __init__(self, record: Record[Any, Any, Any, Any], change: Change) -> None:
        self.record, self.rules = record, change.rules
        opened: Opened[Any, Any] = record.events[0].event
        begun = next(number for number, entry in enumerate(record.events) if isinstance(entry.event, Begun))
        before = [change.terms(opened), *[entry.event for entry in record.events[1 : begun + 1]]]
        self.game = game.fold(self.rules, Game(record.id), before)
        self.state, self.dealt = self.game.state, self.game.deals
        self.happened: list[Any] = []

    @cached_property
    def old(self) -> list[tuple[int, Any]]:
        """The ruleset's events of the record, with their versions."""
        return [(entry.version, entry.event) for entry in standing_entries(self.record.events)]

    def outcome(self) -> Compared:
        acting = self.settle()
        if (difference := self.first_difference()) is not None:
            return replace(difference, outcome="deal")
        for made in moves_of(self.record):
            if made.seat not in acting:
                outcome: Outcome = "open" if acting else "illegal"
                return Compared(self.record.id, outcome, made.version, tag(made.move), None)
            try:
                events = self.rules.decide(self.state, made.seat, self.translated(made.move))
            except (Illegal, msgspec.ValidationError):
                return Compared(self.record.id, "illegal", made.version, tag(made.move), None)
            self.happen(events)
            acting = self.settle()
        return self.ended(bool(acting))

    def settle(self) -> tuple[Seat, ...]:
        """The seats that act once everything is dealt that is due."""
        self.state, events, acting, self.dealt = self.rules.settle(
            self.state, partial(game.chance, self.game), self.dealt
        )
        self.happened += events
        return tuple(acting)

    def happen(self, events: list[Any]) -> None:
        self.state = self.rules.fold(self.state, events)
        self.happened += events

    def translated(self, move: Any) -> Any:
        """The move as one of the new rules. Raises `ValidationError`."""
        if self.record.rules == self.rules.rules:
            return move
        return msgspec.convert(msgspec.to_builtins(move), self.rules.move)

    def ended(self, acting: bool) -> Compared:
        """All moves are made."""
        name, last = self.record.id, self.old[-1][0]
        if acting:
            return Compared(name, "open", last + 1)
        result, before = self.rules.outcome(self.state), self.record.result
        if result != before:
            return Compared(name, "result", last, encode(before).decode(), encode(result).decode())
        return self.first_difference(whole=True) or Compared(name, "same")

    def first_difference(self, *, whole: bool = False) -> Compared | None:
        """Where the events so far differ from the recorded ones; if `whole`, also in their number."""
        name = self.record.id
        for (version, old), new in zip(self.old, self.happened, strict=False):
            if old != new and encode(old) != encode(new):
                return Compared(name, "told", version, tag(old), tag(new))
        if whole and len(self.old) != len(self.happened):
            many = min(len(self.old), len(self.happened))
            old, new = self.old[many:], self.happened[many:]
            version = old[0][0] if old else self.old[-1][0] + 1
            return Compared(name, "told", version, tag(old[0][1]) if old else None, tag(new[0]) if new else None)
        return None


def tag(message: Any) -> str:
    return str(message.__struct_config__.tag)
