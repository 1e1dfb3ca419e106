"""The games in memory, and what the log says of them.

Games in use are cached in memory; the log is the source of truth.
"""

import logging
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any, Literal, Protocol, TypeAlias, TypeVar
from weakref import WeakValueDictionary

import msgspec

from domain import game
from domain.codec import encode
from domain.game import Decision, Game, Rules, timekeeping
from domain.game.commands import Abort, Command
from domain.game.log import RequestKey, Stored, written
from domain.game.timekeeping import Times
from domain.messages import Value
from domain.ruleset import Seat, Viewer
from projections.header import GameHeader
from projections.views import view
from service.clock import earlier, now, wall_clock
from service.games.cached_game import CachedGame
from service.games.errors import (
    NoSuchGame,
    NoSuchVersion,
    RulesMissing,
)
from service.games.shelf import Shelf
from service.games.topics import topic
from service.live.fair_queue import FairQueue
from service.live.single_flight import SingleFlight
from service.live.subscriptions import Subscriptions
from service.log.errors import Conflict, Unavailable
from service.log.game_log import GameLog
from service.log.mapper import StoredRow
from service.tasks import computed
from service.versions import UNKNOWN, CachedVersion, News, Since, Versions

log = logging.getLogger(__name__)

T = TypeVar("T")

BOTS_AT_ONCE = 0.001
"""Seconds for which bots of one game choose before other tasks of the event loop get their turn."""

MAX_MISSED = 32
"""Entries that the refusal of a stale move contains at most, and what other processes hear of a game that was read."""

RECOUNT = 16
"""Versions after which the bytes of a game are counted again."""

MAX_UNCOUNTED = 64
"""Games whose latest views and responses are not counted yet."""

LONG = 1_000
"""Number of entries from which reading them waits for its turn: one such reading at a time, and games take turns."""

THREAD_THRESHOLD = 200
"""Number of events from which they are hashed or folded in a thread, so that the event loop is not blocked."""


class Change(Value):
    """The result of a command: all entries of its append. `replayed`: an earlier request with the same key made it."""

    entries: tuple[Stored[Any, Any], ...]
    replayed: bool


class Turn(Value):
    """The seats of a game that must act, and the time of its latest event: fields of the last entry of its log."""

    at: str
    acting: tuple[Seat, ...] = ()


_turn = msgspec.json.Decoder(Turn)


class OnWaiting(Protocol):
    """Called with a game that this process has appended to, or `loaded`."""

    def __call__(self, cached: CachedGame, *, loaded: bool) -> None: ...


def wait_for_nobody(cached: CachedGame, *, loaded: bool) -> None:
    """Nobody chooses for bots that search."""


async def no_invite(_: str) -> str:
    return ""


OnLoad: TypeAlias = Callable[[int], Awaitable[None]]


async def load_for_free(_: int) -> None:
    """Nobody pays for games that were not in memory."""


class LongReads(FairQueue):
    """Reads of many entries, one at a time. Readers take turns: networks of clients, by their addresses, and parts of
    the service."""

    @asynccontextmanager
    async def turn_if_long(self, reader: str, entries: int) -> AsyncIterator[None]:
        """Work on this number of entries of a game is done in the context, at once if they are not many. Raises
        `QueueFull`."""
        if entries < LONG:
            yield
        else:
            async with self.turn(reader):
                yield


