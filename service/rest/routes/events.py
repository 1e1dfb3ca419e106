"""The route of a game's events, redacted for the reader: as JSON pages, as NDJSON or as a live stream (SSE)."""

from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import suppress
from typing import Annotated, Literal, NamedTuple

import msgspec
from litestar.handlers import HTTPRouteHandler
from litestar.params import QueryParameter
from litestar.types import ASGIApp

from domain.codec import encode
from service.api import resources
from service.api.access import BYSTANDER, GameAccess, Perspective, StreamPerspective, find_game, variant
from service.api.charges import charge, cost_of_items, pace, payer
from service.api.contract import JSON
from service.api.event_items import Chunk, ItemReader
from service.api.game_resource import current_roster, location, situation
from service.api.problems import ProblemError, malformed_request
from service.api.resources import PageResource, SeatAssignment, seat_assignments
from service.core import Core
from service.games.cached_game import CachedGame
from service.games.errors import NoSuchGame, ViewsMissing
from service.log.errors import Unavailable
from service.rest.input.negotiation import preferred_type
from service.rest.input.parameters import As, GameId, IfNoneMatch, Invite, InviteHeader, OfRules
from service.rest.routing import serves
from service.server import streaming
from service.server.auth import address, caller, generation
from service.server.compression import CompressedResponse, unchanged
from service.server.rate_limit import Payer
from service.server.raw_response import RawResponse, private_headers
from service.server.request import LazyRequest
from service.server.streaming import NDJSON, SSE, STREAM_HEADERS, VARY, ChunkCache, LastEventId, Stream

After = Annotated[
    int,
    QueryParameter(
        name="after", ge=0, lt=10**15,
        description="Returns only events after this version. A version after the last event is refused.",
    ),
]  # fmt: skip
Limit = Annotated[
    int,
    QueryParameter(
        name="limit", ge=1, le=500, description="The maximum number of items of a page; ignored for NDJSON and streams."
    ),
]
WithEvents = Annotated[
    Literal["patch", "tally", "patch,tally", "state", "patch,state", "tally,state", "patch,tally,state"] | None,
    QueryParameter(
        name="with",
        description="Adds to each item what clients cannot know that do not know the rules. `patch`: how the view "
        "changed. `tally`: what the cards on the table count, where that changed. `state`, for live streams: messages "
        "that say who is to act and the legal moves of the caller.",
    ),
]


class Known(NamedTuple):
    """What the client of a live stream knows from the latest `state`."""

    version: int
    seats: tuple[SeatAssignment, ...] | None


NOTHING_KNOWN = Known(0, None)


def event_routes(rulesets: Iterable[str], runtime: Core) -> list[HTTPRouteHandler]:
    @serves(rulesets, "events")
    async def events(
        request: LazyRequest, rules: OfRules, game_id: GameId, after: After = 0, limit: Limit = 100, as_: As = None,
        with_: WithEvents = None, invite: Invite = None, invited: InviteHeader = None,
        last_event_id: LastEventId = None, if_none_match: IfNoneMatch = None,
    ) -> ASGIApp:  # fmt: skip
        media_type = preferred_type(request, (JSON, NDJSON, SSE))
        extras = () if with_ is None else with_.split(",")
        if "state" in extras and media_type != SSE:
            raise malformed_request("?with", "`state` is for live streams, `Accept: text/event-stream`")
        cached, access = await find_game(runtime.games, rules, game_id, caller(request), invited or invite)
        resumes = media_type == SSE and last_event_id is not None
        position = int(last_event_id or 0) if resumes else after
        if not await runtime.games.reaches(cached, position):
            at = "Last-Event-ID" if resumes else "?after"
            raise malformed_request(at, f"is later than the last event, which is {cached.game.version}")
        extended = "patch" in extras or "tally" in extras
        first = min(cached.game.version - position, limit if media_type == JSON else streaming.BATCH_SIZE)
        await charge(payer(), cost_of_items(first, extended=extended))
        if media_type == JSON:
            return await page(cached, access, after, limit, as_, with_, extras, invite, if_none_match, address(request))
        if media_type == NDJSON:
            reader = reader_of(cached, access.perspective(as_), extras, address(request))
            found = lines(cached, reader, after, access.header.version, payer())
            return Stream(found, NDJSON, STREAM_HEADERS, endless=False)
        perspective = StreamPerspective(access, as_)  # one that is not allowed must fail before the stream begins
        if cached.game.revealed and position >= cached.game.version:
            return RawResponse(status=204, headers=STREAM_HEADERS)
        reader = reader_of(cached, perspective.current, extras, address(request))
        found = _live(
            runtime, chunks, cached, perspective, reader, position, generation(request), address(request),
            payer(), with_state="state" in extras,
        )  # fmt: skip
        return Stream(found, SSE, STREAM_HEADERS, endless=True)

    async def page(
        cached: CachedGame, access: GameAccess, after: int, limit: int, as_: str | None, with_: str | None,
        extras: Sequence[str], invite: str | None, if_none_match: str | None, place: str,
    ) -> ASGIApp:  # fmt: skip
        perspective, version = access.perspective(as_), cached.game.version
        tag = access.etag(perspective, version)
        if response := unchanged(if_none_match, private_headers(tag) | VARY):
            return response
        if as_ is None and cached.game.status != "waiting":
            # All pages show one perspective, even if another seat of a hotseat player has the choice by then, or the
            # game is over. Before a game begins nothing is hidden, and a player may leave between two pages.
            as_ = BYSTANDER if perspective is None else str(perspective)
        entries = await runtime.games.log(cached, after, after + limit)
        reader = reader_of(cached, perspective, extras, place)
        items = [msgspec.Raw(item) for item in await reader.items(entries)] if entries else []
        next_page = None
        if version > after + limit:
            query = {"after": after + limit, "limit": limit, "as": as_, "with": with_, "invite": invite}
            next_page = resources.with_query(f"{location(cached)}/events", query)
        headers = private_headers(tag) | VARY | resources.link_header(next_page)
        return CompressedResponse(encode(PageResource(items, next_page)), headers=headers)

    async def lines(
        cached: CachedGame, reader: ItemReader, position: int, last: int, payer: Payer | None
    ) -> AsyncGenerator[bytes, None]:
        """The events up to `last`, the version at the time of the request. Later the seat may belong to another
        player."""
        first = position
        while position < last:
            if position > first:
                await pace(payer, reader.cost(min(streaming.BATCH_SIZE, last - position)))
            entries = await runtime.games.log(cached, position, min(position + streaming.BATCH_SIZE, last))
            position = entries[-1].version
            yield b"".join(item + b"\n" for item in await reader.items(entries))

    def reader_of(cached: CachedGame, perspective: Perspective, extras: Sequence[str], reader: str) -> ItemReader:
        return ItemReader(
            runtime.games, cached, perspective, patched="patch" in extras, tallied="tally" in extras, reader=reader
        )

    chunks: ChunkCache[Chunk] = ChunkCache()
    return [events]


