"""Players run out of time in games of several real processes, whose clocks differ and of which one is killed.

Nothing waits for real minutes: the wall clocks of the processes are set forward.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.campaigns.chaos import clock
from tests.support.clients import Caller, Json, Server, done, served
from tests.support.crowd import cluster

pytestmark = [pytest.mark.anyio, pytest.mark.checked, pytest.mark.by_default("one is killed", "costs_nobody")]

BANK = 60
GRACE = 2.0
GAMES = 6


@contextmanager
def clocked(folder: Path, database: str) -> Iterator[tuple[list[Server], Callable[[float], None]]]:
    """Two processes on one database, and what sets their clocks forward. The second one's is a second ahead."""
    files = [folder / f"{number}.clock" for number in range(2)]

    def set_forward(seconds: float) -> None:
        for number, file in enumerate(files):
            clock.set_wrong(file, seconds + number)

    for file in files:
        clock.make(file)
    set_forward(0)
    with cluster(folder, database, clocks=files) as both:
        yield both.servers, set_forward


def seconds(at: str) -> float:
    return datetime.fromisoformat(at).timestamp()


async def tables(at: list[Caller]) -> list[str]:
    """Games of the same two players that each process has in memory: the first half was opened at the first one."""
    first, second = at[:2], at[2:]
    games = []
    for number in range(GAMES):
        ann, bob = (first, second)[number % 2]
        games.append(await ann.open("skyjo", clock={"bank": BANK}, absent="random/1"))
        await bob.sit(games[-1])
    return games


async def expiries(who: Caller, game: str, within: float = 120) -> list[Json]:
    """The entries of the players who have run out of time, when both have."""
    async with asyncio.timeout(within):
        while True:
            entries = await who.events(game)
            found = [entry for entry in entries if entry["event"]["type"] == "gone"]
            if len(found) == 2:
                return found
            assert not found, "both are removed by one append"
            await asyncio.sleep(0.1)


@pytest.mark.parametrize("killed", [False, True], ids=["two processes", "one is killed"])
async def test_each_player_is_removed_once(
    tmp_path: Path, migrated_url: str, killed: bool, record_property: Any
) -> None:
    with clocked(tmp_path, migrated_url) as (servers, set_forward):
        async with served(servers[0].url) as one, served(servers[1].url) as other:
            ann, bob = await one.guests("Ann", "Bob")
            games = await tables([ann, bob, ann.at(other), bob.at(other)])
            await asyncio.sleep(2.5)  # the projections know them
            set_forward(BANK + GRACE - 2.5)
            if killed:
                await asyncio.sleep(0.3)
                servers[0].process.kill()
            lateness = []
            for game in games:
                gone = await expiries(ann.at(other), game)
                assert not [e for e in await ann.at(other).events(game) if e["event"]["type"] == "resumed"]
                (begun,) = [e for e in await ann.at(other).events(game) if e["event"]["type"] == "begun"]
                assert {entry["event"]["cause"] for entry in gone} == {"expired"}
                lateness.append(seconds(gone[0]["at"]) - seconds(begun["at"]) - BANK - GRACE)
                audit = done(await ann.at(other).get(f"{game}/audit"))
                assert {"clock": True}.items() <= {each["name"]: each["ok"] for each in audit["checks"]}.items()
                assert all(each["ok"] is not False for each in audit["checks"])
    record_property("lateness", f"{max(lateness):.2f} s")
    assert min(lateness) >= 0


async def test_processes_that_notice_at_once_remove_a_player_once(tmp_path: Path, migrated_url: str) -> None:
    """Late moves of both players arrive at both processes at the same time, while both processes sweep."""
    with clocked(tmp_path, migrated_url) as (servers, set_forward):
        async with served(servers[0].url) as one, served(servers[1].url) as other:
            ann, bob = await one.guests("Ann", "Bob")
            games = await tables([ann, bob, ann.at(other), bob.at(other)])
            moves = {game: (await ann.look(game))["legal_moves"][0] for game in games}
            set_forward(BANK + GRACE + 1)  # late by both clocks

            async def late(who: Caller, game: str) -> httpx.Response:
                return await who.post(f"{game}/moves", moves[game])

            everywhere = [each for who in (ann, bob) for each in (who, who.at(other))]
            answers = await asyncio.gather(*(late(who, game) for game in games for who in everywhere))
            for answer in answers:
                assert (answer.status_code, answer.json()["type"]) == (409, "out-of-time"), answer.text
            for game in games:
                assert len(await expiries(ann, game)) == 2
                shown = [await who.look(game) for who in (ann, ann.at(other))]
                assert shown[0] == shown[1]
                assert (shown[0]["status"], shown[0]["cause"]) == ("aborted", "absent")


async def test_the_time_in_which_all_processes_were_away_costs_nobody_a_seat(tmp_path: Path) -> None:
    """The process is killed; when it starts again, the time of both players would have run out."""
    file, database = tmp_path / "one.clock", tmp_path / "games.db"
    clock.make(file)
    given: dict[str, Any] = {"rate_limit": "off", "secret": "x" * 32, "clock": file}
    first = Server(database, **given)
    async with served(first.url) as one:
        ann, bob = await one.guests("Ann", "Bob")
        game = await one.table("skyjo", [ann, bob], clock={"bank": BANK}, absent="abort")
    first.process.kill()
    first.process.wait()
    clock.set_wrong(file, 10 * BANK)
    with Server(database, **given) as again:
        async with served(again.url) as two, asyncio.timeout(120):
            who, given_back = ann.at(two), None
            while given_back is None:  # nobody moves: the service looks by itself
                await asyncio.sleep(0.1)
                given_back = next(iter((await who.events(game))[5:]), None)
            assert (given_back["event"]["type"], given_back["by"]) == ("resumed", None)
            assert given_back["event"]["milliseconds"] >= (10 * BANK - 3) * 1000
            assert (await who.look(game))["status"] == "running"
            audit = done(await who.get(f"{game}/audit"))["checks"]
            assert all(each["ok"] is not False for each in audit)
