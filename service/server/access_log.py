"""The access log: one line of JSON for each request, without tokens, query strings and bodies."""

import asyncio
import sys
from typing import Literal, TextIO, TypeAlias

import msgspec

from domain.messages import Value

MAX_PATH = 200
"""Characters of a path in the log."""

FLUSH_INTERVAL = 0.1
"""Seconds for which lines are collected before they are written together."""


Level: TypeAlias = Literal["info", "error"]


class AccessLogEntry(Value):
    """A request. `at` is in seconds since 1970, `ms` the milliseconds until the response was sent. A response of the
    server's own failure has the level `error`."""

    at: float
    level: Level
    method: str
    path: str
    status: int
    ms: float
    player: str | None


def shortened(path: str) -> str:
    """What the log has of a path with more than `MAX_PATH` characters: strangers choose them."""
    return path[: MAX_PATH - 1] + "…"


class AccessLog:
    """Writes entries in batches, so that no request waits for its line.

    The default stream is standard output. `service.process.output` makes writes to it non-blocking.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream
        self._entries: list[AccessLogEntry] = []
        self._encoder = msgspec.json.Encoder()

    def add(self, entry: AccessLogEntry) -> None:
        if not self._entries:
            asyncio.get_running_loop().call_later(FLUSH_INTERVAL, self.flush)
        self._entries.append(entry)

    def flush(self) -> None:
        if self._entries:
            entries, self._entries = self._entries, []
            stream = self._stream or sys.stdout
            if stream is not None:  # a process can run without standard output
                stream.write(self._encoder.encode_lines(entries).decode())
                stream.flush()
