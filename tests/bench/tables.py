"""What clocks and bots cost: a move with them and without, a cold game with a clock, a sweep, and a record to verify.

`python -m tests.bench.tables` prints these figures alone.
"""

import asyncio
import sys
from collections.abc import Iterator
from hashlib import sha256
from itertools import product
from pathlib import Path
from random import Random
from statistics import fmean
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

from msgspec import UNSET, UnsetType
from sqlalchemy import func, select, update

from domain import game
from domain.codec import encode
from domain.fairness import record
from domain.fairness.verification import verify
from domain.game import Decision, Game, Rules
from domain.game.clock import Clock
from domain.game.commands import Join
from domain.game.log import Stored, written
from domain.ruleset import Seat
from domain.rulesets import RULESETS
from projections.schema import deadlines
from service import databases
from service.games.cached_game import CachedGame
from service.games.games import Games
from service.games.topics import topic
from service.http.server import tune_garbage_collection
from service.log.game_log import GameLog
from service.log.mapper import Row
from service.runtime import Runtime, kinds
from service.settings import Settings, read
from tests.kit import doing
from tests.kit.laws import at_random
from tests.kit.seats import person, places

ID = "018f3c2e-7b1a-7c3d-9e4f-0123456789ab"
CLOCK = Clock(bank=180, increment=10)
CAREFUL = "careful/1"

PEOPLE = (None, None, None)
BESIDE_A_BOT = (None, None, CAREFUL)

MOVES = 100
"""How many moves of a game are timed."""

EVENTS = 400
"""The length of the cold game, if it does not end before."""

GAMES = 100_000
"""Games with a clock, for measuring the sweepers' share of a core."""


class Table:
    """A game in memory: decided, hashed and applied as the service does, without commits."""

    def __init__(
        self, rules: Rules, seed: int, bots: tuple[str | None, ...] = PEOPLE, clock: Clock | UnsetType = UNSET
    ) -> None:
        self.rules, self.cached, self.log = rules, CachedGame(rules, ID), list[Stored[Any, Any]]()
        self._choose = at_random(Random(seed))
        terms = game.terms(
            rules, len(bots), rules.options(), next(iter(rules.decks.values())).data, person(0),
            sha256(b"%d" % seed).digest(), places=places(*bots), absent=CAREFUL, clock=clock,
        )  # fmt: skip
        self._append(doing.open_game(rules, ID, terms, sit=True, entropy=""))
        for seat in range(self.cached.game.players.count(None) - len(bots) + bots.count(None)):
            self._append(doing.join(rules, self.cached.game, person(seat + 1), None, "", self._bots()))

    def move(self) -> float:
        """Make a random move of a person. The seconds that it takes with the mover's view after it; 0 after the end."""
        if (chosen := self._choose(self.rules, self.cached.game)) is None:
            return 0.0
        seat, move = chosen
        begun = perf_counter()
        self._append(doing.move(self.rules, self.cached.game, seat, move, self._bots()))
        self._seen(seat)
        return perf_counter() - begun

    def _bots(self) -> game.Bots:
        return game.seeing(self.rules, self.cached.game, self._seen)

    def _seen(self, seat: Seat) -> Game:
        seen = self.cached.view(seat)
        assert seen is not None
        return seen

    def _append(self, decision: Decision) -> None:
        at = f"2026-01-01T00:00:00.{len(self.log):06}Z"
        entries = written(self.rules, decision, self.cached.head, at)
        self.cached.advance(decision.game, entries)
        self.log += entries


def timed(rules: Rules, terms: dict[str, Any]) -> list[float]:
    """The seconds of each move of people in two games, which are the same in every call."""
    tables = [Table(rules, seed, **terms) for seed in range(2)]
    return [seconds for table in tables for _ in range(MOVES) if (seconds := table.move())]


def moves(rules: Rules, rounds: int) -> tuple[float, float, float]:
    """The mean seconds of a move without clock and bots, with a clock, and beside a bot.

    The time of a move is the least of several rounds, in turns.
    """
    kinds: tuple[dict[str, Any], ...] = {}, {"clock": CLOCK}, {"bots": BESIDE_A_BOT}
    found = [[timed(rules, terms) for terms in kinds] for _ in range(rounds)]
    least = [[min(times) for times in zip(*rounds_of, strict=True)] for rounds_of in zip(*found, strict=True)]
    plain, clocked, beside = map(fmean, least)
    return plain, clocked, beside


