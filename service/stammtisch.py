"""The service without HTTP: its parts, made from the settings, started and stopped together."""

import asyncio
from typing import Any

from sqlalchemy import Engine

from domain import log
from domain.player import PlayerEvent
from domain.rulesets import VERSIONS
from projections import following
from service import databases, guests
from service.feed import PROJECTIONS, Feed
from service.games import Games
from service.hub import Hub
from service.listener import Listener
from service.metrics import Metrics
from service.settings import Settings
from service.store import Store
from service.tokens import Tokens


def kinds() -> dict[str, Any]:
    """The type of what is logged in each kind of stream."""
    games = {rules: log.stored_type(ruleset) for rules, ruleset in VERSIONS.items()}
    return games | {guests.KIND: PlayerEvent}


class Stammtisch:
    """Everything that serves games. `tokens` and `metrics` are there at once, the rest between `start` and `stop`."""

    store: Store
    games: Games
    listener: Listener
    projections: Engine
    feed: Feed

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.hub = Hub(settings.streams)
        self.tokens = Tokens(settings)
        self.metrics = Metrics()

    async def start(self) -> None:
        """Raises `Unavailable` when the database cannot be used."""
        settings = self.settings
        await asyncio.to_thread(databases.check, settings)
        self.store = Store(databases.log(settings), kinds())
        shared = databases.is_shared(settings)
        self.games = Games(self.store, size=settings.cached_games, shared=shared, hub=self.hub)
        self.listener = Listener(self.store, self.games, self.hub)
        self.projections = databases.projections(settings)
        self.feed = Feed(self.store, following.Projections(self.projections, PROJECTIONS), shared=shared, hub=self.hub)
        await self.feed.start()
        if shared:
            self.listener.start()
        self._measure()

    async def stop(self) -> None:
        """Commit what has been accepted, then let go of the databases."""
        await self.listener.stop()
        await self.feed.stop()
        await self.store.close()
        await asyncio.to_thread(self.projections.dispose)

    def _measure(self) -> None:
        self.metrics.counters |= {
            "moves": ("Moves made.", lambda: self.games.moves),
            "events": ("Events made durable.", lambda: self.store.rows),
            "commits": ("Commits that made them so.", lambda: self.store.batches),
        }
        self.metrics.counters["delivered_events"] = "Events sent in live streams.", lambda: self.hub.delivered
        self.metrics.gauges |= {
            "cached_games": ("Games in memory.", lambda: len(self.games)),
            "open_streams": ("Live streams that are open.", lambda: self.hub.open),
        }
