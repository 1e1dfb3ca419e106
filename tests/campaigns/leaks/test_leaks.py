"""Nobody can tell two worlds apart by anything that the service sends before a card that differs is laid open to him.

A few games of every ruleset are played here; `make nightly` plays thousands. What the canaries of `test_canaries.py`
betray is caught by the same comparison.
"""

import os
from pathlib import Path
from random import Random

import pytest

from domain.rulesets import RULESETS
from tests.campaigns.leaks import play
from tests.campaigns.leaks.play import LOOKS, Terms
from tests.campaigns.leaks.session import Exchange
from tests.campaigns.leaks.worlds import both, compared, exchange_at_random

pytestmark = pytest.mark.anyio

GAMES = int(os.environ.get("LEAKS_GAMES", len(RULESETS)))
MANY = "LEAKS_GAMES" in os.environ
MOVES, LOOKED = (40, 5) if MANY else (10, 3)
"""How long each game is, and how much everybody asks after each move."""
ENOUGH = 1 if MANY else 10
"""So often somebody has to have heard the same of two tables that were not the same, or the game has shown nothing. Of
many games there are some in which the cards are soon laid open."""


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


def terms(number: int) -> Terms:
    """Every ruleset in turn with every number of seats; every fourth game is private."""
    ruleset = list(RULESETS)[number % len(RULESETS)]
    seats = RULESETS[ruleset].seats
    return Terms(ruleset, seats[number % len(seats)], number, MOVES, LOOKED, private=number % 4 == 3)


@pytest.mark.parametrize("number", range(GAMES))
async def test_nobody_hears_of_a_card_that_he_may_not_know(number: int, tmp_path: Path) -> None:
    table = terms(number)
    ours, theirs = await both(tmp_path, table, exchange_at_random(table, Random(number)))
    assert compared(table, ours, theirs) >= ENOUGH


@pytest.mark.parametrize("number", range(max(len(RULESETS), GAMES // 5)))
async def test_bystanders_of_a_hotseat_game_hear_of_no_card_that_only_its_player_may_know(
    number: int, tmp_path: Path
) -> None:
    """Its player sees the cards of all seats, and moves without naming one."""
    table = terms(number)._replace(hotseat=True)
    ours, theirs = await both(tmp_path, table, exchange_at_random(table, Random(number)))
    assert compared(table, ours, theirs) >= ENOUGH


async def test_nor_do_answers_that_lie_ready_in_redis_tell_of_it(redis_url: str, tmp_path: Path) -> None:
    """Where several processes share a log, whoever asks again is answered with what was made for another request."""
    place = redis_url.rpartition("/")[0]
    given = [{"workers": 2, "redis": f"{place}/{number}"} for number in (1, 2)]
    looks = play.the_game, play.the_game_if_it_has_changed, play.the_game_as_a_bystander, play.a_page_of_events
    table = terms(1)._replace(moves=8, looks=len(looks), of=looks)
    ours, theirs = await both(tmp_path, table, exchange_at_random(table, Random(1)), given)
    assert compared(table, ours, theirs) >= ENOUGH


async def test_whatever_can_be_asked_is_asked(tmp_path: Path) -> None:
    table = Terms(next(iter(RULESETS)), 2, seed=1, moves=2, looks=len(LOOKS))
    ours, _ = await both(tmp_path, table, Exchange(0, 0, 1))
    for viewer in {turn.asked.viewer for turn in ours.turns}:
        asked = {turn.asked.what for turn in ours.turns if turn.asked.viewer == viewer}
        assert {look.__name__ for look in LOOKS} <= asked
    statuses = {turn.heard[0].text[:3] for turn in ours.turns if turn.asked.method != "FOLLOW"}
    assert statuses == {b"200", b"201", b"204", b"304", b"400", b"401", b"403", b"404", b"409", b"412", b"422"}
