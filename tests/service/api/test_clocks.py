"""Games with a clock over HTTP: late moves, coming back, giving time, my turns, and sweeps."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any

import pytest

from domain.rulesets import RULESETS
from tests.support import clocks
from tests.support.clients import Caller, Json, Service, any_of, done, fewest, in_process, problem
from tests.support.clocks import WallClock

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

CLOCK = {"bank": 60, "increment": 5, "delay": 0, "reserve": 30}


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch) -> Iterator[WallClock]:
    yield from clocks.set_forward(monkeypatch)


@pytest.fixture
async def house(database: Path, wall: WallClock, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Service]:  # noqa: ARG001
    """A service whose clock the test sets, without sweeps."""
    clocks.no_sweeps(monkeypatch)
    async with in_process(database) as running:
        yield running


async def table(house: Service, ruleset: str = "scout", seats: int = 0, **terms: Any) -> tuple[list[Caller], str]:
    """Players at a game with a clock."""
    players = await house.guests(*"ABCDE"[: seats or fewest(ruleset)])
    return players, await house.table(ruleset, players, **({"clock": CLOCK} | terms))


async def to_act(players: list[Caller], game: str) -> Caller:
    return players[(await players[0].look(game))["to_act"][0]]


async def late(players: list[Caller], game: str, wall: WallClock) -> tuple[Caller, int]:
    """Somebody whose turn it is, and who has had no time for 100 seconds; and their seat."""
    seat = (await players[0].look(game))["to_act"][0]
    wall.sleep(100)
    return players[seat], seat


def seconds(at: str) -> float:
    return datetime.fromisoformat(at).timestamp()


async def checks(who: Caller, game: str) -> dict[str, bool | None]:
    found = {each["name"]: each["ok"] for each in done(await who.get(f"{game}/audit"))["checks"]}
    assert False not in found.values()
    return found


# --- the resource -------------------------------------------------------------------------------------------------


async def test_a_game_shows_its_clock_in_absolute_times(house: Service, wall: WallClock) -> None:
    players = await house.guests("Ann", "Bob")
    game = await players[0].open("skyjo", clock={"bank": 60})
    full = {"left": 60_000, "reserve": 0, "runs_out": None}
    waiting = await players[0].look(game)
    assert waiting["clock"] == {"bank": 60, "increment": 0, "delay": 0, "reserve": 0, "seats": [full, full]}
    await players[1].sit(game)
    begun = await players[0].look(game)
    (last,) = await players[0].events(game, after=begun["version"] - 1)
    for dial in begun["clock"]["seats"]:
        assert seconds(dial["runs_out"]) == seconds(last["at"]) + 60
        assert (dial["left"], dial["reserve"]) == (60_000, 0)
    wall.sleep(10)
    answer = await players[0].get(game)
    assert done(answer) == begun, "time alone changes nothing"
    assert (await players[0].get(game, headers={"If-None-Match": answer.headers["ETag"]})).status_code == 304
    moved = (await players[0].move(game, any_of(begun["legal_moves"], Random(1))))["game"]["clock"]["seats"]
    assert moved[1] == begun["clock"]["seats"][1], "others' moves change no dial"
    assert 49_000 < moved[0]["left"] < 50_001
    assert (await players[0].look(game, at=begun["version"]))["clock"] == begun["clock"]
    assert (await players[0].look(game, at=waiting["version"]))["clock"] == waiting["clock"]
    seen = [await who.look(game) for who in (*players, house.stranger)]
    assert len({str(each["clock"]) for each in seen}) == 1, "it is the same for everybody"


# --- running out of time ------------------------------------------------------------------------------------------


@pytest.mark.by_default("scout", "scandaroon")
@pytest.mark.parametrize("ruleset", RULESETS)
async def test_a_late_move_is_refused_and_its_player_can_come_back(
    house: Service, wall: WallClock, ruleset: str
) -> None:
    players, game = await table(house, ruleset, absent="random/1", clock={"bank": 60, "increment": 60})
    while len((before := await players[0].look(game))["to_act"]) > 1:  # until only one seat has a choice
        who = await to_act(players, game)
        await who.move(game, any_of((await who.look(game))["legal_moves"], Random(3)))
    who, seat = await late(players, game, wall)
    move = before["legal_moves"] or (await who.look(game))["legal_moves"]
    document = problem(await who.post(f"{game}/moves", move[0]), 409, "out-of-time")
    assert (document["seat"], document["can_return"]) == (seat, True)
    now = document["game"]
    assert now == await who.look(game)
    assert now["seats"][seat]["gone"] is True
    assert now["seats"][seat]["bot"] == "random/1"
    assert now["version"] > before["version"] and seat not in now["to_act"]
    (gone,) = [each for each in await who.events(game) if each["event"]["type"] == "gone"]
    assert gone["by"] is None
    assert gone["event"]["cause"] == "expired"
    minimal = problem(
        await who.post(f"{game}/moves", move[0], headers={"Prefer": "return=minimal"}), 409, "out-of-time"
    )
    assert "game" not in minimal
    back = await who.sit(game, seat)
    assert "gone" not in back["seats"][seat]
    assert back["clock"]["seats"][seat]["left"] >= 15_000
    assert (await checks(who, game))["clock"] is True


# --- giving time --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("on", "seats"), [("abort", 2), ("abort", 3), ("undo", 3)])
async def test_an_answer_to_a_question_that_a_time_out_ends_asks_nothing(
    house: Service, wall: WallClock, on: str, seats: int
) -> None:
    """The player who answers may be the only one left, and would decide a question of their own at once."""
    players, game = await table(house, "scout", seats, undo="agreed", absent="random/1")
    while (acting := (await players[0].look(game))["to_act"]) != [1]:
        seat = next(seat for seat in acting if seat != 1 or len(acting) == 1)
        await players[seat].move(game, (await players[seat].moves(game))[0])
    if on == "undo":  # the next seat runs out of time, and the third one answers
        await players[1].move(game, (await players[1].moves(game))[-1])
    done(await players[1].post(f"{game}/votes", {"on": on, "yes": True}))
    acting = (await players[0].look(game))["to_act"]
    voter = next(player for seat, player in enumerate(players) if seat not in (1, *acting))
    wall.sleep(100)
    problem(await voter.post(f"{game}/votes", {"on": on, "yes": True}), 409, "cannot-vote")
    after = await voter.look(game)
    assert after["status"] == "running"
    assert "vote" not in after
    problem(await voter.post(f"{game}/votes", {"on": "abort", "yes": True, "asked_by": 1}), 409, "cannot-vote")
    asked = done(await voter.post(f"{game}/votes", {"on": "abort", "yes": True}))
    assert (asked["status"] == "aborted") == (seats == 2), "a question of their own"


BAD_CLOCKS: list[Any] = [
    {}, {"bank": 0}, {"bank": 4}, {"bank": -1}, {"bank": 10**9}, {"bank": 60.5}, {"bank": True},
    {"bank": "60"}, {"bank": None}, {"bank": 60, "increment": -1}, {"bank": 60, "increment": True},
    {"bank": 60, "delay": 10**9}, {"bank": 60, "reserve": 1.5}, {"bank": 60, "pause": 1}, {"bank": 60, "seats": []},
    0, 60, [], "60", True, None,
]  # fmt: skip


async def test_clocks_that_are_not_valid(ann: Caller) -> None:
    before = len(await ann.every("/v1/games", player=ann.id))
    for bad in BAD_CLOCKS:
        problem(await ann.post("/v1/games/skyjo", {"seats": 2, "clock": bad}), 400, "malformed")
    problem(await ann.post("/v1/games/skyjo", {"seats": 2, "clock": CLOCK, "hotseat": True}), 400, "malformed")
    assert len(await ann.every("/v1/games", player=ann.id)) == before


async def test_a_branch_has_no_clock(house: Service, wall: WallClock) -> None:
    players, game = await table(house, "skyjo", clock={"bank": 5})
    wall.sleep(30)
    problem(await players[0].post(f"{game}/moves", (await players[0].look(game))["legal_moves"][0]), 409, "out-of-time")
    over = await players[0].look(game)
    assert over["status"] == "aborted"
    at = next(each["version"] for each in await players[0].events(game) if each["event"]["type"] == "begun") + 1
    branch = done(await players[0].post(f"{game}/branches", {"at": at}), 201)
    assert "clock" not in branch
    assert (await checks(players[0], branch["links"]["self"])).keys().isdisjoint({"clock"})


# --- my turns -----------------------------------------------------------------------------------------------------


async def test_the_turns_whose_time_runs_out_first_come_first(house: Service) -> None:
    ann, bob = await house.guests("Ann", "Bob")
    banks = {await house.table("skyjo", [ann, bob], clock={"bank": bank}): bank for bank in (50, 20, 90, 20, 70)}
    for _ in range(2):
        banks[await house.table("skyjo", [ann, bob])] = 10**6
    turns = await ann.every("/v1/games", acting="me")
    assert [banks[f"/v1/games/skyjo/{each['id']}"] for each in turns] == sorted(banks.values())
    times = [each["runs_out"] for each in turns if "runs_out" in each]
    assert len(times) == 5
    assert times == sorted(times)
    newest = [each["created_at"] for each in turns if "runs_out" not in each]
    assert newest == sorted(newest, reverse=True)
    for limit in (1, 2, 3, 6, 7):
        assert await ann.every("/v1/games", acting="me", limit=limit) == turns
    for each in turns[:5]:
        shown = await ann.look(f"/v1/games/skyjo/{each['id']}")
        assert shown["clock"]["seats"][0]["runs_out"] == each["runs_out"]


# --- sweeps -------------------------------------------------------------------------------------------------------


async def eventually(who: Caller, game: str, kind: str, within: float = 60) -> Json:
    async with asyncio.timeout(within):
        while True:
            for entry in await who.events(game):
                if entry["event"]["type"] == kind:
                    return entry
            await asyncio.sleep(0.05)


async def test_players_run_out_of_time_in_games_that_nobody_reads(database: Path, wall: WallClock) -> None:
    async with in_process(database) as house:
        players, game = await table(house, clock={"bank": 60})
        untouched = await players[0].look(game)
        due = min(dial["runs_out"] for dial in untouched["clock"]["seats"] if dial["runs_out"])
        await asyncio.sleep(1.2)  # the projection has noted that the game has begun
        wall.sleep(50)
        await asyncio.sleep(1.2)
        assert (await players[0].look(game)) == untouched
        wall.sleep(seconds(due) + 2.1 - wall.time_ns() / 1e9)
        gone = await eventually(players[0], game, "gone")
        assert seconds(due) + 2 <= seconds(gone["at"])
        removed = sum(each["event"]["type"] == "gone" for each in await players[0].events(game))
        assert f"stammtisch_expiries_total {removed}.0" in (await house.stranger.get("/metrics")).text


async def test_after_a_restart_expired_games_go_on(database: Path, wall: WallClock) -> None:
    """Also if no projection is left. The time of the restart itself costs nobody anything."""
    async with in_process(database) as house:
        players, game = await table(house, clock={"bank": 60})
    database.with_name(f"{database.name}-projections").unlink(missing_ok=True)
    for file in database.parent.glob("*projections*"):
        file.unlink()
    wall.sleep(3600)
    async with in_process(database) as house:
        wall.sleep(3600)
        gone = await eventually(players[0].at(house), game, "gone")
        assert gone["event"]["cause"] == "expired"
