"""A real process under load is killed or stopped at any moment: every acknowledged move is stored exactly once."""

import asyncio
import json
import os
import signal
import sqlite3
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from itertools import count
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import httpx
import pytest
from msgspec import UNSET

from domain.fairness import chain
from domain.rulesets import RULESETS
from tests.support.clients import Server, any_of, fewest
from tests.support.servers import command, writers

Json = dict[str, Any]

pytestmark = pytest.mark.anyio

KILLS, MANY_KILLS = 4, 20
"""By default, and with `--everything`."""
EXIT_SECONDS = 60
"""Seconds within which the writer process must exit. It takes milliseconds on an idle machine."""
SHORT = {"skyjo": {"target_points": 1}, "skyjo_action": {"target_points": 1}}
"""Options for short games."""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class RestartableService:
    """A database, and the process that currently serves it."""

    def __init__(self, database: Path, **given: Any) -> None:
        self.database = database
        self._given = {"rate_limit": "off", "access_log": False, **given}
        self.server = Server(database, **self._given)

    def restart(self) -> None:
        self.server = Server(self.database, **self._given)

    @property
    def url(self) -> str:
        return self.server.url


@contextmanager
def running_service(tmp_path: Path, **given: Any) -> Iterator[RestartableService]:
    service = RestartableService(tmp_path / "games.db", **given)
    try:
        yield service
    finally:
        service.server.stop()  # a killed supervisor leaves its workers behind


class Crowd:
    """Players who repeat every request, with a key, until it is answered. Stores the answers."""

    def __init__(self, service: RestartableService, http: httpx.AsyncClient, *, keep_alive: bool = True) -> None:
        self._house = service
        self._http = http
        self._headers = {} if keep_alive else {"Connection": "close"}
        self._keys = count()
        self.dice = Random(1)
        self.answers: dict[str, Json] = {}
        self.moves: dict[str, list[tuple[int, Json]]] = {}
        """For each game: the seat and the answer of every move."""
        self.taken_back: defaultdict[str, list[int]] = defaultdict(list)
        """For each game: the last versions of the moves that were taken back."""
        self.replays = 0
        self.retrying = True
        self._news: defaultdict[str, asyncio.Event] = defaultdict(asyncio.Event)
        """For each game: set when the next move is answered, and when one of its players ends."""

    async def send(self, method: str, path: str, body: Any = None, *, token: str = "", key: str = "") -> httpx.Response:
        """Send the request until it is answered."""
        headers = {**self._headers, **({"Idempotency-Key": key} if key else {})}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        while True:
            try:
                return await self._http.request(method, self._house.url + path, json=body, headers=headers)
            except httpx.TransportError:
                if not self.retrying:
                    raise
                await asyncio.sleep(0.2)

    async def ask(self, method: str, path: str, body: Any = None, *, token: str = "", keyed: bool = False) -> Json:
        key = f"key-{next(self._keys)}" if keyed else ""
        response = await self.send(method, path, body, token=token, key=key)
        assert response.status_code in (200, 201), f"{method} {path} {body}: {response.status_code} {response.text}"
        answer: Json = response.json()
        if keyed:
            self.answers[key] = answer
            self.replays += "Idempotency-Replayed" in response.headers
        return answer

    async def players(self, number: int) -> list[Json]:
        return [await self.ask("POST", "/v1/players", {"name": f"Player {n}"}) for n in range(number)]

    async def table(self, ruleset: str, players: list[Json], **terms: Any) -> str:
        terms = {"seats": len(players), "options": SHORT.get(ruleset, {}), **terms}
        opened = await self.ask("POST", f"/v1/games/{ruleset}", terms, token=players[0]["token"], keyed=True)
        path: str = opened["links"]["self"]
        for player in players[1:]:
            await self.ask("POST", f"{path}/seats", {}, token=player["token"], keyed=True)
        self.moves[path] = []
        return path

    async def play(self, game: str, player: Json) -> None:
        """Play one seat to the end of the game."""
        try:
            while (seen := await self.turn(game, player["token"])) is not None:
                chosen = any_of(seen["legal_moves"], self.dice)
                moved = await self.ask("POST", f"{game}/moves", chosen, token=player["token"], keyed=True)
                self.moves[game].append((seen["you"], moved))
                self._tell(game)
        finally:
            self._tell(game)

    async def turn(self, game: str, token: str) -> Json | None:
        """The game when the player can move; None when it is over."""
        while True:
            news = self._news[game]
            seen = await self.ask("GET", game, token=token)
            if seen["status"] != "running":
                return None
            if seen["legal_moves"]:
                return seen
            await news.wait()

    def _tell(self, game: str) -> None:
        """Wake the players that wait for the next move of the game."""
        if news := self._news.pop(game, None):
            news.set()

    async def play_on(self, ruleset: str, ending: asyncio.Event) -> None:
        """Play game after game, each to its end, until `ending` is set."""
        players = await self.players(fewest(ruleset))
        while not ending.is_set():
            game = await self.table(ruleset, players)
            await self.play_together(game, players)

    async def play_together(self, game: str, players: list[Json]) -> None:
        """Play all seats to the end. If one fails, the others still complete their requests."""
        ended = await asyncio.gather(*(self.play(game, player) for player in players), return_exceptions=True)
        for error in ended:  # an exception that is not retrieved would be attributed to a later test
            if error is not None:
                raise error

    async def events(self, game: str, viewer: str | int) -> list[Json]:
        """All events of a finished game from a perspective."""
        items: list[Json] = []
        page = await self.ask("GET", f"{game}/events?as={viewer}&limit=500")
        while page["next"] is not None:
            items += page["items"]
            page = await self.ask("GET", page["next"])
        return items + page["items"]


