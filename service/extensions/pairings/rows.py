"""The rows of pairings: what is to be opened. What happened at the tables is in the log.

The functions run in `Mutable.query`, or in `Mutable.change` if they change anything.
"""

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec.structs import asdict
from sqlalchemy import Connection, bindparam, delete, func, insert, or_, select, update

from domain.game import SeatTerms
from domain.game.clock import Clock
from domain.messages import Value
from domain.ruleset import Seat
from service.clock import earlier
from service.tables import notices
from service.tables.pairings import organisers, pairing_players, pairing_tables, pairings
from service.tables.schema import invites

State: TypeAlias = Literal["planned", "open", "over", "cancelled"]

UNTAKEN = 3 * 86_400.0
"""Seconds for which a notice to an owner waits for `deliver`."""

CHUNK = 500
"""Ids in one query at most."""


class Terms(Value, kw_only=True):
    """What the tables of a pairing share."""

    name: str = ""
    seats: int
    places: tuple[str, ...] = ()
    """By seat, of a table that a player asks for: `me` or a bot. Empty: the tables are fixed."""
    options: dict[str, Any]
    deck: str
    absent: str
    clock: Clock | None = None
    undo: Literal["free", "agreed"] | None = None


class Pairing(Value, kw_only=True):
    """A row of `pairings`."""

    id: str
    owner: str
    ruleset: str
    rules: str
    day: str | None = None
    terms: Terms
    secret: bytes | None
    code: str
    most: int | None
    opens_at: str
    sit_until: str | None
    closes_at: str
    until: str | None
    state: State = "planned"
    settled: bool = False
    looked_at: str
    created_at: str
    request: str
    organiser: bool = False

    @property
    def common(self) -> bool:
        return self.secret is not None


class Table(Value, kw_only=True):
    """A row of `pairing_tables`."""

    game: str
    pairing: str
    number: int
    seats: tuple[SeatTerms, ...]
    declined: tuple[Seat, ...] = ()
    player: str | None = None
    opened: bool = False
    told: bool = False
    created_at: str


class Taken(Exception):
    """The player has a table of this deal: `game`."""

    def __init__(self, game: str) -> None:
        super().__init__(game)
        self.game = game


class Closed(Exception):
    """No table of the pairing can begin now."""


class TooMany(Exception):
    """The owner has as many unfinished pairings or tables as allowed. The message says which."""


# --- queries ------------------------------------------------------------------------------------------------------


def find(connection: Connection, id: str) -> Pairing | None:
    return _first(connection, select(pairings).where(pairings.c.id == id))


def of_days(connection: Connection, day: str) -> list[Pairing]:
    return _all(connection, select(pairings).where(pairings.c.day == day).order_by(pairings.c.ruleset))


def of_player(connection: Connection, player: str, limit: int) -> list[Pairing]:
    """Those that the player opened or has a table of, without days, newest first."""
    own = select(pairing_players.c.pairing).where(pairing_players.c.player == player, pairing_players.c.day.is_(None))
    query = select(pairings).where(or_(pairings.c.owner == player, pairings.c.id.in_(own)), pairings.c.day.is_(None))
    return _all(connection, query.order_by(pairings.c.created_at.desc(), pairings.c.id).limit(limit))


def due(connection: Connection, now: str, limit: int) -> list[Pairing]:
    """Those that the service has to look after now, longest due first."""
    query = select(pairings).where(~pairings.c.settled, pairings.c.looked_at <= now)
    return _all(connection, query.order_by(pairings.c.looked_at).limit(limit))


def tables(connection: Connection, pairing: str) -> list[Table]:
    query = select(pairing_tables).where(pairing_tables.c.pairing == pairing).order_by(pairing_tables.c.number)
    return [_table(row) for row in connection.execute(query)]


def table(connection: Connection, game: str) -> Table | None:
    row = connection.execute(select(pairing_tables).where(pairing_tables.c.game == game)).first()
    return None if row is None else _table(row)


