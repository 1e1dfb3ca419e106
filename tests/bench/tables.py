"""What clocks and bots cost: a move with them and without, and a sweep."""

import asyncio
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from random import Random
from statistics import fmean
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

from msgspec import UNSET, UnsetType
from sqlalchemy import func, select, update

from domain import game
from domain.game import Decision, Game, Rules
from domain.game.clock import Clock
from domain.game.commands import Join
from domain.game.log import written
from domain.ruleset import Seat
from domain.rulesets import RULESETS
from projections.schema import deadlines
from service.games.cached_game import CachedGame
from service.games.commands import Commands
from service.runtime import Runtime
from service.server.server import tune_garbage_collection
from service.settings import read
from stammtisch.testing import doing
from stammtisch.testing.playing import at_random
from stammtisch.testing.seats import person, places

ID = "018f3c2e-7b1a-7c3d-9e4f-0123456789ab"
CLOCK = Clock(bank=180, increment=10)
CAREFUL = "careful/1"

PEOPLE = (None, None, None)
BESIDE_A_BOT = (None, None, CAREFUL)

MOVES = 100
"""How many moves of a game are timed."""

GAMES = 100_000
"""Games with a clock, for measuring the sweepers' share of a core."""


class Table:
    """A game in memory: decided, hashed and applied as the service does, without commits."""

    def __init__(
        self, rules: Rules, seed: int, bots: tuple[str | None, ...] = PEOPLE, clock: Clock | UnsetType = UNSET
    ) -> None:
        self.rules, self.cached, self._length = rules, CachedGame(rules, ID), 0
        self._choose = at_random(Random(seed))
        terms = game.terms(
            rules, len(bots), rules.options(), next(iter(rules.decks.values())).data, person(0),
            sha256(b"%d" % seed).digest(), game.Agreed(places=places(*bots), absent=CAREFUL, clock=clock),
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
        at = f"2026-01-01T00:00:00.{self._length:06}Z"
        entries = written(self.rules, decision, self.cached.head, at)
        self.cached.advance(decision.game, entries)
        self._length += len(entries)


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


async def seated(commands: Commands, rules: Rules, clock: Clock | UnsetType) -> str:
    """A running game of three."""
    deck = next(iter(rules.decks.values()))
    cached, _ = await commands.open(
        rules, person(0), 3, rules.options(), deck, game.Agreed(clock=clock, absent=CAREFUL), sit=True, entropy="",
        key=None,
    )  # fmt: skip
    for seat in (1, 2):
        await commands.execute(cached, person(seat), Join(seat))
    return cached.game.id


async def swept(rules: Rules, count: int) -> float:
    """The processor seconds for looking after a running game with a clock that is in memory: claimed, looked at, and
    its next bound written."""
    with TemporaryDirectory() as folder:
        runtime = Runtime(read({}, database=str(Path(folder, "bench.db")), max_open_games=count))
        await runtime.start()
        try:
            for _ in range(count):
                await seated(runtime.commands, rules, CLOCK)
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
    look = asyncio.run(swept(first, 200 if quick else 1_000))
    share = f"{look * GAMES / CLOCK.bank:.1%} of a core"
    what, floor = f"looking after {GAMES:,} games of {CLOCK.bank}+{CLOCK.increment}", f"{look * 1e6:.0f} µs: a look"
    yield (f"{what} in memory", share, floor, "-")
