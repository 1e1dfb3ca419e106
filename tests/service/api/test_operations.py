"""What operators ask, and how callers who come too often are held back."""

import asyncio
import re
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest

from service.log.errors import Unavailable
from service.log.game_log import GameLog
from service.server import rate_limit
from tests.support.clients import Caller, Service, done, fewest, in_process, play_to_the_end, problem

pytestmark = [pytest.mark.anyio, pytest.mark.slow, pytest.mark.waits]


async def test_the_service_is_live_and_ready(stranger: Caller) -> None:
    assert done(await stranger.get("/health/live")) == {"status": "live"}
    ready = done(await stranger.get("/health/ready"))
    assert (ready["status"], ready.get("redis", "up")) == ("ready", "up")
    for path in ("/health/live", "/health/ready"):
        assert (await stranger.get(path)).headers["cache-control"] == "no-store"


async def numbers(service: Service) -> dict[str, float]:
    answer = await service.stranger.get("/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain; version=")
    lines = [line.rpartition(" ") for line in answer.text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in lines}


async def test_the_metrics_count_requests_and_moves(service: Service, players: list[Caller], ruleset: str) -> None:
    before = await numbers(service)
    game = await service.table(ruleset, players)
    over = await play_to_the_end(players, game)
    problem(await service.stranger.get("/nope"), 404, "not-found")
    after = await numbers(service)

    def grown(name: str) -> float:
        return after[name] - before.get(name, 0)

    assert grown("stammtisch_events_total") == over["version"]
    assert 0 < grown("stammtisch_commits_total") <= over["version"]
    assert 0 < grown("stammtisch_moves_total") < over["version"]

    def labels(method: str, route: str, ruleset: str) -> str:
        return f'method="{method}",route="{route}",ruleset="{ruleset}"'

    assert grown(f'stammtisch_requests_total{{{labels("GET", "", "")},status="404"}}') == 1
    moves = labels("POST", "/v1/games/{ruleset}/{game_id}/moves", ruleset)
    assert grown(f'stammtisch_requests_total{{{moves},status="200"}}') == grown("stammtisch_moves_total")
    assert grown(f"stammtisch_request_seconds_count{{{moves}}}") == grown("stammtisch_moves_total")
    joins = labels("POST", "/v1/games/{ruleset}/{game_id}/seats", ruleset)
    assert grown(f'stammtisch_requests_total{{{joins},status="200"}}') == len(players) - 1
    assert 0 < grown('stammtisch_database_seconds_count{operation="commit"}') <= over["version"]


async def test_the_labels_of_metrics_are_never_what_clients_send(service: Service, ann: Caller, ruleset: str) -> None:
    """Fast path and framework name the same route; unknown paths and methods share one."""
    game = await ann.open(ruleset, fewest(ruleset), hotseat=True)
    before = await numbers(service)
    for path in (game, f"{game}?at=1", f"{game}?as=0", f"/v1/games/{ruleset}/nope"):
        await ann.get(path)
    await ann.http.head(game)
    for method, path in (("GET", "/nope"), ("GET", "/v1/games/nope/x"), ("GET", "/web/nope"), ("BREW", game)):
        await ann.http.request(method, path)
    after = await numbers(service)

    def counted(name: str) -> dict[str, float]:
        grown = {each: after[each] - before.get(each, 0) for each in after if each.startswith(name)}
        return {each.removeprefix(name): count for each, count in grown.items() if count and "/metrics" not in each}

    game_route = f'route="/v1/games/{{ruleset}}/{{game_id}}",ruleset="{ruleset}"'
    found = counted("stammtisch_request_seconds_count")
    assert found.pop(f'{{method="GET",{game_route}}}') == 4
    assert found.pop(f'{{method="HEAD",{game_route}}}') == 1
    assert found.pop('{method="other",route="",ruleset=""}') == 1
    assert sum(found.values()) == 3, found
    assert not [label for label in found if "nope" in label]
    assert counted('stammtisch_database_seconds_count{operation="read"}')[""] > 0, "version 1 is read from the log"


# --- held back ----------------------------------------------------------------------------------------------------


def held_back(answer: httpx.Response) -> None:
    problem(answer, 429, "too-many-requests")
    assert int(answer.headers["retry-after"]) >= 1
    left, seconds = budget(answer)
    assert left == 0
    assert seconds >= int(answer.headers["retry-after"])


@pytest.fixture
def no_time_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """No request comes back while the test runs, however long a busy machine takes."""
    monkeypatch.setattr(rate_limit, "time", SimpleNamespace(monotonic=lambda: 1000.0))


def budget(answer: httpx.Response) -> tuple[int, int]:
    """How many requests may come now, and in how many seconds all may come again."""
    left, seconds = re.fullmatch(r'"requests";r=(\d+);t=(\d+)', answer.headers["ratelimit"]).groups()  # type: ignore[union-attr]
    return int(left), int(seconds)


async def asks(who: Caller, times: int, path: str = "/v1/rulesets") -> list[httpx.Response]:
    return [await who.get(path) for _ in range(times)]


