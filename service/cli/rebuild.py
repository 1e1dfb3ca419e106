"""Lobby, players and standings made anew from the log, while the service runs or not.

Whoever asks meanwhile finds them less complete than they were, never wrong; a service that runs helps to fill them.
"""

import asyncio

from projections.projection import Projections
from projections.registry import PROJECTIONS
from service.cli.archive import bar, opened
from service.live import projection_runner
from service.settings import Settings
from service.store import databases


async def rebuild_all(settings: Settings) -> None:
    """Every projection. Raises `InvalidSettings`."""
    async with opened(settings) as store:
        engine = databases.projections(settings)
        try:
            with bar("rebuilding", await store.position()) as progress:
                done = 0

                def told(position: int, _: int) -> None:
                    nonlocal done
                    progress(position - done)
                    done = position

                await projection_runner.rebuild(store, Projections(engine, PROJECTIONS), told)
        finally:
            await asyncio.to_thread(engine.dispose)
