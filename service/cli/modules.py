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
    sys.path.insert(0, str(Path.cwd()))
    return getattr(import_module(module), attribute)
