"""The same client for programs without `asyncio`: an event loop in a thread runs the asynchronous one."""

import asyncio
import threading
from collections.abc import AsyncGenerator, Coroutine, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Generic, TypeVar, overload

from msgspec import UNSET, UnsetType

from . import models
from .client import PATIENCE, AsyncClient
from .errors import InvalidUrl
from .record import Record
from .ruleset import G, I, Json, M, O, Ruleset, V
from .table import AsyncTable, AsyncTurn, Hint, Made, Question, State, Undo, Viewpoint

T = TypeVar("T")


class _Loop:
    """An event loop in a thread of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="stammtisch-client", daemon=True)
        self._thread.start()

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """The result of the coroutine. An interrupt of the caller cancels it."""
        future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def iterate(self, generator: AsyncGenerator[T, None]) -> Iterator[T]:
        try:
            while True:
                try:
                    yield self.run(_next(generator))
                except StopAsyncIteration:
                    return
        finally:
            self.run(_closed(generator))

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


async def _next(generator: AsyncGenerator[T, None]) -> T:
    return await anext(generator)


async def _closed(generator: AsyncGenerator[Any, None]) -> None:
    await generator.aclose()


class Turn(State[V, M, I]):
    """A choice of the caller's."""

    def __init__(self, loop: _Loop, turn: AsyncTurn[V, M, I]) -> None:
        super().__init__(turn._table, turn._state, turn._view, turn._items)
        self._loop = loop
        self._turn = turn

    def play(self, move: M) -> Made:
        """Make a move, exactly once: see `AsyncTurn.play`."""
        return self._loop.run(self._turn.play(move))


class Table(Generic[G, V, M, I]):
    """A game of a ruleset: see `AsyncTable`."""

    def __init__(self, loop: _Loop, table: AsyncTable[G, V, M, I]) -> None:
        self._loop = loop
        self._table = table

    @property
    def id(self) -> str:
        """The id of the game."""
        return self._table.id

    @property
    def name(self) -> str:
        """Ruleset and id: `RULESET/ID`."""
        return self._table.name

    @property
    def invite(self) -> str | None:
        """The code for others to see and join a private game."""
        return self._table.invite

    def look(self) -> Json:
        """The game as JSON, as the caller sees it."""
        return self._loop.run(self._table.look())

    def history(self, after: int = 0) -> list[Json]:
        """The events after a version, up to now, as JSON as the caller may see them."""
        return self._loop.run(self._table.history(after))

    def game(self) -> G:
        """The game as the caller sees it."""
        return self._loop.run(self._table.game())

    def at(self, version: int, seat: Viewpoint | None = None) -> G:
        """The game as it was at an earlier version: see `AsyncTable.at`."""
        return self._loop.run(self._table.at(version, seat))

    def sit(self, seat: int | None = None, *, entropy: str = "") -> G:
        """Take a seat. The last free seat begins the game."""
        return self._loop.run(self._table.sit(seat, entropy=entropy))

    def ready(self, *, entropy: str = "") -> None:
        """Open the sealed entropy, once all seats are taken. `turns` and `changes` do that by themselves."""
        self._loop.run(self._table.ready(entropy=entropy))

    def leave(self, seat: int | None = None, *, running: bool = False) -> None:
        """Leave the seat, by default the caller's. `running`: also a game that runs."""
        self._loop.run(self._table.leave(seat, running=running))

    def give_time(self, seat: int, seconds: int) -> None:
        """Give another seat time, in a game with a clock."""
        self._loop.run(self._table.give_time(seat, seconds))

    def take_back(self, version: int) -> None:
        """Take back the caller's move that ended with this version, or ask the others."""
        self._loop.run(self._table.take_back(version))

    def vote(self, on: Question, *, yes: bool) -> None:
        """Ask all players to `abort` the game or to `undo` the caller's move, or answer the open question."""
        self._loop.run(self._table.vote(on, yes=yes))

    def rematch(self, *, entropy: str = "") -> str:
        """Sit down in the game that repeats this finished one. Returns its id."""
        return self._loop.run(self._table.rematch(entropy=entropy))

    def hint(self) -> Hint[M]:
        """A hint about the caller's choice: see `AsyncTable.hint`."""
        return self._loop.run(self._table.hint())

    def cancel(self) -> None:
        """Abort the caller's game before it begins."""
        self._loop.run(self._table.cancel())

    def record(self) -> Record:
        """The portable record: complete when the game is over."""
        return self._loop.run(self._table.record())

    def review(self, plan: str = "quick") -> Json | None:
        """The review of a finished game as JSON; None while the service computes it."""
        return self._loop.run(self._table.review(plan))

    def audit(self) -> models.Audit:
        """The service's own verification."""
        return self._loop.run(self._table.audit())

    def play(self, move: M, *, version: int | None = None, key: str | None = None) -> Made:
        """Make a move, exactly once: see `AsyncTable.play`."""
        return self._loop.run(self._table.play(move, version=version, key=key))

    def turns(self) -> Iterator[Turn[V, M, I]]:
        """The caller's choices, each once, until the game is over. A game that has not begun is waited for."""
        for turn in self._loop.iterate(self._table.turns()):
            yield Turn(self._loop, turn)

    def changes(self) -> Iterator[State[V, M, I]]:
        """The table now, and after each change, until the game is over."""
        return self._loop.iterate(self._table.changes())

    def events(self, after: int = 0) -> Iterator[I]:
        """All events after a version, then each as it happens, until the game is over."""
        return self._loop.iterate(self._table.events(after))


