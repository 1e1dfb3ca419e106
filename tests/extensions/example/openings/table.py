"""The games that each player has opened, from the log."""

import sys
from collections.abc import Sequence

from sqlalchemy import Column, Connection, Engine, Integer, MetaData, Table, Text, insert, select, update

from domain.game import Opened
from domain.game.log import Entry
from projections.database import reading
from projections.projection import Projection, RecordedEvent
from service import databases, settings

META = MetaData()

openings = Table(
    "openings",
    META,
    Column("player", Text, primary_key=True),
    Column("games", Integer, nullable=False),
    sqlite_with_rowid=False,
)


def _apply(connection: Connection, events: Sequence[RecordedEvent]) -> None:
    entries = [each.value for each in events if isinstance(each.value, Entry)]
    for player in [entry.event.opener for entry in entries if isinstance(entry.event, Opened)]:
        one_more = update(openings).where(openings.c.player == player).values(games=openings.c.games + 1)
        if not connection.execute(one_more).rowcount:
            connection.execute(insert(openings).values(player=player, games=1))


OPENINGS = Projection(name="openings", version=1, tables=(openings,), events=(Opened,), apply=_apply)


def opened(engine: Engine, player: str) -> int:
    with reading(engine) as connection:
        return connection.execute(select(openings.c.games).where(openings.c.player == player)).scalar() or 0


def print_openings(database: str | None) -> int:
    engine = databases.projections(settings.read(database=database))
    with reading(engine) as connection:
        for player, games in connection.execute(select(openings)):
            sys.stdout.write(f"{player} {games}\n")
    return 0
