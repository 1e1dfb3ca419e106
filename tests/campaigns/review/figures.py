"""What the review must reach, and the judgement of rows that were measured."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import sqrt
from statistics import fmean, median, stdev
from typing import Any, NamedTuple, TypeAlias

from agents.review.weighing import SHARES, category

Row: TypeAlias = Mapping[str, Any]
"""One line of JSON: a judged choice, or a game. In points."""


class Figure(NamedTuple):
    name: str
    value: str
    reached: bool


class Recall(NamedTuple):
    """Shares of the planted choices that are truly costly: all of them, mistakes and blunders, blunders."""

    all: float = 0.60
    mistakes: float = 0.70
    blunders: float = 0.85


RECALL: Mapping[str, Recall] = {
    "scopinion": Recall(0.35, 0.60, 0.75),
    "scandaroon": Recall(all=0.35),
}
"""By ruleset, where it is not the default."""
COSTLY = 60
"""The number of truly costly choices that shares need."""
LOW, FALSE = 0.10, 0.03
"""The largest shares of claims with a true loss below the lowest threshold, and below half of it."""
BIAS = 0.6
"""The largest mean excess of claimed losses, in lowest thresholds."""
LUCK_ERRORS = 2.6
"""Standard errors within which luck has the mean 0: five correct means fail for one set of seeds in 20."""
APART = 2.0
"""Standard errors by which players differ."""
MILLISECONDS = {"skyjo": 200, "skyjo_action": 450, "scout": 200, "scopinion": 350, "scandaroon": 850}
"""By ruleset: of processor time for the first answer about a choice, by the standard plan, from the sources."""
FIRST_ANSWER = 60
"""Seconds of processor time for the first answer about one seat."""
BY_OWN = {"scandaroon"}
"""Rulesets in which the house player and the erring one are told apart by their own choices, not by the mean loss."""


def judged(rows: Sequence[Row]) -> Iterator[Figure]:
    """Of planted errors: what is found, what is invented."""
    rows = [row for row in rows if "claim" in row]
    wanted = RECALL.get(rows[0]["rules"], Recall()) if rows else Recall()
    costly = [row for row in rows if row["planted"] and row["costly"]]
    yield Figure("costly choices", str(len(costly)), len(costly) >= COSTLY)
    for kind, (name, least) in enumerate(wanted._asdict().items(), 1):
        some = [row for row in costly if row["costly"] >= kind]
        found = sum([row["claim"] > 0 for row in some])
        yield Figure(f"found: {name}", f"{found} of {len(some)}", found >= least * len(some))
    claims = [row for row in rows if row["claim"]]
    for name, share, most in (("low claims", 1.0, LOW), ("false claims", 0.5, FALSE)):
        wrong = sum([row["gap"] < share * row["least"] for row in claims])
        yield Figure(name, f"{wrong} of {len(claims)}", wrong <= most * len(claims))
    high = sum([row["claim"] > true_category(row) for row in claims])
    yield Figure("too high a category", f"{high} of {len(claims)}", reached=True)
    excess = [(row["claimed"] - row["gap"]) / row["least"] for row in claims]
    yield Figure("bias, in lowest thresholds", told(excess), bool(excess) and fmean(excess) <= BIAS)


def true_category(row: Row) -> int:
    """By the estimate of the truth."""
    return category(row["gap"], [row["least"] * share / SHARES[0] for share in SHARES])


def luck(rows: Sequence[Row]) -> Iterator[Figure]:
    """Of the house player at a table with two erring players."""
    found = [row["luck"]["careful"] for row in rows]
    yield Figure(f"luck of careful in {len(found)} games", told(found), abs(fmean(found)) <= LUCK_ERRORS * error(found))


def order(rows: Sequence[Row]) -> Iterator[Figure]:
    """The house player loses least, a random one most."""
    for better, worse in (("careful", "erring"), ("erring", "random")):
        by_own = rows[0]["rules"] in BY_OWN and better == "careful"
        kind, sign = ("own", -1) if by_own else ("loss", 1)
        gaps = [sign * (row[kind][worse] - row[kind][better]) for row in rows]
        name = f"{kind}: {worse} beside {better} in {len(gaps)} games"
        yield Figure(name, told(gaps), fmean(gaps) > APART * error(gaps))


def search(rows: Sequence[Row]) -> Iterator[Figure]:
    """A search has better choices than the house player."""
    own, points = ([row[kind] for row in rows] for kind in ("own", "points"))
    yield Figure(f"points of the search in {len(rows)} games", told(points), reached=True)
    yield Figure("own choices of the search", told(own), fmean(own) > APART * error(own))
    yield Figure("as precise as so many times the games", f"{(stdev(points) / stdev(own)) ** 2:.1f}", reached=True)


def blind(rows: Sequence[Row]) -> Iterator[Figure]:
    """Choices that are weighed alike if every card that their seat has not seen is another one."""
    alike, asked = (sum([row[name] for row in rows]) for name in ("alike", "asked"))
    yield Figure("weighed alike", f"{alike} of {asked}", alike == asked > 0)


def hinted(rows: Sequence[Row]) -> Iterator[Figure]:
    """What the first move of a hint gains on the made one. A hint must not be worse."""
    gains = [gain for row in rows for gain in row["gains"]]
    puzzles, choices = (sum([row[name] for row in rows]) for name in ("puzzles", "choices"))
    yield Figure("puzzles", f"{puzzles} in {choices} choices", reached=True)
    yield Figure(f"{len(gains)} hints gain", told(gains), fmean(gains) > -APART * error(gains))


def times(rows: Sequence[Row]) -> Iterator[Figure]:
    """Of the first answer."""
    mean = sum([row["milliseconds"] for row in rows]) / sum([row["asked"] for row in rows])
    yield Figure("milliseconds a choice", f"{mean:.0f}", mean <= MILLISECONDS[rows[0]["rules"]])


def first(rows: Sequence[Row]) -> Iterator[Figure]:
    """About one seat, in the median game."""
    seconds = median([row["seconds"] for row in rows])
    yield Figure(f"seconds for the first answer in {len(rows)} games", f"{seconds:.0f}", seconds <= FIRST_ANSWER)


def error(values: Sequence[float]) -> float:
    """The standard error of the mean."""
    return stdev(values) / sqrt(len(values)) if len(values) > 1 else float("inf")


def told(values: Sequence[float]) -> str:
    """The mean, and half its interval of 95 %."""
    return f"{fmean(values):+.2f} ± {1.96 * error(values):.2f}" if values else "none"


JUDGES: Mapping[str, Callable[[Sequence[Row]], Iterator[Figure]]] = {
    "recall": judged, "luck": luck, "order": order, "search": search, "blind": blind, "hints": hinted,
    "times": times, "first": first,
}  # fmt: skip
"""By trial."""
