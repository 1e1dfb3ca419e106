"""Appends to PostgreSQL take no lock, and readers that follow the log miss nothing and see nothing twice."""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

import psycopg
import pytest
from eventsourcing.persistence import IntegrityError, StoredEvent

from projections.lobby import Search, page
from projections.projection import Projections
from service import databases
from service.databases import MIGRATE
from service.extensions.webhooks.follower import _complete
from service.live import projection_runner as runner_module
from service.live.projection_runner import ProjectionRunner
from service.log import postgres
from service.log.errors import Unavailable
from service.log.postgres import BITS, MOST
from service.settings import read
from tests.log.test_postgres import opened
from tests.log.test_store import versions
from tests.projections.histories import Table
from tests.support import servers
from tests.support.servers import Postgres

pytestmark = pytest.mark.anyio

WRITERS = 8


@contextmanager
def recorder(url: str) -> Iterator[postgres.Recorder]:
    factory = postgres.Factory({**postgres.environment(url, 5), "ORIGINATOR_ID_TYPE": "text"})
    yield postgres.Recorder(factory.datastore)
    factory.close()


def event(stream: str, version: int) -> StoredEvent:
    return StoredEvent(originator_id=stream, originator_version=version, topic="t", state=b"x")


@contextmanager
def in_flight(url: str, stream: str, version: int = 1) -> Iterator[psycopg.Connection[Any]]:
    """An append by the recorder's own statement whose transaction goes on in the context."""
    with psycopg.connect(url) as connection, recorder(url) as own:
        insert(own, connection, [(stream, version, "t", b"x")])
        yield connection


def insert(own: postgres.Recorder, connection: psycopg.Connection[Any], rows: list[Any]) -> None:
    columns = [*map(list, zip(*rows, strict=True))]
    with connection.cursor(binary=True) as cursor:
        cursor.execute(own._insert, [None, *columns, [0] * len(rows)])


# --- locks --------------------------------------------------------------------------------------------------------


async def test_an_append_locks_only_rows(migrated_url: str) -> None:
    with in_flight(migrated_url, "a") as connection:
        held = connection.execute(
            "SELECT relation::regclass::text, mode FROM pg_locks WHERE pid = pg_backend_pid() AND relation IS NOT NULL "
            "AND relation::regclass::text LIKE 'stammtisch_events%'"
        ).fetchall()
        advisory = connection.execute(
            "SELECT FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()"
        ).fetchall()
    assert {mode for _, mode in held} <= {"RowExclusiveLock", "AccessShareLock"}
    assert ("stammtisch_events", "RowExclusiveLock") in held
    assert not advisory


async def test_appends_vacuum_and_analyze_do_not_wait_for_an_append_in_flight(migrated_url: str) -> None:
    async with opened(migrated_url) as store:
        with in_flight(migrated_url, "a"), psycopg.connect(migrated_url, autocommit=True) as other:
            await store.append(versions(1))
            other.execute("SET lock_timeout = '1s'")
            for maintenance in ("VACUUM", "ANALYZE"):
                other.execute(f"{maintenance} stammtisch_events")
        with psycopg.connect(migrated_url) as other:  # what VACUUM and ANALYZE hold while they run
            other.execute("LOCK TABLE stammtisch_events IN SHARE UPDATE EXCLUSIVE MODE")
            await store.append(versions(2))


def test_batches_that_conflict_twice_do_not_wait_for_each_other(migrated_url: str) -> None:
    """Rows are written in the order of their streams, whatever order the batches have."""
    outcome = Counter[str]()

    def append(streams: str) -> None:
        with recorder(migrated_url) as own:
            for version in range(1, 40):
                try:
                    own.insert_events([event(stream, version) for stream in streams])
                    outcome["committed"] += 1
                except IntegrityError:
                    outcome["conflict"] += 1
                # Any other error ends the thread, and the counts show it: a deadlock is an OperationalError.

    run([threading.Thread(target=append, args=(streams,)) for streams in ("abcdef", "fedcba", "cfbead")])
    assert outcome.total() == 3 * 39


def run(threads: list[threading.Thread]) -> None:
    for each in threads:
        each.start()
    for each in threads:
        each.join(120)


# --- readers ------------------------------------------------------------------------------------------------------


class Seen(NamedTuple):
    position: int
    stream: str
    version: int


