"""The use cases of games: open, branch, join, leave, cancel, move, and read.

Games in use are cached in memory; the log is the source of truth. A command takes the game's lock, decides on the
cached state and appends at that version. If another process has appended meanwhile, the append conflicts: the game
catches up with the log, and the command is decided again on the current state. A move fails only if it is no longer
legal.
"""

import asyncio
import os
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from time import perf_counter
from typing import Any, Literal, TypeVar
from weakref import WeakValueDictionary

import msgspec
from msgspec import UNSET, UnsetType

from domain import game
from domain.codec import encode
from domain.deck import Deck
from domain.game import Absent, Decision, Game, Rules, SeatTerms, Undo, timekeeping
from domain.game.clock import Clock
from domain.game.commands import Abort, Command, Join, Move, TimeOut
from domain.game.log import RequestKey, Stored, redacted, written
from domain.game.timekeeping import Times
from domain.messages import Value
from domain.ruleset import Seat, Viewer
from domain.rulesets import VERSIONS
from projections.header import GameHeader
from projections.views import view
from service.clock import earlier, keyed_id, new_id, now, rematch_id, wall_clock
from service.cluster.version_cache import UNKNOWN, CachedVersion, VersionCache
from service.games.admissions import Admit, admit_all
from service.games.cached_game import CachedGame
from service.games.errors import (
    KeyReused,
    MoveRejected,
    NoRematch,
    NoSuchGame,
    NoSuchVersion,
    StaleDecision,
    StorageExhausted,
    TooManyGames,
    ViewsMissing,
)
from service.games.topics import topic
from service.live.fair_queue import FairQueue
from service.live.single_flight import SingleFlight
from service.live.subscriptions import Subscriptions
from service.log.errors import Conflict, Unavailable
from service.log.game_log import GameLog
from service.log.mapper import StoredRow

T = TypeVar("T")

BOTS_AT_ONCE = 0.001
"""Seconds for which bots of one game choose before other tasks of the event loop get their turn."""

MAX_MISSED = 32
"""Entries that the refusal of a stale move contains at most."""

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


async def no_invite(_: str) -> str:
    """Gives no game an invite."""
    return ""