def own_tables(connection: Connection, pairing: str, player: str) -> list[Table]:
    own = select(pairing_players.c.game).where(pairing_players.c.pairing == pairing, pairing_players.c.player == player)
    return [_table(row) for row in connection.execute(select(pairing_tables).where(pairing_tables.c.game.in_(own)))]


def count(connection: Connection, pairing: str) -> int:
    found: int = connection.execute(select(func.count()).where(pairing_tables.c.pairing == pairing)).scalar_one()
    return found


def games_of(connection: Connection, pairing: str, player: str) -> list[str]:
    """The games of the player in this pairing: one at most, if all tables have the same deal."""
    own = pairing_players.c.pairing == pairing, pairing_players.c.player == player
    return list(connection.execute(select(pairing_players.c.game).where(*own)).scalars())


def games_by_pairing(connection: Connection, ids: Sequence[str], player: str) -> dict[str, str]:
    """By pairing: a game of the player."""
    own = pairing_players.c.pairing.in_(ids), pairing_players.c.player == player
    query = select(pairing_players.c.pairing, pairing_players.c.game).where(*own)
    return {pairing: game for pairing, game in connection.execute(query)}  # noqa: C416 - to mypy a row is not a pair


def days_of(connection: Connection, player: str, ruleset: str, most: int) -> list[tuple[str, str]]:
    """The latest days whose deal the player has begun, each with the game."""
    own = pairing_players.c.player == player, pairing_players.c.day.is_not(None), pairing_players.c.ruleset == ruleset
    query = select(pairing_players.c.day, pairing_players.c.game).where(*own)
    return [(day, game) for day, game in connection.execute(query.order_by(pairing_players.c.day.desc()).limit(most))]


def regulars(connection: Connection, players: Sequence[str], first: str, days: int, upto: str) -> set[str]:
    """Those of these players who have begun deals on `days` days up to `upto`, the first one not later than `first`."""
    day, found = pairing_players.c.day, set[str]()
    for at in range(0, len(players), CHUNK):
        chosen = pairing_players.c.player.in_(players[at : at + CHUNK]), day.is_not(None), day <= upto
        query = select(pairing_players.c.player).where(*chosen).group_by(pairing_players.c.player)
        query = query.having(func.min(day) <= first, func.count(func.distinct(day)) >= days)
        found |= set(connection.execute(query).scalars())
    return found


def planned_for(connection: Connection, players: Sequence[str]) -> Counter[str]:
    """For how many tables each of these players will be invited that are not open yet."""
    found: Counter[str] = Counter()
    for at in range(0, len(players), CHUNK):
        chosen = pairing_players.c.player.in_(players[at : at + CHUNK]), pairings.c.state == "planned"
        query = select(pairing_players.c.player).where(pairing_players.c.pairing == pairings.c.id, *chosen)
        found.update(connection.execute(query).scalars())
    return found


def is_organiser(connection: Connection, player: str) -> bool:
    return connection.execute(select(organisers.c.player).where(organisers.c.player == player)).first() is not None


def codes_of(connection: Connection, games: Sequence[str]) -> dict[str, str]:
    query = select(invites.c.game, invites.c.code).where(invites.c.game.in_(games))
    return {game: code for game, code in connection.execute(query)}  # noqa: C416


def _first(connection: Connection, query: Any) -> Pairing | None:
    return next(iter(_all(connection, query)), None)


def _all(connection: Connection, query: Any) -> list[Pairing]:
    return [
        Pairing(
            **dict(row._mapping)
            | {
                "terms": msgspec.json.decode(row.terms, type=Terms),
                "secret": None if row.secret is None else bytes.fromhex(row.secret),
            }
        )
        for row in connection.execute(query)
    ]


def _table(row: Any) -> Table:
    seats = msgspec.json.decode(row.seats, type=tuple[SeatTerms, ...])
    return Table(
        **dict(row._mapping) | {"seats": seats, "declined": msgspec.json.decode(row.declined, type=tuple[int, ...])}
    )


