"""Followed games and the followed lobby: resuming, states, perspectives, slow readers and the end."""

import asyncio
import sqlite3
from contextlib import AsyncExitStack, closing
from pathlib import Path
from random import Random

import msgspec
import pytest

from projections import lobby
from service.channel import follows
from service.channel.channels import Channels, Follow
from service.games.commands import Commands
from service.games.games import Games
from service.log.errors import Unavailable
from tests.support.channels import ChannelClient, channel, game_name
from tests.support.clients import Caller, Json, Service, done, play, play_to_the_end, problem
from tests.support.frames import CLOSE, TEXT, RawSocket, frame, raw_web_socket
from tests.support.listening import listening, over_http, take

pytestmark = pytest.mark.anyio


async def played(service: Service, players: list[Caller], moves: int) -> str:
    """The path of a game after this many moves."""
    path = await service.table("skyjo", players, options={"target_points": 300})  # it is not over before
    steps = play(players, path, Random(1))
    for _ in range(moves):
        await anext(steps)
    return path


@pytest.mark.parametrize("after", [0, 1, 5, 70])
async def test_a_follow_begins_behind_a_version(service: Service, ann: Caller, bob: Caller, after: int) -> None:
    """Also where the entries are no longer in memory."""
    path = await played(service, [ann, bob], 60)
    last = (await ann.look(path))["version"]
    assert last > 70
    async with channel(ann) as mine:
        assert (await mine.did("follow", game=game_name(path), after=after))["version"] == last
        assert await mine.events_until(last) == await ann.events(path, after=after)
        assert (await mine.next())["type"] == "state"


async def test_a_version_after_the_last_one_is_refused_everywhere(tmp_path: Path) -> None:
    """Also after a backup was restored that ends before a client's version: nothing is skipped in silence."""
    given = {"secret": "x" * 32}
    async with over_http(tmp_path / "games.db", **given) as service:
        ann, bob = await service.guests("Ann", "Bob")
        path = await played(service, [ann, bob], 3)
        with closing(sqlite3.connect(tmp_path / "games.db")) as database:
            database.execute("VACUUM INTO ?", (str(tmp_path / "backup.db"),))
        last = (await ann.look(path))["version"]
        mover = ann if await ann.moves(path) else bob
        await mover.move(path, (await mover.moves(path))[0])
        reached = (await ann.look(path))["version"]
    async with over_http(tmp_path / "backup.db", **given) as service:
        ann = ann.at(service)
        detail = f"is later than the last event, which is {last}"
        async with channel(ann) as mine:
            for after in (reached, last + 1, 10**9):
                for accept in ("application/json", "application/x-ndjson", "text/event-stream"):
                    refused = await ann.get(f"{path}/events", after=after, headers={"Accept": accept})
                    assert problem(refused, 400, "malformed")["detail"] == f"?after: {detail}"
                found = await mine.problem(400, "malformed", "follow", game=game_name(path), after=after)
                assert found["detail"] == f"$.after: {detail}"
            assert await ann.events(path, after=last) == []
            await mine.did("follow", game=game_name(path), after=last)


async def test_a_broken_follow_is_resumed_without_loss_or_repetition(
    service: Service, ann: Caller, bob: Caller
) -> None:
    path = await service.table("skyjo", [ann, bob])
    received: list[object] = []
    steps = play([ann, bob], path, Random(2))
    for _ in range(8):
        async with channel(ann) as mine:
            await mine.did("follow", game=game_name(path), after=len(received))
            for _ in range(5):
                await anext(steps)
            received += (await mine.next("events"))["items"]
    async with channel(ann) as mine:
        last = (await ann.look(path))["version"]
        await mine.did("follow", game=game_name(path), after=len(received))
        received += await mine.events_until(last)
    assert received == await ann.events(path)


