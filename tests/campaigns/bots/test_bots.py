"""The campaign: it plays the arenas that it should, and notices figures that miss their bounds."""

import re

import pytest

from domain.rulesets import RULESETS
from tests.campaigns import __main__ as campaigns
from tests.campaigns.bots import program as campaign
from tests.campaigns.bots.program import played


@pytest.mark.turns("rulesets")
@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_match_shows_the_difference(ruleset: str):
    """In the direction in which the ruleset counts: `easy` is better than `random` and worse than `careful`."""
    found = played(ruleset, dict(RULESETS[ruleset].board), ("careful", "easy", "random"), 3, 3, 2)
    points = {each.bot: each.points.mean for each in found.standings}
    assert points["careful"] > points["easy"] > points["random"]


@pytest.mark.checked
def test_a_missed_bound_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """No share of victories is above 100 %, no game is over at once, and every choice takes some time."""
    monkeypatch.setattr(campaign, "LONGEST", 0)
    monkeypatch.setattr(campaign, "VARIANTS", {})
    monkeypatch.setattr(campaign, "BOUNDS", {"scandaroon": campaign.BOUNDS["scandaroon"]._replace(
        against_easy=1.1, against_random=-9)})  # fmt: skip
    monkeypatch.setattr(campaign, "SLOWEST", 1000.0)
    assert campaigns.main(["bots", "scandaroon", "--boards", "2", "--games", "1"]) == 1
    told = capsys.readouterr().out
    assert re.findall("^missed: .*", told, re.MULTILINE) == [
        "missed: scandaroon against `easy/1`",
        "missed: scandaroon for 3",
        "missed: scandaroon for 4",
    ]