@asynccontextmanager
async def crowd(service: RestartableService, kind: type[Crowd] = Crowd, **how: Any) -> AsyncIterator[Any]:
    # No limit: a killed server leaves dead connections in the pool, and the test has many clients.
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=64)
    async with httpx.AsyncClient(timeout=60, limits=limits) as http:
        yield kind(service, http, **how)


def keys_in(database: Path) -> Counter[str]:
    """How often each idempotency key occurs in the log."""
    with closing(sqlite3.connect(database)) as connection:
        return keys_of(state for (state,) in connection.execute("SELECT state FROM stored_events"))


def keys_of(states: Iterable[bytes]) -> Counter[str]:
    """How often each idempotency key occurs in these rows of a log."""
    commands = [json.loads(state).get("command") for state in states]
    return Counter(command["key"] for command in commands if command)


async def verify(crowd: Crowd, game: str) -> None:
    """Check a finished game: complete events, right hashes, and every move at its acknowledged version."""
    full, public = await crowd.events(game, "all"), await crowd.events(game, "bystander")
    assert [item["version"] for item in full] == list(range(1, len(full) + 1))
    head, secret = chain.root(game.rpartition("/")[2]), bytes.fromhex(full[-1]["event"]["secret"])
    for item, shown in zip(full, public, strict=True):
        assert {**item, "event": 0, "move": 0} == {**shown, "event": 0, "move": 0}
        place, more, acting = (item["version"], item["at"], item["by"]), item["more"], item.get("acting", UNSET)
        assert "move" not in shown
        assert (acting is UNSET) == bool(more)
        entries = [
            chain.entry(*place, shown["event"], more, acting),
            chain.entry(*place, item["event"], more, acting, item.get("move", UNSET)),
        ]
        made = chain.link(head, secret, item["version"], *entries)
        assert [made.public.hex(), made.secret.hex(), made.head.hex()] == [item["public"], item["secret"], item["head"]]
        head = made.head
    seen: dict[int, list[Json]] = {}
    for seat, moved in crowd.moves[game]:
        if seat not in seen:
            seen[seat] = await crowd.events(game, seat)
        first, last = moved["events"][0]["version"], moved["version"]
        assert moved["events"] == seen[seat][first - 1 : last]
        assert moved["head"] == moved["events"][-1]["head"]
        assert [("move" in item, item["by"]) for item in moved["events"][:1]] == [(True, seat)]
    backs = {item["version"]: item["event"]["to"] for item in full if item["event"]["type"] == "taken_back"}
    assert len(backs) == len(crowd.taken_back[game])
    for version in crowd.taken_back[game]:
        assert any(to < version < back for back, to in backs.items())
    # Every request was answered in the end, so the events of the requests are exactly those after the beginning.
    made = [item["version"] for _, moved in crowd.moves[game] for item in moved["events"]]
    versions = sorted([*made, *backs])
    begun = sorted(moved["events"][0]["version"] for _, moved in crowd.moves[game])
    # A branch also has the moves of its parent, before its own.
    assert [item["version"] for item in full[versions[0] - 1 :] if "move" in item] == begun
    assert versions == list(range(versions[0], len(full) + 1))
    assert {item["event"]["type"] for item in full[: versions[0] - 1]} >= {"opened", "joined", "begun"}


