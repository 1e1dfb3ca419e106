"""The route of a ruleset's standings."""

from functools import partial
from typing import Annotated

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import PathParameter, QueryParameter
from litestar.types import ASGIApp
from msgspec.structs import replace

from domain.codec import encode
from domain.registry import RULESETS
from service.api import problems
from service.api.contract import OPTIONAL, Answer, contract, problem
from service.api.resources import PageResource, link_header, with_query
from service.core import Core
from service.extensions.standings.table import CURSOR, LIMIT, Standing, page
from service.server.raw_response import RawResponse


def standings_route(core: Core) -> HTTPRouteHandler:
    @get(
        "/v1/standings/{ruleset:str}", operation_id="standings", security=OPTIONAL, summary="List the standings",
        tags=["Standings"],
        opt=contract(
            Answer(200, PageResource[Standing], headers=("Link",)),
            problem(problems.Malformed), problem(problems.NotFound),
            problem(problems.Unauthenticated, "WWW-Authenticate"),
            problem(problems.TooManyRequests, "Retry-After"),
            problem(problems.Unavailable, "Retry-After"),
        ),
    )  # fmt: skip
    async def standings(
        ruleset: Annotated[str, PathParameter(description="The name of the ruleset.")],
        cursor: Annotated[
            str | None, QueryParameter(pattern=CURSOR, description="The cursor of the page: from `next`.")
        ] = None,
        limit: Annotated[int, QueryParameter(ge=1, le=LIMIT, description="The maximum number of items.")] = 20,
        bots: Annotated[
            bool, QueryParameter(description="False: leaves out players that are programs, also in the ranks.")
        ] = True,
    ) -> ASGIApp:
        """Returns the players of the ruleset, best rating first. Finished games count unless they are private, hotseat
        or imported."""
        if ruleset not in RULESETS:
            raise problems.unknown_ruleset()
        await core.projection_runner.caught_up()
        found = await core.ask(partial(page, bots=bots), ruleset, cursor, limit)
        next_page = None
        if found.next is not None:
            query = {"bots": None if bots else "false", "limit": limit, "cursor": found.next}
            next_page = with_query(f"/v1/standings/{ruleset}", query)
        named = await core.players.named(standing.player.id for standing in found.items)
        items = [replace(standing, player=named[standing.player.id]) for standing in found.items]
        return RawResponse(
            encode(PageResource(items, next_page)),
            headers={"Cache-Control": "no-cache"} | link_header(next_page),
        )

    return standings
