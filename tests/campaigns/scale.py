"""Many open games in PostgreSQL: what a cold move costs over HTTP, and the memory of a process that has touched them.

Games are copied in the database from a few that were played, so a million takes minutes. No figure may grow with their
number.
"""

import asyncio
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from itertools import chain, cycle, islice
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, NamedTuple

import msgspec
import psycopg

from domain.rulesets import RULESETS
from service import databases
from service.runtime import MEBIBYTE
from service.settings import read
from tests.bench.cpu import Cpu
from tests.bench.http import Served, served
from tests.support import servers

RULESET = next(iter(RULESETS))
TEMPLATES = 16
"""Games that are played; the others are their copies."""
AT_ONCE = 32
"""Connections of the client."""

BOUNDS = {
    "p50": (0, 1.1), "processor time": (0, 1.1), "reads": (1, 1.01), "appends": (1, 1.01),
    "one in five cold": (0.8, 9), "one in five cold, by processor time": (0.8, 9), "memory": (0, 1.1),
}  # fmt: skip
"""At least and at most. p50 and processor time of a cold move: of the most games to the fewest; reads and appends of a
move; moves for a second, and for one of the processor, with one cold in five, to hot ones; memory that the games took,
to the budget."""


class Figures(NamedTuple):
    """Of a cold move, one at a time: seconds, seconds of the processor, reads and appends. Moves for a second of the
    processor: hot ones, and with one cold in five; and moves a second. The bytes that the games take, how many they
    are, and the bytes of the log."""

    games: int
    p50: float
    p99: float
    processor: float
    reads: float
    appends: float
    hot: float
    mixed: float
    hot_rate: float
    mixed_rate: float
    memory: int
    cached: int
    log: int


class Client:
    """A connection that is kept open."""

    def __init__(self, port: int, token: str = "") -> None:
        self._port, self._head = port, "Host: localhost\r\n"
        if token:
            self._head += f"Authorization: Bearer {token}\r\n"
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def send(self, method: str, path: str, body: Any = None) -> bytes:
        """The body of the response, which must be a success."""
        if self._streams is None or self._streams[0].at_eof():  # the service closes idle connections
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._streams
        content = b"" if body is None else msgspec.json.encode(body)
        kind = "Content-Type: application/json\r\n" if content else ""
        head = f"{method} {path} HTTP/1.1\r\n{self._head}{kind}Content-Length: {len(content)}\r\n\r\n"
        writer.write(head.encode() + content)
        answer = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        found = await reader.readexactly(int(answer.partition("content-length: ")[2].partition("\r")[0]))
        if answer.split()[1] not in ("200", "201"):
            raise RuntimeError(f"{method} {path}: {answer.split()[1]} {found.decode()}")
        return found

    async def json(self, method: str, path: str, body: Any = None) -> Any:
        return msgspec.json.decode(await self.send(method, path, body))


class Player:
    """One player, who has all seats of all games, and their next moves."""

    def __init__(self, port: int, token: str) -> None:
        self.clients = [Client(port, token) for _ in range(AT_ONCE)]
        self.dice = Random(3)
        self.legal: dict[str, list[Any]] = {}

    async def open(self, events: int) -> str | None:
        """A game with this number of events; None if it was over before."""
        body = {"seats": min(RULESETS[RULESET].seats), "hotseat": True}
        seen = await self.clients[0].json("POST", f"/v1/games/{RULESET}", body)
        self.legal[game := seen["id"]] = seen["legal_moves"]
        while self.legal[game] and seen["version"] < events:
            seen = (await self.move(game))["game"]
        return game if self.legal[game] else None

    async def move(self, game: str, client: int = 0) -> Any:
        """Make a move of the game, with one request."""
        path = f"/v1/games/{RULESET}/{game}/moves"
        made = await self.clients[client].json("POST", path, self.dice.choice(self.legal[game]))
        self.legal[game] = made["game"]["legal_moves"]
        return made

    async def each(self, games: Sequence[str], *, look: bool = False) -> None:
        """Make a move of each of the games that still run, or look at it, over all connections."""
        waiting = iter(games)

        async def work(client: int) -> None:
            for game in waiting:
                if look:
                    await self.clients[client].send("GET", f"/v1/games/{RULESET}/{game}")
                elif self.legal[game]:
                    await self.move(game, client)

        await asyncio.gather(*map(work, range(AT_ONCE)))


def name(number: int) -> str:
    return f"01a21ef7-3085-7bbb-abee-{number:012d}"


def copy(url: str, ids: Sequence[str], count: int) -> int:
    """Copy the games up to this number, at positions below all that come later. Returns the size of the log."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SET synchronous_commit = off")
        for number, source in enumerate(ids):
            connection.execute(
                "INSERT INTO stammtisch_events (originator_id, originator_version, topic, state, notification_id) "
                "SELECT '01a21ef7-3085-7bbb-abee-' || lpad(n::text, 12, '0'), originator_version, topic, state, "
                "    -1 - (n::bigint * 1000 + originator_version) "
                "FROM generate_series(%s::int, %s::int, %s::int) AS n, stammtisch_events WHERE originator_id = %s",
                (number, count - 1, len(ids), source),
            )
        connection.execute("VACUUM ANALYZE stammtisch_events")
        connection.execute("CHECKPOINT")
        ((size,),) = connection.execute("SELECT pg_total_relation_size('stammtisch_events')").fetchall()
        return int(size)


def resident(pid: int) -> int:
    """Bytes of a process in memory."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096


async def metrics(client: Client) -> dict[str, float]:
    lines = (await client.send("GET", "/metrics")).decode().splitlines()
    return {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in lines if not line.startswith("#")}


