"""Reads of games over HTTP, from memory and from Redis, compared with an empty GET on the same server."""

import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import sleep
from typing import NamedTuple
from urllib.request import urlopen

from service.extensions.cluster.redis_client import SETTLED
from tests.bench.http import Served, load, served
from tests.bench.load import Figures
from tests.bench.load import looks as read
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
        given = {"rate_limit": "off", "redis": redis.url, "max_cached_mib": "0.001"}
        sleep(SETTLED)  # until then nothing is believed that is kept there
        with served("tests.bench.noop:create", Path(folder), **given) as server:
            looks = 0
            for measured in _rounds(server, ruleset, games, seconds, count):
                looks += measured.looks.answered
                yield measured
            assert answers(server.port) > 0.9 * looks, "they came from elsewhere"


def answers(port: int) -> float:
    """The number of reads that the server answered from the cache."""
    with urlopen(f"http://127.0.0.1:{port}/metrics") as metrics:
        found = re.search(r"^stammtisch_redis_answers_total (\S+)", metrics.read().decode(), re.MULTILINE)
    assert found is not None
    return float(found[1])


def _rounds(server: Served, ruleset: str, games: int, seconds: float, count: int) -> Iterator[Round]:
    for _ in range(count):
        looks = load(read, server, f"/v1/games/{ruleset}", 3, games, seconds)
        yield Round(looks, load(read, server, "/noop", 0, games, seconds))
