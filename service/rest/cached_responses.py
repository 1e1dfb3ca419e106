"""Serves games from a cache of all processes, keyed by viewer, version and names, without loading them into memory."""

from collections import OrderedDict

from litestar.types import ASGIApp

from domain.game import Rules
from service.api.access import BYSTANDER, GameAccess, etag, variant
from service.core import Core
from service.games.errors import NoSuchGame
from service.server.raw_response import RawResponse, not_modified, private_headers
from service.versions import CachedVersion, Versions

MAX_VARIANTS = 10_000
"""The largest number of remembered variants: one for each caller, game and requested perspective."""


class CachedResponses:
    """The cached responses of games."""

    def __init__(self, runtime: Core, version_cache: Versions) -> None:
        self._runtime = runtime
        self._version_cache = version_cache
        self._variants: OrderedDict[tuple[str, str | None, str | None], str] = OrderedDict()

    async def look(
        self,
        rules: Rules,
        game_id: str,
        caller: str | None,
        requested: str | None,
        invite: str | None,
        if_none_match: str | None,
    ) -> tuple[CachedVersion, ASGIApp | None]:
        """The cached version of the game, and the response, or None if it must be built from the game itself.

        Raises `NoSuchGame`, `ProblemError`, `Unavailable`.
        """
        key = game_id, caller, requested
        guessed = self._variants.get(key, BYSTANDER)  # the variant follows from the header, which is not here yet
        cached_version = await self._version_cache.ask(game_id, guessed, self._runtime.games.version(game_id))
        header, answer = cached_version.header, cached_version.answer
        if header is None or not await self._is_current(game_id, cached_version):
            return cached_version, None
        if header.ruleset != rules.name:
            raise NoSuchGame
        access = GameAccess(header, caller, invite)
        perspective = access.perspective(requested)
        roster = await self._runtime.players.roster(header.people)
        needed = variant(access.viewer(perspective), roster.revision)
        tag = etag(header.version, needed)
        if response := not_modified(if_none_match, tag):
            return cached_version, response
        if needed != guessed:
            self._remember(key, needed)
            refetched = await self._version_cache.ask(game_id, needed)
            answer = refetched.answer if refetched.confirms(header.version) else None
        if answer is None:
            return cached_version, None
        self._version_cache.answers += 1
        return cached_version, RawResponse(answer, headers=private_headers(tag))

    async def _is_current(self, game_id: str, cached_version: CachedVersion) -> bool:
        """Whether the cached header is current. If its validity has expired, the log decides."""
        if cached_version.sure or cached_version.header is None:
            return cached_version.sure
        current = await self._runtime.games.is_current(game_id, cached_version.header)
        if current:
            await self._version_cache.fill(game_id, cached_version, cached_version.header)
        return current

    def _remember(self, key: tuple[str, str | None, str | None], needed: str) -> None:
        self._variants[key] = needed
        if len(self._variants) > MAX_VARIANTS:
            self._variants.popitem(last=False)
