"""The measuring itself: intervals, duplicate deals, the same figures again."""

import re

import pytest

from domain.rulesets import RULESETS
from tests.campaigns.bots import __main__ as campaign
from tests.campaigns.bots import measuring
from tests.campaigns.bots.measuring import alone, match, wilson
from tests.campaigns.bots.plain import PLAIN

every_ruleset = pytest.mark.parametrize("name", RULESETS)


@pytest.mark.parametrize(
    ("mean", "n", "low", "high"),
    [(1.0, 150, 0.9750, 1.0), (0.0, 150, 0.0, 0.0250), (0.5, 100, 0.4038, 0.5962), (0.84, 450, 0.8033, 0.8710)],
)
def test_the_interval_of_a_share(mean: float, n: int, low: float, high: float):
    """Values from a table of Wilson's intervals."""
    found = wilson(mean, n)
    assert (found.low, found.high) == (pytest.approx(low, abs=1e-4), pytest.approx(high, abs=1e-4))


@every_ruleset
def test_a_bot_is_as_strong_as_itself_on_every_board(name: str):
    """The deals of a board are the same in all rotations, and so is all else if all bots are the same."""
    rules = RULESETS[name]
    careful = rules.bots["careful/1"]
    found = match(rules, {}, careful, careful, 3, 4, seed=1)
    assert found.games == 12
    assert found.victories.mean == pytest.approx(1 / 3)
    assert (found.ahead, found.within) == (pytest.approx(0, abs=1e-9), pytest.approx(0, abs=1e-9))


@every_ruleset
def test_a_match_shows_the_difference(name: str):
    """In the direction in which the ruleset counts, for either of the two bots."""
    rules = RULESETS[name]
    bots = rules.bots["careful/1"], rules.bots["random/1"]
    better, worse = match(rules, {}, *bots, 3, 6, seed=2), match(rules, {}, *reversed(bots), 3, 6, seed=2)
    assert better.ahead - better.within > 0 > worse.ahead + worse.within
    assert better.victories.mean > 0.45 > 0.25 > worse.victories.mean


@every_ruleset
def test_the_same_seed_gives_the_same_games(name: str):
    rules, plain = RULESETS[name], PLAIN[name].plain
    once, again, other = (
        match(rules, {}, rules.bots["careful/1"], plain, 3, 4, seed)._replace(p50=0, p99=0) for seed in (3, 3, 4)
    )
    assert once == again != other


def test_tables_of_one_bot_are_counted():
    rules = RULESETS["scout"]
    found = alone(rules, {}, rules.bots["random/1"], 2, 5, seed=0)
    assert (found.games, found.endless) == (5, 0)
    assert 0 < found.median <= found.longest <= found.longest_game


def test_a_missed_bound_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Two boards are too few for any bound; a table that must be over at once is too long."""
    monkeypatch.setattr(campaign, "LONGEST", 0)
    asked = campaign.arguments().parse_args(["scopinion", "scandaroon", "--boards", "2", "--games", "1"])
    monkeypatch.setattr(campaign, "VARIANTS", {})
    assert campaign.main(asked) == 1
    told = capsys.readouterr().out
    assert re.findall("^missed: .*", told, re.MULTILINE) == [
        "missed: scopinion {} against random/1",
        "missed: scopinion {} against plain",
        "missed: scandaroon {} against random/1",
        "missed: scandaroon {} against plain",
        "missed: scopinion {} for 2",
        "missed: scopinion {} for 3",
        "missed: scopinion {} for 4",
        "missed: scandaroon {} for 3",
        "missed: scandaroon {} for 4",
    ]


def test_boards_have_secrets_of_their_own():
    assert len({measuring.secret(seed, board) for seed in range(3) for board in range(50)}) == 150
