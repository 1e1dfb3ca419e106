"""The responses of our server: uvicorn's, with less work for those that are sent in one piece."""

import asyncio
from typing import Any

from uvicorn.protocols.http.flow_control import HIGH_WATER_LIMIT
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

RESPOND = "stammtisch.respond"
"""The key of `ResponseCycle.respond` in the `extensions` of an ASGI scope, while the server can do that."""

WHOLE_BODY = "stammtisch.whole_body"
"""The key of `ResponseCycle.whole_body` there."""

CONTENT_LENGTH = b"content-length"

CONNECTION_HEADERS = {b"connection", b"transfer-encoding"}
"""uvicorn decides by these headers how the response ends."""

BODILESS = (204, 304)
"""The statuses without a body, and therefore without a length."""

USUAL_IN_NAMES = b"abcdefghijklmnopqrstuvwxyz0123456789-"
CONTROLS = (
    b"\x00\x01\x02\x03\x04\x05\x06\x07\x08\x0a\x0b\x0c\x0d\x0e\x0f"
    b"\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f\x7f"
)
"""The characters that a value must not contain."""


class ResponseCycle(RequestResponseCycle):
    """Sends a whole response that leaves the connection open; leaves every other response to uvicorn.

    uvicorn handles each header by itself. Here all names are checked at once, all values, and everything is joined
    without a loop.
    """

    access_log = False
    disconnected = False
    more_body = True
    response_started = False
    response_complete = False
    chunked_encoding: bool | None = None
    expected_content_length = 0
    _message_event: asyncio.Event | None = None

    def __init__(self, connection: HttpToolsProtocol, scope: Any, keep_alive: bool, expects_continue: bool) -> None:
        """uvicorn's constructor takes and sets all of this one by one."""
        self.scope: Any = scope
        self.transport: Any = connection.transport
        self.flow = connection.flow
        self.logger = connection.logger
        self.default_headers = connection.server_state.default_headers
        self.on_response = connection.on_response_complete
        self.keep_alive = keep_alive
        self.waiting_for_100_continue = expects_continue
        self.body = bytearray()

    @property
    def message_event(self) -> asyncio.Event:  # type: ignore[override]  # an attribute that is not set again
        """Set when there is a message for `receive`. Most requests are served without it."""
        if self._message_event is None:
            self._message_event = asyncio.Event()
            self._notify()
        return self._message_event

    def _notify(self) -> None:
        if self._message_event is not None and (self.body or not self.more_body or self.response_complete):
            self._message_event.set()

    def receive_body(self, body: bytes) -> None:
        """The next part of the body has arrived."""
        self.body += body
        if len(self.body) > HIGH_WATER_LIMIT:
            self.flow.pause_reading()
        self._notify()

    def end_body(self) -> None:
        """The whole body has arrived."""
        self.more_body = False
        self._notify()

    async def receive(self) -> Any:
        if self.more_body or self.disconnected or self.waiting_for_100_continue or not self.message_event.is_set():
            return await super().receive()
        self.message_event.clear()
        self.flow.resume_reading()
        text, self.body = bytes(self.body), bytearray()
        return {"type": "http.request", "body": text, "more_body": False}

    def whole_body(self) -> bytes | None:
        """The body of the request if all of it has arrived. Then it is not received a second time."""
        if self.more_body or self.disconnected or self.waiting_for_100_continue:
            return None
        return bytes(self.body)

    def respond(self, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> bool:
        """Send a whole response. False, and nothing is sent, if this is left to uvicorn."""
        headers = self.default_headers + headers
        named, head = dict(headers), b"\r\n".join(map(b": ".join, headers))
        controls = len(head) - len(head.translate(None, CONTROLS))
        if (
            self.flow.write_paused or self.disconnected or not self.keep_alive or self.response_started
            or (named.get(CONTENT_LENGTH) != b"%d" % len(body) and (body or status not in BODILESS))
            or not CONNECTION_HEADERS.isdisjoint(named) or b"".join(named).translate(None, USUAL_IN_NAMES)
            or controls != 2 * len(headers) - 2
        ):  # fmt: skip
            return False
        self.waiting_for_100_continue = False
        self._write(status, head, body)
        return True

    def _write(self, status: int, head: bytes, body: bytes) -> None:
        self.response_started = self.response_complete = True
        self.transport.write_now(b"%b%b\r\n\r\n%b" % (STATUS_LINE[status], head, body))
        self._notify()
        self.on_response()
