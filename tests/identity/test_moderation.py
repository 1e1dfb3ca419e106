"""What operators do to players and games: on one SQLite file, and in two processes on PostgreSQL."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from domain.fairness import record
from domain.fairness.verification import verify
from domain.rulesets import RULESETS
from service import __main__, databases
from service.cli.exit_status import ExitStatus
from service.games import expiry, orders
from service.games.cached_game import CachedGame
from service.games.commands import Commands
from service.settings import read
from service.tables import moderation
from service.tables.moderation import Deed
from tests.support.channels import channel
from tests.support.clients import Caller, Service, done, fewest, in_process, problem
from tests.support.listening import listening, over_http, take
from tests.verifiers.standalone import javascript, python, wrong

pytestmark = [pytest.mark.anyio, pytest.mark.turns("databases")]

ANY = next(iter(RULESETS))
WITHIN = 60.0
"""Seconds after which every process must have noticed. It takes half a second on a quiet machine."""


class House(NamedTuple):
    """Services on one database. `other` is another process's, or the same one."""

    one: Service
    other: Service
    database: str


@pytest.fixture(params=["sqlite", "postgresql"])
async def house(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[House]:
    async with AsyncExitStack() as stack:
        if request.param == "sqlite":
            service = await stack.enter_async_context(over_http(tmp_path / "games.db"))
            yield House(service, service, str(tmp_path / "games.db"))
        else:
            url = request.getfixturevalue("migrated_url")
            one = await stack.enter_async_context(over_http(url, secret="s" * 32))
            yield House(one, await stack.enter_async_context(over_http(url, secret="s" * 32)), url)


@pytest.fixture
def short_sweeps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expiry, "SWEEP_INTERVAL", 0.05)


async def stammtisch(house: House, *arguments: str) -> int:
    """The exit status of the command."""
    return await asyncio.to_thread(__main__.main, [*arguments, "--database", house.database])


