"""How long players wait for their next move after `kill -9`: of the serving process, and of the whole service."""

import http.client
import json
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import Any, NamedTuple

from service import databases, settings
from tests.bench.http import Served, served
from tests.support import servers
from tests.support.servers import living

KILLS = 3
"""Of one parent: it pauses before it replaces more in a row."""


class Recovery(NamedTuple):
    """Seconds from the kill to the answer of the next move, medians."""

    forked: float
    started: float
    """The service was started again in full, by a new interpreter, as soon as it had ended."""


class Player:
    """Repeats each request with its key until it is answered."""

    def __init__(self, server: Served, ruleset: str) -> None:
        self.server = server
        self._moves = 0
        self._headers = {"Content-Type": "application/json"}
        token = self.ask("POST", "/v1/players", {"name": "Ada"})["token"]
        self._headers["Authorization"] = f"Bearer {token}"
        self._path = self.ask("POST", f"/v1/games/{ruleset}", {"seats": 2, "hotseat": True})["links"]["self"]

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        key = {"Idempotency-Key": str(self._moves)} if path.endswith("/moves") else {}
        while True:
            try:
                connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
                connection.request(method, path, json.dumps(body), self._headers | key)
                answer = connection.getresponse()
                text = answer.read()
            except (OSError, http.client.HTTPException):
                sleep(0.005)
                continue
            assert answer.status < 300, text
            return json.loads(text)

    def finish(self) -> None:
        """Play the game to its end, at random."""
        dice = Random(self._moves)
        while legal := self.ask("GET", self._path)["legal_moves"]:
            self._moves += 1
            self.ask("POST", f"{self._path}/moves", dice.choice(legal))

    def review(self) -> Any:
        return self.ask("GET", f"{self._path}/review")

    def move(self, after: Callable[[], Served]) -> float:
        """Seconds from this call, which kills a process and returns what serves then, to the answer of a move."""
        chosen = self.ask("GET", self._path)["legal_moves"][0]
        self._moves += 1
        begun = perf_counter()
        self.server = after()
        self.ask("POST", f"{self._path}/moves", chosen)
        return perf_counter() - begun


def measured(ruleset: str, rounds: int) -> Iterator[tuple[str, Recovery]]:
    with TemporaryDirectory() as folder, servers.postgres(durable=True) as postgres:
        databases.migrate(settings.read({}, database=postgres.url()))
        for name, database in (("SQLite", str(Path(folder, "bench.db"))), ("PostgreSQL", postgres.url())):
            yield name, recovery(ruleset, rounds, Path(folder), database)


def recovery(ruleset: str, rounds: int, folder: Path, database: str) -> Recovery:
    forked, started = [], []
    with ExitStack() as running:

        def start() -> Served:
            given = {"database": database, "rate_limit": "off", "secret": "x" * 32}
            return running.enter_context(served("service.app:create", folder, **given))

        for _ in range(rounds):
            player = Player(start(), ruleset)

            def kill_child(player: Player = player) -> Served:
                os.kill(living(player.server.parent)[0], signal.SIGKILL)
                return player.server

            def kill_all(player: Player = player) -> Served:
                os.kill(player.server.parent, signal.SIGKILL)
                return start()

            forked += [player.move(kill_child) for _ in range(KILLS)]
            started.append(player.move(kill_all))
            os.kill(player.server.parent, signal.SIGKILL)
    return Recovery(median(forked), median(started))
