"""The committed reports of the arena, `tests/arena/*.json`: what they show, and that they can be played again."""

from pathlib import Path

import msgspec
import pytest

from agents.arena.boards import Arena, Field, Terms
from agents.arena.statistics import FEWEST, ahead_on, by_t, paired
from domain.rulesets import RULESETS

FOLDER = Path(__file__).parents[1] / "arena"
REPORTS = sorted(path.name for path in FOLDER.glob("*.json"))
STRONGER = {"scout", "scopinion", "scandaroon"}
"""Where the search beats `careful` with the whole interval."""
TRAINED = {"scout"}
"""Where a bot has learned from rounds."""


CLEAR = 0.70
"""In this share of pairs a stronger published bot has more points than the next weaker one."""


def report(name: str) -> Arena:
    return msgspec.json.decode(FOLDER.joinpath(name).read_bytes(), type=Arena)


def field(terms: Terms) -> Field:
    return Field(RULESETS[terms.rules.split("/")[0]], terms)


def test_every_ruleset_has_its_reports():
    expected = [f"{name}-{what}.json" for name in RULESETS for what in ("published", "deep")]
    trained = [f"{name}-trained{what}.json" for name in TRAINED for what in ("", "-deep")]
    assert sorted(expected + trained) == REPORTS
    assert {name for name, rules in RULESETS.items() if "trained/1" in rules.bots} == TRAINED


@pytest.mark.parametrize("name", RULESETS)
def test_each_published_bot_is_ahead_of_the_next_weaker_one(name: str):
    """What the house says of `easy`: the whole interval lies above `CLEAR`, and so it does for `careful`."""
    found = report(f"{name}-published.json")
    assert found.terms.bots == ("careful", "easy", "random")
    assert len(found.boards) >= FEWEST
    for bot in (0, 1):
        assert by_t(paired(found.boards, bot, bot + 1)).low > 0
        assert by_t([ahead_on(board, bot, bot + 1) for board in found.boards]).low > CLEAR


@pytest.mark.parametrize("name", RULESETS)
def test_what_is_said_of_the_search_holds(name: str):
    """Where it is said to be stronger the whole interval is above 0; elsewhere nothing is shown either way."""
    found = report(f"{name}-deep.json")
    interval = by_t(paired(found.boards, 0, 1))
    assert found.terms.bots[1] == "careful"
    assert (interval.low > 0) == (name in STRONGER)
    assert interval.high > 0


@pytest.mark.parametrize("name", TRAINED)
def test_a_trained_bot_is_as_far_ahead_of_the_careful_one_as_the_search(name: str):
    """By the points that the search was ahead at least; it is ahead in more than half of the pairs for certain."""
    found = report(f"{name}-trained.json")
    assert found.terms.bots == ("trained", "careful")
    assert len(found.boards) >= FEWEST
    assert by_t(paired(found.boards, 0, 1)).mean >= by_t(paired(report(f"{name}-deep.json").boards, 0, 1)).mean
    assert by_t([ahead_on(board, 0, 1) for board in found.boards]).low > 0.5


@pytest.mark.by_default("scandaroon-published")
@pytest.mark.parametrize("name", REPORTS)
def test_a_board_can_be_played_again(name: str):
    found = report(name)
    assert field(found.terms).play(0).board == found.boards[0]


@pytest.mark.by_default()
@pytest.mark.parametrize("name", [name for name in REPORTS if "published" in name])
def test_no_bot_has_become_weaker(name: str):
    """On other boards `careful` and `easy` are at most three standard errors worse than in the report."""
    found = report(name)
    other = field(msgspec.structs.replace(found.terms, seed=found.terms.seed + 1))
    boards = [other.play(number).board for number in range(50)]
    for bot in (0, 1):
        now, before = by_t(paired(boards, bot, bot + 1)), by_t(paired(found.boards, bot, bot + 1))
        error = (now.half**2 + before.half**2) ** 0.5 / 1.96
        assert now.mean > before.mean - 3 * error
