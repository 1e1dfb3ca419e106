"""The record of a game: one document that contains everything needed to replay and verify it.

All fields beside the events repeat what the events contain, except `names`: display names are not part of the history,
and nothing proves them. While the game runs each viewer gets a redacted record.
"""

import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Generic, Literal, TypeVar, cast

import msgspec
from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import asdict, replace

from domain import game
from domain.cards import put
from domain.codec import canonical, encode
from domain.deck import DeckData
from domain.fairness import chain
from domain.fairness.chance import PROTOCOL
from domain.game import Ended, Hex, Joined, Left, Opened, Parent, Readied, Rules, log
from domain.game.log import Entry, Hashed
from domain.messages import Value
from domain.player import PlayerId
from domain.registry import VERSIONS
from domain.ruleset import Result, Seat, Viewer
from domain.stand_in import unknown
from domain.strict import only_once

NO_NAMES: Mapping[str, str] = {}

FORMAT: Literal["stammtisch-record/1"] = "stammtisch-record/1"
MEDIA_TYPE = "application/vnd.stammtisch.record+json"

O = TypeVar("O")
D = TypeVar("D", bound=DeckData)
E = TypeVar("E")
M = TypeVar("M")


class RecordedSeat(Value):
    """A seat, the id of its player (null: free), and the player's entropy for the shuffles."""

    seat: Seat
    player: PlayerId | None
    """The player at the seat at the end of the record; null: it is free."""
    entropy: str
    """The player's contribution to the shuffles; empty if there is none."""


class Record(Value, Generic[O, D, E, M], kw_only=True, forbid_unknown_fields=True):
    """All events of a game so far, and what a verifier needs."""

    format: Literal["stammtisch-record/1"] = FORMAT
    id: str
    """The id of the game."""
    ruleset: str
    """The name of the ruleset."""
    rules: Annotated[str, Meta(description="The ruleset and the version of its rules that this game is played by.")]
    deck: D
    options: O
    seats: tuple[RecordedSeat, ...]
    """All seats, in their order."""
    names: Annotated[
        dict[str, str],
        Meta(
            description="The display names of the opener and of the players at the seats, by id, as of the time of the "
            "download. Unproven: no hash covers them. Former players have none."
        ),
    ]
    commitment: Annotated[Hex, Meta(description="The hash of the secret that all deals follow from.")]
    secret: Annotated[Hex | None, Meta(description="Null while the game runs, and in redacted records.")]
    parent: Annotated[Parent | None, Meta(description="The game that a branch continues; null: it is no branch.")]
    events: tuple[Entry[E, M], ...]
    """All events from the first one on, as the perspective sees them. The game's version is their number. In a
    complete record, the one with the secret, they have no hashes."""
    head: Annotated[Hex, Meta(description="The hash that covers all events of the record.")]
    result: Result | None
    """The final scores and the winners; null while the game runs and if it was aborted."""


class Unreadable(Exception):
    """The text is not a record. The message names the error and its JSON path."""


class Uncheckable(Unreadable):
    """The record is of a protocol, format or rules that are not known here: nothing shows that it is wrong."""


def record_type(rules: Rules) -> Any:
    """The type of the records of games by these rules."""
    return Record[rules.options, rules.deck.data_type, game.event_type(rules), rules.move]  # type: ignore[name-defined, misc]


# --- made from a log ----------------------------------------------------------------------------------------------


def of(
    game_id: str, entries: Sequence[Hashed[Any, Any]], names: Mapping[str, str] = NO_NAMES
) -> Record[Any, Any, Any, Any]:
    """The record of the game with this log, which must not be empty, as only the server has it: with secret and hashes.

    `names` are display names by player id; those of other players are left out.
    """
    events = [entry.event for entry in entries]
    opened: Opened[Any, Any] = events[0]
    seats = seating(opened.seats, events)
    return Record(
        id=game_id,
        ruleset=opened.ruleset,
        rules=opened.rules,
        deck=opened.deck,
        options=opened.options,
        seats=seats,
        names={player: names[player] for player in players(opened, seats) if player in names},
        commitment=opened.commitment,
        secret=opened.secret,
        parent=parent(opened),
        events=tuple(log.served(entry, entry.event, entry.move) for entry in entries),
        head=entries[-1].head,
        result=result(events),
    )


def complete(record: Record[Any, Any, Any, Any]) -> Record[Any, Any, Any, Any]:
    """The record of a game that is over as everybody gets it: its events have no hashes, for these follow from them."""
    return replace(record, events=tuple(map(log.bare, record.events)))


def hashed(record: Record[Any, Any, Any, Any], rules: Rules | None = None) -> Record[Any, Any, Any, Any]:
    """The complete and valid record with the hashes of its events. `rules`: instead of those that are loaded."""
    assert record.secret is not None
    rules, secret, head = rules or VERSIONS[record.rules], bytes.fromhex(record.secret), chain.root(record.id)
    events = []
    for entry in record.events:
        link = log.link(rules, entry, entry.version, secret, head)
        head = link.head
        hashes = {name: value.hex() for name, value in asdict(link).items()}
        events.append(Hashed(**asdict(entry) | hashes))
    return replace(record, events=tuple(events))


def players(opened: Opened[Any, Any], seats: Iterable[RecordedSeat]) -> list[str]:
    """The ids of the opener and of the players at the seats, without repetition."""
    return list(dict.fromkeys([opened.opener, *(seat.player for seat in seats if seat.player is not None)]))


