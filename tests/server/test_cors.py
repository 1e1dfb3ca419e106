"""CORS: preflight requests, and the headers that let pages of allowed origins read responses."""

from collections.abc import Sequence
from io import StringIO
from pathlib import Path

import httpx
import msgspec
import pytest

from domain.rulesets import RULESETS
from service import app
from service.server.access_log import AccessLog
from tests.openapi.test_document import DOCUMENT
from tests.support.clients import Service, done, in_process, problem

pytestmark = [pytest.mark.anyio, pytest.mark.slow, pytest.mark.waits]

OWN, FOREIGN = "https://club.example", "https://evil.example"
ANY = next(iter(RULESETS))
ORIGINS = f"{OWN}, http://localhost:5173"


def allowed(response: httpx.Response) -> str | None:
    origin: str | None = response.headers.get("access-control-allow-origin")
    return origin


async def preflight(
    service: Service, origin: str, path: str = "/v1/players", method: str = "POST", asked: str = "prefer"
) -> httpx.Response:
    headers = {"Origin": origin, "Access-Control-Request-Method": method, "Access-Control-Request-Headers": asked}
    return await service.http.request("OPTIONS", path, headers=headers)


async def test_browsers_let_pages_of_other_origins_send_every_operation(database: Path) -> None:
    """As a browser judges it: the method is listed, and so is each header."""
    async with in_process(database, cors_origins=OWN, review="on") as service:
        sent = [
            (path, method.upper(), operation.get("parameters", ()))
            for path, methods in DOCUMENT["paths"].items()
            for method, operation in methods.items()
        ]
        assert {method for _, method, _ in sent} == {"GET", "POST", "PUT", "PATCH", "DELETE"}
        for path, method, parameters in sent:
            declared = [each["name"].lower() for each in parameters if each["in"] == "header"]
            asked = {*declared, "authorization", "content-type"}
            response = await preflight(service, OWN, path, method, ",".join(sorted(asked)))
            assert (response.status_code, allowed(response), response.content) == (204, OWN, b""), path
            assert method in names_in(response, "access-control-allow-methods"), (method, path)
            assert asked <= {each.lower() for each in names_in(response, "access-control-allow-headers")}, path


def names_in(response: httpx.Response, header: str) -> set[str]:
    return {each.strip() for each in response.headers[header].split(",")}


async def test_a_page_of_an_allowed_origin_uses_the_whole_api(database: Path) -> None:
    async with in_process(database, cors_origins=ORIGINS, rate_limit="1/200") as service:
        ann = await service.guest("Ann")
        game = await ann.open(ANY)
        responses = [
            await ann.get(game, headers={"Origin": OWN}),  # fast path
            await ann.get(f"{game}?at=1", headers={"Origin": OWN}),
            await ann.post(f"{game}/moves", {"type": "nope"}, headers={"Origin": OWN}),
            await ann.get("/nope", headers={"Origin": OWN}),
            *[await ann.get("/v1/games", headers={"Origin": OWN}) for _ in range(20)],
        ]
        assert {response.status_code for response in responses} == {200, 400, 404, 429}
        for response in responses:
            assert allowed(response) == OWN
            assert "Origin" in response.headers["vary"]
            exposed = {name.lower() for name in names_in(response, "access-control-expose-headers")}
            assert {"etag", "location", "link", "retry-after", "ratelimit", "ratelimit-policy"} <= exposed
            assert {"idempotency-replayed", "preference-applied"} <= exposed
            assert "access-control-allow-credentials" not in response.headers


LOCAL = ("http://localhost", "http://localhost:5173", "https://127.0.0.1:8443", "http://[::1]:3000")
NOT_LOCAL = (
    OWN, "null", "http://localhost.evil.example", "http://localhost:x", "http://127.0.0.2", "http://x@localhost",
)  # fmt: skip
NOT_OWN = (FOREIGN, "null", "", f"{OWN}.evil.example", "http://club.example", OWN.upper())