# --- changes ------------------------------------------------------------------------------------------------------


class Bounds(Value):
    """What an owner may have: unfinished pairings and tables of them, and new tables since a time."""

    pairings: int
    tables: int
    since: str
    recent: int


def create(connection: Connection, new: Pairing, fixed: Sequence[Table], bounds: Bounds | None) -> Pairing:
    """Insert a pairing with its fixed tables, their invite codes and players, or return the one with this id. It is
    one transaction: the intention is there as a whole or not at all. Raises `TooMany`."""
    if (known := find(connection, new.id)) is not None:
        return known
    if bounds is not None:
        _check(connection, new.owner, len(fixed), bounds)
    row = asdict(new) | {"terms": _text(new.terms), "secret": None if new.secret is None else new.secret.hex()}
    connection.execute(insert(pairings), row)
    _add(connection, new, fixed)
    return new


def create_days(connection: Connection, days: Sequence[Pairing]) -> None:
    """Insert those of days that do not exist."""
    for each in days:
        create(connection, each, (), None)


def _check(connection: Connection, owner: str, added: int, bounds: Bounds) -> None:
    own = pairings.c.owner == owner
    unfinished = connection.execute(select(func.count()).where(own, ~pairings.c.settled)).scalar_one()
    if unfinished >= bounds.pairings:
        raise TooMany(f"You have {bounds.pairings} pairings that are not over.")
    tables = select(func.count()).where(pairing_tables.c.pairing == pairings.c.id, own)
    if connection.execute(tables.where(~pairings.c.settled)).scalar_one() + added > bounds.tables:
        raise TooMany(f"Your pairings that are not over may have {bounds.tables} tables.")
    if (
        connection.execute(tables.where(pairing_tables.c.created_at > bounds.since)).scalar_one() + added
        > bounds.recent
    ):
        raise TooMany(f"You may open {bounds.recent} tables within an hour.")


def _add(connection: Connection, of: Pairing, added: Iterable[Table]) -> None:
    added = list(added)
    if not added:
        return
    connection.execute(
        insert(pairing_tables),
        [asdict(each) | {"seats": _text(each.seats), "declined": _text(each.declined)} for each in added],
    )
    connection.execute(insert(invites), [{"game": each.game, "code": os.urandom(16).hex()} for each in added])
    people = [
        {
            "pairing": of.id, "player": seat.player, "part": "" if of.common else each.game, "game": each.game,
            "ruleset": of.ruleset, "day": of.day,
        }
        for each in added for seat in each.seats if isinstance(seat.player, str)
    ]  # fmt: skip
    if people:
        connection.execute(insert(pairing_players), people)


def ask(connection: Connection, id: str, asked: Table, now: str) -> Table:
    """Reserve a table for the player who asks. Raises `Taken`, `Closed`."""
    assert asked.player is not None
    found = find(connection, id)
    if found is None:
        raise Closed
    if games := games_of(connection, id, asked.player):
        raise Taken(games[0])
    if found.state not in ("planned", "open") or not found.opens_at <= now < found.closes_at:
        raise Closed
    last = select(func.max(pairing_tables.c.number)).where(pairing_tables.c.pairing == id)
    number = (connection.execute(last).scalar() or 0) + 1
    if found.most is not None and number > found.most:
        raise Closed
    new = msgspec.structs.replace(asked, number=number)
    _add(connection, found, [new])
    if found.state == "planned" or number == found.most:
        _set(connection, id, state="open", **({"looked_at": now} if number == found.most else {}))
    if number == 1:
        _tell(connection, found, "pairing.opened", "open", now)
    return new


def give_back(connection: Connection, asked: Table) -> None:
    """Undo `ask` for a table that could not be opened."""
    for each in (pairing_tables, pairing_players):
        connection.execute(delete(each).where(each.c.pairing == asked.pairing, each.c.game == asked.game))


