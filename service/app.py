"""The composition root: settings in, application out."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from litestar import Litestar, Router
from litestar.exceptions import HTTPException
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp

from domain.game import Rules
from service import decks
from service import settings as settings_module
from service.api.fast_path import FastPath
from service.api.input.bodies import MAX_BODY
from service.api.input.query import check_query
from service.api.openapi.config import openapi_config
from service.api.problems import exception_handler
from service.api.routes.branches import branch_routes
from service.api.routes.docs import docs_routes
from service.api.routes.events import event_routes
from service.api.routes.games import game_routes
from service.api.routes.lobby import lobby_route
from service.api.routes.operations import operation_routes
from service.api.routes.players import player_routes
from service.api.routes.records import record_routes
from service.api.routes.rulesets import ruleset_routes
from service.api.routes.standings import standings_route
from service.api.routing import router
from service.http.cors import origins, preflights
from service.http.edge import AccessLog, EdgeMiddleware
from service.http.rate_limit import gate
from service.runtime import Runtime
from service.settings import Settings


def create() -> ASGIApp:
    """The application with the settings of the environment, for servers that import it."""
    return create_app(settings_module.read())


def create_app(settings: Settings, routes: Sequence[HTTPRouteHandler] = ()) -> ASGIApp:
    """The application, with these routes beside its own. Its parts are started and stopped by the ASGI lifespan."""
    runtime = Runtime(settings)
    access_log = AccessLog() if settings.access_log else None
    api = rest(runtime, access_log, routes)
    limits = gate(settings.rate_limit, settings.address_limit, settings.guest_limit, runtime.redis)
    answering = preflights(FastPath(api), settings.cors_origins)
    front = EdgeMiddleware(answering, runtime.tokens, runtime.metrics, limits, access_log)
    return origins(front, settings.cors_origins)


def rest(runtime: Runtime, access_log: AccessLog | None = None, routes: Sequence[HTTPRouteHandler] = ()) -> Litestar:
    """The routes, without the front door."""

    @asynccontextmanager
    async def running(_: Litestar) -> AsyncIterator[None]:
        await runtime.start()
        try:
            yield
        finally:
            await runtime.stop()
            if access_log is not None:
                access_log.flush()

    rulesets = decks.offered(runtime.settings)
    return Litestar(
        route_handlers=[
            ruleset_routes(rulesets),
            player_routes(runtime),
            *(routes_of_games(rules, runtime) for rules in rulesets.values()),
            docs_routes(),
            router("/", [lobby_route(runtime), standings_route(runtime), *operation_routes(runtime), *routes]),
        ],
        lifespan=[running],
        before_request=check_query,
        exception_handlers={Exception: exception_handler, HTTPException: exception_handler},
        request_max_body_size=MAX_BODY,
        openapi_config=openapi_config(rulesets),
        logging_config=None,
    )


def routes_of_games(rules: Rules, runtime: Runtime) -> Router:
    """All routes of one ruleset's games."""
    of_games = (game_routes, event_routes, branch_routes, record_routes)
    handlers = [handler for routes_of in of_games for handler in routes_of(rules, runtime)]
    return router(f"/v1/games/{rules.name}", handlers, tags=[rules.labels["en"].title], opt={"ruleset": rules.name})
