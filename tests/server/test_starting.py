"""The work of a start does not depend on how many games are stored."""

from typing import Any

import psycopg
import pytest

from domain.rulesets import RULESETS
from service import databases
from service.cli.rebuild import rebuild_all
from service.games.shelf import Shelf
from service.settings import read
from tests.support.clients import in_process
from tests.support.finished import fill
from tests.support.servers import Postgres

pytestmark = pytest.mark.anyio

ANY = [*RULESETS][-1]
NOISE = 20
"""Statements of tasks that are repeated from the start on. A statement for each game would be hundreds."""


@pytest.mark.by_default()
async def test_a_start_makes_as_many_statements_with_many_games_as_with_few(
    postgres: Postgres, migrated: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, counted = [], []
    real = psycopg.Cursor.execute

    def execute(self: Any, *given: Any, **how: Any) -> Any:
        made.append(given)
        found = real(self, *given, **how)
        counted.append(self.rowcount)
        return found

    statements, rows = [], []
    for games in (5, 200):
        with postgres.database(migrated) as name:
            given = read({}, database=postgres.url(name))
            store = databases.open_store(given, Shelf().kinds())
            await fill(store, ANY, games)
            await store.stop()
            await rebuild_all(given)
            with monkeypatch.context() as patch:
                patch.setattr(psycopg.Cursor, "execute", execute)
                made.clear()
                counted.clear()
                async with in_process(given.database):
                    statements.append(len(made))
                    rows.append(sum(max(0, count) for count in counted))
    assert statements[0] > 10
    assert abs(statements[1] - statements[0]) <= NOISE
    assert abs(rows[1] - rows[0]) <= NOISE
