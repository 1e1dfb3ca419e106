"""The lobby: all games, searchable, newest first, and the latest changes of public games."""

import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cache
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace
from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Connection,
    Engine,
    Select,
    and_,
    bindparam,
    delete,
    false,
    func,
    insert,
    select,
    union_all,
    update,
)

from domain import codec
from domain.cards import put
from domain.game import (
    Aborted,
    Begun,
    Cause,
    Declined,
    Ended,
    Gone,
    Joined,
    Left,
    Opened,
    Rejoined,
    Revealed,
    SeatTerms,
    Status,
)
from domain.game.clock import NEVER, Clock
from domain.game.events import Agreed
from domain.game.log import Entry, Stored
from domain.messages import Value
from domain.player import Player
from domain.ruleset import BotName, Result, Seat
from projections.database import reading
from projections.projection import Projection, RecordedEvent
from projections.schema import announcements, games, invitations, members

EVENTS = (Opened, Joined, Left, Declined, Begun, Gone, Rejoined, Ended, Aborted, Revealed)
"""The events of games that change the lobby."""

LIMIT = 100
"""Games on a page at most."""


class LobbySeatAssignment(Value):
    """A seat, and who sits there."""

    seat: Seat
    player: Player | None
    """The player; null while the seat is free, or of a bot."""
    bot: BotName | UnsetType = UNSET
    """The bot that plays the seat; absent otherwise."""
    gone: bool | UnsetType = UNSET
    """True if the player has left the running game and the bot goes on; absent otherwise."""
    reserved: Player | UnsetType = UNSET
    """The player for whom the free seat is kept; absent otherwise."""

    @property
    def is_open(self) -> bool:
        """Whether anybody can take the seat."""
        return self.player is None and self.bot is UNSET and self.reserved is UNSET

    @property
    def is_of_bot(self) -> bool:
        """Whether a bot of the house plays the seat, or a player that is a program has it."""
        return self.bot is not UNSET or (self.player is not None and self.player.bot is True)


class LobbyGame(Value):
    """A game in the lobby. Times are RFC 3339 in UTC; `finished_at` is when the game ended or was aborted."""

    id: str
    """The id of the game."""
    ruleset: str
    """The name of the ruleset."""
    rules: str
    """The ruleset and the version of its rules."""
    status: Status
    """`waiting` for players, `running`, `finished` with a result, or `aborted` without one."""
    created_at: str
    """The time at which the game was opened."""
    seats: tuple[LobbySeatAssignment, ...]
    """The seats in order, from 0."""
    open: int
    """Number of seats that anybody can take."""
    options: dict[str, Any]
    """The options of the game."""
    deck: str
    """The name of the deck."""
    private: bool
    """Only members and holders of the invite see the game."""
    hotseat: bool
    """One player has all seats."""
    opener: str
    """The id of the player who opened the game."""
    result: Result | None = None
    """The result; null until the game is finished."""
    finished_at: str | None = None
    """The time at which the game ended or was aborted; null before."""
    cause: Cause | UnsetType = UNSET
    """The reason why the game was aborted; absent otherwise."""
    imported: bool | UnsetType = UNSET
    """True if the game was imported from a record; absent otherwise."""
    clock: Clock | UnsetType = UNSET
    """The time for choices; absent if it is not limited."""
    deal: str | UnsetType = UNSET
    """The id of the deal that the game has in common with others, until its cards are revealed; absent otherwise."""
    puzzles: bool | UnsetType = UNSET
    """True: positions of the game may become puzzles, without names; sitting down agrees to it. Absent otherwise."""
    parent: str | UnsetType = UNSET
    """The id of the game, or of the lesson, that this branch continues; absent otherwise."""
    to_act: tuple[Seat, ...] | UnsetType = UNSET
    """The seats that must act now; only with `acting=me`."""
    runs_out: str | UnsetType = UNSET
    """The time at which the caller's time runs out; only with `acting=me` in games with a clock."""
    changed_at: str | UnsetType = UNSET
    """The time of the latest event; only with `acting=me`."""


