"""Games over the play channel: moves, seats, legal moves, exactly once, stale decisions and problems."""

import asyncio
from random import Random
from typing import Any

import msgspec
import pytest

from domain.rulesets import RULESETS
from service.channel import channels
from service.http.web_socket import WebSocket
from service.log.errors import Conflict, Unavailable
from service.log.game_log import GameLog
from tests.support.channels import ChannelClient, channel, game_name, raw_channel
from tests.support.clients import Caller, Json, Service, any_of, done, fewest
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


async def test_a_repeated_move_takes_effect_once(service: Service, ann: Caller, bob: Caller) -> None:
    path = await service.table("skyjo", [ann, bob])
    game = game_name(path)
    async with channel(ann) as mine:
        move = (await mine.did("legal_moves", game=game))["legal_moves"][0]
        first = await mine.did("move", game=game, move=move, key="k1")
        again = await mine.did("move", game=game, move=move, key="k1")
        assert again | {"id": 0, "replayed": False} == first | {"id": 0}
        assert again["replayed"]
        over_rest = await ann.post(f"{path}/moves", move, headers={"Idempotency-Key": "k1"})
        assert over_rest.headers["Idempotency-Replayed"] == "true"
        assert over_rest.json()["version"] == first["version"]
        assert over_rest.json()["events"] == first["events"]
        await mine.problem(422, "idempotency-key-reused", "move", game=game, move={**move, "slot": 7}, key="k1")
    async with channel(ann) as later:
        answers = await asyncio.gather(*(later.did("move", game=game, move=move, key="k1") for _ in range(10)))
        assert {answer["version"] for answer in answers} == {first["version"]}
    assert (await ann.look(path))["version"] == first["version"]


async def test_a_move_over_rest_is_replayed_over_the_channel(service: Service, ann: Caller, bob: Caller) -> None:
    path = await service.table("skyjo", [ann, bob])
    move = (await ann.moves(path))[0]
    moved = await ann.move(path, move, headers={"Idempotency-Key": "k2"})
    async with channel(ann) as mine:
        answer = await mine.did("move", game=game_name(path), move=move, key="k2")
    assert (answer["version"], answer["head"], answer["events"]) == (moved["version"], moved["head"], moved["events"])
    assert answer["replayed"]


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
    write, state, happened = WebSocket._write, channels.state, list[str]()

    def written(self: WebSocket, data: bytes) -> None:
        happened.append("answered" if b'"type":"moved"' in data else "")
        write(self, data)

    def listed(cached: Any, stream: Any, roster: Any) -> Any:
        happened.append(f"listed for {stream.current}")
        return state(cached, stream, roster)

    async with channel(bob) as other, channel(ann) as mine:
        for client in (other, mine):
            await client.did("follow", game=game_name(path))
            await client.next("state")
        monkeypatch.setattr(WebSocket, "_write", written)
        monkeypatch.setattr(channels, "state", listed)
        await mine.did("move", game=game_name(path), move=(await ann.moves(path))[0])
        await other.next("state")
        assert [each for each in happened if each] == ["listed for 0", "answered", "listed for 1"]


async def test_a_stale_decision_is_refused_with_what_was_missed(service: Service, ann: Caller, bob: Caller) -> None:
    path = await service.table("skyjo", [ann, bob])
    game = game_name(path)
    async with channel(ann) as mine:
        listed = await mine.did("legal_moves", game=game)
        move = listed["legal_moves"][0]
        moved = await mine.did("move", game=game, move=move, version=listed["version"])
        found = await mine.problem(412, "stale-decision", "move", game=game, move=move, version=listed["version"])
        assert found["version"] == moved["version"]
        assert found["missed"] == await ann.events(path, after=listed["version"], as_=0)
        await mine.problem(412, "stale-decision", "move", game=game, move=move, version=10**6)


async def test_others_moves_do_not_make_a_decision_stale(service: Service, ann: Caller, bob: Caller) -> None:
    path = await service.table("skyjo", [ann, bob])
    game = game_name(path)
    async with channel(ann) as mine, channel(bob) as other:
        listed = await mine.did("legal_moves", game=game)
        await other.did("move", game=game, move=(await other.did("legal_moves", game=game))["legal_moves"][0])
        await mine.did("move", game=game, move=listed["legal_moves"][0], version=listed["version"])


