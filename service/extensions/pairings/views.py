"""Pairings as their viewers may see them.

While a common deal is sealed, a viewer sees who sits at other tables, and nothing else of them until their own table is
over. Of a deal of the day they do not see that either.
"""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from time import monotonic
from typing import NamedTuple

from msgspec import UNSET

from domain.fairness.chain import commitment
from domain.game import OPEN
from domain.player import Player, is_bot, is_guest
from domain.registry import VERSIONS
from projections.lobby import LobbyGame
from service.core import Core
from service.extensions.pairings import boards, rows
from service.extensions.pairings.boards import is_over
from service.extensions.pairings.field import Compared, Points, compared
from service.extensions.pairings.pairings import DAY, later
from service.extensions.pairings.resources import (
    DealList,
    DealWeek,
    NextDeal,
    OwnSeat,
    PairedSeat,
    PairedTable,
    PairingResource,
    PairingSummary,
    PointsGroup,
    SharedDeal,
)
from service.extensions.pairings.rows import Pairing, Table
from service.live.single_flight import SingleFlight

PAGE = 50
"""Tables of a deal of the day in one response."""

BREATH = 1.0
"""Seconds between two such computations at least."""

FRESH = 5.0
"""Seconds for which the field of a deal of the day is computed once for everybody."""

KEPT = 64
"""Fields in memory."""

REGULAR_DAYS, REGULAR_SINCE = 3, 7
"""Guests are compared with the others from the third day on which they play, if the first one is a week ago."""

STREAK = 400
"""Days that a streak has at most."""
WEEK = 7


class Field(NamedTuple):
    """All tables of a pairing at a moment, and how their results compare."""

    tables: Sequence[Table]
    games: Mapping[str, LobbyGame]
    points: Mapping[str, Points]
    """By game, of those with a result."""
    standing: Mapping[str, DealList]
    compared: Mapping[str, Sequence[Compared]]
    lists: Mapping[DealList, Sequence[Table]]
    """By list: the tables that are over, best first."""
    read: float
    settled: bool

    def own(self, player: str | None) -> list[Table]:
        return [each for each in self.tables if any(seat.player == player for seat in each.seats)] if player else []


