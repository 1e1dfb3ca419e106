"""The changes in the lobby, for all live streams."""

from projections.lobby import Announced, announced
from service.http.streaming import BATCH_SIZE
from service.live.single_flight import SingleFlight
from service.runtime import Runtime


class LobbyFeed:
    """Reads changes. Streams at the same position share one query."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._query: SingleFlight[tuple[int, int], list[Announced]] = SingleFlight(
            lambda key: runtime.ask(announced, key[0], BATCH_SIZE)
        )

    async def after(self, position: int) -> list[Announced]:
        """At most `BATCH_SIZE` changes after the position. Raises `CursorExpired`, `Unavailable`.

        The position of the projections is part of the key: a query that began before the latest change lacks it.
        """
        return await self._query((position, self._runtime.projection_runner.position))