def seen(rules: Rules, record: Record[Any, Any, Any, Any], viewer: Viewer) -> Record[Any, Any, Any, Any]:
    """The record as the viewer may see it while the game runs."""
    entries = cast("tuple[Hashed[Any, Any], ...]", record.events)
    return replace(record, secret=None, events=tuple(log.redacted(rules, entry, viewer) for entry in entries))


def sealed(rules: Rules, record: Record[Any, Any, Any, Any]) -> Record[Any, Any, Any, Any]:
    """The record with every card visible but without the secret, which would reveal future deals."""
    first, *rest = cast("tuple[Hashed[Any, Any], ...]", record.events)
    return replace(record, secret=None, events=(log.redacted(rules, first, None), *rest))


def parent(opened: Opened[Any, Any]) -> Parent | None:
    return None if isinstance(opened.parent, UnsetType) else opened.parent


def seating(seats: int, events: Iterable[Any]) -> tuple[RecordedSeat, ...]:
    """The seat assignments after the events."""
    taken = tuple(RecordedSeat(seat, None, "") for seat in range(seats))
    for event in events:
        match event:
            case Joined(seat, player, entropy):
                taken = put(taken, seat, RecordedSeat(seat, player, entropy))
            case Readied(seat, entropy):
                taken = put(taken, seat, replace(taken[seat], entropy=entropy))
            case Left(seat):
                taken = put(taken, seat, RecordedSeat(seat, None, ""))
    return taken


def result(events: Sequence[Any]) -> Result | None:
    """The result of the game; None if it has none."""
    return next((event.result for event in reversed(events) if isinstance(event, Ended)), None)


# --- read from JSON -----------------------------------------------------------------------------------------------


class _Header(msgspec.Struct):
    """The fields that determine how the rest is decoded. Another format can have others."""

    format: str
    rules: str = ""
    events: msgspec.Raw = msgspec.field(default_factory=lambda: msgspec.Raw(b"[]"))


def decode(text: bytes) -> Record[Any, Any, Any, Any]:
    """Decode a record from JSON. Raises `Unreadable`.

    Refuses everything that the service would not write, such as unknown fields: no hash covers them.
    """
    try:
        try:
            return _decoded(text)
        except Uncheckable:
            only_once(text)
            raise
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, OverflowError) as error:
        raise Unreadable(str(error)) from None


def _decoded(text: bytes) -> Record[Any, Any, Any, Any]:
    header = _header_decoder().decode(text)
    _known("format", header.format, (FORMAT,), "$.format")
    _known("rules", header.rules, VERSIONS, "$.rules")
    try:
        record: Record[Any, Any, Any, Any] = _decoder(header.rules).decode(text)
    except msgspec.ValidationError:
        _known("protocol", _protocol(header.events), (PROTOCOL,), "$.events[0].event.protocol")
        raise
    _compare(text, record)
    _fits(record)
    return record


def trusted(text: bytes, rules_of: Callable[[str], Rules]) -> Record[Any, Any, Any, Any]:
    """A complete record that we wrote, of rules that are not loaded, with the hashes of its events. Raises
    `Unreadable`."""
    rules = rules_of(_header_decoder().decode(text).rules)
    try:
        found: Any = msgspec.json.decode(text, type=record_type(rules), dec_hook=unknown)
    except msgspec.MsgspecError as error:
        raise Unreadable(str(error)) from None
    return hashed(found, rules)


def _known(what: str, said: str, known: Container[str], path: str) -> None:
    """Raises `Uncheckable` for a version that is not known, and `Unreadable` for what is no version."""
    if said not in known:
        kind = Uncheckable if re.fullmatch("[a-z][a-z0-9_.-]*/[1-9][0-9]*", said) else Unreadable
        raise kind(f"Unknown {what} {said!r} - at `{path}`")


def _protocol(events: msgspec.Raw) -> str:
    """The protocol in the first event; that of this service if the event does not name one."""
    entries = msgspec.json.decode(events)
    match entries[0] if isinstance(entries, list) and entries else None:
        case {"event": {"protocol": str(protocol)}}:
            return protocol
    return PROTOCOL


@cache
def _header_decoder() -> msgspec.json.Decoder[_Header]:
    return msgspec.json.Decoder(_Header)


@cache
def _decoder(rules: str) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(record_type(VERSIONS[rules]))


def _compare(text: bytes, record: Record[Any, Any, Any, Any]) -> None:
    """Raises `Unreadable` if decoding dropped or added anything."""
    # The usual case: the text is byte for byte what the service writes.
    if encode(record) == text.strip():
        return
    theirs, ours = only_once(text), msgspec.json.decode(canonical(record))
    if theirs != ours:
        raise Unreadable(f"A value is missing, unknown or not canonical - at `{_difference(theirs, ours, '$')}`")


def _fits(record: Record[Any, Any, Any, Any]) -> None:
    """Raises `Unreadable` unless all events have their hashes, or none in a complete record."""
    whole = record.secret is not None
    for number, entry in enumerate(record.events):
        for name, value in (("public", entry.public), ("secret", entry.secret), ("head", entry.head)):
            if (value is UNSET) != whole:
                wrong = "The events of a complete record have no hashes" if whole else "A hash is missing"
                raise Unreadable(f"{wrong} - at `$.events[{number}].{name}`")


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
