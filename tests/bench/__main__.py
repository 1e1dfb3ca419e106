"""Measures what docs/performance.md reports: `make bench`, or `python -m tests.bench [--quick] [PART...]`.

Prints a table of figures with floors and targets, and where a move's time goes. With all parts it draws the pictures.
`--quick` takes a tenth of the time, to check that everything runs. Two parts are measured only if they are named:
`peers` compares with other software and needs node, npm and two cores; `instructions` needs valgrind, and compares with
another checkout (`--beside FOLDER`).
"""

import argparse
import asyncio
import os
import platform
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from statistics import median

from domain.game import Rules
from domain.rulesets import RULESETS
from tests.bench import (
    Missed,
    agents,
    anatomy,
    appends,
    archive,
    channel,
    cold,
    engine,
    growth,
    http,
    instructions,
    looks,
    pages,
    plot,
    postgres,
    recovery,
    reviews,
    streams,
    tables,
    webhooks,
)
from tests.bench.cpu import speed
from tests.bench.interpreter import interpreter
from tests.bench.peers import compare
from tests.web import limits

SEATS = 3
GAMES = 64
STREAMS = 500
FEW_STREAMS, MANY_STREAMS = 100, 2000
TABS = 8
"""Browsers at one table."""

REVIEWED = "a move's p99 while a game is reviewed"
COMMITS = f"commits of {appends.WRITERS} writers, each {appends.DELAY / 1000:.0f} ms longer"
MOST, LEAST = {REVIEWED: 1.2}, {COMMITS: 4.0}
"""The largest and the smallest ratios, by the name of the figure. A run fails if one is not kept."""

ASKED = {
    "durable moves over HTTP": "0.50 or more",
    "a move's p99 against its p50": "5 or less",
    "opening a cold game": "2.5 or less for 500 events",
    "durable moves on PostgreSQL": "0.6 or more",
    COMMITS: f"{LEAST[COMMITS]:.0f} or more",
    "the longest append beside": "0.2 s or less",
    "from kill -9 to the next move": "0.5 s or less",
    "an event to one of": "30 µs or less",
    REVIEWED: f"{MOST[REVIEWED]} or less",
    "each of 10,000 idle channels": "50 KiB or less",
    "verifying a finished game": "25 ms or less for 500 events",
    "exporting": "20,000/s or more",
    "importing": "20,000/s or more",
    "rebuilding all projections": "100,000/s or more",
    "rows of the log followed": "20,000/s or more",
    "from commit to endpoint, p50": "1 s or less",
    "from commit to endpoint, p99": "3 s or less",
    "a move's p50,": "1.1 or less",
    "a look's p50,": "1.1 or less",
    "a start,": "1",
    "the first page of": "1",
    "a page": "1",
    "a first visit to": f"{limits.VISIT // 1000} kB, {limits.REQUESTS} requests",
    "a table, cold": "2.5 s or less",
    "a table, warm": "250 ms or less",
    "click to move sent": f"{limits.SENT} ms or less",
    "click to own result": f"{limits.RESULT} ms or less",
    "message to changed pixels": f"{limits.PIXELS} ms or less",
    "tasks over 50 ms": "0",
    "frames over 50 ms": "0",
    "a film of": "200 ms or less",
    "a step of the scrubber": f"{limits.STEP} ms or less",
    "a full render": "6 ms or less",
    "more files for verifying": "14 kB",
    "memory of a film": "12 MB or less",
    "frames over 20 ms": "2 % or less",
    "the same of": "1.15 or less",
    "skyjo: steps of the environment": "50,000/s or more",
    "a world imagined": "1 ms or less",
    "moves of `careful` in the arena: scout": "5,000/s or more",
    "moves of `random` in the arena": "30,000/s or more",
    "recorded games of": "300/s or more",
    "a clock adds to a move": "5 µs or less",
    "a bot adds to a move": "0.5 ms or less",
    "looking after 100,000": "10 % of a core or less",
}
"""Targets, by the beginning of a figure's name."""


Row = tuple[str, ...]
FIRST = next(iter(RULESETS))


