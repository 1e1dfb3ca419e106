"""Live streams: hundreds of readers of one busy game. The CPU time of an event, and its latency to each reader."""

import asyncio
import random
import re
from collections.abc import Sequence
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from time import perf_counter, process_time, time
from typing import Any

import msgspec
import uvloop

from service import databases, settings
from tests.bench.cpu import Cpu
from tests.bench.http import served
from tests.bench.load import APART, MOVED, Connection, Told, apart, connect, guests, run
from tests.support import servers

PACE = 0.1
"""Seconds between two moves of the game."""

IDS = re.compile(rb"id: (\d+)\nevent")


class Delivered(msgspec.Struct):
    """Times in seconds; `p50` and `p99` from the decision to the receipt, commit included."""

    events: int
    cpu: float
    p50: float
    p99: float

    @property
    def cost(self) -> float:
        """CPU seconds of the server for one event to one reader, moves and commits included."""
        return self.cpu / self.events


class Reader(asyncio.Protocol):
    """Notes the time of arrival of each event."""

    def __init__(self, request: bytes, received: list[tuple[int, float]]) -> None:
        self._request = request
        self._received = received

    def connection_made(self, transport: Any) -> None:
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        now = time()
        self._received += [(int(version), now) for version in IDS.findall(data)]


async def measured(
    ports: Sequence[int], pids: Sequence[int], ruleset: str, streams: int, seconds: float, query: str = ""
) -> Delivered:
    """One player plays all seats of a game in the first process; strangers follow it in all of them. `query` is added
    to that of the stream."""
    port = ports[0]
    (token,) = await guests(port, 1)
    player = await connect(port, token)
    place = f"/v1/games/{ruleset}".encode()
    game = await player.open(place, 3)
    path = place + b"/" + game.id.encode()
    received: list[tuple[int, float]] = []
    head = b"HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n"
    ask = b"GET %b/events?after=%d" % (path, game.version) + query.encode() + b" " + head
    loop = asyncio.get_running_loop()
    for number in range(streams):
        await loop.create_connection(lambda: Reader(ask, received), "127.0.0.1", ports[number % len(ports)])
    await asyncio.sleep(1)
    cpus, decided = [Cpu(pid) for pid in pids], dict[int, float]()
    await play(player, path, game, perf_counter() + seconds, decided)
    await asyncio.sleep(0.5)
    spent = sum(cpu.seconds() for cpu in cpus)
    delays = quantiles([now - decided[version] for version, now in received if version in decided], n=100)
    return Delivered(len(received), spent, delays[49], delays[98])


async def play(player: Connection, path: bytes, game: Told, until: float, decided: dict[int, float]) -> None:
    """Play at the pace of fast players. Returns the time of each decision."""
    dice = random.Random(1)
    while game.status == "running" and perf_counter() < until:
        answer = await player.post(path + b"/moves", bytes(dice.choice(game.legal_moves)))
        game = MOVED(answer).game
        for item in msgspec.json.decode(answer)["events"]:
            decided[item["version"]] = datetime.fromisoformat(item["at"]).timestamp()
        await asyncio.sleep(PACE)
    assert game.status == "running", "the game was over before the time was"


def delivered(ruleset: str, streams: int, seconds: float, query: str = "") -> Delivered:
    """The measurement of the readers in a separate process."""
    with TemporaryDirectory() as folder, served("service.app:create", Path(folder), rate_limit="off") as server:
        return apart(measured, [server.port], [server.pid], ruleset, streams, seconds, query)


def bystanders(ruleset: str, streams: int, seconds: float) -> Delivered:
    """The same over two processes on PostgreSQL and Redis."""
    with ExitStack() as stack:
        postgres, redis = stack.enter_context(servers.postgres()), stack.enter_context(servers.redis())
        databases.migrate(settings.read({}, database=postgres.url()))
        given = {"database": postgres.url(), "redis": redis.url, "secret": "x" * 32, "rate_limit": "off"}
        both = [
            stack.enter_context(served("service.app:create", Path(stack.enter_context(TemporaryDirectory())), **given))
            for _ in range(2)
        ]
        return apart(measured, [each.port for each in both], [each.pid for each in both], ruleset, streams, seconds)


# --- the floor ----------------------------------------------------------------------------------------------------

SIZE = 900
"""Typical bytes of a message."""


class Sink(asyncio.Protocol):
    """Reads and discards everything."""


def written(streams: int, rounds: int) -> float:
    """CPU seconds to write the same bytes to one of this many connections, with uvloop alone."""
    return uvloop.run(_written(streams, rounds))


async def _written(streams: int, rounds: int) -> float:
    loop = asyncio.get_running_loop()
    accepted: asyncio.Queue[Any] = asyncio.Queue()

    class Source(asyncio.Protocol):
        def connection_made(self, transport: Any) -> None:
            accepted.put_nowait(transport)

    server = await loop.create_server(Source, "127.0.0.1", 0)
    reader = APART.Process(target=run, args=(sink, server.sockets[0].getsockname()[1], streams))
    reader.start()
    transports = [await accepted.get() for _ in range(streams)]
    begun = process_time()
    for _ in range(rounds):
        for transport in transports:
            transport.write(bytes(SIZE))
        await asyncio.sleep(PACE)
    spent = process_time() - begun
    reader.terminate()
    reader.join()
    return spent / (streams * rounds)


async def sink(port: int, streams: int) -> None:
    loop = asyncio.get_running_loop()
    for _ in range(streams):
        await loop.create_connection(Sink, "127.0.0.1", port)
    await asyncio.Event().wait()
