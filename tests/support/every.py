"""Parameters of tests of every ruleset, and everything of other kinds that a test goes through."""

from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules

import pytest

from domain.rulesets import VERSIONS
from service import extensions
from service.api.problems import Problem

every_table = pytest.mark.parametrize(
    ("rules", "seats"),
    [
        pytest.param(
            rules, seats, id=f"{rules.rules}-{seats}",
            marks=() if seats in (min(rules.seats), max(rules.seats)) else pytest.mark.repetition,
        )
        for rules in VERSIONS.values()
        for seats in rules.seats
    ],
)  # fmt: skip
"""Every number of seats; by default the fewest and the most."""


def every_problem() -> list[type[Problem]]:
    """The problem types of the service and its extensions, whatever was imported before."""
    for module in iter_modules(extensions.__path__, f"{extensions.__name__}."):
        name = f"{module.name}.problems"
        if module.ispkg and find_spec(name):
            import_module(name)
    return [kind for kind in Problem.__subclasses__() if kind.__module__.startswith("service.")]
