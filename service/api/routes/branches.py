"""The route of branches: a finished game is continued from any of its versions. No ruleset is named here."""

from typing import Any

from litestar import post
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp

from domain import game
from domain.codec import encode
from domain.game import Rules
from service.api import problems
from service.api.contract import Answer, contract, link, problem
from service.api.input.access import LiveGameAccess
from service.api.input.bodies import body
from service.api.openapi import REQUIRED, refusals
from service.api.resources import GameResource, NewBranch
from service.api.routes.games import REPLAYED, GameId, Invite, Key, game_resource, location, replay
from service.games.cached_game import CachedGame
from service.games.games import Change
from service.games.idempotency import request_of
from service.http.auth import caller, signed_in
from service.http.raw_response import RawResponse, private_headers
from service.http.request import LazyRequest
from service.runtime import Runtime


def branch_routes(rules: Rules, runtime: Runtime) -> list[HTTPRouteHandler]:
    """The route of one ruleset's games."""
    name = rules.name
    game_type: Any = GameResource[rules.options, rules.state, rules.move]  # type: ignore[name-defined]
    opened = Answer(
        201, game_type, "The branch was opened.", headers=("Location", "ETag", REPLAYED),
        links={"look": link(f"{name}_look", "The branch as you see it.", game_id="$response.body#/id")},
    )  # fmt: skip

    @post(
        "/{game_id:str}/branches", operation_id=f"{name}_branch", summary="Go on from a finished game",
        security=REQUIRED, status_code=201,
        opt=contract(
            opened,
            *refusals(),
            problem(problems.NotFound),
            problem(problems.NotFinished),
            problem(problems.TooManyGames),
            problem(problems.StorageExhausted),
            problem(problems.TooLarge),
            problem(problems.UnsupportedMediaType),
            problem(problems.IdempotencyKeyReused),
            body=NewBranch,
        ),
    )  # fmt: skip
    async def branch(
        request: LazyRequest, game_id: GameId, invite: Invite = None, idempotency_key: Key = None
    ) -> ASGIApp:
        """What if? A new game that you play on all seats (`hotseat`), with everything that had happened up to version
        `at` and the same hidden cards beyond it. With an `Idempotency-Key` it is opened exactly once."""
        player = signed_in(request)
        parent = LiveGameAccess(await runtime.games.find(rules, game_id), caller(request), invite).cached
        new: NewBranch = await body(request)
        asked = request_of(idempotency_key, "branch", game_id, new)
        return await opened_branch(*await runtime.games.branch(parent, player, new.at, asked))

    async def opened_branch(cached: CachedGame, change: Change) -> ASGIApp:
        access = LiveGameAccess(cached, game.agreed(cached.game).opener)
        perspective = access.perspective(None)
        seen = await game_resource(runtime.games, access, perspective)
        headers = (
            private_headers(access.etag(perspective, seen.version)) | replay(change) | {"Location": location(cached)}
        )
        return RawResponse(encode(seen), status=201, headers=headers)

    return [branch]
