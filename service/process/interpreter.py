"""What this interpreter runs, and Python processes that it starts."""

import os
import sys
from collections.abc import Sequence

ROOT = __name__.partition("service.")[0]
"""What the names of the layers begin with: nothing in a working copy, `stammtisch.` in the installed package."""


def command(arguments: Sequence[str]) -> list[str]:
    """This interpreter with these arguments. Nothing in the working directory is imported."""
    return [sys.executable, "-P", *arguments]


def environment() -> dict[str, str]:
    """The environment of this process, with which the other one finds the same modules."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
