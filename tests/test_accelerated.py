"""The optional compiled rules: which compiled module stands for which source, and what the sources must not contain.

`make test-accelerated` compiles the rules and tests what they do.
"""

import ast
import os
import subprocess
import sys
import tomllib
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]
BUILD = ROOT / ".ci" / "accelerate"


@pytest.fixture(scope="module")
def finder() -> ModuleType:
    spec = spec_from_file_location("finder", BUILD / "finder.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def package(finder: ModuleType, tmp_path: Path) -> Path:
    """A package with a module `rules` that is compiled: the finder does not look into the file."""
    source = tmp_path / "domain" / "rules.py"
    source.parent.mkdir()
    source.write_text("ROWS = 3\n")
    (tmp_path / finder.file_name("domain.rules", source.read_bytes())).touch()
    return source.parent


def test_a_compiled_module_stands_for_its_source(finder: ModuleType, package: Path) -> None:
    spec = finder.CompiledFinder(package.parent).find_spec("domain.rules", [str(package)])
    assert isinstance(spec.loader, finder.CompiledLoader)
    assert spec.origin == str(package / "rules.py")


def test_a_source_that_was_changed_is_not_replaced(finder: ModuleType, package: Path) -> None:
    (package / "rules.py").write_text("ROWS = 4\n")
    spec = finder.CompiledFinder(package.parent).find_spec("domain.rules", [str(package)])
    assert type(spec.loader) is SourceFileLoader


def test_another_recipe_makes_other_files(finder: ModuleType, package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finder, "RECIPE", b"other options")
    spec = finder.CompiledFinder(package.parent).find_spec("domain.rules", [str(package)])
    assert type(spec.loader) is SourceFileLoader


def test_only_modules_of_the_rules_are_found(finder: ModuleType, package: Path) -> None:
    found = finder.CompiledFinder(package.parent)
    assert found.find_spec("rules", [str(package)]) is None
    assert found.find_spec("domain.absent", [str(package)]) is None


@pytest.mark.parametrize(("pure", "installed"), [("1", False), ("0", True), ("", True)])
def test_the_environment_can_ask_for_the_sources(
    finder: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pure: str, installed: bool
) -> None:
    monkeypatch.setenv("PURE_PYTHON", pure)
    monkeypatch.setattr(sys, "meta_path", [])
    finder.install(tmp_path)
    assert bool(sys.meta_path) is installed


def test_the_version_of_the_compiler_is_the_locked_one(finder: ModuleType) -> None:
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]
    assert groups["accelerate"] == [f"Cython=={finder.CYTHON}"]


def test_without_a_compiler_the_build_says_what_it_needs() -> None:
    ran = subprocess.run(
        [sys.executable, BUILD / "build.py"], env={**os.environ, "CC": "no-compiler-here"},
        capture_output=True, text=True,
    )  # fmt: skip
    assert ran.returncode == 1
    assert "needs a C compiler (no-compiler-here;" in ran.stderr
    assert "They run as pure Python without it." in ran.stderr


# --- what the compiler compiles wrongly ---------------------------------------------------------------------------


def sequence_patterns(source: str) -> list[str]:
    """Patterns such as `case (place,)`. Cython 3.3.1 compiles them wrongly: the process crashes."""
    return [ast.unparse(node) for node in ast.walk(ast.parse(source)) if isinstance(node, ast.MatchSequence)]


@pytest.mark.parametrize("path", sorted((ROOT / "domain").rglob("*.py")), ids=lambda path: path.stem)
def test_the_rules_have_no_sequence_patterns(path: Path) -> None:
    assert sequence_patterns(path.read_text()) == []


def test_sequence_patterns_are_found_inside_others() -> None:
    source = "match event:\n    case Taken(top=(below,)) | Dropped([below]): ...\n    case {'a': 1} | Swapped(): ..."
    assert sequence_patterns(source) == ["[below]", "[below]"]
