"""The lobby: filtered pages of games, newest first."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from domain.rulesets import RULESETS
from tests.support.clients import Caller, Service, done, fewest, in_process, play_to_the_end

pytestmark = [pytest.mark.anyio, pytest.mark.slow, pytest.mark.turns("servers")]


@pytest.fixture
async def house(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Service]:
    """A service with no other games."""
    async with in_process(tmp_path_factory.mktemp("lobby") / "games.db") as running:
        yield running


async def found(who: Caller, **wishes: Any) -> list[str]:
    """The paths of the games, all pages."""
    return [f"/v1/games/{each['ruleset']}/{each['id']}" for each in await who.every("/v1/games", **wishes)]


async def test_games_can_be_filtered(house: Service) -> None:
    ann, bob = await house.guests("Ann", "Bob")
    others = await house.guests("Cem", "Dora")
    games: dict[str, list[str]] = {}
    rulesets = [*RULESETS][::2]  # three are enough to tell them apart
    for name in rulesets:
        seats = [bob, *others][: fewest(name)]
        waiting = await ann.open(name)
        running = await house.table(name, seats)
        finished = await house.table(name, seats)
        await play_to_the_end(seats, finished)
        aborted = await ann.open(name)
        await ann.stand(aborted, 0)
        games[name] = [aborted, finished, running, waiting]
    everything = [game for name in reversed(rulesets) for game in games[name]]
    eve = house.stranger
    assert await found(eve) == everything
    for name, (aborted, finished, running, waiting) in games.items():
        assert await found(eve, ruleset=name) == games[name]
        for status, game in (("waiting", waiting), ("running", running), ("finished", finished), ("aborted", aborted)):
            assert await found(eve, ruleset=name, status=status) == [game]
        assert await found(eve, ruleset=name, open="true") == [waiting]
        assert await found(eve, ruleset=name, player=bob.id) == [finished, running]
        assert await found(eve, ruleset=name, player=ann.id) == [aborted, waiting]
        assert await found(eve, ruleset=name, player=ann.id, status="waiting", open="true") == [waiting]
        assert await found(eve, ruleset=name, player=bob.id, status="waiting") == []
    assert await found(eve, open="false") == everything
    assert await found(eve, player="nobody") == await found(eve, ruleset="nope") == []


async def test_a_listed_game_has_its_players_and_terms(house: Service, ruleset: str) -> None:
    ann, *others = await house.guests(*("Ann", "Bob", "Cem", "Dora")[: fewest(ruleset)])
    game = await ann.open(ruleset)
    seen = await ann.look(game)
    (listed,) = await house.stranger.every("/v1/games")
    for name in ("id", "ruleset", "rules", "status", "created_at", "private", "hotseat", "options", "result"):
        assert listed[name] == seen[name]
    assert listed["seats"] == [{"seat": seat["seat"], "player": seat["player"]} for seat in seen["seats"]]
    assert (listed["open"], listed["opener"], listed["deck"]) == (fewest(ruleset) - 1, ann.id, seen["deck"]["name"])
    for other in others:
        await other.sit(game)
    over = await play_to_the_end([ann, *others], game)
    (listed,) = await house.stranger.every("/v1/games")
    assert (listed["status"], listed["open"], listed["result"]) == ("finished", 0, over["result"])
    assert listed["finished_at"] > listed["created_at"]


@pytest.mark.parametrize("limit", [1, 3, 7, 100])
async def test_pages_of_any_size_add_up_to_the_whole_list(house: Service, ruleset: str, limit: int) -> None:
    ann = await house.guest("Ann")
    games = [await ann.open(ruleset, private=bool(number % 3 == 0)) for number in range(7)][::-1]
    assert await found(ann, limit=limit) == games
    public = [game for number, game in enumerate(games) if (6 - number) % 3]
    assert await found(house.stranger, limit=limit) == public
    assert await found(ann, limit=limit, ruleset=ruleset, status="waiting", player=ann.id, open="true") == games


async def test_pages_link_to_the_next_one_and_are_stable_when_games_are_opened(house: Service, ruleset: str) -> None:
    ann = await house.guest("Ann")
    games = [await ann.open(ruleset) for _ in range(5)][::-1]
    answer = await ann.get("/v1/games", limit=2, ruleset=ruleset)
    page = done(answer)
    assert answer.headers["link"] == f'<{page["next"]}>; rel="next"'
    await ann.open(ruleset)
    assert [each["id"] for each in done(await ann.get(page["next"]))["items"]] == [
        game.rpartition("/")[2] for game in games[2:4]
    ]
    for _ in range(15):
        await ann.open(ruleset)
    page = done(await ann.get("/v1/games"))
    assert (len(page["items"]), len(done(await ann.get(page["next"]))["items"])) == (20, 1)
