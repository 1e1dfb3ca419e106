"""Runs all benchmarks: `make bench`. Prints a table of figures with floors and targets, and a table of where a move's
time goes. Draws a picture.

`python -m tests.bench --quick` takes a tenth of the time, to check that everything runs.
"""

import asyncio
import os
import platform
import sys
from collections.abc import Iterable
from statistics import median

from domain.game import Rules
from domain.rulesets import RULESETS
from tests.bench import (
    agents,
    anatomy,
    archive,
    channel,
    cold,
    engine,
    growth,
    http,
    looks,
    pages,
    plot,
    postgres,
    streams,
    tables,
    undo,
    webhooks,
)
from tests.bench.cpu import speed
from tests.bench.interpreter import interpreter

SEATS = 3
GAMES = 64
FEW_GAMES = 8
STREAMS = 500
TABS = 8
"""Browsers at one table."""


ASKED = {
    "durable moves over HTTP": "0.50 or more",
    "a move's p99 against its p50": "5 or less",
    "opening a cold game": "2.5 or less for 500 events",
    "durable moves on PostgreSQL": "0.6 or more",
    "an event to one of": "30 µs or less",
    "durable moves over channels": "0.50 or more",
    "an append to one of": "15 µs or less",
    "each of 10,000 idle channels": "50 KiB or less",
    "verifying a finished game": "25 ms or less for 500 events",
    "linking an event": "10 µs or less",
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
    "a first visit to a table": "75 kB, 45 requests",
    "a first visit to the lobby": "55 kB",
    "a table, cold": "2.5 s or less",
    "a table, warm": "250 ms or less",
    "click to move sent": "8 ms or less",
    "click to own result": "80 ms or less",
    "message to changed pixels": "32 ms or less",
    "tasks over 50 ms": "0",
    "a film of": "200 ms or less",
    "a step of the scrubber": "8 ms or less",
    "a full render": "6 ms or less",
    "more files for verifying": "14 kB",
    "the longest description of a table": "120 lines",
    "memory of a film": "12 MB or less",
    "frames over 20 ms": "2 % or less",
    "the same of": "1.15 or less",
    "skyjo: steps of the environment": "50,000/s or more",
    "a world imagined": "1 ms or less",
    "moves of `careful` in the arena: scout": "5,000/s or more",
    "moves of `random` in the arena": "30,000/s or more",
    "recorded games of": "300/s or more",
    "whether a move can be taken back, p50": "10 µs or less",
    "whether a move can be taken back, p99": "60 µs or less",
    "a clock adds to a move": "5 µs or less",
    "a bot adds to a move": "0.5 ms or less",
    "a cold game": "1.2 or less",
    "looking after 100,000": "10 % of a core or less",
    "a record of": "150 ms or less for 200 moves of bots",
}
"""Targets, by the beginning of a figure's name."""

BESIDE_THE_FIRST = "0.5 or more", "0.5 or more", "0.4 or more", "0.4 or more"
"""Targets of the other rulesets' random play, in their order."""


def main(quick: bool) -> None:
    seconds, rounds = (1.0, 1) if quick else (3.0, 5)
    first = next(iter(RULESETS))
    tell(f"{interpreter()}, {platform.machine()}, {os.cpu_count()} cores, {SEATS} seats, {GAMES} games at once\n")
    tell("| what | measured | floor, in the same run | ratio | asked |\n|---|---|---|---|---|")
    for name, rules in RULESETS.items():
        tell_rows(http_rows(name, seconds, rounds), f"{name}: ")
        tell_rows(engine_rows(rules, quick), f"{name}: ")
        tell_rows(cold_rows(rules), f"{name}: ")
        tell_rows(record_rows(rules, 5_000 if quick else 50_000), f"{name}: ")
    tell_rows(channel_rows(first, seconds, rounds, 1_000 if quick else 10_000))
    tell_rows(look_rows(first, seconds, rounds))
    tell_rows(postgres_rows(first, seconds, rounds))
    for row, asked in zip(side_by_side(2 if quick else 15), BESIDE_THE_FIRST, strict=True):
        tell(f"| {' | '.join(row)} | {asked} |")
    tell_rows(pages.rows(quick))
    tell_rows(stream_rows(first, 2.0 if quick else 8.0))
    tell_rows(webhooks.rows(quick))
    tell_rows(undo.rows(quick))
    tell_rows(agents.rows(quick))
    tell_rows(tables.rows(quick))
    grown = growth.compared((growth.FEW, 2_000) if quick else plot.STORED, rounds, seconds / 2)
    tell_rows(grown_rows(grown))
    tell("\n| where a move's time goes | processor time | share |\n|---|---|---|")
    for part in anatomy.dissected(first, SEATS, GAMES, seconds).rows():
        tell(f"| {' | '.join(part)} |")
    if not quick:
        plot.draw(plot.crowded(first, SEATS, seconds), grown, plot.FILE)


