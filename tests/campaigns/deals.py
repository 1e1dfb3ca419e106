"""Pairings: a hundred tables at once, kill -9 while they are opened, a crowd, and what a try of the day costs.

Processor time is compared in turns with that of an ordinary private game against the same bots, on the same machine.
The killed process starts again on SQLite; on PostgreSQL and Redis a second process takes over. `crowd`: everybody
tries the deal of the day at two processes at once. `fields`: all games with all numbers of seats, and three verifiers.
"""

import asyncio
import random
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, process_time
from typing import Any, NamedTuple

import httpx

from domain.codec import encode
from domain.fairness.common_deal import same_deal
from domain.fairness.record import decode
from domain.fairness.verification import flawless, verify
from domain.rulesets import RULESETS
from service import clock, databases
from service.extensions.pairings import command
from service.settings import read
from tests.support import servers
from tests.support.clients import Caller, Json, Server, Service, done, in_process, play_to_the_end, served
from tests.verifiers import standalone

TABLES, SEATS, BOT, RULESET = 100, 4, "careful/1", "scout"
PATIENCE = 60.0
"""Seconds after which tables that are not open are lost."""
DEAREST = 10.0
"""Milliseconds of processor time that a try may cost beside an ordinary opening."""
AT_ONCE = 24
"""Requests of the crowd that wait at each process."""


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


class Crowd(NamedTuple):
    """`games`: different ones. `unlike`: players who were told two. `players`: of the deal. `repeated`: requests that
    were answered with 503. `cost`: milliseconds of processor time of the services, for both requests of a player."""

    games: int
    unlike: int
    players: int
    repeated: int
    cost: float


def options(parser: ArgumentParser) -> None:
    parser.add_argument("parts", nargs="*", help=f"which of {', '.join(PARTS)}; by default all")
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


@contextmanager
def shared() -> Iterator[tuple[str, str]]:
    """The URLs of a database of PostgreSQL and of Redis."""
    with servers.postgres() as postgres, servers.redis() as redis, postgres.database() as name:
        url: str = postgres.url(name)
        databases.migrate(read({}, database=url))
        yield url, redis.url


async def crowd(folder: Path, players: int) -> Crowd:
    given: Any = {"rate_limit": "off", "access_log": False, "secret": "x" * 32, "days": RULESET}
    with ExitStack() as stack:
        url, redis = stack.enter_context(shared())
        processes = [stack.enter_context(Server(url, output=folder / each, **given, redis=redis)) for each in "ab"]
        async with served(processes[0].url) as one, served(processes[1].url) as two:
            people = [await one.guest(f"P{number}") for number in range(players)]
            one.http.event_hooks = two.http.event_hooks = {}  # a client repeats what was answered with 503
            repeated = list[str]()
            (today,) = await days(one)
            waiting = {service: asyncio.Semaphore(AT_ONCE) for service in (one, two)}

            async def ask(who: Caller, service: Service) -> str:
                async with waiting[service]:
                    while True:
                        answer = await who.at(service).post(f"/v1/pairings/{today['id']}/tables")
                        if answer.status_code != 503:
                            break
                        repeated.append(who.id)
                        await asyncio.sleep(float(answer.headers["Retry-After"]))
                assert answer.status_code in (200, 201), answer.text
                return str(answer.json()["game"])

            pids = [pid for each in processes for pid in servers.living(each.process.pid)]
            before = sum(map(servers.ticks, pids))
            asked = [ask(who, service) for service in (one, two) for who in people]
            games = await asyncio.gather(*asked)
            cost = (sum(map(servers.ticks, pids)) - before) * 10 / players
            count = done(await one.stranger.get(f"/v1/pairings/{today['id']}"))["count"]
    unlike = sum(first != second for first, second in zip(games[:players], games[players:], strict=True))
    return Crowd(len({*games}), unlike, count, len(repeated), cost)


