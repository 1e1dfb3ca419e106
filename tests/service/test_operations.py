"""The table of operations: what follows from a row, what a row may never change, and what a new one touches."""

import ast
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from litestar.routes import HTTPRoute

from domain.game.commands import Cancel, GiveTime, Join, Leave, TakeBack, Vote
from service.api.problems import PROBLEM_OF
from service.app import rest_api
from service.channel import messages
from service.games.idempotency import request_key
from service.operations import OPERATIONS, Operation
from service.runtime import Runtime
from service.settings import Settings

ROOT = Path(__file__).parents[2]

by_id = {each.id: each for each in OPERATIONS}
every_operation = pytest.mark.parametrize("operation", OPERATIONS, ids=list(by_id))

STORED = [
    ("cancel", Cancel(), "83de6c23"),
    ("sit_down", Join(), "cd4800c3"),
    ("sit_down", Join(1, "blue moon"), "19cd0268"),
    ("stand_up", Leave(1), "854b68d1"),
    ("stand_up", Leave(1, running=True), "2316e1a9"),
    ("give_time", GiveTime(1, 30), "1a693473"),
    ("take_back", TakeBack(31), "1eaedb5d"),
    ("vote", Vote("undo", yes=True), "df768bb7"),
]
"""Operations, commands, and the beginnings of the hashes that the log keeps for keys of such requests."""

SAMPLES = {name: command for name, command, _ in STORED}


@pytest.mark.parametrize(("operation", "command", "stored"), STORED)
def test_stored_keys_stay_valid_for_ever(operation: str, command: Any, stored: str) -> None:
    key = request_key("ann", "key", *by_id[operation].said(command))
    assert key is not None
    assert key.body[:8] == stored


def test_every_operation_has_a_stored_key() -> None:
    assert {name for name, _, _ in STORED} == set(by_id)


@every_operation
def test_every_refusal_has_a_problem(operation: Operation) -> None:
    assert set(operation.refuses) <= set(PROBLEM_OF)


@every_operation
def test_a_message_has_the_fields_of_its_command(operation: Operation) -> None:
    kinds = [kind for kind, each in messages.COMMANDS.items() if each is operation]
    assert len(kinds) == (operation.message is not None)
    for kind in kinds:
        assert set(operation.command.__struct_fields__) <= set(kind.__struct_fields__)
        sent = {"type": operation.message, "id": 1, "game": "skyjo/1"} | msgspec.to_builtins(SAMPLES[operation.id])
        assert isinstance(msgspec.convert(sent, messages.REQUESTS), kind)


def named(path: Path) -> set[str]:
    """The names that the source of a module uses or defines."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return {
        node.id if isinstance(node, ast.Name) else node.name
        for node in nodes
        if isinstance(node, ast.Name | ast.ClassDef | ast.alias)
    }


@pytest.mark.parametrize("command", [GiveTime, TakeBack, Vote, Cancel])
def test_a_new_command_touches_three_files_of_source(command: type[Any]) -> None:
    """Its struct, its case of `decide`, its row. A new refusal adds its class and its problem."""
    modules = [path for layer in ("domain", "projections", "service") for path in (ROOT / layer).rglob("*.py")]
    files = {path.relative_to(ROOT).as_posix() for path in modules if command.__name__ in named(path)}
    assert files == {"domain/game/commands.py", "domain/game/decisions.py", "service/operations.py"}


def test_handlers_are_registered_once_for_all_rulesets(tmp_path: Path) -> None:
    api = rest_api(Runtime(Settings(database=str(tmp_path / "unused.db"))))
    routes = [route for route in api.routes if isinstance(route, HTTPRoute)]
    handlers = {handler.fn for route in routes for handler in route.route_handlers}
    assert len(handlers) <= 82
    votes = [route for route in routes if re.fullmatch(r"/v1/games/[^/]+/{game_id}/votes", route.path_format)]
    assert (
        len({handler.fn for route in votes for handler in route.route_handlers if "POST" in handler.http_methods}) == 1
    )
