"""The changes in the lobby, for all live streams."""

from typing import NamedTuple

from domain.codec import encode
from projections.lobby import Announced, LobbyGame, announced, players_of, with_names
from service.core import Core
from service.identity.players import Players
from service.live.single_flight import SingleFlight
from service.server.streaming import BATCH_SIZE


def is_hidden(players: Players, viewer: str | None, listed: LobbyGame) -> bool:
    """Whether the game waits for players, and the viewer has blocked one who is there. The viewer is in memory."""
    if viewer is None or listed.status != "waiting" or not (blocked := players.blocks(viewer)):
        return False
    people = players_of([listed]) | {listed.opener}
    return viewer not in people and not blocked.isdisjoint(people)


class LobbyChange(NamedTuple):
    """A change. `item` is the JSON of the game after it, with the current names of its players."""

    announced: Announced
    item: bytes

    @property
    def position(self) -> int:
        return self.announced.position

    @property
    def event(self) -> str:
        return self.announced.event


class LobbyFeed:
    """Reads changes. Streams at the same position share one query, also those that are notified after it."""

    def __init__(self, runtime: Core) -> None:
        self._runtime = runtime
        self._query = SingleFlight(self._read)
        self._latest: tuple[tuple[int, int], list[LobbyChange]] | None = None
        """The latest query and its result."""

    async def after(self, position: int) -> list[LobbyChange]:
        """At most `BATCH_SIZE` changes after the position. Raises `CursorExpired`, `Unavailable`.

        The number of changes is part of the key: a query that began before the latest change lacks it.
        """
        key = position, self._runtime.subscriptions.announced
        if self._latest is not None and self._latest[0] == key:
            return self._latest[1]
        changes = await self._query(key)
        self._latest = key, changes
        return changes

    async def _read(self, key: tuple[int, int]) -> list[LobbyChange]:
        changes = await self._runtime.ask(announced, key[0], BATCH_SIZE)
        named = await self._runtime.players.named(players_of(change.after for change in changes))
        return [LobbyChange(each, encode(with_names(each.after, named))) for each in changes]
