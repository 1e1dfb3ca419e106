"""Applications that start fast, after the first one of a process.

Most of the start of an application is spent on the signatures of its handlers. The handlers are closures, so each
application has its own, but their code and their annotations are the same. Here the framework parses each signature
once and gives equal handlers the same models, which nothing changes later; those that get dependencies, equal handlers
of one application. A route is prepared when its first request arrives, and the first application with the same routes
is prepared as a whole; a path is parsed once. The pages are read once, and their HTML is filled once for all
applications with the same files; the OpenAPI document is made once for all applications with the same routes.
Creating an application takes 62 ms without what is said of routes and pages, and 18 ms with it.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from litestar import Litestar, Router
from litestar._asgi.asgi_router import ASGIRouter
from litestar._asgi.routing_trie.mapping import build_route_middleware_stack
from litestar._kwargs import KwargsModel
from litestar._openapi.plugin import OpenAPIPlugin
from litestar._signature import SignatureModel
from litestar.handlers import WebsocketRouteHandler
from litestar.params import ParameterKwarg
from litestar.routes import HTTPRoute
from litestar.routes.base import BaseRoute
from litestar.types.internal_types import RouteHandlerMapItem
from litestar.utils.signature import ParsedSignature

from service.documents.document import DocumentPlugin
from service.extension import REGISTERED
from service.pages import web
from service.process import packages
from service.server.compression import CompressedResponse

_parse = ParsedSignature.from_fn
_model = SignatureModel.create
_kwargs = KwargsModel.create_for_signature_model
_find = ASGIRouter._handle_routing
_trie = ASGIRouter.construct_routing_trie
_schema = OpenAPIPlugin.provide_openapi
_path = BaseRoute._parse_path
_read = web.read
_shell = web.shell_of
_document = DocumentPlugin._make
_routes: Any = Router.route_handler_method_map.fget  # type: ignore[attr-defined]

_parsed: dict[tuple[object, ...], ParsedSignature] = {}
_models: dict[tuple[object, ...], tuple[type[SignatureModel], ParsedSignature]] = {}
_keywords: dict[tuple[object, ...], tuple[KwargsModel, type[SignatureModel], Mapping[str, Any]]] = {}
"""All of these keep the objects alive whose ids are in the key."""
_files: dict[tuple[Any, ...], dict[str, bytes]] = {}
_shells: dict[tuple[web.Page, str, str], bytes] = {}
_documents: dict[tuple[frozenset[Any], tuple[tuple[str, int], ...]], CompressedResponse] = {}


def parse(fn: Any, signature_namespace: dict[str, Any]) -> ParsedSignature:
    """A parsed signature has the annotations and the defaults of the first function with this code."""
    code = getattr(fn, "__code__", None)
    if code is None or signature_namespace:
        return _parse(fn, signature_namespace)
    values = (*(fn.__defaults__ or ()), *(fn.__kwdefaults__ or {}).values(), *fn.__annotations__.values())
    key = (code, *map(id, values))
    if key not in _parsed:
        _parsed[key] = _parse(fn, signature_namespace)
    return _parsed[key]


def model(*, fn: Any, parsed_signature: ParsedSignature, type_decoders: Sequence[Any], **rest: Any) -> Any:
    given = {"fn": fn, "parsed_signature": parsed_signature, "type_decoders": type_decoders, **rest}
    names = rest.pop("dependency_name_set")
    if any(rest.values()):  # data transfer objects: we have none
        return _model(**given)
    # The decoders are those of the framework's plugins, made for each application.
    key = (fn.__name__, id(parsed_signature), frozenset(names), *(applies for applies, _ in type_decoders))
    if key not in _models:
        _models[key] = _model(**given), parsed_signature
    return _models[key][0]


def keywords(
    *, signature_model: type[SignatureModel], dependencies: Mapping[str, Any], path_parameters: set[str],
    layered_parameters: Mapping[str, Any], **rest: Any,
) -> KwargsModel:  # fmt: skip
    given = {"dependencies": dependencies, "layered_parameters": layered_parameters, **rest}
    if layered_parameters:
        return _kwargs(signature_model=signature_model, path_parameters=path_parameters, **given)
    known = _keywords
    for dependency in dependencies.values():  # of one application: the models live as long as it does
        known = vars(dependency.dependency).setdefault("keywords", {})
    key = (id(signature_model), frozenset(path_parameters), *map(id, dependencies.values()))
    if key not in known:
        made = _kwargs(signature_model=signature_model, path_parameters=path_parameters, **given)
        known[key] = made, signature_model, dependencies
    return known[key][0]


class Routing:
    """Finds the handlers of requests for one application, as the framework's router does.

    A route is prepared when its first request arrives. The paths are those of an earlier application with the same
    routes, which was prepared as a whole.
    """

    whole: dict[frozenset[Any], ASGIRouter] = {}

    def __init__(self, router: ASGIRouter) -> None:
        self.router, self.app = router, router.app
        self.routes: dict[tuple[str, str], Any] = {}
        self.prepared: dict[tuple[str, str], Any] = {}
        """What the framework calls, by template of the path and method."""
        self.arguments: dict[tuple[int, frozenset[str]], KwargsModel] = {}
        """By id of the handler and names of the parameters in the path."""

    def find(self, path: str, method: Any) -> Any:
        if not self.routes:
            self.routes = {(each.path_format, each.scope_type): each for each in self.app.routes}
            paths = frozenset((*place, frozenset(each.methods)) for place, each in self.routes.items())
            if paths not in self.whole:
                prepare(self.app)
                _trie(self.router)
                self.whole[paths] = self.router
            self.known = self.whole[paths]
        found = _find(self.known, path, method)
        if self.known is self.router:
            return found
        _, handler, path, parameters, template = found
        kind = "websocket" if isinstance(handler, WebsocketRouteHandler) else "http"
        if (template, method) not in self.prepared:
            self.prepared[template, method] = self._prepare(self.routes[template, kind], method)
        return *self.prepared[template, method], path, parameters, template

    def _prepare(self, route: Any, method: str) -> tuple[Any, Any]:
        if isinstance(route, HTTPRoute):
            for each in route.route_handlers:
                for its in each.http_methods:
                    route.route_handler_map[its] = each, self._arguments(each, route)
            handler: Any = route.route_handler_map[method][0]
        else:
            handler = route.route_handler
            route.handler_parameter_model = self._arguments(handler, route)
        return build_route_middleware_stack(self.app, route, handler), handler

    def _arguments(self, handler: Any, route: Any) -> KwargsModel:
        key = id(handler), frozenset(route.path_parameters)
        if key not in self.arguments:
            handler.on_registration(self.app)
            self.arguments[key] = handler.create_kwargs_model(path_parameters=route.path_parameters)
        return self.arguments[key]


def prepare(app: Litestar) -> None:
    """Do what the framework does when it registers routes."""
    routing = Routing(app.asgi_router)
    for route in app.routes:
        for method in route.methods:
            routing._prepare(route, method)
        for plugin in app.plugins.receive_route:
            plugin.receive_route(route)


def schema(plugin: OpenAPIPlugin) -> Any:
    if not plugin.included_routes:
        prepare(plugin.app)
    return _schema(plugin)


class Routes:
    """The HTTP handlers by path and method, as `Router.route_handler_method_map`, which the framework makes of all
    routes for each route that it adds. It fills one router after the other."""

    latest: "Routes | None" = None

    def __init__(self, router: Router) -> None:
        self.router = router
        self.places: dict[str, int] = {}
        self.seen = 0

    @classmethod
    def of(cls, router: Router) -> "Routes":
        if cls.latest is None or cls.latest.router is not router:
            cls.latest = cls(router)
        return cls.latest

    def get(self, path: str, otherwise: RouteHandlerMapItem) -> RouteHandlerMapItem:
        routes = self.router.routes
        for place in range(self.seen, len(routes)):  # a route is added at the end, or replaces that of its path
            if isinstance(routes[place], HTTPRoute):
                self.places[routes[place].path] = place
        self.seen = len(routes)
        if path not in self.places:
            return otherwise
        found: Any = routes[self.places[path]]
        return {method: each for each in found.route_handlers for method in each.http_methods}

    def items(self) -> Iterable[tuple[str, RouteHandlerMapItem]]:
        return _routes(self.router).items()


def read(folder: Path = web.FOLDER) -> dict[str, bytes]:
    key = folder, *REGISTERED, *packages._served
    if key not in _files:
        _files[key] = _read(folder)
    return dict(_files[key])


def shell(files: dict[str, bytes], page: web.Page, digest: str, *of: Any) -> bytes:
    """`digest` is that of all files."""
    key = (page, digest, repr(of))
    if key not in _shells:
        _shells[key] = _shell(files, page, digest, *of)
    return _shells[key]


async def document(plugin: DocumentPlugin, app: Litestar) -> CompressedResponse:
    handlers = {
        (route.path_format, method, handler.fn.__code__)
        for route in app.routes
        if isinstance(route, HTTPRoute)
        for handler in route.route_handlers
        for method in handler.http_methods
    }
    key = frozenset(handlers), tuple((name, id(rules)) for name, rules in plugin.registry.items())
    if key not in _documents:
        _documents[key] = await _document(plugin, app)
    return _documents[key]


def framework(app: Any) -> Litestar:
    """The application within the layers in front of it."""
    while not isinstance(app, Litestar):
        app = app._app
    return app


def remember_signatures() -> None:
    """In this process, from now on."""
    ParsedSignature.from_fn = staticmethod(parse)  # type: ignore[method-assign, assignment]
    SignatureModel.create = staticmethod(model)  # type: ignore[method-assign, assignment]
    KwargsModel.create_for_signature_model = staticmethod(keywords)  # type: ignore[method-assign, assignment]
    Router.route_handler_method_map = property(Routes.of)  # type: ignore[method-assign, assignment]
    Litestar.register = Router.register  # type: ignore[method-assign, assignment]
    ASGIRouter._handle_routing = property(lambda router: Routing(router).find)  # type: ignore[method-assign, assignment]
    OpenAPIPlugin.provide_openapi = schema  # type: ignore[method-assign]
    BaseRoute._parse_path = staticmethod(cache(_path))  # type: ignore[method-assign, assignment]
    ParameterKwarg.__hash__ = lambda made: hash(made.description)  # type: ignore[method-assign]
    web.read = read
    web.shell_of = shell
    DocumentPlugin._make = document  # type: ignore[method-assign]
