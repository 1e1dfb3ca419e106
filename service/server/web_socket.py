"""Web sockets (RFC 6455) on connections of our server: framing, limits on size and time, backpressure.

`websockets` parses and checks the frames (its Sans-I/O layer). The bytes of a chunk, the frames in it and the messages
of the listener are handled in one callback of the event loop: no message costs a task or a future.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from struct import Struct
from types import SimpleNamespace
from typing import Any, Protocol, TypeAlias

from litestar.types import Receive, Scope, Send
from websockets.datastructures import Headers
from websockets.frames import Frame, Opcode, apply_mask  # type: ignore[attr-defined]  # in C where it is built
from websockets.http11 import Request, Response
from websockets.protocol import SEND_EOF, State
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol

from service.server.connection import MAX_WRITE_BUFFER, NewProtocol, StalledWrites, UpgradedConnection
from service.server.streaming import CONNECTION

log = logging.getLogger(__name__)

MAX_MESSAGE = 64 * 1024
"""Bytes of a message, all its fragments together."""
MAX_BARE_FRAMES = 1_000
"""Control frames and fragments that a client may send within a second."""
MAX_UNSENT = 64 * 1024
"""Bytes that may wait for a client to read before its listener has to stop sending."""
BATCH = 64
"""Messages that are handled before other connections get their turn."""
CLOSE_TIMEOUT = 3.0
"""Seconds that a client has to answer a close frame."""

GOING_AWAY, UNSUPPORTED, INVALID_TEXT, POLICY, INTERNAL, TRY_AGAIN_LATER = 1001, 1003, 1007, 1008, 1011, 1013
UNAUTHENTICATED, TIMED_OUT = 4401, 4408
"""Close codes. Those from 4000 on are ours: 4000 and the last digits of the status in HTTP."""

PING = b"\x89\x00"
"""The frame of a ping without data."""


class Listener(Protocol):
    """What a web socket calls. An exception closes the web socket with the code 1011."""

    def received(self, text: bytes) -> None:
        """A message in valid UTF-8."""

    def writable(self) -> None:
        """The client has read again, after `WebSocket.writable` was false."""

    def check(self, now: float) -> None:
        """Called once a second, with the time of the event loop."""

    def shutdown(self) -> None:
        """The server stops. The listener closes the web socket when it is ready."""

    def closed(self) -> None:
        """The web socket is closed. Nothing can be sent any more. Called once."""


MakeListener: TypeAlias = Callable[["WebSocket"], Listener]


FINAL_TEXT, MASKED = 0x81, 0x80
_medium = Struct(">BBH").pack


def text_frame(text: bytes) -> bytes:
    """The frame of a message. A server's frames are the same for all clients."""
    size = len(text)
    if size < 126:
        return b"\x81%c%b" % (size, text)
    if size < 1 << 16:
        return _medium(FINAL_TEXT, 126, size) + text
    return b"\x81\x7f%b%b" % (size.to_bytes(8, "big"), text)


class Frames(ServerProtocol):
    """Knows whether a frame ends where the received data end, so that the next data begin with a frame."""

    between_frames = True

    def receive_data(self, data: bytes | bytearray) -> None:
        self.between_frames = False
        super().receive_data(data)

    def recv_frame(self, frame: Frame) -> None:
        if frame.opcode is Opcode.CLOSE:
            self.current_size = None  # it may come between the fragments of a message (RFC 6455, 5.4)
        super().recv_frame(frame)
        self.between_frames = not self.reader.buffer

    def message(self, data: bytes) -> bytes | None:
        """The message, if the data are one text frame that is a whole message: what clients send nearly always.

        It takes a tenth of the time of the general way, which gives the same.
        """
        if not self.between_frames or self.current_size is not None or self.state is not State.OPEN:
            return None
        size = len(data)
        if size < 8 or data[0] != FINAL_TEXT:
            return None
        length, begin = data[1] - MASKED, 6
        if length == 126:
            length, begin = int.from_bytes(data[2:4], "big"), 8
            if length < 126:  # left to the general way, as are unmasked and long frames
                return None
        if length < 0 or length == 127 or size != begin + length:
            return None
        return apply_mask(data[begin:], data[begin - 4 : begin])


