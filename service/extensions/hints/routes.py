"""The route of hints."""

from collections.abc import Awaitable, Callable, Iterable
from typing import Any, TypeAlias

from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp

from service.api.access import find_game
from service.api.operations import REPLAYED
from service.core import Core
from service.extensions.hints.row import HINT
from service.rest.input.parameters import GameId, IdempotencyKey, Invite, InviteHeader, OfRules
from service.rest.routing import serves
from service.server.auth import address, signed_in
from service.server.raw_response import RawResponse
from service.server.request import LazyRequest

Ask: TypeAlias = Callable[..., Awaitable[Any]]
"""As `HintDesk.ask`."""

PRIVATE = {"Cache-Control": "private, no-store"}


def hint_routes(ask: Ask, rulesets: Iterable[str], runtime: Core) -> list[HTTPRouteHandler]:
    @serves(rulesets, HINT)
    async def ask_for_hint(
        request: LazyRequest, rules: OfRules, game_id: GameId, invite: Invite = None, invited: InviteHeader = None,
        idempotency_key: IdempotencyKey = None,
    ) -> ASGIApp:  # fmt: skip
        player = signed_in(request)
        cached, _ = await find_game(runtime.games, rules, game_id, player, invited or invite)
        advice = await ask(cached, player, address(request), idempotency_key)
        return RawResponse(advice.hint, headers=PRIVATE | ({REPLAYED: "true"} if advice.replayed else {}))

    return [ask_for_hint]
