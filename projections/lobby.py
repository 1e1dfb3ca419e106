"""The lobby: every game as it is announced to those who look for one, newest first."""

import re
import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Sequence, Set
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace
from sqlalchemy import Connection, Engine, Select, bindparam, delete, func, insert, select, union_all, update

from domain import codec
from domain.cards import put
from domain.game import Aborted, Begun, Cause, Ended, Joined, Left, Opened, Player, Status
from domain.log import Entry, Stored
from domain.messages import Value
from domain.ruleset import Result, Seat
from projections.projection import Projection, RecordedEvent
from projections.schema import announcements, asking, games, members

EVENTS = (Opened, Joined, Left, Begun, Ended, Aborted)
"""The events of games that change the lobby."""

LIMIT = 100


class ListedSeatAssignment(Value):
    """A seat, and who sits there."""

    seat: Seat
    player: Player | None


class Listed(Value):
    """A game in the lobby. Times are RFC 3339 in UTC; `finished_at` is when it ended or was given up."""

    id: str
    ruleset: str
    rules: str
    status: Status
    created_at: str
    seats: tuple[ListedSeatAssignment, ...]
    open: int
    """How many seats can be taken."""
    options: dict[str, Any]
    deck: str
    private: bool
    hotseat: bool
    opener: str
    result: Result | None = None
    finished_at: str | None = None
    cause: Cause | UnsetType = UNSET
    """Why the game was aborted; absent otherwise."""
    imported: bool | UnsetType = UNSET
    """It was played elsewhere and came as a record; absent otherwise."""


class Search(Value):
    """Which games are looked for: those to which all of this applies. The player sits there or has opened the game."""

    ruleset: str | None = None
    status: Status | None = None
    player: str | None = None
    open: bool = False


class Page(Value):
    """Some games, and the cursor behind which the older ones are."""

    items: tuple[Listed, ...]
    next: str | None


KEPT = 10_000
"""So many of the latest changes are kept for streams that are resumed."""


class CursorExpired(Exception):
    """What has changed since then is no longer kept, or not all of it."""


class BadCursor(ValueError):
    """No page has ever given out this cursor."""


# --- from the log -------------------------------------------------------------------------------------------------


def opened(game: str, entry: Entry[Any]) -> Listed:
    terms = entry.event
    return Listed(
        id=game,
        ruleset=terms.ruleset,
        rules=terms.rules,
        status="waiting",
        created_at=entry.at,
        seats=tuple(ListedSeatAssignment(seat, None) for seat in range(terms.seats)),
        open=terms.seats,
        options=codec.builtins(terms.options),
        deck=terms.deck.name,
        private=terms.private,
        hotseat=terms.hotseat,
        opener=terms.opener.id,
        imported=True if isinstance(entry, Stored) and entry.imported else UNSET,
    )


def evolve(listed: Listed, entry: Entry[Any]) -> Listed:
    match entry.event:
        case Joined(seat, player):
            return replace(
                listed, seats=put(listed.seats, seat, ListedSeatAssignment(seat, player)), open=listed.open - 1
            )
        case Left(seat):
            return replace(
                listed, seats=put(listed.seats, seat, ListedSeatAssignment(seat, None)), open=listed.open + 1
            )
        case Begun():
            return replace(listed, status="running")
        case Ended(result):
            return replace(listed, status="finished", result=result, finished_at=entry.at)
        case Aborted(cause):
            return replace(listed, status="aborted", open=0, finished_at=entry.at, cause=cause)
        case _:
            return listed


class _Kept(NamedTuple):
    """A game's row: `number` is the position of its opening, so the newest game has the highest."""

    number: int
    listed: Listed


class _Member(NamedTuple):
    player: str
    private: bool
    number: int
    seated: bool
    unfinished: bool


def _members(kept: Iterable[_Kept]) -> set[_Member]:
    """Who sits at the games or has opened them, once for each game."""
    found = set()
    for number, listed in kept:
        seated = {place.player.id for place in listed.seats if place.player is not None}
        unfinished = listed.status in ("waiting", "running")
        found |= {_Member(who, listed.private, number, who in seated, unfinished) for who in seated | {listed.opener}}
    return found


