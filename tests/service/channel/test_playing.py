"""Games over the play channel: moves, seats, legal moves, exactly once, stale decisions and problems."""

import asyncio
from random import Random
from typing import Any

import msgspec
import pytest

from domain.rulesets import RULESETS
from service.channel import channels
from service.log.errors import Conflict, Unavailable
from service.log.game_log import GameLog
from service.server.web_socket import WebSocket
from tests.support.channels import ChannelClient, channel, game_name
from tests.support.clients import Caller, Json, Service, any_of, fewest, play_to_the_end
from tests.support.listening import listening

pytestmark = pytest.mark.anyio


async def play(mover: ChannelClient, game: str, legal: list[Json], dice: Random, **fields: object) -> Json:
    """A random legal move over the channel."""
    return await mover.did("move", game=game, move=any_of(legal, dice), **fields)


@pytest.mark.parametrize("ruleset", RULESETS)
async def test_a_whole_game_is_played_over_channels(service: Service, ruleset: str) -> None:
    """Every player acts on the states of their own channel alone: the shortest game to its end, others for a while."""
    last = 10**6 if ruleset == "scout" else 100
    players = await service.guests(*("Ann", "Bob", "Cem", "Dora", "Emil")[: fewest(ruleset)])
    path = await service.table(ruleset, players)
    game = game_name(path)

    async def sit(number: int) -> list[Json]:
        items: list[Json] = []
        dice = Random(number)
        acted_at = 0
        async with channel(players[number]) as mine:
            await mine.did("follow", game=game)
            while True:
                message = await mine.next()
                match message["type"]:
                    case "events":
                        items += message["items"]
                    case "state" if message["version"] >= last:
                        return items[:last]
                    case "state":
                        assert message["version"] == items[-1]["version"]
                        assert message["you"] == number
                        # A state that arrived before the answer to the latest move is older than the move.
                        if message["legal_moves"] and message["version"] >= acted_at:
                            assert number in message["to_act"]
                            moved = mine.begin(
                                "move", game=game, move=any_of(message["legal_moves"], dice),
                                version=message["version"], key=f"{number}.{message['version']}",
                            )  # fmt: skip
                            answer = await moved
                            assert answer["type"] == "moved", answer
                            assert "events" not in answer
                            acted_at = answer["version"]
                    case "end":
                        assert "problem" not in message
                        return items

    received = await asyncio.wait_for(asyncio.gather(*(sit(number) for number in range(len(players)))), 100)
    for number, (player, items) in enumerate(zip(players, received, strict=True)):
        assert items == (await player.events(path, as_=number))[:last]
    if last > 100:
        assert (await players[0].look(path))["status"] == "finished"


async def test_items_are_byte_for_byte_those_of_sse(service: Service, ann: Caller, bob: Caller) -> None:
    path = await service.table("skyjo", [ann, bob])
    dice = Random(3)
    async with channel(ann) as mine, channel(bob) as other:
        await mine.did("follow", game=game_name(path))
        for _ in range(20):
            seen = await ann.look(path)
            mover = (mine, other)[seen["to_act"][0]]
            legal = (await mover.did("legal_moves", game=game_name(path)))["legal_moves"]
            await play(mover, game_name(path), legal, dice)
        last = (await ann.look(path))["version"]
        await mine.events_until(last)
        sent = [msgspec.json.decode(text, type=_Events).items for text in mine.texts if text.startswith('{"type":"ev')]
        ours = [bytes(item) for items in sent for item in items]
    theirs = []
    async with listening(ann, f"{path}/events") as stream:
        async for message in stream:
            theirs.append(message.data)
            if message.id == b"%d" % last:
                break
    assert ours == theirs


class _Events(msgspec.Struct):
    items: list[msgspec.Raw]


async def test_concurrent_moves_with_one_key_take_effect_once(service: Service, ann: Caller, bob: Caller) -> None:
    path = await service.table("skyjo", [ann, bob])
    async with channel(ann) as one, channel(ann) as two:
        move = (await one.did("legal_moves", game=game_name(path)))["legal_moves"][0]
        each = [
            client.did("move", game=game_name(path), move=move, key="same") for client in (one, two) for _ in range(10)
        ]
        answers = await asyncio.gather(*each)
    assert len({answer["version"] for answer in answers}) == 1
    assert [answer["replayed"] for answer in answers].count(False) == 1