def opened(connection: Connection, of: Pairing, games: Sequence[str], now: str) -> None:
    changed = connection.execute(
        update(pairing_tables).where(pairing_tables.c.game.in_(games), ~pairing_tables.c.opened).values(opened=True)
    )
    if changed.rowcount:
        _tell(connection, of, "pairing.opened", "open", now)


def ended(connection: Connection, of: Pairing, games: Sequence[str], now: str) -> None:
    """Tell the owner of these tables that they are over, unless that has happened."""
    chosen = pairing_tables.c.pairing == of.id, pairing_tables.c.game.in_(games), ~pairing_tables.c.told
    query = select(pairing_tables.c.number, pairing_tables.c.game).where(*chosen).order_by(pairing_tables.c.number)
    new = connection.execute(query).all()
    connection.execute(update(pairing_tables).where(*chosen).values(told=True))
    told = [{"table": number, "game": f"/v1/games/{of.ruleset}/{game}"} for number, game in new]
    _tell(connection, of, "pairing.table_over", of.state, now, told)


def begin(connection: Connection, id: str) -> bool:
    """Whether the tables of the pairing may be opened. From now on all of them will be."""
    found = find(connection, id)
    if found is not None and found.state == "planned":
        _set(connection, id, state="open")
    return found is not None and found.state in ("planned", "open", "cancelled") and not found.settled


def cancel(connection: Connection, id: str, now: str) -> None:
    """No further table begins. Those of a planned pairing are dropped; those of an open one are looked after."""
    found = find(connection, id)
    if found is None or found.state not in ("planned", "open"):
        return
    if found.state == "planned":
        connection.execute(delete(pairing_players).where(pairing_players.c.pairing == id))
        connection.execute(delete(pairing_tables).where(pairing_tables.c.pairing == id))
    _set(connection, id, state="cancelled", looked_at=now)


def cancel_of(connection: Connection, owner: str, now: str) -> None:
    """The same for all of an owner."""
    query = select(pairings.c.id).where(pairings.c.owner == owner, ~pairings.c.settled)
    for pairing in connection.execute(query).scalars().all():
        cancel(connection, pairing, now)


def settle(connection: Connection, id: str, now: str) -> None:
    """Everything is over and revealed."""
    found = find(connection, id)
    if found is not None and not found.settled:
        state: State = "cancelled" if found.state == "cancelled" else "over"
        _set(connection, id, settled=True, state=state)
        _tell(connection, found, "pairing.over", state, now)


def look_again(connection: Connection, id: str, at: str) -> None:
    _set(connection, id, looked_at=at)


def appoint(connection: Connection, player: str) -> None:
    if not is_organiser(connection, player):
        connection.execute(insert(organisers), {"player": player})


def dismiss(connection: Connection, player: str) -> None:
    connection.execute(delete(organisers).where(organisers.c.player == player))


def _set(connection: Connection, id: str, **values: Any) -> None:
    connection.execute(update(pairings).where(pairings.c.id == bindparam("key")).values(**values), {"key": id})


def _tell(
    connection: Connection, of: Pairing, type: notices.NoticeType, state: State, now: str,
    told: Sequence[Mapping[str, Any]] = ({},),
) -> None:  # fmt: skip
    """Nobody owns a deal of the day."""
    if of.owner:
        shared = {"ruleset": of.ruleset, "state": state}
        each = [{**shared, **item} for item in told]
        notices.tell(connection, of.owner, type, of.id, f"/v1/pairings/{of.id}", each, now, earlier(now, UNTAKEN))


def _text(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def held(connection: Connection, player: str) -> Mapping[str, Any]:
    own = select(pairings.c.id).where(pairings.c.owner == player)
    return {
        "organiser": is_organiser(connection, player),
        "pairings": list(connection.execute(own.order_by(pairings.c.created_at)).scalars()),
    }
