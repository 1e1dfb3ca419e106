"""Hints for players who are alone with bots. A process of their own computes them. It takes turns with the process that
makes the choices of bots: a hint delays no move but those of bots that search.

What a hint says follows from what the seat had seen when it asked, and from the head of the game. So a repeated
request gets the same bytes, also after a restart: nothing is stored but the event that says that somebody asked.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from math import ceil
from time import monotonic
from typing import Any, NamedTuple, cast

from msgspec import Raw

from domain import game
from domain.codec import encode
from domain.game.log import Stored, standing_entries
from domain.review import house_hint
from domain.ruleset import Seat
from domain.searching import MOST_SEEN
from service.extensions.hints.questions import HintQuestion
from service.games.cached_game import CachedGame
from service.games.games import Games, in_thread_if_long
from service.games.search_questions import table_of
from service.games.searches import SearchProcess
from service.live.fair_queue import FairQueue, QueueFull
from service.live.network import wide_network
from service.live.shares import NoPlace, Shares
from service.live.single_flight import SingleFlight
from service.process import interpreter

COMMAND = ("-m", f"{interpreter.ROOT}service.extensions.hints.process")
"""The arguments of the interpreter."""

MOST_WAITING, MOST_OF_NETWORK = 24, 8
"""Hints that wait in this process: of all, where the network with most gives way to one with fewer; of one network."""

SLOW = 2.0
"""Seconds that a hint or a choice takes as long as none was measured."""

MEASURED = 8
"""The latest hints whose slowest one says how long others wait."""


class HintsBusy(Exception):
    """Too many hints wait, of a network or of `everybody`. It is worth trying again after this number of seconds."""

    def __init__(self, seconds: int, *, everybody: bool) -> None:
        super().__init__()
        self.seconds, self.everybody = seconds, everybody


class Asked(NamedTuple):
    """What a hint follows from, and the network that asked for it."""

    game: str
    seat: Seat
    version: int
    """When it was asked for."""
    network: str


class Hints:
    """The hints that this process gives."""

    def __init__(self, games: Games, turns: FairQueue, choices: Callable[[], int]) -> None:
        """`turns` are shared with the bots that search, of whose choices so many wait."""
        self._games, self._turns, self._choices = games, turns, choices
        self._process = SearchProcess(COMMAND)
        self._make = SingleFlight(self._made)
        self._took = deque[float](maxlen=MEASURED)
        self._waiting = Shares[asyncio.Task[Any]](MOST_WAITING)
        """The tasks that wait for their turn."""
        self._evicted = set[asyncio.Task[Any]]()
        self._making = 0
        self.made = 0

    async def stop(self) -> None:
        await self._process.stop()

    @property
    def waiting(self) -> int:
        """Those that are being made, too."""
        return len(self._waiting) + self._making

    def known(self, cached: CachedGame, player: str) -> Raw | None:
        """The hint about the current choice of the player, if it is recorded and in memory."""
        seats = cached.game.seats_of(player)
        return _known(cached, seats[0]) if seats else None

    def admit(self, network: str) -> None:
        """Raises `HintsBusy`. Players of a network wait together, or one with many of them would keep others away."""
        if self._waiting.count(network) >= MOST_OF_NETWORK:
            raise self._busy(everybody=False)
        try:
            self._waiting.check(network)
        except NoPlace:
            raise self._busy(everybody=True) from None

    def _busy(self, *, everybody: bool) -> HintsBusy:
        before = self.waiting + self._choices()
        return HintsBusy(ceil(before * max(self._took, default=SLOW)), everybody=everybody)

    async def give(self, cached: CachedGame, asked: Asked) -> Raw:
        """The hint, as JSON. Raises `SearchFailed`, `HintsBusy`, `Unavailable`."""
        if asked.version == cached.game.version and (known := _known(cached, asked.seat)) is not None:
            return known
        hint = await self._make(asked)
        if asked.version == cached.game.version:
            cached.responses[_name(asked.seat)] = hint
        return hint

    async def _made(self, asked: Asked) -> Raw:
        task = cast(asyncio.Task[Any], asyncio.current_task())
        self._take_place(asked.network, task)
        try:
            async with self._turns.turn(wide_network(asked.network)):
                self._waiting.remove(task)
                self._making += 1
                try:
                    began = monotonic()
                    hint = await self._answer(await self._games.find_any(asked.game), asked)
                    self._took.append(monotonic() - began)
                    self.made += 1
                    return hint
                finally:
                    self._making -= 1
        except QueueFull:  # of a wide network
            raise self._busy(everybody=False) from None
        except asyncio.CancelledError:
            if task in self._evicted:
                raise self._busy(everybody=False) from None
            raise
        finally:
            self._waiting.remove(task)
            self._evicted.discard(task)

    def _take_place(self, network: str, task: "asyncio.Task[Any]") -> None:
        """Raises `HintsBusy`. A hint that gives way is recorded, and can be asked for again."""
        try:
            evicted = self._waiting.take(network, task)
        except NoPlace:
            raise self._busy(everybody=True) from None
        if evicted is not None:
            self._evicted.add(evicted)
            evicted.cancel()

    async def _answer(self, cached: CachedGame, asked: Asked) -> Raw:
        if asked.version > MOST_SEEN:
            return await self._of_house(cached, asked)
        entries = await self._games.log(cached, 0, asked.version)
        question = await in_thread_if_long(entries, lambda: _question(cached, asked, entries))
        return Raw((await self._process.answer(question)).rstrip())

    async def _of_house(self, cached: CachedGame, asked: Asked) -> Raw:
        """Of a game that is too long to imagine worlds: the move of the house player, without figures."""
        view = await self._games.view(cached, asked.seat, asked.version)
        return Raw(encode(house_hint(cached.rules, view.state, asked.seat, asked.version)))


def _known(cached: CachedGame, seat: Seat) -> Raw | None:
    now = cached.game
    known: Raw | None = cached.responses.get(_name(seat))
    return known if now.status == "running" and now.hinted == now.table else None


def _name(seat: Seat) -> str:
    """The name of a hint among the responses of a game; those to reads have ETags."""
    return f"hint {seat}"


def _question(cached: CachedGame, asked: Asked, entries: list[Stored[object, object]]) -> bytes:
    rules, stood = cached.rules, standing_entries(entries)
    seen = [game.redact(rules, entry.event, asked.seat) for entry in stood]
    about = stood[-1]
    return encode(HintQuestion(table_of(rules, cached.game, asked.seat, seen), about.version, about.head))