SHOWN = frozenset(LobbyGame.__struct_fields__) & frozenset(Agreed.__struct_fields__) - {"deal"}
"""The terms in a `LobbyGame`, besides the deal, of which it has the id."""


class RunningGame(NamedTuple):
    """A running game of a player. `number` increases with the time of opening. `runs_out`: when the player's time does,
    in microseconds from 1970."""

    number: int
    listed: LobbyGame
    runs_out: int = NEVER


def seats_of(listed: LobbyGame, player: str) -> list[Seat]:
    return [each.seat for each in listed.seats if each.player is not None and each.player.id == player]


def has_bots(listed: LobbyGame) -> bool:
    return any(seat.is_of_bot for seat in listed.seats)


def players_of(listed: Iterable[LobbyGame]) -> set[str]:
    """The ids of the players at the seats of these games, and of those for whom seats are kept."""
    seats = [seat for each in listed for seat in each.seats]
    return {player.id for seat in seats for player in (seat.player, seat.reserved) if isinstance(player, Player)}


def joined_players(events: Iterable[RecordedEvent]) -> set[str]:
    entries = [each.value for each in events if isinstance(each.value, Entry)]
    return {entry.event.player for entry in entries if isinstance(entry.event, Joined)}


def with_names(listed: LobbyGame, named: Mapping[str, Player]) -> LobbyGame:
    return replace(listed, seats=tuple([_with_name(seat, named) for seat in listed.seats]))


def _with_name(seat: LobbySeatAssignment, named: Mapping[str, Player]) -> LobbySeatAssignment:
    if seat.reserved is not UNSET:
        seat = replace(seat, reserved=named[seat.reserved.id])
    return seat if seat.player is None else replace(seat, player=named[seat.player.id])


class Search(Value):
    """Search criteria, which must all hold. `player` sits at the game or has opened it; `open`: a seat is free; without
    `bots`: no seat is of a bot, neither of the house nor of a player that is a program."""

    ruleset: str | None = None
    status: Status | None = None
    player: str | None = None
    open: bool = False
    bots: bool = True


class Page(Value):
    """A page of games, and the cursor of the next page; None on the last page."""

    items: tuple[LobbyGame, ...]
    next: str | None


MAX_ANNOUNCEMENTS = 10_000
"""Announcements that are kept, for streams that are resumed."""


class CursorExpired(Exception):
    """Some changes after this position are no longer kept."""


# --- updating -----------------------------------------------------------------------------------------------------


def opened(game: str, entry: Entry[Any, Any]) -> LobbyGame:
    terms = entry.event
    places = (SeatTerms(),) * terms.seats if terms.places is UNSET else terms.places
    seats = tuple([_assigned(seat, place) for seat, place in enumerate(places)])
    return LobbyGame(
        id=game,
        ruleset=terms.ruleset,
        rules=terms.rules,
        status="waiting",
        created_at=entry.at,
        seats=seats,
        open=_open(seats),
        options=codec.builtins(terms.options),
        deck=terms.deck.name,
        opener=terms.opener,
        deal=UNSET if terms.deal is UNSET else terms.deal.id,
        **{name: getattr(terms, name) for name in SHOWN},
        parent=UNSET if terms.parent is UNSET else terms.parent.id,
        imported=True if isinstance(entry, Stored) and entry.imported else UNSET,
    )


def _assigned(seat: Seat, place: SeatTerms) -> LobbySeatAssignment:
    reserved = UNSET if place.player is UNSET else Player(place.player)
    return LobbySeatAssignment(seat, None, place.bot, reserved=reserved)


def _open(seats: Iterable[LobbySeatAssignment]) -> int:
    return sum([seat.is_open for seat in seats])


def _with_seat(listed: LobbyGame, seat: LobbySeatAssignment) -> LobbyGame:
    seats = put(listed.seats, seat.seat, seat)
    return replace(listed, seats=seats, open=_open(seats))


def _without_reservation(listed: LobbyGame, player: str) -> LobbyGame:
    """The game without the seat that is kept for the player, who takes another one."""
    kept = next((seat for seat in listed.seats if seat.reserved == Player(player)), None)
    return listed if kept is None else _with_seat(listed, LobbySeatAssignment(kept.seat, None))


