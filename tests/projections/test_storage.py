"""The storage that a player uses: the bytes of all rows of the games that the player opened."""

from msgspec.structs import replace
from sqlalchemy import Engine, func, select

from domain.codec import encode
from domain.game.log import Stored
from projections.projection import Projections
from projections.schema import stored_games
from projections.storage import stored_bytes_of
from service.log.mapper import Row
from tests.projections.conftest import Given
from tests.projections.histories import Table, recorded


def applied(projections: Projections, rows: list[Row], size: int) -> None:
    """Apply the rows of one append; `size` is the size of their stream after it, in bytes."""
    after = projections.position()
    batch = [event._replace(size=size) for event in recorded(rows, after=after)]
    projections.apply(batch, after, batch[-1].position)


def test_a_game_counts_for_its_opener_from_its_opening_on(engine: Engine, projections: Projections) -> None:
    table = Table("g")
    applied(projections, table.open("ada", seats=2), 700)
    applied(projections, table.join("bob"), 5_000)
    assert (stored_bytes_of(engine, "id-ada"), stored_bytes_of(engine, "id-bob")) == (700, 0)


def test_later_appends_count_when_the_game_is_over(engine: Engine, projections: Projections, given: Given) -> None:
    first, second = Table("first"), Table("second")
    applied(projections, first.open("ada"), 700)
    applied(projections, second.open("ada"), 700)
    applied(projections, first.cancel(), 1_200)
    assert stored_bytes_of(engine, "id-ada") == 1_200 + 700
    applied(projections, second.leave(0), 900)
    assert stored_bytes_of(engine, "id-ada") == 1_200 + 900
    rows = [*(table := Table("third")).open("cem"), *table.leave(0)]
    given(rows)  # begins and ends in one batch
    assert stored_bytes_of(engine, "id-cem") == sum(len(encode(row.value)) for row in rows)
    with engine.begin() as connection:
        assert connection.execute(select(func.count()).select_from(stored_games)).scalar_one() == 0


def test_an_imported_game_counts_for_no_player(engine: Engine, projections: Projections) -> None:
    table = Table("g")
    rows = [*table.open("ada"), *table.cancel()]
    for row in rows:
        assert isinstance(row.value, Stored)
    applied(projections, [row._replace(value=replace(row.value, imported=True)) for row in rows], 10_000)
    assert stored_bytes_of(engine, "id-ada") == 0
