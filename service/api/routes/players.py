"""The routes of players: registration of guests, names and profiles."""

from typing import Annotated

from litestar import Router, get, patch, post
from litestar.params import PathParameter
from litestar.types import ASGIApp

from domain.codec import encode
from domain.game import Player
from projections.players import Profile, profile
from service.api import problems
from service.api.contract import OPTIONAL, REQUIRED, Answer, contract, link, problem
from service.api.input.bodies import body
from service.api.problems import ProblemError
from service.api.resources import Identity, NewPlayer
from service.api.routing import router
from service.http.auth import caller, signed_in
from service.http.raw_response import RawResponse
from service.http.request import LazyRequest
from service.identity import guests
from service.identity.display_names import InvalidName, normalized_name
from service.runtime import Runtime

PlayerId = Annotated[str, PathParameter(description="The id of the player: a guest's UUID, or `namespace:sub`.")]


def player_routes(runtime: Runtime) -> Router:
    malformed, rate_limited = problem(problems.Malformed), problem(problems.TooManyRequests, "Retry-After")
    unauthenticated = problem(problems.Unauthenticated, "WWW-Authenticate")
    unavailable = problem(problems.Unavailable, "Retry-After")
    with_body = problem(problems.TooLarge), problem(problems.UnsupportedMediaType)
    common = (malformed, unauthenticated, rate_limited, unavailable)
    links = {"profile": link("player", "Get the player's profile.", player_id="$response.body#/id")}

    @post("/", operation_id="register", summary="Register as a guest", status_code=201,
        opt=contract(
            Answer(201, Identity, headers=("Location",), links=links), *common, *with_body,
            body=NewPlayer,
        ),
    )  # fmt: skip
    async def register(request: LazyRequest) -> ASGIApp:
        """Creates a player with a name and returns their token. Keep the token: it cannot be issued again."""
        player = await guests.register(runtime.store, await requested_name(request))
        return identity(player, 201, {"Location": f"/v1/players/{player.id}"})

    @get(
        "/me",
        operation_id="me",
        security=REQUIRED,
        summary="Get your profile",
        opt=contract(Answer(200, Profile), *common),
    )
    async def me(request: LazyRequest) -> ASGIApp:
        """Returns the caller's profile. The numbers of games include private games; the results do not."""
        player = signed_in(request)
        return shown(await find(player.id, player.id) or Profile(player.id, player.name, ()))

    @patch("/me", operation_id="rename", security=REQUIRED, summary="Change your name",
        opt=contract(
            Answer(200, Identity), *common, problem(problems.Forbidden), problem(problems.TooManyNames), *with_body,
            body=NewPlayer,
        ),
    )  # fmt: skip
    async def rename(request: LazyRequest) -> ASGIApp:
        """Changes the name of a guest and returns a token with the new name. The old token stays valid, with the old
        name."""
        player = signed_in(request)
        name = await requested_name(request)
        try:
            return identity(await guests.rename(runtime.store, player, name), 200, {})
        except guests.NotRegistered:
            raise ProblemError(problems.Forbidden(detail="Your name comes from the token of your site.")) from None

    @get("/{player_id:str}", operation_id="player", security=OPTIONAL, summary="Get a player",
        opt=contract(Answer(200, Profile), *common, problem(problems.NotFound)),
    )  # fmt: skip
    async def player(request: LazyRequest, player_id: PlayerId) -> ASGIApp:
        """Returns a player's name, number of games and results by ruleset. Private games are not included."""
        viewer = caller(request)
        found = await find(player_id, None if viewer is None else viewer.id)
        if found is None:
            raise ProblemError(problems.NotFound(detail="This player does not exist."))
        return shown(found)

    async def requested_name(request: LazyRequest) -> str:
        new: NewPlayer = await body(request)
        try:
            return normalized_name(new.name)
        except InvalidName as error:
            raise problems.malformed_request("$.name", str(error)) from None

    async def find(player_id: str, viewer: str | None) -> Profile | None:
        await runtime.projection_runner.caught_up()
        return await runtime.ask(profile, player_id, viewer)

    def identity(player: Player, status: int, headers: dict[str, str]) -> ASGIApp:
        created = Identity(player.id, player.name, runtime.tokens.issue(player))
        headers |= {"Cache-Control": "no-store"}
        return RawResponse(encode(created), status=status, headers=headers)

    def shown(found: Profile) -> ASGIApp:
        return RawResponse(encode(found), headers={"Cache-Control": "private, no-cache", "Vary": "Authorization"})

    return router("/v1/players", [register, me, rename, player], tags=["Players"])
