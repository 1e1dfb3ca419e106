"""Several real processes on one database: every request may go to any process.

The tests use PostgreSQL with and without Redis, and an SQLite file that several workers share. TEST_GAMES is the number
of concurrent games, TEST_PROCESSES that of processes on PostgreSQL. In addition, one player plays all seats of a game
without naming a seat, and continues it in a branch. By default each place plays a part of the rulesets;
`--everything` plays every ruleset in each.
"""

import asyncio
import os
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import cycle, islice
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import psycopg
import pytest

from domain.fairness import record, verification
from domain.rulesets import RULESETS
from tests.service.api.test_events import raw
from tests.support.clients import Json, any_of, fewest
from tests.support.crowd import Cluster, Crowd, cluster, keys_in, keys_of, verify
from tests.support.listening import SSE, Listener

pytestmark = pytest.mark.anyio

GAMES = int(os.environ.get("TEST_GAMES", "4"))
PROCESSES = int(os.environ.get("TEST_PROCESSES", "2"))


class Stream(NamedTuple):
    """The events that a live stream received. `times` counts its connections, `broken` those that the server cut."""

    received: list[bytes]
    times: int
    broken: int


class UnreliablePlayers(Crowd):
    """Players who cancel requests, repeat answered ones, and retry when the service is unavailable.

    Each seat of each game, and a bystander, also has a live stream, whose connection is dropped repeatedly.
    """

    hung_up = lost = 0
    alone = 0
    """Moves of a player with several seats that name no seat."""

    def __init__(self, cluster: Cluster, http: httpx.AsyncClient, **how: Any) -> None:
        super().__init__(cluster, http, **how)
        self.invites: dict[str, str] = {}
        """The invites of private games, for requests without a token."""
        self._streams: dict[tuple[str, int | str], asyncio.Task[Stream]] = {}
        """By game and perspective."""

    def _invited(self, path: str, token: str) -> str:
        """The path, with the invite if the game is private and the request needs it."""
        game, _, query = path.partition("?")
        invite = self.invites.get("/".join(game.split("/")[:5]))
        if invite is None or (token and not game.endswith("/seats")):
            return path
        return f"{game}?{query}&invite={invite}" if query else f"{game}?invite={invite}"

    async def send(self, method: str, path: str, body: Any = None, *, token: str = "", key: str = "") -> httpx.Response:
        path = self._invited(path, token)
        while True:
            if key and self.dice.random() < 0.1:
                await self._hang_up(method, path, body, token, key)
            response = await super().send(method, path, body, token=token, key=key)
            if response.status_code not in (502, 503):
                break
            self.lost += 1  # the load balancer lost the process that had the request, or found none that is ready
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
        if again.status_code not in (502, 503):
            assert again.headers["Idempotency-Replayed"] == "true"
            assert again.json().get("events") == first.json().get("events")

    async def table(self, ruleset: str, players: list[Json], **terms: Any) -> str:
        """Open a game and follow all its streams. The stream of a hotseat game is that of seat 0."""
        game = await super().table(ruleset, players, **terms)
        self._follow_all(game, players)
        return game

    async def ask(self, method: str, path: str, body: Any = None, *, token: str = "", keyed: bool = False) -> Json:
        answer = await super().ask(method, path, body, token=token, keyed=keyed)
        if "invite" in answer:
            self.invites[answer["links"]["self"]] = answer["invite"]
        return answer

    def _follow_all(self, game: str, players: list[Json]) -> None:
        for perspective, token in (*enumerate(player["token"] for player in players), ("bystander", "")):
            self._streams[game, perspective] = asyncio.create_task(self._listen(game, token))

    async def _listen(self, game: str, token: str) -> Stream:
        # A separate connection pool: the cost of a request grows with the size of the pool.
        async with httpx.AsyncClient(timeout=60, verify=False) as http:
            return await self._follow(http, game, token)

    async def _follow(self, http: httpx.AsyncClient, game: str, token: str) -> Stream:
        """Read the stream to its end. Reconnects to any process with `Last-Event-ID`."""
        received: list[bytes] = []
        times = broken = 0
        path = self._invited(f"{game}/events", token)
        headers = {**SSE, "Last-Event-ID": "0"} | ({"Authorization": f"Bearer {token}"} if token else {})
        while True:
            times += 1
            try:
                async with (
                    http.stream("GET", self._house.url + path, headers=headers) as answer,
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
        """The bytes of all events of a finished game from a perspective."""
        items: list[bytes] = []
        path: str | None = f"{game}/events?as={perspective}&limit=500"
        while path is not None:
            page = await self.send("GET", path)
            items += raw(page)
            path = page.json()["next"]
        return items

    async def streams(self) -> list[Stream]:
        """Wait for the ends of all streams. Checks that none has missed or repeated an event."""
        ended = []
        for (game, perspective), following in self._streams.items():
            ended.append(await following)
            assert ended[-1].received == await self.pages(game, perspective)
        return ended

    async def leave(self) -> None:
        """Cancel all streams."""
        for following in self._streams.values():
            following.cancel()
        await asyncio.gather(*self._streams.values(), return_exceptions=True)

    async def play_in_turn(self, ruleset: str, **terms: Any) -> None:
        """Play a game in which each choice is read from one process and made in another."""
        players = await self.players(fewest(ruleset))
        game = await self.table(ruleset, players, **terms)
        seen = await self.ask("GET", game)
        while seen["to_act"]:
            seat = self.dice.choice(seen["to_act"])
            shown = await self.ask("GET", game, token=players[seat]["token"])
            assert (shown["version"], shown["head"], shown["you"]) == (seen["version"], seen["head"], seat)
            chosen = any_of(shown["legal_moves"], self.dice)
            moved = await self.ask("POST", f"{game}/moves", chosen, token=players[seat]["token"], keyed=True)
            self.moves[game].append((seat, moved))
            seen = moved["game"]
            if seen["undo"] is not None and self.dice.random() < 0.3:
                self.taken_back[game].append(seen["undo"])
                path = f"{game}/moves/{seen['undo']}"
                seen = await self.ask("DELETE", path, token=players[seat]["token"], keyed=True)
        assert seen["status"] == "finished"

    async def play_alone(self, ruleset: str, *, private: bool) -> None:
        """Play a hotseat game without naming a seat, then a branch of it."""
        (player,) = await self.players(1)
        game = await self.table(ruleset, [player], seats=fewest(ruleset), hotseat=True, private=private)
        await self.play_all_seats(game, player, await self.ask("GET", game, token=player["token"]))
        _, moved = self.dice.choice(self.moves[game][:-1])
        at = {"at": moved["version"]}
        seen = await self.ask("POST", f"{game}/branches", at, token=player["token"], keyed=True)
        branch = seen["links"]["self"]
        assert seen["private"] == private
        self.moves[branch] = []
        self._follow_all(branch, [player])
        await self.play_all_seats(branch, player, seen)

    async def play_all_seats(self, game: str, player: Json, seen: Json) -> None:
        """Play all seats to the end. A move that names no seat is made for the seat that was `you` in the previous
        answer, whichever process sent it: the game, the legal moves, or the result of a move."""
        while seen["to_act"]:
            assert seen["you"] in seen["to_act"]
            assert seen["hotseat"]
            query = self.dice.choice(("", "", "?as=all"))
            if self.dice.random() < 0.3:
                listed = await self.ask("GET", f"{game}/moves", token=player["token"])
                names = "version", "decision", "legal_moves"
                assert [listed["seat"], *(listed[name] for name in names)] == [
                    seen["you"], *(seen[name] for name in names)
                ]  # fmt: skip
            chosen = any_of(seen["legal_moves"], self.dice)
            moved = await self.ask("POST", f"{game}/moves{query}", chosen, token=player["token"], keyed=True)
            assert moved["events"][0]["by"] == seen["you"]
            self.alone += 1
            self.moves[game].append((seen["you"], moved))
            seen = moved["game"]
            if self.dice.random() < 0.5:
                again = await self.ask("GET", game + self.dice.choice(("", query)), token=player["token"])
                names = "version", "head", "you", "decision", "legal_moves"
                assert [again[name] for name in names] == [seen[name] for name in names]
                seen = again
        assert seen["status"] == "finished"

    async def play_at_once(self, ruleset: str) -> None:
        """Play a game in which all seats act as soon as they can and take back moves, so that processes conflict. Then
        all players ask for a rematch at once."""
        players = await self.players(fewest(ruleset))
        game = await self.table(ruleset, players)
        async with asyncio.TaskGroup() as tasks:
            for player in players:
                tasks.create_task(self._play_and_take_back(game, player["token"]))
        asked = (self.ask("POST", f"{game}/rematch", {}, token=player["token"], keyed=True) for player in players)
        (again,) = {answer["links"]["self"] for answer in await asyncio.gather(*asked)}
        for _ in range(4):
            begun = await self.ask("GET", f"{game}/rematch")
            assert (begun["links"]["self"], begun["status"]) == (again, "running")
        happened = [item["event"]["type"] for item in (await self.ask("GET", f"{again}/events?limit=500"))["items"]]
        assert [happened.count(tag) for tag in ("opened", "joined", "begun")] == [1, len(players), 1]

    async def _play_and_take_back(self, game: str, token: str) -> None:
        """Play one seat to the end. What another player did meanwhile makes a move illegal, or final."""
        while (seen := await self.turn(game, token)) is not None:
            chosen = any_of(seen["legal_moves"], self.dice)
            moved = await self._attempt("POST", f"{game}/moves", chosen, token, ("illegal-move",))
            if moved is None:
                continue
            self.moves[game].append((seen["you"], moved))
            undo = moved["game"]["undo"]
            if undo is not None and self.dice.random() < 0.5:
                await asyncio.sleep(self.dice.random() / 50)
                refusals = "not-undoable", "not-running"
                back = await self._attempt("DELETE", f"{game}/moves/{undo}", None, token, refusals)
                if back is not None:
                    self.taken_back[game].append(undo)

    async def _attempt(self, method: str, path: str, body: Any, token: str, refusals: tuple[str, ...]) -> Json | None:
        """The answer; None if the request was refused for one of these reasons."""
        key = f"key-{next(self._keys)}"
        response = await Crowd.send(self, method, path, body, token=token, key=key)
        if response.status_code == 409:
            assert response.json()["type"] in refusals, response.text
            return None
        assert response.status_code == 200, response.text
        answer: Json = response.json()
        self.answers[key] = answer
        self._tell(path.rpartition("/moves")[0])
        return answer


@asynccontextmanager
async def unreliable_players(cluster: Cluster, **how: Any) -> AsyncIterator[UnreliablePlayers]:
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=64)
    async with httpx.AsyncClient(timeout=60, limits=limits) as http:
        players = UnreliablePlayers(cluster, http, **how)
        try:
            yield players
        finally:
            await players.leave()


