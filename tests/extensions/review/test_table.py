"""The tables, whose shape changes with their version only."""

from service.extensions.review.table import REVIEWS
from tests.projections.test_projection import shape


def test_a_changed_table_has_a_new_version() -> None:
    assert (REVIEWS.version, shape(REVIEWS.tables)) == (2, "42dcd44883f4")
