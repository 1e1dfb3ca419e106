"""The standings: how the players have done at each ruleset, ordered by their ratings.

A game counts when everybody could watch it and different people have played it to its end. So a private game never
counts: nobody else may find out that there was one. Nor does a hotseat game, nor a branch, which is one. Nor does an
imported game: its players were those of another house, and whoever knows a game's secret can invent another one.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import accumulate
from math import inf
from typing import Any, NamedTuple, TypeAlias

import msgspec
from msgspec.structs import asdict, replace
from sqlalchemy import Connection, Engine, Row, bindparam, delete, func, insert, select, tuple_

from domain.cards import put
from domain.game import Aborted, Ended, Joined, Left, Opened, Player
from domain.log import Entry, Stored
from domain.messages import Value
from domain.player import ID
from domain.ruleset import Result, Seat
from projections.projection import Projection, RecordedEvent
from projections.ratings import Rating, newcomer, rated
from projections.schema import asking, contests, players, standings

EVENTS = (Opened, Joined, Left, Ended, Aborted)
"""The events of games that change the standings."""

LIMIT = 100


class Points(Value):
    """Points as the ruleset counts them: of all games together, and the fewest and the most in one of them."""

    total: int
    lowest: int
    highest: int


class Results(Value):
    """How a player has done at a ruleset. A victory that is shared is a win for each who shares it."""

    ruleset: str
    games: int
    wins: int
    points: Points
    rating: Rating


class Standing(Value):
    """A player in the standings of a ruleset. Those with the same ordinal share a rank."""

    rank: int
    player: Player
    games: int
    wins: int
    points: Points
    rating: Rating


class Page(Value):
    """Some players, best first, and the cursor behind which the others are."""

    items: tuple[Standing, ...]
    next: str | None


class BadCursor(ValueError):
    """No page has ever given out this cursor."""


# --- from the log -------------------------------------------------------------------------------------------------


class _Contest(Value):
    """A game that will count if it comes to its end."""

    ruleset: str
    players: tuple[str | None, ...]


_Outcome: TypeAlias = tuple[_Contest, Result]
_Key: TypeAlias = tuple[str, str]
"""A player and a ruleset."""


def _apply(connection: Connection, facts: Sequence[RecordedEvent]) -> None:
    news = [fact for fact in facts if isinstance(fact.value, Entry) and isinstance(fact.value.event, EVENTS)]
    before = _load_contests(connection, {fact.stream for fact in news if fact.version > 1})
    after = dict(before)
    outcomes: list[_Outcome] = []
    for _, game, _, _, entry, _ in news:
        match entry.event:
            case Opened(ruleset=ruleset, seats=seats):
                if counts(entry):
                    after[game] = _Contest(ruleset, (None,) * seats)
            case Joined(seat, player) if game in after:
                after[game] = _seated(after[game], seat, player.id)
            case Left(seat) if game in after:
                after[game] = _seated(after[game], seat, None)
            case Ended(result) if game in after:
                outcomes.append((after.pop(game), result))
            case Aborted():
                after.pop(game, None)
    _save_contests(connection, before, after)
    if outcomes:
        _settle(connection, outcomes)


def counts(opening: Entry[Any]) -> bool:
    """Whether the game that is opened there will count when it is over."""
    terms = opening.event
    imported = isinstance(opening, Stored) and opening.imported
    return terms.seats > 1 and not (terms.private or terms.hotseat or imported)


def _seated(contest: _Contest, seat: Seat, player: str | None) -> _Contest:
    return replace(contest, players=put(contest.players, seat, player))


def _load_contests(connection: Connection, games: Collection[str]) -> dict[str, _Contest]:
    query = select(contests).where(contests.c.game.in_(games))
    return {game: _contest.decode(text) for game, text in connection.execute(query)}


def _save_contests(connection: Connection, before: Mapping[str, _Contest], after: Mapping[str, _Contest]) -> None:
    old, new = before.items() - after.items(), after.items() - before.items()
    if old:
        connection.execute(delete(contests).where(contests.c.game.in_({game for game, _ in old})))
    if new:
        rows = [{"game": game, "contest": msgspec.json.encode(contest).decode()} for game, contest in new]
        connection.execute(_NEW, rows)


def _settle(connection: Connection, outcomes: Sequence[_Outcome]) -> None:
    """In the order of the log: every rating depends on those before it."""
    keys = {(player, contest.ruleset) for contest, _ in outcomes for player in contest.players if player is not None}
    before = _load(connection, keys)
    after = dict(before)
    for contest, result in outcomes:
        after |= _after(after, contest, result)
    if before:
        connection.execute(_REMOVE, [{"player": player, "ruleset": ruleset} for player, ruleset in before])
    connection.execute(_INSERT, [_row(player, results) for (player, _), results in after.items()])


def _after(known: Mapping[_Key, Results], contest: _Contest, result: Result) -> Iterator[tuple[_Key, Results]]:
    """What the result of the game makes of the results of those who played it."""
    keys = [(player, contest.ruleset) for player in contest.players if player is not None]
    before = [known.get(key) for key in keys]
    ratings = rated([newcomer() if results is None else results.rating for results in before], result)
    for seat, (key, results, rating) in enumerate(zip(keys, before, ratings, strict=True)):
        yield key, _with(results, contest.ruleset, result.scores[seat], seat in result.winners, rating)


def _with(before: Results | None, ruleset: str, points: int, won: bool, rating: Rating) -> Results:
    if before is None:
        return Results(ruleset, 1, int(won), Points(points, points, points), rating)
    known = before.points
    more = Points(known.total + points, min(known.lowest, points), max(known.highest, points))
    return Results(ruleset, before.games + 1, before.wins + won, more, rating)


def _load(connection: Connection, keys: Collection[_Key]) -> dict[_Key, Results]:
    # By the players alone: for pairs of values SQLite would look through the whole table.
    rows = connection.execute(select(standings).where(standings.c.player.in_({player for player, _ in keys})))
    found = {(row.player, row.ruleset): _results(row) for row in rows}
    return {key: known for key, known in found.items() if key in keys}


def _results(row: Row[Any]) -> Results:
    return Results(row.ruleset, row.games, row.wins, *_points_and_rating(row))


def _points_and_rating(row: Row[Any]) -> tuple[Points, Rating]:
    return Points(row.total, row.lowest, row.highest), Rating(row.mu, row.sigma, row.ordinal)


def _row(player: str, results: Results) -> dict[str, Any]:
    counted = {"ruleset": results.ruleset, "games": results.games, "wins": results.wins}
    return {"player": player, **counted, **asdict(results.points), **asdict(results.rating)}


_contest = msgspec.json.Decoder(_Contest)

_NEW = insert(contests)
_REMOVE = delete(standings).where(*(standings.c[key] == bindparam(key) for key in ("player", "ruleset")))
_INSERT = insert(standings)

STANDINGS = Projection(name="standings", version=2, tables=(contests, standings), apply=_apply)


# --- to the players -----------------------------------------------------------------------------------------------


def results(connection: Connection, player: str) -> tuple[Results, ...]:
    """How the player has done, by ruleset."""
    rows = connection.execute(select(standings).where(standings.c.player == player).order_by(standings.c.ruleset))
    return tuple(map(_results, rows))


def page(engine: Engine, ruleset: str, cursor: str | None = None, limit: int = 20) -> Page:
    """At most `limit` (1 to 100) of those who have played the ruleset, best first, behind the cursor.

    The effort depends on `limit` and not on how many there are. So ranks are counted from page to page: if the
    standings change meanwhile, those of the later pages are as of the first. Raises `BadCursor`.
    """
    if not 1 <= limit <= LIMIT:
        raise ValueError(f"a page has 1 to {LIMIT} players")
    name = func.coalesce(players.c.name, standings.c.player).label("name")
    query = select(standings, name).outerjoin(players, players.c.id == standings.c.player)
    query = query.where(standings.c.ruleset == ruleset).order_by(*_BEST_FIRST).limit(limit + 1)
    before = _TOP
    if cursor is not None:
        before = _place(cursor)
        query = query.where(tuple_(standings.c.ordinal, standings.c.player) < (before.ordinal, before.player))
    with asking(engine) as connection:
        rows = connection.execute(query).all()
    shown = rows[:limit]
    places = [*accumulate(shown, _next, initial=before)]
    items = tuple(_standing(place.rank, row) for place, row in zip(places[1:], shown, strict=True))
    return Page(items, _cursor(places[-1]) if len(rows) > limit else None)


def _standing(rank: int, row: Row[Any]) -> Standing:
    return Standing(rank, Player(row.player, row.name), row.games, row.wins, *_points_and_rating(row))


class _Place(NamedTuple):
    """A place in the standings, counted from 1, and who has it."""

    number: int
    rank: int
    ordinal: float
    player: str


def _next(place: _Place, row: Row[Any]) -> _Place:
    number = place.number + 1
    return _Place(number, place.rank if row.ordinal == place.ordinal else number, row.ordinal, row.player)


_TOP = _Place(0, 0, inf, "")

_BEST_FIRST = standings.c.ordinal.desc(), standings.c.player.desc()

CURSOR = rf"^[1-9][0-9]{{0,8}}~[1-9][0-9]{{0,8}}~-?[0-9]{{1,6}}\.[0-9]{{4}}~{ID}$(?!\n)"
"""What a cursor looks like: place, rank, ordinal and id of the last player on a page, in characters fit for a URL."""


def _cursor(place: _Place) -> str:
    return f"{place.number}~{place.rank}~{place.ordinal:.4f}~{place.player}"


def _place(cursor: str) -> _Place:
    if not re.match(CURSOR, cursor):
        raise BadCursor("no page has given out this cursor")
    number, rank, ordinal, player = cursor.split("~")
    return _Place(int(number), int(rank), float(ordinal), player)
