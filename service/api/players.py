"""The routes of players: guests register with a name, everybody has a profile."""

from typing import Annotated

from litestar import Router, get, patch, post
from litestar.params import PathParameter
from litestar.types import ASGIApp

from domain.game import Player
from domain.wire import encode
from projections.players import Profile, profile
from service import guests
from service.api import problems
from service.api.bodies import body
from service.api.callers import Anything, caller, signed_in
from service.api.contract import Answer, contract, link, problem
from service.api.problems import Refusal
from service.api.replies import Reply
from service.api.resources import Identity, NewPlayer
from service.api.routing import routed
from service.api.schema import OPTIONAL, REQUIRED
from service.names import Unpresentable, presentable
from service.stammtisch import Stammtisch

PlayerId = Annotated[str, PathParameter(description="Which player.")]


def player_routes(house: Stammtisch) -> Router:
    malformed, limited = problem(problems.Malformed), problem(problems.TooManyRequests, "Retry-After")
    refused = problem(problems.Unauthenticated, "WWW-Authenticate")
    busy = problem(problems.Unavailable, "Retry-After")
    bodied = problem(problems.TooLarge), problem(problems.UnsupportedMediaType)
    common = (malformed, refused, limited, busy)
    links = {"profile": link("player", "What everybody sees of the player.", player_id="$response.body#/id")}

    @post("/", operation_id="register", summary="Register as a guest", status_code=201,
        opt=contract(
            Answer(201, Identity, headers=("Location",), links=links), malformed, limited, busy, *bodied,
            body=NewPlayer,
        ),
    )  # fmt: skip
    async def register(request: Anything) -> ASGIApp:
        """A name is all it takes. Keep the token: it is your seat at every game."""
        player = await guests.register(house.store, await named(request))
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
            return identity(await guests.rename(house.store, player, name), 200, {})
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
        await house.feed.caught_up()
        return await house.ask(profile, player_id, viewer)

    def identity(player: Player, status: int, headers: dict[str, str]) -> ASGIApp:
        named = Identity(player.id, player.name, house.tokens.issue(player))
        headers |= {"Cache-Control": "no-store"}
        return Reply(encode(named), status=status, headers=headers)

    def shown(found: Profile) -> ASGIApp:
        return Reply(encode(found), headers={"Cache-Control": "private, no-cache", "Vary": "Authorization"})

    return routed("/v1/players", [register, me, rename, player], tags=["Players"])