async def wait_for_answers(crowd: Crowd, answers: int) -> None:
    """Wait until this number of further requests is answered."""
    upto = len(crowd.answers) + answers
    while len(crowd.answers) < upto:  # noqa: ASYNC110 - there is no event to wait for
        await asyncio.sleep(0.005)


@pytest.mark.by_default()  # `campaigns/chaos` kills it, too
async def test_no_acknowledged_request_is_lost_or_doubled_when_the_process_is_killed(
    tmp_path: Path, everything: bool
) -> None:
    kills = MANY_KILLS if everything else KILLS
    with running_service(tmp_path) as service:
        async with crowd(service) as players, asyncio.timeout(1200), asyncio.TaskGroup() as tasks:
            ending, dice = asyncio.Event(), Random(2)
            for _ in range(2):
                for ruleset in RULESETS:
                    tasks.create_task(players.play_on(ruleset, ending))
            for _ in range(kills):
                await wait_for_answers(players, dice.randrange(20, 60))
                await asyncio.sleep(dice.random() / 50)
                service.server.process.kill()
                service.server.process.wait()
                await asyncio.to_thread(service.restart)
            ending.set()
        async with crowd(service) as after:
            after.moves = players.moves
            for game in players.moves:
                await verify(after, game)
        assert len(players.moves) >= 2 * len(RULESETS)
        assert len(players.answers) > 20 * kills
        assert keys_in(service.database) == dict.fromkeys(players.answers, 1)
        service.server.stop()
        assert "Traceback" not in service.server.errors


async def test_games_continue_after_a_restart(tmp_path: Path) -> None:
    with running_service(tmp_path) as service:
        async with crowd(service) as players:
            tables = {}
            for ruleset in RULESETS:
                seated = await players.players(fewest(ruleset))
                tables[await players.table(ruleset, seated)] = seated

            async def read_all() -> list[Json]:
                return [
                    await players.ask("GET", path, token=player["token"])
                    for game, seated in tables.items()
                    for path in (game, f"{game}/events", "/v1/players/me")
                    for player in seated
                ]

            before = await read_all()
            service.server.stop()
            service.restart()
            assert await read_all() == before
            await asyncio.gather(*(players.play_together(game, seated) for game, seated in tables.items()))
            for game in tables:
                await verify(players, game)
            finished = await players.ask("GET", "/v1/games?status=finished")
            assert {game["id"] for game in finished["items"]} == {game.rpartition("/")[2] for game in tables}