async def test_an_illegal_move_lists_the_legal_ones(service: Service, ann: Caller, bob: Caller) -> None:
    path = await service.table("skyjo", [ann, bob])
    game = game_name(path)
    async with channel(ann) as mine:
        legal = (await mine.did("legal_moves", game=game))["legal_moves"]
        found = await mine.problem(409, "illegal-move", "move", game=game, move={"type": "draw"})
        assert found["legal_moves"] == legal


async def test_seats_are_taken_and_left_over_the_channel(ann: Caller, bob: Caller) -> None:
    path = await ann.open("skyjo", 3)
    game = game_name(path)
    async with channel(ann) as mine, channel(bob) as other:
        await mine.did("follow", game=game)
        joined = await other.did("join", game=game, seat=2, entropy="dice", key="j")
        assert not joined["replayed"]
        assert (await other.did("join", game=game, seat=2, entropy="dice", key="j"))["replayed"]
        await other.problem(409, "already-seated", "join", game=game)
        await other.problem(403, "not-seated", "leave", game=game, seat=0)
        await mine.events_until(joined["version"])
        left = await other.did("leave", game=game, seat=2, key="l")
        assert (await other.did("leave", game=game, seat=2, key="l"))["version"] == left["version"]
        await mine.events_until(left["version"])
        await other.did("join", game=game)
    assert [seat["player"] and seat["player"]["id"] for seat in (await ann.look(path))["seats"]] == [
        ann.id, bob.id, None,
    ]  # fmt: skip


async def test_a_private_game_is_hidden_without_its_invite(service: Service, ann: Caller, bob: Caller) -> None:
    path = await ann.open("skyjo", 2, private=True)
    game, invite = game_name(path), (await ann.look(path))["invite"]
    async with channel(bob) as other, channel(service.stranger) as nobody:
        for who in (other, nobody):
            for wrong in ({}, {"invite": "wrong"}):
                await who.problem(404, "not-found", "follow", game=game, **wrong)
        await other.problem(404, "not-found", "join", game=game)
        await other.problem(404, "not-found", "legal_moves", game=game)
        await other.problem(404, "not-found", "move", game=game, move={"type": "draw"})
        await nobody.did("follow", game=game, invite=invite)
        await other.did("join", game=game, invite=invite)
        await other.did("follow", game=game)


async def test_a_hotseat_player_moves_for_every_seat(ann: Caller) -> None:
    path = await ann.open("skyjo", 2, hotseat=True)
    game = game_name(path)
    async with channel(ann) as mine:
        await mine.did("follow", game=game, as_="all")
        for seat in (0, 1):
            legal = await mine.did("legal_moves", game=game, as_=seat)
            assert legal["seat"] == seat
            await mine.did("move", game=game, move=legal["legal_moves"][0], as_=seat, version=legal["version"])
        state = await mine.next("state")
        while state["version"] < (await ann.look(path))["version"]:
            state = await mine.next("state")
        assert state["legal_moves"] == await ann.moves(path)
        await mine.problem(400, "malformed", "follow", game=game, as_=9)


async def test_others_perspectives_are_refused_while_the_game_runs(service: Service, ann: Caller, bob: Caller) -> None:
    path = await service.table("skyjo", [ann, bob])
    async with channel(ann) as mine, channel(service.stranger) as nobody:
        for who, as_ in ((mine, 1), (mine, "all"), (nobody, 0), (nobody, "all")):
            await who.problem(403, "forbidden", "follow", game=game_name(path), as_=as_)
        await mine.problem(403, "not-seated", "legal_moves", game=game_name(path), as_=1)
        await nobody.problem(401, "unauthenticated", "legal_moves", game=game_name(path))
        await nobody.problem(401, "unauthenticated", "move", game=game_name(path), move={"type": "draw"})
        await nobody.problem(401, "unauthenticated", "join", game=game_name(path))
        await nobody.problem(401, "unauthenticated", "leave", game=game_name(path), seat=0)


