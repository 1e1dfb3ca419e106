"""The migrations of the tables. Alembic runs them: on PostgreSQL with `stammtisch migrate`, on SQLite at the start.

A change of `schema` needs a new file in `versions`, with the next number:

    .venv/bin/alembic revision --rev-id 0002 --message "who invited"

A migration never imports `schema`: it describes the tables as they are after it, for ever.
"""

from pathlib import Path

from sqlalchemy import Column, Connection, MetaData, PrimaryKeyConstraint, String, Table, insert, inspect, select

from service.log.errors import Unavailable

VERSION = Table(
    "stammtisch_migrations",
    MetaData(),
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="stammtisch_migrations_pkc"),
)
"""Has one row: the last migration of the database. Alembic creates the same table."""


def metadata() -> MetaData:
    """All tables."""
    from service.tables import pairings

    return pairings.organisers.metadata


def head() -> str:
    """The last migration of this release. Does not load Alembic, which takes 0.13 s."""
    return max(path.name[:4] for path in (Path(__file__).parent / "versions").glob("[0-9]*.py"))


def current(connection: Connection) -> str | None:
    """The last migration of the database; None without any."""
    if not inspect(connection).has_table(VERSION.name):
        return None
    return connection.execute(select(VERSION.c.version_num)).scalar()


def upgrade(connection: Connection, to: str = "head") -> None:
    """Run the missing migrations, in the transaction of the connection. Raises `Unavailable` if the tables are of a
    newer release."""
    from alembic import command
    from alembic.config import Config

    if (known := current(connection)) is not None and known > head():
        raise Unavailable("its tables are of a newer release: install that release")
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", ":".join(__name__.rsplit(".", 1)))
    command.upgrade(config, to)


def create(connection: Connection) -> None:
    """Create the tables of an empty database at once: 3 ms instead of 40 for the migrations."""
    metadata().create_all(connection)
    VERSION.create(connection)
    connection.execute(insert(VERSION), {"version_num": head()})


def is_empty(connection: Connection) -> bool:
    return {VERSION.name, *metadata().tables}.isdisjoint(inspect(connection).get_table_names())
