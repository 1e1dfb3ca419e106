"""The table of uptimes. `note` runs in `Mutable.query`, `begin` in `Mutable.change`."""

from typing import NamedTuple

from sqlalchemy import Connection, TextClause, delete, select, text

from domain.game.clock import SECOND
from service.tables.schema import uptimes

GAP = 5 * SECOND
"""Microseconds without a sign of any process after which it counts as an outage."""
MOST = 1_000
"""Rows that are kept: the outages that a game can get back whose latest event is older."""

_OWN = ":now"
_SERVERS = "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint"
"""The time of the server, which all processes share."""

_NOTE = """
    UPDATE stammtisch_uptimes SET until = CASE WHEN until < {now} THEN {now} ELSE until END
    WHERE begun = (SELECT max(begun) FROM stammtisch_uptimes) AND (:alive OR until >= {now} - :gap) RETURNING begun
"""
_BEGIN = """
    INSERT INTO stammtisch_uptimes (begun, until) VALUES ({now}, {now}) ON CONFLICT DO NOTHING RETURNING begun
"""


class Uptime(NamedTuple):
    begun: int
    until: int


def note(connection: Connection, now: int, alive: bool) -> int | None:
    """Note that a process can take moves now, by its clock. `alive`: it could a moment ago, whatever that says. Returns
    when the uptime began; None if an outage has ended, and a new one has to `begin`."""
    return connection.execute(_timed(connection, _NOTE), {"now": now, "alive": alive, "gap": GAP}).scalar()


def begin(connection: Connection, now: int) -> int:
    """Begin an uptime, unless another process was faster. Returns when it began."""
    if (begun := note(connection, now, alive=False)) is None:
        begun = connection.execute(_timed(connection, _BEGIN), {"now": now}).scalar_one()
        kept = select(uptimes.c.begun).order_by(uptimes.c.begun.desc()).limit(MOST)
        connection.execute(delete(uptimes).where(uptimes.c.begun.not_in(kept)))
    return begun


def _timed(connection: Connection, statement: str) -> TextClause:
    return text(statement.format(now=_OWN if connection.dialect.name == "sqlite" else _SERVERS))


def known(connection: Connection) -> list[Uptime]:
    """The latest uptimes, first to last."""
    return [
        Uptime(*row) for row in connection.execute(select(uptimes.c.begun, uptimes.c.until).order_by(uptimes.c.begun))
    ]
