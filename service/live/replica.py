"""A standby of the PostgreSQL server that answers reads which may be a few seconds old: lobby, profiles, standings, and
records of games that are over.

How old an answer is follows from the checkpoints of the projections: once a second, while there are such reads, this
process asks the primary for them. What the standby shows is not older than the latest time for which it has reached the
checkpoints of then. If that is too long ago, or the standby is away, the primary answers.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Engine, text
from sqlalchemy.exc import SQLAlchemyError

from projections.database import reading
from projections.projection import Projections
from projections.registry import PROJECTIONS
from service.live.single_flight import SingleFlight
from service.log.mapper import RowMapper

log = logging.getLogger(__name__)

T = TypeVar("T")

MAX_AGE = 10.0
"""Seconds; what is older comes from the primary."""
INTERVAL = 1.0
"""Seconds between two samples of the primary's checkpoints."""
PATIENCE = 1.0
"""Seconds to wait for a sample. If the primary is away, the age counts from an earlier one."""
RETRY = 5.0
"""Seconds for which the primary answers after the standby has failed."""

ROWS = text(
    "SELECT topic, state FROM stammtisch_events WHERE originator_id = :stream ORDER BY originator_version LIMIT :most"
)


class Sample(NamedTuple):
    """A time by the monotonic clock, and the position of the primary's projections then or later."""

    time: float
    position: int


class Replica:
    """The standby behind `engine`. `primary` is the database of the projections, `mapper` decodes rows of the log."""

    def __init__(self, engine: Engine, primary: Engine, mapper: RowMapper) -> None:
        self._engine = engine
        self._mapper = mapper
        self._here, self._there = Projections(primary, PROJECTIONS), Projections(engine, PROJECTIONS)
        self._samples: deque[Sample] = deque(maxlen=60)
        self._sample = SingleFlight(self._take_sample)
        self._away_until = 0.0
        self.answers = 0
        """Reads that the standby answered."""
        self.failures = 0
        """Reads that it could not answer."""

    async def ask(self, query: Callable[..., T], *arguments: Any) -> tuple[T, int] | None:
        """What `query(engine, *arguments)` returns, and its age in seconds, rounded up; None if the primary has to
        answer."""
        if monotonic() < self._away_until:
            return None
        if not self._samples or monotonic() - self._samples[-1].time > INTERVAL:
            with suppress(Exception):  # the primary is away
                async with asyncio.timeout(PATIENCE):
                    await self._sample(None)

        def read() -> tuple[int, T]:
            position = self._there.position()  # first: what is read then is not older
            return position, query(self._engine, *arguments)

        answer = await self._read(read)
        if answer is None:
            return None
        position, found = answer
        known = next((sample.time for sample in reversed(self._samples) if sample.position <= position), None)
        if known is None or (age := monotonic() - known) > MAX_AGE:
            self.failures += 1
            return None
        self.answers += 1
        return found, int(age) + 1

    async def entries(self, game_id: str, most: int) -> list[Any] | None:
        """The entries of the game, as far as the standby has them; None if they are more than `most`, or the standby is
        away."""
        if monotonic() < self._away_until:
            return None

        def read() -> list[Any] | None:
            with reading(self._engine) as connection:
                rows = connection.execute(ROWS, {"stream": game_id, "most": most + 1}).all()
            if len(rows) > most:
                return None
            try:
                return self._mapper.values([(topic, bytes(state)) for topic, state in rows])
            except Exception:  # a damaged row: the primary says what is wrong
                return None

        return await self._read(read)

    async def _read(self, read: Callable[[], T]) -> T | None:
        try:
            return await asyncio.to_thread(read)
        except SQLAlchemyError as error:
            if monotonic() >= self._away_until:
                log.warning("the replica cannot answer: %s", str(error).partition("\n")[0])
            self._away_until = monotonic() + RETRY
            self.failures += 1
            return None

    async def _take_sample(self, _: None) -> None:
        time = monotonic()
        self._samples.append(Sample(time, await asyncio.to_thread(self._here.position)))
