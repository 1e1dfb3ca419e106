"""The journal of an arena: every answer of a bot outside of the process.

Everything else of a game follows from the terms, so a run continues after a crash with the journal alone.
"""

import threading
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TextIO, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

from agents.table import Answer
from domain.messages import Value

Key: TypeAlias = tuple[int, tuple[int, ...], int]
"""The board, the bots by seat, and the number of the move."""


class Entry(Value, omit_defaults=True):
    """A line of the journal."""

    board: int
    seating: tuple[int, ...]
    """By seat: the bot."""
    move: int
    """The number of the move in its game, from 0."""
    bot: int
    seconds: float
    """From the first question to the last answer."""
    index: int | UnsetType = UNSET
    """Of the legal move. Absent: no legal answer came."""
    attempts: int = 1
    usage: Mapping[str, float] = {}
    """What the choice has cost, as the bot claims."""
    why: str = ""
    """Why no legal answer came."""


class Journal:
    """Answers by board, seating and move, for several threads. Without a file it remembers nothing.

    The first line of the file has the terms. Raises ValueError if the file is one of other terms.
    """

    def __init__(self, file: Path | None = None, terms: bytes = b"") -> None:
        self._entries: dict[Key, Entry] = {}
        self._lock = threading.Lock()
        self._file: TextIO | None = None
        if file is not None:
            self._file = self._opened(file, terms)

    def _opened(self, file: Path, terms: bytes) -> TextIO:
        written = file.read_bytes() if file.exists() else b""
        whole = written[: written.rfind(b"\n") + 1]  # the last line can be torn
        first, *lines = whole.splitlines() or [terms]
        if first != terms:
            raise ValueError("The folder has a journal of other terms.")
        for line in lines:
            entry = msgspec.json.decode(line, type=Entry)
            self._entries[entry.board, entry.seating, entry.move] = entry
        opened = file.open("a", encoding="utf-8")
        opened.truncate(len(whole))
        if not whole:
            opened.write(terms.decode() + "\n")
            opened.flush()
        return opened

    def known(self, key: Key) -> Answer | None:
        """The answer of an earlier run."""
        entry = self._entries.get(key)
        if entry is None:
            return None
        index = None if entry.index is UNSET else entry.index
        return Answer(index, entry.seconds, entry.attempts, entry.usage, entry.why)

    def usage(self) -> dict[int, Counter[str]]:
        """By bot: what its choices have cost together, as it claims."""
        found: dict[int, Counter[str]] = {}
        for entry in self._entries.values():
            found.setdefault(entry.bot, Counter()).update(entry.usage)
        return found

    def write(self, key: Key, bot: int, answer: Answer) -> None:
        if self._file is None:
            return
        index = UNSET if answer.index is None else answer.index
        entry = Entry(*key, bot, round(answer.seconds, 3), index, answer.attempts, answer.usage, answer.why)
        with self._lock:
            self._entries[key] = entry
            self._file.write(msgspec.json.encode(entry).decode() + "\n")
            self._file.flush()
