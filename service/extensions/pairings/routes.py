"""The routes of pairings."""

from collections.abc import AsyncGenerator, Mapping
from datetime import date
from typing import Annotated, Any

from litestar import Router, delete, get, post
from litestar.params import PathParameter, QueryParameter
from litestar.types import ASGIApp
from msgspec import UNSET

from domain.codec import encode
from domain.game import Rules
from service.api import problems
from service.api.charges import RECORDED, charge, charge_events, payer
from service.api.contract import OPTIONAL, QUERY, REQUIRED, Answer, common_problems, contract, problem
from service.api.problems import ProblemError, malformed_request
from service.api.resources import PageResource
from service.core import Core
from service.extensions.pairings import opening, rows
from service.extensions.pairings.desk import Desk
from service.extensions.pairings.difference import between
from service.extensions.pairings.pairings import bounds, pairing_id
from service.extensions.pairings.problems import TooManyInvitations, TooManyPairings
from service.extensions.pairings.resources import (
    DealList,
    NewPairing,
    OwnTable,
    PairingChange,
    PairingDifference,
    PairingResource,
    PairingSummary,
)
from service.extensions.pairings.rows import Pairing
from service.extensions.pairings.stream import changes
from service.games.errors import NoSuchGame
from service.rest.input.bodies import body
from service.rest.input.parameters import IdempotencyKey, IfNoneMatch, Invite, InviteHeader
from service.rest.routing import router
from service.server.auth import address, caller, generation, read_token, signed_in
from service.server.compression import CompressedResponse
from service.server.raw_response import RawResponse, content_etag, not_modified, private_headers
from service.server.request import LazyRequest
from service.server.streaming import SSE, STREAM_HEADERS, LastEventId, Stream

COMMON, MISSING = common_problems(), problem(problems.NotFound)
NO_STORE = {"Cache-Control": "no-store"}

PairingId = Annotated[str, PathParameter(description="The id of the pairing.")]
Key = Annotated[
    str | None,
    QueryParameter(name="key", pattern=r"^[!-~]{1,128}$(?!\n)", description="The `Idempotency-Key` that opened it."),
]
Day = Annotated[
    str | None,
    QueryParameter(
        name="day", pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$(?!\n)", description="The day in UTC, `2026-01-31`."
    ),
]  # fmt: skip
Start = Annotated[
    int | None,
    QueryParameter(
        name="start", ge=0, le=1_000_000, description="The first place in the list of a deal of the day, from 0."
    ),
]
One = Annotated[int, QueryParameter(name="one", ge=1, le=1_000_000, description="The number of a table.")]
Other = Annotated[int, QueryParameter(name="other", ge=1, le=1_000_000, description="The number of another table.")]
List = Annotated[
    DealList | None,
    QueryParameter(name="standing", description="The list of a deal of the day. Default: that of the caller."),
]
LISTED = 50
"""Pairings in a list."""

SHOWN = 2
"""What a table of an answer costs: 0.15 ms."""


def pairing_routes(rulesets: Mapping[str, Rules], desk: Desk) -> Router:
    handlers = [
        _open(rulesets, desk), _list(desk), _get(desk), _difference(desk), _ask(desk), _cancel(desk), _events(desk)
    ]  # fmt: skip
    return router("/v1/pairings", handlers, tags=["Pairings"])


async def _is_organiser(core: Core, desk: Desk, request: LazyRequest, player: str) -> bool:
    token = read_token(dict(request.scope["headers"])[b"authorization"])
    return (token is not None and core.tokens.read(token).site) or await desk.pairings.is_organiser(player)


