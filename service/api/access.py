"""What a caller may see and do in a game, and the perspective from which they see it."""

from hmac import compare_digest
from typing import Any, Literal, TypeAlias

from domain.game import Rules
from domain.game.commands import Move
from domain.game.log import RequestKey
from domain.ruleset import Seat, Viewer
from projections.header import GameHeader, choosing
from service.api.problems import Forbidden, NotSeated, ProblemError, malformed_request
from service.games.cached_game import CachedGame
from service.games.errors import NoSuchGame
from service.games.games import Games
from service.games.idempotency import request_key

ALL: Literal["all"] = "all"
BYSTANDER: Literal["bystander"] = "bystander"

Perspective: TypeAlias = Viewer | Literal["all"]
"""A seat, None for a bystander, or `all` with every card open."""


class GameAccess:
    """The permissions of a caller (None: no token) in a game, derived from its header.

    The header comes from the game in memory or from the version cache; nothing else of the game is needed. `own` are
    the caller's seats: one at most, or all of a hotseat game.
    """

    __slots__ = ("_invite", "caller", "header", "own")

    def __init__(self, header: GameHeader, caller: str | None, invite: str | None = None) -> None:
        """Raises `NoSuchGame` for a private game if the caller is neither a member nor has the invite code. A game
        whose cards are also on other tables exists only for its players, and for those for whom a seat is kept."""
        self.caller = caller
        self._invite = invite
        self._apply(header)

    def _apply(self, header: GameHeader) -> None:
        self.header = header
        self.own = () if self.caller is None else header.seats_of(self.caller)
        if header.private and not self.is_member and not self._is_invited():
            raise NoSuchGame

    def renew(self, header: GameHeader) -> None:
        """Applies the current header of the game, in which players may have joined or left. Raises `NoSuchGame`."""
        if header.players is self.header.players and header.kept is self.header.kept:
            self.header = header
        else:
            self._apply(header)

    @property
    def is_member(self) -> bool:
        """Whether the caller has a seat in the game, opened it, or a seat is kept for them. While other tables play the
        same cards, opening it makes nobody a member."""
        if self.own:
            return True
        if self.caller is None:
            return False
        return self.caller in self.header.kept or (self.header.opener == self.caller and not self.header.common)

    def _is_invited(self) -> bool:
        invite, code = self._invite, self.header.invite
        if self.header.common:
            return False
        return invite is not None and code != "" and compare_digest(invite.encode(), code.encode())

    def perspective(self, requested: str | None) -> Perspective:
        """The perspective for the value of `?as=`. Raises a `ProblemError` if it is not allowed.

        Default: the caller's seat while the game runs, `all` when it is over.
        """
        over = self.header.revealed
        if requested is None:
            return ALL if over else self.seat
        if requested == BYSTANDER:
            return None
        perspective: Perspective = ALL if requested == ALL else self._seat_number(requested)
        if over or perspective in self.own or (self.own and self.header.hotseat):
            return perspective
        raise ProblemError(Forbidden(detail="The views of other seats are available when the game is over."))

    def stream_perspective(self, requested: str | None) -> Perspective:
        """The perspective of a live stream for the value of `?as=`. Raises a `ProblemError` if it is not allowed.

        The default is always the caller's first seat, even when the game is over: a stream delivers the same events
        regardless of when the client reads it.
        """
        if requested is None:
            return self.own[0] if self.own else None
        return self.perspective(requested)

    def named_seat(self, requested: str | None) -> Seat | None:
        """The seat for which the caller moves, by the value of `?as=`. Raises a `ProblemError` if it is not theirs.

        None if a hotseat player names no seat: `Commands.execute` then chooses it while it holds the lock of the game.
        """
        own = self.own
        if requested is None or requested in (ALL, BYSTANDER):
            if len(own) == 1:
                return own[0]
            if own:
                return None
        elif (seat := self._seat_number(requested)) in own:
            return seat
        raise ProblemError(NotSeated())

    def acting_seat(self, requested: str | None) -> Seat:
        """The seat whose legal moves the caller gets, by the value of `?as=`. Raises a `ProblemError`."""
        named = self.named_seat(requested)
        seat = self.seat if named is None else named
        assert seat is not None, "named_seat raises for callers without a seat"
        return seat

    @property
    def seat(self) -> Seat | None:
        """The caller's seat; in a hotseat game the lowest seat that has a choice. None without a seat."""
        return choosing(self.own, self.header.acting)

    def you(self, perspective: Perspective, acting: tuple[Seat, ...]) -> Seat | None:
        """The caller's seat from this perspective, at a version of the game with these seats to act.

        At that version a move with the same `?as=` is made for this seat. None for a hotseat player who looks as a
        bystander: the moves of a seat name its cards.
        """
        if perspective is None and len(self.own) > 1:
            return None
        if isinstance(perspective, int) and perspective in self.own:
            return perspective
        return choosing(self.own, acting)

    def etag(self, perspective: Perspective, version: int, revision: int = 0) -> str:
        """The ETag of a representation. `revision` is that of the names in it (see `Roster`), 0 without names."""
        return etag(version, variant(self.viewer(perspective), revision))

    def viewer(self, perspective: Perspective) -> str:
        """A key of the representation: two callers with the same key get the same bytes at the same version."""
        viewer = BYSTANDER if perspective is None else perspective
        if perspective in self.own:
            return str(viewer)
        elsewhere = "-" if isinstance(perspective, int) else ""
        you = f"-{self.own[0]}" if self.own else "+" if self.is_member else elsewhere
        return f"{viewer}{you}"

    def _seat_number(self, requested: str) -> Seat:
        if requested.isdecimal() and int(requested) < len(self.header.players):
            return int(requested)
        raise malformed_request("?as", f"must be a seat from 0 to {len(self.header.players) - 1}, `bystander` or `all`")


