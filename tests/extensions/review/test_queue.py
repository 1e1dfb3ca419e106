"""What the queue of reviews says of waiting times: a clock and reviews whose length is known here."""

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import Engine

from domain.game.clock import SECOND
from service import databases, settings
from service.extensions.review import table
from service.extensions.review.reviews import Reviews
from service.extensions.review.table import Job, Key, TooMany
from service.live.network import wide_network

pytestmark = pytest.mark.anyio

SPREAD = 0.25
"""How much the time for an event differs from game to game: the standard deviation of its logarithm."""
PACES = {"short": 30_000, "long": 300_000}
"""The usual time for an event, by ruleset, in microseconds."""
LENGTH = 8
"""Reviews in the queue."""
CASES = 40


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    given = settings.read({}, database=tmp_path / "games.db")
    engine = databases.projections(given)
    databases.prepare_others(given, engine)
    yield engine
    engine.dispose()


class Queue:
    """A queue, as time goes on."""

    def __init__(self, engine: Engine) -> None:
        self.engine, self.lots, self.now, self.asked = engine, Random(7), 10**15, 0
        self.lengths: dict[Key, float] = {}
        """Microseconds that each review takes in truth."""

        async def ask(query: Callable[..., Any], *arguments: Any) -> Any:
            return query(engine, *arguments)

        self.reviews = Reviews(None, ask)  # type: ignore[arg-type]

    def job(self) -> Job:
        self.asked += 1
        ruleset, events = self.lots.choice([*PACES]), self.lots.randrange(60, 600)
        key = Key(f"{self.asked:064}", "standard", "1")
        self.lengths[key] = events * PACES[ruleset] * self.lots.lognormvariate(0, SPREAD)
        return Job(key, ruleset, f"game {self.asked}", events)

    def fill(self) -> None:
        """Others ask until the queue has `LENGTH` reviews."""
        while len(self.active()) < LENGTH:
            self.ask(f"caller {self.asked}")

    def ask(self, caller: str) -> None:
        """Raises `TooMany`."""
        table.ask(self.engine, self.job(), caller, caller, self.now)

    def refused(self, caller: str) -> TooMany:
        """The caller asks until they are refused."""
        while True:
            try:
                self.ask(caller)
            except TooMany as error:
                return error

    def active(self) -> list[Any]:
        with self.engine.begin() as connection:
            return table._ahead(connection.execute(table._LIGHT).all())

    def make(self) -> None:
        """The next review, from its claim to its end."""
        job = table.claim(self.engine, self.now)
        assert job is not None
        length = self.lengths[job.key]
        self.now += round(length)
        self.touch()
        table.keep(self.engine, job, b"", None, self.now, round(length / job.events))

    def begin(self) -> float:
        """Claim the next review and do a part of it. The microseconds that it still takes in truth."""
        job = table.claim(self.engine, self.now)
        assert job is not None
        length, part = self.lengths[job.key], self.lots.random()
        self.now += round(length * part)
        first = part < 0.5  # the first pass is about half of the work
        done = int(2 * part * 50) if first else 50
        table.advance(self.engine, job.key, self.now, "first" if first else "refine", done, 50)
        self.touch()
        self.running = job
        return length * (1 - part)

    def end(self, left: float) -> None:
        job = self.running
        self.now += round(left)
        self.touch()
        table.keep(self.engine, job, b"", None, self.now, round(self.lengths[job.key] / job.events))

    def touch(self) -> None:
        """Everybody goes on asking, and the process renews its lease."""
        with self.engine.begin() as connection:
            connection.exec_driver_sql(f"UPDATE review_jobs SET asked = {self.now}, claimed = {self.now + 10**9}")


@pytest.mark.parametrize("everybody", [True, False], ids=["full queue", "two reviews of the caller wait"])
async def test_a_refused_caller_waits_as_long_as_retry_after_says_in_nine_cases_of_ten(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, *, everybody: bool
) -> None:
    monkeypatch.setattr(table, "MAX_JOBS", LENGTH if everybody else table.MAX_JOBS)
    queue, enough = Queue(engine), list[bool]()
    for _ in range(12):  # until both rulesets have been measured
        queue.fill()
        queue.make()
    for _ in range(CASES):
        queue.fill()
        left = queue.begin()
        error = queue.refused("Ann")
        assert error.everybody is everybody
        told = await queue.reviews._seconds(error.ahead, queue.now)
        ahead = [table.key_of(row) for row in error.ahead]
        assert queue.running.key in ahead
        true = left + sum([queue.lengths[key] for key in ahead if key != queue.running.key])
        enough.append(told * SECOND >= true)
        queue.end(left)
    assert sum(enough) >= 0.9 * CASES, sum(enough)


