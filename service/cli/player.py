"""The command `player`: finds players by name, shows, renames, bans and forgets them by their ids.

A running service applies every change within a second. What was done, except showing, is recorded in the table
`stammtisch_moderation`; names are not. Within a minute banned and forgotten players leave all games that wait.
"""

import asyncio
import sys
from argparse import Namespace

from msgspec import json
from msgspec.structs import asdict
from sqlalchemy import Connection

from domain.messages import Value
from domain.player import is_guest
from projections.players import Played, activity, unfinished_games
from projections.storage import stored_bytes_of
from service import databases, settings
from service.cli.database import open_mutable, open_store
from service.cli.exit_status import ExitStatus
from service.cli.terminal import one_line
from service.clock import now
from service.extension import REGISTERED
from service.identity.display_names import InvalidName, normalized_name
from service.settings import Settings
from service.tables import moderation, players
from service.tables.moderation import Deed
from service.tables.mutable import Mutable
from service.tables.players import Known, NotRegistered


class Holdings(Value):
    id: str
    name: str | None
    face: str | None
    forgotten: bool
    banned: bool
    unfinished: tuple[str, ...]
    """The paths of the unfinished games that the player sits at or opened."""
    games: tuple[Played, ...]
    storage_bytes: int
    """What the games take that the player opened."""
    moderation: tuple[Deed, ...]


class Found(Value):
    id: str
    name: str | None
    banned: bool


MOST_FOUND = 100
"""Players that `player find` prints at most."""


class Rejected(Exception):
    """It cannot be done to this player. The message says why."""


def run(arguments: Namespace) -> ExitStatus:
    given = settings.read(database=arguments.database)
    if arguments.action in ("find", "banned"):
        asyncio.run(listed(given, arguments))
        return ExitStatus.OK
    rejected = asyncio.run(apply(given, arguments))
    for line in rejected:
        sys.stderr.write(one_line(line) + "\n")
    return ExitStatus.REJECTED if rejected else ExitStatus.OK


async def listed(settings: Settings, arguments: Namespace) -> None:
    """Print players, one on each line, as JSON. Raises `InvalidSettings`."""
    async with open_store(settings), open_mutable(settings) as mutable:
        if arguments.action == "banned":
            found = await mutable.query(players.all_banned)
        else:
            found = await mutable.query(players.find, arguments.name, MOST_FOUND)
    for player, known in found.items():
        sys.stdout.write(json.encode(Found(player, known.name, known.banned)).decode() + "\n")
    if len(found) == MOST_FOUND and arguments.action == "find":
        sys.stderr.write(f"Only the first {MOST_FOUND} players are printed. Give a longer part of the name.\n")


async def apply(settings: Settings, arguments: Namespace) -> list[str]:
    """Do it to each of the players. Returns what is wrong with the others. Raises `InvalidSettings`."""
    rejected = []
    async with open_store(settings), open_mutable(settings) as mutable:
        known = await mutable.query(players.read, arguments.players)
        for player in arguments.players:
            try:
                if player not in known:
                    raise Rejected("there is no such player")
                if arguments.action == "show":
                    await show(settings, mutable, player, known[player])
                else:
                    await mutable.change(change, player, arguments)
            except Rejected as error:
                rejected.append(f"{player}: {error}")
        if arguments.action == "forget":
            await mutable.erase()
    return rejected


def change(connection: Connection, player: str, arguments: Namespace) -> None:
    """Change the player's row, and record that. Raises `Rejected`."""
    match arguments.action:
        case "rename":
            rename(connection, player, arguments.name)
        case "ban":
            players.ban(connection, player, now())
        case "unban":
            players.ban(connection, player, None)
        case "forget":
            players.forget(connection, player, now())
    moderation.record(connection, arguments.action, player, getattr(arguments, "reason", None), now())


def rename(connection: Connection, player: str, name: str) -> None:
    if not is_guest(player):
        raise Rejected("the name of a site's player comes from the tokens of the site")
    try:
        players.alter(connection, player, {"name": normalized_name(name)}, None)
    except InvalidName as error:
        raise Rejected(f"the name {error}") from None
    except NotRegistered:
        raise Rejected("the player was forgotten") from None


async def show(settings: Settings, mutable: Mutable, player: str, known: Known) -> None:
    deeds = await mutable.query(moderation.of, player)
    more = [await mutable.query(each.held, player) for each in REGISTERED.values() if each.held is not None]
    engine = databases.projections(settings)
    try:
        unfinished, played = unfinished_games(engine, player), activity(engine, player, player).games
        paths = tuple(f"/v1/games/{ruleset}/{game}" for ruleset, game in unfinished)
        size = stored_bytes_of(engine, player)
    finally:
        engine.dispose()
    held = Holdings(player, known.name, known.face, known.forgotten, known.banned, paths, played, size, deeds)
    whole = {name: part for each in (asdict(held), *more) for name, part in each.items()}
    sys.stdout.write(json.format(json.encode(whole), indent=2).decode() + "\n")
