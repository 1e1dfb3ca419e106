"""How the table looks after what has happened, and who may see what of it."""

from typing import assert_never

from msgspec import UNSET
from msgspec.structs import replace

from domain.cards import hide, put, without
from domain.ruleset import Seat, Viewer
from domain.rulesets.scandaroon.deck import AnyAbility, Boost, Draw, Remove, Return
from domain.rulesets.scandaroon.table import (
    BetweenRounds,
    Boosted,
    CardsScored,
    Drawn,
    Exchanged,
    HandsDealt,
    MarkersMoved,
    Moved,
    Open,
    Passed,
    Pending,
    Phase,
    Played,
    Prepared,
    Protected,
    Record,
    Removed,
    Reshuffled,
    Returned,
    Round,
    RoundEvent,
    RoundScored,
    Row,
    ScandaroonEvent,
    Slot,
    Spent,
    Spot,
    State,
    Stolen,
    StonePlayed,
    Swapped,
    TableCleared,
    Targeted,
    TrumpChanged,
    TrumpFlipped,
    TrumpRevealed,
    TurnBegan,
    Used,
    Won,
)

RESHUFFLED = 3
"""Before this round the discards come back into play (SD-71)."""


# The patterns name no fields: taking them from the event is faster, and these two are called most of all. For the same
# reason the commonest events come first.
def evolve(state: State, event: ScandaroonEvent) -> State:
    match event:
        case TurnBegan():
            return replace(state, phase="turn", turn=event.seat)
        case Played():
            hands, rows = state.hands, state.rows
            hands = put(hands, event.seat, without(hands[event.seat], event.card))
            rows = put(rows, event.row, rows[event.row] + (Slot(event.card),))
            return replace(state, hands=hands, rows=rows, pending=None, phase="settle")
        case Passed():
            return replace(state, passed=put(state.passed, event.seat, True), phase="settle")
        case BetweenRounds():
            return between_rounds(state, event)
        case Used():
            pending = pending_after(ability_at(state, event.seat, event.position), event.position)
            phase: Phase = "turn" if pending is not None and pending.kind == "ability" else "settle"
            return replace(state, pending=pending, phase=phase)
        case Spent():
            spot = Spot(event.seat, event.position)
            return discarded(replace(state, pending=None, phase="settle"), spot)
        case HandsDealt():
            dealt = sum(map(len, event.cards))
            hands = tuple([hand + more for hand, more in zip(state.hands, event.cards, strict=True)])
            return replace(state, hands=hands, draw=state.draw[: len(state.draw) - dealt])
        case Removed():
            return struck(discarded(state, event.spot), event.left)
        case Boosted():
            rows = state.rows
            for spot in event.spots:
                slot = slot_at(state, spot)
                rows = lay(rows, spot, replace(slot, boost=slot.boost + event.amount))
            return struck(replace(state, rows=rows), event.left)
        case StonePlayed():
            return stone_played(state, event)
        case Drawn():
            seat, pending = event.seat, state.pending
            hands, draw = put(state.hands, seat, state.hands[seat] + event.cards), state.draw[: -len(event.cards)]
            if pending is not None and pending.kind == "may_play":
                pending = replace(pending, drawn=event.cards)
                return replace(state, hands=hands, draw=draw, pending=pending, phase="turn")
            return replace(state, hands=hands, draw=draw, pending=None, phase="settle")
        case Exchanged():
            pending = pending_in(state)
            return replace(
                state,
                hands=put(state.hands, event.seat, without(state.hands[event.seat], event.card)),
                discard=state.discard + (event.card,),
                pending=replace(pending, out=pending.out + 1),
                phase="turn" if pending.out + 1 < pending.most else "settle",
            )
        case Targeted():
            return replace(state, pending=replace(pending_in(state), first=event.spot))
        case Swapped():
            rows = lay(state.rows, event.one, slot_at(state, event.other))
            rows = lay(rows, event.other, slot_at(state, event.one))
            return replace(state, rows=rows, pending=None, phase="settle")
        case Moved():
            return replace(state, rows=moved(state, event.spot, event.to), pending=None, phase="settle")
        case TrumpChanged():
            return replace(state, trump=event.trump, pending=None, phase="settle")
        case Returned():
            return struck(into_hand(state, event.spot, event.to), event.left)
        case Protected():
            slot = replace(slot_at(state, event.spot), protected_by=event.seat)
            return replace(state, rows=lay(state.rows, event.spot, slot), pending=None, phase="settle")
        case Stolen():
            return into_hand(replace(state, pending=None, phase="settle"), event.spot, event.seat)
        case Reshuffled():
            return replace(state, draw=event.draw, discard=(), phase="settle")
        case Prepared():
            return replace(
                state,
                start=event.start,
                trump=event.trump,
                trump_at_start=event.trump,
                trump_cards=(*event.trump_cards, event.trump),
                draw=event.draw,
                phase="settle",
            )
    assert_never(event)


