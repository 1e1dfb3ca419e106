"""The route of branches: a finished game is continued from any of its versions. No ruleset is named here."""

from typing import Any

from litestar import post
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp

from domain import game
from domain.game import Rules
from domain.wire import encode
from service.api import problems
from service.api.bodies import body
from service.api.callers import Anything, caller, signed_in
from service.api.contract import Answer, contract, link, problem
from service.api.games import REPLAYED, GameId, Invite, Key, described, location, replay
from service.api.replies import Reply, for_one
from service.api.resources import GameResource, NewBranch
from service.api.schema import REQUIRED, refusals
from service.api.visits import ALL, Visit
from service.games import Change, Live, request_of
from service.stammtisch import Stammtisch


def branch_routes(rules: Rules, house: Stammtisch) -> list[HTTPRouteHandler]:
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
    async def branch(request: Anything, game_id: GameId, invite: Invite = None, idempotency_key: Key = None) -> ASGIApp:
        """What if? A new game that you play on all seats (`hotseat`), with everything that had happened up to version
        `at` and the same hidden cards beyond it. With an `Idempotency-Key` it is opened exactly once."""
        player = signed_in(request)
        parent = Visit(await house.games.find(rules, game_id), caller(request), invite).live
        new: NewBranch = await body(request)
        asked = request_of(idempotency_key, "branch", game_id, new)
        return await opened_branch(*await house.games.branch(parent, player, new.at, asked))

    async def opened_branch(live: Live, change: Change) -> ASGIApp:
        visit = Visit(live, game.agreed(live.game).opener)
        perspective = visit.perspective(None)
        seen = await (house.games.truth(live) if perspective == ALL else house.games.view(live, perspective))
        you = visit.you(perspective)
        resource = described(visit, seen, live.tail[-1].head, you, live.to_act(), live.decision(you), seen)
        headers = for_one(visit.etag(perspective, seen.version)) | replay(change) | {"Location": location(live)}
        return Reply(encode(resource), status=201, headers=headers)

    return [branch]
