"""The worked examples of `docs/rules`, read from `tests/domain/vectors`."""

import re
from pathlib import Path
from typing import NamedTuple

VECTORS = Path(__file__).parents[1] / "domain" / "vectors"


class Vector(NamedTuple):
    title: str
    before: str
    moves: str
    after: str


def vectors(ruleset: str, title: str, moves: str = r"(.+) ") -> list[Vector]:
    """Parse examples of two lines: `TITLE :: given` and `when => then`.

    `title` and `moves` are regular expressions for the title and for the part before `=>`.
    """
    lines = VECTORS.joinpath(f"{ruleset}.txt").read_text(encoding="utf-8").splitlines()
    return [vector(title, moves, *lines[i : i + 2]) for i in range(0, len(lines), 2)]


def vector(titled: str, moved: str, first: str, second: str) -> Vector:
    title, before = re.fullmatch(rf"({titled}) :: (.+)", first).groups()
    made, after = re.fullmatch(rf"    {moved}=> (.+)", second).groups()
    return Vector(title, before, made, after)
