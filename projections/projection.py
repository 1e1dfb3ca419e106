"""Projections apply every event of the log exactly once, in order.

A batch and the checkpoints are written in one transaction: a batch is applied completely or not at all. Applying it
again, in this process or another, changes nothing. If the version of a projection differs from the one in the database,
this projection alone is rebuilt.

If the content of an event makes it impossible to apply, the projection isolates its stream: it leaves out the whole
stream from this event on and applies all others. This is recorded in the same transaction. So all processes leave out
the same streams, every other event is still applied exactly once, and a restart changes nothing. The stream is tried
again only when the projection is rebuilt, by `rebuild` or by a release with another version of it.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, Table, and_, delete, func, insert, inspect, or_, select, update
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, NoResultFound, SQLAlchemyError, StatementError

from projections.database import writing
from projections.schema import checkpoints, isolated

log = logging.getLogger(__name__)

DATA_ERRORS = ("22", "23", "54")
"""Classes of PostgreSQL error codes that the data causes: data exception, integrity constraint violation, and program
limit exceeded, for example a key that is too long for an index. The driver treats the last one as operational."""

MAX_CAUSE_LENGTH = 300
"""Characters of an error text that are recorded at most."""


class RecordedEvent(NamedTuple):
    """An event of the log, with its position in the whole log and its version in the stream.

    `value` is an exception if the event cannot be decoded.
    """

    position: int
    stream: str
    version: int
    topic: str
    value: Any
    size: int = 0
    """The bytes of the stream's rows up to the end of this event's append, if a projection needs it; otherwise 0."""
    first: int = 0
    """Of a game that was archived: the position of its first event. All of its events have the position of its last
    one, and are in one batch. Otherwise 0."""


@dataclass(frozen=True, kw_only=True)
class Projection:
    """Tables that are derived from the log, and the function that updates them."""

    name: str
    version: int
    """Changes whenever the tables or their meaning change."""
    tables: tuple[Table, ...]
    events: tuple[type[Any], ...] = ()
    """The events that it reads."""
    apply: Callable[[Connection, Sequence[RecordedEvent]], None]
    """Applies these events in order. The result does not depend on how the log is divided into batches."""


class Isolated(NamedTuple):
    """A stream that a projection leaves out from the event at this position on. `cause` is the error in one line."""

    projection: str
    stream: str
    position: int
    cause: str


class Projections:
    """Projections in one database that are updated together."""

    def __init__(self, engine: Engine, projections: Iterable[Projection]) -> None:
        self._engine = engine
        self._projections = tuple(projections)
        # Built once: for the few rows of a cycle, building a query takes longer than running it.
        current = [
            and_(checkpoints.c.projection == each.name, checkpoints.c.version == each.version)
            for each in self._projections
        ]
        # One query for the positions and the number of isolated streams. If that is 0, as usual, no other is needed.
        isolated_streams = select(func.count(isolated.c.stream.distinct())).scalar_subquery()
        columns = checkpoints.c.projection, checkpoints.c.position, isolated_streams
        self._select_positions = select(*columns).where(or_(*current))
        self.isolated = 0
        """Number of streams that some projection leaves out, as of the last read of the checkpoints."""

    @property
    def tags(self) -> list[str]:
        """The tags of all events that some projection reads, in games of any rules, also of those that are not
        loaded."""
        return sorted({str(event.__struct_config__.tag) for each in self._projections for event in each.events})

    def prepare(self) -> list[str]:
        """Create the tables that are missing, and recreate those of another version. Returns the names of their
        projections."""
        with writing(self._engine) as connection:
            _create(connection)
            known = {name: version for name, version, _ in connection.execute(select(checkpoints))}
            changed = [each for each in self._projections if known.get(each.name) != each.version]
            for projection in changed:
                _recreate(connection, projection)
        return [each.name for each in changed]

    def outdated(self) -> list[str]:
        """The names of the projections whose tables are missing or of another version."""
        known = self._versions()
        return [each.name for each in self._projections if known.get(each.name) != each.version]

    def newer(self) -> list[str]:
        known = self._versions()
        return [each.name for each in self._projections if known.get(each.name, 0) > each.version]

    def _versions(self) -> dict[str, int]:
        with self._engine.begin() as connection:
            exist = all(inspect(connection).has_table(table.name) for table in (checkpoints, isolated))
            return {name: version for name, version, _ in connection.execute(select(checkpoints))} if exist else {}

    def rebuild(self) -> None:
        """Recreate all tables. The whole log has to be applied again, from position 0."""
        with writing(self._engine) as connection:
            _create(connection)
            for projection in self._projections:
                _recreate(connection, projection)

    def position(self) -> int:
        """The position of the log up to which all projections have applied everything."""
        with self._engine.begin() as connection:
            return min(self._positions(connection).values())

    def apply(self, events: Iterable[RecordedEvent], after: int, upto: int) -> int:
        """Apply the events: all events of the log after position `after`, up to and including `upto`.

        Returns the new `position`: `upto`, unless another process was faster or has started a rebuild.
        """
        batch = tuple(events)
        try:
            return self._applied(batch, after, upto, _at_once)
        except Exception as error:
            if not _is_data_error(error):
                raise
        # The transaction was rolled back. Try again, event by event where necessary.
        return self._applied(batch, after, upto, _one_by_one)

    @contextmanager
    def settled(self, upto: int) -> Iterator[bool]:
        """Whether all projections have applied everything up to this position. In the block no rebuild begins."""
        with writing(self._engine) as connection:
            yield min(self._positions(connection).values()) >= upto

    def left_out(self) -> list[Isolated]:
        """The isolated streams, in the order of the log."""
        with self._engine.begin() as connection:
            rows = connection.execute(select(isolated).order_by(isolated.c.position, isolated.c.projection))
            return [Isolated(*row) for row in rows]

    def _applied(self, batch: Sequence[RecordedEvent], after: int, upto: int, apply: "_Apply") -> int:
        found: list[Isolated] = []
        with writing(self._engine) as connection:
            positions = self._positions(connection)
            behind = [each for each in self._projections if after <= positions[each.name] < upto]
            omitted = _omitted(connection, {event.stream for event in batch}) if self.isolated else frozenset()
            for projection in behind:
                pending = [
                    event
                    for event in batch
                    if event.position > positions[projection.name] and (projection.name, event.stream) not in omitted
                ]
                if pending:
                    found += apply(connection, projection, pending)
            if behind:
                reached = checkpoints.c.projection.in_([each.name for each in behind])
                connection.execute(update(checkpoints).where(reached).values(position=upto))
            if found:
                self._positions(connection)  # updates the number of isolated streams
        for each in found:
            log.warning(
                "%s is left out of the projection %s, which cannot apply its event at position %d: %s",
                each.stream, each.projection, each.position, each.cause,
            )  # fmt: skip
        return min((positions | dict.fromkeys([each.name for each in behind], upto)).values())

    def _positions(self, connection: Connection) -> dict[str, int]:
        """The checkpoints, by projection.

        Raises `NoResultFound` if the tables are of another version: this process must not write to them.
        """
        rows = connection.execute(self._select_positions).all()
        found = {name: position for name, position, _ in rows}
        self.isolated = next((count for _, _, count in rows), 0)
        if missing := [each.name for each in self._projections if each.name not in found]:
            raise NoResultFound(f"the tables of {missing} are of another version")
        return found


def _recreate(connection: Connection, projection: Projection) -> None:
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


def _at_once(connection: Connection, projection: Projection, events: Sequence[RecordedEvent]) -> Sequence[Isolated]:
    for event in events:
        if isinstance(event.value, Exception):
            raise event.value
    projection.apply(connection, events)
    return ()


def _one_by_one(connection: Connection, projection: Projection, events: Sequence[RecordedEvent]) -> Sequence[Isolated]:
    """Apply all events that can be applied; of each stream, the events before the first one that cannot."""
    try:
        with connection.begin_nested():
            return _at_once(connection, projection, events)
    except Exception as error:
        if not _is_data_error(error):
            raise
    found: dict[str, Isolated] = {}
    for event in events:
        if event.stream in found:
            continue
        try:
            with connection.begin_nested():
                _at_once(connection, projection, [event])
        except Exception as error:
            if not _is_data_error(error):
                raise
            found[event.stream] = Isolated(projection.name, event.stream, event.position, _cause(error))
    if found:
        connection.execute(insert(isolated), [each._asdict() for each in found.values()])
    return [*found.values()]


def _omitted(connection: Connection, streams: set[str]) -> frozenset[tuple[str, str]]:
    query = select(isolated.c.projection, isolated.c.stream).where(isolated.c.stream.in_(streams))
    return frozenset((projection, stream) for projection, stream in connection.execute(query))


def _is_data_error(error: Exception) -> bool:
    """Whether the event is the cause. Otherwise the database is: unavailable, full, locked, or of another release."""
    if isinstance(error, DBAPIError):
        code = getattr(error.orig, "sqlstate", None) or ""
        return isinstance(error, DataError | IntegrityError) or code[:2] in DATA_ERRORS
    if isinstance(error, StatementError):  # a value that cannot be bound to a statement
        return True
    of_driver = type(error).__module__.partition(".")[0] == "psycopg"  # which is not loaded without PostgreSQL
    return not (of_driver or isinstance(error, SQLAlchemyError | OSError | MemoryError))


def _cause(error: Exception) -> str:
    """The error as one line of ASCII, which any database can store and any terminal can show."""
    cause = error.orig if isinstance(error, StatementError) and error.orig is not None else error
    text = f"{type(cause).__name__}: {cause}".partition("\n")[0][:MAX_CAUSE_LENGTH]
    return text.encode("ascii", "backslashreplace").decode().translate(dict.fromkeys(range(32), " "))
