"""The short way to handlers that are asked most: past the layers of the framework, which take as long as a move itself.

A handler opts in with `opt=contract(...) | SHORT`. It is called with what it would be called with anyhow, as long as
the request is an ordinary one. Whatever is unusual about it (a query, a parameter twice or not as it must be) goes the
long way, where the framework says what is wrong. So there is one handler, and two ways that answer alike (a test holds
them to it).
"""

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple

from litestar import Litestar
from litestar.handlers import HTTPRouteHandler
from litestar.params import HeaderParameter
from litestar.routes import HTTPRoute
from litestar.types import ASGIApp, Receive, Scope, Send

from service.api.problems import problem_reply

FAST_PATH: dict[str, Any] = {"short_way": True}

_PLACE = re.compile(r"/v1/games/([^/]+)/([^/]+)(?:/([^/]+))?")


class Call(NamedTuple):
    """As much of a request as the handlers with a short way look at."""

    scope: Scope
    receive: Receive
    route_handler: HTTPRouteHandler


class Header(NamedTuple):
    """A header that a handler takes: as which argument, and what it must look like."""

    argument: str
    pattern: re.Pattern[str] | None


class FastRoute(NamedTuple):
    """A handler, what it takes from the path, and what it takes from headers."""

    handler: HTTPRouteHandler
    run: Callable[..., Awaitable[ASGIApp]]
    argument: str
    headers: Mapping[bytes, Header]


class FastPath:
    """The application, with short ways to the paths `/v1/games/{ruleset}/{game_id}` and what lies directly below."""

    def __init__(self, app: Litestar) -> None:
        self._app: ASGIApp = app
        self._ways: dict[tuple[str, str, str], FastRoute] = {}
        for route in app.routes:
            for method, (handler, _) in route.route_handler_map.items() if isinstance(route, HTTPRoute) else ():
                if handler.opt.get("short_way"):
                    _, _, _, ruleset, place, *below = route.path_format.split("/")
                    self._ways[method, ruleset, "".join(below)] = _way(handler, place.strip("{}"))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = self._find(scope)
        if found is None:
            await self._app(scope, receive, send)
            return
        way, given = found
        try:
            reply = await way.run(request=Call(scope, receive, way.handler), **given)
        except Exception as error:
            reply = problem_reply(error)
        await reply(scope, receive, send)

    def _find(self, scope: Any) -> tuple[FastRoute, dict[str, str]] | None:
        """The way that the request may take, and the arguments of its handler."""
        if scope["type"] != "http" or scope["query_string"]:
            return None
        place = _PLACE.fullmatch(scope["path"])
        if place is None:
            return None
        ruleset, game, below = place.groups("")
        way = self._ways.get((scope["method"], ruleset, below))
        if way is None:
            return None
        given = {way.argument: game}
        headers = way.headers
        for name, value in scope["headers"]:
            if name in headers:
                argument, pattern = headers[name]
                text = value.decode("latin-1")
                if argument in given or (pattern is not None and not pattern.search(text)):
                    return None
                given[argument] = text
        return way, given


def _way(handler: HTTPRouteHandler, argument: str) -> FastRoute:
    headers = {}
    for name, parameter in handler.parsed_fn_signature.parameters.items():
        stated = parameter.kwarg_definition
        if isinstance(stated, HeaderParameter):
            pattern = None if stated.pattern is None else re.compile(stated.pattern)
            headers[(stated.name or name).lower().encode()] = Header(name, pattern)
    return FastRoute(handler, handler.fn, argument, headers)
