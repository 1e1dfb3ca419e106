"""A real standby answers lobby, profiles, standings and records, and says how old its answers may be."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest

from service import databases
from service.live import replica
from service.settings import InvalidSettings, read
from tests.support import servers
from tests.support.clients import QUICKEST, Caller, Service, done, fewest, in_process, play_to_the_end
from tests.support.servers import Pair

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def pair() -> Iterator[Pair]:
    with servers.pair(synchronous=False) as both:
        databases.migrate(read({}, database=both.primary.url()))
        yield both


@pytest.fixture
async def service(pair: Pair) -> AsyncIterator[Service]:
    async with in_process(pair.primary.url(), replica=pair.standby.url()) as running:
        yield running


async def shows(pair: Pair, game: str, status: str) -> None:
    """Wait until the lobby of the standby shows the game so."""
    query = f"SELECT status FROM games WHERE id = '{game.rpartition('/')[2]}'"
    async with asyncio.timeout(60):
        while pair.standby.execute(query) != [(status,)]:  # noqa: ASYNC110
            await asyncio.sleep(0.02)


def answered(metrics: str, kind: str = "answers") -> float:
    (line,) = [each for each in metrics.splitlines() if each.startswith(f"stammtisch_replica_{kind}_total")]
    return float(line.rpartition(" ")[2])


async def reads(service: Service) -> tuple[float, float]:
    """How many reads the standby has answered, and could not answer."""
    text = (await service.stranger.get("/metrics")).text
    return answered(text), answered(text, "failures")


async def listed(service: Service, **query: Any) -> tuple[set[str], str | None]:
    """The ids of the games in the lobby, and how old the answer is."""
    answer = await service.stranger.get("/v1/games", limit=100, **query)
    return {game["id"] for game in done(answer)["items"]}, answer.headers.get("age")


async def over(service: Service, **terms: Any) -> tuple[list[Caller], str]:
    players = await service.guests(*("Ann", "Bob", "Cem", "Dora", "Emil")[: fewest(QUICKEST)])
    game = await service.table(QUICKEST, players, **terms)
    await play_to_the_end(players, game)
    return players, game


async def test_the_standby_answers_and_says_how_old_its_answers_are(service: Service, pair: Pair) -> None:
    players, game = await over(service)
    await shows(pair, game, "finished")
    before, failed = await reads(service)
    found, age = await listed(service)
    assert game.rpartition("/")[2] in found
    profile = await service.stranger.get(f"/v1/players/{players[0].id}")
    standings = await service.stranger.get(f"/v1/standings/{QUICKEST}")
    assert done(profile)["games"] == [{"ruleset": QUICKEST, "status": "finished", "games": 1}]
    assert players[0].id in {each["player"]["id"] for each in done(standings)["items"]}
    for each in (age, profile.headers["age"], standings.headers["age"]):
        assert each is not None
        assert 1 <= int(each) <= replica.MAX_AGE + 1
    assert await reads(service) == (before + 3, failed)


async def test_a_record_of_the_standby_is_that_of_the_primary(
    service: Service, pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    players, game = await over(service)
    _, private = await over(service, private=True)
    running = await players[0].open(QUICKEST, fewest(QUICKEST))
    await shows(pair, running, "waiting")
    paths = [f"{place}/record{query}" for place in (game, private, running) for query in ("", "?names=false", "?as=0")]
    here = [(await caller.get(path)) for caller in (players[0], service.stranger) for path in paths]
    asked: list[str] = []
    real = replica.Replica.entries

    async def entries(self: replica.Replica, game_id: str, most: int) -> Any:
        found = await real(self, game_id, most)
        asked.append(game_id if found else "")
        return found

    monkeypatch.setattr(replica.Replica, "entries", entries)
    async with in_process(pair.primary.url(), replica=pair.standby.url()) as again:
        for caller, answers in ((players[0].at(again), here[: len(paths)]), (again.stranger, here[len(paths) :])):
            for path, answer in zip(paths, answers, strict=True):
                found = await caller.get(path)
                assert (found.status_code, found.content) == (answer.status_code, answer.content)
                assert found.headers.get("etag") == answer.headers.get("etag")
    assert asked.count(game.rpartition("/")[2]) == 6, "it is not in memory, so the standby is read"


async def test_moves_never_wait_for_the_standby_and_old_answers_come_from_the_primary(
    service: Service, pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ann,) = await service.guests("Ann")
    await listed(service)
    pair.standby.execute("SELECT pg_wal_replay_pause()")
    try:
        game = await ann.open(QUICKEST, hotseat=True)
        seen = await ann.look(game)
        moved = await ann.move(game, seen["legal_moves"][0])
        assert (await ann.look(game))["version"] == moved["version"]
        found, age = await listed(service)
        assert (game.rpartition("/")[2] in found) == (age is None), "the standby does not have it yet"
        monkeypatch.setattr(replica, "MAX_AGE", 0.0)
        found, age = await listed(service)
        assert age is None
        assert game.rpartition("/")[2] in found
    finally:
        pair.standby.execute("SELECT pg_wal_replay_resume()")


async def test_without_the_standby_the_primary_answers(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replica, "RETRY", 0.05)
    async with in_process(pair.primary.url(), replica=pair.standby.url()) as service:
        (ann,) = await service.guests("Ann")
        assert (await listed(service))[1] is not None
        pair.standby.stop(servers.signal.SIGQUIT)
        try:
            game = await ann.open(QUICKEST, fewest(QUICKEST))
            found, age = await listed(service)
            assert (game.rpartition("/")[2] in found, age) == (True, None)
            assert (await service.stranger.get(f"{game}/record")).status_code == 200
            assert (await reads(service))[1] > 0
        finally:
            pair.standby.start()
        async with asyncio.timeout(60):
            while (await listed(service))[1] is None:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
    async with in_process(pair.primary.url(), replica="postgresql://127.0.0.1:1/none") as service:
        assert (await listed(service))[1] is None


async def test_while_the_primary_is_away_the_standby_answers_for_a_while(service: Service, pair: Pair) -> None:
    path = f"/v1/standings/{QUICKEST}"
    first = await service.stranger.get(path)
    service.http.event_hooks = {}
    with pair.primary.frozen():
        answer: httpx.Response = await service.stranger.get(path)
        assert (answer.status_code, answer.content) == (200, first.content)
        assert int(answer.headers["age"]) >= 1


def test_only_postgres_has_replicas() -> None:
    with pytest.raises(InvalidSettings, match="REPLICA"):
        databases.replica(read({}, database="games.db", replica="postgresql://x/y"))
