"""Builds the wheel: the layers become packages of `stammtisch`, so that one name is installed.

In a working copy each layer is a package of its own (`domain`, `service`). In the wheel `domain/` is
`stammtisch/domain/`, and every import of a layer says so. Only names in import statements differ: a layer derives the
names of its modules from `__name__`, and the build refuses a string that spells one.
"""

import ast
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import build_editable, build_sdist, prepare_metadata_for_build_wheel

__all__ = ["build_editable", "build_sdist", "build_wheel", "prepare_metadata_for_build_wheel"]

PACKAGE = "stammtisch"
LAYERS = ("domain", "agents", "projections", "service", "openapi", "web")


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: Any = None) -> str:  # noqa: ARG001
    """The hook of PEP 517. Metadata prepared before are not needed: they do not depend on where the layers lie."""
    with staged(Path.cwd()):
        return build_meta.build_wheel(wheel_directory, config_settings)


@contextmanager
def staged(source: Path) -> Iterator[Path]:
    """A copy of the project in which the layers lie in the package; the working directory meanwhile."""
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        for name in ("pyproject.toml", "README.md", "LICENSE"):
            shutil.copy(source / name, root / name)
        shutil.copytree(source / PACKAGE, root / PACKAGE, ignore=CACHES)
        for layer in LAYERS:
            shutil.copytree(source / layer, root / PACKAGE / layer, ignore=CACHES)
        (root / "MANIFEST.in").write_text(f"graft {PACKAGE}\n")
        for path in (root / PACKAGE).rglob("*.py"):
            path.write_text(renamed(path.read_text(encoding="utf-8"), path, root / PACKAGE), encoding="utf-8")
        os.chdir(root)
        try:
            yield root
        finally:
            os.chdir(source)


CACHES = shutil.ignore_patterns("__pycache__")


def renamed(text: str, path: Path, modules: Path) -> str:
    """The source with the package's name before each imported layer.

    `modules` is the folder of the layers. Raises SystemExit for what cannot be renamed.
    """
    lines, tree = text.splitlines(keepends=True), ast.parse(text)
    # f"{ROOT}service.app": what follows an expression is not a name of its own.
    derived = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values[1:]}
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(level=0, module=str(module)) if is_layer(module):
                start = node.col_offset + len("from ")
                line = lines[node.lineno - 1]
                lines[node.lineno - 1] = f"{line[:start]}{PACKAGE}.{line[start:]}"
            case ast.Import(names=names) if any(is_layer(each.name) for each in names):
                sys.exit(f"{path}:{node.lineno}: write `from LAYER import NAME`; `import LAYER` cannot be renamed")
            case ast.Constant(value=str(spelled)) if id(node) not in derived and is_module(spelled, modules):
                sys.exit(f"{path}:{node.lineno}: {spelled!r} names a module; derive it from __name__")
    return "".join(lines)


def is_layer(module: str) -> bool:
    return module.partition(".")[0] in LAYERS


def is_module(text: str, modules: Path) -> bool:
    """Whether the text is the dotted name of a module, or of something in it (`service.app:create`)."""
    name = text.partition(":")[0]
    if "." not in name or not is_layer(name) or not all(part.isidentifier() for part in name.split(".")):
        return False
    path = modules.joinpath(*name.split("."))
    return path.is_dir() or path.with_suffix(".py").is_file()
