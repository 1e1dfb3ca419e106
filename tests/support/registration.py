"""Applications that start fast, after the first one of a process.

Most of the start of an application is spent on the signatures of its handlers. The handlers are closures, so each
application has its own, but their code and their annotations are the same. Here the framework parses each signature
once and gives equal handlers the same models, which nothing changes later; those that get dependencies, equal handlers
of one application. A handler of many paths is prepared once, not for each of them; a path is parsed once. The HTML of a
page is filled once for all applications with the same files, and the OpenAPI document is made once for all
applications with the same routes.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from litestar import Litestar, Router
from litestar._kwargs import KwargsModel
from litestar._signature import SignatureModel
from litestar.handlers import BaseRouteHandler, HTTPRouteHandler
from litestar.routes import HTTPRoute
from litestar.routes.base import BaseRoute
from litestar.types.internal_types import RouteHandlerMapItem
from litestar.utils.signature import ParsedSignature

from service.documents.document import DocumentPlugin
from service.pages import web
from service.server.compression import CompressedResponse

_parse = ParsedSignature.from_fn
_model = SignatureModel.create
_kwargs = KwargsModel.create_for_signature_model
_prepare = HTTPRouteHandler.on_registration
_arguments = BaseRouteHandler.create_kwargs_model
_path = BaseRoute._parse_path
_shell = web.shell_of
_document = DocumentPlugin._make
_routes: Any = Router.route_handler_method_map.fget  # type: ignore[attr-defined]

_parsed: dict[tuple[object, ...], ParsedSignature] = {}
_models: dict[tuple[object, ...], tuple[type[SignatureModel], ParsedSignature]] = {}
_keywords: dict[tuple[object, ...], tuple[KwargsModel, type[SignatureModel], Mapping[str, Any]]] = {}
"""All of these keep the objects alive whose ids are in the key."""
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


class Prepared:
    """The handlers of the application that is made: the framework prepares one of them after the other, for each path.
    By id, and by id and names of the parameters in the path."""

    app: Litestar | None = None
    handlers: dict[int, HTTPRouteHandler] = {}
    arguments: dict[tuple[int, frozenset[str]], KwargsModel] = {}


def prepare(handler: HTTPRouteHandler, app: Litestar) -> None:
    if Prepared.app is not app:
        Prepared.app, Prepared.handlers, Prepared.arguments = app, {}, {}
    if id(handler) not in Prepared.handlers:
        Prepared.handlers[id(handler)] = handler
        _prepare(handler, app)


def arguments(handler: BaseRouteHandler, path_parameters: Mapping[str, Any]) -> KwargsModel:
    if id(handler) not in Prepared.handlers:
        return _arguments(handler, dict(path_parameters))
    key = id(handler), frozenset(path_parameters)
    if key not in Prepared.arguments:
        Prepared.arguments[key] = _arguments(handler, dict(path_parameters))
    return Prepared.arguments[key]


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
        for method, (handler, _) in route.route_handler_map.items()
    }
    key = frozenset(handlers), tuple((name, id(rules)) for name, rules in plugin.registry.items())
    if key not in _documents:
        _documents[key] = await _document(plugin, app)
    return _documents[key]


def remember_signatures() -> None:
    """In this process, from now on."""
    ParsedSignature.from_fn = staticmethod(parse)  # type: ignore[method-assign, assignment]
    SignatureModel.create = staticmethod(model)  # type: ignore[method-assign, assignment]
    KwargsModel.create_for_signature_model = staticmethod(keywords)  # type: ignore[method-assign, assignment]
    Router.route_handler_method_map = property(Routes.of)  # type: ignore[method-assign, assignment]
    HTTPRouteHandler.on_registration = prepare  # type: ignore[method-assign]
    BaseRouteHandler.create_kwargs_model = arguments  # type: ignore[method-assign, assignment]
    BaseRoute._parse_path = staticmethod(cache(_path))  # type: ignore[method-assign, assignment]
    web.shell_of = shell
    DocumentPlugin._make = document  # type: ignore[method-assign]
