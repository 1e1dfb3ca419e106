"""The route of hints: the event that the seat asked is recorded before the answer is sent."""

from collections.abc import Iterable
from math import ceil

from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp

from domain.game import AlreadyHinted, Hinted
from domain.game.commands import AskForHint
from service.api import problems
from service.api.access import find_game
from service.api.game_resource import replay_headers
from service.api.operations import BY_ID
from service.api.problems import ProblemError
from service.games.hints import Asked, HintsBusy
from service.games.searches import SearchFailed
from service.live.network import budget_key
from service.rest.input.parameters import GameId, IdempotencyKey, Invite, InviteHeader, OfRules
from service.rest.routing import serves
from service.runtime import Runtime
from service.server.auth import address, signed_in
from service.server.rate_limit import LocalRateLimiter, QuotaPolicy
from service.server.raw_response import RawResponse
from service.server.request import LazyRequest

A_MINUTE, AT_ONCE = 30, 10
"""How many hints a player, and a network, gets in a minute and at once, in each process. The hint about a choice counts
once, as long as it is in memory."""

PRIVATE = {"Cache-Control": "private, no-store"}
AGAIN = {"Retry-After": "1"}


def hint_routes(rulesets: Iterable[str], runtime: Runtime) -> list[HTTPRouteHandler]:
    limiter, row = LocalRateLimiter(QuotaPolicy(A_MINUTE / 60, AT_ONCE, "hints")), BY_ID["hint"]

    def admit(player: str, network: str) -> None:
        """Before the append: nothing is recorded that nobody answers."""
        try:
            runtime.hints.admit()
        except HintsBusy as busy:
            detail = "Too many players wait for hints."
            raise ProblemError(problems.Unavailable(detail=detail), {"Retry-After": str(busy.seconds)}) from None
        results = [limiter.hit(budget_key(each, network)) for each in (player, None)]
        if wait := max([result.retry_after for result in results]):
            detail = "You have asked for too many hints."
            raise ProblemError(problems.TooManyRequests(detail=detail), {"Retry-After": str(ceil(wait))})

    @serves(rulesets, "hint")
    async def ask_for_hint(
        request: LazyRequest, rules: OfRules, game_id: GameId, invite: Invite = None, invited: InviteHeader = None,
        idempotency_key: IdempotencyKey = None,
    ) -> ASGIApp:  # fmt: skip
        player = signed_in(request)
        cached, _ = await find_game(runtime.games, rules, game_id, player, invited or invite)
        command = AskForHint()
        key = row.key(player, idempotency_key, command, game_id)
        if key is None and (known := runtime.hints.known(cached, player)) is not None:
            return RawResponse(known, headers=PRIVATE)
        admit(player, address(request))
        headers = PRIVATE
        try:
            change = await runtime.games.execute(cached, player, command, key)
            recorded = change.entries[0]
            assert isinstance(recorded.event, Hinted)
            asked = Asked(game_id, recorded.event.seat, recorded.version, player)
            headers = PRIVATE | replay_headers(change)
        except AlreadyHinted:
            asked = Asked(game_id, cached.game.seats_of(player)[0], cached.game.version, player)
        try:
            return RawResponse(await runtime.hints.give(cached, asked), headers=headers)
        except SearchFailed:
            detail = "The hint could not be computed. It is recorded that you asked; ask again."
            raise ProblemError(problems.Unavailable(detail=detail), AGAIN) from None

    return [ask_for_hint]
