"""Live streams over real HTTP: what has happened, then each event as it happens, until the game is over."""

import asyncio
import socket
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import httpx
import msgspec
import pytest

from domain.rulesets import RULESETS
from service.api.input.negotiation import MOST
from service.http import streaming
from service.store.group_commit import Unavailable
from tests.service.api.test_events import raw, read
from tests.support.clients import Caller, Service, done, fewest, play, play_to_the_end, problem
from tests.support.listening import SSE, Message, listening, over_http, take

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
async def service(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Service]:
    """Over HTTP."""
    async with over_http(tmp_path_factory.mktemp("streams") / "games.db") as running:
        yield running


@pytest.fixture(params=[next(iter(RULESETS))])
def ruleset(request: pytest.FixtureRequest) -> str:
    """One is enough, except for the law."""
    name: str = request.param
    return name


async def heard(who: Caller, game: str, **query: Any) -> list[Message]:
    """The whole stream, to its end."""
    async with asyncio.timeout(20), listening(who, f"{game}/events", **query) as stream:
        return [message async for message in stream]


def data(messages: list[Message]) -> list[bytes]:
    return [message.data for message in messages]


async def move(players: list[Caller], game: str, times: int = 1) -> None:
    made = play(players, game, Random(1))
    for _ in range(times):
        await anext(made)


async def accepting(who: Caller, path: str, accept: str) -> tuple[int, str]:
    """Status and media type; the body is not waited for."""
    headers = {"Accept": accept} | ({"Authorization": f"Bearer {who.token}"} if who.token else {})
    async with who.http.stream("GET", path, headers=headers) as answer:
        return answer.status_code, answer.headers.get("content-type", "")


# --- what is received ---------------------------------------------------------------------------------------------


async def test_a_stream_tells_what_has_happened_and_what_happens_until_the_game_is_over(
    players: list[Caller], game: str
) -> None:
    """Rules of the contract: `id` is the version, `event` the type, `data` the item of the page, byte for byte."""
    following = [asyncio.create_task(heard(who, game)) for who in (players[0], players[1], Caller(players[0].http))]
    await play_to_the_end(players, game)
    for task, perspective in zip(following, (0, 1, "bystander"), strict=True):
        messages = await task
        assert data(messages) == await read(players[0], game, as_=perspective)
        for version, message in enumerate(messages, 1):
            item = msgspec.json.decode(message.data)
            assert (int(message.id), message.event.decode()) == (version, item["event"]["type"])
        assert messages[-1].event == b"revealed"


async def test_a_stream_of_a_game_that_is_over_goes_on_with_the_same_eyes(players: list[Caller], game: str) -> None:
    """Without `?as=` pages show everything now; who resumes a stream must get what he would have got before."""
    await play_to_the_end(players, game)
    assert data(await heard(players[1], game, after=5)) == (await read(players[1], game, as_=1))[5:]
    assert data(await heard(players[1], game, as_="all")) == await read(players[1], game)


async def test_a_given_up_game_ends_its_streams(ann: Caller, ruleset: str) -> None:
    game = await ann.open(ruleset)
    following = asyncio.create_task(heard(ann, game))
    await asyncio.sleep(0.05)
    await ann.stand(game, 0)
    assert [message.event for message in await following] == [b"opened", b"joined", b"left", b"aborted", b"revealed"]


async def test_a_stream_is_resumed_behind_the_last_event_that_was_received(players: list[Caller], game: str) -> None:
    """`Last-Event-ID` wins over `after`: clients repeat the URL that they began with."""
    await move(players, game, 3)
    everything = raw(await players[0].get(f"{game}/events"))
    for headers, after in (({}, 0), ({"Last-Event-ID": "7"}, 2), ({"Last-Event-ID": "0"}, 5)):
        begin = int(headers.get("Last-Event-ID", after))
        async with listening(players[0], f"{game}/events", headers, after=after) as stream:
            assert data(await take(stream, len(everything) - begin)) == everything[begin:]
            assert stream.blocks[0] == b"retry: 1000\nid: %d" % begin


async def test_who_resumes_behind_the_last_event_is_told_that_nothing_will_come(
    players: list[Caller], game: str
) -> None:
    """204 ends the attempts of a browser's EventSource."""
    seen = await play_to_the_end(players, game)
    for version in (seen["version"], seen["version"] + 1):
        answer = await players[0].get(f"{game}/events", headers=SSE | {"Last-Event-ID": str(version)})
        assert (answer.status_code, answer.content) == (204, b"")


