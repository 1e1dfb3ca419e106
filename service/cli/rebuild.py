"""The command `rebuild`: rebuilds all projections from the log.

The service may run meanwhile. It helps to rebuild, and its readers see incomplete data, never wrong data.
"""

import asyncio
import sys
from argparse import Namespace

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from projections.projection import Projections
from projections.registry import PROJECTIONS
from service import databases, settings
from service.cli.database import open_store
from service.cli.exit_status import ExitStatus
from service.cli.progress import progress_bar
from service.live import projection_runner
from service.log.errors import Unavailable
from service.settings import InvalidSettings, Settings


def run(arguments: Namespace) -> ExitStatus:
    return asyncio.run(rebuild_all(settings.read(database=arguments.database)))


async def rebuild_all(settings: Settings) -> ExitStatus:
    """Rebuild every projection. Returns `REJECTED` if games are left out. Raises `InvalidSettings`."""
    async with open_store(settings) as store:
        engine = databases.projections(settings)
        try:
            with progress_bar("rebuilding", await store.position()) as advance:
                done = 0

                def on_progress(position: int, _: int) -> None:
                    nonlocal done
                    advance(position - done)
                    done = position

                projections = Projections(engine, PROJECTIONS)
                await projection_runner.rebuild(store, projections, on_progress)
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


def message(error: SQLAlchemyError) -> str:
    """The first line of the database's message, without the statement."""
    return str(error.orig if isinstance(error, DBAPIError) else error).partition("\n")[0]
