"""The parts of the service without HTTP: built from the settings, started and stopped together."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from time import perf_counter
from typing import Any, TypeVar

from sqlalchemy import Engine
from sqlalchemy.exc import InterfaceError, OperationalError, ProgrammingError
from sqlalchemy.exc import TimeoutError as NoConnection

from domain.description import description, description_hash
from domain.game import Rules
from domain.game.clock import SECOND
from domain.registry import RULESETS, VERSIONS
from projections import projection
from projections.lobby import unfinished_of
from projections.players import unfinished
from projections.storage import stored_bytes_of
from service import databases, extension
from service.clock import wall_clock
from service.extension import REGISTERED, Serving
from service.games.admissions import Admissions, Usage
from service.games.commands import Commands
from service.games.deadlines import DeadlineSweeper
from service.games.departures import Departures
from service.games.expiry import Sweeper
from service.games.games import Games
from service.games.orders import Orders
from service.games.outages import Outages
from service.games.peers import Peers
from service.games.searches import Searches
from service.games.shelf import Shelf
from service.identity.players import Players
from service.identity.tokens import Tokens
from service.live.leader import Leader
from service.live.projection_runner import ProjectionRunner
from service.live.subscriptions import Subscriptions, is_game
from service.log.errors import Unavailable
from service.log.game_log import GameLog
from service.process import output, packages
from service.process.histogram import Histogram
from service.process.metrics import Metrics
from service.settings import Settings
from service.tables import descriptions
from service.tables.descriptions import Described
from service.tables.mutable import Mutable

log = logging.getLogger(__name__)

T = TypeVar("T")

UNAVAILABLE = OperationalError, InterfaceError, ProgrammingError, NoConnection
"""What a query raises whose database is away, or whose tables are of another release since the start."""

DAY = 86_400.0
"""Seconds."""
MEBIBYTE = 2**20
"""Bytes."""
MAX_CLOCK_DIFFERENCE = SECOND // 2
"""Microseconds by which the clock of a process that is ready may differ from that of the database."""


def described() -> list[Described]:
    """The descriptions of all rules of this process."""
    return [
        Described(description_hash(rules), name, packages.distribution_of(rules.name), description(rules).decode())
        for name, rules in VERSIONS.items()
    ]


class Runtime:
    """The parts that serve games.

    Attributes that are annotated without a value exist between `start` and `stop`.
    """

    store: GameLog
    games: Games
    commands: Commands
    leader: Leader
    peers: Peers
    projections: Engine
    mutable: Mutable
    projection_runner: ProjectionRunner
    departures: Departures
    sweeper: Sweeper
    orders: Orders
    outages: Outages
    deadline_sweeper: DeadlineSweeper
    searches: Searches

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.subscriptions = Subscriptions(
            settings.limits.max_streams, settings.limits.max_streams_per_caller, settings.limits.max_streams_per_address
        )
        self.tokens = Tokens(settings)
        self.metrics = Metrics()
        self.shared = extension.shared(settings)
        lines = None if self.shared is None else self.shared.lines
        self.players = Players(lines, self.leads)
        self.traces = extension.traces(settings)
        self._query_seconds = Histogram()
        self._serving: list[Serving] = []
        self._clock_agrees = True
        """Whether the last check found no large difference to the clock of the database."""

    async def start(self) -> None:
        """Start all parts. Raises `Unavailable` if the database cannot be used."""
        settings = self.settings
        await asyncio.to_thread(databases.check, settings)
        self.leader = Leader(databases.leadership(settings))
        await self.leader.start()
        self.store = databases.open_store(settings, Shelf().kinds())
        shared, versions = databases.is_shared(settings), None if self.shared is None else self.shared.versions
        self.projections = databases.projections(settings)
        self.mutable = mutable = databases.mutable(settings, self.projections)
        if not settings.uses_postgres:
            await asyncio.to_thread(mutable.migrate)
        await mutable.change(descriptions.keep, described())
        shelf = Shelf(await mutable.query(descriptions.known))
        self.store.learn(shelf.kinds(), shelf.rules)
        await self.players.start(mutable)
        self.projection_runner = ProjectionRunner(
            self.store,
            projection.Projections(self.projections, databases.derived()),
            shared=shared,
            subscriptions=self.subscriptions,
            follows=self._follows_log,
            announce=versions.announce if versions is not None else lambda _: None,
        )
        admissions = Admissions(
            self.projection_runner, self._usage,
            games=settings.limits.max_open_games, storage=settings.limits.max_storage_mib * MEBIBYTE,
        )  # fmt: skip
        self.games = (Games if self.traces is None else self.traces.games)(
            self.store, budget=int(settings.max_cached_mib * MEBIBYTE), shared=shared, subscriptions=self.subscriptions,
            version_cache=versions, invite=mutable.invite,
            waiting_timeout=settings.limits.max_waiting_days * DAY, shelf=shelf,
        )  # fmt: skip
        self.outages = Outages(mutable, self.leads)
        self.commands = Commands(
            self.games, admit=admissions.admit, longest=settings.limits.max_game_events,
            is_blocked=self.players.is_blocked, outage=self.outages.between,
        )  # fmt: skip
        self.searches = Searches(self.commands, shared=shared)
        listener = None if self.shared is None else self.shared.listener
        self.peers = Peers(self.store, self.games, self.subscriptions, versions, listener)
        self.store.on_promotion += [self.games.doubt_all, self.peers.doubt, self.projection_runner.doubt]
        await self.projection_runner.start()
        await asyncio.to_thread(databases.prepare_others, settings, self.projections)
        if self.shared is not None:
            await self.shared.start()
        if shared:
            self.peers.start()
        self.departures = Departures(self.commands, self.players, self.ask, self.projection_runner.caught_up, versions)
        self.players.on_change = self.games.drop_responses
        self.sweeper = Sweeper(self.games, self.ask, self.departures, self.leads)
        self.sweeper.start()
        self.orders = Orders(self.commands, mutable, self.leads)
        self.orders.start()
        await self.outages.sweep()  # the time of the start belongs to the outage
        self.outages.start()
        self.deadline_sweeper = DeadlineSweeper(self.commands, self.ask, self.leads)
        self.deadline_sweeper.start()
        self._extensions = AsyncExitStack()
        for part in self._serving:
            await self._extensions.enter_async_context(part.running())
        self._register_metrics()

    async def stuck(self) -> str:
        """How many games cannot go on because their rules are not loaded, and which rules; empty if there are none."""
        shelf = self.games.shelf
        rulesets = {rules.rpartition("/")[0]: rules for rules in shelf.missing}
        gone = [name for name in rulesets if name not in RULESETS]
        if not gone:
            return ""
        await self.projection_runner.caught_up()
        games = await self.ask(unfinished_of, gone)
        listed = ", ".join([f"{name} of {shelf.package(rulesets[name])}" for name in gone])
        return f"{games} games cannot go on, because their rules are not loaded: {listed}" if games else ""

    async def stop(self) -> None:
        """Commit the appends that are waiting, then close the databases."""
        await self._extensions.aclose()
        await self.orders.stop()
        await self.sweeper.stop()
        await self.deadline_sweeper.stop()
        await self.outages.stop()
        await self.searches.stop()
        await self.players.stop()
        await self.peers.stop()
        await self.projection_runner.stop()
        await self.leader.stop()
        await self.store.stop()
        if self.shared is not None:
            await self.shared.stop()
        await asyncio.to_thread(self.projections.dispose)
        if self.traces is not None:
            await asyncio.to_thread(self.traces.stop)

    def serving(self, rulesets: Mapping[str, Rules]) -> list[Serving]:
        """What the extensions have in this application. Made once, before the start."""
        self._serving = [each.serve(self, rulesets) for each in REGISTERED.values()]
        return self._serving

    def leads(self) -> bool:
        return self.leader.leads

    def _follows_log(self) -> bool:
        """Whether this process follows the log. Without messages of other processes it also does so for subscribers of
        the lobby and of players."""
        return self.leader.leads or (not self.peers.heard and not all(map(is_game, self.subscriptions.subjects)))

    async def forget(self, player: str) -> None:
        """As `Departures.forget`."""
        await self.departures.forget(player)

    async def ready(self) -> None:
        """Raises `Unavailable` unless the log can be read and, as far as known, appended to, and the clock of this
        process agrees with that of the database: processes whose clocks differ would let players run out of time."""
        await self.store.ready()
        before = wall_clock()
        theirs = await self.store.time()
        if theirs is None:
            return
        difference = max(before - theirs, theirs - wall_clock())  # a query takes time
        agrees = difference <= MAX_CLOCK_DIFFERENCE
        if not agrees and self._clock_agrees:
            log.warning("the clock differs from the database's by %.1f seconds; not ready", difference / SECOND)
        self._clock_agrees = agrees
        if not agrees:
            raise Unavailable("the clock differs from the database's")

    async def ask(self, query: Callable[..., T], *arguments: Any) -> T:
        """The result of `query(engine, *arguments)` in a thread, with the engine of the projections' database.

        Raises `Unavailable`, and the errors of the query.
        """
        started = perf_counter()
        try:
            return await asyncio.to_thread(query, self.projections, *arguments)
        except UNAVAILABLE as error:
            raise Unavailable(str(error)) from error
        finally:
            self._query_seconds.observe(perf_counter() - started)

    async def _usage(self, player: str) -> Usage:
        """The player's usage according to the projections, which may lag behind the log. Raises `Unavailable`."""
        return await self.ask(lambda engine: Usage(unfinished(engine, player), stored_bytes_of(engine, player)))

    def _register_metrics(self) -> None:
        self.metrics.database |= {
            "commit": self.store.commit_seconds,
            "read": self.store.read_seconds,
            "query": self._query_seconds,
        }
        self.metrics.sweepers |= {"deadlines": self.deadline_sweeper, "waiting": self.sweeper}
        self.metrics.counters |= {
            "moves": ("Moves accepted.", lambda: self.commands.moves),
            "expiries": ("Players removed because they had run out of time.", lambda: self.commands.expiries),
            "searches": ("Choices of bots that search.", lambda: self.searches.made),
            "events": ("Events committed.", lambda: self.store.rows),
            "commits": ("Commits of events. One commit can hold the events of many games.", lambda: self.store.batches),
            "dropped_lines": (
                "Lines of standard output and error that were dropped: not read in time, or not writable.",
                output.dropped,
            ),
        }
        if self.shared is not None:
            self.shared.measure(self.metrics)
        self.metrics.counters["delivered_events"] = "Events sent in live streams.", lambda: self.subscriptions.delivered
        self.metrics.gauges |= {
            "searches_waiting": (
                "Games that wait for the choice of a bot that searches.",
                lambda: self.searches.waiting,
            ),
            "leads": ("Whether this process leads: 1 or 0.", lambda: self.leader.leads),
            "cached_games": ("Games in memory.", lambda: len(self.games)),
            "cached_bytes": ("Estimated bytes of the games in memory.", lambda: self.games.cached_bytes),
            "open_streams": ("Open live streams.", lambda: self.subscriptions.open),
            "isolated_games": (
                "Games and players that a projection leaves out because it could not apply one of their events.",
                lambda: self.projection_runner.isolated,
            ),
            "log_lag_seconds": (
                "For how long committed events have been held back from projections and live streams of the lobby by a "
                "transaction that has not ended.",
                lambda: self.projection_runner.lag,
            ),
        }