class Views:
    def __init__(self, core: Core) -> None:
        self._core = core
        self._fields: OrderedDict[str, Field] = OrderedDict()
        self._read = SingleFlight(self._compute)

    # --- the field ---

    async def field(self, of: Pairing, age: float = 0) -> Field:
        """Not older than `age` seconds. Raises `Unavailable`."""
        known = self._fields.get(of.id)
        if known is not None and known.settled == of.settled and (of.settled or monotonic() - known.read < age):
            return known
        await self._core.projection_runner.caught_up()
        found = await self._read((of.id, of.settled, self._core.subscriptions.announced))
        self._fields[of.id] = found
        self._fields.move_to_end(of.id)
        if len(self._fields) > KEPT:
            self._fields.popitem(last=False)
        return found

    async def _seen_by(self, of: Pairing, viewer: str | None, age: float) -> tuple[Field, Sequence[Table]]:
        """The field, and the viewer's own tables, which are in it. That of a day is computed once a second at most,
        however many finish their tries."""
        if of.day is None:
            field = await self.field(of, age)
            return field, field.own(viewer)
        field, own, known = await self.field(of, FRESH), list[Table](), dict[str, LobbyGame]()
        if viewer is not None:
            own = await self._core.mutable.query(rows.own_tables, of.id, viewer)
        if own:
            await self._core.projection_runner.caught_up()
            known = await self._core.ask(boards.listed, [each.game for each in own])
        if any(is_over(game) and not is_over(field.games.get(game.id)) for game in known.values()):
            await asyncio.sleep(max(0.0, field.read + BREATH - monotonic()))
            field = await self.field(of, BREATH)
        missing = {each.game: await self._standing(of, own) for each in own if each.game not in field.standing}
        standing = {**field.standing, **{game: lists[game] for game, lists in missing.items()}}
        return field._replace(games={**field.games, **known}, standing=standing), own

    async def _compute(self, key: tuple[str, bool, int]) -> Field:
        read = monotonic()
        of = await self._core.mutable.query(rows.find, key[0])
        assert of is not None, "pairings are never deleted"
        tables = await self._core.mutable.query(rows.tables, of.id)
        games = await self._core.ask(boards.listed, [each.game for each in tables])
        rules = VERSIONS.get(of.rules)
        points: dict[str, Points] = {}
        if rules is not None:
            over = {each: game for each, game in games.items() if is_over(game)}
            points = {each: boards.points_of(rules, game, of.terms.seats) for each, game in over.items()}
        standing = await self._standing(of, tables)
        return _field(of, tables, games, points, standing, read)

    async def _standing(self, of: Pairing, tables: Sequence[Table]) -> dict[str, DealList]:
        """By game: the list of its table."""
        if of.day is None:
            return dict.fromkeys([each.game for each in tables], "people")
        guests = [each.player for each in tables if each.player and is_guest(each.player) and not is_bot(each.player)]
        first = later(f"{of.day}T00:00:00.000000Z", -REGULAR_SINCE * DAY)[:10]
        regular = await self._core.mutable.query(rows.regulars, guests, first, REGULAR_DAYS, of.day)
        new = set(guests) - regular
        return {
            each.game: "bots" if each.player and is_bot(each.player) else "guests" if each.player in new else "people"
            for each in tables
        }

    # --- what a viewer sees ---

    async def shown(
        self, of: Pairing, viewer: str | None, *, age: float = 0, start: int | None = None,
        standing: DealList | None = None,
    ) -> PairingResource:  # fmt: skip
        """The pairing for this viewer. `start` and `standing`: which part of a deal of the day. Raises
        `Unavailable`."""
        field, own = await self._seen_by(of, viewer, age)
        visible = may_see(of, field, own)
        chosen = standing or (field.standing[own[0].game] if own and of.day else "people")
        if of.day is None:
            tables: Sequence[Table] = field.tables
        elif visible:
            tables = _page(field.lists[chosen], own, start)
        else:
            tables = own
        ids = {each.game for each in own}
        people = boards.people_of(field.games) if of.day is None else set[str]()
        people |= {seat.player for each in tables for seat in each.seats if isinstance(seat.player, str)}
        named = await self._core.players.named(people | ({of.owner} if of.owner else set()))
        codes = {}
        if of.settled and of.common:
            codes = await self._core.mutable.query(rows.codes_of, [each.game for each in tables])
        listed = len(field.lists[chosen]) if of.day and visible else None
        return PairingResource(
            id=of.id, name=of.terms.name, owner=named[of.owner] if of.owner else None, ruleset=of.ruleset,
            rules=of.rules, day=of.day, state=of.state, deal=shared(of), places=of.terms.places, seats=of.terms.seats,
            options=of.terms.options, deck=of.terms.deck, clock=of.terms.clock, most=of.most, opens_at=of.opens_at,
            sit_until=of.sit_until, closes_at=of.closes_at, until=of.until, code=None if of.day else of.code,
            you=await self._you(of, field, own, viewer, visible=visible), count=len(field.tables),
            results=len(field.points) if visible else None,
            tables=tuple(
                [_table(of, field, each, named, codes, visible=visible or each.game in ids) for each in tables]
            ),
            standing=chosen, listed=listed, groups=_groups(of, field, chosen) if visible else (),
            next=await self._next(of),
        )  # fmt: skip

    async def _you(
        self, of: Pairing, field: Field, own: Sequence[Table], viewer: str | None, *, visible: bool
    ) -> OwnSeat | None:
        if not own or viewer is None:
            return None
        (table, *_), known = own, field.games.get(own[0].game)
        seat = next((number for number, place in enumerate(table.seats) if place.player == viewer), None)
        you = OwnSeat(
            game=path(of, table), status=None if known is None else known.status, seat=seat,
        )  # fmt: skip
        if of.day is None or not visible:
            return you
        rank = field.lists[field.standing[table.game]]
        row = next((number for number, each in enumerate(rank) if each.game == table.game), None)
        return OwnSeat(
            game=you.game, status=you.status, seat=seat, row=UNSET if row is None else row,
            streak=await self._streak(of, viewer), week=await self._week(of, viewer),
        )  # fmt: skip

    async def _streak(self, of: Pairing, player: str) -> int:
        """On how many days in a row, up to the pairing's, the player has finished the deal."""
        assert of.day is not None, "only days have streaks"
        days = dict(await self._core.mutable.query(rows.days_of, player, of.ruleset, STREAK))
        games = await self._core.ask(boards.listed, list(days.values()))
        streak, day = 0, of.day
        while day in days and (game := games.get(days[day])) is not None and game.status == "finished":
            streak, day = streak + 1, later(f"{day}T00:00:00.000000Z", -DAY)[:10]
        return streak

    async def _week(self, of: Pairing, player: str) -> DealWeek:
        """The match points of the last days. Fields of days that are over stay in memory."""
        assert of.day is not None, "only days have weeks"
        first = later(f"{of.day}T00:00:00.000000Z", -(WEEK - 1) * DAY)[:10]
        seat, shares = of.terms.places.index("me"), list[float]()
        for day, game in await self._core.mutable.query(rows.days_of, player, of.ruleset, STREAK):
            if first <= day <= of.day:
                found = [
                    each for each in await self._core.mutable.query(rows.of_days, day) if each.ruleset == of.ruleset
                ]
                places = (await self.field(found[0], FRESH)).compared.get(game) if found else None
                if places is not None and (ahead := places[seat].ahead_of) is not None:
                    shares.append(ahead)
        return DealWeek(len(shares), sum(shares) / len(shares) if shares else None)

    async def _next(self, of: Pairing) -> NextDeal | None:
        if of.day is None:
            return None
        day = later(f"{of.day}T00:00:00.000000Z", DAY)[:10]
        found = [each for each in await self._core.mutable.query(rows.of_days, day) if each.ruleset == of.ruleset]
        deal = shared(found[0]) if found else None
        return None if deal is None else NextDeal(day, deal.commitment)

    async def summaries(self, found: Sequence[Pairing], viewer: str | None) -> list[PairingSummary]:
        """Raises `Unavailable`."""
        own: dict[str, str] = {}
        if viewer is not None and found:
            own = await self._core.mutable.query(rows.games_by_pairing, [each.id for each in found], viewer)
            await self._core.projection_runner.caught_up()
        games = await self._core.ask(boards.listed, list(own.values())) if own else {}
        return [
            PairingSummary(
                id=each.id, name=each.terms.name, ruleset=each.ruleset, day=each.day, state=each.state,
                common=each.common, opens_at=each.opens_at, closes_at=each.closes_at,
                you=f"/v1/games/{each.ruleset}/{own[each.id]}" if each.id in own else None,
                status=games[own[each.id]].status if own.get(each.id) in games else None,
            )
            for each in found
        ]  # fmt: skip


