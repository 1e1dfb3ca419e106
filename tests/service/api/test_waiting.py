"""Games that wait for players: the opener cancels them, they expire, and they do not grow for ever."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from service.clock import earlier, now
from service.games import expiry
from service.games import games as games_module
from service.identity import players
from tests.support.clients import Caller, Service, done, fewest, in_process, problem

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

DAY = 86_400


# --- cancelling -------------------------------------------------------------------------------------------------------


async def test_of_a_concurrent_join_and_cancel_one_succeeds(ann: Caller, bob: Caller, ruleset: str) -> None:
    for _ in range(10):
        game = await ann.open(ruleset, 2 if fewest(ruleset) == 2 else None)
        joined, cancelled = await asyncio.gather(bob.post(f"{game}/seats", {}), ann.delete(game))
        seen = await ann.look(game)
        if cancelled.status_code == 200:
            assert seen["status"] == "aborted"
        else:
            problem(cancelled, 409, "not-waiting")
            assert (done(joined)["status"], seen["status"]) == ("running", "running")


# --- expiring ---------------------------------------------------------------------------------------------------------


def later(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """From now on it is that much later."""
    monkeypatch.setattr(games_module, "now", lambda: earlier(now(), -seconds))


async def aborted(service: Service, game: str) -> bool:
    """Whether the lobby, which aborts nothing by itself, shows the game as expired by now."""
    for _ in range(200):
        found = done(await service.stranger.get("/v1/games"))["items"]
        if [one.get("cause") for one in found if game.endswith(one["id"])] == ["expired"]:
            return True
        await asyncio.sleep(0.02)
    return False


async def test_an_expired_game_is_aborted_when_it_is_read(
    database: Path, ruleset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with in_process(database) as house:
        ann, bob = await house.guests("Ann", "Bob")
        looked, joined, moved = [await ann.open(ruleset, 3) for _ in range(3)]
        runs = await ann.open(ruleset, hotseat=True)
        later(monkeypatch, 7 * DAY - 60)
        assert (await bob.look(looked))["status"] == "waiting"
        later(monkeypatch, 7 * DAY + 1)
        seen = await bob.look(looked)
        assert (seen["status"], seen["cause"]) == ("aborted", "expired")
        problem(await bob.post(f"{joined}/seats", {}), 409, "not-waiting")
        problem(await ann.delete(moved), 409, "not-waiting")
        assert (await ann.look(runs))["status"] == "running"
        assert [each["event"]["type"] for each in await bob.events(looked)] == [
            "opened", "joined", "aborted", "revealed",
        ]  # fmt: skip


async def test_the_sweeper_aborts_expired_games_even_after_a_restart(
    database: Path, ruleset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(expiry, "SWEEP_INTERVAL", 0.05)
    async with in_process(database) as house:
        ann = await house.guest("Ann")
        public, private = await ann.open(ruleset), await ann.open(ruleset, private=True)
        runs = await ann.open(ruleset, hotseat=True)
    later(monkeypatch, 8 * DAY)
    async with in_process(database) as house:
        assert await aborted(house, public)
        fresh = await ann.at(house).open(ruleset)
        await asyncio.sleep(0.2)
        status = {
            game["id"]: game["status"] for game in await ann.at(house).every("/v1/games", player=ann.id)
        }  # fmt: skip
        states = [status[game.rpartition("/")[2]] for game in (public, private, runs, fresh)]
        assert states == ["aborted", "aborted", "running", "waiting"]


async def test_more_games_than_a_page_expire(database: Path, ruleset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expiry, "PAGE_SIZE", 3)
    async with in_process(database) as house:
        ann = await house.guest("Ann")
        for number in range(10):
            await ann.open(ruleset, private=number % 3 == 0)
        await ann.every("/v1/games", player=ann.id)
    later(monkeypatch, 8 * DAY)
    async with in_process(database) as house:
        for _ in range(500):
            found = await ann.at(house).every("/v1/games", player=ann.id)
            if {game.get("cause") for game in found} == {"expired"}:
                break
            await asyncio.sleep(0.02)
        assert [game.get("cause") for game in found] == ["expired"] * 10


async def test_processes_can_abort_the_same_games_concurrently(
    database: Path, ruleset: str, monkeypatch: pytest.MonkeyPatch, migrated_url: str
) -> None:
    monkeypatch.setattr(expiry, "SWEEP_INTERVAL", 0.01)
    for place in (database, migrated_url):
        monkeypatch.setattr(games_module, "now", now)
        given = {"workers": 2, "secret": "x" * 32}
        async with in_process(place, **given) as one, in_process(place, **given) as other:
            ann = await one.guest("Ann")
            opened = [await ann.open(ruleset) for _ in range(8)]
            await ann.at(other).every("/v1/games", player=ann.id)
            later(monkeypatch, 8 * DAY)
            houses = [*(ann.at(house) for house in (one, other) for _ in range(3))]
            await asyncio.gather(*(who.look(game) for game in opened for who in houses))
            for game in opened:
                for house in (one, other):
                    events = await ann.at(house).events(game)
                    assert [each["event"]["type"] for each in events] == ["opened", "joined", "aborted", "revealed"]


# --- growing ----------------------------------------------------------------------------------------------------------


async def test_the_number_of_changes_of_name_and_face_is_limited(ann: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "MAX_CHANGES", 3)
    for change in ({"name": "Anne"}, {"face": "fox"}, {"name": "Ann 2", "face": None}):
        done(await ann.patch("/v1/players/me", change))
    for change in ({"name": "Anna"}, {"face": "owl"}):
        refused: httpx.Response = await ann.patch("/v1/players/me", change)
        problem(refused, 409, "too-many-names")
    shown = done(await ann.get(f"/v1/players/{ann.id}"))
    assert (shown["name"], "face" in shown) == ("Ann 2", False)


async def test_a_game_that_cannot_be_aborted_does_not_block_the_others(
    database: Path, ruleset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(expiry, "SWEEP_INTERVAL", 0.05)
    async with in_process(database) as house:
        ann = await house.guest("Ann")
        broken, whole = [await ann.open(ruleset) for _ in range(2)]
        await ann.every("/v1/games", player=ann.id)
    find = games_module.Games.find

    async def found(self: games_module.Games, rules: Any, game_id: str, *rest: Any) -> Any:
        if broken.endswith(game_id):
            raise ValueError("this game cannot be read")
        return await find(self, rules, game_id, *rest)

    monkeypatch.setattr(games_module.Games, "find", found)
    later(monkeypatch, 8 * DAY)
    async with in_process(database) as house:
        assert await aborted(house, whole)
