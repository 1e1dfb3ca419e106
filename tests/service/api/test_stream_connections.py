"""Connections of live streams: limits, ends, and readers that are too slow."""

import asyncio
import socket
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from service.log.errors import Unavailable
from service.server import streaming
from service.server.web_socket import TRY_AGAIN_LATER
from tests.service.api.test_streams import LINES, LIVE, PAGES, accepting, gauge, read_stream
from tests.service.api.test_streams import ruleset as ruleset
from tests.service.api.test_streams import service as service
from tests.support.channels import raw_channel
from tests.support.clients import Caller, Json, Service, done, problem
from tests.support.listening import SSE, listening, over_http, take

pytestmark = [pytest.mark.anyio, pytest.mark.slow]


# --- connections --------------------------------------------------------------------------------------------------


def bearer(who: Caller) -> Json:
    return {"Authorization": f"Bearer {who.token}"}


async def open_streams(who: Caller, number: int) -> None:
    """Wait until this many streams are open."""
    async with asyncio.timeout(60):
        while await gauge(who, "open_streams") != number:  # noqa: ASYNC110 - the server sends no notification
            await asyncio.sleep(0.05)


async def test_a_disconnect_is_noticed_with_requests_in_the_pipeline(service: Service, ann: Caller, game: str) -> None:
    """They wait behind the stream on the same connection."""
    before = await gauge(ann, "open_streams")
    place = urlsplit(str(service.http.base_url))
    head = b"GET %b/events HTTP/1.1\r\nHost: test\r\nAccept: text/event-stream\r\n\r\n" % game.encode()
    with socket.create_connection((place.hostname, place.port)) as client:
        client.sendall(head * 3)
        await open_streams(ann, before + 1)
    await open_streams(ann, before)


async def test_a_disconnect_before_the_stream_begins_is_no_server_error(service: Service, ann: Caller) -> None:
    place = urlsplit(str(service.http.base_url))
    for _ in range(20):
        with socket.create_connection((place.hostname, place.port)) as client:
            client.sendall(b"GET /v1/games HTTP/1.1\r\nHost: test\r\nAccept: text/event-stream\r\n\r\n")
            client.shutdown(socket.SHUT_WR)
            await asyncio.sleep(0.05)
    await open_streams(ann, 0)
    assert 'status="500"' not in (await ann.get("/metrics")).text


async def test_the_streams_of_a_process_are_limited(database: Path, ruleset: str) -> None:
    async with (
        over_http(database, max_streams=2, max_streams_per_address=1) as small,
        httpx.AsyncClient(base_url=small.http.base_url) as outside,
    ):
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


async def test_the_streams_of_a_caller_are_limited(database: Path, ruleset: str) -> None:
    """A player is counted across addresses, a client without a token by its address. Others are not affected."""
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


async def test_the_streams_of_an_address_are_limited_across_callers(database: Path, ruleset: str) -> None:
    """Otherwise one client that registers often could take all streams. An IPv6 /64 network is one address."""
    async with over_http(
        database, max_streams_per_caller=2, max_streams_per_address=4, trusted_proxies="127.0.0.1"
    ) as service:

        def via(address: str) -> dict[str, str]:
            return {"X-Forwarded-For": address}

        ann, bob, cem, dora = await service.guests("Ann", "Bob", "Cem", "Dora")
        paths = "/v1/games", f"{await ann.open(ruleset)}/events"
        async with AsyncExitStack() as stack:
            for number, who in enumerate((ann, bob, bob, service.stranger)):
                home = via(f"2001:db8::{number + 1}")
                await stack.enter_async_context(listening(who, paths[number % 2], home))
            for who in (ann, cem, service.stranger):
                for path in paths:
                    refused = await who.get(path, headers=SSE | via("2001:db8::9"))
                    assert "4 streams" in problem(refused, 429, "too-many-requests")["detail"]
                    assert refused.headers["retry-after"] == str(int(streaming.KEEP_ALIVE))
            assert (await cem.get("/v1/games", headers=via("2001:db8::9"))).status_code == 200
            for who in (ann, cem, dora, service.stranger):
                await stack.enter_async_context(listening(who, "/v1/games", via("192.0.2.1")))
        await open_streams(ann, 0)
        async with listening(cem, "/v1/games", via("2001:db8::9")), listening(cem, "/v1/games", via("2001:db8::9")):
            pass