async def check_everything(players: UnreliablePlayers, database: Path | str, cluster: Cluster) -> list[Stream]:
    """Check that every game is over and verifies, every request took effect once, all processes serve the same data,
    and every stream is complete. Returns the streams."""
    streams = await players.streams()
    players.retrying = False
    for game in players.moves:
        await verify(players, game)
        records = {(await players.send("GET", f"{game}/record")).content for _ in range(2 + len(cluster.servers))}
        assert len(records) == 1
        checks = verification.verify(record.decode(records.pop()))
        assert [check for check in checks if not check.ok] == []
    if isinstance(database, Path):
        kept = keys_in(database)
    else:
        with psycopg.connect(database) as connection:
            kept = keys_of(state for (state,) in connection.execute("SELECT state FROM stammtisch_events"))
    assert kept == Counter(dict.fromkeys(players.answers, 1))
    public = [game for game in players.moves if game not in players.invites]
    for _ in cluster.servers:
        listed: list[Json] = []
        page = await players.ask("GET", "/v1/games?status=finished&limit=100")
        listed += page["items"]
        while page["next"] is not None:
            page = await players.ask("GET", page["next"])
            listed += page["items"]
        assert sorted(game["id"] for game in listed) == sorted(game.rpartition("/")[2] for game in public)
    return streams


