"""The announcements of the lobby: every change of a public game, and which searches it concerns."""

from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import Engine

from domain.rulesets import RULESETS
from projections import lobby
from projections.database import open_engine
from projections.lobby import LOBBY, Announced, CursorExpired, Search, announced, concerns, page
from projections.projection import Projections
from service.log.mapper import Row
from tests.projections.histories import Table, contents, history, recorded

pytestmark = pytest.mark.slow

NAMES = tuple(RULESETS)


def applied(engine: Engine, *appends: list[Row]) -> list[Announced]:
    """The announcements after these appends."""
    projections = Projections(engine, (LOBBY,))
    projections.prepare()
    every = recorded(*appends)
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


def test_changes_are_read_from_a_position_on(engine: Engine) -> None:
    changes = applied(engine, Table("a").open(), Table("private").open(private=True), Table("b").open())
    assert {change.after.id for change in changes} == {"a", "b"}, "private games are not announced"
    assert announced(engine, 0, 3) == changes[:3]
    assert announced(engine, changes[1].position, 10) == changes[2:]
    assert announced(engine, changes[-1].position, 10) == []


@pytest.mark.parametrize("kept", [1, 5, 6])
def test_reading_from_before_the_oldest_kept_announcement_raises_cursor_expired(
    engine: Engine, kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    appends = [Table(name).open() for name in "abc"]
    every = applied(engine, *appends)
    monkeypatch.setattr(lobby, "MAX_ANNOUNCEMENTS", kept)
    projections = Projections(engine, (LOBBY,))
    projections.rebuild()
    for event in recorded(*appends):
        projections.apply([event], projections.position(), event.position)
    for after_position in range(every[-1].position + 2):
        if kept < len(every) and after_position < every[-kept].position:
            with pytest.raises(CursorExpired):
                announced(engine, after_position, 1000)
        else:
            assert announced(engine, after_position, 1000) == [
                change for change in every if change.position > after_position
            ]


def test_the_kept_announcements_do_not_depend_on_the_batches(
    engine: Engine, projections: Projections, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "MAX_ANNOUNCEMENTS", 7)
    random, found = Random(2), []
    every = recorded(*history(random, games=6))
    for most in (len(every), 50):
        projections.rebuild()
        rest, done = every, 0
        while rest:
            number = random.randint(1, most)
            batch, rest = rest[:number], rest[number:]
            done = projections.apply(batch, done, batch[-1].position)
        found.append(contents(engine))
    assert found[0] == found[1]
    assert len(found[0]["announcements"]) == 7


@pytest.mark.by_default()
def test_a_change_concerns_the_searches_that_match_the_game_before_or_after_it(tmp_path: Path) -> None:
    """The pages define the result. They are compared after each event of a random log."""
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
    concerned = unconcerned = 0
    for event in recorded(*history(Random(5), games=6)):
        after_position = event.position - 1
        projections.apply([event], projections.position(), event.position)
        for change in announced(engine, after_position, 1):
            for number, search in enumerate(searches):
                before = pages[number]
                after = frozenset(listed.id for listed in page(engine, search, None, limit=100).items)
                pages[number] = after
                assert concerns(search, change) == (change.after.id in before | after), (search, change)
                concerned += concerns(search, change)
                unconcerned += not concerns(search, change)
    assert concerned > 50
    assert unconcerned > 100
    engine.dispose()
