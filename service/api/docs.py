"""The documentation page: Swagger UI over the OpenAPI document. No internet is needed: its files come in a package."""

from functools import cache
from importlib.metadata import distribution
from pathlib import Path

from litestar import MediaType, Response, Router, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

# Located, not imported: the package formats all the pages that it knows, 9 MB of them, when it is imported.
PACKAGE = distribution("offapi")

FILES = {"swagger_style.css": "text/css", "swagger_bundle.js": "text/javascript"}

# Relative URLs, so that the page also works below a path of a reverse proxy. The version makes the files cacheable.
PAGE = f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Stammtisch: the API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/{PACKAGE.version}/swagger_style.css">
<body>
<main id="api"></main>
<script src="docs/{PACKAGE.version}/swagger_bundle.js"></script>
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
    "X-Content-Type-Options": "nosniff",
}


@cache
def bundled(name: str) -> bytes:
    return Path(str(PACKAGE.locate_file(f"offapi/{name}"))).read_bytes()


def docs_routes() -> Router:
    @get("/", media_type=MediaType.HTML, sync_to_thread=False)
    def page() -> Response[str]:
        return Response(PAGE, headers=POLICY | {"Cache-Control": "no-cache"})

    @get("/start.js", media_type="text/javascript", sync_to_thread=False)
    def start() -> Response[str]:
        return Response(START, headers=POLICY | {"Cache-Control": "no-cache"})

    @get(f"/{PACKAGE.version}/{{name:str}}", sync_to_thread=False)
    def file(name: FromPath[str]) -> Response[bytes]:
        if name not in FILES:
            raise NotFoundException
        headers = POLICY | {"Cache-Control": "public, max-age=31536000, immutable"}
        return Response(bundled(name), media_type=FILES[name], headers=headers)

    return Router("/docs", route_handlers=[page, start, file], include_in_schema=False)
