"""Games that are over become files, and every answer about them stays the same."""

import asyncio
import os
from collections.abc import Callable
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import psycopg
import pytest
from msgspec.structs import replace
from sqlalchemy import create_engine, select, text

from projections import positions
from projections.projection import Projections
from service import databases as opening
from service.cli.exit_status import ExitStatus
from service.cli.export import export_games
from service.cli.import_ import import_games
from service.cli.rebuild import rebuild_all
from service.cli.record_files import read_file
from service.cli.transfer import Summary
from service.extensions.archive import archiver
from service.extensions.archive import files as archive
from service.extensions.archive.files import zstd
from service.games.shelf import Shelf
from service.live.projection_runner import ProjectionRunner
from service.log import elsewhere
from service.log.game_log import GameLog
from service.settings import InvalidSettings, Settings, read
from tests.extensions.webhooks.test_following import following, make_live, rows
from tests.projections.histories import Table
from tests.support.clients import QUICKEST, Caller, Service, done, fewest, in_process, play_to_the_end, problem
from tests.support.common_deals import serving
from tests.support.finished import fill
from tests.support.forked import run_command

pytestmark = [pytest.mark.anyio, pytest.mark.turns("databases")]

ROWS = "SELECT originator_id, topic, originator_version FROM {table} ORDER BY 1, 3"
POSITIONS = "SELECT {position}, 0 FROM {table}"
TABLES = {"sqlite": "stored_events", "postgresql": "stammtisch_events"}


@pytest.fixture(autouse=True)
def fast(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archiver, "PAUSE", 0.01)


class House:
    """A database, and a folder for its archived games."""

    def __init__(self, settings: Settings, folder: Path) -> None:
        self.settings = settings
        self.folder = folder
        self.folder.mkdir()
        self.archiving = {"archive": str(folder), "archive_after_days": 0}

    def service(self, **given: Any) -> Any:
        return in_process(self.settings.database, **given)

    @property
    def files(self) -> dict[str, Path]:
        """The files by their hashes."""
        return {path.name.partition(".")[0]: path for path in self.folder.rglob("*.zst")}

    def rows(self, query: str = ROWS) -> list[Any]:
        if self.settings.uses_postgres:
            engine = create_engine(self.settings.database.replace("postgresql://", "postgresql+psycopg://"))
        else:
            engine = create_engine(f"sqlite:///{self.settings.sqlite_path}")
        position = "notification_id" if self.settings.uses_postgres else "rowid"
        with engine.connect() as connection:
            asked = text(query.format(table=TABLES[engine.dialect.name], position=position))
            found = [tuple(row) for row in connection.execute(asked)]
        engine.dispose()
        return found

    async def archived(self, games: int) -> None:
        """Wait until this number of games has only two rows."""
        async with asyncio.timeout(60):
            while sum(topic == elsewhere.LAST for _, topic, _ in self.rows()) < games or self.middle():  # noqa: ASYNC110
                await asyncio.sleep(0.02)

    def middle(self) -> list[Any]:
        """Rows of archived games that are still to be deleted."""
        found = self.rows()
        moved = {stream for stream, topic, _ in found if topic == elsewhere.LAST}
        return [row for row in found if row[0] in moved and row[1] not in (elsewhere.FIRST, elsewhere.LAST)]

    def projected(self) -> dict[str, Any]:
        """The rows of the projections, but those of announcements: archived games announce only their end."""
        engine = opening.projections(self.settings)
        with engine.begin() as connection:
            found = {
                table.name: sorted(map(repr, connection.execute(select(table))))
                for projection in opening.derived()
                for table in projection.tables
                if table.name != "announcements"
            }
        engine.dispose()
        return found


@pytest.fixture
def house(databases: Callable[[str], Settings], tmp_path: Path) -> House:
    return House(databases("log"), tmp_path / "archive")


async def played(service: Service) -> tuple[list[Caller], list[str]]:
    """Two players, and games of theirs that are over: public ones, a private one, one that never began."""
    ann, bob, *others = await service.guests(*("Ann", "Bob", "Cem", "Dora", "Emil")[: max(2, fewest(QUICKEST))])
    players = [ann, bob, *others]
    games = [await service.table(QUICKEST, players), await service.table(QUICKEST, players, private=True)]
    for game in games:
        await play_to_the_end(players, game)
    cancelled = await ann.open(QUICKEST, fewest(QUICKEST))
    done(await ann.delete(cancelled))
    return players, [*games, cancelled]