def evolve(listed: LobbyGame, entry: Entry[Any, Any]) -> LobbyGame:
    match entry.event:
        case Joined(seat, player):
            return _with_seat(_without_reservation(listed, player), LobbySeatAssignment(seat, Player(player)))
        case Left(seat) | Declined(seat):
            return _with_seat(listed, LobbySeatAssignment(seat, None))
        case Gone(seat, bot=bot):
            return replace(listed, seats=put(listed.seats, seat, replace(listed.seats[seat], bot=bot, gone=True)))
        case Rejoined(seat):
            back = replace(listed.seats[seat], bot=UNSET, gone=UNSET)
            return replace(listed, seats=put(listed.seats, seat, back))
        case Begun():
            return replace(listed, status="running")
        case Ended(result):
            return replace(listed, status="finished", result=result, finished_at=entry.at)
        case Aborted(cause):
            return replace(listed, status="aborted", open=0, finished_at=entry.at, cause=cause)
        case Revealed() if listed.deal is not UNSET:
            return replace(listed, deal=UNSET)
        case _:
            return listed


class _Row(NamedTuple):
    """A row of `games`. `number` is the position of the game's `opened` event, so the newest game has the highest."""

    number: int
    listed: LobbyGame


class _Member(NamedTuple):
    player: str
    private: bool
    number: int
    seated: bool
    unfinished: bool


def _members(rows: Iterable[_Row]) -> set[_Member]:
    found = set()
    for number, listed in rows:
        seated = {seat.player.id for seat in listed.seats if seat.player is not None}
        unfinished = listed.status in ("waiting", "running")
        # The opener of a common deal may play its cards at another table.
        players = seated | {listed.opener} if listed.deal is UNSET else seated
        found |= {_Member(player, listed.private, number, player in seated, unfinished) for player in players}
    return found


class _Invitation(NamedTuple):
    player: str
    number: int


def _invitations(rows: Iterable[_Row]) -> set[_Invitation]:
    return {
        _Invitation(seat.reserved.id, number)
        for number, listed in rows
        for seat in listed.seats
        if listed.status == "waiting" and seat.reserved is not UNSET and seat.reserved.id != listed.opener
    }


def _apply(connection: Connection, events: Sequence[RecordedEvent]) -> None:
    relevant = [each for each in events if isinstance(each.value, Entry) and isinstance(each.value.event, EVENTS)]
    before = _load(connection, {each.stream for each in relevant if each.version > 1})
    after = dict(before)
    changes = []
    for position, game, _, topic, entry, _, first in relevant:
        known = after.get(game)
        if known is None:
            row = after[game] = _Row(first or position, opened(game, entry))
        else:
            row = after[game] = _Row(known.number, evolve(known.listed, entry))
        if not row.listed.private and row != known and (not first or isinstance(entry.event, Ended | Aborted)):
            was = None if known is None else _json(known.listed)
            changes.append((position, topic.rpartition(".")[2], was, _json(row.listed)))
    _save(connection, before, after)
    if changes:
        _announce(connection, changes)


def _announce(connection: Connection, rows: Sequence[tuple[Any, ...]]) -> None:
    """Add announcements and delete the oldest.

    They are numbered, so that the same ones are kept however the log is divided into batches, and after a rebuild.
    """
    last = connection.execute(select(func.max(announcements.c.number))).scalar() or 0
    columns = announcements.c.keys()
    numbered = [dict(zip(columns, (number, *row), strict=True)) for number, row in enumerate(rows, last + 1)]
    connection.execute(_INSERT_ANNOUNCEMENT, numbered)
    connection.execute(_DELETE_ANNOUNCEMENTS, {"upto": last + len(rows) - MAX_ANNOUNCEMENTS})


def _load(connection: Connection, ids: set[str]) -> dict[str, _Row]:
    query = select(games.c.id, games.c.number, games.c.listed).where(games.c.id.in_(ids))
    return {game: _Row(number, _lobby_game.decode(listed)) for game, number, listed in connection.execute(query)}


