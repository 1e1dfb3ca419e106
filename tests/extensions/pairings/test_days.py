"""The deal of the day: one try for each, hidden before it, revealed after the day."""

import asyncio
import json
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from domain.rulesets import RULESETS
from domain.searching import ruler
from service.__main__ import main
from service.extensions.pairings import views
from tests.extensions.pairings.tables import ask, look, play_out
from tests.support.clients import Caller, Json, Service, done, in_process, problem

pytestmark = pytest.mark.anyio

RULESET = "scout"


def day(ahead: int = 0) -> str:
    return (datetime.now(UTC) + timedelta(days=ahead)).strftime("%Y-%m-%d")


async def deal(service: Service, ahead: int = 0) -> Json:
    """The deal of the day, which the service makes in its first second."""
    async with asyncio.timeout(60):
        while not (found := done(await service.stranger.get("/v1/pairings", day=day(ahead)))["items"]):  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    return next(each for each in found if each["ruleset"] == RULESET)


@pytest.fixture
async def today(own: Service) -> Json:
    return await deal(own)


async def test_a_new_service_has_a_first_day_at_once_and_the_next_one_fixed(own: Service, today: Json) -> None:
    listed = done(await own.stranger.get("/v1/pairings", day=day()))["items"]
    assert [each["ruleset"] for each in listed] == ["scout", "skyjo"]
    tomorrow = await deal(own, 1)
    seen = await look(own.stranger, tomorrow)
    assert (await look(own.stranger, today))["next"] == {"day": day(1), "commitment": seen["deal"]["commitment"]}
    assert (seen["state"], seen["deal"]["secret"]) == ("planned", None)
    assert seen["places"] == ["me", *[ruler(RULESETS[RULESET])] * 2]
    ann = await own.guest("Ann")
    problem(await ann.post(f"/v1/pairings/{tomorrow['id']}/tables"), 404, "not-found")


async def test_a_deal_that_nobody_has_begun_is_not_looked_after_every_second(own: Service, tmp_path: Path) -> None:
    """The service looks after the deal of today when it has made it, and an hour later."""
    for ahead in (0, 1):
        await deal(own, ahead)
    soon = (datetime.now(UTC) + timedelta(minutes=10)).isoformat()
    query = "SELECT count(*) FROM stammtisch_pairings WHERE state = 'planned' AND looked_at > ?"
    async with asyncio.timeout(60):
        while True:
            with sqlite3.connect(tmp_path / "games.db") as database:
                if database.execute(query, (soon,)).fetchone() == (4,):
                    break
            await asyncio.sleep(0.02)


async def test_a_player_has_one_try(own: Service, today: Json) -> None:
    ann = await own.guest("Ann")
    path = f"/v1/pairings/{today['id']}/tables"
    answers = await asyncio.gather(*[ann.post(path) for _ in range(8)])
    assert len({answer.json()["game"] for answer in answers}) == 1
    assert {answer.status_code for answer in answers} <= {200, 201}
    game = answers[0].json()["game"]
    assert (await ann.look(game))["status"] == "running"
    await ann.send("DELETE", f"{game}/seats/0", running="true")
    assert (await ask(ann, today, 200))["game"] == game
    seen = await look(ann, today)
    assert seen["count"] == 1


