"""The use cases of pairings.

A pairing is a row that says what is to be opened; the games are events. The id of each game follows from the pairing,
so a table is opened once, however often and in whatever process it is tried.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET

from domain import game
from domain.game import OPEN, Rules, SeatTerms
from domain.game.commands import Abort
from domain.game.events import Agreed, Deal
from domain.registry import VERSIONS
from service.clock import derived_id, earlier, now
from service.core import Core
from service.extensions.pairings import boards, rows
from service.extensions.pairings.rows import Bounds, Pairing, Table, Terms
from service.games.cached_game import CachedGame
from service.games.commands import Common
from service.games.errors import NoSuchGame, StorageExhausted, TooManyGames
from service.log.errors import Conflict

T = TypeVar("T")

AT_ONCE = 16
"""Games that are opened or revealed at the same time: their appends share commits, and others get their turn."""

MAX_INVITATIONS = 20
"""Invitations that a player has not answered. With more, nobody can invite them to a pairing."""

HOUR, DAY = 3600.0, 86_400.0
"""Seconds."""

ANYBODY = (10, 80, 160)
"""What a player may have: unfinished pairings, tables of them, and new tables within an hour."""
ORGANISER = (500, 500, 600)
"""The same for an organiser."""


class NoSuchPairing(Exception):
    """There is none with this id, or the caller may not see it."""


class InvitedTooOften(Exception):
    """Somebody has too many invitations that they have not answered."""


def later(at: str, seconds: float) -> str:
    then = datetime.fromisoformat(at[:-1]) + timedelta(seconds=seconds)
    return then.isoformat(timespec="microseconds") + "Z"


def game_id(pairing: str, part: str) -> str:
    """The id of a game of the pairing: of the table with this number, or of the player who asks for one."""
    return derived_id("pairing", pairing, part)


def pairing_id(owner: str, key: str) -> str:
    return derived_id("pairings of", owner, key)


def bounds(*, organiser: bool) -> Bounds:
    pairings, tables, recent = ORGANISER if organiser else ANYBODY
    return Bounds(pairings, tables, earlier(now(), HOUR), recent)


class Pairings:
    """Between the start and the stop of the service."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._opening = set[str]()
        """Pairings whose tables are being opened here."""

    # --- reading ---

    async def find(self, id: str) -> Pairing:
        """Raises `NoSuchPairing`, `Unavailable`."""
        found = await self._core.mutable.query(rows.find, id)
        if found is None:
            raise NoSuchPairing
        return found

    async def visible(self, id: str, player: str | None, code: str | None) -> Pairing:
        """The pairing, if the player may see it: everybody sees those of days, others only their owner, the people at
        their tables and holders of the code. Raises `NoSuchPairing`, `Unavailable`."""
        found = await self.find(id)
        if found.day is not None or (player is not None and found.owner == player) or code == found.code:
            return found
        if player is None or not await self._core.mutable.query(rows.games_of, id, player):
            raise NoSuchPairing
        return found

    async def is_organiser(self, player: str) -> bool:
        return await self._core.mutable.query(rows.is_organiser, player)

    # --- opening ---

    async def create(
        self, new: Pairing, seating: Sequence[Sequence[SeatTerms]], bounds: Bounds | None
    ) -> tuple[Pairing, bool]:
        """The pairing, and whether it is new. Tables that are due are open when this returns.

        Raises `rows.TooMany`, `InvitedTooOften`, `InvalidSetup`, `Unavailable`.
        """
        invited = [seat.player for seats in seating for seat in seats if isinstance(seat.player, str)]
        invited = [player for player in invited if player != new.owner]
        known = await self._core.mutable.query(rows.find, new.id)
        if known is None:
            await self._check_invitations(invited)
            fixed = [await self._table(new, number, seats) for number, seats in enumerate(seating, 1)]
            made = await self._core.mutable.change(rows.create, new, fixed, bounds)
        else:
            made = known
        if made.request == new.request and made.state == "planned" and made.opens_at <= now() and seating:
            await self.open_due(made)
            made = await self.find(made.id)
        return made, known is None

    async def _check_invitations(self, invited: Sequence[str]) -> None:
        """Raises `InvitedTooOften`."""
        if invited:
            counts = await self._core.ask(boards.pending, invited)
            counts += await self._core.mutable.query(rows.planned_for, invited)
            counts.update(invited)
            if any(counts[player] > MAX_INVITATIONS for player in invited):
                raise InvitedTooOften

    async def _table(self, of: Pairing, number: int, seats: Sequence[SeatTerms]) -> Table:
        """The seats of people who have blocked the owner are kept for nobody."""
        players = [None if seat.player is UNSET else seat.player for seat in seats]
        declined = [
            seat for seat, player in enumerate(players)
            if player not in (None, of.owner) and await self._core.players.is_blocked(of.owner, [player])
        ]  # fmt: skip
        kept = tuple([OPEN if seat in declined else place for seat, place in enumerate(seats)])
        return Table(
            game=game_id(of.id, str(number)), pairing=of.id, number=number, seats=kept, declined=tuple(declined),
            created_at=of.created_at,
        )  # fmt: skip

    async def open_due(self, of: Pairing) -> None:
        """Open the tables of this pairing that are not open yet. It can be repeated."""
        if of.id in self._opening:
            return
        self._opening.add(of.id)
        try:
            if await self._core.mutable.change(rows.begin, of.id):
                found = await self._core.mutable.query(rows.tables, of.id)
                await self._open_all(of, [each for each in found if not each.opened])
        finally:
            self._opening.discard(of.id)

    async def _open_all(self, of: Pairing, wanted: Sequence[Table]) -> None:
        await _few_at_once(wanted, lambda each: self._open(of, each, limited=False))
        if wanted:
            await self._core.mutable.change(rows.opened, of, [each.game for each in wanted], now())

    async def _open(self, of: Pairing, table: Table, *, limited: bool) -> CachedGame:
        """Raises as `Commands.open`, and `Closed` if the rules are not loaded."""
        rules = VERSIONS.get(of.rules)
        if rules is None:
            raise rows.Closed
        common, terms = None, of.terms
        if of.secret is not None:
            assert of.until is not None, "a common deal ends"
            fixed = of.most if of.most is not None and not terms.places else UNSET
            common = Common(Deal(of.id, of.until, fixed), of.secret)
        try:
            cached, _ = await self._core.commands.open(
                rules, table.player or of.owner, terms.seats, msgspec.convert(terms.options, rules.options),
                rules.decks[terms.deck],
                Agreed(
                    private=True, places=table.seats, absent=terms.absent, clock=terms.clock or UNSET,
                    undo=terms.undo or UNSET,
                ),
                sit=table.player is not None, entropy="", key=None, common=common, game_id=table.game, limited=limited,
            )  # fmt: skip
        except Conflict:  # it is open already
            cached = await self._core.games.find_any(table.game)
        return cached

    async def ask(self, of: Pairing, player: str) -> tuple[CachedGame, bool]:
        """The game of the player's own table, and whether it is new.

        Raises `rows.Closed`, `TooManyGames`, `StorageExhausted`, `Unavailable`.
        """
        if not of.terms.places:
            return await self._own(of, player), False
        places = tuple([SeatTerms(player=player) if each == "me" else SeatTerms(bot=each) for each in of.terms.places])
        asked = Table(
            game=game_id(of.id, player), pairing=of.id, number=0, seats=places, player=player, created_at=now()
        )
        new = True
        try:
            asked = await self._core.mutable.change(rows.ask, of.id, asked, asked.created_at)
        except rows.Taken as taken:
            new = False
            with suppress(NoSuchGame):
                return await self._core.games.find_any(taken.game), False
        try:
            return await self._open(of, asked, limited=True), new  # not new: after a crash between the row and the game
        except (TooManyGames, StorageExhausted, rows.Closed):
            with suppress(NoSuchGame):
                return await self._core.games.find_any(asked.game), new  # a concurrent request was faster
            if new:
                await self._core.mutable.change(rows.give_back, asked)
            raise

    async def _own(self, of: Pairing, player: str) -> CachedGame:
        found = await self._core.mutable.query(rows.games_of, of.id, player)
        if len(found) != 1:
            raise rows.Closed
        try:
            return await self._core.games.find_any(found[0])
        except NoSuchGame:
            raise rows.Closed from None

    # --- the end ---

    async def cancel(self, of: Pairing) -> None:
        """No further table begins: those that wait are cancelled, those that run go on. A common deal is revealed when
        they are over: nobody can cancel to see the cards, and no game of others is ended by it."""
        await self._core.mutable.change(rows.cancel, of.id, now())
        await self.advance(await self.find(of.id))

    async def advance(self, of: Pairing) -> None:
        """Do what is due. It can be repeated, and interrupted at any moment. Raises `Unavailable`."""
        at = now()
        if of.settled or (of.opens_at > at and of.state == "planned"):
            return
        if not of.terms.places:  # tables of players are opened by their requests, which can be repeated
            await self.open_due(of)
        late = of.until is not None and of.until <= at
        waited = of.state == "cancelled" or (of.sit_until is not None and of.sit_until <= at)
        complete = of.state == "cancelled" or of.closes_at <= at
        complete = complete or (of.most is not None and await self._core.mutable.query(rows.count, of.id) >= of.most)
        if not (late or waited or complete):
            return
        tables = await self._core.mutable.query(rows.tables, of.id)
        games = [each.game for each in tables]
        if waited:
            await self._end_waiting(of, games)
        await self._core.projection_runner.caught_up()
        over = await self._core.ask(boards.over, games)
        if not of.common and (new := {*over} - {each.game for each in tables if each.told}):
            # While a common deal is sealed, nobody is told when a table is over.
            await self._core.mutable.change(rows.ended, of, [*new], at)
        if late or (complete and len(over) == len(games)):
            if of.common:
                await self._reveal(games)
            await self._core.mutable.change(rows.settle, of.id, at)

    async def _end_waiting(self, of: Pairing, games: Sequence[str]) -> None:
        command = Abort("cancelled" if of.state == "cancelled" else "expired")
        for each in games:
            with suppress(NoSuchGame, game.NotWaiting):
                cached = await self._core.games.find_any(each)
                if cached.game.status == "waiting":
                    await self._core.commands.execute(cached, None, command)

    async def _reveal(self, games: Sequence[str]) -> None:
        async def one(id: str) -> None:
            with suppress(NoSuchGame):  # it was never opened
                await self._core.commands.reveal(await self._core.games.find_any(id))

        await _few_at_once(games, one)

    async def next_look(self, of: Pairing) -> str | None:
        """When to look after it again; None if there is nothing left to do. Reading a pairing looks after it, too."""
        found = await self.find(of.id)
        if found.settled:
            return None
        at = now()
        if found.state == "planned" and (found.opens_at > at or not found.terms.places):
            return max(found.opens_at, later(at, 1))
        times = [each for each in (found.sit_until, found.closes_at, found.until) if each is not None and each > at]
        have = await self._core.mutable.query(rows.count, found.id)
        waits = found.state in ("planned", "open") and (found.most is None or have < found.most)
        soon = later(at, 3600 if waits else min(max(_seconds(found.opens_at, at) / 20, 1), 60))
        return min([soon, *times])


async def _few_at_once(items: Iterable[T], work: Callable[[T], Awaitable[object]]) -> None:
    """Do the work for all items, `AT_ONCE` at a time."""
    limit = asyncio.Semaphore(AT_ONCE)

    async def one(item: T) -> None:
        async with limit:
            await work(item)

    await asyncio.gather(*map(one, items))


def _seconds(since: str, at: str) -> float:
    return (datetime.fromisoformat(at[:-1]) - datetime.fromisoformat(since[:-1])).total_seconds()


def new_secret() -> bytes:
    """What all cards of a deal follow from."""
    return os.urandom(32)


def new_pairing(
    id: str, owner: str, rules: Rules, terms: Terms, *, common: bool, **given: Any
) -> Pairing:  # fmt: skip
    secret = new_secret() if common else None
    return Pairing(
        id=id, owner=owner, ruleset=rules.name, rules=rules.rules, terms=terms, secret=secret,
        code=os.urandom(16).hex(), looked_at=given["opens_at"], created_at=now(), **given,
    )  # fmt: skip
