"""The command `export`: writes games that are over as records, one per line.

Running games are not exported: their logs contain hidden cards. Records have no names, so that the file of a game is
always the same bytes.
"""

import asyncio
from argparse import Namespace
from collections.abc import Sequence

from msgspec import MsgspecError

from domain.codec import encode
from domain.fairness import record
from domain.game import Revealed
from domain.game.log import Stored
from service import settings
from service.cli.database import open_store
from service.cli.exit_status import ExitStatus
from service.cli.progress import progress_bar
from service.cli.record_files import open_output
from service.cli.transfer import RecordRejected, Summary, report
from service.games.topics import tag
from service.log import elsewhere
from service.log.game_log import GameLog
from service.settings import Settings

PAGE_SIZE = 5_000
"""Rows of the log that are read at once to find games that are over."""


def run(arguments: Namespace) -> ExitStatus:
    given = settings.read(database=arguments.database)
    return report(asyncio.run(export_games(given, arguments.games, arguments.output)), "exported")


async def export_games(settings: Settings, ids: Sequence[str], output: str) -> Summary:
    """Write the records of these games, or of all that are over if there are no ids. Raises `InvalidSettings`."""
    async with open_store(settings) as store:
        wanted = list(ids) or await games_that_are_over(store)
        exported, rejected = 0, []
        with open_output(output) as out, progress_bar("exporting", len(wanted)) as advance:
            for game_id in wanted:
                try:
                    out.write(await record_of(store, game_id) + b"\n")
                    exported += 1
                except RecordRejected as error:
                    rejected.append(f"{game_id}: {error}")
                advance(1)
    return Summary(exported, 0, tuple(rejected))


async def record_of(store: GameLog, game_id: str) -> bytes:
    """The record of the game, as `GET .../record?names=false` returns it. Raises `RecordRejected`."""
    try:
        log = await store.read(game_id)
    except MsgspecError as error:
        raise RecordRejected(f"Its log cannot be read: {error}") from None
    if not log or not isinstance(log[0], Stored):
        raise RecordRejected("There is no such game.")
    if not isinstance(log[-1].event, Revealed):
        raise RecordRejected("The game is not over; its record would reveal hidden cards.")
    return encode(record.complete(record.of(game_id, log)))


async def games_that_are_over(store: GameLog) -> list[str]:
    """Their ids, in the order in which they ended."""
    found, position = [], 0
    while page := await store.follow(position, PAGE_SIZE, [tag(Revealed), elsewhere.LAST_TAG]):
        found += [row.stream for _, row in page]
        position = page[-1].position
    return found
