"""The command `migrate`: creates or updates the tables of a PostgreSQL database."""

import sys
from argparse import Namespace

from service import databases, settings
from service.cli.exit_status import ExitStatus
from service.log.errors import Unavailable
from service.settings import InvalidSettings


def run(arguments: Namespace) -> ExitStatus:
    """Raises `InvalidSettings` if the database is not PostgreSQL: SQLite files need no migration."""
    found = settings.read(database=arguments.database)
    if not found.uses_postgres:
        raise InvalidSettings(
            "STAMMTISCH_DATABASE: name a PostgreSQL database, such as postgresql://USER:PASSWORD@HOST/NAME, also as "
            "--database. An SQLite file is updated when the service starts."
        )
    try:
        existed = databases.is_migrated(found)
    except Unavailable as error:
        raise found.unusable(error, "migrated") from None
    created = databases.migrate(found)
    sys.stdout.write(f"{found.database_label}: {outcome(created, existed)}\n")
    return ExitStatus.OK


def outcome(created: list[str], existed: bool) -> str:
    """What a migration did, in words. `existed`: the log was there before."""
    if not created:
        return "the tables are up to date"
    if not existed:
        return "created all tables"
    return f"updated the tables of {', '.join(created)}; the service rebuilds them from the log"
