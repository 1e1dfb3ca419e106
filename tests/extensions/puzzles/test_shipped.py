"""The puzzles that are shipped: positions of current rules, each with a solution that can be made there."""

from collections import Counter
from datetime import date, timedelta

import msgspec
import pytest

from domain.codec import encode
from domain.rulesets import RULESETS
from service.extensions.puzzles.days import shipped, shipped_for
from service.extensions.puzzles.making import made

MADE_AGAIN = {"skyjo": 3002, "skyjo_action": 3000, "scout": 3004, "scopinion": 3023, "scandaroon": 3001}
"""By ruleset, the number of a game of the house with shipped puzzles: one that takes little time."""


def test_each_is_a_position_of_current_rules_with_its_legal_moves() -> None:
    for each in shipped():
        rules = RULESETS[each.ruleset]
        assert each.rules == rules.rules
        assert each.deck in rules.decks
        view = msgspec.convert(each.view | {"deck": rules.deck_of(rules.decks[each.deck].data)}, rules.state)
        legal = msgspec.json.decode(encode(rules.legal(view, each.seat)))
        assert legal == each.legal_moves
        assert each.solution in legal
        assert len(legal) > 2
        assert msgspec.json.decode(encode(view)) == each.view
        for seat, hand in enumerate(each.view.get("hands", [])):  # what others hold is hidden
            known = [card for card in hand if card is not None]
            assert seat == each.seat or each.ruleset != "scout" or known == []


def test_every_game_has_thirty_and_none_is_like_another() -> None:
    """For tables of two sizes at least. No position is there twice, and no move is the solution of more than ten."""
    for name in RULESETS:
        of_game = [each for each in shipped() if each.ruleset == name]
        assert len(of_game) >= 30
        assert len({each.seats for each in of_game}) >= 2
        assert len({msgspec.json.encode((each.view, each.seat)) for each in of_game}) == len(of_game)
        assert max(Counter(msgspec.json.encode(each.solution) for each in of_game).values()) <= 10


@pytest.mark.checked
@pytest.mark.turns("rulesets")
@pytest.mark.parametrize("ruleset", MADE_AGAIN)
def test_a_shipped_puzzle_is_judged_alike_again(ruleset: str) -> None:
    """The maker finds it in the same game, by the rule of reviews."""
    found = [*made(RULESETS[ruleset], [MADE_AGAIN[ruleset]])]
    assert found != []
    assert all(each in shipped() for each in found)


def test_every_day_has_its_own_and_a_day_that_is_none_has_none() -> None:
    first = date(2026, 11, 29)
    days = [shipped_for((first + timedelta(days=number)).isoformat(), RULESETS) for number in range(len(shipped()))]
    assert Counter(msgspec.json.encode(each) for each in days).most_common(1)[0][1] == 1
    assert shipped_for(first.isoformat(), RULESETS) == shipped_for(first.isoformat(), RULESETS)
    for wrong in ("2026-02-30", "0000-00-00"):
        assert shipped_for(wrong, RULESETS) is None


@pytest.mark.parametrize("served", [(), ("scout",)])
def test_only_games_that_are_served_have_puzzles(served: tuple[str, ...]) -> None:
    found = shipped_for("2026-11-29", {name: RULESETS[name] for name in served})
    assert (found and found.ruleset) in {None, *served}


def test_a_shipped_solution_exceeds_the_next_best_move_for_certain() -> None:
    assert all(each.gap - 2 * each.error > 0 for each in shipped())
