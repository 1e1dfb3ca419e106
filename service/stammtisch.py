"""The service without HTTP: its parts, made from the settings, started and stopped together."""

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from sqlalchemy import Engine
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnection

from domain import log
from domain.game import Player
from domain.player import PlayerEvent
from domain.rulesets import VERSIONS
from projections import following
from projections.players import unfinished
from service import databases, guests, output
from service.commits import Unavailable
from service.feed import PROJECTIONS, Feed
from service.games import Games, TooManyGames
from service.hub import Hub
from service.listener import Listener
from service.metrics import Metrics
from service.noticeboard import Noticeboard
from service.remote import Remote
from service.settings import Faulty, Settings
from service.store import Store
from service.tokens import Tokens

T = TypeVar("T")


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
        self.games = Games(
            self.store, size=settings.cached_games, shared=shared, hub=self.hub, board=self.board, admit=self._admit
        )
        self.listener = Listener(self.store, self.games, self.hub, self.board)
        self.projections = databases.projections(settings)
        self.feed = Feed(self.store, following.Projections(self.projections, PROJECTIONS), shared=shared, hub=self.hub)
        await self.feed.start()
        if self.redis is not None:
            await self.redis.start()
        if shared:
            self.listener.start()
        self._measure()

    async def stop(self) -> None:
        """Commit what has been accepted, then let go of the databases."""
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

    async def _admit(self, player: Player) -> None:
        """Counted by what the projections know, which may be a moment ago. Raises `TooManyGames`, `Unavailable`."""
        most = self.settings.open_games
        if await self.ask(unfinished, player.id) >= most:
            raise TooManyGames(f"You have {most} games that are not over.")

    def _measure(self) -> None:
        self.metrics.counters |= {
            "moves": ("Moves made.", lambda: self.games.moves),
            "events": ("Events made durable.", lambda: self.store.rows),
            "commits": ("Commits that made them so.", lambda: self.store.batches),
            "dropped_lines": ("Lines for standard output and error that nobody read in time.", output.dropped),
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
            "isolated_games": ("Games that lobby, profiles or standings leave out.", lambda: self.feed.isolated),
        }
