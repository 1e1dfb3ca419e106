"""The event log in another persistence module of the library. The record of a game does not depend on the database."""

from pathlib import Path
from random import Random

import pytest

from domain import game
from domain.codec import encode
from domain.fairness import record
from domain.game.commands import Move
from domain.rulesets import RULESETS
from service.games.games import Games
from service.store.errors import Conflict, Unavailable
from service.store.event_store import Store
from service.store.library import LibraryBackend
from service.store.rows import Row, RowMapper
from service.store.sqlite import SQLiteBackend
from tests.service.conftest import KINDS
from tests.service.test_store import outcomes, versions

pytestmark = pytest.mark.anyio

IN_MEMORY = {"PERSISTENCE_MODULE": "eventsourcing.popo"}


@pytest.mark.parametrize("name", RULESETS)
async def test_records_from_sqlite_and_from_another_store_are_equal_byte_by_byte(name: str, tmp_path: Path) -> None:
    rules, ann, dice = RULESETS[name], "id-ann", Random(1)
    sqlite = Store(SQLiteBackend(tmp_path / "log.db", RowMapper(KINDS)))
    other = Store(LibraryBackend(IN_MEMORY, RowMapper(KINDS)))
    games = Games(sqlite, size=1, shared=False)
    deck = next(iter(rules.decks.values()))
    live, _ = await games.open(
        rules, ann, rules.seats[0], rules.options(), deck,
        private=False, hotseat=True, sit=True, entropy="", key=None,
    )  # fmt: skip
    for _ in range(60):
        if live.to_act():
            seat = live.to_act()[0]
            await games.execute(live, ann, Move(dice.choice(game.legal(rules, live.game, seat)), seat))
    original = await sqlite.read(live.game.id)
    await other.append([Row(live.game.id, entry.version, f"{rules.rules}.moved", entry) for entry in original])
    copy = await other.read(live.game.id)
    for store in (sqlite, other):
        assert await store.last([live.game.id, "unknown"], bytes) == [encode(original[-1]), None]
        assert await store.sizes([(live.game.id, 3)]) == [sum(len(encode(entry)) for entry in original[:3])]
    assert len(copy) == len(original) > 20
    assert encode(record.of(live.game.id, copy)) == encode(record.of(live.game.id, original))
    assert (await Games(other, size=1, shared=False).find(rules, live.game.id)).game == live.game
    await sqlite.close()
    await other.close()


async def test_a_conflict_fails_only_its_own_append() -> None:
    store = Store(LibraryBackend(IN_MEMORY, RowMapper(KINDS)))
    await store.append(versions(1))
    appends = store.append(versions(1, of="bob")), store.append(versions(1)), store.append(versions(1, of="eve"))
    assert await outcomes(*appends) == [None, Conflict, None]
    assert [row.row.stream for row in await store.follow(0, 10)] == ["id-ada", "id-bob", "id-eve"]
    assert await store.position() == 3
    await store.close()


async def test_opening_fails_if_there_is_no_such_module() -> None:
    with pytest.raises(Unavailable, match="no_such_module"):
        LibraryBackend({"PERSISTENCE_MODULE": "no_such_module"}, RowMapper(KINDS))