class Games:
    """All games of this process.

    * `budget`: bytes of the games that stay in memory, by their `CachedGame.size`. Games in use stay anyway.
    * `shared`: other processes append to the log, too.
    * `subscriptions`: notified of every new version in this process.
    * `version_cache`: receives every new version for the other processes.
    * `invite`: returns the invite of a private game by its id, always the same one. Raises `Unavailable`.
    * `waiting_timeout`: seconds after which a game that still waits for players is aborted; no limit by default.
    * `shelf`: the rules of all games.
    """

    def __init__(
        self, store: GameLog, *, budget: int, shared: bool, subscriptions: Subscriptions | None = None,
        version_cache: Versions | None = None, invite: Callable[[str], Awaitable[str]] = no_invite,
        waiting_timeout: float | None = None, shelf: Shelf | None = None,
    ) -> None:  # fmt: skip
        self._store = store
        self._subscriptions = subscriptions or Subscriptions()
        self._version_cache = version_cache
        self.invite = invite
        self._waiting_timeout = waiting_timeout
        self._budget = budget
        self.cached_bytes = 0
        """The bytes that count for the games in memory."""
        self._uncounted: deque[str] = deque()
        """The games that were read last. Their readers may still add views."""
        self.shelf = shelf or Shelf()
        self.is_shared = shared
        self._games: OrderedDict[str, CachedGame] = OrderedDict()
        """The games that stay in memory, least recently used first."""
        # Includes evicted games that a request still uses. A game is never in memory twice: changes to one copy would
        # be missing in the other.
        self._in_use: WeakValueDictionary[str, CachedGame] = WeakValueDictionary()
        self._load = SingleFlight(self._read)
        self.long_read = LongReads().turn_if_long
        self._read_view = SingleFlight(self._read_current)
        self.on_load: OnLoad = load_for_free
        """Called with the number of events of each game that was not in memory, for the request that found it so."""
        self.on_waiting: OnWaiting = wait_for_nobody
        """Called with games in which a bot can be to act that searches."""

    def __len__(self) -> int:
        return len(self._games)

    def __contains__(self, game_id: object) -> bool:
        return game_id in self._in_use

    async def find(self, rules: Rules, game_id: str, cached_version: CachedVersion | None = None) -> CachedGame:
        """The game as of now. `cached_version` is the version cache's entry, if the request has read it already.

        Raises `NoSuchGame`, `RulesMissing`, `Unavailable`.
        """
        if (current := self.current(rules, game_id)) is not None:
            return current
        cached = await self.find_any(game_id, cached_version)
        if cached.rules.name != rules.name:
            raise NoSuchGame
        return cached

    def current(self, rules: Rules, game_id: str) -> CachedGame | None:
        """The game as of now if it is in memory and running, and no other process can have appended to it."""
        return None if self.is_shared else self.running(rules, game_id)

    def running(self, rules: Rules, game_id: str) -> CachedGame | None:
        """The game if it is in memory and running; it may be behind the log.

        That is sufficient for a move: the players no longer change, and a move is checked against the log anyway.
        """
        cached = self._games.get(game_id)
        if cached is None or cached.outdated or cached.game.status != "running" or cached.rules.name != rules.name:
            return None
        self._games.move_to_end(game_id)
        return cached

    async def find_any(self, game_id: str, cached_version: CachedVersion | None = None) -> CachedGame:
        """The game as of now, of any ruleset. If its rules are not loaded it can be read only. Raises as `find`."""
        if cached_version is None:
            cached_version = UNKNOWN if self._version_cache is None else await self._version_cache.ask(game_id)
        cached = self._in_use.get(game_id)
        if cached is None and game_id not in self._load:
            cached = await self._load(game_id)
            await self.on_load(cached.game.version)
        else:
            cached = self.cache(cached or await self._load(game_id))
            if cached.outdated or (self.is_shared and not cached_version.confirms(cached.game.version)):
                await self.catch_up(cached, cached_version.known)
        if cached.game.status == "waiting" and (self.is_overdue(cached.created_at) or is_unready(cached)):
            await self._expire(cached)
        if self._version_cache is not None and not cached_version.confirms(cached.game.version):
            await self._version_cache.fill(game_id, cached_version, cached.header)
        return cached

    def is_overdue(self, created_at: str) -> bool:
        """Whether a game that was opened at this time and still waits for players is to be aborted."""
        return self._waiting_timeout is not None and created_at <= earlier(now(), self._waiting_timeout)

    async def _expire(self, cached: CachedGame) -> None:
        """Abort a game that has waited for too long. If the database is unavailable, or its rules are missing, the game
        keeps waiting."""
        with suppress(Unavailable, RulesMissing):
            async with cached.lock:
                if cached.outdated:
                    await self.catch_up_locked(cached)
                while cached.game.status == "waiting":
                    try:
                        await self.append(cached, self.decide(cached, None, Abort("expired")), None)
                    except Conflict:
                        await self.catch_up_locked(cached)

    def drop_responses(self, players: Collection[str]) -> None:
        """Drop the cached responses of all games in memory in which one of these players has a seat, and notify their
        subscribers."""
        for cached in self._in_use.values():
            if not set(players).isdisjoint(cached.game.people):
                cached.responses.clear()
                if self._version_cache is not None:
                    self._version_cache.drop(cached.game.id)
                self._subscriptions.notify(cached.game.id)

    def version(self, game_id: str) -> int:
        """The version in memory; 0 if the game is not in memory."""
        cached = self._in_use.get(game_id)
        return 0 if cached is None or cached.outdated else cached.game.version

    async def reaches(self, cached: CachedGame, version: int) -> bool:
        """Whether the game has this version, in memory or in the log. Raises `Unavailable`."""
        return version <= cached.game.version or bool(await self._store.read(cached.game.id, version - 1, version))

    async def is_current(self, game_id: str, header: GameHeader) -> bool:
        """Whether the log ends at the version and head of this header. Raises `Unavailable`."""
        end = await self._store.read(game_id, header.version - 1, header.version + 1)
        return len(end) == 1 and bool(end[0].head == header.head)

    async def _read(self, game_id: str) -> CachedGame:
        def folded(log: list[Any]) -> CachedGame:
            if not log or not isinstance(log[0], Stored):
                raise NoSuchGame
            return CachedGame.of(self.shelf.rules(log[0].event.rules), game_id, log)

        try:
            cached = await self._store.load(game_id, folded)
        except msgspec.ValidationError:
            (first,) = await self._store.read(game_id, 0, 1)
            if self.shelf.is_described(first.event.rules):
                raise
            raise RulesMissing(first.event.rules, None) from None
        if game.agreed(cached.game).private:
            cached.invite = await self.invite(game_id)
        cached = self.cache(cached)
        if cached.game.bots:
            self.on_waiting(cached, loaded=True)
        self._subscriptions.notify(game_id)  # of what other processes have appended: `refresh` finds it here already
        return cached

    async def catch_up(self, cached: CachedGame, known: int = 0) -> None:
        """Apply what other processes have appended. The version cache has seen every version up to `known`. Raises
        `NoSuchGame`, `Unavailable`."""
        async with cached.lock:
            await self.catch_up_locked(cached, known)

    async def catch_up_locked(self, cached: CachedGame, known: int = 0) -> None:
        """The same under the game's lock."""
        since, version = self._since(), cached.game.version
        doubtful = cached.outdated and version > 0
        entries = await self._store.read(cached.game.id, version - doubtful)
        if cached.outdated and version and not doubtful:  # a standby was promoted meanwhile
            await self.catch_up_locked(cached, known)
        elif doubtful and not (entries and entries[0].head == cached.header.head):
            await self._rewind(cached)
        else:
            if news := entries[doubtful:]:
                before = cached.tail[-1].head if cached.tail else ""
                cached.apply(news)
                rows = None
                if self._version_cache is not None and known < cached.game.version:
                    rows = _stored(cached, news) if len(news) <= MAX_MISSED else []
                await self._notify(cached, since, before, rows)
            cached.outdated = False

    async def _rewind(self, cached: CachedGame) -> None:
        """Remember the game as the log has it, which lacks the entry that this process knows as the last: it was lost
        with the server that had it. Raises `NoSuchGame`."""
        lost, entries = cached.game.version, await self._store.read(cached.game.id)
        log.warning("%s: version %d is lost; the log ends at version %d", cached.game.id, lost, len(entries))
        if not entries:
            if self._games.pop(cached.game.id, None) is not None:
                self.cached_bytes -= cached.counted
            self._in_use.pop(cached.game.id, None)
            raise NoSuchGame
        cached.rewind(entries)
        self._subscriptions.notify(cached.game.id)

    def doubt_all(self) -> None:
        """Compare every game in memory with the log before it is used again."""
        for cached in self._in_use.values():
            cached.outdated = True
            self._subscriptions.notify(cached.game.id)

    def _since(self) -> Since:
        return UNKNOWN.since if self._version_cache is None else self._version_cache.since()

    async def _notify(self, cached: CachedGame, since: Since, before: str, rows: Sequence[StoredRow] | None) -> None:
        """Publish to the other processes first: no client may see a version here that another process still lacks.
        `before` is the head before the rows; they are None if the other processes know the version."""
        try:
            if self._version_cache is not None and rows is not None:
                await self._version_cache.publish(cached.game.id, cached.header, since, before, rows)
        finally:
            self._subscriptions.notify(cached.game.id)

    def hear(self, game_id: str, news: News) -> bool:
        """Apply what another process has appended to a game that is followed here. False if the log has to be read:
        call `refresh`."""
        cached = self._in_use.get(game_id)
        if cached is None:
            self._subscriptions.notify(game_id)
            return True
        if cached.outdated or cached.lock.locked():
            return False
        if cached.game.version < news.version:
            if not news.rows or cached.tail[-1].head != news.before:
                return False
            cached.apply(self._store.mapper.values(news.rows))
            self._subscriptions.notify(game_id)
        return True

    async def refresh(self, game_id: str, version: int) -> None:
        """Catch up with the log if the game is behind this version. Only notifies subscribers of a game that is not in
        memory. Raises `Unavailable`."""
        cached = self._in_use.get(game_id)
        if cached is None:
            self._subscriptions.notify(game_id)
        elif cached.outdated or cached.game.version < version:
            await self.catch_up(cached, version)

    def cache(self, cached: CachedGame) -> CachedGame:
        """Cache the game, or use the copy that is in memory already, and evict the games that were not used for the
        longest time."""
        cached = self._in_use.setdefault(cached.game.id, cached)
        if cached.game.id not in self._games:
            self._games[cached.game.id] = cached
            cached.counted = 0
        self._games.move_to_end(cached.game.id)
        self._uncounted.append(cached.game.id)
        if len(self._uncounted) > MAX_UNCOUNTED and (older := self._games.get(self._uncounted.popleft())):
            self._count(older)
        self._count(cached)
        return cached

    def _count(self, cached: CachedGame) -> None:
        """Count what the game takes now, if it stays in memory."""
        if self._games.get(cached.game.id) is not cached:
            return
        size = cached.size
        self.cached_bytes += size - cached.counted
        cached.counted, cached.recount = size, cached.game.version + RECOUNT
        while self.cached_bytes > self._budget and len(self._games) > 1:
            _, evicted = self._games.popitem(last=False)
            self.cached_bytes -= evicted.counted

    async def log(self, cached: CachedGame, after: int = 0, upto: int | None = None) -> list[Stored[Any, Any]]:
        """The game's entries from version `after + 1` on, up to version `upto`."""
        last = cached.game.version if upto is None else min(upto, cached.game.version)
        if after >= last:
            return []
        first = cached.tail[0].version
        if first <= after + 1:
            return cached.tail[after + 1 - first : last + 1 - first]
        return await self._store.read(cached.game.id, after, last)

    async def view(self, cached: CachedGame, viewer: Viewer, at: int | None = None, reader: str = "") -> Game:
        """The game as the viewer sees it, now or as of version `at`. Raises `NoSuchVersion`. `reader`: see `long_read`.

        *Now* is the time of the call: while the log is read, another player may take the viewer's seat and see more.
        """
        at = cached.game.version if at is None else at
        while at == cached.game.version:
            if (seen := cached.view(viewer)) is not None:
                return seen
            await self._read_view((cached, viewer))
        return await self._folded(cached, at, lambda log: view(cached.rules, Game(cached.game.id), log, viewer), reader)

    async def _read_current(self, wanted: tuple[CachedGame, Viewer]) -> None:
        """Read the view as it is now, once for all who want it: so they fill no queue."""
        cached, viewer = wanted
        before = cached.views.latest(viewer)
        async with self.long_read(cached.game.id, cached.game.version - before.version):
            log = await self.log(cached, before.version)
            seen = await in_thread_if_long(log, partial(view, cached.rules, before, log, viewer))
        if cached.tail[0].version <= seen.version + 1:  # otherwise the game has moved on too far meanwhile
            cached.views.keep(viewer, seen)

    async def before(self, cached: CachedGame, viewer: Viewer | Literal["all"], at: int, reader: str = "") -> Game:
        """The game as of version `at`, 0 included, as the viewer or someone who sees all cards sees it.

        Raises `NoSuchVersion`.
        """
        if at == 0:
            return Game(cached.game.id)
        return await (self.truth(cached, at, reader) if viewer == "all" else self.view(cached, viewer, at, reader))

    async def truth(self, cached: CachedGame, at: int | None = None, reader: str = "") -> Game:
        """The game with all hidden information, now or as of version `at`. Raises `NoSuchVersion`."""
        if at is None or at == cached.game.version:
            return cached.game
        folded = partial(game.fold, cached.rules, Game(cached.game.id))
        return await self._folded(cached, at, lambda log: folded([each.event for each in log]), reader)

    async def times(self, cached: CachedGame, at: int, reader: str = "") -> Times | None:
        """What the seats have left of their time as of version `at`; None without a clock."""
        if cached.times is None or at == cached.game.version:
            return cached.times
        return await self._folded(cached, at, timekeeping.fold, reader)

    async def _folded(self, cached: CachedGame, at: int, fold: Callable[[list[Stored[Any, Any]]], T], reader: str) -> T:
        """What `fold` makes of the log up to version `at`. Raises `NoSuchVersion`."""
        if not 0 < at <= cached.game.version:
            raise NoSuchVersion
        async with self.long_read(reader or cached.game.id, at):
            log = await self.log(cached, 0, at)
            return await in_thread_if_long(log, partial(fold, log))

    def in_memory(self, game_id: str) -> CachedGame | None:
        """The game as this process knows it; it may be behind the log."""
        cached = self._in_use.get(game_id)
        return None if cached is None or cached.outdated else cached

    def is_outdated(self, game_id: str) -> bool:
        cached = self._in_use.get(game_id)
        return cached is not None and cached.outdated

    async def read_views(self, cached: CachedGame) -> None:
        """Read the views that tell whether the latest move can be taken back. Raises `Unavailable`."""
        if cached.game.tables is not None and cached.game.state is not None:
            for viewer in (None, *range(len(cached.game.players))):
                await self.view(cached, viewer)

    async def turns(self, game_ids: Sequence[str], *, notified: bool = False) -> dict[str, Turn]:
        """Who must act in each of these games. Nothing is loaded: of games that are not in memory, only the last event
        is read. `notified`: the caller has subscribed to these games, so those in memory are current, or the next
        notification comes soon. Raises `Unavailable`."""
        found: dict[str, Turn] = {}
        for game_id in game_ids:
            cached = self._in_use.get(game_id) if notified or not self.is_shared else None
            if cached is not None and not cached.outdated:
                found[game_id] = Turn(cached.tail[-1].at, cached.to_act())
        rest = [game_id for game_id in game_ids if game_id not in found]
        last = zip(rest, await self._store.last(rest, _turn.decode), strict=True)
        return found | {game_id: turn for game_id, turn in last if turn is not None}

    def need_rules(self, cached: CachedGame) -> None:
        """Raises `RulesMissing` if the game can be read only."""
        if cached.read_only:
            raise self.shelf.missing_rules(cached.rules.rules)

    def decide(self, cached: CachedGame, by: str | None, command: Command) -> Decision:
        """Raises the refusals of `game.decide`, and `RulesMissing`."""
        if cached.read_only:
            self.need_rules(cached)
        return game.decide(cached.rules, cached.game, by, command, cached)

    async def append(
        self, cached: CachedGame, decided: Decision, key: RequestKey | None, at: str | None = None
    ) -> Change:
        """Commit the decision, then apply it in memory. `at` is the time of the append, if the decision depends on it.
        Raises `Conflict`, `Unavailable`."""
        chained = cached.rules, decided, cached.head, at or next_time(cached), key
        long = len(decided.events) >= THREAD_THRESHOLD
        entries = await computed(written, *chained) if long else written(*chained)
        rows = _stored(cached, entries)
        since, before = self._since(), cached.tail[-1].head if cached.tail else ""
        try:
            try:
                await self._store.commit(rows)
            except Conflict:
                # The append may have been committed although the connection was lost: then the log has it.
                if not await self._is_logged(cached, entries):
                    raise
        except BaseException:
            cached.outdated = True
            raise
        cached.advance(decided.game, entries)
        if cached.game.version >= cached.recount:
            self._count(cached)
        if decided.game.bots:
            self.on_waiting(cached, loaded=False)
        if self._version_cache is None:
            self._subscriptions.notify(cached.game.id)
        else:
            await self._notify(cached, since, before, rows)
        return Change(entries, replayed=False)

    async def _is_logged(self, cached: CachedGame, entries: Sequence[Stored[Any, Any]]) -> bool:
        """Whether the log has the end and the command of this append. The end alone could be that of another request
        for the same move, which was made at the same time by a clock that had gone ahead."""
        first, last = entries[0], entries[-1]
        logged = await self._store.read(cached.game.id, first.version - 1, last.version)
        return len(logged) == len(entries) and logged[-1].head == last.head and bool(logged[0].command == first.command)


def is_unready(cached: CachedGame) -> bool:
    """Whether the players of a sealed game had enough time to ready."""
    return (ready_by := cached.ready_by) is not None and ready_by <= wall_clock()


def next_time(cached: CachedGame) -> str:
    """The time of an append that is made now. Within a game, times never decrease."""
    return max(now(), cached.tail[-1].at) if cached.tail else now()


def _stored(cached: CachedGame, entries: Sequence[Stored[Any, Any]]) -> list[StoredRow]:
    kind, stream = cached.rules.rules, cached.game.id
    new = tuple.__new__  # `StoredRow(...)` would call a Python function, which takes twice as long
    return [
        new(StoredRow, (stream, entry.version, topic(kind, entry.event.__class__), encode(entry))) for entry in entries
    ]


async def in_thread_if_long(events: Sequence[Any], work: Callable[[], T]) -> T:
    """The result of the work on these events. Runs in a thread if there are many."""
    return work() if len(events) < THREAD_THRESHOLD else await computed(work)
