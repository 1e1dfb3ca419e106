"""The lobby live: public games as they are opened, joined, left, begun, ended or aborted."""

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from domain.rulesets import RULESETS
from projections import lobby
from service.api.lobby_feed import LobbyFeed
from service.live import projection_runner as feeds
from tests.support.clients import Caller, Service, play_to_the_end, problem
from tests.support.listening import SSE, Message, listening, over_http, take

pytestmark = [pytest.mark.anyio, pytest.mark.slow]


@pytest.fixture(scope="module")
async def service(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Service]:
    """Over HTTP."""
    with pytest.MonkeyPatch.context() as quick:
        quick.setattr(feeds, "CYCLE_PAUSE", 0.0)
        async with over_http(tmp_path_factory.mktemp("lobby") / "games.db") as running:
            yield running


@pytest.fixture
def ruleset() -> str:
    return next(iter(RULESETS))


def told(messages: list[Message]) -> list[tuple[str, str, int]]:
    """What has happened, how the game stands after it, and how many seats are free."""
    items = [msgspec.json.decode(message.data) for message in messages]
    return [
        (message.event.decode(), item["status"], item["open"]) for message, item in zip(messages, items, strict=True)
    ]


async def listed(who: Caller, game: str) -> Any:
    """The game in the lobby's pages."""
    items = (await who.get("/v1/games", limit=100)).json()["items"]
    return next(item for item in items if game.endswith(item["id"]))


async def test_the_stream_reports_a_game_from_opening_to_end(ann: Caller, bob: Caller, ruleset: str) -> None:
    async with listening(ann, "/v1/games") as stream:
        game = await ann.open(ruleset, 2)
        now = [await listed(ann, game)]
        await bob.sit(game)
        now.append(await listed(ann, game))
        await play_to_the_end([ann, bob], game)
        now.append(await listed(ann, game))
        messages = await take(stream, 5)
    assert told(messages) == [
        ("opened", "waiting", 2), ("joined", "waiting", 1), ("joined", "waiting", 0), ("begun", "running", 0),
        ("ended", "finished", 0),
    ]  # fmt: skip
    items = [msgspec.json.decode(message.data) for message in messages]
    assert [items[1], items[3], items[4]] == now


async def test_the_stream_never_reports_private_games(ann: Caller, ruleset: str) -> None:
    async with listening(ann, "/v1/games") as stream:
        await ann.open(ruleset, private=True)
        public = await ann.open(ruleset)
        messages = await take(stream, 2)
    assert {public.rpartition("/")[2]} == {msgspec.json.decode(message.data)["id"] for message in messages}


async def test_a_filtered_stream_also_reports_games_that_stop_matching(ann: Caller, bob: Caller, ruleset: str) -> None:
    """A filter for waiting games reports that one has begun, and nothing that happens in it later."""
    async with listening(ann, "/v1/games", status="waiting") as stream:
        game = await ann.open(ruleset, 2)
        await bob.sit(game)
        await play_to_the_end([ann, bob], game)
        await ann.open(ruleset, 2)
        assert told(await take(stream, 5)) == [
            ("opened", "waiting", 2), ("joined", "waiting", 1), ("joined", "waiting", 0), ("begun", "running", 0),
            ("opened", "waiting", 2),
        ]  # fmt: skip


async def test_a_stream_is_resumed_where_it_broke(ann: Caller, ruleset: str) -> None:
    async with listening(ann, "/v1/games") as stream:
        await ann.open(ruleset)
        first, second = await take(stream, 2)
    await ann.open(ruleset)
    async with listening(ann, "/v1/games", {"Last-Event-ID": first.id.decode()}) as again:
        messages = await take(again, 3)
    assert messages[0] == second
    assert [message.event for message in messages] == [b"joined", b"opened", b"joined"]
    positions = [int(message.id) for message in [first, *messages]]
    assert positions == sorted(set(positions))


async def test_a_stream_that_broke_before_its_first_event_is_resumed_there(ann: Caller, ruleset: str) -> None:
    async with listening(ann, "/v1/games") as stream:
        async for part in stream.response.aiter_bytes():
            place = re.search(rb"id: ([0-9]+)", part)
            break
    assert place is not None
    game = await ann.open(ruleset)
    async with listening(ann, "/v1/games", {"Last-Event-ID": place[1].decode()}) as again:
        (message,) = await take(again, 1)
    assert game.endswith(msgspec.json.decode(message.data)["id"])


