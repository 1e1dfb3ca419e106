"""The routes of films: of finished games of the service, and of records that somebody sends."""

from collections import OrderedDict
from collections.abc import Iterable
from typing import Any

from litestar import Router, post
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp

from domain.codec import encode
from domain.fairness import record
from domain.fairness.record import Record, Unreadable
from domain.game import Revealed
from service.api import problems
from service.api.access import find_game
from service.api.charges import charge_events
from service.api.contract import JSON, REQUIRED, Answer, common_problems, contract, contract_of, problem
from service.api.decoding import parsed
from service.api.problems import ProblemError
from service.core import Core
from service.documents.any_ruleset import Deck, Event, Move, Options
from service.extensions.films import films
from service.extensions.films.films import Film, Projector, encoded_film
from service.extensions.films.row import FILM
from service.games.cached_game import CachedGame
from service.games.games import LONG
from service.live.single_flight import SingleFlight
from service.rest.input.bodies import LargeBodies
from service.rest.input.parameters import GameId, IfNoneMatch, Invite, InviteHeader, OfRules
from service.rest.routing import router, serves
from service.server.auth import address, caller, signed_in
from service.server.compression import CompressedResponse, unchanged
from service.server.raw_response import content_etag, private_headers
from service.server.request import LazyRequest
from service.tasks import computed

MAX_RECORD = 2 * 2**20
"""The largest record of which a film is made, in bytes."""
MAX_CACHED = 64 * 2**20
"""Bytes of films in memory at most, before compression. A film has some hundred KiB to a few MiB, a long one 32 MiB."""
COST = 100
"""Requests that one with a record counts for: 2 MiB are decoded twice."""
LONG_TIMEOUT = 60.0
"""Seconds for the film of a long game."""


def film_routes(rulesets: Iterable[str], runtime: Core) -> list[HTTPRouteHandler]:
    cached_films: OrderedDict[str, tuple[int, CompressedResponse]] = OrderedDict()
    """By game: the revision of the names in the film, and the response."""
    projector = Projector(LONG_TIMEOUT)

    @serves(rulesets, FILM)
    async def film(
        request: LazyRequest, rules: OfRules, game_id: GameId, invite: Invite = None,
        invited: InviteHeader = None, if_none_match: IfNoneMatch = None,
    ) -> ASGIApp:  # fmt: skip
        cached, access = await find_game(runtime.games, rules, game_id, caller(request), invited or invite)
        if not access.header.revealed:
            raise ProblemError(problems.NotFinished())
        runtime.games.need_rules(cached)
        found = await response_of(cached)
        return unchanged(if_none_match, found.headers) or found

    async def response_of(cached: CachedGame) -> CompressedResponse:
        """The response with the film, from the cache if no name has changed since."""
        people = cached.header.opener, *cached.header.players
        roster = await runtime.players.roster(people)
        known = cached_films.get(cached.game.id)
        if known is not None and known[0] == roster.revision:
            cached_films.move_to_end(cached.game.id)
            return known[1]
        await charge_events(cached.game.version, 1)
        names = {player.id: player.name for player in roster.players if player is not None and player.name is not None}
        made = await projected((cached, tuple(names.items())))
        cached_films[cached.game.id] = roster.revision, made
        kept = sum(len(response.body) for _, response in cached_films.values())
        while kept > MAX_CACHED:
            _, (_, oldest) = cached_films.popitem(last=False)
            kept -= len(oldest.body)
        return made

    async def make(wanted: tuple[CachedGame, tuple[tuple[str, str], ...]]) -> CompressedResponse:
        cached, names = wanted
        is_long = cached.game.version >= LONG
        async with runtime.games.long_read(cached.game.id, cached.game.version):
            entries = await runtime.games.log(cached)
            assert isinstance(entries[-1].event, Revealed), "`revealed` is true"
            encoded = await computed(
                lambda: (encode if is_long else encoded_film)(
                    record.complete(record.of(cached.game.id, entries, dict(names)))
                )
            )
        if is_long:  # in a process of its own, with a limit of its memory
            try:
                encoded = await projector.film(encoded, cached.game.id)
            except (films.Busy, films.InvalidRecord) as error:
                raise ProblemError(problems.Unavailable(detail=str(error)), {"Retry-After": "10"}) from None
        return CompressedResponse(encoded, headers=private_headers(content_etag(encoded)))

    projected = SingleFlight(make)
    return [film]


def films_route(projector: Projector) -> Router:
    """The route that makes films of records."""
    body: Any = Record[Options, Deck, Event, Move]  # type: ignore[type-var]
    made: Any = Film[Options, Deck, Event, Move]
    bodies = LargeBodies()

    @post(
        "/", operation_id="make_film", summary="Make a film of a record", security=REQUIRED, status_code=200,
        request_max_body_size=MAX_RECORD,
        opt=contract(
            Answer(200, made),
            *common_problems(),
            problem(problems.InvalidRecord),
            problem(problems.TooLarge),
            problem(problems.UnsupportedMediaType),
            body=body, max_body=MAX_RECORD, body_media=(JSON, record.MEDIA_TYPE), cost=COST,
        ),
    )  # fmt: skip
    async def make_film(request: LazyRequest) -> ASGIApp:
        """Verifies the record of a finished game, up to 2 MiB, and returns its film. The service keeps nothing.
        `Content-Type` can also be the media type of records.

        A process of the service handles one record at a time, and addresses take turns; more than two records that wait
        are 429. Few are received at a time; while networks compete, the one that sends the most can get 503. If making
        the film takes more than 10 seconds, the response is 503.
        """
        signed_in(request)
        async with bodies.read(request) as text:
            await computed(parsed, contract_of(request.route_handler), text)
            try:
                await computed(record.decode, text)
                film = await projector.film(text, address(request))
            except (Unreadable, films.InvalidRecord) as error:
                raise ProblemError(problems.InvalidRecord(detail=str(error))) from None
            except films.Busy as error:
                raise ProblemError(problems.Unavailable(detail=str(error)), {"Retry-After": "10"}) from None
        return CompressedResponse(film, headers={"Cache-Control": "no-store"})

    return router("/v1/films", [make_film], tags=["Films"])