@pytest.mark.usefixtures("no_time_passes")
async def test_whatever_a_client_asks_counts_and_its_last_requests_are_held_back(database: Path) -> None:
    """Paths that do not exist, bad tokens and forged addresses, too. Health checks do not: a proxy with many clients
    would take the service for dead."""
    path = "/v1/rulesets"
    async with in_process(database, rate_limit="1/3") as service:
        for number, kind in enumerate(("plain", "forged", "garbage", "/nothing", "/health/nonsense")):
            service.http._transport.client = (f"198.51.{number}.7", 1)  # type: ignore[attr-defined]
            answers = []
            for time in range(4):
                who = Caller(service.http, f"garbage{time}" if kind == "garbage" else "")
                headers = {"X-Forwarded-For": f"10.0.0.{time}"} if kind == "forged" else {}
                answers.append(await who.get(kind if kind.startswith("/") else path, headers=headers))
            assert [budget(answer) for answer in answers] == [(2, 1), (1, 2), (0, 3), (0, 3)]
            assert {answer.headers["ratelimit-policy"] for answer in answers} == {'"requests";q=3;w=3'}
            assert 429 not in [answer.status_code for answer in answers[:3]]
            held_back(answers[3])
            held_back(await service.stranger.get("/nope"))
            held_back(await service.stranger.post("/v1/players", {"name": "Eve"}))
            for healthy in ("/health/live", "/health/ready"):
                assert {answer.status_code for answer in await asks(service.stranger, 5, healthy)} == {200}
    async with in_process(database, rate_limit="off") as service:
        answers = await asks(service.stranger, 50)
        assert {answer.status_code for answer in answers} == {200}
        assert "ratelimit" not in answers[0].headers


async def test_a_request_after_retry_after_succeeds(database: Path) -> None:
    async with in_process(database, rate_limit="10/3") as service:
        await asks(service.stranger, 4)
        await asyncio.sleep(0.11)
        assert (await service.stranger.get("/v1/rulesets")).status_code == 200


@pytest.mark.usefixtures("no_time_passes")
async def test_each_player_has_a_separate_rate_limit(database: Path) -> None:
    """They may share an address, and a player with two addresses is still one player."""
    async with in_process(database) as before:
        ann, bob = await before.guests("Ann", "Bob")
    async with in_process(database, rate_limit="1/3") as service:
        ann, bob = ann.at(service), bob.at(service)
        held_back((await asks(ann, 4))[-1])
        assert (await asks(bob, 3))[-1].status_code == 200
        assert (await asks(service.stranger, 3))[-1].status_code == 200
        held_back(await service.stranger.get("/v1/games"))


@pytest.mark.usefixtures("no_time_passes")
async def test_the_limit_of_an_address_covers_all_its_callers(database: Path) -> None:
    async with in_process(database) as before:
        guests = await before.guests("Ann", "Bob", "Cem")
    async with in_process(database, rate_limit="1/3", address_rate_limit="1/7") as service:
        for guest in guests[:2]:
            assert [each.status_code for each in await asks(guest.at(service), 3)] == [200] * 3
        allowed, refused = await asks(guests[2].at(service), 2)
        assert allowed.status_code == 200
        problem(refused, 429, "too-many-requests")
        assert refused.headers["ratelimit-policy"] == '"address";q=7;w=7'
        assert re.fullmatch(r'"address";r=0;t=7', refused.headers["ratelimit"])
    async with in_process(database, rate_limit="1/3", address_rate_limit="1/7", address="203.0.113.1") as service:
        assert (await guests[2].at(service).get("/v1/rulesets")).status_code == 200


@pytest.mark.usefixtures("no_time_passes")
async def test_registrations_of_guests_are_rate_limited(database: Path) -> None:
    async with in_process(database, rate_limit="10/100", registration_rate_limit="1/2") as service:
        ann, _ = await service.guests("Ann", "Bob")
        answers = [
            await who.post(path, {"name": "Eve"})
            for who in (service.stranger, ann)
            for path in ("/v1/players", "/v1/players/", "/v1//players")
        ]
        for answer in answers:
            problem(answer, 429, "too-many-requests")
            assert answer.headers["ratelimit-policy"] == '"guests";q=2;w=2'
            assert answer.headers["retry-after"] == "1"
        assert (await ann.patch("/v1/players/me", {"name": "Anna"})).status_code == 200
        assert (await service.stranger.get("/v1/games")).status_code == 200


@pytest.mark.usefixtures("no_time_passes")
async def test_every_response_disables_mime_sniffing(database: Path) -> None:
    async with in_process(database, rate_limit="1/9") as service:
        for path in ("/v1/games", "/nope", "/docs", "/metrics", "/v1/players/me", *["/v1/games"] * 10):
            answer = await service.stranger.get(path)
            assert answer.headers.get_list("x-content-type-options") == ["nosniff"]
            assert answer.status_code < 400 or answer.headers["cache-control"] == "no-store"
        assert answer.status_code == 429


async def test_concurrent_readiness_checks_share_one_query(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read, times, fails = GameLog.position, 0, False

    async def position(store: GameLog) -> int:
        nonlocal times
        times += 1
        if fails:
            raise Unavailable("the test says so")
        return await read(store)

    monkeypatch.setattr(GameLog, "position", position)
    async with in_process(database) as service, httpx.AsyncClient(transport=service.http._transport) as plain:
        for status in (200, 503, 200):
            await asyncio.sleep(0.05)
            before, fails = times, status == 503
            asking = [plain.get("http://test/health/ready") for _ in range(50)]
            assert {answer.status_code for answer in await asyncio.gather(*asking)} == {status}
            assert 0 < times - before < 10