async def test_a_move_that_conflicts_is_decided_again(
    service: Service, ann: Caller, bob: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if another process had appended first."""
    path = await service.table("skyjo", [ann, bob])
    version = (await ann.look(path))["version"]
    put, outcomes = GameLog.put, [Conflict("another entry"), Unavailable("no database")]

    def conflicting(self: GameLog, rows: Any, done: Any) -> None:
        done(outcomes.pop()) if outcomes else put(self, rows, done)

    async with channel(ann) as mine:
        await mine.did("follow", game=game_name(path), after=version)
        one, two, *_ = await ann.moves(path)
        monkeypatch.setattr(GameLog, "put", conflicting)
        await mine.problem(503, "unavailable", "move", game=game_name(path), move=one, key="1")
        moved = await mine.did("move", game=game_name(path), move=one, key="1")
        assert (moved["version"], moved["replayed"], outcomes) == (version + 1, False, [])
        assert (await mine.did("move", game=game_name(path), move=two, key="2"))["version"] > version + 1
        assert (await mine.did("move", game=game_name(path), move=one, key="1"))["replayed"]
        assert await mine.events_until(version + 2) == (await ann.events(path, after=version))[:2]


async def test_the_mover_is_answered_before_others_moves_are_listed(
    service: Service, ann: Caller, bob: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time of the answer does not depend on cards that only others see."""
    path = await service.table("skyjo", [ann, bob])
    write, situation, happened = WebSocket._write, channels.situation, list[str]()

    def written(self: WebSocket, data: bytes) -> None:
        happened.append("answered" if b'"type":"moved"' in data else "")
        write(self, data)

    def listed(cached: Any, stream: Any, *rest: Any, **given: Any) -> Any:
        happened.append(f"listed for {stream.current}")
        return situation(cached, stream, *rest, **given)

    async with channel(bob) as other, channel(ann) as mine:
        for client in (other, mine):
            await client.did("follow", game=game_name(path))
            await client.next("state")
        monkeypatch.setattr(WebSocket, "_write", written)
        monkeypatch.setattr(channels, "situation", listed)
        await mine.did("move", game=game_name(path), move=(await ann.moves(path))[0])
        await other.next("state")
        assert [each for each in happened if each] == ["listed for 0", "answered", "listed for 1"]


@pytest.mark.parametrize(
    ("text", "request_id"),
    [
        ("", None), ("{", None), ("null", None), ("[]", None), ('{"type":"follow"}', None), ('{"id":7}', 7),
        ('{"type":"nothing","id":"x"}', "x"), ('{"type":"follow","id":8}', 8),
        ('{"type":"follow","id":8,"game":5}', 8), ('{"type":"follow","id":1.5,"game":"a/b"}', None),
        ('{"type":"follow","id":8,"game":"a/b","more":1}', 8), ('{"type":"move","id":8,"game":"skyjo/x"}', 8),
        ('{"type":"follow","id":"' + "x" * 65 + '","game":"a/b"}', None), ('{"id":8,"a":' + "[" * 30000 + "}", None),
        ('{"type":"join","id":8,"game":"a/b","seat":-1}', 8), ('{"type":"join","id":8,"game":"skyjo/\\u0000"}', 8),
        ('{"type":"join","id":8,"game":"a/b","entropy":"é"}', 8),
        ('{"type":"follow","id":8,"game":"a/b","after":-1}', 8),
        ('{"type":"move","id":8,"game":"a/b","move":{},"key":""}', 8),
    ],
)  # fmt: skip
async def test_malformed_messages_are_answered_and_the_channel_stays_open(
    ann: Caller, text: str, request_id: int | str | None
) -> None:
    async with channel(ann) as mine:
        await mine.socket.send(text)
        answer = await mine.next("problem")
        assert answer["id"] == request_id
        assert (answer["problem"]["type"], answer["problem"]["status"]) == ("malformed", 400)
        assert answer["problem"]["errors"][0]["path"].startswith("$")
        await mine.did("unfollow", game="a/b")


async def test_items_have_patches_and_tallies_on_request(service: Service, ann: Caller, bob: Caller) -> None:
    path = await service.table("skyjo", [ann, bob])
    dice = Random(5)
    async with channel(ann) as mine, channel(bob) as other:
        await mine.did("follow", game=game_name(path), patch=True, tally=True)
        await other.did("follow", game=game_name(path), patch=True, after=3)
        for _ in range(20):
            seen = await ann.look(path)
            mover = (mine, other)[seen["to_act"][0]]
            legal = (await mover.did("legal_moves", game=game_name(path)))["legal_moves"]
            await play(mover, game_name(path), legal, dice)
        last = (await ann.look(path))["version"]
        assert await mine.events_until(last) == await ann.events(path, as_=0, with_="patch,tally")
        assert await other.events_until(last) == await bob.events(path, as_=1, with_="patch", after=3)


async def test_a_game_is_repeated(service: Service, ann: Caller, bob: Caller) -> None:
    path = await service.table("skyjo", [ann, bob])
    async with channel(ann) as hers, channel(bob) as his:
        await hers.problem(409, "no-rematch", "rematch", game=game_name(path))
        await play_to_the_end([ann, bob], path)
        first = await hers.did("rematch", game=game_name(path), entropy="x")
        assert first["type"] == "rematch"
        assert first["game"] != game_name(path)
        second = await his.did("rematch", game=game_name(path))
        assert second["game"] == first["game"]
        again = await hers.did("rematch", game=game_name(path))
        assert (again["game"], again["version"], again["head"]) == (first["game"], second["version"], second["head"])
        assert (await ann.look(f"/v1/games/{first['game']}"))["status"] == "running"
