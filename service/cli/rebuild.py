"""Lobby, players and standings made anew from the log, while the service runs or not.

Whoever asks meanwhile finds them less complete than they were, never wrong; a service that runs helps to fill them.
"""

import asyncio
import sys

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from projections.projection import Projections
from projections.registry import PROJECTIONS
from service.cli.archive import bar, opened
from service.live import projection_runner
from service.settings import InvalidSettings, Settings
from service.store import databases
from service.store.group_commit import Unavailable


async def rebuild_all(settings: Settings) -> int:
    """Rebuild every projection. Returns the exit status: 1 if games had to be left out. Raises `InvalidSettings`."""
    async with opened(settings) as store:
        engine = databases.projections(settings)
        try:
            with bar("rebuilding", await store.position()) as progress:
                done = 0

                def told(position: int, _: int) -> None:
                    nonlocal done
                    progress(position - done)
                    done = position

                kept = Projections(engine, PROJECTIONS)
                await projection_runner.rebuild(store, kept, told)
                left_out = await asyncio.to_thread(kept.left_out)
        except SQLAlchemyError as error:
            raise InvalidSettings(
                f"STAMMTISCH_DATABASE: the projections of {settings.database_label} cannot be written: {said(error)}"
            ) from None
        except Unavailable as error:
            raise InvalidSettings(f"STAMMTISCH_DATABASE: {settings.database_label} cannot be read: {error}") from None
        finally:
            await asyncio.to_thread(engine.dispose)
    if left_out:
        # Each of them has been named with its cause in the log, that is, on stderr.
        sys.stderr.write(f"{len({each.stream for each in left_out})} games cannot be applied and are left out\n")
    return 1 if left_out else 0


def said(error: SQLAlchemyError) -> str:
    """What the database says, without the statement."""
    told = error.orig if isinstance(error, DBAPIError) else error
    return str(told).partition("\n")[0]
