"""Histories in which a seat has seen exactly what it has seen."""

from collections.abc import Sequence
from typing import Any

from domain.fairness.chance import Chance
from domain.imagining import Shuffles, followed, open_, seen_as
from domain.ruleset import Seat
from domain.rulesets.skyjo import rules
from domain.rulesets.skyjo_grid import SLOTS, dealt_layouts, lying


def imagine(initial: rules.State, seen: Sequence[rules.SkyjoEvent], _: Seat, chance: Chance) -> list[rules.SkyjoEvent]:
    """Every card is followed from its deal to where its face was laid open; the others are shuffled."""
    return followed(initial, seen, follow, rules.evolve, chance, 1)


def follow(state: rules.State, event: rules.SkyjoEvent, shuffles: Shuffles[int]) -> rules.SkyjoEvent:
    """The event with covered cards in place of hidden ones. Notes the faces that it opens."""
    cards: Any
    match event:
        case rules.Swapped(seat, slot, card, out):
            open_(state.held, card)
            open_(lying(state.layouts, seat, slot), out)
        case rules.Drawn(seat, card):
            return rules.Drawn(seat, seen_as(state.draw[-1], card))
        case rules.Tossed(_, card):
            open_(state.held, card)
        case rules.Flipped(seat, slot, card):
            open_(lying(state.layouts, seat, slot), card)
        case rules.LayoutsRevealed(revealed):
            for turned in revealed:
                open_(lying(state.layouts, turned.seat, turned.slot), turned.card)
        case rules.Dealt(layouts, _, discard):
            cut = SLOTS * len(layouts)
            cards = shuffles.shuffle(state.deck.cards)
            open_(cards[cut], discard)
            return rules.Dealt(dealt_layouts(cards, len(layouts)), cards[cut + 1 :], discard)
        case rules.Restocked():
            cards = shuffles.shuffle(state.discard[:-1])
            return rules.Restocked(cards)
    return event
