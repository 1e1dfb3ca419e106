"""The golden games of this project, by ruleset and version; see `stammtisch.testing.golden`.

`python -m tests.golden` adds the missing games, after asking, and never changes an existing one.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from domain.game import Rules
from stammtisch.testing import golden as kit
from stammtisch.testing.golden import (
    Golden,
    all_games,
    classes,
    decisions_of,
    freeze,
    given_up,
    golden,
    kinds_of,
    lines,
    plan,
    play,
    soon_over,
    tags,
    tags_in,
)

__all__ = [
    "FOLDER", "Golden", "all_games", "classes", "decisions_of", "folder", "freeze", "given_up", "golden", "kinds_of",
    "lines", "missing", "plan", "play", "read", "soon_over", "tags", "tags_in",
]  # fmt: skip

FOLDER = Path(__file__).parent

read = cache(kit.read)
"""Of one file after another: many tests read the same games, which takes 0.4 s of processor time."""


def folder(rules: Rules, root: Path = FOLDER) -> Path:
    return kit.folder(rules, root)


def missing(rules: Rules, root: Path = FOLDER) -> Iterator[tuple[Path, bytes]]:
    return kit.missing(rules, root)
