"""The puzzle of the day: from games whose players agreed, published by the command, answered by anybody."""

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import inspect, text

from agents.review import weighing
from agents.review.weighing import Plan
from service import clock, databases, settings
from service.__main__ import main
from service.extensions.puzzles import table as puzzles
from tests.support.clients import Caller, Service, done, in_process, play_to_the_end, problem

pytestmark = [pytest.mark.anyio, pytest.mark.waits]

SHORT = "scout"
CHEAP = Plan(moves=4, look=2, sift=4, check=2, refine=3, most=3, account=3)
TODAY, TOMORROW = "2026-01-31", "2026-02-01"
NOTHING_NEW = "Games looked through: 0. New puzzles: none."


@pytest.fixture(autouse=True)
def nothing_shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A day without a puzzle of this service has none."""
    monkeypatch.setattr("service.extensions.puzzles.days.shipped", lambda: ())


@pytest.fixture(autouse=True)
def lenient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nearly every choice is a puzzle, and few worlds are imagined."""
    monkeypatch.setitem(weighing.PLANS, "quick", CHEAP)
    monkeypatch.setattr("service.extensions.puzzles.finding.WORLDS", 3)
    monkeypatch.setattr("service.extensions.puzzles.finding.CERTAIN", 0.0)
    monkeypatch.setattr(weighing, "SHARES", (-1000, -1000, -1000))  # worse ones too: a game of any deal has one


@pytest.fixture
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    on_server = getattr(request, "param", "sqlite") == "postgresql"
    return request.getfixturevalue("migrated_url") if on_server else str(tmp_path / "games.db")


@pytest.fixture
async def own(database: str) -> AsyncIterator[Service]:
    async with in_process(database, secret="x" * 32) as running:
        yield running


