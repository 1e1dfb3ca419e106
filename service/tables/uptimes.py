"""The table of uptimes. `note` runs in `Mutable.query`, `begin` in `Mutable.change`."""

from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select, text, update

from domain.game.clock import SECOND
from service.tables.schema import uptimes

GAP = 5 * SECOND
"""Microseconds without a sign of any process after which it counts as an outage."""
RARELY = SECOND // 2
"""Microseconds for which the sign of another process suffices."""
MOST = 1_000
"""Rows that are kept: the outages that a game can get back whose latest event is older."""

_TIME = text("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint")
_LATEST = select(uptimes.c.begun, uptimes.c.until).order_by(uptimes.c.begun.desc()).limit(1)


class Uptime(NamedTuple):
    begun: int
    until: int


def note(connection: Connection, now: int, alive: bool) -> int | None:
    """Note that a process can take moves now, by its clock. `alive`: it could a moment ago, whatever that says. Returns
    when the uptime began; None if an outage has ended, and a new one has to `begin`."""
    latest, now = _latest(connection), _shared(connection, now)
    if latest is None or (now - latest.until > GAP and not alive):
        return None
    if now - latest.until > RARELY:
        _extend(connection, latest, now)
    return latest.begun


def begin(connection: Connection, now: int) -> int:
    """Begin an uptime, unless another process was faster. Returns when it began."""
    latest, now = _latest(connection), _shared(connection, now)
    if latest is not None and now - latest.until <= GAP:
        _extend(connection, latest, now)
        return latest.begun
    connection.execute(insert(uptimes).values(begun=now, until=now))
    kept = select(uptimes.c.begun).order_by(uptimes.c.begun.desc()).limit(MOST)
    connection.execute(delete(uptimes).where(uptimes.c.begun.not_in(kept)))
    return now


def known(connection: Connection) -> list[Uptime]:
    """The latest uptimes, first to last."""
    return [
        Uptime(*row) for row in connection.execute(select(uptimes.c.begun, uptimes.c.until).order_by(uptimes.c.begun))
    ]


def _latest(connection: Connection) -> Uptime | None:
    row = connection.execute(_LATEST).one_or_none()
    return None if row is None else Uptime(*row)


def _extend(connection: Connection, latest: Uptime, now: int) -> None:
    own = uptimes.c.begun == latest.begun, uptimes.c.until < now  # another process may have been faster
    connection.execute(update(uptimes).where(*own).values(until=now))


def _shared(connection: Connection, now: int) -> int:
    """The time that all processes share: that of the server, or of this machine."""
    return now if connection.dialect.name == "sqlite" else int(connection.execute(_TIME).scalar_one())
