"""Our responses are, byte for byte, those that uvicorn sends for the same messages."""

import asyncio
import logging
from types import SimpleNamespace
from typing import Any

import pytest
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

from service.server.cycle import ResponseCycle

pytestmark = pytest.mark.anyio

UVICORN: type[RequestResponseCycle] = ResponseCycle.__base__
LENGTH = (b"content-length", b"2")
DATE = (b"date", b"Sun, 06 Nov 1994 08:49:37 GMT")


class Socket(asyncio.Transport):
    """Collects what is written."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[bytes] = []
        self.closed = False

    def write(self, data: Any) -> None:
        self.written.append(bytes(data))

    write_now = write

    def close(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed


def start(*headers: tuple[bytes, bytes], status: int = 200) -> dict[str, Any]:
    return {"type": "http.response.start", "status": status, "headers": list(headers)}


def body(content: bytes, *, more: bool = False) -> dict[str, Any]:
    return {"type": "http.response.body", "body": content, "more_body": more}


RESPONSES = {
    "whole": [start((b"etag", b'"1"'), LENGTH), body(b"{}")],
    "repeated header": [start((b"vary", b"Origin"), LENGTH, (b"vary", b"Accept")), body(b"{}")],
    "capital letter": [start((b"ETag", b'"1"'), LENGTH), body(b"{}")],
    "in capitals": [start((b"ETag", b'"1"'), (b"Content-Length", b"2"), (b"Connection", b"close")), body(b"{}")],
    "in pieces": [start(LENGTH), body(b"{", more=True), body(b"}")],
    "of unknown length": [start((b"etag", b'"1"')), body(b"{", more=True), body(b"}")],
    "chunked": [start((b"transfer-encoding", b"chunked")), body(b"{}")],
    "closing": [start(LENGTH, (b"connection", b"close")), body(b"{}")],
    "empty": [start((b"content-length", b"0")), body(b"")],
    "not modified": [start((b"etag", b'"1"'), status=304), body(b"")],
    "without headers": [start(), body(b"{}")],
    "too long": [start(LENGTH), body(b"{} ")],
    "too short": [start(LENGTH), body(b"{")],
    "repeated": [start(LENGTH), body(b"{}"), body(b"{}")],
    "started twice": [start(LENGTH), start(LENGTH)],
    "without a start": [body(b"{}")],
    "split value": [start(LENGTH, (b"etag", b"1\r\nset-cookie: a=b")), body(b"{}")],
    "split name": [start(LENGTH, (b"etag\r\na", b"1")), body(b"{}")],
    "bad name": [start((b"e tag", b"1"), LENGTH), body(b"{}")],
    "bad value": [start((b"etag", b"\0"), LENGTH), body(b"{}")],
    "tab in a value": [start((b"etag", b"\t1"), LENGTH), body(b"{}")],
    "line feed in a value": [start((b"etag", b"1\na: b"), LENGTH), body(b"{}")],
    "other letters in a value": [start((b"etag", "\u00e9".encode("latin-1")), LENGTH), body(b"{}")],
}


OUR_OWN = (
    "whole", "repeated header", "empty", "not modified", "split value", "split name", "tab in a value",
    "line feed in a value", "other letters in a value",
)  # fmt: skip
"""Responses that are sent in one piece."""


def cycle_of(
    kind: type[RequestResponseCycle], transport: Socket, method: str, keep_alive: bool, completed: list[bool]
) -> Any:
    log, flow = logging.getLogger("uvicorn.error"), FlowControl(transport)
    scope: Any = {"type": "http", "method": method, "http_version": "1.1", "path": "/"}

    def on_response() -> None:
        completed.append(True)

    if kind is UVICORN:
        event = asyncio.Event()
        return UVICORN(scope, transport, flow, log, log, False, [DATE], event, False, keep_alive, on_response)
    connection: Any = SimpleNamespace(
        transport=transport, flow=flow, logger=log, server_state=SimpleNamespace(default_headers=[DATE]),
        on_response_complete=on_response,
    )  # fmt: skip
    return ResponseCycle(connection, scope, keep_alive, expects_continue=False)


async def sent(
    kind: type[RequestResponseCycle],
    messages: list[dict[str, Any]],
    method: str,
    keep_alive: bool,
    *,
    whole: bool = False,
) -> tuple[bytes, str, bool, bool, int]:
    """The bytes, the error, whether the connection is closed and the response complete, how often that was told.

    `whole`: the first two messages are sent by `respond`, if it does that."""
    transport, completed = Socket(), list[bool]()
    cycle = cycle_of(kind, transport, method, keep_alive, completed)
    error = ""
    try:
        if whole and cycle.respond(messages[0]["status"], messages[0]["headers"], messages[1]["body"]):
            messages = messages[2:]
        for message in messages:
            await cycle.send(message)
    except RuntimeError as raised:
        error = str(raised)
    return b"".join(transport.written), error, transport.closed, cycle.response_complete, len(completed)


@pytest.mark.parametrize("keep_alive", [True, False], ids=["kept alive", "closed"])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("name", RESPONSES)
async def test_a_response_is_that_of_uvicorn(name: str, method: str, keep_alive: bool) -> None:
    ours, theirs = [await sent(kind, RESPONSES[name], method, keep_alive) for kind in (ResponseCycle, UVICORN)]
    assert ours == theirs


@pytest.mark.parametrize("keep_alive", [True, False], ids=["kept alive", "closed"])
@pytest.mark.parametrize("name", OUR_OWN)
async def test_a_whole_response_is_that_of_uvicorn(name: str, keep_alive: bool) -> None:
    """With headers as ours are, and with values that would end one: these are left to uvicorn, which refuses them."""
    theirs = await sent(UVICORN, RESPONSES[name], "GET", keep_alive)
    assert await sent(ResponseCycle, RESPONSES[name], "GET", keep_alive, whole=True) == theirs


@pytest.mark.parametrize(
    "hinder", [lambda cycle: setattr(cycle, "disconnected", True), lambda cycle: cycle.flow.pause_writing()]
)
async def test_nothing_is_written_to_a_client_that_has_disconnected_or_while_writing_is_paused(hinder: Any) -> None:
    transport, completed = Socket(), list[bool]()
    cycle = cycle_of(ResponseCycle, transport, "GET", True, completed)
    hinder(cycle)
    assert not cycle.respond(200, [LENGTH], b"{}")
    assert not transport.written
    assert not completed


@pytest.mark.parametrize("name", ["whole", "empty", "not modified"])
async def test_a_whole_response_is_one_write(name: str) -> None:
    transport, (first, second) = Socket(), RESPONSES[name]
    cycle = cycle_of(ResponseCycle, transport, "GET", True, [])
    assert cycle.respond(first["status"], first["headers"], second["body"])
    assert len(transport.written) == 1


async def test_a_body_that_has_arrived_is_there_whole() -> None:
    cycle = cycle_of(ResponseCycle, Socket(), "POST", True, [])
    cycle.receive_body(b"{")
    assert cycle.whole_body() is None
    cycle.receive_body(b"}")
    cycle.end_body()
    assert cycle.whole_body() == b"{}"
