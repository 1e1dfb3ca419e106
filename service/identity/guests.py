"""Players who register here, with nothing but a name."""

import uuid

from domain.game import Player
from domain.player import Registered, Renamed
from service.clock import now
from service.store.errors import Conflict
from service.store.event_store import Store
from service.store.rows import Row

KIND = "player"
"""The kind of the streams that tell of players."""


class NotRegistered(Exception):
    """The player is known by a site's token only; the site decides what he is called."""


async def register(store: Store, name: str) -> Player:
    """A new player. Raises `Unavailable`."""
    player = Player(str(uuid.uuid4()), name)
    await store.append([Row(player.id, 1, f"{KIND}.registered", Registered(now(), name))])
    return player


async def rename(store: Store, player: Player, name: str) -> Player:
    """The player under another name. Raises `NotRegistered`, `Unavailable`."""
    while True:
        history = await store.read(player.id)
        if not history or not isinstance(history[0], Registered):
            raise NotRegistered
        row = Row(player.id, len(history) + 1, f"{KIND}.renamed", Renamed(now(), name))
        try:
            await store.append([row])
        except Conflict:
            continue  # renamed at the same time by another request: this one is the later
        return Player(player.id, name)
