"""Length-prefixed messages in a byte stream."""

from collections.abc import Iterator

SIZE = 4
"""Bytes of the length prefix, big-endian."""


def framed(message: bytes) -> bytes:
    return len(message).to_bytes(SIZE, "big") + message


class FrameDecoder:
    """Reassembles messages from chunks of the stream."""

    def __init__(self) -> None:
        self._rest = bytearray()

    def feed(self, data: bytes | memoryview) -> Iterator[bytes]:
        """Yields the messages that this chunk completes."""
        rest = self._rest
        rest += data
        while len(rest) >= SIZE and len(rest) >= (end := SIZE + int.from_bytes(rest[:SIZE], "big")):
            message = bytes(rest[SIZE:end])
            del rest[:end]
            yield message
