"""The lobby: which games there are."""

import asyncio
from typing import Annotated
from urllib.parse import urlencode

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import QueryParameter

from domain.game import Status
from domain.wire import encode
from projections.lobby import LIMIT, BadCursor, Listed, Search, page
from service.api import problems
from service.api.callers import Anything, caller
from service.api.contract import JSON, Answer, contract, problem
from service.api.problems import malformed
from service.api.resources import Page, link_header
from service.stammtisch import Stammtisch


def lobby_route(house: Stammtisch) -> HTTPRouteHandler:
    @get("/v1/games", operation_id="lobby", summary="Find games", tags=["Lobby"],
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
        cursor: Annotated[str | None, QueryParameter(max_length=64, description="Where the last page ended.")] = None,
        limit: Annotated[int, QueryParameter(ge=1, le=LIMIT, description="How many at most.")] = 20,
    ) -> Response[bytes]:
        """Newest first. Private games are listed for their players only."""
        who = caller(request)
        search = Search(ruleset, status, player, open_)
        viewer = None if who is None else who.id
        await house.feed.caught_up()
        try:
            found = await asyncio.to_thread(page, house.projections, search, viewer, cursor, limit)
        except BadCursor as error:
            raise malformed("?cursor", str(error)) from None
        following = None
        if found.next is not None:
            asked = {"ruleset": ruleset, "status": status, "player": player, "open": "true" if open_ else None}
            query = {key: value for key, value in asked.items() if value is not None}
            following = "/v1/games?" + urlencode(query | {"limit": limit, "cursor": found.next})
        headers = {"Cache-Control": "private, no-cache", "Vary": "Authorization"} | link_header(following)
        return Response(encode(Page(list(found.items), following)), media_type=JSON, headers=headers)

    return lobby
