"""The players: registration, display names and faces, and who was forgotten or banned.

Names and faces are no part of any game's history. They are in a table of the main database and are resolved when a
response is sent, from memory. A change is visible in the process that makes it at once, and in the others within
`POLL_INTERVAL`: every process polls the number of the last change. With Redis the others are notified, which is faster,
and then only the process that leads polls often: it also finds what commands have changed, and notifies the others of
it.

A former player has no name, and their tokens are invalid for ever. The ids of all former players are in memory.
"""

import asyncio
import logging
import os
import time
import uuid
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from hashlib import sha256
from typing import Any

from msgspec import UNSET

from domain.player import BOT, Face, Player, is_guest
from service.clock import now
from service.identity.tokens import FORGOTTEN, SIGNED_OUT, Banned, Bearer, Unauthenticated
from service.live.single_flight import SingleFlight
from service.log.errors import Unavailable
from service.tables import players as table
from service.tables.mutable import Mutable
from service.tables.players import UNKNOWN, Known, NotRegistered
from service.tasks import background, end, wait_for
from service.versions import Lines

log = logging.getLogger(__name__)

POLL_INTERVAL = 0.5
"""Seconds between two polls."""
NOTIFIED_INTERVAL = 20.0
"""The same in a process that another one notifies."""
MAX_NAMES = 100_000
"""Players in memory at most."""
MAX_ROSTERS = 10_000
"""Rosters in memory at most."""
MAX_CHANGES = 200
"""The number of changes of name and face allowed per player."""
MAX_BLOCKS = 100
"""The number of players whom a player can block."""

CODE_LIFETIME = 5 * 60
"""Seconds in which a code can be exchanged for a token."""

CHANNEL = "players"


class Roster:
    """The people of a game with their names and faces, in this order. `revision` increases whenever one of these
    changes."""

    __slots__ = ("assignments", "players", "revision")

    def __init__(self, revision: int, players: tuple[Player | None, ...]) -> None:
        self.revision = revision
        self.players = players
        self.assignments: dict[tuple[Any, ...], Any] = {}
        """The seat assignments in responses, by what else they depend on. They are dropped with the roster."""


