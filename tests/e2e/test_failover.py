"""Real processes on two real PostgreSQL servers: the primary is killed under load, the standby promoted.

A synchronous standby has every acknowledged move. One that is behind has lost some, and nothing else goes wrong.
"""

import asyncio
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from itertools import count
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, NamedTuple

import httpx
import pytest

from domain.rulesets import RULESETS
from service import databases
from service.settings import read
from tests.support import servers
from tests.support.clients import any_of, fewest
from tests.support.crowd import SHORT, Cluster, cluster, crowd, keys_of, verify, wait_for_answers
from tests.support.servers import Pair

pytestmark = [pytest.mark.anyio, pytest.mark.checked]

ANY = next(iter(RULESETS))
GAMES = 8

STATES = "SELECT state FROM stammtisch_events"
HOLES = "SELECT originator_id FROM stammtisch_events GROUP BY 1 HAVING count(*) <> max(originator_version)"


@pytest.mark.by_default()  # one that is behind is the harder case
async def test_a_synchronous_standby_loses_nothing(tmp_path: Path) -> None:
    """Twice: the server that was lost comes back as the standby of the other one."""
    with servers.pair(synchronous=True) as pair:
        databases.migrate(read({}, database=pair.url))
        with cluster(tmp_path, pair.url) as processes:
            async with crowd(processes) as players, asyncio.timeout(240):
                ending, players.pause = asyncio.Event(), 0.02
                async with asyncio.TaskGroup() as tasks:
                    for ruleset in SHORT:
                        tasks.create_task(players.play_on(ruleset, ending))
                    for number in range(2):
                        if number:
                            await asyncio.to_thread(pair.rejoin)
                        await wait_for_answers(players, 20)
                        await asyncio.to_thread(pair.fail_over, pause=number * 3)
                        await wait_for_answers(players, 20)
                    ending.set()
                for game in players.moves:
                    await verify(players, game)
            kept = keys_of(bytes(state) for (state,) in pair.primary.execute(STATES))
            assert kept == Counter(dict.fromkeys(players.answers, 1))
            assert pair.primary.execute(HOLES) == []


class Acknowledged(NamedTuple):
    game: str
    version: int
    head: str
    at: float


class Player:
    """Moves in a game of their own. Repeats a move until it is answered, and looks again when it is refused."""

    def __init__(self, processes: Cluster, http: httpx.AsyncClient, token: str, number: int) -> None:
        self._processes, self._http = processes, http
        self._headers = {"Authorization": f"Bearer {token}"}
        self._keys, self._dice = (f"{number}-{each}" for each in count()), Random(number)
        self.game = ""
        self.moves: list[Acknowledged] = []
        self.busy = 0
        """Answers 503."""
        self.longest = 0.0
        """Seconds that an answer took."""

    async def ask(self, method: str, path: str, body: Any = None) -> httpx.Response:
        headers = self._headers | ({"Idempotency-Key": next(self._keys)} if method == "POST" else {})
        while True:
            url, begun = self._processes.url + path, monotonic()
            answer = await self._http.request(method, url, json=body, headers=headers)
            self.longest = max(self.longest, monotonic() - begun)
            if answer.status_code != 503:
                return answer
            self.busy += 1
            await asyncio.sleep(0.05)

    async def play(self, ending: asyncio.Event) -> None:
        while not ending.is_set():
            seen = (await self.ask("GET", self.game)).json() if self.game else {"status": "none"}
            if seen["status"] != "running":
                opened = await self.ask("POST", f"/v1/games/{ANY}", {"seats": fewest(ANY), "hotseat": True})
                self.game = opened.json()["links"]["self"]
                continue
            answer = await self.ask("POST", f"{self.game}/moves", any_of(seen["legal_moves"], self._dice))
            if answer.status_code == 200:
                made = answer.json()["game"]
                self.moves.append(Acknowledged(made["id"], made["version"], made["head"], monotonic()))
            else:  # chosen from a position that was lost meanwhile
                assert answer.status_code in (404, 409), answer.text


async def test_a_standby_that_is_behind_loses_moves_and_nothing_else(tmp_path: Path) -> None:
    with servers.pair(synchronous=False) as pair:
        databases.migrate(read({}, database=pair.url))
        with cluster(tmp_path, pair.url, max_open_games=100) as processes:
            async with AsyncExitStack() as stack, asyncio.timeout(240):
                players, promoted = await played_through(pair, processes, stack)
            stored = heads(pair)
            lost = lost_of(players, stored)
            assert lost, "the standby was behind"
            assert max(move.at for move in lost) < promoted, "nothing that was acknowledged afterwards"
            assert min(player.moves[-1].at for player in players) > promoted, "every player goes on"
            assert pair.primary.execute(HOLES) == []
            known = {move.game for move in lost if (move.game, 1) in stored}
            assert known <= reported(processes, lost), "lost moves are reported"


def heads(pair: Pair) -> dict[tuple[str, int], str | None]:
    """What the log has, by game and version."""
    return {
        (stream, version): json.loads(bytes(state)).get("head")
        for stream, version, state in pair.primary.execute(
            "SELECT originator_id, originator_version, state FROM stammtisch_events"
        )
    }


def lost_of(players: Sequence[Player], stored: Mapping[tuple[str, int], str | None]) -> list[Acknowledged]:
    """The acknowledged moves that the log does not have."""
    moves = [move for player in players for move in player.moves]
    return [move for move in moves if stored.get((move.game, move.version)) != move.head]


def reported(processes: Cluster, lost: Sequence[Acknowledged]) -> set[str]:
    """The games of lost moves that the processes have named."""
    errors = "".join(server.errors for server in processes.servers)
    return {move.game for move in lost if f"{move.game}: " in errors}


async def verified(players: Sequence[Player]) -> None:
    """Every game that is left can be read and verified."""
    for player in players:
        for game in {move.game for move in player.moves}:
            audit = await player.ask("GET", f"/v1/games/{ANY}/{game}/audit")
            if audit.status_code == 200:
                assert all(check["ok"] is not False for check in audit.json()["checks"]), audit.text


async def played_through(pair: Pair, processes: Cluster, stack: AsyncExitStack) -> tuple[list[Player], float]:
    """The players, and the time of the promotion, with moves before and after it. All games are checked."""
    http = await stack.enter_async_context(httpx.AsyncClient(timeout=60))
    token = (await http.post(f"{processes.url}/v1/players", json={"name": "Ann"})).json()["token"]
    players, ending = [Player(processes, http, token, number) for number in range(GAMES)], asyncio.Event()

    async def until_all_moved(times: int) -> None:
        before = [len(player.moves) for player in players]
        while any(len(player.moves) < made + times for player, made in zip(players, before, strict=True)):  # noqa: ASYNC110
            await asyncio.sleep(0.01)

    async with asyncio.TaskGroup() as tasks:
        for player in players:
            tasks.create_task(player.play(ending))
        await until_all_moved(4)
        await asyncio.to_thread(pair.fall_behind)
        await until_all_moved(4)
        await asyncio.to_thread(pair.fail_over)
        promoted = monotonic()
        await until_all_moved(6)
        ending.set()
    await verified(players)
    return players, promoted
