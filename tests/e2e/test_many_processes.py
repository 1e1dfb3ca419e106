"""Several real processes on one PostgreSQL, with Redis and without: any request to any of them, whatever happens.

TEST_GAMES says how many games are played at once, with Redis and without; a few by default. What came of it is told as
properties of the tests (`--junit-xml FILE -o junit_family=legacy`).
"""

import asyncio
import os
import signal
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple, TypeAlias

import httpx
import psycopg
import pytest

from domain.fairness import record, verification
from domain.rulesets import RULESETS
from service import settings
from service.store import databases
from tests.e2e.test_crash import SHORT, Crowd, Json, keys_of, until, verify
from tests.service.api.test_events import raw
from tests.support import servers
from tests.support.clients import Server, any_of, fewest
from tests.support.listening import SSE, Listener
from tests.support.servers import Postgres

pytestmark = pytest.mark.anyio

Tell: TypeAlias = Callable[[dict[str, float]], None]

GAMES = int(os.environ.get("TEST_GAMES", "5"))
LONGEST = 15
"""Seconds within which every request has to be answered, whatever happens; generously."""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Row:
    """Equal processes on one database. Each request goes to the next one."""

    def __init__(self, servers: list[Server]) -> None:
        self.servers = servers
        self._next = cycle(servers)

    @property
    def url(self) -> str:
        return next(self._next).url


@contextmanager
def row(folder: Path, database: str, processes: int = 2, **given: Any) -> Iterator[Row]:
    asked = {"rate_limit": "off", "access_log": False, "secret": "x" * 32, **given}
    started: list[Server] = []
    with ExitStack() as until_then:
        for number in range(processes):
            started.append(Server(database, output=folder / f"server-{number}", **asked))
            until_then.callback(started[-1].process.wait)
            until_then.callback(started[-1].process.kill)
        yield Row(started)
        for server in started:
            server.stop()
            assert "Traceback" not in server.errors, server.errors


class Stream(NamedTuple):
    """What somebody has received live. `times`: in so many connections, `broken`: so many of which the server cut."""

    received: list[bytes]
    times: int
    broken: int


