"""Routers with one handler for OPTIONS, and the routes of the table of operations."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from litestar import HttpMethod, Request, Response, Router, route
from litestar.di import Provide
from litestar.handlers import HTTPRouteHandler
from litestar.types import OperationIDCreator

from domain.game import Rules
from service.api.contract import OPTIONAL, REQUIRED, contracts
from service.api.operations import BY_ID, Operation, ruleset_in
from service.api.problems import methods, unknown_ruleset
from service.games.shelf import Shelf
from service.server.own_router import OwnRouter

OTHERS = "{ruleset:str}"
"""Instead of the name of a ruleset in a path: all that are not loaded."""


def router(path: str, handlers: Iterable[HTTPRouteHandler], **options: Any) -> Router:
    """The handlers below the path, with OPTIONS. `options` are arguments of the Router: `tags`, `opt`, ...

    Litestar would add an OPTIONS handler for each path. That takes longer than the rest of its route set-up and omits
    methods that are registered later, so one handler serves all paths.
    """
    handlers = list(handlers)
    paths = sorted({each for handler in handlers for each in handler.paths})

    @route(paths, http_method=HttpMethod.OPTIONS, include_in_schema=False, status_code=204, sync_to_thread=False)
    def allowed_methods(request: Request[Any, Any, Any]) -> Response[None]:
        (found,) = (each.methods for each in request.app.routes if each.path_format == request.scope["path_template"])
        return Response(None, headers={"Allow": methods(found)})

    return OwnRouter(path, route_handlers=[allowed_methods, *handlers], **options)


def operation(name: str) -> OperationIDCreator:
    """The id of an operation for each ruleset: `NAME_look`."""
    return lambda _handler, _method, parts: f"{parts[2]}_{name}"


def serves(rulesets: Iterable[str], named: str | Operation, **options: Any) -> Callable[[Any], HTTPRouteHandler]:
    """Makes a function the handler of an operation, for the games of these rulesets, or of `OTHERS`. `options` are
    arguments of the handler."""
    row = BY_ID[named] if isinstance(named, str) else named
    rulesets = list(rulesets)
    return route(
        [f"/v1/games/{ruleset}{row.path}" for ruleset in rulesets], http_method=row.method,
        operation_id=operation(row.id), summary=row.summary,
        description=row.description, security=OPTIONAL if row.public else REQUIRED, status_code=row.status,
        opt=contracts(row.contract, takes_body=row.body is not None, cost=row.cost)
        | {"hot": row.hot, "operation": row},
        include_in_schema=OTHERS not in rulesets, **options,
    )  # fmt: skip


def rules_of_request(rulesets: Mapping[str, Rules], shelf: Callable[[], Shelf] = Shelf) -> dict[str, Provide]:
    """The dependency `rules`: those of the ruleset in the path, or what stands in for them if they are not loaded."""

    def rules(request: Request[Any, Any, Any]) -> Any:
        if (known := rulesets.get(ruleset_in(request.scope["path_template"]))) is not None:
            return known
        if (stand_in := shelf().named(request.path_params["ruleset"])) is None:
            raise unknown_ruleset()
        return stand_in

    return {"rules": Provide(rules, sync_to_thread=False)}
