"""Puzzles of the day, and the games in which one was looked for. They come from the command `puzzles --publish`.

Each day has its own puzzle, which never changes. A puzzle names neither its game nor the players.
"""

from datetime import date, timedelta

import msgspec
from msgspec import UNSET
from sqlalchemy import Connection, Engine, delete, false, func, insert, select

from projections.database import reading, writing
from projections.lobby import LobbyGame
from projections.projection import Projection
from projections.schema import games, puzzle_games, puzzles

PUZZLES = Projection(name="puzzles", version=1, tables=(puzzles, puzzle_games), apply=lambda _connection, _events: None)
"""The tables. After an upgrade to another version they are empty."""

NEWEST = 2000
"""Finished public games that are looked through for those whose players agreed: the newest ones."""
AHEAD = 30
"""Days, from today on, that can have a puzzle."""
KEPT = 365
"""Days after which a puzzle is deleted."""

_game = msgspec.json.Decoder(LobbyGame)


def sources(engine: Engine) -> list[LobbyGame]:
    """Finished public games whose players agreed and in which no puzzle was looked for, the newest first."""
    query = (
        select(games.c.id, games.c.listed)
        .where(games.c.private == false(), games.c.status == "finished")
        .order_by(games.c.number.desc())
        .limit(NEWEST)
    )
    with writing(engine) as connection:
        rows = connection.execute(query).all()
        connection.execute(delete(puzzle_games).where(puzzle_games.c.game.not_in([row.id for row in rows])))
        known = set(connection.execute(select(puzzle_games.c.game)).scalars())
    found = [_game.decode(row.listed) for row in rows if row.id not in known]
    return [each for each in found if each.puzzles is True and each.imported is UNSET]


def free_days(engine: Engine, today: date) -> int:
    """How many days, from today on, can get a puzzle."""
    with reading(engine) as connection:
        return _free(_next(connection, today), today)


def _next(connection: Connection, today: date) -> date:
    """The first day from today on after which no day has a puzzle."""
    last = connection.execute(select(func.max(puzzles.c.day))).scalar()
    return today if last is None else max(today, date.fromisoformat(last) + timedelta(days=1))


def _free(day: date, today: date) -> int:
    return AHEAD - (day - today).days


def keep(engine: Engine, game: str, body: str | None, today: date) -> str | None:
    """Keep the puzzle of this game, for the next free day, which is returned; None: there is no puzzle, no free day, or
    another process has looked through the game meanwhile."""
    with writing(engine) as connection:
        if connection.execute(select(puzzle_games.c.game).where(puzzle_games.c.game == game)).first() is not None:
            return None
        connection.execute(insert(puzzle_games).values(game=game))
        connection.execute(delete(puzzles).where(puzzles.c.day < (today - timedelta(days=KEPT)).isoformat()))
        day = _next(connection, today)
        if body is None or _free(day, today) <= 0:
            return None
        connection.execute(insert(puzzles).values(day=day.isoformat(), body=body))
        return day.isoformat()


def of_day(engine: Engine, day: str) -> str | None:
    """The puzzle of the day, as JSON."""
    with reading(engine) as connection:
        found: str | None = connection.execute(select(puzzles.c.body).where(puzzles.c.day == day)).scalar_one_or_none()
    return found
