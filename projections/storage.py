"""The storage that each player uses: the bytes of the rows of all games that the player opened.

The append that opens a game counts at once, including everything that a branch copies from its parent. Later appends
count when the game is over; until then the maximum length of a game bounds them. Imported games count for no player.
"""

from collections import Counter
from collections.abc import Collection, Sequence

from sqlalchemy import Connection, Engine, bindparam, delete, insert, select, update

from domain.game import Aborted, Ended, Opened
from domain.game.log import Stored
from domain.messages import Value
from projections.database import reading
from projections.projection import Projection, RecordedEvent
from projections.schema import stored_bytes, stored_games

EVENTS = (Opened, Ended, Aborted)
"""The events of games that need the size of their stream: `RecordedEvent.size`."""


def measures(value: object) -> bool:
    """Whether this event needs the size of its stream."""
    return isinstance(value, Stored) and not value.imported and isinstance(value.event, EVENTS)


class _Game(Value):
    """An unfinished game: the player who opened it, and the bytes that count for it so far."""

    player: str
    size: int


def _apply(connection: Connection, events: Sequence[RecordedEvent]) -> None:
    relevant = [each for each in events if measures(each.value)]
    before = _load(connection, {each.stream for each in relevant if each.version > 1})
    after, added = dict(before), Counter[str]()
    for _, game, _, _, entry, size, _ in relevant:
        event = entry.event
        if isinstance(event, Opened):
            # Known already if it was archived after a part of its events had been applied: then all come again.
            added[event.opener] += size - (after[game].size if game in after else 0)
            after[game] = _Game(event.opener, size)
        elif (known := after.pop(game, None)) is not None:
            added[known.player] += size - known.size
    over = [{"key": game} for game in before.keys() - after.keys()]
    new = [{"game": game, "player": after[game].player, "bytes": after[game].size} for game in after.keys() - before]
    if over:
        connection.execute(_DELETE_GAME, over)
    if new:
        connection.execute(_INSERT_GAME, new)
    _add(connection, {player: size for player, size in added.items() if size})


def _load(connection: Connection, games: Collection[str]) -> dict[str, _Game]:
    query = select(stored_games).where(stored_games.c.game.in_(games))
    return {game: _Game(player, size) for game, player, size in connection.execute(query)}


def _add(connection: Connection, added: dict[str, int]) -> None:
    if not added:
        return
    found = select(stored_bytes).where(stored_bytes.c.player.in_(added))
    known = {player: size for player, size in connection.execute(found)}  # noqa: C416 - to mypy a row is not a pair
    if changed := [{"key": player, "bytes": size + added[player]} for player, size in known.items()]:
        connection.execute(_UPDATE_BYTES, changed)
    if new := [{"player": player, "bytes": size} for player, size in added.items() if player not in known]:
        connection.execute(_INSERT_BYTES, new)


_INSERT_GAME = insert(stored_games)
_DELETE_GAME = delete(stored_games).where(stored_games.c.game == bindparam("key"))
_INSERT_BYTES = insert(stored_bytes)
_UPDATE_BYTES = update(stored_bytes).where(stored_bytes.c.player == bindparam("key"))
_SELECT_BYTES = select(stored_bytes.c.bytes).where(stored_bytes.c.player == bindparam("player"))

STORAGE = Projection(events=EVENTS, name="storage", version=1, tables=(stored_games, stored_bytes), apply=_apply)


def stored_bytes_of(engine: Engine, player: str) -> int:
    with reading(engine) as connection:
        found: int | None = connection.execute(_SELECT_BYTES, {"player": player}).scalar_one_or_none()
        return found or 0
