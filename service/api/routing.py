"""Routes that lie below one path, and OPTIONS, which names the methods of each."""

from collections.abc import Iterable
from typing import Any

from litestar import HttpMethod, Request, Response, Router, route
from litestar.handlers import HTTPRouteHandler


def routed(path: str, handlers: Iterable[HTTPRouteHandler], **about: Any) -> Router:
    """The routes below the path. `about` is what the router states of all of them: `tags`, `opt`, ...

    Litestar would make a handler of OPTIONS for every path, which takes it longer than all else that it makes of our
    routes, and which forgets methods that are registered later. One does for all.
    """
    handlers = list(handlers)
    paths = sorted({each for handler in handlers for each in handler.paths})

    @route(paths, http_method=HttpMethod.OPTIONS, include_in_schema=False, status_code=204, sync_to_thread=False)
    def options(request: Request[Any, Any, Any]) -> Response[None]:
        (methods,) = (each.methods for each in request.app.routes if each.path_format == request.scope["path_template"])
        return Response(None, headers={"Allow": ", ".join(sorted(methods))})

    return Router(path, route_handlers=[options, *handlers], **about)
