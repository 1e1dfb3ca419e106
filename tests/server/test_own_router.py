"""The router that has handlers by path."""

import pytest
from litestar import Litestar, get, post
from litestar.params import FromPath
from litestar.testing import TestClient

from service.server.own_router import OwnRouter


@get("/{name:str}", sync_to_thread=False)
def read(name: FromPath[str]) -> str:
    return f"reads {name}"


@get("/{name:str}", sync_to_thread=False)
def read_again(name: FromPath[str]) -> str:
    return name


@post("/{name:str}", sync_to_thread=False)
def write(name: FromPath[str]) -> str:
    return f"writes {name}"


def test_handlers_of_one_path_are_one_route() -> None:
    app = Litestar([OwnRouter("/games", route_handlers=[read, write])], openapi_config=None)
    (route,) = app.routes
    assert route.methods == {"GET", "POST", "OPTIONS"}
    with TestClient(app) as client:
        assert [client.get("/games/ada").text, client.post("/games/ada").text] == ["reads ada", "writes ada"]
        assert client.get("/ada").status_code == 404


def test_two_handlers_of_one_path_and_method_are_refused() -> None:
    with pytest.raises(AssertionError, match=r"two handlers of GET /\{name:str\}"):
        OwnRouter("/games", route_handlers=[read, read_again])