def _open(rulesets: Mapping[str, Rules], desk: Desk) -> Any:
    core = desk.core

    @post("/", operation_id="open_pairing", security=REQUIRED, summary="Open tables together", status_code=201,
        opt=contract(
            Answer(201, PairingResource, headers=("Location", "Idempotency-Replayed")), *COMMON,
            problem(problems.TooLarge), problem(problems.UnsupportedMediaType), problem(problems.IdempotencyKeyReused),
            problem(TooManyPairings), problem(TooManyInvitations), body=NewPairing, max_body=256 * 1024,
        ),
    )  # fmt: skip
    async def open_pairing(request: LazyRequest, idempotency_key: IdempotencyKey = None) -> ASGIApp:
        """Opens up to 8 tables, for 16 people; organisers open 100. Seats are kept, and each of the people is invited:
        nobody sits before they ask. With `seats` each player who asks gets a table of their own, up to `most`.

        With the same `deal` all tables play the same cards. While it is sealed, each table exists only for the people
        at it, and results are shown to those whose own table is over. When all tables are over, or at `until`,
        everything is revealed.

        The `Idempotency-Key` is required. If the service is stopped meanwhile, it opens the missing tables when it
        starts again.
        """
        player = signed_in(request)
        new: NewPairing = await body(request)
        if idempotency_key is None:
            raise malformed_request("Idempotency-Key", "is required")
        organiser = await _is_organiser(core, desk, request, player)
        wanted = opening.wanted(rulesets, new, player, pairing_id(player, idempotency_key), organiser=organiser)
        await opening.check_people(core.players, wanted.seating)
        if not organiser:  # organisers have a limit of tables for each hour instead
            for _ in wanted.seating:
                await charge(payer(), QUERY, opens=True)
        made, fresh = await desk.pairings.create(wanted.pairing, wanted.seating, bounds(organiser=organiser))
        if made.request != wanted.pairing.request:
            raise ProblemError(problems.IdempotencyKeyReused())
        headers = {"Location": f"/v1/pairings/{made.id}"} | NO_STORE
        if not fresh:
            headers["Idempotency-Replayed"] = "true"
        return RawResponse(encode(await desk.views.shown(made, player)), status=201, headers=headers)

    return open_pairing


def _list(desk: Desk) -> Any:
    @get("/", operation_id="pairings", security=OPTIONAL, summary="List pairings",
        opt=contract(Answer(200, PageResource[PairingSummary]), *COMMON),
    )  # fmt: skip
    async def pairings(request: LazyRequest, key: Key = None, day: Day = None) -> ASGIApp:
        """Returns those of a day, one for each ruleset that has a deal of the day; or the one that the caller opened
        with a key; or the latest 50 that the caller opened or has a table of."""
        found: list[Pairing] = []
        viewer = caller(request)
        query = desk.core.mutable.query
        if day is not None:
            if key is not None:
                raise malformed_request("?key", "cannot be combined with `day`")
            try:
                date.fromisoformat(day)
            except ValueError:
                raise malformed_request("?day", "is no day") from None
            found = await query(rows.of_days, day)
        elif key is not None:
            one = None if viewer is None else await query(rows.find, pairing_id(viewer, key))
            found = [] if one is None else [one]
        elif viewer is not None:
            found = await query(rows.of_player, viewer, LISTED)
        page = PageResource(await desk.views.summaries(found, viewer), None)
        return CompressedResponse(encode(page), headers={"Cache-Control": "private, no-cache"})

    return pairings


def _get(desk: Desk) -> Any:
    @get("/{pairing_id:str}", operation_id="pairing", security=OPTIONAL, summary="Get a pairing",
        opt=contract(
            Answer(200, PairingResource, headers=("ETag", "Cache-Control")),
            Answer(304, headers=("ETag",)), *COMMON, MISSING,
        ),
    )  # fmt: skip
    async def pairing(
        request: LazyRequest, pairing_id: PairingId, start: Start = None, standing: List = None, invite: Invite = None,
        invited: InviteHeader = None, if_none_match: IfNoneMatch = None,
    ) -> ASGIApp:  # fmt: skip
        """Returns the tables, as the caller may see them. The owner, the people at the tables and holders of the code
        see a pairing; everybody sees a deal of the day."""
        viewer = caller(request)
        found = await desk.pairings.visible(pairing_id, viewer, invited or invite)
        seen = await desk.views.shown(found, viewer, start=start, standing=standing)
        if desk.is_over(found, seen):  # nobody has to wait until the service looks after it
            await desk.pairings.advance(found)
            seen = await desk.views.shown(await desk.pairings.find(found.id), viewer, start=start, standing=standing)
        await charge(payer(), SHOWN * len(seen.tables))
        encoded = encode(seen)
        headers = private_headers(content_etag(encoded))
        return not_modified(if_none_match, headers["ETag"]) or CompressedResponse(encoded, headers=headers)

    return pairing


