"""What an application has of crowds: the company of its games, and phrases as REST and the play channel take them."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from math import ceil

from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp

from domain.game import NotRunning
from service.api.access import GameAccess, find_game
from service.api.problems import Forbidden, NotSeated, ProblemError, TooManyRequests
from service.channel.channels import Client
from service.core import Core
from service.extension import Serving
from service.extensions.crowds.blocks import block_routes
from service.extensions.crowds.messages import Said, Say
from service.extensions.crowds.phrases import PhraseRequest
from service.extensions.crowds.presence import PHRASES, Presence
from service.extensions.crowds.row import SAY
from service.games.cached_game import CachedGame
from service.rest.input.bodies import body
from service.rest.input.parameters import GameId, Invite, InviteHeader, OfRules
from service.rest.routing import serves
from service.server.auth import signed_in
from service.server.raw_response import RawResponse
from service.server.request import LazyRequest


class Desk:
    def __init__(self, core: Core) -> None:
        self._core = core
        self.presence = Presence(None if core.shared is None else core.shared.lines)
        self.presence.on_change = core.subscriptions.notify

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        self.presence.start()
        yield
        await self.presence.stop()

    async def answer(self, channel: Client, request: Say) -> Said:
        """In the play channel."""
        _, cached, access = await channel.find(request.game, request.invite)
        self._say(cached, access, request.phrase)
        return Said(request.id, request.game)

    def routes(self, rulesets: Iterable[str]) -> list[HTTPRouteHandler]:
        core = self._core

        @serves(rulesets, SAY)
        async def say_phrase(
            request: LazyRequest, rules: OfRules, game_id: GameId, invite: Invite = None, invited: InviteHeader = None
        ) -> ASGIApp:
            cached, access = await find_game(core.games, rules, game_id, signed_in(request), invited or invite)
            new: PhraseRequest = await body(request, rules)
            self._say(cached, access, new.phrase)
            return RawResponse(status=204)

        return [say_phrase]

    def _say(self, cached: CachedGame, access: GameAccess, phrase: str) -> None:
        """Pass the phrase on to all who follow the game. Raises a `ProblemError` and `NotRunning`."""
        if not access.own:
            raise ProblemError(NotSeated())
        if access.header.hotseat:
            raise ProblemError(Forbidden(detail="All players of this game are at one device."))
        if cached.game.status not in ("waiting", "running"):
            raise NotRunning
        (seat,) = access.own
        if wait := self.presence.say(cached.game.id, seat, phrase):
            detail = f"A seat can say {PHRASES} phrases a minute."
            raise ProblemError(TooManyRequests(detail=detail), {"Retry-After": str(max(1, ceil(wait)))})


def serving(core: Core) -> Serving:
    desk = Desk(core)
    return Serving(
        routes=[block_routes(core)],
        of_games=desk.routes,
        answers={Say: desk.answer},
        company=desk.presence,
        running=desk.running,
        places={
            "tools": [{"name": "speech", "text": "people.say", "module": "pages/talk.js"}],
            "player": [{"id": "block", "module": "pages/blocks.js"}],
        },
    )
