"""A campaign: random faults while players play, then a check of every game and every acknowledged request."""

import asyncio
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from datetime import datetime
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, NamedTuple

from domain.rulesets import RULESETS
from tests.campaigns.chaos.deployment import Deployment, OnPostgres, OnSqlite
from tests.campaigns.chaos.players import PHASES, Players, players
from tests.support.crowd import keys_of
from tests.support.receivers import Receiver, receiving

SLOW, FAILING = 4, 3
"""Owners whose webhooks never answer, or always with 500."""

AT_ONCE = 2
"""Number of concurrent faults. Two faults never hit the same target at once."""

POLL_SECONDS, MAX_POLLS = 0.005, 24_000
"""After a fault: seconds between two checks for the next move, and the number of checks before the campaign fails."""

MAX_MEMORY, MAX_FILES = 400, 200
"""Limits of a process at the end: resident memory in MiB, open files."""


class Fault(NamedTuple):
    """`at`: the target. A fault of weight 3 is drawn three times as often as one of weight 1."""

    name: str
    at: str
    carry_out: Callable[[Random], Any]
    """Blocks until the fault is over."""
    weight: int


class Outcome(NamedTuple):
    """The faults of one kind. `seconds`: the time after each until the next move was acknowledged."""

    name: str
    seconds: list[float]

    def __str__(self) -> str:
        half, longest = (f"{of(self.seconds) * 1000:,.0f} ms" for of in (median, max))
        return f"| {self.name} | {len(self.seconds)} | {half} | {longest} |"


class Report(NamedTuple):
    """The result of a campaign in which nothing was lost."""

    outcomes: list[Outcome]
    facts: dict[str, str]
    complaints: list[str]
    """The error output of processes that logged an unexpected error."""

    @property
    def faults(self) -> int:
        return sum(len(outcome.seconds) for outcome in self.outcomes)

    def __str__(self) -> str:
        head = "| fault | times | until the next move: median | longest |\n|---|---|---|---|"
        facts = "\n".join(f"- {name}: {fact}" for name, fact in self.facts.items())
        return "\n".join([head, *map(str, self.outcomes), "", facts])


def faults(deployment: Deployment, crowd: Players) -> Iterator[Fault]:
    """All faults that this deployment can have."""
    for number in range(len(deployment.servers)):
        at = f"process {number}"
        for name, what, weight in (
            ("a serving process killed", deployment.crash, 2),
            ("a service killed with its parent", deployment.kill, 2),
            ("a service told to stop", deployment.stop, 1),
            ("a process stopped for a while", deployment.stall, 3),
            ("a clock set", deployment.set_clock, 3),
        ):
            yield Fault(name, at, _of(what, number), weight)
        if isinstance(deployment, OnSqlite):
            yield Fault("the disk full", at, _of(deployment.fill_disk, number), 3)
    if isinstance(deployment, OnSqlite):
        yield Fault("the disk slow", "database", deployment.slow_disk, 6)
    if isinstance(deployment, OnPostgres):
        if deployment.has_standby:
            yield Fault("PostgreSQL lost, its standby promoted", "database", deployment.fail_over, 6)
        yield Fault("PostgreSQL crashed", "database", deployment.crash_database, 2)
        yield Fault("PostgreSQL stopped and started", "database", deployment.stop_database, 2)
        yield Fault("PostgreSQL's connections cut", "database", deployment.cut_database, 3)
        yield Fault("PostgreSQL's disk slow", "database", deployment.slow_disk, 3)
        yield Fault("Redis flushed", "redis", deployment.flush_redis, 4)
        yield Fault("Redis killed", "redis", deployment.kill_redis, 3)
        yield Fault("Redis stopped for a while", "redis", deployment.stall_redis, 3)
    yield Fault("the deliverer killed", "deliverer", deployment.kill_deliverer, 3)
    for phase in PHASES:
        yield Fault(f"a request cut off {phase}", phase, _cut(crowd, phase), 5)
    yield Fault("a stream broken off", "streams", lambda _: _break(crowd), 5)


def _of(what: Callable[[int, Random], None], number: int) -> Callable[[Random], None]:
    return lambda dice: what(number, dice)


def _cut(crowd: Players, phase: str) -> Callable[[Random], None]:
    return lambda _: crowd.cuts.append(phase)


def _break(crowd: Players) -> None:
    crowd.breaks += 1


def drawn(possible: list[Fault], dice: Random) -> Iterator[Fault]:
    """Each kind once, then random ones by weight."""
    yield from dice.sample(possible, len(possible))
    while True:
        yield from dice.choices(possible, [fault.weight for fault in possible])


async def campaign(deployment: Deployment, number: int, seconds: float, seed: int = 1) -> Report:
    """Inject `number` faults, or as many as fit into `seconds`. Raises AssertionError for lost or doubled requests."""
    async with players(deployment) as crowd, AsyncExitStack() as receivers:
        good, *bad = [await receivers.enter_async_context(receiving()) for _ in range(1 + SLOW + FAILING)]
        told, *_ = [await crowd.own_webhook(receiver.url) for receiver in (good, *bad)]
        since = time.time()
        crowd.announced[told].append(await crowd.cancel_a_game(next(iter(RULESETS)), told))
        for each, receiver in enumerate(bad):
            receiver.answer = (lambda _: None) if each < SLOW else (lambda _: 500)
        dice, until = Random(seed), time.monotonic() + seconds
        possible = list(faults(deployment, crowd))
        coming = islice(drawn(possible, dice), number)
        locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        took: defaultdict[str, list[float]] = defaultdict(list)
        ending = asyncio.Event()

        async def inject() -> None:
            for fault in coming:
                if time.monotonic() > until:
                    return
                async with locks[fault.at]:
                    await asyncio.to_thread(fault.carry_out, dice)
                    took[fault.name].append(await _next_move(crowd))

        async with asyncio.TaskGroup() as tasks:
            for ruleset in RULESETS:
                tasks.create_task(crowd.play_on(ruleset, ending))
            await asyncio.gather(*(inject() for _ in range(AT_ONCE)))
            ending.set()
        facts = await check_all(deployment, crowd)
        facts["games announced to a webhook beside slow and failing ones, each once"] = await check_announced(
            deployment, crowd, good, crowd.announced[told], since
        )
    names = dict.fromkeys(fault.name for fault in possible if fault.name in took)
    return Report([Outcome(name, took[name]) for name in names], facts, deployment.unexpected())


