"""Games as text over REST: the rights of the JSON, nothing hidden, no name of a person unless it is wanted."""

import json
from typing import Any

import pytest

from domain.codec import encode
from domain.rulesets import RULESETS
from domain.telling import Teller
from service.api.description import described
from tests.support.clients import Caller, done, play_to_the_end, problem

pytestmark = pytest.mark.anyio


def teller(ruleset: str) -> Teller:
    return Teller(json.loads(encode(described(RULESETS[ruleset]))))


async def look(caller: Caller, game: str, **query: Any) -> str:
    answer = await caller.get(f"{game}/text", **query)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    return answer.text


async def test_each_seat_reads_its_own_table_and_moves(players: list[Caller], stranger: Caller, game: str) -> None:
    """The text is that of the client for the same view; a stranger reads a bystander's."""
    for _ in range(12):
        for player in players:
            seen = done(await player.get(game, with_="tally"))
            text = await look(player, game)
            told = teller(seen["ruleset"]).tell(
                seen["view"], seen["you"], seen["legal_moves"], to_act=seen["to_act"], tally=seen["tally"]
            )
            assert text.rstrip().endswith(told.text.partition("\n\n")[2]), "the same below the events"
        bystander = await look(stranger, game)
        assert "you are seat" not in bystander and "Your choice" not in bystander
        assert bystander == await look(players[0], game, as_="bystander")
        legal = [done(await player.get(game))["legal_moves"] for player in players]
        mover = next(seat for seat, moves in enumerate(legal) if moves)
        done(await players[mover].post(f"{game}/moves", legal[mover][0]))
    assert "Since your last choice:" in await look(players[mover - 1], game), "the move of another"


async def test_a_text_has_names_only_where_they_are_wanted(players: list[Caller], game: str) -> None:
    names = [seat["player"]["name"] for seat in done(await players[0].get(game))["seats"]]
    text = await look(players[0], game)
    assert not any(f"({name})" in text for name in names)
    named = await look(players[0], game, names="true")
    assert all(name in named for name in names)
    assert "Platz" in await look(players[0], game, language="de")
    problem(await players[0].get(f"{game}/text", language="fr"), 400, "malformed")


async def test_a_text_that_the_client_has_is_not_sent_again(players: list[Caller], game: str) -> None:
    first = await players[0].get(f"{game}/text")
    again = await players[0].get(f"{game}/text", headers={"If-None-Match": first.headers["etag"]})
    assert again.status_code == 304 and not again.content
    assert first.headers["cache-control"].startswith("private")


async def test_other_seats_and_private_games_are_refused_as_in_json(
    players: list[Caller], stranger: Caller, game: str
) -> None:
    problem(await players[0].get(f"{game}/text", as_=1), 403, "forbidden")
    ruleset = game.split("/")[3]
    private = (await players[0].post(f"/v1/games/{ruleset}", {"seats": 3, "private": True})).headers["location"]
    problem(await stranger.get(f"{private}/text"), 404, "not-found")
    assert await look(players[0], private) == "waiting\n"
    problem(await stranger.get(f"/v1/games/{ruleset}/00000000-0000-4000-8000-000000000000/text"), 404, "not-found")


async def test_the_end_says_who_has_won(players: list[Caller], stranger: Caller, game: str) -> None:
    await play_to_the_end(players, game)
    assert "The game is over." in await look(stranger, game)
    assert len((await look(stranger, game)).encode()) <= 4200
