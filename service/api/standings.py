"""The standings of a ruleset: who plays it, best first."""

from typing import Annotated

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import PathParameter, QueryParameter
from litestar.types import ASGIApp

from domain.rulesets import RULESETS
from domain.wire import encode
from projections.standings import CURSOR, LIMIT, Standing, page
from service.api import problems
from service.api.contract import Answer, contract, problem
from service.api.problems import Refusal
from service.api.replies import Reply
from service.api.resources import Page, link_header, url
from service.api.schema import OPTIONAL
from service.stammtisch import Stammtisch


def standings_route(house: Stammtisch) -> HTTPRouteHandler:
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
        await house.feed.caught_up()
        found = await house.ask(page, ruleset, cursor, limit)
        following = None
        if found.next is not None:
            following = url(f"/v1/standings/{ruleset}", {"limit": limit, "cursor": found.next})
        return Reply(
            encode(Page(list(found.items), following)),
            headers={"Cache-Control": "no-cache"} | link_header(following),
        )

    return standings
