"""The log as users of the eventsourcing library know it: its application, and its own tests of recorders."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from eventsourcing.persistence import IntegrityError
from eventsourcing.tests import persistence as library
from eventsourcing.utils import Environment

from service.log.game_log import GameLog
from service.log.sqlite import Factory, Recorder, environment
from tests.log.test_store import versions
from tests.service.conftest import KINDS

pytestmark = pytest.mark.anyio


async def test_the_log_is_an_application_of_the_library(tmp_path: Path) -> None:
    """`events` writes and reads streams, `notification_log` the log of all streams, without our coroutines."""
    log = GameLog(environment(tmp_path / "log.db"), KINDS)
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
