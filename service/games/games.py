"""The use cases: open a game, sit down, stand up, move, look. Load, decide, append, answer.

A game that is played is kept in memory; the log is the truth all the same. Whoever changes a game holds its lock,
decides on the state in memory and appends at the version he decided on. If another process was faster the append
conflicts: the game is read on, the move is judged again on the table as it is now, and only a move that is no longer
legal is refused.
"""

import asyncio
import os
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Any, Protocol, TypeAlias, TypeVar
from weakref import WeakValueDictionary

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain import game
from domain.codec import canonical, encode
from domain.deck import Deck
from domain.fairness import chain
from domain.game import Decision, Game, Player, Rules
from domain.log import Command, Entry, Stored, redacted, written
from domain.messages import Value
from domain.ruleset import Illegal, Seat, Viewer
from domain.rulesets import VERSIONS
from projections.header import GameHeader, choosing, header
from projections.views import Views, view
from service.clock import earlier, keyed_id, new_id, now
from service.cluster.version_cache import UNKNOWN, CachedVersion, VersionCache
from service.live.single_flight import SingleFlight
from service.live.subscriptions import Subscriptions
from service.store.errors import Conflict, Unavailable
from service.store.event_store import Store
from service.store.rows import Row

T = TypeVar("T")

TAIL = 32  # entries of a game that are kept in memory at least, for views and readers that are a little behind

LONG = 200
"""So many events at once are hashed or folded aside: the others need not wait for it."""


class NoSuchGame(Exception):
    """There is no game of that ruleset under that id."""


class TooManyGames(Exception):
    """The player has as many unfinished games as he may have."""


class StorageExhausted(Exception):
    """The games that the player opened take as many bytes as they may. `used` and `allowed` are bytes."""

    def __init__(self, used: int, allowed: int) -> None:
        self.used = used
        self.allowed = allowed


class NoSuchVersion(Exception):
    """The game has not come to that version."""


class KeyReused(Exception):
    """The player has used the key in this game for another request."""


class Stale(Exception):
    """The choice that the client decided on is gone. `missed` is what has happened since, redacted for `seat`, for
    which the move would be now."""

    def __init__(self, version: int, seat: Seat, missed: Sequence[Entry[Any]] = ()) -> None:
        self.version = version
        self.seat = seat
        self.missed = missed


class MoveRejected(Exception):
    """The move is illegal. Carries what the seat may do instead."""

    def __init__(self, version: int, decision: int | None, legal_moves: list[Any]) -> None:
        self.version = version
        self.decision = decision
        self.legal_moves = legal_moves


class Request(Value):
    """A key under which a request may be repeated, and the hash of what it says."""

    key: str
    body: str


def request_of(key: str | None, *said: Any) -> Request | None:
    """The request, if it has a key. What it says is compared by content, so spaces in a body are nothing."""
    return None if key is None else Request(key, sha256(canonical(said)).hexdigest()[:32])


