"""How much of the log the games take that a player opened: the bytes of their rows.

The opening of a game counts at once, and so does all that a branch takes over from its parent. What is appended later
counts when the game is over: a game that runs is bounded by its greatest length. Imported games are nobody's.
"""

from collections import Counter
from collections.abc import Collection, Sequence

from sqlalchemy import Connection, Engine, bindparam, delete, insert, select, update

from domain.game import Aborted, Ended, Opened
from domain.log import Stored
from domain.messages import Value
from projections.projection import Projection, RecordedEvent
from projections.schema import asking, stored_bytes, stored_games

EVENTS = (Opened, Ended, Aborted)
"""The events of games at which the size of their streams is taken: `Fact.size`."""


def measures(value: object) -> bool:
    """Whether the size of the stream is taken at this row."""
    return isinstance(value, Stored) and not value.imported and isinstance(value.event, EVENTS)


class _Game(Value):
    """A game that is not over: who opened it, and the bytes that are counted for it."""

    player: str
    size: int


def _apply(connection: Connection, facts: Sequence[RecordedEvent]) -> None:
    news = [fact for fact in facts if measures(fact.value)]
    before = _load(connection, {fact.stream for fact in news if fact.version > 1})
    after, added = dict(before), Counter[str]()
    for fact in news:
        event = fact.value.event
        if isinstance(event, Opened):
            after[fact.stream] = _Game(event.opener.id, fact.size)
            added[event.opener.id] += fact.size
        elif (known := after.pop(fact.stream, None)) is not None:
            added[known.player] += fact.size - known.size
    over = [{"key": game} for game in before.keys() - after.keys()]
    new = [{"game": game, "player": after[game].player, "bytes": after[game].size} for game in after.keys() - before]
    if over:
        connection.execute(_OVER, over)
    if new:
        connection.execute(_NEW, new)
    _add(connection, {player: size for player, size in added.items() if size})


def _load(connection: Connection, games: Collection[str]) -> dict[str, _Game]:
    query = select(stored_games).where(stored_games.c.game.in_(games))
    return {game: _Game(player, size) for game, player, size in connection.execute(query)}


def _add(connection: Connection, added: dict[str, int]) -> None:
    if not added:
        return
    found = select(stored_bytes).where(stored_bytes.c.player.in_(added))
    known = {player: size for player, size in connection.execute(found)}  # noqa: C416 - rows are no pairs to mypy
    if changed := [{"key": player, "bytes": size + added[player]} for player, size in known.items()]:
        connection.execute(_CHANGE, changed)
    if new := [{"player": player, "bytes": size} for player, size in added.items() if player not in known]:
        connection.execute(_FIRST, new)


_NEW = insert(stored_games)
_OVER = delete(stored_games).where(stored_games.c.game == bindparam("key"))
_FIRST = insert(stored_bytes)
_CHANGE = update(stored_bytes).where(stored_bytes.c.player == bindparam("key"))
_USED = select(stored_bytes.c.bytes).where(stored_bytes.c.player == bindparam("player"))

STORAGE = Projection(name="storage", version=1, tables=(stored_games, stored_bytes), apply=_apply)


def used(engine: Engine, player: str) -> int:
    """The bytes that count for the player."""
    with asking(engine) as connection:
        found: int | None = connection.execute(_USED, {"player": player}).scalar_one_or_none()
        return found or 0
