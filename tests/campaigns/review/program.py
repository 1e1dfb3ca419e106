"""Measures the review on games with planted errors, with long computations for a truth; resumes where it was cut."""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Mapping
from itertools import permutations
from pathlib import Path
from statistics import fmean
from time import process_time
from typing import Any

from agents.bots import bot_named
from agents.review.accounts import account
from agents.review.hints import hint
from agents.review.job import quickly
from agents.review.moments import Moment, moments, outcomes, whole
from agents.review.played import Made, Played, played_by
from agents.review.values import SameLots, Sample, Valuation
from agents.review.weighing import (
    PLANS,
    SURE,
    Weighed,
    Weighing,
    category,
    differing,
    first_of,
    in_this_process,
    thresholds,
)
from agents.table import Table
from domain.game import Rules
from domain.review import Review
from domain.rulesets import RULESETS
from service.extensions.puzzles.finding import puzzles
from tests.campaigns.review.figures import JUDGES, Row
from tests.campaigns.review.games import SEATS, trial, truth

GAMES = {"recall": 20, "luck": 100, "order": 30, "search": 24, "blind": 2, "hints": 3, "times": 2, "first": 5}
"""By trial, unless said otherwise."""
SEARCH = "deep:8x4"
TRUTH = 120
"""Worlds of the truth."""
MORE_TRUTH = {"skyjo": 480}
"""By ruleset: where results spread so widely that the truth itself would else be off by more than half a threshold."""
WORLDS = {"luck": 24, "search": 48}
"""Worlds for each choice of an account."""
EVERY = 10
"""At one choice in this many a hint is tried, and blindness."""
ORDERS = [*permutations(("careful", "erring", "random"))]


def weighed(played: Played, plan: str, *, claims: bool = True) -> Weighing:
    """For claims, or for accounts and means."""
    values, chosen = Valuation(played.rules, played.head), [*moments(played)]
    weighing = Weighing(values, chosen, PLANS[plan], range(played.seats), in_this_process(values, chosen))
    for phase in (weighing.first, weighing.refine if claims else weighing.accounts):
        for _ in phase():
            pass
    return weighing


def recall(rules: Rules, number: int) -> Iterator[Row]:
    """Every choice that is planted or claimed, beside the truth."""
    made = trial(rules, ["erring"] * SEATS, number)
    values, limits, scale = Valuation(rules, b"truth" + made.played.head), thresholds(rules, SEATS), SEATS - 1
    weighing = weighed(made.played, "standard")
    for each in weighing.reviewed:
        claim, planted = weighing.claimed(each), each.moment.number in made.planted
        if claim or planted:
            found = truth(values, each.moment, each.best, MORE_TRUTH.get(rules.name, TRUTH))
            yield {
                "move": each.moment.number, "planted": planted, "claim": claim, "claimed": each.loss()[0] / scale,
                "true": found.loss / scale, "error": found.error / scale, "gap": found.gap / scale,
                "costly": category(found.loss - SURE * found.error, limits), "least": limits[0] / scale,
            }  # fmt: skip
    yield {}


def luck(rules: Rules, number: int) -> Iterator[Row]:
    """The luck and own choices of the house player at a table with two erring ones, unshrunk."""
    names = ["erring"] * SEATS
    names[number % SEATS] = "careful"
    played = trial(rules, names, number).played
    found = account(
        whole(outcomes(played)), differing(Valuation(rules, played.head), played, WORLDS["luck"], range(SEATS)),
        number % SEATS, shrunk=False,
    )  # fmt: skip
    yield {"luck": {"careful": float(found.luck)}, "own": {"careful": float(found.errors + found.finds)}}


def order(rules: Rules, number: int) -> Iterator[Row]:
    """The mean loss of a choice by player, from the check, and what their choices bring."""
    names = ORDERS[number % len(ORDERS)]
    played = trial(rules, names, number).played
    weighing = weighed(played, "quick", claims=False)
    outcome = whole(outcomes(played))
    loss, own = dict[str, float](), dict[str, float]()
    for seat, name in enumerate(names):
        loss[name] = mean_loss([each for each in weighing.reviewed if each.moment.seat == seat])
        found = account(outcome, weighing.all, seat, shrunk=False)
        own[name] = float(found.errors + found.finds)
    yield {"loss": loss, "own": own}


def mean_loss(choices: list[Weighed]) -> float:
    return fmean([each.checked_loss()[0] for each in choices]) / (SEATS - 1)


def search(rules: Rules, number: int) -> Iterator[Row]:
    """A search against two house players."""
    seat = number % SEATS
    bots = [bot_named(rules, SEARCH if each == seat else "careful") for each in range(SEATS)]
    played = played_by(Table(rules, rules.options(**rules.board), bots, b"search%26d" % number))
    made = differing(Valuation(rules, played.head), played, WORLDS["search"], {seat})
    found = account(whole(outcomes(played)), made, seat, shrunk=False)
    yield {"points": float(found.result), "own": float(found.errors + found.finds)}


