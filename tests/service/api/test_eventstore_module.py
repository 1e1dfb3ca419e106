"""Another persistence module of the library keeps the log: named by a setting, told the rest by its own variables."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from domain.rulesets import RULESETS
from tests.support.clients import in_process, play_to_the_end

pytestmark = pytest.mark.anyio


async def test_the_log_is_where_the_module_keeps_it(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = database.with_name("elsewhere.db")
    monkeypatch.setenv("SQLITE_DBNAME", str(elsewhere))
    async with in_process(database, eventstore_module="eventsourcing.sqlite") as service:
        ruleset = list(RULESETS)[-1]
        ann = await service.guest("Ann")
        game = await ann.open(ruleset, hotseat=True)
        seen = await play_to_the_end([ann] * 8, game)
        assert [listed["id"] for listed in await ann.every("/v1/games")] == [seen["id"]]
    with closing(sqlite3.connect(elsewhere)) as connection:
        ((count,),) = connection.execute("SELECT count(*) FROM stored_events WHERE originator_id = ?", [seen["id"]])
    assert count == seen["version"]
    with closing(sqlite3.connect(database)) as connection:  # what may change has its place there all the same
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        assert [*tables] == [
            ("stammtisch_codes",), ("stammtisch_invites",), ("stammtisch_migrations",), ("stammtisch_moderation",),
            ("stammtisch_players",), ("stammtisch_webhooks",),
        ]  # fmt: skip
