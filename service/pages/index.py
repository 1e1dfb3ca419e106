"""`GET /` for programs: what this is, and where everything else is. Browsers get the lobby there."""

from collections.abc import Iterable

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp

from domain.codec import encode
from domain.game import Rules
from domain.messages import Value
from service.server.raw_response import RawResponse
from service.server.request import LazyRequest

VARY = {"Vary": "Accept"}


class IndexLinks(Value):
    """Where to go on."""

    documentation: str = "/docs"
    openapi: str = "/schema/openapi.json"
    asyncapi: str = "/schema/asyncapi.json"
    rulesets: str = "/v1/rulesets"
    games: str = "/v1/games"
    register: str = "/v1/players"
    health: str = "/health/ready"


class Index(Value):
    """The service, for programs."""

    name: str
    api: str
    rulesets: tuple[str, ...]
    links: IndexLinks


def index(rulesets: Iterable[Rules]) -> RawResponse:
    found = Index("Stammtisch, a REST API for card games", "/v1", tuple([each.name for each in rulesets]), IndexLinks())
    return RawResponse(encode(found), headers={"Cache-Control": "public, max-age=300"} | VARY)


def wants_page(request: LazyRequest) -> bool:
    """Whether the client is a browser that navigates: those name `text/html`, and programs do not."""
    return "text/html" in request.headers.get("accept", "").lower()


def index_route(rulesets: Iterable[Rules]) -> HTTPRouteHandler:
    """The route of a service without pages."""
    response = index(rulesets)

    @get("/", include_in_schema=False)
    async def root() -> ASGIApp:
        return response

    return root
