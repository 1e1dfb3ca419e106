"""The event store on a real PostgreSQL. Its answers are true, whatever happens to the server or the connection."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, TypeVar
from unittest.mock import Mock

import psycopg
import pytest
from eventsourcing.persistence import Notification, StoredEvent
from eventsourcing.tests import persistence as library

from domain.rulesets import RULESETS
from projections.lobby import Search, page
from projections.projection import Projections
from service import databases
from service.databases import MIGRATE
from service.live.projection_runner import ProjectionRunner
from service.log import postgres
from service.log.errors import Unavailable
from service.log.game_log import GameLog
from service.settings import InvalidSettings, read
from tests.log.test_store import outcomes, values, versions
from tests.projections.histories import Table, noted
from tests.service.conftest import KINDS
from tests.service.test_games import Process
from tests.support import servers
from tests.support.clients import Caller, done, fewest, in_process, problem
from tests.support.faulty_proxy import FaultyProxy
from tests.support.listening import Listener, listening, over_http, take
from tests.support.servers import Postgres

pytestmark = pytest.mark.anyio

T = TypeVar("T")

ANY = next(iter(RULESETS))


@pytest.fixture(autouse=True)
def production_timeout(long_catch_up_timeout: None, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ARG001 - overrides it
    """Sets the time-out of production: the projections cannot catch up while their database is down."""
    monkeypatch.setattr("service.live.projection_runner.CATCH_UP_TIMEOUT", 1.0)


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[GameLog]:
    store = GameLog(postgres.environment(url, 3), KINDS)
    try:
        yield store
    finally:
        await store.stop()


@pytest.fixture
async def store(migrated_url: str) -> AsyncIterator[GameLog]:
    async with opened(migrated_url) as store:
        yield store


# --- the recorder -------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("_recorder")
class TestRecorder(library.ApplicationRecorderTestCase[postgres.Recorder]):
    """The recorder passes the library's tests of recorders."""

    recorder: postgres.Recorder
    test_performance = test_concurrent_throughput = None  # benchmarks, which assert nothing

    @pytest.fixture
    def _recorder(self, migrated_url: str) -> Iterator[None]:
        factory = postgres.Factory({**postgres.environment(migrated_url, 5), "ORIGINATOR_ID_TYPE": "text"})
        self.recorder = postgres.Recorder(factory.datastore)
        yield
        factory.close()

    def create_recorder(self) -> postgres.Recorder:
        return self.recorder

    def new_originator_id(self) -> str:
        return str(super().new_originator_id())

    def test_insert_select(self) -> None:
        self.recorder = Counted(self.recorder.datastore)
        super().test_insert_select()


class Counted(postgres.Recorder):
    """The recorder with positions 1, 2, 3 ..., which the library's tests expect, in place of those with gaps."""

    def _positions(self) -> list[int]:
        return [each.id for each in super().select_notifications(None, 100_000)]

    def _number(self, position: int) -> int:
        return self._positions().index(position) + 1

    def insert_events(self, stored_events: Sequence[StoredEvent], **how: Any) -> Sequence[int]:
        return [*map(self._number, super().insert_events(stored_events, **how))]

    def max_notification_id(self) -> int | None:
        last = super().max_notification_id()
        return None if last is None else self._number(last)

    def select_notifications(  # type: ignore[override]
        self, start: int | None, limit: int, stop: int | None = None, topics: Sequence[str] = (), **how: Any
    ) -> Sequence[Notification]:
        start, stop = [None if each is None else ([0, *self._positions()])[each] for each in (start, stop)]
        found = super().select_notifications(start, limit, stop, topics, **how)
        return [replace(each, id=self._number(each.id)) for each in found]


async def test_a_batch_is_one_transaction(store: GameLog) -> None:
    async with asyncio.TaskGroup() as tasks:
        for number in range(60):
            tasks.create_task(store.append([noted(f"p{number}")]))
    assert store.batches < 30


# --- migration ----------------------------------------------------------------------------------------------------


def test_several_processes_can_migrate_at_the_same_time(postgres_url: str) -> None:
    settings = read({}, database=postgres_url)
    with ThreadPoolExecutor(6) as pool:
        created = sorted(pool.map(lambda _: databases.migrate(settings), range(6)), key=len)
    assert created == [[]] * 5 + [[each.name for each in databases.tables()]]
    databases.check(settings)


def test_a_database_without_tables_is_refused_with_the_command_that_helps(postgres_url: str) -> None:
    with pytest.raises(Unavailable, match=f"no tables yet: {MIGRATE}"):
        databases.check(read({}, database=postgres_url))


