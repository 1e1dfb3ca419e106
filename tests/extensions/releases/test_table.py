"""The table, whose shape changes with its version only, and which does not grow."""

from pathlib import Path

from projections.database import open_engine, reading
from projections.projection import Projections
from service.extensions.releases.table import KEPT, RELEASES, files_of, keep, releases
from tests.projections.test_projection import shape


def test_a_changed_table_has_a_new_version() -> None:
    assert (RELEASES.version, shape(RELEASES.tables)) == (1, "0465a0822d57")


def test_the_releases_that_started_last_are_kept(tmp_path: Path) -> None:
    engine = open_engine(f"sqlite:///{tmp_path / 'projections.db'}")
    Projections(engine, [RELEASES]).prepare()
    for number in range(KEPT):
        keep(engine, f"{number}", b"%d" % number, number)
    keep(engine, "0", b"again", KEPT)  # an old release that is still in use starts again
    keep(engine, "new", b"new", KEPT + 1)
    assert files_of(engine, "0") == b"again"
    assert files_of(engine, "new") == b"new"
    assert files_of(engine, "1") is None
    with reading(engine) as connection:
        assert len(connection.execute(releases.select()).all()) == KEPT
    engine.dispose()
