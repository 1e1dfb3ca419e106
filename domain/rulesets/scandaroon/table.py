"""Types: options, moves, events, state. Then the state after each event, and the redaction of events."""

from operator import add
from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from domain.cards import CARD, EMPTY, hide, put, without_one
from domain.messages import Dealing, Dispatch, Drawing, Event, Move, Open, Redact, Value, seen_by_all
from domain.ruleset import BySeat, Seat, SeatEvent, Viewer, check_enough
from domain.rulesets.scandaroon.deck import (
    AnyAbility,
    Boost,
    CardId,
    Draw,
    Outcome,
    Remove,
    Return,
    ScandaroonDeck,
    Symbol,
    Trump,
)

SEATS = range(3, 5)
ROUNDS = 4
HAND = 5
"""Cards in a hand when a round begins; one more for the last place (SD-72)."""

Card: TypeAlias = Annotated[str, CARD, Meta(description="By its `id` in the deck.")]
"""There is one of each."""
Cards: TypeAlias = tuple[Card | None, ...]

SeatNumber = Annotated[Seat, Meta(ge=0, lt=SEATS.stop)]
Position = Annotated[int, Meta(ge=0, description="A slot of the row; slots keep their numbers for a whole round.")]


class Options(Value, forbid_unknown_fields=True):
    """Fixed when the game is opened."""

    value_floor: Annotated[
        Literal[0] | None, Meta(description="0: no card counts less, whatever the effects. null: it may.")
    ] = 0
    tied_last_bonus: Annotated[
        Literal["all", "none"],
        Meta(description="The seats that get a sixth card when several share the last place: all of them, or none."),
    ] = "all"
    foreign_empty_row: Annotated[
        bool, Meta(description="A card that may be laid anywhere may begin another seat's row.")
    ] = True


# --- moves --------------------------------------------------------------------------------------------------------


class Play(Move):
    """Lay a card of your hand at the end of your row; some cards may be laid at any row (SD-34)."""

    card: CardId
    row: SeatNumber
    """The seat of the row."""


class Use(Move):
    """Use the ability of a card in your row, which is discarded afterwards (SD-37)."""

    position: Annotated[Position, Meta(extra_json_schema={"x-at": "rows/{you}/{position}"})]


class Target(Move):
    """Choose a card in play for an ability or the action stone (SD-39)."""

    row: SeatNumber
    """The seat of the row."""
    position: Annotated[Position, Meta(extra_json_schema={"x-at": "rows/{row}/{position}"})]


class Place(Move):
    """Say where the card goes that an ability moves: to a slot of its row, or to the end of a row (SD-43)."""

    position: Position | UnsetType = UNSET
    row: SeatNumber | UnsetType = UNSET
    """The seat of the row."""


class SetTrump(Move):
    """Change the trump (SD-44)."""

    trump: Trump


class Stone(Move):
    """Discard a card of your hand or of your row for your action stone (SD-48)."""

    symbol: Annotated[Symbol, Meta(description="One that the card bears; any for a card without symbol.")]
    card: CardId | UnsetType = UNSET
    position: Annotated[Position, Meta(extra_json_schema={"x-at": "rows/{you}/{position}"})] | UnsetType = UNSET


class Exchange(Move):
    """Discard a card of your hand; as many are drawn as you have discarded (SD-51)."""

    card: CardId


class Stop(Move):
    """Play none of the cards drawn (SD-46), or discard no more (SD-51)."""


class Pass(Move):
    """Take no more turns in this round (SD-55)."""


ScandaroonMove: TypeAlias = Play | Use | Target | Place | SetTrump | Stone | Exchange | Stop | Pass

# Moves that recur in many lists.
PASS = Pass()
STOP = Stop()


# --- events -------------------------------------------------------------------------------------------------------


class Spot(Value):
    """A slot of a row."""

    row: Seat
    """The seat of the row."""
    position: int
    """The slot in the row, from 0 at the left."""


class HighScore(Value):
    """The highest score of a round so far, and the seats that reached it."""

    score: int
    """The score."""
    seats: tuple[Seat, ...]
    """The seats that reached it."""


class Prepared(Dealing):
    """The starting seat was drawn by lot, trump cards and cards were shuffled, the top trump card revealed (SD-60)."""

    draws = (
        Drawing(below="seats", at="starter"),
        Drawing(shuffle=("trump_cards/*", "trump")),
        Drawing(shuffle=("draw/*",)),
    )

    starter: Seat
    """The seat that begins the first round."""
    trump: Symbol
    trump_cards: tuple[Symbol | None, ...]
    """The cards below it."""
    draw: Cards
    """The draw pile; the last card is its top. Null for everybody until the game is over."""


