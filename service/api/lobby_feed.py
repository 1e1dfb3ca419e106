"""The changes in the lobby, for all live streams."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from domain.codec import encode
from projections.lobby import (
    Announced,
    CursorExpired,
    LobbyGame,
    Search,
    announced,
    concerns,
    players_of,
    with_names,
)
from service.core import Core
from service.identity.players import Players
from service.live.single_flight import SingleFlight
from service.live.subscriptions import Subscriber
from service.server.streaming import BATCH_SIZE

KEPT = 1_000
"""The latest changes that stay in memory, 5 KB each: streams of a large audience are some seconds behind."""


def is_hidden(players: Players, viewer: str | None, listed: LobbyGame) -> bool:
    """Whether the game waits for players, and the viewer has blocked one who is there. The viewer is in memory."""
    if viewer is None or listed.status != "waiting" or not (blocked := players.blocks(viewer)):
        return False
    people = players_of([listed]) | {listed.opener}
    return viewer not in people and not blocked.isdisjoint(people)


class LobbyChange(NamedTuple):
    """A change, and what streams send of it: the game after it has the current names of its players."""

    position: int
    announced: Announced
    frame: bytes


class _Kept:
    """All changes after the position `since`, with the names as of `renames` changes of players."""

    def __init__(self, since: int, renames: int) -> None:
        self.since, self.renames = since, renames
        self.announcements = 0
        """How many there had been when the latest read began."""
        self.changes: list[LobbyChange] = []

    @property
    def upto(self) -> int:
        return self.changes[-1].position if self.changes else self.since

    def add(self, changes: Sequence[LobbyChange]) -> None:
        self.changes += changes
        if (more := len(self.changes) - KEPT) > 0:
            self.since = self.changes[more - 1].position
            del self.changes[:more]

    def after(self, position: int) -> list[LobbyChange]:
        first = bisect_right(self.changes, position, key=attrgetter("position"))
        return self.changes[first : first + BATCH_SIZE]


class LobbyFeed:
    """Reads each change once for all streams, and encodes it once, by `frame(change, item)`: the game is JSON.

    Streams are notified in slices, with other work between. Those that waited for one read would go on together after
    it, by hundreds. So they get what is there, and are notified again.
    """

    def __init__(self, runtime: Core, frame: Callable[[Announced, bytes], bytes]) -> None:
        self._runtime = runtime
        self._frame = frame
        self._query = SingleFlight(self._read)
        self._kept: _Kept | None = None
        self._reads_on = False
        """Whether somebody reads what follows the changes that are kept."""
        self._missing: list[Subscriber] = []
        """Those who have asked meanwhile."""
        self._latest: tuple[Any, list[LobbyChange]] = (None, [])
        """The changes that were shown last."""

    async def after(self, position: int, subscriber: Subscriber | None = None) -> list[LobbyChange]:
        """At most `BATCH_SIZE` changes after the position. The subscriber is notified if there may be more. Raises
        `CursorExpired`, `Unavailable`."""
        kept, announcements = self._current(), self._runtime.subscriptions.announced
        if kept is not None and position >= kept.since and kept.announcements != announcements:
            if not self._reads_on:
                await self._read_on(kept, announcements)
                kept = self._current()
            elif subscriber is not None:
                self._missing.append(subscriber)
        if kept is None or position < kept.since:
            return await self._query((position, announcements))
        return kept.after(position)

    def shown(self, news: Sequence[LobbyChange], search: Search, viewer: str | None) -> list[bytes]:
        """What is sent of these changes: those that match the search, without games that are hidden from the viewer,
        who is in memory. Streams that are notified one after another often have the same changes."""
        players = self._runtime.players
        asked = search, players.changes, *[change.position for change in (*news[:1], *news[-1:])]
        if asked != self._latest[0]:
            self._latest = asked, [change for change in news if concerns(search, change.announced)]
        found = self._latest[1]
        if viewer is not None and players.blocks(viewer):
            found = [change for change in found if not is_hidden(players, viewer, change.announced.after)]
        self._runtime.subscriptions.delivered += len(found)
        return [change.frame for change in found]

    def _current(self) -> _Kept | None:
        """What is kept, unless names have changed since."""
        if self._kept is not None and self._kept.renames != self._runtime.players.changes:
            self._forget()
        return self._kept

    async def _read_on(self, kept: _Kept, announcements: int) -> None:
        self._reads_on = True
        try:
            for _ in range(KEPT // BATCH_SIZE):
                if len(await self._query((kept.upto, announcements))) < BATCH_SIZE or self._kept is not kept:
                    return
            self._forget()  # nobody has followed for long
        except CursorExpired:
            self._forget()
        finally:
            self._reads_on = False
            missing, self._missing = self._missing, []
            self._runtime.subscriptions.wake(missing)

    async def _read(self, key: tuple[int, int]) -> list[LobbyChange]:
        """The changes after a position. `key`: the position, and the number of announcements when it was called."""
        position, announcements = key
        found = await self._runtime.ask(announced, position, BATCH_SIZE)
        named = await self._runtime.players.named(players_of(change.after for change in found))
        changes = [
            LobbyChange(each.position, each, self._frame(each, encode(with_names(each.after, named)))) for each in found
        ]
        self._keep(position, announcements, changes)
        return changes

    def _keep(self, position: int, announcements: int, changes: Sequence[LobbyChange]) -> None:
        """Keep what follows what is kept, or else what was read up to the latest change."""
        kept, whole = self._current(), len(changes) < BATCH_SIZE
        if kept is None or kept.upto != position:
            if not whole or (kept is not None and announcements < kept.announcements):
                return
            kept = self._kept = _Kept(position, self._runtime.players.changes)
            if self._forget not in self._runtime.store.on_promotion:
                self._runtime.store.on_promotion.append(self._forget)
        kept.add(changes)
        if whole:
            kept.announcements = max(kept.announcements, announcements)

    def _forget(self) -> None:
        self._kept, self._latest = None, (None, [])
