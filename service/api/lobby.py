"""The lobby: which games there are."""

import asyncio
from typing import Annotated

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import QueryParameter
from litestar.types import ASGIApp

from domain.game import Status
from domain.wire import encode
from projections.lobby import CURSOR, LIMIT, Listed, Search, page
from service.api import problems
from service.api.callers import Anything, caller
from service.api.contract import Answer, contract, problem
from service.api.replies import Reply
from service.api.resources import Page, link_header, url
from service.api.schema import OPTIONAL
from service.stammtisch import Stammtisch


def lobby_route(house: Stammtisch) -> HTTPRouteHandler:
    @get("/v1/games", operation_id="lobby", security=OPTIONAL, summary="Find games", tags=["Lobby"],
        opt=contract(
            Answer(200, Page[Listed], headers=("Link",)), problem(problems.Malformed),
            problem(problems.Unauthenticated, "WWW-Authenticate"),
            problem(problems.TooManyRequests, "Retry-After"),
            problem(problems.Unavailable, "Retry-After"),
        ),
    )  # fmt: skip
    async def lobby(
        request: Anything,
        ruleset: Annotated[str | None, QueryParameter(max_length=64, description="Of this ruleset only.")] = None,
        status: Annotated[Status | None, QueryParameter(description="In this state only.")] = None,
        player: Annotated[
            str | None, QueryParameter(max_length=128, description="Where this player sits, or that he opened.")
        ] = None,
        open_: Annotated[bool, QueryParameter(name="open", description="Only where a seat is free.")] = False,
        cursor: Annotated[str | None, QueryParameter(pattern=CURSOR, description="Where the last page ended.")] = None,
        limit: Annotated[int, QueryParameter(ge=1, le=LIMIT, description="How many at most.")] = 20,
    ) -> ASGIApp:
        """Newest first. Private games are listed for their players only."""
        who = caller(request)
        search = Search(ruleset, status, player, open_)
        viewer = None if who is None else who.id
        await house.feed.caught_up()
        found = await asyncio.to_thread(page, house.projections, search, viewer, cursor, limit)
        following = None
        if found.next is not None:
            asked = {"ruleset": ruleset, "status": status, "player": player, "open": "true" if open_ else None}
            following = url("/v1/games", asked | {"limit": limit, "cursor": found.next})
        headers = {"Cache-Control": "private, no-cache", "Vary": "Authorization"} | link_header(following)
        return Reply(encode(Page(list(found.items), following)), headers=headers)

    return lobby
