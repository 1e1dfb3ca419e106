"""Given a state, when a seat makes a move, then these events: the form of all tests of rules.

    given(RULES, state).when(0, Draw()).then(Drawn(0, 5)).when(0, Toss()).then(Tossed(0, 5))
    given(RULES, state).when(1, Draw()).illegal()

Every step returns the state after it, so steps can be chained.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from domain.fairness.chance import Chance
from domain.ruleset import Illegal, Ruleset, Seat, Viewer


class InOrder:
    """A chance that leaves all cards as they lie and draws these lots, then 0. It remembers what it was asked."""

    def __init__(self, *lots: int) -> None:
        self.lots = list(lots)
        self.asked: list[Any] = []

    def below(self, n: int) -> int:
        self.asked.append(n)
        return self.lots.pop(0) if self.lots else 0

    def shuffled(self, items: Sequence[Any]) -> tuple[Any, ...]:
        self.asked.append(tuple(items))
        return tuple(items)


class Given(NamedTuple):
    """A state and the events of the last move; None if the move was refused."""

    rules: Ruleset[Any, Any, Any]
    state: Any
    events: Sequence[Any] | None = ()

    def when(self, seat: Seat, move: Any) -> "Given":
        assert self.events is not None, "the move before this one was refused"
        try:
            events = self.rules.decide(self.state, seat, move)
        except Illegal:
            return self._replace(events=None)
        return Given(self.rules, self.rules.fold(self.state, events), events)

    def dealt(self, chance: Chance) -> "Given":
        """Apply one step of the dealer."""
        events = self.rules.deal(self.state, chance)
        return Given(self.rules, self.rules.fold(self.state, events), events)

    def restocked(self) -> "Given":
        """With all steps of the dealer that are due, and the events of all of them."""
        game = self
        while game.events is not None and (more := game.rules.deal(game.state, InOrder())):
            game = Given(game.rules, game.rules.fold(game.state, more), [*game.events, *more])
        return game

    def then(self, *events: Any) -> "Given":
        """Assert that the last step led to exactly these events."""
        assert self.events is not None, "the move was refused"
        assert tuple(self.events) == events
        return self

    def illegal(self) -> None:
        assert self.events is None, f"the move was accepted: {self.events}"

    def legal(self, seat: Seat, *moves: Any) -> "Given":
        """Assert that exactly these moves are legal, in any order."""
        listed = self.rules.legal(self.state, seat)
        assert sorted(map(repr, listed)) == sorted(map(repr, moves))
        return self

    def sequences(self, depth: int) -> int:
        """The number of sequences of that many moves from here, if a shuffle keeps the order."""
        moves = [(seat, move) for seat in self.rules.to_act(self.state) for move in self.rules.legal(self.state, seat)]
        if depth == 1:
            return len(moves)
        return sum(self.when(*move).restocked().sequences(depth - 1) for move in moves)

    def shown(self, viewer: Viewer) -> list[Any]:
        """The last events as redacted for the viewer."""
        assert self.events is not None, "the move was refused"
        return [self.rules.redact(event, viewer) for event in self.events]


def given(rules: Ruleset[Any, Any, Any], state: Any, *events: Any) -> Given:
    """Start from this state, with these events applied."""
    return Given(rules, rules.fold(state, events))
