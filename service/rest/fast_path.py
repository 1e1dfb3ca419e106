"""The fast path: calls the most frequent handlers directly, past the layers of the framework.

These layers cost more than a whole read. The table of operations names them. A handler gets the same
arguments on both paths. A request takes the fast path only if it is an ordinary one: without a query, and with each
header at most once and well-formed. All others go through the framework, which reports what is wrong. Tests hold both
paths to the same responses, and the routes of the fast path to those of the framework's router.
"""

import re
from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from litestar import Litestar
from litestar.handlers import HTTPRouteHandler
from litestar.params import HeaderParameter
from litestar.routes import HTTPRoute
from litestar.types import ASGIApp, Receive, Scope, Send

from domain.game import Rules
from service.api.problems import problem_reply
from service.rest.input.head import ENCODING, EXPECT
from service.server.raw_response import RawResponse
from service.server.request import HEADERS, LazyRequest

_PATH = re.compile(r"/v1/games/([^/]+)/([^/]+)(?:/([^/]+))?")
"""The paths that the fast path serves, and the templates of their routes: ruleset, game, what follows."""


class FastHeader(NamedTuple):
    """A header that a handler takes: the name of the argument, and the pattern of the value."""

    argument: str
    pattern: re.Pattern[str] | None


UNUSUAL = FastHeader("", re.compile("(?!)"))
"""A header with which requests go through the framework, whatever its value."""


class FastRoute(NamedTuple):
    """A handler with the argument that it takes from the path, and those that it takes from headers."""

    handler: HTTPRouteHandler
    template: str
    call: Callable[..., Awaitable[ASGIApp]]
    argument: str
    headers: Mapping[bytes, FastHeader]
    rules: Any
    """Those of the ruleset in the path."""


class FastPath:
    """The application, with the fast path for `/v1/games/{ruleset}/{game_id}` and its direct subresources.

    The table of routes is made from the application's routes.
    """

    def __init__(self, app: Litestar, rulesets: Mapping[str, Rules] = MappingProxyType({})) -> None:
        self._app = app
        self._routes: dict[tuple[str, str, str], FastRoute] = {}
        """By method, ruleset and subresource (empty for the game itself)."""
        self._others = set[tuple[str, ...]]()
        """Paths that look like those of games, by ruleset, last part and an empty subresource."""
        for route in app.routes:
            if isinstance(route, HTTPRoute):
                template = _PATH.fullmatch(route.path_format)
                if template is not None and "{" not in route.path_format:
                    self._others.add(template.groups(""))
                for handler in route.route_handlers:
                    # Rulesets without rules in this process go through the framework: `/v1/games/{ruleset}`.
                    if handler.opt.get("hot") and "{ruleset}" not in route.path_format:
                        assert template is not None, f"the fast path does not serve {route.path_format}"
                        ruleset, game, subresource = template.groups("")
                        fast = _fast_route(handler, route.path_format, game.strip("{}"), rulesets.get(ruleset))
                        self._routes |= {(method, ruleset, subresource): fast for method in handler.http_methods}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = self.find(scope)
        if found is None:
            await self._app(scope, receive, send)
            return
        route, arguments = found
        scope["route_handler"], scope["path_template"] = route.handler, route.template  # as the framework's router does
        try:
            response = await route.call(request=LazyRequest(scope, receive, send), rules=route.rules, **arguments)
        except Exception as error:
            response = problem_reply(error)
        if not (isinstance(response, RawResponse) and response.is_sent(scope)):
            await response(scope, receive, send)

    def find(self, scope: Any) -> tuple[FastRoute, dict[str, str]] | None:
        """The route of a request and the arguments of its handler; None if the framework has to serve it."""
        if scope["type"] != "http" or scope["query_string"]:
            return None
        path = _PATH.fullmatch(scope["path"])
        if path is None:
            return None
        ruleset, game, subresource = path.groups("")
        route = self._routes.get((scope["method"], ruleset, subresource))
        if route is None or (ruleset, game, subresource) in self._others:
            return None
        arguments = {route.argument: game}
        headers = scope[HEADERS]
        if len(headers) < len(scope["headers"]):  # some are repeated
            return None
        for name in headers.keys() & route.headers.keys():
            argument, pattern = route.headers[name]
            text = headers[name].decode("latin-1")
            if pattern is not None and not pattern.search(text):
                return None
            arguments[argument] = text
        return route, arguments


def _fast_route(handler: HTTPRouteHandler, template: str, argument: str, rules: Any) -> FastRoute:
    headers = dict.fromkeys((ENCODING, EXPECT), UNUSUAL)
    for name, parameter in handler.parsed_fn_signature.parameters.items():
        header = parameter.kwarg_definition
        if isinstance(header, HeaderParameter):
            pattern = None if header.pattern is None else re.compile(header.pattern)
            headers[(header.name or name).lower().encode()] = FastHeader(name, pattern)
    return FastRoute(handler, template, handler.fn, argument, headers, rules)
