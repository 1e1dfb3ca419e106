"""Turns the entries of a game into the items that a reader gets: redacted, and on request with patches and tallies."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from msgspec import UNSET, UnsetType

from domain import game
from domain.codec import encode
from domain.game import Game, Rules
from domain.game.log import Hashed, Stored, redacted, served
from domain.ruleset import Tally
from projections import patches
from service.api.access import ALL, Perspective
from service.api.charges import cost_of_items
from service.games.cached_game import CachedGame
from service.games.games import THREAD_THRESHOLD, Games
from service.games.topics import tag
from service.server import streaming
from service.server.streaming import ChunkCache
from service.tasks import computed

Chunk: TypeAlias = tuple[bytes, Game | None]
"""Encoded items, and the game after them as it is seen, if the items have extras."""


class Extras(NamedTuple):
    """What each item has besides the entry. Both derive from the view before and after it."""

    patch: bool = False
    tally: bool = False


Build: TypeAlias = Callable[[CachedGame, Sequence[Stored[Any, Any]], Sequence[bytes]], bytes]
"""Makes a chunk of entries and their items."""


class ItemReader:
    """Reads the items of one game in order, from one perspective, as JSON.

    `reader`: in whose turns long reads are made. With extras, the view before the first item is read from the log;
    from there on the reader keeps it up to date.
    """

    def __init__(
        self, games: Games, cached: CachedGame, perspective: Perspective,
        *, patched: bool, tallied: bool = False, reader: str = "",
    ) -> None:  # fmt: skip
        self.perspective = perspective
        self._games = games
        self._reader = reader
        self._cached = cached
        self._extras = Extras(patched, tallied)
        self._seen: Game | None = None
        """The game before the next item, as it is seen from the perspective."""

    async def items(self, entries: Sequence[Stored[Any, Any]]) -> list[bytes]:
        """The next items. `entries` must not be empty, and continue the entries of the last call."""
        await self.begin(entries[0].version - 1)
        arguments = self._cached, entries, self.perspective, self._extras, self._seen
        if self._seen is not None and len(entries) >= THREAD_THRESHOLD:
            items, self._seen = await computed(encoded, *arguments)
        else:
            items, self._seen = encoded(*arguments)
        return items

    async def messages(self, entries: Sequence[Stored[Any, Any]], chunks: ChunkCache[Chunk]) -> bytes:
        """The next items as server-sent events. Streams at the same position share one chunk."""
        await self.begin(entries[0].version - 1)
        return self.chunk(entries, chunks, _messages)

    def cost(self, items: int) -> int:
        """What this many items cost."""
        return cost_of_items(items, extended=any(self._extras))

    @property
    def begun(self) -> bool:
        """Whether `chunk` can be called."""
        return self._seen is not None or not any(self._extras)

    async def begin(self, position: int) -> None:
        """Read the view as of version `position`, the last one before the next item, unless it is here."""
        if not self.begun:
            self._seen = await self._games.before(self._cached, self.perspective, position, self._reader)

    def chunk(self, entries: Sequence[Stored[Any, Any]], chunks: ChunkCache[Chunk] | None, build: Build) -> bytes:
        """What `build` makes of the next items. Readers at the same position share it, if there are `chunks`."""
        if chunks is None:
            chunk, self._seen = self._made(entries, build)
        else:
            span = entries[0].version, entries[-1].version
            key = self._cached.game.id, self.perspective, span, self._cached.game.revealed, self._extras
            chunk, self._seen = chunks.get(key, partial(self._made, entries, build))
        return chunk

    def _made(self, entries: Sequence[Stored[Any, Any]], build: Build) -> Chunk:
        items, after = encoded(self._cached, entries, self.perspective, self._extras, self._seen)
        return build(self._cached, entries, items), after


def encoded(
    cached: CachedGame, entries: Sequence[Stored[Any, Any]], perspective: Perspective, extras: Extras, seen: Game | None
) -> tuple[list[bytes], Game | None]:
    """The entries as items (`EventItem`) in JSON, and the game after them.

    `seen` is the game before them, which extras need.
    """
    if seen is None:
        return [encode(item(cached, entry, perspective)) for entry in entries], None
    extended = []
    for entry in entries:
        each = item(cached, entry, perspective)
        before, (seen, patch) = seen, patches.step(cached.rules, seen, each.event)
        text = encode(each)[:-1]
        if extras.patch:
            text += b',"patch":' + encode(patch)
        if extras.tally and (changed := tally(cached.rules, seen)) != tally(cached.rules, before):
            text += b',"tally":' + encode(changed)
        extended.append(text + b"}")
    return extended, seen


def tally(rules: Rules, seen: Game) -> Tally | UnsetType | None:
    """What the cards count; None before the game begins, absent before its first event."""
    if seen.version == 0:
        return UNSET
    return None if seen.state is None else rules.tally(seen.state)


def item(cached: CachedGame, entry: Stored[Any, Any], perspective: Perspective) -> Hashed[Any, Any]:
    if perspective != ALL:
        return redacted(cached.rules, entry, perspective)
    if isinstance(entry.event, game.Opened) and not cached.game.revealed:
        # The player of a hotseat game sees every card, but not the secret: it would reveal future deals.
        return redacted(cached.rules, entry, None)
    return served(entry, entry.event, entry.move)


def _messages(_: CachedGame, entries: Sequence[Stored[Any, Any]], items: Sequence[bytes]) -> bytes:
    numbered = zip(entries, items, strict=True)
    return b"".join(streaming.message(entry.version, tag(entry.event), text) for entry, text in numbered)
