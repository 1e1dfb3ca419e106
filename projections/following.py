"""Projections follow the log: every event is applied once, in order, and its position is kept with its effects.

Whatever goes wrong, a batch is applied wholly or not at all; applied again, from here or from another process, it
changes nothing. A projection whose version is another than the database knows is built anew, alone.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Engine, Table, and_, delete, insert, inspect, select, update

from projections.tables import followed, writing


class Fact(NamedTuple):
    """An event of the log, at its position among all events and in its stream."""

    position: int
    stream: str
    version: int
    topic: str
    value: Any


@dataclass(frozen=True, kw_only=True)
class Projection:
    """What some tables tell of the log."""

    name: str
    version: int
    """Another number when the tables or their meaning change."""
    tables: tuple[Table, ...]
    apply: Callable[[Connection, Sequence[Fact]], None]
    """Write down what these facts change, in the order of the log."""


class Projections:
    """Projections that are kept up together, in one database."""

    def __init__(self, engine: Engine, projections: Iterable[Projection]) -> None:
        self._engine = engine
        self._projections = tuple(projections)

    def prepare(self) -> None:
        """Make the tables that are missing, or are those of another version."""
        with writing(self._engine) as connection:
            followed.create(connection, checkfirst=True)
            known = {name: version for name, version, _ in connection.execute(select(followed))}
            for projection in self._projections:
                if known.get(projection.name) != projection.version:
                    _begin_anew(connection, projection)

    def outdated(self) -> list[str]:
        """The projections whose tables are missing, or are those of another version."""
        with self._engine.begin() as connection:
            there = inspect(connection).has_table(followed.name)
            known = {name: version for name, version, _ in connection.execute(select(followed))} if there else {}
        return [each.name for each in self._projections if known.get(each.name) != each.version]

    def rebuild(self) -> None:
        """Drop the tables and make them anew: everything is to be applied again, from position 0."""
        with writing(self._engine) as connection:
            followed.create(connection, checkfirst=True)
            for projection in self._projections:
                _begin_anew(connection, projection)

    def position(self) -> int:
        """Up to here all have applied everything."""
        with self._engine.begin() as connection:
            return min(_position(connection, projection) for projection in self._projections)

    def apply(self, facts: Iterable[Fact], after: int, upto: int) -> int:
        """Apply the facts, which are all there are behind position `after` up to `upto`.

        Returns `position`: `upto`, unless somebody else was faster or has begun anew.
        """
        batch = tuple(facts)
        with writing(self._engine) as connection:
            return min(_advance(connection, projection, batch, after, upto) for projection in self._projections)


def _begin_anew(connection: Connection, projection: Projection) -> None:
    for table in projection.tables:
        table.drop(connection, checkfirst=True)
        table.create(connection)
    connection.execute(delete(followed).where(followed.c.projection == projection.name))
    connection.execute(insert(followed).values(projection=projection.name, version=projection.version, position=0))


def _mine(projection: Projection) -> ColumnElement[bool]:
    # With the version: a process of an older release must not go on writing into tables of a newer one.
    return and_(followed.c.projection == projection.name, followed.c.version == projection.version)


def _position(connection: Connection, projection: Projection) -> int:
    position: int = connection.execute(select(followed.c.position).where(_mine(projection))).scalar_one()
    return position


def _advance(connection: Connection, projection: Projection, batch: Sequence[Fact], after: int, upto: int) -> int:
    position = _position(connection, projection)
    if not after <= position < upto:
        return position
    if news := [fact for fact in batch if fact.position > position]:
        projection.apply(connection, news)
    connection.execute(update(followed).where(_mine(projection)).values(position=upto))
    return upto
