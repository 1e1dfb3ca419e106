"""The use cases: open a game, sit down, stand up, move, look. Load, decide, append, answer.

A game that is played is kept in memory; the log is the truth all the same. Whoever changes a game holds its lock,
decides on the state in memory and appends at the version he decided on. If another process was faster the append
conflicts: the game is read on, the move is judged again on the table as it is now, and only a move that is no longer
legal is refused.
"""

import asyncio
import os
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Any, Protocol, TypeAlias, TypeVar
from weakref import WeakValueDictionary

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain import chain, game
from domain.deck import Deck
from domain.game import Decision, Game, Player, Rules
from domain.log import Command, Entry, Stored, redacted, written
from domain.messages import Value
from domain.ruleset import Illegal, Seat, Viewer
from domain.rulesets import VERSIONS
from domain.wire import canonical, encode
from projections.views import Views, view
from service.clock import earlier, keyed_id, new_id, now
from service.commits import Conflict, Unavailable
from service.doors import Door, door
from service.hub import Hub
from service.noticeboard import UNKNOWN, Notice, Noticeboard
from service.store import Row, Store

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
    """The choice that the client decided on is no longer the one before it. `missed` is what has happened since."""

    def __init__(self, version: int, missed: Sequence[Entry[Any]]) -> None:
        self.version = version
        self.missed = missed


class Refused(Exception):
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


class Live:
    """A game in memory: the truth, the end of its log, its views, and since when each seat has its choice."""

    __slots__ = (
        "__weakref__", "_acting", "_decided", "_door", "answers", "commands", "created_at", "game", "lock", "outdated",
        "rules", "tail", "views",
    )  # fmt: skip

    def __init__(self, rules: Rules, game_id: str) -> None:
        self.rules = rules
        self.game = Game(game_id)
        self.tail: list[Stored[Any]] = []
        self.views = Views(rules, game_id)
        self.commands: dict[tuple[str, str], tuple[str, int, int]] = {}
        self.created_at = ""
        self.lock = asyncio.Lock()
        self.outdated = False
        """Whether the log may hold more than is known here: an append has ended without an answer."""
        self.answers: dict[str, bytes] = {}
        """The game as it was sent at this version, by ETag."""
        self._acting: tuple[Seat, ...] = ()
        self._decided: dict[Seat, int] = {}
        self._door: Door | None = None

    @classmethod
    def of(cls, rules: Rules, game_id: str, log: Sequence[Stored[Any]]) -> "Live":
        """The game that its whole log tells of."""
        # Since when the seats have their choices is found near the end, as a rule. Then the rest is folded in one go,
        # which takes half the time.
        recent = 16 * log[0].event.seats
        past = next((number for number in range(len(log) - recent, 0, -1) if not log[number - 1].more), 0)
        live = cls(rules, game_id)
        if past:
            live._pass_over(log[:past])
        live.read_on(log[past:])
        if past and len(live._decided) < log[0].event.seats:
            live = cls(rules, game_id)
            live.read_on(log)
        return live

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
    def door(self) -> Door:
        if self._door is None:
            self._door = door(self.game, self.tail[-1].head, self._acting)
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