def counted(found: dict[str, float], operation: str) -> float:
    return found[f'stammtisch_database_seconds_count{{operation="{operation}"}}']


async def cold_moves(server: Served, player: Player, games: Sequence[str]) -> tuple[float, float, float, float, float]:
    """p50 and p99, seconds of the processor, reads and appends of a move in games that are not in memory."""
    before, cpu, times = await metrics(player.clients[0]), Cpu(server.pid), []
    for game in games:
        begun = perf_counter()
        await player.move(game)
        times.append(perf_counter() - begun)
    used, after = cpu.seconds(), await metrics(player.clients[0])
    reads, appends = [(counted(after, each) - counted(before, each)) / len(games) for each in ("read", "commit")]
    times.sort()
    return median(times), times[len(times) * 99 // 100], used / len(games), reads, appends


async def rates(server: Served, player: Player, known: Sequence[str], cold: Sequence[str]) -> list[float]:
    """Moves for a second of the processor: hot ones, and with one cold in five; the same for a second. In turns: the
    machine is shared."""
    again, part = cycle(known), max(1, len(cold) // 4)
    hot, mixed = list[tuple[float, float]](), list[tuple[float, float]]()
    for begin in range(0, 4 * part, part):
        some = cold[begin : begin + part]
        warm = [*islice(again, 4 * len(some))]
        fifths = [(*warm[4 * number : 4 * number + 4], each) for number, each in enumerate(some)]
        for games, found in ((warm, hot), ([*chain.from_iterable(fifths)], mixed)):
            running, cpu, begun = sum(bool(player.legal[game]) for game in games), Cpu(server.pid), perf_counter()
            await player.each(games)
            found.append((running / cpu.seconds(), running / (perf_counter() - begun)))
    return [median([each[number] for each in found]) for number in (0, 1) for found in (hot, mixed)]


async def measured(url: str, count: int, given: Namespace) -> Figures:
    secret = {"secret": "x" * 32, "rate_limit": "off", "max_open_games": "1000", "access_log": "false"}
    with TemporaryDirectory() as folder:

        def service(mib: float) -> Any:
            return served("service.app:create", Path(folder), database=url, max_cached_mib=str(mib), **secret)

        with service(100_000) as server:
            registered = await Client(server.port).json("POST", "/v1/players", {"name": "Ann"})
            player, ids = Player(server.port, registered["token"]), list[str]()
            while len(ids) < TEMPLATES:
                ids += filter(None, [await player.open(given.events)])
            begun = perf_counter()
            size = await asyncio.to_thread(copy, url, ids, count)
            sys.stderr.write(f"{count} games copied in {perf_counter() - begun:.0f} s\n")
            numbers = Random(5).sample(range(count), min(count, 2 * given.sample + given.sample // 3))
            player.legal |= {name(number): player.legal[ids[number % TEMPLATES]] for number in numbers}
            rest: Iterator[str] = map(name, numbers)
            await player.each([*islice(rest, given.sample // 3)])  # connections, plans and caches
            known = [*islice(rest, given.sample)]
            moves = await cold_moves(server, player, known)
            found = await rates(server, player, known, [*rest])
        with service(given.mib) as server:
            player = Player(server.port, registered["token"])
            await player.each(ids, look=True)
            before = resident(server.pid)
            await player.each([name(number) for number in range(min(count, given.touched))], look=True)
            memory = resident(server.pid) - before
            cached = int((await metrics(player.clients[0]))["stammtisch_cached_games"])
    return Figures(count, *moves, *found, memory, cached, size)  # type: ignore[call-arg, arg-type]


def judged(few: Figures, many: Figures, budget: float) -> list[tuple[str, float, bool]]:
    """Each figure of `BOUNDS`, and whether it holds."""
    found = {
        "p50": many.p50 / few.p50, "processor time": many.processor / few.processor, "reads": many.reads,
        "appends": many.appends, "one in five cold": many.mixed_rate / many.hot_rate,
        "one in five cold, by processor time": many.mixed / many.hot, "memory": many.memory / budget,
    }  # fmt: skip
    return [(key, value, BOUNDS[key][0] <= value <= BOUNDS[key][1]) for key, value in found.items()]


def options(parser: ArgumentParser) -> None:
    parser.add_argument("--games", type=int, nargs=2, default=[10_000, 100_000], help="the fewest and the most")
    parser.add_argument("--events", type=int, default=49, help="events of each game")
    parser.add_argument("--sample", type=int, default=1_000, help="games that are measured")
    parser.add_argument("--touched", type=int, default=100_000, help="games that are read for the memory")
    parser.add_argument("--mib", type=float, default=200, help="the budget for games in memory")


def main(given: Namespace) -> int:
    found = []
    for count in given.games:
        with servers.postgres() as server:
            databases.migrate(read({}, database=server.url()))
            each = asyncio.run(measured(server.url(), count, given))
        sys.stdout.write(
            f"{each.games} games: a cold move p50 {each.p50 * 1000:.1f} ms, p99 {each.p99 * 1000:.1f} ms, processor "
            f"{each.processor * 1000:.2f} ms; for a second of the processor {each.hot:.0f} hot moves, {each.mixed:.0f} "
            f"with one in five cold; a second {each.hot_rate:.0f} and {each.mixed_rate:.0f}; "
            f"{each.memory / MEBIBYTE:.0f} MiB for {each.cached} games in memory; log {each.log / 1e9:.2f} GB\n"
        )
        sys.stdout.flush()
        found.append(each)
    few, many = found
    verdict = judged(few, many, given.mib * MEBIBYTE)
    for key, value, holds in verdict:
        sys.stdout.write(f"{key}: {value:.2f}{'' if holds else f': NOT WITHIN {BOUNDS[key]}'}\n")
    return int(not all(holds for *_, holds in verdict))
