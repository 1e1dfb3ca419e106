"""The program that writes to the log: `python -m service.store.writer_process URI SECONDS`.

Standard input is its socket: whoever has started it sends lists of appends and gets back how they have ended, in the
same order. All that has come is committed together. When the other end is gone it commits what has come and ends.
"""

import signal
import socket
import sqlite3
import sys
from contextlib import suppress

import msgspec

from service.store.bulk_insert import BulkInsert
from service.store.framing import FrameDecoder, framed
from service.store.group_commit import GroupCommit, Outcome

MOST = 256 * 1024
"""So many bytes are received at once: all that a socket holds, as a rule."""


def told(outcome: Outcome) -> tuple[str, str] | None:
    """How it is told to the other process: the name of the exception, and what it says."""
    return None if outcome is None else (type(outcome).__name__, str(outcome))


def write(parent: socket.socket, insertion: BulkInsert) -> None:
    """Commit what comes until the other end closes."""
    decode = msgspec.msgpack.Decoder(list[list[tuple[str, int, str, bytes]]]).decode
    commit, frames = GroupCommit(insertion.insert, sqlite3.IntegrityError), FrameDecoder()
    room = memoryview(bytearray(MOST))  # to make it anew each time would take longer than to receive
    while size := received(parent, room):
        if appends := [append for message in frames.of(room[:size]) for append in decode(message)]:
            answer = msgspec.msgpack.encode([told(outcome) for outcome in commit(appends)])
            with suppress(OSError):  # it is gone: what it has sent before is committed all the same
                parent.sendall(framed(answer))


def received(parent: socket.socket, room: memoryview) -> int:
    """How many bytes have come; 0 when the other end is gone, also where it has left answers unread."""
    try:
        return parent.recv_into(room)
    except ConnectionResetError:
        return 0


def main(uri: str, seconds: str) -> None:
    for asked_to_stop in (signal.SIGINT, signal.SIGTERM):  # it stops when the other process has, which it is also told
        signal.signal(asked_to_stop, signal.SIG_IGN)
    insertion = BulkInsert(uri, float(seconds))
    with socket.socket(fileno=sys.stdin.fileno()) as parent:
        write(parent, insertion)
    insertion.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