def may_see(of: Pairing, field: Field, own: Sequence[Table]) -> bool:
    """Whether somebody with these tables sees the others: when everything is revealed, or their own are over."""
    finished = bool(own) and all(is_over(field.games.get(each.game)) for each in own)
    return of.settled or not of.common or finished


def path(of: Pairing, table: Table) -> str:
    return f"/v1/games/{of.ruleset}/{table.game}"


def shared(of: Pairing) -> SharedDeal | None:
    if of.secret is None:
        return None
    return SharedDeal(of.id, commitment(of.secret).hex(), of.secret.hex() if of.settled else None)


def _field(
    of: Pairing, tables: Sequence[Table], games: Mapping[str, LobbyGame], points: Mapping[str, Points],
    standing: Mapping[str, DealList], read: float,
) -> Field:  # fmt: skip
    places: dict[str, Sequence[Compared]] = {}
    lists: dict[DealList, Sequence[Table]] = {"people": (), "guests": (), "bots": ()}
    if of.common:
        seat = of.terms.places.index("me") if of.terms.places else 0
        for name in lists:
            over = [each for each in tables if each.game in points and standing[each.game] == name]
            found = compared({each.game: points[each.game] for each in over})
            lists[name] = sorted(over, key=lambda each: (found[each.game][seat].place, each.number))
            places |= found
    shown = {game: each for game, each in points.items() if games[game].result is not None}
    return Field(tables, games, shown, standing, places, lists, read, of.settled)


def _page(ranked: Sequence[Table], own: Iterable[Table], start: int | None) -> Sequence[Table]:
    if start is None:
        ids = {each.game for each in own}
        at = next((number for number, each in enumerate(ranked) if each.game in ids), 0)
        start = max(0, min(at - PAGE // 2, len(ranked) - PAGE))
    return ranked[start : start + PAGE]


def _groups(of: Pairing, field: Field, standing: DealList) -> tuple[PointsGroup, ...]:
    if not of.common or "me" not in of.terms.places:
        return ()
    seat = of.terms.places.index("me")
    results = [field.compared[each.game][seat].points for each in field.lists[standing]]
    values = Counter([points for points in results if points is not None])
    return tuple([PointsGroup(points, values[points]) for points in sorted(values, reverse=True)])


def _table(
    of: Pairing, field: Field, table: Table, named: Mapping[str, Player], codes: Mapping[str, str], *, visible: bool
) -> PairedTable:
    game = field.games.get(table.game)
    seats = tuple([_seat(table, number, game, named) for number in range(len(table.seats))])
    if not visible:
        return PairedTable(number=table.number, seats=seats)
    return PairedTable(
        number=table.number, seats=seats, game=path(of, table), status=UNSET if game is None else game.status,
        cause=UNSET if game is None else game.cause,
        standing=field.standing[table.game] if of.common else UNSET,
        points=tuple(field.points[table.game]) if table.game in field.points else UNSET,
        compared=tuple(field.compared[table.game]) if table.game in field.compared else UNSET,
        invite=codes.get(table.game, UNSET),
    )  # fmt: skip


def _seat(table: Table, number: int, game: LobbyGame | None, named: Mapping[str, Player]) -> PairedSeat:
    """Nothing of it follows from the play: only from the terms, and from who has sat down or declined."""
    place = table.seats[number]
    if isinstance(place.bot, str):
        return PairedSeat(number, None, place.bot)
    there = None if game is None else game.seats[number].player
    invited = place.player if isinstance(place.player, str) else None
    if there is not None:
        return PairedSeat(number, named[there.id], sitting=True)
    declined = number in table.declined or (
        place != OPEN and game is not None and game.status == "waiting" and game.seats[number].reserved is UNSET
    )
    player = None if invited is None else named[invited]
    return PairedSeat(number, player, declined=True if declined else UNSET)
