"""The table of operations: what follows from a row, what a row may never change, and what a new one touches."""

import ast
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_origin

import msgspec
import pytest
from litestar.routes import HTTPRoute

from domain.game.commands import Branch, Cancel, GiveTime, Join, Leave, Ready, Rematch, TakeBack, Vote
from domain.rulesets import RULESETS
from service.api.contract import OPTIONAL, PROBLEM
from service.api.operations import Operation
from service.api.operations import every_operation as every_row
from service.api.problems import Problem
from service.app import rest_api
from service.channel import messages
from service.runtime import Runtime
from service.settings import Settings

ROOT = Path(__file__).parents[2]

FIRST = next(iter(RULESETS.values()))

by_id = {each.id: each for each in every_row()}
commands = [each for each in every_row() if each.command is not None]
every_operation = pytest.mark.parametrize("operation", every_row(), ids=list(by_id))

STORED = [
    ("cancel", Cancel(), "83de6c23"),
    ("sit_down", Join(), "cd4800c3"),
    ("sit_down", Join(1, "blue moon"), "19cd0268"),
    ("ready", Ready("blue moon"), "8ba1fa8f"),
    ("stand_up", Leave(1), "854b68d1"),
    ("stand_up", Leave(1, running=True), "2316e1a9"),
    ("give_time", GiveTime(1, 30), "1a693473"),
    ("take_back", TakeBack(31), "1eaedb5d"),
    ("vote", Vote("undo", yes=True), "df768bb7"),
    ("rematch", Rematch("blue moon"), "0cc0b89e"),
    ("branch", Branch(42), "624e5862"),
]
"""Operations, commands, and the beginnings of the hashes that the log keeps for keys of such requests."""

SAMPLES = {name: command for name, command, _ in STORED}


@pytest.mark.parametrize(("operation", "command", "stored"), STORED)
def test_stored_keys_stay_valid_for_ever(operation: str, command: Any, stored: str) -> None:
    key = by_id[operation].key("ann", "key", command, "a game")
    assert key is not None
    assert key.body[:8] == stored


def test_every_operation_has_a_stored_key() -> None:
    assert {name for name, _, _ in STORED} == {each.id for each in commands}


@every_operation
def test_the_contract_lists_every_refusal_once(operation: Operation) -> None:
    stated = [each.body for each in operation.contract(FIRST).answers if each.media == PROBLEM]
    assert len(stated) == len(set(stated))
    assert len(stated) >= len(operation.refuses)
    assert all(issubclass(get_origin(each) or each, Problem) for each in stated)


@every_operation
def test_an_operation_in_the_channel_has_one_request(operation: Operation) -> None:
    kinds = [kind for kind in get_args(messages.requests()) if (get_origin(kind) or kind).__struct_config__.tag]
    found = [kind for kind in kinds if (get_origin(kind) or kind).__struct_config__.tag == operation.message]
    assert len(found) == (operation.message != "")
    assert (operation in messages.COMMANDS.values()) == (operation.answer is not None)


@pytest.mark.parametrize("kind", messages.COMMANDS)
def test_a_message_has_the_fields_of_its_command(kind: type[Any]) -> None:
    operation = messages.COMMANDS[kind]
    command = SAMPLES[operation.id]
    assert set(command.__struct_fields__) <= set(kind.__struct_fields__)
    sent = {"type": operation.message, "id": 1, "game": "skyjo/1"} | msgspec.to_builtins(command)
    assert isinstance(msgspec.convert(sent, messages.requests()), kind)


@cache
def named(path: Path) -> set[str]:
    """The names that the source of a module uses or defines."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Name(id=name) | ast.ClassDef(name=name) | ast.alias(name=name) | ast.Attribute(attr=name):
                found.add(name)
    return found


@pytest.mark.checked
@pytest.mark.parametrize("command", [GiveTime, Ready, TakeBack, Vote, Cancel])
def test_a_new_command_touches_three_files_of_source(command: type[Any]) -> None:
    """Its struct, its case of `decide`, its row. A new refusal adds its class and its problem."""
    modules = [path for layer in ("domain", "projections", "service") for path in (ROOT / layer).rglob("*.py")]
    files = {path.relative_to(ROOT).as_posix() for path in modules if command.__name__ in named(path)}
    assert files == {"domain/game/commands.py", "domain/game/decisions.py", "service/api/operations.py"}


NEW_COMMAND = {
    "domain/game/commands.py": (
        "class Vote(",
        "class Nudge(Value, forbid_unknown_fields=True):\n"
        '    """The seat to give a second to."""\n\n    seat: SeatNumber\n\n\n',
    ),
    "domain/game/decisions.py": (
        "Case: TypeAlias",
        "def _nudge(rules: Rules, game: Game, by: str, command: commands.Nudge, _: History) -> Decision:\n"
        "    return decision(rules, game, [Granted(command.seat, 1)], (_running_seat(game, by),))\n\n\n",
    ),
    "service/api/operations.py": (
        '    Operation(\n        id="vote"',
        '    Operation(\n        id="nudge", command=game.commands.Nudge, body_title="NewNudge", method="POST",\n'
        '        path=f"{GAME}/nudges", said=lambda nudge, _: ("nudge", nudge), answers=shown, refuses=SEATED,\n'
        '        summary="Nudge", text="Gives a second.",\n'
        '        message="nudge", answer=InChannel("nudged", "Nudged", "They have it."),\n    ),\n',
    ),
}
"""By file of source what a new command adds, and before what."""

PLAY = """
import asyncio, sys
from functools import cache
from pathlib import Path
from openapi import build
from service.channel import messages
from tests.support.clients import done, in_process

