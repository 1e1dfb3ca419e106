"""Subscribers are notified of what other processes append."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from random import Random
from time import monotonic

import pytest

from domain.game.commands import Join
from domain.rulesets.skyjo import SKYJO
from service.extensions.cluster import listener as listener_module
from service.extensions.cluster.listener import Listener
from service.extensions.cluster.redis_client import RedisClient
from service.extensions.cluster.version_cache import VersionCache
from service.games import peers as peers_module
from service.games.cached_game import CachedGame
from service.games.games import Games
from service.games.peers import Peers
from service.live.subscriptions import Subscriptions
from service.log.game_log import GameLog
from service.log.mapper import Row, StoredRow
from service.versions import News
from tests.service.conftest import on_sqlite
from tests.service.test_games import BOB, Process
from tests.support.servers import Redis

pytestmark = pytest.mark.anyio

PAUSE = listener_module.RECONNECT_PAUSE


async def test_a_game_that_cannot_be_read_does_not_affect_the_others(
    open_store: Callable[[], GameLog], monkeypatch: pytest.MonkeyPatch
) -> None:
    """During an upgrade the new release may write events that the old one cannot decode."""
    monkeypatch.setattr(peers_module, "POLL_INTERVAL", 0.05)
    subscriptions, store, there = Subscriptions(), open_store(), Process(open_store(), shared=True)
    games = Games(store, budget=2**30, shared=True, subscriptions=subscriptions)
    peers = Peers(store, games, subscriptions)
    (theirs, _), (newer, _) = await there.open(), await there.open()
    cached, _held = await games.find(SKYJO, theirs.game.id), await games.find(SKYJO, newer.game.id)
    with (
        subscriptions.subscribe(newer.game.id, "ann", "home"),
        subscriptions.subscribe(theirs.game.id, "ann", "home") as subscription,
    ):
        peers.start()
        unknown = {"event": {"type": "unknown"}}
        await there.store.append([Row(newer.game.id, newer.game.version + 1, f"{newer.rules.rules}.unknown", unknown)])
        await asyncio.sleep(0.2)
        await there.commands.execute(theirs, BOB, Join())
        assert await subscription.wait(60)
    assert cached.game.version == theirs.game.version
    await peers.stop()


# --- with Redis ---------------------------------------------------------------------------------------------------


class Waiter:
    def notify(self) -> None: ...


@dataclass
class Station:
    """A process that follows games."""

    process: Process
    subscriptions: Subscriptions
    peers: Peers
    client: RedisClient
    listener: Listener
    held: list[CachedGame] = field(default_factory=list)

    async def follow(self, game_id: str) -> None:
        self.subscriptions.watch(game_id, Waiter())
        self.held.append(await self.process.games.find(SKYJO, game_id))


Begin = Callable[[], Awaitable[Station]]


@pytest.fixture
async def station(open_store: Callable[[], GameLog], redis_url: str) -> AsyncIterator[Begin]:
    found: list[Station] = []

    async def begin() -> Station:
        store, subscriptions, client = open_store(), Subscriptions(), RedisClient(redis_url)
        await client.start()
        process, cache, listener = Process(store, shared=True), VersionCache(client), Listener(client)
        process.games = Games(store, budget=2**30, shared=True, subscriptions=subscriptions, version_cache=cache)
        peers = Peers(store, process.games, subscriptions, cache, listener)
        peers.start()
        found.append(Station(process, subscriptions, peers, client, listener))
        async with asyncio.timeout(60):
            while not peers.heard:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        return found[-1]

    yield begin
    for each in found:
        await each.peers.stop()
        await each.client.stop()


def spied(store: GameLog, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """The statements that read the log: their name, and of how many games."""
    found: list[tuple[str, int]] = []

    def spy(name: str) -> None:
        select = getattr(store.recorder, name)
        monkeypatch.setattr(
            store.recorder, name, lambda wanted: found.append((name, len(wanted))) or select(wanted)
        )  # fmt: skip

    for name in ("select_versions", "select_states", "select_last"):
        spy(name)
    return found


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not true():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


@on_sqlite
async def test_a_message_brings_a_move_without_a_read_of_the_log(
    station: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = await station(), await station()
    mine, dice = await one.process.table(), Random(1)
    await other.follow(mine.game.id)
    (theirs,) = other.held
    await asyncio.sleep(0.3)  # until the subscription has begun
    reads = spied(other.process.store, monkeypatch)
    for _ in range(20):
        await one.process.any_move(mine, dice)
        await until(lambda: theirs.game.version == mine.game.version)
    assert reads == []
    assert (theirs.game, theirs.head) == (mine.game, mine.head)


@on_sqlite
async def test_rows_that_do_not_continue_the_game_are_not_applied(station: Begin) -> None:
    """After a failover, or after a message was lost."""
    one, other = await station(), await station()
    mine, dice = await one.process.table(), Random(1)
    theirs = await other.process.find(mine.game.id)
    before = theirs.game
    head, version, rows = mine.tail[-1].head, 0, []

    async def publish(_game: str, at: object, _since: object, _before: str, given: list[StoredRow]) -> None:
        nonlocal version, rows
        version, rows = at.version, given  # type: ignore[attr-defined]

    one.process.games._version_cache.publish = publish  # type: ignore[assignment, method-assign, union-attr]
    await one.process.any_move(mine, dice)
    sent = tuple((row.topic, row.state) for row in rows)
    hear = other.process.games.hear
    for news in (News(b"x", "another", version, sent), News(b"x", head, version, ())):
        assert not hear(mine.game.id, news)
        assert theirs.game is before
    async with theirs.lock:
        assert not hear(mine.game.id, News(b"x", head, version, sent)), "a move of this process is in flight"
    assert hear(mine.game.id, News(b"x", head, version, sent))
    assert (theirs.game, theirs.head) == (mine.game, mine.head)
    assert hear(mine.game.id, News(b"x", head, version, sent)), "nothing is left to do"


@on_sqlite
async def test_broken_connections_lose_nothing_and_cost_one_statement_for_all_games(
    station: Begin, redis: Redis, monkeypatch: pytest.MonkeyPatch, everything: bool
) -> None:
    monkeypatch.setattr(listener_module, "RECONNECT_PAUSE", 0.05)
    many, cuts = (500, 310) if everything else (60, 20)
    one, other = await station(), await station()
    games, dice = [await one.process.table() for _ in range(many)], Random(2)
    for each in games:
        await other.follow(each.game.id)
    await asyncio.sleep(0.3)
    cut = 0
    for number in range(10 * cuts):
        await one.process.any_move(dice.choice(games), dice)
        if number % 10 == 0:
            await until(lambda: other.peers.heard)
            cut += redis.execute("CLIENT", "KILL", "TYPE", "pubsub")
    assert cut >= cuts - 10
    if everything:  # as long as it takes outside of tests
        monkeypatch.setattr(listener_module, "RECONNECT_PAUSE", PAUSE)
    begun = monotonic()
    redis.execute("CLIENT", "KILL", "TYPE", "pubsub")
    for _ in range(20):
        await one.process.any_move(dice.choice(games), dice)
    versions = {each.game.id: each.game.version for each in games}
    await until(lambda: {each.game.id: each.game.version for each in other.held} == versions)
    print(f"{many} games at the last version {monotonic() - begun:.2f} s after the last of {cut} cuts")  # noqa: T201
    await until(lambda: other.peers.heard)
    reads = spied(other.process.store, monkeypatch)
    redis.execute("CLIENT", "KILL", "TYPE", "pubsub")
    await until(lambda: bool(reads))
    await until(lambda: other.peers.heard)
    await asyncio.sleep(0.2)
    assert [count for name, count in reads if name == "select_versions"][-1] == len(games)
    assert {count for name, count in reads if name == "select_versions"} == {len(games)}, "one statement for all"
    assert {name for name, _ in reads} == {"select_versions"}, "nothing was missed"


@on_sqlite
async def test_a_process_hears_nothing_of_what_it_no_longer_follows(
    station: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = await station(), await station()
    mine, dice = await one.process.table(), Random(1)
    heard: list[str] = []
    monkeypatch.setattr(other.listener, "on_message", lambda subject, _: heard.append(subject))
    waiter = Waiter()
    other.subscriptions.watch(mine.game.id, waiter)
    await asyncio.sleep(0.3)
    await one.process.any_move(mine, dice)
    await until(lambda: heard == [mine.game.id])
    other.subscriptions.unwatch(mine.game.id, waiter)
    await asyncio.sleep(0.3)
    for _ in range(5):
        await one.process.any_move(mine, dice)
    assert heard == [mine.game.id]