def test_tables_of_another_release_are_refused_with_the_command_that_helps(migrated_url: str) -> None:
    settings = read({}, database=migrated_url)
    with psycopg.connect(migrated_url) as connection:
        connection.execute("UPDATE checkpoints SET version = 0 WHERE projection = 'lobby'")
    with pytest.raises(Unavailable, match=f"tables of lobby are of another release: {MIGRATE}"):
        databases.check(settings)
    databases.migrate(settings)
    databases.check(settings)


def test_tables_of_a_newer_release_are_not_migrated(migrated_url: str) -> None:
    settings = read({}, database=migrated_url)
    with psycopg.connect(migrated_url) as connection:
        connection.execute("UPDATE checkpoints SET version = 1000 WHERE projection = 'lobby'")
    with pytest.raises(InvalidSettings, match=r"of lobby in .* are of a newer release: install that release"):
        databases.migrate(settings)
    with psycopg.connect(migrated_url) as connection:
        assert connection.execute("SELECT version FROM checkpoints WHERE projection = 'lobby'").fetchone() == (1000,)


def test_errors_do_not_show_the_password() -> None:
    settings = read({}, database="postgresql://ada:hush@127.0.0.1:1/games?password=hush2")
    with pytest.raises(InvalidSettings, match=r"127\.0\.0\.1:1/games") as raised:
        databases.migrate(settings)
    assert "hush" not in str(raised.value)


# --- text ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["\0", "a\0b", "\ud800", "a\udfffb"])
async def test_an_id_that_cannot_be_stored_has_no_stream(store: GameLog, text: str) -> None:
    assert await store.read(text) == []


async def test_an_id_with_unusual_characters_can_be_stored(store: GameLog) -> None:
    table = Table("g-ünï😀'\\\"%s%b{}")
    await store.append(table.open(opener="ada"))
    assert [value.event for value in await store.read(table.id)]


# --- the server is down -------------------------------------------------------------------------------------------


@pytest.fixture
def proxy(migrated_url: str) -> Iterator[FaultyProxy]:
    with TemporaryDirectory() as folder:
        proxy = FaultyProxy(migrated_url, Path(folder))
        yield proxy
        proxy.close()


async def test_a_move_succeeds_if_the_answer_to_its_commit_is_lost(proxy: FaultyProxy) -> None:
    """The retry conflicts with the commit, and the move is found in the log."""
    async with opened(proxy.url) as store:
        house, dice = Process(store), Random(1)
        live = await house.table()
        for _ in range(5):
            before = live.game.version
            proxy.lost_answers = 1
            change = await house.any_move(live, dice)
            assert proxy.lost_answers == 0
            assert change.entries[0].version == before + 1
            assert await store.read(live.game.id, before) == [*change.entries]


async def test_a_repeated_move_gets_its_answer_if_the_outcome_of_the_first_was_unknown(proxy: FaultyProxy) -> None:
    """The server commits, and cannot be reached afterwards."""
    async with opened(proxy.url) as store:
        house = Process(store)
        live = await house.table()
        seat = live.to_act()[0]
        chosen = live.rules.legal(live.game.state, seat)[0]
        proxy.lost_answers = 1
        append = store.recorder._append  # type: ignore[attr-defined]

        def append_once(*args: Any) -> Any:
            store.recorder._append = refused  # type: ignore[attr-defined]
            return append(*args)

        def refused(*_: Any) -> Any:
            raise psycopg.OperationalError("injected")

        store.recorder._append = append_once  # type: ignore[attr-defined]
        with pytest.raises(Unavailable):
            await house.move(live, seat, chosen, "key")
        store.recorder._append = append  # type: ignore[attr-defined]
        change = await house.move(live, seat, chosen, "key")
        assert change.replayed
        assert await store.read(live.game.id, change.entries[0].version - 1) == [*change.entries]


async def test_connections_that_the_server_closes_are_replaced(store: GameLog, postgres: Postgres) -> None:
    # With a timeout, the function returns when the backend has ended.
    terminate = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = 'stammtisch'"
    for number in range(1, 4):
        await asyncio.gather(*(store.read("id-ada") for _ in range(10)), store.follow(0, 1))
        postgres.execute(terminate)
        await store.append(versions(number))
        postgres.execute(terminate)
        assert await store.read("id-ada") == values(versions(*range(1, number + 1)))
        assert await store.position() >= number


@pytest.fixture(scope="module")
def own() -> Iterator[Postgres]:
    """A server that tests stop, start and freeze. It has a template with all tables."""
    with servers.postgres() as server:
        server.execute("CREATE DATABASE migrated")
        databases.migrate(read({}, database=server.url("migrated")))
        yield server


