"""The tables, whose shape changes with their version only."""

from service.extensions.puzzles.table import PUZZLES
from tests.projections.test_projection import shape


def test_a_changed_table_has_a_new_version() -> None:
    assert (PUZZLES.version, shape(PUZZLES.tables)) == (1, "c35f8a639057")
