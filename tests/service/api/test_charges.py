"""Requests are charged by their cost: what a read of a game in memory costs is one."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from math import ceil
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest

from service.api import charges
from service.api.charges import AUDITED, EXTENDED_ITEMS, FOLDED, PLAIN_ITEMS, RECORDED
from service.api.contract import LISTING, QUERY, WRITE
from service.api.operations import COMMAND
from service.pages.docs import VERSION
from service.server import rate_limit
from service.server.compression import BYTES
from service.server.rate_limit import LocalRateLimiter, QuotaPolicy, RateLimitResult
from tests.support.channels import channel, game_name
from tests.support.clients import Caller, Service, done, in_process, problem, some_moves
from tests.support.listening import listening, over_http

pytestmark = [pytest.mark.anyio, pytest.mark.slow, pytest.mark.waits]

QUOTA = 5_000


@pytest.fixture
def no_time_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """No quota is restored, so every charge stays visible."""
    monkeypatch.setattr(rate_limit, "time", SimpleNamespace(monotonic=lambda: 0.0))


@pytest.fixture
async def limited(tmp_path: Path, no_time_passes: None) -> AsyncIterator[Service]:  # noqa: ARG001
    async with in_process(tmp_path / "games.db", rate_limit=f"1/{QUOTA}", address_rate_limit="off") as running:
        yield running


async def remaining(who: Caller) -> int:
    """How many requests the caller has left, before the one that tells it."""
    text = (await who.get("/health")).headers["RateLimit"]
    return int(text.partition("r=")[2].partition(";")[0]) + 1


async def cost(who: Caller, response: Awaitable[httpx.Response]) -> int:
    before = await remaining(who)
    assert (await response).status_code < 300
    return before - 1 - await remaining(who)


async def running_game(service: Service, moves: int = 50) -> tuple[list[Caller], str, int]:
    players = await service.guests("Ann", "Bob")
    game = await service.table("skyjo", players)
    await some_moves(players, game, moves)
    version = (await players[0].look(game))["version"]
    return players, game, version


@pytest.mark.parametrize("limit", ["1/1", "1/2", f"20/{charges.AT_ONCE}"])
async def test_requests_that_cost_more_than_the_quota_are_answered(
    tmp_path: Path,
    limit: str,
    no_time_passes: None,  # noqa: ARG001
):
    """With the whole quota, at any rate: a request waits for nothing that the quota has no room for."""
    for path in ("/v1/games", f"/docs/{VERSION}/swagger-ui-bundle.js"):
        async with in_process(tmp_path / "games.db", rate_limit=limit) as running:
            assert (await running.stranger.get(path)).status_code == 200
            reads = 0
            while (await running.stranger.get("/v1/rulesets")).status_code == 200:
                reads += 1
            assert reads < charges.AT_ONCE, "the quota itself still holds"


async def test_each_request_counts_for_what_it_costs(limited: Service):
    (ann, bob), game, version = await running_game(limited)
    lines = {"Accept": "application/x-ndjson"}
    expected: list[tuple[Callable[[], Awaitable[httpx.Response]], int]] = [
        (lambda: ann.get(game), 1),
        (lambda: ann.get(f"{game}/moves"), 1),
        (lambda: ann.get("/v1/rulesets"), 1),
        (lambda: ann.get(game, at=version), 1 + version // FOLDED),
        (lambda: ann.get(f"{game}/events", limit=30), 1 + ceil(30 / PLAIN_ITEMS)),
        (lambda: ann.get(f"{game}/events", after=version - 3), 1 + ceil(3 / PLAIN_ITEMS)),
        (lambda: ann.get(f"{game}/events", limit=30, with_="patch"), 1 + ceil(30 / EXTENDED_ITEMS)),
        (lambda: ann.get(f"{game}/record"), 1 + version // RECORDED),
        (lambda: ann.get(f"{game}/audit"), 1 + version // AUDITED),
        (lambda: ann.send("PUT", f"/v1/players/me/blocks/{bob.id}"), WRITE),
        (lambda: ann.send("DELETE", f"/v1/players/me/blocks/{bob.id}"), WRITE),
        (lambda: ann.patch("/v1/players/me", {"name": "Anna"}), WRITE),
        (lambda: ann.get("/v1/games"), LISTING),
        (lambda: ann.get("/v1/games", limit=100), LISTING + 20),
        (lambda: ann.get("/metrics"), 2 * QUERY),
        (lambda: ann.post("/v1/games/skyjo/lesson"), 2 * QUERY),
        (lambda: ann.post(f"{game}/votes", {"on": "abort", "yes": True}), COMMAND),
    ]
    assert [await cost(ann, make()) for make, _ in expected] == [each for _, each in expected]
    version = (await ann.look(game))["version"]
    batches = [min(100, version - first) for first in range(0, version, 100)]
    plain, extended = (sum(ceil(each / rate) for each in batches) for rate in (PLAIN_ITEMS, EXTENDED_ITEMS))
    assert await cost(ann, ann.get(f"{game}/events", headers=lines)) == 1 + plain
    assert await cost(ann, ann.get(f"{game}/events", headers=lines, with_="patch")) == 1 + extended


async def test_a_long_url_counts_for_its_length(limited: Service):
    ann = await limited.guest("Ann")
    for path, query, expected in (("/nope", {}, 1), ("/" + "x" * 7000, {}, 4), ("/v1/rulesets", {"a": "x" * 3000}, 2)):
        before = await remaining(ann)
        assert (await ann.get(path, **query)).status_code in (200, 404)
        assert before - 1 - await remaining(ann) == expected, path[:20]


async def test_a_game_that_was_not_in_memory_counts_for_its_events(
    tmp_path: Path,
    no_time_passes: None,  # noqa: ARG001
):
    """Whoever finds it so pays, over HTTP and in the channel; background work and reads from memory do not."""
    limits = {"rate_limit": f"1/{QUOTA}", "address_rate_limit": "off"}
    async with in_process(tmp_path / "games.db", rate_limit="off") as running:
        players, game, version = await running_game(running, moves=120)
        told = players[0].token, players[0].id
    load = charges.LOAD + version // charges.LOADED
    assert version // charges.LOADED > 1
    async with over_http(tmp_path / "games.db", **limits) as restarted:
        ann = Caller(restarted.http, *told)
        assert await cost(ann, ann.get(game)) == 1 + load
        assert await cost(ann, ann.get(game)) == 1
    async with over_http(tmp_path / "games.db", **limits) as restarted:
        ann = Caller(restarted.http, *told)
        async with channel(ann) as mine:
            before = await remaining(ann)
            await mine.ask("legal_moves", game=game_name(game))
            assert before - 1 - await remaining(ann) == 1 + load


async def test_a_large_document_counts_for_its_bytes_and_one_that_the_client_has_does_not(limited: Service):
    stranger = limited.stranger
    for path in ("/schema/asyncapi.json", f"/docs/{VERSION}/swagger-ui-bundle.js"):
        for coding in ("gzip", "identity"):
            before = await remaining(stranger)
            found = await stranger.get(path, headers={"Accept-Encoding": coding})
            size, after = int(found.headers["Content-Length"]), await remaining(stranger)
            assert (found.status_code, before - 1 - after) == (200, 1 + size // BYTES), (path, coding)
            if tag := found.headers.get("ETag"):  # a browser keeps the others for ever
                again = await stranger.get(path, headers={"Accept-Encoding": coding, "If-None-Match": tag})
                assert (again.status_code, after - 1 - await remaining(stranger)) == (304, 1), (path, coding)


@pytest.mark.usefixtures("no_time_passes")
async def test_a_large_document_is_refused_to_those_who_have_taken_it_too_often(tmp_path: Path):
    async with in_process(tmp_path / "games.db", rate_limit="1/60", address_rate_limit="off") as service:
        asked = {"Accept-Encoding": "identity"}
        path = f"/docs/{VERSION}/swagger-ui-bundle.js"
        sent = [await service.stranger.get(path, headers=asked) for _ in range(5)]
        assert [each.status_code for each in sent[:2]] == [200] * 2
        assert problem(sent[-1], 429, "too-many-requests")
        assert int(sent[-1].headers["Retry-After"]) > 1


async def test_every_route_that_takes_tables_costs_more_than_a_read(limited: Service):
    """The default of every contract that is not of a game in memory is that of a query."""
    ann = await limited.guest("Ann")
    for path in ("/v1/players/me", f"/v1/players/{ann.id}", "/v1/standings/skyjo", "/v1/players/me/blocks"):
        assert await cost(ann, ann.get(path)) == QUERY, path


@pytest.mark.usefixtures("no_time_passes")
async def test_the_channel_charges_as_rest_does(tmp_path: Path):
    async with over_http(tmp_path / "g.db", rate_limit=f"1/{QUOTA}", address_rate_limit="off") as service:
        (ann, _), game, version = await running_game(service)
        async with channel(ann) as mine:
            before = await remaining(ann)
            await mine.did("follow", game=game_name(game), after=version - 12, patch=True)
            await mine.did("vote", game=game_name(game), on="abort", yes=True)
            await mine.did("legal_moves", game=game_name(game))
            after = await remaining(ann)
        assert before - 1 - after == (1 + ceil(12 / EXTENDED_ITEMS)) + COMMAND + 1


@pytest.mark.usefixtures("no_time_passes")
async def test_an_append_counts_for_those_who_follow_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """In REST and over the channel alike, a move as another command; few followers cost nothing."""
    monkeypatch.setattr(charges, "FOLLOWERS", 2)
    async with over_http(tmp_path / "g.db", rate_limit=f"1/{QUOTA}", address_rate_limit="off") as service:
        ann = await service.guest("Ann")
        game = await ann.open("skyjo", 2, hotseat=True)

        async def costs() -> list[int]:
            found = []
            for _ in range(2):
                moves = await ann.moves(game)
                found.append(await cost(ann, ann.post(f"{game}/moves", moves[0])))
            async with channel(ann) as mine:
                before = await remaining(ann)
                await mine.did("move", game=game_name(game), move=(await ann.look(game))["legal_moves"][0])
                found.append(before - 1 - await remaining(ann))
            return found

        alone = await costs()
        async with AsyncExitStack() as stack:
            for _ in range(5):
                await stack.enter_async_context(listening(service.stranger, f"{game}/events"))
            assert await costs() == [each + 2 for each in alone]
            vote = ann.post(f"{game}/votes", {"on": "abort", "yes": True})
            assert await cost(ann, vote) == COMMAND + 2


@pytest.mark.usefixtures("no_time_passes")
async def test_a_request_that_costs_too_much_is_refused_and_a_cheap_one_is_not(tmp_path: Path):
    async with in_process(tmp_path / "games.db", rate_limit="1/100", address_rate_limit="off") as service:
        ann = await service.guest("Ann")
        for _ in range(3):
            done(await ann.get("/v1/players/me"))
        for _ in range(5):
            done(await ann.get("/v1/rulesets"))
        refused = await ann.get("/v1/players/me")
        assert problem(refused, 429, "too-many-requests")
        assert (refused.headers["Retry-After"], refused.headers["RateLimit"]) == ("16", '"requests";r=4;t=96')
        assert (await ann.get("/v1/rulesets")).status_code == 200


async def test_a_part_that_costs_more_than_the_quota_is_waited_for(monkeypatch: pytest.MonkeyPatch):
    """A quota of 40 a second pays 100 in a second and a half. Who has to wait too long is refused."""
    now, slept = 0.0, list[float]()
    limiter = LocalRateLimiter(QuotaPolicy(40, 40))
    monkeypatch.setattr(rate_limit, "time", SimpleNamespace(monotonic=lambda: now))

    async def sleep(seconds: float) -> None:
        nonlocal now
        slept.append(seconds)
        now += seconds

    class Ann:
        async def charge(self, cost: int, *, opens: bool = False) -> RateLimitResult:  # noqa: ARG002
            return limiter.hit("ann", cost)

    monkeypatch.setattr(charges, "asyncio", SimpleNamespace(sleep=sleep))
    await charges.charge(Ann(), 100)
    assert 60 / 40 <= sum(slept) < 60 / 40 + 0.5
    with pytest.raises(charges.RateExceeded):
        await charges.charge(Ann(), 2_000)
    assert sum(slept) < 20


@pytest.mark.usefixtures("no_time_passes")
async def test_what_opens_a_game_counts_as_one_of_the_address(tmp_path: Path):
    """However many guests are registered there: a new game, a lesson and a rematch alike."""
    async with over_http(tmp_path / "games.db", rate_limit="1/5000", opening_rate_limit="1/3") as service:
        ann, bob = await service.guests("Ann", "Bob")
        game = await service.table("skyjo", [ann, bob])
        assert (await bob.post("/v1/games/skyjo/lesson")).status_code == 201
        done(await ann.post(f"{game}/votes", {"on": "abort", "yes": True}))
        done(await bob.post(f"{game}/votes", {"on": "abort", "yes": True}))
        again = await ann.post(f"{game}/rematch", {})
        assert again.status_code in (201, 409)
        for who in (ann, bob, await service.guest("Cem")):
            refused = await who.post("/v1/games/skyjo", {"seats": 2})
            assert problem(refused, 429, "too-many-requests")
            assert refused.headers["RateLimit-Policy"] == '"openings";q=3;w=3'
        assert (await ann.get("/v1/games")).status_code == 200