class CachedGame:
    """A game in memory: the truth, the end of its log, its views, and since when each seat has its choice."""

    __slots__ = (
        "__weakref__", "_acting", "_decided", "_door", "answers", "commands", "created_at", "game", "invite", "lock",
        "outdated", "rules", "tail", "views",
    )  # fmt: skip

    def __init__(self, rules: Rules, game_id: str) -> None:
        self.rules = rules
        self.game = Game(game_id)
        self.tail: list[Stored[Any]] = []
        self.views = Views(rules, game_id)
        self.commands: dict[tuple[str, str], tuple[str, int, int]] = {}
        self.created_at = ""
        self.invite = ""
        """Of a private game, from before anybody can look at it."""
        self.lock = asyncio.Lock()
        self.outdated = False
        """Whether the log may hold more than is known here: an append has ended without an answer."""
        self.answers: dict[str, bytes] = {}
        """The game as it was sent at this version, by ETag."""
        self._acting: tuple[Seat, ...] = ()
        self._decided: dict[Seat, int] = {}
        self._door: GameHeader | None = None

    @classmethod
    def of(cls, rules: Rules, game_id: str, log: Sequence[Stored[Any]]) -> "CachedGame":
        """The game that its whole log tells of."""
        # Since when the seats have their choices is found near the end, as a rule. Then the rest is folded in one go,
        # which takes half the time.
        recent = 16 * log[0].event.seats
        past = next((number for number in range(len(log) - recent, 0, -1) if not log[number - 1].more), 0)
        cached = cls(rules, game_id)
        if past:
            cached._pass_over(log[:past])
        cached.read_on(log[past:])
        if past and len(cached._decided) < log[0].event.seats:
            cached = cls(rules, game_id)
            cached.read_on(log)
        return cached

    def _pass_over(self, entries: Sequence[Stored[Any]]) -> None:
        """Take in the first entries of the log, without noting since when the seats have their choices."""
        self.game = game.fold(self.rules, self.game, [entry.event for entry in entries])
        self.created_at = entries[0].at
        self.tail = list(entries[-TAIL:])
        self._acting = game.to_act(self.rules, self.game)
        for entry in entries:
            if entry.command is not None:
                self._remember(entry, entry.command)

    @property
    def header(self) -> GameHeader:
        if self._door is None:
            self._door = header(self.game, self.tail[-1].head, self._acting, self.invite)
        return self._door

    @property
    def head(self) -> bytes:
        return bytes.fromhex(self.tail[-1].head) if self.tail else chain.root(self.game.id)

    def read_on(self, entries: Sequence[Stored[Any]]) -> None:
        """Take in entries from the log."""
        begin = 0
        for end, entry in enumerate(entries, 1):
            if not entry.more:
                appended = entries[begin:end]
                self.advance(game.fold(self.rules, self.game, [each.event for each in appended]), appended)
                begin = end

    def advance(self, after: Game, entries: Sequence[Stored[Any]]) -> None:
        """The entries of one append, and the game after them."""
        first = entries[0]
        if not self.tail:
            self.created_at = first.at
        if first.command is not None:
            self._remember(first, first.command)
        before, self.game = self.game, after
        self.answers.clear()
        self._note_decisions(before, first.by)
        self.tail += entries
        if self._door is not None and before.status == after.status == "running":  # nobody comes or goes
            self._door = replace(self._door, version=after.version, head=entries[-1].head, acting=self._acting)
        else:
            self._door = None
        if len(self.tail) > 2 * TAIL:
            self.views.catch_up(self.tail)
            del self.tail[:-TAIL]

    def _remember(self, first: Stored[Any], command: Command) -> None:
        """The command that the append which begins with this entry answers."""
        self.commands[command.player, command.key] = command.body, first.version, first.version + first.more

    def _note_decisions(self, before: Game, mover: Seat | None) -> None:
        """A seat's choice is another one when it arose, vanished, changed or was made. Others' moves do not count."""
        after, rules = self.game, self.rules
        acted, self._acting = self._acting, game.to_act(rules, after)
        for seat in acted + self._acting:
            stays = seat != mover and seat in acted and seat in self._acting
            if not (stays and game.legal(rules, before, seat) == game.legal(rules, after, seat)):
                self._decided[seat] = after.version

    def decision(self, seat: Seat | None) -> int | None:
        """The version at which the seat's present choice arose; None if it has none."""
        return self._decided.get(seat) if seat is not None and seat in self._acting else None

    def decided_since(self, seat: Seat, version: int) -> bool:
        """Whether the seat's choice at that version is gone."""
        return self._decided.get(seat, 0) > version

    def choosing(self, player: str) -> Seat | None:
        """The seat that the player's move is for if it names none."""
        return choosing(self.header.seats_of(player), self._acting)

    def chosen_since(self, seat: Seat, version: int) -> bool:
        """Whether a hotseat player, whose `choosing` seat is now this one, had another choice at that version.

        If no lower seat's choice has changed since, none of them had a choice then: `choosing` was this seat.
        """
        return any(self.decided_since(each, version) for each in range(seat + 1))

    def to_act(self) -> tuple[Seat, ...]:
        return self._acting

    def view(self, viewer: Viewer) -> Game | None:
        """The game as the viewer sees it now; None if he has not looked for longer than the log reaches back here."""
        return self.views.of(viewer, self.tail) if self.tail[0].version <= self.views.behind(viewer) + 1 else None


class Change(Value):
    """What a command led to: the entries of its append, whole; `replayed` if the request had been answered before."""

    entries: tuple[Stored[Any], ...]
    replayed: bool


Decide: TypeAlias = Callable[[Game], Decision]


@dataclass
class Admission:
    """What comes of a request that was admitted: the bytes of what is opened."""

    bytes: int = 0


