"""Which tests run in which size: what the marks do, and that `make test-quick` covers every ruleset, law and route."""

import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from domain.game import Rules
from domain.rulesets import RULESETS, VERSIONS
from tests.conftest import FIRST, LAST, Variant, selected

ROOT = Path(__file__).parents[1]
QUICK = re.findall(r"(?m)^QUICK = (.*)$", (ROOT / "Makefile").read_text())[0].split()


class Options:
    """A configuration of pytest with one option or none."""

    def __init__(self, option: str = "") -> None:
        self._option = option

    def getoption(self, name: str) -> bool:
        return name == self._option


def test_first() -> None:
    """The first of the module: marks with turns count from here."""


def test_second() -> None:
    """The second one."""


def chosen(function: Any, params: list[dict[str, Any]], *marks: pytest.MarkDecorator, option: str = "") -> list[str]:
    """The ids of the variants of a test with these marks that run."""
    found = [
        Variant(
            "-".join(map(str, each.values())), each, [mark.mark for mark in marks], function, sys.modules[__name__], ()
        )
        for each in params
    ]
    chosen = selected(found, Options(option))  # type: ignore[arg-type]
    return [each.id for each, runs in zip(found, chosen, strict=True) if runs]


OF_RULESETS = [{"ruleset": name} for name in RULESETS]
DATABASES = [{"database": name} for name in ("sqlite", "postgresql")]


def test_rulesets_take_turns_by_the_place_of_the_test() -> None:
    names, turns = [*RULESETS], pytest.mark.turns("rulesets")
    assert chosen(test_first, OF_RULESETS, turns) == names[:1]
    assert chosen(test_second, OF_RULESETS, turns) == names[1:2]
    assert chosen(test_second, OF_RULESETS[:1], turns) == names[:1], "a test of one ruleset always runs"
    assert chosen(test_second, OF_RULESETS, turns, option="--everything") == names
    assert chosen(test_first, OF_RULESETS, pytest.mark.turns("ends")) == [FIRST]
    assert chosen(test_second, OF_RULESETS, pytest.mark.turns("ends")) == [LAST]
    assert chosen(test_first, [{"name": name} for name in names], turns) == names, "other parameters are not rulesets"


def test_databases_and_rulesets_take_turns_together() -> None:
    both = [one | other for one in DATABASES for other in OF_RULESETS]
    assert len(chosen(test_second, both, pytest.mark.turns("databases", "rulesets"))) == 1
    assert len(chosen(test_second, both, pytest.mark.turns("databases"), pytest.mark.turns("ends"))) == 1


def test_named_parameters_run_and_others_do_not() -> None:
    assert chosen(test_first, OF_RULESETS, pytest.mark.by_default(LAST)) == [LAST]
    assert chosen(test_first, OF_RULESETS, pytest.mark.by_default(LAST), pytest.mark.turns("rulesets")) == [LAST]
    assert chosen(test_first, OF_RULESETS, pytest.mark.by_default()) == []
    assert chosen(test_first, OF_RULESETS, pytest.mark.by_default(), option="--everything") == [*RULESETS]


def test_a_repetition_runs_only_with_everything_or_in_its_turn() -> None:
    repetition = pytest.mark.repetition
    assert chosen(test_first, DATABASES[1:], repetition) == []
    assert chosen(test_first, DATABASES[1:], repetition, pytest.mark.turns("ends")) == [], "not of this kind"
    assert chosen(test_second, DATABASES[1:], repetition, pytest.mark.turns("databases")) == ["postgresql"]


def test_slow_tests_are_not_quick() -> None:
    assert chosen(test_first, DATABASES, pytest.mark.slow, option="--quick") == []
    assert chosen(test_first, DATABASES, pytest.mark.slow) == ["sqlite", "postgresql"]


# --- the whole suite is collected several times ---


@cache
def collected(*options: str) -> frozenset[str]:
    """The ids of the tests that pytest chooses with these options."""
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "--quiet", "--numprocesses", "0", *options],
        cwd=ROOT, capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return frozenset(line for line in ran.stdout.splitlines() if "::" in line)


def functions(*options: str) -> set[str]:
    return {test.partition("[")[0] for test in collected(*options)}


def quick(path: str) -> list[str]:
    return [test for test in collected("--quick", *QUICK) if test.startswith(path)]


@pytest.mark.by_default()
def test_only_marked_tests_are_left_out_by_default() -> None:
    """Of each other test one variant runs at least, by default or with --checked."""
    assert functions("--everything", "-m", "not by_default") <= functions() | functions("--checked")
    assert functions("--quick", *QUICK) < functions()


@pytest.mark.by_default()
@pytest.mark.parametrize("rules", VERSIONS.values(), ids=list(VERSIONS))
def test_quick_holds_the_rules_the_laws_and_a_golden_game_of_every_ruleset(rules: Rules) -> None:
    assert quick(f"tests/domain/test_{rules.name}.py::")
    laws = {test for test in quick("tests/domain/test_laws.py::") if f"[{rules.rules}" in test}
    for law in ("test_every_play_obeys_the_laws", "test_no_view_tells_two_worlds_apart", "test_every_game_ends"):
        assert any(law in test for test in laws), law
    for check in ("test_every_viewer_sees_what_was_frozen", "test_a_golden_game_passes_verification"):
        assert len(quick(f"tests/golden/test_golden.py::{check}[{rules.rules}-")) == 1


@pytest.mark.by_default()
def test_quick_asks_the_api_on_sqlite_only_with_the_first_and_the_last_ruleset() -> None:
    assert not [test for test in quick("tests") if re.search(r"\b(servers|postgresql)\b", test.partition("[")[2])]
    moved = quick("tests/service/api/test_moving.py::")
    for ruleset in (FIRST, LAST):
        assert any(ruleset in test for test in moved)
