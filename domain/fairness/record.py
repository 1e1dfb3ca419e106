"""A game's record: one document from which anybody can replay the game and check it without trusting us.

It says nothing that the events in it do not say as well: its other fields are what a reader wants to know first. While
the game runs everybody gets a record of their own, with the events as they may see them.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Annotated, Any, Generic, Literal, TypeVar

import msgspec
from msgspec import Meta, UnsetType
from msgspec.structs import replace

from domain import game, log
from domain.cards import put
from domain.codec import canonical, encode
from domain.deck import DeckData
from domain.game import Ended, Hex, Joined, Left, Opened, Parent, Player, Rules
from domain.log import Entry
from domain.messages import Value
from domain.ruleset import Result, Seat, Viewer
from domain.rulesets import VERSIONS

FORMAT: Literal["stammtisch-record/1"] = "stammtisch-record/1"

O = TypeVar("O")
D = TypeVar("D", bound=DeckData)
E = TypeVar("E")


class SeatAssignment(Value):
    """A seat, who has it, and what its player contributed to the shuffles."""

    seat: Seat
    player: Player | None
    entropy: str


class Record(Value, Generic[O, D, E], kw_only=True, forbid_unknown_fields=True):
    """A game from its first event to its last, or as far as it has come, with everything needed to check it."""

    format: Literal["stammtisch-record/1"] = FORMAT
    id: str
    ruleset: str
    rules: Annotated[str, Meta(description="The ruleset and the version of its rules that this game is played by.")]
    deck: D
    options: O
    seats: tuple[SeatAssignment, ...]
    commitment: Annotated[Hex, Meta(description="The hash of the secret that all deals follow from.")]
    secret: Annotated[Hex | None, Meta(description="Null while the game runs, and where events are not shown whole.")]
    parent: Annotated[Parent | None, Meta(description="Of a branch: the game that it continues.")]
    events: tuple[Entry[E], ...]
    head: Annotated[Hex, Meta(description="The hash that stands for all these events.")]
    result: Result | None


class Unreadable(Exception):
    """This is no record of a game by rules that are known here. The message says what is wrong, and where."""


def record_type(rules: Rules) -> Any:
    """The type of the records of games by these rules."""
    return Record[rules.options, rules.deck.data_type, game.event_type(rules)]  # type: ignore[name-defined, misc]


# --- made from a log ----------------------------------------------------------------------------------------------


def of(game_id: str, entries: Sequence[Entry[Any]]) -> Record[Any, Any, Any]:
    """The record of the game with this log (which must not be empty). Everything is open in it, the secret too."""
    events = [entry.event for entry in entries]
    opened: Opened[Any, Any] = events[0]
    return Record(
        id=game_id,
        ruleset=opened.ruleset,
        rules=opened.rules,
        deck=opened.deck,
        options=opened.options,
        seats=seating(opened.seats, events),
        commitment=opened.commitment,
        secret=opened.secret,
        parent=parent(opened),
        events=tuple(log.served(entry, event) for entry, event in zip(entries, events, strict=True)),
        head=entries[-1].head,
        result=result(events),
    )


def seen(rules: Rules, record: Record[Any, Any, Any], viewer: Viewer) -> Record[Any, Any, Any]:
    """The record as the viewer may see it while the game runs."""
    return replace(record, secret=None, events=tuple(log.redacted(rules, entry, viewer) for entry in record.events))


def sealed(rules: Rules, record: Record[Any, Any, Any]) -> Record[Any, Any, Any]:
    """The record with every card open, but without the secret: whoever has it knows the deals to come as well."""
    first, *rest = record.events
    return replace(record, secret=None, events=(log.redacted(rules, first, None), *rest))


def parent(opened: Opened[Any, Any]) -> Parent | None:
    return None if isinstance(opened.parent, UnsetType) else opened.parent


def seating(seats: int, events: Iterable[Any]) -> tuple[SeatAssignment, ...]:
    """Who sits where after these events."""
    taken = tuple(SeatAssignment(seat, None, "") for seat in range(seats))
    for event in events:
        match event:
            case Joined(seat, player, entropy):
                taken = put(taken, seat, SeatAssignment(seat, player, entropy))
            case Left(seat):
                taken = put(taken, seat, SeatAssignment(seat, None, ""))
    return taken


def result(events: Sequence[Any]) -> Result | None:
    """With what the game ended, if it did."""
    return next((event.result for event in reversed(events) if isinstance(event, Ended)), None)


# --- read from JSON -----------------------------------------------------------------------------------------------


class _Which(msgspec.Struct):
    """What has to be known of a record before the rest can be read."""

    format: str
    rules: str


def decode(text: bytes) -> Record[Any, Any, Any]:
    """The record that stands in the JSON. Raises `Unreadable`.

    What we would not have written is refused, such as fields that are not known: nobody could say what they mean, and
    no hash of ours would cover them.
    """
    try:
        which = _which().decode(text)
        if which.format != FORMAT:
            raise Unreadable(f"The format {which.format!r} is not known here - at `$.format`")
        if which.rules not in VERSIONS:
            raise Unreadable(f"The rules {which.rules!r} are not known here - at `$.rules`")
        record: Record[Any, Any, Any] = _decoder(which.rules).decode(text)
        _compare(text, record)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, OverflowError) as error:
        raise Unreadable(str(error)) from None
    return record


@cache
def _which() -> msgspec.json.Decoder[_Which]:
    return msgspec.json.Decoder(_Which)


@cache
def _decoder(rules: str) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(record_type(VERSIONS[rules]))


def _compare(text: bytes, record: Record[Any, Any, Any]) -> None:
    """Raises `Unreadable` if there is something in the text that was lost in reading, or that was not there."""
    # As a rule the text is byte by byte as we write it.
    if encode(record) == text.strip():
        return
    theirs, ours = msgspec.json.decode(text), msgspec.json.decode(canonical(record))
    if theirs != ours:
        raise Unreadable(f"This is not as we would have written it - at `{_difference(theirs, ours, '$')}`")


def _difference(a: Any, b: Any, path: str) -> str:
    """The first place where two JSON values differ."""
    if isinstance(a, dict) and isinstance(b, dict):
        for key in (*a, *b):
            if key not in a or key not in b or a[key] != b[key]:
                return _difference(a.get(key), b.get(key), f"{path}.{key}")
    if isinstance(a, list) and isinstance(b, list):
        for index, (one, other) in enumerate(zip(a, b, strict=False)):
            if one != other:
                return _difference(one, other, f"{path}[{index}]")
    return path
