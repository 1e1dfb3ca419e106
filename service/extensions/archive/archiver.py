"""Moves games that are over from the log into files, so that the table of the log stays small.

A game is stored as a file, which is read back, before the first of its rows is deleted. So a process may be killed
anywhere: the next round stores the same file again, or deletes the rest of the rows. The process that leads does
this; if two do it at once, each step changes nothing the second time.

The position up to which games were looked at is stored. Games before it that are still rows could not be archived.
Games whose rules are not loaded wait: the position before the first of them is stored, too, and a process that starts
with the rules goes on from there.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from domain.codec import encode
from domain.game import Revealed
from domain.game.log import Stored
from domain.registry import VERSIONS
from projections import lobby, positions, storage
from projections.projection import Projections
from service.clock import earlier, now
from service.extensions.archive.files import Archive, NotRestorable, archivable
from service.games.periodic import Periodic
from service.games.topics import tag
from service.log import elsewhere
from service.log.elsewhere import Archived
from service.log.errors import Unavailable
from service.log.game_log import GameLog
from service.tasks import wait_for

log = logging.getLogger(__name__)

TASK = "archive"
"""The name of the stored position."""

PAUSE = 1.0
"""Seconds between two batches."""
IDLE = 60.0
"""Seconds between two rounds that find nothing, at most."""

MAX_GAMES = 100
"""Games of a batch at most."""
MAX_ROWS = 2_000
"""Rows that one transaction deletes at most."""


class Archiver(Periodic):
    """Archives from `start` to `stop` the games that have been over for `after` seconds. `query` runs a function on the
    database of the projections."""

    def __init__(
        self, store: GameLog, folder: Archive, projections: Projections, query: Callable[..., Awaitable[Any]],
        after: float, leads: Callable[[], bool] = lambda: True,
    ) -> None:  # fmt: skip
        super().__init__("archiver", PAUSE, log, "games cannot be archived", leads)
        self._store = store
        self._folder = folder
        self._projections = projections
        self._query = query
        self._after = after
        self._tags = [tag(Revealed), elsewhere.LAST_TAG]
        self._awaited: set[str] | None = None
        """The rules whose games wait; None until this process has looked."""

    async def sweep(self) -> None:
        """Archive one batch. A game that cannot be archived stays in the log, and does not affect the others."""
        self._interval = min(IDLE, max(PAUSE, self._after / 100))
        await self._resume()
        begin = reached = await self._query(positions.position, TASK)
        await self._check(begin)
        projected = await asyncio.to_thread(self._projections.position)
        moved, rows, failures = dict[str, Archived](), 0, self._failures()
        for reached_now, row in await self._store.follow(begin, MAX_GAMES, self._tags, projected):
            length = row.version
            if rows + length > MAX_ROWS and moved:
                break
            with failures.kept(row.stream):
                if isinstance(row.value, Archived):  # not all of its rows may be deleted
                    moved[row.stream] = row.value
                elif isinstance(row.value, Exception):
                    raise row.value
                elif row.value.at > earlier(now(), self._after):
                    break
                elif (where := await self._stored(row.stream, begin)) is not None:
                    moved[row.stream] = where
                    self.handled += 1
            if row.stream in moved:
                rows += length
            reached = reached_now
        if reached > begin:
            self._interval = PAUSE
            if await self._moved(moved, reached):
                await self._query(positions.advance, TASK, begin, reached)
        failures.raise_last()

    async def _check(self, position: int) -> None:
        """Raises `Unavailable` if the folder is not the one with the games before this position."""
        try:
            if not self._folder.is_marked:
                if position:
                    raise Unavailable("the folder of archived games is another one: is the right one mounted?")
                self._folder.mark()
        except OSError as error:
            raise Unavailable(str(error)) from error

    async def _resume(self) -> None:
        """Once: go back to where games began to wait for rules that are loaded now. What is archived stays as it is."""
        if self._awaited is not None:
            return
        waiting = await self._query(positions.named, f"{TASK}:")
        self._awaited = {task.partition(":")[2] for task in waiting} - VERSIONS.keys()
        for task, at in waiting.items():
            if task.partition(":")[2] in VERSIONS:
                if at < (now_at := await self._query(positions.position, TASK)):
                    await self._query(positions.advance, TASK, now_at, at)
                await self._query(positions.forget, task)

    async def _wait_for(self, rules: str, begin: int) -> None:
        if self._awaited is not None and rules not in self._awaited:
            await self._query(positions.advance, f"{TASK}:{rules}", 0, begin)
            self._awaited.add(rules)

    async def _stored(self, game_id: str, begin: int) -> Archived | None:
        """Store the game as a file. None if it must stay in the log. Raises `NotRestorable`, `Unavailable`."""
        entries = await self._store.read(game_id)
        if entries[0].event.rules not in VERSIONS:  # the file would not be the same bytes
            await self._wait_for(entries[0].event.rules, begin)
            return None
        position = (await self._query(lobby.numbers, [game_id])).get(game_id)
        if position is None:
            raise NotRestorable("the lobby leaves it out, so its place in the log is not known")

        def store() -> Archived:
            private = entries[0].event.private
            return Archived(
                at=entries[-1].at, hash=self._folder.store(archivable(game_id, entries), private=private),
                last=len(entries), position=position, sizes=_sizes(entries), imported=entries[0].imported,
                private=private,
            )  # fmt: skip

        try:
            return await asyncio.to_thread(store)
        except OSError as error:
            raise Unavailable(str(error)) from error

    async def _moved(self, moved: Mapping[str, Archived], reached: int) -> bool:
        """Replace the rows of these games, which end at the position `reached` at the latest. False if the projections
        have not read all of these rows yet, or the process stops."""

        def move(upto: int) -> bool:
            # A rebuild that has read some of a game's rows must find the others.
            with self._projections.settled(reached) as settled:
                if settled:
                    self._store.archive(moved, upto)
                return settled

        longest = max((where.last for where in moved.values()), default=0)
        for upto in range(MAX_ROWS, longest + MAX_ROWS, MAX_ROWS):
            if not await asyncio.to_thread(move, upto):
                return False
            if upto < longest:
                await wait_for(self._stopping, PAUSE)
                if self._stopping.is_set():
                    return False
        return True


def _sizes(entries: Sequence[Stored[Any, Any]]) -> tuple[tuple[int, int], ...]:
    """The bytes of the rows up to the versions at which the projections ask for them."""
    asked = {entry.version + entry.more for entry in entries if storage.measures(entry)}
    found, size = [], 0
    for entry in entries:
        size += len(encode(entry))
        if entry.version in asked:
            found.append((entry.version, size))
    return tuple(found)