class Admit(Protocol):
    """Within it a player comes to another game, which they open or join."""

    def __call__(self, player: Player, *, opens: bool) -> AbstractAsyncContextManager[Admission, bool | None]: ...


@asynccontextmanager
async def everybody(player: Player, *, opens: bool) -> AsyncIterator[Admission]:  # noqa: ARG001
    """May come."""
    yield Admission()


async def uninvited(_: str) -> str:
    """No game has an invite."""
    return ""


class Games:
    """All games of this process.

    `size` bounds how many games stay in memory. `shared` says that other processes append to the log as well. New
    versions go to the `version_cache`, which tells other processes, and to the `subscriptions` of this one. `admit`
    raises `TooManyGames` or `StorageExhausted` for players who may not open or join another game. `invite` returns the
    invite of a private game by its id, always the same; it raises `Unavailable`. New games and branches have at most
    `longest` events. Games that have waited for players for `patience` seconds are aborted. Without these two there is
    no limit.
    """

    def __init__(
        self, store: Store, *, size: int, shared: bool, subscriptions: Subscriptions | None = None,
        version_cache: VersionCache | None = None, admit: Admit = everybody,
        invite: Callable[[str], Awaitable[str]] = uninvited, longest: int | UnsetType = UNSET,
        patience: float | None = None,
    ) -> None:  # fmt: skip
        self._store = store
        self._hub = subscriptions or Subscriptions()
        self._board = version_cache
        self._admit = admit
        self._invite = invite
        self._longest = longest
        self._patience = patience
        self._size = size
        self._shared = shared
        self._live: OrderedDict[str, CachedGame] = OrderedDict()
        # Also those that are no longer kept, but in the hands of some request: no game is in memory twice, for the one
        # would not see what is done to the other.
        self._held: WeakValueDictionary[str, CachedGame] = WeakValueDictionary()
        self._load = SingleFlight(self._read)
        self.moves = 0

    def __len__(self) -> int:
        return len(self._live)

    # --- looking ---

    async def find(self, rules: Rules, game_id: str, cached_version: CachedVersion | None = None) -> CachedGame:
        """The game as the log has it; `notice` is what the board knew of it since it was asked for.

        Raises `NoSuchGame`, `Unavailable`.
        """
        cached = await self._find(game_id, cached_version)
        if cached.rules.name != rules.name:
            raise NoSuchGame
        return cached

    def running(self, rules: Rules, game_id: str) -> CachedGame | None:
        """The game as it is known here, if it runs: good enough to move in, for who sits where stays, and a move is
        judged against the log anyway."""
        cached = self._live.get(game_id)
        if cached is None or cached.outdated or cached.game.status != "running" or cached.rules.name != rules.name:
            return None
        self._live.move_to_end(game_id)
        return cached

    async def _find(self, game_id: str, cached_version: CachedVersion | None = None) -> CachedGame:
        if cached_version is None:
            cached_version = UNKNOWN if self._board is None else await self._board.ask(game_id)
        cached = self._held.get(game_id)
        if cached is None and game_id not in self._load:
            cached = await self._load(game_id)
        else:
            cached = self._keep(cached or await self._load(game_id))
            if cached.outdated or (self._shared and not cached_version.confirms(cached.game.version)):
                await self._read_on(cached, cached_version.known)
        if cached.game.status == "waiting" and self.is_overdue(cached.created_at):
            await self._expire(cached)
        if self._board is not None and not cached_version.confirms(cached.game.version):
            await self._board.fill(game_id, cached_version, cached.header)
        return cached

    def is_overdue(self, created_at: str) -> bool:
        """Whether a game that was opened then and still waits for players is to be aborted."""
        return self._patience is not None and created_at <= earlier(now(), self._patience)

    async def _expire(self, cached: CachedGame) -> None:
        """Abort a game that has waited for too long. Where that cannot be recorded now it waits on."""
        with suppress(Unavailable):
            async with cached.lock:
                if cached.outdated:
                    await self._read_on_locked(cached)
                while cached.game.status == "waiting":
                    try:
                        await self._append(cached, game.expire(cached.rules, cached.game), None)
                    except Conflict:
                        await self._read_on_locked(cached)

    def version(self, game_id: str) -> int:
        """The version in memory; 0 if the game is not there."""
        cached = self._held.get(game_id)
        return 0 if cached is None or cached.outdated else cached.game.version

    async def stands(self, game_id: str, at: GameHeader) -> bool:
        """Whether the log ends at that door. Raises `Unavailable`."""
        end = await self._store.read(game_id, at.version - 1)
        return len(end) == 1 and bool(end[0].head == at.head)

    async def _read(self, game_id: str) -> CachedGame:
        def made(log: list[Any]) -> CachedGame:
            if not log or not isinstance(log[0], Stored):
                raise NoSuchGame
            return CachedGame.of(VERSIONS[log[0].event.rules], game_id, log)

        cached = await self._store.load(game_id, made)
        if game.agreed(cached.game).private:
            cached.invite = await self._invite(game_id)
        return self._keep(cached)

    async def _read_on(self, cached: CachedGame, known: int = 0) -> None:
        async with cached.lock:
            await self._read_on_locked(cached, known)

    async def _read_on_locked(self, cached: CachedGame, known: int = 0) -> None:
        """Take in what is new in the log; the board knows of everything to version `known`."""
        if entries := await self._store.read(cached.game.id, cached.game.version):
            cached.read_on(entries)
            await self._tell(cached, known)
        cached.outdated = False

    async def _tell(self, cached: CachedGame, known: int = 0) -> None:
        """The other processes first: nobody is to see here what is not to be seen there."""
        try:
            if self._board is not None and known < cached.game.version:
                await self._board.publish(cached.game.id, cached.header)
        finally:
            self._hub.tell(cached.game.id)

    async def heard(self, game_id: str, version: int | None = None) -> None:
        """Another process has brought the game to that version, or may have: what is followed here is read on.

        Raises `Unavailable`.
        """
        cached = self._held.get(game_id)
        if cached is None or game_id not in self._hub.followed:
            return
        if version is None or cached.game.version < version:
            await self._read_on(cached, version or 0)

    def _keep(self, cached: CachedGame) -> CachedGame:
        """Keep the game in memory, or the same one that is there already, and let the one go that was asked for least
        recently."""
        cached = self._live[cached.game.id] = self._held.setdefault(cached.game.id, cached)
        self._live.move_to_end(cached.game.id)
        if len(self._live) > self._size:
            self._live.popitem(last=False)
        return cached

    async def log(self, cached: CachedGame, after: int = 0, upto: int | None = None) -> list[Stored[Any]]:
        """The game's entries from version `after + 1` on, to version `upto` where there are more."""
        last = cached.game.version if upto is None else min(upto, cached.game.version)
        if after >= last:
            return []
        first = cached.tail[0].version
        if first <= after + 1:
            return cached.tail[after + 1 - first : last + 1 - first]
        return await self._store.read(cached.game.id, after, last)

    async def view(self, cached: CachedGame, viewer: Viewer, at: int | None = None) -> Game:
        """The game as the viewer sees it, now or as of version `at`. Raises `NoSuchVersion`.

        Now is when he asks: while the log is read on, his seat may become another's, and so may what it sees.
        """
        at = cached.game.version if at is None else at
        while at == cached.game.version:
            if (seen := cached.view(viewer)) is not None:
                return seen
            log = await self.log(cached, cached.views.behind(viewer))
            if cached.tail[0].version <= log[-1].version + 1:  # else the game has run away from us meanwhile
                cached.views.of(viewer, log)
        if not 0 < at <= cached.game.version:
            raise NoSuchVersion
        log = (await self.log(cached))[:at]
        return await _aside(log, lambda: view(cached.rules, Game(cached.game.id), log, viewer))

    async def truth(self, cached: CachedGame, at: int | None = None) -> Game:
        """The game with everything laid open. Raises `NoSuchVersion`."""
        if at is None or at == cached.game.version:
            return cached.game
        if not 0 < at <= cached.game.version:
            raise NoSuchVersion
        log = (await self.log(cached))[:at]
        return await _aside(log, lambda: game.fold(cached.rules, Game(cached.game.id), [entry.event for entry in log]))

    # --- changing ---

    async def open(
        self, rules: Rules, opener: Player, seats: int, options: Any, deck: Deck[Any],
        *, private: bool, hotseat: bool, sit: bool, entropy: str, request: Request | None,
    ) -> tuple[CachedGame, Change]:  # fmt: skip
        """Open a game; with a key exactly once.

        Raises `InvalidSetup`, `TooManyGames`, `StorageExhausted`, `KeyReused`, `Unavailable`.
        """
        opened = game.terms(
            rules, seats, options, deck.data, opener, os.urandom(32), private=private, hotseat=hotseat,
            longest=self._longest,
        )  # fmt: skip
        return await self._open(
            rules, opener, request, lambda game_id: game.open_game(rules, game_id, opened, sit=sit, entropy=entropy)
        )

    async def branch(
        self, parent: CachedGame, player: Player, at: int, request: Request | None
    ) -> tuple[CachedGame, Change]:
        """Open a game that continues a finished one from version `at` on; with a key exactly once.

        Within an append it is continued from the append's end, for what follows from a move follows from it here, too.
        Raises `NotFinished`, `NothingToContinue`, `TooManyGames`, `StorageExhausted`, `KeyReused`, `Unavailable`.
        """
        if not parent.game.revealed:
            raise game.NotFinished
        if at > parent.game.version:
            raise game.NothingToContinue(f"The game has no version {at}, its last is {parent.game.version}.")
        log = await self.log(parent)
        past = log[: at + log[at - 1].more]
        events, by = [entry.event for entry in past], [entry.by for entry in past]
        return await self._open(
            parent.rules, player, request,
            lambda game_id: game.branch(parent.rules, game_id, parent.game.id, events, by, player, self._longest),
        )  # fmt: skip

    async def _open(
        self, rules: Rules, opener: Player, request: Request | None, begin: Callable[[str], Decision]
    ) -> tuple[CachedGame, Change]:
        cached = CachedGame(rules, new_id() if request is None else keyed_id(opener.id, request.key))
        if request is not None and (done := await self._opened_before(cached.game.id, opener, request)):
            return done
        try:
            async with self._admit(opener, opens=True) as admission:
                decided = begin(cached.game.id)
                if game.agreed(decided.game).private:  # drawn first: a game that is opened has one, even after a crash
                    cached.invite = await self._invite(cached.game.id)
                change = await self._append(cached, decided, _command(opener, request))
                admission.bytes = await _aside(change.entries, lambda: sum(map(len, map(encode, change.entries))))
        except (Conflict, TooManyGames, StorageExhausted):  # the same request, sent at the same time, was faster
            if request is not None and (done := await self._opened_before(cached.game.id, opener, request)):
                return done
            raise
        return self._keep(cached), change

    async def _opened_before(self, game_id: str, opener: Player, request: Request) -> tuple[CachedGame, Change] | None:
        try:
            cached = await self._find(game_id)
        except NoSuchGame:
            return None
        change = await self._replayed(cached, opener, request)
        if change is None:  # the game's id follows from the key, but a game that was imported knows no keys any more
            raise KeyReused
        return cached, change

    async def join(
        self, cached: CachedGame, player: Player, seat: Seat | None, entropy: str, request: Request | None
    ) -> Change:
        """Sit down.

        Raises `NotWaiting`, `AlreadySeated`, `SeatTaken`, `TooRestless`, `TooManyGames`, `KeyReused`, `Unavailable`.
        """

        def decide(current: Game) -> Decision:
            return game.join(cached.rules, current, player, seat, entropy)

        repeated = request is not None and (player.id, request.key) in cached.commands
        if repeated or cached.header.seats_of(player.id):
            return await self._change(cached, player, request, decide)
        try:
            async with self._admit(player, opens=False):
                return await self._change(cached, player, request, decide)
        except TooManyGames:
            if self._shared:
                await self._read_on(cached)
            if request is None or (player.id, request.key) not in cached.commands:
                raise
            return await self._change(cached, player, request, decide)  # the same request was faster

    async def leave(self, cached: CachedGame, player: Player, seat: Seat, request: Request | None) -> Change:
        """Stand up. Raises `NotSeated`, `NotWaiting`, `KeyReused`, `Unavailable`."""
        return await self._change(
            cached, player, request, lambda current: game.leave(cached.rules, current, player, seat)
        )

    async def cancel(self, cached: CachedGame, player: Player, request: Request | None) -> Change:
        """Give up a game that waits. Raises `NotOpener`, `NotWaiting`, `KeyReused`, `Unavailable`."""
        return await self._change(cached, player, request, lambda current: game.cancel(cached.rules, current, player))

    async def move(
        self, cached: CachedGame, player: Player, seat: Seat | None, chosen: Any, request: Request | None,
        decided_on: int | None,
    ) -> Change:  # fmt: skip
        """Make a move, decided on at version `decided_on` if that is given.

        Without a seat it is made for the player's seat that has the choice. Each attempt to decide the move chooses the
        seat again, because the game in memory may be behind the log.

        Raises `NotSeated`, `MoveRejected`, `Stale`, `KeyReused`, `Unavailable`.
        """

        def decide(current: Game) -> Decision:
            mover = cached.choosing(player.id) if seat is None else seat
            if mover is None or not current.sits(player.id, mover):  # until the game began it may have become another's
                raise game.NotSeated
            if decided_on is not None:
                changed = cached.chosen_since if seat is None else cached.decided_since
                if decided_on > current.version or changed(mover, decided_on):
                    raise Stale(current.version, mover)
            try:
                return game.move(cached.rules, current, mover, chosen)
            except (Illegal, game.NotRunning):
                raise MoveRejected(
                    current.version, cached.decision(mover), game.legal(cached.rules, current, mover)
                ) from None

        try:
            change = await self._change(cached, player, request, decide)
        except Stale as stale:
            # At version 0 nobody has decided anything: that is not from us, so nothing has been missed since.
            missed = await self.log(cached, decided_on, stale.version) if decided_on else []
            entries = [redacted(cached.rules, entry, stale.seat) for entry in missed]
            raise Stale(stale.version, stale.seat, entries) from None
        if not change.replayed:
            self.moves += 1
        return change

    async def _change(self, cached: CachedGame, player: Player, request: Request | None, decide: Decide) -> Change:
        async with cached.lock:
            repeated = request is not None and (player.id, request.key) in cached.commands
            if cached.outdated or (self._shared and repeated):  # the answer shows the game as it is by now
                await self._read_on_locked(cached)
            up_to_date = not self._shared
            while True:
                if request is not None and (change := await self._replayed(cached, player, request)):
                    return change
                try:
                    decided = decide(cached.game)
                except Exception:
                    if up_to_date:
                        raise
                    # Refused on the table as it is known here. If another process has moved on it may be right by now.
                    await self._read_on_locked(cached)
                    up_to_date = True
                    continue
                try:
                    return await self._append(cached, decided, _command(player, request))
                except Conflict:
                    await self._read_on_locked(cached)

    async def _replayed(self, cached: CachedGame, player: Player, request: Request) -> Change | None:
        """The answer to a request that was made before, from the log. Raises `KeyReused`."""
        known = cached.commands.get((player.id, request.key))
        if known is None:
            return None
        body, first, last = known
        if body != request.body:
            raise KeyReused
        return Change(tuple((await self.log(cached, first - 1))[: last - first + 1]), replayed=True)

    async def _append(self, cached: CachedGame, decided: Decision, command: Command | None) -> Change:
        """Make the decision durable, then true in memory. Raises `Conflict`, `Unavailable`."""
        at = max(now(), cached.tail[-1].at) if cached.tail else now()  # time never runs back within a game
        if len(decided.events) < LONG:
            entries = written(cached.rules, decided, cached.head, at, command)
        else:
            entries = await asyncio.to_thread(written, cached.rules, decided, cached.head, at, command)
        kind, stream = cached.rules.rules, cached.game.id
        rows = [Row(stream, entry.version, topic(kind, entry.event.__class__), entry) for entry in entries]
        try:
            try:
                await self._store.append(rows)
            except Conflict:
                # A database that lost the connection may have committed it all the same: then our last entry is there.
                if not await self._is_logged(rows[-1]):
                    raise
        except BaseException:
            cached.outdated = True
            raise
        cached.advance(decided.game, entries)
        if self._board is None:
            self._hub.tell(stream)
        else:
            await self._tell(cached)
        return Change(entries, replayed=False)

    async def _is_logged(self, row: Row) -> bool:
        logged = await self._store.read(row.stream, row.version - 1)
        return bool(logged) and bool(logged[0].head == row.value.head)


async def _aside(events: Sequence[Any], work: Callable[[], T]) -> T:
    """What the work on these events comes to, which is done in a thread where there are many."""
    return work() if len(events) < LONG else await asyncio.to_thread(work)


def tag(event: Any) -> str:
    """The event's name on the wire; also that of its type."""
    return str(event.__struct_config__.tag)


@cache
def topic(kind: str, event: Any) -> str:
    """What the log calls events of that type in streams of that kind."""
    return f"{kind}.{tag(event)}"


def _command(player: Player, request: Request | None) -> Command | None:
    return None if request is None else Command(player.id, request.key, request.body)