class Reader(threading.Thread):
    """Follows the log in small steps until the writers have ended and nothing is left."""

    def __init__(self, url: str, over: threading.Event) -> None:
        super().__init__()
        self._url, self._over = url, over
        self.seen: list[Seen] = []

    def run(self) -> None:
        with recorder(self._url) as own:
            vars(own)["_check_timeline"] = lambda _: None  # a standby does not write, so it cannot say which
            after = 0
            while True:
                last = self._over.is_set()
                reach = own.select_reach(after, 50)
                found = own.select_notifications(after, 7, inclusive_of_start=False)
                assert all(each.id > after for each in found)
                assert not found or reach.upto >= after
                self.seen += [Seen(each.id, str(each.originator_id), each.originator_version) for each in found]
                after = found[-1].id if found else after
                if last and not found and own.select_reach(after, 1).latest == after:
                    return


def write(url: str, name: str) -> None:
    """Append, with pauses before the commit; every seventh transaction is rolled back."""
    dice, version = Random(name), 0
    with psycopg.connect(url) as connection, recorder(url) as own:
        for number in range(25):
            size = dice.choice((1, 1, 2, 5))
            insert(own, connection, [(name, version + n, "t", b"x") for n in range(1, size + 1)])
            connection.execute("SELECT pg_sleep(%s)", [dice.choice((0, 0, 0.002, 0.01, 0.03))])
            if number % 7 == 6:
                connection.rollback()
            else:
                connection.commit()
                version += size


@pytest.mark.checked
def test_readers_miss_nothing_and_see_nothing_twice_on_primary_and_standby() -> None:
    with servers.pair(synchronous=False) as pair:
        databases.migrate(read({}, database=pair.primary.url()))
        pair.caught_up()
        over = threading.Event()
        readers = [Reader(each.url(), over) for each in (pair.primary, pair.standby)]
        for each in readers:
            each.start()
        run([threading.Thread(target=write, args=(pair.primary.url(), f"w{n}")) for n in range(WRITERS)])
        pair.caught_up()
        while pair.standby.execute("SELECT max(notification_id) FROM stammtisch_events") != pair.primary.execute(
            "SELECT max(notification_id) FROM stammtisch_events"
        ):
            pass  # replayed, not only received
        over.set()
        for each in readers:
            each.join(60)
        stored = pair.primary.execute(
            "SELECT notification_id, originator_id, originator_version FROM stammtisch_events ORDER BY notification_id"
        )
        assert len(stored) > 250
        for each in readers:
            assert [*map(tuple, each.seen)] == stored
        together = [
            (one.position >> BITS == two.position >> BITS, two.position - one.position)
            for one, two in pairwise(readers[0].seen)
        ]
        assert {distance for same, distance in together if same} == {1}, "rows of an append are adjacent"


async def test_readers_stop_below_a_transaction_that_has_not_ended(migrated_url: str) -> None:
    async with opened(migrated_url) as store:
        await store.append(versions(1))
        before = await store.position()
        with in_flight(migrated_url, "a"):
            await store.append(versions(2))
            assert await store.position() == before
            assert len(await store.follow(0, 9)) == 1
            reach = await store.reach(0, 9)
            assert (reach.rows, reach.upto, reach.final < reach.latest) == (1, before, True)
        assert len(await store.follow(0, 9)) == 3
        assert await store.position() == reach.latest


async def test_a_transaction_that_only_reads_holds_nobody_back(migrated_url: str) -> None:
    async with opened(migrated_url) as store:
        with psycopg.connect(migrated_url) as other:
            other.execute("SELECT count(*) FROM stammtisch_events")
            await store.append(versions(1))
            assert len(await store.follow(0, 9)) == 1


def test_the_server_ends_transactions_that_stand_still(migrated_url: str) -> None:
    engine = databases.projections(read({}, database=migrated_url))
    with recorder(migrated_url) as own, engine.connect() as projections:
        setting = "SHOW idle_in_transaction_session_timeout"
        assert own._fetch(setting.encode()) == projections.exec_driver_sql(setting).all() == [("5s",)]
    engine.dispose()


