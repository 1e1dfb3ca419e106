"""Litestar's OpenAPI configuration: title, tags, security and headers; served at `/schema/openapi.json`."""

from collections.abc import Mapping
from typing import Annotated, Any

from litestar import Response
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import Components, License, SecurityScheme, Tag
from msgspec import Meta

from domain.codec import encode
from domain.game import Rules
from service.api.problems import MEDIA_TYPE, NotFound
from service.documents import any_ruleset
from service.documents.document import DocumentPlugin
from service.extension import REGISTERED
from service.server.own_router import OwnRouter

HEADERS: Mapping[str, Any] = {
    "Cache-Control": Annotated[str, Meta(description="Responses about games are private to the caller.")],
    "Content-Disposition": Annotated[str, Meta(description="The name of the file, `ID.game.json`.")],
    "Content-Location": Annotated[
        str, Meta(description="The URL of the same bytes, of a record without names once the game is archived.")
    ],
    "ETag": Annotated[str, Meta(description="The version of the game and the viewer of this representation.")],
    "Idempotency-Replayed": Annotated[
        str, Meta(description="`true` if an earlier request with the same key had this effect.")
    ],
    "Link": Annotated[str, Meta(description='The next page, as `rel="next"`.')],
    "Location": Annotated[str, Meta(description="The URL of the new resource.")],
    "Preference-Applied": Annotated[str, Meta(description="`return=minimal` if the request preferred it.")],
    "RateLimit": Annotated[
        str, Meta(description="Remaining requests (`r`) and seconds until the full quota is available again (`t`).")
    ],
    "RateLimit-Policy": Annotated[str, Meta(description="The quota (`q`) and its window in seconds (`w`).")],
    "Retry-After": Annotated[str, Meta(description="Seconds to wait before the next attempt.")],
    "Vary": Annotated[str, Meta(description="`Authorization` and `Invite`, because views differ by caller; `Accept`.")],
    "WWW-Authenticate": Annotated[str, Meta(description="A bearer token is required.")],
}

DESCRIPTION = """A REST API for card games: for frontends, bots and audit tools.

A *ruleset* is a set of rules. A *game* is one play of a ruleset. A *seat* is a place in a game, and a *player* sits
there. A *bystander* watches. A *view* is the game as a seat or a bystander may see it.

Register as a guest, open a game, let the others join, and post one of the legal moves that every response lists.

Every error is a problem document (RFC 9457); its `type` identifies the problem. Any operation can return `banned`
(403), `method-not-allowed` (405), `url-too-long` (414), `head-too-large` (431), `internal` (500) and
`unsupported-transfer-coding` (501); they are not repeated at each operation.
"""


def openapi_config(registry: Mapping[str, Rules]) -> OpenAPIConfig:
    bearer = SecurityScheme(type="http", scheme="bearer", bearer_format="JWT", description="The token of a player.")
    games = [Tag(rules.labels["en"].title, rules.labels["en"].summary) for rules in registry.values()]
    plugin = DocumentPlugin(registry, HEADERS)
    return OpenAPIConfig(
        title="Stammtisch",
        version="1",
        description=DESCRIPTION,
        license=License("MIT", identifier="MIT"),
        use_handler_docstrings=True,
        components=Components(security_schemes={"bearer": bearer}),
        tags=[
            Tag("Players"),
            Tag("Rulesets"),
            Tag("Lobby"),
            Tag(any_ruleset.TAG, any_ruleset.DESCRIPTION),
            *games,
            *(Tag(*tag) for each in REGISTERED.values() for tag in each.tags),
            Tag("Operations"),
        ],
        render_plugins=[plugin],
        openapi_router=OwnRouter(
            "/schema",
            route_handlers=[],
            include_in_schema=False,
            middleware=[plugin.middleware()],
            after_request=_as_problem,
        ),
    )


async def _as_problem(response: Response[Any]) -> Response[Any]:
    """Replaces Litestar's HTML page for unknown paths below the router."""
    if response.status_code != 404:
        return response
    return Response(encode(NotFound()), status_code=404, media_type=MEDIA_TYPE)