class Games:
    """All games of this process.

    * `size`: games that stay in memory at most.
    * `shared`: other processes append to the log, too.
    * `subscriptions`: notified of every new version in this process.
    * `version_cache`: receives every new version for the other processes.
    * `admit`: admits requests by which a player opens or joins a game, see `Admit`.
    * `invite`: returns the invite of a private game by its id, always the same one. Raises `Unavailable`.
    * `longest`: events that a new game or branch has at most; no limit by default.
    * `waiting_timeout`: seconds after which a game that still waits for players is aborted; no limit by default.
    """

    def __init__(
        self, store: GameLog, *, size: int, shared: bool, subscriptions: Subscriptions | None = None,
        version_cache: VersionCache | None = None, admit: Admit = admit_all,
        invite: Callable[[str], Awaitable[str]] = no_invite, longest: int | UnsetType = UNSET,
        waiting_timeout: float | None = None,
    ) -> None:  # fmt: skip
        self._store = store
        self._subscriptions = subscriptions or Subscriptions()
        self._version_cache = version_cache
        self._admit = admit
        self._invite = invite
        self._longest = longest
        self._waiting_timeout = waiting_timeout
        self._size = size
        self._shared = shared
        self._games: OrderedDict[str, CachedGame] = OrderedDict()
        """The games that stay in memory, least recently used first."""
        # Includes evicted games that a request still uses. A game is never in memory twice: changes to one copy would
        # be missing in the other.
        self._in_use: WeakValueDictionary[str, CachedGame] = WeakValueDictionary()
        self._load = SingleFlight(self._read)
        self._long_reads = FairQueue()
        self.moves = 0
        """Moves made in this process."""
        self.expiries = 0
        """Players whom this process removed because they had run out of time."""

    def __len__(self) -> int:
        return len(self._games)

    def __contains__(self, game_id: object) -> bool:
        """Whether the game is in memory."""
        return game_id in self._in_use

    # --- queries ---

    async def find(self, rules: Rules, game_id: str, cached_version: CachedVersion | None = None) -> CachedGame:
        """The game as of now. `cached_version` is the version cache's entry, if the request has read it already.

        Raises `NoSuchGame`, `Unavailable`.
        """
        if (current := self.current(rules, game_id)) is not None:
            return current
        cached = await self._find(game_id, cached_version)
        if cached.rules.name != rules.name:
            raise NoSuchGame
        return cached

    def current(self, rules: Rules, game_id: str) -> CachedGame | None:
        """The game as of now if it is in memory and running, and no other process can have appended to it."""
        return None if self._shared else self.running(rules, game_id)

    def running(self, rules: Rules, game_id: str) -> CachedGame | None:
        """The game if it is in memory and running; it may be behind the log.

        That is sufficient for a move: the players no longer change, and a move is checked against the log anyway.
        """
        cached = self._games.get(game_id)
        if cached is None or cached.outdated or cached.game.status != "running" or cached.rules.name != rules.name:
            return None
        self._games.move_to_end(game_id)
        return cached

    async def _find(self, game_id: str, cached_version: CachedVersion | None = None) -> CachedGame:
        if cached_version is None:
            cached_version = UNKNOWN if self._version_cache is None else await self._version_cache.ask(game_id)
        cached = self._in_use.get(game_id)
        if cached is None and game_id not in self._load:
            cached = await self._load(game_id)
        else:
            cached = self._cache(cached or await self._load(game_id))
            if cached.outdated or (self._shared and not cached_version.confirms(cached.game.version)):
                await self._catch_up(cached, cached_version.known)
        if cached.game.status == "waiting" and self.is_overdue(cached.created_at):
            await self._expire(cached)
        if self._version_cache is not None and not cached_version.confirms(cached.game.version):
            await self._version_cache.fill(game_id, cached_version, cached.header)
        return cached

    def is_overdue(self, created_at: str) -> bool:
        """Whether a game that was opened at this time and still waits for players is to be aborted."""
        return self._waiting_timeout is not None and created_at <= earlier(now(), self._waiting_timeout)

    async def _expire(self, cached: CachedGame) -> None:
        """Abort a game that has waited for too long. If the database is unavailable the game keeps waiting."""
        with suppress(Unavailable):
            async with cached.lock:
                if cached.outdated:
                    await self._catch_up_locked(cached)
                while cached.game.status == "waiting":
                    try:
                        await self._append(cached, self._decide(cached, None, Abort("expired")), None)
                    except Conflict:
                        await self._catch_up_locked(cached)

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
            return CachedGame.of(VERSIONS[log[0].event.rules], game_id, log)

        cached = await self._store.load(game_id, folded)
        if game.agreed(cached.game).private:
            cached.invite = await self._invite(game_id)
        cached = self._cache(cached)
        self._subscriptions.notify(game_id)  # of what other processes have appended: `refresh` finds it here already
        return cached

    async def _catch_up(self, cached: CachedGame, known: int = 0) -> None:
        async with cached.lock:
            await self._catch_up_locked(cached, known)

    async def _catch_up_locked(self, cached: CachedGame, known: int = 0) -> None:
        """Apply new entries of the log. The version cache has seen every version up to `known`."""
        if entries := await self._store.read(cached.game.id, cached.game.version):
            cached.apply(entries)
            await self._notify(cached, known)
        cached.outdated = False

    async def _notify(self, cached: CachedGame, known: int = 0) -> None:
        """Publish to the other processes first: no client may see a version here that another process still lacks."""
        try:
            if self._version_cache is not None and known < cached.game.version:
                await self._version_cache.publish(cached.game.id, cached.header)
        finally:
            self._subscriptions.notify(cached.game.id)

    async def refresh(self, game_id: str, version: int | None = None) -> None:
        """Catch up with the log if the game has subscribers here and is behind `version`; None: in any case.

        The subscribers of a game that is not in memory are only notified. Raises `Unavailable`.
        """
        if game_id not in self._subscriptions.subjects:
            return
        cached = self._in_use.get(game_id)
        if cached is None:
            self._subscriptions.notify(game_id)
        elif version is None or cached.game.version < version:
            await self._catch_up(cached, version or 0)

    def _cache(self, cached: CachedGame) -> CachedGame:
        """Cache the game, or use the copy that is in memory already, and evict the least recently used game."""
        cached = self._games[cached.game.id] = self._in_use.setdefault(cached.game.id, cached)
        self._games.move_to_end(cached.game.id)
        if len(self._games) > self._size:
            self._games.popitem(last=False)
        return cached

    async def log(self, cached: CachedGame, after: int = 0, upto: int | None = None) -> list[Stored[Any, Any]]:
        """The game's entries from version `after + 1` on, up to version `upto`."""
        last = cached.game.version if upto is None else min(upto, cached.game.version)
        if after >= last:
            return []
        first = cached.tail[0].version
        if first <= after + 1:
            return cached.tail[after + 1 - first : last + 1 - first]
        return await self._store.read(cached.game.id, after, last)

    @asynccontextmanager
    async def long_read(self, game_id: str, entries: int) -> AsyncIterator[None]:
        """Work on so many entries of the game is done in the context, at once if they are not many. Raises
        `QueueFull`."""
        if entries < LONG:
            yield
        else:
            async with self._long_reads.turn(game_id):
                yield

    async def view(self, cached: CachedGame, viewer: Viewer, at: int | None = None) -> Game:
        """The game as the viewer sees it, now or as of version `at`. Raises `NoSuchVersion`.

        *Now* is the time of the call: while the log is read, another player may take the viewer's seat and see more.
        """
        at = cached.game.version if at is None else at
        while at == cached.game.version:
            if (seen := cached.view(viewer)) is not None:
                return seen
            before = cached.views.latest(viewer)
            async with self.long_read(cached.game.id, at - before.version):
                log = await self.log(cached, before.version)
                seen = await _in_thread_if_long(log, partial(view, cached.rules, before, log, viewer))
            if cached.tail[0].version <= seen.version + 1:  # otherwise the game has moved on too far meanwhile
                cached.views.keep(viewer, seen)
        if not 0 < at <= cached.game.version:
            raise NoSuchVersion
        async with self.long_read(cached.game.id, at):
            log = await self.log(cached, 0, at)
            return await _in_thread_if_long(log, partial(view, cached.rules, Game(cached.game.id), log, viewer))

    async def before(self, cached: CachedGame, viewer: Viewer | Literal["all"], position: int) -> Game:
        """The game as of version `position`, 0 included, as the viewer or someone who sees all cards sees it.

        Raises `NoSuchVersion`.
        """
        if position == 0:
            return Game(cached.game.id)
        return await (self.truth(cached, position) if viewer == "all" else self.view(cached, viewer, position))

    async def truth(self, cached: CachedGame, at: int | None = None) -> Game:
        """The game with all hidden information, now or as of version `at`. Raises `NoSuchVersion`."""
        if at is None or at == cached.game.version:
            return cached.game
        if not 0 < at <= cached.game.version:
            raise NoSuchVersion
        async with self.long_read(cached.game.id, at):
            log = await self.log(cached, 0, at)
            return await _in_thread_if_long(
                log, lambda: game.fold(cached.rules, Game(cached.game.id), [entry.event for entry in log])
            )

    async def times(self, cached: CachedGame, at: int) -> Times | None:
        """What the seats have left of their time as of version `at`; None without a clock."""
        if cached.times is None or at == cached.game.version:
            return cached.times
        async with self.long_read(cached.game.id, at):
            log = await self.log(cached, 0, at)
            return await _in_thread_if_long(log, partial(timekeeping.fold, log))

    def is_outdated(self, game_id: str) -> bool:
        """Whether the game is in memory, and an append with an unknown outcome may be missing there."""
        cached = self._in_use.get(game_id)
        return cached is not None and cached.outdated

    async def turns(self, game_ids: Sequence[str], *, notified: bool = False) -> dict[str, Turn]:
        """Who must act in each of these games. Nothing is loaded: of games that are not in memory, only the last event
        is read. `notified`: the caller has subscribed to these games, so those in memory are current, or the next
        notification comes soon. Raises `Unavailable`."""
        found: dict[str, Turn] = {}
        for game_id in game_ids:
            cached = self._in_use.get(game_id) if notified or not self._shared else None
            if cached is not None and not cached.outdated:
                found[game_id] = Turn(cached.tail[-1].at, cached.to_act())
        rest = [game_id for game_id in game_ids if game_id not in found]
        last = zip(rest, await self._store.last(rest, _turn.decode), strict=True)
        return found | {game_id: turn for game_id, turn in last if turn is not None}

    # --- commands ---

    async def open(
        self, rules: Rules, opener: str, seats: int, options: Any, deck: Deck[Any],
        *, private: bool, hotseat: bool, sit: bool, entropy: str, key: RequestKey | None,
        places: tuple[SeatTerms, ...] | UnsetType = UNSET, absent: Absent | UnsetType = UNSET,
        clock: Clock | UnsetType = UNSET, undo: Undo | UnsetType = UNSET,
    ) -> tuple[CachedGame, Change]:  # fmt: skip
        """Open a game; exactly once for each idempotency key. `places`, `absent`, `clock` and `undo` as in
        `game.terms`.

        Raises `InvalidSetup`, `TooManyGames`, `StorageExhausted`, `KeyReused`, `Unavailable`.
        """
        opened = game.terms(
            rules, seats, options, deck.data, opener, os.urandom(32), private=private, hotseat=hotseat,
            longest=self._longest, places=places, absent=absent, clock=clock, undo=undo,
        )  # fmt: skip
        return await self._open(
            rules, opener, key,
            lambda game_id: game.open_game(rules, game_id, opened, sit=sit, entropy=entropy),
        )  # fmt: skip

    async def branch(
        self, parent: CachedGame, player: str, at: int, key: RequestKey | None
    ) -> tuple[CachedGame, Change]:
        """Open a game that continues a finished one from version `at` on; exactly once for each idempotency key.

        If `at` is in the middle of an append, the branch starts at the end of that append: the consequences of a move
        belong to it.

        Raises `NotFinished`, `NothingToContinue`, `TooManyGames`, `StorageExhausted`, `KeyReused`, `Unavailable`.
        """
        if not parent.game.revealed:
            raise game.NotFinished
        if at > parent.game.version:
            raise game.NothingToContinue(f"The game has no version {at}; its last version is {parent.game.version}.")
        async with self.long_read(parent.game.id, at):
            past = await self.log(parent, 0, at)
            past += await self.log(parent, at, at + past[-1].more)
            events, by, moves = zip(*((entry.event, entry.by, entry.move) for entry in past), strict=True)
            return await self._open(
                parent.rules, player, key,
                lambda game_id: game.branch(
                    parent.rules, game_id, parent.game.id, events, by, moves, player, self._longest
                ), long=len(past) >= THREAD_THRESHOLD,
            )  # fmt: skip

    async def rematch(
        self, cached: CachedGame, player: str, entropy: str, key: RequestKey | None,
        former: Collection[str],
    ) -> tuple[CachedGame, Change | None]:  # fmt: skip
        """The game that repeats a finished one, with the player at a seat. It is opened if nobody has asked for it.
        None: the player had a seat in it already, or no longer gets one. Seats of `former` players become open.

        Raises `NotSeated`, `NoRematch`, `TooManyGames`, `StorageExhausted`, `KeyReused`, `Unavailable`.
        """
        if not cached.game.seats_of(player):
            raise game.NotSeated
        if why := _cannot_repeat(cached):
            raise NoRematch(why)
        game_id = rematch_id(cached.game.id)
        try:
            again = await self._find(game_id)
        except NoSuchGame:
            terms = game.repeated(cached.rules, cached.game, player, os.urandom(32), former, self._longest)
            try:
                return await self._open(
                    cached.rules, player, key,
                    lambda _: game.open_game(
                        cached.rules, game_id, terms, sit=True, entropy=entropy
                    ), game_id,
                )  # fmt: skip
            except Conflict:  # another player was faster
                again = await self._find(game_id)
        try:
            return again, await self.execute(again, player, Join(entropy=entropy), key)
        except (game.AlreadySeated, game.NotWaiting, game.Reserved, game.SeatTaken):
            return again, None

    async def rematch_of(self, cached: CachedGame) -> CachedGame:
        """The game that repeats this one. Raises `NoSuchGame`, `Unavailable`."""
        return await self._find(rematch_id(cached.game.id))

    async def _open(
        self, rules: Rules, opener: str, key: RequestKey | None, begin: Callable[[str], Decision],
        game_id: str | None = None, *, long: bool = False,
    ) -> tuple[CachedGame, Change]:  # fmt: skip
        """`game_id`: it does not derive from the request. Then it raises `Conflict` if the game exists. `long`: `begin`
        takes long, so a thread calls it."""
        cached = CachedGame(rules, game_id or (new_id() if key is None else keyed_id(opener, key.key)))
        derived = key if game_id is None else None
        """The key from which the id derives: then an earlier request with it has opened this very game."""
        if derived is not None and (done := await self._opened_before(cached.game.id, derived)):
            return done
        try:
            async with self._admit(opener, opens=True) as admission:
                begun = await asyncio.to_thread(begin, cached.game.id) if long else begin(cached.game.id)
                decided = await self._with_bots(cached, begun)
                if game.agreed(decided.game).private:  # created first: the game has one even after a crash
                    cached.invite = await self._invite(cached.game.id)
                change = await self._append(cached, decided, key)
                admission.bytes = await _in_thread_if_long(
                    change.entries, lambda: sum(map(len, map(encode, change.entries)))
                )
        except (Conflict, TooManyGames, StorageExhausted):  # a concurrent request with the same key was faster
            if derived is not None and (done := await self._opened_before(cached.game.id, derived)):
                return done
            raise
        return self._cache(cached), change

    async def _opened_before(self, game_id: str, key: RequestKey) -> tuple[CachedGame, Change] | None:
        try:
            cached = await self._find(game_id)
        except NoSuchGame:
            return None
        change = await self._replayed(cached, key)
        if change is None:  # the id derives from the key, but the log of an imported game has no keys
            raise KeyReused
        return cached, change

    async def execute(
        self, cached: CachedGame, by: str | None, command: Command, key: RequestKey | None = None
    ) -> Change:
        """Decide a command of the player and append it; with a key exactly once. `by` None: a command of the service.

        A decision on a game that is behind the log is made again: the game catches up first. Raises the refusals of
        `decide` (`MoveRejected` and `StaleDecision` for moves), `TooManyGames`, `KeyReused`, `Unavailable`.
        """
        if type(command) is Join and by is not None and not (cached.has_recorded(key) or cached.header.seats_of(by)):
            return await self._admitted(cached, by, command, key)
        try:
            async with cached.lock:
                return await self._execute(cached, by, command, key)
        except StaleDecision as stale:
            # No client decides on version 0: the ETag is not one of ours, so `missed` is empty.
            seen = command.decided_on if isinstance(command, Move) else None
            missed = await self.log(cached, seen, seen + MAX_MISSED) if seen else []
            entries = [redacted(cached.rules, entry, stale.seat) for entry in missed]
            raise StaleDecision(stale.version, stale.seat, entries) from None

    async def _admitted(self, cached: CachedGame, by: str, command: Join, key: RequestKey | None) -> Change:
        """The same for a player who joins, and therefore needs an admission, outside of the game's lock."""
        try:
            async with self._admit(by, opens=False), cached.lock:
                return await self._execute(cached, by, command, key)
        except TooManyGames:
            if self._shared:
                await self._catch_up(cached)
            if not cached.has_recorded(key):
                raise
            async with cached.lock:  # a concurrent request with the same key was faster
                return await self._execute(cached, by, command, key)

    async def _execute(self, cached: CachedGame, by: str | None, command: Command, key: RequestKey | None) -> Change:
        """The same under the game's lock."""
        # The response to a repeated request shows the current game.
        if cached.outdated or (self._shared and cached.has_recorded(key)):
            await self._catch_up_locked(cached)
        up_to_date = not self._shared
        while True:
            if key is not None and (change := await self._replayed(cached, key)):
                return change
            at = None if cached.times is None else await self._after_expiries(cached)
            try:
                decided = self._decide(cached, by, command)
            except ViewsMissing:
                await self.read_views(cached)
                continue
            except Exception as refusal:
                if up_to_date:
                    raise _explained(cached, refusal) from None
                # Refused on the state in memory. The command may be valid if another process has appended.
                await self._catch_up_locked(cached)
                up_to_date = True
                continue
            try:
                if decided.game.bots:
                    decided = await self._with_bots(cached, decided)
                change = await self._append(cached, decided, key, at)
            except Conflict:
                await self._catch_up_locked(cached)
                continue
            if type(command) is Move:
                self.moves += 1
            return change

    def _decide(self, cached: CachedGame, by: str | None, command: Command) -> Decision:
        return game.decide(cached.rules, cached.game, by, command, cached)

    async def read_views(self, cached: CachedGame) -> None:
        """Read the views that tell whether the latest move can be taken back. Raises `Unavailable`."""
        if cached.game.tables is not None and cached.game.state is not None:
            for viewer in (None, *range(len(cached.game.players))):
                await self.view(cached, viewer)

    async def _with_bots(self, cached: CachedGame, decided: Decision) -> Decision:
        """The decision on the game with the choices of its bots. Many choices take their time: other tasks get their
        turn between them, while the lock keeps this game as it is."""
        if game.bot_to_act(decided) is None:
            return decided
        views: dict[Seat, Game] = {}
        if cached.game.state is not None:
            seats = [seat for seat, bot in enumerate(decided.game.bots) if bot]
            views = {seat: await self.view(cached, seat) for seat in seats}
        bots = game.seeing(cached.rules, cached.game, views.__getitem__)
        until = perf_counter() + BOTS_AT_ONCE
        while game.bot_to_act(decided) is not None:
            decided = game.answered(cached.rules, decided, bots)
            if perf_counter() > until:
                await asyncio.sleep(0)
                until = perf_counter() + BOTS_AT_ONCE
        return decided

    async def _after_expiries(self, cached: CachedGame) -> str:
        """Remove the players who have run out of time, under the game's lock. Returns the time for the next append:
        nobody else has run out of time then."""
        while True:
            at = _next_time(cached)
            overdue = cached.overdue(at)
            if not overdue:
                return at
            gone = len(cached.game.gone)
            decided = self._decide(cached, None, TimeOut(overdue))
            try:
                await self._append(cached, await self._with_bots(cached, decided), None, at)
                self.expiries += len(decided.game.gone) - gone
            except Conflict:
                await self._catch_up_locked(cached)

    async def remove_overdue(self, rules: Rules, game_id: str) -> int | None:
        """Remove the players of the game who have run out of time.

        Returns a time (microseconds from 1970) before which nobody else does; None if the game is over or has no clock.
        Raises `NoSuchGame`, `Unavailable`.
        """
        at = wall_clock()
        cached = self._in_use.get(game_id)
        if cached is not None and not cached.outdated:
            # The bound of an old version holds for all later ones.
            bound = cached.next_deadline(None if self._shared else at)
            if bound is not None and bound > at:
                return bound
        cached = await self.find(rules, game_id)
        async with cached.lock:
            if cached.outdated:
                await self._catch_up_locked(cached)
            await self._after_expiries(cached)
            return cached.next_deadline(at)

    async def _replayed(self, cached: CachedGame, key: RequestKey) -> Change | None:
        """The change that an earlier request with this key made, from the log. Raises `KeyReused`."""
        known = cached.commands.get((key.player, key.key))
        if known is None:
            return None
        body, first, last = known
        if body != key.body:
            raise KeyReused
        return Change(tuple(await self.log(cached, first - 1, last)), replayed=True)

    async def _append(
        self, cached: CachedGame, decided: Decision, key: RequestKey | None, at: str | None = None
    ) -> Change:
        """Commit the decision, then apply it in memory. `at` is the time of the append, if the decision depends on it.
        Raises `Conflict`, `Unavailable`."""
        if len(decided.events) < THREAD_THRESHOLD:
            entries = _entries(cached, decided, key, at)
        else:
            entries = await asyncio.to_thread(_entries, cached, decided, key, at)
        rows = _stored(cached, entries)
        try:
            try:
                await self._store.commit(rows)
            except Conflict:
                # The append may have been committed although the connection was lost: then the log has our last entry.
                if not await self._is_logged(cached, entries[-1]):
                    raise
        except BaseException:
            cached.outdated = True
            raise
        cached.advance(decided.game, entries)
        if self._version_cache is None:
            self._subscriptions.notify(cached.game.id)
        else:
            await self._notify(cached)
        return Change(entries, replayed=False)

    async def _is_logged(self, cached: CachedGame, entry: Stored[Any, Any]) -> bool:
        logged = await self._store.read(cached.game.id, entry.version - 1, entry.version)
        return bool(logged) and bool(logged[0].head == entry.head)


