"""An invalid token is refused before any lookup: on every route, whether the resource exists or not."""

import time
from base64 import b64encode
from collections.abc import AsyncIterator, Iterator
from io import StringIO
from itertools import cycle, product
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import httpx
import jwt
import msgspec
import pytest
from litestar.routes import HTTPRoute

from domain.rulesets import RULESETS
from service import app
from service.app import create_app
from service.documents.document import DocumentPlugin
from service.server import rate_limit
from service.server.access_log import AccessLog
from service.server.compression import document_response
from service.server.cors import FILES
from service.server.edge import FORGET_PATH, REGISTRATION_PATH, UNLIMITED_PATHS, is_anonymous
from service.settings import read
from tests.support.clients import Caller, Service, done, in_process, play_to_the_end, problem
from tests.support.registration import framework

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

METHODS = ("GET", "HEAD", "POST", "PATCH", "DELETE", "PUT", "OPTIONS")
SECRET = "the secret of this installation, long enough"
NOWHERE = "018f3c2e-7b1a-7c3d-9e4f-0123456789ab"

UNKNOWN = ("/v1", "/v1/nope", "/nope", "/x", "/v1//games", "//health/live", "/docs-of-something-else", "/schema-of-it")
"""Paths without a route, and paths that resemble others."""


def tokens() -> dict[str, str]:
    """Invalid values of `Authorization`, by what is wrong with them."""

    def signed(key: str, **changed: Any) -> str:
        claims = {"iss": "stammtisch", "sub": NOWHERE, "name": "Eve", "exp": time.time() + 60, **changed}
        return "Bearer " + jwt.encode(claims, key, algorithm="HS256")

    return {
        "garbage": "Bearer x.y.z", "empty": "Bearer ",
        "another scheme": "Basic " + b64encode(b"ann:secret").decode(), "expired": signed(SECRET, exp=1),
        "foreign": signed(SECRET[::-1]), "of an unknown issuer": signed(SECRET, iss="https://elsewhere.example"),
    }  # fmt: skip


def visible(response: httpx.Response) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
    """Everything that a client sees of a response."""
    return response.status_code, response.headers.raw, response.content


@pytest.fixture(scope="module", params=["sqlite", pytest.param("servers", marks=pytest.mark.repetition)])
async def service(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Service]:
    if request.param == "sqlite":
        async with in_process(tmp_path_factory.mktemp("callers") / "games.db", secret=SECRET) as running:
            yield running
        return
    postgres, redis = request.getfixturevalue("postgres"), request.getfixturevalue("redis")
    redis.execute("FLUSHDB")
    with postgres.database(request.getfixturevalue("migrated")) as name:
        async with in_process(postgres.url(name), redis=redis.url, secret=SECRET) as running:
            yield running


async def existing(service: Service, ruleset: str) -> dict[str, list[str]]:
    """Values for each parameter of a path, of resources that exist and of ones that do not."""
    ann, bob = await service.guests("Ann", "Bob")
    waiting = await ann.open(ruleset, 3, private=True)
    running = await service.table(ruleset, await service.guests("Cem", "Dora", "Emil"), private=True)
    over = await ann.open(ruleset, hotseat=True)
    await play_to_the_end([ann] * 5, over)
    games = [game.rpartition("/")[2] for game in (waiting, running, over)]
    deck = done(await ann.get(f"/v1/rulesets/{ruleset}"))["decks"][0]["name"]
    return {
        "{game_id}": [*games, NOWHERE, "nonsense"],
        "{player_id}": [ann.id, bob.id, NOWHERE],
        "{seat}": ["0", "9"],
        "{deck}": [deck, "nope"],
        "{ruleset}": [ruleset, "nope"],
    }


def filled(path: str, existing: dict[str, list[str]]) -> Iterator[str]:
    """The path with every combination of values for its parameters."""
    name = next((name for name in existing if name in path), None)
    if name is None:
        yield path
        return
    for value in existing[name]:
        yield from filled(path.replace(name, value), existing)


