"""Play channels at two real processes on one database, with killed processes: nothing is lost or doubled.

The processes share PostgreSQL, with and without Redis. Every player reconnects to the other process after each break,
resumes behind the last version, and repeats the unanswered move with its key.
"""

import asyncio
import signal
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

import msgspec
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.support import servers
from tests.support.channels import SUBPROTOCOL, game_name
from tests.support.clients import Caller, Json, Server, any_of, served
from tests.support.servers import Postgres

pytestmark = pytest.mark.anyio

ROUNDS = 4
"""Times that a process is killed or stopped."""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Processes:
    """Two processes on one database; a stopped one is started again."""

    def __init__(self, folder: Path, database: str, **given: object) -> None:
        self._folder, self._database = folder, database
        self._given = {"rate_limit": "off", "access_log": False, "secret": "x" * 32, **given}
        self._numbers = count()
        self.errors: list[str] = []
        self.servers = [self._started(), self._started()]

    def _started(self) -> Server:
        return Server(self._database, output=self._folder / f"server-{next(self._numbers)}", **self._given)

    def again(self, number: int, how: signal.Signals) -> None:
        """Stop a process in this way and start another."""
        self.servers[number].stop(how)
        self.errors.append(self.servers[number].errors)
        self.servers[number] = self._started()

    def stop(self) -> None:
        for server in self.servers:
            server.stop()
            self.errors.append(server.errors)


class Player:
    """Plays one seat over a channel, with whichever process there is."""

    def __init__(self, processes: Processes, number: int, who: Caller, game: str) -> None:
        self._processes, self._turn, self._who, self._game = processes, count(number), who, game
        self._dice, self._keys = Random(number), count()
        self.items: list[Json] = []
        self.answers: dict[str, Json] = {}
        self.connections = 0
        self.replays = 0
        self._pending: Json | None = None
        self._state: Json = {"legal_moves": [], "version": 0}
        self._moved_at = 0

    async def play(self) -> None:
        while True:
            url = urlsplit(self._processes.servers[next(self._turn) % 2].url)
            try:
                async with connect(
                    f"ws://{url.netloc}/v1/channel", subprotocols=[SUBPROTOCOL], compression=None, proxy=None
                ) as channel:
                    self.connections += 1
                    if await self._play_over(channel):
                        return
            except (ConnectionClosed, InvalidHandshake, OSError, EOFError, TimeoutError):
                pass
            await asyncio.sleep(0.05)

    async def _play_over(self, channel: ClientConnection) -> bool:
        """Whether the game is over."""
        await self._send(channel, "authenticate", token=self._who.token)
        version = self.items[-1]["version"] if self.items else 0
        await self._send(channel, "follow", game=self._game, after=version)
        if self._pending is not None:
            await self._send(channel, "move", **self._pending)
        async for text in channel:
            message = msgspec.json.decode(text)
            match message["type"]:
                case "events":
                    self.items += message["items"]
                case "state":
                    self._state = message
                case "moved":
                    assert self._pending is not None
                    self.answers[self._pending["key"]] = message
                    self.replays += message["replayed"]
                    self._pending, self._moved_at = None, message["version"]
                case "problem" if message["problem"]["status"] == 503:
                    return False
                case "end" if "problem" not in message:
                    return True
                case "problem" | "end":
                    raise AssertionError(message)
            state = self._state
            if state["legal_moves"] and self._pending is None and state["version"] >= self._moved_at:
                move = any_of(state["legal_moves"], self._dice)
                self._pending = {"game": self._game, "move": move, "version": state["version"], "key": self._key()}
                await asyncio.sleep(0.01)
                await self._send(channel, "move", **self._pending)
        return False

    def _key(self) -> str:
        return f"{self._who.id}.{next(self._keys)}"

    async def _send(self, channel: ClientConnection, type: str, **fields: object) -> None:
        await channel.send(msgspec.json.encode({"type": type, "id": type, **fields}).decode())


@pytest.fixture(params=["with Redis", "without Redis"])
def processes(request: pytest.FixtureRequest, tmp_path: Path, postgres: Postgres, migrated: str) -> Iterator[Processes]:
    with postgres.database(migrated) as name, servers.redis() as redis:
        given = {"redis": redis.url} if request.param == "with Redis" else {}
        started = Processes(tmp_path, postgres.url(name), **given)
        yield started
        started.stop()
        assert [text for text in started.errors if "Traceback" in text] == []


@pytest.mark.by_default()  # campaigns/chaos plays over channels, too
async def test_killed_processes_lose_and_double_nothing(processes: Processes) -> None:
    async with served(processes.servers[0].url) as service:
        callers = await service.guests("Ann", "Bob")
        path = await service.table("skyjo", callers, options={"target_points": 60})
        players = [Player(processes, number, who, game_name(path)) for number, who in enumerate(callers)]
        dice = Random(4)
        async with asyncio.timeout(150), asyncio.TaskGroup() as tasks:
            playing = [tasks.create_task(player.play()) for player in players]
            for number in range(ROUNDS):
                await asyncio.sleep(dice.uniform(0.3, 1))
                how = signal.SIGKILL if number % 2 == 0 else signal.SIGTERM
                await asyncio.to_thread(processes.again, number % 2, how)
            await asyncio.gather(*playing)
    async with served(processes.servers[0].url) as service:
        for number, (player, who) in enumerate(zip(players, callers, strict=True)):
            assert player.items == await who.at(service).events(path, as_=number)
        record = (await callers[0].at(service).get(f"{path}/record")).json()
    assert sum(player.connections for player in players) > 2
    moved = Counter(answer["version"] for player in players for answer in player.answers.values())
    assert set(moved.values()) == {1}
    assert len(moved) == sum("move" in item for item in record["events"])
