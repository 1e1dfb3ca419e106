"""Durable moves on PostgreSQL with syncs to disk: compared with SQLite, and two processes with one."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from service import databases, settings
from tests.bench import http
from tests.bench.cpu import Cpu
from tests.bench.http import Served
from tests.bench.load import moves as played
from tests.support import servers

FACTORY = "service.app:create"


class Moves(NamedTuple):
    """Moves per second, and the CPU seconds of the serving processes for each (without those of PostgreSQL)."""

    rate: float
    cost: float


class Round(NamedTuple):
    """Moves, measured in turns on the same machine."""

    sqlite: Moves
    postgres: Moves
    one: Moves
    two: Moves


def rounds(ruleset: str, seats: int, games: int, seconds: float, count: int) -> Iterator[Round]:
    """`one`, `two`: number of processes on PostgreSQL and Redis, with the same games in total."""

    def moves(*serving: Served) -> Moves:
        cpu = [Cpu(server.pid) for server in serving]
        with ThreadPoolExecutor(2) as clients:  # the same number for one server and for two
            half, places = games // 2, (serving * 2)[:2]
            done = list(clients.map(lambda place: http.load(played, place, ruleset, seats, half, seconds), places))
        spent = sum(each.seconds() for each in cpu)
        return Moves(sum(made.rate for made in done), spent / sum(made.answered for made in done))

    with ExitStack() as running:
        postgres = running.enter_context(servers.postgres(durable=True))
        redis = running.enter_context(servers.redis())
        databases.migrate(settings.read({}, database=postgres.url()))

        def serve(**given: str) -> Served:
            folder = Path(running.enter_context(TemporaryDirectory()))
            shared = {"rate_limit": "off", "secret": "x" * 32}
            return running.enter_context(http.served(FACTORY, folder, **shared, **given))

        on_postgres = {"database": postgres.url()}
        sqlite, alone = serve(), serve(**on_postgres)
        first, second = (serve(**on_postgres, redis=redis.url) for _ in range(2))
        for _ in range(count):
            yield Round(moves(sqlite), moves(alone), moves(first), moves(first, second))
