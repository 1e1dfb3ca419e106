"""The responses of our server: uvicorn's, with less work for those that are sent in one piece."""

from typing import Any

from uvicorn.protocols.http.httptools_impl import HEADER_RE, HEADER_VALUE_RE, STATUS_LINE, RequestResponseCycle

CONTENT_LENGTH = b"content-length"

CONNECTION_HEADERS = {b"connection", b"transfer-encoding"}
"""uvicorn decides by these headers how the response ends."""


class ResponseCycle(RequestResponseCycle):
    """Sends a response of known length that leaves the connection open; leaves every other response to uvicorn.

    uvicorn handles each header by itself. Here all names are checked at once, all values, and all lines are joined
    without a loop.
    """

    async def send(self, message: Any) -> None:
        left_to_uvicorn = (
            self.flow.write_paused or self.disconnected or not self.keep_alive or self.scope["method"] == "HEAD"
        )
        if left_to_uvicorn or not (self._send_body if self.response_started else self._send_head)(message):
            await super().send(message)

    def _send_head(self, message: Any) -> bool:
        """Send the head of a response. False, and nothing is sent, if this is left to uvicorn."""
        headers = [*self.default_headers, *message.get("headers", ())]
        named = dict(headers)
        names, lines = b"".join(named), [*map(b": ".join, headers)]
        if (
            CONTENT_LENGTH not in named or not CONNECTION_HEADERS.isdisjoint(named) or not names.islower()
            or HEADER_RE.search(names) or HEADER_VALUE_RE.search(b"".join(lines))
        ):  # fmt: skip
            return False
        self.response_started = True
        self.waiting_for_100_continue = False
        self.chunked_encoding = False
        self.expected_content_length = int(named[CONTENT_LENGTH])
        self.transport.write(b"%b%b\r\n\r\n" % (STATUS_LINE[message["status"]], b"\r\n".join(lines)))
        return True

    def _send_body(self, message: Any) -> bool:
        """Send the whole body. False, and nothing is sent, if this is left to uvicorn."""
        body = message.get("body")
        if (
            self.chunked_encoding is not False or self.response_complete or message.get("more_body")
            or body is None or len(body) != self.expected_content_length
        ):  # fmt: skip
            return False
        self.transport.write(body)
        self.expected_content_length = 0
        self.response_complete = True
        self.message_event.set()
        self.on_response()
        return True
