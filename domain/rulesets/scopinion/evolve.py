"""The state after each event, and the redaction of events."""

from msgspec.structs import replace

from domain.cards import hide, put, without, without_one
from domain.messages import Dispatch, Redact, seen_by_all
from domain.ruleset import Viewer
from domain.rulesets.scopinion.table import (
    HAND,
    PURPLE,
    Bought,
    Card,
    Cards,
    CardsRevealed,
    Dealt,
    Drawn,
    DrawnAside,
    EndTriggered,
    Kept,
    PikOffMade,
    Played,
    Rejected,
    ScopinionEvent,
    Scored,
    Secured,
    Shuffled,
    State,
    Trashed,
    TurnBegan,
    TurnEnded,
    Won,
)


def turn_began(state: State, event: TurnBegan) -> State:
    return replace(
        state,
        phase="turn",
        turn=event.seat,
        owed=0,
        pik_off=event.pik_off,
        final=state.final and state.final - 1,
    )


def shuffled(state: State, event: Shuffled) -> State:
    seat = event.seat
    decks, discards = put(state.decks, seat, event.deck), put(state.discards, seat, ())
    return replace(state, decks=decks, discards=discards, shuffle=False)


def played(state: State, event: Played) -> State:
    seat = event.seat
    return replace(
        state,
        phase="aside" if event.function == "draw_one" else "draw",
        hands=put(state.hands, seat, without_one(state.hands[seat], event.card)),
        stage=(*state.stage, event.card),
        used=(*state.used, event.function),
        owed=1 if event.function == "draw_one" else 2,
    )


def drawn_aside(state: State, event: DrawnAside) -> State:
    if event.source == "graveyard":
        return replace(state, phase="keep", drawn=event.card, owed=0, graveyard=state.graveyard[1:])
    decks = put(state.decks, event.seat, state.decks[event.seat][:-1])
    return replace(state, phase="keep", drawn=event.card, owed=0, decks=decks)


def kept(state: State, event: Kept) -> State:
    hands = put(state.hands, event.seat, (*state.hands[event.seat], state.drawn))
    return replace(state, phase="turn", hands=hands, drawn=None)


def rejected(state: State, event: Rejected) -> State:
    return replace(state, phase="draw", stage=(*state.stage, event.card), drawn=None, owed=1)


def trashed(state: State, event: Trashed) -> State:
    seat = event.seat
    return replace(
        state,
        hands=put(state.hands, seat, without(state.hands[seat], (event.by, event.card))),
        stage=(*state.stage, event.by),
        graveyard=(*state.graveyard, event.card),
        used=(*state.used, "trash"),
    )


def secured(state: State, event: Secured) -> State:
    """No target enters a hand visibly: for a viewer that did not see which one it was, a hidden card leaves."""
    seat, card = event.seat, event.card
    hand = list(state.hands[seat])
    hand.remove(card)
    vaults = put(state.vaults, seat, (*state.vaults[seat], card))
    return replace(state, hands=put(state.hands, seat, tuple(hand)), vaults=vaults)


def pik_off_made(state: State, event: PikOffMade) -> State:
    """SP-28: a slot that a purchase has emptied before stays empty until the end of the turn."""
    refill = event.filled[0] if event.filled else None
    return replace(
        state,
        display=put(state.display, state.display.index(event.card), refill),
        supply=state.supply[: len(state.supply) - len(event.filled)],
        graveyard=(*state.graveyard, event.card),
        pik_off=False,
    )


def end_triggered(state: State, event: EndTriggered) -> State:
    return replace(state, final=event.final)


def dealt(state: State, event: Dealt) -> State:
    targets = event.purple + event.targets + event.turned
    return replace(
        state,
        phase="settle",
        starter=event.starter,
        hands=tuple([hand[::-1] for hand in event.hands]),  # as drawn
        decks=event.decks,
        supply=event.supply,
        display=event.display,
        targets=targets,
        top_open=True,
        removed=event.removed + event.removed_targets,
    )


def cards_revealed(state: State, event: CardsRevealed) -> State:
    return replace(state, hands=event.hands, decks=event.decks, vaults=event.vaults)


def scored(state: State, event: Scored) -> State:
    return replace(state, breakdown=event.breakdown)


def won(state: State, event: Won) -> State:
    return replace(state, winners=event.winners, phase="over")


