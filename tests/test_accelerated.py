"""The optional compiled modules: which one stands for which source, and what the sources must not contain.

`make test-accelerated` compiles them and tests what they do.
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


def loaded(name: str) -> ModuleType:
    spec = spec_from_file_location(name, BUILD / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def finder() -> ModuleType:
    return loaded("finder")


COMPILED = loaded("modules").compiled(ROOT)
"""The paths of the sources, by the names of the modules."""


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


def test_only_modules_with_a_compiled_file_are_found(finder: ModuleType, package: Path) -> None:
    (package / "cards.py").write_text("CARDS = 150\n")
    found = finder.CompiledFinder(package.parent)
    assert found.find_spec("rules", [str(package)]) is None
    assert found.find_spec("domain.cards", [str(package)]) is None
    (package / "rules.py").unlink()
    assert found.find_spec("domain.rules", [str(package)]) is None


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
    assert "Without it everything runs as pure Python." in ran.stderr


# --- the list of modules ------------------------------------------------------------------------------------------


def test_the_listed_modules_exist() -> None:
    assert [name for name, path in COMPILED.items() if not (ROOT / path).is_file()] == []


# --- what the compiler compiles wrongly ---------------------------------------------------------------------------


def sequence_patterns(source: str) -> list[str]:
    """Patterns such as `case (place,)`. Cython 3.3.1 compiles them wrongly: the process crashes."""
    return [ast.unparse(node) for node in ast.walk(ast.parse(source)) if isinstance(node, ast.MatchSequence)]


def test_compiled_modules_have_no_sequence_patterns() -> None:
    found = {name: sequence_patterns((ROOT / path).read_text()) for name, path in COMPILED.items()}
    assert {name: patterns for name, patterns in found.items() if patterns} == {}


def test_sequence_patterns_are_found_inside_others() -> None:
    source = "match event:\n    case Taken(top=(below,)) | Dropped([below]): ...\n    case {'a': 1} | Swapped(): ..."
    assert sequence_patterns(source) == ["[below]", "[below]"]


def f_strings_in_annotations(source: str) -> list[str]:
    """Cython 3.3.1 keeps annotations as text, and writes `<???>` for these: msgspec cannot read the type of a field."""
    annotations = [node.annotation for node in ast.walk(ast.parse(source)) if isinstance(node, ast.AnnAssign | ast.arg)]
    parts = [part for each in annotations if each is not None for part in ast.walk(each)]
    return [ast.unparse(part) for part in parts if isinstance(part, ast.JoinedStr)]


def test_compiled_modules_have_no_f_strings_in_annotations() -> None:
    found = {name: f_strings_in_annotations((ROOT / path).read_text()) for name, path in COMPILED.items()}
    assert {name: parts for name, parts in found.items() if parts} == {}


def test_f_strings_in_annotations_are_found() -> None:
    source = "class New:\n    id: Annotated[str, Meta(pattern=f'^{ID}$')]\n    name: str = f'{ID}'"
    assert f_strings_in_annotations(source) == ["f'^{ID}$'"]


def assignments_as_guards(source: str) -> list[str]:
    """`case Pair(first) if last := first.next:` is a syntax error for Cython 3.3.1."""
    guards = [node.guard for node in ast.walk(ast.parse(source)) if isinstance(node, ast.match_case)]
    return [ast.unparse(guard) for guard in guards if isinstance(guard, ast.NamedExpr)]


def test_compiled_modules_have_no_assignments_as_guards() -> None:
    found = {name: assignments_as_guards((ROOT / path).read_text()) for name, path in COMPILED.items()}
    assert {name: guards for name, guards in found.items() if guards} == {}


def test_assignments_as_guards_are_found() -> None:
    source = "match pair:\n    case Pair(first) if last := first.next: ...\n    case Pair() if any(all_ := [1]): ..."
    assert assignments_as_guards(source) == ["(last := first.next)"]