@pytest.fixture
def own_url(own: Postgres) -> Iterator[str]:
    """The URL of a database of that server with all tables and no rows."""
    with own.database("migrated") as name:
        yield own.url(name)


@contextmanager
def stopped(server: Postgres) -> Iterator[None]:
    server.stop()
    try:
        yield
    finally:
        server.start()  # other tests of the module use it


@pytest.fixture
def hanging(own: Postgres, own_url: str, monkeypatch: pytest.MonkeyPatch) -> tuple[Postgres, str]:
    """A server that can be frozen. Connections have a shorter time-out than usual."""
    monkeypatch.setattr("service.log.connection.SILENCE_TIMEOUT", 1)
    return own, own_url


@pytest.mark.parametrize(
    ("broken", "times"),
    [(stopped, 1), pytest.param(Postgres.frozen, 2, marks=pytest.mark.checked)],
    ids=["down", "hanging"],
)
async def test_requests_fail_soon_without_the_server_and_succeed_afterwards(
    hanging: tuple[Postgres, str], monkeypatch: pytest.MonkeyPatch, broken: Any, times: int
) -> None:
    monkeypatch.setattr(postgres, "POSTGRES_TIMEOUT", 1)
    server, url = hanging
    async with opened(url) as store:
        await store.append(versions(1))
        with broken(server):
            for _ in range(times):
                reads = [store.read(f"id-{number}") for number in range(200)]
                appends = [store.append(versions(1, of=f"p{number}")) for number in range(200)]
                async with asyncio.timeout(60):  # in turn they would wait for 400 s
                    assert await outcomes(*reads, *appends, store.position(), store.follow(0, 1)) == [Unavailable] * 402
        async with asyncio.timeout(60):
            while Unavailable in await outcomes(store.read("id-ada"), store.append(versions(1, of="bob"))):
                pass
        await store.append(versions(2))
        assert await store.read("id-ada") == values(versions(1, 2))


async def test_the_api_answers_503_while_the_server_is_down(own: Postgres, own_url: str) -> None:
    async with in_process(own_url, secret="x" * 32) as service:
        ann = await service.guest("Ann")
        service.http.event_hooks = {}  # the hooks refuse 503
        opening = {"seats": fewest(ANY)}
        with stopped(own):
            for answer in await asyncio.gather(
                *(ann.get(path) for path in ("/v1/games", f"/v1/standings/{ANY}", "/v1/players/me")),
                ann.get(f"/v1/players/{ann.id}"),
                ann.post(f"/v1/games/{ANY}", opening),
            ):
                problem(answer, 503, "unavailable")
                assert answer.headers["retry-after"] == "1"
        async with asyncio.timeout(60):
            while (await ann.post(f"/v1/games/{ANY}", opening)).status_code == 503:
                pass
        done(await ann.get("/v1/games"))


