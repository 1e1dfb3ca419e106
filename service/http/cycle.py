"""The responses of our server: uvicorn's, with less work for those that are sent in one piece."""

from typing import Any

from uvicorn.protocols.http.httptools_impl import HEADER_RE, HEADER_VALUE_RE, STATUS_LINE, RequestResponseCycle

CONNECTION_HEADERS = {b"connection", b"transfer-encoding"}
"""uvicorn decides by these headers how the response ends."""


class ResponseCycle(RequestResponseCycle):
    """Sends a response of known length that leaves the connection open; leaves every other response to uvicorn.

    uvicorn searches each name and each value for characters that are not allowed. Here all names are searched at once,
    and all values. A response with eight headers takes 1.7 µs less.
    """

    async def send(self, message: Any) -> None:
        left_to_uvicorn = (
            self.flow.write_paused or self.disconnected or not self.keep_alive or self.scope["method"] == "HEAD"
        )
        if left_to_uvicorn or not (self._send_body if self.response_started else self._send_head)(message):
            await super().send(message)

    def _send_head(self, message: Any) -> bool:
        """Send the head of a response. False, and nothing is sent, if this is left to uvicorn."""
        headers = message.get("headers")
        if not headers:
            return False
        length = None
        names, values, content = [], [], [STATUS_LINE[message["status"]]]
        for given, value in headers:
            name = given.lower()
            if name == b"content-length":
                length = value
            elif name in CONNECTION_HEADERS:
                return False
            names.append(name)
            values.append(value)
            content += name, b": ", value, b"\r\n"
        if length is None or HEADER_RE.search(b"".join(names)) or HEADER_VALUE_RE.search(b"".join(values)):
            return False
        self.response_started = True
        self.waiting_for_100_continue = False
        self.chunked_encoding = False
        self.expected_content_length = int(length)
        content.append(b"\r\n")
        self.transport.write(b"".join(content))
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
