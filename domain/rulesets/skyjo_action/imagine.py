"""Histories in which a seat has seen exactly what it has seen."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from domain.fairness.chance import Chance
from domain.imagining import Shuffles, followed, open_, seen_as
from domain.ruleset import Seat
from domain.rulesets.skyjo_action.table import (
    ActionLaidOpen,
    ActionsRestocked,
    ActionTaken,
    Dealt,
    Drawn,
    DrawnAside,
    Dropped,
    Flipped,
    LayoutsRevealed,
    LineLooked,
    Replaced,
    Restocked,
    SkyjoActionEvent,
    State,
    Swapped,
    Taken,
    Tossed,
    evolve,
)
from domain.rulesets.skyjo_grid import SLOTS, dealt_layouts, lying


def imagine(initial: State, seen: Sequence[SkyjoActionEvent], _: Seat, chance: Chance) -> list[SkyjoActionEvent]:
    """Every card is followed from its deal to where its face was seen; the others are shuffled.

    A card that was removed face down lies unseen under the discards and comes back with the next restock.
    """
    return followed(initial, seen, follow, evolve, chance, 2)


def follow(state: State, event: SkyjoActionEvent, shuffles: Shuffles[Any], actions: Shuffles[Any]) -> SkyjoActionEvent:
    """The event with covered cards in place of hidden ones. Notes the faces that it opens."""
    covered: Any
    match event:
        case Swapped(seat, slot, card, out):
            open_(state.held, card)
            open_(lying(state.layouts, seat, slot), out)
        case Drawn(seat, card):
            return Drawn(seat, seen_as(state.draw[-1], card))
        case DrawnAside(seat, place, card):
            return DrawnAside(seat, place, seen_as(state.draw[-1], card))
        case Tossed(_, card):
            open_(state.held, card)
        case Taken(top=top) if top:
            open_(state.discard[-2], top[0])
        case Flipped(seat, slot, card):
            open_(lying(state.layouts, seat, slot), card)
        case Replaced(_, _, card):
            open_(state.draw[-1], card)
        case Dropped(_, place, card):
            aside = state.three[place]
            assert aside is not None
            open_(aside.card, card)
        case LineLooked(_, owner, _, slots, cards):
            looked: Any = [
                seen_as(lying(state.layouts, owner, slot), card) for slot, card in zip(slots, cards, strict=True)
            ]
            return replace(event, cards=tuple(looked))
        case LayoutsRevealed(revealed):
            for turned in revealed:
                open_(lying(state.layouts, turned.seat, turned.slot), turned.card)
        case ActionTaken(_, source, action, laid):
            if source == "pile":
                open_(state.action_pile[-1], action)
            elif laid:
                open_(state.action_pile[-1], laid[0])
        case ActionLaidOpen(_, action):
            open_(state.action_pile[-1], action)
        case Restocked():
            covered = shuffles.shuffle(state.discard[:-1])
            return Restocked(covered)
        case ActionsRestocked():
            covered = actions.shuffle(state.action_discard[:-1])
            return ActionsRestocked(covered)
        case Dealt():
            return deal(state, event, shuffles, actions)
    return event


def deal(state: State, event: Dealt, shuffles: Shuffles[Any], actions: Shuffles[Any]) -> Dealt:
    cut, first = SLOTS * len(event.layouts), len(event.open) + len(event.action_discard)
    cards, pile = shuffles.shuffle(state.deck.playing), actions.shuffle(state.deck.actions)
    open_(cards[cut], event.discard)
    for place, action in zip(pile, event.open + event.action_discard, strict=False):
        open_(place, action)
    layouts = dealt_layouts(cards, len(event.layouts))
    return replace(event, layouts=layouts, draw=cards[cut + 1 :], action_pile=pile[first:])