async def answers(service: Service, players: list[Caller], games: list[str]) -> dict[str, Any]:
    """What the API says about these games."""
    found: dict[str, Any] = {}
    callers = {"ann": players[0].at(service), "stranger": service.stranger}
    for name, caller in callers.items():
        for game in games:
            for path, headers in (
                ("", {}), ("?at=2", {}), ("?at=20&as=0", {}), ("/record", {}), ("/record?names=false", {}),
                ("/events?limit=7", {}), ("/events?after=3&limit=500", {}), ("/events?after=9999", {}),
                ("/audit", {}), ("/film", {}),
                ("/events?with=patch", {"Accept": "application/x-ndjson"}),
                ("/events", {"Accept": "text/event-stream", "Last-Event-ID": "5"}),
            ):  # fmt: skip
                answer = await caller.get(f"{game}{path}", headers=headers)
                found[f"{name} {game}{path} {headers}"] = answer.status_code, answer.headers.get("etag"), answer.content
        lists = "/v1/games", f"/v1/standings/{QUICKEST}", "/v1/games?status=finished"
        for path in (*lists, f"/v1/players/{players[0].id}"):
            answer = await caller.get(path)
            found[f"{name} {path}"] = answer.status_code, answer.content
    return found


async def over(service: Service, **terms: Any) -> tuple[list[Caller], str]:
    """Players, and a game of theirs that is over."""
    players = await service.guests(*("Ann", "Bob", "Cem", "Dora", "Emil")[: fewest(QUICKEST)])
    game = await service.table(QUICKEST, players, **terms)
    await play_to_the_end(players, game)
    return players, game


async def test_every_answer_about_an_archived_game_stays_the_same(house: House) -> None:
    async with house.service() as service:
        players, games = await played(service)
        waiting = await players[0].open(QUICKEST, fewest(QUICKEST))
        before = await answers(service, players, games)
    projected, rows = house.projected(), house.rows()
    async with house.service(**house.archiving) as service:
        await house.archived(len(games))
        assert await answers(service, players, games) == before
        ids = {game.rpartition("/")[2] for game in games}
        assert {stream for stream, _, _ in house.rows()} == {stream for stream, _, _ in rows}
        assert len([row for row in house.rows() if row[0] in ids]) == 2 * len(games) < len(rows)
        assert (await players[0].at(service).look(waiting))["status"] == "waiting"
    async with house.service(**house.archiving) as service:  # nothing is in memory
        assert await answers(service, players, games) == before
    assert house.projected() == projected
    await rebuild_all(read({}, database=house.settings.database, archive=house.folder))
    assert house.projected() == projected


async def test_an_archived_record_is_served_for_ever_under_its_hash(house: House) -> None:
    async with house.service(**house.archiving) as service:
        players, game = await over(service)
        _, private = await over(service, private=True)
        await house.archived(2)
        stranger, plain = service.stranger, {"Accept-Encoding": "identity"}
        whole = await stranger.get(f"{game}/record", names="false")
        place = whole.headers["content-location"]
        digest = place.rpartition("/")[2]
        assert digest == sha256(whole.content).hexdigest()
        for caller in (stranger, players[0]):
            answer = await caller.get(place, headers=plain)
            assert (answer.status_code, answer.content) == (200, whole.content)
            assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
            assert answer.headers["etag"] == f'"{digest}"'
        packed = await stranger.get(place, headers={"Accept-Encoding": "zstd, gzip"})
        assert packed.headers["content-encoding"] == "zstd"
        gzipped = await stranger.get(place, headers={"Accept-Encoding": "gzip"})
        assert (gzipped.headers["content-encoding"], gzipped.content) == ("gzip", whole.content)
        assert b"Ann" not in whole.content
        assert (await stranger.get(place, headers={"If-None-Match": f'"{digest}"'})).status_code == 304
        assert "content-location" not in (await stranger.get(f"{game}/record")).headers

        (hidden,) = house.files.keys() - {digest}
        problem(await stranger.get(f"/v1/records/{hidden}"), 404, "not-found")
        problem(await stranger.get(f"{private}/record", names="false"), 404, "not-found")
        for unknown in ("0" * 64, digest.upper()):
            assert (await stranger.get(f"/v1/records/{unknown}")).status_code in (400, 404)
        for odd in ("..%2f..%2fgames.db", "%00", digest + "%0a", digest[:-1]):
            assert (await stranger.get(f"/v1/records/{odd}")).status_code in (400, 404)
    file = house.files[digest]
    assert zstd.decompress(file.read_bytes()) == whole.content
    ran = await asyncio.to_thread(run_command, "verify", str(file), environment=os.environ)
    assert ran.returncode == 0, "the file is a record as any other"


