"""The picture of a move's way names functions that exist, each in the lane of its layer."""

import importlib
from operator import attrgetter

import pytest

from tests.docs.way import STEPS, Step


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.function)
def test_a_step_of_the_picture_is_a_function_in_its_lane(step: Step) -> None:
    module = importlib.import_module(step.module)
    assert callable(attrgetter(step.name.partition(".<locals>")[0])(module))
    assert (step.lane == "domain") == step.module.startswith("domain.")
