"""Load on a server: each client keeps one connection and sends a request when the last one is answered."""

import asyncio
import random
import sys
from statistics import quantiles
from time import perf_counter
from typing import Any

import msgspec
import uvloop


class Told(msgspec.Struct):
    """The fields of a game that a client needs."""

    id: str
    status: str
    legal_moves: list[msgspec.Raw]


class Moved(msgspec.Struct):
    game: Told


class Figures(msgspec.Struct):
    """The result of a run; times in seconds. `cpu` is the server's, its writer included."""

    answered: int
    seconds: float
    p50: float = 0.0
    p99: float = 0.0
    cpu: float = 0.0

    @property
    def rate(self) -> float:
        return self.answered / self.seconds

    @property
    def cost(self) -> float:
        """CPU seconds of the server for each."""
        return self.cpu / self.answered


class Connection:
    """A minimal HTTP/1.1 client, so that the client does not dominate the measurement."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, token: str) -> None:
        self._reader = reader
        self._writer = writer
        bearer = f"Authorization: Bearer {token}\r\n" if token else ""
        self._headers = f"Host: bench\r\n{bearer}Content-Type: application/json\r\n".encode()

    async def post(self, path: bytes, body: bytes, key: bytes = b"") -> tuple[int, bytes]:
        head = b"POST %b HTTP/1.1\r\n%bContent-Length: %d\r\n" % (path, self._headers, len(body))
        if key:
            head += b"Idempotency-Key: %b\r\n" % key
        return await self._answer(head + b"\r\n" + body)

    async def get(self, path: bytes) -> tuple[int, bytes]:
        return await self._answer(b"GET %b HTTP/1.1\r\n%b\r\n" % (path, self._headers))

    async def _answer(self, request: bytes) -> tuple[int, bytes]:
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
    """Tokens of new players; empty tokens if the server has no players."""
    connection = await connect(port)
    tokens = []
    for _ in range(count):
        status, answer = await connection.post(b"/v1/players", b'{"name":"Bench"}')
        tokens.append(msgspec.json.decode(answer)["token"] if status == 201 else "x" * 200)
    connection.close()
    return tokens


async def play(
    port: int, ruleset: str, seats: int, token: str, dice: random.Random, ready: asyncio.Barrier, seconds: float,
    taken: list[float],
) -> None:  # fmt: skip
    """Play random hotseat games until the time is over. It starts when all clients are ready."""
    connection = await connect(port, token)
    moved, opened = msgspec.json.Decoder(Moved), msgspec.json.Decoder(Told)
    place = f"/v1/games/{ruleset}".encode()

    async def open_game() -> Told:
        status, answer = await connection.post(place, b'{"seats":%d,"hotseat":true}' % seats)
        assert status == 201, answer
        return opened.decode(answer)

    game, number = await open_game(), 0
    await ready.wait()
    until = perf_counter() + seconds
    while (begun := perf_counter()) < until:
        if game.status != "running":
            game = await open_game()
            continue
        number += 1
        path = place + f"/{game.id}/moves".encode()
        status, answer = await connection.post(path, bytes(dice.choice(game.legal_moves)), b"%d" % number)
        taken.append(perf_counter() - begun)
        assert status == 200, answer
        game = moved.decode(answer).game
    connection.close()


async def ping(port: int, path: bytes, body: bytes, token: str, until: float, taken: list[float]) -> None:
    """Repeat one request until the time is over."""
    connection = await connect(port, token)
    while (begun := perf_counter()) < until:
        status, answer = await connection.post(path, body, b"1")
        taken.append(perf_counter() - begun)
        assert status == 200, answer
    connection.close()


async def look(
    port: int, path: bytes, seats: int, token: str, ready: asyncio.Barrier, seconds: float, taken: list[float]
) -> None:
    """Repeat one GET: of the path, or with `seats` of an own game opened below it."""
    connection = await connect(port, token)
    if seats:
        status, answer = await connection.post(path, b'{"seats":%d,"hotseat":true}' % seats)
        assert status == 201, answer
        path += f"/{msgspec.json.decode(answer)['id']}".encode()
    await ready.wait()
    until = perf_counter() + seconds
    while (begun := perf_counter()) < until:
        status, answer = await connection.get(path)
        taken.append(perf_counter() - begun)
        assert status == 200, answer
    connection.close()


async def looks(port: int, path: str, seats: int, clients: int, seconds: float) -> Figures:
    """Run `clients` concurrent clients."""
    tokens = await guests(port, clients)
    taken: list[float] = []
    ready = asyncio.Barrier(clients)
    await asyncio.gather(*(look(port, path.encode(), seats, token, ready, seconds, taken) for token in tokens))
    return figures(taken, seconds)


async def moves(port: int, ruleset: str, seats: int, games: int, seconds: float) -> Figures:
    """Run `games` concurrent games."""
    tokens = await guests(port, games)
    dice = random.Random(1)
    taken: list[float] = []
    ready = asyncio.Barrier(games)
    await asyncio.gather(*(play(port, ruleset, seats, token, dice, ready, seconds, taken) for token in tokens))
    return figures(taken, seconds)


async def pings(port: int, path: str, body: str, clients: int, seconds: float) -> Figures:
    """Run `clients` concurrent clients."""
    tokens = await guests(port, clients)
    taken: list[float] = []
    until = perf_counter() + seconds
    await asyncio.gather(*(ping(port, path.encode(), body.encode(), token, until, taken) for token in tokens))
    return figures(taken, seconds)


def figures(taken: list[float], seconds: float) -> Figures:
    cuts = quantiles(taken, n=100)
    return Figures(len(taken), seconds, cuts[49], cuts[98])


def main(kind: str, *arguments: Any) -> None:
    """The command line: `moves PORT RULESET SEATS GAMES SECONDS`, `looks PORT PATH SEATS CLIENTS SECONDS` or
    `pings PORT PATH BODY CLIENTS SECONDS`."""
    port, *rest = arguments
    first, second, many, seconds = rest
    if kind == "moves":
        measured = uvloop.run(moves(int(port), first, int(second), int(many), float(seconds)))
    elif kind == "looks":
        measured = uvloop.run(looks(int(port), first, int(second), int(many), float(seconds)))
    else:
        measured = uvloop.run(pings(int(port), first, second, int(many), float(seconds)))
    sys.stdout.write(msgspec.json.encode(measured).decode())


if __name__ == "__main__":
    main(*sys.argv[1:])
