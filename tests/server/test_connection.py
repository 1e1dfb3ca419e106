"""Limits on connections over real sockets: size, time, and number."""

import asyncio
import gc
import socket
import tracemalloc
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

import pytest
import uvloop

from domain.rulesets import RULESETS
from service.server import connection, server
from service.server.connection import MAX_HEAD, MAX_HEADERS, MAX_URL, ClientConnection, CoalescingTransport
from service.server.edge import Exchange
from tests.support.clients import Service, done, fewest
from tests.support.listening import over_http
from tests.support.raw_http import GET, POST, STREAM, assert_problem, received, running, status

pytestmark = [pytest.mark.anyio, pytest.mark.waits]

RULESET = next(iter(RULESETS))

LIMIT = 150
"""Chunks before which a slow client must be disconnected: ten to twenty, and fewer than by default. Client and server
share an event loop, so a busy machine delays both."""


# --- size ---------------------------------------------------------------------------------------------------------


async def test_the_head_of_a_request_is_limited_in_size(database: Path) -> None:
    async with running(database) as (_, connect):
        for size, number in ((MAX_HEAD - 1000, 1), (100, MAX_HEADERS - 1)):
            headers = b"".join(b"A%d: %s\r\n" % (n, b"x" * (size // number)) for n in range(number))
            assert await status(await connect(), GET, headers, b"\r\n") == 200
        for headers in (b"A: " + b"x" * MAX_HEAD + b"\r\n", b"A: b\r\n" * MAX_HEADERS, b"x" * MAX_HEAD + b": a\r\n"):
            assert_problem(await received(await connect(), GET + headers + b"\r\n"), 431, "head-too-large")
        path = b"GET /" + b"x" * (MAX_URL - 1)
        assert await status(await connect(), path + b" HTTP/1.1\r\nHost: x\r\n\r\n") == 404
        assert_problem(await received(await connect(), path + b"x HTTP/1.1\r\nHost: x\r\n\r\n"), 414, "url-too-long")


@pytest.mark.checked
async def test_requests_without_end_are_rejected_and_take_little_memory(database: Path) -> None:
    async with running(database) as (_, connect):

        async def flood(start: bytes, chunk: bytes) -> int:
            """The bytes that the server reads before it closes the connection or stops reading."""
            reader, writer = await connect()
            writer.write(start)
            size = 0
            while not reader.at_eof() and size < 50_000_000:
                try:
                    writer.write(chunk)
                    await asyncio.wait_for(writer.drain(), 0.5)
                    await asyncio.sleep(0)
                except (ConnectionError, TimeoutError):
                    break
                size += len(chunk)
            return size

        chunked = POST + b"Transfer-Encoding: chunked\r\n\r\n"
        body = b'd\r\n{"name":"Eve"\r\n1\r\n}\r\n0\r\n'
        for start, chunk in (
            (GET + b"A: ", b"x" * 10_000), (GET, b"A: b\r\n" * 1_000), (b"GET /", b"x" * 10_000),
            (chunked + b"1;", b"x" * 100_000), (chunked, b"1\r\nx\r\n" * 10_000),
            (chunked + body, b"A: b\r\n" * 10_000),
            (POST + b"Content-Length: 1000000000\r\n\r\n", b"x" * 100_000),
            (STREAM, (GET + b"\r\n") * 1_000), (STREAM + POST + b"Content-Length: 1000000000\r\n\r\n", b"x" * 100_000),
        ):  # fmt: skip
            tracemalloc.start()
            size = await flood(start, chunk)
            _, peak = tracemalloc.get_traced_memory()
            tracemalloc.stop()
            assert size < 20_000_000, start
            assert peak < 10_000_000, start
        assert await status(await connect(), GET + b"\r\n") == 200


async def test_input_that_is_not_http_gets_a_problem(database: Path) -> None:
    async with running(database) as (_, connect):
        for nonsense in (
            b"\0" * 100,
            b"\x16\x03\x01\x02",
            b"GET / HTTP/9.9\r\n\r\n",
            GET + b"Content-Length: -1\r\n\r\n",
        ):
            assert_problem(await received(await connect(), nonsense), 400, "malformed")
        two_lengths = POST + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n"
        assert_problem(await received(await connect(), two_lengths), 400, "malformed")
        assert await status(await connect(), GET + b"Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n") == 200


# --- time ---------------------------------------------------------------------------------------------------------


async def test_slow_clients_are_disconnected_and_others_are_served(database: Path) -> None:
    async with running(database, client_timeout=1) as (service, connect):
        guests = await service.guests(*("Ann", "Bob", "Cem")[: fewest(RULESET)])
        game = await service.table(RULESET, guests)

        async def trickles(start: bytes, chunk: bytes) -> int:
            """Sends a chunk every 0.1 s. Returns how many until the connection is closed."""
            (reader, writer), sent = await connect(), 0
            writer.write(start)
            while not reader.at_eof() and sent < LIMIT:
                try:
                    writer.write(chunk)
                    await writer.drain()
                except ConnectionError:
                    break
                sent += 1
                await asyncio.sleep(0.1)
            return sent

        async def reads_nothing() -> int:
            """Requests many large responses without reading any."""
            sent = 0
            reader, writer = await connect()
            reader._transport.pause_reading()  # type: ignore[attr-defined]
            request = b"GET /schema/asyncapi.json HTTP/1.1\r\nHost: x\r\n\r\n"
            while not writer.transport.is_closing() and sent < LIMIT:
                sent += 1
                try:
                    writer.write(request * 10)
                    await asyncio.wait_for(writer.drain(), 0.2)
                except (ConnectionError, TimeoutError):
                    pass
                await asyncio.sleep(0.1)
            return sent

        async def plays() -> None:
            """Another client at the same time."""
            for _ in range(60):
                await guests[0].look(game)
                await asyncio.sleep(0.05)

        async def follows() -> None:
            """A silent stream stays open."""
            streams = await connect()
            assert await status(streams, STREAM) == 200
            await asyncio.sleep(3)
            assert not streams[0].at_eof()

        with_body = POST + b"Content-Length: 1000\r\n\r\n"
        *sent, _, _ = await asyncio.gather(
            trickles(b"", b""), trickles(b"", b"\r\n"), trickles(GET + b"A: ", b"x"), trickles(b"G", b""),
            trickles(with_body, b""), trickles(with_body, b" "), trickles(GET + b"\r\n", b"\r\n"),
            trickles(POST + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"), reads_nothing(), plays(), follows(),
        )  # fmt: skip
        assert 1 < min(sent) <= max(sent) < LIMIT, sent


@pytest.fixture
def small_send_buffer(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel buffers little, so unread data stays in the write buffer of the process."""
    original = ClientConnection.connection_made

    def connection_made(self: ClientConnection, transport: Any) -> None:
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 16 * 1024)
        original(self, transport)

    monkeypatch.setattr(ClientConnection, "connection_made", connection_made)


async def reads_slowly(service: Service, pace: int) -> bool:
    """Reads the longest document at `pace` bytes per second. Returns whether it is complete."""
    loop, url, begun, response = asyncio.get_running_loop(), service.http.base_url, monotonic(), b""
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16 * 1024)
        client.setblocking(False)
        await loop.sock_connect(client, (url.host, url.port))
        await loop.sock_sendall(client, b"GET /schema/openapi.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        with suppress(ConnectionError):
            while part := await loop.sock_recv(client, pace // 10):
                response += part
                await asyncio.sleep(max(0.0, begun + len(response) / pace - monotonic()))
    return response.endswith((await service.stranger.get("/schema/openapi.json")).content)


@pytest.mark.by_default()
@pytest.mark.usefixtures("small_send_buffer")
async def test_a_slow_reader_is_served_unless_too_much_is_buffered_for_it(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(database, client_timeout=1) as (service, _):
        size = len((await service.stranger.get("/schema/openapi.json")).content)
        monkeypatch.setattr(connection, "MAX_WRITE_BUFFER", size)
        assert await reads_slowly(service, size // 2)
        monkeypatch.setattr(connection, "MAX_WRITE_BUFFER", size // 2)
        # For the second the buffer falls below the limit in time.
        assert await asyncio.gather(reads_slowly(service, size // 8), reads_slowly(service, size)) == [False, True]


# --- number -------------------------------------------------------------------------------------------------------


@pytest.fixture
def short_keep_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    """Idle connections are closed after a second."""
    original = ClientConnection.connection_made

    def connection_made(self: ClientConnection, transport: Any) -> None:
        original(self, transport)
        self.timeout_keep_alive = 1

    monkeypatch.setattr(ClientConnection, "connection_made", connection_made)


@pytest.mark.usefixtures("short_keep_alive")
async def test_an_idle_connection_is_closed(database: Path) -> None:
    async with running(database) as (_, connect):
        idle, (reader, writer) = await connect(), await connect()
        answered, closing = 0, asyncio.create_task(received(idle, GET + b"\r\n"))
        while not closing.done():
            answered += 1
            writer.write(GET + b"\r\n")
            head = await reader.readuntil(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 200")
            await reader.readexactly(int(head.lower().partition(b"content-length: ")[2].split()[0]))
            await asyncio.sleep(0.25)
        assert (await closing).startswith(b"HTTP/1.1 200")
        assert 1 < answered < 16
        assert not reader.at_eof()


@pytest.mark.usefixtures("short_keep_alive")
async def test_a_connection_goes_on_after_a_body_that_nobody_reads(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its end is received after the answer, and reading pauses for it. The next request is answered; without one the
    connection is idle, and closed."""
    monkeypatch.setattr(connection, "MAX_DROPPED", 0)
    async with running(database) as (_, connect):
        for following, expected in ((GET + b"Connection: close\r\n\r\n", b"HTTP/1.1 200"), (b"", b"")):
            reader, writer = await connect()
            writer.write(b"POST /v1/none HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n")
            head = await reader.readuntil(b"\r\n\r\n")
            await reader.readexactly(int(head.lower().partition(b"content-length: ")[2].split()[0]))
            writer.write(b" ")
            await asyncio.sleep(0.1)
            writer.write(following)
            answer = await asyncio.wait_for(reader.read(), 60)
            assert answer[: len(b"HTTP/1.1 200")] == expected
            writer.close()


async def test_connections_beyond_the_limit_get_503_or_are_closed(database: Path) -> None:
    async with running(database, max_connections=20) as (_, connect):
        accepted = [await connect() for _ in range(20)]
        for streams in accepted:
            assert await status(streams, STREAM) == 200
        rejection = await received(await connect(), GET + b"\r\n")
        assert_problem(rejection, 503, "unavailable")
        assert b"retry-after: 1\r\n" in rejection
        # Clients that send nothing are disconnected without a response.
        excess = [await connect() for _ in range(500)]
        assert not any(await asyncio.gather(*(asyncio.wait_for(received(streams), 60) for streams in excess)))
        assert not any(reader.at_eof() for reader, _ in accepted)
        for _, writer in accepted:
            writer.close()
        for _ in range(50):
            response = await received(await connect(), GET + b"Connection: close\r\n\r\n")
            if response.startswith(b"HTTP/1.1 200"):
                break
            await asyncio.sleep(0.05)
        assert response.startswith(b"HTTP/1.1 200")


async def test_a_record_of_two_mib_is_read(database: Path) -> None:
    """It is not valid, and the answer says so."""
    async with over_http(database) as service:
        ann = await service.guest("Ann")
        answer = await ann.post("/v1/films", b'{"format": ' + b" " * (2**21 - 20) + b"1}")
        assert answer.status_code == 400


async def test_an_address_has_a_share_of_the_connections(database: Path) -> None:
    async with running(database, max_connections=20, max_connections_per_address=5) as (_, connect):
        accepted = [await connect() for _ in range(5)]
        for streams in accepted:
            assert await status(streams, GET + b"\r\n") == 200
        rejection = await received(await connect(), GET + b"\r\n")
        assert_problem(rejection, 429, "too-many-requests")
        for _, writer in accepted:
            writer.close()
        for _ in range(100):
            if (await received(await connect(), GET + b"Connection: close\r\n\r\n")).startswith(b"HTTP/1.1 200"):
                break
            await asyncio.sleep(0.05)
        else:
            pytest.fail("closed connections still count")


async def test_an_address_that_fills_the_process_gives_way_to_others(database: Path) -> None:
    """From 192.0.2.0/24 and the like: all of 127.0.0.0/8 is this machine."""
    async with running(database, max_connections=8) as (service, _):
        place = urlsplit(str(service.http.base_url))

        async def connect(source: str) -> Any:
            return await asyncio.open_connection(place.hostname, place.port, local_addr=(source, 0))

        hoard = [await connect("127.0.1.1") for _ in range(8)]
        for streams in hoard:
            assert await status(streams, STREAM) == 200
        others = [await connect(f"127.0.{number}.1") for number in range(2, 6)]
        for streams in others:
            assert await status(streams, GET + b"\r\n") == 200
        assert_problem(await received(await connect("127.0.1.1"), GET + b"\r\n"), 503, "unavailable")
        ended = [asyncio.create_task(reader.read()) for reader, _ in hoard]
        await asyncio.wait(ended[4:], timeout=60)
        assert [each.done() for each in ended] == [False] * 4 + [True] * 4
        for each in ended:
            each.cancel()
        for streams in others:
            streams[1].write(GET + b"Connection: close\r\n\r\n")
            assert (await streams[0].read()).count(b"HTTP/1.1 200 OK\r\n") == 1


async def test_bodies_that_do_not_end_take_places_by_network(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Others can still send theirs. Small bodies take no place."""
    monkeypatch.setattr(connection, "MAX_BODIES", 4)
    async with running(database) as (service, _):
        place = urlsplit(str(service.http.base_url))

        async def begin(source: str, size: int) -> Any:
            streams = await asyncio.open_connection(place.hostname, place.port, local_addr=(source, 0))
            streams[1].write(POST + b"Content-Length: 60000\r\n\r\n" + b" " * size)
            return streams

        hoard = [await begin("127.0.1.1", 20_000) for _ in range(4)]
        small = [await begin("127.0.1.1", 1_000) for _ in range(4)]
        await asyncio.sleep(0.2)
        refused = await begin("127.0.1.1", 20_000)
        assert await received(refused) == b""
        reader, writer = await begin("127.0.2.1", 20_000)
        await asyncio.sleep(0.2)
        writer.write(b" " * (40_000 - 14) + b'{"name": "Ann"')
        assert (await reader.readline()).startswith(b"HTTP/1.1 400")
        assert [await ended(each, 0.2) for each in hoard] == [False, False, False, True]
        assert not any([await ended(each, 0.05) for each in small])
        hoard[0][1].write(b" " * 39_985 + b'{"name": "Eve"}')
        assert (await hoard[0][0].readline()).startswith(b"HTTP/1.1 201")
        for _, each in (*hoard, *small, refused, (reader, writer)):
            each.close()


async def test_what_nobody_reads_of_bodies_is_received_slowly(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two checks no more than is allowed, and a piece for each connection. Their clients get an answer."""
    monkeypatch.setattr(connection, "MAX_DROPPED", 512 * 1024)
    size, counted = 1024 * 1024, list[int]()
    check = connection.ConnectionReaper._check

    def checked(reaper: Any, connections: set[Any]) -> None:
        counted.append(sum(reaper._dropped.values()))
        check(reaper, connections)

    monkeypatch.setattr(connection.ConnectionReaper, "_check", checked)
    async with running(database) as (_, connect):

        async def refused() -> int:
            reader, writer = await connect()
            writer.write(b"POST /v1/none HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % size)
            for _ in range(size // 65_536):
                writer.write(b" " * 65_536)
                await writer.drain()
            writer.write(GET + b"Connection: close\r\n\r\n")  # answered after all of the body
            answers = await reader.read()
            return 100 * answers.count(b"HTTP/1.1 404") + answers.count(b"HTTP/1.1 200")

        assert await asyncio.gather(refused(), refused()) == [101] * 2
    assert 0 < max(counted) <= 512 * 1024 + 2 * 262_144


async def test_thousands_of_connections_are_checked_in_parts_with_other_work_between() -> None:
    """Each once a second, unless it is closed by then."""
    reaper = connection.ConnectionReaper(10_000, 20, 10_000, lambda _: False)
    loop, checked, turns = asyncio.get_running_loop(), list[int](), list[int]()

    class Idle:
        def __init__(self, number: int) -> None:
            self.number = number

        def check(self, now: float) -> None:
            assert now <= loop.time()
            checked.append(self.number)

    connections: set[Any] = {Idle(number) for number in range(1_000)}
    reaper.start(connections)
    while len(checked) < 990:
        turns.append(len(checked))
        if len(turns) == 1:
            closed = {each for each in connections if each.number not in checked and each.number % 100 == 7}
            connections -= closed
        await asyncio.sleep(0.005)
        if len(checked) + len(closed) >= 1_000:
            break
    assert max(after - before for before, after in pairwise([*turns, len(checked)])) < 1_000
    assert turns[0] == connection.CHECKED_AT_ONCE
    assert len({*checked}) == len(checked) == 1_000 - len(closed)
    connections.clear()


async def ended(streams: Any, seconds: float) -> bool:
    """Whether the server closes the connection within this time, without a response."""
    with suppress(TimeoutError, ConnectionError):
        return await asyncio.wait_for(streams[0].read(1), seconds) == b""
    return streams[0].at_eof() or streams[0].exception() is not None


async def test_trusted_proxies_have_no_share(database: Path) -> None:
    given = {"max_connections_per_address": 2, "trusted_proxies": "127.0.0.0/8, ::1"}
    async with running(database, **given) as (_, connect):
        for streams in [await connect() for _ in range(6)]:
            assert await status(streams, GET + b"\r\n") == 200


async def test_the_limit_of_open_files_limits_connections(capsys: pytest.CaptureFixture[str]) -> None:
    assert server.available_connections(10) == 10
    assert capsys.readouterr().err == ""
    assert 0 < server.available_connections(10**9) < 10**9
    assert "open files" in capsys.readouterr().err


async def test_idle_connections_take_little_memory(database: Path) -> None:
    async with running(database, max_connections=1_000) as (service, connect):
        await service.guest("Ann")
        tracemalloc.start()
        connections = [await connect() for _ in range(400)]
        done(await service.stranger.get("/health/live"))
        size, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert size / len(connections) < 48 * 1024  # client and server together
        done(await service.stranger.get("/health/live"))


@pytest.fixture
def without_garbage_collection() -> Iterator[None]:
    """Reference cycles stay in memory. What is there already is not looked through."""
    gc.collect()
    gc.freeze()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("without_garbage_collection")
async def test_neither_a_closed_connection_nor_a_request_leaves_a_reference_cycle(database: Path) -> None:
    """Garbage collection runs only once in a hundred thousand connections."""

    def alive() -> int:
        found = gc.get_objects()
        requests = sum(type(each) is Exchange and each.path == "/health/live" for each in found)
        return requests + sum(type(each) is ClientConnection for each in found)

    get, half = GET + b"\r\n", POST + b"Content-Length: 9\r\n\r\n{"
    head = get.replace(b"GET", b"HEAD", 1)
    async with running(database) as (_, connect):
        for end in ("close", "abort"):
            before, opened = alive(), []
            for request in (b"", get, get * 9, head, b"nonsense\r\n\r\n", STREAM, STREAM + get, half) * 3:
                opened.append(await connect())
                opened[-1][1].write(request)
            await asyncio.sleep(0.2)
            for _, writer in opened:
                getattr(writer.transport, end)()
            del opened, writer
            async with asyncio.timeout(60):
                while alive() != before:  # noqa: ASYNC110
                    await asyncio.sleep(0.2)


def test_nothing_is_written_to_a_client_that_has_disconnected() -> None:
    """With uvloop, as in production: a write to a closed transport is an error there."""

    async def errors() -> list[dict[str, Any]]:
        loop, contexts = asyncio.get_running_loop(), list[dict[str, Any]]()
        loop.set_exception_handler(lambda _, context: contexts.append(context))
        ours, theirs = socket.socketpair()
        transport, _ = await loop.create_connection(asyncio.Protocol, sock=ours)
        coalescing = CoalescingTransport(transport)
        transport.abort()
        await asyncio.sleep(0.01)
        coalescing.write(b"HTTP/1.1 200 OK")
        await asyncio.sleep(0.01)
        theirs.close()
        return contexts

    assert uvloop.run(errors()) == []


# --- the address of the client -------------------------------------------------------------------------------------


async def statuses(service: Service, *forwarded: str) -> set[int]:
    """Of requests at once with these addresses in `X-Forwarded-For`, each of which counts as one."""
    headers = [{"X-Forwarded-For": each} for each in forwarded]
    answers = await asyncio.gather(*(service.stranger.get("/v1/rulesets", headers=each) for each in headers))
    return {answer.status_code for answer in answers}


@pytest.mark.parametrize("trusted", ["127.0.0.1", "10.0.0.0/8, 127.0.0.0/8"])
async def test_a_trusted_proxy_provides_the_address_of_the_client(database: Path, trusted: str) -> None:
    async with over_http(database, rate_limit="1/3", trusted_proxies=trusted) as service:
        assert await statuses(service, *(f"198.51.100.9, 203.0.113.{number}" for number in range(20))) == {200}
        assert await statuses(service, *(f"203.0.113.{number}, 198.51.100.9" for number in range(20))) == {200, 429}


@pytest.mark.parametrize("trusted", ["", "10.0.0.0/8"])
async def test_forwarded_addresses_from_others_are_ignored(database: Path, trusted: str) -> None:
    async with over_http(database, rate_limit="1/3", trusted_proxies=trusted) as service:
        assert await statuses(service, *(f"203.0.113.{number}" for number in range(20))) == {200, 429}
