"""The worked examples of `docs/rules/skyjo_action.md`, word for word."""

import pytest

from tests.domain.skyjo_action_notation import begin, last_turn, outcome, play, table
from tests.kit.spec import Given
from tests.kit.worked import Vector, vectors

EXAMPLES = vectors("skyjo_action", r"T\d+ .+ \[(?:SA-|edge ).+\]", r"(.*?) ?")


def played(before: str, moves: str) -> Given:
    """`reveal`: the final lap has just ended; after that, or instead of it, moves."""
    if moves == "reveal" or moves.startswith("reveal; "):
        game, moves = last_turn(table(before)), moves.removeprefix("reveal").removeprefix("; ")
    else:
        game = begin(before)
    return play(game, moves) if moves else game


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.title.split()[0])
def test_the_worked_examples_come_out_as_printed(example: Vector):
    outcome(played(example.before, example.moves), example.after)


def test_no_example_is_missing():
    assert [example.title.split()[0] for example in EXAMPLES] == [f"T{n}" for n in range(1, 56)]


UNKNOWN_TABLES = ["weather fine", "turn", "turn x", "turn 0 1", "draw", "draw 5 x", "draw none 5", "phase flip",
                  "option deck=small", "option star_action=can", "option short_rows", "0: 1 2 3",
                  "0: 1 1 1 1 / 1 1 1 1 / 1 1 1 [1]", "0: 1 1 1 1 / 1 1 1 1 / 1 1 1 ~1",
                  "9: 1 1 1 1 / 1 1 1 1 / 1 1 1 1",
                  "0: 1 1 1 1 / 1 1 1 1 / 1 1 1 1 | 0: 1 1 1 1 / 1 1 1 1 / 1 1 1 1", "row defence", "pile",
                  "pile attack", "adiscard", "hand 0: attack", "hand 0:", "hand 0: none | hand 0: none", "seats",
                  "discard", "totals", "bonus *"]  # fmt: skip


@pytest.mark.parametrize("text", UNKNOWN_TABLES)
def test_a_table_that_is_not_understood_is_refused(text: str):
    with pytest.raises(ValueError):
        table(text)


UNKNOWN_OUTCOMES = ["weather fine", "turn", "turn x", "finisher", "draw", "points", "phase choose", "legal 0",
                    "legal 0:", "legal 0: pass", "legal 0: flip", "illegal 0 pass", "allowed 0 pass", "0: 1 2",
                    "decide 0", "decide 0 end", "decide 0 think", "restock none", "row defence", "hand 0:", "moves",
                    "legal 0: take_action deck", ""]  # fmt: skip


@pytest.mark.parametrize("text", UNKNOWN_OUTCOMES)
def test_an_outcome_that_is_not_understood_is_refused(text: str):
    with pytest.raises(ValueError):
        outcome(begin("turn 0"), text)


WRONG_OUTCOMES = ["turn 1", "finisher 0", "starter 0", "draw none", "discard 9", "totals 1 1", "winners 0", "bonus 1 1",
                  "phase over", "legal 0: draw", "legal 1: take", "illegal 0 take", "allowed 0 toss", "decide 1 choose",
                  "decide 0 star", "decide 0 place", "moves 2", "hand 0: defence", "pile none", "adiscard defence",
                  "row - - - -", "points 0 0", "0: . . . . / . . . . / . . . ."]  # fmt: skip


@pytest.mark.parametrize("text", WRONG_OUTCOMES)
def test_a_wrong_outcome_is_noticed(text: str):
    with pytest.raises(AssertionError):
        outcome(begin("turn 0"), text)


@pytest.mark.parametrize("moves", ["0 toss", "1 draw", "0 play defence"])
def test_a_move_of_an_example_that_is_refused_is_noticed(moves: str):
    with pytest.raises(AssertionError):
        played("turn 0", moves)
