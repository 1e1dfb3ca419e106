"""The responses about one game, for the handlers of `routes/`."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from litestar.types import ASGIApp
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.codec import encode
from domain.game import OutOfTime
from domain.game.log import redacted
from service.api import problems
from service.api.access import GameAccess, variant
from service.api.game_resource import Seen, current_roster, game_resource, legal_moves_of, location, replay_headers
from service.api.operations import APPLIED
from service.api.problems import ProblemError
from service.api.resources import GameResource, Moved
from service.core import Core
from service.games.cached_game import CachedGame
from service.games.games import Change
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

    async def seen(self, cached: CachedGame, access: GameAccess, as_: str | None = None) -> Seen:
        """As of the return of this function. Raises a `ProblemError`, `NoSuchGame` and `Unavailable`."""
        roster = self._players.roster_in_memory(cached.game.people) or await current_roster(self._players, cached)
        access.renew(cached.header)
        return Seen(cached, access, access.perspective(as_), roster)

    async def moved(self, seen: Seen, change: Change, *, minimal: bool) -> RawResponse:
        first, last = change.entries[0], change.entries[-1]
        shown: GameResource[Any, Any, Any] | UnsetType = UNSET
        tag = seen.etag
        if not minimal:
            shown, tag, _ = await game_resource(self._runtime.games, self._players, seen)
        moved: Moved[Any, Any, Any, Any] = Moved(
            version=last.version,
            head=last.head,
            events=[redacted(seen.cached.rules, entry, first.by) for entry in change.entries],
            game=shown,
        )
        headers = private_headers(tag) | replay_headers(change)
        if minimal:
            headers[APPLIED] = RETURN_MINIMAL
        return RawResponse(encode(moved), headers=headers)

    async def too_late(self, cached: CachedGame, player: str, late: OutOfTime, *, minimal: bool) -> ProblemError:
        shown: GameResource[Any, Any, Any] | UnsetType = UNSET
        if not minimal:
            seen = await self.seen(cached, GameAccess(cached.header, player, cached.invite))
            shown, _, _ = await game_resource(self._runtime.games, self._players, seen)
        return ProblemError(problems.out_of_time(late.seat, can_return=late.can_return, seen=shown))

    async def after_command(
        self, cached: CachedGame, player: str, change: Change | None, status: int = 200, **headers: str
    ) -> ASGIApp:
        seen = await self.seen(cached, GameAccess(cached.header, player, cached.invite))
        replayed = {} if change is None else replay_headers(change)
        return await self.game(seen, status=status, headers=replayed | headers)

    async def after_opening(self, cached: CachedGame, player: str, change: Change | None) -> ASGIApp:
        """A game that the command has made. If it was there before, the player may have got a seat in it."""
        opened = change is not None and change.entries[0].version == 1
        return await self.after_command(cached, player, change, 201 if opened else 200, Location=location(cached))

    @staticmethod
    def known(cached: CachedGame, etag: str, if_none_match: str | None) -> RawResponse | None:
        """The current game if the client has it, or the response is cached."""
        if response := not_modified(if_none_match, etag):
            return response
        kept: RawResponse | None = cached.responses.get(etag)
        return kept

    async def current(self, seen: Seen) -> RawResponse:
        """The current game. The response is cached for other requests with the same ETag."""
        cached = seen.cached
        shown, tag, revision = await game_resource(self._runtime.games, self._players, seen)
        encoded = encode(shown)
        made = RawResponse(encoded, headers=private_headers(tag))
        if shown.version == cached.game.version:  # otherwise the game has advanced in the meantime
            cached.responses[tag] = made
            if (shared := self._runtime.shared) is not None:
                shown_as = variant(seen.access.viewer(seen.perspective), revision)
                shared.versions.keep(cached.game.id, shown_as, shown.head, encoded)
        return made

    async def game(
        self, seen: Seen, at: int | None = None, *, tally: bool = False, reader: str = "", status: int = 200,
        headers: Mapping[str, str] = MappingProxyType({}),
    ) -> ASGIApp:  # fmt: skip
        shown, tag, _ = await game_resource(self._runtime.games, self._players, seen, at, reader)
        if tally:
            shown = replace(shown, tally=None if shown.view is None else seen.cached.rules.tally(shown.view))
        return RawResponse(encode(shown), status=status, headers={**private_headers(tag), **headers})
