"""The responses of our server: uvicorn's, with less work for those that are sent in one piece."""

import asyncio
from typing import Any

from uvicorn.protocols.http.flow_control import HIGH_WATER_LIMIT
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

RESPOND = "stammtisch.respond"
"""The key of `ResponseCycle.respond` in the `extensions` of an ASGI scope, while the server can do that."""

WHOLE_BODY = "stammtisch.whole_body"
"""The key of `ResponseCycle.whole_body` there."""


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
    task: asyncio.Task[None] | None = None

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

    async def run(self, app: Any, tasks: set[Any]) -> None:
        """Serve the request in its `task`, which is in `tasks` until then. (A callback of the task would cost an
        iteration of the event loop.)"""
        try:
            await self.run_asgi(app)
        finally:
            tasks.discard(self.task)

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
        self.body += body
        if len(self.body) > HIGH_WATER_LIMIT:
            self.flow.pause_reading()
        self._notify()

    def end_body(self) -> None:
        self.more_body = False
        if self._message_event is not None:
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
        """Send a whole response. False, and nothing is sent, if this is left to uvicorn: while writing is paused, or if
        the connection does not stay open. The headers are our own, so only what would end one of them is looked for."""
        headers = self.default_headers + headers
        head, breaks = b"\r\n".join(map(b": ".join, headers)), len(headers) - 1
        if (
            self.flow.write_paused or self.disconnected or not self.keep_alive or self.response_started
            or head.count(b"\n") != breaks or head.count(b"\r") != breaks
        ):  # fmt: skip
            return False
        self.waiting_for_100_continue = False
        self._write(status, head, body)
        return True

    def _write(self, status: int, head: bytes, body: bytes) -> None:
        self.response_started = self.response_complete = True
        self.transport.write_now(b"%b%b\r\n\r\n%b" % (STATUS_LINE[status], head, body))
        if self._message_event is not None:
            self._notify()
        self.on_response()
