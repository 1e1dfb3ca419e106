"""Web socket frames byte by byte, for tests that send what no client library would."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from typing import NamedTuple
from urllib.parse import urlsplit

from tests.support.clients import Caller

CONT, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10

HANDSHAKE = {
    "Host": "localhost",
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Protocol": "stammtisch.v1",
}


class Received(NamedTuple):
    """A frame from the server."""

    opcode: int
    fin: bool
    data: bytes

    @property
    def close_code(self) -> int:
        assert self.opcode == CLOSE, self
        return int.from_bytes(self.data[:2], "big")


def masked(data: bytes, mask: bytes) -> bytes:
    return bytes(byte ^ mask[number % 4] for number, byte in enumerate(data))


def frame(
    opcode: int, data: bytes = b"", *, fin: bool = True, rsv: int = 0, mask: bytes | None = b"\x12\x34\x56\x78",
    length_bytes: int | None = None, length: int | None = None,
) -> bytes:  # fmt: skip
    """A frame of a client. `mask` None: unmasked. `length_bytes` 0, 2 or 8: how the length is written."""
    size = len(data) if length is None else length
    written = length_bytes if length_bytes is not None else 0 if size < 126 else 2 if size < 1 << 16 else 8
    short = size if written == 0 else 126 if written == 2 else 127
    head = bytes([(0x80 if fin else 0) | rsv << 4 | opcode, (0x80 if mask is not None else 0) | short])
    head += size.to_bytes(written, "big") if written else b""
    return head + (data if mask is None else mask + masked(data, mask))


def closing(code: int | None = 1000, reason: bytes = b"") -> bytes:
    """A close frame of a client."""
    return frame(CLOSE, b"" if code is None else code.to_bytes(2, "big") + reason)


class RawSocket:
    """A connection to the server."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def send(self, *parts: bytes) -> None:
        """Send each part in a segment of its own."""
        for part in parts:
            self.writer.write(part)
            await self.writer.drain()
            if len(parts) > 1:
                await asyncio.sleep(0)

    async def receive(self, seconds: float = 60) -> Received | None:
        """The next frame; None when the server has closed the connection."""
        async with asyncio.timeout(seconds):
            with suppress(asyncio.IncompleteReadError, ConnectionError):
                first, second = await self.reader.readexactly(2)
                assert not second & 0x80, "a server does not mask"
                assert not first & 0x70, "no extension was negotiated"
                size = second & 0x7F
                if size > 125:
                    size = int.from_bytes(await self.reader.readexactly(2 if size == 126 else 8), "big")
                return Received(first & 0xF, bool(first & 0x80), await self.reader.readexactly(size))
        return None

    async def received(self) -> list[Received]:
        """All further frames, until the server closes the connection. A close frame is answered, as clients do."""
        found = []
        while (one := await self.receive()) is not None:
            found.append(one)
            if one.opcode == CLOSE:
                with suppress(ConnectionError, RuntimeError):  # the server or this client has sent all it has to say
                    await self.send(frame(CLOSE, one.data))
        return found


@asynccontextmanager
async def connection(who: Caller) -> AsyncIterator[RawSocket]:
    """A TCP connection to the server."""
    url = urlsplit(str(who.http.base_url))
    assert url.hostname is not None
    reader, writer = await asyncio.open_connection(url.hostname, url.port)
    try:
        yield RawSocket(reader, writer)
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


def request(path: str = "/v1/channel", headers: Iterable[tuple[str, str]] = tuple(HANDSHAKE.items())) -> bytes:
    lines = [f"GET {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers), "", ""]
    return "\r\n".join(lines).encode()


@asynccontextmanager
async def raw_web_socket(who: Caller) -> AsyncIterator[RawSocket]:
    """An upgraded connection. A player is authenticated by the header."""
    headers = HANDSHAKE | ({"Authorization": f"Bearer {who.token}"} if who.token else {})
    async with connection(who) as socket:
        await socket.send(request(headers=headers.items()))
        head = await socket.reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 101 "), head
        yield socket
