"""The routes of players: registration of guests, names and profiles."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from typing import Annotated

from litestar import Router, delete, get, patch, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import PathParameter
from litestar.types import ASGIApp
from msgspec import UNSET

from domain.codec import encode
from domain.player import Player
from projections.players import Counted, activity
from service.api import problems
from service.api.contract import OPTIONAL, REQUIRED, WRITE, Answer, contract, link, problem
from service.api.problems import ProblemError, malformed_request
from service.api.resources import (
    HandOverCode,
    Identity,
    IssuedCode,
    PlayerChanges,
    Profile,
    RegistrationRequest,
    SignOut,
)
from service.core import Core
from service.identity.display_names import InvalidName, normalized_name
from service.rest.input.bodies import body
from service.rest.routing import router
from service.server.auth import caller, signed_in
from service.server.raw_response import RawResponse
from service.server.request import LazyRequest
from service.tables.players import CodeInUse, NotRegistered

PlayerId = Annotated[str, PathParameter(description="The id of the player: a guest's UUID, or `namespace:sub`.")]


COMMON = (
    problem(problems.Malformed), problem(problems.Unauthenticated, "WWW-Authenticate"),
    problem(problems.TooManyRequests, "Retry-After"), problem(problems.Unavailable, "Retry-After"),
)  # fmt: skip
WITH_BODY = problem(problems.TooLarge), problem(problems.UnsupportedMediaType)


def device_routes(runtime: Core) -> list[HTTPRouteHandler]:
    """How a guest takes their seats to another device, and signs out."""
    players = runtime.players

    @post("/me/codes", operation_id="hand_over", security=REQUIRED, summary="Take your seats to another device",
        status_code=201, opt=contract(Answer(201, IssuedCode), *COMMON, problem(problems.Forbidden)),
    )  # fmt: skip
    async def hand_over(request: LazyRequest) -> ASGIApp:
        """Creates a code that another device can exchange for a token of the caller: once, within five minutes. It
        replaces the caller's earlier code.

        Put it into the fragment of a link or a QR code, never into the URL of a request. Only for guests: players of a
        site sign in there.
        """
        try:
            code, expires = await players.new_code(signed_in(request))
        except NotRegistered:
            raise not_a_guest() from None
        until = datetime.fromtimestamp(expires, UTC).isoformat().replace("+00:00", "Z")
        return RawResponse(encode(IssuedCode(code, until)), status=201, headers={"Cache-Control": "no-store"})

    @post("/tokens", operation_id="take_over", security=OPTIONAL, summary="Exchange a code for a token",
        status_code=200, opt=contract(
            Answer(200, Identity), *COMMON, problem(problems.NotFound), *WITH_BODY, body=HandOverCode,
        ),
    )  # fmt: skip
    async def take_over(request: LazyRequest) -> ASGIApp:
        """Returns a token of the player who created the code, which is used up by this. 404 if the code does not exist,
        has expired, or was used."""
        given: HandOverCode = await body(request)
        found = await players.exchange(given.code)
        if found is None:
            raise ProblemError(problems.NotFound(detail="This code does not exist, has expired, or was used."))
        player, generation = found
        players.check(player.id, generation)
        token = runtime.tokens.issue(player.id, generation)
        issued = Identity(player.id, player.name or "", token, player.face, player.bot)
        return RawResponse(encode(issued), headers={"Cache-Control": "no-store"})

    @post("/me/sign-out", operation_id="sign_out", security=REQUIRED, summary="Sign out everywhere", status_code=200,
        opt=contract(
            Answer(204, description="All earlier tokens and codes are invalid."), *COMMON, problem(problems.Forbidden),
            *WITH_BODY, body=SignOut,
        ),
    )  # fmt: skip
    async def sign_out(request: LazyRequest) -> ASGIApp:
        """Makes all tokens of the caller invalid, the one of this request included, and closes their streams and
        channels, in all processes within a second.

        For the next five minutes `POST /v1/players/tokens` exchanges the `code` of this request for a new token, also
        repeatedly: if a response is lost, nobody is locked out. Only for guests.
        """
        player = signed_in(request)
        given: SignOut = await body(request)
        try:
            await players.sign_out(player, given.code)
        except CodeInUse:
            raise malformed_request("$.code", "is in use; send another random code") from None
        except NotRegistered:
            raise not_a_guest() from None
        return RawResponse(status=204)

    return [hand_over, take_over, sign_out]


def not_a_guest() -> ProblemError:
    return ProblemError(problems.Forbidden(detail="Your token comes from your site: sign in and out there."))


def player_routes(
    runtime: Core, forget_player: Callable[[str], Awaitable[None]], counted: Sequence[Counted] = ()
) -> Router:
    """`counted` gives the results of a player."""
    players = runtime.players
    links = {"profile": link("player", "Get the player's profile.", player_id="$response.body#/id")}

    @post("/", operation_id="register", summary="Register as a guest", status_code=201,
        opt=contract(
            Answer(201, Identity, headers=("Location",), links=links), problem(problems.Forbidden), *COMMON, *WITH_BODY,
            body=RegistrationRequest, cost=5,
        ),
    )  # fmt: skip
    async def register(request: LazyRequest) -> ASGIApp:
        """Creates a player with a name and returns their token. Keep the token: it cannot be issued again.

        Programs register with `"bot": true`. Their id begins with `bot:`, and `bot` is true wherever the player is
        shown: at seats, in the lobby and in the standings. They have the same permissions and limits as people.
        """
        if runtime.settings.guests == "off":
            raise ProblemError(problems.Forbidden(detail="This service does not register guests."))
        new: RegistrationRequest = await body(request)
        player = await players.register(valid_name(new.name), new.face or None, bot=new.bot)
        assert player.name is not None
        created = Identity(player.id, player.name, runtime.tokens.issue(player.id), player.face, player.bot)
        headers = {"Location": f"/v1/players/{player.id}", "Cache-Control": "no-store"}
        return RawResponse(encode(created), status=201, headers=headers)

    @get(
        "/me",
        operation_id="me",
        security=REQUIRED,
        summary="Get your profile",
        opt=contract(Answer(200, Profile), *COMMON),
    )
    async def me(request: LazyRequest) -> ASGIApp:
        """Returns the caller's profile. The numbers of games include private games; the results do not."""
        player = signed_in(request)
        return await profile(player, player)

    @patch("/me", operation_id="rename", security=REQUIRED, summary="Change your name or face",
        opt=contract(
            Answer(200, Player), *COMMON, problem(problems.Forbidden), problem(problems.TooManyNames), *WITH_BODY,
            body=PlayerChanges, cost=WRITE,
        ),
    )  # fmt: skip
    async def rename(request: LazyRequest) -> ASGIApp:
        """Changes the name of a guest, the face of a player, or both, also in all games that were played before. It can
        take a second until every response shows the change."""
        player = signed_in(request)
        new: PlayerChanges = await body(request)
        changes: dict[str, str | None] = {} if new.face is UNSET else {"face": new.face}
        if new.name is not UNSET:
            changes["name"] = valid_name(new.name)
        try:
            altered = await players.alter(player, changes) if changes else (await players.named([player]))[player]
            return RawResponse(encode(altered), headers={"Cache-Control": "no-store"})
        except NotRegistered:
            raise ProblemError(problems.Forbidden(detail="Your name comes from the token of your site.")) from None

    @delete("/me", operation_id="forget", security=REQUIRED, summary="Have yourself forgotten", status_code=200,
        opt=contract(Answer(204, description="The player is forgotten."), *COMMON),
    )  # fmt: skip
    async def forget(request: LazyRequest) -> ASGIApp:
        """Erases the caller's name and face for ever and makes all of their tokens invalid, also those that a site
        signs later. Within a second no response shows the name.

        The player leaves all unfinished games; in running ones a bot goes on, as `absent` says. A former player's
        `name` is null. All games stay complete and verifiable: events contain the player's id only. Repeating the
        request has no further effect; every other request with the token is refused with 401.
        """
        await forget_player(signed_in(request))
        return RawResponse(status=204)

    @get("/{player_id:str}", operation_id="player", security=OPTIONAL, summary="Get a player",
        opt=contract(Answer(200, Profile), *COMMON, problem(problems.NotFound)),
    )  # fmt: skip
    async def player(request: LazyRequest, player_id: PlayerId) -> ASGIApp:
        """Returns a player's name, face, number of games and results by ruleset. Private games are not included."""
        if not await players.exists(player_id):
            raise ProblemError(problems.NotFound(detail="This player does not exist."))
        return await profile(player_id, caller(request))

    def valid_name(name: str) -> str:
        try:
            return normalized_name(name)
        except InvalidName as error:
            raise problems.malformed_request("$.name", str(error)) from None

    async def profile(player_id: str, viewer: str | None) -> ASGIApp:
        await runtime.projection_runner.caught_up()
        found = await runtime.ask(activity, player_id, viewer, counted)
        named = (await players.named([player_id]))[player_id]
        shown = Profile(player_id, named.name, found.games, found.results, named.face, named.bot)
        headers = {"Cache-Control": "private, no-cache", "Vary": "Authorization"}
        return RawResponse(encode(shown), headers=headers)

    own = device_routes(runtime)
    return router("/v1/players", [register, me, rename, forget, *own, player], tags=["Players"])
