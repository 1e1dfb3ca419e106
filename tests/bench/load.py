"""Load on a server: clients that keep one connection each and send the next request when the last is answered."""

import asyncio
import random
import sys
from statistics import quantiles
from time import perf_counter
from typing import Any

import msgspec
import uvloop


class Told(msgspec.Struct):
    """What a client needs of a game."""

    id: str
    status: str
    legal_moves: list[msgspec.Raw]


class Moved(msgspec.Struct):
    game: Told


class Figures(msgspec.Struct):
    """What a run of load has measured; times in seconds."""

    answered: int
    seconds: float
    p50: float
    p99: float

    @property
    def rate(self) -> float:
        return self.answered / self.seconds


class Connection:
    """HTTP/1.1, as little of it as our server needs: the client must not be what is measured."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, token: str) -> None:
        self._reader = reader
        self._writer = writer
        self._headers = f"Host: bench\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n".encode()

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
    """The tokens of new players; of as many nobodies where players are not known."""
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
    """Random hotseat games one after the other, until the time is over, which begins when all are ready."""
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
    """The same request again and again, until the time is over."""
    connection = await connect(port, token)
    while (begun := perf_counter()) < until:
        status, answer = await connection.post(path, body, b"1")
        taken.append(perf_counter() - begun)
        assert status == 200, answer
    connection.close()


async def look(
    port: int, path: bytes, seats: int, token: str, ready: asyncio.Barrier, seconds: float, taken: list[float]
) -> None:
    """The same GET again and again: at that path, or with `seats` at a game of one's own that is opened below it."""
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
    """`clients` clients at once."""
    tokens = await guests(port, clients)
    taken: list[float] = []
    ready = asyncio.Barrier(clients)
    await asyncio.gather(*(look(port, path.encode(), seats, token, ready, seconds, taken) for token in tokens))
    return figures(taken, seconds)


async def moves(port: int, ruleset: str, seats: int, games: int, seconds: float) -> Figures:
    """`games` games at once."""
    tokens = await guests(port, games)
    dice = random.Random(1)
    taken: list[float] = []
    ready = asyncio.Barrier(games)
    await asyncio.gather(*(play(port, ruleset, seats, token, dice, ready, seconds, taken) for token in tokens))
    return figures(taken, seconds)


async def pings(port: int, path: str, body: str, clients: int, seconds: float) -> Figures:
    """`clients` clients at once."""
    tokens = await guests(port, clients)
    taken: list[float] = []
    until = perf_counter() + seconds
    await asyncio.gather(*(ping(port, path.encode(), body.encode(), token, until, taken) for token in tokens))
    return figures(taken, seconds)


def figures(taken: list[float], seconds: float) -> Figures:
    cuts = quantiles(taken, n=100)
    return Figures(len(taken), seconds, cuts[49], cuts[98])


def main(kind: str, *arguments: Any) -> None:
    """In a process of its own: `moves PORT RULESET SEATS GAMES SECONDS`, `looks PORT PATH SEATS CLIENTS SECONDS` or
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
