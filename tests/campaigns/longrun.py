"""Plays for hours, takes samples, draws them and checks that they stay flat."""

import asyncio
import random
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

import msgspec

import tests
from domain.rulesets import RULESETS
from tests.bench.http import served
from tests.bench.load import MOVED, Told, connect, guests
from tests.campaigns.chaos.campaign import open_files, resident
from tests.support.servers import children

PLOT = Path(tests.__file__).parents[1] / "docs" / "pictures" / "longrun.png"

GAMES = 3
"""Concurrent games of every ruleset."""
PACE = 0.1
"""Seconds between two moves of a game."""
SAMPLE = 5.0
"""Seconds between two samples."""
CACHED = "6"
"""Size of the cache of games: small, so it is full soon and memory must stay flat."""

BOUNDS = {"memory": 1.15, "files": 1.1, "p50": 1.5, "p99": 2.5}
"""Limit of the ratio of the last quarter's median to the second's. Times vary on a shared machine."""


class Sample(msgspec.Struct):
    """`at` and times in seconds, memory in MiB. Memory and files are sums over the server and its children."""

    at: float
    moves: int
    memory: float
    files: int
    p50: float
    p99: float


async def play(port: int, ruleset: str, until: float, dice: random.Random, taken: list[float]) -> None:
    """Play random hotseat games, one after another, at the pace of fast players."""
    (token,) = await guests(port, 1)
    connection = await connect(port, token)
    place = f"/v1/games/{ruleset}".encode()
    game: Told | None = None
    while time.monotonic() < until:
        if game is None or game.status != "running":
            game = await connection.open(place, RULESETS[ruleset].seats[0])
        begun = time.perf_counter()
        path = place + f"/{game.id}/moves".encode()
        answer = await connection.post(path, bytes(dice.choice(game.legal_moves)))
        taken.append(time.perf_counter() - begun)
        game = MOVED(answer).game
        await asyncio.sleep(PACE)
    connection.close()


async def samples(port: int, pid: int, seconds: float) -> list[Sample]:
    begun = time.monotonic()
    until, taken, found = begun + seconds, list[float](), list[Sample]()
    async with asyncio.TaskGroup() as tasks:
        for number in range(GAMES):
            for ruleset in RULESETS:
                tasks.create_task(play(port, ruleset, until, random.Random(number), taken))
        while time.monotonic() + SAMPLE < until:
            await asyncio.sleep(SAMPLE)
            cuts = quantiles(taken, n=100)
            at = time.monotonic() - begun
            processes = pid, *children(pid)
            memory, files = sum(map(resident, processes)), sum(map(open_files, processes))
            found.append(Sample(at, len(taken), memory, files, cuts[49], cuts[98]))
            taken.clear()
    return found


def judged(found: Sequence[Sample]) -> Iterator[tuple[str, float, float, bool]]:
    """Each figure's name, its median in the second and in the last quarter, and whether it is within its limit."""
    quarter = len(found) // 4
    for name, bound in BOUNDS.items():
        before, after = (
            median(getattr(sample, name) for sample in part)
            for part in (found[quarter : 2 * quarter], found[-quarter:])
        )
        yield name, before, after, after <= before * bound


def draw(found: Sequence[Sample], file: Path) -> None:
    import matplotlib.pyplot as plt  # a dependency of the drawing only

    figure, (memory, files, times) = plt.subplots(3, 1, figsize=(9, 7), sharex=True, layout="constrained")
    minutes = [sample.at / 60 for sample in found]
    memory.plot(minutes, [sample.memory for sample in found])
    memory.set(
        ylabel="memory, MiB", title=f"{sum(sample.moves for sample in found):,} moves in {minutes[-1]:.0f} minutes"
    )
    files.plot(minutes, [sample.files for sample in found])
    files.set(ylabel="open files")
    times.plot(minutes, [sample.p50 * 1000 for sample in found], label="p50")
    times.plot(minutes, [sample.p99 * 1000 for sample in found], label="p99")
    times.set(ylabel="a move, ms", xlabel="minutes", yscale="log")
    times.legend()
    for panel in (memory, files):
        panel.set_ylim(0)
    figure.savefig(file, dpi=90)


def options(parser: ArgumentParser) -> None:
    parser.add_argument("--minutes", type=float, default=120)
    parser.add_argument("--plot", type=Path, default=PLOT)


def main(given: Namespace) -> int:
    asked = {"rate_limit": "off", "max_cached_mib": CACHED, "max_storage_mib": "1000000"}
    with TemporaryDirectory() as folder, served("service.app:create", Path(folder), **asked) as server:
        found = asyncio.run(samples(server.port, server.pid, given.minutes * 60))
    draw(found, given.plot)
    figures = list(judged(found))
    for name, before, after, flat in figures:
        unit = 1000 if name.startswith("p") else 1
        sys.stdout.write(f"{name}: {before * unit:.1f}, then {after * unit:.1f}{'' if flat else ': NOT FLAT'}\n")
    return int(not all(flat for *_, flat in figures))
