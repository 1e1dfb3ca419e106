"""Players who register here, with nothing but a name."""

import uuid

from domain.game import Player
from domain.player import Registered, Renamed, is_guest
from service.clock import now
from service.store.errors import Conflict
from service.store.event_store import Store
from service.store.rows import Row

KIND = "player"
"""The kind of the streams that tell of players."""


class NotRegistered(Exception):
    """The player is known by a site's token only; the site decides on the name."""


RENAMES = 200
"""How often a player may change their name."""


class TooManyNames(Exception):
    """The player has changed their name as often as a player may."""


async def register(store: Store, name: str) -> Player:
    """A new player. Raises `Unavailable`."""
    player = Player(str(uuid.uuid4()), name)
    await store.append([Row(player.id, 1, f"{KIND}.registered", Registered(now(), name))])
    return player


async def rename(store: Store, player: Player, name: str) -> Player:
    """The player under another name. Raises `NotRegistered`, `TooManyNames`, `Unavailable`."""
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
            continue  # renamed at the same time by another request: this one is the later
        return Player(player.id, name)