async def test_no_append_waits_long_for_a_lock(migrated_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(postgres.SESSION, "options", "-c lock_timeout=300ms")
    async with opened(migrated_url) as store:
        insert = Mock(wraps=store.recorder.insert_events)
        monkeypatch.setattr(store.recorder, "insert_events", insert)
        await store.append(versions(1))
        with psycopg.connect(migrated_url) as other:
            other.execute("LOCK TABLE stammtisch_events IN EXCLUSIVE MODE")
            insert.reset_mock()
            assert await outcomes(*(store.append(versions(2)) for _ in range(20))) == [Unavailable] * 20
            assert insert.call_count == 1, "all wait together"
            assert await store.read("id-ada") == values(versions(1))
        await store.append(versions(2))


@pytest.mark.by_default()
async def test_projections_continue_after_the_server_was_down(
    own: Postgres, own_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.live.projection_runner.BACK_OFF", (0.05, 0.1))
    settings = read({}, database=own_url)
    async with opened(own_url) as store:
        engine = databases.projections(settings)
        projection_runner = ProjectionRunner(store, Projections(engine, databases.derived()), shared=True)
        await projection_runner.start()
        await store.append(Table("before").open(seats=2))
        await projection_runner.caught_up()
        with stopped(own):
            pass
        while Unavailable in await outcomes(store.append(Table("after").open(seats=2))):
            pass
        async with asyncio.timeout(60):
            while projection_runner.position < await store.position():
                await projection_runner.caught_up()
        assert [listed.id for listed in page(engine, Search(), None).items] == ["after", "before"]
        await projection_runner.stop()
        engine.dispose()


# --- the server hangs ---------------------------------------------------------------------------------------------


@pytest.mark.checked
async def test_a_move_that_timed_out_while_the_server_hangs_is_made_at_most_once(hanging: tuple[Postgres, str]) -> None:
    """The server commits when it continues; by then the client has repeated the move with the same key."""
    server, url = hanging
    async with opened(url) as store:
        house, dice = Process(store), Random(1)
        live = await house.table()
        for number in range(2):
            before, seat = live.game.version, live.to_act()[0]
            chosen = dice.choice(live.rules.legal(live.game.state, seat))
            with server.frozen(), pytest.raises(Unavailable):
                await house.move(live, seat, chosen, f"key-{number}")
            async with asyncio.timeout(60):
                while (change := await none_if_unavailable(house.move(live, seat, chosen, f"key-{number}"))) is None:
                    pass
            assert await store.read(live.game.id, before) == [*change.entries]


async def none_if_unavailable(result: Awaitable[T]) -> T | None:
    try:
        return await result
    except Unavailable:
        return None


async def test_a_store_closes_while_the_server_hangs(hanging: tuple[Postgres, str]) -> None:
    server, url = hanging
    async with opened(url) as store:
        await store.append(versions(1))
        with server.frozen():
            waiting = [asyncio.create_task(outcomes(store.append(versions(2)), store.read("id-ada")))]
            await asyncio.sleep(0)
            async with asyncio.timeout(60):
                await store.stop()
            assert await asyncio.gather(*waiting) == [[Unavailable, Unavailable]]


@pytest.mark.by_default()
async def test_waiting_requests_share_a_timeout_while_the_server_hangs(hanging: tuple[Postgres, str]) -> None:
    """Requests for the same game, whose reads take turns, and for projections."""
    server, url = hanging
    async with in_process(url, secret="x" * 32) as service:
        ann, bob = await service.guests("Ann", "Bob")
        game = await service.table(ANY, [ann, bob])
        service.http.event_hooks = {}  # the hooks refuse 503
        paths = game, "/v1/games", "/v1/players/me", "/health/ready"
        with server.frozen():
            async with asyncio.timeout(60):  # time-outs in turn would take 200 s
                answers = await asyncio.gather(*(ann.get(path) for path in paths for _ in range(100)))
            for answer in answers:
                problem(answer, 503, "unavailable")
                assert answer.headers["retry-after"] == "1"
            assert (await ann.get("/health/live")).status_code == 200
        async with asyncio.timeout(60):
            for path in paths:
                while (await ann.get(path)).status_code == 503:
                    pass


async def opened_soon(streams: AsyncExitStack, who: Caller, path: str, after: int) -> Listener:
    """The stream, as a client opens it that tries again and again."""
    while True:
        try:
            return await streams.enter_async_context(listening(who, path, after=after))
        except AssertionError:  # 503
            await asyncio.sleep(0.2)


@pytest.mark.checked
async def test_streams_catch_up_by_themselves_after_the_server_was_down(
    own: Postgres, own_url: str, redis_url: str
) -> None:
    """Streams of a process that makes no move: one that was opened before, and one while the server is down, if Redis
    knows the game, or as soon as that is possible again. Nobody asks that process for anything else."""
    given = {"secret": "x" * 32, "redis": redis_url, "rate_limit": "off"}
    async with in_process(own_url, **given) as here, over_http(own_url, **given) as there:
        here.http.event_hooks = there.http.event_hooks = {}  # the hooks refuse 503
        players = await here.guests("Ann", "Bob")
        game = await here.table("scout", players)
        watcher, path = Caller(there.http), f"{game}/events"
        seen = (await watcher.look(game))["version"]
        async with AsyncExitStack() as streams, asyncio.timeout(120):
            before = await opened_soon(streams, watcher, path, seen)
            with stopped(own):
                opening = asyncio.create_task(opened_soon(streams, watcher, path, seen))
                await asyncio.sleep(0.2)
            dice, version = Random(4), seen
            while version < seen + 20:
                await asyncio.sleep(0.02)
                now = await players[0].get(game)
                if now.status_code == 200:
                    mover = players[now.json()["to_act"][0]]
                    if (legal := await mover.get(f"{game}/moves")).status_code == 200:
                        made = await mover.post(f"{game}/moves", dice.choice(legal.json()["legal_moves"]))
                        version = made.json()["version"] if made.status_code == 200 else version
            pages = [item["event"] for item in await players[0].events(game, after=seen, as_="bystander")]
            for stream in (before, await opening):
                received = [json.loads(each.data)["event"] for each in await take(stream, len(pages))]
                assert received == pages
