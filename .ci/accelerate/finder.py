"""Imports compiled modules in place of their sources, as long as both are the same.

`make accelerate` installs this file as the package `stammtisch_accelerated`, with the compiled modules beside it, and
has every interpreter of the environment import it at its start. The name of a compiled module contains the hash of its
source, like the header of a hash-based .pyc file. So a module that was changed afterwards is imported from its source.

With `PURE_PYTHON=1` in the environment all modules are.
"""

import os
import sys
from collections.abc import Sequence
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import source_hash, spec_from_file_location
from pathlib import Path
from types import ModuleType

CYTHON = "3.3.1"
DIRECTIVES = {"language_level": 3, "annotation_typing": False, "binding": True}
"""`annotation_typing`: an `int` is not made a number of the machine, which could overflow. `binding`: functions have
signatures and bind to instances, as in Python."""
OPTIONS = ("-O2", "-g0")
"""Of the C compiler."""

RECIPE = repr((CYTHON, DIRECTIVES, OPTIONS)).encode()


def file_name(module: str, source: bytes) -> str:
    """The name of the module's compiled file for this interpreter and this recipe."""
    return f"{module}-{source_hash(RECIPE + source).hex()}{EXTENSION_SUFFIXES[0]}"


class CompiledLoader(ExtensionFileLoader):
    """Loads a compiled module that has the same attributes as a pure one: `__file__` is its source."""

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        compiled = spec_from_file_location(spec.name, self.path, loader=self)
        assert compiled is not None
        module = super().create_module(compiled)
        assert spec.origin is not None
        module.__file__ = spec.origin
        return module


class CompiledFinder:
    """Finds modules whose compiled file is in the folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._modules = {file.name.partition("-")[0] for file in folder.glob(f"*{EXTENSION_SUFFIXES[0]}")}
        """The modules with a compiled file, maybe of another source."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name not in self._modules:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is None or spec.origin is None or not isinstance(spec.loader, SourceFileLoader):
            return None
        compiled = self._folder / file_name(name, Path(spec.origin).read_bytes())
        if compiled.exists():
            spec.loader = CompiledLoader(name, str(compiled))
        return spec


def install(folder: Path) -> None:
    if os.environ.get("PURE_PYTHON", "") in ("", "0"):
        sys.meta_path.insert(0, CompiledFinder(folder))
