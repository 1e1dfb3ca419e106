"""The event log of a game: each entry has a time, the seat that caused the event, and hashes."""

from typing import Any, Generic, TypeVar

from domain import game
from domain.fairness import chain
from domain.game import Decision, Hex, Rules
from domain.messages import Value
from domain.ruleset import Seat, Viewer

E = TypeVar("E")


class Command(Value):
    """The request behind an append: its player, its idempotency key, and the hash of its body."""

    player: str
    key: str
    body: str


class Entry(Value, Generic[E]):
    """An event as it is served: redacted for the viewer, with the hashes of the full event."""

    version: int
    at: str
    by: Seat | None
    event: E
    public: Hex
    secret: Hex
    head: Hex


class Stored(Entry[E], Generic[E], omit_defaults=True):
    """An event as it is stored. `more` events of the same append follow; the first of an append carries its command.

    `imported`: the game was imported as a record. The flag is in every row of such a game.
    """

    more: int = 0
    command: Command | None = None
    imported: bool = False


def stored_type(rules: Rules) -> Any:
    """The type of the stored entries of a game with these rules."""
    return Stored[game.event_type(rules)]  # type: ignore[misc]


def redacted(rules: Rules, entry: Entry[Any], viewer: Viewer) -> Entry[Any]:
    """The entry as the viewer may see it while the game runs."""
    return served(entry, game.redact(rules, entry.event, viewer))


def served(entry: Entry[Any], event: Any) -> Entry[Any]:
    """The entry with this event, without the fields that are only stored."""
    return Entry(entry.version, entry.at, entry.by, event, entry.public, entry.secret, entry.head)


def written(
    rules: Rules, decided: Decision, head: bytes, at: str, command: Command | None = None
) -> tuple[Stored[Any], ...]:
    """The entries of a decision, chained to the log that ends with `head`. `at` is RFC 3339 in UTC with 6 decimals."""
    entries = []
    secret = game.secret_of(decided.game)
    more = len(decided.events)
    first = decided.game.version - more + 1
    for version, (event, by) in enumerate(zip(decided.events, decided.by, strict=True), first):
        more -= 1
        full = chain.entry(version, at, by, event)
        shown = game.redact(rules, event, None)
        public = full if shown is event else chain.entry(version, at, by, shown)
        link = chain.link(head, secret, version, public, full)
        head = link.head
        hashes = link.public.hex(), link.secret.hex(), head.hex()
        entries.append(Stored(version, at, by, event, *hashes, more, command))
        command = None
    return tuple(entries)
