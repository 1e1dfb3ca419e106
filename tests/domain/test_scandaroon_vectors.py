"""The worked examples of `docs/rules/scandaroon.md`, word for word."""

import pytest

from tests.domain.scandaroon_notation import at, outcome, play, table
from tests.kit.worked import Vector, vectors

EXAMPLES = vectors("scandaroon", r"\d+ \[SD-\d+\]")


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.title.split()[0])
def test_the_worked_examples_come_out_as_printed(example: Vector):
    outcome(play(at(example.before), example.moves), example.after)


def test_no_example_is_missing():
    assert [int(example.title.split()[0]) for example in EXAMPLES] == [*range(1, 115)]


UNKNOWN_TABLES = ["weather: fine", "turn=1", "n=5", "r0", "r0: ", "r0: Q1", "r0: M5+", "r0: M5*2", "r3: M5", "h0: S1 -",
                  "r0: M5; r0: M5", "trump=hearts", "trumps: none", "passed: x", "passed: 3", "stone0=lost",
                  "stones=pile", "value_floor=1", "foreign_empty_row=maybe", "record: 1", ""]  # fmt: skip


@pytest.mark.parametrize("text", UNKNOWN_TABLES)
def test_a_table_that_is_not_understood_is_refused(text: str):
    with pytest.raises((ValueError, TypeError)):
        table(text)


UNKNOWN_MOVES = ["0", "pass", "0 play", "0 play Q1>0", "0 play S1", "0 use x", "0 target 1", "0 place", "0 place row",
                 "0 set_trump hearts", "0 stone S1 as turban", "0 stone hand S1", "0 stone row 0 as none",
                 "0 exchange", "0 draw", "0 pass [", "0 pass,", ""]  # fmt: skip


@pytest.mark.parametrize("text", [move for move in UNKNOWN_MOVES if move])
def test_a_move_that_is_not_understood_is_refused(text: str):
    with pytest.raises(ValueError):
        play(at("h0: S1; r0: S2a; r1: M5"), text)


UNKNOWN_OUTCOMES = ["weather fine", "turn", "turn x", "phase lot", "trump hearts", "r0 Q1", "h0 -", "only0", "legal0",
                    "only0 draw", "current0 x", "stone0 lost", "record x: 1", "Illegal", ""]  # fmt: skip


@pytest.mark.parametrize("text", UNKNOWN_OUTCOMES)
def test_an_outcome_that_is_not_understood_is_refused(text: str):
    with pytest.raises((ValueError, KeyError)):
        outcome(at("h0: S1"), text)


WRONG_OUTCOMES = ["turn 1", "starter 2", "round 2", "phase over", "trump turban", "trumps turban scimitar", "draw S2a",
                  "disc S2a", "hands 0 0 0", "score 9 9 9", "piletotals 1 0 0", "first 0", "second 0", "nt 0",
                  "rank 1 0 0", "totals 1 0 0", "current0 5", "final0 5", "r0 M5", "h0 S2a", "pile0 M5", "stone0 gone",
                  "record 1: 0", "only0 pass", "legal0 - pass", "legal0 + use 0"]  # fmt: skip


@pytest.mark.parametrize("text", WRONG_OUTCOMES)
def test_a_wrong_outcome_is_noticed(text: str):
    with pytest.raises(AssertionError):
        outcome(at("h0: S1; r0: M6"), text)