async def test_projections_wait_for_the_position_of_an_append_that_is_held_back(
    migrated_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = read({}, database=migrated_url)
    engine = databases.projections(settings)

    def shown() -> list[str]:
        return [listed.id for listed in page(engine, Search(), None).items]

    async with opened(migrated_url) as store:
        runner = ProjectionRunner(store, Projections(engine, databases.derived()), shared=True)
        await runner.start()
        with in_flight(migrated_url, "a"):
            await store.append(Table("held").open(seats=2))
            monkeypatch.setattr(runner_module, "CATCH_UP_TIMEOUT", 0.2)
            await runner.caught_up()
            assert shown() == []
            assert runner.lag > 0
        monkeypatch.setattr(runner_module, "CATCH_UP_TIMEOUT", 30)
        await runner.caught_up()
        assert shown() == ["held"]
        await runner.caught_up()
        assert runner.lag == 0
        await runner.stop()
    engine.dispose()


# --- long appends -------------------------------------------------------------------------------------------------


@pytest.mark.by_default()
def test_an_append_with_more_rows_than_a_transaction_id_has_positions_is_one_append(migrated_url: str) -> None:
    with recorder(migrated_url) as own:
        rows = [event("long", version) for version in range(1, 2 * MOST + 2)]
        with pytest.raises(IntegrityError):
            own.insert_events([*rows, event("hole", 2)])
        assert own.select_versions(["long"]) == [0], "all rows or none"
        positions = own.insert_events(rows)
        assert len({*positions}) == len(rows)
        assert [*positions] == sorted(positions)
        assert len({position >> BITS for position in positions}) == 3
        assert own.insert_events([event("next", 1)])[0] > positions[-1]
        assert [each.originator_version for each in own.select_notifications(positions[-2], 9)] == [
            len(rows) - 1,
            len(rows),
            1,
        ]


class Row(NamedTuple):
    game: str
    more: int


@pytest.mark.parametrize(
    ("rows", "complete"),
    [("a1 a0 b0", 3), ("a1 a0 b1", 2), ("a2 b0 a1 a0", 4), ("a2 b0 a1", 0), ("b0 a2 c1 c0 a1 a0 d1", 6)],
)
def test_followers_cut_no_append_in_two(rows: str, complete: int) -> None:
    """Rows of other appends lie between those of one that is longer than a transaction id has positions."""
    given: Any = [Row(each[0], int(each[1])) for each in rows.split()]
    assert len(_complete(given)) == complete


# --- other logs ---------------------------------------------------------------------------------------------------


def test_a_restored_dump_is_refused_until_migrate_raises_the_base(migrated_url: str) -> None:
    settings = read({}, database=migrated_url)
    with recorder(migrated_url) as own:
        own.insert_events([event("a", 1)])
        with psycopg.connect(migrated_url) as other:  # in the server of the dump, ids were higher
            other.execute(
                f"UPDATE stammtisch_events SET notification_id = notification_id + (5000000::bigint << {BITS})"
            )
        with pytest.raises(Unavailable, match=f"restored from a dump: {MIGRATE}"):
            databases.check(settings)
        databases.migrate(settings)
        databases.check(settings)
        before = own.max_notification_id()
        assert before is not None
        assert own.insert_events([event("a", 2)])[0] > before
        assert [each.originator_version for each in own.select_notifications(None, 9)] == [1, 2]
        databases.migrate(settings)
        assert own.insert_events([event("a", 3)])[0] - before < 100 << BITS, "it is raised once"


async def test_the_positions_of_an_older_release_come_before_all_others(postgres: Postgres, migrated: str) -> None:
    with postgres.database(migrated) as name:
        url = postgres.url(name)
        settings = read({}, database=url)
        with psycopg.connect(url) as old:  # as the library creates it
            old.execute("DROP FUNCTION stammtisch_base")
            old.execute("CREATE SEQUENCE stammtisch_events_notification_id_seq")
            old.execute(
                "ALTER TABLE stammtisch_events ALTER notification_id "
                "SET DEFAULT nextval('stammtisch_events_notification_id_seq')"
            )
            old.execute("INSERT INTO stammtisch_events VALUES ('a', 1, 't', 'x')")
        with pytest.raises(Unavailable, match=f"another release.*{MIGRATE}"):
            databases.check(settings)
        databases.migrate(settings)
        databases.check(settings)
        with recorder(url) as own:
            own.insert_events([event("a", 2)])
            assert [each.originator_version for each in own.select_notifications(1, 9)] == [1, 2]
        with psycopg.connect(url) as old, pytest.raises(psycopg.errors.NotNullViolation):
            old.execute("INSERT INTO stammtisch_events VALUES ('a', 3, 't', 'x')")
