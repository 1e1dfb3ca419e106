"""Live streams over real HTTP: past events, then each new event until the game is over."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, suppress
from random import Random
from typing import Any

import httpx
import msgspec
import pytest

from domain.rulesets import RULESETS
from projections import patches
from service.api import event_items
from service.api.game_resource import situation
from service.rest.input.negotiation import MAX_RANGES
from service.rest.routes import events as route
from service.server import streaming
from tests.service.api.test_events import raw, read
from tests.support.channels import channel
from tests.support.clients import Caller, Json, Service, any_of, done, fewest, play, play_to_the_end, problem
from tests.support.listening import SSE, Message, listening, over_http, take

pytestmark = [pytest.mark.anyio, pytest.mark.slow]


@pytest.fixture(scope="module")
async def service(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Service]:
    """A service over HTTP."""
    async with over_http(tmp_path_factory.mktemp("streams") / "games.db") as running:
        yield running


@pytest.fixture(params=[next(iter(RULESETS))])
def ruleset(request: pytest.FixtureRequest) -> str:
    """One ruleset is enough, except for the law."""
    name: str = request.param
    return name


async def read_stream(who: Caller, game: str, **query: Any) -> list[Message]:
    """The whole stream, until it ends."""
    async with asyncio.timeout(60), listening(who, f"{game}/events", **query) as stream:
        return [message async for message in stream]


def data(messages: list[Message]) -> list[bytes]:
    return [message.data for message in messages]


async def move(players: list[Caller], game: str, times: int = 1) -> None:
    made = play(players, game, Random(1))
    for _ in range(times):
        await anext(made)


async def accepting(who: Caller, path: str, accept: str) -> tuple[int, str]:
    """Status and media type of the response, without its body."""
    headers = {"Accept": accept} | ({"Authorization": f"Bearer {who.token}"} if who.token else {})
    async with who.http.stream("GET", path, headers=headers) as response:
        return response.status_code, response.headers.get("content-type", "")


# --- events -------------------------------------------------------------------------------------------------------


async def test_a_stream_sends_past_events_and_new_ones_until_the_game_is_over(players: list[Caller], game: str) -> None:
    """As the contract says: `id` is the version, `event` the type, `data` the item of the page, byte for byte."""
    tasks = [asyncio.create_task(read_stream(who, game)) for who in (players[0], players[1], Caller(players[0].http))]
    await play_to_the_end(players, game)
    for task, perspective in zip(tasks, (0, 1, "bystander"), strict=True):
        messages = await task
        assert data(messages) == await read(players[0], game, as_=perspective)
        for version, message in enumerate(messages, 1):
            item = msgspec.json.decode(message.data)
            assert (int(message.id), message.event.decode()) == (version, item["event"]["type"])
        assert messages[-1].event == b"revealed"


# --- what the caller can do ---------------------------------------------------------------------------------------


async def play_from_stream(who: Caller, game: str, seat: int) -> list[Json]:
    """Play a seat by the stream of events alone: one request to read, one for each move. Returns the states."""
    states: list[Json] = []
    version = decided = 0
    async with asyncio.timeout(120), listening(who, f"{game}/events", with_="state") as stream:
        async for message in stream:
            if message.event != b"state":
                version = int(message.id)
                continue
            now = msgspec.json.decode(message.data)
            assert (message.id, now["version"], now["you"]) == (b"", version, seat)
            states.append(now)
            if now["legal_moves"] and now["decision"] > decided:  # others may move while the own choice stays
                decided = now["decision"]
                chosen = any_of(now["legal_moves"], Random(f"{version}"))
                done(await who.post(f"{game}/moves", chosen, headers={"Prefer": "return=minimal"}))
    return states


@pytest.mark.parametrize("ruleset", RULESETS, indirect=True)
async def test_a_client_of_plain_http_plays_a_whole_game_from_its_stream(players: list[Caller], game: str) -> None:
    """It needs no other request. No state has the moves of another seat, and each version has one at most."""
    sent: Counter[str] = Counter()

    async def count(request: httpx.Request) -> None:
        sent[request.method] += 1

    players[0].http.event_hooks["request"].append(count)
    seats = [asyncio.create_task(play_from_stream(who, game, seat)) for seat, who in enumerate(players)]
    watching = asyncio.create_task(read_stream(Caller(players[0].http), game, with_="state"))
    found = await asyncio.gather(*seats)
    players[0].http.event_hooks["request"].remove(count)
    assert sent["GET"] == len(players) + 1
    for seat, states in enumerate(found):
        assert (states[-1]["status"], states[-1]["legal_moves"]) == ("finished", [])
        assert len(states) == len({each["version"] for each in states})
        for each in states:
            assert bool(each["legal_moves"]) == (seat in each["to_act"])
            assert ("decision" in each) and (each["decision"] is not None) == (seat in each["to_act"])
    for message in await watching:
        if message.event == b"state":
            seen = msgspec.json.decode(message.data)
            assert (seen["you"], seen["legal_moves"], seen["decision"]) == (None, [], None)


async def test_a_state_says_what_the_channel_says(players: list[Caller], game: str) -> None:
    """Also after a resumption, which repeats no event, and with the names of players who join."""
    await move(players, game, 2)
    for seat, who in enumerate(players):
        async with channel(who) as socket:
            await socket.did("follow", game=game.removeprefix("/v1/games/"))
            expected = await socket.next("state")
        version = expected["version"]
        for query in ({"after": version}, {"after": version, "as_": seat}):
            async with listening(who, f"{game}/events", with_="state", **query) as stream:
                (message,) = await take(stream, 1)
        assert message.event == b"state"
        found = msgspec.json.decode(message.data)
        assert found == {name: value for name, value in expected.items() if name not in ("type", "game")}
        problem(await who.get(f"{game}/events", headers=SSE, with_="state", as_=1 - seat), 403, "forbidden")


async def test_a_state_is_sent_again_when_the_players_or_their_names_change(service: Service, ruleset: str) -> None:
    ann, bob = await service.guests("Ann", "Bob")
    game = await ann.open(ruleset, max(RULESETS[ruleset].seats))
    async with listening(ann, f"{game}/events", with_="state") as stream:
        messages = await take(stream, 3)
        await bob.sit(game)
        messages += await take(stream, 2)
        done(await bob.patch("/v1/players/me", {"name": "Robert"}))
        messages += await take(stream, 1)
    kinds = [message.event for message in messages]
    assert kinds == [b"opened", b"joined", b"state", b"joined", b"state", b"state"]
    first, second, third = (msgspec.json.decode(each.data) for each in messages if each.event == b"state")
    assert (first["version"], second["version"], third["version"]) == (2, 3, 3)
    assert first["seats"][1]["player"] is None
    assert [each["seats"][1]["player"]["name"] for each in (second, third)] == ["Bob", "Robert"]


@pytest.mark.parametrize("accept", ["application/json", "application/x-ndjson"])
async def test_only_live_streams_have_states(players: list[Caller], game: str, accept: str) -> None:
    answer = await players[0].get(f"{game}/events", headers={"Accept": accept}, with_="patch,state")
    assert problem(answer, 400, "malformed")["errors"][0]["path"] == "?with"


async def test_streams_of_the_same_caller_share_the_work_for_a_state(
    players: list[Caller], game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many streams a caller opens, a version costs one state for each perspective."""
    made: Counter[int] = Counter()

    def counted(cached: Any, *rest: Any) -> Any:
        made[cached.game.version] += 1
        return situation(cached, *rest)

    monkeypatch.setattr(route, "situation", counted)
    stranger = Caller(players[0].http)
    async with AsyncExitStack() as stack:
        streams = [
            await stack.enter_async_context(listening(who, f"{game}/events", with_="state"))
            for who in (players[0], players[0], players[0], stranger, stranger, stranger)
        ]
        await move(players, game, 3)
        last = (await players[0].look(game))["version"]

        async def caught_up(stream: Any) -> None:
            async for message in stream:
                if message.event == b"state" and msgspec.json.decode(message.data)["version"] == last:
                    return

        async with asyncio.timeout(60):
            await asyncio.gather(*map(caught_up, streams))
    assert made
    assert max(made.values()) <= 4, "two perspectives, each with and without the seats"


