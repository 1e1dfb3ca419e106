"""Compiled modules do exactly what their sources do. `ACCELERATED_GAMES` is the number of games of each ruleset."""

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import fields
from itertools import zip_longest
from pathlib import Path

import pytest

from domain.game import Rules
from domain.rulesets import RULESETS
from tests.conftest import accelerated, uncompiled
from tests.support.clients import Server

ROOT = Path(__file__).parents[3]
GAMES = int(os.environ.get("ACCELERATED_GAMES", "20"))
MODES = {"compiled": "0", "pure": "1"}

LIST = accelerated()
"""The modules that `make accelerate` compiles, and the paths of their sources."""

every_ruleset = pytest.mark.parametrize("rules", RULESETS.values(), ids=list(RULESETS))


def started(mode: str, *arguments: object, folder: Path = ROOT) -> subprocess.Popen[str]:
    """An interpreter that runs the rules of the folder in this mode."""
    command = [sys.executable, *map(str, arguments)]
    environment = {**os.environ, "PURE_PYTHON": MODES[mode]}
    return subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True)


def output(process: subprocess.Popen[str]) -> str:
    text, _ = process.communicate()
    assert process.returncode == 0
    return text


def numbers(text: str) -> dict[str, int]:
    """The numbers of compiled modules, by package."""
    return {package: int(number) for number, package in re.findall(r"(\d+) (?:modules )?of (\w+)", text)}


LISTED = Counter(name.partition(".")[0] for name in LIST)


@pytest.mark.parametrize("mode", MODES)
def test_an_interpreter_runs_the_modules_in_the_mode_of_its_environment(mode: str) -> None:
    code = f"import {', '.join(LIST)}; import service.process.interpreter as i; print(i.compiled_modules())"
    assert numbers(output(started(mode, "-c", code))) == (LISTED if mode == "compiled" else {})


def test_a_changed_module_runs_from_its_source_beside_compiled_ones(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "domain", tmp_path / "domain")
    with (tmp_path / "domain" / "cards.py").open("a") as source:
        source.write("CHANGED = True\n")
    code = (
        "import domain.cards, domain.game\n"
        "print(domain.cards.CHANGED, domain.cards.__file__)\n"
        "print(domain.game.__loader__)"
    )
    changed, other = output(started("compiled", "-c", code, folder=tmp_path)).splitlines()
    assert changed == f"True {tmp_path / 'domain' / 'cards.py'}"
    assert "CompiledLoader" in other


def test_the_first_line_of_the_service_tells_what_is_compiled(tmp_path: Path) -> None:
    server = Server(tmp_path / "games.db", output=tmp_path / "server")
    server.stop()
    (told,) = re.findall(r"; compiled: ([\w ,]+)", server.errors)
    assert numbers(told) | {"domain": 0} == LISTED | {"domain": 0}
    assert 40 < numbers(told)["domain"] <= LISTED["domain"]  # serving does not need all of them


def test_every_module_of_this_process_is_compiled_and_tells_its_source() -> None:
    assert uncompiled() == []
    for name, path in LIST.items():
        assert sys.modules[name].__file__ == str(ROOT / path)


@every_ruleset
def test_the_functions_of_every_ruleset_are_compiled(rules: Rules) -> None:
    functions = [getattr(rules, field.name) for field in fields(rules)]
    kinds = {
        type(each).__name__ for each in functions if getattr(each, "__module__", "").startswith("domain.rulesets.")
    }
    assert "function" not in kinds
    assert "cython_function_or_method" in kinds


@every_ruleset
def test_all_that_the_rules_tell_is_the_same(rules: Rules) -> None:
    """Logs, views, legal moves, features, bots' choices, imagined worlds, verification: whole random games."""
    told = [started(mode, "-m", "tests.campaigns.accelerated.told", rules.name, GAMES) for mode in MODES]
    compiled, pure = (output(process).splitlines() for process in told)
    assert len(pure) == GAMES
    assert [both for both in zip_longest(compiled, pure) if both[0] != both[1]] == []


def test_the_contract_is_the_same() -> None:
    """It is made from signatures, annotations and docstrings."""
    output(started("compiled", "-m", "openapi.build", "--check"))


@every_ruleset
def test_games_leave_no_memory_behind(rules: Rules) -> None:
    """A reference that compiled code forgets to drop would stay in every game."""
    code = (
        "import gc, sys\n"
        "from domain.rulesets import RULESETS\n"
        "from tests.bench.engine import play\n"
        f"rules, games = RULESETS[{rules.name!r}], {GAMES}\n"
        "def blocks():\n"
        "    for seed in range(games):\n"
        "        play(rules, 3, 1, seed % 20)\n"
        "    gc.collect()\n"
        "    return sys.getallocatedblocks()\n"
        "blocks()\n"
        "print(blocks() - blocks())\n"
    )
    assert abs(int(output(started("compiled", "-c", code)))) < GAMES
