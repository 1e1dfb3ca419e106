"""The players: their names, and the numbers of their games.

Registered players have the name that they chose last. Players from an integrating site have the name that they had at
their latest game.
"""

from collections.abc import Collection, Sequence
from functools import cache
from typing import Any

from msgspec.structs import asdict
from sqlalchemy import Connection, Engine, Select, bindparam, func, insert, select, update

from domain.codec import is_storable
from domain.game import Joined, Opened, Status
from domain.log import Entry, Stored
from domain.messages import Value
from domain.player import Registered, Renamed
from projections.database import reading
from projections.projection import Projection, RecordedEvent
from projections.schema import games, members, players
from projections.standings import Results, results

GAME_EVENTS = (Opened, Joined)
"""The events of games that contain a player's name."""

EVENTS = (Registered, Renamed)
"""The events of a player's own stream."""


class Played(Value):
    """The number of a player's games of this ruleset and status."""

    ruleset: str
    status: Status
    games: int


class Profile(Value):
    """A player's public profile."""

    id: str
    name: str
    games: tuple[Played, ...]
    results: tuple[Results, ...] = ()
    """The results of the games that count in the standings."""


# --- updating -----------------------------------------------------------------------------------------------------


class _Name(Value):
    name: str
    registered: bool


def _apply(connection: Connection, events: Sequence[RecordedEvent]) -> None:
    found = [named for event in events if (named := _named(event)) is not None]
    before = _load(connection, {player for player, _ in found})
    after = dict(before)
    for player, name in found:
        if name.registered or player not in after or not after[player].registered:
            after[player] = name
    new = [{"id": player, **asdict(after[player])} for player in after if player not in before]
    changed = [{"player": player, **asdict(after[player])} for player in before if after[player] != before[player]]
    if new:
        connection.execute(_INSERT, new)
    if changed:
        connection.execute(_UPDATE, changed)


def _named(event: RecordedEvent) -> tuple[str, _Name] | None:
    """The player whom the event names, and the name; None if it names nobody."""
    match event.value:
        case Registered(_, name) | Renamed(_, name):
            return event.stream, _Name(name, True)
        case Stored(imported=True):
            return None  # a name from another service, at another time
        case Entry(event=Opened(opener=player)) | Entry(event=Joined(player=player)):
            return player.id, _Name(player.name, False)
        case _:
            return None


def _load(connection: Connection, ids: Collection[str]) -> dict[str, _Name]:
    query = select(players).where(players.c.id.in_([player for player in ids if is_storable(player)]))
    return {player: _Name(name, registered) for player, name, registered in connection.execute(query)}


_INSERT = insert(players)
_UPDATE = update(players).where(players.c.id == bindparam("player"))

PLAYERS = Projection(name="players", version=1, tables=(players,), apply=_apply)


# --- queries ------------------------------------------------------------------------------------------------------


def names(engine: Engine, ids: Collection[str]) -> dict[str, str]:
    """The names of these players by id, without the players who are unknown."""
    with reading(engine) as connection:
        return {player: found.name for player, found in _load(connection, ids).items()}


@cache  # built once: the query runs whenever a player opens or joins a game
def _unfinished() -> Select[Any]:
    count = select(func.count()).select_from(members)
    # Without the hint SQLite uses the primary key and scans all games of the player.
    return count.with_hint(members, "INDEXED BY members_unfinished", "sqlite").where(
        members.c.player == bindparam("player"), members.c.unfinished
    )


def unfinished(engine: Engine, player: str) -> int:
    """The number of unfinished games that the player sits at or opened."""
    with reading(engine) as connection:
        found: int = connection.execute(_unfinished(), {"player": player}).scalar_one()
        return found


def profile(engine: Engine, player: str, viewer: str | None) -> Profile | None:
    """The player's profile, which counts private games only for the player; None if the player is unknown."""
    visible = (False, True) if viewer == player else (False,)
    count = (
        select(games.c.ruleset, games.c.status, func.count())
        .join(members, members.c.number == games.c.number)
        .where(members.c.player == player, members.c.private.in_(visible), members.c.seated)
        .group_by(games.c.ruleset, games.c.status)
        .order_by(games.c.ruleset, games.c.status)
    )
    with engine.begin() as connection:
        found = _load(connection, [player]).get(player)
        if found is None:
            return None
        played = tuple(Played(*row) for row in connection.execute(count))
        return Profile(player, found.name, played, results(connection, player))
