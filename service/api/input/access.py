"""Who looks at a game, and through whose eyes: a seat's, a bystander's, or with everything laid open."""

from hmac import compare_digest
from typing import Literal, TypeAlias

from domain.game import Player
from domain.ruleset import Seat, Viewer
from projections.header import GameHeader, choosing
from service.api.problems import Forbidden, NotSeated, Refusal, malformed
from service.games.cached_game import CachedGame
from service.games.errors import NoSuchGame

ALL: Literal["all"] = "all"
BYSTANDER: Literal["bystander"] = "bystander"

Perspective: TypeAlias = Viewer | Literal["all"]
"""A seat, None for a bystander, or `all`."""


class GameAccess:
    """A caller (None: nobody is signed in) at the door of a game, with the seats that are his."""

    __slots__ = ("caller", "header", "own")

    def __init__(self, header: GameHeader, caller: Player | None, invite: str | None = None) -> None:
        """A private game does not exist for strangers without its invite. Raises `NoSuchGame`."""
        self.header = header
        self.caller = caller
        self.own = () if caller is None else header.seats_of(caller.id)
        if header.private and not self.is_member and not self._invited(invite):
            raise NoSuchGame

    @property
    def is_member(self) -> bool:
        """Whether the caller sits at the game or has opened it."""
        if self.own:
            return True
        return self.caller is not None and self.header.opener == self.caller.id

    def _invited(self, invite: str | None) -> bool:
        code = self.header.invite
        return invite is not None and code != "" and compare_digest(invite.encode(), code.encode())

    def perspective(self, wish: str | None) -> Perspective:
        """How the caller looks at the game: as wished, where that is allowed. Raises a `Refusal`.

        Without a wish: from the own seat while the game runs, everything when it is over.
        """
        over = self.header.revealed
        if wish is None:
            return ALL if over else self.seat
        if wish == BYSTANDER:
            return None
        wished: Perspective = ALL if wish == ALL else self._seat_number(wish)
        if over or wished in self.own or (self.own and self.header.hotseat):
            return wished
        raise Refusal(Forbidden(detail="Other seats are shown when the game is over."))

    def followed_as(self, wish: str | None) -> Perspective:
        """How the caller follows the game live. Raises a `Refusal`.

        Without a wish always from the own seat, for what has been received must not depend on when.
        """
        if wish is None:
            return self.own[0] if self.own else None
        return self.perspective(wish)

    def named_seat(self, wish: str | None) -> Seat | None:
        """The seat that the caller's move is for. None in a hotseat game if the request names no seat: `Games.move`
        chooses it inside the game's lock. Raises a `Refusal`."""
        own = self.own
        if wish is None or wish in (ALL, BYSTANDER):
            if len(own) == 1:
                return own[0]
            if own:
                return None
        elif (seat := self._seat_number(wish)) in own:
            return seat
        raise Refusal(NotSeated())

    def acting_seat(self, wish: str | None) -> Seat:
        """The seat whose legal moves the caller gets. Raises a `Refusal`."""
        named = self.named_seat(wish)
        seat = self.seat if named is None else named
        assert seat is not None, "named_seat refuses callers without a seat"
        return seat

    @property
    def seat(self) -> Seat | None:
        """The caller's only one; in a hotseat game the lowest that has a choice."""
        return choosing(self.own, self.header.acting)

    def you(self, perspective: Perspective, acting: tuple[Seat, ...]) -> Seat | None:
        """The caller's seat from this perspective, in a version of the game with these seats to act. In that version a
        move with the same `?as=` is for this seat."""
        if isinstance(perspective, int) and perspective in self.own:
            return perspective
        return choosing(self.own, acting)

    def etag(self, perspective: Perspective, version: int) -> str:
        return etag(version, self.viewer(perspective))

    def viewer(self, perspective: Perspective) -> str:
        """Who looks through whose eyes: whatever makes two callers' answers at one version differ is in it."""
        viewer = BYSTANDER if perspective is None else perspective
        if perspective in self.own:
            return str(viewer)
        elsewhere = "-" if isinstance(perspective, int) else ""
        you = f"-{self.own[0]}" if self.own else "+" if self.is_member else elsewhere
        return f"{viewer}{you}"

    def _seat_number(self, wish: str) -> Seat:
        if wish.isdecimal() and int(wish) < len(self.header.players):
            return int(wish)
        raise malformed("?as", f"must be a seat from 0 to {len(self.header.players) - 1}, `bystander` or `all`")


def etag(version: int, viewer: str) -> str:
    """Of the game at that version, as that viewer sees it."""
    return f'"{version}.{viewer}"'


class LiveGameAccess(GameAccess):
    """A caller at a game that is in memory, as it was when he came."""

    __slots__ = ("_invite", "cached")

    def __init__(self, cached: CachedGame, caller: Player | None, invite: str | None = None) -> None:
        super().__init__(cached.header, caller, invite)
        self.cached = cached
        self._invite = invite

    def renewed(self) -> "LiveGameAccess":
        """As the game is by now: somebody may have sat down there or stood up since. Raises `NoSuchGame`."""
        header = self.cached.header
        if header.players is not self.header.players:
            return LiveGameAccess(self.cached, self.caller, self._invite)
        self.header = header
        return self