def _difference(desk: Desk) -> Any:
    core = desk.core

    @get("/{pairing_id:str}/difference", operation_id="pairing_difference", security=OPTIONAL,
        summary="Compare two tables", opt=contract(Answer(200, PairingDifference), *COMMON, MISSING),
    )  # fmt: skip
    async def pairing_difference(
        request: LazyRequest, pairing_id: PairingId, one: One, other: Other, invite: Invite = None,
        invited: InviteHeader = None,
    ) -> ASGIApp:  # fmt: skip
        """Returns the first choice of players in which two tables differ, once the common deal is revealed. Choices of
        bots do not count."""
        found = await desk.pairings.visible(pairing_id, caller(request), invited or invite)
        tables = {each.number: each for each in await core.mutable.query(rows.tables, found.id)}
        if not (found.settled and found.common) or not {one, other} <= {*tables}:
            raise ProblemError(problems.NotFound(detail="The pairing has no such tables, or is not revealed."))
        try:
            games = [await core.games.find_any(tables[number].game) for number in (one, other)]
        except NoSuchGame:
            raise ProblemError(problems.NotFound(detail="A table was never opened.")) from None
        if any(cached.game.state is None for cached in games):
            raise ProblemError(problems.NotFound(detail="The rules of these games are not loaded."))
        await charge_events(sum(cached.game.version for cached in games), RECORDED)
        seats = [seat for seat, place in enumerate(tables[one].seats) if place.bot is UNSET]
        made = await between(core, games[0], games[1], seats, address(request))
        return CompressedResponse(encode(made), headers={"Cache-Control": "private, max-age=86400"})

    return pairing_difference


def _ask(desk: Desk) -> Any:
    @post("/{pairing_id:str}/tables", operation_id="play_pairing", security=REQUIRED, status_code=201,
        summary="Play a pairing",
        opt=contract(
            Answer(201, OwnTable, headers=("Location",)), Answer(200, OwnTable, headers=("Location",)), *COMMON,
            MISSING, problem(problems.TooManyGames), problem(problems.StorageExhausted),
        ),
    )  # fmt: skip
    async def play_pairing(
        request: LazyRequest, pairing_id: PairingId, invite: Invite = None, invited: InviteHeader = None
    ) -> ASGIApp:
        """Returns the caller's own table. The first request opens it, and the caller sits at it; there is one for each
        player. Leaving it uses it up."""
        player = signed_in(request)
        found = await desk.pairings.visible(pairing_id, player, invited or invite)
        await charge(payer(), QUERY, opens=True)
        cached, new = await desk.pairings.ask(found, player)
        own = OwnTable(found.id, f"/v1/games/{found.ruleset}/{cached.game.id}", cached.game.id)
        return RawResponse(encode(own), status=201 if new else 200, headers={"Location": own.game} | NO_STORE)

    return play_pairing


def _cancel(desk: Desk) -> Any:
    @delete("/{pairing_id:str}", operation_id="cancel_pairing", security=REQUIRED, summary="Cancel a pairing",
        status_code=200, opt=contract(Answer(200, PairingResource), *COMMON, MISSING, problem(problems.Forbidden)),
    )  # fmt: skip
    async def cancel_pairing(request: LazyRequest, pairing_id: PairingId) -> ASGIApp:
        """No further table begins. Tables that wait are cancelled, those that run go on, and a common deal is revealed
        when they are over. It can be repeated."""
        player = signed_in(request)
        found = await desk.pairings.visible(pairing_id, player, None)
        if found.owner != player:
            raise ProblemError(problems.Forbidden(detail="Only who opened a pairing can cancel it."))
        await desk.pairings.cancel(found)
        seen = await desk.views.shown(await desk.pairings.find(found.id), player)
        return CompressedResponse(encode(seen), headers=NO_STORE)

    return cancel_pairing


def _events(desk: Desk) -> Any:
    @get("/{pairing_id:str}/events", operation_id="pairing_events", security=OPTIONAL, summary="Follow a pairing",
        opt=contract(
            Answer(200, PairingChange, media=SSE), *COMMON, MISSING, problem(problems.NotAcceptable),
        ),
    )  # fmt: skip
    async def pairing_events(
        request: LazyRequest, pairing_id: PairingId, invite: Invite = None, invited: InviteHeader = None,
        last_event_id: LastEventId = None,
    ) -> ASGIApp:  # fmt: skip
        """A live stream of a pairing. It begins with all of it, unless it has not changed since `Last-Event-ID`, and
        ends when everything is over. The service looks for changes every second."""
        viewer = caller(request)
        found = await desk.pairings.visible(pairing_id, viewer, invited or invite)
        known = None if last_event_id is None else int(last_event_id)
        stream: AsyncGenerator[bytes, None] = changes(
            desk.watches, desk.core, found.id, viewer, generation(request), address(request), known
        )
        return Stream(stream, SSE, STREAM_HEADERS, endless=True)

    return pairing_events
