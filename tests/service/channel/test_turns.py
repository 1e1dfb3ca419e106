"""The followed turns: the client's set is the one of `GET /v1/games?acting=me`, in every process."""

import asyncio
from pathlib import Path
from random import Random
from typing import Any

import pytest

from domain.rulesets import RULESETS
from service.games.games import Games
from service.log.errors import Unavailable
from service.log.game_log import GameLog
from tests.support.channels import ChannelClient, channel, game_name
from tests.support.clients import Caller, Json, Service, any_of, done, fewest, play_to_the_end
from tests.support.listening import over_http

pytestmark = pytest.mark.anyio


class Turns:
    """What a client knows of its turns."""

    def __init__(self, client: ChannelClient, who: Caller) -> None:
        self._client, self._who = client, who
        self.games: dict[str, tuple[int, ...]] = {}
        self.messages = 0

    async def follow(self) -> None:
        answer = await self._client.did("follow_turns")
        self.games = {each["game"]: each["to_act"] for each in answer["games"]}
        assert self.games == await self.listed()

    async def listed(self) -> dict[str, tuple[int, ...]]:
        games = await self._who.every("/v1/games", acting="me")
        return {f"{each['ruleset']}/{each['id']}": each["to_act"] for each in games}

    async def agree(self, seconds: float = 60) -> None:
        """Returns when the client knows what the service says now."""
        expected = set(await self.listed())
        async with asyncio.timeout(seconds):
            while set(self.games) != expected:
                self.take(await self._client.next("turn"))

    def take(self, message: Json) -> None:
        self.messages += 1
        assert message["yours"] == (message["game"] not in self.games), "only changes are told"
        if message["yours"]:
            self.games[message["game"]] = message["to_act"]
        else:
            del self.games[message["game"]]


@pytest.mark.checked
@pytest.mark.by_default("with Redis")
async def test_the_turns_are_those_of_rest(pair: tuple[Service, Service]) -> None:
    """Over random play at tables of all rulesets, private ones included, from the first seat to the end."""
    here, there = pair
    players = await here.guests("Ann", "Bob", "Cem")
    names = [name for name in RULESETS if fewest(name) <= 3]
    games = [await here.table(names[0], players[:2]), await players[0].open(names[0])]
    async with channel(players[0].at(there)) as mine, channel(players[1].at(there)) as others:
        turns = [Turns(mine, players[0].at(there)), Turns(others, players[1].at(there))]
        for each in turns:
            await each.follow()
        for number, name in enumerate(names):
            games.append(await here.table(name, players[: fewest(name)], private=number % 2 == 0))
        await players[1].sit(games[1])
        dice = Random(1)
        for number in range(6):
            if number % 3 == 0:
                for each in turns:
                    await each.agree()
            for game in games:
                for who in players[: len((await players[0].look(game))["seats"])]:
                    if legal := (await who.look(game))["legal_moves"]:
                        await who.move(game, any_of(legal, dice))
                        break
        await play_to_the_end(players[:2], games[0])
        for each in turns:
            await each.agree()
            assert game_name(games[0]) not in each.games
        assert sum(each.messages for each in turns) > 10


async def test_a_game_that_stays_is_not_told_again(service: Service, ann: Caller, bob: Caller) -> None:
    """A turn of several moves is one message at its begin and one at its end; a game without my seat is none."""
    await service.table("skyjo", [bob, await service.guest("Cem")])
    async with channel(ann) as mine:
        turns = Turns(mine, ann)
        await turns.follow()
        path = await ann.open("skyjo", hotseat=True)
        message = await mine.next("turn")
        assert "runs_out" not in message
        assert message == message | {"game": game_name(path), "yours": True, "to_act": (await ann.look(path))["to_act"]}
        for _ in range(8):
            await ann.move(path, (await ann.look(path))["legal_moves"][0])
        await mine.did("unfollow_turns")
        assert mine.inbox.empty()
        await ann.open("skyjo", hotseat=True)
        await asyncio.sleep(0.3)
        assert mine.inbox.empty()


