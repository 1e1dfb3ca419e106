"""`stammtisch bot` takes seats, plays all its games, and survives crashes of itself and of the service."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from stammtisch_client import AsyncClient, AsyncTable, Client, bot

from agents.served import standing_events
from domain.rulesets import RULESETS
from service.__main__ import main
from service.cli.bot import BotConfig, playable
from service.cli.client_errors import client_errors
from service.cli.options import Refused
from tests.support.clients import Json, Server, fewest
from tests.support.cuts import CuttingProxy

pytestmark = pytest.mark.anyio

FIRST = next(iter(RULESETS))
PACKAGE = Path(__file__).parents[2] / "clients" / "python" / "src"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("bots") / "games.db", rate_limit="off") as server:
        yield server


class Process:
    """`stammtisch bot` as a process of its own."""

    def __init__(self, url: str, folder: Path, *options: str) -> None:
        paths = os.pathsep.join([str(PACKAGE), str(PACKAGE.parents[2])])
        self._errors = folder / "bot.err"
        with self._errors.open("ab") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "service", "bot", "--url", url, "--token", str(folder / "token"), *options],
                env=os.environ | {"PYTHONPATH": paths}, stdin=subprocess.DEVNULL, stderr=errors, cwd=folder,
            )  # fmt: skip

    @property
    def errors(self) -> str:
        return self._errors.read_text()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def end(self, seconds: float = 120) -> int:
        """The exit status."""
        try:
            return self.process.wait(seconds)
        finally:
            self.process.kill()


async def until(condition: Callable[[], bool], seconds: float = 300) -> None:
    """Wait until the condition holds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it does not come true"
        await asyncio.sleep(0.05)


