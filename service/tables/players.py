"""The table of players: display names and faces, and who was forgotten.

The functions run in `Mutable.query`, or in `Mutable.change` if they change anything that another process may have read.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, delete, func, insert, select, text, update
from sqlalchemy.dialects import postgresql, sqlite

from domain.codec import is_storable
from domain.player import Face
from service.extension import REGISTERED
from service.tables import moderation
from service.tables.schema import codes, players

CHUNK = 500
"""Ids in one query at most."""


class Known(NamedTuple):
    """A row of the table, as far as processes keep it in memory. `name` is None for a former player."""

    name: str | None
    revision: int
    issued: int
    forgotten: bool
    banned: bool
    generation: int
    blocks: frozenset[str] = frozenset()
    face: str | None = None


UNKNOWN = Known(None, 0, 0, False, False, 0)
"""Stands for a player without a row."""

_COLUMNS = players.c["id", "name", "revision", "issued", "forgotten_at", "banned_at", "generation", "blocks", "face"]


class NotRegistered(Exception):
    """The player has no row, or was forgotten."""


class CodeInUse(Exception):
    """The code belongs to another player."""


class TooManyBlocks(Exception):
    """The player has blocked as many others as is allowed."""


class TooManyNames(Exception):
    """The player has used up the allowed changes of name and face."""


# --- queries ------------------------------------------------------------------------------------------------------


def read(connection: Connection, ids: Collection[str]) -> dict[str, Known]:
    wanted, found = [player for player in ids if is_storable(player)], dict[str, Known]()
    for first in range(0, len(wanted), CHUNK):
        query = select(*_COLUMNS).where(players.c.id.in_(wanted[first : first + CHUNK]))
        found |= _rows(connection.execute(query))
    return found


def last_revision(connection: Connection) -> int:
    found: int | None = connection.execute(_LAST).scalar()
    return found or 0


def changed(connection: Connection, after: int) -> dict[str, Known]:
    """The rows that have changed since this revision, in the order of the changes."""
    return _rows(connection.execute(_CHANGED, {"after": after}))


def forgotten(connection: Connection) -> set[str]:
    return set(connection.execute(_FORGOTTEN).scalars())


def banned(connection: Connection) -> set[str]:
    return set(connection.execute(_BANNED).scalars())


def find(connection: Connection, part: str, most: int) -> dict[str, Known]:
    """The players whose names contain this part, in any case; `most` at most, by name."""
    pattern = "%" + part.lower().replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
    named = func.lower(players.c.name).like(pattern, escape="\\")
    return _rows(connection.execute(select(*_COLUMNS).where(named).order_by(players.c.name, players.c.id).limit(most)))


def all_banned(connection: Connection) -> dict[str, Known]:
    """The banned players, by name."""
    query = select(*_COLUMNS).where(text("banned_at IS NOT NULL")).order_by(players.c.name, players.c.id)
    return _rows(connection.execute(query))


def generations(connection: Connection) -> dict[str, int]:
    return {row.id: row.generation for row in connection.execute(_GENERATIONS)}


def leaving(connection: Connection) -> list[tuple[str, str]]:
    """The former and banned players who may still have a seat in a waiting game, and since when they are that."""
    return [(player, forgotten_at or banned_at) for player, forgotten_at, banned_at in connection.execute(_LEAVING)]


def _rows(found: Iterable[Any]) -> dict[str, Known]:
    return {
        row.id: Known(
            row.name, row.revision, row.issued, row.forgotten_at is not None, row.banned_at is not None, row.generation,
            frozenset(json.loads(row.blocks)) if row.blocks else frozenset(),
            row.face if row.forgotten_at is None else None,  # processes of the release before leave it there
        )
        for row in found
    }  # fmt: skip


# --- changes ------------------------------------------------------------------------------------------------------


def register(connection: Connection, player: str, name: str, face: Face | None) -> None:
    """Insert a guest with a new id. No process can have read the row before, so the revision is 0."""
    connection.execute(insert(players), _row(player, name, 0, face=face))
    connection.commit()


def alter(connection: Connection, player: str, shown: Mapping[str, str | None], most: int | None) -> Known:
    """Change `name`, `face` or both, at most `most` times (None: without a limit, uncounted). Returns the row.

    Raises `NotRegistered`, `TooManyNames`.
    """
    row = connection.execute(select(players.c.renames, players.c.name).where(players.c.id == player)).first()
    if row is None or row.name is None:
        raise NotRegistered
    if most is not None and row.renames >= most:
        raise TooManyNames(f"A player may change their name and face {most} times.")
    renames = row.renames + (most is not None)
    changes = {**shown, "renames": renames, "revision": last_revision(connection) + 1}
    connection.execute(_UPDATE, {"key": player, **changes})
    return read(connection, [player])[player]


def show(connection: Connection, player: str, name: str, issued: int) -> None:
    """Store the name that the token of a site's player shows, unless a later token has shown another one."""
    known = read(connection, [player]).get(player)
    if known is None:
        connection.execute(insert(players), _row(player, name, last_revision(connection) + 1, issued))
    elif not known.forgotten and known.name != name and issued >= known.issued:
        changes = {"name": name, "issued": issued, "revision": last_revision(connection) + 1}
        connection.execute(_UPDATE, {"key": player, **changes})


