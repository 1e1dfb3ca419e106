"""What HTTP/1.1 asks of a server beyond ordinary requests, over real sockets."""

import asyncio
from collections.abc import AsyncIterator
from email.utils import parsedate_to_datetime
from pathlib import Path
from time import time

import msgspec
import pytest

from domain.rulesets import RULESETS
from service.api.contract import MAX_BODY
from service.rest.input.parameters import prefers_minimal
from service.server.server import own_hosts
from service.settings import read
from tests.support.clients import Caller, Service, fewest
from tests.support.raw_http import GET, POST, STREAM, Connect, assert_problem, received, running, status

pytestmark = pytest.mark.anyio

RULESET = next(iter(RULESETS))
NAME = b'{"name":"Eve"}'
CHUNKED = b"e\r\n" + NAME + b"\r\n0\r\n\r\n"


@pytest.fixture(scope="module")
async def shared(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[Service, Connect]]:
    """One server for all tests: what they write are guests and games of their own."""
    async with running(tmp_path_factory.mktemp("service") / "games.db") as found:
        yield found


@pytest.fixture
def connect(shared: tuple[Service, Connect]) -> Connect:
    return shared[1]


def headers_of(response: bytes) -> dict[str, str]:
    lines = response.partition(b"\r\n\r\n")[0].decode().split("\r\n")[1:]
    return {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}


# --- Host ---------------------------------------------------------------------------------------------------------


async def test_a_request_has_one_valid_host(connect: Connect) -> None:
    live = b"GET /health/live HTTP/1.1\r\n"
    for hosts in (b"", b"Host: a\r\nHost: a\r\n", b"Host: a\r\nhost: b\r\n", b"Host: a b\r\n", b"Host: a/b\r\n",
                  b"Host: a,b@c\r\n"):  # fmt: skip
        assert_problem(await received(await connect(), live + hosts + b"\r\n"), 400, "malformed")
    for host in (b"", b"a", b"a:1", b"127.0.0.1:8000", b"[::1]:8000", b"a_b.c-d.example"):
        assert await status(await connect(), live + b"Host: " + host + b"\r\n\r\n") == 200, host
    assert await status(await connect(), b"GET /health/live HTTP/1.0\r\n\r\n") == 200
    two = b"GET /health/live HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n"
    assert_problem(await received(await connect(), two), 400, "malformed")


async def test_only_versions_one_of_http_are_answered(connect: Connect) -> None:
    for version in (b"HTTP/2.0", b"HTTP/2", b"HTTP/3.0", b"HTTP/1.2", b"HTTP/0.9", b"HTTP/11", b"http/1.1"):
        head = b"GET /health/live " + version + b"\r\nHost: a\r\n\r\n"
        assert_problem(await received(await connect(), head), 400, "malformed")


@pytest.mark.parametrize("public_url", ["", "https://Cards.example:8443/"])
async def test_on_loopback_no_name_of_a_stranger_is_served(tmp_path: Path, public_url: str) -> None:
    """A page can have its name resolve to 127.0.0.1, and would be of the same origin."""
    given = read({}, database=str(tmp_path / "games.db"), public_url=public_url)
    async with running(tmp_path / "games.db", hosts=own_hosts(given)) as (_, connect):
        own = ["localhost", "LOCALHOST:8000", "games.localhost", "127.0.0.1:8000", "[::1]:8000", "[::1]", "10.0.0.1"]
        for host in own + (["cards.example", "CARDS.example:8443"] if public_url else []):
            head = f"GET /health/live HTTP/1.1\r\nHost: {host}\r\n\r\n"
            assert await status(await connect(), head.encode()) == 200, host
        for host in ("evil.example", "evil.example:8000", "localhost.evil.example", "127.0.0.1.evil.example", "x"):
            for method, path in (("GET", "/health/live"), ("POST", "/v1/players"), ("GET", "/v1/channel")):
                head = f"{method} {path} HTTP/1.1\r\nHost: {host}\r\n\r\n"
                assert_problem(await received(await connect(), head.encode()), 400, "malformed")
        right, wrong = (f"HEAD /health/live HTTP/1.1\r\nHost: {host}\r\n\r\n" for host in ("localhost", "evil.example"))
        found = await received(await connect(), f"{right}{right}{wrong}".encode())
        assert [line.split()[1] for line in found.splitlines() if line.startswith(b"HTTP/")] == [b"200", b"200", b"400"]


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "cards.example"])
def test_services_that_others_reach_are_served_by_any_name(tmp_path: Path, host: str) -> None:
    assert own_hosts(read({}, database=str(tmp_path / "games.db"), host=host)) is None


# --- bodies -------------------------------------------------------------------------------------------------------


