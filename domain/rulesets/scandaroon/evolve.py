"""The state after each event, and the redaction of events."""

from operator import add

from msgspec import UNSET
from msgspec.structs import replace

from domain.cards import hide, put, without_one
from domain.messages import Dispatch, Redact, seen_by_all
from domain.ruleset import Seat, Viewer
from domain.rulesets.scandaroon.deck import AnyAbility, Boost, Draw, Remove, Return
from domain.rulesets.scandaroon.table import (
    Boosted,
    Card,
    Drawn,
    Exchanged,
    HandsDealt,
    Passed,
    Pending,
    Played,
    Prepared,
    Protected,
    Removed,
    Reshuffled,
    Returned,
    Round,
    RoundScored,
    Row,
    ScandaroonEvent,
    Shifted,
    Slot,
    Spent,
    Spot,
    State,
    Stolen,
    StonePlace,
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
MOST_EXCHANGED = 3
"""Cards that an action stone exchanges at most (SD-51)."""


# --- the deal -----------------------------------------------------------------------------------------------------


def prepared(state: State, event: Prepared) -> State:
    return replace(
        state,
        starter=event.starter,
        trump=event.trump,
        trump_at_start=event.trump,
        trump_cards=(*event.trump_cards, event.trump),
        draw=event.draw,
        phase="settle",
    )


def reshuffled(state: State, event: Reshuffled) -> State:
    return replace(state, draw=event.draw, discard=(), phase="settle")


def hands_dealt(state: State, event: HandsDealt) -> State:
    hands = tuple(map(add, state.hands, event.cards))
    return replace(state, hands=hands, draw=state.draw[: len(state.draw) - sum(map(len, event.cards))])


def trump_revealed(state: State, event: TrumpRevealed) -> State:
    *below, _, before = state.trump_cards
    cards = (before, *below, event.trump)
    return replace(state, trump_cards=cards, flipped=False, trump=event.trump, trump_at_start=event.trump)


def trump_flipped(state: State, _: TrumpFlipped) -> State:
    return replace(state, flipped=True, trump="none", trump_at_start="none")


# --- turns --------------------------------------------------------------------------------------------------------


def turn_began(state: State, event: TurnBegan) -> State:
    return replace(state, phase="turn", turn=event.seat)


def played(state: State, event: Played) -> State:
    seat, card = event.seat, event.card
    hands, rows = [*state.hands], [*state.rows]  # as `put` would, for this happens more often than all else
    hands[seat] = without_one(hands[seat], card)
    rows[event.row] += (Slot(card),)
    return replace(state, hands=tuple(hands), rows=tuple(rows), pending=None, phase="settle")


def passed(state: State, event: Passed) -> State:
    return replace(state, passed=put(state.passed, event.seat, True), phase="settle")


def used(state: State, event: Used) -> State:
    """The pending decision; none if everything follows without a choice (SD-37)."""
    ability = ability_at(state, event.seat, event.position)
    match ability:
        case Draw():
            pending = Pending("may_play", event.position) if ability.may_play else None
            return replace(state, pending=pending, phase="settle")
        case Boost() if ability.area is not UNSET:
            return replace(state, phase="settle")
        case Remove() | Boost() | Return():
            return replace(state, pending=Pending("ability", event.position, left=ability.count))
        case _:
            return replace(state, pending=Pending("ability", event.position, left=1))


def spent(state: State, event: Spent) -> State:
    rows, discard = discarded(state, Spot(event.seat, event.position))
    return replace(state, rows=rows, discard=discard, pending=None, phase="settle")


def targeted(state: State, event: Targeted) -> State:
    return replace(state, pending=replace(pending_in(state), first=event.spot))


def removed(state: State, event: Removed) -> State:
    rows, discard = discarded(state, event.spot)
    return struck(replace(state, rows=rows, discard=discard), event.left)


def boosted(state: State, event: Boosted) -> State:
    rows = state.rows
    for spot in event.spots:
        slot = slot_at(state, spot)
        rows = lay(rows, spot, replace(slot, boost=slot.boost + event.amount))
    return struck(replace(state, rows=rows), event.left)


def returned(state: State, event: Returned) -> State:
    return struck(into_hand(state, event.spot, event.to), event.left)


def swapped(state: State, event: Swapped) -> State:
    rows = lay(state.rows, event.one, slot_at(state, event.other))
    rows = lay(rows, event.other, slot_at(state, event.one))
    return replace(state, rows=rows, pending=None, phase="settle")


def shifted(state: State, event: Shifted) -> State:
    rows = after_shift(state.rows, event.spot, event.to)
    return replace(state, rows=rows, pending=None, phase="settle")


def trump_changed(state: State, event: TrumpChanged) -> State:
    return replace(state, trump=event.trump, pending=None, phase="settle")


def drawn(state: State, event: Drawn) -> State:
    seat, pending = event.seat, state.pending
    hands, draw = put(state.hands, seat, state.hands[seat] + event.cards), state.draw[: -len(event.cards)]
    if pending is None or pending.kind == "exchange":
        return replace(state, hands=hands, draw=draw, pending=None, phase="settle")
    return replace(state, hands=hands, draw=draw, pending=replace(pending, drawn=event.cards), phase="turn")


def stone_played(state: State, event: StonePlayed) -> State:
    """The card is discarded first; the outcome of the stone follows (SD-48)."""
    seat, outcome = event.seat, event.outcome
    hands, rows, pending, phase = state.hands, state.rows, None, state.phase
    if event.position is UNSET:
        hands = put(hands, seat, without_one(hands[seat], event.card))
    else:
        rows = lay(rows, Spot(seat, event.position), None)
    place: StonePlace = "gone"
    match outcome:
        case "score_pile":
            place, phase = "pile", "settle"
        case "protect":
            place, pending = "card", Pending(outcome)
        case "steal":
            pending = Pending(outcome, most=state.deck.bases[event.card])
        case "exchange":
            pending = Pending(outcome, most=min(MOST_EXCHANGED, len(hands[seat]), len(state.draw)))
    return replace(
        state,
        hands=hands,
        rows=rows,
        discard=state.discard + (event.card,),
        stones=put(state.stones, seat, place),
        pending=pending,
        phase=phase,
    )


def exchanged(state: State, event: Exchanged) -> State:
    seat, card, pending = event.seat, event.card, pending_in(state)
    out = pending.out + 1
    return replace(
        state,
        hands=put(state.hands, seat, without_one(state.hands[seat], card)),
        discard=state.discard + (card,),
        pending=replace(pending, out=out),
        phase="turn" if out < pending.most else "settle",
    )


def protected(state: State, event: Protected) -> State:
    slot = replace(slot_at(state, event.spot), protected_by=event.seat)
    return replace(state, rows=lay(state.rows, event.spot, slot), pending=None, phase="settle")


def stolen(state: State, event: Stolen) -> State:
    return into_hand(replace(state, pending=None, phase="settle"), event.spot, event.seat)


# --- the end of a round -------------------------------------------------------------------------------------------


def round_scored(state: State, event: RoundScored) -> State:
    """Action stones leave the cards, the best cards go to the score piles, the markers move."""
    rows, stones, piles = [*state.rows], state.stones, [*state.score_piles]
    if "card" in stones:
        stones = tuple(["gone" if stone == "card" else stone for stone in stones])
        rows = [tuple([slot and replace(slot, protected_by=None) for slot in row]) for row in rows]
    for spot in event.taken:
        row = [*rows[spot.row]]
        taken, row[spot.position] = row[spot.position], None
        assert taken is not None
        rows[spot.row] = tuple(row)
        piles[spot.row] += (taken.card,)
    return replace(
        state,
        rows=tuple(rows),
        stones=stones,
        score_piles=tuple(piles),
        rank_points=tuple(map(add, state.rank_points, event.points)),
        no_trump=event.no_trump,
        pile_first=event.pile_first,
        pile_second=event.pile_second,
        record=event.record,
        rounds=(*state.rounds, Round(event.scores, event.points)),
        turn=None,
    )


def table_cleared(state: State, event: TableCleared) -> State:
    return replace(
        state,
        discard=(*state.discard, *[slot.card for row in state.rows for slot in row if slot is not None]),
        rows=((),) * len(state.rows),
        passed=(False,) * len(state.rows),
        round=state.round + 1,
        starter=event.starter,
        phase="reshuffle" if state.round + 1 == RESHUFFLED else "settle",
    )


def won(state: State, event: Won) -> State:
    return replace(state, totals=event.totals, winners=event.winners, phase="over")


evolve: Dispatch[State] = Dispatch(
    ScandaroonEvent, prepared, reshuffled, hands_dealt, trump_revealed, trump_flipped, turn_began, played, passed, used,
    spent, targeted, removed, boosted, returned, swapped, shifted, trump_changed, drawn, stone_played, exchanged,
    protected, stolen, round_scored, table_cleared, won,
)  # fmt: skip


# --- helpers ------------------------------------------------------------------------------------------------------


def pending_in(state: State) -> Pending:
    assert state.pending is not None
    return state.pending


def slot_at(state: State, spot: Spot) -> Slot:
    slot = state.rows[spot.row][spot.position]
    assert slot is not None
    return slot


def ability_at(state: State, seat: Seat, position: int) -> AnyAbility:
    slot = state.rows[seat][position]
    assert slot is not None
    return state.deck.abilities[slot.card]


def lay(rows: tuple[Row, ...], spot: Spot, slot: Slot | None) -> tuple[Row, ...]:
    """The rows with another slot at one place; None: the card has gone."""
    changed, row = [*rows], [*rows[spot.row]]
    row[spot.position] = slot
    changed[spot.row] = tuple(row)
    return tuple(changed)


def struck(state: State, left: int) -> State:
    """A target of an ability was hit; `left` more are to be chosen."""
    if left:
        return replace(state, pending=replace(pending_in(state), left=left))
    return replace(state, pending=None, phase="settle")


def discarded(state: State, spot: Spot) -> tuple[tuple[Row, ...], tuple[Card, ...]]:
    """The rows and the discard pile, to which the card went from its row."""
    return lay(state.rows, spot, None), state.discard + (slot_at(state, spot).card,)


def into_hand(state: State, spot: Spot, seat: Seat) -> State:
    """The card went from its row to a hand, visible to all."""
    hands = put(state.hands, seat, state.hands[seat] + (slot_at(state, spot).card,))
    return replace(state, rows=lay(state.rows, spot, None), hands=hands)


def after_shift(rows: tuple[Row, ...], spot: Spot, to: Spot) -> tuple[Row, ...]:
    """A card goes to a new slot of another row, or to another occupied slot of its own (SD-43)."""
    if to.row != spot.row:
        rows = put(rows, to.row, rows[to.row] + (rows[spot.row][spot.position],))
        return lay(rows, spot, None)
    row = list(rows[spot.row])
    places = [position for position, slot in enumerate(row) if slot is not None]
    cards = [row[position] for position in places]
    cards.insert(places.index(to.position), cards.pop(places.index(spot.position)))
    for position, slot in zip(places, cards, strict=True):
        row[position] = slot
    return put(rows, spot.row, tuple(row))


def seen_drawn(viewer: Viewer, event: Drawn) -> ScandaroonEvent:
    return event if event.seat == viewer else Drawn(event.seat, hide(event.cards))


def seen_hands_dealt(viewer: Viewer, event: HandsDealt) -> ScandaroonEvent:
    cards = list(map(hide, event.cards))
    if viewer is not None:
        cards[viewer] = event.cards[viewer]
    shown = HandsDealt(tuple(cards))
    return event if shown == event else shown


def seen_reshuffled(_: Viewer, event: Reshuffled) -> ScandaroonEvent:
    return Reshuffled(hide(event.draw)) if event.draw else event


def seen_prepared(_: Viewer, event: Prepared) -> ScandaroonEvent:
    return replace(event, trump_cards=hide(event.trump_cards), draw=hide(event.draw))


redact = Redact(ScandaroonEvent, seen_by_all, seen_drawn, seen_hands_dealt, seen_reshuffled, seen_prepared)
"""SD-59: dealt and drawn cards are shown to their seat; nobody sees face-down cards."""
