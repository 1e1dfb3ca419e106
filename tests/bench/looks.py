"""Reads of games over HTTP, from memory and from Redis, compared with an empty GET on the same server; and reads on
PostgreSQL with and without the version cache in Redis."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from time import sleep
from typing import NamedTuple
from urllib.request import urlopen

from service import databases, settings
from service.cluster.redis_client import SETTLED
from tests.bench.http import Served, load, served
from tests.bench.load import Figures
from tests.support import servers


class Round(NamedTuple):
    """Measure both in turns on the same machine."""

    looks: Figures
    noop: Figures


def from_memory(ruleset: str, games: int, seconds: float, count: int) -> Iterator[Round]:
    with TemporaryDirectory() as folder, served("tests.bench.noop:create", Path(folder), rate_limit="off") as server:
        yield from _rounds(server, ruleset, games, seconds, count)


def from_redis(ruleset: str, games: int, seconds: float, count: int) -> Iterator[Round]:
    """No game is in memory: the cache has one entry, and there are many games."""
    with TemporaryDirectory() as folder, servers.redis() as redis:
        given = {"rate_limit": "off", "redis": redis.url, "max_cached_games": "1"}
        sleep(SETTLED)  # until then nothing is believed that is kept there
        with served("tests.bench.noop:create", Path(folder), **given) as server:
            looks = 0
            for measured in _rounds(server, ruleset, games, seconds, count):
                looks += measured.looks.answered
                yield measured
            assert answers(server.port) > 0.9 * looks, "they came from elsewhere"


class Versions(NamedTuple):
    """Reads on PostgreSQL, in turns. Every process must learn the current version of the game that is read.

    `cached`: from the version cache in Redis. `queried`: without Redis, by one query for all waiting reads.
    """

    cached: Figures
    queried: Figures


def on_postgres(ruleset: str, games: int, seconds: float, count: int, *, in_memory: bool = True) -> Iterator[Versions]:
    """Games that the process has in memory, or games that it has not."""
    with ExitStack() as running:
        postgres, redis = running.enter_context(servers.postgres(durable=True)), running.enter_context(servers.redis())
        databases.migrate(settings.read({}, database=postgres.url()))
        sleep(SETTLED)

        def serve(**given: str) -> Served:
            folder = Path(running.enter_context(TemporaryDirectory()))
            common = {"rate_limit": "off", "secret": "x" * 32, "database": postgres.url()}
            if not in_memory:
                common["max_cached_games"] = "1"
            return running.enter_context(served("service.app:create", folder, **common, **given))

        cached, queried = serve(redis=redis.url), serve()
        for _ in range(count):
            yield Versions(
                *(load("looks", server, f"/v1/games/{ruleset}", 3, games, seconds) for server in (cached, queried))
            )


def answers(port: int) -> float:
    """The number of reads that the server answered from the cache."""
    with urlopen(f"http://127.0.0.1:{port}/metrics") as metrics:
        found = re.search(r"^stammtisch_redis_answers_total (\S+)", metrics.read().decode(), re.MULTILINE)
    assert found is not None
    return float(found[1])


def _rounds(server: Served, ruleset: str, games: int, seconds: float, count: int) -> Iterator[Round]:
    for _ in range(count):
        looks = load("looks", server, f"/v1/games/{ruleset}", 3, games, seconds)
        yield Round(looks, load("looks", server, "/noop", 0, games, seconds))
