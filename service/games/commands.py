"""The use cases of games: open, branch, join, leave, cancel and move.

A command takes the game's lock, decides on the
cached state and appends at that version. If another process has appended meanwhile, the append conflicts: the game
catches up with the log, and the command is decided again on the current state. A move fails only if it is no longer
legal.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable, Collection, Iterable
from contextlib import suppress
from time import perf_counter
from typing import Any, NamedTuple, TypeAlias

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain import game
from domain.bundled import Lesson
from domain.codec import encode
from domain.deck import Deck
from domain.game import Decision, Game, Rules
from domain.game.clock import MILLISECOND, microseconds
from domain.game.commands import (
    Abort,
    Command,
    Join,
    Making,
    Move,
    Rematch,
    Resume,
    Reveal,
    TimeOut,
)
from domain.game.events import Agreed, Deal
from domain.game.log import RequestKey, redacted
from domain.ruleset import Seat
from service.clock import keyed_id, new_id, rematch_id, wall_clock
from service.games.admissions import Admit, admit_all
from service.games.cached_game import CachedGame
from service.games.errors import (
    Blocked,
    KeyReused,
    MoveRejected,
    NoRematch,
    NoSuchGame,
    StaleDecision,
    StorageExhausted,
    TooManyGames,
    ViewsMissing,
)
from service.games.games import (
    BOTS_AT_ONCE,
    MAX_MISSED,
    THREAD_THRESHOLD,
    Change,
    Games,
    in_thread_if_long,
    next_time,
)
from service.games.outages import never_away
from service.games.sealed_seats import SealedSeats
from service.log.errors import Conflict
from service.tasks import computed

IsBlocked: TypeAlias = Callable[[str, Iterable[str | None]], Awaitable[bool]]
"""(player, others): whether one of the others has blocked the player."""


Outage: TypeAlias = Callable[[int, int], Awaitable[int]]
"""(since, at): the microseconds in which no process could take a move. Raises `Unavailable`."""


async def blocks_nobody(_player: str, _others: Iterable[str | None]) -> bool:
    return False


class Common(NamedTuple):
    """What the games of a common deal share: the deal, and the secret from which its cards follow."""

    deal: Deal
    secret: bytes


class Commands:
    """The commands that change games.

    * `admit`: admits requests by which a player opens or joins a game, see `Admit`.
    * `longest`: events that a new game or branch has at most; no limit by default.
    * `outage`: how long no process could take a move; players whose time ran get it back.
    """

    def __init__(
        self, games: Games, *, admit: Admit = admit_all, longest: int | UnsetType = UNSET,
        is_blocked: IsBlocked = blocks_nobody, outage: Outage = never_away,
    ) -> None:  # fmt: skip
        self.games = games
        self._admit = admit
        self._longest = longest
        self._is_blocked = is_blocked
        self._outage = outage
        self._sealed_seats = SealedSeats()
        self.moves = 0
        """Moves made in this process."""
        self.expiries = 0
        """Players whom this process removed because they had run out of time."""

    async def open(
        self, rules: Rules, opener: str, seats: int, options: Any, deck: Deck[Any],
        agreed: Agreed, *, sit: bool, entropy: str, key: RequestKey | None,
        common: Common | None = None, game_id: str | None = None, limited: bool = True,
    ) -> tuple[CachedGame, Change]:  # fmt: skip
        """Open a game; exactly once for each idempotency key, or for the `game_id`. Not `limited`: the caller has
        checked what the opener may open.

        Raises `InvalidSetup`, `TooManyGames`, `StorageExhausted`, `KeyReused`, `Unavailable`; with a `game_id`
        `Conflict` if the game exists.
        """
        deal, secret = (UNSET, os.urandom(32)) if common is None else common
        opened = game.terms(
            rules, seats, options, deck.data, opener, secret, replace(agreed, longest=self._longest, deal=deal)
        )  # fmt: skip
        return await self._open(
            rules, opener, key,
            lambda game_id: game.open_game(rules, game_id, opened, sit=sit, entropy=entropy), game_id, limited=limited,
        )  # fmt: skip

    async def reveal(self, cached: CachedGame) -> None:
        """End a game of a common deal whose time is over: abort it if it is not over, then reveal the secret. Does
        nothing the second time. Raises `RulesMissing`, `Unavailable`."""
        with suppress(game.NotRunning, game.NotWaiting, game.NotFinished):  # it is over, or another process was faster
            if cached.game.status in ("waiting", "running"):
                await self.execute(cached, None, Abort("expired"))
        with suppress(game.NotFinished):
            if not cached.game.revealed:
                await self.execute(cached, None, Reveal())

    async def teach(
        self, rules: Rules, lesson: Lesson, player: str, key: RequestKey | None
    ) -> tuple[CachedGame, Change]:
        """Open a game of the ruleset's lesson; exactly once for each idempotency key.

        Raises `TooManyGames`, `StorageExhausted`, `KeyReused`, `Unavailable`.
        """
        return await self._open(
            rules, player, key, lambda game_id: game.taught(rules, game_id, lesson, player, self._longest)
        )

    async def make(
        self, cached: CachedGame, player: str, command: Making, key: RequestKey | None, former: Collection[str]
    ) -> tuple[CachedGame, Change | None]:
        """The game that the player's command makes of this one; None if it was made before. `former` players get no
        seat in it. Raises as `_branch` and `_rematch`."""
        self.games.need_rules(cached)
        if isinstance(command, Rematch):
            return await self._rematch(cached, player, command.entropy, key, former)
        return await self._branch(cached, player, command.at, key)

    async def _branch(
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
        async with self.games.long_read(player, at):
            past = await self.games.log(parent, 0, at)
            past += await self.games.log(parent, at, at + past[-1].more)
            events, by, moves = zip(*((entry.event, entry.by, entry.move) for entry in past), strict=True)
            return await self._open(
                parent.rules, player, key,
                lambda game_id: game.branch(
                    parent.rules, game_id, parent.game.id, events, by, moves, player, self._longest
                ), long=len(past) >= THREAD_THRESHOLD,
            )  # fmt: skip

    async def _rematch(
        self, cached: CachedGame, player: str, entropy: str, key: RequestKey | None,
        former: Collection[str],
    ) -> tuple[CachedGame, Change | None]:  # fmt: skip
        """The game that repeats a finished one, with the player at a seat. It is opened if nobody has asked for it.
        None: the player had a seat in it already, or no longer gets one. Seats of `former` players become open. In a
        sealed game nobody sits down: the seats are kept, and a seal contains the id of the game.

        Raises `NotSeated`, `NoRematch`, `WrongSeal`, `TooManyGames`, `StorageExhausted`, `KeyReused`, `Unavailable`.
        """
        if not cached.game.seats_of(player):
            raise game.NotSeated
        if why := _cannot_repeat(cached):
            raise NoRematch(why)
        sealed = game.agreed(cached.game).sealed is not UNSET
        if sealed and entropy:
            raise game.WrongSeal("This game is sealed: take the kept seat of the rematch with a `seal`.")
        game_id = rematch_id(cached.game.id)
        try:
            again = await self.games.find_any(game_id)
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
                again = await self.games.find_any(game_id)
        if sealed:
            return again, None
        try:
            return again, await self.execute(again, player, Join(entropy=entropy), key)
        except (game.AlreadySeated, game.NotWaiting, game.Reserved, game.SeatTaken):
            return again, None

    async def rematch_of(self, cached: CachedGame) -> CachedGame:
        """The game that repeats this one. Raises `NoSuchGame`, `Unavailable`."""
        return await self.games.find_any(rematch_id(cached.game.id))

    async def _open(
        self, rules: Rules, opener: str, key: RequestKey | None, begin: Callable[[str], Decision],
        game_id: str | None = None, *, long: bool = False, limited: bool = True,
    ) -> tuple[CachedGame, Change]:  # fmt: skip
        """`game_id`: it does not derive from the request. Then it raises `Conflict` if the game exists. `long`: `begin`
        takes long, so a thread calls it."""
        cached = CachedGame(rules, game_id or (new_id() if key is None else keyed_id(opener, key.key)))
        derived = key if game_id is None else None
        """The key from which the id derives: then an earlier request with it has opened this very game."""
        if derived is not None and (done := await self._opened_before(cached.game.id, derived)):
            return done
        try:
            async with (self._admit if limited else admit_all)(opener, opens=True) as admission:
                begun = await computed(begin, cached.game.id) if long else begin(cached.game.id)
                decided = await self._with_bots(cached, begun)
                if game.agreed(decided.game).private:  # created first: the game has one even after a crash
                    cached.invite = await self.games.invite(cached.game.id)
                change = await self.games.append(cached, decided, key)
                admission.bytes = await in_thread_if_long(
                    change.entries, lambda: sum(map(len, map(encode, change.entries)))
                )
        except (Conflict, TooManyGames, StorageExhausted):  # a concurrent request with the same key was faster
            if derived is not None and (done := await self._opened_before(cached.game.id, derived)):
                return done
            raise
        return self.games.cache(cached), change

    async def _opened_before(self, game_id: str, key: RequestKey) -> tuple[CachedGame, Change] | None:
        try:
            cached = await self.games.find_any(game_id)
        except NoSuchGame:
            return None
        if not cached.has_recorded(key):  # the id derives from the key, but the log of an imported game has no keys
            raise KeyReused
        return cached, await self._replayed(cached, key)

    async def execute(
        self, cached: CachedGame, by: str | None, command: Command, key: RequestKey | None = None, network: str = ""
    ) -> Change:
        """Decide a command of the player and append it; with a key exactly once. `by` None: a command of the service.
        `network`: where it comes from, as limits count it.

        A decision on a game that is behind the log is made again: the game catches up first. Raises the refusals of
        `decide` (`MoveRejected` and `StaleDecision` for moves), `TooManyGames`, `KeyReused`, `Unavailable`.
        """
        if type(command) is Join and by is not None and not (cached.has_recorded(key) or cached.header.seats_of(by)):
            return await self._admitted(cached, by, command, key, network)
        try:
            await cached.lock.acquire()  # `async with` would be two coroutines more
            try:
                return await self._execute(cached, by, command, key)
            finally:
                cached.lock.release()
        except StaleDecision as stale:
            # No client decides on version 0: the ETag is not one of ours, so `missed` is empty.
            seen = command.decided_on if isinstance(command, Move) else None
            missed = await self.games.log(cached, seen, seen + MAX_MISSED) if seen else []
            entries = [redacted(cached.rules, entry, stale.seat) for entry in missed]
            raise StaleDecision(stale.version, stale.seat, entries) from None

    async def _admitted(
        self, cached: CachedGame, by: str, command: Join, key: RequestKey | None, network: str
    ) -> Change:
        """The same for a player who joins, and therefore needs an admission, outside of the game's lock."""
        people = (*cached.game.players, cached.header.opener)
        if cached.game.status == "waiting" and by != cached.header.opener and await self._is_blocked(by, people):
            raise Blocked
        try:
            async with self._admit(by, opens=False), cached.lock:
                if command.seal is UNSET or cached.header.seats_of(by):  # seated by a request that was faster
                    return await self._execute(cached, by, command, key)
                self._sealed_seats.take(cached.game.id, by, network)
                try:
                    return await self._execute(cached, by, command, key)
                except BaseException:
                    self._sealed_seats.free(cached.game.id, by)
                    raise
        except TooManyGames:
            if self.games.is_shared:
                await self.games.catch_up(cached)
            if not cached.has_recorded(key):
                raise
            async with cached.lock:  # a concurrent request with the same key was faster
                return await self._execute(cached, by, command, key)

    async def _execute(self, cached: CachedGame, by: str | None, command: Command, key: RequestKey | None) -> Change:
        """The same under the game's lock."""
        # The response to a repeated request shows the current game.
        if cached.outdated or (self.games.is_shared and cached.has_recorded(key)):
            await self.games.catch_up_locked(cached)
        command = game.as_meant(cached.game, command)
        up_to_date = not self.games.is_shared
        while True:
            if key is not None and cached.has_recorded(key):
                return await self._replayed(cached, key)
            at = None if cached.times is None else await self._after_expiries(cached)
            try:
                decided = self.games.decide(cached, by, command)
            except ViewsMissing:
                await self.games.read_views(cached)
                continue
            except Exception as refusal:
                if up_to_date:
                    raise _explained(cached, refusal) from None
                # Refused on the state in memory. The command may be valid if another process has appended.
                await self.games.catch_up_locked(cached)
                up_to_date = True
                continue
            try:
                if decided.game.bots:
                    decided = await self._with_bots(cached, decided)
                change = await self.games.append(cached, decided, key, at)
            except Conflict:
                await self.games.catch_up_locked(cached)
                continue
            if type(command) is Move:
                self.moves += 1
            elif by is not None and by not in [cached.game.players[seat] for seat in cached.game.unready]:
                self._sealed_seats.free(cached.game.id, by)
            return change

    async def _with_bots(self, cached: CachedGame, decided: Decision) -> Decision:
        """The decision on the game with the choices of its bots. Many choices take their time: other tasks get their
        turn between them, while the lock keeps this game as it is."""
        if game.bot_to_act(cached.rules, decided) is None:
            return decided
        views: dict[Seat, Game] = {}
        if cached.game.state is not None:
            seats = [seat for seat, bot in enumerate(decided.game.bots) if bot]
            views = {seat: await self.games.view(cached, seat) for seat in seats}
        bots = game.seeing(cached.rules, cached.game, views.__getitem__)
        until = perf_counter() + BOTS_AT_ONCE
        while game.bot_to_act(cached.rules, decided) is not None:
            decided = game.answered(cached.rules, decided, bots)
            if perf_counter() > until:
                await asyncio.sleep(0)
                until = perf_counter() + BOTS_AT_ONCE
        return decided

    async def _after_expiries(self, cached: CachedGame) -> str:
        """Give the time of an outage back, then remove the players who have run out of time, under the game's lock.
        Returns the time for the next append: nobody else has run out of time then."""
        while True:
            at = next_time(cached)
            times, gone = cached.times, len(cached.game.gone)
            lost = await self._outage(times.at, microseconds(at)) if times and times.acting else 0
            overdue = cached.overdue(at)
            if lost >= MILLISECOND:
                decided = self.games.decide(cached, None, Resume(lost // MILLISECOND))
            elif overdue:
                decided = self.games.decide(cached, None, TimeOut(overdue))
            else:
                return at
            try:
                await self.games.append(cached, await self._with_bots(cached, decided), None, at)
                self.expiries += len(decided.game.gone) - gone
            except Conflict:
                await self.games.catch_up_locked(cached)

    async def remove_overdue(self, game_id: str) -> int | None:
        """Remove the players of the game who have run out of time, and see to it that a bot that searches is asked.

        Returns a time (microseconds from 1970) before which this need not be done again; None if it never need be.
        Raises `NoSuchGame`, `RulesMissing`, `Unavailable`.
        """
        at = wall_clock()
        cached = self.games.in_memory(game_id)
        if cached is not None:
            # The bound of an old version holds for all later ones.
            bound = cached.next_deadline(None if self.games.is_shared else at)
            if bound is not None and bound > at:
                return bound
        cached = await self.games.find_any(game_id)
        async with cached.lock:
            if cached.outdated:
                await self.games.catch_up_locked(cached)
            await self._after_expiries(cached)
            self.games.on_waiting(cached, loaded=True)
            return cached.next_deadline(at)

    async def _replayed(self, cached: CachedGame, key: RequestKey) -> Change:
        """The change that an earlier request with this key made, from the log. Raises `KeyReused`."""
        body, first, last = cached.commands[key.player, key.key]
        if body != key.body:
            raise KeyReused
        return Change(tuple(await self.games.log(cached, first - 1, last)), replayed=True)


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
