"""A router of the framework that takes less of the start."""

from collections.abc import Iterable
from typing import Any, cast

from litestar import HttpMethod, Router
from litestar.handlers import HTTPRouteHandler, WebsocketRouteHandler
from litestar.routes.base import BaseRoute
from litestar.types import ControllerRouterHandler
from litestar.types.internal_types import RouteHandlerMapItem
from litestar.utils import join_paths


class OwnRouter(Router):
    """A router that one application registers, once.

    So it has handlers by path and nothing else. The framework would make routes and copies of each handler here and
    again in the application: a seventh of the calls of making the application.
    """

    def __init__(self, path: str, **options: Any) -> None:
        self._handlers: dict[str, RouteHandlerMapItem] = {}
        super().__init__(path, **options)

    def __deepcopy__(self, memo: object) -> "OwnRouter":
        return self

    @property
    def route_handler_method_map(self) -> dict[str, RouteHandlerMapItem]:
        return self._handlers

    def register(self, value: ControllerRouterHandler) -> list[BaseRoute]:
        """Add a handler of HTTP or of WebSockets. It belongs to this router from now on."""
        assert isinstance(value, HTTPRouteHandler | WebsocketRouteHandler)
        value.owner = self
        for path in value.paths:
            handlers = self._handlers.setdefault(join_paths([self.path, path]), {})
            methods = value.http_methods if isinstance(value, HTTPRouteHandler) else ("websocket",)
            for method in cast("Iterable[HttpMethod]", methods):
                assert method not in handlers, f"two handlers of {method} {path}"
                handlers[method] = value
        return []