async def test_a_stream_of_a_finished_game_keeps_its_perspective(players: list[Caller], game: str) -> None:
    """Pages without `?as=` show everything after the end. A resumed stream sends what it would have sent before."""
    await play_to_the_end(players, game)
    assert data(await read_stream(players[1], game, after=5)) == (await read(players[1], game, as_=1))[5:]
    assert data(await read_stream(players[1], game, as_="all")) == await read(players[1], game)


async def test_a_stream_resumes_after_the_last_event_received(players: list[Caller], game: str) -> None:
    """`Last-Event-ID` takes precedence over `after`, because clients repeat the URL of the first request."""
    await move(players, game, 3)
    everything = raw(await players[0].get(f"{game}/events"))
    before = await gauge(players[0], "delivered_events_total")
    for headers, after in (({}, 0), ({"Last-Event-ID": "7"}, 2), ({"Last-Event-ID": "0"}, 5)):
        start = int(headers.get("Last-Event-ID", after))
        async with listening(players[0], f"{game}/events", headers, after=after) as stream:
            assert data(await take(stream, len(everything) - start)) == everything[start:]
            assert stream.blocks[0].startswith(b"retry: 1000\nid: %d\nevent: " % (start + 1))
    assert await gauge(players[0], "delivered_events_total") == before + 3 * len(everything) - 7
    for wrong in ("", "x", "-1", "+1", "01", "1.0", "1 2", "9" * 17):
        problem(await players[0].get(f"{game}/events", headers=SSE | {"Last-Event-ID": wrong}), 400, "malformed")


