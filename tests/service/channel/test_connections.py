"""Opening, authenticating, limiting and closing channels."""

import asyncio
import signal
import time
from collections.abc import Iterable
from contextlib import AsyncExitStack
from pathlib import Path

import jwt
import msgspec
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from service.channel import channel as channel_module
from tests.support.channels import channel, game_name, raw_channel
from tests.support.clients import Caller, Json, Server, Service, served
from tests.support.frames import HANDSHAKE, TEXT, connection, frame, raw_web_socket, request
from tests.support.listening import over_http

pytestmark = [pytest.mark.anyio, pytest.mark.waits]

SITE_KEY = "k" * 32


def site_token(seconds: float, subject: str = "ann") -> str:
    """A token of an integrating site that expires after this time."""
    return jwt.encode({"sub": subject, "name": "Ann", "exp": int(time.time() + seconds)}, SITE_KEY, "HS256")


# --- the upgrade ---


async def refused(who: Caller, headers: Iterable[tuple[str, str]], path: str = "/v1/channel") -> tuple[int, bytes]:
    """Status and body of an upgrade that must fail. The server closes the connection."""
    async with connection(who) as socket:
        await socket.send(request(path, headers))
        text = await asyncio.wait_for(socket.reader.read(), 60)
    head, _, body = text.partition(b"\r\n\r\n")
    assert b"application/problem+json" in head
    return int(head.split()[1]), body


@pytest.mark.parametrize(
    ("change", "status", "kind"),
    [
        ({"Sec-WebSocket-Key": None}, 400, "malformed"), ({"Sec-WebSocket-Key": "short"}, 400, "malformed"),
        ({"Sec-WebSocket-Key": "é" * 24}, 400, "malformed"), ({"Sec-WebSocket-Version": "8"}, 400, "malformed"),
        ({"Sec-WebSocket-Version": None}, 400, "malformed"), ({"Sec-WebSocket-Protocol": None}, 400, "malformed"),
        ({"Sec-WebSocket-Protocol": "other.v1"}, 400, "malformed"),
        ({"Origin": "https://elsewhere.example"}, 403, "forbidden"), ({"Origin": "null"}, 403, "forbidden"),
        ({"Authorization": "Bearer wrong"}, 401, "unauthenticated"),
        ({"Authorization": "Basic eDp5"}, 401, "unauthenticated"),
    ],
)  # fmt: skip
async def test_a_bad_handshake_gets_a_problem_document(
    service: Service, change: dict[str, str | None], status: int, kind: str
) -> None:
    headers = {name: value for name, value in (HANDSHAKE | change).items() if value is not None}
    found, body = await refused(service.stranger, headers.items())
    assert (found, msgspec.json.decode(body)["type"]) == (status, kind)


async def test_a_request_without_upgrade_is_told_so(service: Service) -> None:
    answer = await service.stranger.get("/v1/channel")
    assert (answer.status_code, answer.headers["upgrade"]) == (426, "websocket")
    assert answer.json()["type"] == "upgrade-required"
    assert (await service.stranger.post("/v1/channel", {})).status_code == 405


async def test_the_log_warns_once_of_a_proxy_that_strips_the_upgrade(
    service: Service, caplog: pytest.LogCaptureFixture
) -> None:
    await service.stranger.get("/v1/channel")  # a person with a browser
    assert caplog.messages == []
    stripped = {name: value for name, value in HANDSHAKE.items() if name != "Upgrade"} | {"Connection": "close"}
    for _ in range(3):
        answer = await service.stranger.get("/v1/channel", headers=stripped)
        assert (answer.status_code, answer.json()["type"]) == (426, "upgrade-required")
    (warning,) = caplog.messages
    assert "a proxy does not pass the header Upgrade on" in warning


@pytest.mark.parametrize("query", ["?access_token=x", "?token=x", "?a=1&access%5Ftoken=x"])
async def test_a_token_in_the_url_is_refused(ann: Caller, query: str) -> None:
    status, body = await refused(ann, HANDSHAKE.items(), f"/v1/channel{query}")
    assert (status, msgspec.json.decode(body)["type"]) == (400, "malformed")