async def test_many_followers_get_the_same_and_every_name(
    service: Service, ann: Caller, bob: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Frames of one follow are sent to the others at its version, but not to those who know older names. Some are
    delivered late."""
    numbers: dict[Follow, int] = {}
    waiting: list[tuple[float, Follow]] = []

    def late(_: Channels, follow: Follow) -> None:
        """Every other follow is delivered after the others have been delivered what is behind it."""
        loop = asyncio.get_running_loop()
        if numbers.setdefault(follow, len(numbers)) % 2:
            waiting.append((loop.time(), follow))
            loop.call_later(0.2, follow.deliver_if_notified)
        else:
            loop.call_soon(deliver, follow, [each for at, each in waiting if at < loop.time()])

    def deliver(follow: Follow, others: list[Follow]) -> None:
        for each in (follow, *others):
            each.deliver_if_notified()
        waiting[:] = [(at, each) for at, each in waiting if each not in others]

    monkeypatch.setattr(Channels, "wake", late)
    path = await service.table("skyjo", [ann, bob], options={"target_points": 300})
    steps = play([ann, bob], path, Random(3))
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(channel(service.stranger)) for _ in range(6)]
        renamed: list[tuple[int, str]] = []
        for number in range(10):
            if number < len(clients):  # they begin one after another
                await clients[number].did("follow", game=game_name(path))
            if number % 2 == 1:
                done(await ann.patch("/v1/players/me", {"name": f"Ann {number:02}"}))
                renamed.append(((await ann.look(path))["version"], f"Ann {number:02}"))
            for _ in range(3):
                await anext(steps)
        last = (await ann.look(path))["version"]
        expected = await service.stranger.events(path)
        for client in clients:
            items: list[Json] = []
            names, version = "", 0
            while version < last or names != "Ann 09":
                message = await client.next()
                if message["type"] == "events":
                    items += message["items"]
                else:
                    assert message["version"] == len(items) > 0, "a state comes after its events"
                    version = message["version"]
                    names = message["seats"][0]["player"]["name"] if "seats" in message else names
                    assert names >= max((name for before, name in renamed if before < version), default="")
            assert items == expected


async def test_a_finished_game_ends_its_follow(service: Service, ann: Caller, bob: Caller) -> None:
    path = await ann.open("skyjo", 2, options={"target_points": 1})
    await bob.sit(path)
    async with channel(ann) as mine, channel(service.stranger) as other:
        await mine.did("follow", game=game_name(path))
        await other.did("follow", game=game_name(path))
        seen = await play_to_the_end([ann, bob], path)
        items = await mine.events_until(seen["version"])
        assert items == await ann.events(path, as_=0)
        state = await mine.next("state")
        while state["version"] < seen["version"]:
            state = await mine.next("state")
        assert (state["result"], state["legal_moves"]) == (seen["result"], [])
        assert await mine.next() == {"type": "end", "game": game_name(path)}
        await other.next("end")
        await mine.did("follow", game=game_name(path), after=seen["version"])
        assert [(await mine.next())["type"] for _ in range(2)] == ["state", "end"]
        await mine.did("follow", game=game_name(path), as_="all")
        assert await mine.events_until(seen["version"]) == await ann.events(path)


async def test_nothing_comes_after_an_unfollow(service: Service, ann: Caller, bob: Caller) -> None:
    path = await service.table("skyjo", [ann, bob])
    async with channel(ann) as mine:
        await mine.did("follow", game=game_name(path))
        await mine.next("state")
        await mine.did("unfollow", game=game_name(path))
        await mine.did("unfollow", game=game_name(path))
        moved = await mine.did("move", game=game_name(path), move=(await ann.moves(path))[0])
        assert moved["events"]
        await mine.did("legal_moves", game=game_name(path))
        assert mine.inbox.empty()


async def test_an_unfollow_overtakes_a_follow_that_has_to_read(
    service: Service, ann: Caller, bob: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = await service.table("skyjo", [ann, bob])
    find, go_on = Games.find, asyncio.Event()

    async def slow(*arguments: object) -> object:
        await go_on.wait()
        return await find(*arguments)  # type: ignore[arg-type]

    async with channel(ann) as mine:
        monkeypatch.setattr(Games, "find", slow)
        one = mine.begin("follow", game=game_name(path))
        two = mine.begin("follow", game=game_name(path), after=3)
        await mine.did("unfollow", game=game_name(path))
        go_on.set()
        assert (await one)["type"] == (await two)["type"] == "unfollowed"
        await ann.move(path, (await ann.moves(path))[0])
        await mine.did("legal_moves", game=game_name(path))
        assert mine.inbox.empty()


async def test_a_second_follow_replaces_the_first_and_a_refused_one_does_not(
    service: Service, ann: Caller, bob: Caller
) -> None:
    path = await service.table("skyjo", [ann, bob])
    async with channel(ann) as mine:
        await mine.did("follow", game=game_name(path))
        await mine.next("state")
        await mine.problem(403, "forbidden", "follow", game=game_name(path), as_=1)
        await mine.problem(400, "malformed", "follow", game=game_name(path), as_=7)
        await bob.move(path, (await bob.moves(path))[0])
        assert [(await mine.next())["type"] for _ in range(2)] == ["events", "state"]
        await mine.did("follow", game=game_name(path), as_="bystander", after=4)
        assert (await mine.next())["items"] == await ann.events(path, after=4, as_="bystander")
        await mine.next("state")
        await ann.move(path, (await ann.moves(path))[0])
        assert [(await mine.next())["type"] for _ in range(2)] == ["events", "state"]
        await mine.did("legal_moves", game=game_name(path))
        assert mine.inbox.empty()


async def test_the_lobby_reports_the_changes_of_its_stream(service: Service, ann: Caller, bob: Caller) -> None:
    async with channel(bob) as mine, listening(service.stranger, "/v1/games", ruleset="skyjo") as stream:
        await mine.did("follow_lobby", ruleset="skyjo")
        path = await ann.open("skyjo", 2)
        await ann.open("scout", 3)
        await ann.open("skyjo", 2, private=True)
        await bob.sit(path)
        expected = await take(stream, 4)
        changes = [await mine.next("lobby") for _ in range(4)]
        assert [change["event"] for change in changes] == ["opened", "joined", "joined", "begun"]
        for change, message in zip(changes, expected, strict=True):
            assert (change["position"], change["event"]) == (int(message.id), message.event.decode())
            assert change["item"] == msgspec.json.decode(message.data)
        await mine.did("follow_lobby", ruleset="skyjo", after=changes[0]["position"])
        assert [await mine.next("lobby") for _ in range(3)] == changes[1:]
        await mine.did("unfollow_lobby")
        await ann.open("skyjo", 2)
        await mine.did("follow_lobby", status="running")
        assert mine.inbox.empty()


async def test_an_expired_position_in_the_lobby_is_gone(ann: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    def forgotten(*_: object) -> None:
        raise lobby.CursorExpired

    await ann.open("skyjo", 2)  # there is a position 1
    async with channel(ann) as mine:
        await mine.did("follow_lobby")
        monkeypatch.setattr("service.api.lobby_feed.announced", forgotten)
        await mine.problem(410, "gone", "follow_lobby", after=1)
        await ann.open("skyjo", 2)
        end = await mine.next("end_lobby")
        assert end["problem"]["type"] == "gone"


async def test_a_follow_whose_log_cannot_be_read_ends_with_a_problem(
    service: Service, ann: Caller, bob: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = await played(service, [ann, bob], 60)

    async def unavailable(*_: object) -> None:
        raise Unavailable("no database")

    async with channel(ann) as mine:
        monkeypatch.setattr(Games, "log", unavailable)
        await mine.did("follow", game=game_name(path))
        end = await mine.next("end")
        assert (end["game"], end["problem"]["type"]) == (game_name(path), "unavailable")


async def test_an_unexpected_error_ends_only_its_follow(
    service: Service, ann: Caller, bob: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = await service.table("skyjo", [ann, bob])

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    async with channel(ann) as mine:
        monkeypatch.setattr(follows, "events_frame", broken)
        await mine.did("follow", game=game_name(path))
        assert (await mine.next("end"))["problem"]["type"] == "internal"
        monkeypatch.undo()
        await mine.did("follow", game=game_name(path))
        await mine.next("state")


async def test_an_unexpected_error_in_a_request_is_answered(
    service: Service, ann: Caller, bob: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = await service.table("skyjo", [ann, bob])

    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    async with channel(ann) as mine:
        monkeypatch.setattr(Commands, "execute", broken)
        await mine.problem(500, "internal", "move", game=game_name(path), move={"type": "flip", "slot": 1})
        await mine.did("legal_moves", game=game_name(path))


async def test_an_answer_that_cannot_be_encoded_closes_the_channel(
    ann: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: object) -> bytes:
        raise ZeroDivisionError

    async with channel(ann) as mine:
        monkeypatch.setattr("service.channel.channel.encode", broken)
        waiting = mine.begin("unfollow", game="a/b")
        assert (await mine.closed())[0] == 1011
        with pytest.raises(ConnectionError):
            await waiting


# --- slow readers ---


async def read_slowly(socket: RawSocket, after: int) -> list[bytes]:
    """The texts that arrive until the state after this version."""
    found = []
    while (received := await socket.receive()) is not None and received.opcode != CLOSE:
        if received.opcode == TEXT:
            found.append(received.data)
            message = msgspec.json.decode(received.data)
            if message["type"] == "state" and message["version"] >= after:
                break
    return found


@pytest.mark.checked
async def test_a_slow_reader_gets_everything_and_costs_no_memory(database: Path) -> None:
    """The client asks for the events of a long game many times over and reads nothing meanwhile."""
    async with over_http(database) as service:
        ann, bob = await service.guests("Ann", "Bob")
        path = await played(service, [ann, bob], 150)
        last = (await ann.look(path))["version"]
        async with raw_web_socket(ann) as socket:
            request = b'{"type":"follow","id":%d,"game":"%b","patch":true}'
            name = game_name(path).encode()
            for number in range(300):
                await socket.send(frame(TEXT, request % (number, name)))
            await asyncio.sleep(1)
            answers = [msgspec.json.decode(text) for text in await read_slowly(socket, last)]
            items = [item for message in answers if message["type"] == "events" for item in message["items"]]
            assert items[-1]["version"] == last
        assert (await ann.get("/health/live")).status_code == 200


@pytest.mark.checked
async def test_a_client_that_stops_reading_is_disconnected_and_resumes(database: Path) -> None:
    async with over_http(database, client_timeout=1) as service:
        ann, bob = await service.guests("Ann", "Bob")
        paths = [await played(service, [ann, bob], 100) for _ in range(3)]
        async with raw_web_socket(ann) as socket:
            socket.writer.transport.pause_reading()  # type: ignore[attr-defined]
            number = 0
            async with asyncio.timeout(60):
                while not socket.writer.transport.is_closing():
                    number += 1
                    name = game_name(paths[number % 3]).encode()
                    socket.writer.write(frame(TEXT, b'{"type":"follow","id":%d,"game":"%b"}' % (number, name)))
                    await asyncio.sleep(0.005 if number < 1000 else 0.1)
        async with channel(ann) as mine:
            last = (await ann.look(paths[0]))["version"]
            await mine.did("follow", game=game_name(paths[0]))
            assert await mine.events_until(last) == await ann.events(paths[0])


async def test_messages_wait_while_64_requests_are_outstanding(
    service: Service, ann: Caller, bob: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = await service.table("skyjo", [ann, bob])
    find, go_on, running = Games.find, asyncio.Event(), 0

    async def slow(*arguments: object) -> object:
        nonlocal running
        running += 1
        await go_on.wait()
        return await find(*arguments)  # type: ignore[arg-type]

    async with channel(ann) as mine:
        monkeypatch.setattr(Games, "find", slow)
        waiting = [mine.begin("legal_moves", game=game_name(path)) for _ in range(500)]
        await asyncio.sleep(0.5)
        assert running == 64
        go_on.set()
        answers = await asyncio.gather(*waiting)
        assert {answer["type"] for answer in answers} == {"legal_moves"}
        await done_with(mine)


async def done_with(client: ChannelClient) -> None:
    await client.did("unfollow", game="a/b")
