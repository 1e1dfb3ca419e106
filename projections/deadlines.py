"""The games with a clock, the sealed ones and those in which bots search, and when to look at each: `due` is never
later than the first deadline.

A bound suffices, so no move writes anything. A process that finds a game due claims it, removes the players who have
run out of time, and writes the next bound. The projection itself writes only the first bound, when the game begins, and
in a sealed game when a seat is taken. These bounds stay right, so the table can be rebuilt.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import UNSET
from sqlalchemy import Connection, Engine, bindparam, delete, insert, select, tuple_, update

from domain.game import Aborted, Begun, Ended, Joined, Opened, bots_of
from domain.game import clock as clocks
from domain.game.clock import NEVER, SECOND, microseconds
from domain.game.log import Stored
from domain.registry import VERSIONS
from projections.database import claiming, reading
from projections.projection import Projection, RecordedEvent
from projections.schema import deadlines

EVENTS = (Opened, Joined, Begun, Ended, Aborted)
"""The events of games that change the table."""


UNLIMITED = NEVER // 2
"""The allowance of a sealed game without a clock: once it has begun, it is never due."""

READY = 600 * SECOND
"""The shortest time between the last seat's taking and the expiry of a sealed game whose players are not ready."""


SEARCH = 10 * SECOND
"""How long after its begin a game is looked at in which bots search."""


def _searches(opened: Opened[Any, Any]) -> bool:
    """Whether a bot plays in the game that searches."""
    bots = bots_of(opened)
    return bool(bots) and any(bot in VERSIONS[opened.rules].searches for bot in bots)


def _apply(connection: Connection, events: Sequence[RecordedEvent]) -> None:
    opened: dict[str, dict[str, Any]] = {}
    begun: dict[str, int] = {}
    seated: dict[str, int] = {}
    over = set[str]()
    for _, game, _, _, entry, _, _ in events:
        match entry.event if isinstance(entry, Stored) and not entry.imported else None:
            case Opened() as event if event.clock is not UNSET or event.sealed is not UNSET or _searches(event):
                clock = event.clock
                allowance = UNLIMITED if clock is UNSET else clocks.earliest(clock, [clocks.full(clock)], 0)
                allowance = SEARCH if _searches(event) else allowance
                opened[game] = {
                    "game": game, "ruleset": event.ruleset, "allowance": allowance, "due": NEVER, "claimed": 0
                }  # fmt: skip
            case Joined() as event if event.seal is not UNSET:
                seated[game] = microseconds(entry.at) + READY
            case Begun():
                begun[game] = microseconds(entry.at)
            case Ended() | Aborted():
                over.add(game)
    new = [row for game, row in opened.items() if game not in over]
    due = [{"key": game, "at": at} for game, at in sorted(begun.items()) if game not in over]
    full = [{"key": game, "next": at} for game, at in sorted(seated.items()) if game not in {*over, *begun}]
    statements = (
        (_INSERT, new),
        (_POSTPONE, full),
        (_BEGIN, due),
        (_DELETE, [{"key": game} for game in sorted(over)]),
    )
    for statement, rows in statements:
        if rows:
            connection.execute(statement, rows)


_INSERT = insert(deadlines)
_KEY = deadlines.c.game == bindparam("key")
_DELETE = delete(deadlines).where(_KEY)
_BEGIN = update(deadlines).where(_KEY).values(due=deadlines.c.allowance + bindparam("at"))

DEADLINES = Projection(events=EVENTS, name="deadlines", version=3, tables=(deadlines,), apply=_apply)


# --- looking after games ------------------------------------------------------------------------------------------


class Due(NamedTuple):
    """A game to look at, and since when."""

    game: str
    ruleset: str
    due: int


START = Due("", "", 0)
"""Before every game that is due."""

_FREE = deadlines.c.due <= bindparam("now"), deadlines.c.claimed <= bindparam("now")
_DUE = (
    select(deadlines.c.game, deadlines.c.ruleset, deadlines.c.due)
    .where(*_FREE, tuple_(deadlines.c.due, deadlines.c.game) > tuple_(bindparam("due"), bindparam("game")))
    .order_by(deadlines.c.due, deadlines.c.game)
    .limit(bindparam("most"))
)
_CLAIMED = select(deadlines.c.game).where(deadlines.c.game.in_(bindparam("games", expanding=True)), *_FREE)
_CLAIM = (
    update(deadlines)
    .where(deadlines.c.game.in_(_CLAIMED.with_for_update(skip_locked=True)))
    .values(claimed=bindparam("until"))
    .returning(deadlines.c.game)
)
_POSTPONE = update(deadlines).where(_KEY).values(due=bindparam("next"), claimed=0)


def due(engine: Engine, now: int, after: Due, limit: int) -> list[Due]:
    """At most `limit` games after this one that are due now and that no process has claimed, the longest overdue
    first."""
    given = {"now": now, "due": after.due, "game": after.game, "most": limit}
    with reading(engine) as connection:
        return [Due(*row) for row in connection.execute(_DUE, given)]


def claim(engine: Engine, games: Collection[str], now: int, until: int) -> set[str]:
    """Claim those of the games that are due and not claimed, until that time. Returns them.

    Of processes that claim a game at the same time one gets it; none waits for another.
    """
    if not games:
        return set()
    with claiming(engine) as connection:
        return {game for (game,) in connection.execute(_CLAIM, {"games": list(games), "now": now, "until": until})}


def postpone(engine: Engine, bounds: Mapping[str, int]) -> None:
    """Write the next time to look at each of these games, and end the claims."""
    rows = [{"key": game, "next": bound} for game, bound in sorted(bounds.items())]
    if rows:
        with claiming(engine) as connection:
            connection.execute(_POSTPONE, rows)
