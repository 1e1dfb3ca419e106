"""The worked examples of `docs/rules/scout.md`, word for word."""

import pytest

from tests.domain.scout_notation import at, outcome, play, table
from tests.kit.worked import Vector, vectors

EXAMPLES = vectors("scout", r"SCV-\d+ \[SC-.+\]")


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.title.split()[0])
def test_the_worked_examples_come_out_as_printed(example: Vector):
    *accepted, _ = example.moves.split("; ")
    for number in range(len(accepted)):
        assert play(at(example.before), "; ".join(accepted[: number + 1])).events is not None
    outcome(play(at(example.before), example.moves), example.after)


def test_no_example_is_missing():
    assert [example.title.split()[0] for example in EXAMPLES] == [f"SCV-{n}" for n in range(1, 46)]


UNKNOWN_TABLES = ["weather=fine", "turn", "turn=", "turn=x", "n=6", "two=own", "ss=all", "phase=over", "phase=turn",
                  "combo=2,1,1", "h0=1", "h0=1/x", "h0=1/2  3/4", "h0=x", "h3=1/2", "h0=1/2 | h0=1/2",
                  "active=1/2", "active=1:", "chips=1, 2", "chips=1,2", "n=4 | combo=1,1,1", ""]  # fmt: skip


@pytest.mark.parametrize("text", UNKNOWN_TABLES)
def test_a_table_that_is_not_understood_is_refused(text: str):
    with pytest.raises(ValueError):
        table(text)


UNKNOWN_MOVES = ["0", "keep", "0 pass", "0 show 0", "0 show a b", "0 show 0 1 2", "0 scout middle 0", "0 scout left",
                 "0 scout left 0 show", "0 scout left 0 +show flip", "0 scout left 0 flip flip", ""]  # fmt: skip


@pytest.mark.parametrize("text", UNKNOWN_MOVES)
def test_a_move_that_is_not_understood_is_refused(text: str):
    with pytest.raises(ValueError):
        play(at("n=3"), text)


UNKNOWN_OUTCOMES = ["weather=fine", "turn", "turn=x", "phase=lot", "cause=boredom", "h0=1", "active=-", "only",
                    "only scout", "combo=yes", "Illegal", ""]  # fmt: skip


@pytest.mark.parametrize("text", UNKNOWN_OUTCOMES)
def test_an_outcome_that_is_not_understood_is_refused(text: str):
    with pytest.raises(ValueError):
        outcome(at("n=3"), text)


WRONG_OUTCOMES = ["turn=1", "starter=2", "round=2", "phase=over", "scouts=1", "chips=1,0,0", "combo=0,1,1",
                  "collected=1,0,0", "totals=1,0,0", "winners=0", "h0=1/2", "active=1: 5/6", "active=0: 5/7",
                  "active=0: -", "cause=unbeaten", "exempt=-", "points=0,0,0", "only show", "illegal"]  # fmt: skip


@pytest.mark.parametrize("text", WRONG_OUTCOMES)
def test_a_wrong_outcome_is_noticed(text: str):
    with pytest.raises(AssertionError):
        outcome(at("active=0: 5/6"), text)