@pytest.mark.parametrize(
    ("given", "known", "others"),
    [
        ({"cors_origins": ORIGINS}, (OWN,), NOT_OWN), ({"cors_origins": f"local, {OWN}"}, (OWN, LOCAL[1]), ("null",)),
        ({"cors_origins": ""}, (), (OWN, *LOCAL)),
        # By default pages of this machine are allowed, unless the service is public.
        *(({"host": host}, LOCAL, NOT_LOCAL) for host in ("127.0.0.1", "::1", "localhost")),
        *(({"host": host}, (), (OWN, *LOCAL)) for host in ("0.0.0.0", "192.0.2.1")),
    ],
    ids=str,
)  # fmt: skip
async def test_pages_of_allowed_origins_and_no_others_get_cors_headers(
    database: Path, given: dict[str, str], known: Sequence[str], others: Sequence[str]
) -> None:
    async with in_process(database, **given) as service:
        for origin in (*known, *others):
            for response in (
                await service.stranger.get("/v1/games", headers={"Origin": origin}),
                await preflight(service, origin),
            ):
                assert allowed(response) == (origin if origin in known else None), origin
                assert not known or response.headers["vary"].endswith("Origin")
                assert origin in known or "access-control-expose-headers" not in response.headers


async def test_an_asterisk_allows_all_origins(database: Path) -> None:
    async with in_process(database, cors_origins="*") as service:
        for origin in (OWN, FOREIGN, "null"):
            response = await service.stranger.get("/v1/players/me", headers={"Origin": origin})
            problem(response, 401, "unauthenticated")
            assert allowed(response) == allowed(await preflight(service, origin)) == "*"
        assert allowed(await service.stranger.get("/v1/games")) is None


async def test_options_requests_that_are_no_preflights_list_the_methods(database: Path) -> None:
    async with in_process(database, cors_origins=ORIGINS) as service:
        response = await service.http.request("OPTIONS", "/v1/players", headers={"Origin": OWN})
        assert "POST" in response.headers["allow"]
        assert done(await service.stranger.get("/health/live")) == {"status": "live"}


async def test_preflights_are_limited_counted_and_logged_like_other_requests(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = StringIO()
    monkeypatch.setattr(app, "AccessLog", lambda: AccessLog(log))
    async with in_process(database, cors_origins=ORIGINS, rate_limit="1/3", access_log=True) as service:
        responses = [await preflight(service, OWN, "/v1/games") for _ in range(4)]
        assert [response.status_code for response in responses] == [204, 204, 204, 429]
        assert all("ratelimit" in response.headers for response in responses)
        assert responses[3].headers["retry-after"]
        assert [allowed(response) for response in responses] == [OWN] * 4
        problem(await service.stranger.get("/v1/games"), 429, "too-many-requests")
        ready = await service.stranger.get("/health/ready")
        assert "ratelimit" not in ready.headers
    async with in_process(database, cors_origins=ORIGINS) as service:
        for path in ("/v1/games", "/nope", "/health/live"):
            assert (await preflight(service, OWN, path)).status_code == 204
        metrics = (await service.stranger.get("/metrics")).text
        assert 'stammtisch_requests_total{method="OPTIONS",route="",ruleset="",status="204"} 3.0' in metrics
    lines = [msgspec.json.decode(line) for line in log.getvalue().splitlines()]
    assert [(line["method"], line["path"], line["status"]) for line in lines[:4]] == [
        ("OPTIONS", "/v1/games", 204), ("OPTIONS", "/v1/games", 204), ("OPTIONS", "/v1/games", 204),
        ("OPTIONS", "/v1/games", 429),
    ]  # fmt: skip


async def test_a_page_can_read_why_its_token_is_refused(database: Path) -> None:
    async with in_process(database, cors_origins=ORIGINS) as service:
        response = await service.stranger.get("/v1/games", headers={"Origin": OWN, "Authorization": "Bearer x.y.z"})
        problem(response, 401, "unauthenticated")
        assert allowed(response) == OWN
