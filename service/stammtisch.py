"""The service without HTTP: its parts, made from the settings, started and stopped together."""

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from sqlalchemy import Engine
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnection

from domain import log
from domain.player import PlayerEvent
from domain.rulesets import VERSIONS
from projections import following
from projections.players import unfinished
from projections.storage import used
from service import databases, guests
from service.admissions import Admissions, Taken
from service.commits import Unavailable
from service.expiry import Sweeper
from service.feed import PROJECTIONS, Feed
from service.games import Games
from service.hub import Hub
from service.listener import Listener
from service.metrics import Metrics
from service.noticeboard import Noticeboard
from service.remote import Remote
from service.settings import Faulty, Settings
from service.store import Store
from service.tokens import Tokens

T = TypeVar("T")

DAY = 86_400.0
MEBIBYTE = 2**20


def kinds() -> dict[str, Any]:
    """The type of what is logged in each kind of stream."""
    games = {rules: log.stored_type(ruleset) for rules, ruleset in VERSIONS.items()}
    return games | {guests.KIND: PlayerEvent}


def remote(settings: Settings) -> Remote:
    """The Redis of the settings. Raises `Faulty`."""
    try:
        return Remote(settings.redis)
    except ValueError as error:
        raise Faulty(f"STAMMTISCH_REDIS: {error}") from None


class Stammtisch:
    """Everything that serves games. What is made of the settings alone is there at once, the rest between `start` and
    `stop`. Without Redis `redis` and `board` are None."""

    store: Store
    games: Games
    listener: Listener
    projections: Engine
    feed: Feed
    sweeper: Sweeper

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.hub = Hub(settings.streams, settings.caller_streams, settings.address_streams)
        self.tokens = Tokens(settings)
        self.metrics = Metrics()
        self.redis = remote(settings) if settings.redis else None
        self.board = None if self.redis is None else Noticeboard(self.redis)

    async def start(self) -> None:
        """Raises `Unavailable` when the database cannot be used."""
        settings = self.settings
        await asyncio.to_thread(databases.check, settings)
        self.store = Store(databases.log(settings), kinds(), apart=databases.written_apart(settings))
        shared = databases.is_shared(settings)
        self.projections = databases.projections(settings)
        self.feed = Feed(self.store, following.Projections(self.projections, PROJECTIONS), shared=shared, hub=self.hub)
        admissions = Admissions(
            self.feed, self._taken, games=settings.open_games, storage=settings.storage * MEBIBYTE
        )  # fmt: skip
        self.games = Games(
            self.store, size=settings.cached_games, shared=shared, hub=self.hub, board=self.board,
            admit=admissions.admitted, longest=settings.longest, patience=settings.waiting_days * DAY,
        )  # fmt: skip
        self.listener = Listener(self.store, self.games, self.hub, self.board)
        await self.feed.start()
        if self.redis is not None:
            await self.redis.start()
        if shared:
            self.listener.start()
        self.sweeper = Sweeper(self.games, self.ask)
        self.sweeper.start()
        self._measure()

    async def stop(self) -> None:
        """Commit what has been accepted, then let go of the databases."""
        await self.sweeper.stop()
        await self.listener.stop()
        await self.feed.stop()
        await self.store.close()
        if self.redis is not None:
            await self.redis.stop()
        await asyncio.to_thread(self.projections.dispose)

    async def ask(self, question: Callable[..., T], *about: Any) -> T:
        """What the projections know. Raises `Unavailable`, and what the question raises."""
        try:
            return await asyncio.to_thread(question, self.projections, *about)
        except (OperationalError, InterfaceError, NoConnection) as error:
            raise Unavailable(str(error)) from error

    async def _taken(self, player: str) -> Taken:
        """What the projections know of the player, which may be a moment ago. Raises `Unavailable`."""
        return await self.ask(lambda engine: Taken(unfinished(engine, player), used(engine, player)))

    def _measure(self) -> None:
        self.metrics.counters |= {
            "moves": ("Moves made.", lambda: self.games.moves),
            "events": ("Events made durable.", lambda: self.store.rows),
            "commits": ("Commits that made them so.", lambda: self.store.batches),
        }
        if self.board is not None and self.redis is not None:
            board, redis = self.board, self.redis
            self.metrics.counters |= {
                "redis_hits": ("Games that Redis knew when it was asked.", lambda: board.hits),
                "redis_misses": ("Games that it did not know.", lambda: board.misses),
                "redis_answers": ("Looks answered with what lay ready there.", lambda: board.answers),
                "redis_failures": ("Questions that it left unanswered.", lambda: redis.losses),
            }
            self.metrics.gauges["redis_up"] = "Whether Redis answers.", lambda: redis.up
        self.metrics.counters["delivered_events"] = "Events sent in live streams.", lambda: self.hub.delivered
        self.metrics.gauges |= {
            "cached_games": ("Games in memory.", lambda: len(self.games)),
            "open_streams": ("Live streams that are open.", lambda: self.hub.open),
        }
