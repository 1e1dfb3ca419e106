"""Pairings: a hundred tables at once, kill -9 while they are opened, and what a try of the day costs.

Processor time is compared in turns with that of an ordinary private game against the same bots, on the same machine.
The killed process starts again on SQLite; on PostgreSQL and Redis a second process takes over.
"""

import asyncio
import random
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Awaitable, Callable
from contextlib import ExitStack, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, process_time
from typing import Any, NamedTuple

import httpx

from service import clock, databases
from service.extensions.pairings import command
from service.settings import read
from tests.support import servers
from tests.support.clients import Caller, Json, Server, Service, done, in_process, served

TABLES, SEATS, BOT, RULESET = 100, 4, "careful/1", "scout"
PATIENCE = 60.0
"""Seconds after which tables that are not open are lost."""
DEAREST = 10.0
"""Milliseconds of processor time that a try may cost beside an ordinary opening."""


class Tries(NamedTuple):
    """Milliseconds of processor time: of an ordinary opening, of a try, and of the same request again. `games`: how
    many there are."""

    ordinary: float
    tried: float
    repeated: float
    games: int


class Reopened(NamedTuple):
    """A pairing after a kill. `first`: how many tables were open at the first look. `seconds`: from there to the last
    one."""

    first: int
    seconds: float
    lost: int
    twice: int


class Kills(NamedTuple):
    """`open`: by kill, how many tables were open at the first look. `slowest`: seconds from there to the last one."""

    open: list[int]
    slowest: float
    lost: int
    twice: int


def options(parser: ArgumentParser) -> None:
    parser.add_argument("--players", type=int, default=1000, help="who try the deal of the day")
    parser.add_argument("--kills", type=int, default=20)


async def cost(number: int, work: Callable[[int], Awaitable[Any]]) -> float:
    """Milliseconds of processor time of each of these calls."""
    before = process_time()
    for each in range(number):
        await work(each)
    return (process_time() - before) * 1000 / number


