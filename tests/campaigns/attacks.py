"""What attackers at one address cost others: players of their own process, alternating with and without each attack.

Everybody comes through a trusted proxy, so players and attackers have addresses of their own on one machine. The limits
are the default ones. Attackers take what the limits allow: they open games, follow, and repeat a request on many
connections as soon as it is answered.

A request's time is also counted in processor time of the server: what it worked between the request and its answer,
for whomever. On an idle machine with cores to spare both are alike; other work on the machine changes only the first.
"""

import asyncio
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from time import clock_gettime, perf_counter
from typing import Any, NamedTuple

import msgspec
import uvloop

from tests.support.clients import Server
from tests.support.forked import COPIES

RULESET = "skyjo"
PLAYERS, GUESTS = 8, 10
"""Honest players, each with a game of their own, and guests of the attacker."""
CONNECTIONS = 20
"""Of the attacker, for an attack that repeats requests."""
THINKS = 0.02
"""Seconds between a player's answer and the next request."""
ALLOWED = 2.0
"""How many times as long the slowest hundredth of the players' requests may take."""

Json = dict[str, Any]


class Client:
    """A connection through the proxy, of a client with this address."""

    def __init__(self, port: int, address: str, token: str = "") -> None:
        self._port = port
        self._head = f"Host: localhost\r\nX-Forwarded-For: {address}\r\n"
        if token:
            self._head += f"Authorization: Bearer {token}\r\n"
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, bytes]:
        """Status and body of a response with a length; 0 if the connection broke."""
        try:
            reader, _ = await self.send(method, path, body, **headers)
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            if b"content-length:" in head:
                text = await reader.readexactly(int(head.partition(b"content-length:")[2].split()[0]))
            elif b"chunked" in head:
                text = b""
                while (size := int(await reader.readline(), 16)) > 0:
                    text += (await reader.readexactly(size + 2))[:-2]
                await reader.readline()
            else:
                text = b""
            return int(head.split()[1]), text
        except (OSError, EOFError, asyncio.IncompleteReadError):
            self.close()
            return 0, b""

    async def send(
        self, method: str, path: str, body: bytes = b"", **headers: str
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
        length = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n" if body else ""
        self._streams[1].write(f"{method} {path} HTTP/1.1\r\n{self._head}{lines}{length}\r\n".encode() + body)
        return self._streams

    async def json(self, method: str, path: str, body: Any = None) -> Json:
        """The response of a request that must succeed, sooner or later."""
        for _ in range(200):
            status, text = await self.ask(method, path, b"" if body is None else msgspec.json.encode(body))
            if 200 <= status < 300:
                return msgspec.json.decode(text) if text else {}
            assert status == 429, (method, path, status, text)
            await asyncio.sleep(0.2)
        raise AssertionError((method, path))

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


async def register(port: int, address: str) -> str:
    client = Client(port, address)
    token: str = (await client.json("POST", "/v1/players", {"name": "Guest"}))["token"]
    client.close()
    return token


# --- players ------------------------------------------------------------------------------------------------------


class Taken(NamedTuple):
    """The seconds of a read and a move, by the wall clock and of the server's processor."""

    wall: float
    server: float


def processor(pid: int) -> float:
    """The processor time that all threads of a process have taken, in seconds: `clock_getcpuclockid`."""
    return clock_gettime((~pid << 3) | 2)


async def player(port: int, pid: int, number: int, seconds: float, taken: list[Taken]) -> None:
    """Plays a hotseat game: reads it and moves, again and again."""
    address = f"198.51.100.{number + 1}"
    client = Client(port, address, await register(port, address))
    path, end = "", perf_counter() + seconds
    while perf_counter() < end:
        if not path:
            game = await client.json("POST", f"/v1/games/{RULESET}", {"seats": 2, "hotseat": True})
            path = f"/v1/games/{RULESET}/{game['id']}"
        started, worked = perf_counter(), processor(pid)
        status, text = await client.ask("GET", path)
        seen = msgspec.json.decode(text) if status == 200 else {}
        if moves := seen.get("legal_moves"):
            status, _ = await client.ask("POST", f"{path}/moves", msgspec.json.encode(moves[0]))
        assert status in (200, 409, 429), status
        taken.append(Taken(perf_counter() - started, processor(pid) - worked))
        if seen.get("status") != "running":
            path = ""
        await asyncio.sleep(THINKS)
    client.close()


def play(port: int, pid: int, seconds: float) -> list[Taken]:
    """What the reads and moves of all players took. Runs in a process of its own."""

    async def all_of_them() -> list[Taken]:
        taken = list[Taken]()
        await asyncio.gather(*(player(port, pid, number, seconds, taken) for number in range(PLAYERS)))
        return taken

    return uvloop.run(all_of_them())


# --- attackers ----------------------------------------------------------------------------------------------------


class Attacker:
    """Guests at one address, one of whom has a long finished game."""

    def __init__(self, port: int, address: str, begun: Callable[[], object] = lambda: None) -> None:
        """`begun`: called when the attack has its full strength."""
        self.port, self.address, self.begun = port, address, begun
        self.tokens: list[str] = []
        self.game = ""
        self.version = 0
        self.answers = 0

    async def prepare(self) -> None:
        self.tokens = [await register(self.port, self.address) for _ in range(GUESTS)]
        first = self.client()
        seen = await first.json("POST", f"/v1/games/{RULESET}", {"seats": 4, "hotseat": True})
        self.game = f"/v1/games/{RULESET}/{seen['id']}"
        for _ in range(250):
            if seen["status"] != "running":
                break
            seen = (await first.json("POST", f"{self.game}/moves", seen["legal_moves"][-1]))["game"]
        self.version = seen["version"]
        first.close()

    def client(self, number: int = 0) -> Client:
        return Client(self.port, self.address, self.tokens[number % GUESTS])

    async def repeat(self, *requests: tuple[str, str], body: bytes = b"", **headers: str) -> None:
        """These requests, in turn, on all connections, without an end."""

        async def one(number: int) -> None:
            client = self.client(number)
            while True:
                for method, path in requests:
                    await client.ask(method, path, body, **headers)
                    self.answers += 1

        self.begun()
        await asyncio.gather(*(one(number) for number in range(CONNECTIONS)))

    async def hold(self, count: int, path: str, number: int = 0, method: str = "GET", **headers: str) -> list[Client]:
        """Open streams whose events are read and dropped. Returns when all are open."""
        opened, opening = asyncio.Semaphore(0), asyncio.Semaphore(CONNECTIONS)

        async def begin(client: Client) -> asyncio.StreamReader:
            """The stream, as soon as the limits allow it."""
            while True:
                reader, _ = await client.send(method, path, **headers)
                if b" 200 " in await reader.readuntil(b"\r\n\r\n"):
                    return reader
                client.close()
                await asyncio.sleep(0.1)

        async def dropped(client: Client) -> None:
            with suppress(OSError, EOFError):
                async with opening:
                    reader = await begin(client)
                opened.release()
                while await reader.read(65_536):
                    self.answers += 1

        clients = [self.client(number + each) for each in range(count)]
        self.reading = [asyncio.create_task(dropped(each)) for each in clients]
        for _ in clients:
            await opened.acquire()
        return clients


LINES, LIVE = "application/x-ndjson", "text/event-stream"


async def followers(attacker: Attacker) -> None:
    """450 of one guest's own game, in which they move as fast as they may."""
    mover = attacker.client(1)
    seen = await mover.json("POST", f"/v1/games/{RULESET}", {"seats": 2, "hotseat": True})
    path = f"/v1/games/{RULESET}/{seen['id']}"
    await attacker.hold(450, f"{path}/events", 2, Accept=LIVE)
    attacker.begun()
    while True:
        status, text = await mover.ask("GET", path)
        moves = msgspec.json.decode(text).get("legal_moves") if status == 200 else None
        if moves:
            await mover.ask("POST", f"{path}/moves", msgspec.json.encode(moves[-1]))


async def lobby_followers(attacker: Attacker) -> None:
    """1,900 of the lobby, while games are opened and cancelled."""
    await attacker.hold(1_900, "/v1/games", Accept=LIVE)
    attacker.begun()
    opener = attacker.client(3)
    while True:
        status, text = await opener.ask("POST", f"/v1/games/{RULESET}", b'{"seats":2}')
        if status == 201:
            await opener.ask("DELETE", f"/v1/games/{RULESET}/{msgspec.json.decode(text)['id']}")


async def bodies(attacker: Attacker) -> None:
    """600 records of 2 MiB that do not end."""

    async def one(number: int) -> None:
        while True:
            client = attacker.client(number)
            with suppress(OSError, EOFError):
                _, writer = await client.send("POST", "/v1/films", Content_Type="application/json",
                                              Content_Length=str(2**21))  # fmt: skip
                for _ in range(31):
                    writer.write(b" " * 65_536)
                    await writer.drain()
                    await asyncio.sleep(0.2)
                await asyncio.sleep(5)
            client.close()

    attacker.begun()
    await asyncio.gather(*(one(number) for number in range(600)))


async def blocking(attacker: Attacker) -> None:
    path = f"/v1/players/me/blocks/{(await attacker.client(5).json('GET', '/v1/players/me'))['id']}"
    await attacker.repeat(("PUT", path), ("DELETE", path))


async def channel_connections(attacker: Attacker) -> None:
    """2,000 idle connections, and reads on new ones."""
    idle = [await asyncio.open_connection("127.0.0.1", attacker.port) for _ in range(2_000)]
    attacker.begun()
    while idle:
        await attacker.client().ask("GET", "/v1/rulesets", Connection="close")


NUMBERS = b'{"name":[' + b"1," * 32_000 + b"1]}"

ATTACKS: dict[str, Callable[[Attacker], Awaitable[object]]] = {
    "reads of a game": lambda a: a.repeat(("GET", a.game)),
    "NDJSON with patches": lambda a: a.repeat(("GET", f"{a.game}/events?with=patch"), Accept=LINES),
    "pages with patches and tallies": lambda a: a.repeat(("GET", f"{a.game}/events?with=patch,tally&limit=500")),
    "earlier versions": lambda a: a.repeat(("GET", f"{a.game}?at={a.version - 1}")),
    "records": lambda a: a.repeat(("GET", f"{a.game}/record")),
    "audits": lambda a: a.repeat(("GET", f"{a.game}/audit")),
    "lessons": lambda a: a.repeat(("POST", f"/v1/games/{RULESET}/lesson")),
    "block and unblock": blocking,
    "the lobby": lambda a: a.repeat(("GET", "/v1/games?limit=100")),
    "the lobby, 20 games a page": lambda a: a.repeat(("GET", "/v1/games?status=waiting&open=true")),
    "64 kB of numbers": lambda a: a.repeat(("POST", "/v1/players"), body=NUMBERS),
    "unknown paths of 8 kB": lambda a: a.repeat(("GET", "/" + "x" * 8_000)),
    "documents and metrics": lambda a: a.repeat(("GET", "/schema/openapi.json"), ("GET", "/metrics")),
    "450 followers of a game": followers,
    "1,900 followers of the lobby": lobby_followers,
    "600 bodies of 2 MiB": bodies,
    "2,000 connections": channel_connections,
}


# --- the campaign -------------------------------------------------------------------------------------------------


class Row(NamedTuple):
    """Of an attack: p99 in seconds without and with it, by the wall clock and of the server's processor, the requests
    of players, and the server's memory in MiB."""

    name: str
    before: Taken
    during: Taken
    requests: int
    memory: float

    @property
    def times(self) -> Taken:
        return Taken(*(after / before for before, after in zip(self.before, self.during, strict=True)))


def p99(taken: Sequence[Taken]) -> Taken:
    return Taken(*(quantiles(each, n=100)[98] for each in zip(*taken, strict=True)))


def attack(port: int, address: str, name: str, begun: Any) -> None:
    """In a process of its own: attacks until it is killed, and sets `begun`. An attacker has a machine of their own:
    here the server and the players must not wait for a processor because of it, so it is in a session of its own."""
    os.setsid()

    async def attacking() -> None:
        attacker = Attacker(port, address, begun.set)
        await attacker.prepare()
        await ATTACKS[name](attacker)

    uvloop.run(attacking())


@asynccontextmanager
async def under(name: str, port: int, address: str) -> AsyncIterator[None]:
    begun = COPIES.Event()
    process = COPIES.Process(target=attack, args=(port, address, name, begun), daemon=True)
    process.start()
    try:
        assert await asyncio.to_thread(begun.wait, 600), f"{name}: the attacker is not ready"
        await asyncio.sleep(2.0)
        assert process.is_alive(), f"{name}: the attacker has failed"
        yield
    finally:
        process.kill()
        process.join()


async def measured(port: int, pid: int, seconds: float) -> list[Taken]:
    with COPIES.Pool(1) as pool:
        return await asyncio.to_thread(pool.apply, play, (port, pid, seconds))


async def row(server: Server, name: str, rounds: int, seconds: float) -> Row:
    port, pid = int(server.url.rpartition(":")[2]), server.pid
    quiet, loud, memory = list[Taken](), list[Taken](), 0.0
    # A process makes the document once, in a thread: a second or two that no attack repeats.
    await Client(port, "192.0.2.1").ask("GET", "/schema/openapi.json")
    for each in range(rounds):
        quiet += await measured(port, pid, seconds)
        async with under(name, port, f"203.0.113.{each + 1}"):
            loud += await measured(port, pid, seconds)
            memory = max(memory, resident(pid))
        await asyncio.sleep(1.0)
    return Row(name, p99(quiet), p99(loud), len(quiet) + len(loud), memory)


def resident(pid: int) -> float:
    """The memory of a process in MiB."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


def write(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def options(parser: ArgumentParser) -> None:
    parser.add_argument("attacks", nargs="*", help=f"default: all. {', '.join(ATTACKS)}")
    parser.add_argument("--rounds", type=int, default=3, help="turns with and without each attack")
    parser.add_argument("--seconds", type=float, default=6.0, help="of each turn")


def main(given: Namespace) -> int:
    names, failed = given.attacks or [*ATTACKS], []
    heads = "p99", "during it", "times", "of the processor", "during it", "times", "requests", "memory"
    write(f"| attack | {' | '.join(heads)} |\n|---|{'---:|' * len(heads)}")
    for name in names:
        with TemporaryDirectory(prefix="attacks") as folder:
            database = Path(folder) / "games.db"
            with Server(database, access_log=True, trusted_proxies="127.0.0.1", web="off") as server:
                found = asyncio.run(row(server, name, given.rounds, given.seconds))
                assert "Traceback" not in server.errors, server.errors
        cells = [name]
        for before, during, times in zip(found.before, found.during, found.times, strict=True):
            cells += [f"{before * 1000:.1f} ms", f"{during * 1000:.1f} ms", f"{times:.1f}"]
        write(f"| {' | '.join([*cells, f'{found.requests:,}', f'{found.memory:.0f} MiB'])} |")
        if found.times.server > ALLOWED:
            failed.append(name)
    write(f"More than {ALLOWED:g} times: {', '.join(failed) or 'none'}")
    return 1 if failed else 0