def _apply(connection: Connection, facts: Sequence[RecordedEvent]) -> None:
    news = [fact for fact in facts if isinstance(fact.value, Entry) and isinstance(fact.value.event, EVENTS)]
    before = _load(connection, {fact.stream for fact in news if fact.version > 1})
    after = dict(before)
    announced = []
    for position, game, _, topic, entry, _ in news:
        known = after.get(game)
        if known is None:
            kept = after[game] = _Kept(position, opened(game, entry))
        else:
            kept = after[game] = _Kept(known.number, evolve(known.listed, entry))
        if not kept.listed.private:
            was = None if known is None else _text(known.listed)
            row = position, topic.rpartition(".")[2], was, _text(kept.listed)
            announced.append(row)
    _save(connection, before, after)
    if announced:
        _announce(connection, announced)


def _announce(connection: Connection, rows: Sequence[tuple[Any, ...]]) -> None:
    """They are numbered, so that the same are kept however many come at once, and in a log that is read again."""
    last = connection.execute(select(func.max(announcements.c.number))).scalar() or 0
    columns = announcements.c.keys()
    numbered = [dict(zip(columns, (number, *row), strict=True)) for number, row in enumerate(rows, last + 1)]
    connection.execute(_ANNOUNCE, numbered)
    connection.execute(_FORGET, {"upto": last + len(rows) - KEPT})


def _load(connection: Connection, ids: set[str]) -> dict[str, _Kept]:
    query = select(games.c.id, games.c.number, games.c.listed).where(games.c.id.in_(ids))
    return {game: _Kept(number, _listed.decode(listed)) for game, number, listed in connection.execute(query)}


def _save(connection: Connection, before: dict[str, _Kept], after: dict[str, _Kept]) -> None:
    new = [_row(*after[game]) for game in after.keys() - before.keys()]
    changed = [_change(*after[game]) for game in before if after[game] != before[game]]
    were, are = _members(before.values()), _members(after.values())
    gone, come = ([member._asdict() for member in some] for some in (were - are, are - were))
    for statement, rows in ((_INSERT, new), (_CHANGE, changed), (_GO, gone), (_COME, come)):
        if rows:
            connection.execute(statement, rows)


def _change(number: int, listed: Listed) -> dict[str, Any]:
    return {"game": number, "status": listed.status, "open": listed.open, "listed": _text(listed)}


def _text(listed: Listed) -> str:
    return msgspec.json.encode(listed).decode()


def _row(number: int, listed: Listed) -> dict[str, Any]:
    row = _change(number, listed)
    row["number"] = row.pop("game")
    return {**row, "id": listed.id, "ruleset": listed.ruleset, "private": listed.private}


_listed = msgspec.json.Decoder(Listed)

_INSERT = insert(games)
_CHANGE = update(games).where(games.c.number == bindparam("game"))
_GO = delete(members).where(*(members.c[key] == bindparam(key) for key in ("player", "private", "number")))
_COME = insert(members)
_ANNOUNCE = insert(announcements)
_FORGET = delete(announcements).where(announcements.c.number <= bindparam("upto"))

LOBBY = Projection(name="lobby", version=5, tables=(games, members, announcements), apply=_apply)


# --- to the players -----------------------------------------------------------------------------------------------


class Waiting(NamedTuple):
    """A game that waits for players; a game that was opened later has a higher `number`."""

    number: int
    id: str
    ruleset: str
    created_at: str


def waiting(engine: Engine, after: int, limit: int) -> list[Waiting]:
    """At most `limit` of the games that wait, private ones too, behind that number, in the order of their opening."""
    columns = games.c.number, games.c.id, games.c.ruleset, games.c.listed
    oldest = [
        select(*columns)
        .where(games.c.private == private, games.c.status == "waiting", games.c.number > after)
        .order_by(games.c.number)
        .limit(limit)
        .subquery()
        for private in (False, True)
    ]
    merged = union_all(*(select(some) for some in oldest))
    query = merged.order_by(merged.selected_columns.number).limit(limit)
    with asking(engine) as connection:
        rows = connection.execute(query).all()
    return [Waiting(row.number, row.id, row.ruleset, _listed.decode(row.listed).created_at) for row in rows]