@pytest.fixture
def day(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The day that it is."""
    days, real = [TODAY], clock.now
    monkeypatch.setattr(clock, "now", lambda: days[-1] + real()[10:])
    return days


async def publish(database: str, capsys: pytest.CaptureFixture[str], *options: str) -> str:
    arguments = ["puzzles", "--publish", "--plan", "quick", "--database", database, *options]
    assert await asyncio.to_thread(main, arguments) == 0
    return capsys.readouterr().out.strip()


async def finished(service: Service, players: list[Caller], seed: int = 0, **terms: Any) -> str:
    game = await service.table(SHORT, players, **terms)
    await play_to_the_end(players, game, seed)
    done(await service.stranger.get("/v1/games"))  # the lobby knows that it is over
    return game


@pytest.mark.turns("databases")
@pytest.mark.parametrize("database", ["sqlite", "postgresql"], indirect=True)
async def test_only_games_whose_players_agreed_become_puzzles_and_these_name_nobody(
    own: Service, database: str, day: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    people = await own.guests("Annabelle", "Barnabas", "Cornelius")
    await finished(own, people)
    assert (await own.stranger.get("/v1/puzzles/today")).status_code == 204
    assert await publish(database, capsys) == NOTHING_NEW
    game = await finished(own, people, puzzles=True)
    assert done(await own.stranger.get(game))["puzzles"] is True
    listed = done(await own.stranger.get("/v1/games"))["items"]
    assert [each.get("puzzles") for each in listed] == [True, None]
    assert await publish(database, capsys) == f"Games looked through: 1. New puzzles: {TODAY}."
    assert await publish(database, capsys) == NOTHING_NEW
    answer = await own.stranger.get("/v1/puzzles/today")
    puzzle = done(answer)
    record = done(await own.stranger.get(f"{game}/record"))
    for secret in ("Annabelle", "Barnabas", "Cornelius", *record["names"], record["id"], record["head"]):
        assert secret not in answer.text
    assert (puzzle["day"], puzzle["ruleset"], puzzle["rules"], puzzle["seats"]) == (TODAY, SHORT, record["rules"], 3)
    seen = [
        done(await own.stranger.get(game, at=version, **{"as": puzzle["seat"]}))["view"]
        for version in range(1, len(record["events"]))
    ]
    assert puzzle["view"] in seen  # what the seat itself saw, and no more
    day.append(TOMORROW)
    assert (await own.stranger.get("/v1/puzzles/today")).status_code == 204


async def test_a_move_is_checked_like_one_of_a_game(
    own: Service, database: str, day: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    people = await own.guests("Ann", "Bob", "Cem")
    await finished(own, people, puzzles=True)
    await publish(database, capsys)
    puzzle, path = done(await own.stranger.get("/v1/puzzles/today")), f"/v1/puzzles/{TODAY}"
    moves = puzzle["legal_moves"]
    answers = [done(await own.stranger.post(path, move)) for move in moves]
    solution = answers[0]["solution"]
    assert solution in moves
    assert [each["right"] for each in answers] == [move == solution for move in moves]
    assert all(each["error"] >= 0 and each["solution"] == solution for each in answers)
    day.append(TOMORROW)
    assert done(await own.stranger.post(path, solution))["right"]  # the page was opened before midnight
    away = {"type": "scout", "end": "left", "flip": False, "position": 99, "show": False}
    illegal = problem(await own.stranger.post(path, away), 409, "illegal-move")
    assert illegal["legal_moves"] == puzzle["legal_moves"]
    for body in (
        {},
        {"type": "no such move"},
        {"type": "scout"},
        [],
        None,
        "x",
        {"type": "scout", "end": 1, "position": "0"},
    ):
        problem(await own.stranger.post(path, body), 400, "malformed")
    engine = databases.projections(settings.read({}, database=database))
    body = puzzles.of_day(engine, TODAY)
    days = [puzzles.keep(engine, f"game {number}", body, date.fromisoformat(TODAY)) for number in range(2)]
    engine.dispose()
    assert days == [TOMORROW, "2026-02-02"]
    assert done(await own.stranger.post(f"/v1/puzzles/{TOMORROW}", solution))["right"]
    for wrong in ("2026-02-02", "2025-01-01"):  # a day to come, and one without a puzzle
        problem(await own.stranger.post(f"/v1/puzzles/{wrong}", solution), 404, "not-found")
    for wrong in ("today", "2026-1-1", "x" * 200, "2026-01-31%0A", "%00"):
        assert (await own.stranger.post(f"/v1/puzzles/{wrong}", solution)).status_code in (400, 404, 405)


@pytest.mark.usefixtures("day")
async def test_a_flood_of_answers_is_limited_and_leaves_nothing(
    own: Service, database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Answers of a stranger and of a player cost like every request, right or wrong, and hold nobody else up."""
    people = await own.guests("Ann", "Bob", "Cem")
    await finished(own, people, puzzles=True)
    await publish(database, capsys)
    move = done(await own.stranger.get("/v1/puzzles/today"))["legal_moves"][0]
    before = stored(database)
    assert before["puzzles"] == 1
    async with in_process(database, secret="x" * 32, rate_limit="1/600") as limited:
        ann, bob = (who.at(limited) for who in people[:2])
        bodies = [(TODAY, move), ("2025-01-01", move), (TOMORROW, move), (TODAY, {"type": "no such move"})]
        for who in (limited.stranger, ann):
            flood = [who.post(f"/v1/puzzles/{asked}", body) for _ in range(15) for asked, body in bodies]
            answers = await asyncio.gather(*flood)
            refused = [each for each in answers if each.status_code == 429]
            assert {200, 429} < {each.status_code for each in answers} <= {200, 400, 404, 429}
            assert len(refused) >= 30
            assert all(int(each.headers["Retry-After"]) > 0 for each in refused)
        assert done(await bob.post(f"/v1/puzzles/{TODAY}", move))["solution"]
    assert stored(database) == before


def stored(database: str) -> dict[str, int]:
    """The number of rows, by table."""
    engine = databases.projections(settings.read({}, database=database))
    with engine.connect() as connection:
        names = inspect(engine).get_table_names()
        found = {name: connection.execute(text(f'SELECT count(*) FROM "{name}"')).scalar_one() for name in names}
    engine.dispose()
    return found


@pytest.mark.parametrize("alone", ["private", "hotseat"])
async def test_games_of_a_few_cannot_become_puzzles(own: Service, alone: str) -> None:
    ann = await own.guest("Ann")
    answer = await ann.post(f"/v1/games/{SHORT}", {"seats": 3, "puzzles": True, alone: True})
    assert "puzzles" in json.dumps(problem(answer, 400, "malformed"))


async def test_a_rematch_has_the_same_terms_and_a_branch_has_none(own: Service) -> None:
    people = await own.guests("Ann", "Bob", "Cem")
    game = await finished(own, people, puzzles=True)
    assert done(await people[0].post(f"{game}/rematch", {}), 201)["puzzles"] is True
    at = done(await people[0].get(game))["version"] // 2
    assert "puzzles" not in done(await people[0].post(f"{game}/branches", {"at": at}), 201)


def test_days_are_filled_up_to_a_month_ahead_and_old_ones_go(tmp_path: Path) -> None:
    given = settings.read({}, database=tmp_path / "games.db")
    engine = databases.projections(given)
    databases.prepare_others(given, engine)
    first = date(2026, 1, 1)
    found = [puzzles.keep(engine, f"game {number}", "{}", first) for number in range(puzzles.AHEAD + 2)]
    assert (found[0], found[-3:]) == ("2026-01-01", ["2026-01-30", None, None])
    assert puzzles.free_days(engine, first) == 0
    assert puzzles.keep(engine, "game 0", "{}", date(2026, 6, 1)) is None  # it was looked through
    assert puzzles.keep(engine, "no puzzle", None, date(2026, 6, 1)) is None
    assert puzzles.keep(engine, "later", "{}", date(2026, 6, 1)) == "2026-06-01"
    assert puzzles.of_day(engine, "2026-01-01") == "{}"
    assert puzzles.keep(engine, "much later", "{}", date(2027, 1, 2)) == "2027-01-02"
    assert (puzzles.of_day(engine, "2026-01-01"), puzzles.of_day(engine, "2026-01-02")) == (None, "{}")
    engine.dispose()


def test_the_command_needs_records_or_the_database(capsys: pytest.CaptureFixture[str]) -> None:
    for wrong in ([], ["--publish", "game.json"], ["--publish", "--games", "0"]):
        assert main(["puzzles", *wrong]) == 2
        assert capsys.readouterr().err
