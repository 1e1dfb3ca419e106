"""No viewer can tell two worlds apart by anything that the service sends before seeing one of the exchanged cards.

`make test` plays some rulesets, `make check` all, `make nightly` a thousand games. `test_canaries.py` shows that the
comparison finds leaks.
"""

import os
from pathlib import Path
from random import Random
from typing import Any

import pytest

from domain.rulesets import RULESETS
from tests.campaigns.leaks.play import LOOKS, SAID, Terms
from tests.campaigns.leaks.session import CHANNEL, FOLLOW, SAY, Exchange
from tests.campaigns.leaks.worlds import both, compared, exchange_at_random

pytestmark = pytest.mark.anyio

GAMES = int(os.environ.get("LEAKS_GAMES", len(RULESETS)))
MANY = "LEAKS_GAMES" in os.environ
MOVES, LOOKED = (40, 5) if MANY else (10, 3)
"""Moves of each game, and requests of each viewer after each move."""
ENOUGH = 1 if MANY else 5
"""The least number of equal answers about unequal tables; with fewer, a game proves nothing. Among many games there are
some that reveal the cards early."""


def numbers(many: int, *always: int) -> list[Any]:
    """Of games. Unless there are many, `make test` plays these and `make check` the others."""
    return [pytest.param(each, marks=() if MANY or each in always else pytest.mark.checked) for each in range(many)]


def terms(number: int) -> Terms:
    """Every ruleset in turn with every number of seats; every fourth game is private, every other one has a clock."""
    ruleset = list(RULESETS)[number % len(RULESETS)]
    seats = RULESETS[ruleset].seats
    return Terms(
        ruleset, seats[number % len(seats)], number, MOVES, LOOKED, private=number % 4 == 3, clock=number % 2 == 1
    )


@pytest.mark.parametrize("number", numbers(GAMES, 0))
async def test_no_viewer_receives_bytes_that_depend_on_a_hidden_card(number: int, tmp_path: Path) -> None:
    table = terms(number)
    ours, theirs = await both(tmp_path, table, exchange_at_random(table, Random(number)))
    assert compared(table, ours, theirs) >= ENOUGH


@pytest.mark.parametrize("number", range(max(1, GAMES // 5)))
async def test_bots_and_leavers_betray_no_card_either(number: int, tmp_path: Path) -> None:
    """A bot that cannot tell the worlds apart chooses the same in both."""
    table = terms(number)._replace(seats=3 + number % 2, bots=1 + number % 2)
    ours, theirs = await both(tmp_path, table, exchange_at_random(table, Random(number)))
    assert compared(table, ours, theirs) >= (1 if MANY else ENOUGH)
    assert {"leave", "come back"} <= {turn.asked.what for turn in ours.turns}


@pytest.mark.parametrize("number", numbers(max(len(RULESETS), GAMES // 5), 4))
async def test_bystanders_of_a_hotseat_game_learn_no_card_of_its_player(number: int, tmp_path: Path) -> None:
    """Its player sees the cards of all seats, and moves without naming one."""
    table = terms(number)._replace(hotseat=True)
    ours, theirs = await both(tmp_path, table, exchange_at_random(table, Random(number)))
    assert compared(table, ours, theirs) >= ENOUGH


async def test_cached_answers_do_not_depend_on_hidden_cards_either(redis_url: str, tmp_path: Path) -> None:
    """With several processes on one log a repeated request is answered from the cache."""
    place = redis_url.rpartition("/")[0]
    given = [{"workers": 2, "redis": f"{place}/{number}"} for number in (1, 2)]
    looks = "the game", "the game if it has changed", "the game as a bystander", "a page of events"
    table = terms(1)._replace(moves=8, looks=len(looks), of=looks)
    ours, theirs = await both(tmp_path, table, exchange_at_random(table, Random(1)), given)
    assert compared(table, ours, theirs) >= ENOUGH


@pytest.mark.checked
async def test_every_kind_of_request_is_sent_by_every_viewer(tmp_path: Path) -> None:
    table = Terms(next(iter(RULESETS)), 2, seed=1, moves=4, looks=len(LOOKS), said=len(SAID))
    ours, _ = await both(tmp_path, table, Exchange(0, 0, 1))
    for viewer in {turn.asked.viewer for turn in ours.turns}:
        asked = {turn.asked.what for turn in ours.turns if turn.asked.viewer == viewer}
        assert LOOKS.keys() <= asked
    overall = {turn.asked.what for turn in ours.turns}
    assert {f"{said} over the channel" for said in SAID} <= overall
    statuses = {turn.heard[0].text[:3] for turn in ours.turns if turn.asked.method not in (FOLLOW, CHANNEL, SAY)}
    assert statuses == {b"200", b"201", b"204", b"304", b"400", b"401", b"403", b"404", b"409", b"412", b"422"}
