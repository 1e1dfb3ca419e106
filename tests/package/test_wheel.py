"""What the wheel installs: one name, the same service."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import wheel

renamed = wheel.BACKEND["renamed"]
LAYERS = wheel.BACKEND["LAYERS"]


def ran(site: Path, folder: Path, *arguments: str) -> str:
    """The standard output of an interpreter that has the wheel, in a folder outside of the working copy."""
    command = [sys.executable, "-P", *arguments]
    done = subprocess.run(command, cwd=folder, env=wheel.environment(site), capture_output=True, text=True, check=True)
    return done.stdout


def test_one_name_is_installed(site: Path):
    names = {path.name for path in site.iterdir()} - {"bin"}
    assert {name.partition("-")[0] for name in names} == {"stammtisch"}


def test_no_module_imports_a_layer_by_its_short_name(site: Path):
    files = list((site / "stammtisch").rglob("*.py"))
    assert len(files) > 250
    for path in files:
        for node in ast.walk(ast.parse(path.read_text())):
            named = [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
            named += [each.name for each in node.names] if isinstance(node, ast.Import) else []
            assert not {name.partition(".")[0] for name in named} & set(LAYERS), path


def test_every_file_of_the_layers_is_in_the_wheel(site: Path):
    for layer in LAYERS:
        ours, theirs = (
            {path.relative_to(root).as_posix() for path in (root / layer).rglob("*") if path.is_file()}
            for root in (wheel.ROOT, site / "stammtisch")
        )
        assert {name for name in ours ^ theirs if "__pycache__" not in name} == set()


def test_the_contract_made_from_the_wheel_is_the_committed_one(site: Path, tmp_path: Path):
    ran(site, tmp_path, "-m", "stammtisch.openapi.build", "--check")  # fails if a byte differs


def test_the_command_line_runs_from_the_wheel(site: Path, tmp_path: Path):
    assert "stammtisch" in ran(site, tmp_path, "-m", "stammtisch", "--version")
    modules = ran(site, tmp_path, "-c", "import sys, stammtisch.service.app; print(*sys.modules)").split()
    assert "stammtisch.domain.game" in modules
    assert set(LAYERS).isdisjoint(modules)


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("import service.app\n", "`import LAYER` cannot be renamed"),
        ('FACTORY = "service.app:create"\n', "names a module; derive it from __name__"),
        ('MODULE = "domain.ruleset"\n', "names a module; derive it from __name__"),
    ],
)
def test_what_cannot_be_renamed_is_refused(source: str, why: str):
    with pytest.raises(SystemExit, match=why):
        renamed(source, Path("here.py"), wheel.ROOT)


def test_only_imports_are_renamed():
    source = 'from domain import cards; x = "service.name"\nif x:\n    from web.core import y\nfrom . import domain\n'
    assert renamed(source, Path("here.py"), wheel.ROOT) == (
        'from stammtisch.domain import cards; x = "service.name"\nif x:\n    from stammtisch.web.core import y\n'
        "from . import domain\n"
    )
