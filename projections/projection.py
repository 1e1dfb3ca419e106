"""Projections follow the log: every event is applied once, in order, and its position is kept with its effects.

Whatever goes wrong, a batch is applied wholly or not at all; applied again, from here or from another process, it
changes nothing. A projection whose version is another than the database knows is built anew, alone.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, Table, and_, delete, insert, inspect, or_, select, update
from sqlalchemy.exc import NoResultFound

from projections.schema import checkpoints, writing


class RecordedEvent(NamedTuple):
    """An event of the log, at its position among all events and in its stream."""

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
    """Write down what these facts change, in the order of the log."""


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
        self._where = select(checkpoints.c.projection, checkpoints.c.position).where(or_(*mine))

    def prepare(self) -> None:
        """Make the tables that are missing, or are those of another version."""
        with writing(self._engine) as connection:
            checkpoints.create(connection, checkfirst=True)
            known = {name: version for name, version, _ in connection.execute(select(checkpoints))}
            for projection in self._projections:
                if known.get(projection.name) != projection.version:
                    _begin_anew(connection, projection)

    def outdated(self) -> list[str]:
        """The projections whose tables are missing, or are those of another version."""
        with self._engine.begin() as connection:
            there = inspect(connection).has_table(checkpoints.name)
            known = {name: version for name, version, _ in connection.execute(select(checkpoints))} if there else {}
        return [each.name for each in self._projections if known.get(each.name) != each.version]

    def rebuild(self) -> None:
        """Drop the tables and make them anew: everything is to be applied again, from position 0."""
        with writing(self._engine) as connection:
            checkpoints.create(connection, checkfirst=True)
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
        with writing(self._engine) as connection:
            positions = self._positions(connection)
            behind = [each for each in self._projections if after <= positions[each.name] < upto]
            for projection in behind:
                if news := [fact for fact in batch if fact.position > positions[projection.name]]:
                    projection.apply(connection, news)
            if behind:
                reached = checkpoints.c.projection.in_([each.name for each in behind])
                connection.execute(update(checkpoints).where(reached).values(position=upto))
            return min((positions | dict.fromkeys([each.name for each in behind], upto)).values())

    def _positions(self, connection: Connection) -> dict[str, int]:
        """By name. Raises `NoResultFound` where a table is of another release: this process must not write into it."""
        found = dict(connection.execute(self._where).all())
        if missing := [each.name for each in self._projections if each.name not in found]:
            raise NoResultFound(f"{missing} are of another version")
        return found


def _begin_anew(connection: Connection, projection: Projection) -> None:
    for table in projection.tables:
        table.drop(connection, checkfirst=True)
        table.create(connection)
    connection.execute(delete(checkpoints).where(checkpoints.c.projection == projection.name))
    connection.execute(insert(checkpoints).values(projection=projection.name, version=projection.version, position=0))
