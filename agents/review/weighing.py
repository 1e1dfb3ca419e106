"""How good a choice was: three samples of worlds with different purposes, so that no figure is picked for being high.

1. *Sift*: some worlds find the move that is best. Moves that fall behind are dropped (racing).
2. *Check*: fresh worlds measure the made move, the best one, and that of the house player.
3. *Refine*: fresh worlds again for the moments that stand out, doubled as long as they may be claimed. No claim rests
   on fewer worlds because the first ones spoke for it.

The loss of a claim is measured in worlds that neither its best move nor the moment itself was chosen by.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import repeat
from typing import Any, NamedTuple, TypeAlias

from agents.review.moments import Leads, Moment, moments
from agents.review.played import Played
from agents.review.values import SameLots, Sample, Valuation
from agents.search import best_moves
from agents.table import Question, Rules
from domain.imagining import NothingImagined
from domain.ruleset import Seat

BEHIND = 2.0
"""A move is dropped if it is worse than the leading one by this many standard errors."""
DOUBT = 1.0
"""The made move counts as the best one unless another one exceeds it by this many standard errors."""
DICE = 5
"""How often the house player is asked."""
SHARES = (10, 25, 50)
"""Percent of the standard deviation of a result: from which loss on a choice is an inaccuracy, a mistake, a blunder."""
SURE = 1.28
"""Standard errors between an estimate and its lower bound: nine in ten are higher."""


class Plan(NamedTuple):
    """What a review may cost. Worlds, never a time: everybody gets the same review."""

    moves: int = 5
    """How many moves are tried besides the made one."""
    look: int = 6
    """Worlds between two looks at which moves fall behind."""
    sift: int = 18
    check: int = 24
    refine: int = 64
    most: int = 256
    """Worlds for a claim."""
    account: int = 48
    """Worlds for each choice that differs from the house player's, in the end."""


PLANS = {
    "quick": Plan(moves=4, sift=12, check=12, refine=32, most=128, account=12),
    "standard": Plan(),
    "full": Plan(moves=8, sift=24, check=48, refine=128, most=512, account=96),
}

OF_HINTS = Plan(moves=4, sift=12)
"""A player waits for a hint."""


def thresholds(rules: Rules, seats: int) -> tuple[float, ...]:
    """In leads, by category from 1 on. Empty if the ruleset's results have not been measured."""
    deviation = rules.yardstick.deviation(seats)
    return () if deviation is None else tuple([share * deviation * (seats - 1) / 1000 for share in SHARES])


def category(loss: float, limits: Sequence[float]) -> int:
    """0: none, 1: an inaccuracy, 2: a mistake, 3: a blunder."""
    return sum([loss >= limit for limit in limits])


class Sifted(NamedTuple):
    """What the sift has found of a moment: indices of legal moves."""

    house: int
    """What the house player chooses."""
    best: int
    sample: Sample


class Weighed:
    """A moment and its samples."""

    def __init__(self, moment: Moment, sifted: Sifted, checked: Sample | None = None) -> None:
        self.moment, self.sifted, self.checked = moment, sifted, checked
        self.house, self.best = sifted.house, sifted.best
        self.refined: Sample | None = None

    def loss(self) -> tuple[float, float]:
        """Of the seat that chose, with its standard error, in leads: by the refined sample, if there is one."""
        return self._lost(self.refined or self.checked)

    def checked_loss(self) -> tuple[float, float]:
        """By the check, for means over all choices: which of them are refined depends on it."""
        return self._lost(self.checked)

    def _lost(self, sample: Sample | None) -> tuple[float, float]:
        if self.best == self.moment.made or sample is None:
            return 0.0, 0.0
        return sample.gap(self.best, self.moment.made, self.moment.seat)

    def least(self) -> float:
        """What the choice has cost at least, with nine chances in ten, in leads."""
        mean, error = self.loss()
        return max(0.0, mean - SURE * error)

    def expected(self) -> Fraction:
        """What the seat could expect before its choice, in leads: after the move of the house player."""
        sample = self.sifted.sample if self.checked is None else self.checked
        values = [value[self.moment.seat] for value in sample.by_move[self.house]]
        return Fraction(sum(values), len(values))


def sift(values: Valuation, moment: Moment, plan: Plan) -> Sifted:
    """Find the best move. Raises `NothingImagined`."""
    question = Question(
        values.rules, moment.view, moment.seat, moment.legal, moment.start, moment.seen,
        SameLots(values.seed(moment, "order", 0)),
    )  # fmt: skip
    tried = best_moves(values.policy, question, plan.moves)
    house = house_move(values, moment)
    tried += [move for move in dict.fromkeys([house, moment.made]) if move not in tried]
    sample = Sample(tried)
    for number in range(plan.sift):
        sample.add(tried, values.tried(moment, tried, "sift", number, whole=False))
        if number % plan.look == plan.look - 1:
            tried = still_leading(sample, tried, moment.seat)
            if len(tried) == 1:
                break
    leader = max(tried, key=lambda move: sample.mean(move, moment.seat))
    best = leader if clearly_better(sample, leader, moment.made, moment.seat) else moment.made
    return Sifted(house, best, sample)


