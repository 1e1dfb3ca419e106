"""What decides who may see a game, and how: as little of it as can be kept apart from the game."""

from domain import game
from domain.game import Game
from domain.messages import Value
from domain.ruleset import Seat


class GameHeader(Value):
    """Who sits there, who may come in, whether it is over; and at which version and head of the game that is so."""

    ruleset: str
    version: int
    head: str
    opener: str
    players: tuple[str | None, ...]
    acting: tuple[Seat, ...]
    private: bool
    hotseat: bool
    revealed: bool
    invite: str
    """Empty where nobody needs one."""

    def seats_of(self, player: str) -> tuple[Seat, ...]:
        return tuple([seat for seat, sitting in enumerate(self.players) if sitting == player])


def choosing(own: tuple[Seat, ...], acting: tuple[Seat, ...]) -> Seat | None:
    """The seat that a player's request is for if it names none: the only one of `own`; of several (hotseat) the first
    that is `acting`, else the first. None without a seat."""
    if len(own) < 2:
        return own[0] if own else None
    return next((seat for seat in acting if seat in own), own[0])


def header(now: Game, head: str, acting: tuple[Seat, ...], invite: str) -> GameHeader:
    """The header of the game as it is `now`, with that head, seats to act and invite."""
    terms = game.agreed(now)
    return GameHeader(
        ruleset=terms.ruleset,
        version=now.version,
        head=head,
        opener=terms.opener.id,
        players=tuple(None if player is None else player.id for player in now.players),
        acting=acting,
        private=terms.private,
        hotseat=terms.hotseat,
        revealed=now.revealed,
        invite=invite,
    )
