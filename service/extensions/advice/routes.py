"""The route of the advice."""

import os
from collections.abc import Iterable

from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp

from domain import game
from domain.codec import encode
from domain.searching import Lots, ruler
from service.api import problems
from service.api.access import find_game
from service.api.problems import ProblemError
from service.core import Core
from service.extensions.advice.row import ADVISE, Advice
from service.rest.input.parameters import As, GameId, Invite, InviteHeader, OfRules
from service.rest.routing import serves
from service.server.auth import signed_in
from service.server.raw_response import RawResponse
from service.server.request import LazyRequest


def advice_routes(rulesets: Iterable[str], core: Core) -> list[HTTPRouteHandler]:
    @serves(rulesets, ADVISE)
    async def advise(
        request: LazyRequest, rules: OfRules, game_id: GameId, as_: As = None, invite: Invite = None,
        invited: InviteHeader = None,
    ) -> ASGIApp:  # fmt: skip
        cached, access = await find_game(core.games, rules, game_id, signed_in(request), invited or invite)
        core.games.need_rules(cached)
        seat = access.acting_seat(as_)
        if not access.header.hotseat:
            raise ProblemError(problems.Forbidden(detail="In a game with others the house gives no advice."))
        seen = await core.games.view(cached, seat)
        legal, chosen = game.legal(rules, seen, seat), None
        if legal:
            dice = Lots(int.from_bytes(os.urandom(8), "big"))
            chosen = legal[rules.bots[ruler(rules)](seen.state, seat, legal, dice)]
        advice = Advice(version=seen.version, seat=seat, move=chosen)
        return RawResponse(encode(advice), headers={"Cache-Control": "no-store"})

    return [advise]
