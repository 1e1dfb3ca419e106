"""The standings: who has played what, how well, and best first."""

from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from domain.rulesets import RULESETS
from tests.service.api.test_bad_input import CURSORS, NUMBERS
from tests.support.clients import Caller, Service, done, fewest, in_process, play, play_to_the_end, problem

FIRST = next(iter(RULESETS))

pytestmark = [pytest.mark.anyio, pytest.mark.slow, pytest.mark.turns("servers")]


@pytest.fixture
async def house(database: Path) -> AsyncIterator[Service]:
    """A service with no other games."""
    async with in_process(database) as running:
        yield running


async def results(who: Caller, of: Caller) -> dict[str, dict[str, object]]:
    """By ruleset."""
    return {each["ruleset"]: each for each in done(await who.get(f"/v1/players/{of.id}"))["results"]}


@pytest.mark.parametrize("wrong", ["none", "SKYJO", "%00", "a b", "..%2Fgames"])
async def test_standings_of_an_unknown_ruleset_are_not_found(stranger: Caller, wrong: str) -> None:
    problem(await stranger.get(f"/v1/standings/{wrong}"), 404, "not-found")


INVALID = {
    "limit": (*NUMBERS, "101"),
    "cursor": (
        *CURSORS, "1~1~nan~p", "1~1~1.0000~p%0A", "1~1~1.0000~%00", "1~1~1.0000~%E2%82%AC", "1~1~1e400~p",
        "0~0~0.0000~p",
    ),
    "bots": ("no", "2"),
}  # fmt: skip


async def test_an_invalid_parameter_is_rejected_by_name(stranger: Caller) -> None:
    for name, values in INVALID.items():
        for value in values:
            document = problem(await stranger.get(f"/v1/standings/{FIRST}?{name}={value}"), 400, "malformed")
            assert [fault["path"] for fault in document["errors"]] == [f"?{name}"], value


async def test_a_game_counts_as_soon_as_it_is_over(house: Service, ruleset: str) -> None:
    players = await house.guests(*("Ann", "Bob", "Cem", "Dora")[: fewest(ruleset)])
    over = await play_to_the_end(players, await house.table(ruleset, players))
    scores, winners = over["result"]["scores"], over["result"]["winners"]
    items = await house.stranger.every(f"/v1/standings/{ruleset}")
    assert items[0]["rank"] == 1
    told = {each["player"]["id"]: each for each in items}
    assert told.keys() == {player.id for player in players}
    for seat, player in enumerate(players):
        mine, points = told[player.id], scores[seat]
        assert mine["player"]["name"] == player.name
        assert (mine["games"], mine["wins"]) == (1, int(seat in winners))
        assert mine["points"] == {"total": points, "lowest": points, "highest": points}
        assert mine["rating"]["ordinal"] == pytest.approx(mine["rating"]["mu"] - 3 * mine["rating"]["sigma"], abs=1e-3)
        shown = {name: mine[name] for name in ("games", "wins", "points", "rating")}
        for who in (house.stranger, player):
            assert await results(who, player) == {ruleset: {"ruleset": ruleset, **shown}}
    assert items[0]["player"]["id"] in {players[seat].id for seat in winners}


async def test_games_that_do_not_count_leave_no_trace_in_the_standings(house: Service, ruleset: str) -> None:
    players = await house.guests(*("Ann", "Bob", "Cem", "Dora")[: fewest(ruleset)])
    ann = players[0]
    await play_to_the_end(players, await house.table(ruleset, players))
    before = (await house.stranger.get(f"/v1/standings/{ruleset}")).content
    known = done(await house.stranger.get(f"/v1/players/{ann.id}"))
    await play_to_the_end(players, await house.table(ruleset, players, private=True), seed=1)
    await ann.stand(await ann.open(ruleset, private=True), 0)
    assert done(await house.stranger.get(f"/v1/players/{ann.id}")) == known
    hotseat = await ann.open(ruleset, hotseat=True)
    over = await play_to_the_end([ann] * fewest(ruleset), hotseat, seed=2)
    branch = done(await ann.post(f"{hotseat}/branches", {"at": over["version"] // 2}), 201)["links"]["self"]
    await play_to_the_end([ann] * fewest(ruleset), branch, seed=3)
    running = await house.table(ruleset, players)
    async for _ in play(players, running, Random(1)):
        break
    assert (await house.stranger.get(f"/v1/standings/{ruleset}")).content == before
    assert done(await house.stranger.get(f"/v1/players/{ann.id}"))["results"] == known["results"]
    assert done(await ann.get("/v1/players/me"))["results"] == known["results"]


async def test_a_page_links_to_the_next_one(house: Service) -> None:
    ruleset = next(name for name in RULESETS if fewest(name) == 2)
    ids = set()
    for seed in range(3):
        pair = await house.guests("Ann", "Bob")
        ids |= {player.id for player in pair}
        await play_to_the_end(pair, await house.table(ruleset, pair, options={"target_points": 1}), seed)
    whole = await house.stranger.every(f"/v1/standings/{ruleset}")
    assert {each["player"]["id"] for each in whole} == ids
    # The three winners of one game each are rated alike, and so are the losers.
    assert [each["rank"] for each in whole] == [1, 1, 1, 4, 4, 4]
    for limit in (1, 2, 4):
        assert await house.stranger.every(f"/v1/standings/{ruleset}", limit=limit) == whole
    answer = await house.stranger.get(f"/v1/standings/{ruleset}", limit=4)
    assert answer.headers["link"] == f'<{answer.json()["next"]}>; rel="next"'


async def test_any_well_formed_cursor_is_a_position_in_the_standings(stranger: Caller, ruleset: str) -> None:
    for cursor in ("1~1~99999.0000~zz", "999999999~1~-99999.9999~A", "1~1~0.0000~a.b:c@d|e_f-g"):
        done(await stranger.get(f"/v1/standings/{ruleset}", cursor=cursor))