class Restless(Crowd):
    """They hang up before they are answered, send what was answered once more, and come back when nobody is there.

    Each seat of each game, and a bystander, is also followed live, over connections that are given up again and again.
    """

    hung_up = repeated = busy = lost = 0
    longest = 0.0
    """Seconds that an answer took."""

    def __init__(self, row: Row, http: httpx.AsyncClient) -> None:
        super().__init__(row, http)  # type: ignore[arg-type]
        self._streams: dict[tuple[str, int | str], asyncio.Task[Stream]] = {}
        """By game and perspective."""

    async def send(self, method: str, path: str, body: Any = None, *, token: str = "", key: str = "") -> httpx.Response:
        while True:
            if key and self.dice.random() < 0.1:
                await self._hang_up(method, path, body, token, key)
            began = monotonic()
            response = await super().send(method, path, body, token=token, key=key)
            self.longest = max(self.longest, monotonic() - began)
            if response.status_code == 502:  # a balancer has lost the process that it had asked
                self.lost += 1
                continue
            if response.status_code != 503:
                break
            assert int(response.headers["Retry-After"]) > 0
            self.busy += 1
            await asyncio.sleep(0.05)
        if key and response.is_success and self.dice.random() < 0.05:
            await self._repeat(response, method, path, body, token, key)
        return response

    async def _hang_up(self, method: str, path: str, body: Any, token: str, key: str) -> None:
        asking = asyncio.create_task(super().send(method, path, body, token=token, key=key))
        await asyncio.wait([asking], timeout=self.dice.random() / 50)
        asking.cancel()
        await asyncio.wait([asking])
        self.hung_up += 1

    async def _repeat(self, first: httpx.Response, method: str, path: str, body: Any, token: str, key: str) -> None:
        again = await super().send(method, path, body, token=token, key=key)
        self.repeated += 1
        if again.status_code not in (502, 503):
            assert again.headers["Idempotency-Replayed"] == "true"
            assert again.json().get("events") == first.json().get("events")

    async def table(self, ruleset: str, players: list[Json], **terms: Any) -> str:
        game = await super().table(ruleset, players, **terms)
        for perspective, token in (*enumerate(player["token"] for player in players), ("bystander", "")):
            self._streams[game, perspective] = asyncio.create_task(self._listen(game, token))
        return game

    async def _listen(self, game: str, token: str) -> Stream:
        # With a pool of connections of its own: what a request costs grows with their number.
        async with httpx.AsyncClient(timeout=30, verify=False) as http:
            return await self._follow(http, game, token)

    async def _follow(self, http: httpx.AsyncClient, game: str, token: str) -> Stream:
        """Until nothing more will come. Who comes back says what he has received last, to whichever process."""
        received: list[bytes] = []
        times = broken = 0
        headers = {**SSE, "Last-Event-ID": "0"} | ({"Authorization": f"Bearer {token}"} if token else {})
        while True:
            times += 1
            try:
                async with (
                    http.stream("GET", f"{self._house.url}{game}/events", headers=headers) as answer,
                    asyncio.timeout(self.dice.random() * GAMES / 10),
                ):
                    if answer.status_code == 204:
                        return Stream(received, times, broken)
                    if answer.status_code in (502, 503):
                        await asyncio.sleep(0.05)
                        continue
                    assert answer.status_code == 200, answer.status_code
                    async for message in Listener(answer):
                        received.append(message.data)
                        headers["Last-Event-ID"] = message.id.decode()
            except TimeoutError:
                pass
            except httpx.TransportError:
                broken += 1

    async def pages(self, game: str, perspective: int | str) -> list[bytes]:
        """All events of a finished game as they were seen, byte for byte."""
        items: list[bytes] = []
        path: str | None = f"{game}/events?as={perspective}&limit=500"
        while path is not None:
            page = await self.send("GET", path)
            items += raw(page)
            path = page.json()["next"]
        return items

    async def streams(self) -> list[Stream]:
        """All that were followed, to their ends: none has had an event twice, or missed one."""
        ended = []
        for (game, perspective), following in self._streams.items():
            ended.append(await following)
            assert ended[-1].received == await self.pages(game, perspective)
        return ended

    async def leave(self) -> None:
        """Nobody follows anything any more."""
        for following in self._streams.values():
            following.cancel()
        await asyncio.gather(*self._streams.values(), return_exceptions=True)

    async def play_in_turn(self, ruleset: str) -> None:
        """A game in which each choice is looked at in one process and made in another."""
        players = await self.players(fewest(ruleset))
        game = await self.table(ruleset, players)
        seen = await self.ask("GET", game)
        while seen["to_act"]:
            seat = self.dice.choice(seen["to_act"])
            shown = await self.ask("GET", game, token=players[seat]["token"])
            assert (shown["version"], shown["head"]) == (seen["version"], seen["head"])
            chosen = any_of(shown["legal_moves"], self.dice)
            moved = await self.ask("POST", f"{game}/moves", chosen, token=players[seat]["token"], keyed=True)
            self.moves[game].append((seat, moved))
            seen = moved["game"]
        assert seen["status"] == "finished"

    async def play_at_once(self, ruleset: str) -> None:
        """A game in which all seats act as soon as they can, so that processes race for it."""
        players = await self.players(fewest(ruleset))
        await self.play_together(await self.table(ruleset, players), players)


@asynccontextmanager
async def restless(row: Row) -> AsyncIterator[Restless]:
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=64)
    async with httpx.AsyncClient(timeout=30, limits=limits) as http:
        players = Restless(row, http)
        try:
            yield players
        finally:
            await players.leave()


async def account(players: Restless, database: str, row: Row) -> dict[str, float]:
    """Every game is over, whole and proven; every request took effect once; every process tells the same, and every
    stream has told all of it. Figures."""
    streams = await players.streams()
    players.patient = False
    for game in players.moves:
        await verify(players, game)
        told = {(await players.send("GET", f"{game}/record")).content for _ in row.servers}
        assert len(told) == 1
        checks = verification.verify(record.decode(told.pop()))
        assert [check for check in checks if not check.ok] == []
    with psycopg.connect(database) as connection:
        kept = connection.execute("SELECT state FROM stammtisch_events").fetchall()
    assert keys_of(state for (state,) in kept) == Counter(dict.fromkeys(players.answers, 1))
    for _ in row.servers:
        listed: list[Json] = []
        page = await players.ask("GET", "/v1/games?status=finished&limit=100")
        listed += page["items"]
        while page["next"] is not None:
            page = await players.ask("GET", page["next"])
            listed += page["items"]
        assert sorted(game["id"] for game in listed) == sorted(game.rpartition("/")[2] for game in players.moves)
    return {
        "games": len(players.moves),
        "moves": sum(map(len, players.moves.values())),
        "hung up": players.hung_up,
        "repeated": players.repeated,
        "told to come later": players.busy,
        "lost by the balancer": players.lost,
        "longest answer": round(players.longest, 1),
        "streams": len(streams),
        "their connections": sum(stream.times for stream in streams),
        "cut by the server": sum(stream.broken for stream in streams),
        "events received": sum(len(stream.received) for stream in streams),
    }


