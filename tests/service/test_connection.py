"""What clients may do to a connection, over real sockets: too much, too slowly, for too long, too many at once."""

import asyncio
import gc
import socket
import tracemalloc
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import Any

import msgspec
import pytest
import uvloop

from domain.rulesets import RULESETS
from service.http import connection, server
from service.http.connection import MAX_HEAD, MAX_HEADERS, MAX_URL, CoalescingTransport, Connection
from tests.support.clients import Service, done, fewest
from tests.support.listening import over_http

pytestmark = pytest.mark.anyio

RULESET = next(iter(RULESETS))

GET = b"GET /health/live HTTP/1.1\r\nHost: x\r\n"
POST = b"POST /v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
STREAM = b"GET /v1/games HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n"

Ends = tuple[StreamReader, StreamWriter]
Reach = Callable[[], Awaitable[Ends]]


@asynccontextmanager
async def house(database: Path, **given: object) -> AsyncIterator[tuple[Service, Reach]]:
    """A service, and how to reach it without a client library."""
    opened: list[StreamWriter] = []
    async with over_http(database, **given) as service:
        url = service.http.base_url

        async def reach() -> Ends:
            reader, writer = await asyncio.open_connection(url.host, url.port)
            opened.append(writer)
            return reader, writer

        yield service, reach
        for writer in opened:
            writer.close()


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


async def said(ends: Ends, *pieces: bytes) -> bytes:
    """What is answered to these, until the connection is closed."""
    reader, writer = ends
    try:
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
        return await reader.read()
    except ConnectionError:
        return b""


async def status(ends: Ends, *pieces: bytes) -> int:
    """Of the first answer."""
    for piece in pieces:
        ends[1].write(piece)
    return int((await ends[0].readline()).split()[1])


def problem(answer: bytes, status: int, kind: str) -> None:
    head, _, body = answer.partition(b"\r\n\r\n")
    first, *headers = head.decode().lower().split("\r\n")
    assert first.startswith(f"http/1.1 {status} "), answer
    assert {"content-type: application/problem+json", "connection: close", "cache-control: no-store"} <= set(headers)
    document = msgspec.json.decode(body)
    assert (document["type"], document["status"]) == (kind, status)


# --- too much -----------------------------------------------------------------------------------------------------


