"""The journal of an arena: every answer of a bot outside of the process.

Everything else of a game follows from the terms, so a run continues after a crash with the journal alone.
"""

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

from agents.table import UNITS, Answer
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
        self._file: BinaryIO | None = None
        if file is not None:
            lines, self._file = opened(file, terms)
            for line in lines:
                entry = msgspec.json.decode(line, type=Entry)
                self._entries[entry.board, entry.seating, entry.move] = entry

    def known(self, key: Key) -> Answer | None:
        """The answer of an earlier run."""
        entry = self._entries.get(key)
        if entry is None:
            return None
        index = None if entry.index is UNSET else entry.index
        return Answer(index, entry.seconds, entry.attempts, entry.usage, entry.why)

    def failures(self, board: int, seating: tuple[int, ...], bot: int) -> int:
        """The number of choices of the bot in this game for which no legal answer came."""
        game = (board, seating, bot)
        return sum(
            [(each.board, each.seating, each.bot) == game for each in self._entries.values() if each.index is UNSET]
        )

    def usage(self) -> dict[int, dict[str, float]]:
        """By bot: what its choices have cost together, as it claims, in the first units that it names."""
        found: dict[int, dict[str, float]] = {}
        for entry in self._entries.values():
            sums = found.setdefault(entry.bot, {})
            for unit, cost in entry.usage.items():
                if unit in sums or len(sums) < UNITS:
                    sums[unit] = sums.get(unit, 0) + cost
        return found

    def write(self, key: Key, bot: int, answer: Answer) -> None:
        if self._file is None:
            return
        index = UNSET if answer.index is None else answer.index
        entry = Entry(*key, bot, round(answer.seconds, 3), index, answer.attempts, answer.usage, answer.why)
        with self._lock:
            self._entries[key] = entry
            self._file.write(msgspec.json.encode(entry) + b"\n")
            self._file.flush()


def opened(file: Path, terms: bytes) -> tuple[list[bytes], BinaryIO]:
    """The whole lines of a file that begins with the terms, and the file, to append to it. A torn last line is cut off.

    Raises ValueError if the file is one of other terms.
    """
    written = file.read_bytes() if file.exists() else b""
    whole = written[: written.rfind(b"\n") + 1]
    first, *lines = whole.splitlines() or [terms]
    if first != terms:
        raise ValueError("The folder has a journal of other terms.")
    found = file.open("ab")
    found.truncate(len(whole))
    if not whole:
        found.write(terms + b"\n")
        found.flush()
    return lines, found
