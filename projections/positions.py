"""Positions in the log that tasks without tables of their own remember, by the name of the task."""

from sqlalchemy import Engine, delete, insert, select, update

from projections.database import reading, writing
from projections.schema import checkpoints


def position(engine: Engine, task: str) -> int:
    """0 if none is recorded."""
    with reading(engine) as connection:
        found: int | None = connection.execute(
            select(checkpoints.c.position).where(checkpoints.c.projection == task)
        ).scalar_one_or_none()
        return found or 0


def advance(engine: Engine, task: str, before: int, after: int) -> None:
    """Unless another process has changed it, the position is `after` from now on."""
    with writing(engine) as connection:
        mine = checkpoints.c.projection == task
        changed = update(checkpoints).where(mine, checkpoints.c.position == before).values(position=after)
        if connection.execute(changed).rowcount or before:
            return
        if connection.execute(select(checkpoints.c.position).where(mine)).first() is None:
            connection.execute(insert(checkpoints).values(projection=task, version=1, position=after))


def named(engine: Engine, prefix: str) -> dict[str, int]:
    """The positions of the tasks whose names begin so."""
    with reading(engine) as connection:
        own = checkpoints.c.projection.startswith(prefix, autoescape=True)
        found = connection.execute(select(checkpoints.c.projection, checkpoints.c.position).where(own))
        return {row.projection: row.position for row in found}


def forget(engine: Engine, task: str) -> None:
    with writing(engine) as connection:
        connection.execute(delete(checkpoints).where(checkpoints.c.projection == task))
