"""Looks at games that need not be in memory: the answer lies ready on the board, beside the door of the game."""

from collections import OrderedDict

from litestar.types import ASGIApp

from domain.game import Player, Rules
from service.api.input.access import BYSTANDER, GameAccess, etag
from service.cluster.version_cache import CachedVersion, VersionCache
from service.games.errors import NoSuchGame
from service.http.raw_response import RawResponse, matches, private_headers
from service.runtime import Runtime

REMEMBERED = 10_000
"""Of so many callers and games we remember who looked through whose eyes."""


class CachedResponses:
    """To looks at one ruleset's games."""

    def __init__(self, rules: Rules, runtime: Runtime, version_cache: VersionCache) -> None:
        self._name = rules.name
        self._house = runtime
        self._board = version_cache
        self._viewers: OrderedDict[tuple[str, str | None, str | None], str] = OrderedDict()

    async def look(
        self, game_id: str, caller: Player | None, wish: str | None, invite: str | None, if_none_match: str | None
    ) -> tuple[CachedVersion, ASGIApp | None]:
        """What the board knows of the game, and the answer unless it has to be made of the game itself.

        Raises `NoSuchGame`, a `Refusal`, `Unavailable`.
        """
        who = game_id, None if caller is None else caller.id, wish
        guessed = self._viewers.get(who, BYSTANDER)  # whose answer it will be is known for certain at the door only
        cached_version = await self._board.ask(game_id, guessed, self._house.games.version(game_id))
        header, answer = cached_version.header, cached_version.answer
        if header is None or not await self._stands(game_id, cached_version):
            return cached_version, None
        if header.ruleset != self._name:
            raise NoSuchGame
        guest = GameAccess(header, caller, invite)
        perspective = guest.perspective(wish)
        viewer = guest.viewer(perspective)
        tag = etag(header.version, viewer)
        if if_none_match is not None and matches(if_none_match, tag):
            return cached_version, RawResponse(status=304, headers=private_headers(tag))
        if viewer != guessed:
            self._remember(who, viewer)
            again = await self._board.ask(game_id, viewer)
            answer = again.answer if again.confirms(header.version) else None
        if answer is None:
            return cached_version, None
        self._board.answers += 1
        return cached_version, RawResponse(answer, headers=private_headers(tag))

    async def _stands(self, game_id: str, cached_version: CachedVersion) -> bool:
        """Whether the door may be believed; if it was not looked at for long, by the log."""
        if cached_version.sure or cached_version.header is None:
            return cached_version.sure
        stands = await self._house.games.is_current(game_id, cached_version.header)
        if stands:
            await self._board.fill(game_id, cached_version, cached_version.header)
        return stands

    def _remember(self, who: tuple[str, str | None, str | None], viewer: str) -> None:
        self._viewers[who] = viewer
        if len(self._viewers) > REMEMBERED:
            self._viewers.popitem(last=False)
