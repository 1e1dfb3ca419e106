"""The lobby: which games there are."""

from collections.abc import AsyncGenerator
from typing import Annotated

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import QueryParameter
from litestar.types import ASGIApp

from domain.codec import encode
from domain.game import Status
from domain.player import LONGEST_ID
from projections.lobby import CURSOR, LIMIT, Announced, CursorExpired, LobbyGame, Search, announced, concerns, page
from service.api import problems
from service.api.contract import JSON, Answer, contract, problem
from service.api.input.negotiation import wanted
from service.api.openapi import OPTIONAL
from service.api.resources import Page, link_header, url
from service.http import streaming
from service.http.auth import address, caller
from service.http.raw_response import RawResponse
from service.http.request import LazyRequest
from service.http.streaming import SSE, STREAM_HEADERS, VARY, LastEventId, Stream
from service.live.single_flight import SingleFlight
from service.live.subscriptions import LOBBY_SUBJECT
from service.runtime import Runtime

LIVE = """As `text/event-stream`: games that are opened, joined, left, begun, ended or aborted from now on.
`id` is a place in the log of all games, `event` what has happened, `data` the game in the lobby after it."""


def lobby_route(runtime: Runtime) -> HTTPRouteHandler:
    @get("/v1/games", operation_id="lobby", security=OPTIONAL, summary="Find games", tags=["Lobby"],
        opt=contract(
            Answer(200, Page[LobbyGame], headers=("Link", "Cache-Control", "Vary")), Answer(200, LobbyGame, LIVE, SSE),
            problem(problems.Malformed), problem(problems.NotAcceptable), problem(problems.Gone),
            problem(problems.Unauthenticated, "WWW-Authenticate"),
            problem(problems.TooManyRequests, "Retry-After"),
            problem(problems.Unavailable, "Retry-After"),
        ),
    )  # fmt: skip
    async def lobby(
        request: LazyRequest,
        ruleset: Annotated[str | None, QueryParameter(max_length=64, description="Of this ruleset only.")] = None,
        status: Annotated[Status | None, QueryParameter(description="In this state only.")] = None,
        player: Annotated[
            str | None,
            QueryParameter(max_length=LONGEST_ID, description="Where this player sits, or that they opened."),
        ] = None,
        open_: Annotated[bool, QueryParameter(name="open", description="Only where a seat is free.")] = False,
        cursor: Annotated[str | None, QueryParameter(pattern=CURSOR, description="Where the last page ended.")] = None,
        limit: Annotated[int, QueryParameter(ge=1, le=LIMIT, description="How many at most.")] = 20,
        last_event_id: LastEventId = None,
    ) -> ASGIApp:
        """Newest first. Private games are listed for their players only.

        Live, it tells what changes from now on (or behind `Last-Event-ID`) with public games that you look for, or did
        until then: of `status=waiting` also that a game has begun. Open the stream before you read the pages. Only
        the latest changes are kept: who comes back too late is told so (410), and begins anew without `Last-Event-ID`.
        """
        who = caller(request)
        viewer = None if who is None else who.id
        search = Search(ruleset, status, player, open_)
        if wanted(request, (JSON, SSE)) == SSE:
            position = await runtime.store.position() if last_event_id is None else int(last_event_id)
            news = changes(search, position, viewer, address(request))
            return Stream(news, SSE, STREAM_HEADERS, endless=True)
        await runtime.projection_runner.caught_up()
        found = await runtime.ask(page, search, viewer, cursor, limit)
        following = None
        if found.next is not None:
            asked = {"ruleset": ruleset, "status": status, "player": player, "open": "true" if open_ else None}
            following = url("/v1/games", asked | {"limit": limit, "cursor": found.next})
        headers = {"Cache-Control": "private, no-cache"} | VARY | link_header(following)
        return RawResponse(encode(Page(list(found.items), following)), headers=headers)

    async def changes(search: Search, position: int, viewer: str | None, place: str) -> AsyncGenerator[bytes, None]:
        with runtime.subscriptions.subscribe(LOBBY_SUBJECT, viewer, place) as follower:
            news = await read(position)  # what is forgotten is refused before the stream begins
            yield streaming.preamble(position)
            while True:
                if found := [change for change in news if concerns(search, change)]:
                    yield b"".join(streaming.message(each.position, each.event, each.text.encode()) for each in found)
                    runtime.subscriptions.delivered += len(found)
                position = news[-1].position if news else position
                if len(news) < streaming.BATCH_SIZE and not await follower.wait(streaming.KEEP_ALIVE):
                    yield streaming.COMMENT
                try:
                    news = await read(position)
                except CursorExpired:
                    return

    async def read(position: int) -> list[Announced]:
        """What has changed behind the position: all streams that have come so far wait for the same reading."""
        return await reading(
            (position, runtime.projection_runner.position)
        )  # what is read since there was news has the news in it

    reading: SingleFlight[tuple[int, int], list[Announced]] = SingleFlight(
        lambda since: runtime.ask(announced, since[0], streaming.BATCH_SIZE)
    )
    return lobby