def _save(connection: Connection, before: dict[str, _Row], after: dict[str, _Row]) -> None:
    new = [_inserted(*after[game]) for game in after.keys() - before.keys()]
    changed = [_updated(*after[game]) for game in before if after[game] != before[game]]
    statements: list[tuple[Any, list[dict[str, Any]]]] = [(_INSERT, new), (_UPDATE, changed)]
    for of, delete_row, insert_row in (
        (_members, _DELETE_MEMBER, _INSERT_MEMBER),
        (_invitations, _DELETE_INVITATION, _INSERT_INVITATION),
    ):
        was, now = of(before.values()), of(after.values())
        statements += [(delete_row, [row._asdict() for row in was - now])]
        statements += [(insert_row, [row._asdict() for row in now - was])]
    for statement, rows in statements:
        if rows:
            connection.execute(statement, rows)


def _updated(number: int, listed: LobbyGame) -> dict[str, Any]:
    shown = {"status": listed.status, "open": listed.open, "bots": has_bots(listed), "listed": _json(listed)}
    return {"game": number, **shown}


def _json(listed: LobbyGame) -> str:
    return msgspec.json.encode(listed).decode()


def _inserted(number: int, listed: LobbyGame) -> dict[str, Any]:
    row = _updated(number, listed)
    row["number"] = row.pop("game")
    return {**row, "id": listed.id, "ruleset": listed.ruleset, "private": listed.private}


_lobby_game = msgspec.json.Decoder(LobbyGame)

_INSERT = insert(games)
_UPDATE = update(games).where(games.c.number == bindparam("game"))
_DELETE_MEMBER = delete(members).where(*(members.c[key] == bindparam(key) for key in ("player", "private", "number")))
_INSERT_MEMBER = insert(members)
_DELETE_INVITATION = delete(invitations).where(*(invitations.c[key] == bindparam(key) for key in ("player", "number")))
_INSERT_INVITATION = insert(invitations)
_INSERT_ANNOUNCEMENT = insert(announcements)
_DELETE_ANNOUNCEMENTS = delete(announcements).where(announcements.c.number <= bindparam("upto"))

LOBBY = Projection(
    events=EVENTS, name="lobby", version=11, tables=(games, members, invitations, announcements), apply=_apply
)


# --- queries ------------------------------------------------------------------------------------------------------


class Waiting(NamedTuple):
    """A game that waits for players. `number` increases with the time of opening."""

    number: int
    id: str
    ruleset: str
    created_at: str


def unfinished_of(engine: Engine, rulesets: Sequence[str]) -> int:
    """How many games of these rulesets wait for players or run, private ones included."""
    ours = games.c.private.in_((False, True)), games.c.status.in_(("waiting", "running"))
    query = select(func.count()).select_from(games).where(*ours, games.c.ruleset.in_(rulesets))
    with reading(engine) as connection:
        return int(connection.execute(query).scalar_one())


def waiting(engine: Engine, after: int, limit: int) -> list[Waiting]:
    """At most `limit` of the waiting games with a higher number than `after`, private ones included, oldest first."""
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
    with reading(engine) as connection:
        rows = connection.execute(query).all()
    return [Waiting(row.number, row.id, row.ruleset, _lobby_game.decode(row.listed).created_at) for row in rows]


def page(engine: Engine, search: Search, viewer: str | None, cursor: str | None = None, limit: int = 20) -> Page:
    """At most `limit` (1 to 100) games after the cursor, newest first.

    A private game is visible to its members only. The cost depends on `limit`, and for a search by player and another
    criterion on the number of the player's games; it does not depend on the number of all games.
    """
    below = None if cursor is None else _number(cursor)
    if not codec.is_storable(f"{search.player} {search.ruleset}"):
        return Page((), None)
    whose = {"own": viewer} if viewer == search.player else {"viewer": viewer}
    given = _given(search, below=below, **whose)
    with reading(engine) as connection:
        return _page(connection.execute(_newest(frozenset(given)), {**given, "limit": limit + 1}).all(), limit)


def _page(rows: Sequence[Any], limit: int) -> Page:
    items = tuple(_lobby_game.decode(row.listed) for row in rows[:limit])
    return Page(items, _cursor(rows[limit - 1].number) if len(rows) > limit else None)