@pytest.mark.by_default(f"[{signal.SIGTERM!r}]", "SIGTERM", "15")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
async def test_accepted_requests_are_answered_before_the_service_stops(tmp_path: Path, how: signal.Signals) -> None:
    """This includes requests that wait for a locked database. The writer process receives the signal as well, because
    service managers send it to all processes of a service."""
    with running_service(tmp_path) as service:
        async with crowd(service) as players:
            ending = asyncio.Event()
            tasks = [asyncio.create_task(players.play_on(next(iter(RULESETS)), ending)) for _ in range(8)]
            await wait_for_answers(players, 100)
            with closing(sqlite3.connect(service.database, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                await asyncio.sleep(0.2)
                answered = len(players.answers)
                players.retrying = False
                for writer in writers(service.server.process.pid):
                    os.kill(writer, how)
                stopping = asyncio.create_task(asyncio.to_thread(service.server.stop, how=how))
                await asyncio.sleep(0.3)
            await stopping
            await asyncio.gather(*tasks, return_exceptions=True)
            assert len(players.answers) > answered
            assert keys_in(service.database) == dict.fromkeys(players.answers, 1)
            assert "cannot commit" not in service.server.errors
            assert service.server.process.returncode in (0, -signal.SIGTERM)
            assert "Traceback" not in service.server.errors
            players.retrying = True
            service.restart()
            for game, moves in players.moves.items():
                if moves:
                    last = max(moved["version"] for _, moved in moves)
                    assert (await players.ask("GET", game))["version"] >= last


@pytest.mark.by_default("9")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
async def test_the_writer_process_ends_with_the_service(tmp_path: Path, how: signal.Signals) -> None:
    """It first commits what it has received. A service that is stopped in order waits for that."""
    with running_service(tmp_path) as service:
        async with crowd(service) as players:
            ending = asyncio.Event()
            tasks = [asyncio.create_task(players.play_on(next(iter(RULESETS)), ending)) for _ in range(8)]
            await wait_for_answers(players, 50)
            (writer,) = writers(service.server.process.pid)
            players.retrying = False
            await asyncio.to_thread(service.server.stop, how=how)
            over, since = how != signal.SIGKILL, monotonic()
            while command(writer):
                assert not over and monotonic() < since + EXIT_SECONDS
                await asyncio.sleep(0.005)
            await asyncio.gather(*tasks, return_exceptions=True)
            kept = keys_in(service.database)
            assert set(kept.values()) == {1}
            assert kept.keys() >= players.answers.keys()
            assert "writer" not in service.server.errors


@pytest.mark.by_default()
async def test_two_workers_serve_the_same_state(tmp_path: Path, everything: bool) -> None:
    """Every request may reach either worker. Each serves what the other has acknowledged, also while all seats of
    several games act concurrently."""
    with running_service(tmp_path, workers=2) as service:
        async with crowd(service, keep_alive=False) as players, asyncio.timeout(300):
            ruleset = next(iter(RULESETS))
            seated = await players.players(fewest(ruleset))
            game = await players.table(ruleset, seated)
            while (seen := await players.ask("GET", game, token=seated[0]["token"]))["status"] == "running":
                mover = seated[players.dice.choice(seen["to_act"])]
                legal = (await players.ask("GET", f"{game}/moves", token=mover["token"]))["legal_moves"]
                chosen = any_of(legal, players.dice)
                moved = await players.ask("POST", f"{game}/moves", chosen, token=mover["token"], keyed=True)
                players.moves[game].append((seated.index(mover), moved))
                for _ in range(3):
                    now = await players.ask("GET", game, token=mover["token"])
                    assert (now["version"], now["head"]) == (moved["version"], moved["head"])
            for ruleset in RULESETS if everything else [*RULESETS][2:3]:
                seated = await players.players(fewest(ruleset))
                await players.play_together(await players.table(ruleset, seated), seated)
            for game in players.moves:
                await verify(players, game)
            served = {made async for made in metrics(players, "stammtisch_moves_total", 30)}
            assert len(served) == 2, "both workers have made moves"
            assert sum(served) == sum(map(len, players.moves.values()))
            assert keys_in(service.database) == dict.fromkeys(players.answers, 1)
            service.server.stop()
            assert service.server.process.returncode in (0, -signal.SIGTERM)
            players.retrying = False
            with pytest.raises(httpx.ConnectError):
                await players.send("GET", "/health/live")
        assert "Traceback" not in service.server.errors


async def metrics(players: Crowd, name: str, times: int) -> AsyncIterator[float]:
    """The value of a metric in whichever process answers, `times` times."""
    for _ in range(times):
        text = (await players.send("GET", "/metrics")).text
        yield next(float(line.split()[1]) for line in text.splitlines() if line.startswith(f"{name} "))
