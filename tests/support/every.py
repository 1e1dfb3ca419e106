"""Parameters of tests of every ruleset."""

import pytest

from domain.rulesets import VERSIONS

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
