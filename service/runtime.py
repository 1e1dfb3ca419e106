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
from projections import projection
from projections.players import unfinished
from projections.registry import PROJECTIONS
from projections.storage import used
from service import output
from service.cluster.redis_client import RedisClient
from service.cluster.version_cache import VersionCache
from service.games.admissions import Admissions, Taken
from service.games.expiry import Sweeper
from service.games.games import Games
from service.games.log_tailer import LogTailer
from service.identity import guests
from service.identity.tokens import Tokens
from service.live.projection_runner import ProjectionRunner
from service.live.subscriptions import Subscriptions
from service.metrics import Metrics
from service.settings import InvalidSettings, Settings
from service.store import databases
from service.store.event_store import Store
from service.store.group_commit import Unavailable

T = TypeVar("T")

DAY = 86_400.0
MEBIBYTE = 2**20


def kinds() -> dict[str, Any]:
    """The type of what is logged in each kind of stream."""
    games = {rules: log.stored_type(ruleset) for rules, ruleset in VERSIONS.items()}
    return games | {guests.KIND: PlayerEvent}


def remote(settings: Settings) -> RedisClient:
    """The Redis of the settings. Raises `InvalidSettings`."""
    try:
        return RedisClient(settings.redis)
    except ValueError as error:
        raise InvalidSettings(f"STAMMTISCH_REDIS: {error}") from None


class Runtime:
    """Everything that serves games. What is made of the settings alone is there at once, the rest between `start` and
    `stop`. Without Redis `redis` and `board` are None."""

    store: Store
    games: Games
    log_tailer: LogTailer
    projections: Engine
    projection_runner: ProjectionRunner
    sweeper: Sweeper

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.subscriptions = Subscriptions(
            settings.max_streams, settings.max_streams_per_caller, settings.max_streams_per_address
        )
        self.tokens = Tokens(settings)
        self.metrics = Metrics()
        self.redis = remote(settings) if settings.redis else None
        self.version_cache = None if self.redis is None else VersionCache(self.redis)

    async def start(self) -> None:
        """Raises `Unavailable` when the database cannot be used."""
        settings = self.settings
        await asyncio.to_thread(databases.check, settings)
        self.store = Store(databases.log(settings), kinds(), apart=databases.written_apart(settings))
        shared = databases.is_shared(settings)
        self.projections = databases.projections(settings)
        mutable = databases.mutable(settings, self.projections)
        if not settings.uses_postgres:
            await asyncio.to_thread(mutable.prepare)
        self.projection_runner = ProjectionRunner(
            self.store,
            projection.Projections(self.projections, PROJECTIONS),
            shared=shared,
            subscriptions=self.subscriptions,
        )
        admissions = Admissions(
            self.projection_runner, self._taken,
            games=settings.max_open_games, storage=settings.max_storage_mib * MEBIBYTE,
        )  # fmt: skip
        self.games = Games(
            self.store, size=settings.max_cached_games, shared=shared, subscriptions=self.subscriptions,
            version_cache=self.version_cache, admit=admissions.admitted, invite=mutable.invite,
            longest=settings.max_game_events, patience=settings.max_waiting_days * DAY,
        )  # fmt: skip
        self.log_tailer = LogTailer(self.store, self.games, self.subscriptions, self.version_cache)
        await self.projection_runner.start()
        if self.redis is not None:
            await self.redis.start()
        if shared:
            self.log_tailer.start()
        self.sweeper = Sweeper(self.games, self.ask)
        self.sweeper.start()
        self._measure()

    async def stop(self) -> None:
        """Commit what has been accepted, then let go of the databases."""
        await self.sweeper.stop()
        await self.log_tailer.stop()
        await self.projection_runner.stop()
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
            "dropped_lines": ("Lines for standard output and error that nobody read in time.", output.dropped),
        }
        if self.version_cache is not None and self.redis is not None:
            version_cache, redis = self.version_cache, self.redis
            self.metrics.counters |= {
                "redis_hits": ("Games that Redis knew when it was asked.", lambda: version_cache.hits),
                "redis_misses": ("Games that it did not know.", lambda: version_cache.misses),
                "redis_answers": ("Looks answered with what lay ready there.", lambda: version_cache.answers),
                "redis_failures": ("Questions that it left unanswered.", lambda: redis.losses),
            }
            self.metrics.gauges["redis_up"] = "Whether Redis answers.", lambda: redis.up
        self.metrics.counters["delivered_events"] = "Events sent in live streams.", lambda: self.subscriptions.delivered
        self.metrics.gauges |= {
            "cached_games": ("Games in memory.", lambda: len(self.games)),
            "open_streams": ("Live streams that are open.", lambda: self.subscriptions.open),
            "isolated_games": (
                "Games that lobby, profiles or standings leave out.",
                lambda: self.projection_runner.isolated,
            ),
        }