class Games:
    """All games. `size` bounds how many stay in memory; `shared` says that other processes write to the log, too.

    Whatever becomes known of a game here, the `board` tells the other processes, and the `hub` those who follow it.
    `admit` raises `TooManyGames` or `StorageExhausted` for players who may not come to another game. New games and
    branches are at most `longest` events long, and games are aborted that have waited for players for `patience`
    seconds; without these there is no bound.
    """

    def __init__(
        self, store: Store, *, size: int, shared: bool, hub: Hub | None = None, board: Noticeboard | None = None,
        admit: Admit = everybody, longest: int | UnsetType = UNSET, patience: float | None = None,
    ) -> None:  # fmt: skip
        self._store = store
        self._hub = hub or Hub()
        self._board = board
        self._admit = admit
        self._longest = longest
        self._patience = patience
        self._size = size
        self._shared = shared
        self._live: OrderedDict[str, Live] = OrderedDict()
        # Also those that are no longer kept, but in the hands of some request: no game is in memory twice, for the one
        # would not see what is done to the other.
        self._held: WeakValueDictionary[str, Live] = WeakValueDictionary()
        self._loading: dict[str, asyncio.Task[Live]] = {}
        self.moves = 0

    def __len__(self) -> int:
        return len(self._live)

    # --- looking ---

    async def find(self, rules: Rules, game_id: str, notice: Notice | None = None) -> Live:
        """The game as the log has it; `notice` is what the board knew of it since it was asked for.

        Raises `NoSuchGame`, `Unavailable`.
        """
        live = await self._find(game_id, notice)
        if live.rules.name != rules.name:
            raise NoSuchGame
        return live

    def at_hand(self, rules: Rules, game_id: str) -> Live | None:
        """The game as it is known here, if it runs: good enough to move in, for who sits where stays, and a move is
        judged against the log anyway."""
        live = self._live.get(game_id)
        if live is None or live.outdated or live.game.status != "running" or live.rules.name != rules.name:
            return None
        self._live.move_to_end(game_id)
        return live

    async def _find(self, game_id: str, notice: Notice | None = None) -> Live:
        if notice is None:
            notice = UNKNOWN if self._board is None else await self._board.ask(game_id)
        live = self._held.get(game_id)
        if live is None and game_id not in self._loading:
            live = await self._load(game_id)
        else:
            live = self._keep(live or await self._load(game_id))
            if live.outdated or (self._shared and not notice.confirms(live.game.version)):
                await self._read_on(live, notice.known)
        if live.game.status == "waiting" and self.is_overdue(live.created_at):
            await self._expire(live)
        if self._board is not None and not notice.confirms(live.game.version):
            await self._board.fill(game_id, notice, live.door)
        return live

    def is_overdue(self, created_at: str) -> bool:
        """Whether a game that was opened then and still waits for players is to be aborted."""
        return self._patience is not None and created_at <= earlier(now(), self._patience)

    async def _expire(self, live: Live) -> None:
        """Abort a game that has waited for too long. Where that cannot be recorded now it waits on."""
        with suppress(Unavailable):
            async with live.lock:
                if live.outdated:
                    await self._read_on_locked(live)
                while live.game.status == "waiting":
                    try:
                        await self._append(live, game.expire(live.rules, live.game), None)
                    except Conflict:
                        await self._read_on_locked(live)

    def version(self, game_id: str) -> int:
        """The version in memory; 0 if the game is not there."""
        live = self._held.get(game_id)
        return 0 if live is None or live.outdated else live.game.version

    async def stands(self, game_id: str, at: Door) -> bool:
        """Whether the log ends at that door. Raises `Unavailable`."""
        end = await self._store.read(game_id, at.version - 1)
        return len(end) == 1 and bool(end[0].head == at.head)

    async def _load(self, game_id: str) -> Live:
        """Whoever asks for a game that is being read waits for the same reading."""
        task = self._loading.get(game_id)
        if task is None:
            task = self._loading[game_id] = asyncio.ensure_future(self._read(game_id))
            task.add_done_callback(lambda _: self._loading.pop(game_id, None))
        return await asyncio.shield(task)

    async def _read(self, game_id: str) -> Live:
        def made(log: list[Any]) -> Live:
            if not log or not isinstance(log[0], Stored):
                raise NoSuchGame
            return Live.of(VERSIONS[log[0].event.rules], game_id, log)

        return self._keep(await self._store.load(game_id, made))

    async def _read_on(self, live: Live, known: int = 0) -> None:
        async with live.lock:
            await self._read_on_locked(live, known)

    async def _read_on_locked(self, live: Live, known: int = 0) -> None:
        """Take in what is new in the log; the board knows of everything to version `known`."""
        if entries := await self._store.read(live.game.id, live.game.version):
            live.read_on(entries)
            await self._tell(live, known)
        live.outdated = False

    async def _tell(self, live: Live, known: int = 0) -> None:
        """The other processes first: nobody is to see here what is not to be seen there."""
        try:
            if self._board is not None and known < live.game.version:
                await self._board.publish(live.game.id, live.door)
        finally:
            self._hub.tell(live.game.id)

    async def heard(self, game_id: str, version: int | None = None) -> None:
        """Another process has brought the game to that version, or may have: what is followed here is read on.

        Raises `Unavailable`.
        """
        live = self._held.get(game_id)
        if live is None or game_id not in self._hub.followed:
            return
        if version is None or live.game.version < version:
            await self._read_on(live, version or 0)

    def _keep(self, live: Live) -> Live:
        """Keep the game in memory, or the same one that is there already, and let the one go that was asked for least
        recently."""
        live = self._live[live.game.id] = self._held.setdefault(live.game.id, live)
        self._live.move_to_end(live.game.id)
        if len(self._live) > self._size:
            self._live.popitem(last=False)
        return live

    async def log(self, live: Live, after: int = 0, upto: int | None = None) -> list[Stored[Any]]:
        """The game's entries from version `after + 1` on, to version `upto` where there are more."""
        last = live.game.version if upto is None else min(upto, live.game.version)
        if after >= last:
            return []
        first = live.tail[0].version
        if first <= after + 1:
            return live.tail[after + 1 - first : last + 1 - first]
        return await self._store.read(live.game.id, after, last)

    async def view(self, live: Live, viewer: Viewer, at: int | None = None) -> Game:
        """The game as the viewer sees it, now or as of version `at`. Raises `NoSuchVersion`.

        Now is when he asks: while the log is read on, his seat may become another's, and so may what it sees.
        """
        at = live.game.version if at is None else at
        while at == live.game.version:
            if (seen := live.view(viewer)) is not None:
                return seen
            log = await self.log(live, live.views.behind(viewer))
            if live.tail[0].version <= log[-1].version + 1:  # else the game has run away from us meanwhile
                live.views.of(viewer, log)
        if not 0 < at <= live.game.version:
            raise NoSuchVersion
        log = (await self.log(live))[:at]
        return await _aside(log, lambda: view(live.rules, Game(live.game.id), log, viewer))

    async def truth(self, live: Live, at: int | None = None) -> Game:
        """The game with everything laid open. Raises `NoSuchVersion`."""
        if at is None or at == live.game.version:
            return live.game
        if not 0 < at <= live.game.version:
            raise NoSuchVersion
        log = (await self.log(live))[:at]
        return await _aside(log, lambda: game.fold(live.rules, Game(live.game.id), [entry.event for entry in log]))

    # --- changing ---

    async def open(
        self, rules: Rules, opener: Player, seats: int, options: Any, deck: Deck[Any],
        *, private: bool, hotseat: bool, sit: bool, entropy: str, request: Request | None,
    ) -> tuple[Live, Change]:  # fmt: skip
        """Open a game; with a key exactly once.

        Raises `Unfit`, `TooManyGames`, `StorageExhausted`, `KeyReused`, `Unavailable`.
        """
        opened = game.terms(
            rules, seats, options, deck.data, opener, os.urandom(32), private=private, hotseat=hotseat,
            longest=self._longest,
        )  # fmt: skip
        return await self._open(
            rules, opener, request, lambda game_id: game.open_game(rules, game_id, opened, sit=sit, entropy=entropy)
        )

    async def branch(self, parent: Live, player: Player, at: int, request: Request | None) -> tuple[Live, Change]:
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
    ) -> tuple[Live, Change]:
        live = Live(rules, new_id() if request is None else keyed_id(opener.id, request.key))
        if request is not None and (done := await self._opened_before(live.game.id, opener, request)):
            return done
        try:
            async with self._admit(opener, opens=True) as admission:
                decided = begin(live.game.id)
                change = await self._append(live, decided, _command(opener, request))
                admission.bytes = await _aside(change.entries, lambda: sum(map(len, map(encode, change.entries))))
        except (Conflict, TooManyGames, StorageExhausted):  # the same request, sent at the same time, was faster
            if request is not None and (done := await self._opened_before(live.game.id, opener, request)):
                return done
            raise
        return self._keep(live), change

    async def _opened_before(self, game_id: str, opener: Player, request: Request) -> tuple[Live, Change] | None:
        try:
            live = await self._find(game_id)
        except NoSuchGame:
            return None
        change = await self._replayed(live, opener, request)
        if change is None:  # the game's id follows from the key, but a game that was imported knows no keys any more
            raise KeyReused
        return live, change

    async def join(
        self, live: Live, player: Player, seat: Seat | None, entropy: str, request: Request | None
    ) -> Change:
        """Sit down.

        Raises `NotWaiting`, `AlreadySeated`, `SeatTaken`, `TooRestless`, `TooManyGames`, `KeyReused`, `Unavailable`.
        """

        def decide(current: Game) -> Decision:
            return game.join(live.rules, current, player, seat, entropy)

        repeated = request is not None and (player.id, request.key) in live.commands
        if repeated or live.door.seats_of(player.id):
            return await self._change(live, player, request, decide)
        try:
            async with self._admit(player, opens=False):
                return await self._change(live, player, request, decide)
        except TooManyGames:
            if self._shared:
                await self._read_on(live)
            if request is None or (player.id, request.key) not in live.commands:
                raise
            return await self._change(live, player, request, decide)  # the same request was faster

    async def leave(self, live: Live, player: Player, seat: Seat, request: Request | None) -> Change:
        """Stand up. Raises `NotSeated`, `NotWaiting`, `KeyReused`, `Unavailable`."""
        return await self._change(live, player, request, lambda current: game.leave(live.rules, current, player, seat))

    async def cancel(self, live: Live, player: Player, request: Request | None) -> Change:
        """Give up a game that waits. Raises `NotOpener`, `NotWaiting`, `KeyReused`, `Unavailable`."""
        return await self._change(live, player, request, lambda current: game.cancel(live.rules, current, player))

    async def move(
        self, live: Live, player: Player, seat: Seat, chosen: Any, request: Request | None, decided_on: int | None
    ) -> Change:
        """Make a move, decided on at version `decided_on` if that is given.

        Raises `NotSeated`, `Refused`, `Stale`, `KeyReused`, `Unavailable`.
        """

        def decide(current: Game) -> Decision:
            if not current.sits(player.id, seat):  # until the game began it may have become another's
                raise game.NotSeated
            if decided_on is not None and (decided_on > current.version or live.decided_since(seat, decided_on)):
                raise Stale(current.version, ())
            try:
                return game.move(live.rules, current, seat, chosen)
            except (Illegal, game.NotRunning):
                raise Refused(current.version, live.decision(seat), game.legal(live.rules, current, seat)) from None

        try:
            change = await self._change(live, player, request, decide)
        except Stale as stale:
            # At version 0 nobody has decided anything: that is not from us, so nothing has been missed since.
            missed = await self.log(live, decided_on) if decided_on else []
            raise Stale(stale.version, [redacted(live.rules, entry, seat) for entry in missed]) from None
        if not change.replayed:
            self.moves += 1
        return change

    async def _change(self, live: Live, player: Player, request: Request | None, decide: Decide) -> Change:
        async with live.lock:
            repeated = request is not None and (player.id, request.key) in live.commands
            if live.outdated or (self._shared and repeated):  # the answer shows the game as it is by now
                await self._read_on_locked(live)
            up_to_date = not self._shared
            while True:
                if request is not None and (change := await self._replayed(live, player, request)):
                    return change
                try:
                    decided = decide(live.game)
                except Exception:
                    if up_to_date:
                        raise
                    # Refused on the table as it is known here. If another process has moved on it may be right by now.
                    await self._read_on_locked(live)
                    up_to_date = True
                    continue
                try:
                    return await self._append(live, decided, _command(player, request))
                except Conflict:
                    await self._read_on_locked(live)

    async def _replayed(self, live: Live, player: Player, request: Request) -> Change | None:
        """The answer to a request that was made before, from the log. Raises `KeyReused`."""
        known = live.commands.get((player.id, request.key))
        if known is None:
            return None
        body, first, last = known
        if body != request.body:
            raise KeyReused
        return Change(tuple((await self.log(live, first - 1))[: last - first + 1]), replayed=True)

    async def _append(self, live: Live, decided: Decision, command: Command | None) -> Change:
        """Make the decision durable, then true in memory. Raises `Conflict`, `Unavailable`."""
        at = max(now(), live.tail[-1].at) if live.tail else now()  # time never runs back within a game
        if len(decided.events) < LONG:
            entries = written(live.rules, decided, live.head, at, command)
        else:
            entries = await asyncio.to_thread(written, live.rules, decided, live.head, at, command)
        kind, stream = live.rules.rules, live.game.id
        rows = [Row(stream, entry.version, topic(kind, entry.event.__class__), entry) for entry in entries]
        try:
            try:
                await self._store.append(rows)
            except Conflict:
                # A database that lost the connection may have committed it all the same: then our last entry is there.
                if not await self._is_logged(rows[-1]):
                    raise
        except BaseException:
            live.outdated = True
            raise
        live.advance(decided.game, entries)
        if self._board is None:
            self._hub.tell(stream)
        else:
            await self._tell(live)
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
