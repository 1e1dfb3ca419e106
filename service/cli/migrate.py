"""The command `migrate`: creates or updates the tables of a PostgreSQL database."""

from argparse import Namespace

from service import settings
from service.cli.exit_status import ExitStatus
from service.store import databases


def run(arguments: Namespace) -> ExitStatus:
    databases.migrate(settings.read(database=arguments.database))
    return ExitStatus.OK