async def test_a_head_has_a_size(database: Path) -> None:
    async with house(database) as (_, reach):
        for size, number in ((MAX_HEAD - 1000, 1), (100, MAX_HEADERS - 1)):
            headers = b"".join(b"A%d: %s\r\n" % (n, b"x" * (size // number)) for n in range(number))
            assert await status(await reach(), GET, headers, b"\r\n") == 200
        for headers in (b"A: " + b"x" * MAX_HEAD + b"\r\n", b"A: b\r\n" * MAX_HEADERS, b"x" * MAX_HEAD + b": a\r\n"):
            problem(await said(await reach(), GET + headers + b"\r\n"), 431, "head-too-large")
        path = b"GET /" + b"x" * (MAX_URL - 1)
        assert await status(await reach(), path + b" HTTP/1.1\r\nHost: x\r\n\r\n") == 404
        problem(await said(await reach(), path + b"x HTTP/1.1\r\nHost: x\r\n\r\n"), 414, "url-too-long")


async def test_a_head_that_does_not_end_is_cut_short(database: Path) -> None:
    async with house(database) as (_, reach):

        async def pours(begin: bytes, piece: bytes) -> int:
            """How much of it is taken, before the connection is closed or nothing more is read."""
            reader, writer = await reach()
            writer.write(begin)
            poured = 0
            while not reader.at_eof() and poured < 50_000_000:
                try:
                    writer.write(piece)
                    await asyncio.wait_for(writer.drain(), 0.5)
                    await asyncio.sleep(0)
                except (ConnectionError, TimeoutError):
                    break
                poured += len(piece)
            return poured

        chunked = POST + b"Transfer-Encoding: chunked\r\n\r\n"
        body = b'd\r\n{"name":"Eve"\r\n1\r\n}\r\n0\r\n'
        for begin, piece in (
            (GET + b"A: ", b"x" * 10_000), (GET, b"A: b\r\n" * 1_000), (b"GET /", b"x" * 10_000),
            (chunked + b"1;", b"x" * 100_000), (chunked, b"1\r\nx\r\n" * 10_000),
            (chunked + body, b"A: b\r\n" * 10_000),
            (POST + b"Content-Length: 1000000000\r\n\r\n", b"x" * 100_000),
            (STREAM, (GET + b"\r\n") * 1_000), (STREAM + POST + b"Content-Length: 1000000000\r\n\r\n", b"x" * 100_000),
        ):  # fmt: skip
            tracemalloc.start()
            poured = await pours(begin, piece)
            _, peak = tracemalloc.get_traced_memory()
            tracemalloc.stop()
            assert poured < 20_000_000, begin
            assert peak < 10_000_000, begin
        assert await status(await reach(), GET + b"\r\n") == 200


async def test_what_is_no_http_is_told_so(database: Path) -> None:
    async with house(database) as (_, reach):
        for nonsense in (
            b"\0" * 100,
            b"\x16\x03\x01\x02",
            b"GET / HTTP/9.9\r\n\r\n",
            GET + b"Content-Length: -1\r\n\r\n",
        ):
            problem(await said(await reach(), nonsense), 400, "malformed")
        two_lengths = POST + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n"
        problem(await said(await reach(), two_lengths), 400, "malformed")
        assert await status(await reach(), GET + b"Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n") == 200


# --- too slowly ---------------------------------------------------------------------------------------------------


async def test_who_keeps_us_waiting_is_cut_off_and_who_does_not_is_served(database: Path) -> None:
    async with house(database, client_timeout=1) as (service, reach):
        guests = await service.guests(*("Ann", "Bob", "Cem")[: fewest(RULESET)])
        game = await service.table(RULESET, guests)

        async def trickles(begin: bytes, piece: bytes) -> float:
            """For how many seconds the connection stands."""
            ends, begun = await reach(), monotonic()
            ends[1].write(begin)
            while not ends[0].at_eof() and monotonic() - begun < 8:
                try:
                    ends[1].write(piece)
                    await ends[1].drain()
                except ConnectionError:
                    break
                await asyncio.sleep(0.1)
            return monotonic() - begun

        async def reads_nothing() -> float:
            """Of many large answers, none of which is asked for before the last one was sent."""
            reader, writer = await reach()
            reader._transport.pause_reading()  # type: ignore[attr-defined]
            begun = monotonic()
            asked = b"GET /schema/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n"
            while not writer.transport.is_closing() and monotonic() - begun < 8:
                try:
                    writer.write(asked * 10)
                    await asyncio.wait_for(writer.drain(), 0.2)
                except (ConnectionError, TimeoutError):
                    pass
                await asyncio.sleep(0.1)
            return monotonic() - begun

        async def plays() -> float:
            """Somebody else, meanwhile."""
            begun = monotonic()
            while monotonic() - begun < 3:
                await guests[0].look(game)
                await asyncio.sleep(0.05)
            return 1.0

        async def follows() -> float:
            """A stream may be silent for as long as it likes."""
            ends = await reach()
            assert await status(ends, STREAM) == 200
            await asyncio.sleep(3)
            assert not ends[0].at_eof()
            return 1.0

        lengthy = POST + b"Content-Length: 1000\r\n\r\n"
        stood = await asyncio.gather(
            trickles(b"", b""), trickles(b"", b"\r\n"), trickles(GET + b"A: ", b"x"), trickles(b"G", b""),
            trickles(lengthy, b""), trickles(lengthy, b" "), trickles(GET + b"\r\n", b"\r\n"),
            trickles(POST + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"), reads_nothing(), plays(), follows(),
        )  # fmt: skip
        assert max(stood) < 7, stood
        assert min(stood) >= 1, stood


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel takes little from us: what a client has not read stays here."""
    made = Connection.connection_made

    def connection_made(self: Connection, transport: Any) -> None:
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 16 * 1024)
        made(self, transport)

    monkeypatch.setattr(Connection, "connection_made", connection_made)


async def reads_slowly(service: Service, pace: int) -> tuple[bool, float]:
    """Whether the longest document, read at so many bytes a second, comes to its end, and after how many seconds."""
    loop, url, begun, answer = asyncio.get_running_loop(), service.http.base_url, monotonic(), b""
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16 * 1024)
        client.setblocking(False)
        await loop.sock_connect(client, (url.host, url.port))
        await loop.sock_sendall(client, b"GET /schema/openapi.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        with suppress(ConnectionError):
            while part := await loop.sock_recv(client, pace // 10):
                answer += part
                await asyncio.sleep(max(0.0, begun + len(answer) / pace - monotonic()))
    return answer.endswith((await service.stranger.get("/schema/openapi.json")).content), monotonic() - begun


@pytest.mark.usefixtures("narrow")
async def test_who_reads_slowly_has_his_time_unless_it_is_too_much_that_waits_for_him(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(database, client_timeout=1) as (service, _):
        size = len((await service.stranger.get("/schema/openapi.json")).content)
        monkeypatch.setattr(connection, "MAX_UNREAD", size)
        whole, seconds = await reads_slowly(service, size // 4)
        assert whole
        assert seconds > 3
        monkeypatch.setattr(connection, "MAX_UNREAD", size // 2)
        whole, seconds = await reads_slowly(service, size // 8)
        assert not whole
        assert seconds < 6
        whole, _ = await reads_slowly(service, size)  # who is below it in time is let alone
        assert whole


# --- too many -----------------------------------------------------------------------------------------------------


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has been answered is soon expected to ask for more."""
    made = Connection.connection_made

    def connection_made(self: Connection, transport: Any) -> None:
        made(self, transport)
        self.timeout_keep_alive = 1

    monkeypatch.setattr(Connection, "connection_made", connection_made)


@pytest.mark.usefixtures("impatient")
async def test_who_has_been_answered_and_asks_no_more_is_let_go(database: Path) -> None:
    async with house(database) as (_, reach):
        idle, (reader, writer) = await reach(), await reach()
        begun, closing = monotonic(), asyncio.create_task(said(idle, GET + b"\r\n"))
        while not closing.done():
            writer.write(GET + b"\r\n")
            head = await reader.readuntil(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 200")
            await reader.readexactly(int(head.lower().partition(b"content-length: ")[2].split()[0]))
            await asyncio.sleep(0.25)
        assert (await closing).startswith(b"HTTP/1.1 200")
        assert 1 < monotonic() - begun < 6
        assert not reader.at_eof()


async def test_there_is_room_for_so_many_connections_and_who_comes_beyond_is_told(database: Path) -> None:
    async with house(database, max_connections=20) as (_, reach):
        before = [await reach() for _ in range(20)]
        for ends in before:
            assert await status(ends, STREAM) == 200
        late = [await reach() for _ in range(500)]
        told = await said(late[0], GET + b"\r\n")
        problem(told, 503, "unavailable")
        assert b"retry-after: 1\r\n" in told
        answers = await asyncio.gather(
            *(asyncio.wait_for(said(ends), 5) for ends in late)
        )  # also who says nothing goes
        assert not any(answers)
        assert not any(ends[0].at_eof() for ends in before)
        for ends in before:
            ends[1].close()
        for _ in range(50):
            if (answer := await said(await reach(), GET + b"Connection: close\r\n\r\n")).startswith(b"HTTP/1.1 200"):
                break
            await asyncio.sleep(0.05)
        assert answer.startswith(b"HTTP/1.1 200")


async def test_there_are_as_many_connections_as_files_allow(capsys: pytest.CaptureFixture[str]) -> None:
    assert server.room(10) == 10
    assert capsys.readouterr().err == ""
    assert 0 < server.room(10**9) < 10**9
    assert "open files" in capsys.readouterr().err


async def test_idle_connections_by_the_thousand_cost_next_to_nothing(database: Path) -> None:
    async with house(database, max_connections=2_000) as (service, reach):
        await service.guest("Ann")
        tracemalloc.start()
        ends = [await reach() for _ in range(1_500)]
        done(await service.stranger.get("/health/live"))
        size, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert size / len(ends) < 48 * 1024  # for both ends
        done(await service.stranger.get("/health/live"))


@pytest.fixture
def uncollected() -> Iterator[None]:
    """What refers to itself in a circle stays in memory."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("uncollected")
async def test_of_a_connection_that_is_over_nothing_is_left(database: Path) -> None:
    """The collector comes round when a hundred thousand have come and gone."""

    def standing() -> int:
        return sum(type(each) is Connection for each in gc.get_objects())

    get, half = GET + b"\r\n", POST + b"Content-Length: 9\r\n\r\n{"
    async with house(database) as (_, reach):
        for asked in (b"", get, get * 9, b"nonsense\r\n\r\n", STREAM, STREAM + get, half):
            for leave in ("close", "abort"):
                before, opened = standing(), [await reach() for _ in range(5)]
                for _, writer in opened:
                    writer.write(asked)
                await asyncio.sleep(0.1)
                for _, writer in opened:
                    getattr(writer.transport, leave)()
                await asyncio.sleep(0.1)
                assert standing() == before, asked


def test_whoever_goes_before_he_is_answered_is_answered_no_more() -> None:
    """With uvloop, as we serve: what has closed by the time an answer is written refuses it with an error."""

    async def gone() -> list[dict[str, Any]]:
        loop, faults = asyncio.get_running_loop(), list[dict[str, Any]]()
        loop.set_exception_handler(lambda _, context: faults.append(context))
        ours, theirs = socket.socketpair()
        transport, _ = await loop.create_connection(asyncio.Protocol, sock=ours)
        answers = CoalescingTransport(transport)
        transport.abort()
        await asyncio.sleep(0.01)
        answers.write(b"HTTP/1.1 200 OK")
        await asyncio.sleep(0.01)
        theirs.close()
        return faults

    assert uvloop.run(gone()) == []


# --- where they come from -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("trusted", ["127.0.0.1", "10.0.0.0/8, 127.0.0.0/8"])
async def test_a_trusted_proxy_says_where_requests_come_from(database: Path, trusted: str) -> None:
    async with over_http(database, rate_limit="1/3", trusted_proxies=trusted) as service:
        for number in range(5):
            forwarded = {"X-Forwarded-For": f"198.51.100.9, 203.0.113.{number}"}
            assert (await service.stranger.get("/v1/games", headers=forwarded)).status_code == 200
        for number in range(5):
            forged = {"X-Forwarded-For": f"203.0.113.{number}, 198.51.100.9"}
            answer = await service.stranger.get("/v1/games", headers=forged)
        assert answer.status_code == 429


@pytest.mark.parametrize("trusted", ["", "10.0.0.0/8"])
async def test_nobody_else_does(database: Path, trusted: str) -> None:
    async with over_http(database, rate_limit="1/3", trusted_proxies=trusted) as service:
        for number in range(4):
            answer = await service.stranger.get("/v1/games", headers={"X-Forwarded-For": f"203.0.113.{number}"})
        assert answer.status_code == 429