@pytest.mark.by_default("one process")  # how turns reach other processes is the same with a clock
async def test_with_a_clock_a_turn_says_when_the_time_runs_out(pair: tuple[Service, Service]) -> None:
    """As the lobby does, and again when the player is given time."""
    here, there = pair
    ann, bob = await here.guests("Ann", "Bob")
    path = await here.table("skyjo", [ann, bob], clock={"bank": 60})

    async def listed() -> str:
        (item,) = await ann.every("/v1/games", acting="me")
        return str(item["runs_out"])

    async with channel(ann.at(there)) as mine:
        (game,) = (await mine.did("follow_turns"))["games"]
        first = await listed()
        assert game["runs_out"] == first
        done(await bob.post(f"{path}/time", {"seat": 0, "seconds": 30}))
        message = await mine.next("turn")
        assert message["yours"]
        assert message["runs_out"] == await listed() > first
        for _ in range(2):  # two cards are turned up before the first turn
            await ann.move(path, (await ann.moves(path))[0])
        while (message := await mine.next("turn"))["yours"]:
            assert message["runs_out"] > first
        assert "runs_out" not in message


async def test_who_leaves_a_waiting_game_is_not_told_of_its_turns(service: Service, ann: Caller, bob: Caller) -> None:
    path = await bob.open("skyjo", 3)
    async with channel(ann) as mine:
        turns = Turns(mine, ann)
        await turns.follow()
        await ann.sit(path, 1)
        await ann.stand(path, 1)
        for name in ("Cem", "Dora"):
            await (await service.guest(name)).sit(path)
        other = await ann.open("skyjo", hotseat=True)
        assert (await mine.next("turn"))["game"] == game_name(other)
        await turns.follow()
        assert list(turns.games) == [game_name(other)]


async def test_an_append_with_an_unknown_outcome_is_found(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is committed, but this process is told that the database was lost."""
    monkeypatch.setattr("service.channel.channels.KEEP_ALIVE", 0.2)
    put = GameLog.put

    def lost(self: GameLog, rows: Any, done: Any) -> None:
        put(self, rows, lambda _: done(Unavailable("the connection was lost")))

    async with over_http(database) as service:
        ann, bob = await service.guests("Ann", "Bob")
        path = await service.table("skyjo", [ann, bob])
        async with channel(bob) as mine:
            await mine.did("follow_turns")
            one, two, *_ = await bob.moves(path)
            await bob.move(path, one)
            monkeypatch.setattr(GameLog, "put", lost)
            await mine.problem(503, "unavailable", "move", game=game_name(path), move=two)
            message = await mine.next("turn")
            assert (message["game"], message["yours"]) == (game_name(path), False)


async def test_turns_count_as_one_stream_and_need_a_token(database: Path) -> None:
    async with over_http(database, max_streams_per_caller=2) as service:
        (ann,) = await service.guests("Ann")
        games = [await ann.open("skyjo", hotseat=True) for _ in range(3)]
        async with channel(ann) as mine, channel(service.stranger) as stranger:
            assert len((await mine.did("follow_turns"))["games"]) == 3
            await mine.problem(429, "too-many-requests", "follow", game=game_name(games[0]))
            assert len((await mine.did("follow_turns"))["games"]) == 3
            await stranger.problem(401, "unauthenticated", "follow_turns")
        assert "open_streams 0" in (await service.stranger.get("/metrics")).text


async def test_turns_that_cannot_be_read_end_with_a_problem(ann: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    async def unavailable(*_: object, **__: object) -> None:
        raise Unavailable("no database")

    async with channel(ann) as mine:
        await mine.did("follow_turns")
        monkeypatch.setattr(Games, "turns", unavailable)
        await ann.open("skyjo", hotseat=True)
        assert (await mine.next("end_turns"))["problem"]["type"] == "unavailable"
        await mine.problem(503, "unavailable", "follow_turns")
        monkeypatch.undo()
        assert len((await mine.did("follow_turns"))["games"]) == 1
