"""Code of users, which they name on the command line."""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any


def imported(name: str) -> Any:
    """The object `MODULE:NAME`, also of a module in the current folder.

    Raises ImportError, AttributeError or ValueError.
    """
    module, _, attribute = name.partition(":")
    search_here()
    return getattr(import_module(module), attribute)


def search_here() -> None:
    """From now on modules of the current folder are found, also by processes that are started later."""
    if (here := str(Path.cwd())) not in sys.path:
        sys.path.insert(0, here)
