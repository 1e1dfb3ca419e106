"""The example learns. It takes a minute, so it runs with `--everything` only."""

import pytest

from agents.training.gym import SeatEnv
from examples.learn import Learner


@pytest.mark.by_default()
def test_the_example_learns_to_beat_random_play():
    learner = Learner(SeatEnv("skyjo", ("random",), options={"target_points": 1}, reward="points"))
    for _ in range(40):
        learner.improve()
    assert learner.evaluate(100) > 40
