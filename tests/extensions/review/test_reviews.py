"""Reviews over REST: the queue, its limits, and who may read what. The program that makes them is tested elsewhere."""

import asyncio
import gzip
import json
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, Mock

import httpx
import msgspec
import pytest
from sqlalchemy.exc import OperationalError

from domain.codec import canonical
from domain.game.clock import SECOND
from domain.review import FORMAT, Mean, Review
from domain.rulesets import RULESETS
from service import databases, settings
from service.cli.import_ import import_games
from service.extensions.review import job, table
from service.extensions.review import reviews as service_reviews
from service.extensions.review.resources import review_type
from service.games.games import Games
from service.live.fair_queue import QueueFull
from service.process.priority import NICENESS
from tests.support.clients import QUICKEST, Caller, Service, done, in_process, play_to_the_end, problem

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

ONE = QUICKEST


class Orders:
    """What the program that stands in for the review does."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.give("wait")

    def give(self, order: str) -> None:
        self.file.with_suffix(".new").write_text(order)
        self.file.with_suffix(".new").rename(self.file)

    @property
    def jobs(self) -> list[Any]:
        log = self.file.with_suffix(".log")
        return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []


@pytest.fixture
def orders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Orders:
    orders = Orders(tmp_path / "orders")
    monkeypatch.setattr(job, "COMMAND", ("-m", "tests.extensions.review.reviewer", str(orders.file)))
    monkeypatch.setattr(service_reviews, "WRITTEN", 0.0)
    monkeypatch.setattr(service_reviews, "POLL", 0.05)
    return orders


@pytest.fixture
async def own(tmp_path: Path, orders: Orders) -> AsyncIterator[Service]:
    assert orders.file.exists()  # before the first job
    async with in_process(tmp_path / "games.db") as running:
        running.http.event_hooks = {}  # 503 is an answer here
        yield running


async def finished(service: Service, players: list[Caller], seed: int = 0, **terms: Any) -> str:
    game = await service.table(ONE, players, **terms)
    await play_to_the_end(players, game, seed)
    return game


async def listed_as_over(service: Service, players: list[Caller]) -> str:
    """A finished game that the lobby, and so the lists of players' games, show as over."""
    game = await finished(service, players)
    done(await service.stranger.get("/v1/games"))
    return game


async def until(caller: Caller, game: str, state: str, **query: Any) -> httpx.Response:
    async with asyncio.timeout(60):
        while True:
            answer = await caller.get(f"{game}/review", **query)
            assert answer.status_code in (200, 202), answer.text
            if answer.json()["state"] == state and (state != "pending" or answer.json()["progress"]["done"]):
                return answer
            await asyncio.sleep(0.02)


async def test_a_review_has_progress_then_a_first_answer_then_the_final_one(own: Service, orders: Orders) -> None:
    ann, bob = await own.guests("Ann", "Bob")
    game = await own.table(ONE, [ann, bob])
    problem(await ann.get(f"{game}/review"), 409, "not-finished")
    await play_to_the_end([ann, bob], game)
    answer = await ann.get(f"{game}/review")
    assert answer.headers["cache-control"] == "no-store"
    assert int(answer.headers["retry-after"]) >= 1
    assert done(answer, 202) | {"wait": 0} == {
        "state": "pending", "progress": {"phase": "waiting", "done": 0, "all": 0}, "place": 0, "wait": 0,
    }  # fmt: skip
    running = done(await until(own.stranger, game, "pending"), 202)
    assert running["progress"] == {"phase": "first", "done": 1, "all": 2}
    orders.give("first")
    first = await until(ann, game, "first")
    assert first.headers["cache-control"] == "no-store"
    assert "etag" not in first.headers
    orders.give("final")
    final = await until(bob, game, "final")
    assert "immutable" in final.headers["cache-control"]
    assert final.headers["vary"] == "Authorization, Invite"
    record = done(await ann.get(f"{game}/record"))
    shown = done(final)
    assert (shown["state"], shown["format"], shown["head"]) == ("final", FORMAT, record["head"])
    known = await ann.get(f"{game}/review", headers={"If-None-Match": final.headers["etag"]})
    assert (known.status_code, known.content) == (304, b"")
    assert (await ann.get(f"{game}/review")).content == final.content
    [[game_id, options, nice, alone, settings, names]] = orders.jobs
    assert (game_id, options, settings, names) == (game.rpartition("/")[2], ["--plan", "standard"], [], {})
    assert (nice, alone) == (NICENESS, True)


