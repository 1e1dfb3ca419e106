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
from service.api.bodies import MAX_BODY
from service.api.branches import branch_routes
from service.api.docs import docs_routes
from service.api.events import event_routes
from service.api.front import AccessLog, Front
from service.api.games import game_routes
from service.api.lobby import lobby_route
from service.api.operations import operation_routes
from service.api.origins import origins, preflights
from service.api.players import player_routes
from service.api.problems import answer
from service.api.queries import as_documented
from service.api.records import record_routes
from service.api.routing import routed
from service.api.rulesets import ruleset_routes
from service.api.schema import openapi_config
from service.api.short_way import ShortWay
from service.api.standings import standings_route
from service.limits import gate
from service.settings import Settings
from service.stammtisch import Stammtisch


def create() -> ASGIApp:
    """The application with the settings of the environment, for servers that import it."""
    return create_app(settings_module.read())


def create_app(settings: Settings, routes: Sequence[HTTPRouteHandler] = ()) -> ASGIApp:
    """The application, with these routes beside its own. Its parts are started and stopped by the ASGI lifespan."""
    house = Stammtisch(settings)
    access_log = AccessLog() if settings.access_log else None
    api = rest(house, access_log, routes)
    limits = gate(settings.rate_limit, settings.address_limit, settings.guest_limit, house.redis)
    answering = preflights(ShortWay(api), settings.cors_origins)
    front = Front(answering, house.tokens, house.metrics, limits, access_log)
    return origins(front, settings.cors_origins)


def rest(house: Stammtisch, access_log: AccessLog | None = None, routes: Sequence[HTTPRouteHandler] = ()) -> Litestar:
    """The routes, without the front door."""

    @asynccontextmanager
    async def running(_: Litestar) -> AsyncIterator[None]:
        await house.start()
        try:
            yield
        finally:
            await house.stop()
            if access_log is not None:
                access_log.flush()

    rulesets = decks.offered(house.settings)
    return Litestar(
        route_handlers=[
            ruleset_routes(rulesets),
            player_routes(house),
            *(routes_of_games(rules, house) for rules in rulesets.values()),
            docs_routes(),
            routed("/", [lobby_route(house), standings_route(house), *operation_routes(house), *routes]),
        ],
        lifespan=[running],
        before_request=as_documented,
        exception_handlers={Exception: answer, HTTPException: answer},
        request_max_body_size=MAX_BODY,
        openapi_config=openapi_config(rulesets),
        logging_config=None,
    )


def routes_of_games(rules: Rules, house: Stammtisch) -> Router:
    """All routes of one ruleset's games."""
    of_games = (game_routes, event_routes, branch_routes, record_routes)
    handlers = [handler for routes_of in of_games for handler in routes_of(rules, house)]
    return routed(f"/v1/games/{rules.name}", handlers, tags=[rules.labels["en"].title], opt={"ruleset": rules.name})
