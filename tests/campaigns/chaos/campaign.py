"""A campaign: faults drawn at random while players play, and afterwards an account of everything."""

import asyncio
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, NamedTuple

from domain.rulesets import RULESETS
from tests.campaigns.chaos.house import House, OnPostgres, OnSqlite
from tests.campaigns.chaos.players import PHASES, Players, players
from tests.e2e.test_crash import keys_of

AT_ONCE = 2
"""So many faults may go on at the same time, though never two of the same thing."""

TURN, PATIENCE = 0.005, 6000
"""Seconds between two looks whether the game goes on, and how often somebody looks."""

MEMORY, FILES = 400, 200
"""What a process may have in the end: MiB in memory, open files."""


class Fault(NamedTuple):
    """`at`: what is hurt. Of faults with the weights 1 and 3, the second is drawn three times as often."""

    name: str
    at: str
    carry_out: Callable[[Random], Any]
    """It blocks until the fault is over."""
    weight: int


class Outcome(NamedTuple):
    """What became of the faults of a kind. `seconds`: after each, until the next move was acknowledged."""

    name: str
    seconds: list[float]

    def __str__(self) -> str:
        half, longest = (f"{of(self.seconds) * 1000:,.0f} ms" for of in (median, max))
        return f"| {self.name} | {len(self.seconds)} | {half} | {longest} |"


class Account(NamedTuple):
    """What came of a campaign in which nothing was lost."""

    outcomes: list[Outcome]
    facts: dict[str, str]
    complaints: list[str]
    """What processes have written that had come to an error that nobody had foreseen."""

    @property
    def faults(self) -> int:
        return sum(len(outcome.seconds) for outcome in self.outcomes)

    def __str__(self) -> str:
        head = "| fault | times | until the next move: median | longest |\n|---|---|---|---|"
        facts = "\n".join(f"- {name}: {fact}" for name, fact in self.facts.items())
        return "\n".join([head, *map(str, self.outcomes), "", facts])


def faults(house: House, crowd: Players) -> Iterator[Fault]:
    """All that can happen to this house."""
    for number in range(len(house.servers)):
        at = f"process {number}"
        for name, what, weight in (
            ("a process killed", house.kill, 2),
            ("a process told to stop", house.stop, 1),
            ("a process stopped for a while", house.stall, 3),
            ("a clock set", house.set_clock, 3),
        ):
            yield Fault(name, at, _of(what, number), weight)
        if isinstance(house, OnSqlite):
            yield Fault("the disk full", at, _of(house.fill_disk, number), 3)
            yield Fault("the writer killed", at, _of(house.kill_writer, number), 3)
            yield Fault("the writer stopped for a while", at, _of(house.stall_writer, number), 3)
    if isinstance(house, OnSqlite):
        yield Fault("the disk slow", "database", house.slow_disk, 6)
    if isinstance(house, OnPostgres):
        yield Fault("PostgreSQL crashed", "database", house.crash_database, 2)
        yield Fault("PostgreSQL stopped and started", "database", house.stop_database, 2)
        yield Fault("PostgreSQL's connections cut", "database", house.cut_database, 3)
        yield Fault("PostgreSQL's disk slow", "database", house.slow_disk, 3)
        yield Fault("Redis flushed", "redis", house.flush_redis, 4)
        yield Fault("Redis killed", "redis", house.kill_redis, 3)
        yield Fault("Redis stopped for a while", "redis", house.stall_redis, 3)
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
    """Each kind once, then at random."""
    yield from dice.sample(possible, len(possible))
    while True:
        yield from dice.choices(possible, [fault.weight for fault in possible])


async def campaign(house: House, number: int, seconds: float, seed: int = 1) -> Account:
    """So many faults, or as many as there is time for. Raises whatever is not as it has to be."""
    async with players(house) as crowd:
        dice, until = Random(seed), time.monotonic() + seconds
        possible = list(faults(house, crowd))
        coming = islice(drawn(possible, dice), number)
        locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        took: defaultdict[str, list[float]] = defaultdict(list)
        ending = asyncio.Event()

        async def hurt() -> None:
            for fault in coming:
                if time.monotonic() > until:
                    return
                async with locks[fault.at]:
                    await asyncio.to_thread(fault.carry_out, dice)
                    took[fault.name].append(await _next_move(crowd))

        async with asyncio.TaskGroup() as tasks:
            for ruleset in RULESETS:
                tasks.create_task(crowd.play_on(ruleset, ending))
            await asyncio.gather(*(hurt() for _ in range(AT_ONCE)))
            ending.set()
        facts = await account(house, crowd)
    names = dict.fromkeys(fault.name for fault in possible if fault.name in took)
    return Account([Outcome(name, took[name]) for name in names], facts, house.unforeseen())


async def _next_move(crowd: Players) -> float:
    """Seconds until somebody is told that he has moved."""
    begun, made = time.monotonic(), len(crowd.answers)
    # Turns, not seconds: where machines are shared all of one may stand still for a while.
    for _ in range(PATIENCE):
        if len(crowd.answers) > made:
            return time.monotonic() - begun
        await asyncio.sleep(TURN)
    raise AssertionError("after a fault nobody can play any more")


async def account(house: House, crowd: Players) -> dict[str, str]:
    """Everything is there, and once: what was acknowledged, and nothing else that somebody asked for."""
    for game in crowd.moves:
        await crowd.check(game)
    for game in crowd.cancelled:
        await crowd.check_cancelled(game)
    assert keys_of(house.states()) == Counter(dict.fromkeys(crowd.answers, 1))
    assert crowd.alone
    memory, files = (max(map(of, house.processes())) for of in (resident, open_files))
    assert memory < MEMORY, f"{memory:.0f} MiB"
    assert files < FILES, f"{files} files"
    moves = sum(map(len, crowd.moves.values()))
    return {
        "games, all over, whole and verified": f"{len(crowd.moves):,}",
        "games cancelled, each of them once": f"{len(crowd.cancelled):,}",
        "moves acknowledged, each of them once in the log": f"{moves:,}",
        "of them without a seat, each made for the seat that was shown": f"{crowd.alone:,}",
        "of them only when they were asked for again": f"{crowd.replays:,}",
        "answers 503": f"{crowd.busy:,}; other answers of 500 and more: none",
        "moves refused because they were chosen from a look that was late": f"{crowd.refused:,}",
        "the latest look at a move, after it was acknowledged": f"{crowd.latest * 1000:,.0f} ms",
        "events in streams, equal to the pages": f"{sum(map(len, crowd.told.values())):,}",
        "times that a stream was resumed": f"{crowd.resumed:,}",
        "the largest process in the end": f"{memory:.0f} MiB, {files} open files",
    }


def resident(pid: int) -> float:
    """MiB in memory."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) / 1024


def open_files(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))