def verified(rules: Rules, moves_of_bots: int) -> tuple[float, int, int]:
    """The least seconds for verifying a finished game, its events, and the moves of bots in it."""
    for seed, seats in product(range(20), rules.seats):
        table = Table(rules, seed, (None, *[CAREFUL] * (seats - 1)))
        while table.move():
            pass
        number = sum(entry.move is not UNSET and entry.by != 0 for entry in table.log)
        if moves_of_bots <= number < 1.5 * moves_of_bots:
            break
    text, taken = encode(record.of(ID, table.log)), list[float]()
    for _ in range(10):
        begun = perf_counter()
        checks = verify(record.decode(text))
        taken.append(perf_counter() - begun)
        assert {check.name: check.ok for check in checks}["bots"]
    return min(taken), len(table.log), number


async def seated(games: Games, rules: Rules, clock: Clock | UnsetType) -> str:
    """A running game of three."""
    deck = next(iter(rules.decks.values()))
    cached, _ = await games.open(
        rules, person(0), 3, rules.options(), deck, private=False, hotseat=False, sit=True, entropy="", command=None,
        clock=clock, absent=CAREFUL,
    )  # fmt: skip
    for seat in (1, 2):
        await games.execute(cached, person(seat), Join(seat))
    return cached.game.id


async def cold(rules: Rules, rounds: int) -> tuple[float, float, int]:
    """The least seconds for opening a cold game with a clock, and the same without, in turns; and its events."""
    with TemporaryDirectory() as folder:
        stores, taken = list[GameLog](), tuple[list[float], list[float]](([], []))
        for number, clock in enumerate((CLOCK, UNSET)):
            table = Table(rules, 1, clock=clock)
            while table.cached.game.version < EVENTS and table.move():
                pass
            path = str(Path(folder, f"{number}.db"))
            stores.append(databases.open_store(Settings(database=path, sqlite_writer="thread"), kinds()))
            kind = rules.rules
            await stores[-1].append([Row(ID, each.version, topic(kind, type(each.event)), each) for each in table.log])
        for _ in range(rounds):
            for store, times in zip(stores, taken, strict=True):
                games = Games(store, size=10, shared=False)
                begun = perf_counter()
                await games.find(rules, ID)
                times.append(perf_counter() - begun)
        for store in stores:
            await store.stop()
    return min(taken[0]), min(taken[1]), len(table.log)


async def swept(rules: Rules, count: int) -> float:
    """The processor seconds for looking after a running game with a clock that is in memory: claimed, looked at, and
    its next bound written."""
    with TemporaryDirectory() as folder:
        runtime = Runtime(
            read({}, database=str(Path(folder, "bench.db")), sqlite_writer="thread", max_open_games=count)
        )
        await runtime.start()
        try:
            for _ in range(count):
                await seated(runtime.games, rules, CLOCK)
            while await runtime.ask(begun) < count:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
            await asyncio.sleep(1.5)  # the service's own sweeps have nothing to do any more
            await runtime.ask(make_due)
            before, used = runtime.deadline_sweeper.handled, process_time()
            while runtime.deadline_sweeper.handled - before < count:
                await runtime.deadline_sweeper.sweep()
            return (process_time() - used) / count
        finally:
            await runtime.stop()


def begun(engine: Any) -> int:
    with engine.connect() as connection:
        return int(connection.execute(select(func.count()).where(deadlines.c.due < 2**62)).scalar_one())


def make_due(engine: Any) -> None:
    with engine.begin() as connection:
        connection.execute(update(deadlines).values(due=1))


def rows(quick: bool) -> Iterator[tuple[str, str, str, str]]:
    tune_garbage_collection()
    for name, rules in RULESETS.items():
        plain, clocked, beside = moves(rules, 3 if quick else 15)
        floor = f"{plain * 1e6:.1f} µs: without"
        yield (f"a clock adds to a move in memory: {name}", f"{(clocked - plain) * 1e6:.1f} µs", floor, "-")
        yield (f"a bot adds to a move in memory: {name}", f"{(beside - plain) * 1e3:.2f} ms", floor, "-")
    first = next(iter(RULESETS.values()))
    with_clock, without, events = asyncio.run(cold(first, 20 if quick else 100))
    what, floor = f"{with_clock * 1e3:.2f} ms", f"{without * 1e3:.2f} ms: without"
    yield (f"a cold game of {events} events with a clock, opened", what, floor, f"{with_clock / without:.2f}")
    look = asyncio.run(swept(first, 200 if quick else 1_000))
    share = f"{look * GAMES / CLOCK.bank:.1%} of a core"
    what, floor = f"looking after {GAMES:,} games of {CLOCK.bank}+{CLOCK.increment}", f"{look * 1e6:.0f} µs: a look"
    yield (f"{what} in memory", share, floor, "-")
    seconds, events, number = verified(first, 200)
    what = f"a record of {events} events, {number} of them moves of bots, verified"
    yield (what, f"{seconds * 1e3:.0f} ms", "-", "-")


if __name__ == "__main__":
    for row in rows(quick="--quick" in sys.argv):
        sys.stdout.write(" | ".join(row) + "\n")
