"""Histories in which a seat has seen exactly what it has seen."""

from collections.abc import Sequence
from typing import Any

from domain.fairness.chance import Chance
from domain.imagining import Shuffles, followed, open_, seen_as
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
from domain.rulesets.skyjo_grid import SLOTS, dealt_layouts, lying


def imagine(initial: State, seen: Sequence[SkyjoEvent], _: Seat, chance: Chance) -> list[SkyjoEvent]:
    """Every card is followed from its deal to where its face was laid open; the others are shuffled."""
    return followed(initial, seen, follow, evolve, chance, 1)


def follow(state: State, event: SkyjoEvent, shuffles: Shuffles[int]) -> SkyjoEvent:
    """The event with covered cards in place of hidden ones. Notes the faces that it opens."""
    cards: Any
    match event:
        case Swapped(seat, slot, card, out):
            open_(state.held, card)
            open_(lying(state.layouts, seat, slot), out)
        case Drawn(seat, card):
            return Drawn(seat, seen_as(state.draw[-1], card))
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
            return Dealt(dealt_layouts(cards, len(layouts)), cards[cut + 1 :], discard)
        case Restocked():
            cards = shuffles.shuffle(state.discard[:-1])
            return Restocked(cards)
    return event
