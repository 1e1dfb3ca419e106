"""The play channel: durable moves and idle channels, with the server's CPU time."""

import asyncio
import random
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import msgspec

from tests.bench.cpu import Cpu, resident
from tests.bench.http import served
from tests.bench.load import Figures, apart, connect, guests

HANDSHAKE = (
    b"GET /v1/channel HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Protocol: stammtisch.v1\r\n%b\r\n"
)


class Message(msgspec.Struct):
    """The fields that a client needs."""

    type: str
    version: int = 0
    status: str = ""
    legal_moves: tuple[msgspec.Raw, ...] = ()
    problem: Any = None


DECODE = msgspec.json.Decoder(Message).decode


class Client(asyncio.Protocol):
    """A minimal client, so that the clients do not dominate the measurement. Masks with zeros, which is valid."""

    def __init__(self, token: str = "") -> None:
        self._token = token
        self._data = b""
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.received = 0

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        bearer = f"Authorization: Bearer {self._token}\r\n".encode() if self._token else b""
        transport.write(HANDSHAKE % bearer)

    def data_received(self, data: bytes) -> None:
        self._data += data
        if not self.opened.done():
            head, end, rest = self._data.partition(b"\r\n\r\n")
            if not end:
                return
            assert head.startswith(b"HTTP/1.1 101"), head
            self._data = rest
            self.opened.set_result(None)
        data, begin = self._data, 0
        while len(data) - begin >= 2:
            size, head = data[begin + 1], 2
            if size > 125:
                head = 4 if size == 126 else 10
                if len(data) - begin < head:
                    break
                size = int.from_bytes(data[begin + 2 : begin + head], "big")
            end = begin + head + size
            if end > len(data):
                break
            if data[begin] == 0x81:
                self.on_message(data[begin + head : end])
            begin = end
        self._data = data[begin:]

    def on_message(self, text: bytes) -> None:  # noqa: ARG002
        self.received += 1

    def send(self, text: bytes) -> None:
        size = len(text)
        head = b"\x81%c" % (0x80 | size) if size < 126 else b"\x81\xfe%b" % size.to_bytes(2, "big")
        self._transport.write(b"%b\0\0\0\0%b" % (head, text))

    def close(self) -> None:
        self._transport.abort()


class Player(Client):
    """Follows a game and moves whenever it may, until the time is over."""

    def __init__(self, table: "Table", token: str, viewpoint: bytes) -> None:
        super().__init__(token)
        self._table = table
        self._viewpoint = viewpoint
        self._moved_at = 0
        self._sent: float | None = None
        self._number = 0
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.legal: tuple[msgspec.Raw, ...] = ()

    def follow(self) -> None:
        self.send(b'{"type":"follow","id":0,"game":"%b"%b}' % (self._table.name, self._viewpoint))

    def on_message(self, text: bytes) -> None:
        if text.startswith(b'{"type":"events"'):
            return
        message = DECODE(text)
        if message.type == "moved":
            self._moved_at = message.version
        elif message.type == "state":
            self.legal = message.legal_moves if message.version >= self._moved_at else ()
            if self._sent is not None and message.version >= self._moved_at > 0:
                self._table.taken.append(perf_counter() - self._sent)
                self._sent, self._moved_at = None, 0
            if not self.ready.done():
                self.ready.set_result(None)
            elif self._sent is None:
                self.act(message.status)
        elif message.type == "problem":
            self._table.fail(message.problem)

    def act(self, status: str = "running") -> None:
        if status != "running":
            self._table.over()
        elif self.legal and perf_counter() < self._table.until:
            self._number += 1
            self._sent = perf_counter()
            name, move = self._table.name, bytes(self._table.dice.choice(self.legal))
            self.send(
                b'{"type":"move","id":1,"game":"%b","key":"%d.%d","move":%b}' % (name, id(self), self._number, move)
            )
            self.legal = ()


class Table:
    """A game with one player for all seats, or with one player at each seat. Reopened when it is over."""

    def __init__(self, port: int, ruleset: str, seats: int, tokens: list[str], taken: list[float]) -> None:
        self._port, self._ruleset, self._seats, self._tokens = port, ruleset, seats, tokens
        self.taken = taken
        self.dice = random.Random(tokens[0])
        self.until = float("inf")
        self.players: list[Player] = []
        self.failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._opening: asyncio.Task[None] | None = None

    async def open(self) -> None:
        hotseat = len(self._tokens) == 1
        place = f"/v1/games/{self._ruleset}".encode()
        opener = await connect(self._port, self._tokens[0])
        answer = await opener.post(
            place, b'{"seats":%d,"hotseat":%b}' % (self._seats, b"true" if hotseat else b"false")
        )
        game = msgspec.json.decode(answer)["id"]
        opener.close()
        for token in self._tokens[1:]:
            guest = await connect(self._port, token)
            await guest.post(place + b"/" + game.encode() + b"/seats", b"{}")
            guest.close()
        self.name = f"{self._ruleset}/{game}".encode()
        if not self.players:
            viewpoint = b',"as":"all"' if hotseat else b""
            for token in self._tokens:
                _, player = await asyncio.get_running_loop().create_connection(
                    lambda token=token: Player(self, token, viewpoint), "127.0.0.1", self._port
                )
                await player.opened
                self.players.append(player)
        for player in self.players:
            player.ready = asyncio.get_running_loop().create_future()
            player.follow()
        for player in self.players:
            await asyncio.wait([player.ready, self.failed], timeout=30, return_when=asyncio.FIRST_COMPLETED)
            if self.failed.done():
                self.failed.result()
            assert player.ready.done(), "a follow is not answered"

    def begin(self) -> None:
        for player in self.players:
            player.act()

    def over(self) -> None:
        if self._opening is None and perf_counter() < self.until:
            self._opening = asyncio.create_task(self._again())

    async def _again(self) -> None:
        await self.open()
        self._opening = None
        self.begin()

    def fail(self, problem: Any) -> None:
        if not (problem and problem["type"] == "illegal-move" and len(self.players) > 1):
            self.failed.set_exception(AssertionError(problem))


async def moves(port: int, pid: int, ruleset: str, seats: int, people: int, tables: int, seconds: float) -> Figures:
    """`people` 1: one client plays all seats of each table. Otherwise one at each of the seats."""
    tokens = await guests(port, tables * people)
    taken: list[float] = []
    games = [
        Table(port, ruleset, seats, tokens[number * people : (number + 1) * people], taken) for number in range(tables)
    ]
    await asyncio.gather(*(table.open() for table in games))
    cpu, until = Cpu(pid), perf_counter() + seconds
    for table in games:
        table.until = until
        table.begin()
    await asyncio.wait([table.failed for table in games], timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    for table in games:
        if table.failed.done():
            table.failed.result()
    return Figures.of(taken, seconds, cpu.seconds())


async def idle(port: int, pid: int, channels: int) -> float:
    """The bytes of memory that each idle channel takes in the server."""
    (token,) = await guests(port, 1)
    before = resident(pid)
    clients = []
    for _ in range(channels):
        _, client = await asyncio.get_running_loop().create_connection(lambda: Client(token), "127.0.0.1", port)
        await client.opened
        client.send(b'{"type":"unfollow","id":0,"game":"a/b"}')
        clients.append(client)
    await asyncio.sleep(2)
    return (resident(pid) - before) / channels


def resting(channels: int) -> float:
    """Bytes for each idle channel."""
    with TemporaryDirectory() as folder, served("service.app:create", Path(folder), rate_limit="off") as server:
        return apart(idle, server.port, server.pid, channels)
