"""Players who have themselves forgotten, in the middle of a game: their names go everywhere, their games stay."""

import asyncio
import json
import logging
import re
import sqlite3
import time
from argparse import Namespace
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, closing
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import AsyncMock

import jwt
import psycopg
import pytest

from domain.fairness import record
from domain.fairness.verification import flawless, verify
from domain.rulesets import RULESETS
from service.cli import player as command
from service.cli.exit_status import ExitStatus
from service.cli.export import export_games
from service.cli.import_ import import_games
from service.games.cached_game import CachedGame
from service.games.commands import Commands
from service.games.departures import Departures
from service.identity.tokens import FORGOTTEN
from service.log.errors import Unavailable
from service.settings import Settings, read
from service.tables import players as table
from service.tables.mutable import open_file
from tests.support.clients import QUICKEST, Caller, Json, Service, done, fewest, in_process, play_to_the_end, problem
from tests.support.listening import SSE, over_http
from tests.support.servers import Redis

pytestmark = pytest.mark.anyio

NAME = "Zerlina Quux"
FACE = "hedgehog"
SECRET = "s" * 32
SITE_KEY = "k" * 32
WITHIN = 1.0
"""Seconds after which no process shows the name."""


@pytest.fixture
async def service(database: Path) -> AsyncIterator[Service]:
    async with in_process(database) as running:
        yield running


class House(NamedTuple):
    """Two processes on one database."""

    one: Service
    other: Service
    settings: Settings
    redis: Redis | None


async def noticed(house: "House", player: str, name: str | None = None) -> None:
    """Waits until the other process knows the name, which a busy machine may delay, and then as long as it promises."""
    async with asyncio.timeout(60):
        while done(await house.other.stranger.get(f"/v1/players/{player}"))["name"] != name:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    await asyncio.sleep(WITHIN)


