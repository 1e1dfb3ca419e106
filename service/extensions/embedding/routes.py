"""The script for pages of other sites."""

from pathlib import Path

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp

from service.pages.web import TYPES, page_response, uncommented
from service.server.compression import current_document
from service.server.cors import ORIGIN_ALLOWED
from service.server.request import LazyRequest

SCRIPT = Path(__file__).parent / "web/embed.js"
ANY_SITE = {"Cross-Origin-Resource-Policy": "cross-origin"}
ANY_ORIGIN = ANY_SITE | {"Access-Control-Allow-Origin": "*"}


def script_route() -> HTTPRouteHandler:
    content = uncommented(SCRIPT.read_bytes())
    elsewhere, here = (page_response(content, TYPES[".js"], headers) for headers in (ANY_ORIGIN, ANY_SITE))

    @get("/embed.js", include_in_schema=False)
    async def script(request: LazyRequest) -> ASGIApp:
        """The header for an allowed origin is added later."""
        return current_document(request, here if ORIGIN_ALLOWED in request.scope else elsewhere)

    return script
