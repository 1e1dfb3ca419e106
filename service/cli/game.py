"""The command `game`: aborts games by their ids.

It orders a running service to do it, within a second; without one the next service does it when it starts. So a game's
history only ever grows by an event that every verifier knows: `aborted`, with the cause `operator`.
"""

import asyncio
import sys
from argparse import Namespace
from collections.abc import Sequence
from time import monotonic

from sqlalchemy import Connection

from domain.game import Aborted, Opened, Revealed
from service import settings
from service.cli.database import open_mutable, open_store
from service.cli.exit_status import ExitStatus
from service.cli.terminal import one_line
from service.clock import now
from service.settings import Settings
from service.tables import moderation
from service.tables.mutable import Mutable

PATIENCE = 3.0
"""Seconds to wait until a running service has done it."""


def run(arguments: Namespace) -> ExitStatus:
    given = settings.read(database=arguments.database)
    rejected = asyncio.run(abort_games(given, arguments.games, arguments.reason))
    for line in rejected:
        sys.stderr.write(one_line(line) + "\n")
    return ExitStatus.REJECTED if rejected else ExitStatus.OK


async def abort_games(settings: Settings, ids: Sequence[str], reason: str | None) -> list[str]:
    """Order these games to be aborted. Returns what is wrong with the others. Raises `InvalidSettings`."""
    rejected, ordered = [], {}
    async with open_store(settings) as store, open_mutable(settings) as mutable:
        for game_id in ids:
            entries = await store.read(game_id)
            if not entries or not isinstance(getattr(entries[0], "event", None), Opened):
                rejected.append(f"{game_id}: there is no such game")
            elif isinstance(entries[-1].event, Aborted | Revealed):
                rejected.append(f"{game_id}: the game is over already")
            else:
                ordered[game_id] = await mutable.change(record, game_id, reason)
        waiting = await done(mutable, ordered)
    for game_id in ordered:
        outcome = "a service that runs, or the next one, aborts it" if game_id in waiting else "aborted"
        sys.stdout.write(f"{game_id}: {outcome}\n")
    return rejected


def record(connection: Connection, game_id: str, reason: str | None) -> int:
    return moderation.record(connection, "abort", game_id, reason, now(), open=True)


async def done(mutable: Mutable, ordered: dict[str, int]) -> set[str]:
    """Wait until the orders are carried out. Returns the games for which that has not happened in time."""
    waiting, until = set(ordered), monotonic() + PATIENCE
    while waiting and monotonic() < until:
        await asyncio.sleep(0.1)
        waiting = {game_id for game_id in waiting if await mutable.query(moderation.is_open, ordered[game_id])}
    return waiting
