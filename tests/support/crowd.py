"""Load on real processes: clients who repeat every request, with a key, until it is answered, and what they check."""

import asyncio
import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, closing, contextmanager
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, Protocol

import httpx
from msgspec import UNSET

from domain.fairness import chain
from service.server.problems import MEDIA_TYPE
from tests.support.clients import Json, Server, any_of, fewest

SHORT = {"skyjo": {"target_points": 1}, "skyjo_action": {"target_points": 1}}
"""Options for short games."""


class Served(Protocol):
    """Where the next request goes."""

    @property
    def url(self) -> str: ...


class Cluster:
    """Equal processes on one database. Each request goes to the next one."""

    def __init__(self, servers: list[Server]) -> None:
        self.servers = servers
        self._numbers = count()

    @property
    def url(self) -> str:
        return self.servers[next(self._numbers) % len(self.servers)].url


@contextmanager
def cluster(
    folder: Path, database: Path | str, processes: int = 2, clocks: Sequence[Path | None] = (), **given: Any
) -> Iterator[Cluster]:
    """`clocks`: the files with the offsets of their wall clocks (`tests.campaigns.chaos.clock`)."""
    options = {"rate_limit": "off", "access_log": False, "secret": "x" * 32, **given}
    started: list[Server] = []
    with ExitStack() as stack:
        for number, clock in enumerate(clocks or [None] * processes):
            started.append(Server(database, output=folder / f"server-{number}", clock=clock, **options))
            stack.callback(started[-1].process.wait)
            stack.callback(started[-1].process.kill)
        yield Cluster(started)
        for server in started:
            server.stop()
            assert "Traceback" not in server.errors, server.errors


class Crowd:
    """Players who repeat every request, with a key, until it is answered. Stores the answers."""

    def __init__(self, service: Served, http: httpx.AsyncClient, *, keep_alive: bool = True) -> None:
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
        self.replays = self.busy = 0
        """Answers of an earlier request with the same key, and answers 503."""
        self.retrying = True
        self.pause = 0.0
        """Seconds after each move, where a test waits for something else than moves."""
        self._news: defaultdict[str, asyncio.Event] = defaultdict(asyncio.Event)
        """For each game: set when the next move is answered, and when one of its players ends."""

    async def send(self, method: str, path: str, body: Any = None, *, token: str = "", key: str = "") -> httpx.Response:
        """Send the request until it is answered."""
        headers = {**self._headers, **({"Idempotency-Key": key} if key else {})}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        while True:
            try:
                response = await self._http.request(method, self._house.url + path, json=body, headers=headers)
            except httpx.TransportError:
                if not self.retrying:
                    raise
                await asyncio.sleep(0.2)
                continue
            if response.status_code != 503 or response.headers["Content-Type"] != MEDIA_TYPE or not self.retrying:
                return response
            assert int(response.headers["Retry-After"]) > 0, response.text
            self.busy += 1
            await asyncio.sleep(0.05)

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
                await asyncio.sleep(self.pause)
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
async def crowd(service: Served, kind: type[Crowd] = Crowd, **how: Any) -> AsyncIterator[Any]:
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


async def metrics(players: Crowd, name: str, times: int) -> AsyncIterator[float]:
    """The value of a metric in whichever process answers, `times` times."""
    for _ in range(times):
        text = (await players.send("GET", "/metrics")).text
        yield next(float(line.split()[1]) for line in text.splitlines() if line.startswith(f"{name} "))
