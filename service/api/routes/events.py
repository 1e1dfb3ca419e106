"""What has happened in a game, as each reader may see it: as pages, as lines, or live."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import suppress
from typing import Annotated, Any

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import QueryParameter
from litestar.types import ASGIApp

from domain import game
from domain.codec import encode
from domain.game import Rules
from domain.log import Entry, Stored, redacted, served
from service.api import problems, resources
from service.api.contract import JSON, Answer, contract, problem
from service.api.input.access import ALL, BYSTANDER, LiveGameAccess, Perspective
from service.api.input.negotiation import wanted
from service.api.openapi import OPTIONAL, refusals
from service.api.problems import Refusal
from service.api.resources import Page
from service.api.routes.games import As, GameId, Invite, location
from service.games.games import CachedGame, NoSuchGame, tag
from service.http import streaming
from service.http.auth import Anything, address, caller
from service.http.raw_response import RawResponse, private_headers
from service.http.streaming import NDJSON, SSE, STREAMED, VARY, LastEventId, Pieces, Stream
from service.runtime import Runtime
from service.store.group_commit import Unavailable

After = Annotated[int, QueryParameter(name="after", ge=0, description="Events behind this version only.")]
Limit = Annotated[int, QueryParameter(name="limit", ge=1, le=500, description="How many at most; for pages only.")]
LINES = "As `application/x-ndjson`: all items behind `after`, each on a line of its own."
LIVE = """As `text/event-stream`: all items behind `after`, then each as soon as it happens, until the game is over.
`id` is its version, `event` its type, `data` the item as a page has it."""


def event_routes(rules: Rules, runtime: Runtime) -> list[HTTPRouteHandler]:
    """The route of one ruleset's games."""
    name = rules.name
    item_type: Any = Entry[game.event_type(rules)]  # type: ignore[misc]
    page_type: Any = Page[item_type]
    headers = "ETag", "Link", "Cache-Control", "Vary"

    @get(
        "/{game_id:str}/events", operation_id=f"{name}_events", summary="Read what has happened", security=OPTIONAL,
        opt=contract(
            Answer(200, page_type, headers=headers), Answer(200, item_type, LINES, NDJSON),
            Answer(200, item_type, LIVE, SSE),
            Answer(204, description="To a stream that is resumed: the game is over, and you have had it all."),
            *refusals(), problem(problems.NotFound), problem(problems.Forbidden), problem(problems.NotAcceptable),
        ),
    )  # fmt: skip
    async def events(
        request: Anything, game_id: GameId, after: After = 0, limit: Limit = 100, as_: As = None,
        invite: Invite = None, last_event_id: LastEventId = None,
    ) -> ASGIApp:  # fmt: skip
        """The events in order, each as you may see it; everything when the game is over.

        `Accept` chooses between pages, lines and a live stream. A live stream is your own seat's (in a hotseat game
        seat 0's) or a bystander's from the first event to the last, also of a game that is over, unless `as` wishes
        for another: however often it breaks and is resumed, you have received what pages with `as` that seat show.
        """
        media_type = wanted(request, (JSON, NDJSON, SSE))
        access = LiveGameAccess(await runtime.games.find(rules, game_id), caller(request), invite)
        if media_type == JSON:
            return await page(access, as_, after, limit, invite)
        if media_type == NDJSON:
            return Stream(lines(access, access.perspective(as_), after), NDJSON, STREAMED, endless=False)
        access.followed_as(as_)  # what may not be seen is refused before the stream begins
        position = after if last_event_id is None else int(last_event_id)
        if access.cached.game.revealed and position >= access.cached.game.version:
            return RawResponse(status=204, headers=STREAMED)
        return Stream(live_events(access, as_, position, address(request)), SSE, STREAMED, endless=True)

    async def page(access: LiveGameAccess, wish: str | None, after: int, limit: int, invite: str | None) -> ASGIApp:
        cached, perspective = access.cached, access.perspective(wish)
        version = cached.game.version
        if wish is None and cached.game.status != "waiting":
            # All pages show one perspective, also if another seat of a hotseat player has the choice by then, or the
            # game is over. Before a game begins nothing is hidden, and a player may stand up between two pages.
            wish = BYSTANDER if perspective is None else str(perspective)
        query = {"after": after + limit, "limit": limit, "as": wish, "invite": invite}
        items = [item(cached, entry, perspective) for entry in await runtime.games.log(cached, after, after + limit)]
        following = None
        if version > after + limit:
            following = resources.url(f"{location(cached)}/events", query)
        headers = private_headers(access.etag(perspective, version)) | VARY | resources.link_header(following)
        return RawResponse(encode(Page(items, following)), headers=headers)

    async def lines(access: LiveGameAccess, perspective: Perspective, position: int) -> AsyncGenerator[bytes, None]:
        # Up to where the visitor came, however late he reads: later his seat may be another's, and what it sees.
        cached, last = access.cached, access.header.version
        while position < last:
            entries = await runtime.games.log(cached, position, min(position + streaming.PIECE, last))
            position = entries[-1].version
            yield b"".join(encode(item(cached, entry, perspective)) + b"\n" for entry in entries)

    async def live_events(
        access: LiveGameAccess, wish: str | None, position: int, place: str
    ) -> AsyncGenerator[bytes, None]:
        cached, settled = access.cached, False
        perspective = access.followed_as(wish)
        player = None if access.caller is None else access.caller.id
        with runtime.subscriptions.following(cached.game.id, player, place) as follower:
            await runtime.games.find(rules, cached.game.id)
            yield streaming.opening(position)
            while True:
                while position < cached.game.version:
                    entries = await runtime.games.log(cached, position, position + streaming.PIECE)
                    if not settled:  # until the game begins players come and go, and perspectives with them
                        settled = cached.game.status != "waiting"
                        try:
                            access = access.renewed()
                            perspective = access.followed_as(wish)
                        except (NoSuchGame, Refusal):
                            return
                    yield piece(cached, perspective, entries)
                    position = entries[-1].version
                    runtime.subscriptions.delivered += len(entries)
                if cached.game.revealed:
                    return
                if not await follower.news(streaming.KEEP_ALIVE):
                    with suppress(Unavailable):  # an append that got no answer may have been made all the same
                        await runtime.games.find(rules, cached.game.id)
                    yield streaming.COMMENT

    def piece(cached: CachedGame, perspective: Perspective, entries: Sequence[Stored[Any]]) -> bytes:
        span = entries[0].version, entries[-1].version
        return pieces.of(
            (cached.game.id, perspective, span, cached.game.revealed),
            lambda: b"".join(
                streaming.message(entry.version, tag(entry.event), encode(item(cached, entry, perspective)))
                for entry in entries
            ),
        )

    pieces = Pieces()
    return [events]


def item(cached: CachedGame, entry: Stored[Any], perspective: Perspective) -> Entry[Any]:
    """The entry as it is shown from the perspective."""
    if perspective != ALL:
        return redacted(cached.rules, entry, perspective)
    if isinstance(entry.event, game.Opened) and not cached.game.revealed:
        # Who plays all seats sees every card, but not the secret, and with it the deals to come, before the end.
        return redacted(cached.rules, entry, None)
    return served(entry, entry.event)