class StreamPerspective:
    """The perspective of a live stream. Until the game begins, players and so perspectives may change.

    Raises a `ProblemError` if the perspective is not allowed.
    """

    __slots__ = ("_requested", "access", "current", "is_fixed")

    def __init__(self, access: GameAccess, requested: str | None) -> None:
        self.access = access
        self._requested = requested
        self.is_fixed = False
        """Whether the perspective and the permissions stay as they are."""
        self.current = access.stream_perspective(requested)

    def renew(self, cached: CachedGame) -> Perspective:
        """The perspective for the next events. Raises `NoSuchGame` and `ProblemError` if the caller has lost it."""
        if not self.is_fixed:
            self.is_fixed = cached.game.status != "waiting"
            self.access.renew(cached.header)
            self.current = self.access.stream_perspective(self._requested)
        return self.current


def variant(viewer: str, revision: int) -> str:
    """A key of the representation for this `GameAccess.viewer` with names of this revision: the end of the ETag."""
    return f"{viewer}.{revision}" if revision else viewer


def etag(version: int, variant: str) -> str:
    """The ETag of this variant of the game at this version."""
    return f'"{version}.{variant}"'


def move_of(
    cached: CachedGame, access: GameAccess, chosen: Any, as_: str | None, key: str | None, decided_on: int | None
) -> tuple[Move[Any], RequestKey | None]:
    """The command of a caller who makes this move with `?as=`, and the key of the request, which has the text of `as`.

    Afterwards `access` is current. Raises a `ProblemError` if the caller may not use this `as`.
    """
    assert access.caller is not None, "only players move"
    access.renew(cached.header)
    seat = access.named_seat(as_)
    if as_ is not None:
        access.perspective(as_)  # one that is not allowed must fail before the move, not after it
    return Move(chosen, seat, decided_on), request_key(access.caller, key, "move", as_, chosen)


async def find_game(
    games: Games, rules: Rules, game_id: str, caller: str | None, invite: str | None
) -> tuple[CachedGame, GameAccess]:
    """The current game and the caller's access to it. Raises `NoSuchGame`, `Unavailable`."""
    cached = await games.find(rules, game_id)
    return cached, GameAccess(cached.header, caller, invite)
