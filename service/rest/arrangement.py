"""Who the seats of a new game are for, and who goes on for players who leave it."""

from typing import Any, NamedTuple

from msgspec import UNSET, UnsetType

from domain.game import OPEN, Absent, Rules, SeatTerms, Undo
from domain.game.events import Agreed
from domain.player import is_guest
from service.api.problems import malformed_request
from service.api.resources import GameRequest, KeptSeat
from service.identity.players import Players


class Arrangement(NamedTuple):
    """The number of seats, who each is for (UNSET: all are open), and whether the opener sits down at once."""

    seats: int
    places: tuple[SeatTerms, ...] | UnsetType
    sit: bool


def arranged(new: GameRequest[Any, Any, Any, Any], opener: str) -> Arrangement:
    if new.sealed and (new.entropy or new.hotseat):
        raise malformed_request("$.sealed", "cannot be combined with `entropy` and `hotseat`")
    if new.puzzles and (new.private or new.hotseat):
        raise malformed_request("$.puzzles", "cannot be combined with `private` and `hotseat`")
    if isinstance(new.seats, int) and new.sealed and new.sit:
        return Arrangement(new.seats, (SeatTerms(player=opener), *[OPEN] * (new.seats - 1)), False)
    if isinstance(new.seats, int):
        return Arrangement(new.seats, UNSET, new.sit)
    places = tuple(_place(each, opener) for each in new.seats)
    return Arrangement(len(places), places, new.sit and "me" in new.seats)


def _place(occupant: str | KeptSeat, opener: str) -> SeatTerms:
    match occupant:
        case KeptSeat(player):
            return SeatTerms(player=player)
        case "me":
            return SeatTerms(player=opener)
        case "open":
            return OPEN
        case bot:
            return SeatTerms(bot=bot)


def agreed(rules: Rules, new: GameRequest[Any, Any, Any, Any], places: tuple[SeatTerms, ...] | UnsetType) -> Agreed:
    """The terms of the new game. What is false there is absent in the record, except `private` and `hotseat`."""
    given: dict[str, Any] = {
        name: getattr(new, name) or UNSET for name in Agreed.__struct_fields__ if hasattr(new, name)
    }
    more = {"private": new.private, "hotseat": new.hotseat, "absent": _absence(rules, new), "undo": _undo_mode(new)}
    return Agreed(**given | more, places=places)


def _absence(rules: Rules, new: GameRequest[Any, Any, Any, Any]) -> Absent | UnsetType:
    """What happens when a player leaves the running game. By default the best bot goes on that chooses at once."""
    return [*rules.bots][-1] if new.absent is UNSET and not new.hotseat else new.absent


def _undo_mode(new: GameRequest[Any, Any, Any, Any]) -> Undo | UnsetType:
    """Which moves can be taken back. By default those that revealed nothing."""
    if new.undo is UNSET:
        return "free"
    return UNSET if new.undo == "none" else new.undo


async def check_guests(players: Players, places: tuple[SeatTerms, ...] | UnsetType, opener: str) -> None:
    """Raises a `ProblemError` if a seat is kept for a guest who does not exist, and `Unavailable`.

    Players of a site are not known before their first request, so their ids are not checked. The opener has a token.
    """
    for seat, place in enumerate(() if places is UNSET else places):
        player = place.player
        if player in (UNSET, opener) or (player not in players.forgotten and not is_guest(player)):
            continue
        if player in players.forgotten or not await players.exists(player):
            raise malformed_request(f"$.seats[{seat}].player", "There is no such player")
