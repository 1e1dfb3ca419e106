"""Data beside the log: drawn once, the same in every process, and neither exported nor rebuilt."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import Engine, text

from domain.codec import encode
from domain.fairness import record
from domain.game import Agreed
from domain.game.commands import Leave
from domain.rulesets.skyjo import SKYJO
from projections.projection import Projections
from service import databases
from service.databases import MIGRATE
from service.databases import projections as open_projections
from service.games.commands import Commands
from service.games.games import Games
from service.games.idempotency import request_key
from service.log.errors import Unavailable
from service.log.game_log import GameLog
from service.settings import Settings, read
from service.tables import migrations
from service.tables.mutable import Mutable
from tests.service.conftest import on_sqlite

pytestmark = pytest.mark.anyio

ADA = "ada"
GAME, OTHER = "018f3c2e-7b1a-7c3d-9e4f-0123456789ab", "018f3c2e-7b1a-7c3d-9e4f-0123456789ac"


@contextmanager
def opened(settings: Settings) -> Iterator[Mutable]:
    """The tables, as one more process opens them."""
    engine = open_projections(settings)
    mutable = databases.mutable(settings, engine)
    if not settings.uses_postgres:
        mutable.migrate()
    yield mutable
    engine.dispose()


@pytest.fixture
def settings(databases: Callable[[str], Settings], store: GameLog) -> Settings:  # noqa: ARG001 - it makes the file
    return databases("log")


async def opens(games: Games, key: str | None = None) -> str:
    live, _ = await Commands(games).open(
        SKYJO, ADA, 2, SKYJO.options(), next(iter(SKYJO.decks.values())), Agreed(private=True), sit=True,
        entropy="", key=request_key(ADA, key, "open"),
    )  # fmt: skip
    return live.game.id


async def test_an_invite_is_random_and_the_same_in_all_processes_that_ask_at_once(settings: Settings) -> None:
    with opened(settings) as one, opened(settings) as other:
        (code,) = set(await asyncio.gather(*(each.invite(GAME) for _ in range(8) for each in (one, other))))
        assert len(bytes.fromhex(code)) == 16
        assert await other.invite(OTHER) != code
    with opened(settings) as later:
        assert await later.invite(GAME) == code


async def test_a_game_whose_opening_was_cut_short_is_opened_with_the_invite_that_was_drawn(
    settings: Settings, store: GameLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def killed(*_: object) -> None:
        raise Unavailable("killed")

    with opened(settings) as mutable:
        games = Games(store, budget=2**30, shared=True, invite=mutable.invite)
        with monkeypatch.context() as patch:
            patch.setattr(store, "commit", killed)
            with pytest.raises(Unavailable):
                await opens(games, "key")
        game = await opens(games, "key")
        code = (await games.find(SKYJO, game)).invite
        assert code == await mutable.invite(game)
        assert await opens(games, "key") == game
    with opened(settings) as elsewhere:
        again = Games(store, budget=2**30, shared=True, invite=elsewhere.invite)
        live = await again.find(SKYJO, game)
        assert (live.invite, live.header.invite) == (code, code)


async def test_a_game_is_not_opened_without_its_invite(store: GameLog) -> None:
    async def away(_: str) -> str:
        raise Unavailable("away")

    games = Games(store, budget=2**30, shared=True, invite=away)
    with pytest.raises(Unavailable):
        await opens(games)
    assert await store.position() == 0


async def test_an_invite_stands_in_no_record_and_in_no_row_of_the_log(settings: Settings, store: GameLog) -> None:
    with opened(settings) as mutable:
        games = Games(store, budget=2**30, shared=True, invite=mutable.invite)
        game = await opens(games)
        live = await games.find(SKYJO, game)
        await Commands(games).execute(live, ADA, Leave(0))
        assert live.game.revealed
        code, log = live.invite, await store.read(game)
        assert code
        for text_ in (encode(record.of(game, log)), encode(log)):
            assert code.encode() not in text_


async def test_connections_are_kept_but_not_to_a_file_that_was_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, connect, connections = tmp_path / "log.db", sqlite3.connect, list[sqlite3.Connection]()

    def counted(*args: Any, **how: Any) -> sqlite3.Connection:
        connections.append(connect(*args, **how))
        return connections[-1]

    for file in (log, tmp_path / "other.db"):
        file.touch()
    with opened(read({}, database=str(tmp_path / "other.db"))) as other:
        code = await other.invite(GAME)
    with opened(read({}, database=str(log))) as mutable:
        monkeypatch.setattr(sqlite3, "connect", counted)
        assert {await mutable.invite(GAME) for _ in range(8)} != {code}
        assert len(connections) == 0  # `opened` has used one
        (tmp_path / "other.db").rename(log)
        assert {await mutable.invite(GAME) for _ in range(8)} == {code}
        assert len(connections) == 1
        log.unlink()
        with pytest.raises(Unavailable):
            await mutable.invite(GAME)
        assert not log.exists()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        connections[0].total_changes  # noqa: B018


async def test_the_tables_outlive_a_rebuilding_of_the_projections(settings: Settings) -> None:
    engine = open_projections(settings)
    with opened(settings) as mutable:
        code = await mutable.invite(GAME)
        Projections(engine, databases.derived()).rebuild()
        assert await mutable.invite(GAME) == code
    engine.dispose()


@on_sqlite
async def test_they_are_in_the_file_of_the_log_and_not_in_that_of_the_projections(
    settings: Settings, engine: Engine
) -> None:
    with opened(settings) as mutable:
        code = await mutable.invite(GAME)
    with closing(sqlite3.connect(settings.sqlite_path)) as connection:
        assert connection.execute("SELECT game, code FROM stammtisch_invites").fetchall() == [(GAME, code)]
    with engine.connect() as connection_:
        tables = connection_.execute(text("SELECT name FROM sqlite_master")).scalars()
        assert "stammtisch_invites" not in [*tables]


@on_sqlite
async def test_without_its_file_nothing_is_drawn_and_no_file_is_made(settings: Settings) -> None:
    with opened(settings) as mutable:
        settings.sqlite_path.unlink()
        with pytest.raises(Unavailable):
            await mutable.invite(GAME)
    assert not settings.sqlite_path.exists()


def test_a_server_with_tables_of_another_release_is_refused_with_what_to_do(migrated_url: str) -> None:
    there = read({}, database=migrated_url)
    databases.check(there)
    with psycopg.connect(migrated_url) as connection:  # as the first migration left it
        connection.execute("UPDATE stammtisch_migrations SET version_num = '0001'")
        connection.execute("ALTER TABLE stammtisch_players DROP COLUMN blocks, DROP COLUMN face")
        first = {f"stammtisch_{name}" for name in ("invites", "players", "codes", "moderation", "webhooks")}
        for name in {*migrations.metadata().tables} - first:
            connection.execute(f"DROP TABLE {name}")  # type: ignore[arg-type]
    with pytest.raises(Unavailable, match=f"tables are of another release: {MIGRATE}"):
        databases.check(there)
    databases.migrate(there)
    databases.check(there)


async def test_a_server_that_is_away_is_told() -> None:
    with opened(read({}, database="postgresql://ada:x@127.0.0.1:1/games")) as mutable, pytest.raises(Unavailable):
        await mutable.invite(GAME)