class Effort:
    """How long to measure."""

    def __init__(self, quick: bool, games: int | None, beside: Path | None = None) -> None:
        self.quick = quick
        self.beside = beside
        self.seconds, self.rounds = (1.0, 1) if quick else (3.0, 5)
        stored = (growth.FEW, 2_000) if quick else plot.STORED
        self.stored = stored if games is None else (growth.FEW, games)


def of_every_ruleset(rows: Callable[[Rules, Effort], Iterable[Row]]) -> Callable[[Effort], Iterator[Row]]:
    return lambda effort: (
        (f"{name}: {what}", *rest) for name, rules in RULESETS.items() for what, *rest in rows(rules, effort)
    )


def main(parts: list[str], effort: Effort) -> int:
    """Measure, and print each row as soon as it is known. 1 if one is not within `MOST` and `LEAST`, or `Missed`."""
    missed = False
    tell(f"{interpreter()}, {platform.machine()}, {os.cpu_count()} cores, {SEATS} seats, {GAMES} games at once\n")
    tell("| what | measured | floor, in the same run | ratio | asked |\n|---|---|---|---|---|")
    for part in parts or [part for part in PARTS if part not in NAMED]:
        for row in PARTS[part](effort):
            named = (ratio for what, ratio in ASKED.items() if row[0].startswith(what) or f": {what}" in row[0])
            asked = next(named, "")
            tell(f"| {' | '.join(row)} | {asked} |")
            missed = missed or (row[0] in MOST and float(row[-1]) > MOST[row[0]])
            missed = missed or (row[0] in LEAST and float(row[-1]) < LEAST[row[0]])
            missed = missed or any(isinstance(each, Missed) for each in row)
    if not parts and not effort.quick:
        plot.draw(plot.crowded(FIRST, SEATS, effort.seconds), growth.compared(effort.stored, 1, 1.0), plot.FILE)
    return int(missed)


