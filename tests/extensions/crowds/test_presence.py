"""How many watch a game: a message of the channel, over all processes that share a Redis."""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from domain.rulesets import RULESETS
from service.extensions.crowds import presence as module
from service.extensions.crowds.messages import Phrase
from service.extensions.crowds.presence import Presence
from tests.support.channels import ChannelClient, channel, game_name
from tests.support.clients import Caller, Service, fewest, problem
from tests.support.listening import over_http
from tests.support.servers import Redis

pytestmark = pytest.mark.anyio

ANY = next(iter(RULESETS))


async def told(client: ChannelClient, number: int) -> None:
    """The client is told this number, perhaps after others."""
    while (await client.next("presence"))["watchers"] != number:
        pass


async def test_who_follows_without_a_seat_is_counted(service: Service, ann: Caller, bob: Caller, eve: Caller) -> None:
    game = await service.table(ANY, [ann, bob])
    name = game_name(game)
    async with channel(ann) as mine, channel(bob) as quiet:
        await mine.did("follow", game=name, presence=True)
        await quiet.did("follow", game=name)
        async with channel(eve) as first:
            await first.did("follow", game=name, presence=True)
            await told(mine, 1)
            await told(first, 1)
            async with channel(service.stranger) as second:
                await second.did("follow", game=name)
                await told(mine, 2)
                await second.did("follow", game=name, after=2)  # replaces the follow
                await second.did("unfollow", game=name)
                await told(mine, 1)
        await told(mine, 0)
        assert not any('"presence"' in text for text in quiet.texts)


async def test_who_takes_a_seat_does_not_watch_any_more(ann: Caller, eve: Caller) -> None:
    game = await ann.open(ANY, fewest(ANY) + 1)
    name = game_name(game)
    async with channel(ann) as mine, channel(eve) as theirs:
        await mine.did("follow", game=name, presence=True)
        await theirs.did("follow", game=name)
        await told(mine, 1)
        await theirs.did("join", game=name)
        await told(mine, 0)
        await theirs.did("leave", game=name, seat=1)
        await told(mine, 1)


async def test_all_processes_are_counted(tmp_path: Path, redis: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "REPEAT", 0.2)
    monkeypatch.setattr(module, "EXPIRY", 2.0)
    redis.execute("FLUSHDB")
    async with AsyncExitStack() as stack:
        given: dict[str, Any] = {"redis": redis.url, "secret": "s" * 32}
        one = await stack.enter_async_context(over_http(tmp_path / "games.db", **given))
        ann, bob = await one.guests("Ann", "Bob")
        game = await one.table(ANY, [ann, bob])
        name = game_name(game)
        async with over_http(tmp_path / "games.db", **given) as other:
            watching = await stack.enter_async_context(channel(other.stranger))
            await watching.did("follow", game=name, presence=True)
            mine = await stack.enter_async_context(channel(ann))
            await mine.did("follow", game=name, presence=True)  # later than the other: it asks
            await told(mine, 1)
            await (await stack.enter_async_context(channel(one.stranger))).did("follow", game=name)
            await told(mine, 2)
            async with channel(bob.at(other)) as theirs:
                await theirs.did("follow", game=name)
                while (await mine.next("presence"))["here"] != [0, 1]:
                    pass
                for _ in range(2):
                    await theirs.did("say", game=name, phrase="hello")
                for client in (mine, watching):
                    assert (await client.next("phrase"))["seat"] == 1
                await mine.next("phrase")
            for _ in range(3):  # the limit is that of all processes together
                assert (await bob.post(f"{game}/phrases", {"phrase": "hello"})).status_code == 204
            problem(await bob.post(f"{game}/phrases", {"phrase": "hello"}), 429, "too-many-requests")
        await told(mine, 1)


class Ear:
    """A follower that keeps what it hears."""

    def __init__(self) -> None:
        self.heard: list[tuple[int, str]] = []

    def hear(self, seat: int, message: Callable[[str], Any]) -> None:
        said: Phrase = message("the game")
        assert said.seat == seat
        self.heard.append((seat, said.phrase))


async def test_the_followers_of_a_process_that_ended_are_forgotten() -> None:
    changed: list[str] = []
    here, ear = Presence(), Ear()
    here.on_change = changed.append
    here.follow("g", ear, ())
    here._heard(b"other g 3:1")
    assert (here.there("g"), changed) == ((4, {1}), ["g"])
    for line in (b"other h 3:", b"nonsense", b"other g 3", b"other g x:1", b"other g 1:x", b"other g !x,hello"):
        here._heard(line)
    assert here.there("h") == (0, frozenset())
    now = asyncio.get_running_loop().time()
    here._forget(now + module.EXPIRY - 1)
    assert here.there("g") == (4, {1})
    here._forget(now + module.EXPIRY + 1)
    assert (here.there("g"), changed, [*here.away("g")]) == ((1, frozenset()), ["g", "g"], [1])
    here.unfollow("g", ear)
    assert not here._followers and not here._elsewhere and not here._away
    await here.stop()


