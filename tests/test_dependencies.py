"""Locked dependencies satisfy pyproject.toml, and the tests run with the versions that are shipped."""

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from service import settings
from service.limits import Limits

ROOT = Path(__file__).parent.parent

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())

LOCKED = re.compile(r"(?m)^([\w.-]+)==([^\s;]+)[^\\]*((?:\\\n +--hash=sha256:[0-9a-f]{64} ?)+)$")


def locked(file: str) -> dict[str, Version]:
    text = (ROOT / file).read_text()
    found = {canonicalize_name(name): Version(version) for name, version, _ in LOCKED.findall(text)}
    assert len(found) == len(re.findall(r"(?m)^[^#\s]+==", text)), "every version has its hashes"
    return found


@pytest.mark.parametrize(
    ("file", "groups"),
    [
        ("requirements.txt", ["build"]),
        ("requirements-dev.txt", ["build", "dev", "docs"]),
        ("requirements-generators.txt", ["generators"]),
    ],
)
def test_every_dependency_is_locked_within_its_bounds(file: str, groups: list[str]) -> None:
    wanted = [*PROJECT["project"]["dependencies"]] if "build" in groups else []
    wanted += [each for group in groups for each in PROJECT["dependency-groups"][group]]
    versions = locked(file)
    for requirement in map(Requirement, wanted):
        assert requirement.specifier, f"{requirement.name} has bounds"
        assert versions[canonicalize_name(requirement.name)] in requirement.specifier, "run `make lock`"


def test_node_tools_are_locked_and_come_from_the_public_registry() -> None:
    folder = ROOT / "tests" / "openapi" / "generators"
    wanted = msgspec.json.decode((folder / "package.json").read_bytes())["devDependencies"]
    packages = msgspec.json.decode((folder / "package-lock.json").read_bytes())["packages"]
    assert packages.pop("")["devDependencies"] == wanted
    for name, version in wanted.items():
        assert packages[f"node_modules/{name}"]["version"] == version, "run `npm install --package-lock-only`"
    for package in packages.values():
        assert package["integrity"].startswith("sha512-")
        assert package.get("resolved", "https://registry.npmjs.org/").startswith("https://registry.npmjs.org/")


def test_shipped_dependencies_have_the_same_versions_in_the_tests() -> None:
    shipped, tested = locked("requirements.txt"), locked("requirements-dev.txt")
    assert shipped.items() <= tested.items()


def test_the_limits_in_security_md_name_existing_settings() -> None:
    named = re.findall(r"(?m)^\|[^|]+\|[^|]+\| `(\w+)` \|$", (ROOT / "SECURITY.md").read_text())
    defaults = {field.name.upper() for field in settings.fields()} | {*Limits.__struct_fields__}
    assert len(named) == 15
    for name in named:
        assert name in defaults


def commands(folder: Path, target: str) -> str:
    """What `make` would run for the target in this folder."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}  # `make test`
    command = ["make", "--no-print-directory", "-n", target]
    return subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True, text=True).stdout


def test_serving_installs_only_what_serving_needs(tmp_path: Path) -> None:
    for file in ("Makefile", "pyproject.toml", "requirements.txt", "requirements-dev.txt"):
        shutil.copy(ROOT / file, tmp_path)
    assert "--requirement requirements.txt" in commands(tmp_path, "serve")
    assert "requirements-dev" not in commands(tmp_path, "serve")
    (tmp_path / ".venv").mkdir()
    for made in re.findall(r"touch (.*)", commands(tmp_path, "install"))[0].split():
        (tmp_path / made).touch()
    assert commands(tmp_path, "serve").split() == [".venv/bin/stammtisch", "serve"], "the tests' packages suffice"
