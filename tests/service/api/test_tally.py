"""`?with=tally`: what the cards count, of a game and of each event at which that changes."""

from random import Random
from typing import Any

import msgspec
import pytest

from domain.game import Rules
from tests.service.api.test_event_patches import lines
from tests.support.clients import Caller, done, early, play

pytestmark = pytest.mark.anyio

Json = dict[str, Any]
ABSENT = object()


async def check(who: Caller, game: str, **query: Any) -> int:
    """Law: the latest tally of the events up to version N is that of the game at N. Returns the number of tallies."""
    latest: Any = ABSENT
    told = 0
    for line in await lines(who, game, with_="tally", **query):
        item = msgspec.json.decode(line)
        assert "patch" not in item
        if "tally" in item:
            assert item["tally"] != latest
            latest, told = item["tally"], told + 1
        seen = done(await who.get(game, with_="tally", at=item["version"], **query))
        assert seen["tally"] == latest, item["version"]
    return told


async def test_tallies_of_events_are_those_of_the_game(
    players: list[Caller], stranger: Caller, game: str, ruleset: str
) -> None:
    made = play(players, game, Random(4))
    for _ in range(early(ruleset)):
        await anext(made)
    for who in (players[0], stranger):
        assert await check(who, game) > 1


async def test_a_game_has_its_tally_on_request(ann: Caller, game: str, rules: Rules) -> None:
    plain = await ann.look(game)
    answer = await ann.get(game, with_="tally")
    told = done(answer)
    tally = told.pop("tally")
    assert told == plain
    assert len(tally["points"]) == len(plain["seats"])
    assert isinstance(tally["values"], dict)
    assert "tally" not in await ann.look(game), "the answer without it is cached separately"
    again = await ann.get(game, with_="tally", headers={"If-None-Match": answer.headers["etag"]})
    assert again.status_code == 304
    waiting = await ann.open(rules.name)
    assert done(await ann.get(waiting, with_="tally"))["tally"] is None
    first, second = await ann.events(waiting, with_="patch,tally")
    assert (first["tally"], first["patch"]) == (None, [{"op": "replace", "path": "", "value": None}])
    assert "tally" not in second and second["patch"] == []


async def test_a_tally_is_redacted_like_the_view(players: list[Caller], stranger: Caller, game: str) -> None:
    """What hangs on hidden cards is null, or the same for everybody."""
    async for _, answer in play(players, game, Random(7)):
        if answer.json()["game"]["status"] != "running":
            break
        tallies = [done(await who.get(game, with_="tally"))["tally"] for who in (*players, stranger)]
        for each in tallies:
            for seat, points in enumerate(each["points"]):
                assert points in (None, tallies[seat]["points"][seat])
