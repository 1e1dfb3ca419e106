"""`--quick` is a real subset of the tests that still covers every ruleset, every law and every route.

These tests collect the whole suite twice, so they run with `--everything` only.
"""

import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from domain.rulesets import VERSIONS
from tests.conftest import FIRST, LAST, NOT_QUICK, within

pytestmark = pytest.mark.by_default()

ROOT = Path(__file__).parents[1]


@cache
def collected(*options: str) -> frozenset[str]:
    """The ids of the tests that pytest chooses with these options."""
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "--quiet", "--numprocesses", "0", *options],
        cwd=ROOT, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return frozenset(line for line in ran.stdout.splitlines() if "::" in line)


def quick(path: str) -> list[str]:
    return [test for test in collected("--quick") if test.startswith(path)]


def functions(*options: str) -> set[str]:
    return {test.partition("[")[0] for test in collected(*options)}


def test_quick_is_a_part_of_the_default() -> None:
    default = functions("tests/domain", "tests/golden", "tests/projections", "tests/service")
    assert functions("--quick") < default
    assert len(functions("--quick")) > len(default) / 4


def test_only_marked_tests_are_left_out_by_default() -> None:
    """Of each other test one variant runs at least."""
    assert functions("--everything", "-m", "not by_default") <= functions()


@pytest.mark.parametrize("rules", VERSIONS.values(), ids=list(VERSIONS))
def test_quick_holds_the_rules_the_laws_and_a_golden_game_of_every_ruleset(rules) -> None:  # type: ignore[no-untyped-def]
    assert quick(f"tests/domain/test_{rules.name}.py::")
    laws = {test for test in quick("tests/domain/test_laws.py::") if f"[{rules.rules}" in test}
    for law in ("test_every_play_obeys_the_laws", "test_no_view_tells_two_worlds_apart", "test_every_game_ends"):
        assert any(law in test for test in laws), law
    for check in ("test_every_viewer_sees_what_was_frozen", "test_a_golden_game_passes_verification"):
        assert len(quick(f"tests/golden/test_golden.py::{check}[{rules.rules}-")) == 1


def test_quick_asks_every_module_of_the_api_on_sqlite_only() -> None:
    paths = (ROOT / "tests/service/api").glob("test_*.py")
    modules = {path.stem for path in paths if not within(path, NOT_QUICK)}
    asked = {re.split(r"[/.]", test)[3] for test in quick("tests/service/api/")}
    assert asked == modules
    assert not [test for test in collected("--quick") if re.search(r"\b(servers|postgresql)\b", test.partition("[")[2])]


def test_quick_plays_through_the_api_with_the_first_and_the_last_ruleset() -> None:
    moved = quick("tests/service/api/test_moving.py::")
    for ruleset in (FIRST, LAST):
        assert any(ruleset in test for test in moved)