async def test_who_is_connected_and_since_when_not(ann: Caller, bob: Caller, service: Service) -> None:
    game = await service.table(ANY, [ann, bob])
    name = game_name(game)
    async with channel(ann) as mine:
        await mine.did("follow", game=name, presence=True)
        async with channel(bob) as theirs:
            await theirs.did("follow", game=name)
            while (message := await mine.next("presence"))["here"] != [0, 1]:
                pass
            assert (message["watchers"], message["away"]) == (0, [])
        while (message := await mine.next("presence"))["here"] != [0]:
            pass
        (away,) = message["away"]
        assert (away["seat"], away["since"][-1]) == (1, "Z")
        async with channel(bob) as theirs:
            await theirs.did("follow", game=name)
            while (message := await mine.next("presence"))["here"] != [0, 1]:
                pass
            assert message["away"] == []


async def test_a_phrase_reaches_all_who_listen_and_is_recorded_nowhere(
    service: Service, ann: Caller, bob: Caller, caplog: pytest.LogCaptureFixture
) -> None:
    """Over the channel and over REST, to those with `presence` only; no event, no record, no log has it."""
    game = await service.table(ANY, [ann, bob])
    name, path = game_name(game), game
    before = (await ann.look(game))["version"]
    async with channel(ann) as mine, channel(service.stranger) as watching, channel(bob) as deaf:
        for client, listens in ((mine, True), (watching, True), (deaf, False)):
            await client.did("follow", game=name, presence=listens)
        assert (await bob.post(f"{path}/phrases", {"phrase": "what_luck"})).status_code == 204
        await mine.did("say", game=name, phrase="clever")
        for client in (mine, watching):
            heard = [await client.next("phrase") for _ in range(2)]
            assert heard == [
                {"type": "phrase", "game": name, "seat": 1, "phrase": "what_luck"},
                {"type": "phrase", "game": name, "seat": 0, "phrase": "clever"},
            ]
        await deaf.did("legal_moves", game=name)
        assert not any('"phrase"' in text for text in deaf.texts)
        assert (await ann.look(game))["version"] == before
        for place in (path, f"{path}/events?limit=500"):
            assert "what_luck" not in (await ann.get(place)).text
    assert "what_luck" not in caplog.text


async def test_phrases_are_few_and_only_for_players(service: Service, ann: Caller, bob: Caller, eve: Caller) -> None:
    """A stranger, free text, a sixth phrase in a minute, a game on one device and a game that is over are refused."""
    game = await service.table(ANY, [ann, bob])
    path = f"{game}/phrases"
    hello = {"phrase": "hello"}
    problem(await eve.post(path, hello), 403, "not-seated")
    problem(await service.stranger.post(path, hello), 401, "unauthenticated")
    for wrong in ({"phrase": "you fool"}, {"phrase": "hello", "to": 1}, {}, {"phrase": 1}, ["hello"]):
        problem(await ann.post(path, wrong), 400, "malformed")
    for _ in range(module.PHRASES):
        assert (await ann.post(path, hello)).status_code == 204
    async with channel(ann) as mine:
        refused = await mine.ask("say", game=game_name(game), phrase="hello")
        assert (refused["type"], refused["problem"]["type"]) == ("problem", "too-many-requests")
        assert 50 <= refused["retry_after"] <= 60
    assert (await bob.post(path, hello)).status_code == 204
    alone = await ann.open(ANY, fewest(ANY), hotseat=True)
    problem(await ann.post(f"{alone}/phrases", hello), 403, "forbidden")
    waiting = await ann.open(ANY, fewest(ANY), private=True)
    problem(await eve.post(f"{waiting}/phrases", hello), 404, "not-found")
    assert (await ann.delete(waiting)).status_code == 200
    problem(await ann.post(f"{waiting}/phrases", hello), 409, "not-running")


async def test_what_is_kept_of_phrases_is_gone_after_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """All processes count together: each hears what the others passed on."""
    here = Presence()
    for _ in range(3):
        here._heard(b"other g !0,hello")
    assert [here.say("g", 0, "hello") > 0 for _ in range(3)] == [False, False, True]
    assert here.say("g", 1, "hello") == here.say("h", 0, "hello") == 0
    monkeypatch.setattr(module, "MINUTE", 0.0)
    assert here.say("g", 0, "hello") == 0
    assert sum(map(len, here._said.values())) == len(here._order) == 1
