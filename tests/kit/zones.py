"""Which fields of a ruleset's state are zones of cards. The laws cannot derive it."""

from collections.abc import Callable, Iterable
from typing import Any

from domain.rulesets.scandaroon.table import State as ScandaroonState
from domain.rulesets.scopinion.table import State as ScopinionState
from domain.rulesets.scout.rules import HAND, HAND_FOR_TWO, for_two
from domain.rulesets.scout.rules import State as ScoutState
from domain.rulesets.skyjo.rules import State
from domain.rulesets.skyjo_action.table import State as ActionState


def skyjo(state: State) -> Iterable[Any]:
    yield from (slot.card for layout in state.layouts for slot in layout if slot is not None)
    yield from (*state.draw, *state.discard)
    if state.held is not None:
        yield state.held


def scout(state: ScoutState) -> Iterable[Any]:
    """Cards in either orientation. Collected cards and cards of a finished round for two are only counted."""
    cards = [card for zone in (*state.hands, state.active, state.aside) for card in zone]
    if not cards:
        return
    yield from (card and tuple(sorted(card)) for card in cards)
    seats, playing = len(state.hands), state.deck.in_play(len(state.hands))
    yield from (card for card in state.deck.cards if card not in playing)
    size = HAND_FOR_TWO if for_two(state) else HAND[seats]
    yield from [None] * (sum(state.collected) + len(playing) - size * seats - len(state.aside))


def skyjo_action(state: ActionState) -> Iterable[Any]:
    """Playing cards and action cards."""
    yield from (slot.card for cards in (*state.layouts, state.three) for slot in cards if slot is not None)
    yield from (*state.draw, *state.discard)
    if state.held is not None:
        yield state.held
    yield from (held.card for hand in state.hands for held in hand)
    yield from (card for card in state.open if card is not None)
    yield from (*state.action_pile, *state.action_discard)


def scandaroon(state: ScandaroonState) -> Iterable[Any]:
    yield from (card for zone in (*state.hands, *state.score_piles, state.draw, state.discard) for card in zone)
    yield from (slot.card for row in state.rows for slot in row if slot is not None)


def scopinion(state: ScopinionState) -> Iterable[Any]:
    """Including the start sets of unused colours."""
    if state.starter is None:
        return
    for seats in (state.hands, state.decks, state.discards, state.vaults, state.showcases):
        yield from (card for zone in seats for card in zone)
    yield from (*state.stage, *state.supply, *state.targets, *state.graveyard, *state.removed)
    yield from (card for card in state.display if card is not None)
    if state.phase == "keep":
        yield state.drawn
    yield from (card for unused in state.deck.starts[len(state.hands) :] for card in unused)


CARDS: dict[str, Callable[[Any], Iterable[Any]]] = {
    "skyjo": skyjo,
    "scout": scout,
    "skyjo_action": skyjo_action,
    "scandaroon": scandaroon,
    "scopinion": scopinion,
}
"""By ruleset: all cards of a state. None is a card that the rules only count. Every ruleset needs an entry."""

TELLING: dict[str, frozenset[str]] = {"scout": frozenset({"stuck"})}
"""By ruleset: tags of events that reveal something about hidden cards to everybody, as the rules demand."""
