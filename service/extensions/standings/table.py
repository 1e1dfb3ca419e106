"""The standings: the results of the players at each ruleset, ordered by rating.

A game counts if it was public and several players have begun it. Players who left it while it ran are placed behind
those who stayed, the last one to leave first; before them those who came back, by the result. If all have left, the
last one is first. These games never count:

* games that were opened with bots;
* games that were aborted although nobody left;
* games in which a move was taken back by agreement: it had revealed something;
* private games, because the standings would reveal that they exist;
* hotseat games, and branches, which are hotseat games;
* imported games: their players are those of another service, and anyone who knows a game's secret can forge another.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import accumulate
from math import inf
from typing import Any, NamedTuple, TypeAlias

import msgspec
from msgspec.structs import asdict, replace
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Double,
    Engine,
    Index,
    Integer,
    MetaData,
    Row,
    Table,
    Text,
    bindparam,
    delete,
    false,
    insert,
    select,
    tuple_,
)

from domain.cards import put
from domain.game import Aborted, Ended, Gone, Joined, Left, Opened, Rejoined, TakenBack, bots_of
from domain.game.log import Entry, Stored
from domain.messages import Value
from domain.player import ID, Player, is_bot
from domain.ruleset import Result, Seat
from projections.database import reading
from projections.projection import Projection, RecordedEvent
from projections.results import Points, Rating, Results
from service.extensions.standings.ratings import newcomer, places, ranked, teams

EVENTS = (Opened, Joined, Left, Gone, Rejoined, TakenBack, Ended, Aborted)
"""The events of games that change the standings."""

LIMIT = 100
"""Players on a page at most."""

TABLES = MetaData()

contests = Table(
    "contests",
    TABLES,
    Column("game", Text, primary_key=True),
    Column("contest", Text, nullable=False),
    sqlite_with_rowid=False,
)
"""Contests: unfinished games that will count in the standings when they end, each as JSON."""

standings = Table(
    "standings",
    TABLES,
    Column("ruleset", Text, primary_key=True),
    Column("ordinal", Double, primary_key=True),
    Column("player", Text, primary_key=True),
    Column("bot", Boolean, nullable=False),
    Column("games", Integer, nullable=False),
    Column("wins", Integer, nullable=False),
    Column("total", BigInteger),
    Column("lowest", Integer),
    Column("highest", Integer),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Index("standings_of_player", "player", "ruleset", unique=True),
    sqlite_with_rowid=False,
)
"""The results of each player at each ruleset. The key is the order of the pages, so that SQLite stores the rows of a
page next to each other."""


class Standing(Value):
    """A player in the standings of a ruleset. Players with the same ordinal share a rank."""

    rank: int
    """The place, from 1."""
    player: Player
    games: int
    """The number of games that count, those included that the player left."""
    wins: int
    """The number of games that the player won, alone or with others."""
    points: Points | None
    """Null if the player has left all games."""
    rating: Rating


class Page(Value):
    """A page of players, best first, and the cursor of the next page; None on the last page."""

    items: tuple[Standing, ...]
    next: str | None


# --- updating -----------------------------------------------------------------------------------------------------


class _Contest(Value):
    """An unfinished game that will count if it is played to its end. `players` by seat.

    `gone`: the seats of the players who are gone, in order; `left`: those of the players who have left it of their own
    accord, also if they came back.
    """

    ruleset: str
    players: tuple[str | None, ...]
    gone: tuple[Seat, ...] = ()
    left: frozenset[Seat] = frozenset()


_Outcome: TypeAlias = tuple[_Contest, Result | None]
"""A game that is over, and its result; None if it was aborted because players have left it."""

_Key: TypeAlias = tuple[str, str]
"""A player and a ruleset."""


def _apply(connection: Connection, events: Sequence[RecordedEvent]) -> None:
    relevant = [each for each in events if isinstance(each.value, Entry) and isinstance(each.value.event, EVENTS)]
    known = contests.c.game.in_({each.stream for each in relevant if each.version > 1})
    before = {game: _contest.decode(text) for game, text in connection.execute(select(contests).where(known))}
    after = dict(before)
    outcomes: list[_Outcome] = []
    for _, game, _, _, entry, _, _ in relevant:
        match entry.event:
            case Opened(ruleset=ruleset, seats=seats):
                if counts(entry):
                    after[game] = _Contest(ruleset, (None,) * seats)
            case Joined(seat, player) if game in after:
                after[game] = replace(after[game], players=put(after[game].players, seat, player))
            case Left(seat) if game in after:
                after[game] = replace(after[game], players=put(after[game].players, seat, None))
            case Gone(seat, cause=cause) if game in after:
                left = after[game].left | {seat} if cause == "left" else after[game].left
                after[game] = replace(after[game], gone=(*after[game].gone, seat), left=left)
            case Rejoined(seat) if game in after:
                after[game] = replace(after[game], gone=tuple([each for each in after[game].gone if each != seat]))
            case TakenBack(agreed=True):
                after.pop(game, None)
            case Ended(result) if game in after:
                outcomes.append((after.pop(game), result))
            case Aborted(cause) if game in after:
                if (contest := after.pop(game)).gone and cause in ("absent", "agreed"):
                    outcomes.append((contest, None))
    _save_contests(connection, before, after)
    if outcomes:
        _record(connection, outcomes)


def counts(opening: Entry[Any, Any]) -> bool:
    terms = opening.event
    imported = isinstance(opening, Stored) and opening.imported
    return terms.seats > 1 and not (terms.private or terms.hotseat or imported or bots_of(terms))


def _save_contests(connection: Connection, before: Mapping[str, _Contest], after: Mapping[str, _Contest]) -> None:
    old, new = before.items() - after.items(), after.items() - before.items()
    if old:
        connection.execute(delete(contests).where(contests.c.game.in_({game for game, _ in old})))
    if new:
        rows = [{"game": game, "contest": msgspec.json.encode(contest).decode()} for game, contest in new]
        connection.execute(_INSERT_CONTEST, rows)


def _record(connection: Connection, outcomes: Sequence[_Outcome]) -> None:
    """Update the results of the players, in the order of the log: each rating depends on the ones before."""
    keys = {(player, contest.ruleset) for contest, _ in outcomes for player in contest.players if player is not None}
    before = _load(connection, keys)
    after = dict(before)
    for contest, result in outcomes:
        after |= _after(after, contest, result)
    if before:
        connection.execute(_DELETE, [{"player": player, "ruleset": ruleset} for player, ruleset in before])
    connection.execute(_INSERT, [_row(player, results) for (player, _), results in after.items()])


def ranks(result: Result | None, gone: Sequence[Seat], seats: int, left: Collection[Seat] = frozenset()) -> list[int]:
    """The rank of each seat, the lowest first: those who stayed by the result, then those who had `left` and came back
    by the result, then the gone, the last one first."""
    found = [0] * seats if result is None else places(result)
    last = max(found)
    for seat in left:
        found[seat] += last + 1
    last = max(found)
    for behind, seat in enumerate(reversed(gone), 1):
        found[seat] = last + behind
    return found


def _after(known: Mapping[_Key, Results], contest: _Contest, result: Result | None) -> Iterator[tuple[_Key, Results]]:
    keys = [(player, contest.ruleset) for player in contest.players if player is not None]
    before = [known.get(key) for key in keys]
    by_rank = ranks(result, contest.gone, len(keys), contest.left)
    by_team = teams(result, len(keys), [*contest.gone, *sorted({*contest.left} - {*contest.gone})])
    ratings = _ratings(
        [newcomer() if results is None else results.rating for results in before], by_rank, result, by_team
    )
    for seat, (key, results, rating) in enumerate(zip(keys, before, ratings, strict=True)):
        points = None if result is None or seat in contest.gone else result.scores[seat]
        known_points = None if results is None else results.points
        games, wins = (0, 0) if results is None else (results.games, results.wins)
        won = by_rank[seat] == min(by_rank) and (result is None or bool(result.winners))
        yield key, Results(contest.ruleset, games + 1, wins + won, _more(known_points, points), rating)


def _ratings(
    before: Sequence[Rating], by_rank: Sequence[int], result: Result | None, by_team: Sequence[Sequence[Seat]]
) -> list[Rating]:
    """The ratings after a game. Without a result nothing is decided between those who stayed: each of them has only won
    against the others."""
    after = ranked(before, by_rank, by_team)
    stayed = [seat for seat, rank in enumerate(by_rank) if rank == min(by_rank)]
    if result is None and len(stayed) > 1:
        behind = [seat for seat in range(len(before)) if seat not in stayed]
        for seat in stayed:
            own, *_ = ranked([before[each] for each in (seat, *behind)], [by_rank[each] for each in (seat, *behind)])
            after[seat] = own
    return after


def _more(known: Points | None, points: int | None) -> Points | None:
    if points is None:
        return known
    if known is None:
        return Points(points, points, points)
    return Points(known.total + points, min(known.lowest, points), max(known.highest, points))


def _load(connection: Connection, keys: Collection[_Key]) -> dict[_Key, Results]:
    # By player only: for pairs of values SQLite would scan the whole table.
    rows = connection.execute(select(standings).where(standings.c.player.in_({player for player, _ in keys})))
    found = {(row.player, row.ruleset): _results(row) for row in rows}
    return {key: known for key, known in found.items() if key in keys}


def _results(row: Row[Any]) -> Results:
    return Results(row.ruleset, row.games, row.wins, *_points_and_rating(row))


def _points_and_rating(row: Row[Any]) -> tuple[Points | None, Rating]:
    points = None if row.total is None else Points(row.total, row.lowest, row.highest)
    return points, Rating(row.mu, row.sigma, row.ordinal)


def _row(player: str, results: Results) -> dict[str, Any]:
    counted = {"ruleset": results.ruleset, "games": results.games, "wins": results.wins}
    points = dict.fromkeys(Points.__struct_fields__) if results.points is None else asdict(results.points)
    return {"player": player, "bot": is_bot(player), **counted, **points, **asdict(results.rating)}


_contest = msgspec.json.Decoder(_Contest)

_INSERT_CONTEST = insert(contests)
_DELETE = delete(standings).where(*(standings.c[key] == bindparam(key) for key in ("player", "ruleset")))
_INSERT = insert(standings)

STANDINGS = Projection(events=EVENTS, name="standings", version=5, tables=(contests, standings), apply=_apply)


# --- queries ------------------------------------------------------------------------------------------------------


def results(connection: Connection, player: str) -> tuple[Results, ...]:
    rows = connection.execute(select(standings).where(standings.c.player == player).order_by(standings.c.ruleset))
    return tuple(map(_results, rows))


def page(engine: Engine, ruleset: str, cursor: str | None = None, limit: int = 20, *, bots: bool = True) -> Page:
    """At most `limit` (1 to 100) players of the ruleset after the cursor, best first; without `bots` only people, whose
    ranks are those among people.

    The cost depends on `limit` and not on the number of players. Therefore ranks continue from page to page: if the
    standings change meanwhile, the ranks of later pages follow those of the first.
    """
    query = select(standings).where(standings.c.ruleset == ruleset).order_by(*_BEST_FIRST).limit(limit + 1)
    if not bots:
        query = query.where(standings.c.bot == false())
    before = _TOP
    if cursor is not None:
        before = _position(cursor)
        query = query.where(tuple_(standings.c.ordinal, standings.c.player) < (before.ordinal, before.player))
    with reading(engine) as connection:
        rows = connection.execute(query).all()
    shown = rows[:limit]
    positions = [*accumulate(shown, _next, initial=before)]
    items = tuple(
        Standing(position.rank, Player(row.player), row.games, row.wins, *_points_and_rating(row))
        for position, row in zip(positions[1:], shown, strict=True)
    )
    return Page(items, _cursor(positions[-1]) if len(rows) > limit else None)


class _Position(NamedTuple):
    """A position in the standings, counted from 1, and its player."""

    number: int
    rank: int
    ordinal: float
    player: str


def _next(position: _Position, row: Row[Any]) -> _Position:
    number = position.number + 1
    return _Position(number, position.rank if row.ordinal == position.ordinal else number, row.ordinal, row.player)


_TOP = _Position(0, 0, inf, "")

_BEST_FIRST = standings.c.ordinal.desc(), standings.c.player.desc()

CURSOR = rf"^[1-9][0-9]{{0,8}}~[1-9][0-9]{{0,8}}~-?[0-9]{{1,6}}\.[0-9]{{4}}~{ID}$(?!\n)"
"""Pattern of a cursor: position, rank, ordinal and id of the last player on the page, in characters allowed in URLs."""


def _cursor(position: _Position) -> str:
    return f"{position.number}~{position.rank}~{position.ordinal:.4f}~{position.player}"


def _position(cursor: str) -> _Position:
    number, rank, ordinal, player = cursor.split("~")
    return _Position(int(number), int(rank), float(ordinal), player)
