"""Another persistence module of the library keeps the same log: what is told of a game is the same from anywhere."""

from pathlib import Path
from random import Random

import pytest

from domain import game
from domain.codec import encode
from domain.fairness import record
from domain.game import Player
from domain.rulesets import RULESETS
from service.games.games import Games
from service.runtime import kinds
from service.store.event_store import Store
from service.store.library import LibraryBackend
from service.store.rows import Row, RowMapper
from service.store.sqlite import SQLiteBackend

pytestmark = pytest.mark.anyio

IN_MEMORY = {"PERSISTENCE_MODULE": "eventsourcing.popo"}


@pytest.mark.parametrize("name", RULESETS)
async def test_a_record_from_sqlite_and_one_from_another_store_are_equal_byte_by_byte(
    name: str, tmp_path: Path
) -> None:
    rules, ann, dice = RULESETS[name], Player("id-ann", "Ann"), Random(1)
    sqlite = Store(SQLiteBackend(tmp_path / "log.db", RowMapper(kinds())))
    other = Store(LibraryBackend(IN_MEMORY, RowMapper(kinds())))
    games = Games(sqlite, size=1, shared=False)
    deck = next(iter(rules.decks.values()))
    live, _ = await games.open(
        rules, ann, rules.seats[0], rules.options(), deck,
        private=False, hotseat=True, sit=True, entropy="", request=None,
    )  # fmt: skip
    for _ in range(60):
        if live.to_act():
            seat = live.to_act()[0]
            await games.move(live, ann, seat, dice.choice(game.legal(rules, live.game, seat)), None, None)
    kept = await sqlite.read(live.game.id)
    await other.append([Row(live.game.id, entry.version, f"{rules.rules}.moved", entry) for entry in kept])
    again = await other.read(live.game.id)
    assert len(again) == len(kept) > 20
    assert encode(record.of(live.game.id, again)) == encode(record.of(live.game.id, kept))
    assert (await Games(other, size=1, shared=False).find(rules, live.game.id)).game == live.game
    await sqlite.close()
    await other.close()
