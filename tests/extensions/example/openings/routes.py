"""The route of the openings."""

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp
from service.extensions.openings import table

from domain.codec import encode
from domain.messages import Value
from service.api.contract import REQUIRED, Answer, common_problems, contract
from service.core import Core
from service.server.auth import signed_in
from service.server.raw_response import RawResponse
from service.server.request import LazyRequest


class Openings(Value):
    """How many games the caller has opened."""

    games: int
    """The number of games."""


def openings_route(core: Core) -> HTTPRouteHandler:
    @get(
        "/v1/openings",
        operation_id="openings",
        summary="Count your openings",
        tags=["Players"],
        security=REQUIRED,
        opt=contract(Answer(200, Openings), *common_problems()),
    )
    async def openings(request: LazyRequest) -> ASGIApp:
        """Returns how many games the caller has opened."""
        player = signed_in(request)
        await core.projection_runner.caught_up()
        return RawResponse(encode(Openings(await core.ask(table.opened, player))))

    return openings