@pytest.mark.by_default()
async def test_a_bot_plays_on_after_crashes_of_itself_and_of_the_service(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Both crash while moves are made, and if there are many games, also while the bot still takes seats."""
    count = 200 if request.config.getoption("--everything") else 3
    options = ["--games", str(count), "--total", str(count), "--name", "Robot", "--rulesets", FIRST]
    database = tmp_path / "games.db"
    server = Server(database, rate_limit="off")
    proxy = CuttingProxy(server.url, 0)
    process = Process(proxy.url, tmp_path, *options)
    made, crashed = 0, asyncio.Event()

    async def play(table: AsyncTable[Any, Any, Any, Any], dice: Random) -> None:
        nonlocal made
        moves = 0
        async for turn in table.turns():
            if moves == 4:  # no game is over before the crash
                await crashed.wait()
            await turn.play(dice.choice(turn.legal_moves))
            moves += 1
            made += 1

    try:
        async with AsyncClient(proxy.url, patience=None) as ann:
            await ann.register("Ann")
            short = {"target_points": 1}
            tables = [await ann.open(FIRST, 2, options=short, sealed=number % 2 == 0) for number in range(count)]
            for table in tables[::2]:
                await table.sit()
            playing = asyncio.gather(*(play(table, Random(seed)) for seed, table in enumerate(tables)))
            await until(lambda: made > 2 * count)
            process.kill()
            server.stop(how=signal.SIGKILL)
            process = Process(proxy.url, tmp_path, *options)  # it waits for the service
            server = Server(database, rate_limit="off")
            proxy.forward_to(server.url)
            crashed.set()
            await playing
            assert process.end() == 0, process.errors
            players = []
            for table in tables:
                players.append((await table.game()).seats[1].player)
                record = await table.record()
                assert record.verify().verdict == "ok"
                assert sum(item["by"] == 1 and "move" in item for item in record.fields["events"]) > 4
            assert {(each.name, each.bot) for each in players if each} == {("Robot", True)}
            assert len({each.id for each in players if each}) == 1, "it is the same player after a restart"
            assert process.errors.count("finished [") == count
    finally:
        process.kill()
        proxy.close()
        server.stop()
    assert (tmp_path / "token").stat().st_mode & 0o777 == 0o600


@pytest.mark.checked
async def test_one_process_plays_many_games_at_once(
    server: Server, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    count = 200 if request.config.getoption("--everything") else 8
    dice, at_once = Random(1), 0

    def choose(choice: bot.Choice) -> int:
        assert choice.seen[-1]["version"] >= len(choice.seen) == choice.seen[-1]["version"]
        nonlocal at_once
        unfinished.add(choice.game)
        at_once = max(at_once, len(unfinished))
        return dice.randrange(len(choice.legal_moves))

    unfinished: set[str] = set()
    robots = asyncio.create_task(
        bot.play(server.url, "Robot", choose, token=tmp_path / "token", games=count, total=count)
    )
    async with AsyncClient(server.url) as ann:
        await ann.register("Ann")

        begun, started = asyncio.Event(), set[str]()

        async def play() -> None:
            table = await ann.open(FIRST, 2, options={"target_points": 1})
            async for turn in table.turns():  # at the beginning of the game every seat has a choice
                started.add(table.id)
                if len(started) == count:
                    begun.set()
                await begun.wait()
                await turn.play(dice.choice(turn.legal_moves))
            unfinished.discard(table.id)

        await asyncio.gather(*(play() for _ in range(count)))
        assert len({game.id for game in await robots}) == count
    assert at_once >= count * 0.9


@pytest.mark.by_default()
async def test_a_bot_plays_where_web_sockets_do_not_pass(server: Server) -> None:
    dice = Random(1)
    async with AsyncClient(server.url) as ann, AsyncClient(server.url, channel=False) as client:
        await ann.register("Ann")
        me = await client.register("Robot", bot=True)
        robot = bot.Bot(client, lambda choice: dice.randrange(len(choice.legal_moves)), games=3, total=3)
        running = asyncio.create_task(robot.run())

        async def play(seats: int | list[str | dict[str, Any]]) -> str:
            table = await ann.open(FIRST, seats, options={"target_points": 1})
            async for turn in table.turns():
                await turn.play(dice.choice(turn.legal_moves))
            return table.id

        ids = await asyncio.gather(play(2), play(2), play(["me", {"player": me.id}]))
        await running
        assert sorted(game.id for game in robot.results) == sorted(ids)


@pytest.mark.checked
@pytest.mark.parametrize("ruleset", [pytest.param(name, id=f"{name}/1") for name in RULESETS])
@pytest.mark.parametrize("name", [pytest.param("careful/1", id="careful"), pytest.param("deep:2x2", id="deep")])
@pytest.mark.by_default("deep-scout/1")
async def test_a_bot_of_the_house_plays_every_ruleset(server: Server, tmp_path: Path, ruleset: str, name: str) -> None:
    process = Process(server.url, tmp_path, "--total", "1", "--rulesets", ruleset, "--bot", name)
    try:
        async with AsyncClient(server.url) as ann:
            await ann.register("Ann")
            seats = ["me", "open", *["random/1"] * (fewest(ruleset) - 2)]
            table = await ann.open(ruleset, seats)
            async for turn in table.turns():
                await turn.play(turn.legal_moves[-1])
            assert process.end() == 0, process.errors
    finally:
        process.kill()


def test_a_search_can_have_a_number_of_turns() -> None:
    rulesets, _ = playable(BotConfig(bot="deep:2x2x1", rulesets=("skyjo",)), {"skyjo": RULESETS["skyjo"].rules})
    assert set(rulesets) == {"skyjo"}


def test_a_search_does_not_look_at_moves_that_were_taken_back() -> None:
    events: list[Json] = [
        {"type": "joined", "seat": 1},
        {"type": "turn_began", "seat": 0},
        {"type": "oriented", "seat": 0, "turned": None},
        {"type": "taken_back", "seat": 0, "to": 2, "agreed": False},
        {"type": "oriented", "seat": 1, "turned": True},
    ]
    items = [{"version": version, "event": event} for version, event in enumerate(events, 1)]
    found = standing_events(RULESETS["scout"], items)
    assert [(type(event).__name__, event.seat) for event in found] == [("TurnBegan", 0), ("Oriented", 1)]


async def test_a_bot_of_a_module_is_configured_by_a_file(server: Server, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def choose(view, seat, moves, dice):\n    return dice.below(len(moves))\n")
    (tmp_path / "bot.toml").write_text(f'bot = "mine:choose"\nname = "Mine"\nrulesets = ["{FIRST}"]\ntotal = 1\n')
    process = Process(server.url, tmp_path, "--config", "bot.toml")
    try:
        async with AsyncClient(server.url) as ann:
            await ann.register("Ann")
            table = await ann.open(FIRST, 2, options={"target_points": 1})
            async for turn in table.turns():
                await turn.play(turn.legal_moves[-1])
            assert process.end() == 0, process.errors
            items = [item for item in await table.history() if item["by"] == 1 and "move" in item]
            assert items
    finally:
        process.kill()


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--bot", "clever"], "has no bot clever"),
        (["--bot", "deep:2x2x1", "--rulesets", "scout"], "scout has no bot deep:2x2x1"),
        (["--rulesets", "chess"], "does not have the ruleset chess"),
        (["--bot", "nowhere:choose"], "'nowhere:choose': No module named"),
        (["--bot", "json:nothing"], "'json:nothing': "),
        (["--bot", "json:__name__"], "'json:__name__': it is not a function"),
        (["--games", "0"], "at least 1"),
        (["--total", "-1"], "at least 1"),
        (["--url", "localhost"], "'localhost' is not a URL"),
    ],
)
def test_what_cannot_be_used_is_said_in_one_line(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], expected: str
) -> None:
    given = ["bot", "--token", str(tmp_path / "token")]
    assert main([*given, *([] if "--url" in options else ["--url", server.url]), *options]) == 2
    printed = capsys.readouterr().err
    assert expected in printed and printed.count("\n") == 1


@pytest.mark.parametrize("text", ["games = ", "games = '2'", "colour = 'blue'", "rulesets = 1"])
def test_a_configuration_is_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    file = tmp_path / "bot.toml"
    file.write_text(text)
    assert main(["bot", "--config", str(file)]) == 2
    assert str(file) in capsys.readouterr().err


def test_an_invalid_token_ends_the_bot(server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "token").write_text("no token")
    assert main(["bot", "--token", str(tmp_path / "token"), "--url", server.url]) == 2
    assert "token" in capsys.readouterr().err


async def test_a_bot_reports_a_service_that_does_not_answer_and_waits_for_it(tmp_path: Path) -> None:
    with socket.socket() as reserved:
        reserved.bind(("127.0.0.1", 0))  # refuses connections: nobody listens
        process = Process(f"http://127.0.0.1:{reserved.getsockname()[1]}", tmp_path)
        try:
            await until(lambda: "does not answer" in process.errors)
            assert process.process.poll() is None
            assert process.errors.count("\n") == 1
        finally:
            process.kill()


def test_a_move_of_a_function_that_is_not_legal_ends_the_bot(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "beyond.py").write_text("def choose(view, seat, moves, dice):\n    return -1\n")
    monkeypatch.chdir(tmp_path)
    with Client(server.url) as ann:
        ann.register("Ann")
        ann.open(FIRST, 2)
        given = ["bot", "--token", "token", "--url", server.url, "--bot", "beyond:choose", "--rulesets", FIRST]
        assert main(given) == 2
    assert "There is no such legal move." in capsys.readouterr().err


def test_a_module_that_the_code_of_a_bot_lacks_is_no_lack_of_the_client_package() -> None:
    with pytest.raises(ModuleNotFoundError, match="numbers_of_mine"), client_errors("http://127.0.0.1"):
        import numbers_of_mine  # type: ignore[import-not-found]  # noqa: F401


@pytest.mark.parametrize(("lacks", "extra"), [("stammtisch_client", ""), ("stammtisch_client.mcp", "mcp")])
def test_a_client_package_that_is_not_there_is_a_refusal(
    monkeypatch: pytest.MonkeyPatch, lacks: str, extra: str
) -> None:
    monkeypatch.setitem(sys.modules, lacks, None)
    with pytest.raises(Refused, match=f"install clients/python .*{extra}"), client_errors("http://127.0.0.1", extra):
        raise AssertionError("the command runs without it")
