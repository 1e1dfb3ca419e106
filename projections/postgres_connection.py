"""How a PostgreSQL server is reached that may be away, or hang.

One that hangs keeps its connections open, takes new ones and answers nothing. Neither the network nor any time-out of
the server's own ends such a wait: whoever asks has to give up himself.
"""

from time import monotonic
from typing import Any, TypeVar

import psycopg
from psycopg.abc import PQGen

T = TypeVar("T")

SILENCE = 5.0
"""Seconds without a word after which a connection is given up. Whether what was asked for has happened, or will happen
once the server goes on, nobody knows then."""
PAUSE = 1.0
"""Seconds for which nobody tries again to reach a server that could not be reached."""


class Connection(psycopg.Connection[Any]):
    """A connection that is closed when the server falls silent. Whoever waits gets an `OperationalError`."""

    silent = False
    """Whether that has happened."""

    def wait(self, gen: PQGen[T], *args: Any, **how: Any) -> T:
        return super().wait(self._while_it_answers(gen), *args, **how)

    def _while_it_answers(self, gen: PQGen[T]) -> PQGen[T]:
        heard = monotonic()
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                if ready:
                    heard = monotonic()
                elif monotonic() - heard > SILENCE:
                    self.silent = True
                    self.close()
                    raise psycopg.OperationalError(f"the server has been silent for {SILENCE:g} seconds")
                wanted = gen.send(ready)
        except StopIteration as done:
            result: T = done.value
            return result


class CircuitBreaker:
    """Spares many who ask for a server at once that each of them, one after the other, waits in vain for it."""

    def __init__(self) -> None:
        self._cut_until = 0.0

    def check(self) -> None:
        """Raises `OperationalError` if the server could not be reached a moment ago."""
        if monotonic() < self._cut_until:
            raise psycopg.OperationalError("the server could not be reached a moment ago")

    def cut(self) -> None:
        """It could not be reached."""
        self._cut_until = monotonic() + PAUSE
