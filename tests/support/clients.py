"""A client of the service for tests: `await ann.open("skyjo")`, `await bob.sit(game)`.

It talks to the whole application in this process, on a real database, or to a server by URL. A status of 500 or more
fails the test.
"""

import asyncio
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager, closing, suppress
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import httpx
from litestar import Litestar

from domain.rulesets import RULESETS
from service import settings
from service.app import create_app
from stammtisch.testing import playing
from tests.support.direct import Client
from tests.support.forked import Forked
from tests.support.registration import framework, remember_signatures
from tests.support.servers import living, ticks
from tests.support.statements import remember_statements

Json = dict[str, Any]

remember_signatures()
remember_statements()

QUICKEST = "scout"
"""The ruleset whose games are over after the fewest moves, for tests that need one that is over."""

NOTHING: Any = object()
"""No body. None is the body `null`."""


class Caller:
    """A client: a player with a token, or a stranger without one."""

    def __init__(self, http: httpx.AsyncClient, token: str = "", id: str = "", name: str = "") -> None:
        self.http, self.token, self.id, self.name = http, token, id, name

    def at(self, service: "Service") -> "Caller":
        """The same player, with the same token, at another service."""
        return Caller(service.http, self.token, self.id, self.name)

    # --- any request, any answer: `as_=1` is the query `?as=1` ---

    async def send(
        self, method: str, path: str, body: Any = NOTHING, *, headers: Any = (), **query: Any
    ) -> httpx.Response:
        """Send bytes and iterators unchanged, anything else as JSON."""
        sent = [*(headers.items() if isinstance(headers, dict) else headers)]
        if self.token:
            sent.append(("Authorization", f"Bearer {self.token}"))
        body = b"null" if body is None else body
        raw = isinstance(body, bytes) or hasattr(body, "__aiter__")
        if raw and not any(name.lower() == "content-type" for name, _ in sent):
            sent.append(("Content-Type", "application/json"))
        content: Json = {} if body is NOTHING else {"content": body} if raw else {"json": body}
        params = {name.rstrip("_"): value for name, value in query.items()} or None
        return await self.http.request(method, path, headers=sent, params=params, **content)

    async def get(self, path: str, **rest: Any) -> httpx.Response:
        return await self.send("GET", path, **rest)

    async def post(self, path: str, body: Any = NOTHING, **rest: Any) -> httpx.Response:
        return await self.send("POST", path, body, **rest)

    async def patch(self, path: str, body: Any = NOTHING, **rest: Any) -> httpx.Response:
        return await self.send("PATCH", path, body, **rest)

    async def delete(self, path: str, **rest: Any) -> httpx.Response:
        return await self.send("DELETE", path, **rest)

    # --- requests that must succeed: a game is identified by its path ---

    async def open(self, ruleset: str, seats: int | None = None, *, key: str | None = None, **terms: Any) -> str:
        headers = {} if key is None else {"Idempotency-Key": key}
        body = {"seats": seats or fewest(ruleset), **terms}
        answer = done(await self.post(f"/v1/games/{ruleset}", body, headers=headers), 201)
        path: str = answer["links"]["self"]
        return path

    async def sit(self, game: str, seat: int | None = None, entropy: str = "", **query: Any) -> Json:
        return done(await self.post(f"{game}/seats", {"seat": seat, "entropy": entropy}, **query))

    async def stand(self, game: str, seat: int) -> Json:
        return done(await self.delete(f"{game}/seats/{seat}"))

    async def look(self, game: str, **query: Any) -> Json:
        return done(await self.get(game, **query))

    async def moves(self, game: str, **query: Any) -> list[Json]:
        legal: list[Json] = done(await self.get(f"{game}/moves", **query))["legal_moves"]
        return legal

    async def move(self, game: str, move: Json, **rest: Any) -> Json:
        return done(await self.post(f"{game}/moves", move, **rest))

    async def every(self, path: str, **query: Any) -> list[Json]:
        """All items of a paginated list."""
        items: list[Json] = []
        page = done(await self.get(path, **query))
        while page["next"] is not None:
            items += page["items"]
            page = done(await self.get(page["next"]))
        return items + page["items"]

    async def events(self, game: str, **query: Any) -> list[Json]:
        return await self.every(f"{game}/events", **query)