def tell_rows(rows: Iterable["Row"], of: str = "") -> None:
    for row in rows:
        asked = next((ratio for what, ratio in ASKED.items() if row[0].startswith(what)), "")
        tell(f"| {of}{' | '.join(row)} | {asked} |")


def tell(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


Row = tuple[str, str, str, str]


def http_rows(ruleset: str, seconds: float, rounds: int) -> Iterable[Row]:
    measured = list(http.rounds(ruleset, GAMES, seconds, rounds))
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


def postgres_rows(ruleset: str, seconds: float, rounds: int) -> Iterable[Row]:
    measured = list(postgres.rounds(ruleset, SEATS, GAMES, seconds, rounds))
    for what, kind, floor, against in (
        ("durable moves on PostgreSQL", "postgres", "sqlite", "on SQLite"),
        ("by two processes on PostgreSQL and Redis", "two", "one", "by one of them"),
    ):
        ours, least = (speed(getattr(each, name) for each in measured) for name in (kind, floor))
        ratio = median(getattr(each, kind).rate / getattr(each, floor).rate for each in measured)
        yield (what, ours, f"{least}: {against}", f"{ratio:.2f}")
    yield ("an event in PostgreSQL, with its indexes", f"{measured[-1].event:.0f} bytes", "", "")


def channel_rows(ruleset: str, seconds: float, rounds: int, idle: int) -> Iterable[Row]:
    for at_once in GAMES, FEW_GAMES:
        measured = list(channel.rounds(ruleset, SEATS, at_once, seconds, rounds))
        for what, kind, floor in (
            ("durable moves over channels", "moves", "noop"),
            ("the same", "moves", "http"),
            ("two people at each table over channels", "pairs", "noop"),
        ):
            cost, least = (median(getattr(one, name).cost for one in measured) * 1e6 for name in (kind, floor))
            ratio = median(getattr(one, floor).cost / getattr(one, kind).cost for one in measured)
            rate = median(getattr(one, kind).rate for one in measured)
            against = "a POST that does nothing" if floor == "noop" else "a move over HTTP"
            name = f"{what}, {at_once} tables: CPU of a move"
            yield (name, f"{cost:.0f} µs, {rate:,.0f}/s", f"{least:.0f} µs: {against}", f"{ratio:.2f}")
    crowd = channel.followed(ruleset, STREAMS, 2 * seconds)
    yield (f"an append to one of {STREAMS} channels, CPU", f"{crowd.cost * 1e6:.1f} µs", "", "")
    yield (f"each of {idle:,} idle channels", f"{channel.resting(idle) / 1024:.1f} KiB", "", "")


def look_rows(ruleset: str, seconds: float, rounds: int) -> Iterable[Row]:
    for where, measure in (("memory", looks.from_memory), ("Redis", looks.from_redis)):
        measured = list(measure(ruleset, GAMES, seconds, rounds))
        ours, floor = (speed(getattr(one, kind) for one in measured) for kind in ("looks", "noop"))
        ratio = median(one.looks.rate / one.noop.rate for one in measured)
        yield (f"looks at games, from {where}", ours, f"{floor}: a GET of nothing", f"{ratio:.2f}")
    for games in GAMES, FEW_GAMES:
        for where in ("in memory", "not in memory"):
            versions = list(looks.on_postgres(ruleset, games, seconds, rounds, in_memory=where == "in memory"))
            cached, queried = (speed(getattr(one, kind) for one in versions) for kind in ("cached", "queried"))
            ratio = median(one.queried.rate / one.cached.rate for one in versions)
            what = f"{games} looks at once on PostgreSQL without Redis, {where}"
            yield (what, queried, f"{cached}: with the version cache", f"{ratio:.2f}")


def engine_rows(rules: Rules, quick: bool) -> Iterable[Row]:
    plays = [engine.play(rules, SEATS, 5 if quick else 40, seed) for seed in range(1 if quick else 5)]
    floors = [engine.json_of(rules, play.events) / play.moves * 1e6 for play in plays]
    rate, rounds = median(play.rate for play in plays), median(play.rounds / play.seconds for play in plays)
    ours, floor = 1e6 / rate, median(floors)
    what, against = f"{rate:,.0f} moves/s, {rounds:,.0f} rounds/s", f"{1e6 / floor:,.0f} moves/s: their events as JSON"
    yield ("random play in the engine", what, against, f"{floor / ours:.3f}")
    one, each = engine.memory(rules, SEATS, 1)
    yield ("a state in the middle of a game; each of all states of a game", f"{one:,.0f} B; {each:,.0f} B", "", "")
    laws, floor, moves = engine.laws(rules, SEATS, 1)
    what = f"{floor * 1e3:.0f} ms: playing it"
    yield (f"all laws over a play of {moves} moves", f"{laws * 1e3:.0f} ms", what, f"{laws / floor:.1f}")


def side_by_side(rounds: int) -> Iterable[Row]:
    """Random play of every ruleset and of the first one, in turns."""
    rates: dict[str, list[float]] = {name: [] for name in RULESETS}
    for seed in range(rounds):
        for name, rules in RULESETS.items():
            rates[name].append(engine.play(rules, SEATS, 20, seed).rate)
    first, *others = RULESETS
    for name in others:
        ratio = median(one / other for one, other in zip(rates[name], rates[first], strict=True))
        what, floor = f"{median(rates[name]):,.0f} moves/s", f"{median(rates[first]):,.0f} moves/s: {first}"
        yield (f"{name}: random play in the engine", what, floor, f"{ratio:.2f}")


def cold_rows(rules: Rules) -> Iterable[Row]:
    ours, floor, events = asyncio.run(cold.opened(rules, SEATS, 10))
    what = f"{floor * 1e3:.2f} ms: its rows read and decoded"
    yield (f"opening a cold game of {events} events", f"{ours * 1e3:.2f} ms", what, f"{ours / floor:.2f}")
    size = asyncio.run(cold.memory(rules, SEATS, 40))
    yield ("a game in the cache, with a view for each seat", f"{size / 1024:.0f} KiB", "", "")


def record_rows(rules: Rules, events: int) -> Iterable[Row]:
    """Records: verified, exported and imported."""
    seats = min(SEATS, max(rules.seats))
    game = archive.audited(rules, seats, 5)
    what, floor = f"{game.verified * 1e3:.1f} ms", f"{game.folded * 1e3:.2f} ms: its events folded"
    yield (f"verifying a finished game of {game.events} events", what, floor, f"{game.verified / game.folded:.1f}")
    what, floor = f"{game.linked * 1e6:.1f} µs", f"{game.encoded * 1e6:.1f} µs: its JSON"
    yield ("linking an event to the chain", what, floor, f"{game.linked / game.encoded:.1f}")
    out, into, verified = archive.rates(rules, seats, events)
    floor = f"{verified:,.0f}/s: verified by one process"
    yield ("exporting events", f"{out:,.0f}/s", floor, f"{out / verified:.1f}")
    yield ("importing events", f"{into:,.0f}/s", floor, f"{into / verified:.1f}")


def grown_rows(grown: growth.Grown) -> Iterable[Row]:
    yield from grown.rows()
    rate, floor = f"{grown.rebuilt:,.0f} events/s", f"{grown.appended:,.0f}/s: appended"
    what = f"rebuilding all projections of {grown.events:,} events"
    yield (what, rate, floor, f"{grown.rebuilt / grown.appended:.2f}")


def stream_rows(ruleset: str, seconds: float) -> Iterable[Row]:
    ours, floor = streams.delivered(ruleset, STREAMS, seconds), streams.written(STREAMS, 20)
    cost, ratio = f"{ours.cost * 1e6:.1f} µs", f"{ours.cost / floor:.1f}"
    yield (f"an event to one of {STREAMS} streams, CPU", cost, f"{floor * 1e6:.1f} µs: a write of its size", ratio)
    plain, patched = (streams.delivered(ruleset, TABS, seconds, query) for query in ("", "&with=patch"))
    cost, without = (f"{each.cost * 1e6:.1f} µs" for each in (patched, plain))
    yield (f"the same of {TABS} streams with patches", cost, f"{without}: without", f"{patched.cost / plain.cost:.2f}")
    yield ("from the decision to its receipt, p50 and p99", f"{ours.p50 * 1e3:.0f}, {ours.p99 * 1e3:.0f} ms", "", "")


if __name__ == "__main__":
    main(quick="--quick" in sys.argv)
