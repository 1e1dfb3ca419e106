"""The real process under load, killed or stopped at any moment: what was acknowledged stands, and stands once."""

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

from domain.fairness import chain
from domain.rulesets import RULESETS
from tests.support.clients import Server, any_of, fewest
from tests.support.servers import command, writers

Json = dict[str, Any]

pytestmark = pytest.mark.anyio

KILLS, MANY_KILLS = 6, 20
"""By default, and with `--everything`."""
MOMENT = 5
"""Seconds; it takes milliseconds, but machines of tests are busy."""
SHORT = {"skyjo": {"target_points": 1}, "skyjo_action": {"target_points": 1}}
"""Options with which a game is over soon."""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class House:
    """A database, and the process that serves it at the moment."""

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
def opened(tmp_path: Path, **given: Any) -> Iterator[House]:
    house = House(tmp_path / "games.db", **given)
    try:
        yield house
    finally:
        house.server.stop()  # whoever is killed leaves his workers behind


class Crowd:
    """Players who send every request, with a key, until it is answered; and what they were answered."""

    def __init__(self, house: House, http: httpx.AsyncClient, *, keep_alive: bool = True) -> None:
        self._house = house
        self._http = http
        self._headers = {} if keep_alive else {"Connection": "close"}
        self._keys = count()
        self.dice = Random(1)
        self.answers: dict[str, Json] = {}
        self.moves: dict[str, list[tuple[int, Json]]] = {}
        """Of each game: who has moved, and what he was answered."""
        self.replays = 0
        self.patient = True
        self._news: defaultdict[str, asyncio.Event] = defaultdict(asyncio.Event)
        """Of each game: set when the next move in it is answered, and when one of its players goes."""

    async def send(self, method: str, path: str, body: Any = None, *, token: str = "", key: str = "") -> httpx.Response:
        """The answer, however often it takes to get one."""
        headers = {**self._headers, **({"Idempotency-Key": key} if key else {})}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        while True:
            try:
                return await self._http.request(method, self._house.url + path, json=body, headers=headers)
            except httpx.TransportError:
                if not self.patient:
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
        """One player's part of a game, to its end."""
        try:
            while True:
                news = self._news[game]
                seen = await self.ask("GET", game, token=player["token"])
                if seen["status"] != "running":
                    return
                if not seen["legal_moves"]:
                    await news.wait()
                    continue
                chosen = any_of(seen["legal_moves"], self.dice)
                moved = await self.ask("POST", f"{game}/moves", chosen, token=player["token"], keyed=True)
                self.moves[game].append((seen["you"], moved))
                self._tell(game)
        finally:
            self._tell(game)

    def _tell(self, game: str) -> None:
        """Whoever waits for news of it has some."""
        if news := self._news.pop(game, None):
            news.set()

    async def play_on(self, ruleset: str, ending: asyncio.Event) -> None:
        """Game after game; the last one also to its end."""
        players = await self.players(fewest(ruleset))
        while not ending.is_set():
            game = await self.table(ruleset, players)
            await self.play_together(game, players)

    async def play_together(self, game: str, players: list[Json]) -> None:
        """To its end; when one of them fails the others still get their answers."""
        ended = await asyncio.gather(*(self.play(game, player) for player in players), return_exceptions=True)
        for error in ended:  # all are looked at: one that nobody has asked for would be blamed on a later test
            if error is not None:
                raise error

    async def events(self, game: str, viewer: str | int) -> list[Json]:
        """All events of a finished game, as a viewer saw them or (`all`) as they were."""
        items: list[Json] = []
        page = await self.ask("GET", f"{game}/events?as={viewer}&limit=500")
        while page["next"] is not None:
            items += page["items"]
            page = await self.ask("GET", page["next"])
        return items + page["items"]


@asynccontextmanager
async def crowd(house: House, kind: type[Crowd] = Crowd, **how: Any) -> AsyncIterator[Any]:
    # No pool: a server that was killed leaves its connections behind, and the clients of this test are many.
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=64)
    async with httpx.AsyncClient(timeout=20, limits=limits) as http:
        yield kind(house, http, **how)


