"""The trained bot of SCOUT: what it thinks that moves bring, and the net that values the rest."""

from random import Random

import pytest

from domain.nets import Net
from domain.rulesets.scout import SCOUT
from domain.rulesets.scout.rules import Options, for_two
from domain.rulesets.scout.trained import after, published_net
from domain.searching import Lots


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seats", "options"),
    [(2, Options()), (2, Options(two_player="seed")), (3, Options()),
     pytest.param(5, Options(), marks=pytest.mark.checked)],
)  # fmt: skip
def test_the_lead_after_a_move_is_the_one_that_the_move_brings(seats: int, options: Options) -> None:
    """Of every legal move of a round by lot, also of those that end it."""
    lots, dice = Random(seats), Lots(seats)
    state, ends = SCOUT.initial(seats, options, next(iter(SCOUT.decks.values()))), 0
    while not state.rounds:
        if not (acting := SCOUT.to_act(state)):
            state = SCOUT.fold(state, SCOUT.deal(state, dice))
            continue
        seat = acting[0]
        legal = SCOUT.legal(state, seat)
        for move in legal:
            found = after(state, seat, move)
            then = SCOUT.fold(state, SCOUT.decide(state, seat, move))
            if then.rounds and then.rounds[0].cause == "stuck":
                continue  # what the other seat can show is hidden
            if then.rounds:
                points = then.rounds[0].points
                assert found.numbers is None
                ends += 1
            else:
                points = tuple(each or 0 for each in SCOUT.tally(then).points)
                assert found.numbers is not None
                assert len(found.numbers) == len(published_net().layer[0])
            assert found.lead == seats * points[seat] - sum(points)
        state = SCOUT.fold(state, SCOUT.decide(state, seat, lots.choice(legal)))
    assert ends or for_two(state)  # there a round by lot ends when a seat is stuck


def test_the_net_sees_no_hidden_card() -> None:
    dice = Lots(3)
    state = SCOUT.initial(3, Options(), next(iter(SCOUT.decks.values())))
    while not SCOUT.to_act(state):
        state = SCOUT.fold(state, SCOUT.deal(state, dice))
    hidden = tuple(hand if seat == 0 else (None,) * len(hand) for seat, hand in enumerate(state.hands))
    view = type(state)(**{**{name: getattr(state, name) for name in state.__struct_fields__}, "hands": hidden})
    for move in SCOUT.legal(state, 0):
        assert after(view, 0, move) == after(state, 0, move)


def test_a_net_counts_only_units_that_answer() -> None:
    net = Net(unit=1, layer=((2, 0), (0, -1)), shift=(1, 0), last=(10, 100), base=5)
    assert net.value([3, 4]) == 5 + 10 * 7
    assert net.value([-1, -2]) == 5 + 100 * 2
