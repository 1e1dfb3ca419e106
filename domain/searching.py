"""A flat Monte Carlo search over imagined worlds: how `deep` plays.

A published bot, the policy, names its best moves. Each of them is tried in the same imagined worlds, and the rest of
the round is played out by the policy. The move with the most points ahead of the other seats is chosen. The budget is a
number of worlds and moves, never a time, and everything is counted in integers: the same question always has the same
answer, on every machine.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, TypeAlias, TypeVar

from domain.bots import lead
from domain.fairness.chance import Chance
from domain.imagining import NothingImagined
from domain.ruleset import BotName, Budget, Choose, Ruleset, Seat, Sight

C = TypeVar("C")
Rules: TypeAlias = Ruleset[Any, Any, Any]

LOOK = 8
"""Worlds between two looks at which moves are worth trying."""

LONGEST = 600
"""Choices after which a playout is given up; what counts then is the standing."""

MOST_SEEN = 2_000
"""Events that a seat has seen at most when it imagines: every world repeats them. Later the policy chooses."""


class Lots:
    """Random numbers for playouts, cheaper than those of a game, which are derived from a secret.

    Only `random` and `getrandbits` are used, which give the same numbers in every version of Python.
    """

    __slots__ = ("_random",)

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def below(self, n: int) -> int:
        return int(self._random.random() * n)

    def shuffled(self, items: Sequence[C]) -> tuple[C, ...]:
        """Fisher-Yates from the end."""
        cards, bits = [*items], self._random.getrandbits
        for place in range(len(cards) - 1, 0, -1):
            width = (place + 1).bit_length()
            while (other := bits(width)) > place:
                pass
            cards[place], cards[other] = cards[other], cards[place]
        return tuple(cards)


def searchers_choice(rules: Rules, budget: Budget, seen: Sight, drawn: int) -> Any:
    """The move that the search chooses with that lot."""
    return seen.legal[searched(rules, budget, seen, Lots(drawn))]


def searched(rules: Rules, budget: Budget, sight: Sight, dice: Chance) -> int:
    """The index of the move that the search chooses."""
    policy = policy_of(rules, budget)
    candidates = best_moves(policy, sight, budget.moves, dice)
    if len(candidates) == 1 or len(sight.seen) > MOST_SEEN:
        return candidates[0]
    tried: dict[int, list[int]] = {candidate: [] for candidate in candidates}
    for number in range(budget.worlds):
        if len(tried) == 1:
            break
        seed = dice.below(2**32)
        try:
            history = rules.imagine(sight.initial, sight.seen, sight.seat, Lots(seed))
        except NothingImagined:
            return candidates[0]
        world = rules.fold(sight.initial, history)
        for candidate, gains in tried.items():
            gains.append(gained(rules, policy, world, sight.seat, sight.legal[candidate], Lots(seed), budget.turns))
        if number % LOOK == LOOK - 1:
            tried = hopeful(tried)
    return better_than_first(tried)


def policy_of(rules: Rules, budget: Budget) -> Choose[Any, Any]:
    return rules.bots[budget.policy or ruler(rules)]


def ruler(rules: Rules) -> BotName:
    """The bot that reviews and hints measure by."""
    return rules.ruler or [*rules.bots][-1]


def best_moves(policy: Choose[Any, Any], sight: Sight, most: int, dice: Chance) -> list[int]:
    """The indices of the moves that the bot chooses when those it chose before are not there; the best first."""
    left, best = [*range(len(sight.legal))], list[int]()
    while left and len(best) < most:
        chosen = policy(sight.view, sight.seat, [sight.legal[index] for index in left], dice)
        best.append(left.pop(chosen))
    return best


def compared(sample: Sequence[int], first: Sequence[int]) -> tuple[int, int]:
    """The sum of the differences to the first sample, and the sum of their squares.

    All samples are of the same worlds, so the differences are what counts.
    """
    differences = [one - other for one, other in zip(sample, first, strict=True)]
    return sum(differences), sum([each * each for each in differences])


def hopeful(tried: Mapping[int, list[int]]) -> dict[int, list[int]]:
    """The first move, and those that are not worse by two standard errors: the others cost no more playouts.

    The mean is `total / n`, the square of its standard error `(squares - total² / n) / (n - 1) / n`.
    """
    first, *others = tried
    kept = {first: tried[first]}
    for move in others:
        n, (total, squares) = len(tried[move]), compared(tried[move], tried[first])
        if total > 0 or total * total * (n + 3) < 4 * n * squares:
            kept[move] = tried[move]
    return kept


def better_than_first(tried: Mapping[int, Sequence[int]]) -> int:
    """The move with the highest mean among those that exceed the first by more than one standard error, which is the
    case if the square of the sum exceeds the sum of the squares.

    With few worlds the highest mean alone is often luck, and the first move is that of a bot that plays well.
    """
    chosen, *others = tried
    first, best = tried[chosen], 0
    for move in others:
        total, squares = compared(tried[move], first)
        if total > best and (total * total > squares or len(first) == 1):
            best, chosen = total, move
    return chosen


def gained(
    rules: Rules, policy: Choose[Any, Any], world: Any, seat: Seat, move: Any, lots: Lots, turns: int | None = None
) -> int:
    """The lead that the seat gains if it makes the move now, until the round ends, or until it has had some more turns.

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
                    return lead(appraised(rules, state), seat)
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
    return lead([after - earlier for after, earlier in zip(rules.standing(state), before, strict=True)], seat)


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
