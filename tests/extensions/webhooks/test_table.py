"""The table of deliveries, whose shape changes with its version only."""

from service.extensions.webhooks.outbox import OUTBOX
from tests.projections.test_projection import shape


def test_a_changed_table_has_a_new_version() -> None:
    assert (OUTBOX.version, shape(OUTBOX.tables)) == (4, "db7f0c21537f")