def page(engine: Engine, search: Search, viewer: str | None, cursor: str | None = None, limit: int = 20) -> Page:
    """At most `limit` (1 to 100) of the games that the viewer may know of, newest first, behind the cursor.

    A private game is known to its members alone. The effort depends on `limit` and, where a player is searched for
    together with something else, on the number of his games; not on the number of all. Raises `BadCursor`.
    """
    if not 1 <= limit <= LIMIT:
        raise ValueError(f"a page has 1 to {LIMIT} games")
    behind = None if cursor is None else _number(cursor)
    if not codec.is_storable(f"{search.player} {search.ruleset}"):
        return Page((), None)
    people = {search.player} - {None}
    streams = [_stream(search, False, people, behind, limit + 1)]
    if viewer is not None:
        streams.append(_stream(search, True, people | {viewer}, behind, limit + 1))
    merged = union_all(*(select(stream.subquery()) for stream in streams))
    newest = merged.order_by(merged.selected_columns.number.desc()).limit(limit + 1)
    with asking(engine) as connection:
        rows = connection.execute(newest).all()
    items = tuple(_listed.decode(row.listed) for row in rows[:limit])
    return Page(items, _cursor(rows[limit - 1].number) if len(rows) > limit else None)


def _stream(search: Search, private: bool, people: Set[str | None], behind: int | None, limit: int) -> Select[Any]:
    """The newest of the private or the public games of which all these people are members, in the order of an index."""
    query = select(games.c.number, games.c.listed)
    number = games.c.number
    for person in people:
        place = members.alias()
        query = query.where(place.c.player == person, place.c.private == private, place.c.number == number)
        number = place.c.number
    if not people:
        query = query.where(games.c.private == private)
    if search.ruleset is not None:
        query = query.where(games.c.ruleset == search.ruleset)
    if search.open:
        query = query.where(games.c.status == "waiting", games.c.open > 0)
    if search.status is not None:
        query = query.where(games.c.status == search.status)
    if behind is not None:
        query = query.where(number < behind)
    return query.order_by(number.desc()).limit(limit)


class Announced(NamedTuple):
    """A change in the lobby: the position of the event in the log, its name, and the game before and after it."""

    position: int
    event: str
    before: Listed | None
    after: Listed
    text: str
    """The JSON of `after`."""


def announced(engine: Engine, behind: int, limit: int) -> list[Announced]:
    """What has changed behind that position of the log, at most `limit` of it. Private games are not announced.

    Raises `CursorExpired` unless it is all there: the oldest change that is kept, once others are not, has to be known.
    """
    query = select(announcements).where(announcements.c.position > behind).order_by(announcements.c.position)
    oldest = select(announcements).order_by(announcements.c.number).limit(1)
    with engine.begin() as connection:
        rows = connection.execute(query.limit(limit)).all()
        first = connection.execute(oldest).first()  # after the rows: others may be at work, and forget
    if first is not None and first.number > 1 and behind < first.position:
        raise CursorExpired
    return [
        Announced(position, event, None if before is None else _listed.decode(before), _listed.decode(after), after)
        for _, position, event, before, after in rows
    ]


def concerns(search: Search, change: Announced) -> bool:
    """Whether the game is one of those that are looked for, or was until now."""
    return any(_fits(search, listed) for listed in (change.before, change.after) if listed is not None)


def _fits(search: Search, listed: Listed) -> bool:
    people = {place.player.id for place in listed.seats if place.player is not None} | {listed.opener}
    return (
        search.ruleset in (None, listed.ruleset)
        and search.status in (None, listed.status)
        and (search.player is None or search.player in people)
        and (not search.open or (listed.status == "waiting" and listed.open > 0))
    )


CURSOR = r"^[A-Za-z0-9_-]{10}[AEIMQUYcgkosw048]$(?!\n)"
"""What a cursor looks like: eight bytes in base64 without padding, in the one spelling that there is for them."""

_POSITION = struct.Struct(">q")


def _cursor(number: int) -> str:
    return urlsafe_b64encode(_POSITION.pack(number)).rstrip(b"=").decode()


def _number(cursor: str) -> int:
    if not re.fullmatch(CURSOR, cursor):
        raise BadCursor("no page has given out this cursor")
    number: int = _POSITION.unpack(urlsafe_b64decode(cursor + "="))[0]
    return number
