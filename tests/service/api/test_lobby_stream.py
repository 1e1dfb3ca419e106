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
from service.api.lobby_feed import KEPT, LobbyFeed
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
    monkeypatch.setattr("service.api.lobby_feed.KEPT", 2)
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


class Changes:
    """A service with changes of the lobby at each position, which counts the queries. Each is over when `over` is set,
    and takes what there was when it began. `woken`: the subscribers that were notified."""

    def __init__(self, upto: int = 0) -> None:
        self.upto = upto
        self.asked: list[int] = []
        self.over = asyncio.Event()
        self.over.set()
        self.woken: list[Any] = []
        self.changes = 0
        self.players, self.store = self, SimpleNamespace(on_promotion=[])
        self.subscriptions = SimpleNamespace(announced=1, wake=self.woken.extend)
        self.feed = LobbyFeed(self, lambda change, _: b"%d" % change.position)  # type: ignore[arg-type]

    async def ask(self, _query: Any, position: int, limit: int) -> list[Any]:
        self.asked.append(position)
        game = lobby.LobbyGame("game", "", "", "waiting", "", (), 0, {}, "", private=False, hotseat=False, opener="")
        found = [lobby.Announced(each, "opened", None, game) for each in range(position + 1, self.upto + 1)][:limit]
        await self.over.wait()
        return found

    async def named(self, _ids: Any) -> dict[str, Any]:
        return {}

    def append(self, number: int = 1) -> None:
        self.upto += number
        self.subscriptions.announced += 1

    async def after(self, position: int, subscriber: Any = None) -> list[int]:
        return [change.position for change in await self.feed.after(position, subscriber)]


async def begun(service: Changes) -> asyncio.Task[list[int]]:
    """A read of the change after position 9, which is under way: nothing sets `over`."""
    await service.after(7)
    service.append()
    service.over.clear()
    reading = asyncio.create_task(service.after(9, "first"))
    await asyncio.sleep(0.01)
    return reading


async def test_each_change_is_read_and_encoded_once_for_all_followers_wherever_they_are() -> None:
    """Hundreds are notified in slices, at positions of their own: those of a large audience are behind."""
    service = Changes(upto=50)
    assert await service.after(7) == [*range(8, 51)]
    first = (await service.feed.after(20))[0].frame
    for _ in range(30):
        service.append()
        for position in range(7, service.upto):
            assert await service.after(position) == [*range(position + 1, service.upto + 1)]
    assert service.asked == [7, *range(50, 80)]
    assert (await service.feed.after(20))[0].frame is first
    assert await service.after(6) == [*range(7, 81)], "older ones are read"


async def test_nobody_waits_for_a_read_of_others_but_is_notified_after_it() -> None:
    """They would all go on together then, without other work between."""
    service = Changes(upto=9)
    reading = await begun(service)
    service.append()
    assert await service.after(8, "second") == [9], "what there is"
    assert await service.after(10, "third") == []
    assert (service.woken, service.asked) == ([], [7, 9])
    service.over.set()
    assert await reading == [10]
    assert service.woken == ["second", "third"]
    assert await service.after(9, "second") == [10, 11]


async def test_a_read_that_is_cancelled_makes_others_read() -> None:
    service = Changes(upto=9)
    reading = await begun(service)
    await service.after(9, "second")
    reading.cancel()
    await asyncio.wait([reading])
    assert service.woken == ["second"]
    service.over.set()
    assert await service.after(9, "second") == [10]


async def test_changes_are_read_again_if_names_or_the_log_may_be_others() -> None:
    """Names change; a standby is promoted, which lacks what was appended last; and nobody has followed for long."""
    service = Changes(upto=9)
    assert await service.after(7) == await service.after(7) == [8, 9]
    service.changes += 1
    assert await service.after(8) == [9]
    for promoted in service.store.on_promotion:
        promoted()
    assert await service.after(7) == [8, 9]
    service.append(2 * KEPT)
    assert await service.after(service.upto - 3) == [*range(service.upto - 2, service.upto + 1)]
    assert service.asked == [7, 8, 7, *range(9, KEPT, 100), service.upto - 3]


async def test_who_resumes_far_behind_makes_nobody_read_again() -> None:
    service = Changes(upto=500)
    assert await service.after(450) == [*range(451, 501)]
    assert await service.after(0) == [*range(1, 101)]
    assert await service.after(420) == [*range(421, 501)]
    service.append(150)  # more than a read returns
    assert await service.after(500) == [*range(501, 601)]
    assert await service.after(430) == [*range(431, 531)]
    assert service.asked == [450, 0, 420, 500, 600]


async def test_the_latest_changes_are_kept() -> None:
    service = Changes()
    for _ in range(KEPT):
        service.append(2)
        await service.after(service.upto - 2)
    asked = len(service.asked)
    assert await service.after(KEPT) == [*range(KEPT + 1, KEPT + 101)]
    assert len(service.asked) == asked
    await service.after(KEPT - 1)
    assert len(service.asked) == asked + 1


async def test_no_follower_shares_a_query_that_began_before_its_notification() -> None:
    service = Changes()
    service.over.clear()
    first, same = [asyncio.create_task(service.after(7)) for _ in range(2)]
    await asyncio.sleep(0)
    service.append()
    later = asyncio.create_task(service.after(7))
    service.over.set()
    await asyncio.gather(first, same, later)
    assert service.asked == [7, 7]