class WebSocket(UpgradedConnection):
    """An open web socket. The server knows it as one of its connections.

    `timeout`: seconds of silence after which it is closed; a client that stops reading is disconnected after
    `read_timeout` seconds.
    """

    def __init__(
        self, transport: asyncio.Transport, connections: set[Any], listener: MakeListener,
        *, timeout: float, read_timeout: float,
    ) -> None:  # fmt: skip
        self._transport = transport
        self._connections = connections
        self._timeout = timeout
        self._read_timeout = read_timeout
        self._loop = asyncio.get_running_loop()
        self._frames = Frames(state=State.OPEN, max_size=MAX_MESSAGE)
        self._parts: list[bytes] = []
        """The fragments of a message that is incomplete."""
        self._waiting = deque[bytes]()
        """Messages that are received, but not handled yet."""
        self._handling = False
        self._reading = True
        self.held = False
        """Whether the listener does not take messages now. `hold` sets it."""
        self._bare_frames = 0
        self._unsent = bytearray()
        self._write_paused = False
        self._blocked = False
        """Whether the listener was told to stop sending."""
        self._stalled = StalledWrites(MAX_WRITE_BUFFER)
        self._written = 0
        self._heard = self._loop.time()
        self._pinged = False
        self._closing_since: float | None = None
        self._lost = False
        self._listener = listener(self)
        connections.add(self)

    # --- for the listener ---

    @property
    def is_open(self) -> bool:
        return self._closing_since is None and not self._lost

    @property
    def writable(self) -> bool:
        """Whether the client keeps up. If not, `Listener.writable` is called as soon as it does."""
        if self._write_paused or len(self._unsent) > MAX_UNSENT:
            self._blocked = True
            return False
        return True

    def send(self, frame: bytes) -> None:
        """Send a frame (see `text_frame`). Frames of one iteration of the event loop are written together."""
        if self._closing_since is None:
            if not self._unsent:
                self._loop.call_soon(self._flush)
            self._unsent += frame

    def hold(self, held: bool) -> None:
        """Stop or resume handling messages. Nothing is read meanwhile."""
        if held == self.held or self._lost:
            return
        self.held = held
        self._pause_or_resume_reading()
        if not held:
            self._handle_soon()

    def close(self, code: int, reason: str = "") -> None:
        """Close with this code. Messages that were sent before still arrive, later ones are dropped."""
        if not self.is_open:
            return
        self._flush()
        if self._frames.state is State.OPEN:
            self._frames.send_close(code, reason)
        self._write_replies(self._frames.data_to_send())
        self._begin_closing()

    def abort(self) -> None:
        self._begin_closing()
        self._transport.abort()

    # --- callbacks of asyncio.Protocol ---

    def data_received(self, data: bytes) -> None:
        self._heard, self._pinged = self._loop.time(), False
        try:
            text = self._frames.message(data)
            if text is not None and self._closing_since is None:
                if self._waiting or self._handling or self.held or self._write_paused or not text.isascii():
                    self._queue(text)
                    self._handle()
                else:
                    self._listener.received(text)
                return
            self._frames.receive_data(data)
            for frame in self._frames.events_received():
                self._take(frame)
            replies = self._frames.data_to_send()
            if SEND_EOF in replies:  # it ends with a close frame: what came before it is answered first
                self._handle()
                self._write_replies(replies)
            else:
                self._write_replies(replies)
                self._handle()
        except Exception as error:
            self.fail(error)

    def eof_received(self) -> bool:
        return False  # closes the transport

    def pause_writing(self) -> None:
        self._write_paused = True
        self._pause_or_resume_reading()

    def resume_writing(self) -> None:
        self._write_paused = False
        self._pause_or_resume_reading()
        self._handle_soon()
        self._unblock()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self._begin_closing()
        self._lost = True
        self._connections.discard(self)
        if self.on_lost is not None:
            self.on_lost()
        self._waiting.clear()
        self._unsent.clear()
        listener, self._listener = self._listener, _GONE
        try:
            listener.closed()
        except Exception as error:
            log.error("a web socket failed while it was closed", exc_info=error)

    # --- called by the server ---

    def check(self, now: float) -> None:
        """Close the connection if the client has exceeded a timeout."""
        self._bare_frames = 0
        buffered = self._transport.get_write_buffer_size()
        if self._stalled.seconds(now, buffered, self._written - buffered) > self._read_timeout:
            self.abort()
        elif self._closing_since is not None:
            if now - self._closing_since > CLOSE_TIMEOUT:
                self.abort()
        elif now - self._heard > self._timeout:
            self.close(TIMED_OUT, "no data from the client")
        else:
            if not self._pinged and now - self._heard > self._timeout / 3:
                self._pinged = True
                self.send(PING)
            try:
                self._listener.check(now)
            except Exception as error:
                self.fail(error)

    def shutdown(self) -> None:
        try:
            self._listener.shutdown()
        except Exception as error:
            self.fail(error)

    # --- receiving ---

    def _take(self, frame: Any) -> None:
        opcode = frame.opcode
        if opcode is Opcode.TEXT and frame.fin and self._closing_since is None:
            self._queue(frame.data)
            return
        self._bare_frames += 1
        if self._bare_frames > MAX_BARE_FRAMES:
            self.close(POLICY, "too many control frames or fragments")
        elif opcode is Opcode.BINARY:
            self.close(UNSUPPORTED, "messages are text")
        elif opcode in (Opcode.TEXT, Opcode.CONT) and self._closing_since is None:
            if frame.data:
                self._parts.append(frame.data)
            if frame.fin:
                text, self._parts = b"".join(self._parts), []
                self._queue(text)

    def _queue(self, text: bytes) -> None:
        if not text.isascii():
            try:
                text.decode()
            except UnicodeDecodeError:
                self.close(INVALID_TEXT, "the message is not UTF-8")
                return
        self._waiting.append(text)

    def _handle_soon(self) -> None:
        if self._waiting and not self._handling:
            self._handling = True
            self._loop.call_soon(self._handle_next)

    def _handle_next(self) -> None:
        self._handling = False
        try:
            self._handle()
        except Exception as error:
            self.fail(error)

    def _handle(self) -> None:
        if self._handling:
            return
        waiting, received = self._waiting, self._listener.received
        for _ in range(min(BATCH, len(waiting))):
            if self.held or self._write_paused or self._closing_since is not None:
                break
            received(waiting.popleft())
        if self._closing_since is not None:
            waiting.clear()
        if waiting and not (self.held or self._write_paused):
            self._handle_soon()
        self._pause_or_resume_reading()

    def _pause_or_resume_reading(self) -> None:
        """Reads only while messages are handled. After a close frame, everything is read and discarded."""
        reading = not (self.is_open and (self.held or self._write_paused or self._waiting))
        if reading != self._reading and not self._transport.is_closing():
            self._reading = reading
            (self._transport.resume_reading if reading else self._transport.pause_reading)()

    # --- sending ---

    def _flush(self) -> None:
        if self._unsent:
            frames, self._unsent = self._unsent, bytearray()
            self._write(frames)
            if self._blocked:
                self._unblock()

    def _unblock(self) -> None:
        if self._blocked and self.is_open and not self._write_paused and len(self._unsent) <= MAX_UNSENT:
            self._blocked = False
            try:
                self._listener.writable()
            except Exception as error:
                self.fail(error)

    def _write(self, data: bytes | bytearray) -> None:
        if not self._transport.is_closing():
            self._written += len(data)
            self._transport.write(data)

    def _write_replies(self, replies: Sequence[bytes]) -> None:
        """Write what the protocol replies: pongs and close frames, and the end of the stream."""
        for data in replies:
            if data == SEND_EOF:
                self._begin_closing()
                self._end()
                return
            self._flush()
            self._write(data)

    def _end(self) -> None:
        """Half-close, so that the client can still read the close frame. `check` aborts if it does not close."""
        if self._transport.is_closing():
            return
        if self._frames.close_rcvd is None and self._transport.can_write_eof():
            self._transport.write_eof()
        else:  # the client has sent a close frame, so it sends nothing more
            self._transport.close()

    def _begin_closing(self) -> None:
        if self._closing_since is None:
            self._closing_since = self._loop.time()
            self._waiting.clear()
            self._parts.clear()
            self._pause_or_resume_reading()

    def fail(self, error: Exception) -> None:
        """Log the error and close with the code 1011."""
        log.error("a web socket failed", exc_info=error)
        try:
            self.close(INTERNAL)
        except Exception:
            self.abort()


