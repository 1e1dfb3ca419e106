"""The route of the lobby: a filtered list of games, and a live stream of its changes."""

from collections.abc import AsyncGenerator
from typing import Annotated, Any, Literal

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import QueryParameter
from litestar.types import ASGIApp

from domain.codec import encode
from domain.game import Status
from domain.player import LONGEST_ID
from projections.lobby import (
    CURSOR,
    LIMIT,
    CursorExpired,
    LobbyGame,
    Search,
    invited_games,
    page,
    players_of,
    with_names,
)
from service.api import problems
from service.api.charges import charge, payer
from service.api.contract import JSON, LISTING, OPTIONAL, Answer, contract, problem
from service.api.lobby_feed import LobbyFeed, is_hidden
from service.api.problems import malformed_request
from service.api.resources import PageResource, link_header, with_query
from service.api.turns import turns
from service.core import Core
from service.live.subscriptions import LOBBY_SUBJECT
from service.rest.input.negotiation import preferred_type
from service.server import streaming
from service.server.auth import address, caller, generation, signed_in
from service.server.compression import CompressedResponse
from service.server.request import LazyRequest
from service.server.streaming import SSE, STREAM_HEADERS, VARY, LastEventId, Stream

USUAL, GAMES = 20, 4
"""Games on a page whose cost is that of the query, and further ones that cost as much as a request."""

LIVE = """As `text/event-stream`: changes of games (opened, joined, left, declined, begun, gone, rejoined, ended,
aborted) from now on.
`id` is a position in the log of all games, `event` the type of the change, `data` the game in the lobby after it. The
first event is `position`: its `id` is where a client resumes that disconnects before the first change."""


def lobby_route(runtime: Core) -> HTTPRouteHandler:
    @get("/v1/games", operation_id="lobby", security=OPTIONAL, summary="Search the lobby", tags=["Lobby"],
        opt=contract(
            Answer(200, PageResource[LobbyGame], headers=("Link", "Cache-Control", "Vary")),
            Answer(200, LobbyGame, LIVE, SSE),
            problem(problems.Malformed), problem(problems.NotAcceptable), problem(problems.Gone),
            problem(problems.Unauthenticated, "WWW-Authenticate"),
            problem(problems.TooManyRequests, "Retry-After"),
            problem(problems.Unavailable, "Retry-After"),
            cost=LISTING,
        ),
    )  # fmt: skip
    async def lobby(
        request: LazyRequest,
        ruleset: Annotated[
            str | None, QueryParameter(max_length=64, description="Returns only games of this ruleset.")
        ] = None,
        status: Annotated[Status | None, QueryParameter(description="Returns only games with this status.")] = None,
        player: Annotated[
            str | None,
            QueryParameter(
                max_length=LONGEST_ID,
                description="Returns only games in which this player has a seat or that they opened.",
            ),
        ] = None,
        acting: Annotated[
            Literal["me"] | None,
            QueryParameter(
                description="`me`: returns only running games in which the caller must act now. Each has `to_act` and "
                "`changed_at`, with a clock also `runs_out`. Those whose time runs out first come first. Needs a "
                "token; not for streams."
            ),
        ] = None,
        invited: Annotated[
            Literal["me"] | None,
            QueryParameter(
                description="`me`: returns only games that keep a seat for the caller, private ones included. Needs a "
                "token; not for streams, nor together with `acting`."
            ),
        ] = None,
        open_: Annotated[bool, QueryParameter(name="open", description="Returns only games with a free seat.")] = False,
        bots: Annotated[
            bool,
            QueryParameter(
                description="False: leaves out games with bots, be it bots of the service or players that are programs."
            ),
        ] = True,
        cursor: Annotated[
            str | None, QueryParameter(pattern=CURSOR, description="The cursor of the page: from `next`.")
        ] = None,
        limit: Annotated[int, QueryParameter(ge=1, le=LIMIT, description="The maximum number of items.")] = USUAL,
        last_event_id: LastEventId = None,
    ) -> ASGIApp:
        """Returns games, newest first. Private games are listed for their members only.

        A live stream reports changes of public games from now on, or after `Last-Event-ID`. A filtered stream also
        reports games that stop matching: with `status=waiting` also that a game has begun. Open the stream before
        reading the pages. Only the latest changes are stored: an expired `Last-Event-ID` returns 410, and the client
        starts again without it. Open tables of players whom the caller has blocked are left out; a page can then have
        fewer items.
        """
        viewer = caller(request)
        search = Search(ruleset, status, player, open_, bots)
        if preferred_type(request, (JSON, SSE)) == SSE:
            for name, value in (("?acting", acting), ("?invited", invited)):
                if value is not None:
                    raise malformed_request(name, "is not available for live streams")
            latest = await runtime.store.position()
            position = latest if last_event_id is None else int(last_event_id)
            if position > latest:
                raise malformed_request("Last-Event-ID", f"is later than the last event, which is {latest}")
            stream = changes(search, position, viewer, generation(request), address(request))
            return Stream(stream, SSE, STREAM_HEADERS, endless=True)
        if acting is not None and invited is not None:
            raise malformed_request("?invited", "cannot be combined with `acting`")
        if acting is not None:
            found = await turns(runtime, signed_in(request), search, cursor, limit)
        elif invited is not None:
            player_invited = signed_in(request)
            await runtime.projection_runner.caught_up()
            found = await runtime.ask(invited_games, player_invited, search, cursor, limit)
        else:
            await charge(payer(), (limit - USUAL) // GAMES)
            await runtime.projection_runner.caught_up()
            found = await runtime.ask(page, search, viewer, cursor, limit)
        next_page = None
        if found.next is not None:
            query: dict[str, Any] = {"ruleset": ruleset, "status": status, "player": player, "acting": acting}
            query |= {"invited": invited, "open": "true" if open_ else None, "bots": None if bots else "false"}
            query |= {"limit": limit, "cursor": found.next}
            next_page = with_query("/v1/games", query)
        headers = {"Cache-Control": "private, no-cache"} | VARY | link_header(next_page)
        named = await runtime.players.named(players_of(found.items) | ({viewer} if viewer else set()))
        items = [with_names(listed, named) for listed in found.items if not is_hidden(runtime.players, viewer, listed)]
        return CompressedResponse(encode(PageResource(items, next_page)), headers=headers)

    async def changes(
        search: Search, position: int, viewer: str | None, token_generation: int, place: str
    ) -> AsyncGenerator[bytes, None]:
        with runtime.subscriptions.subscribe(LOBBY_SUBJECT, viewer, place) as subscription:
            news = await feed.after(position, subscription)  # an expired cursor must fail before the stream begins
            if viewer is not None:
                await runtime.players.blocked_by(viewer)
            yield streaming.OPENING + streaming.message(position, "position", encode({"position": position}))
            while not runtime.players.is_barred(viewer, token_generation):
                if found := feed.shown(news, search, viewer):
                    yield b"".join(found)
                position = news[-1].position if news else position
                if len(news) < streaming.BATCH_SIZE and not await subscription.wait(streaming.KEEP_ALIVE):
                    yield streaming.COMMENT
                try:
                    news = await feed.after(position, subscription)
                except CursorExpired:
                    return

    feed = LobbyFeed(runtime, lambda change, item: streaming.message(change.position, change.event, item))
    return lobby
