"""What the OpenAPI document says beside the operations, and where it is served: `/schema/openapi.json`."""

from collections.abc import Mapping
from typing import Annotated, Any

from litestar import Response, Router
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import Components, License, SecurityScheme, Tag
from msgspec import Meta

from domain.codec import encode
from domain.game import Rules
from service.api import neutral, problems
from service.api.contract import Answer, Document, problem
from service.api.problems import MEDIA_TYPE, NotFound

REQUIRED: list[dict[str, list[str]]] = [{"bearer": []}]
"""Security of operations for players only."""

OPTIONAL: list[dict[str, list[str]]] = [{}, {"bearer": []}]
"""Security of operations for everybody: no token is needed, but one that is sent must be valid."""

HEADERS: Mapping[str, Any] = {
    "Cache-Control": Annotated[str, Meta(description="Answers about games are for their reader alone.")],
    "ETag": Annotated[str, Meta(description="The version of the game, and for whom this is.")],
    "Idempotency-Replayed": Annotated[str, Meta(description="`true` when the request had been answered before.")],
    "Link": Annotated[str, Meta(description='The next page, as `rel="next"`.')],
    "Location": Annotated[str, Meta(description="Where the new resource is.")],
    "Preference-Applied": Annotated[str, Meta(description="`return=minimal` when that was asked for.")],
    "RateLimit": Annotated[
        str, Meta(description="How many requests may come now (`r`), and in how many seconds all may again (`t`).")
    ],
    "RateLimit-Policy": Annotated[
        str, Meta(description="How many requests may come at once (`q`), and in how many seconds so many again (`w`).")
    ],
    "Retry-After": Annotated[str, Meta(description="Seconds to wait.")],
    "Vary": Annotated[str, Meta(description="`Authorization`: everybody sees another game; `Accept`.")],
    "WWW-Authenticate": Annotated[str, Meta(description="That a bearer token is needed.")],
}

ABOUT = """Card games for other programs: frontends, bots, tools that audit.

A *ruleset* is a set of rules; a *game* is one play of it; a *seat* is a place in it; a *player* sits there; a
*bystander* watches; a *view* is the game as one of them may see it. Register as a guest, open a game, let the others
sit down, and post one of the legal moves that every answer lists. Every problem is a problem document (RFC 9457) whose
`type` says what is wrong. Some of them may come from anywhere and are not repeated at each operation:
`method-not-allowed` (405), `url-too-long` (414), `head-too-large` (431) and `internal` (500).
"""


def refusals() -> tuple[Answer, ...]:
    """How every operation on games may end that is not carried out."""
    return (
        problem(problems.Malformed),
        problem(problems.Unauthenticated, "WWW-Authenticate"),
        problem(problems.TooManyRequests, "Retry-After", "RateLimit", "RateLimit-Policy"),
        problem(problems.Unavailable, "Retry-After"),
    )


def openapi_config(registry: Mapping[str, Rules]) -> OpenAPIConfig:
    bearer = SecurityScheme(type="http", scheme="bearer", bearer_format="JWT", description="The token of a player.")
    games = [Tag(rules.labels["en"].title, rules.labels["en"].summary) for rules in registry.values()]
    return OpenAPIConfig(
        title="Stammtisch",
        version="1",
        description=ABOUT,
        license=License("MIT", identifier="MIT"),
        use_handler_docstrings=True,
        components=Components(security_schemes={"bearer": bearer}),
        tags=[
            Tag("Rulesets"),
            Tag("Players"),
            Tag("Lobby"),
            Tag("Standings"),
            Tag(neutral.TAG, neutral.ABOUT),
            *games,
            Tag("Operations"),
        ],
        render_plugins=[Document(registry, HEADERS)],
        openapi_router=Router("/schema", route_handlers=[], include_in_schema=False, after_request=_as_problem),
    )


async def _as_problem(response: Response[Any]) -> Response[Any]:
    """Litestar answers unknown paths below the router with a page of its own."""
    if response.status_code != 404:
        return response
    return Response(encode(NotFound()), status_code=404, media_type=MEDIA_TYPE)