async def test_a_network_that_fills_the_process_with_streams_gives_way_to_others(database: Path) -> None:
    """Event streams, channels and follows alike. The clients of the network have to try again later."""
    async with (
        over_http(database, max_streams=6, trusted_proxies="127.0.0.1") as service,
        httpx.AsyncClient(base_url=service.http.base_url) as outside,
        AsyncExitStack() as stack,
    ):
        ann, eve, bob = await service.guests("Ann", "Eve", "Bob")
        game = await ann.open("skyjo")
        crowd = {"X-Forwarded-For": "2001:db8:1:1::1"}
        hoard = await stack.enter_async_context(raw_channel(eve, crowd | bearer(eve)))
        await hoard.did("follow", game=game.removeprefix("/v1/games/"))
        live = [
            await stack.enter_async_context(
                listening(service.stranger, "/v1/games", {"X-Forwarded-For": f"2001:db8:1:{number}::1"})
            )
            for number in range(2, 6)
        ]
        assert await gauge(ann, "open_streams") == 6
        others = []
        for number, left in enumerate((5, 6, 6)):
            address = {"X-Forwarded-For": f"192.0.{number}.1"}
            others.append(await stack.enter_async_context(listening(bob, "/v1/games", address)))
            await open_streams(ann, left)  # with the first one the channel ends, which had two
        refused = await outside.get("/v1/games", headers=SSE | {"X-Forwarded-For": "2001:db8:1:99::1"})
        problem(refused, 503, "unavailable")
        assert (await hoard.closed())[0] == TRY_AGAIN_LATER
        await ann.open("skyjo")
        for each in (*others, *live[:-1]):
            assert await take(each, 1)
        with pytest.raises(httpx.RemoteProtocolError):  # no regular end, so that the client resumes
            await take(live[-1], 1)


async def test_a_stream_is_counted_until_it_ends_in_any_way(
    database: Path, ruleset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with over_http(database, max_streams_per_caller=2) as service:
        ann, eve = await service.guests("Ann", "Eve")
        game = await ann.open(ruleset)

        async def is_refused() -> bool:
            status, _ = await accepting(eve, f"{game}/events", "text/event-stream")
            return status == 429

        async def assert_none_open() -> None:
            """No stream is counted: two more can be opened, but not three."""
            await open_streams(ann, 0)
            async with listening(eve, "/v1/games"):
                assert not await is_refused()
                await open_streams(ann, 1)
                async with listening(eve, f"{game}/events"):
                    assert await is_refused()
            await open_streams(ann, 0)

        responses = await asyncio.gather(*(accepting(eve, "/v1/games", "text/event-stream") for _ in range(30)))
        assert {status for status, _ in responses} <= {200, 429}
        await assert_none_open()

        for accept in ("text/event-stream", "text/html"):  # HEAD, and a refused request
            for _ in range(3):
                assert (await eve.send("HEAD", f"{game}/events", headers={"Accept": accept})).status_code in (200, 406)
        problem(await eve.get(f"{game}/events", headers=SSE, as_="0"), 403, "forbidden")
        await assert_none_open()

        def fail(*_: object) -> bytes:
            raise Unavailable

        with monkeypatch.context() as broken:  # an error after the stream has begun
            broken.setattr("service.server.streaming.ChunkCache.get", fail)
            for _ in range(3):
                with pytest.raises(httpx.RemoteProtocolError):
                    await read_stream(eve, game)
        await assert_none_open()

        async with listening(eve, f"{game}/events") as stream:  # the end of the game
            await ann.stand(game, 0)
            assert [message.event async for message in stream][-1] == b"revealed"
            game = await ann.open(ruleset)
            await assert_none_open()


async def test_a_client_that_stops_reading_is_disconnected_and_resumes(
    service: Service, players: list[Caller], game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streaming, "KEEP_ALIVE", 0.001)
    monkeypatch.setattr(streaming, "COMMENT", b":" + b" " * 200_000 + b"\n\n")
    monkeypatch.setattr(streaming, "SEND_TIMEOUT", 0.2)
    before = await gauge(players[0], "open_streams")
    place = urlsplit(str(service.http.base_url))
    with socket.create_connection((place.hostname, place.port)) as client:
        client.sendall(b"GET %b/events HTTP/1.1\r\nHost: test\r\nAccept: text/event-stream\r\n\r\n" % game.encode())
        await open_streams(players[0], before + 1)
        await open_streams(players[0], before)
        monkeypatch.undo()
        client.settimeout(60)
        received = b""
        with suppress(ConnectionResetError):
            while part := client.recv(1 << 20):
                received += part
    assert b"id: 1\n" in received
    assert not received.endswith(b"0\r\n\r\n"), "the stream must not look complete"
    async with listening(players[0], f"{game}/events", {"Last-Event-ID": "1"}) as stream:
        assert (await take(stream, 1))[0].id == b"2"


async def test_a_stream_that_has_not_begun_at_shutdown_is_refused() -> None:
    sent: list[Any] = []
    connection = SimpleNamespace(stopping=asyncio.Event(), write_paused=False, abort=lambda: sent.append("aborted"))

    async def chunks() -> AsyncGenerator[bytes, None]:
        connection.stopping.set()
        await asyncio.sleep(20)
        yield b""

    async def send(message: Any) -> None:
        sent.append(message)

    scope: Any = {"extensions": {streaming.CONNECTION: connection}}
    with pytest.raises(Unavailable):
        await streaming.Stream(chunks(), LIVE, {}, endless=True)(scope, asyncio.Event().wait, send)  # type: ignore[arg-type]
    assert sent == []


async def test_head_requests_get_the_headers_of_a_stream(stranger: Caller, game: str) -> None:
    async with asyncio.timeout(60):
        for accept in (LIVE, LINES, PAGES):
            response = await stranger.send("HEAD", f"{game}/events", headers={"Accept": accept})
            assert (response.status_code, response.headers["content-type"], response.content) == (200, accept, b"")
        assert done(await stranger.get(game))["version"]
