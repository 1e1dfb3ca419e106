"""The games and results of a player. Names are not in the log, so no projection contains them."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from sqlalchemy import Connection, Engine, bindparam, func, select, union

from domain.codec import is_storable
from domain.game import Status
from domain.messages import Value
from projections.database import reading
from projections.results import Results
from projections.schema import games, invitations, members


class Played(Value):
    """The number of a player's games of this ruleset and status."""

    ruleset: str
    """The name of the ruleset."""
    status: Status
    """The status that the games have now."""
    games: int
    """The number of these games."""


Counted: TypeAlias = Callable[[Connection, str], Iterable[Results]]
"""(database of the projections, player): the player's results, by ruleset."""


class Activity(Value):
    """A player's games, and the results of those that count."""

    games: tuple[Played, ...]
    results: tuple[Results, ...]


# Without the hint SQLite uses the primary key and scans all games of the player.
_HINTED = select(func.count()).select_from(members).with_hint(members, "INDEXED BY members_unfinished", "sqlite")
_UNFINISHED = _HINTED.where(members.c.player == bindparam("player"), members.c.unfinished)


def unfinished(engine: Engine, player: str) -> int:
    """The number of unfinished games that the player sits at or opened."""
    with reading(engine) as connection:
        found: int = connection.execute(_UNFINISHED, {"player": player}).scalar_one()
        return found


def unfinished_games(engine: Engine, player: str) -> list[tuple[str, str]]:
    """The unfinished games that the player sits at or opened, or in which a seat is kept for them: ruleset and id."""
    sits = select(members.c.number).where(members.c.player == player, members.c.unfinished)
    invited = select(invitations.c.number).where(invitations.c.player == player)
    query = select(games.c.ruleset, games.c.id).where(games.c.number.in_(union(sits, invited)))
    with reading(engine) as connection:
        return [(ruleset, game) for ruleset, game in connection.execute(query)]


def games_of(engine: Engine, player: str) -> list[str]:
    """The ids of all games that show the player: at which they sit, that they opened, or that keep a seat for them."""
    member = select(members.c.number).where(members.c.player == player)
    invited = select(invitations.c.number).where(invitations.c.player == player)
    query = select(games.c.id).where(games.c.number.in_(union(member, invited)))
    with reading(engine) as connection:
        return [*connection.execute(query).scalars()]


def activity(engine: Engine, player: str, viewer: str | None, counted: Sequence[Counted] = ()) -> Activity:
    """The player's games and results. Private games are counted only for the player."""
    if not is_storable(player):
        return Activity((), ())
    visible = (False, True) if viewer == player else (False,)
    count = (
        select(games.c.ruleset, games.c.status, func.count())
        .join(members, members.c.number == games.c.number)
        .where(members.c.player == player, members.c.private.in_(visible), members.c.seated)
        .group_by(games.c.ruleset, games.c.status)
        .order_by(games.c.ruleset, games.c.status)
    )
    with engine.begin() as connection:
        played = tuple(Played(*row) for row in connection.execute(count))
        return Activity(played, tuple(each for results in counted for each in results(connection, player)))