async def tries(service: Service, players: int, turns: int = 10) -> Tries:
    """Everybody tries the deal of the day twice, a few at a time; ordinary games are opened in turns with them."""
    people = [await service.guest(f"P{number}") for number in range(players)]
    (today, *_) = [each for each in await days(service) if each["ruleset"] == RULESET]
    seats = done(await service.stranger.get(f"/v1/pairings/{today['id']}"))["places"]
    games = list[str]()

    async def ordinary(number: int) -> None:
        done(await people[number].post(f"/v1/games/{RULESET}", {"seats": seats, "private": True}), 201)

    async def tried(number: int) -> None:
        games.append((await people[number].post(f"/v1/pairings/{today['id']}/tables")).json()["game"])

    found: list[list[float]] = [[], [], []]
    size = max(1, players // turns)
    for first in range(0, size * turns, size):
        for times, work in zip(found, (ordinary, tried, tried), strict=True):
            times.append(await cost(size, lambda number, work=work, first=first: work(first + number)))  # type: ignore[misc]
    middle = [sorted(times)[len(times) // 2] for times in found]
    return Tries(middle[0], middle[1], middle[2], len(set(games)))


async def days(service: Service) -> list[Json]:
    day = clock.now()[:10]
    while not (found := done(await service.stranger.get("/v1/pairings", day=day))["items"]):  # noqa: ASYNC110
        await asyncio.sleep(0.1)
    return list(found)


def body(people: list[str]) -> Json:
    tables = [people[at : at + SEATS] for at in range(0, len(people), SEATS)]
    return {"ruleset": RULESET, "tables": [[{"player": each} for each in table] for table in tables]}


async def organiser(service: Service, database: Path | str) -> Caller:
    found = await service.guest("Olga")
    assert await command.apply(read({}, database=str(database)), [found.id], remove=False) == []
    return found


async def hundred(service: Service, site: Caller, times: int) -> list[float]:
    """Seconds that opening all tables took."""
    people = [(await service.guest(f"P{each}")).id for each in range(TABLES * SEATS)]
    found = []
    for number in range(times):
        begun = monotonic()
        made = done(await site.post("/v1/pairings", body(people), headers={"Idempotency-Key": f"k{number}"}), 201)
        found.append(monotonic() - begun)
        assert all(each["status"] == "waiting" for each in made["tables"]), "all are open in the answer"
        done(await site.delete(f"/v1/pairings/{made['id']}"))
    return sorted(found)


async def kills(folder: Path, number: int, where: Path | str, redis: str | None) -> Kills:
    """Opens all tables, kills the process that does at a random moment, and waits until another one has opened them."""
    given: Any = {"rate_limit": "off", "access_log": False, "secret": "x" * 32, "days": "none", "redis": redis or ""}
    dice, found = random.Random(5), list[Reopened]()
    with ExitStack() as stack:
        second = stack.enter_context(Server(where, output=folder / "second", **given)) if redis else None
        for kill in range(number):
            server, key = Server(where, output=folder / f"server-{kill}", **given), f"kill-{kill}"
            owner = await killed(server, where, key, dice)
            with nullcontext(second) if second else Server(where, output=folder / f"again-{kill}", **given) as again:
                async with served(again.url) as service:
                    listed = done(await owner.at(service).get("/v1/pairings", key=key))["items"]
                    # There is none if the request did not arrive.
                    found += [await reopened(owner.at(service), each) for each in listed]
    return Kills(
        [each.first for each in found], max([each.seconds for each in found], default=0),
        sum(each.lost for each in found), sum(each.twice for each in found),
    )  # fmt: skip


async def killed(server: Server, where: Path | str, key: str, dice: random.Random) -> Caller:
    """The organiser whose request is cut off."""
    async with served(server.url) as service:
        owner = await organiser(service, where)
    wanted = {"ruleset": RULESET, "tables": [["open", BOT]] * TABLES}
    headers = {"Authorization": f"Bearer {owner.token}", "Idempotency-Key": key}
    async with httpx.AsyncClient(base_url=server.url) as http:
        asked = asyncio.create_task(http.post("/v1/pairings", json=wanted, headers=headers))
        await asyncio.sleep(dice.uniform(0, 0.6))
        server.process.kill()
        server.process.wait()
        await asyncio.gather(asked, return_exceptions=True)
    return owner


async def reopened(owner: Caller, pairing: Json) -> Reopened:
    begun, first = monotonic(), None
    while True:
        tables = done(await owner.get(f"/v1/pairings/{pairing['id']}"))["tables"]
        ready = sum("status" in table for table in tables)
        first = ready if first is None else first
        seconds = monotonic() - begun
        if ready == len(tables) or seconds > PATIENCE:
            break
        await asyncio.sleep(0.05)
    games = [table.get("game") for table in tables]
    return Reopened(first, seconds, len(tables) - ready, len(games) - len(set(games)))


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


async def measured(given: Namespace, folder: Path) -> bool:
    async with in_process(folder / "tries.db", rate_limit="off") as service:
        cost_of = await tries(service, given.players)
        say(f"a try: {cost_of.tried:.1f} ms, again {cost_of.repeated:.1f}, an ordinary game {cost_of.ordinary:.1f}")
    async with in_process(folder / "tables.db", days="none", rate_limit="off") as service:
        took = await hundred(service, await organiser(service, folder / "tables.db"), 5)
        say(f"{TABLES} tables for {TABLES * SEATS}: {took[0]:.2f} to {took[-1]:.2f} s")
    alone = await kills(folder, given.kills, folder / "games.db", None)
    with servers.postgres() as postgres, servers.redis() as redis, postgres.database() as name:
        url = postgres.url(name)
        databases.migrate(read({}, database=url))
        (folder / "shared").mkdir()
        both = await kills(folder / "shared", given.kills, url, redis.url)
    for where, each in (("SQLite", alone), ("PostgreSQL, Redis, two processes", both)):
        say(f"{where}: {each.open} open when looked at; {each.lost} lost, {each.twice} twice, {each.slowest:.1f} s")
    whole = not any(each.lost or each.twice for each in (alone, both))
    cheap = cost_of.tried - cost_of.ordinary <= DEAREST
    return whole and cheap and cost_of.games == given.players - given.players % 10


def main(given: Namespace) -> int:
    with TemporaryDirectory() as folder:
        return 0 if asyncio.run(measured(given, Path(folder))) else 1
