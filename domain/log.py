"""A game's log: its events in order, each with its time, who caused it, and its hashes."""

from typing import Any, Generic, TypeVar

from domain import game
from domain.fairness import chain
from domain.game import Decision, Hex, Rules
from domain.messages import Value
from domain.ruleset import Seat, Viewer

E = TypeVar("E")


class Command(Value):
    """Who sent the request that an append answers, under which key, and the hash of what it said."""

    player: str
    key: str
    body: str


class Entry(Value, Generic[E]):
    """An event as it is served: the event is what the reader may see of it, the hashes are of the whole."""

    version: int
    at: str
    by: Seat | None
    event: E
    public: Hex
    secret: Hex
    head: Hex


class Stored(Entry[E], Generic[E], omit_defaults=True):
    """An event as it is kept. `more` events of the same append follow; the first of an append carries its command.

    `imported`: the game was played elsewhere and came here as a record. It stands in every row, for ever.
    """

    more: int = 0
    command: Command | None = None
    imported: bool = False


def stored_type(rules: Rules) -> Any:
    """The type of the entries of a game by these rules."""
    return Stored[game.event_type(rules)]  # type: ignore[misc]


def redacted(rules: Rules, entry: Entry[Any], viewer: Viewer) -> Entry[Any]:
    """The entry as the viewer may see it while the game runs."""
    return served(entry, game.redact(rules, entry.event, viewer))


def served(entry: Entry[Any], event: Any) -> Entry[Any]:
    """The entry with this event in it, and without what is only kept."""
    return Entry(entry.version, entry.at, entry.by, event, entry.public, entry.secret, entry.head)


def written(
    rules: Rules, decided: Decision, head: bytes, at: str, command: Command | None = None
) -> tuple[Stored[Any], ...]:
    """The entries of a decision, linked to the log that ends with `head`. `at` is RFC 3339 in UTC with 6 decimals."""
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
