"""The command `forget`: forgets players by their ids, for example those who have lost their tokens.

A running service applies it within a second. Within a minute the players leave all games that wait.
"""

import asyncio
import sys
from argparse import Namespace
from collections.abc import Sequence

from service import settings
from service.cli.database import open_mutable, open_store
from service.cli.exit_status import ExitStatus
from service.clock import now
from service.settings import Settings
from service.store import players
from service.terminal import one_line


def run(arguments: Namespace) -> ExitStatus:
    given = settings.read(database=arguments.database)
    unknown = asyncio.run(forget_players(given, arguments.players))
    for player in unknown:
        sys.stderr.write(one_line(f"{player}: there is no such player") + "\n")
    return ExitStatus.REJECTED if unknown else ExitStatus.OK


async def forget_players(settings: Settings, ids: Sequence[str]) -> list[str]:
    """Forget these players. Returns the ids of those who are unknown. Raises `InvalidSettings`."""
    async with open_store(settings), open_mutable(settings) as mutable:
        known = await mutable.query(players.read, ids)
        for player in known:
            await mutable.change(players.forget, player, now())
        await mutable.erase()
    return [player for player in ids if player not in known]
