"""The laws of every ruleset, for the tests of its package. `stammtisch check` runs the same without pytest.

    from stammtisch.testing import given, laws_of

    test_laws = laws_of(HEARTS)

A failure says which law is broken, at which event, for which seat, what to do, and the command that repeats it.
"""

from stammtisch.testing.broken import Broken
from stammtisch.testing.checking import check, laws_of
from stammtisch.testing.frozen import golden_of
from stammtisch.testing.spec import given

__all__ = ["Broken", "check", "given", "golden_of", "laws_of"]
