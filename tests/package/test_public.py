"""The public API is what its page lists, and nothing else is needed to write a game."""

import ast
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from domain.rulesets import RULESETS
from tests.support.wheel import ROOT

MODULES = sorted(
    [path.stem for path in (ROOT / "stammtisch").glob("[a-z]*.py")]
    + [path.parent.name for path in (ROOT / "stammtisch").glob("[a-z]*/__init__.py")]
)
PAGE = (ROOT / "docs" / "public-api.md").read_text()


def listed() -> dict[str, list[str]]:
    """The names of each module, as the page lists them."""
    rows = re.findall(r"^\| `stammtisch\.(\w+)` \|[^|]*\| (.*) \|$", PAGE, re.MULTILINE)
    return {module: re.findall(r"`(\w+)`", names) for module, names in rows}


def test_the_page_lists_exactly_the_public_names():
    assert listed() == {name: sorted(import_module(f"stammtisch.{name}").__all__) for name in MODULES}


def test_public_modules_define_nothing_of_their_own():
    for name in MODULES:
        module = import_module(f"stammtisch.{name}")
        tree = ast.parse(Path(str(module.__file__)).read_text())
        imported = {each.name for node in tree.body if isinstance(node, ast.ImportFrom) for each in node.names}
        assert imported == set(module.__all__), name


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_game_of_ours_could_be_written_with_the_public_names(ruleset: str):
    public = {name for names in listed().values() for name in names}
    for path in (ROOT / "domain" / "rulesets" / ruleset).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in ("domain", "msgspec"):
                theirs = {each.name for each in node.names}
                assert "rulesets" in str(node.module) or theirs <= public, (path.name, theirs - public)


def test_importing_the_rules_loads_no_service():
    code = "import sys, stammtisch.rules; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert {"litestar", "numpy", "pytest", "service", "agents"}.isdisjoint(loaded.split())
