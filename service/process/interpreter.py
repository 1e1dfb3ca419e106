"""What this interpreter runs, and Python processes that it starts."""

import os
import sys
from collections import Counter
from collections.abc import Sequence
from importlib.machinery import ExtensionFileLoader

ROOT = __name__.partition("service.")[0]
"""What the names of the layers begin with: nothing in a working copy, `stammtisch.` in the installed package."""
PACKAGES = f"{ROOT}domain.", f"{ROOT}projections.", f"{ROOT}service."
"""The packages with modules that may be compiled."""

_held: list[int] = []


def command(arguments: Sequence[str]) -> list[str]:
    """This interpreter with these arguments. Nothing in the working directory is imported."""
    return [sys.executable, "-P", *arguments]


def environment() -> dict[str, str]:
    """The environment of this process, with which the other one finds the same modules."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


def hold(descriptor: int) -> None:
    """Pass this file descriptor to writer processes, which then hold it until they end, too."""
    _held.append(descriptor)


def held() -> tuple[int, ...]:
    return tuple(_held)


def compiled_modules() -> str:
    """How many of the modules that are loaded are compiled (`make accelerate`); empty if none is."""
    compiled = Counter(
        name.partition(".")[0]
        for name, module in sorted(sys.modules.items())
        if name.startswith(PACKAGES) and isinstance(module.__loader__, ExtensionFileLoader)
    )
    counts = [f"{number} of {package}" for package, number in compiled.items()]
    return ", ".join(counts).replace(" of", " modules of", 1)