class Reshuffled(Dealing):
    """Before the third round draw pile and discard pile were shuffled and are the new draw pile (SD-61)."""

    draw: Cards
    """The new draw pile; the last card is its top. Null for everybody until the game is over."""


class HandsDealt(Event):
    """The cards that each seat drew, in order; only the seat itself sees them (SD-72)."""

    cards: BySeat[Cards]
    """By seat: the cards that it drew, first to last. Null for everybody but their seat until the game is over."""


class TrumpRevealed(Open):
    """The top trump card went under the others, and the next one was revealed (SD-73)."""

    trump: Symbol


class TrumpFlipped(Open):
    """The revealed trump card was turned face down: the round has no trump (SD-73)."""


class TurnBegan(SeatEvent):
    """It is the seat's turn."""


class Played(Open):
    """The seat laid a card of its hand at the end of the row."""

    seat: Seat
    """The seat that had the card."""
    row: Seat
    """The seat of the row."""
    card: Card
    """The card that was laid."""


class Used(SeatEvent):
    """The seat uses the ability of the card in that slot of its row."""

    position: int
    """The slot of the card in the seat's row."""


class Targeted(SeatEvent):
    """The first of two cards that are to be swapped, or the card that is to be moved."""

    spot: Spot


class Removed(SeatEvent):
    """The card went to the discard pile; `left` more are to be chosen."""

    spot: Spot
    left: int
    """The number of cards that are still to be chosen."""


class Boosted(SeatEvent):
    """The amount was added to the boost of these cards; `left` more are to be chosen."""

    spots: tuple[Spot, ...]
    """The places of the cards."""
    amount: int
    """The points that the cards count more; negative: less."""
    left: int
    """The number of cards that are still to be chosen."""


class Swapped(SeatEvent):
    """The two cards have exchanged their slots."""

    one: Spot
    other: Spot


class Shifted(SeatEvent):
    """The card took that slot. Within a row the cards between close up, in another row the slot is new (SD-43)."""

    spot: Spot
    to: Spot


class TrumpChanged(SeatEvent):
    """The seat has changed the trump."""

    trump: Trump


class Drawn(Event):
    """The seat drew cards; nobody else sees them."""

    seat: Seat
    cards: Cards
    """First to last. Null for everybody but the seat until the game is over."""


class Returned(SeatEvent):
    """The card went to a hand; `left` more are to be chosen."""

    spot: Spot
    to: Seat
    """The seat to whose hand the card went."""
    left: int
    """The number of cards that are still to be chosen."""


class Spent(SeatEvent):
    """The ability was used, and its card went to the discard pile."""

    position: int
    """The slot of the card in the seat's row; it is empty now."""


class StonePlayed(SeatEvent):
    """The card was discarded for the seat's action stone. It came from that slot of its row, or else from its hand."""

    symbol: Symbol
    outcome: Outcome
    card: Card
    """The card that was discarded."""
    position: int | UnsetType = UNSET
    """The slot of the card in the seat's row. Absent: the card came from the hand."""


class Exchanged(SeatEvent):
    """The seat discarded a card of its hand and will get another one."""

    card: Card
    """The card that was discarded."""


class Protected(SeatEvent):
    """The seat's action stone lies on the card until the round ends."""

    spot: Spot


class Stolen(SeatEvent):
    """The card went to the seat's hand."""

    spot: Spot


class Passed(SeatEvent):
    """The seat takes no more turns in this round."""


class RoundScored(Open):
    """All have passed: the scores of the round, and the victory points for them (SD-62 to SD-67).

    `points` are those on the rank track. The cards that lay in the slots `taken` went to the score piles of the rows'
    seats. The others are who has, from now on, points for no trump, for the score piles and for the highest score.
    """

    scores: BySeat[int]
    """By seat: what the cards of its row count together."""
    points: BySeat[int]
    """By seat: the victory points for the rank in this round."""
    taken: tuple[Spot, ...]
    """The places of the cards that went to score piles."""
    no_trump: tuple[Seat, ...]
    """The seats that have led a round that began or ended without trump."""
    pile_first: tuple[Seat, ...]
    """The seats with the highest score pile."""
    pile_second: tuple[Seat, ...]
    """The seats with the second score pile."""
    record: HighScore


class TableCleared(Open):
    """All cards in rows went to the discard pile, and the seat will begin the next round (SD-69, SD-70)."""

    starter: Seat
    """The seat that begins the next round."""


class Won(Open):
    """The last round is over: all victory points, and the winners (SD-68)."""

    totals: BySeat[int]
    """By seat: all victory points."""
    winners: tuple[Seat, ...]
    """The winning seats; several in a tie."""


