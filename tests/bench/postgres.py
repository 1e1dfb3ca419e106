"""Durable moves on PostgreSQL with syncs to disk: compared with SQLite, and two processes with one."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from service import settings
from service.store import databases
from tests.bench import http
from tests.support import servers

FACTORY = "service.app:create"


class Round(NamedTuple):
    """Moves per second, measured in turns on the same machine; `event`: bytes on disk per event."""

    sqlite: float
    postgres: float
    one: float
    two: float
    event: float


def rounds(ruleset: str, seats: int, games: int, seconds: float, count: int) -> Iterator[Round]:
    """`one`, `two`: number of processes on PostgreSQL and Redis, with the same games in total."""

    def moves(*ports: int) -> float:
        with ThreadPoolExecutor(2) as clients:  # the same number for one server and for two
            half = games // 2
            done = clients.map(lambda port: http.load("moves", port, ruleset, seats, half, seconds), (ports * 2)[:2])
            return sum(figures.rate for figures in done)

    with ExitStack() as running:
        postgres = running.enter_context(servers.postgres(durable=True))
        redis = running.enter_context(servers.redis())
        databases.migrate(settings.read({}, database=postgres.url()))

        def serve(**given: str) -> int:
            folder = Path(running.enter_context(TemporaryDirectory()))
            shared = {"rate_limit": "off", "secret": "x" * 32}
            return running.enter_context(http.serving(FACTORY, folder, **shared, **given))

        on_postgres = {"database": postgres.url()}
        sqlite, alone = serve(), serve(**on_postgres)
        first, second = (serve(**on_postgres, redis=redis.url) for _ in range(2))
        for _ in range(count):
            rates = moves(sqlite), moves(alone), moves(first), moves(first, second)
            ((size,),) = postgres.execute(
                "SELECT pg_total_relation_size('stammtisch_events')::float / count(*) FROM stammtisch_events"
            )
            yield Round(*rates, size)
