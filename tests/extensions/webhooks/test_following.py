"""What is due follows from the log alone: not from how it is read, by how many processes, or how often."""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import jwt
import pytest
from sqlalchemy import Engine, delete

from projections.database import reading
from projections.schema import checkpoints
from service.cli.database import open_mutable, open_store
from service.clock import wall_clock
from service.databases import prepare_others
from service.databases import projections as open_engine
from service.extensions.webhooks import follower as module
from service.extensions.webhooks import outbox
from service.extensions.webhooks import rows as table
from service.extensions.webhooks.follower import Follower, Hooks
from service.settings import Settings
from tests.extensions.webhooks.conftest import ISSUER_KEY
from tests.support.clients import Caller, Service, done, play

pytestmark = pytest.mark.anyio

HOOK = {"url": "http://hook.example/"}


@asynccontextmanager
async def following(given: Settings) -> AsyncIterator[tuple[Follower, Engine]]:
    """A follower that does not send."""
    engine = open_engine(given)
    try:
        async with open_store(given) as store, open_mutable(given) as mutable:
            prepare_others(given, engine)
            made = Follower(store, engine, Hooks(mutable), "https://games.example/")
            await made.start()
            yield made, engine
    finally:
        engine.dispose()


async def make_live(given: Settings, owner: Caller, at: int = 0) -> str:
    """A webhook of the owner that has answered its ping, at this time."""
    made = done(await owner.post("/v1/webhooks", HOOK), 201)
    async with open_mutable(given) as mutable:
        await mutable.change(table.change, made["id"], wall_clock(), {"status": "live", "live": at})
    return str(made["id"])


def rows(engine: Engine, hook: str) -> list[outbox.Delivery]:
    """The deliveries of events to the webhook, by their ids."""
    with reading(engine) as connection:
        chosen = outbox.deliveries.c.hook == hook, outbox.deliveries.c.game.is_not(None)
        query = outbox.deliveries.select().where(*chosen)
        return sorted([outbox.Delivery(*row) for row in connection.execute(query)], key=lambda each: each.id)


def forget(engine: Engine) -> None:
    """The outbox and its position are lost."""
    with engine.begin() as connection:
        connection.execute(delete(outbox.deliveries))
        connection.execute(delete(checkpoints).where(checkpoints.c.projection == outbox.OUTBOX.name))


async def test_how_the_log_is_read_makes_no_difference(
    given: Settings, service: Service, ann: Caller, bob: Caller, monkeypatch: pytest.MonkeyPatch
):
    hook = await make_live(given, ann)
    games = [await service.table("skyjo", [ann, bob]) for _ in range(3)]
    playing = [play([ann, bob], game, Random(number)) for number, game in enumerate(games)]
    for _ in range(12):
        for each in playing:
            await anext(each)
    for each in playing:
        await each.aclose()
    results = []
    for size, in_memory in ((2000, 100), (1, 100), (7, 1), (3, 0)):
        monkeypatch.setattr(module, "BATCH_SIZE", size)
        monkeypatch.setattr(module, "MAX_GAMES", in_memory)
        async with following(given) as (follower, engine):
            forget(engine)
            prepare_others(given, engine)
            await follower.start()
            await follower.catch_up()
            results.append(rows(engine, hook))
    assert len(results[0]) >= 5  # how often it is her turn depends on the cards
    assert results[0] == results[1] == results[2] == results[3]


async def test_two_followers_write_once(given: Settings, service: Service, ann: Caller, bob: Caller):
    hook = await make_live(given, ann)
    async with following(given) as (one, engine), following(given) as (other, _):
        for _ in range(5):
            await service.table("skyjo", [ann, bob])
            await asyncio.gather(one.catch_up(), other.catch_up())
        await other.catch_up()
        assert one.position == other.position == outbox.position(engine)
        found = rows(engine, hook)
        assert len(found) == len({row.id for row in found}) >= 5


async def test_only_what_happened_since_the_webhook_is_live_is_due(
    given: Settings, service: Service, ann: Caller, bob: Caller
):
    await service.table("skyjo", [ann, bob])
    hook = await make_live(given, ann, at=wall_clock())
    async with following(given) as (follower, engine):
        await follower.catch_up()
        assert rows(engine, hook) == []
        game = await service.table("skyjo", [ann, bob])
        await follower.catch_up()
        assert {f"/v1/games/skyjo/{row.game}" for row in rows(engine, hook)} == {game}


async def test_a_lost_position_begins_some_days_back(
    given: Settings, service: Service, ann: Caller, bob: Caller, monkeypatch: pytest.MonkeyPatch
):
    hook = await make_live(given, ann)
    for _ in range(10):
        await service.table("skyjo", [ann, bob])
    middle = wall_clock()
    later = [await service.table("skyjo", [ann, bob]) for _ in range(5)]
    async with following(given) as (follower, engine):
        forget(engine)
        prepare_others(given, engine)
        now = wall_clock()
        monkeypatch.setattr(module, "wall_clock", lambda: now)
        monkeypatch.setattr(module, "REPLAYED", now - middle)
        await follower.start()
        await follower.catch_up()
        assert {f"/v1/games/skyjo/{row.game}" for row in rows(engine, hook)} == {*later}


