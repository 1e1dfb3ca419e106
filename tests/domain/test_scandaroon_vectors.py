"""The worked examples of Scandaroon's rules document, word for word."""

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.domain.scandaroon_notation import at, outcome, play, table

TEXT = Path(__file__).with_name("vectors").joinpath("scandaroon.txt").read_text(encoding="utf-8")


class Vector(NamedTuple):
    title: str
    before: str
    moves: str
    after: str


def vectors(text: str) -> list[Vector]:
    """Two lines each: `n [rule] :: given`, and `when => then`."""
    lines = text.splitlines()
    return [vector(*lines[i : i + 2]) for i in range(0, len(lines), 2)]


def vector(first: str, second: str) -> Vector:
    title, before = re.fullmatch(r"(\d+ \[SD-\d+\]) :: (.+)", first).groups()
    made, after = re.fullmatch(r"    (.+) => (.+)", second).groups()
    return Vector(title, before, made, after)


@pytest.mark.parametrize("example", vectors(TEXT), ids=lambda example: example.title.split()[0])
def test_the_worked_examples_come_out_as_printed(example: Vector):
    outcome(play(at(example.before), example.moves), example.after)


def test_no_example_is_missing():
    assert [int(example.title.split()[0]) for example in vectors(TEXT)] == [*range(1, 115)]