@pytest.mark.parametrize("id", ["", "x", "-1", "+1", "01", "1.0", "1 2", "9" * 16])
async def test_a_last_event_id_that_no_stream_has_sent_is_malformed(ann: Caller, game: str, id: str) -> None:
    problem(await ann.get(f"{game}/events", headers=SSE | {"Last-Event-ID": id}), 400, "malformed")


async def test_comments_keep_a_quiet_stream_alive(ann: Caller, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streaming, "KEEP_ALIVE", 0.02)
    async with listening(ann, f"{game}/events") as stream, asyncio.timeout(20):
        async for part in stream.answer.aiter_bytes():
            if b": keep-alive\n\n" in part:
                break


# --- who may see what ---------------------------------------------------------------------------------------------


async def test_others_seats_are_not_followed_while_the_game_runs(
    ann: Caller, eve: Caller, stranger: Caller, game: str
) -> None:
    for who, wish in ((ann, "1"), (ann, "all"), (eve, "0"), (stranger, "0")):
        problem(await who.get(f"{game}/events", headers=SSE, as_=wish), 403, "forbidden")


async def test_a_private_game_is_followed_by_invitation(ann: Caller, eve: Caller, ruleset: str) -> None:
    game = await ann.open(ruleset, private=True)
    problem(await eve.get(f"{game}/events", headers=SSE), 404, "not-found")
    invite = (await ann.look(game))["invite"]
    async with listening(eve, f"{game}/events", invite=invite) as stream:
        assert [message.event for message in await take(stream, 2)] == [b"opened", b"joined"]


