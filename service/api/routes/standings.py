"""The standings of a ruleset: who plays it, best first."""

from typing import Annotated

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import PathParameter, QueryParameter
from litestar.types import ASGIApp

from domain.codec import encode
from domain.rulesets import RULESETS
from projections.standings import CURSOR, LIMIT, Standing, page
from service.api import problems
from service.api.contract import Answer, contract, problem
from service.api.openapi import OPTIONAL
from service.api.problems import Refusal
from service.api.resources import Page, link_header, url
from service.http.raw_response import RawResponse
from service.runtime import Runtime


def standings_route(runtime: Runtime) -> HTTPRouteHandler:
    @get(
        "/v1/standings/{ruleset:str}", operation_id="standings", security=OPTIONAL, summary="Who plays best",
        tags=["Standings"],
        opt=contract(
            Answer(200, Page[Standing], headers=("Link",)), problem(problems.Malformed), problem(problems.NotFound),
            problem(problems.Unauthenticated, "WWW-Authenticate"),
            problem(problems.TooManyRequests, "Retry-After"),
            problem(problems.Unavailable, "Retry-After"),
        ),
    )  # fmt: skip
    async def standings(
        ruleset: Annotated[str, PathParameter(description="Of which ruleset.")],
        cursor: Annotated[str | None, QueryParameter(pattern=CURSOR, description="Where the last page ended.")] = None,
        limit: Annotated[int, QueryParameter(ge=1, le=LIMIT, description="How many at most.")] = 20,
    ) -> ASGIApp:
        """Best rating first. What counts are games that are over, neither private, nor hotseat, nor imported."""
        if ruleset not in RULESETS:
            raise Refusal(problems.NotFound(detail="There is no such ruleset."))
        await runtime.projection_runner.caught_up()
        found = await runtime.ask(page, ruleset, cursor, limit)
        following = None
        if found.next is not None:
            following = url(f"/v1/standings/{ruleset}", {"limit": limit, "cursor": found.next})
        return RawResponse(
            encode(Page(list(found.items), following)),
            headers={"Cache-Control": "no-cache"} | link_header(following),
        )

    return standings
