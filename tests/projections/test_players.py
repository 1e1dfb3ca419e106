"""The numbers and ids of a player's games."""

from random import Random

from sqlalchemy import Engine

from domain.game import OPEN, SeatTerms
from projections import players
from projections.players import Activity, Played, activity, games_of, unfinished, unfinished_games
from tests.projections.conftest import Given
from tests.projections.histories import Table


def test_a_profile_counts_the_games_that_the_player_sits_at(engine: Engine, given: Given) -> None:
    played, running, waiting, watched = (Table(name) for name in ("played", "running", "waiting", "watched"))
    given(
        played.open("ada", hotseat=True), played.play(Random(1)), running.open("bob", seats=2), running.join("ada"),
        waiting.open("ada"), watched.open("ada", sit=False),
    )  # fmt: skip
    name = played.rules.name
    counts = (Played(name, "finished", 1), Played(name, "running", 1), Played(name, "waiting", 1))
    assert activity(engine, "id-ada", None) == Activity(counts, ())


def test_private_games_are_counted_for_the_player_only(engine: Engine, given: Given) -> None:
    table = Table("g")
    given(table.open("ada", private=True))
    assert activity(engine, "id-ada", "id-ada") == Activity((Played(table.rules.name, "waiting", 1),), ())
    for stranger in (None, "id-bob"):
        assert activity(engine, "id-ada", stranger) == Activity((), ())
    for unknown in ("id-bob", "\0", "\ud800"):
        assert activity(engine, unknown, None) == Activity((), ())


def test_the_games_of_a_player_are_those_that_they_sit_at_or_opened(engine: Engine, given: Given) -> None:
    waits, opened, over, private = (Table(name) for name in ("waits", "opened", "over", "private"))
    given(
        waits.open("bob", seats=3), waits.join("ada"), opened.open("ada", sit=False), over.open("ada", hotseat=True),
        over.play(Random(1)), private.open("ada", private=True), Table("other").open("bob"),
        Table("invited").open("bob", places=(OPEN, SeatTerms(player="id-ada"))),
    )  # fmt: skip
    assert set(games_of(engine, "id-ada")) == {"waits", "opened", "over", "private", "invited"}
    assert {game for _, game in unfinished_games(engine, "id-ada")} == {"waits", "opened", "private", "invited"}
    assert {ruleset for ruleset, _ in unfinished_games(engine, "id-ada")} == {waits.rules.name}


# --- unfinished games ---------------------------------------------------------------------------------------------


def test_unfinished_games_count_however_many_were_opened_since(engine: Engine, given: Given) -> None:
    """600 newer games that were opened and aborted do not change the count."""
    given(*(Table(f"waits-{number}").open("ada", private=number % 2 == 0) for number in range(12)))
    for private in (False, True):
        tables = [Table(f"gone-{private}-{number}") for number in range(300)]
        given(*(table.open("ada", private=private) for table in tables), *(table.leave(0) for table in tables))
    assert unfinished(engine, "id-ada") == 12


def test_counting_unfinished_games_reads_no_finished_ones(engine: Engine, given: Given) -> None:
    """Otherwise opening a game would become slower with each finished game."""
    others = [Table(f"over-{number}") for number in range(300)]
    given(Table("g").open("ada"), *(table.open("ada") for table in others), *(table.leave(0) for table in others))
    query = str(players._UNFINISHED.compile(engine)).replace("%(player)s::VARCHAR", "'id-ada'").replace("?", "'id-ada'")
    explain = "EXPLAIN QUERY PLAN" if engine.dialect.name == "sqlite" else "EXPLAIN"
    with engine.begin() as connection:
        connection.exec_driver_sql("ANALYZE members")
        if engine.dialect.name == "postgresql":
            connection.exec_driver_sql("SET LOCAL enable_seqscan = off")  # otherwise it scans a table with so few rows
        plan = connection.exec_driver_sql(f"{explain} {query}").all()
    assert "members_unfinished" in str(plan), plan


def test_an_unfinished_game_counts_once_for_each_member(engine: Engine, given: Given) -> None:
    table = Table("g")
    given(table.open("ada", sit=False, seats=2), table.join("bob"))
    assert [unfinished(engine, f"id-{who}") for who in ("ada", "bob", "cem")] == [1, 1, 0]
    given(table.leave(0), Table("h").open("cem", hotseat=True))
    assert [unfinished(engine, f"id-{who}") for who in ("ada", "bob", "cem")] == [0, 0, 1]
    table, other = Table("i"), Table("j")
    given(table.open("ada", seats=2), table.join("bob"), other.open("bob", sit=False), table.play(Random(1)))
    assert [unfinished(engine, f"id-{who}") for who in ("ada", "bob")] == [0, 1]
    cancelled, expired = Table("cancelled"), Table("expired")
    given(cancelled.open("ada", sit=False), expired.open("ada"), cancelled.cancel(), expired.expire())
    assert unfinished(engine, "id-ada") == 0
