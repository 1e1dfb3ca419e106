"""Live streams: hundreds of readers of one busy game. What an event costs, and how long it takes to everyone."""

import asyncio
import random
import re
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from time import perf_counter, process_time, time
from typing import Any

import msgspec
import uvloop

from tests.bench.http import served
from tests.bench.load import Connection, Moved, Told, connect, guests
from tests.support.servers import children

PACE = 0.1
"""Seconds between two moves of the game."""

IDS = re.compile(rb"id: (\d+)\nevent")


class Delivered(msgspec.Struct):
    """Times in seconds; `p50` and `p99` from the decision to the receipt, so with the commit in between."""

    events: int
    cpu: float
    p50: float
    p99: float

    @property
    def cost(self) -> float:
        """Of one event to one reader: seconds of the server's processor, moves and commits included."""
        return self.cpu / self.events


class Reader(asyncio.Protocol):
    """Notes when which event has come."""

    def __init__(self, request: bytes, received: list[tuple[int, float]]) -> None:
        self._request = request
        self._received = received

    def connection_made(self, transport: Any) -> None:
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        now = time()
        self._received += [(int(version), now) for version in IDS.findall(data)]


class Cpu:
    """How many seconds of processor time the process has taken since this was made, and those that it has begun."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._begun = self._ticks()

    def _ticks(self) -> int:
        return sum(ticks(pid) for pid in (self._pid, *children(self._pid)))

    def seconds(self) -> float:
        return (self._ticks() - self._begun) / 100


def ticks(pid: int) -> int:
    """Hundredths of a second of processor time."""
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return int(user) + int(system)


async def measured(port: int, pid: int, ruleset: str, streams: int, seconds: float) -> Delivered:
    """One player plays all seats of a game; the readers, strangers, follow it."""
    (token,) = await guests(port, 1)
    player = await connect(port, token)
    place = f"/v1/games/{ruleset}".encode()
    _, answer = await player.post(place, b'{"seats":3,"hotseat":true}')
    game = msgspec.json.decode(answer, type=Told)
    path = place + b"/" + game.id.encode()
    received: list[tuple[int, float]] = []
    place = path, msgspec.json.decode(answer)["version"]
    ask = b"GET %b/events?after=%d HTTP/1.1\r\nHost: bench\r\nAccept: text/event-stream\r\n\r\n" % place
    loop = asyncio.get_running_loop()
    for _ in range(streams):
        await loop.create_connection(lambda: Reader(ask, received), "127.0.0.1", port)
    await asyncio.sleep(1)
    cpu, decided = Cpu(pid), {}
    await play(player, path, game, perf_counter() + seconds, decided)
    await asyncio.sleep(0.5)
    spent = cpu.seconds()
    delays = quantiles([now - decided[version] for version, now in received if version in decided], n=100)
    return Delivered(len(received), spent, delays[49], delays[98])


async def play(player: Connection, path: bytes, game: Told, until: float, decided: dict[int, float]) -> None:
    """At the pace of a busy table; when each event was decided."""
    dice = random.Random(1)
    while game.status == "running" and perf_counter() < until:
        status, answer = await player.post(path + b"/moves", bytes(dice.choice(game.legal_moves)))
        assert status == 200, answer
        game = msgspec.json.decode(answer, type=Moved).game
        for item in msgspec.json.decode(answer)["events"]:
            decided[item["version"]] = datetime.fromisoformat(item["at"]).timestamp()
        await asyncio.sleep(PACE)
    assert game.status == "running", "the game was over before the time was"


def delivered(ruleset: str, streams: int, seconds: float) -> Delivered:
    """What the readers, in a process of their own, have measured."""
    with TemporaryDirectory() as folder, served("service.app:create", Path(folder), rate_limit="off") as server:
        asked = (*server, ruleset, streams, seconds)
        command = [sys.executable, "-m", "tests.bench.streams", "read", *map(str, asked)]
        return msgspec.json.decode(subprocess.run(command, check=True, capture_output=True).stdout, type=Delivered)


# --- the floor ----------------------------------------------------------------------------------------------------

SIZE = 900
"""Bytes of what a move brings, as a rule."""


class Sink(asyncio.Protocol):
    """Takes what comes."""


def written(streams: int, rounds: int) -> float:
    """Seconds of processor time for writing as many bytes to one of so many connections, with nothing above uvloop."""
    return uvloop.run(_written(streams, rounds))


async def _written(streams: int, rounds: int) -> float:
    loop = asyncio.get_running_loop()
    accepted: asyncio.Queue[Any] = asyncio.Queue()

    class Source(asyncio.Protocol):
        def connection_made(self, transport: Any) -> None:
            accepted.put_nowait(transport)

    server = await loop.create_server(Source, "127.0.0.1", 0)
    place = server.sockets[0].getsockname()
    command = [sys.executable, "-m", "tests.bench.streams", "sink", str(place[1]), str(streams)]
    reader = await asyncio.create_subprocess_exec(*command)
    transports = [await accepted.get() for _ in range(streams)]
    begun = process_time()
    for _ in range(rounds):
        for transport in transports:
            transport.write(bytes(SIZE))
        await asyncio.sleep(PACE)
    spent = process_time() - begun
    reader.terminate()
    await reader.wait()
    return spent / (streams * rounds)


async def sink(port: int, streams: int) -> None:
    loop = asyncio.get_running_loop()
    for _ in range(streams):
        await loop.create_connection(Sink, "127.0.0.1", port)
    await asyncio.Event().wait()


def main(kind: str, *arguments: str) -> None:
    """What runs in processes of their own: `read PORT PID RULESET STREAMS SECONDS` or `sink PORT STREAMS`."""
    if kind == "sink":
        uvloop.run(sink(*map(int, arguments)))
    else:
        port, pid, ruleset, streams, seconds = arguments
        made = uvloop.run(measured(int(port), int(pid), ruleset, int(streams), float(seconds)))
        sys.stdout.write(msgspec.json.encode(made).decode())


if __name__ == "__main__":
    main(*sys.argv[1:])