async def test_a_site_is_told_of_the_games_of_its_players(given: Settings, service: Service, ann: Caller):
    def issued(subject: str, **claims: Any) -> Caller:
        token = jwt.encode({"sub": subject, "exp": int(time.time()) + 600, **claims}, ISSUER_KEY, algorithm="HS256")
        return Caller(service.http, token, f"site:{subject}", subject)

    eva, site = issued("eva"), issued("backend", site=True)
    hook = await make_live(given, site)
    theirs = await service.table("skyjo", [ann, eva], private=True)
    await service.table("skyjo", await service.guests("Bob", "Cem"))
    await eva.open("skyjo", 2, hotseat=True)
    async with following(given) as (follower, engine):
        await follower.catch_up()
        found = rows(engine, hook)
    assert {f"/v1/games/skyjo/{each.game}" for each in found} == {theirs}
    assert [each.type for each in found].count("game.begun") == 1
    assert {each.player for each in found if each.type == "game.your_turn"} <= {"site:eva"}
    assert all("https://games.example/v1/games/" in each.body for each in found)


async def test_a_row_that_cannot_be_read_affects_its_game_only(
    given: Settings, service: Service, ann: Caller, bob: Caller, monkeypatch: pytest.MonkeyPatch
):
    hook = await make_live(given, ann)
    broken, whole = [await service.table("skyjo", [ann, bob]) for _ in range(2)]
    decode = module.line

    def fails(position: int, stream: str, version: int, topic: str, state: bytes) -> outbox.Line:
        return decode(position, stream, version, topic, b"{}" if stream in broken else state)

    monkeypatch.setattr(module, "line", fails)
    async with following(given) as (follower, engine):
        await follower.catch_up()
        assert {f"/v1/games/skyjo/{row.game}" for row in rows(engine, hook)} == {whole}


async def test_votes_and_departures_are_reported(given: Settings, service: Service, ann: Caller, bob: Caller):
    hook = await make_live(given, ann)
    game = await service.table("skyjo", [ann, bob])
    done(await bob.post(f"{game}/votes", {"on": "abort", "yes": True}))
    done(await bob.delete(f"{game}/seats/1", running="true"))
    await ann.delete(f"{game}/seats/0", running="true")
    async with following(given) as (follower, engine):
        await follower.catch_up()
        found = rows(engine, hook)
    kinds = "game.gone", "game.over", "game.vote"
    assert sorted([(each.type, each.seat, each.player) for each in found if each.type in kinds], key=str) == [
        ("game.gone", 0, ann.id), ("game.gone", 1, bob.id), ("game.over", None, None), ("game.vote", 1, bob.id)
    ]  # fmt: skip


async def test_what_a_delivery_costs_does_not_grow_with_the_game(
    given: Settings, service: Service, ann: Caller, bob: Caller, monkeypatch: pytest.MonkeyPatch
):
    """A follower reads each row once, and a second time for the clock. After a restart it reads the beginning of a game
    and its last row; the clock's first reading is the only one that grows with the game."""
    hook = await make_live(given, ann)
    monkeypatch.setattr(module, "HEAD", 4)
    game = await service.table("skyjo", [ann, bob], clock={"bank": 600, "increment": 5})
    moves = play([ann, bob], game, Random(3))
    async with following(given) as (first, engine):
        await first.catch_up()
        assert rows(engine, hook)
        read = Counter[str]()
        for name in ("read", "scan_stream"):
            monkeypatch.setattr(first._store, name, counted(getattr(first._store, name), name, read))
        before = len(await ann.events(game))
        for _ in range(40):
            await anext(moves)
            await first.catch_up()
        events = len(await ann.events(game))
        assert 0 < read["read"] <= events - before + 2
        assert read["scan_stream"] == 0
        known = first._games[game.rpartition("/")[2]]
    async with following(given) as (second, engine):
        second.position = first.position
        await anext(moves)
        monkeypatch.setattr(second._store, "scan_stream", counted(second._store.scan_stream, "restarted", read))
        await second.catch_up()
        assert 0 < read["restarted"] <= 4 * module.HEAD + 1 < events
        after = second._games[game.rpartition("/")[2]]
        assert (after.players, after.begun, after.clocked) == (known.players, known.begun, known.clocked)
    await moves.aclose()


def counted(work: Callable[..., Any], name: str, read: Counter[str]) -> Callable[..., Any]:
    async def counting(*arguments: Any) -> Any:
        found = await work(*arguments)
        read[name] += len(found)
        return found

    return counting


async def test_who_only_has_a_kept_seat_hears_of_the_invitation_alone(given: Settings, ann: Caller, bob: Caller):
    hook = await make_live(given, bob)
    game = await ann.open("skyjo", ["me", {"player": bob.id}])
    assert (await ann.delete(game)).is_success
    async with following(given) as (follower, engine):
        await follower.catch_up()
        assert {each.type for each in rows(engine, hook)} == {"game.invited"}