@pytest.mark.parametrize("path", ["/v1/games", "/nothing"])
async def test_other_paths_ignore_the_upgrade(service: Service, path: str) -> None:
    async with connection(service.stranger) as socket:
        await socket.send(request(path))
        text = await asyncio.wait_for(socket.reader.read(), 60)
    assert text.startswith(b"HTTP/1.1 200 " if path == "/v1/games" else b"HTTP/1.1 404 ")
    assert b"connection: close" in text


async def test_pages_of_the_same_and_of_allowed_origins_may_connect(database: Path) -> None:
    async with over_http(database, cors_origins="https://page.example") as service:
        host = str(service.http.base_url).removeprefix("http://").rstrip("/")
        for origin in ("https://page.example", f"http://{host}", f"https://{host}"):
            async with raw_channel(service.stranger, origin=origin) as client:
                await client.did("unfollow", game="a/b")
        with pytest.raises(InvalidStatus):
            async with raw_channel(service.stranger, origin="https://other.example"):
                pass


async def test_messages_may_follow_the_upgrade_at_once(ann: Caller) -> None:
    """A client that does not wait for the answer to the upgrade, in one segment and in several."""
    for cut in (None, 40, -20):
        async with connection(ann) as socket:
            sent = request() + frame(TEXT, b'{"type":"unfollow","id":5,"game":"a/b"}')
            await socket.send(*([sent] if cut is None else [sent[:cut], sent[cut:]]))
            head = await socket.reader.readuntil(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 101 ")
            received = await socket.receive()
            assert received is not None
            assert msgspec.json.decode(received.data)["id"] == 5


async def test_the_upgrade_waits_for_the_request_before_it(ann: Caller) -> None:
    async with connection(ann) as socket:
        await socket.send(b"GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n" + request())
        text = await asyncio.wait_for(socket.reader.readuntil(b"upgrade: websocket"), 60)
        assert text.startswith(b"HTTP/1.1 200 ")


# --- identity ---


async def test_a_bad_token_in_the_first_message_closes_the_channel(service: Service) -> None:
    for token in ("", "x", "é", "a.b.c", "x" * 8192):
        async with raw_channel(service.stranger) as client:
            await client.problem(401, "unauthenticated", "authenticate", token=token)
            assert (await client.closed())[0] == 4401
    async with raw_channel(service.stranger) as client:
        await client.problem(400, "malformed", "authenticate", token="x" * 8193)


async def test_requests_wait_for_the_authentication_before_them(service: Service, ann: Caller, bob: Caller) -> None:
    game = game_name(await service.table("skyjo", [ann, bob]))
    async with raw_channel(service.stranger) as client:
        waiting = client.begin("authenticate", token=ann.token)
        answer = await client.did("legal_moves", game=game)
        assert answer["seat"] == 0
        assert (await waiting)["player"] == {"id": ann.id, "name": "Ann"}


async def test_the_player_of_a_channel_does_not_change(ann: Caller, bob: Caller, service: Service) -> None:
    async with channel(ann) as mine:
        await mine.problem(403, "forbidden", "authenticate", token=bob.token)
        await mine.problem(401, "unauthenticated", "authenticate", token="wrong")
        assert (await mine.did("authenticate", token=ann.token))["player"]["id"] == ann.id
    async with raw_channel(service.stranger) as nobody:
        await nobody.did("unfollow", game="a/b")
        await nobody.problem(403, "forbidden", "authenticate", token=ann.token)


@pytest.mark.by_default()
async def test_a_channel_closes_when_its_token_expires(database: Path) -> None:
    async with over_http(database, issuer_key=SITE_KEY) as service:
        token = site_token(3)
        headers = {"Authorization": f"Bearer {token}"}
        async with (
            raw_channel(service.stranger) as one, raw_channel(service.stranger) as two,
            raw_channel(service.stranger, headers=headers) as three,
        ):  # fmt: skip
            await two.did("authenticate", token=token)
            await one.did("authenticate", token=token)
            await three.did("unfollow", game="a/b")
            longer = await two.did("authenticate", token=site_token(600))
            assert longer["expires_at"].endswith("Z")
            assert (await one.closed())[0] == (await three.closed())[0] == 4401
            await two.did("unfollow", game="a/b")


# --- limits ---


@pytest.mark.by_default("with Redis")
async def test_the_channels_of_a_forgotten_player_close(pair: tuple[Service, Service]) -> None:
    """Whichever process forgets the player, and without another event or request."""
    here, there = pair
    ann, bob = await here.guests("Ann", "Bob")
    path = await here.table("skyjo", [ann, bob])
    async with channel(ann.at(there)) as mine, channel(bob.at(there)) as other:
        await mine.did("follow", game=game_name(path))
        assert (await ann.delete("/v1/players/me")).status_code == 204
        assert await mine.closed() == (4401, "the player was forgotten, is banned, or has signed out")
        await other.did("legal_moves", game=game_name(path))


async def test_the_first_message_must_arrive_in_time(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channel_module, "FIRST_MESSAGE_TIMEOUT", 0.5)
    async with raw_channel(service.stranger) as silent, raw_channel(service.stranger) as other:
        await other.did("unfollow", game="a/b")
        assert (await silent.closed())[0] == 4408
        await other.did("unfollow", game="a/b")


async def test_a_silent_client_is_pinged_and_then_disconnected(database: Path) -> None:
    async with over_http(database, channel_timeout=3) as service:
        who = service.stranger
        async with raw_web_socket(who) as silent, channel(who) as alive:
            await silent.send(frame(TEXT, b'{"type":"unfollow","id":5,"game":"a/b"}'))
            await alive.did("unfollow", game="a/b")
            received = [await silent.receive() for _ in range(3)]
            assert [each and each.opcode for each in received] == [1, 9, 8]
            assert received[2] is not None
            assert received[2].close_code == 4408
            await alive.did("unfollow", game="a/b")


async def test_each_request_costs_one_of_the_rate_limit(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channel_module, "REFUSAL_DELAY", 0.0)
    async with over_http(database, rate_limit="1/14", address_rate_limit="off") as service:
        ann = await service.guest("Ann")
        async with channel(ann) as mine:
            answers = [await mine.ask("unfollow", game="a/b") for _ in range(25)]
            refused = [answer for answer in answers if answer["type"] == "problem"]
            assert len(answers) - len(refused) in range(9, 20)
            assert refused[0]["problem"]["type"] == "too-many-requests"
            assert refused[0]["retry_after"] >= 1
            await mine.socket.send("no json")
            assert (await mine.next("problem"))["problem"]["type"] == "too-many-requests"
            over_rest = await ann.get("/v1/games")
            assert over_rest.status_code == 429


async def test_a_channel_follows_a_limited_number_of_games(database: Path) -> None:
    async with over_http(database, max_follows=2) as service:
        ann, bob = await service.guests("Ann", "Bob")
        games = [game_name(await service.table("skyjo", [ann, bob])) for _ in range(3)]
        async with channel(ann) as mine:
            for game in (*games[:2], games[0]):
                await mine.did("follow", game=game)
            await mine.problem(429, "too-many-requests", "follow", game=games[2])
            await mine.did("unfollow", game=games[0])
            await mine.did("follow", game=games[2])


async def test_follows_count_as_streams(database: Path) -> None:
    async with over_http(database, max_streams_per_caller=3, max_streams=5) as service:
        ann, bob = await service.guests("Ann", "Bob")
        games = [game_name(await service.table("skyjo", [ann, bob])) for _ in range(3)]
        async with channel(ann) as mine, channel(bob) as other:
            for game in games[:2]:
                await mine.did("follow", game=game)
            answer = await mine.ask("follow", game=games[2])
            assert answer["problem"]["type"] == "too-many-requests"
            assert answer["retry_after"] > 0
            await other.did("follow_lobby")
            await other.problem(503, "unavailable", "follow", game=games[2])
            await mine.did("follow", game=games[0])
        async with channel(ann) as mine:  # closed channels free their streams
            await mine.did("follow", game=games[1])
            await mine.did("follow", game=games[2])
        metrics = (await service.stranger.get("/metrics")).text
        assert "stammtisch_open_streams 0.0" in metrics
        assert "stammtisch_open_channels 0.0" in metrics
        assert "stammtisch_channel_requests_total" in metrics


async def test_idle_channels_count_for_their_caller_and_address(database: Path) -> None:
    """Before they follow anything, and when they sign in later."""
    async with over_http(database, max_streams_per_caller=2, max_streams_per_address=4) as service:
        ann, bob = await service.guests("Ann", "Bob")
        async with AsyncExitStack() as stack:
            anonymous = [await stack.enter_async_context(raw_channel(service.stranger)) for _ in range(2)]
            await refused_handshake(service.stranger)
            for client in anonymous:
                await client.did("authenticate", token=ann.token)
            async with raw_channel(service.stranger) as one:
                await one.problem(429, "too-many-requests", "authenticate", token=ann.token)
            await refused_handshake(ann)
            for _ in range(2):
                await stack.enter_async_context(raw_channel(bob, bearer(bob)))
            await refused_handshake(service.stranger)  # the share of the address
        for _ in range(4):
            async with raw_channel(ann, bearer(ann)), raw_channel(ann, bearer(ann)):  # closed channels are free again
                pass
        await until_closed(service)


def bearer(who: Caller) -> Json:
    return {"Authorization": f"Bearer {who.token}"} if who.token else {}


async def refused_handshake(who: Caller) -> None:
    with pytest.raises(InvalidStatus) as refusal:
        async with raw_channel(who, bearer(who)):
            pass
    assert refusal.value.response.status_code == 429


async def until_closed(service: Service) -> None:
    async with asyncio.timeout(60):
        while "stammtisch_open_streams 0.0" not in (await service.stranger.get("/metrics")).text:  # noqa: ASYNC110
            await asyncio.sleep(0.05)


async def test_channels_count_as_connections(database: Path) -> None:
    async with over_http(database, max_connections=3) as service:
        assert (await service.stranger.get("/health/live")).status_code == 200
        async with raw_channel(service.stranger) as one, raw_channel(service.stranger):
            await one.did("unfollow", game="a/b")
            with pytest.raises((InvalidStatus, ConnectionClosed, OSError, EOFError)):
                async with raw_channel(service.stranger), raw_channel(service.stranger):
                    pass


# --- the end ---


async def test_a_shutdown_answers_what_was_asked_and_closes_with_1001(tmp_path: Path) -> None:
    with Server(tmp_path / "games.db", rate_limit="off", access_log=False) as server:
        async with served(server.url) as service:
            ann, bob = await service.guests("Ann", "Bob")
            path = await service.table("skyjo", [ann, bob])
            async with channel(ann) as mine, channel(bob) as other, raw_channel(service.stranger) as idle:
                await other.did("follow", game=game_name(path))
                legal = (await mine.did("legal_moves", game=game_name(path)))["legal_moves"]
                waiting = mine.begin("move", game=game_name(path), move=legal[0], key="last")
                await asyncio.sleep(0.05)
                server.process.send_signal(signal.SIGTERM)
                assert (await waiting)["type"] == "moved"
                for client in (mine, other, idle):
                    assert (await client.closed())[0] == 1001
        assert await asyncio.to_thread(server.process.wait, 10) in (0, -signal.SIGTERM)
    assert "Traceback" not in server.errors
    assert server.log.read_text() == ""
    async with over_http(tmp_path / "games.db") as service, channel(ann.at(service)) as mine:
        moved = await mine.did("move", game=game_name(path), move=legal[0], key="last")
        assert moved["replayed"]
        await mine.did("follow", game=game_name(path), after=moved["version"] - 1)
        assert (await mine.events_until(moved["version"]))[-1]["version"] == moved["version"]


async def test_a_client_that_disappears_frees_everything(service: Service, ann: Caller, bob: Caller) -> None:
    games = [game_name(await service.table("skyjo", [ann, bob])) for _ in range(3)]
    for _ in range(20):
        async with raw_web_socket(ann) as socket:
            for number, game in enumerate(games):
                await socket.send(
                    frame(TEXT, b'{"type":"follow","id":%d,"game":"%b"}' % (number, game.encode())),
                    frame(TEXT, b'{"type":"follow_lobby","id":9}'),
                )
            socket.writer.transport.abort()
    await gauges_fall_to_zero(ann)


async def test_a_half_closed_client_is_forgotten(service: Service, ann: Caller) -> None:
    async with raw_web_socket(ann) as socket:
        await socket.send(frame(TEXT, b'{"type":"follow_lobby","id":1}'))
        await socket.receive()
        socket.writer.write_eof()
        assert await socket.received() == []
    await gauges_fall_to_zero(service.stranger)


async def gauges_fall_to_zero(who: Caller) -> None:
    for _ in range(100):
        metrics = (await who.get("/metrics")).text
        if "stammtisch_open_streams 0.0" in metrics and "stammtisch_open_channels 0.0" in metrics:
            return
        await asyncio.sleep(0.1)
    raise AssertionError(metrics)
