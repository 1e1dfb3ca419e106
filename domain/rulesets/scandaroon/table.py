"""Types: options, moves, events, state."""

from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, UnsetType

from domain.cards import CARD
from domain.messages import Dealing, Drawing, Event, Move, Open, Value
from domain.ruleset import Seat, check_enough
from domain.rulesets.scandaroon.deck import CardId, Outcome, ScandaroonDeck, Symbol, Trump

SEATS = range(3, 5)
ROUNDS = 4
HAND = 5
"""Cards in a hand when a round begins; one more for the last place (SD-72)."""

Card: TypeAlias = Annotated[str, CARD, Meta(description="By its `id` in the deck.")]
"""There is one of each."""
Cards: TypeAlias = tuple[Card | None, ...]

SeatNumber = Annotated[int, Meta(ge=0, lt=SEATS.stop)]
Position = Annotated[int, Meta(ge=0, description="A slot of the row; slots keep their numbers for a whole round.")]


class Options(Value, forbid_unknown_fields=True):
    """Fixed when the game is opened."""

    value_floor: Annotated[
        Literal[0] | None, Meta(description="0: no card counts less, whatever the effects. null: it may.")
    ] = 0
    tied_last_bonus: Annotated[
        Literal["all", "none"],
        Meta(description="Whether all seats that share the last place get a sixth card, or none."),
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
    """Those below it."""
    draw: Cards
    """The draw pile; the last card is its top. Null for everybody until the game is over."""


class Reshuffled(Dealing):
    """Before the third round draw pile and discard pile were shuffled and are the new draw pile (SD-61)."""

    draw: Cards
    """The new draw pile; the last card is its top. Null for everybody until the game is over."""


class HandsDealt(Event):
    """The cards that each seat drew, in order; only the seat itself sees them (SD-72)."""

    cards: tuple[Cards, ...]
    """By seat: the cards that it drew, first to last. Null for everybody but their seat until the game is over."""


class TrumpRevealed(Open):
    """The top trump card went under the others, and the next one was revealed (SD-73)."""

    trump: Symbol


class TrumpFlipped(Open):
    """The revealed trump card was turned face down: the round has no trump (SD-73)."""


class TurnBegan(Open):
    """It is the seat's turn."""

    seat: Seat


class Played(Open):
    """The seat laid a card of its hand at the end of the row."""

    seat: Seat
    """The seat that had the card."""
    row: Seat
    """The seat of the row."""
    card: Card
    """The card that was laid."""


class Used(Open):
    """The seat uses the ability of the card in that slot of its row."""

    seat: Seat
    position: int
    """The slot of the card in the seat's row."""


class Targeted(Open):
    """The first of two cards that are to be swapped, or the card that is to be moved."""

    seat: Seat
    spot: Spot


class Removed(Open):
    """The card went to the discard pile; `left` more are to be chosen."""

    seat: Seat
    spot: Spot
    left: int
    """How many more cards are to be chosen."""


class Boosted(Open):
    """The amount was added to the boost of these cards; `left` more are to be chosen."""

    seat: Seat
    spots: tuple[Spot, ...]
    """Where the cards lie."""
    amount: int
    """What the cards count more; negative: less."""
    left: int
    """How many more cards are to be chosen."""


class Swapped(Open):
    """The two cards have exchanged their slots."""

    seat: Seat
    one: Spot
    other: Spot


class Shifted(Open):
    """The card took that slot. Within a row the cards between close up, in another row the slot is new (SD-43)."""

    seat: Seat
    spot: Spot
    to: Spot


class TrumpChanged(Open):
    """The seat has changed the trump."""

    seat: Seat
    trump: Trump


class Drawn(Event):
    """The seat drew cards; nobody else sees them."""

    seat: Seat
    cards: Cards
    """First to last. Null for everybody but the seat until the game is over."""


class Returned(Open):
    """The card went to a hand; `left` more are to be chosen."""

    seat: Seat
    spot: Spot
    to: Seat
    """The seat to whose hand the card went."""
    left: int
    """How many more cards are to be chosen."""


class Spent(Open):
    """The ability was used, and its card went to the discard pile."""

    seat: Seat
    position: int
    """The slot of the card in the seat's row; it is empty now."""


class StonePlayed(Open):
    """The card was discarded for the seat's action stone. It came from that slot of its row, or else from its hand."""

    seat: Seat
    symbol: Symbol
    outcome: Outcome
    card: Card
    """The card that was discarded."""
    position: int | UnsetType = UNSET
    """The slot of the card in the seat's row. Absent: the card came from the hand."""


class Exchanged(Open):
    """The seat discarded a card of its hand and will get another one."""

    seat: Seat
    card: Card
    """The card that was discarded."""


class Protected(Open):
    """The seat's action stone lies on the card until the round ends."""

    seat: Seat
    spot: Spot


class Stolen(Open):
    """The card went to the seat's hand."""

    seat: Seat
    spot: Spot


class Passed(Open):
    """The seat takes no more turns in this round."""

    seat: Seat


class RoundScored(Open):
    """All have passed: the scores of the round, and the victory points for them (SD-62 to SD-67).

    `points` are those on the rank track. The cards that lay in the slots `taken` went to the score piles of the rows'
    seats. The others are who has, from now on, points for no trump, for the score piles and for the highest score.
    """

    scores: tuple[int, ...]
    """By seat: what the cards of its row count together."""
    points: tuple[int, ...]
    """By seat: the victory points for the rank in this round."""
    taken: tuple[Spot, ...]
    """Where the cards lay that went to score piles."""
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

    totals: tuple[int, ...]
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
    """What abilities add to its value."""
    protected_by: Seat | None = None
    """The seat whose action stone lies on it."""


Row: TypeAlias = tuple[Slot | None, ...]  # None: the card has gone, and the slot keeps its number

Phase: TypeAlias = Literal["deal", "turn", "settle", "reshuffle", "over"]

StonePlace: TypeAlias = Literal["ready", "pile", "card", "gone"]
"""With its seat, on the seat's score pile, on a card, out of the game."""
READY: StonePlace = "ready"


class Pending(Value):
    """What the seat on turn has to decide before its turn ends (SD-32)."""

    kind: Literal["ability", "may_play", "exchange", "protect", "steal"]
    """What is to be decided."""
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

    scores: tuple[int, ...]
    """By seat: the score of its row."""
    points: tuple[int, ...]
    """By seat: the victory points on the rank track."""


class State(Value):
    """The table. The dealer acts in `deal` and `reshuffle`, nobody in `settle` (what a move entails) and `over`."""

    options: Options
    """The options of the game."""
    deck: ScandaroonDeck
    """The name of the deck."""
    hands: tuple[Cards, ...]
    """By seat: the cards in the order of arrival.

    Cards that the viewer cannot know are null; their number is not hidden.
    """
    rows: tuple[Row, ...]
    """By seat: the slots of its row, from left to right. Null: the card is gone, and the slot keeps its number."""
    passed: tuple[bool, ...]
    """By seat: whether it has passed for the rest of the round."""
    stones: tuple[StonePlace, ...]
    """By seat: where its action stone is."""
    score_piles: tuple[tuple[Card, ...], ...]
    """By seat: the cards on its score pile, in the order of arrival."""
    rank_points: tuple[int, ...]
    """By seat: the victory points on the rank track."""
    phase: Phase = "deal"
    """What the game waits for."""
    round: int = 1
    """The number of the round, from 1."""
    starter: Seat | None = None
    """The seat that begins the round; null until it is known."""
    turn: Seat | None = None
    """The seat whose turn it is."""
    pending: Pending | None = None
    """What the seat `turn` has to decide before its turn ends."""
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
    totals: tuple[int, ...] | None = None
    """By seat: all victory points; null until the game is over."""
    winners: tuple[Seat, ...] | None = None
    """The seats that have won; null until the game is over."""


def initial(seats: int, options: Options, deck: ScandaroonDeck) -> State:
    check_enough(seats, (HAND + 1) * seats, len(deck.cards))
    return State(
        options, deck, hands=((),) * seats, rows=((),) * seats, passed=(False,) * seats, stones=(READY,) * seats,
        score_piles=((),) * seats, rank_points=(0,) * seats,
    )  # fmt: skip