async def test_nothing_is_shown_before_the_own_try_is_over(own: Service, today: Json) -> None:
    ann, bob = await own.guests("Ann", "Bob")
    first = await ask(ann, today)
    result = await play_out(ann, first["game"])
    for who in (bob, own.stranger):
        seen = await look(who, today)
        assert (seen["tables"], seen["results"], seen["groups"], seen["listed"], seen["you"]) == (
            [],
            None,
            [],
            None,
            None,
        )
        assert ann.id not in json.dumps(seen)
        assert first["id"] not in json.dumps(seen)
        assert (await look(who, today, standing="guests", start=0))["tables"] == []
    his = await ask(bob, today)
    running = await look(bob, today)
    assert [table["game"] for table in running["tables"]] == [his["game"]]
    await play_out(bob, his["game"], seed=3)
    seen = await look(bob, today)
    assert (seen["standing"], seen["listed"], seen["results"]) == ("guests", 2, 2)
    points = [table["points"][0] for table in seen["tables"]]
    assert points == sorted(points, reverse=True)
    assert result["result"]["scores"][0] in points
    assert seen["you"]["streak"] == 1
    assert sum(group["tables"] for group in seen["groups"]) == 2
    assert seen["you"]["week"]["ahead_of"] == next(
        table["compared"][0]["ahead_of"] for table in seen["tables"] if table["game"] == his["game"]
    )


async def test_programs_and_new_guests_have_lists_of_their_own(own: Service, today: Json) -> None:
    ann = await own.guest("Ann")
    made = done(await own.stranger.post("/v1/players", {"name": "Bot", "bot": True}), 201)
    bot = Caller(own.http, made["token"], made["id"])
    for who in (ann, bot):
        await play_out(who, (await ask(who, today))["game"])
    seen = {name: await look(ann, today, standing=name) for name in ("people", "guests", "bots")}
    assert {name: len(each["tables"]) for name, each in seen.items()} == {"people": 0, "guests": 1, "bots": 1}
    assert seen["bots"]["tables"][0]["seats"][0]["player"]["id"] == bot.id


async def test_a_guest_is_compared_with_the_others_after_some_days(own: Service, today: Json, tmp_path: Path) -> None:
    """From the third day on, if the first one is a week ago."""
    ann = await own.guest("Ann")
    await play_out(ann, (await ask(ann, today))["game"])
    assert (await look(ann, today))["standing"] == "guests"
    await days_before(tmp_path, ann, -1, -6)
    assert await fresh(ann, today) == "guests"
    await days_before(tmp_path, ann, -7)
    assert await fresh(ann, today) == "people"


async def days_before(folder: Path, who: Caller, *days: int) -> None:
    with sqlite3.connect(folder / "games.db") as database:
        for each in days:
            row = (f"any{each}", who.id, "", f"any{each}", RULESET, day(each))
            database.execute("INSERT INTO stammtisch_pairing_players VALUES (?, ?, ?, ?, ?, ?)", row)