async def test_transfer_codings_other_than_chunked_are_not_implemented(connect: Connect) -> None:
    for coding in (b"chunked", b"Chunked"):
        assert await status(await connect(), POST, b"Transfer-Encoding: %b\r\n\r\n" % coding, CHUNKED) == 201
    for lines in (b"gzip, chunked", b"gzip\r\nTransfer-Encoding: chunked", b"GZIP , Chunked"):
        response = await received(await connect(), POST, b"Transfer-Encoding: %b\r\n\r\n" % lines)
        assert_problem(response, 501, "unsupported-transfer-coding")
    for lines in (b"gzip", b"chunked, gzip", b"chunked, chunked", b"identity", b"chunked\r\nTransfer-Encoding: gzip"):
        response = await received(await connect(), POST, b"Transfer-Encoding: %b\r\n\r\n" % lines)
        assert_problem(response, 400, "malformed")
    old = POST.replace(b"HTTP/1.1", b"HTTP/1.0") + b"Transfer-Encoding: chunked\r\n\r\n" + CHUNKED
    assert_problem(await received(await connect(), old), 400, "malformed")


async def test_compressed_bodies_are_refused(connect: Connect) -> None:
    length = b"Content-Length: %d\r\nConnection: close\r\n" % len(NAME)
    for coding in (b"gzip", b"identity, br", b"identity\r\nContent-Encoding: GZIP"):
        request = POST + length + b"Content-Encoding: " + coding + b"\r\n\r\n" + NAME
        response = await received(await connect(), request)
        assert_problem(response, 415, "unsupported-media-type")
        assert headers_of(response)["accept-encoding"] == "identity"
    request = POST + length + b"Content-Encoding: identity\r\n\r\n" + NAME
    assert await status(await connect(), request) == 201


async def test_a_body_that_is_too_large_is_not_asked_for(connect: Connect) -> None:
    """A client that expects `100 Continue` gets the refusal before it sends anything."""
    expecting = POST + b"Expect: 100-continue\r\nContent-Length: %d\r\n\r\n"
    response = await received(await connect(), expecting % (MAX_BODY + 1))
    assert_problem(response, 413, "too-large")
    assert b"100 Continue" not in response
    reader, writer = await connect()
    writer.write(expecting % len(NAME))
    assert await reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
    assert await status((reader, writer), NAME) == 201
    # HTTP/1.0 knows no interim responses.
    reader, writer = await connect()
    writer.write(expecting.replace(b"HTTP/1.1", b"HTTP/1.0") % len(NAME))
    await asyncio.sleep(0.1)
    assert await status((reader, writer), NAME) == 201


# --- responses ----------------------------------------------------------------------------------------------------


async def test_every_response_has_a_date(connect: Connect) -> None:
    for request, code in ((GET, 200), (b"GET /nowhere HTTP/1.1\r\nHost: x\r\n", 404), (b"nonsense\r\n", 400)):
        response = await received(await connect(), request, b"Connection: close\r\n\r\n")
        assert response.startswith(b"HTTP/1.1 %d " % code)
        date = headers_of(response)["date"]
        assert date.endswith(" GMT")
        assert abs(parsedate_to_datetime(date).timestamp() - time()) < 600, "neither of the start nor of another zone"


async def test_allow_names_head_where_get_is(connect: Connect) -> None:
    end = b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    for method, path, code, allowed in (
        (b"OPTIONS", b"/v1/players/me", 204, "DELETE, GET, HEAD, OPTIONS, PATCH"),
        (b"PUT", b"/v1/players/me", 405, "DELETE, GET, HEAD, OPTIONS, PATCH"),
        (b"DELETE", b"/v1/players", 405, "OPTIONS, POST"),
    ):  # fmt: skip
        response = await received(await connect(), method + b" " + path + end)
        assert response.startswith(b"HTTP/1.1 %d " % code)
        assert headers_of(response)["allow"] == allowed


async def test_clients_of_http_1_0_get_no_chunks(shared: tuple[Service, Connect]) -> None:
    service, connect = shared
    ann = await service.guest("Ann")
    game = await ann.open(RULESET, fewest(RULESET), hotseat=True)
    lines = f"GET {game}/events HTTP/1.%d\r\nHost: x\r\nAccept: application/x-ndjson\r\n"
    chunked, plain = [
        await received(await connect(), (lines % minor).encode(), b"Connection: close\r\n\r\n") for minor in (1, 0)
    ]
    assert headers_of(chunked)["transfer-encoding"] == "chunked"
    assert headers_of(plain).keys() == headers_of(chunked).keys() - {"transfer-encoding"}
    body = plain.partition(b"\r\n\r\n")[2]
    items = [msgspec.json.decode(line) for line in body.splitlines()]
    assert [item["version"] for item in items] == [*range(1, len(items) + 1)]
    assert len(items) == (await ann.look(game))["version"]
    # A response with a length, one without a body, and one that the server ends.
    for request in (GET, b"HEAD " + GET[4:]):
        old = await received(await connect(), request.replace(b"HTTP/1.1", b"HTTP/1.0") + b"\r\n")
        assert headers_of(old)["connection"] == "close"
        assert len(old.partition(b"\r\n\r\n")[2]) in (0, int(headers_of(old)["content-length"]))
    reader, writer = await connect()
    writer.write(STREAM.replace(b"HTTP/1.1", b"HTTP/1.0"))
    assert b"transfer-encoding" not in await reader.readuntil(b"\r\n\r\n")
    assert (await reader.readline()).startswith(b"retry: ")


