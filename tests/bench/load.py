"""Load on a server, from a process of its own: each client keeps one connection and asks when its last request is
answered."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from statistics import quantiles
from time import perf_counter
from typing import Any, TypeVar

import msgspec
import uvloop

T = TypeVar("T")

APART = get_context("spawn")


class Told(msgspec.Struct):
    """The fields of a game that a client needs."""

    id: str
    status: str
    legal_moves: list[msgspec.Raw]
    version: int = 0


class Moved(msgspec.Struct):
    game: Told


OPENED, MOVED = msgspec.json.Decoder(Told).decode, msgspec.json.Decoder(Moved).decode


class Figures(msgspec.Struct):
    """The result of a run; times in seconds. `cpu` is the server's, its writer included."""

    answered: int
    seconds: float
    p50: float = 0.0
    p99: float = 0.0
    cpu: float = 0.0

    @classmethod
    def of(cls, taken: list[float], seconds: float, cpu: float = 0.0) -> "Figures":
        cuts = quantiles(taken, n=100)
        return cls(len(taken), seconds, cuts[49], cuts[98], cpu)

    @property
    def rate(self) -> float:
        return self.answered / self.seconds

    @property
    def cost(self) -> float:
        """CPU seconds of the server for each."""
        return self.cpu / self.answered


def apart(measure: Callable[..., Coroutine[Any, Any, T]], *given: object) -> T:
    """The result of a coroutine function in a process of its own."""
    with ProcessPoolExecutor(1, APART) as process:
        return process.submit(run, measure, *given).result()


def run(measure: Callable[..., Coroutine[Any, Any, T]], *given: object) -> T:
    return uvloop.run(measure(*given))


class Connection:
    """A minimal HTTP/1.1 client, so that the client does not dominate the measurement."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, token: str) -> None:
        self._reader = reader
        self._writer = writer
        bearer = f"Authorization: Bearer {token}\r\n" if token else ""
        self._headers = f"Host: localhost\r\n{bearer}Content-Type: application/json\r\n".encode()

    async def post(self, path: bytes, body: bytes, key: bytes = b"") -> bytes:
        head = b"POST %b HTTP/1.1\r\n%bContent-Length: %d\r\n" % (path, self._headers, len(body))
        if key:
            head += b"Idempotency-Key: %b\r\n" % key
        return await self._done(head + b"\r\n" + body)

    async def get(self, path: bytes) -> bytes:
        return await self._done(b"GET %b HTTP/1.1\r\n%b\r\n" % (path, self._headers))

    async def open(self, place: bytes, seats: int) -> Told:
        """A new hotseat game."""
        return OPENED(await self.post(place, b'{"seats":%d,"hotseat":true}' % seats))

    async def _done(self, request: bytes) -> bytes:
        status, answer = await self.answer(request)
        assert status < 300, answer
        return answer

    async def answer(self, request: bytes) -> tuple[int, bytes]:
        self._writer.write(request)
        answer = await self._reader.readuntil(b"\r\n\r\n")
        at = answer.lower().index(b"content-length:") + 15
        length = int(answer[at : answer.index(b"\r\n", at)])
        return int(answer[9:12]), await self._reader.readexactly(length)

    def close(self) -> None:
        self._writer.close()


async def connect(port: int, token: str = "") -> Connection:
    return Connection(*await asyncio.open_connection("127.0.0.1", port), token)


async def guests(port: int, count: int) -> list[str]:
    """Tokens of new players; any token if the server has no players."""
    connection = await connect(port)
    body = b'{"name":"Bench"}'
    head = b"POST /v1/players HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    head += b"Content-Length: %d\r\n\r\n"
    answers = [await connection.answer(head % len(body) + body) for _ in range(count)]
    connection.close()
    return [msgspec.json.decode(answer)["token"] if status == 201 else "x" * 200 for status, answer in answers]


Act = Callable[[], Awaitable[object]]
"""Sends one request, and returns whether its time is not to be counted."""


async def clients(port: int, count: int, seconds: float, begin: Callable[[Connection], Awaitable[Act]]) -> Figures:
    """Concurrent clients repeat an act for this time. They start when all are ready."""
    ready, taken = asyncio.Barrier(count), list[float]()

    async def client(token: str) -> None:
        connection = await connect(port, token)
        act = await begin(connection)
        await ready.wait()
        until = perf_counter() + seconds
        while (begun := perf_counter()) < until:
            if not await act():
                taken.append(perf_counter() - begun)
        connection.close()

    await asyncio.gather(*map(client, await guests(port, count)))
    return Figures.of(taken, seconds)


async def moves(port: int, ruleset: str, seats: int, games: int, seconds: float) -> Figures:
    """Each client plays random hotseat games."""
    dice, place = random.Random(1), f"/v1/games/{ruleset}".encode()

    async def begin(connection: Connection) -> Act:
        game, number = await connection.open(place, seats), 0

        async def move() -> bool:
            nonlocal game, number
            if over := game.status != "running":
                game = await connection.open(place, seats)
            else:
                number += 1
                path = place + f"/{game.id}/moves".encode()
                game = MOVED(await connection.post(path, bytes(dice.choice(game.legal_moves)), b"%d" % number)).game
            return over

        return move

    return await clients(port, games, seconds, begin)


async def looks(port: int, path: str, seats: int, count: int, seconds: float) -> Figures:
    """Each client repeats one GET: of the path, or with `seats` of an own game opened below it."""

    async def begin(connection: Connection) -> Act:
        place = path.encode()
        if seats:
            place += f"/{(await connection.open(place, seats)).id}".encode()

        async def look() -> None:
            await connection.get(place)

        return look

    return await clients(port, count, seconds, begin)


async def pings(port: int, path: str, body: str, count: int, seconds: float) -> Figures:
    """Each client repeats one POST."""

    async def begin(connection: Connection) -> Act:
        async def ping() -> None:
            await connection.post(path.encode(), body.encode(), b"1")

        return ping

    return await clients(port, count, seconds, begin)
