"""The routes of blocks: whom a player does not want at their table.

The rows of players have the blocks, and the core keeps them: who is blocked cannot join.
"""

from litestar import Router, delete, get, put
from litestar.types import ASGIApp

from domain.codec import encode
from domain.messages import Value
from domain.player import Player
from service.api import problems
from service.api.contract import REQUIRED, WRITE, Answer, contract, problem
from service.api.problems import ProblemError
from service.core import Core
from service.rest.routes.players import COMMON, PlayerId
from service.rest.routing import router
from service.server.auth import signed_in
from service.server.raw_response import RawResponse
from service.server.request import LazyRequest
from service.tables.players import NotRegistered


class Blocks(Value):
    """The players whom the caller has blocked."""

    items: tuple[Player, ...]
    """By id. There is one page."""


def block_routes(core: Core) -> Router:
    players = core.players
    common = (*COMMON, problem(problems.Forbidden))

    @get("/me/blocks", operation_id="blocks", security=REQUIRED, summary="List whom you have blocked",
        opt=contract(Answer(200, Blocks), *COMMON),
    )  # fmt: skip
    async def blocks(request: LazyRequest) -> ASGIApp:
        """Returns all players whom the caller has blocked. Nobody else is shown them."""
        named = await players.named(sorted(await players.blocked_by(signed_in(request))))
        shown = encode(Blocks(tuple(named.values())))
        return RawResponse(shown, headers={"Cache-Control": "private, no-cache", "Vary": "Authorization"})

    @put("/me/blocks/{player_id:str}", operation_id="block", security=REQUIRED, summary="Block a player",
        status_code=200, opt=contract(
            Answer(204, description="The player is blocked."), *common, problem(problems.NotFound),
            problem(problems.TooManyBlocks), cost=WRITE,
        ),
    )  # fmt: skip
    async def block(request: LazyRequest, player_id: PlayerId) -> ASGIApp:
        """Blocks a player. They cannot join games at which the caller sits or that the caller opened, their phrases are
        not sent to the caller, and their open games are left out of the caller's lobby. They learn of it only when they
        want to join.
        """
        blocker = signed_in(request)
        if player_id == blocker:
            raise ProblemError(problems.Forbidden(detail="You cannot block yourself."))
        if not await players.exists(player_id):
            raise ProblemError(problems.NotFound(detail="This player does not exist."))
        try:
            await players.block(blocker, player_id)
        except NotRegistered:
            raise ProblemError(problems.Forbidden(detail="Your site has not said your name.")) from None
        return RawResponse(status=204)

    @delete("/me/blocks/{player_id:str}", operation_id="unblock", security=REQUIRED, summary="Unblock a player",
        status_code=200, opt=contract(Answer(204, description="The player is not blocked."), *COMMON, cost=WRITE),
    )  # fmt: skip
    async def unblock(request: LazyRequest, player_id: PlayerId) -> ASGIApp:
        """Ends a block. It can be repeated."""
        await players.unblock(signed_in(request), player_id)
        return RawResponse(status=204)

    return router("/v1/players", [blocks, block, unblock], tags=["Players"])