# --- headers of the API -------------------------------------------------------------------------------------------


async def test_a_header_with_one_value_is_given_once_and_lists_may_be_split(shared: tuple[Service, Connect]) -> None:
    service, _ = shared
    ann = await service.guest("Ann")
    body = {"seats": fewest(RULESET), "hotseat": True}
    for second in ("two", "one"):
        keys = [("Idempotency-Key", "one"), ("Idempotency-Key", second)]
        answer = await ann.post(f"/v1/games/{RULESET}", body, headers=keys)
        assert answer.json()["errors"] == [{"path": "Idempotency-Key", "message": "is given more than once"}]
    assert await ann.every("/v1/games", player=ann.id) == []
    game = await ann.open(RULESET, hotseat=True)
    seen = await ann.get(game)
    split = [("If-None-Match", '"1.nothing"'), ("If-None-Match", seen.headers["etag"])]
    assert (await ann.get(game, headers=split)).status_code == 304
    await moved_minimally(ann, game, [("Prefer", "wait=1"), ("Prefer", "return=minimal")])


async def moved_minimally(who: Caller, game: str, headers: list[tuple[str, str]]) -> None:
    chosen = (await who.look(game))["legal_moves"][0]
    answer = await who.post(f"{game}/moves", chosen, headers=headers)
    assert answer.headers["preference-applied"] == "return=minimal"
    assert "game" not in answer.json()


@pytest.mark.parametrize("prefer", [
    "return=minimal", "Return=Minimal", 'return="minimal"', " return = minimal ; a=b", "wait=1, return=minimal",
    'a="b, return=representation", return=minimal', "return=minimal, return=representation", ",,return=minimal,",
    "not: ", "not: return", "not: return=representation", "not: return=minimally", "not: no-return=minimal",
    "not: xreturn=minimal", 'not: a="return=minimal"', "not: a=b; return=minimal", 'not: a="b, return=minimal"',
    "not: return=representation, return=minimal", 'not: a="b\\", return=minimal, "', "not: return=mini mal",
])  # fmt: skip
def test_preferences_for_minimal_responses(prefer: str) -> None:
    assert prefers_minimal(prefer.removeprefix("not: ")) == (not prefer.startswith("not: "))
    assert not prefers_minimal(None)


# --- requests that are no HTTP, in their order --------------------------------------------------------------------


BAD_CHUNKS = [b"zz\r\n", b"3\r\nabcd\r\n", b"-1\r\nx\r\n", b"1;\x00\r\nx\r\n", b"FFFFFFFFFFFFFFFFFF\r\n"]


@pytest.mark.parametrize("chunks", BAD_CHUNKS)
@pytest.mark.parametrize("apart", [False, True])
async def test_a_malformed_chunk_is_answered(connect: Connect, chunks: bytes, *, apart: bool) -> None:
    """Whether or not the handler is waiting for the body already."""
    streams, head = await connect(), POST + b"Transfer-Encoding: chunked\r\n\r\n"
    if apart:
        streams[1].write(head)
        await streams[1].drain()
        await asyncio.sleep(0.1)
        response = await received(streams, chunks)
    else:
        response = await received(streams, head + chunks)
    assert_problem(response, 400, "malformed")
    assert response.count(b"HTTP/1.1 4") == 1


@pytest.mark.parametrize("bad", [b"nonsense\r\n\r\n", POST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n"])
@pytest.mark.parametrize("apart", [False, True])
async def test_a_good_request_before_a_bad_one_keeps_its_answer(connect: Connect, bad: bytes, *, apart: bool) -> None:
    good = POST + b"Content-Length: %d\r\n\r\n" % len(NAME) + NAME
    streams = await connect()
    for request in (good, good, bad) if apart else (good + good + bad,):
        streams[1].write(request)
        await streams[1].drain()
        await asyncio.sleep(0)
    text = await received(streams)
    assert text.count(b"HTTP/1.1 201 ") == 2
    assert text.count(b"HTTP/1.1 400 ") == 1
    assert_problem(text[text.index(b"HTTP/1.1 400 ") :], 400, "malformed")


async def test_a_bad_request_behind_a_stream_ends_the_connection_in_time(tmp_path: Path) -> None:
    async with running(tmp_path / "games.db", client_timeout=1) as (_, connect):
        streams = await connect()
        text = await asyncio.wait_for(received(streams, STREAM + b"nonsense\r\n\r\n"), 60)
        assert text.startswith(b"HTTP/1.1 200 ")
        assert b"HTTP/1.1 400" not in text


@pytest.mark.parametrize("version", [b"2.0", b"0.9", b"1.2", b"3.0"])
async def test_other_versions_of_http_are_refused(connect: Connect, version: bytes) -> None:
    text = await received(await connect(), b"GET /health/live HTTP/%b\r\nHost: x\r\n\r\n" % version)
    assert_problem(text, 400, "malformed")
