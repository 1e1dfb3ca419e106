"""Histories in which a seat has seen exactly what it has seen."""

from collections.abc import Sequence
from typing import Any

from domain.fairness.chance import Chance
from domain.imagining import Shuffles, faces, open_
from domain.ruleset import Seat
from domain.rulesets.skyjo.rules import (
    Dealt,
    Drawn,
    Flipped,
    LayoutsRevealed,
    Restocked,
    SkyjoEvent,
    State,
    Swapped,
    Tossed,
    evolve,
)
from domain.rulesets.skyjo_grid import SLOTS, lying


def imagine(initial: State, seen: Sequence[SkyjoEvent], _: Seat, chance: Chance) -> list[SkyjoEvent]:
    """Every card is followed from its deal to where its face was laid open; the others are shuffled."""
    state, shuffles, history = initial, Shuffles[int](), list[Any]()
    for event in seen:
        followed = follow(state, event, shuffles)
        history.append(followed)
        state = evolve(state, followed)
    shuffles.settle(chance)
    return [imagined(event) for event in history]


def follow(state: State, event: SkyjoEvent, shuffles: Shuffles[int]) -> SkyjoEvent:
    """The event with covered cards in place of hidden ones. Notes the faces that it opens."""
    cards: Any
    match event:
        case Swapped(seat, slot, card, out):
            open_(state.held, card)
            open_(lying(state.layouts, seat, slot), out)
        case Drawn(seat, card):
            covered: Any = state.draw[-1]
            if card is not None:
                open_(covered, card)
            return Drawn(seat, covered)
        case Tossed(_, card):
            open_(state.held, card)
        case Flipped(seat, slot, card):
            open_(lying(state.layouts, seat, slot), card)
        case LayoutsRevealed(revealed):
            for turned in revealed:
                open_(lying(state.layouts, turned.seat, turned.slot), turned.card)
        case Dealt(layouts, _, discard):
            cut = SLOTS * len(layouts)
            cards = shuffles.shuffle(state.deck.cards)
            open_(cards[cut], discard)
            dealt = tuple([cards[i : i + SLOTS] for i in range(0, cut, SLOTS)])
            return Dealt(dealt, cards[cut + 1 :], discard)
        case Restocked():
            cards = shuffles.shuffle(state.discard[:-1])
            return Restocked(cards)
    return event


def imagined(event: Any) -> SkyjoEvent:
    """The event with the faces that were imagined."""
    match event:
        case Drawn(seat, card):
            return Drawn(seat, *faces([card]))
        case Dealt(layouts, draw, discard):
            return Dealt(tuple(map(faces, layouts)), faces(draw), discard)
        case Restocked(draw):
            return Restocked(faces(draw))
    shown: SkyjoEvent = event
    return shown
