"""Results against the same seat at the other tables."""

from random import Random

import pytest

from domain.game import Rules
from domain.rulesets import RULESETS
from service.extensions.pairings.field import compared
from stammtisch.testing import playing


def test_points_are_compared_with_those_of_the_same_seat() -> None:
    found = compared({"a": (30, 1), "b": (10, 2), "c": (10, 3)})
    assert [found[table][0].gained for table in "abc"] == [20, -10, -10]
    assert [found[table][0].ahead_of for table in "abc"] == [1, 0.25, 0.25]
    assert [found[table][0].place for table in "abc"] == [1, 2, 2]
    assert [found[table][1].place for table in "abc"] == [3, 2, 1]


def test_equal_results_have_equal_figures() -> None:
    found = compared({str(number): (7,) for number in range(5)})
    assert {(each.gained, each.ahead_of, each.place, each.field) for (each,) in found.values()} == {(0, 0.5, 1, 5)}


def test_a_seat_without_a_result_counts_for_nobody_else() -> None:
    with_results = compared({"a": (3,), "b": (1,)})
    found = compared({"a": (3,), "b": (1,), "left": (None,)})
    assert {table: found[table] for table in "ab"} == with_results
    assert (found["left"][0].ahead_of, found["left"][0].place, found["left"][0].gained) == (0, 3, None)


def test_the_only_result_is_compared_with_nobody() -> None:
    ((alone,),) = compared({"a": (3,)}).values()
    assert (alone.gained, alone.ahead_of, alone.place) == (None, None, 1)
    assert compared({}) == {}


def test_match_points_of_a_field_add_up_to_half_of_its_pairs() -> None:
    dice = Random(1)
    for size in (2, 3, 10, 200):
        found = compared({str(number): (dice.randrange(20),) for number in range(size)})
        assert sum(each.ahead_of or 0 for (each,) in found.values()) == pytest.approx(size / 2)


class Counted(int):
    """A number that counts how often it is compared."""

    compared = 0

    def __lt__(self, other: int) -> bool:
        Counted.compared += 1
        return int(self) < int(other)


def test_a_large_field_costs_as_much_as_its_tables() -> None:
    """But for a sort of the different points: the comparisons do not grow with the pairs of tables."""
    size = 10_000
    compared({str(number): (Counted(number * 7919 % 101),) for number in range(size)})
    assert Counted.compared < 2_000


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
def test_points_of_results_are_those_that_decide_the_game(ruleset: Rules) -> None:
    """So a projection can compare results without the state."""
    for seed in range(3):
        table = playing.Table(ruleset.seats[0], ruleset.options(), seed, 50_000)
        state = playing.record(ruleset, table, playing.at_random(Random(seed)))[0][-1].game.state
        result = ruleset.outcome(state)
        assert result is not None
        sign = -1 if ruleset.fewest else 1
        assert tuple([sign * score for score in result.scores]) == ruleset.standing(state)
