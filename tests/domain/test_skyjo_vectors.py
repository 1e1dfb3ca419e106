"""The worked examples of `docs/rules/skyjo.md`, word for word."""

import pytest

from domain.fairness.chance import Dealer
from domain.rulesets.skyjo import SKYJO
from tests.domain.skyjo_notation import last_turn, move, number, outcome, table
from tests.kit.spec import Given, given
from tests.kit.worked import Vector, vectors

EXAMPLES = vectors("skyjo", r"T\d+ .+ \[SK-.+\]")


def play(start: Given, text: str) -> Given:
    """Make the moves; the dealer restocks where a draw needs it, but does not deal another round."""
    game = start
    for part in text.split("; "):
        seat, _, rest = part.partition(" ")
        game = game.when(number(seat), move(rest))
        if game.state.phase == "restock":
            game = game.dealt(Dealer(b"any", "", (), 0))
    return game


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.title.split()[0])
def test_the_worked_examples_come_out_as_printed(example: Vector):
    state = table(example.before)
    outcome(last_turn(state) if example.moves == "reveal" else play(given(SKYJO, state), example.moves), example.after)


def test_no_example_is_missing():
    assert [example.title.split()[0] for example in EXAMPLES] == [f"T{n}" for n in range(1, 24)]


UNKNOWN_TABLES = ["weather fine", "turn", "turn x", "turn 0 1", "draw", "draw 5 x", "phase flip",
                  "option deck=small", "0: 1 2 3", "0: 1 1 1 1 / 1 1 1 1 / 1 1 1 [1]",
                  "0: 1 1 1 1 / 1 1 1 1 / 1 1 1 1 | 0: 1 1 1 1"]  # fmt: skip


@pytest.mark.parametrize("text", UNKNOWN_TABLES)
def test_a_table_that_is_not_understood_is_refused(text: str):
    with pytest.raises(ValueError):
        table(text)


UNKNOWN_OUTCOMES = ["weather fine", "turn", "turn x", "finisher", "draw", "points", "phase choose", "legal 0",
                    "legal 0:", "legal 0: pass", "legal 0: flip", "illegal 0 pass", "0: 1 2",
                    "restock none", ""]  # fmt: skip


@pytest.mark.parametrize("text", UNKNOWN_OUTCOMES)
def test_an_outcome_that_is_not_understood_is_refused(text: str):
    with pytest.raises(ValueError):
        outcome(given(SKYJO, table("turn 0")), text)


WRONG_OUTCOMES = ["turn 1", "finisher 0", "starter 0", "draw none", "discard 9", "totals 1 1", "winners 0",
                  "phase over", "legal 0: draw", "legal 1: take", "illegal 0 take",
                  "0: . . . . / . . . . / . . . ."]  # fmt: skip


@pytest.mark.parametrize("text", WRONG_OUTCOMES)
def test_a_wrong_outcome_is_noticed(text: str):
    with pytest.raises(AssertionError):
        outcome(given(SKYJO, table("turn 0")), text)