async def _next_move(crowd: Players) -> float:
    """Seconds until the next move is acknowledged."""
    begun, made = time.monotonic(), len(crowd.answers)
    # Counts checks, not seconds: a shared machine can stop completely for a while.
    for _ in range(MAX_POLLS):
        if len(crowd.answers) > made:
            return time.monotonic() - begun
        await asyncio.sleep(POLL_SECONDS)
    raise AssertionError("no move was acknowledged after a fault")


async def check_all(deployment: Deployment, crowd: Players) -> dict[str, str]:
    """Check that the log holds every acknowledged request exactly once, and nothing else. Returns figures by name."""
    kept = keys_of(deployment.states())
    assert not (late := crowd.refused & kept.keys()), f"carried out after they were refused: {late}"
    expected = Counter(dict.fromkeys(crowd.answers, 1))
    assert kept == expected, f"lost: {expected - kept}, doubled or never acknowledged: {kept - expected}"
    for game in crowd.moves:
        await crowd.check(game)
    for game in crowd.cancelled:
        await crowd.check_cancelled(game)
    for game in crowd.deserted:
        await crowd.check_deserted(game)
    for game in crowd.agreements:
        await crowd.check_agreed(game)
    for game, again in crowd.rematches.items():
        await crowd.check_rematch(game, again)
    for game in crowd.timed:
        await crowd.check_expired(game)
    await crowd.check_names()
    assert crowd.alone
    assert crowd.over_channels
    taken_back = sum(map(len, crowd.taken_back.values()))
    assert taken_back
    memory, files = (max(map(of, deployment.processes())) for of in (resident, open_files))
    assert memory < MAX_MEMORY, f"{memory:.0f} MiB"
    assert files < MAX_FILES, f"{files} files"
    moves = sum(map(len, crowd.moves.values()))
    return {
        "games, all finished, complete and verified": f"{len(crowd.moves):,}",
        "games cancelled, each once": f"{len(crowd.cancelled):,}",
        "games with bots that all players left in the end, verified": f"{len(crowd.deserted):,}",
        "departures and returns in them, each once": f"{crowd.departures:,}",
        "games in which nobody moved until the time ran out, verified": f"{crowd.expired:,} of {len(crowd.timed):,}",
        "games with gifts of time and votes, aborted by agreement, verified": f"{len(crowd.agreements):,}",
        "votes, and moves taken back by agreement, each once": (
            f"{sum(of['voted'] for of in crowd.agreements.values()):,}, "
            f"{sum(of['taken_back'] for of in crowd.agreements.values()):,}"
        ),
        "rematches, each asked for by all players at once and opened once": f"{len(crowd.rematches):,}",
        "players with their last acknowledged name": f"{len(crowd.names) - len(crowd.forgotten):,}",
        "players forgotten, without name and with a dead token": f"{len(crowd.forgotten):,}",
        "moves acknowledged, each once in the log": f"{moves:,}",
        "of these, taken back, each once": f"{taken_back:,}",
        "of these, without a seat, each made for the seat that was shown": f"{crowd.alone:,}",
        "of these, acknowledged only after a repetition": f"{crowd.replays:,}",
        "answers 503": f"{crowd.busy:,}; other answers of 500 and more: none",
        "moves refused because they were chosen from a stale read": f"{len(crowd.refused):,}",
        "the longest stale read after an acknowledged move": f"{crowd.latest * 1000:,.0f} ms",
        "events in streams, equal to the pages": f"{sum(map(len, crowd.streamed.values())):,}",
        "moves acknowledged over play channels": f"{crowd.over_channels:,}",
        "events in play channels, equal to the pages": f"{sum(map(len, crowd.channelled.values())):,}",
        "play channels": f"{crowd.channels:,}",
        "resumed streams": f"{crowd.resumed:,}",
        "the largest process at the end": f"{memory:.0f} MiB, {files} open files",
    }


async def check_announced(
    deployment: Deployment, crowd: Players, good: Receiver, games: list[str], since: float
) -> str:
    """Each game was announced once to the owner whose webhook answers. While the clock of a process is wrong, a game
    may be over before the webhook was live, or in the future: then nothing is due yet."""

    def announced() -> list[str]:
        return [each.json["data"]["game"]["url"] for each in good.events()]

    over = {game: datetime.fromisoformat((await crowd.events(game, "all"))[-2]["at"]).timestamp() for game in games}
    due = {game for game, at in over.items() if since < at < time.time()}
    assert due, "the first one"
    deployment.kill_deliverer(Random())  # its successor sends what the last one had claimed
    await good.until(lambda: due <= {*announced()}, 300)
    assert len(announced()) == len({*announced()})
    assert {*announced()} <= {*games}
    return f"{len(due):,}"


def resident(pid: int) -> float:
    """Resident memory in MiB."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) / 1024


def open_files(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))