async def check_names(players: UnreliablePlayers, cluster: Cluster) -> None:
    """Check that within a second every process shows a new name, and no name of a player who was forgotten, in the
    middle of a game that goes on."""
    ada, bob = await players.players(2)
    opened = await players.ask(
        "POST", f"/v1/games/{next(iter(RULESETS))}", {"seats": 2}, token=ada["token"], keyed=True
    )
    game = opened["links"]["self"]
    await players.ask("POST", f"{game}/seats", {}, token=bob["token"], keyed=True)
    looks = 4 * len(cluster.servers)
    for method, body, status, name in (("PATCH", {"name": "Countess"}, 200, "Countess"), ("DELETE", None, 204, None)):
        assert (await players.send(method, "/v1/players/me", body, token=ada["token"])).status_code == status
        await asyncio.sleep(1)
        for _ in range(looks):
            seen = await players.ask("GET", game, token=bob["token"])
            assert (seen["status"], seen["seats"][0]["player"]) == ("running", {"id": ada["id"], "name": name})
    for _ in range(looks):
        assert (await players.send("GET", game, token=ada["token"])).status_code == 401


PLACES = "alone", "redis", "workers"
SHARE = 2
"""How many rulesets are played in each place by default."""


async def many_games(cluster: Cluster, database: Path | str, place: str, everything: bool, **how: Any) -> None:
    """Play games of several rulesets: in turn, concurrently, private, and with one player on all seats."""
    first = PLACES.index(place) * SHARE
    rulesets = [*RULESETS][first:] + [*RULESETS][:first]
    games = GAMES if everything or "TEST_GAMES" in os.environ else SHARE + 1
    alone = max(GAMES // 5, len(RULESETS)) if everything else SHARE
    async with unreliable_players(cluster, **how) as players, asyncio.timeout(120 + 10 * GAMES):
        async with asyncio.TaskGroup() as tasks:
            for number, ruleset in enumerate(islice(cycle(rulesets), games)):
                if number % 5 == min(4, games - 1):
                    tasks.create_task(players.play_at_once(ruleset))
                else:
                    tasks.create_task(players.play_in_turn(ruleset, private=number % 2 == 1))
            for number, ruleset in enumerate(islice(cycle(rulesets), alone)):
                tasks.create_task(players.play_alone(ruleset, private=number % 2 == 0))
        streams = await check_everything(players, database, cluster)
        await check_names(players, cluster)
        assert players.hung_up > games
        assert players.busy == 0
        assert players.alone > 100
        assert players.taken_back
        assert 0 < len(players.invites) < len(players.moves)
        assert sum(stream.times for stream in streams) > 2 * len(streams)


@pytest.mark.by_default()  # `make check` has such players in `test_rolling_upgrade`, at two processes with Redis
@pytest.mark.parametrize("place", ["alone", "redis"])
async def test_processes_lose_and_double_nothing(
    tmp_path: Path, migrated_url: str, request: pytest.FixtureRequest, place: str, everything: bool
) -> None:
    given = {"redis": request.getfixturevalue("redis_url")} if place == "redis" else {}
    with cluster(tmp_path, migrated_url, PROCESSES, **given) as processes:
        await many_games(processes, migrated_url, place, everything)


@pytest.mark.by_default()  # campaigns/chaos kills a service on a file
async def test_two_workers_on_one_file_lose_and_double_nothing(tmp_path: Path, everything: bool) -> None:
    database = tmp_path / "games.db"
    with cluster(tmp_path, database, processes=1, workers=2) as workers:
        # Without keep-alive each request reaches either worker.
        await many_games(workers, database, "workers", everything, keep_alive=False)
