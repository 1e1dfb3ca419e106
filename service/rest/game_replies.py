"""The responses about one game, for the handlers of `routes/`."""

from typing import Any

from litestar.types import ASGIApp
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.codec import encode
from domain.game import OutOfTime
from domain.game.log import redacted
from service.api import problems
from service.api.access import GameAccess, Perspective, variant
from service.api.game_resource import current_roster, game_resource, legal_moves_of, location, replay_headers
from service.api.operations import APPLIED
from service.api.problems import ProblemError
from service.api.resources import GameResource, Moved
from service.core import Core
from service.games.cached_game import CachedGame
from service.games.known_games import Change
from service.identity.players import Roster
from service.rest.input.parameters import RETURN_MINIMAL
from service.server.raw_response import RawResponse, not_modified, private_headers


class GameReplies:
    """Makes the responses."""

    def __init__(self, runtime: Core) -> None:
        self._runtime = runtime
        self._players = runtime.players

    async def names_in_memory(self, player: str, cached: CachedGame | None = None) -> None:
        """Read the names that the response to a command needs. If they cannot be read, this must fail before the
        command, not after it. Raises `Unavailable`."""
        seated = () if cached is None else cached.game.people
        await self._players.named([player, *(each for each in seated if each is not None)])

    def moves_reply(
        self, cached: CachedGame, access: GameAccess, as_: str | None, if_none_match: str | None
    ) -> RawResponse:  # fmt: skip
        """The caller's legal moves, unless the client has them."""
        moves = legal_moves_of(cached, access.acting_seat(as_))
        tag = access.etag(moves.seat, moves.version)
        return not_modified(if_none_match, tag) or RawResponse(encode(moves), headers=private_headers(tag))

    async def after_move(
        self, cached: CachedGame, access: GameAccess, as_: str | None, change: Change, *, minimal: bool
    ) -> RawResponse:
        access.renew(cached.header)
        first, last, perspective = change.entries[0], change.entries[-1], access.perspective(as_)
        seen: GameResource[Any, Any, Any] | UnsetType = UNSET
        if minimal:
            roster = await current_roster(self._players, cached)
            tag = access.etag(perspective, cached.game.version, roster.revision)
        else:
            seen, tag, _ = await game_resource(self._runtime.games, self._players, cached, access, perspective)
        moved: Moved[Any, Any, Any, Any] = Moved(
            version=last.version,
            head=last.head,
            events=[redacted(cached.rules, entry, first.by) for entry in change.entries],
            game=seen,
        )
        headers = private_headers(tag) | replay_headers(change)
        if minimal:
            headers[APPLIED] = RETURN_MINIMAL
        return RawResponse(encode(moved), headers=headers)

    async def too_late(self, cached: CachedGame, player: str, late: OutOfTime, *, minimal: bool) -> ProblemError:
        seen: GameResource[Any, Any, Any] | UnsetType = UNSET
        if not minimal:
            access = GameAccess(cached.header, player, cached.invite)
            seen, _, _ = await game_resource(
                self._runtime.games, self._players, cached, access, access.perspective(None)
            )
        return ProblemError(problems.out_of_time(late.seat, can_return=late.can_return, seen=seen))

    async def after_command(
        self, cached: CachedGame, player: str, change: Change | None, status: int = 200, **headers: str
    ) -> ASGIApp:
        access = GameAccess(cached.header, player, cached.invite)
        replayed = {} if change is None else replay_headers(change)
        return await self.game_reply(cached, access, access.perspective(None), None, status, replayed | headers)

    async def after_opening(self, cached: CachedGame, player: str, change: Change | None) -> ASGIApp:
        """A game that the command has made. If it was there before, the player may have got a seat in it."""
        opened = change is not None and change.entries[0].version == 1
        return await self.after_command(cached, player, change, 201 if opened else 200, Location=location(cached))

    def known_reply(
        self,
        cached: CachedGame,
        access: GameAccess,
        perspective: Perspective,
        roster: Roster,
        if_none_match: str | None,
    ) -> RawResponse | None:
        """The current game if the client has it, or the response is cached."""
        tag = access.etag(perspective, cached.game.version, roster.revision)
        if response := not_modified(if_none_match, tag):
            return response
        known: RawResponse | None = cached.responses.get(tag)
        return known

    async def cacheable_reply(self, cached: CachedGame, access: GameAccess, perspective: Perspective) -> RawResponse:
        """The current game. The response is cached for other requests with the same ETag."""
        seen, tag, revision = await game_resource(self._runtime.games, self._players, cached, access, perspective)
        encoded = encode(seen)
        response = RawResponse(encoded, headers=private_headers(tag))
        if seen.version == cached.game.version:  # otherwise the game has advanced in the meantime
            cached.responses[tag] = response
            if (shared := self._runtime.shared) is not None:
                shown_as = variant(access.viewer(perspective), revision)
                shared.versions.keep(cached.game.id, shown_as, seen.head, encoded)
        return response

    async def game_reply(
        self,
        cached: CachedGame,
        access: GameAccess,
        perspective: Perspective,
        at: int | None = None,
        status: int = 200,
        headers: dict[str, str] | None = None,
        *,
        tally: bool = False,
        reader: str = "",
    ) -> ASGIApp:
        seen, tag, _ = await game_resource(self._runtime.games, self._players, cached, access, perspective, at, reader)
        if tally:
            seen = replace(seen, tally=None if seen.view is None else cached.rules.tally(seen.view))
        return RawResponse(encode(seen), status=status, headers=private_headers(tag) | (headers or {}))
