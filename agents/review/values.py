"""What a move is worth in a world: the lead of every seat when the round is over, or some turns later."""

from collections.abc import Sequence
from hashlib import sha256
from math import sqrt
from typing import Any, TypeVar

from agents.review.moments import Leads, Moment, leads
from agents.search import ruler
from agents.table import Rules
from domain.registry import VERSIONS
from domain.ruleset import Choose, Seat
from domain.searching import LONGEST, Lots

C = TypeVar("C")


class SameLots(Lots):
    """Random numbers that are the same with every version of Python: only `Random.random` is promised to be."""

    __slots__ = ()

    def shuffled(self, items: Sequence[C]) -> tuple[C, ...]:
        cards, draw = [*items], self._random.random
        for last in range(len(cards) - 1, 0, -1):
            other = int(draw() * (last + 1))
            cards[last], cards[other] = cards[other], cards[last]
        return tuple(cards)


class Valuation:
    """How moves are valued. Worlds and dice follow from the head of the game, so everybody computes the same."""

    def __init__(self, rules: Rules, head: bytes) -> None:
        self.rules, self.head = rules, head
        self.policy: Choose[Any, Any] = ruler(rules)
        self.turns = rules.yardstick.turns if rules.appraise is not None else None

    def seed(self, moment: Moment, purpose: str, number: int) -> int:
        text = f"review:{moment.number}:{purpose}:{number}".encode()
        return int.from_bytes(sha256(self.head + text).digest()[:8], "big")

    def world(self, moment: Moment, seed: int) -> Any:
        """A state in which the seat has seen exactly this. Raises `NothingImagined`."""
        history = self.rules.imagine(moment.start, moment.seen, moment.seat, SameLots(seed))
        return self.rules.fold(moment.start, history)

    def tried(
        self, moment: Moment, moves: Sequence[int], purpose: str, number: int, *, whole: bool = True
    ) -> list[Leads]:
        """The leads after each of the moves in one world, with the same dice: when the round is over, or after some
        turns, where cards can be appraised. Raises `NothingImagined`.
        """
        seed = self.seed(moment, purpose, number)
        world, turns = self.world(moment, seed), None if whole else self.turns
        return [self.played_out(world, moment.seat, moment.legal[move], SameLots(seed), turns) for move in moves]

    def played_out(self, world: Any, seat: Seat, move: Any, lots: Lots, turns: int | None = None) -> Leads:
        """The leads that the move and all that follows bring. `turns`: of the seat, after which cards are appraised."""
        rules = self.rules
        before = rules.standing(world)
        state, last = rules.fold(world, rules.decide(world, seat, move)), seat
        for _ in range(LONGEST):
            if self.is_over(state, before):
                break
            if acting := rules.to_act(state):
                if turns is not None and acting[0] == seat != last:
                    turns -= 1
                    if not turns:
                        assert rules.appraise is not None
                        return leads(rules.appraise(state))
                last = acting[0]
                state = self.moved(state, last, lots)
            elif events := rules.deal(state, lots):
                state = rules.fold(state, events)
            else:
                break
        return leads([after - earlier for after, earlier in zip(rules.standing(state), before, strict=True)])

    def is_over(self, state: Any, before: Sequence[int]) -> bool:
        """Whether a round has been scored since this standing. Where only the game counts, it ends by itself."""
        return not self.rules.yardstick.whole_game and self.rules.standing(state) != before

    def moved(self, state: Any, seat: Seat, lots: Lots) -> Any:
        """After the move that the house player makes."""
        legal = self.rules.legal(state, seat)
        return self.rules.fold(state, self.rules.decide(state, seat, legal[self.policy(state, seat, legal, lots)]))

    def __reduce__(self) -> tuple[Any, ...]:
        return valuation_of, (self.rules.rules, self.head)


def valuation_of(rules: str, head: bytes) -> Valuation:
    """By the name and version of the rules."""
    return Valuation(VERSIONS[rules], head)


class Sample:
    """The leads after some moves in the same worlds."""

    def __init__(self, moves: Sequence[int]) -> None:
        self.moves = list(moves)
        self.by_move: dict[int, list[Leads]] = {move: [] for move in moves}

    def __len__(self) -> int:
        return len(next(iter(self.by_move.values())))

    def add(self, moves: Sequence[int], results: Sequence[Leads]) -> None:
        for move, result in zip(moves, results, strict=True):
            self.by_move[move].append(result)

    def mean(self, move: int, seat: Seat) -> float:
        values = self.by_move[move]
        return sum([value[seat] for value in values]) / len(values)

    def gaps(self, one: int, other: int, seat: Seat) -> list[int]:
        """By how much the first move exceeds the second for the seat, in each world that both were tried in."""
        pairs = zip(self.by_move[one], self.by_move[other], strict=False)
        return [first[seat] - second[seat] for first, second in pairs]

    def gap(self, one: int, other: int, seat: Seat) -> tuple[float, float]:
        """The mean of the gaps, and its standard error."""
        return mean_and_error(self.gaps(one, other, seat))


def mean_and_error(values: Sequence[int]) -> tuple[float, float]:
    """Of whole numbers, so that sums are exact."""
    n, total = len(values), sum(values)
    if n < 2:
        return (total / n if n else 0.0), float("inf")
    spread = (n * sum([value * value for value in values]) - total * total) / (n * (n - 1))
    return total / n, sqrt(max(spread, 0.0) / n)
