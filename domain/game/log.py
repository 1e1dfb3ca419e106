"""The event log of a game: each entry has a time, the seat that caused the event, and hashes."""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Generic, TypeVar

from msgspec import UNSET, Meta, UnsetType

from domain.codec import canonical
from domain.fairness import chain
from domain.game.consequences import Decision
from domain.game.events import LIFECYCLE, Gone, Hex, Rejoined, Rules, event_type
from domain.game.evolution import redact, standing
from domain.game.state import secret_of
from domain.messages import Value
from domain.ruleset import Seat, Viewer

E = TypeVar("E")
M = TypeVar("M")
A = TypeVar("A", bound="Entry[Any, Any]")


class RequestKey(Value):
    """The request behind an append: its player, its idempotency key, and the hash of its body."""

    player: str
    key: str
    body: str


class Entry(Value, Generic[E, M], kw_only=True):
    """An event as a record has it: redacted for the viewer, with the hashes of the full event.

    A complete record has no hashes, because they follow from its events and the secret. An *append* is what one command
    added to the log, all or nothing.
    """

    version: int
    """The number of the event in its game, from 1."""
    at: str
    """The time of the event (RFC 3339, UTC)."""
    by: Seat | None
    """The seat whose choice caused it; null for the dealer and for players without a seat."""
    event: E
    """The event, redacted for the viewer."""
    more: Annotated[int, Meta(description="The number of events that follow in the same append; 0 on its last one.")]
    acting: tuple[Seat, ...] | UnsetType = UNSET
    """The seats that have a choice after the event, rising; on the last event of an append."""
    move: Annotated[
        M | UnsetType,
        Meta(
            description="The move as it was accepted, on the first event that a seat's choice caused. Until the game is"
            " over only this seat sees it."
        ),
    ] = UNSET
    public: Hex | UnsetType = UNSET
    """The hash of what everybody may see of the event."""
    secret: Hex | UnsetType = UNSET
    """The hash of the whole event."""
    head: Hex | UnsetType = UNSET
    """The hash of all events up to this one."""


class Hashed(Entry[E, M], Generic[E, M], kw_only=True):
    """An event as it is served: redacted for the viewer, with the hashes of the full event."""

    public: Hex
    secret: Hex
    head: Hex


class Stored(Hashed[E, M], Generic[E, M], kw_only=True, omit_defaults=True):
    """An event as it is stored. The first of an append carries its command.

    `imported`: the game was imported as a record. The flag is in every row of such a game.
    """

    command: RequestKey | None = None
    imported: bool = False


def stored_type(rules: Rules) -> Any:
    return Stored[event_type(rules), rules.move]  # type: ignore[misc]


def standing_entries(entries: Sequence[A]) -> list[A]:
    """Those of a log from its first entry on that belong to the ruleset and stand."""
    stood = standing([entry.event for entry in entries])
    return [entry for entry, stays in zip(entries, stood, strict=True) if stays and type(entry.event) not in LIFECYCLE]


def redacted(rules: Rules, entry: Hashed[Any, Any], viewer: Viewer) -> Hashed[Any, Any]:
    """The entry as the viewer may see it while the game runs."""
    event = redact(rules, entry.event, viewer)
    return served(entry, event, entry.move if viewer == entry.by else UNSET)


def served(entry: Hashed[Any, Any], event: Any, move: Any) -> Hashed[Any, Any]:
    """The entry with this event and move, without the fields that are only stored."""
    return Hashed(
        version=entry.version, at=entry.at, by=entry.by, event=event, more=entry.more, acting=entry.acting, move=move,
        public=entry.public, secret=entry.secret, head=entry.head,
    )  # fmt: skip


def bare(entry: Entry[Any, Any]) -> Entry[Any, Any]:
    """The entry without hashes."""
    return Entry(
        version=entry.version, at=entry.at, by=entry.by, event=entry.event, more=entry.more, acting=entry.acting,
        move=entry.move,
    )  # fmt: skip


def hashed(rules: Rules, around: chain.Around, version: int, at: bytes, event: Any, move: Any) -> tuple[bytes, bytes]:
    """The canonical bytes of an entry as a bystander sees it, and of the whole entry. `at` is canonical."""
    text, shown = canonical(event), redact(rules, event, None)
    public = chain.joined(around, version, at, text if shown is event else canonical(shown))
    if move is UNSET and shown is event:
        return public, public
    return public, chain.joined(around, version, at, text, None if move is UNSET else canonical(move))


def link(rules: Rules, entry: Entry[Any, Any], version: int, secret: bytes, head: bytes) -> chain.Link:
    """The hashes of an entry after `head`, also of one from elsewhere."""
    around = chain.around(entry.by, entry.more, entry.acting)
    texts = hashed(rules, around, version, canonical(entry.at), entry.event, entry.move)
    return chain.link(head, secret, version, *texts)


def note_movers(moved: set[Seat], gone: set[Seat], entries: Iterable[Entry[Any, Any]]) -> None:
    """Add the seats whose players have made a move in these entries to `moved`, and keep `gone` up to date: the seats
    that bots play while their players are gone."""
    for entry in entries:
        event = entry.event
        if type(event) not in LIFECYCLE:
            if entry.by is not None and entry.by not in gone:
                moved.add(entry.by)
        elif isinstance(event, Gone):
            gone.add(event.seat)
        elif isinstance(event, Rejoined):
            gone.discard(event.seat)


def written(
    rules: Rules, decided: Decision, head: bytes, at: str, command: RequestKey | None = None
) -> tuple[Stored[Any, Any], ...]:
    """The entries of a decision, chained to the log that ends with `head`. `at` is RFC 3339 in UTC with 6 decimals."""
    entries = []
    secret, by, moves = secret_of(decided.game), decided.by, decided.moves
    last = len(decided.events) - 1
    first, at_text = decided.game.version - last, canonical(at)
    for number, event in enumerate(decided.events):
        version, more, move = first + number, last - number, moves[number]
        acting = UNSET if more else decided.acting
        around = chain.around_recurring(by[number], more, acting)
        public, full = hashed(rules, around, version, at_text, event, move)
        link = chain.link(head, secret, version, public, full)
        head = link.head
        entries.append(
            Stored(
                version=version, at=at, by=by[number], event=event, more=more, acting=acting, move=move,
                public=link.public.hex(), secret=link.secret.hex(), head=head.hex(), command=command,
            )
        )  # fmt: skip
        command = None
    return tuple(entries)
