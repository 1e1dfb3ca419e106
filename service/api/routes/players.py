"""The routes of players: guests register with a name, everybody has a profile."""

from typing import Annotated

from litestar import Router, get, patch, post
from litestar.params import PathParameter
from litestar.types import ASGIApp

from domain.codec import encode
from domain.game import Player
from projections.players import Profile, profile
from service.api import problems
from service.api.contract import Answer, contract, link, problem
from service.api.input.bodies import body
from service.api.openapi import OPTIONAL, REQUIRED
from service.api.problems import Refusal
from service.api.resources import Identity, NewPlayer
from service.api.routing import routed
from service.http.auth import Anything, caller, signed_in
from service.http.raw_response import RawResponse
from service.identity import guests
from service.identity.display_names import Unpresentable, presentable
from service.runtime import Runtime

PlayerId = Annotated[str, PathParameter(description="Which player: a guest's UUID, or `namespace:sub`.")]


def player_routes(runtime: Runtime) -> Router:
    malformed, limited = problem(problems.Malformed), problem(problems.TooManyRequests, "Retry-After")
    refused = problem(problems.Unauthenticated, "WWW-Authenticate")
    busy = problem(problems.Unavailable, "Retry-After")
    bodied = problem(problems.TooLarge), problem(problems.UnsupportedMediaType)
    common = (malformed, refused, limited, busy)
    links = {"profile": link("player", "What everybody sees of the player.", player_id="$response.body#/id")}

    @post("/", operation_id="register", summary="Register as a guest", status_code=201,
        opt=contract(
            Answer(201, Identity, headers=("Location",), links=links), *common, *bodied,
            body=NewPlayer,
        ),
    )  # fmt: skip
    async def register(request: Anything) -> ASGIApp:
        """A name is all it takes. Keep the token: it is your seat at every game."""
        player = await guests.register(runtime.store, await named(request))
        return identity(player, 201, {"Location": f"/v1/players/{player.id}"})

    @get(
        "/me", operation_id="me", security=REQUIRED, summary="Who you are", opt=contract(Answer(200, Profile), *common)
    )
    async def me(request: Anything) -> ASGIApp:
        """Your profile, private games counted among your games. In your results they never count."""
        player = signed_in(request)
        return shown(await find(player.id, player.id) or Profile(player.id, player.name, ()))

    @patch("/me", operation_id="rename", security=REQUIRED, summary="Change your name",
        opt=contract(
            Answer(200, Identity), *common, problem(problems.Forbidden), problem(problems.TooManyNames), *bodied,
            body=NewPlayer,
        ),
    )  # fmt: skip
    async def rename(request: Anything) -> ASGIApp:
        """Use the new token from now on; the old one still proves who you are, under the old name."""
        player = signed_in(request)
        name = await named(request)
        try:
            return identity(await guests.rename(runtime.store, player, name), 200, {})
        except guests.NotRegistered:
            raise Refusal(problems.Forbidden(detail="Your name is what your site's token says.")) from None

    @get("/{player_id:str}", operation_id="player", security=OPTIONAL, summary="Look at a player",
        opt=contract(Answer(200, Profile), *common, problem(problems.NotFound)),
    )  # fmt: skip
    async def player(request: Anything, player_id: PlayerId) -> ASGIApp:
        """The name, how many games of which kind, and how well they went. Private games are nobody else's business."""
        who = caller(request)
        found = await find(player_id, None if who is None else who.id)
        if found is None:
            raise Refusal(problems.NotFound(detail="There is no such player."))
        return shown(found)

    async def named(request: Anything) -> str:
        new: NewPlayer = await body(request)
        try:
            return presentable(new.name)
        except Unpresentable as error:
            raise problems.malformed("$.name", str(error)) from None

    async def find(player_id: str, viewer: str | None) -> Profile | None:
        await runtime.projection_runner.caught_up()
        return await runtime.ask(profile, player_id, viewer)

    def identity(player: Player, status: int, headers: dict[str, str]) -> ASGIApp:
        named = Identity(player.id, player.name, runtime.tokens.issue(player))
        headers |= {"Cache-Control": "no-store"}
        return RawResponse(encode(named), status=status, headers=headers)

    def shown(found: Profile) -> ASGIApp:
        return RawResponse(encode(found), headers={"Cache-Control": "private, no-cache", "Vary": "Authorization"})

    return routed("/v1/players", [register, me, rename, player], tags=["Players"])