async def test_who_sits_down_while_he_listens_hears_what_his_seat_sees(
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


async def test_who_stands_up_hears_no_more_of_his_seat(
    service: Service, ann: Caller, bob: Caller, ruleset: str
) -> None:
    """Somebody else will sit there, whose cards are his own business."""
    seats = fewest(ruleset) + 1
    game = await ann.open(ruleset, seats)
    await bob.sit(game, 1)
    following = asyncio.create_task(heard(bob, game, as_=1))
    await asyncio.sleep(0.05)
    await bob.stand(game, 1)
    for number in range(1, seats):
        await (await service.guest("Cem")).sit(game, number)
    assert b"begun" not in {message.event for message in await following}


async def test_a_hotseat_game_is_followed_from_its_first_seat_or_with_all_open(ann: Caller, ruleset: str) -> None:
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
    monkeypatch.setattr(streaming, "PIECE", 7)
    for _ in range(2):
        for query in ({}, {"as_": "bystander"}, {"after": 3}, {"after": 10**30}):
            answer = await players[0].get(f"{game}/events", headers={"Accept": "application/x-ndjson"}, **query)
            assert answer.headers["content-type"] == "application/x-ndjson"
            assert answer.content.splitlines() == await read(players[0], game, **query)
        await play_to_the_end(players, game)


# --- what is accepted ---------------------------------------------------------------------------------------------

PAGES, LINES, LIVE = "application/json", "application/x-ndjson", "text/event-stream"


@pytest.mark.parametrize(
    ("accept", "sent"),
    [
        ("*/*", PAGES),
        ("", PAGES),
        ("application/json", PAGES),
        ("Application/X-NDJSON", LINES),
        ("text/event-stream", LIVE),
        ("text/*", LIVE),
        ("application/*", PAGES),
        ("text/event-stream, */*", LIVE),
        ("*/*, application/x-ndjson", LINES),
        ("application/json, text/event-stream", PAGES),
        ("text/event-stream;q=0.4, application/json;q=0.5", PAGES),
        ("application/json;q=0.4, text/event-stream; q=0.5", LIVE),
        ("*/*;q=0.1, application/json;q=0", LINES),
        ("application/*;q=0.9, application/json;q=0.1", LINES),
        ("text/html, application/x-ndjson;charset=utf-8", LINES),
        ("text/event-stream;q=nonsense", LIVE),
        (",,;q=1,text/event-stream,", LIVE),
    ],
)
async def test_the_client_says_what_it_likes_best(stranger: Caller, game: str, accept: str, sent: str) -> None:
    assert await accepting(stranger, f"{game}/events", accept) == (200, sent)


@pytest.mark.parametrize("accept", ["text/html", "application/json;q=0", "*/*;q=0", "image/*", "nonsense", "text/x/y"])
async def test_what_cannot_be_sent_is_not_acceptable(stranger: Caller, game: str, accept: str) -> None:
    for path in (f"{game}/events", "/v1/games"):
        assert await accepting(stranger, path, accept) == (406, "application/problem+json")
    problem(await stranger.get(f"{game}/events", headers={"Accept": accept}), 406, "not-acceptable")


async def test_what_is_liked_is_told_in_a_few_words(stranger: Caller, game: str) -> None:
    """A head has room for fifteen thousand, and who weighed them all would do nothing else."""
    for path in (f"{game}/events", "/v1/games"):
        assert await accepting(stranger, path, "text/html," * (MOST - 1) + PAGES) == (200, PAGES)
        refused = await stranger.get(path, headers={"Accept": "text/html," * MOST + PAGES})
        (fault,) = problem(refused, 400, "malformed")["errors"]
        assert fault["path"] == "Accept"


# --- connections --------------------------------------------------------------------------------------------------


async def gauge(who: Caller, name: str) -> int:
    text = (await who.get("/metrics")).text
    return next(int(float(line.split()[1])) for line in text.splitlines() if line.startswith(f"stammtisch_{name} "))


async def open_streams(who: Caller, number: int) -> None:
    """Wait until it is so many."""
    async with asyncio.timeout(20):
        while await gauge(who, "open_streams") != number:  # noqa: ASYNC110 - the server rings no bell
            await asyncio.sleep(0.01)


async def test_a_client_that_goes_is_noticed_at_once(ann: Caller, game: str) -> None:
    before = await gauge(ann, "open_streams")
    async with AsyncExitStack() as stack:
        for number in range(1, 4):
            await stack.enter_async_context(listening(ann, f"{game}/events"))
            assert await gauge(ann, "open_streams") == before + number
    await open_streams(ann, before)


async def test_it_is_noticed_also_if_he_has_asked_for_something_else_meanwhile(
    service: Service, ann: Caller, game: str
) -> None:
    """Over the same connection, where that has to wait for the end of the stream."""
    before = await gauge(ann, "open_streams")
    place = urlsplit(str(service.http.base_url))
    head = b"GET %b/events HTTP/1.1\r\nHost: test\r\nAccept: text/event-stream\r\n\r\n" % game.encode()
    with socket.create_connection((place.hostname, place.port)) as hasty:
        hasty.sendall(head * 3)
        await open_streams(ann, before + 1)
    await open_streams(ann, before)


async def test_who_goes_before_his_stream_begins_is_no_fault_of_ours(service: Service, ann: Caller) -> None:
    place = urlsplit(str(service.http.base_url))
    for _ in range(20):
        with socket.create_connection((place.hostname, place.port)) as fickle:
            fickle.sendall(b"GET /v1/games HTTP/1.1\r\nHost: test\r\nAccept: text/event-stream\r\n\r\n")
            fickle.shutdown(socket.SHUT_WR)
            await asyncio.sleep(0.01)
    await open_streams(ann, 0)
    assert 'status="500"' not in (await ann.get("/metrics")).text


async def test_events_that_are_sent_are_counted(players: list[Caller], game: str) -> None:
    before = await gauge(players[0], "delivered_events_total")
    async with listening(players[0], f"{game}/events") as stream:
        received = await take(stream, (await players[0].look(game))["version"])
        assert await gauge(players[0], "delivered_events_total") == before + len(received)


async def test_there_is_room_for_as_many_streams_as_the_settings_say(database: Path, ruleset: str) -> None:
    async with over_http(database, max_streams=2) as small, httpx.AsyncClient(base_url=small.http.base_url) as outside:
        ann = await small.guest("Ann")
        game = await ann.open(ruleset)
        async with listening(ann, f"{game}/events"):
            async with listening(ann, "/v1/games"):
                for path in (f"{game}/events", "/v1/games"):
                    refused = await outside.get(path, headers=SSE)
                    assert problem(refused, 503, "unavailable")["detail"]
                    assert refused.headers["retry-after"]
            await asyncio.sleep(0.05)
            async with listening(ann, f"{game}/events") as stream:
                await take(stream, 2)


async def test_nobody_has_more_streams_than_the_settings_say(database: Path, ruleset: str) -> None:
    """A player wherever he comes from; whoever is not signed in by his address. Others are not concerned."""
    async with over_http(database, max_streams_per_caller=2) as service, httpx.AsyncClient() as elsewhere:
        elsewhere.base_url = service.http.base_url
        ann, bob = await service.guests("Ann", "Bob")
        game = await ann.open(ruleset)
        for who in (ann, service.stranger):
            async with listening(who, "/v1/games"), listening(Caller(elsewhere, who.token), f"{game}/events"):
                for path in ("/v1/games", f"{game}/events"):
                    refused = await who.get(path, headers=SSE)
                    assert "2 streams" in problem(refused, 429, "too-many-requests")["detail"]
                    assert refused.headers["retry-after"] == str(int(streaming.KEEP_ALIVE))
                assert (await who.get(game)).status_code == 200
                async with listening(bob, f"{game}/events") as stream:
                    await take(stream, 2)


async def test_no_address_has_more_streams_than_the_settings_say_whoever_calls_from_there(
    database: Path, ruleset: str
) -> None:
    """Else somebody who registers often could take all that there are. A network of IPv6 is one address."""
    async with over_http(
        database, max_streams_per_caller=2, max_streams_per_address=4, trusted_proxies="127.0.0.1"
    ) as service:

        def at(address: str) -> dict[str, str]:
            return {"X-Forwarded-For": address}

        ann, bob, cem, dora = await service.guests("Ann", "Bob", "Cem", "Dora")
        paths = "/v1/games", f"{await ann.open(ruleset)}/events"
        async with AsyncExitStack() as stack:
            for number, who in enumerate((ann, bob, bob, service.stranger)):
                home = at(f"2001:db8::{number + 1}")
                await stack.enter_async_context(listening(who, paths[number % 2], home))
            for who in (ann, cem, service.stranger):
                for path in paths:
                    refused = await who.get(path, headers=SSE | at("2001:db8::9"))
                    assert "4 streams" in problem(refused, 429, "too-many-requests")["detail"]
                    assert refused.headers["retry-after"] == str(int(streaming.KEEP_ALIVE))
            assert (await cem.get("/v1/games", headers=at("2001:db8::9"))).status_code == 200
            for who in (ann, cem, dora, service.stranger):
                await stack.enter_async_context(listening(who, "/v1/games", at("192.0.2.1")))
        await open_streams(ann, 0)
        async with listening(cem, "/v1/games", at("2001:db8::9")), listening(cem, "/v1/games", at("2001:db8::9")):
            pass


async def test_an_address_has_at_least_as_many_streams_as_a_caller(database: Path) -> None:
    async with (
        over_http(database, max_streams_per_caller=3, max_streams_per_address=1) as service,
        AsyncExitStack() as stack,
    ):
        for _ in range(3):
            await stack.enter_async_context(listening(service.stranger, "/v1/games"))


async def test_a_stream_is_counted_until_it_ends_however_it_does(
    database: Path, ruleset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with over_http(database, max_streams_per_caller=2) as service:
        ann, eve = await service.guests("Ann", "Eve")
        game = await ann.open(ruleset)

        async def is_refused() -> bool:
            status, _ = await accepting(eve, f"{game}/events", "text/event-stream")
            return status == 429

        async def nothing_is_open() -> None:
            """And so there is room for two, and for no more."""
            await open_streams(ann, 0)
            async with listening(eve, "/v1/games"):
                assert not await is_refused()
                await open_streams(ann, 1)
                async with listening(eve, f"{game}/events"):
                    assert await is_refused()
            await open_streams(ann, 0)

        at_once = await asyncio.gather(*(accepting(eve, "/v1/games", "text/event-stream") for _ in range(30)))
        assert {status for status, _ in at_once} <= {200, 429}
        await nothing_is_open()

        for accept in ("text/event-stream", "text/html"):  # a head without a body, and what is refused anyhow
            for _ in range(3):
                assert (await eve.send("HEAD", f"{game}/events", headers={"Accept": accept})).status_code in (200, 406)
        problem(await eve.get(f"{game}/events", headers=SSE, as_="0"), 403, "forbidden")
        await nothing_is_open()

        def away(*_: object) -> bytes:
            raise Unavailable

        with monkeypatch.context() as broken:  # a fault, once the stream has begun
            broken.setattr("service.api.routes.events.Pieces.of", away)
            for _ in range(3):
                with pytest.raises(httpx.RemoteProtocolError):
                    await heard(eve, game)
        await nothing_is_open()

        async with listening(eve, f"{game}/events") as stream:  # the end of the game
            await ann.stand(game, 0)
            assert [message.event async for message in stream][-1] == b"revealed"
            game = await ann.open(ruleset)
            await nothing_is_open()


async def test_a_reader_that_does_not_read_is_cut_off_and_resumes(
    service: Service, players: list[Caller], game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streaming, "KEEP_ALIVE", 0.001)
    monkeypatch.setattr(streaming, "COMMENT", b":" + b" " * 200_000 + b"\n\n")
    monkeypatch.setattr(streaming, "SEND_TIMEOUT", 0.2)
    before = await gauge(players[0], "open_streams")
    place = urlsplit(str(service.http.base_url))
    with socket.create_connection((place.hostname, place.port)) as lazy:
        lazy.sendall(b"GET %b/events HTTP/1.1\r\nHost: test\r\nAccept: text/event-stream\r\n\r\n" % game.encode())
        await open_streams(players[0], before + 1)
        await open_streams(players[0], before)
        monkeypatch.undo()
        lazy.settimeout(20)
        received = b""
        with suppress(ConnectionResetError):
            while part := lazy.recv(1 << 20):
                received += part
    assert b"id: 1\n" in received
    assert not received.endswith(b"0\r\n\r\n"), "that would be the end of the stream"
    async with listening(players[0], f"{game}/events", {"Last-Event-ID": "1"}) as stream:
        assert (await take(stream, 1))[0].id == b"2"


async def test_a_stream_that_has_not_begun_when_the_service_stops_is_refused() -> None:
    """There is no answer yet that could be ended."""
    sent: list[Any] = []
    connection = SimpleNamespace(stopping=asyncio.Event(), full=False, abort=lambda: sent.append("cut off"))

    async def pieces() -> AsyncGenerator[bytes, None]:
        connection.stopping.set()
        await asyncio.sleep(20)
        yield b""

    async def send(message: Any) -> None:
        sent.append(message)

    scope: Any = {"extensions": {streaming.CONNECTION: connection}}
    with pytest.raises(Unavailable):
        await streaming.Stream(pieces(), LIVE, {}, endless=True)(scope, asyncio.Event().wait, send)  # type: ignore[arg-type]
    assert sent == []


async def test_a_stream_has_a_head_without_a_body(stranger: Caller, game: str) -> None:
    async with asyncio.timeout(20):
        for accept in (LIVE, LINES, PAGES):
            answer = await stranger.send("HEAD", f"{game}/events", headers={"Accept": accept})
            assert (answer.status_code, answer.headers["content-type"], answer.content) == (200, accept, b"")
        assert done(await stranger.get(game))["version"]


# --- the law ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", RULESETS, indirect=True)
async def test_whatever_breaks_each_seat_receives_what_the_pages_give(
    service: Service, players: list[Caller], game: str
) -> None:
    """Random disconnects; who comes back says what he has received last."""
    over = asyncio.Event()
    everybody = {**dict(enumerate(players)), "bystander": service.stranger}
    followers = {
        perspective: asyncio.create_task(follow(who, game, Random(str(perspective)), over))
        for perspective, who in everybody.items()
    }
    made = play(players, game, Random(3))
    for _ in range(40):
        await anext(made, None)
    over.set()
    for perspective, follower in followers.items():
        async with asyncio.timeout(20):
            received, times = await follower
        expected = await read(everybody[perspective], game, as_=perspective)
        assert times >= 2, "it broke often enough"
        async with listening(everybody[perspective], f"{game}/events", after=len(received)) as stream:
            received += data(await take(stream, len(expected) - len(received)))
        assert received == expected


async def follow(who: Caller, game: str, dice: Random, over: asyncio.Event) -> tuple[list[bytes], int]:
    """What was received over many connections, and how many there were."""
    received: list[bytes] = []
    times, resume_at = 0, b"0"
    while not over.is_set():
        times += 1
        async with listening(who, f"{game}/events", {"Last-Event-ID": resume_at.decode()}) as stream:
            with suppress(TimeoutError):
                async with asyncio.timeout(dice.choice((0.0, 0.02, 0.1))):
                    async for message in stream:
                        received += [message.data]
            resume_at = stream.resume_at or resume_at
    return received, times