@pytest.mark.by_default("sqlite")  # tokens are not in the database
async def test_every_route_refuses_an_invalid_token_alike_whether_the_resource_exists_or_not(
    service: Service, ruleset: str, database: Path
) -> None:
    templates = {each.path_format for each in framework(create_app(read({}, database=str(database)))).routes}
    values = await existing(service, ruleset)
    paths = [
        path
        for template in templates
        if not is_anonymous(template) and (f"/{ruleset}" in template or not template.startswith("/v1/games/"))
        for path in filled(template, values)
    ]  # fmt: skip
    assert len(paths) > 40
    invalid = tokens().values()
    turns = cycle(invalid)
    bodies: dict[str, list[Any]] = {method: [] for method in METHODS}
    for path in (*paths, *(each for each in UNKNOWN if not is_anonymous(each))):
        for method, authorization in zip(METHODS, turns, strict=False):
            for extra in ({}, {"Accept": "text/event-stream"}) if path.endswith(("events", "games")) else ({},):
                headers = {"Authorization": authorization, **extra}
                response = await service.http.request(method, path, headers=headers)
                assert response.status_code == 401, (method, path, response.text)
                bodies[method].append((authorization, visible(response)))
                if method != "HEAD":
                    problem(response, 401, "unauthenticated")
                    assert response.headers["www-authenticate"].startswith("Bearer")
    for authorization in invalid:
        seen = {method: {repr(each) for by, each in found if by == authorization} for method, found in bodies.items()}
        bodiless = seen.pop("HEAD")
        assert len(set.union(*seen.values())) == len(bodiless) == 1


@pytest.mark.by_default("sqlite")  # tokens are not in the database
async def test_query_body_and_headers_do_not_change_the_response_to_an_invalid_token(
    service: Service, ruleset: str
) -> None:
    ann = await service.guest("Ann")
    game = await ann.open(ruleset, private=True)
    invite = (await ann.look(game))["invite"]
    nowhere = f"{game.rpartition('/')[0]}/{NOWHERE}"
    queries: Any = ({}, {"invite": invite}, {"at": 1}, {"at": "nonsense"}, {"as": "0"}, {"invite": "x" * 65})
    headers = ({}, {"If-None-Match": "*"}, {"If-Match": '"1.0"', "Idempotency-Key": "k"})
    below = ("", "/moves", "/seats", "/events", "/record")
    seen: dict[str, set[str]] = {authorization: set() for authorization in tokens().values()}
    every = product((game, nowhere), below, queries, headers, (b"", b"[", b"{}"))
    for (place, part, query, extra, body), authorization in zip(every, cycle(seen), strict=False):
        response = await service.http.request(
            "POST" if body else "GET", place + part, params=query, content=body,
            headers={"Authorization": authorization, **extra},
        )  # fmt: skip
        assert response.status_code == 401
        seen[authorization].add(repr(visible(response)))
    assert [len(each) for each in seen.values()] == [1] * len(seen)


async def test_a_second_token_is_refused(ann: Caller, eve: Caller) -> None:
    """Whoever it names, and whether it is valid: nothing says which of the two the sender meant."""
    game = await ann.open("skyjo", private=True)
    for other in (f"Bearer {ann.token}", f"Bearer {eve.token}", "Bearer x", "Basic eDp5"):
        for headers in ([("Authorization", other)], [("authorization", other)] * 2):  # and the caller's own
            for answer in (
                await ann.get(game, headers=headers),
                await ann.get("/v1/players/me", headers=headers),
                await ann.post(f"{game}/moves", {}, headers=headers),
                await ann.post("/v1/games/skyjo", {"seats": 2}, headers=headers),
                await ann.get("/v1/nowhere", headers=headers),
            ):
                (error,) = problem(answer, 400, "malformed")["errors"]
                assert error["path"] == "Authorization"
    assert (await ann.get("/health/live", headers=[("Authorization", "Bearer x")])).status_code == 200


