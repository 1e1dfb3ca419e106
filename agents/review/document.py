"""The review as a document: the same bytes for everybody."""

from collections.abc import Sequence
from fractions import Fraction
from statistics import fmean
from typing import Any

from msgspec import UNSET

from agents.review import accounts
from agents.review.moments import Leads, outcomes, whole
from agents.review.played import Played
from agents.review.weighing import Weighed, Weighing
from agents.search import ruler
from domain.review import CATEGORIES, Account, Choice, Mean, Point, Review, ReviewedRound


def document(played: Played, weighing: Weighing, plan: str, *, final: bool) -> Review[Any]:
    """All points are rounded."""
    results, rules, everything = outcomes(played), played.rules, weighing.all
    by_round = [[each for each in everything if each.moment.round == place] for place in range(len(results))]
    return Review(
        state="final" if final else "first",
        head=played.head.hex(),
        rules=rules.rules,
        plan=plan,
        house=next(name for name, bot in rules.bots.items() if bot is ruler(rules)),
        thresholds=tuple([hundredths(limit / (played.seats - 1)) for limit in weighing.limits]),
        accounts=accounts_of(whole(results), everything),
        rounds=tuple([
            ReviewedRound(accounts_of(outcome, made), curves(outcome, made))
            for outcome, made in zip(results, by_round, strict=True)
        ]),
        choices=tuple([choice(each, weighing, played.seats - 1, final=final) for each in weighing.reviewed]),
        unweighed=tuple([moment.version for moment in weighing.unimagined]),
        means=tuple(means(weighing, played.seats)),
    )  # fmt: skip


def accounts_of(outcome: Leads, weighed: Sequence[Weighed]) -> tuple[Account, ...]:
    return tuple([shown(accounts.account(outcome, weighed, seat)) for seat in range(len(outcome))])


def curves(outcome: Leads, weighed: Sequence[Weighed]) -> tuple[tuple[Point, ...], ...]:
    return tuple([
        tuple([
            Point(point.version, hundredths(point.expected), hundredths(point.luck))
            for point in accounts.curve(outcome, weighed, seat)
        ])
        for seat in range(len(outcome))
    ])  # fmt: skip


def shown(found: accounts.Account) -> Account:
    """Rounded so that the figures that are shown add up, too: luck takes what rounding leaves."""
    result, errors, finds, others = map(tenths, (found.result, found.errors, found.finds, found.others))
    luck = result - errors - finds - others
    return Account(result / 10, luck / 10, errors / 10, finds / 10, others / 10, round(found.error, 1))


def tenths(points: Fraction) -> int:
    return round(points * 10)


def hundredths(points: float | Fraction) -> float:
    return round(float(points), 2) + 0.0  # never -0.0


def choice(each: Weighed, weighing: Weighing, scale: int, *, final: bool) -> Choice[Any]:
    """What the choice was, what the seat could expect before it, and what it cost if another move was better."""
    moment = each.moment
    found = Choice(
        version=moment.version, round=moment.round, seat=moment.seat, made=moment.legal[moment.made],
        expected=hundredths(each.expected() / scale), as_house=each.house == moment.made, hinted=moment.hinted,
    )  # fmt: skip
    if each.best == moment.made or not (each.refined or each.checked):
        return found
    mean, error = each.loss()
    claim = weighing.claimed(each) if final else 0
    return Choice(
        version=found.version, round=found.round, seat=found.seat, made=found.made, expected=found.expected,
        as_house=found.as_house, hinted=found.hinted, best=moment.legal[each.best],
        loss=hundredths(mean / scale), error=hundredths(error / scale), worlds=len(each.refined or each.checked or ()),
        refined=each.refined is not None, category=CATEGORIES[claim - 1] if claim else UNSET,
    )  # fmt: skip


def means(weighing: Weighing, seats: int) -> list[Mean]:
    found = []
    for seat in range(seats):
        own = [each for each in weighing.reviewed if each.moment.seat == seat and not each.moment.hinted]
        if own:
            loss = fmean([each.checked_loss()[0] for each in own]) / (seats - 1)
            effects = accounts.total(accounts.effect(each, seat) for each in own) / (seats - 1)
            found.append(Mean(seat, len(own), hundredths(loss), hundredths(effects)))
    return found
