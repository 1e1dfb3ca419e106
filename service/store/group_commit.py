"""Committing appends to the log: all that wait together, and nobody fails for another's sake."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias


class Conflict(Exception):
    """Somebody else has appended at that version."""


class Unavailable(Exception):
    """The database cannot be reached or cannot commit now. Nothing of the append was recorded, or all of it."""


Outcome: TypeAlias = Conflict | Unavailable | None
"""How an append has ended; None: it is on disk."""


class GroupCommit:
    """Commits appends by `insert`, which records all rows it is given or none, and raises `conflict` where one of them
    is there already."""

    def __init__(self, insert: Callable[[list[Any]], object], conflict: type[Exception]) -> None:
        self._insert = insert
        self._conflict = conflict

    def __call__(self, appends: Sequence[Sequence[Any]]) -> list[Outcome]:
        """Commit all together; if one of them conflicts, each alone."""
        try:
            self._insert([row for rows in appends for row in rows])
        except self._conflict as error:
            return [Conflict(str(error))] if len(appends) == 1 else self._each(appends)
        except Exception as error:
            return [Unavailable(str(error))] * len(appends)
        return [None] * len(appends)

    def _each(self, appends: Sequence[Sequence[Any]]) -> list[Outcome]:
        outcomes: list[Outcome] = []
        for rows in appends:
            outcomes += self([rows])
            if isinstance(outcomes[-1], Unavailable):  # so it is for all the others, who need not wait for it in turn
                return outcomes + outcomes[-1:] * (len(appends) - len(outcomes))
        return outcomes