def _given(search: Search, **more: Any) -> dict[str, Any]:
    """The parameters of a query for the search. Their names say what is asked for: the statement depends on nothing
    else, and is made once. To make it takes longer than to run it."""
    given = {"ruleset": search.ruleset, "status": search.status, "player": search.player, **more}
    given |= {"open": search.open or None, "people": None if search.bots else True}
    return {name: value for name, value in given.items() if value is not None}


@cache
def _newest(asked: frozenset[str]) -> CompoundSelect[Any]:
    """The games of a page. `viewer`: also private ones of this player, with `own` those of `player`."""
    required = asked & {"player"}
    streams = [_stream(asked, False, required)]
    if asked & {"viewer", "own"}:
        streams.append(_stream(asked, True, asked & {"player", "viewer"}))
    merged = union_all(*(select(stream.subquery()) for stream in streams))
    return merged.order_by(merged.selected_columns.number.desc()).limit(bindparam("limit"))


def _stream(asked: Set[str], private: bool, required: Set[str]) -> Select[Any]:
    """The newest private or public games that have all these members, in the order of an index."""
    query, number = _LISTED, games.c.number
    for player in sorted(required):
        member = members.alias()
        query = query.where(
            member.c.player == bindparam(player), member.c.private == private, member.c.number == number
        )
        number = member.c.number
    if not required:
        query = query.where(games.c.private == private)
    query = query.where(*_criteria(asked))
    if "below" in asked:
        query = query.where(number < bindparam("below"))
    return query.order_by(number.desc()).limit(bindparam("limit"))


def _criteria(asked: Set[str]) -> Iterator[ColumnElement[bool]]:
    """The criteria of a search except `player`."""
    if "ruleset" in asked:
        yield games.c.ruleset == bindparam("ruleset")
    if "open" in asked:
        yield and_(games.c.status == "waiting", games.c.open > 0)
    if "status" in asked:
        yield games.c.status == bindparam("status")
    if "people" in asked:
        yield games.c.bots == false()


@cache
def _invited(asked: frozenset[str]) -> Select[Any]:
    """The games of a page in which a seat is kept for `viewer`."""
    kept = select(invitations.c.number).where(
        invitations.c.player == bindparam("viewer"), invitations.c.number < bindparam("below")
    )
    query = _LISTED.where(games.c.number.in_(kept))
    if "player" in asked:
        query = query.where(games.c.number.in_(select(members.c.number).where(members.c.player == bindparam("player"))))
    return query.where(*_criteria(asked)).order_by(games.c.number.desc()).limit(bindparam("limit"))


_LISTED = select(games.c.number, games.c.listed)
_SEATED = (
    _LISTED.select_from(members)
    .join(games, games.c.number == members.c.number)
    # The same condition as in the index: see `members_unfinished`.
    .with_hint(members, "INDEXED BY members_unfinished", "sqlite")
    .where(members.c.player == bindparam("player"), members.c.unfinished, members.c.seated)
    .order_by(games.c.number.desc())
)
_RUNNING = _SEATED.where(games.c.status == "running")


def running(engine: Engine, player: str, search: Search) -> list[RunningGame]:
    """All running games at which the player sits and that match the search, newest first; no branches, which wait for
    nobody.

    A player has a limited number of unfinished games.
    """
    with reading(engine) as connection:
        rows = connection.execute(_RUNNING, {"player": player}).all()
    found = [RunningGame(number, _lobby_game.decode(listed)) for number, listed in rows]
    return [each for each in found if each.listed.parent is UNSET and _matches(search, each.listed)]


def seated(engine: Engine, player: str) -> list[LobbyGame]:
    """The unfinished games at which the player sits, newest first; no branches, which wait for nobody."""
    with reading(engine) as connection:
        rows = connection.execute(_SEATED, {"player": player}).all()
    return [each for _, listed in rows if (each := _lobby_game.decode(listed)).parent is UNSET]


