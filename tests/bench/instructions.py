"""Instructions of the event loop's thread for a request, counted by callgrind. Needs valgrind.

The count does not depend on what else runs on the machine. The server draws the same random bytes in every run, so both
checkouts play the same games. Before the count its timers stop: nothing runs but what a request causes. Other threads
and the process that commits are left out.
"""

import asyncio
import os
import random
import re
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import sleep
from typing import Any, NamedTuple

import msgspec

from service import settings
from tests.bench.channel import Client
from tests.bench.load import MOVED, Connection, Told, connect, guests

GAMES, FIRST, REQUESTS = 5, 20, 40
"""In each game, the first requests are not counted. No game is over after so few moves."""

SERVE = """
import os, signal, sys
from hashlib import shake_128
from itertools import count

drawn = {}
def urandom(size):
    return shake_128(b"%d.%d" % (size, next(drawn.setdefault(size, count())))).digest(size)
os.urandom = urandom

import uvloop
stopped = []
def unless_stopped(callback, *arguments):
    if not stopped:
        callback(*arguments)
class Loop(uvloop.Loop):
    def call_later(self, delay, callback, *arguments, context=None):
        return super().call_later(delay, unless_stopped, callback, *arguments, context=context)
uvloop.Loop = Loop
uvloop.new_event_loop = Loop
signal.signal(signal.SIGUSR1, lambda *_: stopped.append(True))

try:
    from service.process import supervisor
    # callgrind_control reaches no forks: what is prepared serves by itself.
    supervisor.end_with, os.fork = lambda parent: None, lambda: 0
except ImportError:  # an earlier commit, which does not fork
    pass
from service.__main__ import main
sys.exit(main())
"""

Act = Callable[[], Awaitable[object]]


class Server:
    """A server under callgrind, of the checkout in this folder."""

    def __init__(self, port: int, pid: int, folder: Path) -> None:
        self.port, self._pid, self._folder = port, pid, folder
        self._numbers = count(1)

    async def counted(self, begin: Callable[[], Awaitable[Act]]) -> int:
        """The instructions of one act in the median game: full garbage collections are left out."""
        spent = []
        for _ in range(GAMES):
            act = await begin()
            for _ in range(FIRST):
                await act()
            self._switch("on")
            for _ in range(REQUESTS):
                await act()
            spent.append(self._dumped())
            self._switch("off")
        return round(median(spent) / REQUESTS)

    def stop_timers(self) -> None:
        os.kill(self._pid, signal.SIGUSR1)

    def _switch(self, how: str) -> None:
        subprocess.run(["callgrind_control", f"--instr={how}", str(self._pid)], check=True, capture_output=True)

    def _dumped(self) -> int:
        """The instructions since the last dump, or since the count was switched on."""
        file = self._folder / f"out.{self._pid}.{next(self._numbers)}-01"
        subprocess.run(["callgrind_control", "--dump", str(self._pid)], check=True, capture_output=True)
        for _ in range(100):
            if file.exists() and (found := re.search(r"^totals: (\d+)", file.read_text(), re.MULTILINE)):
                return int(found[1])
            sleep(0.1)
        raise TimeoutError(file)


@contextmanager
def served(source: Path) -> Iterator[Server]:
    with TemporaryDirectory() as name:
        folder = Path(name)
        given = {
            "rate_limit": "off",
            "registration_rate_limit": "off",
        }
        environment = os.environ | settings.variables(given)
        environment |= {"PYTHONHASHSEED": "0"}
        command = ["valgrind", "--tool=callgrind", "--instr-atstart=no", "--separate-threads=yes"]
        command += [f"--callgrind-out-file={folder}/out.%p", sys.executable, "-c", SERVE]
        command += ["serve", "--port", "0", "--database", f"{folder}/bench.db"]
        log = folder / "log"
        with log.open("w") as output:
            process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=output, cwd=source)
        try:
            while (found := re.search(r"listens at http://[^ ]+:(\d+)", log.read_text())) is None:
                assert process.poll() is None, log.read_text()
                sleep(0.5)
            yield Server(int(found[1]), process.pid, folder)
        finally:
            process.kill()  # it would wait for a timer
            process.wait(120)


class Caller(NamedTuple):
    """A player who opens a new game for each count."""

    port: int
    token: str
    place: bytes
    """The path of the ruleset's games."""
    seats: int

    async def open(self) -> tuple[Connection, Told]:
        """A new game, and the connection that opened it."""
        connection = await connect(self.port, self.token)
        return connection, await connection.open(self.place, self.seats)


async def _reads(caller: Caller) -> Act:
    connection, game = await caller.open()
    path = caller.place + b"/" + game.id.encode()
    return lambda: connection.get(path)


async def _moves(caller: Caller) -> Act:
    connection, game = await caller.open()
    path = caller.place + f"/{game.id}/moves".encode()
    dice, number = random.Random(1), count()

    async def move() -> None:
        nonlocal game
        game = MOVED(await connection.post(path, bytes(dice.choice(game.legal_moves)), b"%d" % next(number))).game

    return move


class _Player(Client):
    """Follows a hotseat game and plays all of its seats."""

    def __init__(self, token: str) -> None:
        super().__init__(token)
        self.states: asyncio.Queue[Any] = asyncio.Queue()

    def on_message(self, text: bytes) -> None:
        if text.startswith((b'{"type":"state"', b'{"type":"problem"')):
            self.states.put_nowait(msgspec.json.decode(text))


async def _channel_moves(caller: Caller) -> Act:
    _, game = await caller.open()
    _, player = await asyncio.get_running_loop().create_connection(
        lambda: _Player(caller.token), "127.0.0.1", caller.port
    )
    await player.opened
    name = caller.place.rpartition(b"/")[2] + b"/" + game.id.encode()
    player.send(b'{"type":"follow","id":0,"game":"%b","as":"all"}' % name)
    state = await player.states.get()
    dice, number = random.Random(1), count()

    async def move() -> None:
        nonlocal state
        chosen = msgspec.json.encode(dice.choice(state["legal_moves"]))
        player.send(b'{"type":"move","id":1,"game":"%b","key":"%d","move":%b}' % (name, next(number), chosen))
        state = await player.states.get()
        assert state["type"] == "state", state

    return move


KINDS: dict[str, Callable[[Caller], Awaitable[Act]]] = {
    "a read from memory": _reads,
    "a move over HTTP": _moves,
    "a move over the channel": _channel_moves,
}


def counts(source: Path, ruleset: str, seats: int) -> dict[str, int]:
    """Instructions for one request of each kind. In the channel the player follows the game."""

    async def counted(server: Server) -> dict[str, int]:
        (token,) = await guests(server.port, 1)
        caller = Caller(server.port, token, f"/v1/games/{ruleset}".encode(), seats)
        server.stop_timers()
        return {what: await server.counted(partial(begin, caller)) for what, begin in KINDS.items()}

    with served(source) as server:
        return asyncio.run(counted(server))


def rows(ruleset: str, seats: int, beside: Path | None) -> Iterator[tuple[str, str, str, str]]:
    """What, the instructions here, those of the checkout `beside`, and the ratio."""
    ours = counts(Path.cwd(), ruleset, seats)
    theirs = counts(beside, ruleset, seats) if beside else {}
    for what, number in ours.items():
        other = theirs.get(what)
        yield what, f"{number:,} instructions", f"{other:,}" if other else "", f"{number / other:.2f}" if other else ""
