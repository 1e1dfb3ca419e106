"""Games with a clock over the play channel: the state, giving time, and late moves."""

from pathlib import Path

import pytest

from tests.support import clocks
from tests.support.channels import channel, game_name
from tests.support.clients import Caller
from tests.support.listening import over_http

pytestmark = pytest.mark.anyio

CLOCK = {"bank": 60, "increment": 5}


async def table(players: list[Caller], **terms: object) -> str:
    game = await players[0].open("scout", len(players), clock=CLOCK, **terms)
    for player in players[1:]:
        await player.sit(game)
    return game


async def test_the_state_shows_the_clock_and_time_is_given(ann: Caller, bob: Caller, eve: Caller) -> None:
    path = await table([ann, bob, eve])
    async with channel(ann) as hers, channel(bob) as his:
        await his.did("follow", game=game_name(path))
        before = await his.next("state")
        assert before["clock"] == (await bob.look(path))["clock"]
        given = await hers.did("give_time", game=game_name(path), seat=1, seconds=20, key="gift")
        assert (given["type"], given["replayed"]) == ("time_given", False)
        after = await his.next("state")
        assert after["version"] == given["version"]
        assert after["clock"]["seats"][1]["reserve"] == 20_000
        assert after["clock"] == (await bob.look(path))["clock"]
        again = await hers.did("give_time", game=game_name(path), seat=1, seconds=20, key="gift")
        assert (again["version"], again["replayed"]) == (given["version"], True)
        await hers.problem(409, "cannot-give-time", "give_time", game=game_name(path), seat=0, seconds=20)
        await hers.problem(409, "cannot-give-time", "give_time", game=game_name(path), seat=1, seconds=61)
        await hers.problem(400, "malformed", "give_time", game=game_name(path), seat=1, seconds=0)
        await hers.problem(400, "malformed", "give_time", game=game_name(path), seat=1)


async def test_without_a_clock_the_state_has_none(ann: Caller) -> None:
    path = await ann.open("skyjo")
    async with channel(ann) as hers:
        await hers.did("follow", game=game_name(path))
        assert "clock" not in await hers.next("state")


async def test_a_late_move_over_the_channel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also on the fast path, on which a move needs no task."""
    clocks.no_sweeps(monkeypatch)
    for wall in clocks.set_forward(monkeypatch):
        async with over_http(tmp_path / "games.db") as house:
            players = await house.guests("Ann", "Bob", "Cem")
            path = await table(players, absent="random/1")
            game = game_name(path)
            seat = 0
            async with channel(players[0]) as first, channel(players[1]) as second, channel(players[2]) as third:
                mine = (first, second, third)
                while len((seen := await players[0].look(path))["to_act"]) > 1:
                    seat = seen["to_act"][0]
                    moves = (await mine[seat].did("legal_moves", game=game))["legal_moves"]
                    await mine[seat].did("move", game=game, move=moves[0])
                (seat,) = seen["to_act"]
                moves = (await mine[seat].did("legal_moves", game=game))["legal_moves"]
                wall.sleep(100)
                for _ in range(2):
                    late = await mine[seat].problem(409, "out-of-time", "move", game=game, move=moves[0])
                    assert (late["seat"], late["can_return"]) == (seat, True)
                    assert "game" not in late
                back = await mine[seat].did("join", game=game)
                assert back["type"] == "joined"
                kinds = [each["event"]["type"] for each in await players[seat].events(path)]
                assert kinds.count("gone") == kinds.count("rejoined") == 1
