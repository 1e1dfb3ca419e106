"""Guests: players who register with this service, by name only."""

import uuid

from domain.game import Player
from domain.player import Registered, Renamed, is_guest
from service.clock import now
from service.store.errors import Conflict
from service.store.event_store import Store
from service.store.rows import Row

KIND = "player"
"""The kind of the streams that contain players' events."""


class NotRegistered(Exception):
    """The player is not a registered guest. The names of issued players come from their site's tokens."""


RENAMES = 200
"""The number of name changes allowed per player."""


class TooManyNames(Exception):
    """The player has used up the allowed name changes."""


async def register(store: Store, name: str) -> Player:
    """Record a new guest with a random UUID as id. Raises `Unavailable`."""
    player = Player(str(uuid.uuid4()), name)
    await store.append([Row(player.id, 1, f"{KIND}.registered", Registered(now(), name))])
    return player


async def rename(store: Store, player: Player, name: str) -> Player:
    """Record another name for a guest. Returns the player with it.

    Raises `NotRegistered`, `TooManyNames`, `Unavailable`.
    """
    if not is_guest(player.id):
        raise NotRegistered
    while True:
        history = await store.read(player.id)
        if not history or not isinstance(history[0], Registered):
            raise NotRegistered
        if len(history) > RENAMES:
            raise TooManyNames(f"A player may change their name {RENAMES} times.")
        row = Row(player.id, len(history) + 1, f"{KIND}.renamed", Renamed(now(), name))
        try:
            await store.append([row])
        except Conflict:
            continue  # a concurrent request renamed the player first; the later name wins
        return Player(player.id, name)
