"""Lobby, players and standings made anew from the log, while the service runs or not.

Whoever asks meanwhile finds them less complete than they were, never wrong; a service that runs helps to fill them.
"""

import asyncio

from projections.following import Projections
from service import databases, feed
from service.archive import bar, opened
from service.feed import PROJECTIONS
from service.settings import Settings


async def rebuild_all(settings: Settings) -> None:
    """Every projection. Raises `Faulty`."""
    async with opened(settings) as store:
        engine = databases.projections(settings)
        try:
            with bar("rebuilding", await store.position()) as progress:
                done = 0

                def told(position: int, _: int) -> None:
                    nonlocal done
                    progress(position - done)
                    done = position

                await feed.rebuild(store, Projections(engine, PROJECTIONS), told)
        finally:
            await asyncio.to_thread(engine.dispose)
