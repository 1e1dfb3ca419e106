"""Projections follow the log: every event is applied once, in order, and its position is kept with its effects.

Whatever goes wrong, a batch is applied wholly or not at all; applied again, from here or from another process, it
changes nothing. A projection whose version is another than the database knows is built anew, alone.

An event that cannot be applied, because of what is in it, does not stop a projection: its stream is isolated. From this
event on the projection leaves out the whole stream and applies all others. That is recorded in the same transaction, so
all processes leave out the same, each other event is still applied exactly once, and a restart changes nothing. Only
when a projection is built anew, by `rebuild` or by a release with another version of it, is the stream tried again.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import psycopg
from sqlalchemy import Connection, Engine, Table, and_, delete, func, insert, inspect, or_, select, update
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, NoResultFound, SQLAlchemyError, StatementError

from projections.schema import checkpoints, isolated, writing

log = logging.getLogger(__name__)

OF_THE_DATA = ("22", "23", "54")
"""Classes of PostgreSQL's error codes that blame the data: data exception, integrity constraint violation, and program
limit exceeded, for example by a key that is too long for an index. The driver counts the last one as operational."""

LONGEST_CAUSE = 300


class RecordedEvent(NamedTuple):
    """An event of the log, at its position among all events and in its stream.

    The value is an exception where the event cannot be read.
    """

    position: int
    stream: str
    version: int
    topic: str
    value: Any
    size: int = 0
    """The bytes of the stream's rows up to the end of this event's append, where a projection measures it."""


@dataclass(frozen=True, kw_only=True)
class Projection:
    """What some tables tell of the log."""

    name: str
    version: int
    """Another number when the tables or their meaning change."""
    tables: tuple[Table, ...]
    apply: Callable[[Connection, Sequence[RecordedEvent]], None]
    """Write down what these facts change, in the order of the log. Any cut of the log into batches has the same
    effect."""


class Isolated(NamedTuple):
    """A stream that a projection leaves out since the event at this position."""

    projection: str
    stream: str
    position: int
    cause: str


class Projections:
    """Projections that are kept up together, in one database."""

    def __init__(self, engine: Engine, projections: Iterable[Projection]) -> None:
        self._engine = engine
        self._projections = tuple(projections)
        # Made once: for the few rows of a round, to put a question into words takes longer than to ask it.
        mine = [
            and_(checkpoints.c.projection == each.name, checkpoints.c.version == each.version)
            for each in self._projections
        ]
        # The number of isolated streams comes with the positions: as a rule it is 0 and nothing else need be asked.
        many = select(func.count(isolated.c.stream.distinct())).scalar_subquery()
        self._where = select(checkpoints.c.projection, checkpoints.c.position, many).where(or_(*mine))
        self.isolated = 0
        """How many streams some projection leaves out, as of the last look at the positions."""

    def prepare(self) -> None:
        """Make the tables that are missing, or are those of another version."""
        with writing(self._engine) as connection:
            _create(connection)
            known = {name: version for name, version, _ in connection.execute(select(checkpoints))}
            for projection in self._projections:
                if known.get(projection.name) != projection.version:
                    _begin_anew(connection, projection)

    def outdated(self) -> list[str]:
        """The projections whose tables are missing, or are those of another version."""
        with self._engine.begin() as connection:
            there = all(inspect(connection).has_table(table.name) for table in (checkpoints, isolated))
            known = {name: version for name, version, _ in connection.execute(select(checkpoints))} if there else {}
        return [each.name for each in self._projections if known.get(each.name) != each.version]

    def rebuild(self) -> None:
        """Drop the tables and make them anew: everything is to be applied again, from position 0."""
        with writing(self._engine) as connection:
            _create(connection)
            for projection in self._projections:
                _begin_anew(connection, projection)

    def position(self) -> int:
        """Up to here all have applied everything."""
        with self._engine.begin() as connection:
            return min(self._positions(connection).values())

    def apply(self, facts: Iterable[RecordedEvent], after: int, upto: int) -> int:
        """Apply the facts, which are all there are behind position `after` up to `upto`.

        Returns `position`: `upto`, unless somebody else was faster or has begun anew.
        """
        batch = tuple(facts)
        try:
            return self._applied(batch, after, upto, _at_once)
        except Exception as error:
            if not _is_of_the_data(error):
                raise
        # Once more, event by event where needed: nothing of it has been kept.
        return self._applied(batch, after, upto, _one_by_one)

    def left_out(self) -> list[Isolated]:
        """What is isolated, in the order of the log."""
        with self._engine.begin() as connection:
            rows = connection.execute(select(isolated).order_by(isolated.c.position, isolated.c.projection))
            return [Isolated(*row) for row in rows]

    def _applied(self, batch: Sequence[RecordedEvent], after: int, upto: int, apply: "_Apply") -> int:
        found: list[Isolated] = []
        with writing(self._engine) as connection:
            positions = self._positions(connection)
            behind = [each for each in self._projections if after <= positions[each.name] < upto]
            omitted = _omitted(connection, {fact.stream for fact in batch}) if self.isolated else frozenset()
            for projection in behind:
                news = [
                    fact
                    for fact in batch
                    if fact.position > positions[projection.name] and (projection.name, fact.stream) not in omitted
                ]
                if news:
                    found += apply(connection, projection, news)
            if behind:
                reached = checkpoints.c.projection.in_([each.name for each in behind])
                connection.execute(update(checkpoints).where(reached).values(position=upto))
            if found:
                self._positions(connection)  # also tells how many are isolated now
        for each in found:
            log.warning(
                "%s is left out of the projection %s, which cannot apply its event at position %d: %s",
                each.stream, each.projection, each.position, each.cause,
            )  # fmt: skip
        return min((positions | dict.fromkeys([each.name for each in behind], upto)).values())

    def _positions(self, connection: Connection) -> dict[str, int]:
        """By name. Raises `NoResultFound` where a table is of another release: this process must not write into it."""
        rows = connection.execute(self._where).all()
        found = {name: position for name, position, _ in rows}
        self.isolated = next((many for _, _, many in rows), 0)
        if missing := [each.name for each in self._projections if each.name not in found]:
            raise NoResultFound(f"{missing} are of another version")
        return found


def _begin_anew(connection: Connection, projection: Projection) -> None:
    for table in projection.tables:
        table.drop(connection, checkfirst=True)
        table.create(connection)
    connection.execute(delete(checkpoints).where(checkpoints.c.projection == projection.name))
    connection.execute(delete(isolated).where(isolated.c.projection == projection.name))
    connection.execute(insert(checkpoints).values(projection=projection.name, version=projection.version, position=0))


def _create(connection: Connection) -> None:
    for table in (checkpoints, isolated):
        table.create(connection, checkfirst=True)


# --- events that cannot be applied --------------------------------------------------------------------------------

_Apply = Callable[[Connection, Projection, Sequence[RecordedEvent]], Sequence[Isolated]]


def _at_once(connection: Connection, projection: Projection, facts: Sequence[RecordedEvent]) -> Sequence[Isolated]:
    """The usual way: all of them or none."""
    for fact in facts:
        if isinstance(fact.value, Exception):
            raise fact.value
    projection.apply(connection, facts)
    return ()


def _one_by_one(connection: Connection, projection: Projection, facts: Sequence[RecordedEvent]) -> Sequence[Isolated]:
    """All that can be applied; of a stream nothing from the first event on that cannot."""
    try:
        with connection.begin_nested():
            return _at_once(connection, projection, facts)
    except Exception as error:
        if not _is_of_the_data(error):
            raise
    found: dict[str, Isolated] = {}
    for fact in facts:
        if fact.stream in found:
            continue
        try:
            with connection.begin_nested():
                _at_once(connection, projection, [fact])
        except Exception as error:
            if not _is_of_the_data(error):
                raise
            found[fact.stream] = Isolated(projection.name, fact.stream, fact.position, _cause(error))
    if found:
        connection.execute(insert(isolated), [each._asdict() for each in found.values()])
    return [*found.values()]


def _omitted(connection: Connection, streams: set[str]) -> frozenset[tuple[str, str]]:
    """Which projections leave out which of these streams."""
    query = select(isolated.c.projection, isolated.c.stream).where(isolated.c.stream.in_(streams))
    return frozenset((projection, stream) for projection, stream in connection.execute(query))


def _is_of_the_data(error: Exception) -> bool:
    """Whether the event is to blame. Else the database is: it is away, full, locked, or of another release."""
    if isinstance(error, DBAPIError):
        code = getattr(error.orig, "sqlstate", None) or ""
        return isinstance(error, DataError | IntegrityError) or code[:2] in OF_THE_DATA
    if isinstance(error, StatementError):  # a value that no statement can bear
        return True
    return not isinstance(error, SQLAlchemyError | psycopg.Error | OSError | MemoryError)


def _cause(error: Exception) -> str:
    """One line that any database can keep and any terminal can show."""
    told = error.orig if isinstance(error, StatementError) and error.orig is not None else error
    text = f"{type(told).__name__}: {told}".partition("\n")[0][:LONGEST_CAUSE]
    return text.encode("ascii", "backslashreplace").decode().translate(dict.fromkeys(range(32), " "))
