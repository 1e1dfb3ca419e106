"""Mutation tests of `domain/` with mutmut.

Modules are mutated in groups, each with tests that are fast and likely to fail. Each group has a folder in `mutants/`
with the state of mutmut; there `mutmut show NAME` shows a mutant.
"""

import json
import shutil
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from domain.game import Rules
from domain.rulesets import RULESETS

ROOT = Path(__file__).parents[2]
PLACE = ROOT / "mutants"
COPIED = ("agents", "domain", "projections", "service", "openapi", "tests", "clients", "docs", "README.md", "Makefile")
"""Files and folders that the tests need in their working directory."""

SLOW_PLUGINS = ("unraisableexception", "cacheprovider", "schemathesis")
"""Tests that take longer than those that find most mutants."""

NOTICED = ("killed", "timeout", "segfault")
"""The statuses of mutmut for mutants that were found: a test failed, timed out, or Python crashed."""


class Group(NamedTuple):
    """Modules and the tests that must find their mutants."""

    modules: list[str]
    tests: list[str]
    golden: Rules
    """Run the golden games of these rules."""


def of_ruleset(rules: Rules) -> Group:
    """The group of a ruleset: its own tests, its worked examples, random games with the fewest seats."""
    name, law = rules.name, f"tests/domain/test_laws.py::test_every_play_obeys_the_laws[{rules.rules}-{rules.seats[0]}]"
    modules = [f"domain/rulesets/{name}/*.py"]
    return Group(modules, [*tests_of(name, "vectors", "setups"), law], rules)


def tests_of(*names: str) -> list[str]:
    return [f"tests/domain/test_{name}.py" for name in names]


APART = {"__init__", "game", "record", "verification", "lifecycle"}
SHARED = sorted(
    str(path.relative_to(ROOT))
    for folder in ("domain", "domain/fairness") for path in (ROOT / folder).glob("*.py") if path.stem not in APART
) + ["domain/rulesets/skyjo_grid.py"]  # fmt: skip
ALIKE = next(iter(RULESETS.values()))
"""The ruleset for tests of code that all rulesets share."""

GROUPS = {
    "shared": Group(
        SHARED,
        tests_of("shared", "cards", "chain", "chance", "game", "messages", "record", "setups", ALIKE.name),
        ALIKE,
    ),
    "game": Group(
        ["domain/game/state.py", "domain/game/evolution.py", "domain/game/decisions.py"],
        tests_of("game", "branches", "shared"),
        ALIKE,
    ),
    "record": Group(
        [f"domain/fairness/{name}.py" for name in ("record", "verification", "lifecycle")],
        tests_of("record", "verification"),
        ALIKE,
    ),
    **{name: of_ruleset(rules) for name, rules in RULESETS.items()},
}

LEFT_OUT = ("little_work", "test_nonsense_never_raises")
"""Tests that count lines, of which mutants have others, and one that tries hundreds of records."""


def chosen(group: Group) -> str:
    """The expression for pytest's -k."""
    golden = f"{group.golden.rules}- and (test_every_viewer_sees or test_a_golden_game_passes)"
    return f"(not test_golden or {golden}) and not ({' or '.join(LEFT_OUT)})"


def prepared(name: str, group: Group) -> Path:
    """The group's folder, with the current sources and the state of mutmut."""
    place = PLACE / name
    place.mkdir(parents=True, exist_ok=True)
    for copied in COPIED:
        link = place / copied
        if not link.is_symlink():
            link.symlink_to(ROOT / copied)
    settings = {
        "source_paths": ["domain"],
        "only_mutate": group.modules,
        "do_not_mutate_patterns": [r"^\s*assert_never\("],  # for mypy only, never reached
        "also_copy": list(COPIED[1:]),
        "pytest_add_cli_args_test_selection": [*group.tests, "tests/golden/test_golden.py"],
        "pytest_add_cli_args": ["-k", chosen(group), *(f"-pno:{plugin}" for plugin in SLOW_PLUGINS)],
        # A mutant with an endless loop is stopped after three times the duration of its tests plus six seconds.
        "timeout_multiplier": 3,
        "timeout_constant": 2,
    }
    lines = [f"{key} = {json.dumps(value)}\n" for key, value in settings.items()]
    ours = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (place / "pyproject.toml").write_text(f"{ours}\n[tool.mutmut]\n{''.join(lines)}", encoding="utf-8")
    return place


def mutmut(place: Path, *arguments: str) -> str:
    """Run mutmut. Returns its output; its progress goes to the terminal."""
    command = [sys.executable, "-m", "mutmut", *arguments]
    shown = None if arguments[0] == "run" else subprocess.PIPE
    return subprocess.run(command, cwd=place, check=True, text=True, stdout=shown).stdout


def results(place: Path) -> dict[str, str]:
    """The status of every mutant by name."""
    lines = mutmut(place, "results", "--all", "true").splitlines()
    return dict(line.strip().split(": ", 1) for line in lines if ": " in line)


def table(found: dict[str, str]) -> str:
    """A row for each module: mutants, found, survived, in functions that no test calls."""
    counts = {module: Counter[str]() for module in sorted(map(module_of, found))}
    for name, status in found.items():
        counts[module_of(name)][status] += 1
    lines = ["| module | mutants | noticed | survived | not come across |", "|---|---|---|---|---|"]
    for module, count in [*counts.items(), ("all", sum(counts.values(), Counter[str]()))]:
        noticed = sum(count[status] for status in NOTICED)
        lines.append(f"| {module} | {count.total()} | {noticed} | {count['survived']} | {count['no tests']} |")
    return "\n".join(lines)


def module_of(mutant: str) -> str:
    return mutant.rpartition(".")[0]


def unnoticed(found: dict[str, str]) -> list[str]:
    return sorted(name for name, status in found.items() if status not in NOTICED)


def tried(name: str, *, again: bool, children: int) -> dict[str, str]:
    """The status of every mutant of the group. `again`: try only mutants that survived the last time."""
    if not again:
        shutil.rmtree(PLACE / name, ignore_errors=True)
    place = prepared(name, GROUPS[name])
    names = [mutant for mutant, status in results(place).items() if status != "killed"] if again else []
    if names or not again:
        # mutmut determines again which tests call which function.
        (place / "mutants" / "mutmut-stats.json").unlink(missing_ok=True)
        mutmut(place, "run", "--max-children", str(children), *names)
    return results(place)


def group(name: str) -> str:
    if name not in GROUPS:
        raise ValueError
    return name


def options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "groups", nargs="*", type=group, metavar="group", help=f"of {', '.join(GROUPS)}; all, if none is named"
    )
    parser.add_argument("--again", action="store_true", help="try only what failed no test the last time")
    parser.add_argument("--children", type=int, default=1, help="concurrent processes")


def main(asked: Namespace) -> int:
    found: dict[str, str] = {}
    for name in asked.groups or GROUPS:
        found |= tried(name, again=asked.again, children=asked.children)
    lines = [*(f"{name}: {found[name]}" for name in unnoticed(found)), "", table(found)]
    sys.stdout.write("\n".join(lines) + "\n")
    return 0
