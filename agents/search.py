"""`deep`: flat Monte Carlo search over imagined worlds.

The strongest published bot names its best moves. Each of them is tried in the same imagined worlds, and the rest of the
round is played out by that bot. The move with the most points ahead of the other seats is chosen. The budget is a
number of worlds and moves, never a time, so the same game can be played again.
"""

from collections.abc import Mapping, Sequence
from random import Random
from statistics import fmean, stdev
from typing import Any, NamedTuple, TypeVar

from agents.table import Bot, Question, Rules
from domain.ruleset import Choose, Seat

C = TypeVar("C")

DOUBT = 1.0
"""By how many standard errors a move must be better than the bot's own choice."""

HOPELESS = 2.0
"""By how many standard errors a move that is not tried any more is worse than the bot's own choice."""
LOOK = 8
"""Worlds between two looks at which moves are worth trying."""

LONGEST = 600
"""Choices after which a playout is given up; what counts then is the standing."""


class Lots:
    """Random numbers for playouts, cheaper than those of a game, which are derived from a secret."""

    __slots__ = ("_random",)

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def below(self, n: int) -> int:
        return int(self._random.random() * n)

    def shuffled(self, items: Sequence[C]) -> tuple[C, ...]:
        cards = [*items]
        self._random.shuffle(cards)
        return tuple(cards)


class Budget(NamedTuple):
    """What a choice may cost. It is never a time, so the same game can be played again."""

    worlds: int
    moves: int
    """How many moves are tried in each world."""
    turns: int | None = None
    """After how many turns of the own seat a playout ends and the cards on the table are appraised; None: it goes on
    to the end of the round.
    """


def deep(budget: Budget) -> Bot:
    """The bot that searches with this budget."""

    def choose(question: Question) -> int:
        rules, seat, legal = question.rules, question.seat, question.legal
        policy = strongest(rules)
        candidates = best_moves(policy, question, budget.moves)
        tried: dict[int, list[float]] = {candidate: [] for candidate in candidates}
        for number in range(budget.worlds):
            if len(tried) == 1:
                break
            seed = question.dice.below(2**32)
            history = rules.imagine(question.initial, question.seen, seat, Lots(seed))
            world = rules.fold(question.initial, history)
            for candidate, gains in tried.items():
                gains.append(gained(rules, policy, world, seat, legal[candidate], Lots(seed), budget.turns))
            if number % LOOK == LOOK - 1:
                tried = hopeful(tried)
        return better_than_first(tried)

    return Bot(choose, looks_back=True)


def compared(sample: Sequence[float], first: Sequence[float]) -> tuple[float, float]:
    """By how much the sample exceeds the first one, and the standard error of that.

    All samples are of the same worlds, so the differences are what counts.
    """
    differences = [one - other for one, other in zip(sample, first, strict=True)]
    error = stdev(differences) / len(differences) ** 0.5 if len(differences) > 1 else 0.0
    return fmean(differences), error


def hopeful(tried: Mapping[int, list[float]]) -> dict[int, list[float]]:
    """The first move, and those that are not worse by `HOPELESS` standard errors: the others cost no more playouts."""
    first, *others = tried
    kept = {first: tried[first]}
    for move in others:
        mean, error = compared(tried[move], tried[first])
        if mean > -HOPELESS * error:
            kept[move] = tried[move]
    return kept


def better_than_first(tried: Mapping[int, Sequence[float]]) -> int:
    """The move with the highest mean among those that exceed the first by `DOUBT` standard errors.

    With few worlds the highest mean alone is often luck, and the first move is that of a bot that plays well.
    """
    chosen, *others = tried
    first, best = tried[chosen], 0.0
    for move in others:
        mean, error = compared(tried[move], first)
        if mean > max(best, DOUBT * error):
            best, chosen = mean, move
    return chosen


def strongest(rules: Rules) -> Choose[Any, Any]:
    """The last of the published bots."""
    return [*rules.bots.values()][-1]


def best_moves(policy: Choose[Any, Any], question: Question, most: int) -> list[int]:
    """The indices of the moves that the bot chooses when those it chose before are not there; the best first."""
    left, best = [*range(len(question.legal))], list[int]()
    while left and len(best) < most:
        chosen = policy(question.view, question.seat, [question.legal[index] for index in left], question.dice)
        best.append(left.pop(chosen))
    return best


def gained(
    rules: Rules, policy: Choose[Any, Any], world: Any, seat: Seat, move: Any, lots: Lots, turns: int | None = None
) -> float:
    """The points that the seat gains on the mean of the others if it makes the move now, until the round ends, or
    until it has had some more turns.

    In a playout every seat sees the whole imagined world: to fold a view for each would multiply the time.
    """
    before = rules.standing(world)
    chosen = together(rules, policy, world, lots, {seat: move})
    state, last = rules.fold(world, rules.decide(world, seat, move)), seat
    for _ in range(LONGEST):
        if rules.standing(state) != before:
            break
        if acting := rules.to_act(state):
            now = acting[0]
            if turns is not None and now == seat != last:
                turns -= 1
                if not turns:
                    return ahead(appraised(rules, state), seat)
            if now not in chosen:
                chosen = together(rules, policy, state, lots, {})
            choice = chosen.pop(now)
            if choice not in (legal := rules.legal(state, now)):  # another seat's choice has ended the common one
                choice = legal[policy(state, now, legal, lots)]
            state = rules.fold(state, rules.decide(state, now, choice))
            last = now
        elif events := rules.deal(state, lots):
            state = rules.fold(state, events)
        else:
            break
    gains = [after - earlier for after, earlier in zip(rules.standing(state), before, strict=True)]
    return ahead(gains, seat)


def together(
    rules: Rules, policy: Choose[Any, Any], state: Any, lots: Lots, made: Mapping[Seat, Any]
) -> dict[Seat, Any]:
    """The choices of all seats that have one now, from the same state: none sees what another one has chosen."""
    chosen = {}
    for seat in rules.to_act(state):
        if seat not in made:
            legal = rules.legal(state, seat)
            chosen[seat] = legal[policy(state, seat, legal, lots)]
    return chosen


def appraised(rules: Rules, state: Any) -> tuple[int, ...]:
    assert rules.appraise is not None, "without it playouts go on to the end of the round"
    return rules.appraise(state)


def ahead(points: Sequence[float], seat: Seat) -> float:
    """The seat's points less the mean of the others."""
    own = points[seat]
    return own - (sum(points) - own) / (len(points) - 1)
