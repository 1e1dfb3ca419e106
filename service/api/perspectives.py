"""Through whose eyes a game is looked at: a seat's, a bystander's, or with everything laid open."""

from hmac import compare_digest
from typing import Literal, TypeAlias

from domain import game
from domain.game import Player
from domain.ruleset import Seat, Viewer
from service.api.problems import Forbidden, NotSeated, Refusal, malformed
from service.games import Live, NoSuchGame

ALL: Literal["all"] = "all"
BYSTANDER: Literal["bystander"] = "bystander"

Perspective: TypeAlias = Viewer | Literal["all"]
"""A seat, None for a bystander, or `all`."""


def seats_of(live: Live, caller: Player | None) -> tuple[Seat, ...]:
    """The caller's seats in the game."""
    return () if caller is None else live.game.seats_of(caller.id)


def is_member(live: Live, caller: Player | None) -> bool:
    """Whether the caller sits at the game or has opened it."""
    return caller is not None and (bool(seats_of(live, caller)) or game.agreed(live.game).opener.id == caller.id)


def require_visible(live: Live, caller: Player | None, invite: str | None) -> None:
    """A private game does not exist for strangers. Raises `NoSuchGame`."""
    if not game.agreed(live.game).private or is_member(live, caller):
        return
    if invite is None or not compare_digest(invite.encode(), game.invite(live.game).encode()):
        raise NoSuchGame


def perspective(live: Live, caller: Player | None, wish: str | None) -> Perspective:
    """How the caller looks at the game: as wished, where that is allowed. Raises a `Refusal`.

    Without a wish: from the own seat while the game runs, everything when it is over. In a hotseat game the own seat is
    the lowest of those that have a choice.
    """
    own = seats_of(live, caller)
    if wish is None:
        if live.game.revealed:
            return ALL
        return own_seat(live, own) if own else None
    if wish == BYSTANDER:
        return None
    wished: Perspective = ALL if wish == ALL else seat_number(live, wish)
    if live.game.revealed or wished in own or (own and game.agreed(live.game).hotseat):
        return wished
    raise Refusal(Forbidden(detail="Other seats are shown when the game is over."))


def acting_seat(live: Live, caller: Player, wish: str | None) -> Seat:
    """The seat for which the caller moves. Raises a `Refusal`."""
    own = seats_of(live, caller)
    seat = own_seat(live, own) if wish is None else seat_number(live, wish)
    if seat is None or seat not in own:
        raise Refusal(NotSeated())
    return seat


def own_seat(live: Live, own: tuple[Seat, ...]) -> Seat | None:
    """The only one, or in a hotseat game the lowest that has a choice."""
    return next((seat for seat in live.to_act() if seat in own), own[0] if own else None)


def seat_number(live: Live, wish: str) -> Seat:
    if wish.isdecimal() and len(wish) < 4 and int(wish) < len(live.game.players):
        return int(wish)
    raise malformed("?as", f"must be a seat from 0 to {len(live.game.players) - 1}, `bystander` or `all`")