def tell(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def http_rows(rules: Rules, effort: Effort) -> Iterable[Row]:
    measured = list(http.rounds(rules.name, GAMES, effort.seconds, effort.rounds))
    moves = speed(one.moves for one in measured)
    for what, floor, which in (
        ("durable moves over HTTP", "noop", "a POST that does nothing there"),
        ("the same", "bare", "one on a server that has nothing else"),
    ):
        ratio = median(one.moves.rate / getattr(one, floor).rate for one in measured)
        yield (what, moves, f"{speed(getattr(one, floor) for one in measured)}: {which}", f"{ratio:.2f}")
    for percentile in ("p50", "p99"):
        ours, noop = (
            median(getattr(getattr(one, kind), percentile) for one in measured) * 1000 for kind in ("moves", "noop")
        )
        yield (f"a move's {percentile}", f"{ours:.1f} ms", f"{noop:.1f} ms", f"{ours / noop:.1f}")
    p50, p99 = (median(getattr(one.moves, percentile) for one in measured) * 1000 for percentile in ("p50", "p99"))
    yield ("a move's p99 against its p50", f"{p99:.1f} ms", f"{p50:.1f} ms", f"{p99 / p50:.1f}")


def postgres_rows(effort: Effort) -> Iterable[Row]:
    measured = list(postgres.rounds(FIRST, SEATS, GAMES, effort.seconds, effort.rounds))
    for what, kind, floor, against in (
        ("durable moves on PostgreSQL", "postgres", "sqlite", "on SQLite"),
        ("by two processes on PostgreSQL and Redis", "two", "one", "by one of them"),
    ):
        ours, least = (speed(getattr(each, name) for each in measured) for name in (kind, floor))
        ratio = median(getattr(each, kind).rate / getattr(each, floor).rate for each in measured)
        yield (what, ours, f"{least}: {against}", f"{ratio:.2f}")


def append_rows(effort: Effort) -> Iterable[Row]:
    seconds, rounds = effort.seconds, effort.rounds
    made = list(appends.commits(seconds, rounds))
    ours, locked = (median(getattr(each, kind) for each in made) for kind in ("ours", "locked"))
    yield (
        COMMITS, f"{ours:,.0f}/s",
        f"{locked:,.0f}/s: with a lock of the table", f"{median(each.ours / each.locked for each in made):.1f}",
    )  # fmt: skip
    beside = list(appends.upkeep(2_000 if effort.quick else 20_000, seconds, rounds))
    for kind in [kind for kind in beside[0] if kind != "nothing"]:
        longest, alone = (median(each[which].longest for each in beside) for which in (kind, "nothing"))
        ratio = median(each[kind].longest / each["nothing"].longest for each in beside)
        what = f"{longest * 1e3:.0f} ms, at most {max(each[kind].longest for each in beside) * 1e3:.0f} ms"
        most = max(each["nothing"].longest for each in beside)
        floor = f"{alone * 1e3:.0f} ms, at most {most * 1e3:.0f} ms: beside nothing"
        times = sum(each[kind].times for each in beside)
        yield (f"the longest append beside {kind}, {times} times", what, floor, f"{ratio:.2f}")


def recovery_rows(effort: Effort) -> Iterable[Row]:
    for database, found in recovery.measured(FIRST, effort.rounds):
        what, floor = f"{found.forked:.2f} s", f"{found.started:.2f} s: after the whole service was killed and started"
        yield (f"from kill -9 to the next move on {database}", what, floor, f"{found.forked / found.started:.2f}")


def review_rows(effort: Effort) -> Iterable[Row]:
    measured = list(reviews.rounds(FIRST, effort.seconds, effort.rounds))
    alone, reviewed = (median(getattr(one, kind).p99 for one in measured) * 1000 for kind in ("alone", "reviewed"))
    ratio = median(one.reviewed.p99 / one.alone.p99 for one in measured)
    yield (REVIEWED, f"{reviewed:.1f} ms", f"{alone:.1f} ms", f"{ratio:.2f}")


def channel_rows(effort: Effort) -> Iterable[Row]:
    idle = 1_000 if effort.quick else 10_000
    yield (f"each of {idle:,} idle channels", f"{channel.resting(idle) / 1024:.1f} KiB", "", "")


def look_rows(effort: Effort) -> Iterable[Row]:
    for where, measure in (("memory", looks.from_memory), ("Redis", looks.from_redis)):
        measured = list(measure(FIRST, GAMES, effort.seconds, effort.rounds))
        ours, floor = (speed(getattr(one, kind) for one in measured) for kind in ("looks", "noop"))
        ratio = median(one.looks.rate / one.noop.rate for one in measured)
        yield (f"looks at games, from {where}", ours, f"{floor}: a GET of nothing", f"{ratio:.2f}")


def engine_rows(rules: Rules, effort: Effort) -> Iterable[Row]:
    quick = effort.quick
    plays = [engine.play(rules, SEATS, 5 if quick else 40, seed) for seed in range(1 if quick else 5)]
    rate, rounds = median(play.rate for play in plays), median(play.rounds / play.seconds for play in plays)
    yield ("random play in the engine", f"{rate:,.0f} moves/s, {rounds:,.0f} rounds/s", "", "")


def cold_rows(rules: Rules, effort: Effort) -> Iterable[Row]:
    found = asyncio.run(cold.measured(rules, SEATS, *((2, 1) if effort.quick else (40, 5))))
    what = f"{found.floor * 1e3:.2f} ms: its rows read and decoded"
    ratio = f"{found.opened / found.floor:.2f}"
    yield (f"opening a cold game of {found.events} events", f"{found.opened * 1e3:.2f} ms", what, ratio)
    yield ("a game in the cache, with a view for each seat", f"{found.size / 1024:.0f} KiB", "", "")


def record_rows(rules: Rules, effort: Effort) -> Iterable[Row]:
    """Records: verified, exported and imported."""
    events = 5_000 if effort.quick else 50_000
    seats = min(SEATS, max(rules.seats))
    game = archive.audited(rules, seats, 5)
    what, floor = f"{game.verified * 1e3:.1f} ms", f"{game.folded * 1e3:.2f} ms: its events folded"
    yield (f"verifying a finished game of {game.events} events", what, floor, f"{game.verified / game.folded:.1f}")
    out, into, verified = archive.rates(rules, seats, events)
    floor = f"{verified:,.0f}/s: verified by one process"
    yield ("exporting events", f"{out:,.0f}/s", floor, f"{out / verified:.1f}")
    yield ("importing events", f"{into:,.0f}/s", floor, f"{into / verified:.1f}")


def grown_rows(effort: Effort) -> Iterable[Row]:
    grown = growth.compared(effort.stored, effort.rounds, effort.seconds / 2)
    yield from grown.rows()
    rate, floor = f"{grown.rebuilt:,.0f} events/s", f"{grown.appended:,.0f}/s: appended"
    what = f"rebuilding all projections of {grown.events:,} events"
    yield (what, rate, floor, f"{grown.rebuilt / grown.appended:.2f}")


def stream_rows(effort: Effort) -> Iterable[Row]:
    ruleset, seconds = FIRST, 2.0 if effort.quick else 8.0
    ours, floor = streams.delivered(ruleset, STREAMS, seconds), streams.written(STREAMS, 20)
    cost, ratio = f"{ours.cost * 1e6:.1f} µs", f"{ours.cost / floor:.1f}"
    yield (f"an event to one of {STREAMS} streams, CPU", cost, f"{floor * 1e6:.1f} µs: a write of its size", ratio)
    few, many = (streams.bystanders(ruleset, number, seconds) for number in (FEW_STREAMS, MANY_STREAMS))
    yield (
        f"an event to one of {MANY_STREAMS} streams in two processes, CPU", f"{many.cost * 1e6:.1f} µs",
        f"{few.cost * 1e6:.1f} µs: to one of {FEW_STREAMS}", f"{many.cost / few.cost:.2f}",
    )  # fmt: skip
    plain, patched = (streams.delivered(ruleset, TABS, seconds, query) for query in ("", "&with=patch"))
    cost, without = (f"{each.cost * 1e6:.1f} µs" for each in (patched, plain))
    yield (f"the same of {TABS} streams with patches", cost, f"{without}: without", f"{patched.cost / plain.cost:.2f}")
    yield ("from the decision to its receipt, p50 and p99", f"{ours.p50 * 1e3:.0f}, {ours.p99 * 1e3:.0f} ms", "", "")


def anatomy_rows(effort: Effort) -> Iterable[Row]:
    """Where a move's time goes."""
    for part, time, share in anatomy.rows(FIRST, SEATS, GAMES, effort.seconds):
        yield (f"of a move: {part}", time, "", share)


PARTS: dict[str, Callable[[Effort], Iterable[Row]]] = {
    "http": of_every_ruleset(http_rows),
    "engine": of_every_ruleset(engine_rows),
    "cold": of_every_ruleset(cold_rows),
    "records": of_every_ruleset(record_rows),
    "channel": channel_rows,
    "looks": look_rows,
    "postgres": postgres_rows,
    "appends": append_rows,
    "recovery": recovery_rows,
    "reviews": review_rows,
    "pages": lambda effort: pages.rows(effort.quick),
    "streams": stream_rows,
    "webhooks": lambda effort: webhooks.rows(effort.quick),
    "agents": lambda effort: agents.rows(effort.quick),
    "tables": lambda effort: tables.rows(effort.quick),
    "growth": grown_rows,
    "anatomy": anatomy_rows,
    "instructions": lambda effort: instructions.rows(FIRST, SEATS, effort.beside),
    "peers": lambda effort: compare.rows(effort.quick),
}


NAMED = ("instructions", "peers")
"""Parts that need other programs, and are measured only if they are named."""


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument(
        "parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; all but {' and '.join(NAMED)} by default"
    )
    parser.add_argument("--quick", action="store_true", help="take a tenth of the time")
    parser.add_argument("--games", type=int, help="stored games of `growth`")
    parser.add_argument("--beside", type=Path, help="another checkout, whose `instructions` are counted, too")
    given = parser.parse_args()
    if unknown := set(given.parts) - set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    sys.exit(main(given.parts, Effort(given.quick, given.games, given.beside)))
