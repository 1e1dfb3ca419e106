"""What has happened in a game, as each reader may see it: as pages, as lines, or live."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import suppress
from typing import Annotated, Any

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import QueryParameter
from litestar.types import ASGIApp

from domain import game
from domain.game import Rules
from domain.log import Entry, Stored, redacted, served
from domain.wire import encode
from service.api import problems, resources, streams
from service.api.accept import wanted
from service.api.callers import Anything, address, caller
from service.api.contract import JSON, Answer, contract, problem
from service.api.games import As, GameId, Invite, location
from service.api.problems import Refusal
from service.api.replies import Reply, for_one
from service.api.resources import Page
from service.api.schema import OPTIONAL, refusals
from service.api.streams import NDJSON, SSE, STREAMED, VARY, LastEventId, Pieces, Stream
from service.api.visits import ALL, Perspective, Visit
from service.commits import Unavailable
from service.games import Live, NoSuchGame, tag
from service.stammtisch import Stammtisch

After = Annotated[int, QueryParameter(name="after", ge=0, description="Events behind this version only.")]
Limit = Annotated[int, QueryParameter(name="limit", ge=1, le=500, description="How many at most; for pages only.")]
LINES = "As `application/x-ndjson`: all items behind `after`, each on a line of its own."
LIVE = """As `text/event-stream`: all items behind `after`, then each as soon as it happens, until the game is over.
`id` is its version, `event` its type, `data` the item as a page has it."""


def event_routes(rules: Rules, house: Stammtisch) -> list[HTTPRouteHandler]:
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
        visit = Visit(await house.games.find(rules, game_id), caller(request), invite)
        if media_type == JSON:
            return await page(visit, visit.perspective(as_), after, limit, {"as": as_, "invite": invite})
        if media_type == NDJSON:
            return Stream(lines(visit, visit.perspective(as_), after), NDJSON, STREAMED, endless=False)
        visit.followed_as(as_)  # what may not be seen is refused before the stream begins
        position = after if last_event_id is None else int(last_event_id)
        if visit.live.game.revealed and position >= visit.live.game.version:
            return Reply(status=204, headers=STREAMED)
        return Stream(live_events(visit, as_, position, address(request)), SSE, STREAMED, endless=True)

    async def page(
        visit: Visit, perspective: Perspective, after: int, limit: int, query: dict[str, str | None]
    ) -> ASGIApp:
        live = visit.live
        version = live.game.version
        items = [item(live, entry, perspective) for entry in await house.games.log(live, after, after + limit)]
        following = None
        if version > after + limit:
            following = resources.url(f"{location(live)}/events", {"after": after + limit, "limit": limit} | query)
        headers = for_one(visit.etag(perspective, version)) | VARY | resources.link_header(following)
        return Reply(encode(Page(items, following)), headers=headers)

    async def lines(visit: Visit, perspective: Perspective, position: int) -> AsyncGenerator[bytes, None]:
        # Up to where the visitor came, however late he reads: later his seat may be another's, and what it sees.
        live, last = visit.live, visit.door.version
        while position < last:
            entries = await house.games.log(live, position, min(position + streams.PIECE, last))
            position = entries[-1].version
            yield b"".join(encode(item(live, entry, perspective)) + b"\n" for entry in entries)

    async def live_events(visit: Visit, wish: str | None, position: int, place: str) -> AsyncGenerator[bytes, None]:
        live, settled = visit.live, False
        perspective = visit.followed_as(wish)
        player = None if visit.caller is None else visit.caller.id
        with house.hub.following(live.game.id, player, place) as follower:
            await house.games.find(rules, live.game.id)
            yield streams.opening(position)
            while True:
                while position < live.game.version:
                    entries = await house.games.log(live, position, position + streams.PIECE)
                    if not settled:  # until the game begins players come and go, and perspectives with them
                        settled = live.game.status != "waiting"
                        try:
                            visit = visit.renewed()
                            perspective = visit.followed_as(wish)
                        except (NoSuchGame, Refusal):
                            return
                    yield piece(live, perspective, entries)
                    position = entries[-1].version
                    house.hub.delivered += len(entries)
                if live.game.revealed:
                    return
                if not await follower.news(streams.KEEP_ALIVE):
                    with suppress(Unavailable):  # an append that got no answer may have been made all the same
                        await house.games.find(rules, live.game.id)
                    yield streams.COMMENT

    def piece(live: Live, perspective: Perspective, entries: Sequence[Stored[Any]]) -> bytes:
        span = entries[0].version, entries[-1].version
        return pieces.of(
            (live.game.id, perspective, span, live.game.revealed),
            lambda: b"".join(
                streams.message(entry.version, tag(entry.event), encode(item(live, entry, perspective)))
                for entry in entries
            ),
        )

    pieces = Pieces()
    return [events]


def item(live: Live, entry: Stored[Any], perspective: Perspective) -> Entry[Any]:
    """The entry as it is shown from the perspective."""
    if perspective != ALL:
        return redacted(live.rules, entry, perspective)
    if isinstance(entry.event, game.Opened) and not live.game.revealed:
        # Who plays all seats sees every card, but not the secret, and with it the deals to come, before the end.
        return redacted(live.rules, entry, None)
    return served(entry, entry.event)