async def test_every_path_outside_of_the_api_ignores_credentials(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Scrapers, and browsers behind a proxy, send credentials that are meant for others."""
    monkeypatch.setattr(DocumentPlugin, "_make", AsyncMock(return_value=document_response(b"{}")))  # it takes a second
    given: dict[str, Any] = {"database": str(database), "secret": SECRET, "rate_limit": "off", "access_log": False}
    async with in_process(**given, web="on") as service:
        routes = {each.path_format for each in framework(create_app(read({}, **given))).routes}
        pages = {path for path in routes if is_anonymous(path)}
        assert {"/", "/table", "/rules", "/puzzle", "/sw.js", "/docs", "/metrics", "/schema/openapi.json"} <= pages
        for path in pages:
            plain = await service.stranger.get(path, headers={"Accept": "text/html"})
            assert plain.status_code == (404 if "{" in path else 200), path
            for authorization in tokens().values():
                headers = {"Authorization": authorization, "Accept": "text/html"}
                response = await service.stranger.get(path, headers=headers)
                if path == "/metrics":
                    assert response.status_code == plain.status_code
                else:
                    assert visible(response) == visible(plain), path


def test_the_paths_that_the_edge_knows_are_those_of_routes(database: Path) -> None:
    """It sees requests before the router, so it names these paths itself."""
    routes = framework(create_app(read({}, database=str(database)))).routes
    paths = {each.path_format: each.methods for each in routes if isinstance(each, HTTPRoute)}
    assert paths.keys() >= UNLIMITED_PATHS
    for pattern, method in ((REGISTRATION_PATH, "POST"), (FORGET_PATH, "DELETE")):
        (found,) = (path for path in paths if pattern.fullmatch(path))
        assert method in paths[found]
    assert any(path.startswith(FILES) for path in paths)


async def test_without_a_token_a_private_game_responds_like_one_that_does_not_exist(
    service: Service, ruleset: str
) -> None:
    """401 for both on routes that require a token, otherwise 404."""
    ann = await service.guest("Ann")
    game = await ann.open(ruleset, private=True)
    nowhere = f"{game.rpartition('/')[0]}/{NOWHERE}"
    for below in ("", "/events", "/record", "/audit", "/moves", "/seats", "/seats/0", "/branches"):
        for method in METHODS:
            for body in (b"", b"[", b"{}"):
                responses = [
                    await service.http.request(method, place + below, content=body)
                    for place in (game, nowhere)
                ]  # fmt: skip
                assert visible(responses[0]) == visible(responses[1]), (method, below)
                assert method == "OPTIONS" or responses[0].status_code in (401, 404, 405)


async def test_a_stranger_with_a_token_gets_the_answers_of_a_game_that_does_not_exist(
    service: Service, ruleset: str
) -> None:
    """Whatever is sent, in whatever state the private game is, also under another ruleset's path."""
    eve = await service.guest("Eve")
    there = await existing(service, ruleset)
    over = await private_and_over(service, ruleset)
    other = next(name for name in RULESETS if name != ruleset)
    games = [*there["{game_id}"][:2], over]
    bodies = b"[", b"{}", b'{"at":1}'
    sent: tuple[tuple[dict[str, str], dict[str, str]], ...] = (
        ({}, {}),
        ({"Accept": "text/event-stream"}, {"at": "1", "after": "1"}),
        ({"Idempotency-Key": "k", "If-Match": '"1.0"', "If-None-Match": "*"}, {"as": "all", "invite": "x" * 32}),
    )
    for below in ("", "/events", "/record", "/audit", "/moves", "/seats", "/seats/0", "/branches", "/nope"):
        for method in METHODS:
            for body in bodies if method == "POST" else (b"",):
                for headers, query in sent:
                    answers = [
                        visible(await service.http.request(
                            method, f"/v1/games/{path}/{game}{below}", content=body, params=query,
                            headers={"Authorization": f"Bearer {eve.token}", **headers},
                        ))
                        for path in (ruleset, other) for game in (NOWHERE, *games)
                    ]  # fmt: skip
                    assert all(answer == answers[0] for answer in answers), (method, below, query, headers)
                    assert method == "OPTIONS" or answers[0][0] in (400, 404, 405)


async def private_and_over(service: Service, ruleset: str) -> str:
    ann = await service.guest("Ann")
    game = await ann.open(ruleset, private=True, hotseat=True)
    await play_to_the_end([ann] * 5, game)
    return game.rpartition("/")[2]


async def test_requests_with_an_invalid_token_are_limited_and_logged(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = StringIO()
    monkeypatch.setattr(app, "AccessLog", lambda: AccessLog(log))
    monkeypatch.setattr(rate_limit, "REFUSAL_DELAY", 0.0)
    async with in_process(database, rate_limit="1/3", access_log=True) as service:
        eve = Caller(service.http, "x.y.z")
        responses = [await eve.get("/v1/games") for _ in range(5)]
        assert [response.status_code for response in responses] == [401, 401, 401, 429, 429]
        assert "ratelimit" in responses[0].headers
        assert responses[0].headers["x-content-type-options"] == "nosniff"
    lines = [msgspec.json.decode(line) for line in log.getvalue().splitlines()]
    assert [(line["status"], line["player"]) for line in lines[:5]] == [(401, None)] * 3 + [(429, None)] * 2
    async with in_process(database) as service:
        await Caller(service.http, "x.y.z").get("/v1/games")
        assert (
            'requests_total{method="GET",route="",ruleset="",status="401"} 1.0'
            in (await service.stranger.get("/metrics")).text
        )