class Players:
    """All players, between `start` and `stop`. `on_change` receives the ids of players whose names have changed."""

    def __init__(self, lines: Lines | None = None, leads: Callable[[], bool] = lambda: True) -> None:
        self._lines = lines
        self._leads = leads
        self._known: OrderedDict[str, Known] = OrderedDict()
        self._rosters: OrderedDict[tuple[str | None, ...], Roster] = OrderedDict()
        self._wanted: set[str] = set()
        self._latest_unknown: set[str] = set()
        """The players without a row of the latest read."""
        self._load_wanted = SingleFlight(self._read_wanted)
        self._revision = 0
        """The last change that is applied here."""
        self._wake = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self.forgotten: set[str] = set()
        """The ids of all former players."""
        self.banned: set[str] = set()
        """The ids of all banned players."""
        self.generations: dict[str, int] = {}
        """The generations of all players who have signed out everywhere."""
        self.changes = 0
        """How many changes were applied here. While it stays the same, `check` and `is_barred` say the same."""
        self.on_change: Callable[[Collection[str]], None] = lambda _: None

    async def start(self, mutable: Mutable) -> None:
        """Raises `Unavailable`."""
        self._mutable = mutable
        await self._reset()
        self._tasks.append(background("players", self._poll_forever))
        if self._lines is not None:
            self._tasks.append(background("players_channel", partial(self._listen, self._lines)))

    async def stop(self) -> None:
        for task in self._tasks:
            await end(task)

    # --- names ---

    async def roster(self, seats: tuple[str | None, ...]) -> Roster:
        """The players with these ids. Returns without a pause if they are in memory. Raises `Unavailable`."""
        while (found := self.roster_in_memory(seats)) is None:
            await self._load(seats)
        return found

    def roster_in_memory(self, seats: tuple[str | None, ...]) -> Roster | None:
        """The same, or None if a name has to be read."""
        if (found := self._rosters.get(seats)) is None and not self._missing(seats):
            known = [UNKNOWN if player is None else self._known[player] for player in seats]
            named = [None if player is None else shown(player, each) for player, each in zip(seats, known, strict=True)]
            found = self._rosters[seats] = Roster(max([each.revision for each in known], default=0), tuple(named))
            if len(self._rosters) > MAX_ROSTERS:
                self._rosters.popitem(last=False)
        return found

    async def named(self, ids: Iterable[str]) -> dict[str, Player]:
        """The players with these ids, by id. Raises `Unavailable`."""
        wanted = tuple(dict.fromkeys(ids))
        await self._load(wanted)
        return {player: shown(player, self._known.get(player, UNKNOWN)) for player in wanted}

    async def exists(self, player: str) -> bool:
        """Whether the player is known, former players included. Raises `Unavailable`."""
        await self._load([player])
        return self._known[player] is not UNKNOWN

    def _missing(self, ids: Sequence[str | None]) -> list[str]:
        return [player for player in ids if player is not None and player not in self._known]

    async def _load(self, ids: Sequence[str | None]) -> None:
        """Read the players who are not in memory. Concurrent calls share a query."""
        while missing := self._missing(ids):
            self._wanted.update(missing)
            await self._load_wanted(None)

    async def _read_wanted(self, _: None) -> None:
        wanted, self._wanted = self._wanted, set()
        while wanted:
            revision = self._revision
            found = await self._mutable.query(table.read, wanted)
            if revision == self._revision:  # otherwise the rows may be older than the changes that were applied
                self._known |= {player: found.get(player, UNKNOWN) for player in wanted}
                break
        # Anybody can ask for any number of unknown players, so they leave first; the latest ones are waited for.
        for player in self._latest_unknown & self._known.keys() - wanted:
            self._known.move_to_end(player, last=False)
        self._latest_unknown = {player for player in wanted if self._known.get(player) is UNKNOWN}
        while len(self._known) > max(MAX_NAMES, len(wanted)):
            self._known.popitem(last=False)

    # --- changes ---

    async def register(self, name: str, face: Face | None = None, *, bot: bool = False) -> Player:
        """Record a new guest with a random UUID in the id. Raises `Unavailable`."""
        player = f"{BOT if bot else ''}{uuid.uuid4()}"
        await self._mutable.query(table.register, player, name, face)
        return Player(player, name, face or UNSET)

    async def alter(self, player: str, changes: Mapping[str, str | None]) -> Player:
        """Record another `name` of a guest, another `face` of a player, or both. Raises `NotRegistered`,
        `TooManyNames`, `Unavailable`."""
        if "name" in changes and not is_guest(player):
            raise NotRegistered
        known = await self._mutable.change(table.alter, player, changes, MAX_CHANGES)
        await self._announce()
        return shown(player, known)

    async def admit(self, bearer: Bearer) -> None:
        """Raises `Unauthenticated` for a former player, `Banned` for a banned one. Records a new name of a site's
        player."""
        self.check(bearer.id, bearer.generation)
        if not bearer.shown:
            await self.show(bearer)

    def check(self, player: str | None, generation: int) -> None:
        """Raises `Unauthenticated` if the player of a token of this generation was forgotten or has signed out, and
        `Banned` if they are banned."""
        if player in self.forgotten:
            raise Unauthenticated(FORGOTTEN)
        if self.is_signed_out(player, generation):
            raise Unauthenticated(SIGNED_OUT)
        if player in self.banned:
            raise Banned

    def is_barred(self, player: str | None, generation: int) -> bool:
        return (
            player in self.forgotten or player in self.banned
            or (player in self.generations and self.is_signed_out(player, generation))
        )  # fmt: skip

    def is_signed_out(self, player: str | None, generation: int) -> bool:
        return player in self.generations and generation < self.generations[player]

    async def show(self, bearer: Bearer) -> None:
        """Record the name that a token of a site's player shows, unless a token that was issued later has shown
        another one. Sets `shown` unless the database is unavailable: then the next request tries again."""
        player, name, issued = bearer.id, bearer.name, bearer.issued
        with suppress(Unavailable):
            await self._load([player])
            known = self._known[player]
            if known.name != name and issued >= known.issued and not known.forgotten:
                await self._mutable.change(table.show, player, name, issued)
                await self._announce()
            bearer.shown = True

    # --- blocks ---

    def has_blocked(self, player: str | None, other: str | None) -> bool:
        """Whether the player has blocked the other one, as far as the player is in memory: those of whom this is asked
        stay there longest."""
        return player is not None and other in self.blocks(player)

    def blocks(self, player: str) -> frozenset[str]:
        """The ids of those whom the player has blocked, as far as the player is in memory."""
        if (known := self._known.get(player)) is None:
            return frozenset()
        self._known.move_to_end(player)
        return known.blocks

    async def blocked_by(self, player: str) -> frozenset[str]:
        """The ids of those whom the player has blocked. Raises `Unavailable`."""
        await self._load([player])
        return self._known[player].blocks

    async def is_blocked(self, player: str, by: Iterable[str | None]) -> bool:
        """Whether one of these has blocked the player. Raises `Unavailable`."""
        others = [other for other in by if other is not None]
        await self._load(others)
        return any(self.has_blocked(other, player) for other in others)

    async def block(self, player: str, other: str) -> None:
        """Block another player. Raises `NotRegistered`, `TooManyBlocks`, `Unavailable`."""
        await self._mutable.change(table.block, player, other, MAX_BLOCKS)
        await self._announce()

    async def unblock(self, player: str, other: str) -> None:
        """Raises `Unavailable`."""
        await self._mutable.change(table.unblock, player, other)
        await self._announce()

    # --- devices ---

    async def new_code(self, player: str) -> tuple[str, int]:
        """A code that can be exchanged for a token of the guest, once, and when it expires. Raises `NotRegistered`,
        `Unavailable`."""
        if not is_guest(player):
            raise NotRegistered
        code, present = os.urandom(16).hex(), int(time.time())
        expires = present + CODE_LIFETIME
        await self._mutable.change(table.add_code, player, _hash(code), expires, present)
        return code, expires

    async def exchange(self, code: str) -> tuple[Player, int] | None:
        """The guest of the code and their current generation; None if the code is not valid. Raises `Unavailable`."""
        found = await self._mutable.change(table.exchange, _hash(code), int(time.time()))
        if found is None:
            return None
        player, known = found
        return shown(player, known), known.generation

    async def sign_out(self, player: str, code: str) -> None:
        """Make all tokens and codes of the guest invalid in all processes, but this code, which can be exchanged until
        it expires. Raises `NotRegistered`, `CodeInUse`, `Unavailable`."""
        if not is_guest(player):
            raise NotRegistered
        await self._mutable.change(table.sign_out, player, _hash(code), int(time.time()) + CODE_LIFETIME)
        await self._announce()

    async def forget(self, player: str) -> None:
        """Erase the player's name for ever and make all of their tokens invalid. Idempotent. Raises `Unavailable`."""
        await self._mutable.change(table.forget, player, now())
        self.forgotten.add(player)
        self.changes += 1
        await self._announce()
        with suppress(Unavailable):  # `left` tries again
            await self._mutable.erase()

    async def leaving(self) -> list[tuple[str, str]]:
        """The former and banned players who may still have a seat in a waiting game, and since when they are that.
        Raises `Unavailable`."""
        return await self._mutable.query(table.leaving)

    async def left(self, player: str) -> None:
        """Record that the player has no seat in a waiting game any more. Raises `Unavailable`."""
        if await self._mutable.erase():  # tried again later
            await self._mutable.query(table.left, player)

    async def _announce(self) -> None:
        """Apply a committed change here, and notify the other processes."""
        if self._lines is not None:
            self._lines.publish(CHANNEL, b"changed")
        with suppress(Unavailable):  # the next poll applies it
            self._apply(await self._mutable.query(table.changed, self._revision))

    # --- changes of all processes ---

    async def _poll(self) -> None:
        """Apply the changes since the last poll. Raises `Unavailable`."""
        last = await self._mutable.query(table.last_revision)
        if last < self._revision:  # the database was restored from a backup
            await self._reset()
        elif last > self._revision:
            self._apply(await self._mutable.query(table.changed, self._revision))

    def _apply(self, changed: dict[str, Known]) -> None:
        """Apply these rows, except those that a concurrent poll has applied already."""
        changed = {player: known for player, known in changed.items() if known.revision > self._revision}
        if not changed:
            return
        visible = set[str]()
        for player, known in changed.items():
            before = self._known.get(player)
            if before is None or before._replace(revision=known.revision, blocks=known.blocks) != known:
                visible.add(player)
            if before is not None and before.revision < known.revision:
                self._known[player] = known
            if known.forgotten:
                self.forgotten.add(player)
            if known.generation:
                self.generations[player] = known.generation
            if known.banned:
                self.banned.add(player)
            else:
                self.banned.discard(player)
        self._revision = max(known.revision for known in changed.values())
        self.changes += 1
        if visible:  # whom players block is in no response that others share
            self._rosters.clear()
            self.on_change(visible)

    async def _reset(self) -> None:
        """Read everything again. Raises `Unavailable`."""
        revision = await self._mutable.query(table.last_revision)
        forgotten = await self._mutable.query(table.forgotten)
        banned = await self._mutable.query(table.banned)
        self.generations = await self._mutable.query(table.generations)
        self._revision, self.forgotten, self.banned = revision, forgotten, banned
        self.changes += 1
        self._known.clear()
        self._rosters.clear()

    async def _poll_forever(self) -> None:
        failing = False
        while True:
            notified = self._lines is not None and self._lines.up and not self._leads()
            await wait_for(self._wake, NOTIFIED_INTERVAL if notified else POLL_INTERVAL)
            woken, before = self._wake.is_set(), self._revision
            self._wake.clear()
            try:
                await self._poll()
                if self._lines is not None and not woken and self._revision != before:
                    self._lines.publish(CHANNEL, b"changed")
                failing = False
            except Exception as error:  # the next poll tries again; log only the first of several failures
                if not failing:
                    expected = isinstance(error, Unavailable)
                    log.warning("changes of players cannot be read: %s", error, exc_info=None if expected else error)
                failing = True

    async def _listen(self, lines: Lines) -> None:
        async for _ in lines.listen(CHANNEL):  # messages may have been lost, too: the poll finds everything
            self._wake.set()


def shown(player: str, known: Known) -> Player:
    """The player as others see them."""
    return Player(player, known.name, known.face or UNSET)


def _hash(code: str) -> str:
    """What is stored of a code: who reads the database cannot use it."""
    return sha256(code.encode()).hexdigest()
