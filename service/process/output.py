"""Non-blocking writes to the standard output and error of a serving process.

A pipe without a reader, a stopped terminal or a full disk would block every write, and with it the event loop: no
request would be served, not even `/health/live`. So a separate thread writes. Its buffer is bounded; lines that do not
fit are dropped and counted.
"""

import os
import select
import sys
import threading
from collections import deque
from io import TextIOBase
from typing import TextIO

MAX_BUFFER = 1024 * 1024
"""Characters that wait to be written at most."""
DRAIN_TIMEOUT = 1.0
"""Seconds that a process waits at its exit until the buffer is written."""


class NonBlockingOutput(TextIOBase):
    """A text stream to the file descriptor of another one. `write` and `flush` return at once, from any thread."""

    def __init__(self, stream: TextIO, max_buffer: int = MAX_BUFFER) -> None:
        self.stream = stream
        self.dropped = 0
        """The number of lines that were not written: the buffer was full, or the descriptor failed."""
        self._descriptor = stream.fileno()
        self._max_buffer = max_buffer
        self._size = 0
        self._buffer: deque[str] = deque()
        self._change = threading.Condition()
        threading.Thread(target=self._run, name=f"output-{self._descriptor}", daemon=True).start()

    def write(self, text: str) -> int:
        with self._change:
            if self._size + len(text) > self._max_buffer:
                self.dropped += _lines(text)
            elif text:
                self._buffer.append(text)
                self._size += len(text)
                self._change.notify_all()
        return len(text)

    def drain(self, timeout: float = DRAIN_TIMEOUT) -> None:
        """Wait until the buffer is written, at most `timeout` seconds."""
        with self._change:
            self._change.wait_for(lambda: not self._size, timeout)

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return "utf-8"

    def fileno(self) -> int:
        return self._descriptor

    def isatty(self) -> bool:
        return self.stream.isatty()

    def writable(self) -> bool:
        return True

    def _run(self) -> None:
        while True:
            with self._change:
                self._change.wait_for(lambda: self._buffer)
                text = "".join(self._buffer)
                self._buffer.clear()
            dropped = self._write(text.encode("utf-8", "backslashreplace"))
            with self._change:
                self._size -= len(text)  # only now: text counts as buffered while it is being written
                self.dropped += dropped
                self._change.notify_all()

    def _write(self, data: bytes) -> int:
        """Write the data, however long that takes. Returns the number of lines lost."""
        rest = memoryview(data)
        while rest:
            try:
                rest = rest[os.write(self._descriptor, rest) :]
            except BlockingIOError:  # another process has made the pipe non-blocking
                select.select([], [self._descriptor], [], 1.0)
            except OSError:  # the reader has closed the pipe, or the disk is full
                return _lines(bytes(rest).decode("utf-8", "replace"))
        return 0


def make_nonblocking() -> None:
    """Replace `sys.stdout` and `sys.stderr` of this process by non-blocking streams."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None or isinstance(stream, NonBlockingOutput):
            continue
        stream.flush()
        setattr(sys, name, NonBlockingOutput(stream))


def replaced() -> list[NonBlockingOutput]:
    return [stream for stream in (sys.stdout, sys.stderr) if isinstance(stream, NonBlockingOutput)]


def drain() -> None:
    """Wait until the buffers are written, at most `DRAIN_TIMEOUT` for each. A process calls it before it exits."""
    for stream in replaced():
        stream.drain()


def dropped() -> int:
    return sum(stream.dropped for stream in replaced())


def _lines(text: str) -> int:
    return text.count("\n") + (not text.endswith("\n"))
