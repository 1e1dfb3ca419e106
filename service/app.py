"""The composition root: makes the application from the settings."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from litestar import Litestar, Router
from litestar.exceptions import HTTPException
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp

from domain.game import Rules
from service import extensions as extensions  # registers them
from service import settings as settings_module
from service.api.charges import charge_load
from service.api.contract import MAX_BODY
from service.api.problems import exception_handler, explaining
from service.channel.route import channel_routes
from service.documents.config import HEADERS, openapi_config
from service.extension import Serving
from service.games import decks
from service.pages import web
from service.pages.docs import docs_routes
from service.pages.index import index, index_route
from service.process import packages
from service.rest.fast_path import FastPath
from service.rest.input.head import check_head
from service.rest.routes.events import event_routes
from service.rest.routes.games import game_routes
from service.rest.routes.lobby import lobby_route
from service.rest.routes.missing import missing_routes
from service.rest.routes.operations import operation_routes
from service.rest.routes.players import player_routes
from service.rest.routes.records import record_routes
from service.rest.routes.rulesets import ruleset_routes
from service.rest.routing import OTHERS, router, rules_of_request
from service.runtime import Runtime
from service.server.access_log import AccessLog
from service.server.cors import Cors, allowed_origins
from service.server.edge import EdgeMiddleware
from service.server.rate_limit import rate_limits
from service.server.request import LazyRequest
from service.settings import Settings


def create() -> ASGIApp:
    """The application with the settings of the environment."""
    return create_app(settings_module.read())


def create_app(settings: Settings, routes: Sequence[HTTPRouteHandler] = ()) -> ASGIApp:
    """The application with these routes besides its own. The ASGI lifespan starts and stops its parts.

    A request passes the edge middleware, preflights and the fast path before it reaches the framework.
    """
    packages.load(settings.packages)
    runtime = Runtime(settings)
    access_log = AccessLog() if settings.access_log else None
    limits = rate_limits(
        settings.rate_limit,
        settings.limits.address_rate_limit,
        settings.limits.registration_rate_limit,
        settings.limits.opening_rate_limit,
        None if runtime.shared is None else runtime.shared.limiter,
    )
    origins = allowed_origins(settings)
    parts = runtime.serving(decks.offered(settings))
    channel = channel_routes(runtime, decks.offered(settings), limits, parts)
    api = rest_api(runtime, access_log, [*channel, *routes], parts)
    app = FastPath(api, decks.offered(settings))
    cors = Cors(origins, HEADERS, api.routes) if origins else None
    edge = EdgeMiddleware(app, runtime.tokens, runtime.players, runtime.metrics, limits, cors, access_log)
    return edge if runtime.traces is None else runtime.traces.requests(edge)


def rest_api(
    runtime: Runtime, access_log: AccessLog | None = None, routes: Sequence[HTTPRouteHandler] = (),
    parts: Sequence[Serving] | None = None,
) -> Litestar:  # fmt: skip
    """The REST API alone, without the layers in front of it."""

    @asynccontextmanager
    async def running(_: Litestar) -> AsyncIterator[None]:
        await runtime.start()
        runtime.games.on_load = charge_load
        try:
            yield
        finally:
            await runtime.stop()
            if access_log is not None:
                access_log.flush()

    rulesets = decks.offered(runtime.settings)
    parts = runtime.serving(rulesets) if parts is None else parts
    theirs: dict[int | type[Exception], Any] = {
        kind: explaining(explain) for part in parts for kind, explain in part.problems.items()
    }
    return Litestar(
        route_handlers=[
            ruleset_routes(rulesets),
            player_routes(runtime, runtime.forget, [part.results for part in parts if part.results is not None]),
            routes_of_games(rulesets, runtime, parts),
            *(route for part in parts for route in part.routes if isinstance(route, Router)),
            docs_routes(),
            web.web_routes(
                index(rulesets.values()),
                framed={path: origins for part in parts for path, origins in part.framed.items()},
                address=runtime.settings.public_url,
                places=web.places_of(parts),
            )
            if runtime.settings.web == "on"
            else index_route(rulesets.values()),
            router(
                "/",
                [
                    lobby_route(runtime),
                    *operation_routes(runtime, runtime.ready),
                    *(route for part in parts for route in part.routes if not isinstance(route, Router)),
                    *routes,
                ],
            ),
        ],
        lifespan=[running],
        before_request=check_head,
        exception_handlers={Exception: exception_handler, HTTPException: exception_handler, **theirs},
        request_class=LazyRequest,
        request_max_body_size=MAX_BODY,
        openapi_config=openapi_config(rulesets),
        logging_config=None,
    )


def routes_of_games(rulesets: Mapping[str, Rules], runtime: Runtime, parts: Sequence[Serving]) -> Router:
    factories = (game_routes, event_routes, record_routes)
    known, others = (
        [
            *(each for factory in factories for each in factory(names, runtime)),
            *(each for part in parts for each in part.of_games(names)),
        ]
        for names in (rulesets, [OTHERS])
    )
    handlers = [*known, *missing_routes(runtime, others)]
    return router("/", handlers, dependencies=rules_of_request(rulesets, lambda: runtime.games.shelf))