@pytest.fixture(params=["sqlite-redis", "postgresql-redis", "postgresql"])
async def house(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[House]:
    kind, _, cached = request.param.partition("-")
    async with AsyncExitStack() as stack:
        redis: Redis | None = request.getfixturevalue("redis") if cached else None
        if redis is not None:
            redis.execute("FLUSHDB")
        database: Any = tmp_path / "games.db" if kind == "sqlite" else request.getfixturevalue("migrated_url")
        given = {"redis": "" if redis is None else redis.url, "secret": SECRET, "issuer_key": SITE_KEY}
        one = await stack.enter_async_context(in_process(database, **given))
        # The other process keeps one game in memory, so that it also serves games from Redis.
        other = await stack.enter_async_context(over_http(database, max_cached_mib=0.001, **given))
        yield House(one, other, read({}, database=str(database)), redis)


def site_token(name: str, sub: str = "uwe", **claims: Any) -> str:
    return jwt.encode({"iss": "site", "sub": sub, "name": name, "exp": time.time() + 60} | claims, SITE_KEY)


async def everything(service: Service, readers: list[Caller], games: list[str], player: str) -> list[bytes]:
    """Every answer in which a name could stand."""
    paths = ["/v1/games", f"/v1/players/{player}", f"/v1/standings/{QUICKEST}", f"/v1/games?player={player}"]
    paths += [f"{game}{part}" for game in games for part in ("", "?at=2", "/events", "/record", "/audit")]
    callers = *(each.at(service) for each in readers), service.stranger
    found = [(await reader.get(path)).content for reader in callers for path in paths]
    ndjson = {"Accept": "application/x-ndjson"}
    found += [(await reader.get(f"{game}/events", headers=ndjson)).content for reader in callers for game in games]
    return found


async def lobby_stream(service: Service) -> bytes:
    """The stream of the lobby from its beginning up to a game that is opened now."""
    last = (await (await service.guest("Last")).open(QUICKEST)).rpartition("/")[2].encode()
    received, headers = b"", {**SSE, "Last-Event-ID": "0"}
    async with asyncio.timeout(60), service.http.stream("GET", "/v1/games", headers=headers) as response:
        async for part in response.aiter_bytes():
            received += part
            if last in received:
                break
    return received


def stored(house: House) -> dict[str, bytes]:
    """What databases and caches contain, by place."""
    found: dict[str, bytes] = {}
    if house.redis is not None:
        for key in house.redis.execute("KEYS", "*"):
            read = "SMEMBERS" if house.redis.execute("TYPE", key) == b"set" else "GET"
            found[f"redis {key!r}"] = repr(house.redis.execute(read, key)).encode()
    if not house.settings.uses_postgres:
        folder = house.settings.sqlite_path.parent
        found |= {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
        return found
    with psycopg.connect(house.settings.database) as connection:
        tables = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        for (name,) in tables:
            rows = connection.execute(f'SELECT t::text FROM "{name}" AS t').fetchall()  # type: ignore[call-overload]
            found[name] = repr(rows).encode()
            if name == "stammtisch_events":
                found["states"] = b"".join(state for (state,) in connection.execute(f"SELECT state FROM {name}"))
    return found


async def waiting_game(bob: Caller, zerlina: Caller) -> str:
    game = await bob.open(QUICKEST, fewest(QUICKEST) + 1)
    await zerlina.sit(game)
    return game


@pytest.mark.checked
@pytest.mark.by_default("sqlite-redis")
async def test_a_player_is_forgotten_in_the_middle_of_a_game(
    house: House, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    zerlina, bob = await house.one.guest(NAME), await house.one.guest("Bob")
    done(await zerlina.patch("/v1/players/me", {"face": FACE}))
    over = await house.one.table(QUICKEST, [zerlina, bob])
    await play_to_the_end([zerlina, bob], over)
    running = await house.one.table(QUICKEST, [zerlina, bob])
    await zerlina.move(running, (await zerlina.moves(running))[0])
    waiting, opened = await waiting_game(bob, zerlina), await zerlina.open(QUICKEST, fewest(QUICKEST) + 1)
    private = await zerlina.open(QUICKEST, private=True)
    games, readers = [over, running, waiting, opened], [bob, zerlina]
    for service in (house.one, house.other):  # the name is in every answer and in every cache
        before = await everything(service, readers, games, zerlina.id)
        assert sum(NAME.encode() in answer for answer in before) > len(before) / 2
    assert NAME.encode() in await lobby_stream(house.other)
    if house.redis is not None:
        assert any(NAME.encode() in content for place, content in stored(house).items() if place.startswith("redis"))
    assert any(FACE.encode() in answer for answer in before)
    etag = (await bob.at(house.other).get(running)).headers["etag"]

    assert (await zerlina.delete("/v1/players/me")).status_code == 204
    await noticed(house, zerlina.id)

    for service in (house.one, house.other):
        for answer in await everything(service, [bob], games, zerlina.id):
            assert NAME.encode() not in answer and FACE.encode() not in answer, answer
    assert NAME.encode() not in await lobby_stream(house.other)
    for place, content in stored(house).items():
        assert NAME.encode() not in content and FACE.encode() not in content, place
    output = tmp_path / "export.ndjson"
    assert (await export_games(house.settings, [], str(output))).games >= 1
    assert NAME.encode() not in output.read_bytes()
    assert NAME not in caplog.text

    for service in (house.one, house.other):
        reader = bob.at(service)
        seen = await reader.get(running, headers={"If-None-Match": etag})
        assert done(seen)["status"] == "running"
        assert done(seen)["seats"][0]["player"] == {"id": zerlina.id, "name": None}
        assert done(await reader.get(f"/v1/players/{zerlina.id}"))["name"] is None
        standings = await reader.every(f"/v1/standings/{QUICKEST}")
        standing = {each["player"]["id"]: each["player"]["name"] for each in standings}
        assert standing[zerlina.id] is None and standing[bob.id] == "Bob"
        for game in (over, running):
            found = record.decode((await reader.get(f"{game}/record")).content)
            assert found.names == {bob.id: "Bob"}
            assert flawless(verify(found))
            assert done(await reader.get(f"{game}/audit"))["ok"] is True
        assert [seat["player"] and seat["player"]["id"] for seat in (await reader.look(waiting))["seats"]][:2] == [
            bob.id, None,
        ]  # fmt: skip
        assert (await reader.look(opened))["status"] == "aborted"
        await refused(zerlina.at(service), running)
    again = await zerlina.at(house.other).delete("/v1/players/me")
    assert (again.status_code, again.content) == (204, b"")
    invite = zerlina.at(house.one)
    problem(await invite.get(private), 401, "unauthenticated")


async def refused(player: Caller, game: str) -> None:
    """The token of the player is refused everywhere, with the reason."""
    for answer in (
        await player.get(game), await player.get("/v1/players/me"), await player.get("/v1/games"),
        await player.post(f"{game}/moves", {"type": "draw"}), await player.patch("/v1/players/me", {"name": "Zoe"}),
        await player.post("/v1/games/" + QUICKEST, {"seats": fewest(QUICKEST)}), await player.delete(f"{game}/seats/0"),
    ):  # fmt: skip
        assert problem(answer, 401, "unauthenticated")["detail"] == FORGOTTEN
        assert answer.headers["www-authenticate"].startswith("Bearer")


async def test_the_token_stays_dead_after_a_restart(database: Path) -> None:
    async with in_process(database, secret=SECRET) as service:
        ann = await service.guest("Ann")
        game = await ann.open(QUICKEST)
        assert (await ann.delete("/v1/players/me")).status_code == 204
    async with in_process(database, secret=SECRET) as service:
        await refused(ann.at(service), game)
        assert (await service.stranger.look(game))["status"] == "aborted"


async def test_nobody_is_forgotten_without_a_token(service: Service) -> None:
    problem(await service.stranger.delete("/v1/players/me"), 401, "unauthenticated")


async def test_a_name_is_in_no_event_of_the_log(database: Path) -> None:
    async with in_process(database) as service:
        zerlina, bob = await service.guest(NAME), await service.guest("Bob")
        game = await service.table(QUICKEST, [zerlina, bob])
        shown = [item["event"] for item in await bob.events(game)]
        assert NAME not in json.dumps(shown)
        assert (shown[0]["opener"], shown[1]["player"]) == (zerlina.id, zerlina.id)
    with closing(sqlite3.connect(database)) as connection:
        rows = connection.execute("SELECT topic, state FROM stored_events").fetchall()
    assert rows and not [row for row in rows if NAME.encode() in row[1]]
    assert {topic.partition(".")[0] for topic, _ in rows} == {RULESETS[QUICKEST].rules}
    assert NAME.encode() not in database.with_name("games.projections.db").read_bytes()


# --- in which order things happen ---------------------------------------------------------------------------------


async def test_a_player_leaves_waiting_games_later_if_that_failed_at_first(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(*_: object) -> None:
        raise Unavailable("the process is killed")

    async with in_process(database, secret=SECRET) as service:
        ann, bob = await service.guests("Ann", "Bob")
        game = await waiting_game(bob, ann)
        with monkeypatch.context() as patch:
            patch.setattr(Departures, "_leave", fails)
            assert (await ann.delete("/v1/players/me")).status_code == 204
        assert (await bob.look(game))["seats"][1]["player"] == {"id": ann.id, "name": None}
    async with in_process(database, secret=SECRET) as service:  # the first sweep is at the start
        async with asyncio.timeout(60):
            while (await bob.at(service).look(game))["seats"][1]["player"] is not None:  # noqa: ASYNC110
                await asyncio.sleep(0.05)


async def test_a_game_that_fails_keeps_nobody_in_another_one(
    database: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Players who are forgotten leave all games that can be read; the log names the others once."""
    execute, broken = Commands.execute, set[str]()

    async def fails_in_some(self: Commands, cached: CachedGame, *rest: Any) -> Any:
        if cached.game.id in broken:
            raise RecursionError
        return await execute(self, cached, *rest)

    monkeypatch.setattr(Commands, "execute", fails_in_some)
    async with in_process(database, secret=SECRET) as service:
        ann, eve, bob = await service.guests("Ann", "Eve", "Bob")
        games = [await waiting_game(bob, player) for player in (ann, ann, ann, eve)]
        broken |= {games[0].rpartition("/")[2], games[2].rpartition("/")[2]}
        assert (await ann.delete("/v1/players/me")).status_code == 204
        assert (await bob.look(games[1]))["seats"][1]["player"] is None
        with monkeypatch.context() as patch:
            patch.setattr(Departures, "_leave", AsyncMock())  # the process is killed before Eve leaves
            assert (await eve.delete("/v1/players/me")).status_code == 204
    async with in_process(database, secret=SECRET) as service:
        async with asyncio.timeout(60):
            while (await bob.at(service).look(games[3]))["seats"][1]["player"] is not None:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        broken.clear()
    assert {game.rpartition("/")[2] for game in (games[0], games[2])} <= set(
        re.findall(r"game (\S+) fails", caplog.text)
    )
    async with in_process(database, secret=SECRET) as service:
        async with asyncio.timeout(60):
            while any([(await bob.at(service).look(game))["seats"][1]["player"] for game in games]):  # noqa: ASYNC110
                await asyncio.sleep(0.05)


async def test_departures_end_when_no_request_of_the_player_can_be_under_way(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def leaving() -> list[Any]:
        with closing(sqlite3.connect(database)) as connection:
            return connection.execute("SELECT id FROM stammtisch_players WHERE leaving").fetchall()

    async with in_process(database, secret=SECRET) as service:
        ann = await service.guest("Ann")
        await ann.delete("/v1/players/me")
    assert leaving() == [(ann.id,)]
    async with in_process(database, secret=SECRET) as service:
        await asyncio.sleep(0.2)
    assert leaving() == [(ann.id,)]
    monkeypatch.setattr("service.games.departures.SETTLED", 0.0)
    async with in_process(database, secret=SECRET) as service:
        async with asyncio.timeout(60):
            while leaving():  # noqa: ASYNC110
                await asyncio.sleep(0.05)


@pytest.mark.by_default("sqlite-redis")
async def test_an_operator_forgets_players_by_their_ids(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    zerlina, bob = await house.one.guest(NAME), await house.one.guest("Bob")
    game = await house.one.table(QUICKEST, [zerlina, bob])
    for service in (house.one, house.other):
        assert NAME in (await bob.at(service).get(game)).text
    arguments = Namespace(action="forget", players=[zerlina.id, "nobody"], database=str(house.settings.database))
    assert await asyncio.to_thread(command.run, arguments) == ExitStatus.REJECTED
    assert capsys.readouterr().err == "nobody: there is no such player\n"
    await noticed(house, zerlina.id)
    for service in (house.one, house.other):
        assert (await bob.at(service).look(game))["seats"][0]["player"] == {"id": zerlina.id, "name": None}
        await refused(zerlina.at(service), game)
    again = Namespace(action="forget", players=[zerlina.id], database=arguments.database)
    assert await asyncio.to_thread(command.run, again) == ExitStatus.OK


# --- names of a site's players ------------------------------------------------------------------------------------


async def test_the_name_of_a_site_player_is_stored_once_for_each_token_that_changes_it(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writes: list[str] = []
    show = table.show

    def counted(connection: Any, player: str, name: str, issued: int) -> None:
        writes.append(name)
        show(connection, player, name, issued)

    monkeypatch.setattr(table, "show", counted)
    async with in_process(database, secret=SECRET, issuer_key=SITE_KEY) as service:
        uwe = Caller(service.http, site_token("Uwe", iat=100), id="site:uwe")
        game = await uwe.open(QUICKEST)
        for _ in range(5):
            assert (await uwe.look(game))["seats"][0]["player"] == {"id": "site:uwe", "name": "Uwe"}
        assert writes == ["Uwe"]
        newer = Caller(service.http, site_token("Uwe B.", iat=200))
        before = (await uwe.get(game)).headers["etag"]
        assert (await newer.look(game))["seats"][0]["player"]["name"] == "Uwe B."
        assert (await uwe.get(game)).headers["etag"] != before
        older = Caller(service.http, site_token("Old", iat=150))
        assert (await older.look(game))["seats"][0]["player"]["name"] == "Uwe B."
        assert (await uwe.look(game))["seats"][0]["player"]["name"] == "Uwe B."
        assert writes == ["Uwe", "Uwe B."]
    async with in_process(database, secret=SECRET, issuer_key=SITE_KEY) as service:
        assert (await uwe.at(service).look(game))["seats"][0]["player"]["name"] == "Uwe B."


@pytest.mark.by_default("sqlite-redis")
async def test_a_site_player_is_forgotten_with_any_token_of_the_site_and_never_comes_back(house: House) -> None:
    uwe = Caller(house.one.http, site_token(NAME), id="site:uwe")
    game = await uwe.open(QUICKEST, private=False)
    assert (await house.other.stranger.look(game))["seats"][0]["player"]["name"] == NAME
    assert (await uwe.at(house.other).delete("/v1/players/me")).status_code == 204
    await noticed(house, uwe.id)
    for service in (house.one, house.other):
        for token in (uwe.token, site_token(NAME, iat=time.time() + 60), site_token("Other")):
            await refused(Caller(service.http, token), game)
        assert done(await service.stranger.get("/v1/players/site:uwe"))["name"] is None
    assert not [place for place, content in stored(house).items() if NAME.encode() in content]


# --- renaming -----------------------------------------------------------------------------------------------------


@pytest.mark.by_default("sqlite-redis")
async def test_a_new_name_is_shown_by_every_process_within_a_second(house: House) -> None:
    ann, bob = await house.one.guests("Ann", "Bob")
    game = await house.one.table(QUICKEST, [ann, bob])
    over = await house.one.table(QUICKEST, [ann, bob])
    await play_to_the_end([ann, bob], over)
    etags = {}
    for service in (house.one, house.other):
        for path in (game, over, f"{over}/record"):
            answer = await bob.at(service).get(path)
            assert "Ann" in answer.text
            etags[path] = answer.headers["etag"]
    done(await ann.patch("/v1/players/me", {"name": NAME}))
    for path, etag in etags.items():  # at once in the process that made the change
        changed = await bob.get(path, headers={"If-None-Match": etag})
        assert NAME in changed.text and changed.headers["etag"] != etag
    await noticed(house, ann.id, NAME)
    for path, etag in etags.items():
        changed = await bob.at(house.other).get(path, headers={"If-None-Match": etag})
        assert NAME in changed.text and changed.headers["etag"] != etag
        again = await bob.at(house.other).get(path, headers={"If-None-Match": changed.headers["etag"]})
        assert again.status_code == 304
    listed = {each["id"]: each for each in await bob.at(house.other).every("/v1/games", player=ann.id)}
    assert {each["seats"][0]["player"]["name"] for each in listed.values()} == {NAME}
    assert NAME in (await lobby_stream(house.other)).decode()


async def test_a_move_answers_with_the_etag_of_the_game_after_a_rename(service: Service) -> None:
    ann, bob = await service.guests("Ann", "Bob")
    game = await service.table(QUICKEST, [ann, bob])
    await ann.patch("/v1/players/me", {"name": "Anna"})
    legal = await ann.moves(game)
    moved = await ann.post(f"{game}/moves", legal[0], headers={"If-Match": (await ann.get(game)).headers["etag"]})
    assert done(moved)["game"]["seats"][0]["player"]["name"] == "Anna"
    assert moved.headers["etag"] == (await ann.get(game)).headers["etag"]


# --- import and export --------------------------------------------------------------------------------------------


async def test_an_import_stores_names_but_never_those_of_players_who_are_known_or_forgotten(tmp_path: Path) -> None:
    here, there, file = tmp_path / "here.db", tmp_path / "there.db", tmp_path / "games.ndjson"
    async with in_process(there, secret=SECRET) as service:
        ann, bob = await service.guest(NAME), await service.guest("Bob")
        game = await service.table(QUICKEST, [ann, bob])
        await play_to_the_end([ann, bob], game)
        other = done(await service.stranger.get(f"{game}/record"))
    assert other["names"] == {ann.id: NAME, bob.id: "Bob"}

    async def imported(names: dict[str, str]) -> Json:
        file.write_text(json.dumps(other | {"names": names}))
        summary = await import_games(read({}, database=str(here)), [str(file)])
        assert summary.rejected == ()
        async with in_process(here, secret=SECRET) as service:
            names_now: Json = done(await service.stranger.get(f"{game}/record"))["names"]
            return names_now

    assert await imported({bob.id: "Robert"}) == {bob.id: "Robert"}
    assert await imported({ann.id: NAME, bob.id: "Bob"}) == {ann.id: NAME, bob.id: "Robert"}  # the same record
    async with in_process(here, secret=SECRET) as service:
        assert (await ann.at(service).delete("/v1/players/me")).status_code == 204
    assert await imported({ann.id: NAME, bob.id: "Bob"}) == {bob.id: "Robert"}


# --- live ---------------------------------------------------------------------------------------------------------


async def test_the_streams_of_a_forgotten_player_deliver_nothing_more(service: Service) -> None:
    ann, bob = await service.guests("Ann", "Bob")
    game = await service.table(QUICKEST, [ann, bob])
    headers = {**SSE, "Authorization": f"Bearer {ann.token}"}

    async def listened() -> bytes:
        async with service.http.stream("GET", f"{game}/events", headers=headers) as response:
            return b"".join([part async for part in response.aiter_bytes()])

    listening = asyncio.create_task(listened())
    await asyncio.sleep(0.2)
    await ann.delete("/v1/players/me")
    async with asyncio.timeout(60):
        received = await listening  # the stream ends
    assert b"event: begun" in received


# --- the table ----------------------------------------------------------------------------------------------------


async def test_no_page_of_the_file_keeps_a_forgotten_name(database: Path) -> None:
    """Whatever SQLite does with its pages: among many players, also where pages were split or merged."""
    names = {f"site:{number * 7919 % 10_007:05}": f"Secret {number:05} {'x' * (number % 20)}." for number in range(800)}
    async with in_process(database):
        pass
    with closing(sqlite3.connect(database)) as connection:
        columns = "revision, issued, renames, leaving, generation, id, name"
        insert = f"INSERT INTO stammtisch_players ({columns}) VALUES (0, 0, 0, 0, 0, ?, ?)"
        connection.executemany(insert, names.items())
        connection.commit()
    engine, gone = open_file(database), [*names][::3] + [*names][1::3]
    with engine.connect() as connection_:
        for player in gone:
            table.forget(connection_, player, "2026-01-01T00:00:00.000000Z")
        for player in [*names][2::9]:
            table.alter(connection_, player, {"name": "A new name that is longer than the old"}, 1)
        connection_.commit()
        assert connection_.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()[0] == 0
    engine.dispose()
    content = b"".join(path.read_bytes() for path in database.parent.iterdir() if path.is_file())
    old = {*gone, *[*names][2::9]}
    assert {player for player, name in names.items() if name.encode() in content} == names.keys() - old


@pytest.mark.by_default("sqlite-redis")
async def test_a_forgotten_player_leaves_running_games_and_declines_kept_seats(house: House) -> None:
    """No answer and no cache keeps the name."""
    bob, zerlina, cem = await house.one.guests("Bob", NAME, "Cem")
    games = [await house.one.table("scout", [bob, zerlina]), await house.one.table("scout", [bob, zerlina, cem])]
    kept = {"seats": ["me", {"player": zerlina.id}, "open"], "private": True}
    games.append(done(await bob.post("/v1/games/scout", kept), 201)["links"]["self"])
    games.append(await house.one.table("scout", [zerlina, bob], absent="abort"))
    for process in house.one, house.other:
        for game in games:
            assert NAME.encode() in (await bob.at(process).get(game)).content
    assert (await zerlina.delete("/v1/players/me")).status_code == 204
    await noticed(house, zerlina.id)
    for process in house.one, house.other:
        two, three, waiting, aborted = [await bob.at(process).look(game) for game in games]
        for game in (two, three):
            assert (game["status"], game["seats"][1]["gone"], game["seats"][1]["bot"]) == ("running", True, "trained/1")
            assert game["seats"][1]["player"] == {"id": zerlina.id, "name": None}
        assert waiting["seats"][1] == {"seat": 1, "player": None, "entropy": ""}
        assert (aborted["status"], aborted["cause"]) == ("aborted", "absent")
    for place, text in stored(house).items():
        assert NAME.encode() not in text, place
