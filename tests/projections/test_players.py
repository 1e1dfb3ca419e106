"""By which name a player goes, and how many games he has."""

from random import Random

from sqlalchemy import Engine

from projections.players import Played, Profile, names, profile
from tests.projections.conftest import Given
from tests.projections.histories import Table, registered, renamed


def test_a_registered_player_goes_by_the_name_that_he_gave_last(engine: Engine, given: Given) -> None:
    given([registered("ada")])
    assert names(engine, ["id-ada"]) == {"id-ada": "Ada"}
    given([renamed("ada", 2, "Ada L."), renamed("ada", 3, "Countess")])
    assert names(engine, ["id-ada"]) == {"id-ada": "Countess"}


def test_a_player_of_another_site_goes_by_the_name_under_which_he_was_seen_last(engine: Engine, given: Given) -> None:
    first, second = Table("first"), Table("second")
    given(first.open("ada"), first.join("bob"))
    assert names(engine, ["id-ada", "id-bob"]) == {"id-ada": "Ada", "id-bob": "Bob"}
    given(second.open("ada"), second.join("bob", called="Bobby"))
    assert names(engine, ["id-bob"]) == {"id-bob": "Bobby"}


def test_an_opener_who_does_not_sit_is_known_too(engine: Engine, given: Given) -> None:
    given(Table("g").open("ada", sit=False))
    assert names(engine, ["id-ada"]) == {"id-ada": "Ada"}


def test_an_old_name_at_a_game_does_not_undo_a_renaming(engine: Engine, given: Given) -> None:
    given([registered("ada"), renamed("ada", 2, "Countess")], Table("g").open("ada"))
    assert names(engine, ["id-ada"]) == {"id-ada": "Countess"}
    given(Table("h").open("ada"))
    assert names(engine, ["id-ada"]) == {"id-ada": "Countess"}


def test_nobody_knows_who_was_never_seen(engine: Engine, given: Given) -> None:
    given([registered("ada")])
    assert names(engine, ["id-bob"]) == {}
    assert profile(engine, "id-bob", None) is None


def test_a_profile_counts_the_games_at_which_the_player_sits(engine: Engine, given: Given) -> None:
    played, running, waiting, watched = (Table(name) for name in ("played", "running", "waiting", "watched"))
    given(
        played.open("ada", hotseat=True), played.play(Random(1)), running.open("bob", seats=2), running.join("ada"),
        waiting.open("ada"), watched.open("ada", sit=False),
    )  # fmt: skip
    name = played.rules.name
    counts = (Played(name, "finished", 1), Played(name, "running", 1), Played(name, "waiting", 1))
    assert profile(engine, "id-ada", None) == Profile("id-ada", "Ada", counts)


def test_private_games_are_counted_for_the_player_himself_alone(engine: Engine, given: Given) -> None:
    table = Table("g")
    given(table.open("ada", private=True))
    assert profile(engine, "id-ada", "id-ada") == Profile("id-ada", "Ada", (Played(table.rules.name, "waiting", 1),))
    for stranger in (None, "id-bob"):
        assert profile(engine, "id-ada", stranger) == Profile("id-ada", "Ada", ())
