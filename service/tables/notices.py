"""Notices to players about what is no event of a game: rows that an extension adds in the transaction of what happened,
and that `deliver` takes to the outbox of webhooks. The functions run in `Mutable.query` and `Mutable.change`."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

import msgspec
from sqlalchemy import Connection, delete, insert, select

from service.tables.pairings import notices, pairing_tables, pairings

NoticeType: TypeAlias = Literal["pairing.opened", "pairing.table_over", "pairing.over"]


class Notice(NamedTuple):
    """`path`: of the resource. `data`: what else the player is told of it, as JSON."""

    id: int
    owner: str
    type: NoticeType
    subject: str
    path: str
    data: str
    at: str


def tell(
    connection: Connection, owner: str, type: NoticeType, subject: str, path: str, told: Sequence[Mapping[str, Any]],
    at: str, expired: str,
) -> None:  # fmt: skip
    """Add a notice for each item of `told`. Those from before `expired` that nobody has taken are dropped."""
    connection.execute(delete(notices).where(notices.c.at < expired))
    rows = [msgspec.json.encode(each).decode() for each in told]
    if rows:
        given = {"owner": owner, "type": type, "subject": subject, "path": path, "at": at}
        connection.execute(insert(notices), [given | {"data": row} for row in rows])


def oldest(connection: Connection, limit: int) -> list[Notice]:
    return [Notice(*row) for row in connection.execute(select(notices).order_by(notices.c.id).limit(limit))]


def drop(connection: Connection, ids: Sequence[int]) -> None:
    connection.execute(delete(notices).where(notices.c.id.in_(ids)))


def of_organisers(connection: Connection, games: Sequence[str]) -> set[str]:
    """Those of these games that are tables of an organiser's pairing."""
    chosen = pairing_tables.c.game.in_(games), pairing_tables.c.pairing == pairings.c.id, pairings.c.organiser
    return set(connection.execute(select(pairing_tables.c.game).where(*chosen)).scalars())
