"""The ratings that follow from results."""

from itertools import combinations, permutations

import pytest

from domain.ruleset import Result
from projections.results import Rating
from service.extensions.standings.ratings import newcomer, places, rated, teams

STRONG, WEAK = Rating(30.0, 2.0, 24.0), Rating(20.0, 2.0, 14.0)


@pytest.mark.parametrize(
    ("result", "distances"),
    [
        (Result((10, 30, 20), (1,)), [21, 0, 11]),  # most points win
        (Result((10, 30, 20), (0,)), [0, 21, 11]),  # fewest points win
        (Result((-5, 7, -5), (1,)), [13, 0, 13]),
        (Result((20, 20, 10), (0, 1)), [0, 0, 11]),
        (Result((20, 20, 10), (0,)), [0, 1, 11]),  # points were not decisive
        (Result((0, 0), (0, 1)), [0, 0]),
    ],
)
def test_winners_come_first_and_the_others_by_the_distance_of_their_points(
    result: Result, distances: list[int]
) -> None:
    assert places(result) == distances


def test_a_new_player_has_the_mean_rating_with_the_greatest_uncertainty() -> None:
    assert newcomer() == Rating(25.0, 8.3333, 0.0001)


def test_a_better_place_gives_a_higher_rating() -> None:
    for scores in permutations((40, 30, 20, 10)):
        winner = scores.index(40)
        after = rated([newcomer()] * 4, Result(scores, (winner,)))
        ranked = sorted(range(4), key=lambda seat: -after[seat].mu)
        assert [scores[seat] for seat in ranked] == [40, 30, 20, 10]
        assert all(rating.sigma < newcomer().sigma for rating in after)


def test_players_who_share_a_place_get_the_same_rating() -> None:
    for one, other in combinations(range(4), 2):
        scores = tuple(9 if seat in (one, other) else 3 for seat in range(4))
        after = rated([newcomer()] * 4, Result(scores, (one, other)))
        assert after[one] == after[other]
        assert len(set(after)) == 2


def test_an_unexpected_result_changes_ratings_more_than_an_expected_one() -> None:
    expected, _ = rated([STRONG, WEAK], Result((2, 1), (0,)))
    _, surprise = rated([STRONG, WEAK], Result((1, 2), (1,)))
    assert 0 < expected.mu - STRONG.mu < surprise.mu - WEAK.mu


def test_a_tie_brings_the_ratings_closer_together() -> None:
    strong, weak = rated([STRONG, WEAK], Result((1, 1), (0, 1)))
    assert WEAK.mu < weak.mu < strong.mu < STRONG.mu


def test_the_ordinal_is_three_sigma_below_mu() -> None:
    for rating in rated([STRONG, WEAK, newcomer()], Result((3, 1, 2), (0,))):
        assert rating.ordinal == pytest.approx(rating.mu - 3 * rating.sigma, abs=1e-4)
        assert all(number == round(number, 4) for number in (rating.mu, rating.sigma, rating.ordinal))


TEAMS = ((0, 2), (1, 3))


def test_partners_win_and_lose_together() -> None:
    after = rated([newcomer()] * 4, Result((5, 3, 5, 3), (0, 2), teams=TEAMS))
    assert after[0] == after[2]
    assert after[1] == after[3]
    assert after[0].mu > newcomer().mu > after[1].mu
    assert after != rated([newcomer()] * 4, Result((5, 3, 5, 3), (0, 2)))


def test_a_single_team_has_no_opponent() -> None:
    ratings = [newcomer(), Rating(30.0, 5.0, 15.0)]
    for winners in ((0, 1), ()):
        result = Result((7, 7), winners, teams=((0, 1),))
        assert rated(ratings, result) == ratings
        assert places(result) == [0, 0]


def test_ranks_say_who_did_better_where_points_do_not() -> None:
    assert places(Result((0, 0, 0), (1,), ranks=(2, 0, 1))) == [2, 0, 1]


def test_partners_who_left_are_alone() -> None:
    result = Result((5, 3, 5, 3), (0, 2), teams=TEAMS)
    assert teams(result, 4, [2]) == [(0,), (1, 3), (2,)]
    assert teams(Result((1, 2), (1,)), 2) == [(0,), (1,)]
    assert teams(None, 2) == [(0,), (1,)]
