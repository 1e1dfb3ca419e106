"""The table of descriptions. The functions run in `Mutable.query` and `Mutable.change`."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, insert, select

from service.tables.schema import descriptions


class Described(NamedTuple):
    hash: str
    rules: str
    package: str
    text: str


def known(connection: Connection) -> list[Described]:
    columns = descriptions.c.hash, descriptions.c.rules, descriptions.c.package, descriptions.c.text
    return [Described(*row) for row in connection.execute(select(*columns).order_by(descriptions.c.hash))]


def keep(connection: Connection, rows: Sequence[Described]) -> None:
    """Add what another process has not added meanwhile."""
    there = {each.hash for each in known(connection)}
    if rows := [each for each in rows if each.hash not in there]:
        connection.execute(insert(descriptions), [each._asdict() for each in rows])
