"""The process that writes to an SQLite event log: `python -m service.log.writer_process URI LOCK_TIMEOUT`.

Standard input is a socket to the serving process. It carries lists of appends one way and their outcomes, in the same
order, the other way. All appends that have arrived are committed together. When the serving process closes the socket,
this process commits what has arrived and exits.
"""

import signal
import socket
import sqlite3
import sys
from contextlib import suppress

import msgspec

from service.log.bulk_insert import BulkInsert
from service.log.group_commit import GroupCommit, Outcome

RECEIVE_BYTES = 256 * 1024
"""The most bytes received at once: usually all that the buffer of a socket holds."""
SIZE = 4
"""Bytes of the length of a message, big-endian, which stands before it."""


def framed(message: bytes) -> bytes:
    return len(message).to_bytes(SIZE, "big") + message


class FrameDecoder:
    """Reassembles messages from chunks of the stream."""

    def __init__(self) -> None:
        self._rest = bytearray()

    def feed(self, data: bytes | memoryview) -> list[bytes]:
        """The messages that this chunk completes."""
        rest, messages = self._rest, []
        rest += data
        while len(rest) >= SIZE and len(rest) >= (end := SIZE + int.from_bytes(rest[:SIZE], "big")):
            message = bytes(rest[SIZE:end])
            del rest[:end]
            messages.append(message)
        return messages


def encode_outcome(outcome: Outcome) -> tuple[str, str] | None:
    """For the serving process: the name of the exception and its message."""
    return None if outcome is None else (type(outcome).__name__, str(outcome))


def write(parent: socket.socket, bulk_insert: BulkInsert) -> None:
    """Commit what arrives until the other end closes."""
    decode = msgspec.msgpack.Decoder(list[list[tuple[str, int, str, bytes]]]).decode
    commit, frames = GroupCommit(bulk_insert.insert, sqlite3.IntegrityError), FrameDecoder()
    buffer = memoryview(bytearray(RECEIVE_BYTES))  # allocating it for each call would take longer than receiving
    while size := receive(parent, buffer):
        if appends := [append for message in frames.feed(buffer[:size]) for append in decode(message)]:
            outcomes = msgspec.msgpack.encode([encode_outcome(outcome) for outcome in commit(appends)])
            with suppress(OSError):  # the other end is closed: commit what it has sent before
                parent.sendall(framed(outcomes))


def receive(parent: socket.socket, buffer: memoryview) -> int:
    """How many bytes were received; 0 when the other end is closed, even if it has left outcomes unread."""
    try:
        return parent.recv_into(buffer)
    except ConnectionResetError:
        return 0


def main(uri: str, lock_timeout: str) -> None:
    for stop_signal in (signal.SIGINT, signal.SIGTERM):  # the process stops when the serving process closes the socket
        signal.signal(stop_signal, signal.SIG_IGN)
    bulk_insert = BulkInsert(uri, float(lock_timeout))
    with socket.socket(fileno=sys.stdin.fileno()) as parent:
        write(parent, bulk_insert)
    bulk_insert.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