async def test_an_aborted_game_has_no_review(own: Service, orders: Orders) -> None:
    ann, bob = await own.guests("Ann", "Bob")
    game = await own.table(ONE, [ann, bob])
    for player in (ann, bob):
        answer = await player.post(f"{game}/votes", {"on": "abort", "yes": True})
        assert answer.status_code < 300, answer.text
    assert (await ann.get(game)).json()["status"] == "aborted"
    problem(await ann.get(f"{game}/review"), 409, "not-finished")
    assert orders.jobs == []


async def test_a_game_that_is_too_long_is_refused_before_a_job(
    own: Service, orders: Orders, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limit is one of events times people."""
    ann, bob = await own.guests("Ann", "Bob")
    game = await finished(own, [ann, bob])
    version = done(await ann.get(game))["version"]
    monkeypatch.setattr(service_reviews, "LONGEST", version)
    problem(await ann.get(f"{game}/review"), 409, "too-long")
    assert not orders.jobs
    monkeypatch.setattr(service_reviews, "LONGEST", 2 * version)
    done(await ann.get(f"{game}/review"), 202)


async def test_a_hundred_equal_requests_make_one_job(own: Service, orders: Orders) -> None:
    ann, bob = await own.guests("Ann", "Bob")
    game = await finished(own, [ann, bob])
    answers = await asyncio.gather(*[own.stranger.get(f"{game}/review") for _ in range(100)])
    assert {answer.status_code for answer in answers} == {202}
    orders.give("final")
    bodies = {(await until(each, game, "final")).content for each in (ann, bob, own.stranger)}
    assert (len(bodies), len(orders.jobs)) == (1, 1)
    assert done(await until(ann, game, "final", plan="quick"))["state"] == "final"
    assert len(orders.jobs) == 2
    problem(await ann.get(f"{game}/review", plan="endless"), 400, "malformed")


async def test_a_review_that_is_finished_between_two_looks_is_not_made_again(
    own: Service, orders: Orders, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = await own.guests("Ann", "Bob")
    game = await finished(own, [ann, bob])
    orders.give("final")
    final = await until(ann, game, "final")
    look, early = table.finished, [None]
    monkeypatch.setattr(table, "finished", lambda *asked: early.pop() if early else look(*asked))
    assert (await ann.get(f"{game}/review")).content == final.content
    assert (early, len(orders.jobs)) == ([], 1)


@pytest.mark.by_default("rubbish")  # another test kills a job
@pytest.mark.parametrize("order", ["die", "rubbish"])
async def test_a_job_that_fails_is_503_once_and_is_tried_again(own: Service, orders: Orders, order: str) -> None:
    ann, bob = await own.guests("Ann", "Bob")
    game = await finished(own, [ann, bob])
    for _ in range(2):
        await ann.get(f"{game}/review")
        orders.give(order)
        refused = await failing(ann, game)
        orders.give("wait")
    # A review that has failed twice would fail again, and others wait.
    assert int(refused.headers["retry-after"]) > 3000
    assert len(orders.jobs) == 2
    other = await finished(own, [ann, bob], seed=1)
    orders.give(order)
    await ann.get(f"{other}/review")
    assert (await failing(ann, other)).headers["retry-after"] == "1"
    orders.give("final")
    assert done(await until(ann, other, "final"))


async def test_a_process_that_cannot_be_started_is_503(
    own: Service, orders: Orders, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At once: nobody waits until the lease ends."""
    ann, bob = await own.guests("Ann", "Bob")
    game = await finished(own, [ann, bob])
    with monkeypatch.context() as patch:
        patch.setattr(asyncio, "create_subprocess_exec", AsyncMock(side_effect=OSError("too many open files")))
        await failing(ann, game)
    orders.give("final")
    assert done(await until(ann, game, "final"))


async def failing(caller: Caller, game: str) -> httpx.Response:
    async with asyncio.timeout(60):
        while True:
            answer = await caller.get(f"{game}/review")
            if answer.status_code != 202:
                break
            await asyncio.sleep(0.02)
    problem(answer, 503, "unavailable")
    return answer


async def test_a_killed_job_is_503_once(own: Service, orders: Orders) -> None:
    ann, bob = await own.guests("Ann", "Bob")
    game = await finished(own, [ann, bob])
    await until(ann, game, "pending")
    [child] = [int(pid) for pid in children() if str(orders.file) in command_of(pid)]
    os.kill(child, signal.SIGKILL)
    await failing(ann, game)
    orders.give("final")
    assert done(await until(ann, game, "final"))
    assert len(orders.jobs) == 2


def children() -> list[str]:
    return Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()


def command_of(pid: str) -> str:
    return Path(f"/proc/{pid}/cmdline").read_text()


async def test_a_job_goes_on_while_the_database_is_away(
    own: Service, orders: Orders, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its progress can be written later."""
    ann, bob = await own.guests("Ann", "Bob")
    game = await finished(own, [ann, bob])
    advance, refused = table.advance, list[str]()

    def away(*progress: Any) -> None:
        refused.append(progress[3])
        raise OperationalError("UPDATE", {}, Exception("the server has closed the connection"))

    monkeypatch.setattr(table, "advance", away)
    await ann.get(f"{game}/review")
    async with asyncio.timeout(60):
        while True:
            if len(refused) > 1:
                break
            await asyncio.sleep(0.02)
    monkeypatch.setattr(table, "advance", advance)
    orders.give("final")
    assert done(await until(ann, game, "final"))
    assert len(orders.jobs) == 1


async def test_the_job_ends_with_the_service_and_begins_again_after_it(tmp_path: Path, orders: Orders) -> None:
    async with in_process(tmp_path / "games.db") as service:
        ann, bob = await service.guests("Ann", "Bob")
        game = await finished(service, [ann, bob])
        await until(ann, game, "pending")
        [child] = [pid for pid in children() if str(orders.file) in command_of(pid)]
    assert child not in children()
    async with in_process(tmp_path / "games.db") as service:
        orders.give("final")
        assert done(await until(ann.at(service), game, "final"))
    assert len(orders.jobs) == 2


@pytest.mark.parametrize("passes", range(6))
async def test_a_job_ends_if_it_is_cancelled_while_a_line_arrives(monkeypatch: pytest.MonkeyPatch, passes: int) -> None:
    """`passes`: of the event loop between the line and the cancellation."""
    lines, errors = asyncio.StreamReader(), asyncio.StreamReader()

    @asynccontextmanager
    async def started(_: object) -> AsyncIterator[Any]:
        yield SimpleNamespace(stdin=Mock(drain=AsyncMock()), stdout=lines, stderr=errors)

    async def follow() -> None:
        async for _ in job.steps(b"", []):
            pass

    monkeypatch.setattr(job, "_started", started)
    task = asyncio.create_task(follow())
    await passed(10)
    lines.feed_data(b'{"phase": "first", "done": 1, "all": 2}\n')
    await passed(passes)
    task.cancel()
    await passed(20)
    assert task.cancelled()


async def test_an_error_that_nobody_expects_does_not_end_the_work(
    own: Service, orders: Orders, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reader that is busy gives the review back; any other error is a failure of this review. Others go on."""
    ann, bob = await own.guests("Ann", "Bob")
    games = [await finished(own, [ann, bob], seed) for seed in range(2)]
    errors, record = [QueueFull(), RuntimeError("unexpected")], service_reviews.Reviews._record

    async def failing(self: Any, job: Any) -> bytes:
        if errors:
            raise errors.pop(0)
        return await record(self, job)

    monkeypatch.setattr(service_reviews.Reviews, "_record", failing)
    orders.give("final")
    states = set()
    async with asyncio.timeout(60):
        while "final" not in states:
            answer = await ann.get(f"{games[0]}/review")
            states.add(answer.json().get("state", answer.status_code))
            await asyncio.sleep(0.02)
    assert states >= {"pending", 503, "final"}, "the second error was of this game; it was tried again"
    assert errors == []
    await until(bob, games[1], "final")


async def test_the_work_goes_on_after_an_outage_and_gives_the_review_back(
    own: Service, orders: Orders, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its lease would keep the queue waiting for a minute, and count as a failure."""
    ann, bob = await own.guests("Ann", "Bob")
    game, keep, broken = await finished(own, [ann, bob]), table.keep, [1, 2]

    def away(*arguments: Any) -> None:
        if broken:
            broken.pop()
            raise OperationalError("", {}, Exception("the database is away"))
        keep(*arguments)

    monkeypatch.setattr(table, "keep", away)
    orders.give("final")
    await until(ann, game, "final")
    assert broken == []
    assert len(orders.jobs) == 3


async def test_a_review_that_nobody_asks_for_ends_when_others_wait(
    own: Service, orders: Orders, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = await own.guests("Ann", "Bob")
    games = [await finished(own, [ann, bob], seed) for seed in range(2)]
    await until(ann, games[0], "pending")
    monkeypatch.setattr(table, "TOUCHED", 0)
    monkeypatch.setattr(table, "FORGOTTEN", SECOND)
    await until(bob, games[1], "pending")
    assert [each[0] for each in orders.jobs] == [game.rpartition("/")[2] for game in games]


@pytest.mark.usefixtures("orders")
async def test_the_time_of_a_review_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """It says something all the time, and never ends."""
    monkeypatch.setattr(job, "MAX_TIME", 0.5)
    with pytest.raises(job.JobFailed, match="takes more than"):
        async for _ in job.steps(b'{"id": "game", "head": "00", "seats": []}', []):
            pass


async def passed(times: int) -> None:
    for _ in range(times):
        await asyncio.sleep(0)


@pytest.mark.checked
async def test_a_caller_who_floods_delays_others_by_one_review(tmp_path: Path, orders: Orders) -> None:
    async with in_process(tmp_path / "games.db") as service:
        ann, bob = await service.guests("Ann", "Bob")
        games = [await finished(service, [ann, bob], seed) for seed in range(5)]
        for game in games[:3]:  # one runs, two wait
            await ann.get(f"{game}/review")
            await until(ann, games[0], "pending")
        flood = [await ann.get(f"{games[3]}/review") for _ in range(20)]
        assert {problem(each, 429, "too-many-requests")["status"] for each in flood} == {429}
        assert int(flood[0].headers["retry-after"]) >= 1
    # The same database, from another network.
    async with in_process(tmp_path / "games.db", address="198.51.100.7") as service:
        assert done(await bob.at(service).get(f"{games[4]}/review"), 202)["place"] <= 2
        orders.give("final")
        await until(bob.at(service), games[4], "final")
        for game in games[:3]:
            await until(ann.at(service), game, "final")
    order = [each[0] for each in orders.jobs[1:]]
    assert order.index(games[4].rpartition("/")[2]) <= 2  # after the one that runs, and one that waits


async def test_a_full_queue_says_when_there_is_room(
    own: Service, orders: Orders, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "MAX_JOBS", 2)
    ann, bob, cem = await own.guests("Ann", "Bob", "Cem")
    games = [await finished(own, [ann, bob], seed) for seed in range(3)]
    for player, game in zip([ann, bob], games, strict=False):
        await player.get(f"{game}/review")
    refused = await cem.get(f"{games[2]}/review")
    problem(refused, 503, "unavailable")
    assert int(refused.headers["retry-after"]) >= 1
    orders.give("final")
    for player, game in zip([ann, bob, cem], games, strict=True):
        assert done(await until(player, game, "final"))


async def test_the_cache_can_be_emptied_and_is_bounded(
    own: Service, orders: Orders, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = await own.guests("Ann", "Bob")
    games = [await finished(own, [ann, bob], seed) for seed in range(2)]
    orders.give("final")
    before = await until(ann, games[0], "final")
    monkeypatch.setattr(table, "MAX_KEPT", len(gzip.compress(before.content)) + 20)  # one
    await until(ann, games[1], "final")  # drops the first
    assert (await until(ann, games[0], "final")).content == before.content
    assert len(orders.jobs) == 3


@pytest.mark.by_default()  # `test_command` runs it
async def test_the_real_program_reviews_a_game(tmp_path: Path) -> None:
    """A short game by the quick plan. Nothing stands in for anything."""
    async with in_process(tmp_path / "games.db") as service:
        ann, bob = await service.guests("Ann", "Bob")
        game = await service.table(ONE, [ann, bob])
        await play_to_the_end([ann, bob], game)
        async with asyncio.timeout(300):
            states = []
            while "final" not in states:
                answer = await ann.get(f"{game}/review", plan="quick")
                states.append(answer.json()["state"])
                await asyncio.sleep(0.1)
    found: Review[Any] = msgspec.json.decode(answer.content, type=review_type(RULESETS[ONE]))
    assert json.loads(canonical(found)) == answer.json()
    assert sum(account.result for account in found.accounts) == 0
    assert found.plan == "quick"
    assert {choice.seat for choice in found.choices} == {0, 1}


async def test_the_review_of_a_private_game_is_private(own: Service, orders: Orders) -> None:
    ann, bob = await own.guests("Ann", "Bob")
    game = await finished(own, [ann, bob], private=True)
    problem(await own.stranger.get(f"{game}/review"), 404, "not-found")
    assert not orders.jobs
    orders.give("final")
    await until(ann, game, "final")
    problem(await own.stranger.get(f"{game}/review"), 404, "not-found")


async def test_reviews_that_are_off_do_not_exist(tmp_path: Path) -> None:
    async with in_process(tmp_path / "games.db", review="off") as service:
        ann, bob = await service.guests("Ann", "Bob")
        game = await finished(service, [ann, bob])
        problem(await ann.get(f"{game}/review"), 404, "not-found")
        problem(await ann.get(f"/v1/players/me/reviews/{ONE}"), 404, "not-found")
        assert "review" not in (await ann.get("/")).text.lower()


@pytest.mark.checked
async def test_documents_do_not_mention_reviews_that_are_off(tmp_path: Path) -> None:
    async with in_process(tmp_path / "games.db", review="off") as service:
        for path in ("/schema/openapi.json", "/schema/asyncapi.json"):
            found = await service.stranger.get(path)
            assert found.status_code == 200
            assert "review" not in found.text.lower().replace("preview", "")


@pytest.mark.checked
async def test_a_player_sees_the_mean_of_their_own_choices(own: Service, orders: Orders) -> None:
    """From ten games on, of quick reviews that the player asks for; nobody else sees it."""
    ann, bob = await own.guests("Ann", "Bob")
    path = f"/v1/players/me/reviews/{ONE}"
    problem(await own.stranger.get(path), 401, "unauthenticated")
    problem(await ann.get("/v1/players/me/reviews/chess"), 404, "not-found")
    assert done(await ann.get(path)) == {"ruleset": ONE, "finished": 0, "reviewed": 0, "pending": 0}
    orders.give("final")
    rules = RULESETS[ONE]
    for seed in range(10):
        game = await own.table(ONE, [ann, bob], options=rules.board)
        await play_to_the_end([ann, bob], game, seed)
    await own.table(ONE, [ann, bob])  # it runs
    assert "mean" not in done(await ann.get(path))
    async with asyncio.timeout(120):
        while (found := done(await ann.post(path)))["reviewed"] < 10:
            assert found["pending"] <= table.WAITING_OF_CALLER + 1
            await asyncio.sleep(0.05)
    assert len(orders.jobs) == 10
    assert {tuple(options) for _, options, *_ in orders.jobs} == {("--plan", "quick")}
    mean = found["mean"]
    assert (mean["games"], mean["choices"], mean["own"]) == (10, 70, -mean["loss"])
    assert mean["loss_half"] > 0
    assert done(await bob.get(path))["mean"] == mean  # the same games, and their own choices
    cem = await own.guest("Cem")
    assert done(await cem.get(path))["finished"] == 0


@pytest.mark.parametrize("means", [[Mean(1, 7, 0.5, -0.5)], []], ids=["of the other player", "of nobody"])
async def test_a_game_without_choices_of_the_player_needs_no_other_review(
    own: Service, orders: Orders, tmp_path: Path, means: list[Mean]
) -> None:
    """A player who left at once, so that the house player made all choices, or who had a hint for each."""
    ann, bob = await own.guests("Ann", "Bob")
    game = await listed_as_over(own, [ann, bob])
    path = f"/v1/players/me/reviews/{ONE}"
    assert done(await ann.get(path))["finished"] == 1
    engine = databases.projections(settings.read({}, database=tmp_path / "games.db"))
    table.keep_means(engine, game.rpartition("/")[2], FORMAT, means)
    engine.dispose()
    known = {"ruleset": ONE, "finished": 1, "reviewed": 1, "pending": 0}
    assert [done(await each.post(path)) for each in (ann, bob)] == [known] * 2
    assert orders.jobs == []


async def test_a_game_that_is_too_long_is_looked_at_once_for_a_mean(
    own: Service, orders: Orders, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To load 50 of them with each request would take long."""
    monkeypatch.setattr(service_reviews, "LONGEST", 0)
    ann, bob = await own.guests("Ann", "Bob")
    game = await listed_as_over(own, [ann, bob])
    problem(await ann.get(f"{game}/review"), 409, "too-long")
    path = f"/v1/players/me/reviews/{ONE}"
    assert done(await ann.post(path)) == {"ruleset": ONE, "finished": 1, "reviewed": 1, "pending": 0}
    monkeypatch.setattr(Games, "find", None)
    assert done(await ann.post(path))["reviewed"] == 1
    assert orders.jobs == []


async def test_imported_games_are_not_in_a_players_mean(tmp_path: Path, orders: Orders) -> None:
    """Anybody who knows a game's secret can forge another record of it."""
    async with in_process(tmp_path / "here.db", secret="x" * 32) as here:
        players = await here.guests("Ann", "Bob")
        game = await listed_as_over(here, players)
        (tmp_path / "game.json").write_bytes((await players[0].get(f"{game}/record")).content)
        assert done(await players[0].get(f"/v1/players/me/reviews/{ONE}"))["finished"] == 1
    there = tmp_path / "there.db"
    await import_games(settings.read({}, database=str(there)), [str(tmp_path / "game.json")])
    async with in_process(there, secret="x" * 32) as other:
        ann = players[0].at(other)
        assert done(await ann.get(f"{game}"))["imported"] is True
        assert done(await ann.post(f"/v1/players/me/reviews/{ONE}"))["finished"] == 0
    assert orders.jobs == []


async def test_a_full_queue_takes_no_reviews_for_a_mean(
    own: Service, orders: Orders, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`pending: 0` would say that all are finished."""
    monkeypatch.setattr(table, "MAX_JOBS", 1)
    ann, bob = await own.guests("Ann", "Bob")
    game = await listed_as_over(own, [ann, bob])
    done(await ann.get(f"{game}/review"), 202)
    path = f"/v1/players/me/reviews/{ONE}"
    refused = await bob.post(path)
    problem(refused, 503, "unavailable")
    assert int(refused.headers["retry-after"]) >= 1
    orders.give("final")
    await until(ann, game, "final")
    orders.give("wait")
    assert done(await bob.post(path))["pending"] == 1
    await finished(own, [ann, bob], seed=1)
    assert done(await own.stranger.get("/v1/games"))["items"][0]["status"] == "finished"
    found = done(await bob.post(path))
    assert (found["finished"], found["pending"]) == (2, 1)


@pytest.mark.by_default()
async def test_all_processes_together_make_one_review_at_a_time(migrated_url: str, orders: Orders) -> None:
    """Two services on one PostgreSQL database: each answers for both."""
    async with in_process(migrated_url) as one, in_process(migrated_url) as other:
        ann, bob = await one.guests("Ann", "Bob")
        games = [await finished(one, [ann, bob], seed) for seed in range(2)]
        await until(ann, games[0], "pending")
        assert done(await bob.at(other).get(f"{games[1]}/review"), 202)["place"] == 1
        same = [await each.get(f"{games[0]}/review") for each in (bob, bob.at(other)) for _ in range(5)]
        assert {each.json()["progress"]["phase"] for each in same} == {"first"}
        await asyncio.sleep(3 * service_reviews.POLL)
        assert len(orders.jobs) == 1
        orders.give("final")
        assert len({(await until(each, games[0], "final")).content for each in (ann, ann.at(other))}) == 1
        await until(ann.at(other), games[1], "final")
        assert len(orders.jobs) == 2
