"""Turns the entries of a game into the items that a reader gets: redacted, and on request with patches."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from domain import game
from domain.codec import encode
from domain.game import Game
from domain.log import Entry, Stored, redacted, served
from projections import patches
from service.api.input.access import ALL, Perspective
from service.games.cached_game import CachedGame
from service.games.games import THREAD_THRESHOLD, Games
from service.games.topics import tag
from service.http import streaming
from service.http.streaming import ChunkCache

Chunk: TypeAlias = tuple[bytes, Game | None]
"""Encoded items, and the game after them as it is seen, if the items have patches."""

Build: TypeAlias = Callable[[CachedGame, Sequence[Stored[Any, Any]], Sequence[bytes]], bytes]
"""Makes a chunk of entries and their items."""


class ItemReader:
    """Reads the items of one game in order, from one perspective, as JSON.

    `patched`: each item has a patch of the view. The view before the first item is then read from the log; from there
    on the reader keeps it up to date.
    """

    def __init__(self, games: Games, cached: CachedGame, perspective: Perspective, *, patched: bool) -> None:
        self.perspective = perspective
        self._games = games
        self._cached = cached
        self._patched = patched
        self._seen: Game | None = None
        """The game before the next item, as it is seen from the perspective."""

    async def items(self, entries: Sequence[Stored[Any, Any]]) -> list[bytes]:
        """The next items. `entries` must not be empty, and continue the entries of the last call."""
        await self.begin(entries[0].version - 1)
        arguments = self._cached, entries, self.perspective, self._seen
        if self._patched and len(entries) >= THREAD_THRESHOLD:
            items, self._seen = await asyncio.to_thread(encoded, *arguments)
        else:
            items, self._seen = encoded(*arguments)
        return items

    async def messages(self, entries: Sequence[Stored[Any, Any]], chunks: ChunkCache[Chunk]) -> bytes:
        """The next items as server-sent events. Streams at the same position share one chunk."""
        await self.begin(entries[0].version - 1)
        return self.chunk(entries, chunks, _messages)

    @property
    def begun(self) -> bool:
        """Whether `chunk` can be called."""
        return not self._patched or self._seen is not None

    async def begin(self, position: int) -> None:
        """Read the view as of version `position`, the last one before the next item, unless it is here."""
        if not self.begun:
            self._seen = await self._games.before(self._cached, self.perspective, position)

    def chunk(self, entries: Sequence[Stored[Any, Any]], chunks: ChunkCache[Chunk], build: Build) -> bytes:
        """What `build` makes of the next items. Readers at the same position share it."""
        cached, perspective, seen = self._cached, self.perspective, self._seen

        def made() -> Chunk:
            items, after = encoded(cached, entries, perspective, seen)
            return build(cached, entries, items), after

        span = entries[0].version, entries[-1].version
        chunk, self._seen = chunks.get((cached.game.id, perspective, span, cached.game.revealed, self._patched), made)
        return chunk


def encoded(
    cached: CachedGame, entries: Sequence[Stored[Any, Any]], perspective: Perspective, seen: Game | None
) -> tuple[list[bytes], Game | None]:
    """The entries as items (`EventItem`) in JSON, and the game after them.

    With the game before them, `seen`, each item has a patch.
    """
    items = [item(cached, entry, perspective) for entry in entries]
    if seen is None:
        return [encode(each) for each in items], None
    patched = []
    for each in items:
        seen, patch = patches.step(cached.rules, seen, each)
        patched.append(b'%b,"patch":%b}' % (encode(each)[:-1], encode(patch)))
    return patched, seen


def item(cached: CachedGame, entry: Stored[Any, Any], perspective: Perspective) -> Entry[Any, Any]:
    """The entry, redacted for the perspective."""
    if perspective != ALL:
        return redacted(cached.rules, entry, perspective)
    if isinstance(entry.event, game.Opened) and not cached.game.revealed:
        # The player of a hotseat game sees every card, but not the secret: it would reveal future deals.
        return redacted(cached.rules, entry, None)
    return served(entry, entry.event, entry.move)


def _messages(_: CachedGame, entries: Sequence[Stored[Any, Any]], items: Sequence[bytes]) -> bytes:
    numbered = zip(entries, items, strict=True)
    return b"".join(streaming.message(entry.version, tag(entry.event), text) for entry, text in numbered)