def add(connection: Connection, names: Mapping[str, str]) -> None:
    """Store the names of imported players. Players who have a row, former players included, keep what is in it."""
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    revision = last_revision(connection) + 1
    rows = [_row(player, name, revision) for player, name in names.items()]
    connection.execute(dialect.insert(players).on_conflict_do_nothing(), rows)


def forget(connection: Connection, player: str, at: str) -> None:
    """Erase the name and the face of a player for ever, and what they own. It can be repeated for a former player."""
    known = read(connection, [player]).get(player)
    moderation.forget(connection, player)
    for each in REGISTERED.values():
        if each.forget is not None:
            each.forget(connection, player)
    connection.execute(delete(codes).where(codes.c.player == player))
    if known is not None and known.forgotten:
        connection.execute(_UPDATE, {"key": player, "leaving": True})
        return
    changes = {
        "name": None,
        "face": None,
        "blocks": None,
        "forgotten_at": at,
        "leaving": True,
        "revision": last_revision(connection) + 1,
    }
    if known is None:
        connection.execute(insert(players), _row(player, None, 0) | changes)
    else:
        connection.execute(_UPDATE, {"key": player, **changes})


def block(connection: Connection, player: str, other: str, most: int) -> None:
    """Add to those whom the player has blocked, at most `most`. Raises `NotRegistered`, `TooManyBlocks`."""
    known = read(connection, [player]).get(player)
    if known is None or known.forgotten:
        raise NotRegistered
    if other not in known.blocks:
        if len(known.blocks) >= most:
            raise TooManyBlocks(f"A player may block {most} others.")
        _set_blocks(connection, player, known.blocks | {other})


def unblock(connection: Connection, player: str, other: str) -> None:
    known = read(connection, [player]).get(player)
    if known is not None and other in known.blocks:
        _set_blocks(connection, player, known.blocks - {other})


def _set_blocks(connection: Connection, player: str, blocks: frozenset[str]) -> None:
    text = json.dumps(sorted(blocks)) if blocks else None
    connection.execute(_UPDATE, {"key": player, "blocks": text, "revision": last_revision(connection) + 1})


def ban(connection: Connection, player: str, at: str | None) -> None:
    """Ban a player and stop what they own, or lift the ban (`at` None). Does nothing for a player without a
    row."""
    if at is not None:
        for each in REGISTERED.values():
            if each.ban is not None:
                each.ban(connection, player)
    changes = {"banned_at": at, "leaving": at is not None, "revision": last_revision(connection) + 1}
    connection.execute(_UPDATE, {"key": player, **changes})


def sign_out(connection: Connection, player: str, code: str, expires: int) -> None:
    """Make all tokens and codes of the player invalid, but the code with this hash. Raises `NotRegistered`,
    `CodeInUse`."""
    known = read(connection, [player]).get(player)
    if known is None or known.forgotten:
        raise NotRegistered
    owner = connection.execute(select(codes.c.player).where(codes.c.hash == code)).scalar()
    if owner not in (None, player):
        raise CodeInUse
    changes = {"generation": known.generation + 1, "revision": last_revision(connection) + 1}
    connection.execute(_UPDATE, {"key": player, **changes})
    connection.execute(delete(codes).where(codes.c.player == player))
    connection.execute(insert(codes), {"hash": code, "player": player, "expires": expires, "once": False})


def add_code(connection: Connection, player: str, code: str, expires: int, now: int) -> None:
    """Store the hash of a code that is valid once. It replaces the player's earlier one. Raises `NotRegistered`."""
    known = read(connection, [player]).get(player)
    if known is None or known.forgotten:
        raise NotRegistered
    replaced = codes.c.once & (codes.c.player == player)
    connection.execute(delete(codes).where(replaced | (codes.c.expires <= now)))
    connection.execute(insert(codes), {"hash": code, "player": player, "expires": expires, "once": True})


def exchange(connection: Connection, code: str, now: int) -> tuple[str, Known] | None:
    """The player of the code with this hash; None if it is not valid. A code that is valid once is used up."""
    valid = (codes.c.hash == code) & (codes.c.expires > now)
    row = connection.execute(select(codes.c.player, codes.c.once).where(valid)).first()
    if row is None:
        return None
    if row.once:
        connection.execute(delete(codes).where(codes.c.hash == code))
    known = read(connection, [row.player]).get(row.player)
    return None if known is None or known.forgotten else (row.player, known)


def left(connection: Connection, player: str) -> None:
    connection.execute(_UPDATE, {"key": player, "leaving": False})
    connection.commit()


def _row(player: str, name: str | None, revision: int, issued: int = 0, face: str | None = None) -> dict[str, object]:
    return {
        "id": player, "name": name, "revision": revision, "issued": issued, "renames": 0, "forgotten_at": None,
        "banned_at": None, "leaving": False, "generation": 0, "blocks": None, "face": face,
    }  # fmt: skip


# The conditions as text: SQLite would not use a partial index if the number were a parameter.
_LAST = select(func.max(players.c.revision)).where(text("revision > 0"))
_CHANGED = select(*_COLUMNS).where(text("revision > 0"), players.c.revision > bindparam("after"))
_FORGOTTEN = select(players.c.id).where(text("forgotten_at IS NOT NULL"))
_BANNED = select(players.c.id).where(text("banned_at IS NOT NULL"))
_GENERATIONS = select(players.c.id, players.c.generation).where(text("generation > 0"))
_LEAVING = select(players.c.id, players.c.forgotten_at, players.c.banned_at).where(players.c.leaving)
_UPDATE = update(players).where(players.c.id == bindparam("key"))