def turn_ended(state: State, event: TurnEnded) -> State:
    """The most common event: its rare parts are applied separately, before the rest."""
    seat, staged, drawn = event.seat, event.staged, event.drawn
    goes_on = event.goes_on
    if not goes_on:
        state = replace(state, phase="settle", owed=HAND - len(drawn), shuffle=event.reshuffle)
    elif state.final:
        state = replace(state, final=state.final - 1)
    if event.turned:
        state = replace(state, targets=state.targets[:-1] + event.turned, top_open=True)
    display, supply = state.display, state.supply
    if event.filled:
        display, supply = fill(display, event.filled), supply[: -len(event.filled)]
    hands, decks, discards = [*state.hands], [*state.decks], [*state.discards]
    hands[seat] = drawn if len(staged) == len(hands[seat]) else without(hands[seat], staged) + drawn
    if drawn:
        decks[seat] = decks[seat][: -len(drawn)]
    discards[seat] += state.stage + staged
    return replace(
        state,
        turn=(seat + 1) % len(hands) if goes_on else seat,
        hands=tuple(hands),
        decks=tuple(decks),
        discards=tuple(discards),
        stage=(),
        used=(),
        bought=False,
        mix=False,
        pik_off=event.pik_off,
        display=display,
        supply=supply,
    )


def fill(display: tuple[Card | None, ...], cards: tuple[Card, ...]) -> tuple[Card | None, ...]:
    """The display with the cards in its empty places, the first one first."""
    filled = [*display]
    for card in cards:
        filled[filled.index(None)] = card
    return tuple(filled)


def is_open(targets: Cards) -> bool:
    """Only targets of group C are left: they lie face up."""
    return 0 < len(targets) <= len(PURPLE)


def drawn(state: State, event: Drawn) -> State:
    """A seat that has drawn from the graveyard, or could not, draws no more."""
    seat, count = event.seat, len(event.cards)
    owed = state.owed - count if event.source == "deck" else 0
    phase = "turn" if state.phase == "draw" and not owed else state.phase
    hands = put(state.hands, seat, state.hands[seat] + event.cards)
    if event.source == "graveyard":
        return replace(state, phase=phase, hands=hands, owed=owed, graveyard=state.graveyard[count:])
    decks = put(state.decks, seat, state.decks[seat][:-count])
    return replace(state, phase=phase, hands=hands, owed=owed, decks=decks)


def bought(state: State, event: Bought) -> State:
    """SP-15: the card has left its place, and lies where it belongs."""
    seat, card, laid = event.seat, event.card, event.laid
    hands, stage, display = [*state.hands], state.stage + laid, state.display
    hands[seat] = without_one(hands[seat], laid[0]) if len(laid) == 1 else without(hands[seat], laid)
    if event.to == "stage":
        stage += (card,)
    elif event.to == "hand":
        hands[seat] += (card,)
    else:
        state = replace(state, showcases=put(state.showcases, seat, (*state.showcases[seat], card)))
    if card in display:
        display = put(display, display.index(card), None)
    else:
        targets, mix = state.targets[:-1], state.mix or state.deck.printed[card].mix
        state = replace(state, targets=targets, top_open=is_open(targets), mix=mix)
    used = state.used if event.how == "pay" else (*state.used, event.how)
    return replace(state, hands=tuple(hands), stage=stage, display=display, used=used, bought=True)


evolve: Dispatch[State] = Dispatch(
    ScopinionEvent, dealt, turn_began, bought, played, drawn_aside, kept, rejected, drawn, shuffled,
    trashed, secured, pik_off_made, end_triggered, turn_ended, cards_revealed, scored, won,
)  # fmt: skip


def seen_turn_ended(viewer: Viewer, event: TurnEnded) -> ScopinionEvent:
    return event if event.seat == viewer or not event.drawn else replace(event, drawn=hide(event.drawn))


def seen_drawn(viewer: Viewer, event: Drawn) -> ScopinionEvent:
    return event if event.seat == viewer else Drawn(event.seat, hide(event.cards), event.source)


def seen_drawn_aside(viewer: Viewer, event: DrawnAside) -> ScopinionEvent:
    return event if event.seat == viewer else DrawnAside(event.seat, None, event.source)


def seen_secured(viewer: Viewer, event: Secured) -> ScopinionEvent:
    return event if event.seat == viewer else Secured(event.seat, None)


def seen_shuffled(_: Viewer, event: Shuffled) -> ScopinionEvent:
    return Shuffled(event.seat, hide(event.deck))


def seen_dealt(viewer: Viewer, event: Dealt) -> ScopinionEvent:
    return replace(
        event,
        decks=tuple(map(hide, event.decks)),
        hands=tuple(hand if seat == viewer else hide(hand) for seat, hand in enumerate(event.hands)),
        supply=hide(event.supply),
        targets=hide(event.targets),
        removed=hide(event.removed),
        removed_targets=hide(event.removed_targets),
    )


redact = Redact(
    ScopinionEvent, seen_by_all, seen_turn_ended, seen_drawn, seen_drawn_aside, seen_secured, seen_shuffled, seen_dealt
)
"""SP-5: drawn cards are shown to their drawer, secured cards to their owner; nobody sees the order of a pile."""