def keys_in(database: Path) -> Counter[str]:
    """How often each key stands in the log."""
    with closing(sqlite3.connect(database)) as connection:
        return keys_of(state for (state,) in connection.execute("SELECT state FROM stored_events"))


def keys_of(states: Iterable[bytes]) -> Counter[str]:
    """How often each key stands in these rows of a log."""
    commands = [json.loads(state).get("command") for state in states]
    return Counter(command["key"] for command in commands if command)


async def verify(crowd: Crowd, game: str) -> None:
    """A finished game: its log is whole, its hashes are right, and every move stands where it was acknowledged."""
    full, public = await crowd.events(game, "all"), await crowd.events(game, "bystander")
    assert [item["version"] for item in full] == list(range(1, len(full) + 1))
    head, secret = chain.root(game.rpartition("/")[2]), bytes.fromhex(full[-1]["event"]["secret"])
    for item, shown in zip(full, public, strict=True):
        place = item["version"], item["at"], item["by"]
        entries = [chain.entry(*place, event) for event in (shown["event"], item["event"])]
        made = chain.link(head, secret, item["version"], *entries)
        assert [part.hex() for part in made] == [item["public"], item["secret"], item["head"]]
        head = made.head
    seen: dict[int, list[Json]] = {}
    for seat, moved in crowd.moves[game]:
        if seat not in seen:
            seen[seat] = await crowd.events(game, seat)
        first, last = moved["events"][0]["version"], moved["version"]
        assert moved["events"] == seen[seat][first - 1 : last]
        assert moved["head"] == moved["events"][-1]["head"]
    # Every request was answered in the end, so the moves' events are exactly those that follow upon the beginning.
    versions = sorted(item["version"] for _, moved in crowd.moves[game] for item in moved["events"])
    assert versions == list(range(versions[0], len(full) + 1))
    assert {item["event"]["type"] for item in full[: versions[0] - 1]} >= {"opened", "joined", "begun"}


async def until(crowd: Crowd, answers: int) -> None:
    """So many more requests have been answered."""
    upto = len(crowd.answers) + answers
    while len(crowd.answers) < upto:  # noqa: ASYNC110 - the server rings no bell
        await asyncio.sleep(0.005)


async def test_whenever_it_is_killed_nothing_is_lost_and_nothing_happens_twice(
    tmp_path: Path, everything: bool
) -> None:
    kills = MANY_KILLS if everything else KILLS
    with opened(tmp_path) as house:
        async with crowd(house) as players, asyncio.timeout(1200), asyncio.TaskGroup() as tasks:
            ending, dice = asyncio.Event(), Random(2)
            for _ in range(2):
                for ruleset in RULESETS:
                    tasks.create_task(players.play_on(ruleset, ending))
            for _ in range(kills):
                await until(players, dice.randrange(20, 60))
                await asyncio.sleep(dice.random() / 50)
                house.server.process.kill()
                house.server.process.wait()
                await asyncio.to_thread(house.restart)
            ending.set()
        async with crowd(house) as after:
            after.moves = players.moves
            for game in players.moves:
                await verify(after, game)
        assert len(players.moves) >= 2 * len(RULESETS)
        assert len(players.answers) > 20 * kills
        assert keys_in(house.database) == dict.fromkeys(players.answers, 1)
        house.server.stop()
        assert "Traceback" not in house.server.errors


