"""Where the time of a move goes, from socket to socket.

In the server a clock wraps each part of the path. It counts the part's own time: during calls of another part that
part's clock runs, while waiting none does. The cost of the clocks, for callee and caller, is measured in the same
process and subtracted. The rest of the event loop thread's CPU time belongs to the loop: tasks, timers, system calls of
sockets. The writer process is counted separately.
"""

import inspect
from collections import Counter
from collections.abc import Callable, Coroutine, Generator, Iterator
from functools import partial, wraps
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, thread_time
from types import coroutine
from typing import Any, NamedTuple
from urllib.request import urlopen

import msgspec
from litestar import Litestar, get
from litestar.types import ASGIApp

from domain import game
from domain.fairness import chain
from service.api import fast_path, game_resource
from service.api import game_replies as replies
from service.api.contract import Answer, contract
from service.api.fast_path import FastPath
from service.api.input import access
from service.api.input.access import GameAccess
from service.api.routes import games as routes
from service.app import create_app
from service.games import known_games as use_cases
from service.games.cached_game import CachedGame
from service.games.games import Games
from service.http import edge
from service.http.access_log import AccessLog
from service.http.connection import ClientConnection, CoalescingTransport
from service.http.cycle import ResponseCycle
from service.http.rate_limit import RateLimits
from service.http.raw_response import RawResponse
from service.live.subscriptions import Subscriptions
from service.log.game_log import GameLog
from service.log.writer import WriterProcess
from service.process.metrics import Metrics
from service.settings import read
from tests.bench.cpu import Cpu
from tests.bench.http import load, served
from tests.support.servers import writers

READ = "HTTP: what comes is read"
EDGE = "edge middleware"
CALLER = "who calls"
LIMIT = "how often"
NOTED = "metrics and access log"
ROUTE = "routing"
HANDLER = "the route's handler"
BODY = "body, decoded"
VISIT = "the game found, the visitor's seat"
KEY = "the request's key, for exactly-once"
MOVE = "the use case: lock, stale, repeated"
MADE = "made durable, then true in memory"
DECIDE = "legal? decided and evolved"
LISTS = "legal lists, and since when they hold"
ENTRIES = "entries of the log"
REDACT = "redaction"
CHAIN = "chain of hashes"
ROWS = "rows, encoded"
COMMIT = "handed over to the writer and back"
TOLD = "followers told"
VIEW = "the mover's view"
RESOURCE = "resource"
ENCODE = "answer, encoded"
WRITE = "HTTP: the answer is written"

PARTS: dict[str, tuple[tuple[Any, str], ...]] = {
    READ: ((ClientConnection, "data_received"),),
    EDGE: ((edge.EdgeMiddleware, "__call__"),),
    CALLER: ((edge, "read_bearer"),),
    LIMIT: ((RateLimits, "hit"),),
    NOTED: ((Metrics, "observe_request"), (AccessLog, "add"), (AccessLog, "flush")),
    ROUTE: ((FastPath, "__call__"),),
    HANDLER: (),
    BODY: ((routes, "body"),),
    VISIT: (
        (Games, "running"), (GameAccess, "__init__"), (GameAccess, "named_seat"), (GameAccess, "perspective"),
        (GameAccess, "etag"),
    ),
    KEY: ((access, "request_key"),),
    MOVE: ((Games, "execute"),),
    MADE: ((CachedGame, "advance"),),
    DECIDE: ((game, "decide"),),
    LISTS: ((game, "legal"), (CachedGame, "_update_choice_versions")),
    ENTRIES: ((use_cases, "written"), (replies, "redacted")),
    REDACT: ((game, "redact"),),
    CHAIN: ((chain, "entry"), (chain, "link")),
    ROWS: ((use_cases, "_stored"),),
    COMMIT: (
        (GameLog, "put"), (GameLog, "_on_commit"),
        (WriterProcess, "put"), (WriterProcess, "_send"), (WriterProcess, "data_received"),
    ),
    TOLD: ((Games, "_notify"), (Subscriptions, "notify")),
    VIEW: ((Games, "view"), (CachedGame, "view")),
    RESOURCE: ((game_resource, "current_resource"), (game_resource, "_resource")),
    ENCODE: ((replies, "encode"),),
    WRITE: ((RawResponse, "encoded_headers"), (ResponseCycle, "respond"), (CoalescingTransport, "flush")),
}  # fmt: skip
"""The parts and their functions."""

