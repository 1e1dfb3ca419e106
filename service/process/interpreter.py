"""What this interpreter runs, and Python processes that it starts."""

import os
import sys
from collections.abc import Sequence

ROOT = __name__.partition("service.")[0]
"""What the names of the layers begin with: nothing in a working copy, `stammtisch.` in the installed package."""

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
