"""The command `organiser`: says who may open large pairings."""

import asyncio
import sys
from argparse import Namespace

from service import settings
from service.cli.database import open_mutable, open_store
from service.cli.exit_status import ExitStatus
from service.cli.terminal import one_line
from service.extensions.pairings import rows
from service.settings import Settings
from service.tables import players


def run(arguments: Namespace) -> ExitStatus:
    given = settings.read(database=arguments.database)
    unknown = asyncio.run(apply(given, arguments.players, remove=arguments.remove))
    for player in unknown:
        sys.stderr.write(one_line(f"there is no player {player}") + "\n")
    return ExitStatus.REJECTED if unknown else ExitStatus.OK


async def apply(settings: Settings, ids: list[str], *, remove: bool) -> list[str]:
    """Returns those who are unknown or were forgotten. Raises `InvalidSettings`."""
    async with open_store(settings), open_mutable(settings) as mutable:
        known = await mutable.query(players.read, ids)
        wrong = [each for each in ids if not remove and (each not in known or known[each].forgotten)]
        for each in ids:
            if each not in wrong:
                await mutable.change(rows.dismiss if remove else rows.appoint, each)
    return wrong
