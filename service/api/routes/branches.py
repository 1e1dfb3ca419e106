"""The route of branches: a new game that continues a finished one from any version. No ruleset is named here."""

from collections.abc import Mapping
from typing import Any

from litestar import post
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp

from domain import game
from domain.codec import encode
from domain.game import Rules
from service.api import problems
from service.api.contract import REQUIRED, Answer, Contract, common_problems, contracts, link, problem
from service.api.game_resource import REPLAYED, game_resource, location, replay_headers
from service.api.input.access import GameAccess, find_game
from service.api.input.bodies import body
from service.api.input.parameters import GameId, IdempotencyKey, Invite, InviteHeader, OfRules
from service.api.resources import GameResource, NewBranch
from service.api.routing import of_games, operation
from service.games.cached_game import CachedGame
from service.games.idempotency import request_key
from service.games.known_games import Change
from service.http.auth import signed_in
from service.http.raw_response import RawResponse, private_headers
from service.http.request import LazyRequest
from service.runtime import Runtime


def of_branch(rules: Rules) -> Contract:
    game_type: Any = GameResource[rules.options, rules.state, rules.move]  # type: ignore[name-defined]
    opened = Answer(
        201, game_type, "The branch was opened.", headers=("Location", "ETag", REPLAYED),
        links={"look": link(f"{rules.name}_look", "Get the branch.", game_id="$response.body#/id")},
    )  # fmt: skip
    refused = (
        problems.NotFound, problems.NotFinished, problems.TooManyGames, problems.StorageExhausted, problems.TooLarge,
        problems.UnsupportedMediaType, problems.IdempotencyKeyReused,
    )  # fmt: skip
    return Contract((opened, *common_problems(), *map(problem, refused)), NewBranch)


def branch_routes(rulesets: Mapping[str, Rules], runtime: Runtime) -> list[HTTPRouteHandler]:
    """The route of branches."""

    @post(
        of_games(rulesets, "/{game_id:str}/branches"), operation_id=operation("branch"),
        summary="Branch a finished game", security=REQUIRED, status_code=201,
        opt=contracts(of_branch, takes_body=True),
    )  # fmt: skip
    async def branch(
        request: LazyRequest, rules: OfRules, game_id: GameId, invite: Invite = None, invited: InviteHeader = None,
        idempotency_key: IdempotencyKey = None,
    ) -> ASGIApp:  # fmt: skip
        """Opens a hotseat game of the caller that continues a finished game from version `at`, with the same hidden
        cards. With an `Idempotency-Key` it is opened exactly once."""
        player = signed_in(request)
        parent, _ = await find_game(runtime.games, rules, game_id, player, invited or invite)
        new: NewBranch = await body(request, rules)
        await runtime.players.named([player])  # names that cannot be read must fail before the branch is opened
        key = request_key(player, idempotency_key, "branch", game_id, new)
        return await opened_branch(*await runtime.games.branch(parent, player, new.at, key))

    async def opened_branch(cached: CachedGame, change: Change) -> ASGIApp:
        access = GameAccess(cached.header, game.agreed(cached.game).opener)
        perspective = access.perspective(None)
        seen, tag, _ = await game_resource(runtime.games, runtime.players, cached, access, perspective)
        headers = private_headers(tag) | replay_headers(change)
        return RawResponse(encode(seen), status=201, headers=headers | {"Location": location(cached)})

    return [branch]
