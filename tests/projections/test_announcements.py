"""What is announced of the lobby: every change of a public game, and to whom who searches."""

from itertools import pairwise
from pathlib import Path
from random import Random

from sqlalchemy import Engine

from domain.rulesets import RULESETS
from projections.following import Projections
from projections.lobby import LOBBY, Announced, Search, announced, concerns, page
from projections.tables import open_engine
from service.store import Row
from tests.projections.histories import Table, facts, history

NAMES = tuple(RULESETS)


def applied(engine: Engine, *appends: list[Row]) -> list[Announced]:
    """What is announced when that has happened."""
    projections = Projections(engine, (LOBBY,))
    projections.prepare()
    every = facts(*appends)
    projections.apply(every, 0, every[-1].position)
    return announced(engine, 0, 1000)


def test_every_change_is_announced_with_the_game_before_and_after_it(engine: Engine) -> None:
    table = Table("g")
    changes = applied(engine, table.open(seats=2), table.join("bob"))
    assert [change.event for change in changes] == ["opened", "joined", "joined", "begun"]
    assert changes[0].before is None
    for earlier, later in pairwise(changes):
        assert later.before == earlier.after
        assert later.position > earlier.position
    assert page(engine, Search(), None).items == (changes[-1].after,)


def test_private_games_are_not_announced(engine: Engine) -> None:
    assert applied(engine, Table("g").open(private=True)) == []


def test_changes_are_read_on_from_a_position(engine: Engine) -> None:
    changes = applied(engine, Table("a").open(), Table("b").open())
    assert announced(engine, 0, 3) == changes[:3]
    assert announced(engine, changes[1].position, 10) == changes[2:]
    assert announced(engine, changes[-1].position, 10) == []


def test_a_change_concerns_those_whose_pages_have_the_game_before_or_after_it(tmp_path: Path) -> None:
    """The pages are the definition: looked at after each event of random histories."""
    engine = open_engine(f"sqlite:///{tmp_path / 'projections.db'}")
    projections = Projections(engine, (LOBBY,))
    projections.prepare()
    searches = [
        Search(ruleset, status, player, vacant)
        for ruleset in (None, NAMES[0])
        for status in (None, "waiting", "running", "finished", "aborted")
        for player in (None, "id-player1")
        for vacant in (False, True)
    ]
    pages = dict.fromkeys(range(len(searches)), frozenset[str]())
    told = silent = 0
    for fact in facts(*history(Random(5), games=6)):
        behind = fact.position - 1
        projections.apply([fact], projections.position(), fact.position)
        for change in announced(engine, behind, 1):
            for number, search in enumerate(searches):
                before = pages[number]
                after = frozenset(listed.id for listed in page(engine, search, None, limit=100).items)
                pages[number] = after
                assert concerns(search, change) == (change.after.id in before | after), (search, change)
                told, silent = told + concerns(search, change), silent + (not concerns(search, change))
    assert told > 50
    assert silent > 100
    engine.dispose()
