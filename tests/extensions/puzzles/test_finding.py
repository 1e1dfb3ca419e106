"""Which moments of finished games are puzzles."""

from typing import Any

import pytest

from agents.review.moments import Moment, moments
from agents.review.values import Valuation
from agents.review.weighing import thresholds
from domain.rulesets.scout import SCOUT
from service.extensions.puzzles.finding import puzzles
from tests.agents.test_review import CHEAP, game


@pytest.mark.checked
def test_a_puzzle_has_one_clearly_best_move(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("service.extensions.puzzles.finding.WORLDS", 24)
    played = game(SCOUT)
    [asked] = [moment for moment in moments(played) if moment.version == 40]
    monkeypatch.setattr("service.extensions.puzzles.finding.moments", lambda _: [asked])
    [(version, puzzle)] = puzzles(played, CHEAP._replace(moves=4, sift=6))
    assert puzzle.solution in puzzle.moves
    assert SCOUT.legal(puzzle.view, puzzle.seat) == [*puzzle.moves]
    assert puzzle.gap * 2 >= thresholds(SCOUT, 3)[1]
    assert version == 40


@pytest.mark.parametrize(("rest", "gaps"), [(0, 1), (7, 0)], ids=["one best move", "two equal ones"])
def test_a_puzzle_has_no_other_solution(monkeypatch: pytest.MonkeyPatch, rest: int, gaps: int):
    """Also moves that the house player does not consider, which the sift never tries. The gap is measured in
    other worlds than those that found the solution."""
    sifted = list[int]()

    def tried(_: Valuation, __: Moment, moves: list[int], purpose: str, number: int, **___: Any) -> Any:
        """The second move is the best one; those that are not sifted are worth `rest`."""
        if purpose == "sift" and not number:
            sifted[:] = moves
        worth = [7 - 2 * (purpose == "gap") if move == sifted[1] else 0 if move in sifted else rest for move in moves]
        return [(each + number % 2,) * 3 for each in worth]

    monkeypatch.setattr(Valuation, "tried", tried)
    monkeypatch.setattr("service.extensions.puzzles.finding.WORLDS", 4)
    played = game(SCOUT)
    wide = [each for each in moments(played) if len(each.legal) > 9]
    monkeypatch.setattr("service.extensions.puzzles.finding.moments", lambda _: wide[:1])
    found = [puzzle for _, puzzle in puzzles(played, CHEAP._replace(moves=4))]
    assert [each.gap for each in found] == [2.5] * gaps
    assert [each.solution for each in found] == [wide[0].legal[sifted[1]]] * gaps