def test_another_record_plan_or_format_does_not_meet_a_kept_review(engine: Engine) -> None:
    key = Key("0" * 64, "standard", "1")
    table.keep(engine, Job(key, "short", "game", 60), b"kept", None, 1, 1)
    assert table.finished(engine, key, 1) == b"kept"
    others = key._replace(head="1" * 64), key._replace(plan="quick"), key._replace(format="2")
    assert [table.finished(engine, other, 1) for other in others] == [None] * 3


def test_a_lease_ends_also_if_the_clock_is_set_back(engine: Engine) -> None:
    """Its process has ended, too: it would have renewed it."""
    job, now = Job(Key("0" * 64, "standard", "1"), "short", "game", 60), 10**15
    table.ask(engine, job, "Ann", "here", now)
    assert table.claim(engine, now) == job._replace(started=now)
    assert table.claim(engine, now - table.LEASE // 2) is None, "the clock of another process"
    earlier = now - 3600 * SECOND
    assert table.claim(engine, earlier) is None
    with pytest.raises(table.Failed):
        table.ask(engine, job, "Ann", "here", earlier)
    assert table.ask(engine, job, "Ann", "here", earlier) is not None
    assert table.claim(engine, earlier) == job._replace(started=earlier)


def test_a_review_that_has_failed_twice_is_hopeless_for_an_hour(engine: Engine) -> None:
    job, now = Job(Key("0" * 64, "quick", "1"), "short", "game", 60), 10**15
    for known in (set[str](), {"game"}):
        assert table.ask(engine, job, "Ann", "here", now)
        assert table.claim(engine, now) == job._replace(started=now)
        table.fail(engine, job.key, now)
        assert table.hopeless(engine, "quick", "1", now) == known
        with pytest.raises(table.Failed):
            table.ask(engine, job, "Ann", "here", now)
    assert table.hopeless(engine, "standard", "1", now) == set()
    assert table.hopeless(engine, "quick", "1", now + 3600 * SECOND) == set()


def job_of(number: int) -> Job:
    return Job(Key(f"{number:064}", "standard", "1"), "short", f"game {number}", 60)


def test_a_review_that_nobody_asks_for_gives_way_when_others_wait(engine: Engine) -> None:
    now = 10**15
    table.ask(engine, job_of(0), "Ann", "here", now)
    running = table.claim(engine, now)
    assert running is not None
    later = now + table.FORGOTTEN + 1
    assert table.advance(engine, running.key, later, "first", 1, 2), "nobody else waits"
    table.ask(engine, job_of(1), "Bob", "there", later)
    assert not table.advance(engine, running.key, later, "first", 2, 2)
    assert table.status(engine, running.key, later), "somebody asks"
    assert table.advance(engine, running.key, later, "first", 2, 2)
    table.drop(engine, running.key)
    assert table.claim(engine, later) == job_of(1)._replace(started=later)


def test_a_review_is_given_back_only_by_the_process_that_has_it(engine: Engine) -> None:
    now = 10**15
    table.ask(engine, job_of(0), "Ann", "here", now)
    lost = table.claim(engine, now)
    assert lost is not None
    late = now + 2 * table.LEASE
    assert table.claim(engine, late) is None, "its lease has run out, so it has failed"
    with pytest.raises(table.Failed):
        table.ask(engine, job_of(0), "Ann", "here", late)
    table.ask(engine, job_of(0), "Ann", "here", late)
    again = table.claim(engine, late)
    assert again is not None
    table.release(engine, lost, late)
    assert table.claim(engine, late) is None, "another process makes it"
    table.release(engine, again, late)
    assert table.claim(engine, late + 1) == job_of(0)._replace(started=late + 1)


@pytest.mark.parametrize(
    "crowd",
    [
        [f"198.51.100.{number % 4}" for number in range(64)],
        [f"2001:db8:1:{number:x}::" for number in range(64)],
        [f"2001:db8:{number % 4:x}:{number:x}::" for number in range(64)],
    ],
    ids=["four addresses", "one /48", "four /48"],
)
def test_others_who_fill_the_queue_keep_no_newcomer_away(engine: Engine, crowd: list[str]) -> None:
    """The network with most reviews gives its latest one up. What is being made goes on."""
    now = 10**15
    for number, network in enumerate(crowd):
        table.ask(engine, job_of(number), f"player {number}", network, now)
    running = table.claim(engine, now)
    assert running == job_of(0)._replace(started=now)
    with pytest.raises(TooMany):
        table.ask(engine, job_of(64), "another", crowd[0], now)
    for newcomers, number in enumerate(range(65, 69)):
        place = table.ask(engine, job_of(number), f"player {number}", f"203.0.{number}.1", now)
        assert place is not None
        assert len(place.ahead) <= 1 + len({*map(wide_network, crowd)}) + newcomers, "networks take turns"
    assert table.status(engine, job_of(0).key, now), "it is being made"
    left = [number for number in range(64) if table.status(engine, job_of(number).key, now)]
    assert len(left) == 60
    assert {*range(48)} <= {*left}, "the latest ones gave way"
