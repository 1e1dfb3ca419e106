"""What this interpreter runs, and Python processes that it starts."""

import os
import sys
from collections.abc import Sequence
from importlib.machinery import ExtensionFileLoader


def command(arguments: Sequence[str]) -> list[str]:
    """This interpreter with these arguments. Nothing in the working directory is imported."""
    return [sys.executable, "-P", *arguments]


def environment() -> dict[str, str]:
    """The environment of this process, with which the other one finds the same modules."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


def compiled_rules() -> tuple[int, int]:
    """How many of the modules with rules that are loaded are compiled (`make accelerate`), and how many are loaded."""
    loaded = [
        isinstance(module.__loader__, ExtensionFileLoader)
        for name, module in [*sys.modules.items()]
        if name.startswith("domain.") and not hasattr(module, "__path__")
    ]
    return sum(loaded), len(loaded)
