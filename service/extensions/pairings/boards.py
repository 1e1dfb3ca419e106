"""The tables of pairings, as the projections know them, with their results."""

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec
from msgspec import UNSET
from sqlalchemy import Engine, func, select

from domain.game import Rules
from projections.database import reading
from projections.lobby import LobbyGame
from projections.schema import games, invitations
from service.extensions.pairings.field import Points

CHUNK = 500
"""Ids in one query at most."""

_listed = msgspec.json.Decoder(LobbyGame)


def listed(engine: Engine, ids: Sequence[str]) -> dict[str, LobbyGame]:
    """Those of these games that are open, by id."""
    found: dict[str, LobbyGame] = {}
    with reading(engine) as connection:
        for at in range(0, len(ids), CHUNK):
            query = select(games.c.id, games.c.listed).where(games.c.id.in_(ids[at : at + CHUNK]))
            found |= {game: _listed.decode(text) for game, text in connection.execute(query)}
    return found


def over(engine: Engine, ids: Sequence[str]) -> list[str]:
    """Those of these games that are over."""
    found = list[str]()
    with reading(engine) as connection:
        for at in range(0, len(ids), CHUNK):
            ended = games.c.status.in_(("finished", "aborted"))
            found += connection.execute(select(games.c.id).where(games.c.id.in_(ids[at : at + CHUNK]), ended)).scalars()
    return found


def pending(engine: Engine, players: Sequence[str]) -> Counter[str]:
    """How many invitations each of these players has not answered."""
    found: Counter[str] = Counter()
    with reading(engine) as connection:
        for at in range(0, len(players), CHUNK):
            chosen = invitations.c.player.in_(players[at : at + CHUNK])
            query = select(invitations.c.player, func.count()).where(chosen).group_by(invitations.c.player)
            found.update({player: number for player, number in connection.execute(query)})  # noqa: C416
    return found


def is_over(game: LobbyGame | None) -> bool:
    return game is not None and game.status in ("finished", "aborted")


def points_of(rules: Rules, game: LobbyGame | None, seats: int) -> Points:
    """By seat: the points of a game that has a result, more is better. A seat whose player left has none: a bot made
    them."""
    if game is None or game.result is None:
        return (None,) * seats
    sign = -1 if rules.fewest else 1
    left = [seat.gone is not UNSET for seat in game.seats]
    return tuple([None if gone else sign * score for gone, score in zip(left, game.result.scores, strict=True)])


def people_of(found: Mapping[str, LobbyGame]) -> set[str]:
    seats = [seat for game in found.values() for seat in game.seats]
    return {seat.player.id for seat in seats if seat.player is not None}