async def test_games_that_were_begun_before_a_restart_are_finished_after_it(tmp_path: Path) -> None:
    with opened(tmp_path) as house:
        async with crowd(house) as players:
            tables = {}
            for ruleset in RULESETS:
                seated = await players.players(fewest(ruleset))
                tables[await players.table(ruleset, seated)] = seated

            async def looks() -> list[Json]:
                return [
                    await players.ask("GET", path, token=player["token"])
                    for game, seated in tables.items()
                    for path in (game, f"{game}/events", "/v1/players/me")
                    for player in seated
                ]

            before = await looks()
            assert house.server.stop() < 5
            house.restart()
            assert await looks() == before
            await asyncio.gather(*(players.play_together(game, seated) for game, seated in tables.items()))
            for game in tables:
                await verify(players, game)
            finished = await players.ask("GET", "/v1/games?status=finished")
            assert {game["id"] for game in finished["items"]} == {game.rpartition("/")[2] for game in tables}


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
async def test_told_to_stop_it_answers_what_it_has_accepted(tmp_path: Path, how: signal.Signals) -> None:
    """Nobody gets no answer to what was recorded, also to what waits for a locked database at that moment. Whoever
    stops it may tell the process that writes as well, as others tell all that belong to a service."""
    with opened(tmp_path) as house:
        async with crowd(house) as players:
            ending = asyncio.Event()
            tasks = [asyncio.create_task(players.play_on(next(iter(RULESETS)), ending)) for _ in range(8)]
            await until(players, 100)
            with closing(sqlite3.connect(house.database, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                await asyncio.sleep(0.2)
                answered = len(players.answers)
                players.patient = False
                for writer in writers(house.server.process.pid):
                    os.kill(writer, how)
                stopping = asyncio.create_task(asyncio.to_thread(house.server.stop, how=how))
                await asyncio.sleep(0.3)
            seconds = await stopping
            await asyncio.gather(*tasks, return_exceptions=True)
            assert len(players.answers) - answered >= 8
            assert seconds < 5
            assert keys_in(house.database) == dict.fromkeys(players.answers, 1)
            assert "cannot commit" not in house.server.errors
            assert house.server.process.returncode in (0, -signal.SIGTERM)
            assert "Traceback" not in house.server.errors
            players.patient = True
            house.restart()
            for game, moves in players.moves.items():
                if moves:
                    last = max(moved["version"] for _, moved in moves)
                    assert (await players.ask("GET", game))["version"] >= last


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
async def test_however_it_ends_the_process_that_writes_for_it_ends_too(tmp_path: Path, how: signal.Signals) -> None:
    """It commits what has come to it before; told to stop, the service waits for that."""
    with opened(tmp_path) as house:
        async with crowd(house) as players:
            ending = asyncio.Event()
            tasks = [asyncio.create_task(players.play_on(next(iter(RULESETS)), ending)) for _ in range(8)]
            await until(players, 50)
            (writer,) = writers(house.server.process.pid)
            players.patient = False
            await asyncio.to_thread(house.server.stop, how=how)
            over, since = how != signal.SIGKILL, monotonic()
            while command(writer):
                assert not over and monotonic() < since + MOMENT
                await asyncio.sleep(0.005)
            await asyncio.gather(*tasks, return_exceptions=True)
            kept = keys_in(house.database)
            assert set(kept.values()) == {1}
            assert kept.keys() >= players.answers.keys()
            assert "writer" not in house.server.errors


async def test_two_processes_serve_games_as_one_would(tmp_path: Path, everything: bool) -> None:
    """Every request comes to either process; whatever one of them has acknowledged, the other one knows. So also where
    all seats of several games play at once."""
    with opened(tmp_path, workers=2) as house:
        async with crowd(house, keep_alive=False) as players, asyncio.timeout(300):
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
            for ruleset in RULESETS if everything else [*RULESETS][1:3]:
                seated = await players.players(fewest(ruleset))
                await players.play_together(await players.table(ruleset, seated), seated)
            for game in players.moves:
                await verify(players, game)
            served = {made async for made in metrics(players, "stammtisch_moves_total", 30)}
            assert len(served) == 2, "both processes have made moves"
            assert sum(served) == sum(map(len, players.moves.values()))
            assert keys_in(house.database) == dict.fromkeys(players.answers, 1)
            assert house.server.stop() < 5
            assert house.server.process.returncode in (0, -signal.SIGTERM)
            players.patient = False
            with pytest.raises(httpx.ConnectError):
                await players.send("GET", "/health/live")
        assert "Traceback" not in house.server.errors


async def metrics(players: Crowd, name: str, times: int) -> AsyncIterator[float]:
    """What the processes have counted that happen to answer."""
    for _ in range(times):
        text = (await players.send("GET", "/metrics")).text
        yield next(float(line.split()[1]) for line in text.splitlines() if line.startswith(f"{name} "))
