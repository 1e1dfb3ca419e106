"""The documentation page: Swagger UI for the OpenAPI document. It needs no internet: its files are bundled."""

from functools import cache
from importlib.resources import files

from litestar import Router, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.types import ASGIApp

from service.rest.routing import router
from service.server.compression import CompressedResponse
from service.server.raw_response import RawResponse

VERSION = "5.35.0"
"""The version of the bundle in `swagger-ui/`. It is part of the URLs, so browsers can cache the files for ever."""

FILES = {"swagger-ui.css": "text/css; charset=utf-8", "swagger-ui-bundle.js": "text/javascript; charset=utf-8"}

# Relative URLs: the page also works below a path prefix of a reverse proxy.
PAGE = f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Stammtisch: the API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/{VERSION}/swagger-ui.css">
<body>
<main id="api"></main>
<script src="docs/{VERSION}/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
"""

START = """SwaggerUIBundle({
  url: "schema/openapi.json",
  dom_id: "#api",
  deepLinking: true,
  docExpansion: "none",
  defaultModelsExpandDepth: 0,
  persistAuthorization: true,
  validatorUrl: null,
});
"""

POLICY = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
}

FRESH = POLICY | {"Cache-Control": "no-cache"}


@cache
def asset(name: str) -> CompressedResponse:
    headers = POLICY | {"Cache-Control": "public, max-age=31536000, immutable"}
    body = files(__package__).joinpath("swagger-ui", name).read_bytes()
    return CompressedResponse(body, headers=headers, media_type=FILES[name])


def docs_routes() -> Router:
    @get("/")
    async def page() -> ASGIApp:
        return RawResponse(PAGE.encode(), headers=FRESH, media_type="text/html; charset=utf-8")

    @get("/start.js")
    async def start() -> ASGIApp:
        return RawResponse(START.encode(), headers=FRESH, media_type="text/javascript; charset=utf-8")

    @get(f"/{VERSION}/{{name:str}}")
    async def file(name: FromPath[str]) -> ASGIApp:
        if name not in FILES:
            raise NotFoundException
        return asset(name)

    return router("/docs", [page, start, file], include_in_schema=False)