async def test_an_expired_last_event_id_gets_410(ann: Caller, ruleset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    changes: list[str] = []
    async with listening(ann, "/v1/games") as stream:
        for kept in (lobby.MAX_ANNOUNCEMENTS, 3):
            monkeypatch.setattr(lobby, "MAX_ANNOUNCEMENTS", kept)
            await ann.open(ruleset)
            changes += [message.id.decode() for message in await take(stream, 2)]
    for place in ("0", changes[0]):
        problem(await ann.get("/v1/games", headers=SSE | {"Last-Event-ID": place}), 410, "gone")
    async with listening(ann, "/v1/games", {"Last-Event-ID": changes[1]}) as again:
        assert [message.id.decode() for message in await take(again, 2)] == changes[2:]


async def test_a_stream_that_falls_too_far_behind_ends(
    ann: Caller, ruleset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its client reconnects and gets the reason."""

    def forgotten(*_: Any) -> Any:
        raise lobby.CursorExpired

    async with listening(ann, "/v1/games") as stream:
        await ann.open(ruleset)
        await take(stream, 2)
        monkeypatch.setattr("service.api.lobby_feed.announced", forgotten)
        await ann.open(ruleset)
        async with asyncio.timeout(60):
            assert [message async for message in stream] == []


async def test_ids_are_the_same_after_a_restart_and_in_rebuilt_projections(database: Path, ruleset: str) -> None:
    told = []
    for _ in range(2):
        async with over_http(database) as running:
            if not told:
                await (await running.guest("Ann")).open(ruleset)
            async with listening(running.stranger, "/v1/games", {"Last-Event-ID": "0"}) as stream:
                told.append(await take(stream, 2))
        for file in database.parent.glob("*.projections.db*"):
            file.unlink()
    assert told[0] == told[1]


async def test_invalid_parameters_of_the_stream_are_rejected(stranger: Caller) -> None:
    for place in ("x", "-1", ""):
        problem(await stranger.get("/v1/games", headers=SSE | {"Last-Event-ID": place}), 400, "malformed")
    problem(await stranger.get("/v1/games", headers=SSE, status="lost"), 400, "malformed")
    refused = await stranger.get("/v1/games", headers=SSE | {"Last-Event-ID": "9" * 15})
    assert [error["path"] for error in problem(refused, 400, "malformed")["errors"]] == ["Last-Event-ID"]
    problem(await stranger.get("/v1/games", headers={"Accept": "application/x-ndjson"}), 406, "not-acceptable")


class Queries:
    """A service that counts the queries of changes. Each is over when `over` is set."""

    def __init__(self) -> None:
        self.asked: list[int] = []
        self.over = asyncio.Event()
        self.over.set()
        self.players = self
        self.subscriptions = SimpleNamespace(announced=1)
        self.feed = LobbyFeed(self)  # type: ignore[arg-type]

    async def ask(self, _query: Any, position: int, _limit: int) -> list[Any]:
        self.asked.append(position)
        await self.over.wait()
        return []

    async def named(self, _ids: Any) -> dict[str, Any]:
        return {}


async def test_followers_share_the_query_at_a_position_also_once_it_is_over() -> None:
    """Hundreds are notified in slices, most of them after it."""
    queries = Queries()
    for _ in range(1_900):
        assert await queries.feed.after(7) == []
    assert queries.asked == [7]
    queries.subscriptions.announced += 1  # there may be something new
    await queries.feed.after(7)
    await queries.feed.after(8)
    assert queries.asked == [7, 7, 8]


async def test_no_follower_shares_a_query_that_began_before_its_notification() -> None:
    queries = Queries()
    queries.over.clear()
    first, same = [asyncio.create_task(queries.feed.after(7)) for _ in range(2)]
    await asyncio.sleep(0)
    queries.subscriptions.announced += 1
    later = asyncio.create_task(queries.feed.after(7))
    queries.over.set()
    await asyncio.gather(first, same, later)
    assert queries.asked == [7, 7]
    await queries.feed.after(7)  # whichever was over last
    assert len(queries.asked) <= 3
