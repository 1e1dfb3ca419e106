"""The routes of games whose ruleset is not loaded: what can be read without rules; all else is refused."""

from collections.abc import Sequence

from litestar import HttpMethod, route
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath
from litestar.types import ASGIApp

from service.api import problems
from service.api.contract import Answer, contract
from service.api.operations import GAME
from service.core import Core
from service.rest.routing import OTHERS

CHANGES = [HttpMethod.POST, HttpMethod.PUT, HttpMethod.PATCH, HttpMethod.DELETE]


def missing_routes(runtime: Core, handlers: Sequence[HTTPRouteHandler]) -> list[HTTPRouteHandler]:
    """`handlers` are those of all operations on games, for `OTHERS`."""
    found = contract(Answer(409, problems.RulesMissing))

    @route(f"/v1/games/{OTHERS}{GAME}", http_method=CHANGES, include_in_schema=False, opt=found)
    async def refuse_change(ruleset: FromPath[str]) -> ASGIApp:
        raise runtime.games.shelf.refusal(ruleset) or problems.unknown_ruleset()

    @route(
        f"/v1/games/{OTHERS}{GAME}/{{rest:path}}", http_method=[HttpMethod.GET, *CHANGES], include_in_schema=False,
        opt=found,
    )  # fmt: skip
    async def refuse(ruleset: FromPath[str]) -> ASGIApp:
        raise runtime.games.shelf.refusal(ruleset) or problems.unknown_ruleset()

    return [*(each for each in handlers if each.opt["operation"].without_rules), refuse_change, refuse]
