"""One player on all seats who names none: every answer is one seat's from its first byte to its last."""

from random import Random

import pytest

from tests.support.clients import Caller, any_of, done, early, play_to_the_end

pytestmark = pytest.mark.anyio


async def test_the_next_page_of_events_is_of_the_same_perspective(ann: Caller, ruleset: str) -> None:
    """Though another seat has the choice by then, or the game is over."""
    game, dice = await ann.open(ruleset, hotseat=True), Random(1)
    moves = early(ruleset, 24)
    for _ in range(moves // 4):
        await ann.move(game, any_of(await ann.moves(game), dice))
    seats = set()
    for _ in range(moves - moves // 4):
        seat = (await ann.look(game))["you"]
        seats.add(seat)
        first = done(await ann.get(f"{game}/events", limit=3))
        await ann.move(game, any_of(await ann.moves(game), dice))
        shown = [*first["items"], *done(await ann.get(first["next"]))["items"]]
        assert shown == (await ann.events(game, as_=seat))[: len(shown)]
    assert len(seats) > 1


async def test_the_pages_of_a_game_that_ends_meanwhile_stay_of_one_perspective(
    players: list[Caller], eve: Caller, ruleset: str
) -> None:
    game = await players[0].open(ruleset)
    for player in players[1:]:
        await player.sit(game)
    pages = {who: done(await who.get(f"{game}/events", limit=1)) for who in (*players, eve)}
    await play_to_the_end(players, game)
    for who, perspective in ((players[0], 0), (players[1], 1), (eve, "bystander")):
        page = pages[who]
        shown = page["items"]
        while page["next"] is not None:
            page = done(await who.get(page["next"]))
            shown += page["items"]
        assert shown[1:] == (await who.events(game, as_=perspective))[1:]