def _next_time(cached: CachedGame) -> str:
    """The time of an append that is made now. Within a game, times never decrease."""
    return max(now(), cached.tail[-1].at) if cached.tail else now()


def _explained(cached: CachedGame, refusal: Exception) -> Exception:
    """The refusal with what the player of the move may know besides: the version, and what they can do."""
    if isinstance(refusal, game.StaleChoice):
        return StaleDecision(cached.game.version, refusal.seat)
    if isinstance(refusal, game.IllegalMove):
        seat, now = refusal.seat, cached.game
        return MoveRejected(now.version, cached.choice_version(seat), game.legal(cached.rules, now, seat))
    return refusal


def _cannot_repeat(cached: CachedGame) -> str | None:
    """Why there is no rematch of the game; None if there can be one."""
    if cached.game.status != "finished":
        return "Only a finished game can be repeated."
    if game.agreed(cached.game).hotseat:
        return "A hotseat game is not repeated: open another one."
    return "An imported game cannot be repeated." if cached.tail[-1].imported else None


def _entries(
    cached: CachedGame, decided: Decision, key: RequestKey | None, at: str | None
) -> tuple[Stored[Any, Any], ...]:
    """The entries of the decision, chained to the log. Their time is now, unless the decision depends on it."""
    return written(cached.rules, decided, cached.head, at or _next_time(cached), key)


def _stored(cached: CachedGame, entries: Sequence[Stored[Any, Any]]) -> list[StoredRow]:
    kind, stream = cached.rules.rules, cached.game.id
    new = tuple.__new__  # `StoredRow(...)` would call a Python function, which takes twice as long
    return [
        new(StoredRow, (stream, entry.version, topic(kind, entry.event.__class__), encode(entry))) for entry in entries
    ]


async def _in_thread_if_long(events: Sequence[Any], work: Callable[[], T]) -> T:
    """The result of the work on these events. Runs in a thread if there are many."""
    return work() if len(events) < THREAD_THRESHOLD else await asyncio.to_thread(work)