def blind(rules: Rules, number: int) -> Iterator[Row]:
    """A choice in the game, and in an imagined one in which every card that its seat has not seen is drawn anew."""
    played = trial(rules, ["careful", "erring", "random"], number).played
    values, alike, asked = Valuation(rules, played.head), 0, [*moments(played)][::EVERY]
    for moment in asked:
        other = elsewhere(played, moment)
        alike += other == moment and told(values, other) == told(values, moment)
    yield {"alike": alike, "asked": len(asked)}


def elsewhere(played: Played, moment: Moment) -> Moment:
    """The same choice in another game that its seat could not tell from this one."""
    history = played.rules.imagine(moment.start, moment.seen, moment.seat, SameLots(moment.number))
    made = Made(len(history), moment.seat, moment.legal[moment.made], moment.version)
    other = next(moments(Played(played.rules, moment.start, history, [made], played.head)))
    return other._replace(number=moment.number, round=moment.round)


def told(values: Valuation, moment: Moment) -> bytes:
    """All figures of the sift and the check."""
    found = first_of(PLANS["quick"], values, [moment], 0)
    assert found is not None
    sifted, checked = found
    return repr((sifted.house, sifted.best, sifted.sample.by_move, checked and checked.by_move)).encode()


def hints(rules: Rules, number: int) -> Iterator[Row]:
    """How many choices are puzzles, and what the first move of a hint gains on the made one, in points."""
    played = trial(rules, ORDERS[number % len(ORDERS)], number).played
    values, asked = Valuation(rules, b"truth" + played.head), [*moments(played)]
    gains = []
    for moment in asked[::EVERY]:
        advice = hint(rules, moment.start, moment.seen, moment.seat, played.head).moves[0]
        gains.append(gained(values, moment, moment.legal.index(advice)))
    yield {"puzzles": len([*puzzles(played)]), "choices": len(asked), "gains": gains}


def gained(values: Valuation, moment: Moment, advice: int) -> float:
    """By the move that is advised over the made one, in points, in worlds of the truth."""
    if advice == moment.made:
        return 0.0
    sample = Sample([advice, moment.made])
    for number in range(TRUTH):
        sample.add(sample.moves, values.tried(moment, sample.moves, "truth", number))
    return sample.gap(advice, moment.made, moment.seat)[0] / (SEATS - 1)


def times(rules: Rules, number: int) -> Iterator[Row]:
    """The processor time of sift and check of some choices, by the standard plan."""
    played = trial(rules, ["careful", "erring", "careful"], number).played
    asked, values = [*moments(played)][::EVERY], Valuation(rules, played.head)
    began = process_time()
    for place in range(len(asked)):
        first_of(PLANS["standard"], values, asked, place)
    yield {"asked": len(asked), "milliseconds": 1000 * (process_time() - began)}


def first(rules: Rules, number: int) -> Iterator[Row]:
    """The processor time until somebody who waits has the first answer about one seat of a whole game."""
    played = trial(rules, ["careful", "erring", "careful"], number, short=False).played
    began = process_time()
    steps = quickly(played, "standard", {number % SEATS}, None)
    next(step for step in steps if isinstance(step, Review))
    yield {"moves": len(played.moves), "seconds": process_time() - began}


TRIALS: Mapping[str, Callable[[Rules, int], Iterator[Row]]] = {
    "recall": recall, "luck": luck, "order": order, "search": search, "blind": blind, "hints": hints,
    "times": times, "first": first,
}  # fmt: skip


def rows_of(file: Path) -> list[dict[str, Any]]:
    """What was measured before. Games that were cut are left out."""
    if not file.exists():
        return []
    rows = [json.loads(line) for line in file.read_text().splitlines() if line.endswith("}")]
    done = {row["game"] for row in rows if "done" in row}
    return [row for row in rows if row["game"] in done]


def main(asked: Namespace) -> int:
    """Measure what the files lack, then judge it."""
    missed = False
    asked.rows.mkdir(parents=True, exist_ok=True)
    for name in asked.rulesets:
        rules, file = RULESETS[name], asked.rows / f"{asked.trial}-{name}.jsonl"
        before = rows_of(file)
        file.write_text("".join([json.dumps(row) + "\n" for row in before]))
        done = {row["game"] for row in before}
        for number in range(asked.first, asked.first + (asked.games or GAMES[asked.trial])):
            if number not in done:
                measured = [dict(row) for row in TRIALS[asked.trial](rules, number)]
                measured[-1]["done"] = True
                with file.open("a") as out:
                    out.writelines([json.dumps({"rules": name, "game": number} | row) + "\n" for row in measured])
        for figure in JUDGES[asked.trial](rows_of(file)):
            sys.stdout.write(f"{'' if figure.reached else 'missed: '}{name}: {figure.name}: {figure.value}\n")
            missed = missed or not figure.reached
    return int(missed)


def options(parser: ArgumentParser) -> None:
    parser.add_argument("trial", choices=[*TRIALS])
    parser.add_argument("rulesets", nargs="*", default=[*RULESETS], metavar="RULESET")
    parser.add_argument("--games", type=int, help=f"default: {GAMES}")
    parser.add_argument("--first", type=int, default=0, help="number of the first game; each number is another game")
    parser.add_argument("--rows", type=Path, default=Path("build/review"), help="folder of what has been measured")
