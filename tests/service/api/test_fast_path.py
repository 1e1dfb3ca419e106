"""The fast path and the framework give the same responses, and serve a request with the same handler."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from litestar import Litestar, get
from litestar.exceptions import MethodNotAllowedException, NotFoundException
from litestar.params import FromPath
from litestar.types import ASGIApp

from service.app import rest_api
from service.rest.fast_path import FastPath
from service.runtime import Runtime
from service.server.raw_response import RawResponse
from service.server.request import HEADERS as ALL_HEADERS
from service.server.request import LazyRequest
from service.settings import Settings
from tests.support.clients import NOTHING, Caller, early

pytestmark = pytest.mark.anyio

KEY = "Idempotency-Key"

HEADERS: dict[str, list[tuple[str, str]]] = {
    "none": [], "a key": [(KEY, "short")], "an empty key": [(KEY, "")], "a key with a blank": [(KEY, "a b")],
    "a key that is too long": [(KEY, "k" * 129)], "two keys": [(KEY, "one"), (KEY, "two")],
    "an old tag": [("If-Match", '"1.0"')], "a future tag": [("If-Match", '"999.0"')],
    "an invalid tag": [("If-Match", "nonsense")], "any tag": [("If-Match", "*"), ("If-None-Match", "*")],
    "two tags": [("If-None-Match", '"1.0"'), ("If-None-Match", "*")],
    "a preference": [("Prefer", "return=minimal")], "an invalid token": [("Authorization", "Bearer nonsense")],
    "another scheme": [("Authorization", "Basic YTpi")], "another type": [("Content-Type", "text/plain")],
}  # fmt: skip
BODIES: dict[str, Any] = {
    "nothing": NOTHING, "no move": {"type": "no_such_move"}, "no object": b"[1,2]", "no JSON": b"{",
    "too deep": b"[" * 50_000, "too large": b" " * 70_000, "no UTF-8": b'{"type":"\xff"}',
}  # fmt: skip


def visible(response: httpx.Response) -> tuple[int, list[tuple[str, str]], bytes]:
    return response.status_code, sorted(response.headers.items()), response.content


async def both(who: Caller, method: str, path: str, body: Any = NOTHING, headers: Any = ()) -> httpx.Response:
    """The response, compared with that of the framework, which serves requests with a query."""
    response = await who.send(method, path, body, headers=headers)
    assert visible(response) == visible(await who.send(method, path, body, headers=headers, unknown="ignored"))
    return response


@pytest.fixture(autouse=True)
def taken(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """For each request whether it took the fast path."""
    results: list[bool] = []
    find = FastPath.find

    def recording(self: FastPath, scope: Any) -> Any:
        found = find(self, scope)
        results.append(found is not None)
        return found

    monkeypatch.setattr(FastPath, "find", recording)
    return results


@pytest.mark.parametrize("headers", HEADERS)
async def test_looks_get_the_same_response(game: str, ann: Caller, eve: Caller, stranger: Caller, headers: str) -> None:
    for who in (ann, eve, stranger):
        for path in (game, f"{game}/moves", f"{game}x", f"{game}x/moves"):
            for method in ("GET", "HEAD"):
                await both(who, method, path, headers=HEADERS[headers])


@pytest.mark.parametrize("headers", HEADERS)
async def test_refused_moves_get_the_same_response(
    game: str, ann: Caller, bob: Caller, eve: Caller, stranger: Caller, headers: str
) -> None:
    for who in (ann, bob, eve, stranger):
        for body in BODIES.values():
            await both(who, "POST", f"{game}/moves", body, HEADERS[headers])


@pytest.mark.parametrize("extra", [[], [("Prefer", "return=minimal")]])
async def test_accepted_moves_get_the_same_response(ruleset: str, ann: Caller, extra: Any) -> None:
    game = await ann.open(ruleset, hotseat=True)
    for number in range(early(ruleset)):
        chosen = (await ann.look(game))["legal_moves"][-1]
        headers = [(KEY, f"key-{number}"), *extra]
        first = await ann.post(f"{game}/moves", chosen, headers=headers)
        again = await both(ann, "POST", f"{game}/moves", chosen, headers)
        assert again.headers["Idempotency-Replayed"] == "true"
        assert again.content == first.content


async def test_ordinary_requests_take_the_fast_path_and_others_do_not(
    game: str, ann: Caller, taken: list[bool]
) -> None:
    taken.clear()
    await ann.get(game)
    await ann.get(f"{game}/moves", headers={"If-None-Match": '"1.0"'})
    await ann.post(f"{game}/moves", {"type": "no_such_move"}, headers={KEY: "one"})
    assert len(taken) >= 3  # twice for a request that needs more than what is in memory
    assert all(taken)
    taken.clear()
    await ann.get(game, at=1)
    await ann.get(f"{game}/events")
    await ann.get(f"{game}/")
    await ann.post(game, {})
    await ann.post(f"{game}/moves", {}, headers={KEY: "a b"})
    assert len(taken) >= 5
    assert not any(taken)


# --- one table of routes ------------------------------------------------------------------------------------------


def paths(api: Litestar) -> Iterator[str]:
    """A path for each route, and others that resemble it."""
    for route in api.routes:
        path = route.path_format.replace("{", "").replace("}", "")
        yield from (path, f"{path}/", f"{path}/moves", f"/{path}", path.replace("/v1/", "/v2/"), path.upper())


def resolved(api: Litestar, path: str, method: Any) -> tuple[Any, dict[str, Any]] | None:
    """The handler that the framework's router resolves, and the parameters of the path."""
    try:
        _, handler, _, parameters, _ = api.asgi_router.handle_routing(path, method)
    except (NotFoundException, MethodNotAllowedException):
        return None
    return handler, parameters


def test_the_fast_path_and_the_router_resolve_the_same_handler(tmp_path: Path) -> None:
    api = rest_api(Runtime(Settings(database=str(tmp_path / "unused.db"))))
    front = FastPath(api)
    served = set()
    for path in paths(api):
        for method in ("GET", "POST", "PATCH", "DELETE"):
            scope = {
                "type": "http", "method": method, "path": path, "query_string": b"", "headers": [], ALL_HEADERS: {}
            }  # fmt: skip
            found = front.find(scope)
            if found is not None:
                route, arguments = found
                assert resolved(api, path, method) == (route.handler, arguments)
                served.add(route.handler)
    fast = {
        handler
        for route in api.routes
        for handler in route.route_handlers
        if handler.opt.get("hot") and "{ruleset}" not in route.path_format
    }
    assert served == fast != set()


def test_a_route_that_the_fast_path_cannot_serve_is_refused_at_start() -> None:
    @get("/v1/players/{player_id:str}", opt={"hot": True})
    async def player(player_id: FromPath[str]) -> ASGIApp:
        return RawResponse(player_id.encode())

    with pytest.raises(AssertionError, match="/v1/players/"):
        FastPath(Litestar([player], openapi_config=None))


# --- the request of both ------------------------------------------------------------------------------------------


def test_a_lazy_request_has_every_attribute_of_a_litestar_request() -> None:
    scope: Any = {
        "type": "http", "method": "GET", "path": "/", "query_string": b"a=1", "headers": [(b"accept", b"text/html")],
        "client": ("192.0.2.1", 1), "state": {},
    }  # fmt: skip
    request = LazyRequest(scope)
    assert request.headers["accept"] == "text/html"
    assert request.query_params["a"] == "1"
    assert request.is_connected
    with pytest.raises(AttributeError, match="nonsense"):
        request.nonsense  # noqa: B018
