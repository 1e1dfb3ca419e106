"""The review: the parts of a result add up, and nothing is claimed that was not measured."""

from functools import cache
from typing import Any

import pytest
from msgspec import UNSET

from agents.bots import bot_named
from agents.review import accounts
from agents.review.document import document
from agents.review.job import reviewed
from agents.review.moments import moments, outcomes, whole
from agents.review.played import Played, played_by
from agents.review.values import Valuation
from agents.review.weighing import Plan, Progress, Weighing, in_this_process
from agents.table import Table
from domain.game import Rules
from domain.review import Review
from domain.rulesets import RULESETS

every_ruleset = pytest.mark.parametrize("rules", RULESETS.values(), ids=list(RULESETS))

CHEAP = Plan(moves=2, look=2, sift=2, check=3, refine=4, most=4, worst=1, account=4)


@cache
def game(rules: Rules, seats: int = 3) -> Played:
    """A short one, with errors."""
    bots = [bot_named(rules, name) for name in ("erring:30", "careful", "random")[:seats]]
    return played_by(Table(rules, rules.options(**rules.board), bots, bytes(32)))


@cache
def weighing(rules: Rules) -> Weighing:
    played, few = game(rules), 24
    chosen = [*moments(played)][:few]
    values = Valuation(rules, played.head)
    found = Weighing(values, chosen, CHEAP, range(3), in_this_process(values, chosen))
    assert [*found.first(), *found.refine(), *found.accounts()]
    return found


@every_ruleset
def test_the_parts_add_up_to_the_result(rules: Rules):
    """As fractions for every seat and round, in tenths in the document; luck is not only what is left: the curve's
    steps and the effects of all choices make the result as well."""
    played, found = game(rules), weighing(rules)
    results = outcomes(played)
    assert all(sum(outcome) == 0 for outcome in (*results, whole(results)))
    for place, outcome in enumerate(results):
        made = [each for each in found.all if each.moment.round == place]
        for seat in range(3):
            for shrunk in (False, True):
                split = accounts.account(outcome, made, seat, shrunk=shrunk)
                assert split.result == split.luck + split.errors + split.finds + split.others
                assert split.result * 2 == outcome[seat]
            points = accounts.curve(outcome, made, seat)
            effects = sum(accounts.effect(each, seat) * accounts.kept(each) for each in made)
            assert sum(point.luck for point in points) * 2 + effects == outcome[seat]
            assert sum(point.luck for point in points) == split.luck
    shown: Review[Any] = document(played, found, "quick", final=True)
    for row in (*shown.accounts, *[row for each in shown.rounds for row in each.accounts]):
        assert round(10 * row.result) == sum(round(10 * part) for part in (row.luck, row.errors, row.finds, row.others))


@every_ruleset
def test_only_refined_choices_are_claimed_and_only_at_the_end(rules: Rules):
    played, found = game(rules), weighing(rules)
    first, last = (document(played, found, "quick", final=final) for final in (False, True))
    assert all(choice.category is UNSET for choice in first.choices)
    for choice in last.choices:
        assert choice.category is UNSET or (choice.refined and choice.best is not UNSET)
    assert any(choice.best is not UNSET for choice in last.choices)


def test_a_review_is_two_documents_with_progress_before_each():
    steps = [*reviewed(game(RULESETS["scout"], 2), "quick", [0])]
    found = [step for step in steps if isinstance(step, Review)]
    assert [each.state for each in found] == ["first", "final"]
    assert found[-1] is steps[-1]
    assert isinstance(steps[0], Progress)
    assert {choice.seat for choice in found[-1].choices} == {0}
    for phase in ("first", "accounts"):
        done = [step for step in steps if isinstance(step, Progress) and step.phase == phase]
        assert [each.done for each in done] == [*range(1, done[0].all + 1)]
