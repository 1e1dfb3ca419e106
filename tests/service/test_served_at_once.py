"""Reads and moves over HTTP are served without a coroutine, and the responses are those of the general way."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from domain.rulesets import RULESETS
from service.http import connection
from service.http.serving import Serving
from tests.support.clients import done
from tests.support.raw_http import received, running

pytestmark = pytest.mark.anyio

RULESET = next(iter(RULESETS))


@pytest.fixture
def general(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the coroutines that connections have begun."""
    begun: list[str] = []

    class Recorded(Serving):
        __slots__ = ()

        def __init__(self, coroutine: Any, running: set[Any]) -> None:
            begun.append(coroutine.__qualname__)
            super().__init__(coroutine, running)

    monkeypatch.setattr(connection, "Serving", Recorded)
    return begun


def request(method: str, path: str, token: str, body: bytes = b"", *headers: str, version: str = "1.1") -> bytes:
    lines = [f"{method} {path} HTTP/{version}", "Host: x", f"Authorization: Bearer {token}", *headers]
    if body:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode() + body


def parts(response: bytes) -> tuple[int, dict[str, str], bytes]:
    """Status, headers without those that change by themselves, and body."""
    head, _, body = response.partition(b"\r\n\r\n")
    status, *lines = head.decode().split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines)
    for name in ("date", "connection", "ratelimit"):
        headers.pop(name, None)
    return int(status.split()[1]), headers, body


async def test_reads_and_moves_are_served_without_a_coroutine(database: Path, general: list[str]) -> None:
    async with running(database, rate_limit="1000000") as (service, _):
        ann = await service.guest("Ann")
        game = await ann.open(RULESET, hotseat=True)
        general.clear()
        for number in range(3):
            seen = done(await ann.get(game))
            moves = done(await ann.get(f"{game}/moves"))["legal_moves"]
            assert moves == seen["legal_moves"]
            made = await ann.post(f"{game}/moves", moves[0], headers={"Idempotency-Key": str(number)})
            assert done(made)["game"] == await ann.look(game)
            assert "ratelimit" in made.headers
        assert (await ann.post(f"{game}/moves", {"type": "no_such_move"})).status_code == 400
        assert (await ann.get(game, headers={"If-None-Match": made.headers["etag"]})).status_code == 304
        assert not general
        counted = (await ann.get("/metrics")).text
        lines = [line for line in counted.splitlines() if "requests_total" in line and "POST" in line]
        assert sum(float(line.split()[-1]) for line in lines if "/moves" in line) == 4
        assert general  # this request has to wait


async def test_responses_do_not_depend_on_how_a_request_arrives(database: Path) -> None:
    """Whole, in two parts, over HTTP/1.0, for a connection that closes, and behind other requests."""
    async with running(database) as (service, connect):
        ann = await service.guest("Ann")
        game = await ann.open(RULESET, hotseat=True)
        move = json.dumps((await ann.moves(game))[0]).encode()
        key, close = "Idempotency-Key: one", "Connection: close"
        look = request("GET", game, ann.token, b"", close)
        post = request("POST", f"{game}/moves", ann.token, move, key, close)
        before = parts(await received(await connect(), look))
        made = parts(await received(await connect(), post))
        assert made[0] == 200
        made[1]["idempotency-replayed"] = "true"
        streams = await connect()
        streams[1].write(post[:-1])
        await asyncio.sleep(0.05)
        assert parts(await received(streams, post[-1:])) == made
        old = request("POST", f"{game}/moves", ann.token, move, key, version="1.0")
        assert parts(await received(await connect(), old)) == made
        after = parts(await received(await connect(), look))
        assert after != before
        assert parts(await received(await connect(), request("GET", game, ann.token, version="1.0"))) == after
        head = parts(await received(await connect(), request("HEAD", game, ann.token, b"", close)))
        assert head == (*after[:2], b"")
        begun = [request("GET", game, ann.token), request("POST", f"{game}/moves", ann.token, move, key)]
        together = await received(await connect(), b"".join(begun) + look)
        first, second, third = (b"HTTP/1.1 " + part for part in together.split(b"HTTP/1.1 ")[1:])
        assert (parts(first), parts(second), parts(third)) == (after, made, after)


async def test_a_move_is_made_although_the_client_has_disconnected(database: Path) -> None:
    async with running(database) as (service, connect):
        ann = await service.guest("Ann")
        game = await ann.open(RULESET, hotseat=True)
        seen = await ann.look(game)
        _, writer = await connect()
        writer.write(request("POST", f"{game}/moves", ann.token, json.dumps(seen["legal_moves"][0]).encode()))
        await writer.drain()
        writer.close()
        async with asyncio.timeout(60):
            while (after := await ann.look(game))["version"] == seen["version"]:
                assert after == seen
                await asyncio.sleep(0.01)
