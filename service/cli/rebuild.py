"""The command `rebuild`: rebuilds all projections from the log.

The service may run meanwhile. It helps to rebuild, and its readers see incomplete data, never wrong data.
"""

import asyncio
import sys
from argparse import Namespace
from collections.abc import Callable
from time import monotonic

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from projections import positions
from projections.projection import Projections
from service import databases, settings
from service.cli.database import open_store
from service.cli.exit_status import ExitStatus
from service.cli.progress import progress_bar
from service.live import projection_runner
from service.log.errors import Unavailable
from service.settings import InvalidSettings, Settings

TASK = "rebuild"
"""The name under which the end of the log is remembered, until a rebuild has reached it."""

REPORT_INTERVAL = 10.0
"""Seconds between two lines about the progress, if stderr is no terminal."""


def run(arguments: Namespace) -> ExitStatus:
    return asyncio.run(rebuild_all(settings.read(database=arguments.database), restart=arguments.restart))


async def rebuild_all(settings: Settings, *, restart: bool = False) -> ExitStatus:
    """Rebuild every projection. A rebuild that was interrupted goes on where it was, unless `restart`. Returns
    `REJECTED` if games are left out. Raises `InvalidSettings`."""
    async with open_store(settings) as store:
        engine = databases.projections(settings)
        try:
            projections = Projections(engine, databases.derived())
            begin = await asyncio.to_thread(_begin, engine, projections, await store.position(), restart)
            with progress_bar("rebuilding", await store.position()) as advance:
                advance(begin)
                await projection_runner.rebuild(store, projections, Reports(advance, begin), resume=begin > 0)
            await asyncio.to_thread(positions.forget, engine, TASK)
            left_out = await asyncio.to_thread(projections.left_out)
        except SQLAlchemyError as error:
            raise InvalidSettings(
                f"STAMMTISCH_DATABASE: the projections of {settings.database_label} cannot be written: {message(error)}"
            ) from None
        except Unavailable as error:
            raise settings.unusable(error, "read") from None
        finally:
            await asyncio.to_thread(engine.dispose)
    if left_out:
        # The log on stderr has named each of them with the cause.
        sys.stderr.write(f"{len({each.stream for each in left_out})} games cannot be applied and are left out\n")
    return ExitStatus.REJECTED if left_out else ExitStatus.OK


class Reports:
    """Shows how far a rebuild is: `advance` moves the bar of a terminal. Otherwise lines appear on stderr."""

    def __init__(self, advance: Callable[[int], None], begin: int) -> None:
        self._advance = advance
        self._done = begin
        self._next = monotonic() + REPORT_INTERVAL

    def __call__(self, position: int, last: int) -> None:
        self._advance(position - self._done)
        self._done = position
        if not sys.stderr.isatty() and monotonic() >= self._next:
            self._next = monotonic() + REPORT_INTERVAL
            sys.stderr.write(f"rebuilt up to position {position} of {last}\n")


def _begin(engine: Engine, projections: Projections, last: int, restart: bool) -> int:
    """The position at which a rebuild goes on that was interrupted; 0 if it has to begin. It is recorded first."""
    projections.prepare()  # tables of another release are empty then
    until, reached = positions.position(engine, TASK), projections.position()
    if 0 < reached < until and not restart:
        sys.stderr.write(f"a rebuild was interrupted: it goes on at position {reached} of {until}\n")
        return reached
    positions.advance(engine, TASK, until, last)
    return 0


def message(error: SQLAlchemyError) -> str:
    """The first line of the database's message, without the statement."""
    return str(error.orig if isinstance(error, DBAPIError) else error).partition("\n")[0]
