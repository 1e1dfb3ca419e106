"""A move costs the same however many processes serve, and an idle process costs next to nothing.

Counted by PostgreSQL itself and by the processes, while a game is followed in two of them.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random
from time import monotonic
from typing import NamedTuple

import pytest

from domain import game
from domain.game.commands import Join, Move
from domain.rulesets import RULESETS
from service import databases
from service.games import deadlines, expiry, orders, outages
from service.games.cached_game import CachedGame
from service.games.games import Change
from service.identity import players
from service.live import leader, projection_runner
from service.runtime import Runtime
from service.settings import Settings, read
from service.versions import News
from tests.support import servers
from tests.support.servers import Postgres

pytestmark = [pytest.mark.anyio, pytest.mark.checked]

RULES = next(iter(RULESETS.values()))
ANN, BOB = "ann", "bob"
MOVES = 40


@pytest.fixture(scope="module")
def counting() -> Iterator[Postgres]:
    """A server that counts the statements."""
    with servers.postgres(preload="pg_stat_statements") as server:
        databases.migrate(read({}, database=server.url()))
        server.execute("CREATE EXTENSION pg_stat_statements")
        yield server


class Counts(NamedTuple):
    """Statements without the ends of transactions, and rows of the log that were returned."""

    statements: int
    all_statements: int
    rows: int


def counts(server: Postgres) -> Counts:
    """Since the last `reset`."""
    own = "query LIKE '%pg_stat_statements%'"
    ends = "query ~* '^(BEGIN|COMMIT|ROLLBACK|SET)'"
    ((statements, everything, rows),) = server.execute(
        f"SELECT coalesce(sum(calls) FILTER (WHERE NOT {ends}), 0), coalesce(sum(calls), 0), "
        "coalesce(sum(rows) FILTER (WHERE query LIKE '%stammtisch_events%'), 0) "
        f"FROM pg_stat_statements WHERE NOT {own}"
    )
    return Counts(int(statements), int(everything), int(rows))


def reset(server: Postgres) -> None:
    server.execute("SELECT pg_stat_statements_reset()")


@asynccontextmanager
async def processes(server: Postgres, redis: str, number: int) -> AsyncIterator[list[Runtime]]:
    given = Settings(**{**vars_of(read({}, database=server.url())), "redis": redis, "secret": "x" * 32})
    found = []
    async with AsyncExitStack() as stack:
        for _ in range(number):
            runtime = Runtime(given)
            await runtime.start()
            stack.push_async_callback(runtime.stop)
            found.append(runtime)
        yield found


def vars_of(settings: Settings) -> dict[str, object]:
    return {name: getattr(settings, name) for name in settings.__struct_fields__}


class Follower:
    """Follows a game in a process, as a stream does."""

    def __init__(self, runtime: Runtime, cached: CachedGame) -> None:
        self._cached = cached
        self._runtime = runtime
        self._news = asyncio.Event()

    def notify(self) -> None:
        self._news.set()

    async def reaches(self, version: int) -> None:
        async with asyncio.timeout(60):
            while self._cached.game.version < version:
                await self._news.wait()
                self._news.clear()


async def opened(runtime: Runtime) -> CachedGame:
    cached, _ = await runtime.commands.open(
        RULES, ANN, 2, RULES.options(), next(iter(RULES.decks.values())), game.Agreed(), sit=True,
        entropy="", key=None,
    )  # fmt: skip
    await runtime.commands.execute(cached, BOB, Join())
    return cached


async def any_move(runtime: Runtime, cached: CachedGame, dice: Random) -> Change:
    seat = dice.choice(cached.to_act())
    move = dice.choice(game.legal(cached.rules, cached.game, seat))
    player = cached.game.players[seat]
    return await runtime.commands.execute(cached, player, Move(move, seat))


async def connected(runtimes: list[Runtime]) -> None:
    async with asyncio.timeout(60):
        while not all(runtime.peers.heard for runtime in runtimes):  # noqa: ASYNC110
            await asyncio.sleep(0.01)


@pytest.mark.by_default("[1]", "[8]")  # eight are the hardest case
@pytest.mark.parametrize("number", [1, 2, 4, 8])
async def test_a_move_costs_the_same_however_many_processes_serve(
    counting: Postgres, redis_url: str, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two processes follow the game. A third one, if there is one, makes every second move."""
    for module, name in (
        (projection_runner, "POLL_INTERVAL"), (leader, "INTERVAL"), (players, "POLL_INTERVAL"),
        (players, "NOTIFIED_INTERVAL"), (orders, "POLL_INTERVAL"), (deadlines, "INTERVAL"),
        (outages, "INTERVAL"), (expiry, "SWEEP_INTERVAL"),
    ):  # fmt: skip
        monkeypatch.setattr(module, name, 3600.0)  # what processes do when nothing happens is not counted
    parsed = dict.fromkeys(range(number), 0)
    dice = Random(5)
    async with processes(counting, redis_url, number) as runtimes:
        await connected(runtimes)
        following = runtimes[:2]
        cached = await opened(runtimes[0])
        copies = [cached, *[await each.games.find(RULES, cached.game.id) for each in runtimes[1:]]]
        followers = []
        for runtime, copy in zip(following, copies, strict=False):
            followers.append(Follower(runtime, copy))
            runtime.subscriptions.watch(copy.game.id, followers[-1])
        await asyncio.sleep(0.5)  # subscriptions begin
        for pause in ("CYCLE_PAUSE", "IDLE_CYCLE_PAUSE"):  # the process that leads follows the log at its own pace
            monkeypatch.setattr(projection_runner, pause, 3600.0)
        await runtimes[0].projection_runner.caught_up()

        for place, runtime in enumerate(runtimes):
            news = runtime.shared.versions.news  # type: ignore[union-attr]

            def count(message: bytes, place: int = place, news=news) -> News | None:  # type: ignore[no-untyped-def]
                parsed[place] += 1
                return news(message)

            monkeypatch.setattr(runtime.shared.versions, "news", count)
        reset(counting)
        rows = 0
        for turn in range(MOVES):
            mover = (turn % 2) * min(2, number - 1)
            if mover >= len(following):  # nobody tells this process: the move is decided on what it reads
                await runtimes[mover].games.refresh(cached.game.id, copies[0].game.version)
            change = await any_move(runtimes[mover], copies[mover], dice)
            rows += len(change.entries)
            for each in followers:
                await each.reaches(change.entries[-1].version)
        found = counts(counting)
        read_by_mover = MOVES // 2 if number > 2 else 0
        assert found.statements - read_by_mover <= 1.3 * MOVES
        if not read_by_mover:
            assert found.rows <= rows + 0.1 * MOVES
        assert sum(parsed.values()) <= (len(following) + 0.1) * MOVES
        assert not any(parsed[place] for place in parsed if place >= len(following))


async def test_an_idle_process_asks_for_almost_nothing(counting: Postgres, redis_url: str) -> None:
    """12 statements a second for the first one, the ends of transactions included, and 0.3 for each further one."""
    number = 4
    async with processes(counting, redis_url, number) as runtimes:
        await connected(runtimes)
        assert [runtime.leader.leads for runtime in runtimes].count(True) == 1
        await asyncio.sleep(1)
        reset(counting)
        begun = monotonic()
        await asyncio.sleep(2)
        found, seconds = counts(counting), monotonic() - begun
        assert 0 < found.all_statements <= (12 + 0.3 * (number - 1)) * seconds + number
        assert found.rows <= 2 * seconds, "one line for each look at the log"
