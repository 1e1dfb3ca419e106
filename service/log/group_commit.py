"""Group commit: all waiting appends are committed in one transaction. A conflict fails only its own append."""

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any, TypeAlias

from service.log.errors import Conflict, Unavailable

Outcome: TypeAlias = Conflict | Unavailable | None
"""The outcome of an append; None means that it is on disk."""


class GroupCommit:
    """Commits appends with `insert`, which inserts all rows or none and raises `conflict` for a row that exists."""

    def __init__(self, insert: Callable[[list[Any]], object], conflict: type[Exception]) -> None:
        self._insert = insert
        self._conflict = conflict

    def __call__(self, appends: Sequence[Sequence[Any]]) -> list[Outcome]:
        """Commit all appends in one transaction; after a conflict, each in its own."""
        try:
            self._insert(list(chain.from_iterable(appends)))
        except self._conflict as error:
            return [Conflict(str(error))] if len(appends) == 1 else self._each(appends)
        except Exception as error:
            return [Unavailable(str(error))] * len(appends)
        return [None] * len(appends)

    def _each(self, appends: Sequence[Sequence[Any]]) -> list[Outcome]:
        outcomes: list[Outcome] = []
        for rows in appends:
            outcomes += self([rows])
            if isinstance(outcomes[-1], Unavailable):  # the others would wait for the same time-out
                return outcomes + outcomes[-1:] * (len(appends) - len(outcomes))
        return outcomes