class Service:
    """A running service."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self.http = http
        self.stranger = Caller(http)

    async def guest(self, name: str) -> Caller:
        return Caller(self.http, **done(await self.stranger.post("/v1/players", {"name": name}), 201))

    async def guests(self, *names: str) -> list[Caller]:
        return [await self.guest(name) for name in names]

    async def table(self, ruleset: str, players: Sequence[Caller], **terms: Any) -> str:
        """The path of a game in which these players sit on seats 0, 1 ..."""
        game = await players[0].open(ruleset, len(players), **terms)
        for player in players[1:]:
            await player.sit(game, invite=(await players[0].look(game)).get("invite", ""))
        return game


def fewest(ruleset: str) -> int:
    """The smallest number of seats."""
    return min(RULESETS[ruleset].seats)


def done(response: httpx.Response, status: int = 200) -> Json:
    """The body of an answer that must have this status."""
    assert response.status_code == status, response.text
    body: Json = response.json()
    return body


def problem(response: httpx.Response, status: int, kind: str) -> Json:
    """The problem document; the answer must have this status and type."""
    assert (response.status_code, response.headers.get("content-type")) == (status, "application/problem+json"), (
        f"{response.status_code} {response.text}"
    )
    document: Json = response.json()
    assert (document["type"], document["status"]) == (kind, status), document
    assert document["title"]
    return document


# --- playing ------------------------------------------------------------------------------------------------------


def any_of(moves: Sequence[Json], dice: Random) -> Json:
    """A random move; every type is equally likely."""
    kind = dice.choice(sorted({move["type"] for move in moves}))
    return dice.choice([move for move in moves if move["type"] == kind])


@cache
def early(ruleset: str, most: int = 12) -> int:
    """A number of moves after which a game for the fewest players still runs.

    At most `most`, and half as many as the shortest of some random games has.
    """
    rules = RULESETS[ruleset]
    tables = (playing.Table(fewest(ruleset), rules.options(), seed, 2 * most) for seed in range(4))
    return min(len(playing.record(rules, table, playing.at_random(Random(table.seed)))[1]) for table in tables) // 2


async def play(players: Sequence[Caller], game: str, dice: Random) -> AsyncIterator[tuple[int, httpx.Response]]:
    """Make random legal moves until the game is over. Yield the seat and the answer of each."""
    while (seen := await players[0].look(game))["to_act"]:
        seat = dice.choice(seen["to_act"])
        query = {"as_": seat} if seen["hotseat"] else {}
        chosen = any_of(await players[seat].moves(game, **query), dice)
        answer = await players[seat].post(f"{game}/moves", chosen, **query)
        done(answer)
        yield seat, answer


async def some_moves(players: Sequence[Caller], game: str, moves: int, seed: int = 1) -> None:
    """Make that many random moves, or fewer if the game is over before."""
    async for _ in play(players, game, Random(seed)):
        if (moves := moves - 1) == 0:
            return


async def play_to_the_end(players: Sequence[Caller], game: str, seed: int = 0) -> Json:
    """The game after its last move, as player 0 sees it.

    As `play` plays it, with a request less for each move: its answer tells who acts next, and often their moves.
    """
    dice, seen = Random(seed), await players[0].look(game)
    while seen["to_act"]:
        seat = dice.choice(seen["to_act"])
        query = {"as_": seat} if seen["hotseat"] else {}
        legal = seen["legal_moves"] if seen["you"] == seat else await players[seat].moves(game, **query)
        seen = (await players[seat].move(game, any_of(legal, dice), **query))["game"]
    seen = await players[0].look(game)
    assert seen["status"] == "finished"
    return seen


@asynccontextmanager
async def beside(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Do the work while the block runs, and cancel it then."""
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


# --- services ---------------------------------------------------------------------------------------------------------


@asynccontextmanager
async def in_process(database: Path | str, *, address: str = "127.0.0.1", **given: Any) -> AsyncIterator[Service]:
    """The application on that database, as a server would run it, without pages. Opened again: restarted."""
    await create(database)
    secret = "x" * 32 if str(database).startswith("postgresql") else ""  # services on one server need the same
    asked = {"rate_limit": "off", "access_log": False, "web": "off", "secret": secret, **given}
    app: Any = create_app(settings.read({}, database=str(database), **asked))
    async with _running(framework(app)), Client(app, address, event_hooks=_hooks()) as http:
        yield Service(http)


EMPTY: list[bytes] = []
"""Two SQLite files with all tables and no rows: the log, and the projections."""


async def create(database: Path | str) -> None:
    """An empty database where there is no file yet, unless it is PostgreSQL.

    A service that has to create its tables takes a third longer to start.
    """
    if str(database).startswith("postgresql") or Path(database).suffix != ".db":
        return
    given = settings.read({}, database=str(database), web="off")
    files = given.sqlite_path, given.projections_path
    if any(file.exists() for file in files):
        return
    if not EMPTY:
        with TemporaryDirectory() as folder:
            made = settings.read({}, database=str(Path(folder, "games.db")), web="off")
            async with _running(framework(create_app(made))):
                pass
            EMPTY.extend(emptied(file) for file in (made.sqlite_path, made.projections_path))
    for file, content in zip(files, EMPTY, strict=True):
        file.write_bytes(content)