async def play():
    async with in_process(Path(sys.argv[1])) as service:
        players = await service.guests("Ann", "Bob")
        game = await service.table("skyjo", players, clock={"bank": 60, "increment": 5})
        before = done(await players[0].get(game))
        print(done(await players[0].post(f"{game}/nudges", {"seat": 1}))["version"] - before["version"])
        print((await players[0].post(f"{game}/nudges", {"seat": "1"})).status_code)
    print(*[kind.__name__ for kind, row in messages.COMMANDS.items() if row.id == "nudge"])

assert build.main([]) == 0
asyncio.run(play())
"""


@pytest.mark.by_default()  # it starts the service of a changed copy
def test_a_new_command_is_three_files_and_the_documents_follow(tmp_path: Path) -> None:
    """With its stored key in this file, and the tables of the guide, it touches eight files."""
    for layer in ("domain", "projections", "service", "openapi"):
        ignored = shutil.ignore_patterns("__pycache__", "examples")
        shutil.copytree(ROOT / layer, tmp_path / layer, ignore=ignored)
    for used in ("openapi/examples", "web", "clients", "docs"):
        (tmp_path / used).symlink_to(ROOT / used)
    for name, (place, addition) in NEW_COMMAND.items():
        text = (tmp_path / name).read_text()
        assert text.count(place) == 1
        (tmp_path / name).write_text(text.replace(place, addition + place))
    decisions = tmp_path / "domain/game/decisions.py"
    decisions.write_text(
        decisions.read_text().replace("    commands.Vote:", "    commands.Nudge: _nudge,\n    commands.Vote:")
    )
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}:{ROOT}", "PYTHONDONTWRITEBYTECODE": "1"}
    played = subprocess.run(
        [sys.executable, "-c", PLAY, str(tmp_path / "games.db")],
        cwd=tmp_path, env=environment, capture_output=True, text=True,
    )  # fmt: skip
    assert played.stdout.split() == ["1", "400", "Nudge"], played.stderr
    changed = [
        path.relative_to(tmp_path).as_posix()
        for layer in ("domain", "projections", "service", "openapi")
        for path in (tmp_path / layer).rglob("*.*")
        if path.suffix in {".py", ".json"} and path.read_bytes() != (ROOT / path.relative_to(tmp_path)).read_bytes()
    ]
    assert sorted(changed) == sorted((*NEW_COMMAND, "openapi/asyncapi.json", "openapi/openapi.json"))
    guide = [page for page in ("docs/api.md", "docs/channel.md") if "`give_time`" in (ROOT / page).read_text()]
    assert len(changed) + len(guide) + len([__file__]) <= 8


def test_few_files_of_source_name_votes() -> None:
    modules = [path for layer in ("domain", "projections", "service") for path in (ROOT / layer).rglob("*.py")]
    assert len([path for path in modules if "vote" in path.read_text(encoding="utf-8").lower()]) <= 12


@pytest.fixture(scope="module")
def routes() -> list[HTTPRoute]:
    api = rest_api(Runtime(Settings(database="unused.db")))
    return [route for route in api.routes if isinstance(route, HTTPRoute)]


def test_handlers_are_registered_once_for_all_rulesets(routes: list[HTTPRoute]) -> None:
    handlers = {handler.fn for route in routes for handler in route.route_handlers}
    assert len(handlers) <= 100


def test_the_routes_of_games_are_those_of_the_table(routes: list[HTTPRoute]) -> None:
    """Their tokens, too: what is not public needs one."""
    games = f"/v1/games/{FIRST.name}"
    made = {
        (method, route.path_format.removeprefix(games), handler.security == OPTIONAL)
        for route in routes
        if f"{route.path_format}/".startswith(f"{games}/")
        for handler in route.route_handlers
        for method in handler.http_methods - {"OPTIONS"}
    }
    assert made == {(each.method, each.path.replace(":str", ""), each.public) for each in every_row()}