def between_rounds(state: State, event: RoundEvent) -> State:
    """What the end of a round entails."""
    match event:
        case RoundScored():
            return replace(
                state,
                rows=tuple([tuple([slot and replace(slot, protected_by=None) for slot in row]) for row in state.rows]),
                stones=tuple(["gone" if stone == "card" else stone for stone in state.stones]),
                rank_points=tuple([sum(both) for both in zip(state.rank_points, event.points, strict=True)]),
                rounds=(*state.rounds, Round(event.scores, event.points)),
                turn=None,
            )
        case CardsScored():
            rows, piles = state.rows, state.score_piles
            for spot in event.spots:
                piles = put(piles, spot.row, (*piles[spot.row], slot_at(state, spot).card))
                rows = lay(rows, spot, None)
            return replace(state, rows=rows, score_piles=piles)
        case MarkersMoved():
            return replace(
                state,
                no_trump=event.no_trump,
                pile_first=event.pile_first,
                pile_second=event.pile_second,
                record=Record(event.record, event.record_seats),
            )
        case TableCleared():
            return replace(
                state,
                discard=(*state.discard, *(slot.card for row in state.rows for slot in row if slot is not None)),
                rows=((),) * len(state.rows),
                passed=(False,) * len(state.rows),
                round=state.round + 1,
                start=event.start,
                phase="reshuffle" if state.round + 1 == RESHUFFLED else "settle",
            )
        case TrumpRevealed():
            *rest, _, revealed = state.trump_cards
            cards = (revealed, *rest, event.trump)
            return replace(state, trump_cards=cards, flipped=False, trump=event.trump, trump_at_start=event.trump)
        case TrumpFlipped():
            return replace(state, flipped=True, trump="none", trump_at_start="none")
        case Won():
            return replace(state, totals=event.totals, winners=event.winners, phase="over")
    assert_never(event)


def pending_in(state: State) -> Pending:
    assert state.pending is not None
    return state.pending


def slot_at(state: State, spot: Spot) -> Slot:
    slot = state.rows[spot.row][spot.position]
    assert slot is not None
    return slot


def ability_at(state: State, seat: Seat, position: int) -> AnyAbility:
    ability = state.deck.faces[slot_at(state, Spot(seat, position)).card].ability
    assert ability is not None
    return ability


def lay(rows: tuple[Row, ...], spot: Spot, slot: Slot | None) -> tuple[Row, ...]:
    """The rows with another slot at one place; None: the card has gone."""
    return put(rows, spot.row, put(rows[spot.row], spot.position, slot))


def pending_after(ability: AnyAbility, position: int) -> Pending | None:
    """What there is to decide when the ability at that place is used; None if all of it happens by itself (SD-37)."""
    match ability:
        case Draw():
            return Pending("may_play", position) if ability.may_play else None
        case Boost() if ability.area is not UNSET:
            return None
        case Remove() | Boost() | Return():
            return Pending("ability", position, left=ability.count)
        case _:
            return Pending("ability", position, left=1)


def struck(state: State, left: int) -> State:
    """A target of an ability was hit, and so many more are to be chosen."""
    if left:
        return replace(state, pending=replace(pending_in(state), left=left))
    return replace(state, pending=None, phase="settle")


def discarded(state: State, spot: Spot) -> State:
    """The card went from its row to the discard pile."""
    return replace(state, rows=lay(state.rows, spot, None), discard=state.discard + (slot_at(state, spot).card,))


def into_hand(state: State, spot: Spot, seat: Seat) -> State:
    """The card went from its row to a hand, before everybody's eyes."""
    hands = put(state.hands, seat, state.hands[seat] + (slot_at(state, spot).card,))
    return replace(state, rows=lay(state.rows, spot, None), hands=hands)


def moved(state: State, spot: Spot, to: Spot) -> tuple[Row, ...]:
    """The rows after a card has gone to another row, or to another occupied slot of its own (SD-43)."""
    if to.row != spot.row:
        rows = put(state.rows, to.row, state.rows[to.row] + (slot_at(state, spot),))
        return lay(rows, spot, None)
    row = list(state.rows[spot.row])
    occupied = [position for position, slot in enumerate(row) if slot is not None]
    cards = [row[position] for position in occupied]
    cards.insert(occupied.index(to.position), cards.pop(occupied.index(spot.position)))
    for position, slot in zip(occupied, cards, strict=True):
        row[position] = slot
    return put(state.rows, spot.row, tuple(row))


def stone_played(state: State, event: StonePlayed) -> State:
    """The card is discarded first; then follows what the stone does (SD-48)."""
    seat, outcome = event.seat, event.outcome
    if event.position is UNSET:
        hands = put(state.hands, seat, without(state.hands[seat], event.card))
        state = replace(state, hands=hands, discard=state.discard + (event.card,))
    else:
        state = discarded(state, Spot(seat, event.position))
    if outcome == "score_pile":
        return replace(state, stones=put(state.stones, seat, "pile"), phase="settle")
    stones = put(state.stones, seat, "card" if outcome == "protect" else "gone")
    match outcome:
        case "exchange":
            most = min(MOST_EXCHANGED, len(state.hands[seat]), len(state.draw))
        case "protect":
            most = 0
        case "steal":
            most = state.deck.faces[event.card].base
    return replace(state, stones=stones, pending=Pending(outcome, most=most))


MOST_EXCHANGED = 3
"""Cards that an action stone exchanges at most (SD-51)."""


def redact(event: ScandaroonEvent, viewer: Viewer) -> ScandaroonEvent:
    """SD-59: cards that are dealt and drawn are seen by who gets them; what lies face down nobody sees."""
    match event:
        case Open():
            return event
        case Drawn():
            return event if event.seat == viewer else Drawn(event.seat, hide(event.cards))
        case HandsDealt():
            cards = tuple([cards if seat == viewer else hide(cards) for seat, cards in enumerate(event.cards)])
            return event if cards == event.cards else HandsDealt(cards)
        case Reshuffled():
            return Reshuffled(hide(event.draw)) if event.draw else event
        case Prepared():
            return replace(event, trump_cards=hide(event.trump_cards), draw=hide(event.draw))
    assert_never(event)