def emptied(file: Path) -> bytes:
    """The file without the rows that a start writes."""
    with closing(sqlite3.connect(file)) as connection:
        for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            if table in ("stammtisch_descriptions", "stammtisch_pairings", "stammtisch_uptimes"):
                connection.execute(f"DELETE FROM {table}")
        connection.commit()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return file.read_bytes()


@asynccontextmanager
async def _running(app: Litestar) -> AsyncIterator[None]:
    """Run the lifespan in a task of its own, so several services can end in any order."""
    begun, over = asyncio.Event(), asyncio.Event()

    async def live() -> None:
        async with app.lifespan():
            begun.set()
            await over.wait()

    task, beginning = asyncio.create_task(live()), asyncio.create_task(begun.wait())
    await asyncio.wait([task, beginning], return_when=asyncio.FIRST_COMPLETED)
    beginning.cancel()
    try:
        if task.done():
            await task
        yield
    finally:
        over.set()
        await task


@asynccontextmanager
async def served(url: str) -> AsyncIterator[Service]:
    """A client of the service at that URL."""
    async with httpx.AsyncClient(base_url=url, timeout=60, event_hooks=_hooks()) as http:
        yield Service(http)


def _hooks() -> Any:
    return {"response": [_refuse_server_errors]}


async def _refuse_server_errors(response: httpx.Response) -> None:
    if response.status_code >= 500:
        await response.aread()
        raise AssertionError(
            f"{response.request.method} {response.request.url}: {response.status_code} {response.text}"
        )


class Server:
    """`stammtisch serve` on a free port.

    Its output goes to `output`, or the database's path, with the suffixes .log and .err. `clock`: the file with the
    offset of its wall clock (`tests.campaigns.chaos.clock`). `arguments`: further ones. `source`: the folder with the
    service, by default this repository. Other keywords are settings.
    """

    process: Forked | subprocess.Popen[bytes]
    """The parent of the processes that serve."""

    def __init__(
        self, database: Path | str, *, output: Path | None = None, clock: Path | None = None,
        arguments: Sequence[str] = (), source: Path | None = None, **given: Any,
    ) -> None:  # fmt: skip
        output = output or Path(database)
        self.log, self._errors = output.with_suffix(".log"), output.with_suffix(".err")
        environment = {name: value for name, value in os.environ.items() if not name.startswith(settings.PREFIX)}
        environment |= settings.variables(given)
        arguments = ["serve", "--port", "0", "--database", str(database), *arguments]
        self.log.touch()
        self._errors.write_bytes(b"")
        if source is None:
            self.process = Forked(arguments, environment, self.log, self._errors, clock=clock)
        else:
            with self.log.open("ab") as log, self._errors.open("ab") as errors:
                self.process = subprocess.Popen(
                    [sys.executable, "-m", "service", *arguments],
                    cwd=source,
                    env=environment,
                    stdout=log,
                    stderr=errors,
                )
        try:
            self.url = self._announced()
        except AssertionError:
            self.process.kill()  # its children end with it
            raise

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _announced(self) -> str:
        """Its address. A start may take minutes on a busy machine, so only one that stands still for a minute fails."""
        deadline, worked = time.monotonic() + 60, 0
        while (found := re.search(r"listens at (http://\S+)", self.errors)) is None:
            assert self.process.poll() is None, self.errors
            if worked != (worked := self._worked()):
                deadline = time.monotonic() + 60
            elif time.monotonic() > deadline:
                raise AssertionError(f"it does not listen\n{self._stacks()}")
            time.sleep(0.02)
        return found[1]

    def _worked(self) -> int:
        """The processor time of its processes."""
        with suppress(FileNotFoundError):
            return sum(ticks(pid) for pid in (self.process.pid, *living(self.process.pid)))
        return 0

    def _stacks(self) -> str:
        """Where all threads of its processes are, after what they have logged."""
        if isinstance(self.process, Forked):
            for pid in (self.process.pid, *living(self.process.pid)):
                os.kill(pid, signal.SIGUSR1)
                time.sleep(1)
        return self.errors

    @property
    def pid(self) -> int:
        """The process that serves, the first of several workers. Waits for one after a kill."""
        deadline = time.monotonic() + 60
        while not (serving := living(self.process.pid)):
            assert time.monotonic() < deadline
            time.sleep(0.005)
        return serving[0]

    def crash(self) -> None:
        """Kill every process that serves, and wait until they have ended. The parent replaces them."""
        for pid in (killed := living(self.process.pid)):
            os.kill(pid, signal.SIGKILL)
        while not {*killed}.isdisjoint(living(self.process.pid)):
            time.sleep(0.005)

    @property
    def errors(self) -> str:
        return self._errors.read_text()

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self.process.poll() is None:
            self.process.send_signal(how)
        try:
            self.process.wait(60)
        finally:
            self.process.kill()