async def test_games_go_on_from_an_archived_game(house: House) -> None:
    async with house.service(**house.archiving) as service:
        players, game = await over(service)
        await house.archived(1)
    async with house.service(**house.archiving) as service:
        ann = players[0].at(service)
        again = done(await ann.post(f"{game}/rematch", {}), 201)
        assert again["status"] == "waiting"
        branch = done(await ann.post(f"{game}/branches", {"at": 20}), 201)
        assert branch["status"] == "running"
        assert branch["parent"]["at"] in (20, 21), "at the end of a move"


async def test_a_request_that_is_repeated_after_archiving_is_refused(house: House) -> None:
    async with house.service(**house.archiving) as service:
        (ann,) = await service.guests("Ann")
        game = await ann.open(QUICKEST, hotseat=True, key="opening")
        seat = (await ann.look(game))["to_act"][0]
        move = (await ann.moves(game, as_=seat))[0]
        done(await ann.post(f"{game}/moves", move, as_=seat, headers={"Idempotency-Key": "first"}))
        await play_to_the_end([ann] * fewest(QUICKEST), game)
        await house.archived(1)
    async with house.service(**house.archiving) as service:
        ann, before = ann.at(service), house.rows()
        answer = await ann.post(f"{game}/moves", move, as_=seat, headers={"Idempotency-Key": "first"})
        problem(answer, 409, "illegal-move")
        body, key = {"seats": fewest(QUICKEST), "hotseat": True}, {"Idempotency-Key": "opening"}
        problem(await ann.post(f"/v1/games/{QUICKEST}", body, headers=key), 422, "idempotency-key-reused")
        assert house.rows() == before


async def test_archived_games_are_exported_and_imported_as_before(house: House, tmp_path: Path) -> None:
    exported = [str(tmp_path / name) for name in ("before.ndjson", "after.ndjson")]
    async with house.service() as service:
        await over(service)
        await over(service)
    settings = read({}, database=house.settings.database, archive=house.folder)
    await export_games(settings, (), exported[0])
    async with house.service(**house.archiving):
        await house.archived(2)
    await export_games(settings, (), exported[1])
    before, after = [list(read_file(file)) for file in exported]
    assert [text for _, text, _ in before] == [text for _, text, _ in after]
    assert len(before) == 2
    rows = house.rows()
    assert (await import_games(settings, [exported[0]])) == Summary(0, 2, ())
    assert house.rows() == rows, "the ids of archived games stay taken"
    elsewhere = read({}, database=str(tmp_path / "elsewhere.db"))
    assert (await import_games(elsewhere, [str(file) for file in house.files.values()])).games == 2


@pytest.mark.by_default()
async def test_an_imported_game_stays_imported(house: House, tmp_path: Path) -> None:
    async with in_process(tmp_path / "elsewhere.db") as service:
        await over(service)
    await export_games(read({}, database=tmp_path / "elsewhere.db"), (), str(tmp_path / "game.ndjson"))
    await import_games(house.settings, [str(tmp_path / "game.ndjson")])
    async with house.service() as service:
        shown = done(await service.stranger.get("/v1/games"))
    async with house.service(**house.archiving) as service:
        await house.archived(1)
    await rebuild_all(read({}, database=house.settings.database, archive=house.folder))
    async with house.service(**house.archiving) as service:
        assert done(await service.stranger.get("/v1/games")) == shown
        assert done(await service.stranger.get(f"/v1/standings/{QUICKEST}"))["items"] == []


