"""Every error is a problem document, also for unknown paths and methods."""

from typing import Any

import pytest

from domain.rulesets import RULESETS
from tests.support.clients import Caller, problem

pytestmark = pytest.mark.anyio

GAME = "018f3c2e-7b1a-7c3d-9e4f-0123456789ab"

OF_A_GAME = {"": "GET, DELETE", "/seats": "POST", "/seats/0": "DELETE", "/moves": "GET, POST", "/events": "GET"}
"""The paths of a game that does not exist, and their methods."""

PATHS = {
    "/v1/rulesets": "GET",
    "/v1/players": "POST",
    "/v1/players/me": "GET, PATCH, DELETE",
    "/v1/players/somebody": "GET",
    "/v1/games": "GET",
    "/health/live": "GET",
    "/health/ready": "GET",
    "/metrics": "GET",
    "/schema/openapi.json": "GET",
} | {
    path: methods
    for name, rules in RULESETS.items()
    for path, methods in (
        (f"/v1/rulesets/{name}", "GET"),
        *((f"/v1/rulesets/{name}/decks/{deck}", "GET") for deck in rules.decks),
        (f"/v1/games/{name}", "POST"),
        *((f"/v1/games/{name}/{GAME}{rest}", methods) for rest, methods in OF_A_GAME.items()),
    )
}

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND")


def allowed(header: str) -> set[str]:
    return {method.strip() for method in header.split(",")} - {"OPTIONS", "HEAD"}


@pytest.mark.parametrize("path", PATHS)
async def test_method_not_allowed_lists_the_allowed_methods(stranger: Caller, path: str) -> None:
    known = allowed(PATHS[path])
    for method in METHODS:
        if method not in known:
            answer = await stranger.send(method, path)
            problem(answer, 405, "method-not-allowed")
            assert allowed(answer.headers["allow"]) == known


@pytest.mark.parametrize("path", PATHS)
async def test_options_lists_all_methods(stranger: Caller, path: str) -> None:
    answer = await stranger.send("OPTIONS", path)
    assert (answer.status_code, answer.content) == (204, b"")
    assert allowed(answer.headers["allow"]) == allowed(PATHS[path])


@pytest.mark.parametrize(
    "path",
    ["/nope", "/v1", "/v2/games", "/v1/games/nope/x", "/v1/players/a/b", "/v1/rulesets/nope", "/metrics/x",
     "/v1/games//x", "/v1/../v1/nope", "/health", "/docs/nope", "/docs/nope/nope",
     "/%00", "/%ff", "/v1/games/%2e%2e", "/🃏"],
)  # fmt: skip
async def test_unknown_paths_are_not_found(stranger: Caller, path: str) -> None:
    for method in ("GET", "POST", "DELETE"):
        problem(await stranger.send(method, path), 404, "not-found")


async def test_unknown_paths_beside_the_openapi_document_are_not_found(stranger: Caller) -> None:
    problem(await stranger.get("/schema/nope"), 404, "not-found")


async def test_every_problem_has_a_title(ann: Caller, game: str) -> None:
    answers: list[Any] = [
        problem(await ann.get("/nope"), 404, "not-found"),
        problem(await ann.get(game, at=10**6), 404, "not-found"),
        problem(await ann.get(game, at=0), 400, "malformed"),
        problem(await ann.get(game, as_="all"), 403, "forbidden"),
        problem(await ann.post(f"{game}/seats", {}), 409, "not-waiting"),
    ]
    for document in answers:
        assert document["title"].endswith(".")
        assert all(isinstance(document.get(name, ""), str) for name in ("title", "detail"))