async def until(condition: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(WITHIN):
        while not await condition():  # noqa: ASYNC110
            await asyncio.sleep(0.05)


async def answers(who: Caller, game: str, status: int) -> None:
    async def checked() -> bool:
        return (await who.get(game)).status_code == status

    await until(checked)


async def deeds(house: House, subject: str) -> list[tuple[str, str | None]]:
    settings = read({}, database=house.database)
    engine = databases.projections(settings)
    try:
        found: tuple[Deed, ...] = await databases.mutable(settings, engine).query(moderation.of, subject)
        return [(each.action, each.reason) for each in found]
    finally:
        engine.dispose()


async def test_players_are_found_by_name_and_banned_ones_are_listed(
    house: House, capsys: pytest.CaptureFixture[str]
) -> None:
    ann, bob, _ = await house.one.guests("Ann 100%", "Bob", "Joanna_x")
    assert await stammtisch(house, "player", "ban", ann.id, bob.id) == ExitStatus.OK
    capsys.readouterr()
    for text, names in (("ANN", ["Ann 100%", "Joanna_x"]), ("%", ["Ann 100%"]), ("_", ["Joanna_x"]), ("\\", [])):
        assert await stammtisch(house, "player", "find", text) == ExitStatus.OK
        assert [json.loads(line)["name"] for line in capsys.readouterr().out.splitlines()] == names
    assert await stammtisch(house, "player", "banned") == ExitStatus.OK
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert found == [{"id": each.id, "name": each.name, "banned": True} for each in (ann, bob)]


async def test_a_banned_player_is_shut_out_until_the_ban_is_lifted(house: House) -> None:
    ann, bob = await house.one.guests("Ann", "Bob")
    running = await house.one.table(ANY, [ann, bob])
    before, everywhere = await bob.events(running), (ann, ann.at(house.other))
    assert await stammtisch(house, "player", "ban", ann.id, "--reason", "insults") == ExitStatus.OK
    for who in everywhere:
        await answers(who, running, 403)
        problem(await who.post(f"/v1/games/{ANY}", {"seats": fewest(ANY)}), 403, "banned")
        assert (await who.get("/health/live")).status_code == 200
    for service in (house.one, house.other):
        assert (await bob.at(service).look(running))["seats"][0]["player"] == {"id": ann.id, "name": "Ann"}
    assert (await bob.events(running))[: len(before)] == before
    assert await stammtisch(house, "player", "unban", ann.id) == ExitStatus.OK
    for who in everywhere:
        await answers(who, running, 200)
    assert await deeds(house, ann.id) == [("ban", "insults"), ("unban", None)]


@pytest.mark.by_default("sqlite")
@pytest.mark.usefixtures("short_sweeps")
async def test_a_banned_player_leaves_all_games(house: House) -> None:
    """Their seats in waiting games are free again; in running games a bot goes on. Other players stay."""
    ann, bob = await house.one.guests("Ann", "Bob")
    waiting = await bob.open(ANY, fewest(ANY) + 1)
    await ann.sit(waiting)
    opened = await ann.open(ANY, fewest(ANY) + 1)
    await bob.sit(opened)
    running = await house.one.table(ANY, [ann, bob], absent="random/1")
    await stammtisch(house, "player", "ban", ann.id)
    who = bob.at(house.other)

    async def players(game: str) -> list[str | None]:
        return [seat["player"] and seat["player"]["id"] for seat in (await who.look(game))["seats"]]

    async def left() -> bool:
        gone = (await who.look(running))["seats"][0].get("gone")
        return gone is True and ann.id not in await players(waiting) + await players(opened)

    await until(left)
    assert [await players(game) for game in (waiting, opened)] == [[bob.id, None, None], [None, bob.id, None]]
    assert await players(running) == [ann.id, bob.id]
    assert "gone" not in (await who.look(running))["seats"][1]


@pytest.mark.by_default("sqlite")
async def test_a_banned_player_loses_streams_and_the_channel_and_may_be_forgotten(house: House) -> None:
    ann, bob = await house.one.guests("Ann", "Bob")
    game = await bob.open(ANY, fewest(ANY) + 1)
    await ann.sit(game)
    async with listening(ann.at(house.other), f"{game}/events") as stream, channel(ann) as mine:
        await take(stream, 1)
        await stammtisch(house, "player", "ban", ann.id)
        await answers(ann, game, 403)
        assert await mine.closed() == (4401, "the player was forgotten, is banned, or has signed out")
    assert (await ann.delete("/v1/players/me")).status_code == 204
    assert (await bob.look(game))["seats"][1]["player"] is None


@pytest.mark.by_default("sqlite")
async def test_a_guest_is_renamed_in_every_process(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    ann = await house.one.guest("Rude Word")
    game = await ann.open(ANY)
    assert await stammtisch(house, "player", "rename", ann.id, "  Player   7 ") == ExitStatus.OK

    async def renamed() -> bool:
        seen = [await service.stranger.get(game) for service in (house.one, house.other)]
        return all(done(each)["seats"][0]["player"]["name"] == "Player 7" for each in seen)

    await until(renamed)
    assert await deeds(house, ann.id) == [("rename", None)]
    for name in ("\u200b", ""):
        assert await stammtisch(house, "player", "rename", ann.id, name) == ExitStatus.REJECTED
        assert "the name " in capsys.readouterr().err
    assert await stammtisch(house, "player", "rename", "nobody", "Ann") == ExitStatus.REJECTED
    assert capsys.readouterr().err == "nobody: there is no such player\n"


@pytest.mark.by_default("sqlite")
async def test_what_a_player_holds_is_shown(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    ann = await house.one.guest("Ann")
    games = [await ann.open(ANY), await ann.open(ANY, private=True)]
    await house.one.stranger.get("/v1/games")  # now the projections are up to date
    await stammtisch(house, "player", "rename", ann.id, "Anna")
    capsys.readouterr()
    assert await stammtisch(house, "player", "show", ann.id) == ExitStatus.OK
    shown = json.loads(capsys.readouterr().out)
    assert (shown["id"], shown["name"], shown["banned"], shown["forgotten"]) == (ann.id, "Anna", False, False)
    assert set(shown["unfinished"]) == set(games)
    assert shown["storage_bytes"] > 0
    assert [deed["action"] for deed in shown["moderation"]] == ["rename"]
    await stammtisch(house, "player", "ban", ann.id, "--reason", "Anna of 7 High Street")
    await stammtisch(house, "player", "forget", ann.id)
    capsys.readouterr()
    await stammtisch(house, "player", "show", ann.id)
    forgotten = json.loads(capsys.readouterr().out)
    assert (forgotten["name"], forgotten["forgotten"]) == (None, True)
    assert await deeds(house, ann.id) == [("rename", None), ("ban", None), ("forget", None)]


async def test_a_game_is_aborted_without_changing_its_history(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    ann, bob = await house.one.guests("Ann", "Bob")
    running, waiting = await house.one.table(ANY, [ann, bob]), await ann.open(ANY)
    before, ids = await ann.events(running), [game.rpartition("/")[2] for game in (running, waiting)]
    async with listening(ann.at(house.other), f"{running}/events") as stream:
        await take(stream, len(before))
        assert await stammtisch(house, "game", "abort", *ids, "--reason", "a test") == ExitStatus.OK
        assert capsys.readouterr().out == "".join(f"{each}: aborted\n" for each in ids)
        assert [message.event for message in await take(stream, 2)] == [b"aborted", b"revealed"]
    for game in (running, waiting):
        for service in (house.one, house.other):
            seen = await ann.at(service).look(game)
            assert (seen["status"], seen["cause"], seen["legal_moves"]) == ("aborted", "operator", [])
        whole = done(await ann.get(f"{game}/record"))
        assert all(check.ok for check in verify(record.decode(msgspec.json.encode(whole))))
        assert not wrong(python().verify(whole))
        assert not wrong(javascript([whole])[0])
    assert (await ann.events(running, as_="0"))[: len(before)] == before
    assert await deeds(house, ids[0]) == [("abort", "a test")]
    assert await stammtisch(house, "game", "abort", ids[0], "nothing") == ExitStatus.REJECTED
    assert capsys.readouterr().err == f"{ids[0]}: the game is over already\nnothing: there is no such game\n"


async def test_an_order_that_fails_delays_no_other_and_is_logged_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    failed, stop = 0, Commands.execute

    async def failing(self: Commands, cached: CachedGame, *rest: Any) -> Any:
        nonlocal failed
        if failed < 3 and cached.game.id == ids[0]:
            failed += 1
            raise RuntimeError("the first game")
        return await stop(self, cached, *rest)

    monkeypatch.setattr(orders, "POLL_INTERVAL", 0.02)
    monkeypatch.setattr(Commands, "execute", failing)
    async with over_http(tmp_path / "games.db") as service:
        ann = await service.guest("Ann")
        games = [await ann.open(ANY) for _ in range(2)]
        ids = [game.rpartition("/")[2] for game in games]
        arguments = ["game", "abort", *ids, "--database", str(tmp_path / "games.db")]
        assert await asyncio.to_thread(__main__.main, arguments) == ExitStatus.OK
        assert [(await ann.look(game))["status"] for game in games] == ["aborted"] * 2
    assert failed == 3
    assert capfd.readouterr().err.count("orders of the operator cannot be carried out") == 1


async def test_a_game_is_aborted_by_the_next_service(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.cli.game.PATIENCE", 0.1)
    async with in_process(tmp_path / "games.db") as service:
        ann = await service.guest("Ann")
        game = await ann.open(ANY)
    arguments = ["game", "abort", game.rpartition("/")[2], "--database", str(tmp_path / "games.db")]
    assert await asyncio.to_thread(__main__.main, arguments) == ExitStatus.OK
    assert "the next one, aborts it" in capsys.readouterr().out
    async with in_process(tmp_path / "games.db") as service:

        async def aborted() -> bool:
            return bool((await ann.at(service).look(game))["status"] == "aborted")

        await until(aborted)


async def test_guests_can_be_turned_off(tmp_path: Path) -> None:
    async with in_process(tmp_path / "games.db") as service:
        ann = await service.guest("Ann")
    async with in_process(tmp_path / "games.db", guests="off") as service:
        refusal = problem(await service.stranger.post("/v1/players", {"name": "Bob"}), 403, "forbidden")
        assert refusal["detail"] == "This service does not register guests."
        assert await ann.at(service).open(ANY)
