"""Every error is a problem document, also for unknown paths and methods."""

import re

import pytest

from tests.openapi.test_document import DOCUMENT
from tests.support.clients import Caller, problem

pytestmark = pytest.mark.anyio

METHODS = {"GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"}


def allowed(header: str) -> set[str]:
    return {method.strip() for method in header.split(",")} - {"OPTIONS", "HEAD"}


@pytest.mark.slow
async def test_every_path_has_its_methods_and_no_others(stranger: Caller, ruleset: str) -> None:
    others = "/health/live", "/health/ready", "/metrics", "/schema/openapi.json"
    for template, operations in [*DOCUMENT["paths"].items(), *((other, ["get"]) for other in others)]:
        path = re.sub("{.*?}", "0", template.replace("{ruleset}", ruleset))
        known = {method.upper() for method in operations}
        answer = await stranger.send("OPTIONS", path)
        assert (answer.status_code, answer.content, allowed(answer.headers["allow"])) == (204, b"", known)
        for method in METHODS - known:
            answer = await stranger.send(method, path)
            problem(answer, 405, "method-not-allowed")
            assert allowed(answer.headers["allow"]) == known


@pytest.mark.parametrize(
    "path",
    ["/nope", "/v1", "/v2/games", "/v1/games/nope/x", "/v1/players/a/b", "/v1/rulesets/nope", "/metrics/x",
     "/v1/games//x", "/v1/games/{ruleset}/x", "/v1/games/{ruleset}/{game_id}",
     "/v1/../v1/nope", "/health", "/docs/nope", "/docs/nope/nope",
     "/%00", "/%ff", "/v1/games/%2e%2e", "/🃏"],
)  # fmt: skip
async def test_unknown_paths_are_not_found(stranger: Caller, path: str) -> None:
    for method in ("GET", "POST", "DELETE"):
        problem(await stranger.send(method, path), 404, "not-found")