def house_move(values: Valuation, moment: Moment) -> int:
    """What the house player chooses: the made move if it could choose it, as one of several that it holds for equal.

    Without this every one of them would count as a difference, with nothing but noise for an effect.
    """
    seeds = [values.seed(moment, "house", number) for number in range(DICE)]
    chosen = [values.policy(moment.view, moment.seat, moment.legal, SameLots(seed)) for seed in seeds]
    return moment.made if moment.made in chosen else chosen[0]


def still_leading(sample: Sample, tried: Sequence[int], seat: Seat) -> list[int]:
    leader = max(tried, key=lambda move: sample.mean(move, seat))
    kept = []
    for move in tried:
        gap, error = sample.gap(leader, move, seat)
        if move == leader or gap < BEHIND * error or gap == error == 0:
            kept.append(move)
    return kept


def clearly_better(sample: Sample, leader: int, made: int, seat: Seat) -> bool:
    gap, error = sample.gap(leader, made, seat)
    return gap > DOUBT * error and gap > 0


# --- the steps, which can be done in any order and by any process -----------------------------------------------------


class Step(NamedTuple):
    """Worlds to be tried at a moment."""

    place: int
    """Of the moment in the list of moments."""
    moves: Sequence[int]
    purpose: str
    worlds: range
    whole: bool = False


First: TypeAlias = tuple[Sifted, Sample | None] | None
"""What sift and check have found; None if no world can be imagined."""


def first_of(plan: Plan, values: Valuation, moments: Sequence[Moment], place: int) -> First:
    """Sift and check the moment in this place. None if no world can be imagined."""
    try:
        sifted = sift(values, moments[place], plan)
        moves = compared(moments[place], sifted)
        if len(moves) == 1:
            return sifted, None
        return sifted, sampled(moves, stepped(values, moments, Step(place, moves, "check", range(plan.check))))
    except NothingImagined:
        return None


def sampled(moves: Sequence[int], worlds: Iterable[Sequence[Leads]]) -> Sample:
    sample = Sample(moves)
    for results in worlds:
        sample.add(moves, results)
    return sample


def stepped(values: Valuation, moments: Sequence[Moment], step: Step) -> list[list[Leads]]:
    """By world, the leads after each of the moves. Raises `NothingImagined`."""
    tried = partial(values.tried, moments[step.place], step.moves, step.purpose, whole=step.whole)
    return [tried(number) for number in step.worlds]


def stepped_or_none(values: Valuation, moments: Sequence[Moment], step: Step) -> list[list[Leads]] | None:
    """None if no world can be imagined."""
    try:
        return stepped(values, moments, step)
    except NothingImagined:
        return None


def compared(moment: Moment, sifted: Sifted) -> list[int]:
    """The moves that the check compares. One: the made move is the best one and that of the house player."""
    return list(dict.fromkeys([moment.made, sifted.best, sifted.house]))


Work: TypeAlias = Callable[[Callable[..., Any], Iterable[Any]], Iterator[Any]]
"""Does steps of a game, in this process or in others: (function of valuation, moments and step; steps) -> results in
the order of the steps."""


def in_this_process(values: Valuation, moments: Sequence[Moment]) -> Work:
    return lambda function, steps: map(function, repeat(values), repeat(moments), steps)


class Progress(NamedTuple):
    phase: str
    """`first`, `refine` or `accounts`."""
    done: int
    all: int