@pytest.fixture
def tell(record_property: Callable[[str, object], None]) -> Tell:
    """Write down figures, and how long it has taken since."""
    began = monotonic()

    def told(figures: dict[str, float]) -> None:
        for name, figure in (*figures.items(), ("seconds", round(monotonic() - began))):
            record_property(name, figure)

    return told


@pytest.mark.parametrize("with_redis", [False, True], ids=["alone", "redis"])
async def test_two_processes_play_many_games_and_nothing_is_lost_or_doubled(
    tmp_path: Path, migrated_url: str, request: pytest.FixtureRequest, tell: Tell, with_redis: bool
) -> None:
    given = {"redis": request.getfixturevalue("redis_url")} if with_redis else {}
    with row(tmp_path, migrated_url, **given) as processes:
        async with restless(processes) as players, asyncio.timeout(60 + 10 * GAMES):
            async with asyncio.TaskGroup() as tasks:
                for number, ruleset in enumerate(islice(cycle(RULESETS), GAMES)):
                    playing = players.play_at_once if number % 5 == 4 else players.play_in_turn
                    tasks.create_task(playing(ruleset))
            figures = await account(players, migrated_url, processes)
            tell(figures)
            assert players.hung_up > GAMES
            assert players.busy == 0
            assert figures["their connections"] > 2 * figures["streams"]


@pytest.fixture
def own_postgres() -> Iterator[Postgres]:
    with ExitStack() as until_then:
        server = until_then.enter_context(servers.postgres())
        databases.migrate(settings.read({}, database=server.url()))
        yield server


@asynccontextmanager
async def stopped(how: signal.Signals, server: Postgres) -> AsyncIterator[None]:
    await asyncio.to_thread(server.stop, how)
    yield
    await asyncio.to_thread(server.start)


@asynccontextmanager
async def frozen(server: Postgres) -> AsyncIterator[None]:
    with server.frozen():
        yield


OUTAGES = partial(stopped, signal.SIGQUIT), partial(stopped, signal.SIGINT), frozen
"""A crash, an end in order, and a server that keeps its connections and answers nothing."""


async def test_postgresql_is_away_under_load_and_nothing_is_lost_or_doubled(
    tmp_path: Path, own_postgres: Postgres, tell: Tell
) -> None:
    """Now and then. No process of ours is restarted."""
    with row(tmp_path, own_postgres.url()) as processes:
        async with restless(processes) as players, asyncio.timeout(180):
            ending = asyncio.Event()

            async def play_on(ruleset: str) -> None:
                while not ending.is_set():
                    await players.play_in_turn(ruleset)

            async with asyncio.TaskGroup() as tasks:
                for ruleset in SHORT:
                    tasks.create_task(play_on(ruleset))
                for outage in OUTAGES:
                    await until(players, 30)
                    async with outage(own_postgres):
                        await told_that_it_is_away(players)
                    await until(players, 10)
                ending.set()
            tell(await account(players, own_postgres.url(), processes))
            assert players.busy > len(OUTAGES)
            assert players.longest < LONGEST


async def told_that_it_is_away(players: Restless) -> None:
    """Who asks for it is told that the service is alive, but not ready; who plays waits."""
    busy = players.busy
    while players.busy < busy + 2:  # noqa: ASYNC110 - nobody rings a bell
        await asyncio.sleep(0.01)
    assert (await Crowd.send(players, "GET", "/health/live")).status_code == 200
    assert (await Crowd.send(players, "GET", "/health/ready")).status_code == 503