ScandaroonEvent: TypeAlias = (
    Prepared | Reshuffled | HandsDealt | TrumpRevealed | TrumpFlipped | TurnBegan | Played | Used | Targeted | Removed
    | Boosted | Swapped | Shifted | TrumpChanged | Drawn | Returned | Spent | StonePlayed | Exchanged | Protected
    | Stolen | Passed | RoundScored | TableCleared | Won
)  # fmt: skip


# --- state --------------------------------------------------------------------------------------------------------


class Slot(Value):
    """A card in a row."""

    card: Card
    """The card that lies there."""
    boost: int = 0
    """The points that abilities add to its value."""
    protected_by: Seat | None = None
    """The seat whose action stone lies on it."""


Row: TypeAlias = tuple[Annotated[Slot | None, EMPTY], ...]  # None: the card has gone, and the slot keeps its number

Phase: TypeAlias = Literal["deal", "turn", "settle", "reshuffle", "over"]

StonePlace: TypeAlias = Literal["ready", "pile", "card", "gone"]
"""With its seat, on the seat's score pile, on a card, out of the game."""
READY: StonePlace = "ready"


class Pending(Value):
    """The decision of the seat on turn before its turn ends (SD-32)."""

    kind: Literal["ability", "may_play", "exchange", "protect", "steal"]
    """The decision."""
    position: int | None = None
    """The slot of the ability card in the seat's own row."""
    first: Spot | None = None
    """The card that is to be swapped or moved."""
    left: int = 0
    """The number of targets still to be chosen."""
    drawn: Cards = ()
    """The cards just drawn, of which one may be played; null for the others."""
    out: int = 0
    """The number of cards discarded for others."""
    most: int = 0
    """The maximum number of cards to discard for others; the maximum base value of the stolen card."""


class Round(Value):
    """A round that has been played."""

    scores: BySeat[int]
    """By seat: the score of its row."""
    points: BySeat[int]
    """By seat: the victory points on the rank track."""


class State(Value):
    """The table. The dealer acts in `deal` and `reshuffle`, nobody in `settle` (what a move entails) and `over`."""

    options: Options
    """The options of the game."""
    deck: ScandaroonDeck
    """The name of the deck."""
    hands: BySeat[Cards]
    """By seat: the cards in the order of arrival.

    Cards that the viewer cannot know are null; their number is not hidden.
    """
    rows: BySeat[Row]
    """By seat: the slots of its row, from left to right. Null: the card is gone, and the slot keeps its number."""
    passed: BySeat[bool]
    """By seat: whether it has passed for the rest of the round."""
    stones: BySeat[StonePlace]
    """By seat: where its action stone is."""
    score_piles: BySeat[tuple[Card, ...]]
    """By seat: the cards on its score pile, in the order of arrival."""
    rank_points: BySeat[int]
    """By seat: the victory points on the rank track."""
    phase: Phase = "deal"
    """The phase: what the game waits for."""
    round: int = 1
    """The number of the round, from 1."""
    starter: Seat | None = None
    """The seat that begins the round; null until it is known."""
    turn: Seat | None = None
    """The seat whose turn it is."""
    pending: Pending | None = None
    """The decision of the seat `turn` before its turn ends; null: there is none."""
    trump: Trump = "none"
    """The current trump."""
    trump_at_start: Trump = "none"
    """The trump at the start of the round."""
    trump_cards: tuple[Symbol | None, ...] = ()
    """The pile of trump cards; the last one is the top and revealed, null is an unrevealed one."""
    flipped: bool = False
    """The top trump card lies face down: there is no trump."""
    draw: Cards = ()
    """The draw pile, face down; the last card is the top."""
    discard: tuple[Card, ...] = ()
    """The discard pile, face up; the last card is the top."""
    no_trump: tuple[Seat, ...] = ()
    """The seats that have won a round that began or ended without trump."""
    pile_first: tuple[Seat, ...] = ()
    """The seats with the most points on their score piles; each has 3 victory points for it."""
    pile_second: tuple[Seat, ...] = ()
    """The seats with the second most points on their score piles; each has 1 victory point for it."""
    record: HighScore | None = None
    """The highest score of a round so far."""
    rounds: tuple[Round, ...] = ()
    """The scored rounds, first to last."""
    totals: BySeat[int] | None = None
    """By seat: all victory points; null until the game is over."""
    winners: tuple[Seat, ...] | None = None
    """The seats that have won; null until the game is over."""


def initial(seats: int, options: Options, deck: ScandaroonDeck) -> State:
    check_enough(seats, (HAND + 1) * seats, len(deck.cards))
    return State(
        options, deck, hands=((),) * seats, rows=((),) * seats, passed=(False,) * seats, stones=(READY,) * seats,
        score_piles=((),) * seats, rank_points=(0,) * seats,
    )  # fmt: skip


# --- evolve -------------------------------------------------------------------------------------------------------


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
