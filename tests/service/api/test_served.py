"""Over real HTTP, with several clients at once, and across restarts."""

import asyncio
import socket
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import httpx
import msgspec
import pytest

from domain.rulesets import RULESETS
from tests.support.clients import Caller, Server, any_of, done, fewest, served

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

RULESET = next(iter(RULESETS))

Start = Callable[..., Server]


@pytest.fixture
def start(database: Path) -> Iterator[Start]:
    """Starts a server on the test's database; started again: restarted."""
    started: list[Server] = []

    def server(**given: Any) -> Server:
        started.append(Server(database, **{"rate_limit": "off", **given}))
        return started[-1]

    yield server
    for each in started:
        each.stop()
    for each in started:
        said = [line for line in each.errors.splitlines() if "Invalid HTTP request" not in line]
        assert len(said) == 1, each.errors  # where it listens, and nothing else


async def takes_part(player: Caller, game: str, dice: Random) -> None:
    """Plays as a client does: asks whether there is something new, and moves on what it has seen."""
    known = ""
    while True:
        answer = await player.get(game, headers={"If-None-Match": known})
        if answer.status_code == 304:
            await asyncio.sleep(0.005)
            continue
        seen, known = done(answer), answer.headers["etag"]
        if seen["status"] != "running":
            return
        if seen["legal_moves"]:
            headers = {"If-Match": known, "Idempotency-Key": f"v{seen['version']}"}
            done(await player.post(f"{game}/moves", any_of(seen["legal_moves"], dice), headers=headers))


@pytest.mark.checked
async def test_concurrent_clients_play_games_to_the_end(start: Start, ruleset: str) -> None:
    """Two tables at the same time, every player with a client of their own."""
    async with served(start().url) as service:
        tables = [await service.guests(*("Ann", "Bob", "Cem")[: max(2, fewest(ruleset))]) for _ in range(2)]
        games = [await service.table(ruleset, players) for players in tables]
        await asyncio.gather(
            *(
                takes_part(player, game, Random(seat))
                for players, game in zip(tables, games, strict=True)
                for seat, player in enumerate(players)
            )
        )
        for game in games:
            over = await service.stranger.look(game)
            assert over["status"] == "finished"
            assert len(await service.stranger.events(game)) == over["version"]


async def test_requests_accepted_before_sigterm_are_completed(start: Start) -> None:
    """Under load: it stops within seconds, nothing that was answered is lost, and a retry finds what was not."""
    server = start()
    acknowledged: list[tuple[Caller, str, Any, str, bytes]] = []
    unanswered: list[tuple[Caller, str, Any, str]] = []

    async def keeps_moving(player: Caller, dice: Random) -> None:
        """One game after the other."""
        moves: list[Any] = []
        number = 0
        while True:
            try:
                if not moves:
                    game = await player.open(RULESET, hotseat=True)
                    moves = (await player.look(game))["legal_moves"]
                chosen, key, number = any_of(moves, dice), f"k{number}", number + 1
                answer = await player.post(f"{game}/moves", chosen, headers={"Idempotency-Key": key})
            except httpx.TransportError:
                if moves:
                    unanswered.append((player, game, chosen, key))
                return
            made = done(answer)
            acknowledged.append((player, game, chosen, key, events_of(answer)))
            moves = made["game"]["legal_moves"]

    async with served(server.url) as service:
        players = await service.guests(*(f"P{number}" for number in range(8)))
        load = asyncio.gather(*(keeps_moving(player, Random(1)) for player in players))
        async with asyncio.timeout(60):
            while len(acknowledged) <= 50:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        await asyncio.to_thread(server.stop)
        await load
    assert unanswered
    async with served(start().url) as service:
        for player, game, chosen, key, events in acknowledged:
            again = await player.at(service).post(f"{game}/moves", chosen, headers={"Idempotency-Key": key})
            assert (done(again), events_of(again), again.headers["idempotency-replayed"]) == (
                again.json(),
                events,
                "true",
            )
        for player, game, chosen, key in unanswered:
            done(await player.at(service).post(f"{game}/moves", chosen, headers={"Idempotency-Key": key}))
        for player, game in {(each[0], each[1]) for each in acknowledged}:
            made = [each for each in acknowledged if each[1] == game] + [each for each in unanswered if each[1] == game]
            events = await player.at(service).events(game, limit=500)
            assert [event["version"] for event in events] == list(range(1, len(events) + 1))
            assert len(made) <= len([event for event in events if event["by"] is not None])


def events_of(answer: httpx.Response) -> bytes:
    class Told(msgspec.Struct):
        events: msgspec.Raw

    return bytes(msgspec.json.decode(answer.content, type=Told).events)


async def test_the_access_log_has_a_line_for_each_request_without_secrets(start: Start) -> None:
    server = start(rate_limit="1/200")
    async with served(server.url) as service:
        ann = await service.guest("Ann-of-the-telling-name")
        game = await ann.open(RULESET, private=True, entropy="telling-entropy")
        code = (await ann.look(game))["invite"]
        asked = [
            ("POST", "/v1/players", 201, None),
            ("POST", f"/v1/games/{RULESET}", 201, ann.id),
            ("GET", game, 200, ann.id),
        ]
        for who, method, path, query, status in (
            (service.stranger, "GET", game, {"invite": code}, 200),
            (service.stranger, "GET", f"{game}/events", {"limit": 0, "invite": code}, 400),
            (service.stranger, "GET", "/nope", {"telling": "query"}, 404),
            (service.stranger, "PUT", "/v1/players/me", {}, 405),
            (Caller(service.http, "telling.garbage.token"), "GET", "/v1/games", {}, 401),
            (ann, "POST", f"{game}/moves", {}, 415),
            (service.stranger, "GET", "/v1/games", {}, 200),
            (service.stranger, "GET", "/v1/a%0d%0ab", {}, 404),
            (service.stranger, "GET", "/health/live", {}, 200),
        ):
            answer = await who.send(method, path, **query)
            assert answer.status_code == status, (path, answer.text)
            asked.append((method, path.replace("%0d%0a", "\r\n"), status, who.id or None))
        while answer.status_code != 429:
            answer = await service.stranger.get("/v1/games")
            asked.append(("GET", "/v1/games", answer.status_code, None))
    server.stop()
    text = server.log.read_text()
    lines = [msgspec.json.decode(line) for line in text.splitlines()]
    # Counted: the client can send its next request before the last steps of one that the framework has served.
    assert Counter((line["method"], line["path"], line["status"], line["player"]) for line in lines) == Counter(asked)
    assert all(set(line) == {"at", "level", "method", "path", "status", "ms", "player"} for line in lines)
    assert all(line["ms"] >= 0 for line in lines)
    for secret in (ann.token, code, "telling", "Bearer", "invite", "?"):
        assert secret not in text


async def test_invalid_http_does_not_affect_other_clients(start: Start) -> None:
    server = start()
    host, port = server.url.removeprefix("http://").split(":")
    for sent in (
        b"\0" * 1000, b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc",
        b"GET /v1/games/\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n", b"GET / HTTP/1.1\r\nHost: x\r\nA: " + b"x" * 200_000,
        b"POST /v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{",
        b"POST /v1/players HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        b"POST /v1/players HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ):  # fmt: skip
        with socket.create_connection((host, int(port)), timeout=60) as connection:
            connection.sendall(sent)
            with suppress(OSError):  # it may have been closed by then
                connection.shutdown(socket.SHUT_WR)
                connection.recv(65_536)
    async with served(server.url) as service:
        assert done(await service.stranger.get("/health/ready")) == {"status": "ready"}
        assert await service.guest("Ann")