async def fresh(who: Caller, pairing: Json) -> Any:
    """The caller's list, computed anew."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(views, "FRESH", 0.0)
        return (await look(who, pairing))["standing"]


async def end_of(folder: Path, pairing: Json, *, tries: bool = True) -> None:
    """The day is over. `tries`: the time of its last tries, too."""
    with sqlite3.connect(folder / "games.db") as database:
        past = "2020-01-01T00:00:00.000000Z"
        changed = ("closes_at", "until", "looked_at") if tries else ("closes_at", "looked_at")
        for column in changed:
            database.execute(f"UPDATE stammtisch_pairings SET {column} = ? WHERE id = ?", (past, pairing["id"]))


async def test_a_try_that_began_before_midnight_is_finished_after_it(own: Service, today: Json, tmp_path: Path) -> None:
    """Nothing is revealed meanwhile, and nobody begins."""
    ann, bob, late = await own.guests("Ann", "Bob", "Late")
    games = [(await ask(who, today))["game"] for who in (ann, bob)]
    await play_out(bob, games[1])
    await end_of(tmp_path, today, tries=False)
    problem(await late.post(f"/v1/pairings/{today['id']}/tables"), 404, "not-found")
    assert (await ask(ann, today, 200))["game"] == games[0]
    assert (await look(own.stranger, today))["deal"]["secret"] is None
    await play_out(ann, games[0], seed=3)
    await end_of(tmp_path, today)
    async with asyncio.timeout(60):
        while (seen := await look(ann, today))["state"] != "over":  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    assert (seen["results"], seen["deal"]["secret"] is None) == (2, False)


async def test_everything_is_revealed_after_the_day(
    own: Service, today: Json, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tries that still run are ended; the records prove that all played the same cards."""
    people = await own.guests("Ann", "Bob", "Cem")
    games = [(await ask(who, today))["game"] for who in people]
    for who, game in zip(people[:2], games[:2], strict=True):
        await play_out(who, game)
    commitment = (await look(people[0], today))["deal"]["commitment"]
    await end_of(tmp_path, today)
    async with asyncio.timeout(60):
        while (seen := await look(own.stranger, today, standing="guests"))["state"] != "over":  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    assert [table["seats"][0]["player"]["id"] for table in seen["tables"]][2] == people[2].id
    assert (seen["results"], seen["count"]) == (2, 3)
    assert (await people[2].look(games[2]))["cause"] == "expired"
    files = []
    for table in seen["tables"][:2]:  # the third game was ended by a clock that the test has turned
        record = done(await own.stranger.get(f"{table['game']}/record", invite=table["invite"]))
        assert (record["secret"], record["events"][0]["event"]["deal"]["id"]) == (seen["deal"]["secret"], today["id"])
        files.append(tmp_path / f"{table['number']}.json")
        files[-1].write_text(json.dumps(record))
    assert commitment == seen["deal"]["commitment"]
    assert await asyncio.to_thread(main, ["verify", "--same-deal", *map(str, files)]) == 0, capsys.readouterr()
    late = await own.guest("Late")
    problem(await late.post(f"/v1/pairings/{today['id']}/tables"), 404, "not-found")


async def test_a_day_has_pages_of_results(own: Service, today: Json, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "PAGE", 2)
    people = await own.guests("Ann", "Bob", "Cem", "Dan", "Eve")
    for seed, who in enumerate(people):
        await play_out(who, (await ask(who, today))["game"], seed)
    rows = []
    for start in (0, 2, 4, 6):
        rows += (await look(people[0], today, start=start))["tables"]
    assert sorted(each["number"] for each in rows) == [1, 2, 3, 4, 5]
    mine = await look(people[2], today)
    own_row = mine["you"]["row"]
    assert rows[own_row]["game"] == mine["you"]["game"]
    assert mine["you"]["game"] in [table["game"] for table in mine["tables"]]


async def test_a_day_is_computed_once_for_all_who_look_at_it(
    own: Service, today: Json, monkeypatch: pytest.MonkeyPatch
) -> None:
    computed, real = list[object](), views._field

    def counted(*given: Any) -> Any:
        computed.append(given)
        return real(*given)

    monkeypatch.setattr(views, "FRESH", 3600.0)
    monkeypatch.setattr(views, "_field", counted)
    people = [own.stranger, *await own.guests("Ann", "Bob", "Cem")]
    for who in people * 5:
        await look(who, today)
    assert len(computed) == 1


async def test_days_in_a_row_are_counted(own: Service, today: Json, tmp_path: Path) -> None:
    ann = await own.guest("Ann")
    game = (await ask(ann, today))["id"]
    await play_out(ann, f"/v1/games/{RULESET}/{game}")
    with sqlite3.connect(tmp_path / "games.db") as database:
        for ahead in (-1, -2, -4):  # three days ago the player was away
            row = (f"any{ahead}", ann.id, "", game, RULESET, day(ahead))
            database.execute("INSERT INTO stammtisch_pairing_players VALUES (?, ?, ?, ?, ?, ?)", row)
    assert (await look(ann, today))["you"]["streak"] == 3


async def test_no_ruleset_has_a_deal_of_the_day_unless_the_operator_says_so(tmp_path: Path) -> None:
    async with in_process(tmp_path / "games.db", days="none") as service:
        await asyncio.sleep(0)
        assert done(await service.stranger.get("/v1/pairings", day=day()))["items"] == []
