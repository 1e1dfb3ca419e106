"""The event log in another persistence module of the library. The record of a game does not depend on the database."""

import threading
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from eventsourcing.persistence import IntegrityError
from eventsourcing.tests import persistence as library
from eventsourcing.utils import Environment

from domain import game
from domain.codec import encode
from domain.fairness import record
from domain.game.commands import Move
from domain.rulesets import RULESETS
from service.games.games import Games
from service.log.errors import Conflict, Unavailable
from service.log.game_log import GameLog
from service.log.mapper import Row
from service.log.sqlite import Factory, Recorder, environment
from tests.service.conftest import KINDS
from tests.service.test_store import outcomes, versions

pytestmark = pytest.mark.anyio

IN_MEMORY = {"PERSISTENCE_MODULE": "eventsourcing.popo"}


@pytest.mark.parametrize("name", RULESETS)
async def test_records_from_sqlite_and_from_another_store_are_equal_byte_by_byte(name: str, tmp_path: Path) -> None:
    rules, ann, dice = RULESETS[name], "id-ann", Random(1)
    sqlite = GameLog(environment(tmp_path / "log.db"), KINDS)
    other = GameLog(IN_MEMORY, KINDS)
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
    await sqlite.stop()
    await other.stop()


async def test_a_conflict_fails_only_its_own_append() -> None:
    store = GameLog(IN_MEMORY, KINDS)
    await store.append(versions(1))
    appends = store.append(versions(1, of="bob")), store.append(versions(1)), store.append(versions(1, of="eve"))
    assert await outcomes(*appends) == [None, Conflict, None]
    assert [row.row.stream for row in await store.follow(0, 10)] == ["id-ada", "id-bob", "id-eve"]
    assert await store.position() == 3
    await store.stop()


@pytest.mark.parametrize("module", ["sqlite", "other"])
async def test_the_log_is_an_application_of_the_library(module: str, tmp_path: Path) -> None:
    """`events` writes and reads streams, `notification_log` the log of all streams, without our coroutines."""
    log = GameLog(environment(tmp_path / "log.db") if module == "sqlite" else IN_MEMORY, KINDS)
    recordings = log.events.put([*versions(1, 2), *versions(1, of="bob")])  # type: ignore[list-item]  # rows
    assert [recording.notification.id for recording in recordings] == [1, 2, 3]
    assert [*log.events.get("id-ada")] == versions(1, 2)
    assert [*log.events.get("id-ada", gt=1)] == versions(2)
    found = log.notification_log.select(2, 9)
    assert [log.mapper.to_domain_event(each) for each in found] == [*versions(2), *versions(1, of="bob")]
    with pytest.raises(IntegrityError):
        log.events.put(versions(3, 2))  # type: ignore[arg-type]
    assert await log.read("id-ada") == [row.value for row in versions(1, 2)]
    await log.append(versions(3))
    assert [*log.events.get("id-ada", gt=2)] == versions(3)
    await log.stop()


@pytest.mark.usefixtures("_recorder")
class TestRecorder(library.ApplicationRecorderTestCase[Recorder]):
    """The recorder for SQLite passes the library's tests of recorders."""

    recorder: Recorder
    test_performance = test_concurrent_throughput = None  # benchmarks, which assert nothing

    @pytest.fixture
    def _recorder(self, tmp_path: Path) -> Iterator[None]:
        env = Environment("stammtisch", {**environment(tmp_path / "log.db"), "ORIGINATOR_ID_TYPE": "text"})
        factory = Factory(env)
        recorder = factory.application_recorder()
        assert isinstance(recorder, Recorder)
        self.recorder = recorder
        yield
        for thread in threading.enumerate():
            # A test of the library leaves readers running. SQLite crashes when a connection in use is closed.
            if "(read_continuously)" in thread.name:
                thread.join()
        recorder.close()
        factory.close()

    def create_recorder(self) -> Recorder:
        return self.recorder

    def new_originator_id(self) -> str:
        return str(super().new_originator_id())


async def test_opening_fails_if_there_is_no_such_module() -> None:
    with pytest.raises(Unavailable, match="no_such_module"):
        GameLog({"PERSISTENCE_MODULE": "no_such_module"}, KINDS)
