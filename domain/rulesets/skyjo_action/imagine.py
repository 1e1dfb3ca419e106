"""Histories in which a seat has seen exactly what it has seen."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from domain.fairness.chance import Chance
from domain.imagining import Shuffles, followed, open_, seen_as
from domain.ruleset import Seat
from domain.rulesets.skyjo_action import table
from domain.rulesets.skyjo_action.table import SkyjoActionEvent, State
from domain.rulesets.skyjo_grid import SLOTS, dealt_layouts, lying


def imagine(initial: State, seen: Sequence[SkyjoActionEvent], _: Seat, chance: Chance) -> list[SkyjoActionEvent]:
    """Every card is followed from its deal to where its face was seen; the others are shuffled.

    A card that was removed face down lies unseen under the discards and comes back with the next restock.
    """
    return followed(initial, seen, follow, table.evolve, chance, 2)


def follow(state: State, event: SkyjoActionEvent, shuffles: Shuffles[Any], actions: Shuffles[Any]) -> SkyjoActionEvent:
    """The event with covered cards in place of hidden ones. Notes the faces that it opens."""
    covered: Any
    match event:
        case table.Swapped(seat, slot, card, out):
            open_(state.held, card)
            open_(lying(state.layouts, seat, slot), out)
        case table.Drawn(seat, card):
            return table.Drawn(seat, seen_as(state.draw[-1], card))
        case table.DrawnAside(seat, place, card):
            return table.DrawnAside(seat, place, seen_as(state.draw[-1], card))
        case table.Tossed(_, card):
            open_(state.held, card)
        case table.Taken(top=top) if top:
            open_(state.discard[-2], top[0])
        case table.Flipped(seat, slot, card):
            open_(lying(state.layouts, seat, slot), card)
        case table.Replaced(_, _, card):
            open_(state.draw[-1], card)
        case table.Dropped(_, place, card):
            aside = state.three[place]
            assert aside is not None
            open_(aside.card, card)
        case table.LineLooked(_, owner, _, slots, cards):
            looked: Any = [
                seen_as(lying(state.layouts, owner, slot), card) for slot, card in zip(slots, cards, strict=True)
            ]
            return replace(event, cards=tuple(looked))
        case table.LayoutsRevealed(revealed):
            for turned in revealed:
                open_(lying(state.layouts, turned.seat, turned.slot), turned.card)
        case table.ActionTaken(_, source, action, laid):
            if source == "pile":
                open_(state.action_pile[-1], action)
            elif laid:
                open_(state.action_pile[-1], laid[0])
        case table.ActionLaidOpen(_, action):
            open_(state.action_pile[-1], action)
        case table.Restocked():
            covered = shuffles.shuffle(state.discard[:-1])
            return table.Restocked(covered)
        case table.ActionsRestocked():
            covered = actions.shuffle(state.action_discard[:-1])
            return table.ActionsRestocked(covered)
        case table.Dealt():
            return deal(state, event, shuffles, actions)
    return event


def deal(state: State, event: table.Dealt, shuffles: Shuffles[Any], actions: Shuffles[Any]) -> table.Dealt:
    cut, first = SLOTS * len(event.layouts), len(event.open) + len(event.action_discard)
    cards, pile = shuffles.shuffle(state.deck.playing), actions.shuffle(state.deck.actions)
    open_(cards[cut], event.discard)
    for place, action in zip(pile, event.open + event.action_discard, strict=False):
        open_(place, action)
    layouts = dealt_layouts(cards, len(event.layouts))
    return replace(event, layouts=layouts, draw=cards[cut + 1 :], action_pile=pile[first:])