@pytest.mark.checked
@pytest.mark.by_default("between the rows")
@pytest.mark.parametrize("where", ["before the rows", "between the rows", "before the position"])
async def test_a_process_that_stops_in_between_loses_nothing(
    house: House, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archiver, "MAX_ROWS", 7)
    async with house.service() as service:
        players, games = await played(service)
        before = await answers(service, players, games)
    projected = house.projected()
    with monkeypatch.context() as patch:
        broken = asyncio.Event()
        moves = count()

        def fail(*_: Any) -> None:
            broken.set()
            raise OSError("killed")

        def archive_once(self: GameLog, moved: Any, upto: int) -> int:
            if where == "before the rows" or next(moves):
                fail()
            return real(self, moved, upto)

        real = GameLog.archive
        if where == "before the position":
            patch.setattr(positions, "advance", fail)
        else:
            patch.setattr(GameLog, "archive", archive_once)
        async with house.service(**house.archiving) as service:
            await broken.wait()
            assert await answers(service, players, games) == before, "rows, files, or both"
            assert (len(house.middle()) > 0) == (where == "between the rows")
    async with house.service(**house.archiving) as service:
        assert await answers(service, players, games) == before
        await house.archived(len(games))
        assert await answers(service, players, games) == before
    await rebuild_all(read({}, database=house.settings.database, archive=house.folder))
    assert house.projected() == projected
    assert len(house.files) == len(games)
    assert not list(house.folder.rglob("*.part"))


@pytest.mark.by_default()
async def test_two_processes_may_archive_at_once(house: House) -> None:
    async with house.service() as service:
        players, games = await played(service)
        before = await answers(service, players, games)
    shared = house.archiving | ({} if house.settings.uses_postgres else {"workers": 2})
    async with house.service(**shared) as one, house.service(**shared) as other:
        await house.archived(len(games))
        for service in (one, other):
            assert (await answers(service, players, games)) == before
    async with house.service(**house.archiving) as service:
        assert await answers(service, players, games) == before


@pytest.mark.checked
async def test_a_lost_or_damaged_file_is_noticed(house: House) -> None:
    async with house.service(**house.archiving) as service:
        players, game = await over(service)
        _, other = await over(service)
        await house.archived(2)
        profile = done(await players[0].get(f"/v1/players/{players[0].id}"))
        digest = (await service.stranger.get(f"{game}/record", names="false")).headers["content-location"][12:]
    content = house.files[digest].read_bytes()
    for damaged in (None, b"", content[:-9], zstd.compress(zstd.decompress(content).replace(b'"seat":0', b'"seat":1'))):
        if damaged is None:
            house.files[digest].unlink()
        else:
            house.folder.joinpath("public", digest[:2], f"{digest}.json.zst").write_bytes(damaged)
        async with house.service(**house.archiving) as service:
            service.http.event_hooks = {}  # the hooks refuse 503
            problem(await service.stranger.get(game), 503, "unavailable")
            audit = done(await service.stranger.get(f"{game}/audit"))
            assert (audit["ok"], [check["name"] for check in audit["checks"]]) == (False, ["log"])
            done(await service.stranger.get(other))
    assert await rebuild_all(read({}, database=house.settings.database, archive=house.folder)) == ExitStatus.REJECTED
    house.folder.joinpath("public", digest[:2], f"{digest}.json.zst").write_bytes(content)
    assert await rebuild_all(read({}, database=house.settings.database, archive=house.folder)) == ExitStatus.OK
    async with house.service(**house.archiving) as service:
        assert done(await service.stranger.get(f"{game}/audit"))["ok"]
        assert done(await players[0].at(service).get(f"/v1/players/{players[0].id}")) == profile


async def test_without_the_folder_archived_games_are_unavailable_and_others_go_on(house: House) -> None:
    async with house.service(**house.archiving) as service:
        _, game = await over(service)
        await house.archived(1)
    house.folder.rename(house.folder.with_name("unmounted"))
    house.folder.mkdir()
    for given in ({}, house.archiving):
        async with house.service(**given) as service:
            service.http.event_hooks = {}  # the hooks refuse 503
            problem(await service.stranger.get(game), 503, "unavailable")
            problem(await service.stranger.get(f"{game}/audit"), 503, "unavailable")
            await over(service)
    assert house.files == {}, "nothing is archived where the folder is to be mounted"
    with pytest.raises(InvalidSettings, match="names no folder"):
        await rebuild_all(house.settings)
    house.folder.rmdir()
    with pytest.raises(InvalidSettings, match="ARCHIVE"):
        await rebuild_all(read({}, database=house.settings.database, archive=house.folder))


