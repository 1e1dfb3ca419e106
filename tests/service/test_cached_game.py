"""What a cached game answers from what it remembers is what its whole log tells."""

from random import Random

import pytest

from domain.rulesets import RULESETS
from service.games.cached_game import MIN_TAIL_LENGTH, CachedGame
from service.games.errors import ViewsMissing
from stammtisch.testing.playing import Rules, at_random
from stammtisch.testing.undoing import Undoing, undoing


def answers(cached: CachedGame, sitting: Undoing) -> list[object]:
    """By seat, the version of the move that the cached game lets it take back. Views are read if they are missing."""
    try:
        return [cached.undo(seat) for seat in range(len(sitting.views))]
    except ViewsMissing:
        for viewer in (None, *range(len(sitting.views))):
            cached.views.of(viewer, sitting.log)
        return [cached.undo(seat) for seat in range(len(sitting.views))]


def compared(rules: Rules, seed: int, mode: str, most: int = 60) -> tuple[int, int]:
    """A random game with take-backs, whose cached game is asked after some appends. Returns how often a move could be
    taken back, and how often a game that was just loaded was asked."""
    dice, free, loaded = Random(seed), 0, 0
    sitting = undoing(rules, None, None, dice.choice((None, "random/1")), mode=mode)
    cached, choose = CachedGame.of(rules, sitting.game.id, sitting.log), at_random(dice)
    often = dice.choice((0.1, 0.5, 1))
    while most and sitting.game.status == "running":
        most, known = most - 1, len(sitting.log)
        mover = sitting.made[-1].seat
        if not (mover is not None and dice.random() < 0.4 and sitting.take_back(mover)):
            if mode == "agreed" and dice.random() < 0.3:
                sitting.some_vote(dice, dice.choice(sitting.game.present))
            elif choice := choose(rules, sitting.game):
                sitting.move(*choice)
        cached.apply(sitting.log[known:])
        if dice.random() < often:
            found = [sitting.free(seat) for seat in range(len(sitting.views))]
            expected = [each.last if each is not None else None for each in found]
            assert answers(cached, sitting) == expected
            free += any(found)
            if dice.random() < 0.1:
                cached, loaded = CachedGame.of(rules, sitting.game.id, sitting.log), loaded + 1
                assert answers(cached, sitting) == expected
    return free, loaded


@pytest.mark.parametrize("mode", ["free", "agreed"])
def test_a_cached_game_knows_what_can_be_taken_back(mode: str, everything: bool):
    rulesets = list(RULESETS) if everything else ["skyjo", "scandaroon"]
    for name in rulesets:
        free, loaded = map(sum, zip(*[compared(RULESETS[name], seed, mode) for seed in range(6)], strict=True))
        assert free
        assert loaded


@pytest.mark.parametrize("name", ["skyjo", "scopinion"])
@pytest.mark.parametrize("entries", [2 * MIN_TAIL_LENGTH - 1, 4 * MIN_TAIL_LENGTH], ids=["all stay", "longer"])
def test_a_move_in_a_loaded_game_needs_no_more_of_its_log(entries: int, name: str):
    """Neither for the view of the player who moves nor for the undo of the move."""
    rules = RULESETS[name]
    sitting, choose = undoing(rules, None, None), at_random(Random(1))
    while (choice := choose(rules, sitting.game)) and len(sitting.log) < entries + 40:
        known, (seat, move) = len(sitting.log), choice
        loaded = CachedGame.of(rules, sitting.game.id, sitting.log)
        sitting.move(seat, move)
        if known < entries:
            continue
        loaded.apply(sitting.log[known:])
        assert loaded.view(seat) == sitting.views[seat]
        assert loaded.undo(seat) == getattr(sitting.free(seat), "last", None)