async def field(service: Service, ruleset: str, seats: int) -> list[Json]:
    """The records of two people who play the same deal, and choose at random."""
    people = await service.guests("Ann", "Bob")
    bot = [*RULESETS[ruleset].bots][-1]
    wanted = {"ruleset": ruleset, "deal": "same", "seats": ["me", *[bot] * (seats - 1)], "most": len(people)}
    headers = {"Idempotency-Key": f"{ruleset}-{seats}"}
    made = done(await people[0].post("/v1/pairings", wanted, headers=headers), 201)
    path = f"/v1/pairings/{made['id']}"
    for seed, who in enumerate(people):
        own = done(await who.post(f"{path}/tables", invite=made["code"]), 201)
        await play_to_the_end([who], own["game"], seed)
    tables = done(await people[0].get(path))["tables"]
    return [done(await people[0].get(f"{each['game']}/record", invite=each["invite"])) for each in tables]


def refusals(records: list[Json]) -> int:
    """How many of the three verifiers refuse the records, or say that their deals differ."""
    known = [decode(encode(each)) for each in records]
    in_python, in_javascript = standalone.same_deal(records)
    return (
        (not same_deal(known).ok or not all(flawless(verify(each)) for each in known))
        + (not in_python["ok"] or any(standalone.wrong(standalone.python().verify(each, None, [])) for each in records))
        + (not in_javascript["ok"] or any(map(standalone.wrong, standalone.javascript(records))))
    )


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


async def of_tries(given: Namespace, folder: Path) -> bool:
    async with in_process(folder / "tries.db", rate_limit="off") as service:
        cost_of = await tries(service, given.players)
    say(f"a try: {cost_of.tried:.1f} ms, again {cost_of.repeated:.1f}, an ordinary game {cost_of.ordinary:.1f}")
    return cost_of.tried - cost_of.ordinary <= DEAREST and cost_of.games == given.players - given.players % 10


async def of_tables(_: Namespace, folder: Path) -> bool:
    async with in_process(folder / "tables.db", days="none", rate_limit="off") as service:
        took = await hundred(service, await organiser(service, folder / "tables.db"), 5)
    least, half, most = took[0], took[len(took) // 2], took[-1]
    say(f"{TABLES} tables for {TABLES * SEATS}: {least:.2f} to {most:.2f} s, half of them in {half:.2f} s")
    return True


async def of_kills(given: Namespace, folder: Path) -> bool:
    found = {"SQLite": await kills(folder, given.kills, folder / "games.db", None)}
    with shared() as (url, redis):
        (folder / "shared").mkdir()
        both = await kills(folder / "shared", given.kills, url, redis)
    found["PostgreSQL, Redis, two processes"] = both
    for where, each in found.items():
        say(f"{where}: {each.open} open when looked at; {each.lost} lost, {each.twice} twice, {each.slowest:.1f} s")
    return not any(each.lost or each.twice for each in found.values())


async def of_crowd(given: Namespace, folder: Path) -> bool:
    found = await crowd(folder, given.players)
    say(f"{given.players} players at once, twice each: {found.games} games, {found.unlike} unlike")
    say(f"{found.repeated} requests answered with 503 and repeated; {found.cost:.1f} ms of processor time a player")
    return (found.games, found.unlike, found.players) == (given.players, 0, given.players)


async def of_fields(_: Namespace, folder: Path) -> bool:
    compared = wrong = 0
    async with in_process(folder / "fields.db", days="none", rate_limit="off") as service:
        for name, rules in RULESETS.items():
            for seats in rules.seats:
                compared += 1
                wrong += refusals(await field(service, name, seats))
    say(f"{compared} deals, of all games with all numbers of seats: refused {wrong} times by three verifiers")
    return not wrong


PARTS = {"tries": of_tries, "tables": of_tables, "kills": of_kills, "crowd": of_crowd, "fields": of_fields}


async def measured(given: Namespace, folder: Path) -> bool:
    """Whether all parts that are asked for hold what must hold."""
    return all([await PARTS[name](given, folder) for name in given.parts or PARTS])


def main(given: Namespace) -> int:
    with TemporaryDirectory() as folder:
        return 0 if asyncio.run(measured(given, Path(folder))) else 1