def page_of(found: Iterable[RunningGame], cursor: str | None, limit: int) -> Page:
    """The first `limit` of these games after the cursor: those first in which the player's time runs out first, those
    without a clock last, newest first."""
    runs_out, number = (0, 0) if cursor is None else _unpacked(cursor)
    ranked = sorted([(rank, each) for each in found if (rank := (each.runs_out, -each.number)) > (runs_out, -number)])
    items = tuple([each.listed for _, each in ranked[:limit]])
    if len(ranked) <= limit:
        return Page(items, None)
    last = ranked[limit - 1][1]
    return Page(items, _encoded(_PAIR.pack(last.runs_out, last.number)))


def invited_games(engine: Engine, player: str, search: Search, cursor: str | None, limit: int) -> Page:
    """At most `limit` of the waiting games after the cursor in which a seat is kept for the player, newest first.

    The opener's own seat is no invitation.
    """
    below = 2**63 - 1 if cursor is None else _number(cursor)
    if not codec.is_storable(f"{search.player} {search.ruleset}"):
        return Page((), None)
    given = _given(search, viewer=player, below=below)
    with reading(engine) as connection:
        return _page(connection.execute(_invited(frozenset(given)), {**given, "limit": limit + 1}).all(), limit)


def numbers(engine: Engine, ids: Sequence[str]) -> dict[str, int]:
    """The numbers of these games, as far as there are any: the positions of their first events."""
    with reading(engine) as connection:
        query = select(games.c.id, games.c.number).where(games.c.id.in_(ids))
        return {game: number for game, number in connection.execute(query)}  # noqa: C416 - to mypy a row is not a pair


class Announced(NamedTuple):
    """A change in the lobby: the position of the event in the log, its tag, and the game before and after it."""

    position: int
    event: str
    before: LobbyGame | None
    after: LobbyGame


def announced(engine: Engine, after: int, limit: int) -> list[Announced]:
    """At most `limit` changes of public games after this position of the log, in order.

    Raises `CursorExpired` if some of them are no longer kept.
    """
    query = select(announcements).where(announcements.c.position > after).order_by(announcements.c.position)
    oldest = select(announcements).order_by(announcements.c.number).limit(1)
    with engine.begin() as connection:
        rows = connection.execute(query.limit(limit)).all()
        first = connection.execute(oldest).first()  # after the rows: another process may delete some meanwhile
    # Once older ones are deleted, the position must be at or after that of the oldest: it shows that none is missing.
    if first is not None and first.number > 1 and after < first.position:
        raise CursorExpired
    return [
        Announced(position, event, None if before is None else _lobby_game.decode(before), _lobby_game.decode(after))
        for _, position, event, before, after in rows
    ]


def concerns(search: Search, change: Announced) -> bool:
    """Whether the game matches the search after the change, or did before."""
    return _matches(search, change.after) or (change.before is not None and _matches(search, change.before))


def _matches(search: Search, listed: LobbyGame) -> bool:
    """Every follower of the lobby asks for every change: what the search leaves open costs nothing."""
    return (
        search.ruleset in (None, listed.ruleset)
        and search.status in (None, listed.status)
        and (search.player is None or search.player == listed.opener or bool(seats_of(listed, search.player)))
        and (not search.open or (listed.status == "waiting" and listed.open > 0))
        and (search.bots or not has_bots(listed))
    )


CURSOR = r"^([A-Za-z0-9_-]{10}[AEIMQUYcgkosw048]|[A-Za-z0-9_-]{21}[AQgw])$(?!\n)"
"""Pattern of a cursor: a game's number of eight bytes in URL-safe base64 without padding, in its canonical form. In the
list of the games in which a player must act, the time at which it runs out stands before it."""

_POSITION = struct.Struct(">q")
_PAIR = struct.Struct(">qq")


def _cursor(number: int) -> str:
    return _encoded(_POSITION.pack(number))


def _encoded(octets: bytes) -> str:
    return urlsafe_b64encode(octets).rstrip(b"=").decode()


def _number(cursor: str) -> int:
    return _unpacked(cursor)[1]


def _unpacked(cursor: str) -> tuple[int, int]:
    """The time, `NEVER` if there is none, and the number."""
    octets = urlsafe_b64decode(cursor + "==")
    time, number = _PAIR.unpack(octets) if len(octets) == _PAIR.size else (NEVER, *_POSITION.unpack(octets))
    return time, number
