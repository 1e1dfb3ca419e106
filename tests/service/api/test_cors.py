"""Pages in browsers use the API if their origin may: what a browser asks, and what it lets the page see."""

from io import StringIO
from pathlib import Path

import httpx
import msgspec
import pytest

from service import app
from service.http.edge import AccessLog
from tests.support.clients import Service, done, in_process, problem

pytestmark = pytest.mark.anyio

OURS, THEIRS = "https://club.example", "https://evil.example"
BOTH = f"{OURS}, http://localhost:5173"


def allowed(answer: httpx.Response) -> str | None:
    origin: str | None = answer.headers.get("access-control-allow-origin")
    return origin


async def preflight(service: Service, origin: str, path: str = "/v1/players") -> httpx.Response:
    asked = {"Origin": origin, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "prefer"}
    return await service.http.request("OPTIONS", path, headers=asked)


async def test_a_page_of_a_named_origin_does_whatever_others_do(database: Path, ruleset: str) -> None:
    async with in_process(database, cors_origins=BOTH, rate_limit="1/20") as house:
        asked = await preflight(house, OURS, f"/v1/games/{ruleset}/x/moves")
        assert (asked.status_code, allowed(asked), asked.content) == (204, OURS, b"")
        for name in ("authorization", "content-type", "idempotency-key", "if-match", "last-event-id", "prefer"):
            assert name in asked.headers["access-control-allow-headers"].lower()
        for method in ("GET", "POST", "PATCH", "DELETE"):
            assert method in asked.headers["access-control-allow-methods"]
        ann = await house.guest("Ann")
        game = await ann.open(ruleset)
        answers = [
            await ann.get(game, headers={"Origin": OURS}),  # the short way
            await ann.get(f"{game}?at=1", headers={"Origin": OURS}),
            await ann.post(f"{game}/moves", {"type": "nope"}, headers={"Origin": OURS}),
            await ann.get("/nope", headers={"Origin": OURS}),
            *[await ann.get("/v1/games", headers={"Origin": OURS}) for _ in range(20)],
        ]
        assert {answer.status_code for answer in answers} == {200, 400, 404, 429}
        for answer in answers:
            assert allowed(answer) == OURS
            assert "Origin" in answer.headers["vary"]
            seen = {name.strip() for name in answer.headers["access-control-expose-headers"].lower().split(",")}
            assert {"etag", "location", "link", "retry-after", "ratelimit", "ratelimit-policy"} <= seen
            assert {"idempotency-replayed", "preference-applied"} <= seen
            assert "access-control-allow-credentials" not in answer.headers


@pytest.mark.parametrize("origin", [THEIRS, "null", "", f"{OURS}.evil.example", "http://club.example", OURS.upper()])
async def test_a_page_from_elsewhere_learns_nothing(database: Path, origin: str) -> None:
    async with in_process(database, cors_origins=BOTH) as house:
        for answer in (
            await house.stranger.get("/v1/games", headers={"Origin": origin}),
            await preflight(house, origin),
        ):
            assert allowed(answer) is None
            assert "access-control-expose-headers" not in answer.headers
            assert answer.headers["vary"].endswith("Origin")


async def test_without_the_setting_no_page_does(database: Path) -> None:
    async with in_process(database) as house:
        assert allowed(await house.stranger.get("/v1/games", headers={"Origin": OURS})) is None
        assert allowed(await preflight(house, OURS)) is None


async def test_all_pages_may_where_all_are_named(database: Path) -> None:
    async with in_process(database, cors_origins="*") as house:
        for origin in (OURS, THEIRS, "null"):
            answer = await house.stranger.get("/v1/players/me", headers={"Origin": origin})
            problem(answer, 401, "unauthenticated")
            assert allowed(answer) == allowed(await preflight(house, origin)) == "*"
        assert allowed(await house.stranger.get("/v1/games")) is None


async def test_options_that_no_browser_asks_for_tell_the_methods_as_ever(database: Path) -> None:
    async with in_process(database, cors_origins=BOTH) as house:
        answer = await house.http.request("OPTIONS", "/v1/players", headers={"Origin": OURS})
        assert "POST" in answer.headers["allow"]
        assert done(await house.stranger.get("/health/live")) == {"status": "live"}


async def test_preflights_are_limited_counted_and_logged_like_other_requests(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = StringIO()
    monkeypatch.setattr(app, "AccessLog", lambda: AccessLog(written))
    async with in_process(database, cors_origins=BOTH, rate_limit="1/3", access_log=True) as house:
        answers = [await preflight(house, OURS, "/v1/games") for _ in range(4)]
        assert [answer.status_code for answer in answers] == [204, 204, 204, 429]
        assert all("ratelimit" in answer.headers for answer in answers)
        assert answers[3].headers["retry-after"]
        assert [allowed(answer) for answer in answers] == [OURS] * 4
        problem(await house.stranger.get("/v1/games"), 429, "too-many-requests")
        ready = await house.stranger.get("/health/ready")
        assert "ratelimit" not in ready.headers
    async with in_process(database, cors_origins=BOTH) as house:
        for path in ("/v1/games", "/nope", "/health/live"):
            assert (await preflight(house, OURS, path)).status_code == 204
        told = (await house.stranger.get("/metrics")).text
        assert 'stammtisch_requests_total{method="OPTIONS",status="204"} 3.0' in told
    lines = [msgspec.json.decode(line) for line in written.getvalue().splitlines()]
    assert [(line["method"], line["path"], line["status"]) for line in lines[:4]] == [
        ("OPTIONS", "/v1/games", 204), ("OPTIONS", "/v1/games", 204), ("OPTIONS", "/v1/games", 204),
        ("OPTIONS", "/v1/games", 429),
    ]  # fmt: skip


async def test_a_page_reads_why_its_token_is_refused(database: Path) -> None:
    async with in_process(database, cors_origins=BOTH) as house:
        answer = await house.stranger.get("/v1/games", headers={"Origin": OURS, "Authorization": "Bearer x.y.z"})
        problem(answer, 401, "unauthenticated")
        assert allowed(answer) == OURS