LOOP = "event loop and sockets"
ELSE = "other requests"
"""What is not on a move's fast path; no clock ticks within it."""

WRITER = "the writer's process: commits"

INTERRUPTED = 0.001
"""Seconds. A longer time between two calls means that another process had the core."""


class Taken(msgspec.Struct):
    """Seconds so far, by part, and of the event loop thread."""

    parts: dict[str, float]
    loop: float

    def since(self, before: "Taken") -> "Taken":
        parts = {part: spent - before.parts.get(part, 0) for part, spent in self.parts.items()}
        return Taken(parts, self.loop - before.loop)


class Cost(NamedTuple):
    """The cost of a clock for each call in seconds: for the callee and for the caller."""

    inside: float
    outside: float


class Clock:
    """The clocks of the event loop thread: the running part, and the time of each."""

    def __init__(self) -> None:
        self.spent: Counter[str] = Counter()
        self.calls: Counter[tuple[str, str, bool]] = Counter()
        """By caller, callee, and whether the callee is a coroutine."""
        self._running = [LOOP]
        self._since = perf_counter()

    def enter(self, part: str, steps: bool) -> None:
        running = self._running[-1]
        if running == ELSE:
            part = ELSE
        self._running.append(part)
        self.calls[running, part, steps] += 1
        self._count(running)

    def leave(self) -> None:
        self._count(self._running.pop())

    def _count(self, part: str) -> None:
        now = perf_counter()
        if (span := now - self._since) < INTERRUPTED:
            self.spent[part] += span
        self._since = now

    def wrap(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        if inspect.iscoroutinefunction(function):

            @wraps(function)
            async def stepwise(*given: Any, **named: Any) -> Any:
                return await self._steps(part, function(*given, **named))

            return stepwise

        @wraps(function)
        def at_once(*given: Any, **named: Any) -> Any:
            self.enter(part, False)
            try:
                return function(*given, **named)
            finally:
                self.leave()

        return at_once

    @coroutine
    def _steps(self, part: str, waiting: Coroutine[Any, Any, Any]) -> Generator[Any, None, Any]:
        """Runs the coroutine; the clock stops while it waits."""
        step: Callable[[], Any] = partial(waiting.send, None)
        while True:
            self.enter(part, True)
            try:
                awaited = step()
            except StopIteration as done:
                return done.value
            finally:
                self.leave()
            try:
                yield awaited
            except BaseException as error:
                step = partial(waiting.throw, error)
            else:
                step = partial(waiting.send, None)

    def corrected(self, costs: dict[bool, Cost]) -> dict[str, float]:
        """The time of each part without the cost of the clocks."""
        spent = Counter(self.spent)
        for (caller, called, steps), calls in self.calls.items():
            spent[called] -= calls * costs[steps].inside
            spent[caller] -= calls * costs[steps].outside
        return dict(spent)

    def clocks(self, costs: dict[bool, Cost]) -> float:
        """The cost of all clocks."""
        return sum(calls * sum(costs[steps]) for (_, _, steps), calls in self.calls.items())


def cost(steps: bool, times: int = 100) -> Cost:
    """The cost of a clock: medians of rounds of 200 calls of an empty function."""

    async def waits() -> None: ...

    def does() -> None: ...

    async def often(function: Callable[[], Any]) -> float:
        begun = perf_counter()
        for _ in range(200):
            if steps:
                await function()
            else:
                function()
        return (perf_counter() - begun) / 200

    clock = Clock()
    plain = waits if steps else does
    clocked = clock.wrap(READ, plain)
    insides, wholes = [], []
    for _ in range(times):
        bare, before = run(often(plain)), clock.spent[READ]
        wholes.append(run(often(clocked)) - bare)
        insides.append((clock.spent[READ] - before) / 200 - bare)
    inside = max(0.0, median(insides))
    return Cost(inside, max(0.0, median(wholes) - inside))


def run(never_waits: Coroutine[Any, Any, float]) -> float:
    """Awaits the coroutine and returns its result."""
    try:
        never_waits.send(None)
    except StopIteration as done:
        seconds: float = done.value
        return seconds
    raise AssertionError("it waits")


# --- the server ---------------------------------------------------------------------------------------------------


def create() -> ASGIApp:
    """The application with clocks, and a route that returns their times."""
    clock = Clock()
    for part, functions in PARTS.items():
        for place, name in functions:
            setattr(place, name, clock.wrap(part, getattr(place, name)))
    Litestar.__call__ = clock.wrap(ELSE, Litestar.__call__)  # type: ignore[method-assign]
    make = fast_path._fast_route
    fast_path._fast_route = lambda *given: (route := make(*given))._replace(call=clock.wrap(HANDLER, route.call))
    costs = {steps: cost(steps) for steps in (False, True)}

    @get("/clocks", include_in_schema=False, opt=contract(Answer(200)))
    async def clocks() -> ASGIApp:
        loop = thread_time() - clock.clocks(costs)
        return RawResponse(msgspec.json.encode(Taken(clock.corrected(costs), loop)))

    return create_app(read(), routes=[clocks])


# --- results -------------------------------------------------------------------------------------------------------


class Anatomy(NamedTuple):
    """Seconds for one move: of the parts, of the writer, of both processes without clocks."""

    parts: dict[str, float]
    writer: float
    plain: float

    def rows(self) -> Iterator[tuple[str, str, str]]:
        """Part, time, share of all."""
        whole = sum(self.parts.values()) + self.writer
        for part, seconds in sorted({**self.parts, WRITER: self.writer}.items(), key=lambda each: -each[1]):
            yield part, f"{seconds * 1e6:.1f} µs", f"{seconds / whole:.0%}"
        yield "all", f"{whole * 1e6:.0f} µs", f"{whole / self.plain:.2f} of that without clocks"


def dissected(ruleset: str, seats: int, games: int, seconds: float) -> Anatomy:
    """Moves of this many concurrent games."""
    given = {"rate_limit": "off", "registration_rate_limit": "off", "sqlite_writer": "process"}
    with TemporaryDirectory() as folder, served("service.app:create", Path(folder), **given) as server:
        load("moves", server, ruleset, seats, games, 0.2)
        cpu = Cpu(server.pid)
        moves = load("moves", server, ruleset, seats, games, seconds).answered
        plain = cpu.seconds() / moves
    given["rate_limit"] = "1000000"
    with TemporaryDirectory() as folder, served("tests.bench.anatomy:create", Path(folder), **given) as server:
        load("moves", server, ruleset, seats, games, 0.2)  # the writer starts with the first append
        (pid,) = writers(server.pid)
        writer, before = Cpu(pid), told(server.port)
        moves = load("moves", server, ruleset, seats, games, seconds).answered
        taken, written = told(server.port).since(before), writer.seconds()
    loop = taken.loop - sum(spent for part, spent in taken.parts.items() if part != LOOP)
    parts = taken.parts | {LOOP: loop}
    parts.pop(ELSE)
    return Anatomy({part: spent / moves for part, spent in parts.items()}, written / moves, plain)


def told(port: int) -> Taken:
    with urlopen(f"http://127.0.0.1:{port}/clocks") as answer:
        return msgspec.json.decode(answer.read(), type=Taken)