async def _live(
    runtime: Core, chunks: ChunkCache[Chunk], cached: CachedGame, perspective: StreamPerspective, reader: ItemReader,
    position: int, token_generation: int, place: str, payer: Payer | None, *, with_state: bool,
) -> AsyncGenerator[bytes, None]:  # fmt: skip
    player, known = perspective.access.caller, NOTHING_KNOWN
    with runtime.subscriptions.subscribe(cached.game.id, player, place) as subscription:
        await runtime.games.find(cached.rules, cached.game.id)
        yield streaming.OPENING
        rewinds = cached.rewinds
        while True:
            if cached.rewinds != rewinds:
                return  # what the client has seen is lost
            if runtime.players.is_barred(player, token_generation):
                return  # the token of the stream is no longer valid
            while position < cached.game.version:
                entries = await runtime.games.log(cached, position, position + streaming.BATCH_SIZE)
                try:
                    reader.perspective = perspective.renew(cached)
                except (NoSuchGame, ProblemError):
                    return
                yield await reader.messages(entries, chunks)
                position = entries[-1].version
                if (behind := cached.game.version - position) >= streaming.BATCH_SIZE:
                    await pace(payer, reader.cost(min(behind, streaming.BATCH_SIZE)))
                runtime.subscriptions.delivered += len(entries)
            if with_state:
                try:
                    text, known = await _state_after(runtime, cached, perspective, position, known)
                except (NoSuchGame, ProblemError):
                    return
                if text:
                    yield text
                if position < cached.game.version:
                    continue
            if cached.game.revealed:
                return
            if not await subscription.wait(streaming.KEEP_ALIVE):
                with suppress(Unavailable):  # an append with an unknown outcome may have succeeded
                    await runtime.games.find(cached.rules, cached.game.id)
                yield streaming.COMMENT


async def _state_after(
    runtime: Core, cached: CachedGame, perspective: StreamPerspective, position: int, known: Known
) -> tuple[bytes, Known]:
    """The message `state` after the events up to this position, and what the client knows then; empty if it knows
    everything, or more events have happened. Raises `NoSuchGame` and `ProblemError` as `StreamPerspective.renew`.
    """
    while True:
        roster = await current_roster(runtime.players, cached)
        if cached.game.version != position:
            return b"", known
        perspective.renew(cached)
        seats = seat_assignments(roster, cached.game)
        if known == Known(position, seats):
            return b"", known
        news = None if seats == known.seats else roster
        # Streams with the same permissions share it. A new version clears the responses.
        viewer = perspective.access.viewer(perspective.current)
        key = f"situation {viewer if news is None else variant(viewer, roster.revision)} {news is None}"
        try:
            text = cached.responses.get(key) or encode(situation(cached, perspective, news))
        except ViewsMissing:
            await runtime.games.read_views(cached)
            continue
        cached.responses[key] = text
        return b"event: state\ndata: %b\n\n" % text, Known(position, seats)
