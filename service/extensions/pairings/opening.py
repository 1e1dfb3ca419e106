"""Checks what a client wants to open, and makes the pairing of it."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from domain.codec import canonical
from domain.game import OPEN, Rules, SeatTerms
from domain.player import is_guest
from service.api.problems import malformed_request
from service.api.resources import KeptSeat
from service.clock import now
from service.extensions.pairings.pairings import DAY, later, new_pairing
from service.extensions.pairings.resources import NewPairing
from service.extensions.pairings.rows import Pairing, Terms
from service.identity.players import Players

AHEAD, LONGEST, WEEK = 30 * DAY, 90 * DAY, 7 * DAY
"""Seconds: how far ahead tables can be opened, how long a deal can last, and how long it does by default."""
SIT_LIVE, SIT = 600.0, 3 * DAY
"""Seconds that a table waits for its players by default: with a short clock, and otherwise."""

TABLES, PEOPLE = 8, 16
"""What a pairing of somebody who is no organiser has at most."""


class Wanted(NamedTuple):
    pairing: Pairing
    seating: Sequence[Sequence[SeatTerms]]


def wanted(rulesets: Mapping[str, Rules], new: NewPairing, owner: str, id: str, *, organiser: bool) -> Wanted:
    """Raises a `ProblemError`."""
    if (rules := rulesets.get(new.ruleset)) is None:
        raise malformed_request("$.ruleset", "There is no such ruleset")
    if (new.seats is UNSET) == (new.tables is UNSET):
        raise malformed_request("$", "Either `tables` or `seats` is required")
    same = new.deal == "same"
    seating: Sequence[Sequence[SeatTerms]] = () if new.tables is UNSET else _seating(rules, new.tables, same=same)
    places = () if new.seats is UNSET else _places(rules, new.seats)
    most = len(seating) if seating else _most(new, same=same)
    people = [seat.player for seats in seating for seat in seats if isinstance(seat.player, str)]
    if not organiser and (most > TABLES or len(people) > PEOPLE):
        raise malformed_request("$.tables", f"You can open {TABLES} tables for {PEOPLE} people at once")
    terms = _terms(rules, new, places or seating[0], asked=bool(places), same=same)
    at = now()
    opens_at = at if new.opens_at is UNSET else _time("$.opens_at", new.opens_at, at, later(at, AHEAD))
    until = None
    if same:
        last = later(opens_at, LONGEST)
        until = later(opens_at, WEEK) if new.until is UNSET else _time("$.until", new.until, later(opens_at, 1), last)
    elif new.until is not UNSET:
        raise malformed_request("$.until", "is for tables of the same deal")
    closes_at = until or later(opens_at, LONGEST)
    sit_until = None
    if seating:
        live = terms.clock is not None and terms.clock.bank + terms.clock.reserve <= DAY
        default = min(later(opens_at, SIT_LIVE if live else SIT), closes_at)
        sit_until = default if new.sit_until is UNSET else _time("$.sit_until", new.sit_until, opens_at, closes_at)
    elif new.sit_until is not UNSET:
        raise malformed_request("$.sit_until", "is for fixed tables")
    pairing = new_pairing(
        id, owner, rules, terms, common=same, most=most, opens_at=opens_at, sit_until=sit_until, closes_at=closes_at,
        until=until, request=sha256(canonical(new)).hexdigest(), organiser=organiser,
    )  # fmt: skip
    return Wanted(pairing, seating)


def _most(new: NewPairing, *, same: bool) -> int:
    if new.most is UNSET or not same:
        raise malformed_request("$.most", "With `seats`, the number of tables and the same deal are required")
    return new.most


def _places(rules: Rules, seats: Sequence[str]) -> tuple[str, ...]:
    if seats.count("me") != 1 or any(each != "me" and each not in rules.bots for each in seats):
        raise malformed_request("$.seats", "must be `me` once, and bots that choose at once")
    return tuple(seats)


def _seating(rules: Rules, tables: Sequence[Sequence[str | KeptSeat]], *, same: bool) -> list[list[SeatTerms]]:
    seating = [
        [_place(rules, place, f"$.tables[{number}][{seat}]", same=same) for seat, place in enumerate(table)]
        for number, table in enumerate(tables)
    ]
    if len({len(table) for table in seating}) != 1:
        raise malformed_request("$.tables", "All tables must have the same number of seats")
    for number, table in enumerate(seating):
        own = [place.player for place in table if place.player is not UNSET]
        if len(set(own)) != len(own):
            raise malformed_request(f"$.tables[{number}]", "A player has one seat of a table")
        if all(place.bot is not UNSET for place in table):
            raise malformed_request(f"$.tables[{number}]", "A table has a seat for a player")
    if same:
        people = [place.player for table in seating for place in table if place.player is not UNSET]
        if len(seating) < 2:
            raise malformed_request("$.tables", "The same deal needs two tables at least")
        if len(set(people)) != len(people):
            raise malformed_request("$.tables", "A player has one table of a deal")
        if len({tuple([place.bot for place in table]) for table in seating}) != 1:
            raise malformed_request("$.tables", "With the same deal, the same seats are those of the same bots")
    return seating


def _place(rules: Rules, place: str | KeptSeat, path: str, *, same: bool) -> SeatTerms:
    if isinstance(place, KeptSeat):
        return SeatTerms(player=place.player)
    if place == "open" and not same:
        return OPEN
    if place in rules.bots:
        return SeatTerms(bot=place)
    raise malformed_request(path, "must be a player or a bot that chooses at once" + ("" if same else ", or `open`"))


def _terms(rules: Rules, new: NewPairing, seats: Sequence[Any], *, asked: bool, same: bool) -> Terms:
    deck = next(iter(rules.decks)) if new.deck is UNSET else new.deck
    if deck not in rules.decks:
        raise malformed_request("$.deck", "There is no such deck")
    absent = [*rules.bots][-1] if new.absent is UNSET else new.absent
    if absent != "abort" and absent not in rules.bots:
        raise malformed_request("$.absent", "must be a bot that chooses at once, or `abort`")
    try:
        options = msgspec.convert((dict(rules.board) if same else {}) | new.options, rules.options)
    except msgspec.ValidationError as error:
        raise malformed_request("$.options", str(error)) from None
    if len(seats) not in rules.seats:
        path = "$.seats" if asked else "$.tables[0]"
        raise malformed_request(path, f"A game has {rules.seats[0]} to {rules.seats[-1]} seats")
    rules.initial(len(seats), options, rules.decks[deck])  # raises InvalidSetup
    return Terms(
        name=new.name, seats=len(seats), places=tuple(seats) if asked else (), options=msgspec.to_builtins(options),
        deck=deck, absent=absent, clock=None if new.clock is UNSET else new.clock, undo=None if same else "free",
    )  # fmt: skip


def _time(path: str, at: str, first: str, last: str) -> str:
    if not first <= at <= last:
        raise malformed_request(path, f"must be from {first} to {last}")
    try:
        later(at, 0)
    except ValueError:
        raise malformed_request(path, "is no time") from None
    return at


async def check_people(players: Players, seating: Sequence[Sequence[SeatTerms]]) -> None:
    """Raises a `ProblemError` if a seat is for somebody who does not exist, and `Unavailable`. Players of a
    site are not known before their first request."""
    people = [seat.player for seats in seating for seat in seats if isinstance(seat.player, str)]
    await players.named(people)  # one query
    for number, seats in enumerate(seating):
        for seat, place in enumerate(seats):
            player = place.player
            if isinstance(player, str) and await _is_unknown(players, player):
                raise malformed_request(f"$.tables[{number}][{seat}].player", "There is no such player")


async def _is_unknown(players: Players, player: str) -> bool:
    return player in players.forgotten or (is_guest(player) and not await players.exists(player))
