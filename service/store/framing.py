"""Messages one after the other through a stream of bytes: each has its length in front."""

from collections.abc import Iterator

SIZE = 4
"""Bytes of the length."""


def framed(message: bytes) -> bytes:
    return len(message).to_bytes(SIZE, "big") + message


class FrameDecoder:
    """Finds the messages in what arrives, piece by piece."""

    def __init__(self) -> None:
        self._rest = bytearray()

    def of(self, data: bytes | memoryview) -> Iterator[bytes]:
        """The messages that are whole with this piece."""
        rest = self._rest
        rest += data
        while len(rest) >= SIZE and len(rest) >= (end := SIZE + int.from_bytes(rest[:SIZE], "big")):
            message = bytes(rest[SIZE:end])
            del rest[:end]
            yield message