class Client:
    """A client of the service at `url`, for one player: see `AsyncClient`."""

    def __init__(
        self, url: str, token: str | None = None, *, patience: float | None = PATIENCE, channel: bool = True
    ) -> None:
        self._loop = _Loop()

        async def made() -> AsyncClient:
            return AsyncClient(url, token, patience=patience, channel=channel)

        try:
            self._client = self._loop.run(made())
        except InvalidUrl:
            self._loop.stop()
            raise

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self._loop.run(self._client.close())
        self._loop.stop()

    @property
    def token(self) -> str | None:
        """The token of the player. Keep a guest's: it cannot be issued again."""
        return self._client.token

    def register(self, name: str, *, bot: bool = False) -> models.Identity:
        """Register as a guest. The client then acts for this player. Programs that play say `bot=True`."""
        return self._loop.run(self._client.register(name, bot=bot))

    def me(self) -> models.Profile:
        """The caller's profile."""
        return self._loop.run(self._client.me())

    def rename(self, name: str | UnsetType = UNSET, face: models.Face | UnsetType | None = UNSET) -> models.Player:
        """Change the name of a guest, the face of a player (None: none), or both."""
        return self._loop.run(self._client.rename(name, face))

    def player(self, id: str) -> models.Profile:
        """The public profile of a player."""
        return self._loop.run(self._client.player(id))

    def rulesets(self) -> list[models.RulesetListed]:
        """The rulesets with their numbers of players."""
        return self._loop.run(self._client.rulesets())

    def ruleset(self, name: str) -> Json:
        """Everything about a ruleset as JSON: see `AsyncClient.ruleset`."""
        return self._loop.run(self._client.ruleset(name))

    def rules(self, name: str, deck: str | None = None) -> models.Explained:
        """The rules as texts, with the cards of a deck, by default the ruleset's first."""
        return self._loop.run(self._client.rules(name, deck))

    def games(
        self, *, ruleset: str | None = None, status: models.Status | None = None, player: str | None = None,
        open: bool = False, bots: bool = True, acting: bool = False, invited: bool = False,
    ) -> Iterator[models.LobbyGame]:  # fmt: skip
        """The games of the lobby, newest first: see `AsyncClient.games`."""
        return self._loop.iterate(
            self._client.games(
                ruleset=ruleset, status=status, player=player, open=open, bots=bots, acting=acting, invited=invited
            )
        )

    def standings(self, ruleset: str, *, bots: bool = True) -> Iterator[models.Standing]:
        """The players of a ruleset, best first."""
        return self._loop.iterate(self._client.standings(ruleset, bots=bots))

    @overload
    def open(
        self, ruleset: Ruleset[G, V, M, I, O], seats: int | Sequence[str | Json], *,
        options: O | Mapping[str, Any] | None = None, deck: str | None = None, private: bool | None = None,
        hotseat: bool | None = None, sit: bool | None = None, clock: Mapping[str, int] | None = None,
        absent: str | None = None, undo: Undo | None = None, entropy: str | None = None, sealed: bool | None = None,
        hints: bool | None = None, puzzles: bool | None = None, key: str | None = None,
    ) -> Table[G, V, M, I]: ...  # fmt: skip

    @overload
    def open(
        self, ruleset: str, seats: int | Sequence[str | Json], *, options: Mapping[str, Any] | None = None,
        deck: str | None = None, private: bool | None = None, hotseat: bool | None = None, sit: bool | None = None,
        clock: Mapping[str, int] | None = None, absent: str | None = None, undo: Undo | None = None,
        entropy: str | None = None, sealed: bool | None = None, hints: bool | None = None,
        puzzles: bool | None = None, key: str | None = None,
    ) -> Table[models.Game, Json, Json, models.EventItem]: ...  # fmt: skip

    def open(self, ruleset: Any, seats: int | Sequence[str | Json], **given: Any) -> Table[Any, Any, Any, Any]:
        """Open a game, once: see `AsyncClient.open`."""
        table: AsyncTable[Any, Any, Any, Any] = self._loop.run(self._client.open(ruleset, seats, **given))
        return Table(self._loop, table)

    @overload
    def table(
        self, ruleset: Ruleset[G, V, M, I, O], id: str, *, invite: str | None = None, as_: Viewpoint | None = None
    ) -> Table[G, V, M, I]: ...

    @overload
    def table(
        self, ruleset: str, id: str, *, invite: str | None = None, as_: Viewpoint | None = None
    ) -> Table[models.Game, Json, Json, models.EventItem]: ...

    def table(
        self, ruleset: Any, id: str, *, invite: str | None = None, as_: Viewpoint | None = None
    ) -> Table[Any, Any, Any, Any]:
        """The game with this id. Nothing is requested. `sit` takes a seat."""
        return Table(self._loop, self._client.table(ruleset, id, invite=invite, as_=as_))

    def tables_to_play(self) -> Iterator[Table[models.Game, Json, Json, models.EventItem]]:
        """Tables at which the caller must act: those of now, then each as it becomes the caller's turn. Never ends."""
        for table in self._loop.iterate(self._client.tables_to_play()):
            yield Table(self._loop, table)
