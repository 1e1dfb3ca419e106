"""A random game without the service."""

from collections.abc import Iterator
from random import Random
from typing import Any

from domain.fairness.chance import Dealer
from domain.ruleset import Ruleset


def random_play(
    rules: Ruleset[Any, Any, Any], state: Any, seed: int, moves: int, rare: type | None = None
) -> Iterator[tuple[Any, Any, Any]]:
    """Yield (state before, event, state after) for each event; stop after `moves` moves.

    Every type of move is equally likely. Otherwise types with many variants, such as swaps, would dominate. A `rare`
    one is one of ten as long as there is another one.
    """
    dice, steps = Random(seed), 0
    while True:
        events = rules.deal(state, Dealer(b"key", str(seed), (), "step", steps))
        steps += 1
        if not events:
            acting = rules.to_act(state)
            if not acting or not moves:
                return
            moves -= 1
            seat = dice.choice(acting)
            listed = rules.legal(state, seat)
            if rare and dice.random() < 0.9:
                listed = [move for move in listed if not isinstance(move, rare)] or listed
            kind = dice.choice(sorted({type(move).__name__ for move in listed}))
            events = rules.decide(state, seat, dice.choice([move for move in listed if type(move).__name__ == kind]))
        for event in events:
            before, state = state, rules.evolve(state, event)
            yield before, event, state