@pytest.mark.parametrize("ruleset", RULESETS, indirect=True)
async def test_a_stream_with_patches_delivers_the_items_of_the_pages(players: list[Caller], game: str) -> None:
    """From the beginning and from the middle, while the game is played."""
    tasks = [asyncio.create_task(read_stream(players[seat], game, with_="patch")) for seat in (0, 1)]
    await move(players, game, 2)
    middle = (await players[0].look(game))["version"]
    tasks.append(asyncio.create_task(read_stream(Caller(players[0].http), game, with_="patch", after=middle)))
    await play_to_the_end(players, game)
    for task, (perspective, after) in zip(tasks, ((0, 0), (1, 0), ("bystander", middle)), strict=True):
        assert data(await task) == (await read(players[0], game, as_=perspective, with_="patch"))[after:]


async def test_streams_of_one_perspective_share_their_patches(
    players: list[Caller], game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A patch is computed once for each perspective and version, not once for each stream."""
    made = Counter[int]()
    step = patches.step

    def counted(rules: Any, seen: Any, event: Any) -> Any:
        made[seen.version + 1] += 1
        return step(rules, seen, event)

    monkeypatch.setattr(patches, "step", counted)
    start = (await players[0].look(game))["version"]
    async with AsyncExitStack() as stack:
        streams = [
            await stack.enter_async_context(listening(Caller(players[0].http), f"{game}/events", with_="patch"))
            for _ in range(5)
        ]
        for stream in streams:
            await take(stream, start)
        await move(players, game, 3)
        version = (await players[0].look(game))["version"]
        heard = [data(await take(stream, version - start)) for stream in streams]
    assert all(each == heard[0] for each in heard)
    assert made == dict.fromkeys(range(1, version + 1), 1)


async def test_resuming_after_the_last_event_of_a_finished_game_gets_204(players: list[Caller], game: str) -> None:
    """204 stops the reconnects of an EventSource in a browser."""
    seen = await play_to_the_end(players, game)
    response = await players[0].get(f"{game}/events", headers=SSE | {"Last-Event-ID": str(seen["version"])})
    assert (response.status_code, response.content) == (204, b"")


async def test_a_position_after_the_last_event_is_refused(players: list[Caller], game: str) -> None:
    """A client that has seen events that do not exist talks to the wrong database, or to an old copy of it."""
    for _ in range(2):  # while the game runs, and after its end
        last = (await players[0].look(game))["version"]
        for asked, path in (({"Last-Event-ID": str(last + 1)}, "Last-Event-ID"), ({}, "?after")):
            for accepted in (SSE,) if asked else (SSE, {"Accept": LINES}, {"Accept": PAGES}):
                refused = await players[0].get(f"{game}/events", headers=accepted | asked, after=last + 1)
                (error,) = problem(refused, 400, "malformed")["errors"]
                assert error == {"path": path, "message": f"is later than the last event, which is {last}"}
        await play_to_the_end(players, game)


async def test_every_block_of_a_stream_is_an_event(
    players: list[Caller], game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some clients take every block for an event, even if it has no data."""
    monkeypatch.setattr(streaming, "KEEP_ALIVE", 0.01)
    version = (await players[0].look(game))["version"]
    for path, events in ((f"{game}/events", version), ("/v1/games", 0)):
        async with listening(players[0], path) as stream:
            await take(stream, events)
            await asyncio.sleep(0.1)
            await move(players, game, 1)
            await players[0].open(game.split("/")[3])
            await take(stream, 1)
        assert len(stream.blocks) >= 2
        assert all(b"\ndata: {" in b"\n" + block for block in stream.blocks)
        assert any(b"\n: keep-alive\n" in b"\n" + block for block in stream.blocks)


# --- permissions --------------------------------------------------------------------------------------------------


async def test_a_player_who_sits_down_while_streaming_gets_the_view_of_the_seat(
    service: Service, ann: Caller, ruleset: str
) -> None:
    game = await ann.open(ruleset)
    others = await service.guests(*["Bob", "Cem", "Dora"][: fewest(ruleset) - 1])
    async with listening(others[-1], f"{game}/events") as stream:
        for player in others:
            await player.sit(game)
        await move([ann, *others], game, 2)
        expected = raw(await others[-1].get(f"{game}/events", as_=len(others)))
        assert data(await take(stream, len(expected))) == expected


async def test_a_player_who_stands_up_gets_no_more_events_of_the_seat(
    service: Service, ann: Caller, bob: Caller, ruleset: str
) -> None:
    """Another player may sit down there."""
    seats = fewest(ruleset) + 1
    game = await ann.open(ruleset, seats)
    await bob.sit(game, 1)
    reading = asyncio.create_task(read_stream(bob, game, as_=1))
    await asyncio.sleep(0.05)
    await bob.stand(game, 1)
    for number in range(1, seats):
        await (await service.guest("Cem")).sit(game, number)
    assert b"begun" not in {message.event for message in await reading}


async def test_a_hotseat_game_is_followed_from_its_first_seat_or_with_everything_open(
    ann: Caller, ruleset: str
) -> None:
    game = await ann.open(ruleset, hotseat=True)
    whole = await ann.events(game, as_="all")
    for query, perspective in (({}, 0), ({"as_": 1}, 1), ({"as_": "all"}, "all")):
        async with listening(ann, f"{game}/events", **query) as stream:
            expected = raw(await ann.get(f"{game}/events", as_=perspective))
            assert data(await take(stream, len(whole))) == expected


# --- lines --------------------------------------------------------------------------------------------------------


async def test_lines_are_the_items_of_all_pages(
    players: list[Caller], game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streaming, "BATCH_SIZE", 7)
    for _ in range(2):
        for query in ({}, {"as_": "bystander"}, {"after": 3}):
            response = await players[0].get(f"{game}/events", headers={"Accept": "application/x-ndjson"}, **query)
            assert response.headers["content-type"] == "application/x-ndjson"
            assert response.content.splitlines() == await read(players[0], game, **query)
        await play_to_the_end(players, game)


# --- content negotiation ------------------------------------------------------------------------------------------

PAGES, LINES, LIVE = "application/json", "application/x-ndjson", "text/event-stream"


@pytest.mark.parametrize(
    ("accept", "sent"),
    [
        ("*/*", PAGES), ("", PAGES), ("application/json", PAGES), ("Application/X-NDJSON", LINES),
        ("text/event-stream", LIVE), ("text/*", LIVE), ("application/*", PAGES), ("text/event-stream, */*", LIVE),
        ("*/*, application/x-ndjson", LINES), ("application/json, text/event-stream", PAGES),
        ("text/event-stream;q=0.4, application/json;q=0.5", PAGES),
        ("application/json;q=0.4, text/event-stream; q=0.5", LIVE), ("*/*;q=0.1, application/json;q=0", LINES),
        ("application/*;q=0.9, application/json;q=0.1", LINES),
        ("text/html, application/x-ndjson;charset=utf-8", LINES), ("text/event-stream;q=nonsense", LIVE),
        (",,;q=1,text/event-stream,", LIVE),
    ],
)  # fmt: skip
async def test_the_client_chooses_the_media_type(stranger: Caller, game: str, accept: str, sent: str) -> None:
    assert await accepting(stranger, f"{game}/events", accept) == (200, sent)


@pytest.mark.parametrize("accept", ["text/html", "application/json;q=0", "*/*;q=0", "image/*", "nonsense", "text/x/y"])
async def test_other_media_types_are_not_acceptable(stranger: Caller, game: str, accept: str) -> None:
    for path in (f"{game}/events", "/v1/games"):
        assert await accepting(stranger, path, accept) == (406, "application/problem+json")
    problem(await stranger.get(f"{game}/events", headers={"Accept": accept}), 406, "not-acceptable")


async def test_the_number_of_accepted_types_is_limited(stranger: Caller, game: str) -> None:
    """The head of a request can hold fifteen thousand, which would take too long to evaluate."""
    for path in (f"{game}/events", "/v1/games"):
        assert await accepting(stranger, path, "text/html," * (MAX_RANGES - 1) + PAGES) == (200, PAGES)
        refused = await stranger.get(path, headers={"Accept": "text/html," * MAX_RANGES + PAGES})
        (error,) = problem(refused, 400, "malformed")["errors"]
        assert error["path"] == "Accept"


# --- the law ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", RULESETS, indirect=True)
async def test_with_any_disconnects_each_seat_receives_the_items_of_the_pages(
    service: Service, players: list[Caller], game: str
) -> None:
    """Clients disconnect at random and resume with the id of the last event received."""
    over = asyncio.Event()
    callers = {**dict(enumerate(players)), "bystander": service.stranger}
    followers = {
        perspective: asyncio.create_task(follow(who, game, Random(str(perspective)), over))
        for perspective, who in callers.items()
    }
    made = play(players, game, Random(3))
    for _ in range(40):
        await anext(made, None)
    over.set()
    for perspective, follower in followers.items():
        async with asyncio.timeout(60):
            received, connections = await follower
        expected = await read(callers[perspective], game, as_=perspective)
        assert connections >= 2, "too few disconnects for the test"
        async with listening(callers[perspective], f"{game}/events", after=len(received)) as stream:
            received += data(await take(stream, len(expected) - len(received)))
        assert received == expected


async def follow(who: Caller, game: str, random: Random, over: asyncio.Event) -> tuple[list[bytes], int]:
    """The data received over many connections, and the number of connections."""
    received: list[bytes] = []
    connections, resume_at = 0, b"0"
    while not over.is_set():
        connections += 1
        async with listening(who, f"{game}/events", {"Last-Event-ID": resume_at.decode()}) as stream:
            with suppress(TimeoutError):
                async with asyncio.timeout(random.choice((0.0, 0.02, 0.1))):
                    async for message in stream:
                        received += [message.data]
            resume_at = stream.resume_at or resume_at
    return received, connections


async def test_an_event_is_serialized_once_for_all_bystanders(
    players: list[Caller], game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over streams and play channels alike: watching costs a write for each, whatever the event contains."""
    made = Counter[tuple[str, int]]()
    encoded = event_items.encoded

    def counted(cached: Any, entries: Any, perspective: Any, *rest: Any) -> Any:
        made.update((type(perspective).__name__, entry.version) for entry in entries)
        return encoded(cached, entries, perspective, *rest)

    stranger, begin = Caller(players[0].http), (await players[0].look(game))["version"]
    async with AsyncExitStack() as stack:
        streams = [
            await stack.enter_async_context(listening(stranger, f"{game}/events", after=begin)) for _ in range(40)
        ]
        followers = [await stack.enter_async_context(channel(stranger)) for _ in range(20)]
        for each in followers:
            await each.did("follow", game=game.removeprefix("/v1/games/"), after=begin)
        monkeypatch.setattr(event_items, "encoded", counted)
        await move(players, game, 4)
        last = (await players[0].look(game))["version"]
        for stream in streams:
            assert len(await take(stream, last - begin)) == last - begin
        for each in followers:
            assert len(await each.events_until(last)) == last - begin
    assert {version for _, version in made} == {*range(begin + 1, last + 1)}
    # Streams and channels have different frames; on a busy machine one may read later than the others.
    assert max(made.values()) < len(streams) / 4


async def gauge(who: Caller, name: str) -> int:
    text = (await who.get("/metrics")).text
    return next(int(float(line.split()[1])) for line in text.splitlines() if line.startswith(f"stammtisch_{name} "))
