"""What all tests share: hypothesis without surprises, and asserts that explain themselves in helpers as well."""

import pytest
from hypothesis import HealthCheck, settings

pytest.register_assert_rewrite("tests.laws", "tests.spec")

# Derandomized: the same examples everywhere, so a red build is red at home too. `pytest --hypothesis-profile=search`
# looks for new ones. A game played by the laws takes longer than hypothesis thinks an example should.
settings.register_profile(
    "build", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("search", parent=settings.get_profile("build"), derandomize=False, max_examples=1000)
settings.load_profile("build")