async def test_a_deletion_writes_little_and_delays_no_move(migrated_url: str, tmp_path: Path) -> None:
    """At most 100 bytes of WAL for each event, all that archiving writes included."""
    given = read({}, database=migrated_url)
    store, engine = opening.open_store(given, Shelf().kinds()), opening.projections(given)
    records = await fill(store, QUICKEST, 40)
    runner = ProjectionRunner(store, Projections(engine, opening.derived()), shared=True)
    await runner.start()
    await runner.catch_up()
    await runner.stop()

    async def query(ask: Callable[..., Any], *arguments: Any) -> Any:
        return await asyncio.to_thread(ask, engine, *arguments)

    archiving = archiver.Archiver(store, archive.Archive(tmp_path), Projections(engine, opening.derived()), query, 0)
    with psycopg.connect(migrated_url, autocommit=True) as connection:

        def written() -> int:
            ((position,),) = connection.execute("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn").fetchall()
            return int(position)

        events = await store.scan(lambda row: row.id, 0, 100_000)
        before = written()
        while archiving.handled < len(records) - 1:  # the last one may be behind the checkpoint of the projections
            await archiving.sweep()
        for_each = (written() - before) / len(events)
        print(f"{for_each:.0f} bytes of WAL for an archived event")  # noqa: T201
        assert for_each < 100
        left = await store.scan(lambda row: row.topic, 0, 100_000)
        assert len(left) < len(events) / 20
    game_id = next(iter(records))
    with psycopg.connect(migrated_url) as other:  # what one batch does, not yet committed
        other.execute("UPDATE stammtisch_events SET state = state WHERE originator_id = %s", (game_id,))
        other.execute("DELETE FROM stammtisch_events WHERE originator_id = %s", (game_id,))
        locks = "SELECT DISTINCT mode FROM pg_locks WHERE relation = 'stammtisch_events'::regclass AND pid <> %s"
        async with asyncio.timeout(60):
            await store.append(Table("another").open(seats=2))
            found = await asyncio.to_thread(psycopg.connect, migrated_url)
            with found:
                modes = {mode for (mode,) in found.execute(locks, (found.info.backend_pid,)).fetchall()}
        assert modes <= {"AccessShareLock", "RowShareLock", "RowExclusiveLock"}
        other.rollback()
    await store.stop()
    engine.dispose()


@pytest.mark.checked
async def test_webhooks_go_on_beside_archived_games(house: House) -> None:
    given = read({}, database=house.settings.database, **house.archiving)
    networks = {"webhook_networks": "127.0.0.0/8"}
    async with house.service(**house.archiving, **networks) as service:
        players, game = await over(service)
        await house.archived(1)
        async with following(given) as (follower, engine), asyncio.timeout(60):
            hook = await make_live(given, players[0])
            last = max(position for position, _ in house.rows(POSITIONS))
            while follower.position < last:  # transactions of other tests hold back readers of the server
                await follower.catch_up()
                await asyncio.sleep(0.01)
            assert rows(engine, hook) == [], "it is over for longer than events are delivered late"
            first = (await follower._store.scan(follower._line, 0, 1))[0]
            with pytest.raises((LookupError, msgspec.MsgspecError)):  # a row that was read just before
                await follower._before(replace(first, game=game.rpartition("/")[2], version=40))
            await service.table(QUICKEST, players)
            while not rows(engine, hook):
                await follower.catch_up()
                await asyncio.sleep(0.01)


@pytest.mark.checked
async def test_games_of_a_common_deal_are_archived_once_the_deal_is_revealed(house: House, tmp_path: Path) -> None:
    """Their end comes earlier than `revealed`. Before it the cards are secret, so no file has them."""
    given: Any = {"database": house.settings.database, "secret": "x" * 32, **house.archiving}
    async with serving(tmp_path, **given) as tables:
        await tables.play(tables.ann, tables.games[0])
        players, other = await over(tables.service)
        await house.archived(1)
        assert len(house.files) == 1
        await tables.reveal()
        await house.archived(3)
        games = [*tables.games, other]
        assert all([done(await tables.olga.get(f"{each}/record"))["secret"] for each in games])
        archived = await answers(tables.service, [tables.olga, *players], games)
    projected = house.projected()
    await rebuild_all(read({}, database=house.settings.database, archive=house.folder))
    assert house.projected() == projected
    async with house.service(secret="x" * 32, archive=str(house.folder)) as service:
        assert await answers(service, [tables.olga, *players], games) == archived