class NotUpgradable(Exception):
    """The request is no valid web socket handshake. `status` is 400 or 426."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Upgradable(Protocol):
    """A connection that another protocol can take over: `ClientConnection`."""

    def begin_upgrade(self) -> None: ...

    def upgrade(self, new_protocol: NewProtocol) -> None: ...


class Upgrade:
    """The response that opens a web socket, as an ASGI application.

    Raises `NotUpgradable` if the request is not a handshake with this subprotocol.
    """

    def __init__(self, scope: Scope, subprotocol: str, listener: MakeListener, *, timeout: float) -> None:
        extensions: Any = scope.get("extensions") or {}
        connection = extensions.get(CONNECTION)
        if connection is None:
            raise NotUpgradable(426, "This server does not support web sockets.")
        self._connection: Upgradable = connection
        self._headers = handshake(scope, subprotocol)
        self._listener = listener
        self._timeout = timeout

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        self._connection.begin_upgrade()
        await send({"type": "http.response.start", "status": 101, "headers": self._headers})
        await send({"type": "http.response.body", "body": b"", "more_body": False})
        self._connection.upgrade(self._web_socket)

    def _web_socket(self, transport: asyncio.Transport, connections: set[Any], read_timeout: float) -> WebSocket:
        return WebSocket(transport, connections, self._listener, timeout=self._timeout, read_timeout=read_timeout)


def handshake(scope: Scope, subprotocol: str) -> list[tuple[bytes, bytes]]:
    """The headers of the response with status 101. Raises `NotUpgradable`."""
    sent = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]]
    request = Request("/", Headers(sent), protocol=f"HTTP/{scope['http_version']}")
    server = ServerProtocol(subprotocols=[Subprotocol(subprotocol)])
    response: Response = server.accept(request)
    if response.status_code != 101:
        status = response.status_code if response.status_code == 426 else 400
        raise NotUpgradable(status, f"The web socket cannot be opened: {server.handshake_exc}.")
    wanted = "upgrade", "connection", "sec-websocket-accept", "sec-websocket-protocol"
    return [(name.encode(), response.headers[name].encode("latin-1")) for name in wanted]


_GONE: Any = SimpleNamespace(**dict.fromkeys(("received", "writable", "check", "shutdown", "closed"), lambda *_: None))
"""The listener of a closed web socket."""
