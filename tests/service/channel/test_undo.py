"""Undo, votes and rematches over the play channel."""

import pytest

from tests.support.channels import channel, game_name
from tests.support.clients import Caller, play_to_the_end

pytestmark = pytest.mark.anyio


async def table(players: list[Caller], ruleset: str = "scout", **terms: object) -> str:
    game = await players[0].open(ruleset, len(players), **terms)
    for player in players[1:]:
        await player.sit(game)
    return game


async def test_a_move_is_taken_back(ann: Caller, bob: Caller, eve: Caller) -> None:
    path = await table([ann, bob, eve])
    game = game_name(path)
    async with channel(ann) as hers, channel(bob) as his:
        for each in (hers, his):
            await each.did("follow", game=game, patch=True)
            assert (await each.next("state"))["undo"] is None
        moved = await hers.did("move", game=game, move={"type": "keep"})
        assert (await hers.next("state"))["undo"] == moved["version"]
        assert (await his.next("state"))["undo"] is None
        await his.problem(409, "not-undoable", "take_back", game=game, version=moved["version"])
        back = await hers.did("take_back", game=game, version=moved["version"], key="oops")
        assert (back["type"], back["version"], back["replayed"]) == ("taken_back", moved["version"] + 1, False)
        state = await his.next("state")
        assert (state["version"], state["to_act"], state["undo"]) == (back["version"], [0, 1, 2], None)
        again = await hers.did("take_back", game=game, version=moved["version"], key="oops")
        assert (again["version"], again["replayed"]) == (back["version"], True)
        await hers.problem(409, "not-undoable", "take_back", game=game, version=moved["version"])
        await hers.problem(400, "malformed", "take_back", game=game)


async def test_players_vote(ann: Caller, bob: Caller, eve: Caller) -> None:
    path = await table([ann, bob, eve])
    game = game_name(path)
    async with channel(ann) as hers, channel(bob) as his, channel(eve) as third:
        await his.did("follow", game=game)
        assert "vote" not in await his.next("state")
        asked = await hers.did("vote", game=game, on="abort", yes=True, key="stop")
        assert (asked["type"], asked["replayed"]) == ("voted", False)
        assert (await his.next("state"))["vote"] == {"on": "abort", "seat": 0, "yes": [0]}
        await hers.problem(409, "cannot-vote", "vote", game=game, on="abort", yes=True)
        await hers.problem(400, "malformed", "vote", game=game, on="talk", yes=True)
        await his.did("vote", game=game, on="abort", yes=True)
        over = await third.did("vote", game=game, on="abort", yes=True)
        while (state := await his.next("state"))["version"] < over["version"]:
            pass
        assert (state["status"], state["cause"]) == ("aborted", "agreed")


async def test_a_game_is_repeated(ann: Caller, bob: Caller) -> None:
    path = await table([ann, bob], "skyjo")
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