class Weighing:
    """The review of some seats' choices, in phases. Choices of house players are part of accounts only."""

    def __init__(
        self, values: Valuation, moments: Sequence[Moment], plan: Plan, seats: Collection[Seat], work: Work
    ) -> None:
        self.values, self.moments, self.plan, self.work = values, moments, plan, work
        self.limits = thresholds(values.rules, len(values.rules.standing(moments[0].view))) if moments else ()
        self.own = [place for place, each in enumerate(moments) if each.seat in seats and not each.by_bot]
        self.weighed: dict[int, Weighed] = {}
        """The choices that are reviewed, by their place in `moments`."""
        self.others: dict[int, Weighed] = {}
        """Those of others that differ from the house player's."""
        self.unimagined: list[Moment] = []

    def first(self) -> Iterator[Progress]:
        """Sift and check. After this there is an answer."""
        unlike = self.unlike()
        total = len(self.own) + len(unlike)
        found: Iterator[First] = self.work(partial(first_of, self.plan), self.own)
        for number, (place, each) in enumerate(zip(self.own, found, strict=True), 1):
            if each is None:
                self.unimagined.append(self.moments[place])
            else:
                self.weighed[place] = Weighed(self.moments[place], *each)
            yield Progress("first", number, total)
        for number, _ in enumerate(self.check(unlike, self.plan.check), 1):
            yield Progress("first", len(self.own) + number, total)

    def refine(self) -> Iterator[Progress]:
        """Refine what stands out. Each pass doubles the worlds of what is still open. What cannot be imagined so often
        is not claimed."""
        chosen, begin, end = self.outstanding(), 0, self.plan.refine
        while chosen and end <= self.plan.most:
            steps = []
            for place in chosen:
                moves = [self.weighed[place].moment.made, self.weighed[place].best]
                steps.append(Step(place, moves, "refine", range(begin, end), whole=True))
            for number, (step, results) in enumerate(zip(steps, self.work(stepped_or_none, steps), strict=True), 1):
                weighed = self.weighed[step.place]
                if results is not None:
                    weighed.refined = weighed.refined or Sample(step.moves)
                    for result in results:
                        weighed.refined.add(step.moves, result)
                yield Progress("refine", number, len(chosen))
            chosen = [place for place in chosen if self.is_open(self.weighed[place])]
            begin, end = end, 2 * end

    def accounts(self) -> Iterator[Progress]:
        """Check all choices that differ from the house player's in more worlds, whatever they have cost so far.

        To the end of the round: a check that appraises cards after some turns is a little wrong, always in the same
        direction, and that would add up over a game.
        """
        unlike = {**self.weighed, **self.others}
        wanted = {place: each for place, each in sorted(unlike.items()) if each.house != each.moment.made}
        if self.values.turns is not None:
            for each in wanted.values():
                each.checked = None
        for number, _ in enumerate(self.check(wanted, self.plan.account, whole=True), 1):
            yield Progress("accounts", number, len(wanted))

    def unlike(self) -> dict[int, Weighed]:
        """The choices of others, of house players and of seats that are not reviewed, that are not the house move."""
        own, found = {*self.own}, dict[int, Weighed]()
        for place, moment in enumerate(self.moments):
            if place not in own and (house := house_move(self.values, moment)) != moment.made:
                found[place] = Weighed(moment, Sifted(house, moment.made, Sample([moment.made])))
        return found

    def check(self, wanted: dict[int, Weighed], worlds: int, *, whole: bool = False) -> Iterator[None]:
        """Check in as many worlds in all. `whole`: to the end of the round. The others are kept once they are checked:
        nothing is known of them before.

        A choice without imagined worlds changes nothing.
        """
        steps = []
        for place, weighed in wanted.items():
            done = len(weighed.checked) if weighed.checked else 0
            steps.append(Step(place, compared(weighed.moment, weighed.sifted), "check", range(done, worlds), whole))
        for step, results in zip(steps, self.work(stepped_or_none, steps), strict=True):
            if results is not None:
                weighed = wanted[step.place]
                weighed.checked = weighed.checked or Sample(step.moves)
                for result in results:
                    weighed.checked.add(step.moves, result)
                if step.place not in self.weighed:
                    self.others[step.place] = weighed
            yield None

    @property
    def reviewed(self) -> list[Weighed]:
        """The choices that are reviewed, in their order."""
        return [each for _, each in sorted(self.weighed.items())]

    @property
    def all(self) -> list[Weighed]:
        """The choices of all seats, in their order."""
        return [each for _, each in sorted({**self.weighed, **self.others}.items())]

    def outstanding(self) -> list[int]:
        """The moments that may have cost enough for a claim: by a standard error more than the check has found."""
        if not self.limits:
            return []
        better = [(place, each) for place, each in self.weighed.items() if each.best != each.moment.made]
        return [place for place, each in better if sum(each.loss()) >= self.limits[0]]

    def is_open(self, weighed: Weighed) -> bool:
        """Whether it may be claimed: by the estimate it has cost enough for that."""
        return category(weighed.loss()[0], self.limits) > 0

    def claimed(self, weighed: Weighed) -> int:
        """The category of what the choice has cost at least; 0: nothing is claimed. Only what is refined is claimed."""
        return category(weighed.least(), self.limits) if weighed.refined else 0


def differing(values: Valuation, played: Played, worlds: int, seats: Collection[Seat]) -> list[Weighed]:
    """Only what accounts need: the choices of these seats that are not the house player's, checked."""
    chosen = [moment for moment in moments(played) if moment.seat in seats]
    weighing = Weighing(values, chosen, Plan(), (), in_this_process(values, chosen))
    for _ in weighing.check(weighing.unlike(), worlds, whole=True):
        pass
    return weighing.all
