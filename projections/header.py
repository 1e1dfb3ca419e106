"""The header of a game: the few facts that decide who may see it and how, without the game itself."""

from functools import lru_cache

from msgspec import UNSET

from domain import game
from domain.game import Game
from domain.messages import Value
from domain.ruleset import Seat


class GameHeader(Value):
    """The members of a game, its visibility and status, as of a version and head.

    `opener`, `players` and `kept` (both by seat, see `Game`) are ids. `revealed`: the game is over and everything is
    visible.
    """

    ruleset: str
    version: int
    head: str
    opener: str
    players: tuple[str | None, ...]
    acting: tuple[Seat, ...]
    private: bool
    hotseat: bool
    revealed: bool
    kept: tuple[str | None, ...]
    invite: str
    """The code that gives access to a private game; empty for a public game."""
    common: bool
    """Whether other tables play the same cards, which are not revealed yet: the game exists only for its players. The
    field has no default: a header without it, written by an earlier release, is not understood and so not used."""

    @property
    def people(self) -> tuple[str | None, ...]:
        """The players at the seats, then those for whom seats are kept: see `Game.people`."""
        return self.players + self.kept

    def seats_of(self, player: str) -> tuple[Seat, ...]:
        return seats_of(self.players, player)


@lru_cache(maxsize=4096)  # a move asks twice
def seats_of(players: tuple[str | None, ...], player: str) -> tuple[Seat, ...]:
    return tuple([seat for seat, seated in enumerate(players) if seated == player])


def choosing(own: tuple[Seat, ...], acting: tuple[Seat, ...]) -> Seat | None:
    """The seat that a player's request is for if it names none.

    `own` are the player's seats, `acting` the seats that have a choice. With one seat it is that seat; with several
    (hotseat) the first one that is acting, otherwise the first one. None without a seat.
    """
    if len(own) < 2:
        return own[0] if own else None
    for seat in acting:  # several times for each move: a generator expression would take twice as long
        if seat in own:
            return seat
    return own[0]


def header(now: Game, head: str, acting: tuple[Seat, ...], invite: str) -> GameHeader:
    terms = game.agreed(now)
    return GameHeader(
        ruleset=terms.ruleset,
        version=now.version,
        head=head,
        opener=terms.opener,
        players=now.players,
        acting=acting,
        private=terms.private,
        hotseat=terms.hotseat,
        revealed=now.revealed,
        kept=now.kept,
        invite=invite,
        common=terms.deal is not UNSET and not now.revealed,
    )
