"""Histories in which a seat has seen exactly what it has seen."""

from collections.abc import Sequence
from typing import Any

from domain.fairness.chance import Chance
from domain.imagining import Shuffles, faces, open_
from domain.ruleset import Seat
from domain.rulesets.high_card.rules import HAND, Card, Dealt, HighCardEvent, Played, State, evolve


def imagine(initial: State, seen: Sequence[HighCardEvent], seat: Seat, chance: Chance) -> list[HighCardEvent]:
    """Every card is followed from the deal to where it was played; the others are shuffled."""
    state, shuffles, history = initial, Shuffles[Card](), list[Any]()
    for event in seen:
        followed: Any = event
        match event:
            case Dealt(hands):
                cards: Any = shuffles.shuffle(state.deck.cards)
                dealt = tuple([cards[i : i + HAND] for i in range(0, HAND * len(hands), HAND)])
                for covered, card in zip(dealt[seat], hands[seat], strict=True):
                    open_(covered, card)
                followed = Dealt(dealt, cards[HAND * len(hands) :])
            case Played(who, slot, card):
                open_(state.hands[who][slot], card)
        history.append(followed)
        state = evolve(state, followed)
    shuffles.settle(chance)
    return [
        Dealt(tuple(map(faces, event.hands)), faces(event.draw)) if isinstance(event, Dealt) else event
        for event in history
    ]