@pytest.mark.parametrize(
    ("text", "request_id"),
    [
        ("", None), ("{", None), ("null", None), ("[]", None), ('{"type":"follow"}', None), ('{"id":7}', 7),
        ('{"type":"nothing","id":"x"}', "x"), ('{"type":"follow","id":8}', 8),
        ('{"type":"follow","id":8,"game":5}', 8), ('{"type":"follow","id":1.5,"game":"a/b"}', None),
        ('{"type":"follow","id":8,"game":"a/b","more":1}', 8), ('{"type":"move","id":8,"game":"skyjo/x"}', 8),
        ('{"type":"follow","id":"' + "x" * 65 + '","game":"a/b"}', None), ('{"id":8,"a":' + "[" * 30000 + "}", None),
        ('{"type":"join","id":8,"game":"a/b","seat":-1}', 8),
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


@pytest.mark.parametrize(
    ("move", "path"),
    [
        ({"type": "swap", "slot": "3"}, "$.move.slot"), ({"type": "swap"}, "$.move"), ({}, "$.move"), (None, "$.move"),
        ([], "$.move"), ({"type": "nothing"}, "$.move.type"), ({"type": "draw", "more": 1}, "$.move"),
    ],
)  # fmt: skip
async def test_a_malformed_move_is_refused_with_the_path_of_the_error(
    service: Service, ann: Caller, bob: Caller, move: object, path: str
) -> None:
    game = game_name(await service.table("skyjo", [ann, bob]))
    async with channel(ann) as mine:
        found = await mine.problem(400, "malformed", "move", game=game, move=move)
        assert found["errors"][0]["path"] == path


@pytest.mark.parametrize("game", ["skyjo/nothing", "skyjo/", "skyjo", "chess/x", "/", "", "skyjo/a/b", "skyjo/\0"])
async def test_unknown_games_are_not_found(ann: Caller, game: str) -> None:
    async with channel(ann) as mine:
        for request in ("follow", "join", "legal_moves"):
            if "\0" in game:
                await mine.problem(400, "malformed", request, game=game)
            else:
                await mine.problem(404, "not-found", request, game=game)


async def test_a_token_in_the_header_needs_no_first_message(service: Service, ann: Caller, bob: Caller) -> None:
    game = game_name(await service.table("skyjo", [ann, bob]))
    async with raw_channel(ann, headers={"Authorization": f"Bearer {ann.token}"}) as mine:
        assert (await mine.did("legal_moves", game=game))["seat"] == 0


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


async def test_a_player_leaves_a_running_game_and_comes_back(service: Service, ann: Caller, bob: Caller) -> None:
    """Who follows the game gets the seats again, because a bot plays one of them now."""
    path = await service.table("skyjo", [ann, bob])
    game = game_name(path)
    async with channel(ann) as mine, channel(bob) as other:
        await other.did("follow", game=game)
        while (state := await other.next())["type"] != "state":
            pass
        assert [seat.get("bot") for seat in state["seats"]] == [None, None]
        await mine.problem(409, "not-waiting", "leave", game=game, seat=0)
        await mine.problem(403, "not-seated", "leave", game=game, seat=1, running=True)
        left = await mine.did("leave", game=game, seat=0, running=True, key="go")
        assert (await mine.did("leave", game=game, seat=0, running=True, key="go"))["replayed"]
        items = await other.events_until(left["version"])
        assert "gone" in [item["event"]["type"] for item in items]
        state = await other.next()
        assert (state["type"], state["version"], state["to_act"]) == ("state", left["version"], [1])
        assert state["seats"][0] | {"player": None} == {
            "seat": 0, "player": None, "entropy": "", "bot": "careful/1", "gone": True,
        }  # fmt: skip
        back = await mine.did("join", game=game)
        await other.events_until(back["version"])
        state = await other.next()
        assert [seat.get("gone") for seat in state["seats"]] == [None, None]
        await mine.did("leave", game=game, seat=0, running=True)
        await mine.did("join", game=game, seat=0)
        await mine.did("leave", game=game, seat=0, running=True)
        await mine.problem(409, "cannot-return", "join", game=game)
        await other.did("leave", game=game, seat=1, running=True)
    assert (await bob.look(path))["cause"] == "absent"


async def test_a_kept_seat_is_declined_over_the_channel(ann: Caller, bob: Caller, eve: Caller) -> None:
    opened = done(await ann.post("/v1/games/skyjo", {"seats": ["me", {"player": bob.id}]}), 201)
    game = game_name(opened["links"]["self"])
    async with channel(bob) as invited, channel(eve) as other:
        await other.did("follow", game=game)
        while (state := await other.next())["type"] != "state":
            pass
        assert state["seats"][1]["reserved"] == {"id": bob.id, "name": "Bob"}
        await other.problem(409, "reserved", "join", game=game)
        declined = await invited.did("leave", game=game, seat=1)
        await other.events_until(declined["version"])
        assert "reserved" not in (await other.next())["seats"][1]
        await other.did("join", game=game)
    assert (await ann.look(opened["links"]["self"]))["status"] == "running"
