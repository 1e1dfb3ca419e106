"""Speed of export and import in events per second.

The import verifies every record; the start of the verifying processes is included.
"""

import asyncio
from collections.abc import Callable
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

from domain import game
from domain.codec import encode
from domain.fairness import record
from domain.fairness.verification import verify
from domain.game import Game, Rules
from service.cli.export import export_games
from service.cli.import_ import import_games
from service.settings import Settings
from tests.golden import play


def written(rules: Rules, seats: int, events: int, file: Path) -> int:
    """Write a file of records with at least this many events. Returns their number."""
    done = 0
    with file.open("wb") as out:
        for number in count():
            if done >= events:
                return done
            golden = play(rules, f"bench {number}", seats, {})
            assert golden is not None
            done += len(golden.log)
            out.write(encode(record.complete(record.of(golden.id, golden.log))) + b"\n")
    raise AssertionError("never gets here")


def rates(rules: Rules, seats: int, events: int) -> tuple[float, float, float]:
    """Events per second: exported, imported, and for comparison only verified in one process."""
    with TemporaryDirectory() as folder:
        games = Path(folder) / "games.ndjson"
        done = written(rules, seats, events, games)
        settings = Settings(database=f"{folder}/games.db")
        begun = perf_counter()
        assert not asyncio.run(import_games(settings, [str(games)])).rejected
        came = perf_counter()
        asyncio.run(export_games(settings, [], f"{folder}/out.ndjson.gz"))
        went = perf_counter()
        for line in games.read_bytes().splitlines():
            verify(record.decode(line))
        return done / (went - came), done / (came - begun), done / (perf_counter() - went)


class Audited(NamedTuple):
    """A finished game: its events; seconds to verify its record and to fold its events."""

    events: int
    verified: float
    folded: float


def audited(rules: Rules, seats: int, times: int) -> Audited:
    """The longest of several games; medians of several runs."""
    games = [golden for number in range(5) if (golden := play(rules, f"bench {number}", seats, {})) is not None]
    golden = max(games, key=lambda each: len(each.log))
    events, text = [entry.event for entry in golden.log], encode(record.complete(record.of(golden.id, golden.log)))
    return Audited(
        len(events),
        taken(lambda: verify(record.decode(text)), times),
        taken(lambda: game.fold(rules, Game(golden.id), events), times),
    )


def taken(do: Callable[[], object], times: int) -> float:
    """The median duration in seconds."""
    measured = []
    for _ in range(times):
        begun = perf_counter()
        do()
        measured.append(perf_counter() - begun)
    return median(measured)
