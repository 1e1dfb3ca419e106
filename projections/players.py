"""The players: by which name each goes, and how many games he sits at.

Who registered here goes by the name that he gave himself; who comes from an integrating site, by the name under which
he was last seen at a game.
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
from projections.projection import Projection, RecordedEvent
from projections.schema import asking, games, members, players
from projections.standings import Results, results

GAME_EVENTS = (Opened, Joined)
"""The events of games that show a player's name."""

EVENTS = (Registered, Renamed)
"""The events of a player's own stream."""


class Played(Value):
    """So many of a player's games are of this ruleset and status."""

    ruleset: str
    status: Status
    games: int


class Profile(Value):
    """What is told of a player."""

    id: str
    name: str
    games: tuple[Played, ...]
    results: tuple[Results, ...] = ()
    """Of those of his games that count in the standings."""


# --- from the log -------------------------------------------------------------------------------------------------


class _Known(Value):
    name: str
    registered: bool


def _apply(connection: Connection, facts: Sequence[RecordedEvent]) -> None:
    seen = [told for fact in facts if (told := _told(fact)) is not None]
    before = _load(connection, {player for player, _ in seen})
    after = dict(before)
    for player, known in seen:
        if known.registered or player not in after or not after[player].registered:
            after[player] = known
    new = [{"id": player, **asdict(after[player])} for player in after if player not in before]
    changed = [{"player": player, **asdict(after[player])} for player in before if after[player] != before[player]]
    if new:
        connection.execute(_INSERT, new)
    if changed:
        connection.execute(_CHANGE, changed)


def _told(fact: RecordedEvent) -> tuple[str, _Known] | None:
    """Whom the fact names, and how."""
    match fact.value:
        case Registered(_, name) | Renamed(_, name):
            return fact.stream, _Known(name, True)
        case Stored(imported=True):
            return None  # so he was called elsewhere, at another time
        case Entry(event=Opened(opener=player)) | Entry(event=Joined(player=player)):
            return player.id, _Known(player.name, False)
        case _:
            return None


def _load(connection: Connection, ids: Collection[str]) -> dict[str, _Known]:
    query = select(players).where(players.c.id.in_([player for player in ids if is_storable(player)]))
    return {player: _Known(name, registered) for player, name, registered in connection.execute(query)}


_INSERT = insert(players)
_CHANGE = update(players).where(players.c.id == bindparam("player"))

PLAYERS = Projection(name="players", version=1, tables=(players,), apply=_apply)


# --- to the players -----------------------------------------------------------------------------------------------


def names(engine: Engine, ids: Collection[str]) -> dict[str, str]:
    """The names of those players who were ever seen, by id."""
    with asking(engine) as connection:
        return {player: known.name for player, known in _load(connection, ids).items()}


@cache  # put into words once, for it is asked whenever somebody opens a game
def _unfinished() -> Select[Any]:
    count = select(func.count()).select_from(members)
    # SQLite would take the primary key, and go through all games that the player ever had.
    return count.with_hint(members, "INDEXED BY members_unfinished", "sqlite").where(
        members.c.player == bindparam("player"), members.c.unfinished
    )


def unfinished(engine: Engine, player: str) -> int:
    """How many games are not over at which the player sits or which the player opened."""
    with asking(engine) as connection:
        found: int = connection.execute(_unfinished(), {"player": player}).scalar_one()
        return found


def profile(engine: Engine, player: str, viewer: str | None) -> Profile | None:
    """The player and his games; his private ones are counted for himself alone. None when he was never seen."""
    told = (False, True) if viewer == player else (False,)
    count = (
        select(games.c.ruleset, games.c.status, func.count())
        .join(members, members.c.number == games.c.number)
        .where(members.c.player == player, members.c.private.in_(told), members.c.seated)
        .group_by(games.c.ruleset, games.c.status)
        .order_by(games.c.ruleset, games.c.status)
    )
    with engine.begin() as connection:
        known = _load(connection, [player]).get(player)
        if known is None:
            return None
        played = tuple(Played(*row) for row in connection.execute(count))
        return Profile(player, known.name, played, results(connection, player))
