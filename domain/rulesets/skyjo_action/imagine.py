"""Histories in which a seat has seen exactly what it has seen."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from domain.fairness.chance import Chance
from domain.imagining import Shuffles, faces, open_
from domain.ruleset import Seat
from domain.rulesets.skyjo_action.evolve import evolve
from domain.rulesets.skyjo_action.table import (
    Action,
    ActionLaidOpen,
    ActionsRestocked,
    ActionTaken,
    Card,
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
)
from domain.rulesets.skyjo_grid import SLOTS, lying


def imagine(initial: State, seen: Sequence[SkyjoActionEvent], _: Seat, chance: Chance) -> list[SkyjoActionEvent]:
    """Every card is followed from its deal to where its face was seen; the others are shuffled.

    A card that was removed face down lies unseen under the discards and comes back with the next restock.
    """
    state, history = initial, list[Any]()
    decks = Shuffles[Card](), Shuffles[Action]()
    for event in seen:
        followed = follow(state, event, *decks)
        history.append(followed)
        state = evolve(state, followed)
    for shuffles in decks:
        shuffles.settle(chance)
    return [imagined(event) for event in history]


def follow(
    state: State, event: SkyjoActionEvent, shuffles: Shuffles[Card], actions: Shuffles[Action]
) -> SkyjoActionEvent:
    """The event with covered cards in place of hidden ones. Notes the faces that it opens."""
    covered: Any
    match event:
        case Swapped(seat, slot, card, out):
            open_(state.held, card)
            open_(lying(state.layouts, seat, slot), out)
        case Drawn(seat, card):
            covered = seen_as(state.draw[-1], card)
            return Drawn(seat, covered)
        case DrawnAside(seat, place, card):
            covered = seen_as(state.draw[-1], card)
            return DrawnAside(seat, place, covered)
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
            return Restocked(pile(shuffles.shuffle(state.discard[:-1])))
        case ActionsRestocked():
            return ActionsRestocked(pile(actions.shuffle(state.action_discard[:-1])))
        case Dealt():
            return deal(state, event, shuffles, actions)
    return event


def deal(state: State, event: Dealt, shuffles: Shuffles[Card], actions: Shuffles[Action]) -> Dealt:
    cut, first = SLOTS * len(event.layouts), len(event.open) + len(event.action_discard)
    cards, pile_ = pile(shuffles.shuffle(state.deck.playing)), pile(actions.shuffle(state.deck.actions))
    open_(cards[cut], event.discard)
    for place, action in zip(pile_, event.open + event.action_discard, strict=False):
        open_(place, action)
    layouts = tuple([cards[i : i + SLOTS] for i in range(0, cut, SLOTS)])
    return replace(event, layouts=layouts, draw=cards[cut + 1 :], action_pile=pile_[first:])


def pile(covered: Any) -> tuple[Any, ...]:
    """The covered cards, for an event whose fields hold cards."""
    return tuple(covered)


def seen_as(covered: Any, card: Any) -> Any:
    """The covered card, whose face the seat has seen unless it is None."""
    if card is not None:
        open_(covered, card)
    return covered


def imagined(event: Any) -> SkyjoActionEvent:
    """The event with the faces that were imagined."""
    match event:
        case Drawn(seat, card):
            return Drawn(seat, *faces([card]))
        case DrawnAside(seat, place, card):
            return DrawnAside(seat, place, *faces([card]))
        case LineLooked(cards=cards):
            return replace(event, cards=faces(cards))
        case Restocked(draw):
            return Restocked(faces(draw))
        case ActionsRestocked(action_pile):
            return ActionsRestocked(faces(action_pile))
        case Dealt(layouts, draw, _, _, _, action_pile):
            return replace(event, layouts=tuple(map(faces, layouts)), draw=faces(draw), action_pile=faces(action_pile))
    shown: SkyjoActionEvent = event
    return shown
