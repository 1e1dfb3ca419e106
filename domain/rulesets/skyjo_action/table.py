"""Types: cards, deck, options, moves, events, state. Then the state after each event, and the redaction of events."""

from typing import Annotated, Literal, TypeAlias, get_args

from msgspec import Meta
from msgspec.structs import replace

from domain.cards import CARD, EMPTY, hide, put
from domain.deck import Deck, DeckData, InvalidDeck
from domain.messages import Dealing, Dispatch, Drawing, Event, Move, Open, Redact, Value, seen_by_all
from domain.ruleset import BySeat, Seat, SeatEvent, Viewer, check_enough
from domain.rulesets.skyjo_grid import SLOTS, Copies, LayoutSlot, Number, Slot, SlotNumber, all_up, lay, rising

Card: TypeAlias = Annotated[int | Literal["star"], CARD, Meta(description="The number on the card, or `star`.")]
"""A playing card."""
Cards: TypeAlias = tuple[Card | None, ...]
STAR: Literal["star"] = "star"

Action: TypeAlias = Annotated[
    Literal[
        "swap_own", "double_move", "draw_three", "look_line", "remove_one_each", "swap_players", "steal_action",
        "play_discarded_action", "defence",
    ],
    CARD,
]  # fmt: skip
"""An action card."""
ACTIONS: tuple[Action, ...] = get_args(get_args(Action)[0])

SEATS = range(2, 9)
OPEN = 4
"""How many action cards lie open."""
THREE = 3

SeatNumber = Annotated[Seat, Meta(ge=0, lt=8)]
AnySlot = Annotated[
    int,
    Meta(
        ge=0, lt=SLOTS, description="A place in the seat's layout: column * 3 + row.",
        extra_json_schema={"x-at": "layouts/{seat}/{slot}"},
    ),
]  # fmt: skip
ThreePlace = Annotated[
    int,
    Meta(
        ge=0, lt=THREE, description="The index of a drawn card.", extra_json_schema={"x-at": "three/{place}"}
    ),
]  # fmt: skip
Source = Annotated[int, Meta(ge=0, lt=OPEN, extra_json_schema={"x-at": "open/{source}"})] | Literal["pile"]
"""Where an action card is taken from: one of the four open places, or the top of the face-down pile."""
Line: TypeAlias = Literal["c0", "c1", "c2", "c3", "r0", "r1", "r2"]
"""A column or a row of a layout."""


# --- the deck and the options -------------------------------------------------------------------------------------

MOST = 1000
"""The maximum number of cards of a deck: every deal is shuffled, recorded and sent."""


class SkyjoActionDeckData(DeckData):
    """The number of cards for each number, of stars, of action cards of each kind, and of blank cards."""

    numbers: dict[Number, Copies]
    """The number of cards of each value."""
    stars: Copies
    """The number of star cards."""
    actions: dict[Action, Copies]
    """The number of action cards of each kind."""
    blank: Copies
    """The number of blank cards in the box. They are not played with."""


class SkyjoActionDeck(Deck[SkyjoActionDeckData]):
    """Playing cards: the numbers rising, then the stars. Action cards: kind by kind, as `ACTIONS` has them.

    The blank cards are not played with (SA-2).
    """

    __slots__ = ("actions", "playing", "points")
    data_type = SkyjoActionDeckData

    def __init__(self, data: SkyjoActionDeckData) -> None:
        super().__init__(data)
        total = sum(data.numbers.values()) + data.stars + sum(data.actions.values())
        if total > MOST:
            raise InvalidDeck(f"The deck has {total} cards, more than {MOST} - at `$`")
        numbers = rising(data.numbers)
        self.playing: tuple[Card, ...] = (*numbers, *[STAR] * data.stars)
        self.points = sum(numbers)
        self.actions: tuple[Action, ...] = tuple(kind for kind in ACTIONS for _ in range(data.actions.get(kind, 0)))
        if not self.playing:
            raise InvalidDeck("The deck has neither numbers nor stars - at `$.numbers`")

    @property
    def cards(self) -> tuple[Card | Action, ...]:
        """All cards that are played with."""
        return (*self.playing, *self.actions)


class Options(Value, forbid_unknown_fields=True):
    """Fixed when the game is opened (SA-4)."""

    target_points: Annotated[
        int, Meta(ge=1, le=1000, description="The game ends after the round in which some total reaches this.")
    ] = 100
    double_only_positive: Annotated[
        bool, Meta(description="A finisher's points of zero or less are never doubled. False: they may be.")
    ] = True
    star_line_bonus: Annotated[
        bool, Meta(description="A cleared line of nothing but stars takes off 10 points, of four stars 15.")
    ] = True
    star_action: Annotated[
        Literal["may", "must"], Meta(description="The owner of a star may, or must, take an action card.")
    ] = "may"
    short_rows: Annotated[
        bool, Meta(description="A row with three cards left can be a line. False: only complete rows of four.")
    ] = True
    take_from_action_pile: Annotated[
        bool, Meta(description="A move may take the face-down top action card. False: only stars allow that.")
    ] = True
    discarded_action_choice: Annotated[
        Literal["top", "any"], Meta(description="The discarded action card that `play_discarded_action` plays.")
    ] = "top"
    seed_action_discard: Annotated[
        bool, Meta(description="An action card opens their discard pile at the deal. False: it begins empty.")
    ] = False


# --- moves --------------------------------------------------------------------------------------------------------


class Flip(Move):
    """Turn up a face-down card of your own: at the beginning of a round, or at the end of a move (SA-38)."""

    slot: SlotNumber


class Draw(Move):
    """Draw the top card of the draw pile (SA-31)."""


class Take(Move):
    """Take the top card of the discard pile; it must then be swapped in (SA-32)."""


class Swap(Move):
    """Lay the card you hold in place of one of yours, which goes to the discard pile (SA-36)."""

    slot: SlotNumber


class Toss(Move):
    """Put the drawn card onto the discard pile; then turn up one of yours (SA-37)."""


class TakeAction(Move):
    """Take an action card: as your move, or for a star (SA-33, SA-40)."""

    source: Source


class SkipAction(Move):
    """Take no action card for the star (SA-40)."""


class Play(Move):
    """Play an action card that has lain in front of you since an earlier turn (SA-34)."""

    card: Action
    """The action card."""


class Discard(Move):
    """Put away an action card that has lain in front of you since an earlier turn, without effect (SA-35)."""

    card: Action
    """The action card."""


class Pick(Move):
    """Name a card in a layout: one to exchange, or the one that its owner loses (SA-51, SA-55, SA-56)."""

    seat: SeatNumber
    """The seat of the layout."""
    slot: AnySlot


class Look(Move):
    """Look at the face-down cards of a line (SA-54)."""

    seat: SeatNumber
    """The seat of the layout."""
    line: Line


class Keep(Move):
    """Keep one of the three drawn cards; it must then be swapped in (SA-53)."""

    place: ThreePlace


class KeepNone(Move):
    """Keep none of the three drawn cards; in the end one of yours is turned up (SA-53)."""


class Drop(Move):
    """Put one of the three drawn cards onto the discard pile (SA-53)."""

    place: ThreePlace


class Steal(Move):
    """Play an action card of another seat as if it were yours (SA-57)."""

    seat: SeatNumber
    """The seat that loses the card."""
    card: Action
    """The action card."""


class Replay(Move):
    """Play a discarded action card once more (SA-58)."""

    card: Action
    """The action card."""


class ClearLine(Move):
    """Clear a line of yours that has a star in it (SA-45)."""

    line: Line


class KeepLines(Move):
    """Leave the lines with stars in them where they are for now (SA-45)."""


SkyjoActionMove: TypeAlias = (
    Flip | Draw | Take | Swap | Toss | TakeAction | SkipAction | Play | Discard | Pick | Look | Keep | KeepNone | Drop
    | Steal | Replay | ClearLine | KeepLines
)  # fmt: skip

# Moves that recur in many lists.
DRAW, TAKE, TOSS, SKIP_ACTION = Draw(), Take(), Toss(), SkipAction()
FLIPS = tuple(Flip(slot) for slot in range(SLOTS))
SWAPS = tuple(Swap(slot) for slot in range(SLOTS))
FROM_OPEN = tuple(TakeAction(place) for place in range(OPEN))
FROM_PILE = TakeAction("pile")
PLAYS = {card: Play(card) for card in ACTIONS}
DISCARDS = {card: Discard(card) for card in ACTIONS}
PICKS = tuple(tuple(Pick(seat, slot) for slot in range(SLOTS)) for seat in range(SEATS.stop))
KEEPS = tuple(Keep(place) for place in range(THREE))
DROPS = tuple(Drop(place) for place in range(THREE))


# --- parts of events and of the state -----------------------------------------------------------------------------


class Place(Value):
    """A place in a layout."""

    seat: Seat
    """The seat of the layout."""
    slot: int
    """The place in the layout: column * 3 + row."""


class Owed(Value):
    """A card that was to come from an empty pile, and where it goes: what a restock interrupts.

    `held` to the hand of who draws, `three` to one of the three places, `layout` in place of a removed card: from the
    draw pile. `hand` in front of the seat, `open` to one of the four places: from the pile of action cards.
    """

    to: Literal["held", "three", "layout", "hand", "open"]
    """The place of the card."""
    seat: Seat
    """The seat that gets it."""
    place: int
    """Its place there, from 0."""


class TurnedUp(Value):
    """A card that lay face down."""

    seat: Seat
    slot: LayoutSlot
    card: Card


# --- events -------------------------------------------------------------------------------------------------------


class Dealt(Dealing):
    """A round begins: twelve cards face down for each seat, one face up, the rest is the draw pile (SA-66).

    Of the action cards four lie open, one may open their discard pile, the rest is their pile.
    """

    draws = (
        Drawing(shuffle=("layouts/*/*", "discard", "draw/*")),
        Drawing(shuffle=("open/*", "action_discard/*", "action_pile/*")),
    )

    layouts: BySeat[Cards]
    """By seat: the cards, at column * 3 + row. All lie face down. Null for everybody until the game is over."""
    draw: Cards
    """The draw pile; the last card is its top. Null for everybody until the game is over."""
    discard: Card
    """The first card of the discard pile."""
    open: tuple[Action, ...]
    """The open action cards, by their place."""
    action_discard: tuple[Action, ...]
    """The discard pile of the action cards: one card, or none."""
    action_pile: tuple[Action | None, ...]
    """The other action cards, face down; the last one is the top. Null for everybody until the game is over."""


class Flipped(SeatEvent):
    """The seat turned up one of its cards."""

    slot: LayoutSlot
    card: Card


class StarterFound(SeatEvent):
    """The seat will have the first turn (SA-21)."""


class PicksGranted(Open):
    """These seats, one after the other, may take an action card for a star of theirs (SA-22, SA-40)."""

    seats: tuple[Seat, ...]
    """The seats in the order in which they choose."""


class PickSkipped(SeatEvent):
    """The seat takes no action card for its star: it does not want to, or there is none."""


class TurnBegan(SeatEvent):
    """It is the seat's turn, and all its action cards are ready (SA-23)."""


class MoveBegan(SeatEvent):
    """Another move of the seat; `moves` are left, this one included (SA-25)."""

    moves: int
    """The number of moves that are left in this turn, this one included."""


class RanOut(Open):
    """A card is to be drawn and its pile is empty."""

    owed: Owed


class Restocked(Dealing):
    """All discards but the top one were shuffled and are the new draw pile (SA-65)."""

    draw: Cards
    """The new draw pile; the last card is its top. Null for everybody until the game is over."""


class ActionsRestocked(Dealing):
    """All discarded action cards but the top one were shuffled and are their new pile (SA-67)."""

    action_pile: tuple[Action | None, ...]
    """The new pile of action cards; the last one is the top. Null for everybody until the game is over."""


class Drawn(Event):
    """The seat holds the top card of the draw pile; nobody else sees it."""

    seat: Seat
    card: Card | None
    """Null for everybody but the seat until the game is over."""


class Taken(SeatEvent):
    """The seat holds the top card of the discard pile; `top` is the one below it, if there is one (SA-15)."""

    card: Card
    top: tuple[Card, ...]
    """The card below it, which is the top discard now; empty if there is none."""


class Swapped(SeatEvent):
    """The held card lies face up in the slot; the one that lay there is now the top discard."""

    slot: LayoutSlot
    card: Card
    """The card that was held."""
    out: Card
    """The card that lay in the slot."""


class Tossed(SeatEvent):
    """The drawn card is now the top discard."""

    card: Card


class ActionTaken(SeatEvent):
    """The action card lies in front of the seat, not to be played before its next turn (SA-24, SA-33).

    `laid` is the top card of their pile, laid open in place of an open card that was taken; none if the pile is empty.
    """

    source: Source
    card: Action
    """The action card that was taken."""
    laid: tuple[Action, ...]
    """The action card that lies in its place now; empty if there is none."""


class ActionLaidOpen(Open):
    """The top card of the pile of action cards was laid open in a gap (SA-25)."""

    place: int
    """The gap among the open action cards, 0 to 3."""
    card: Action
    """The action card that lies there now."""


class Played(SeatEvent):
    """The seat's action card lies on their discard pile and takes effect (SA-34)."""

    card: Action
    """The action card that takes effect."""


class Discarded(SeatEvent):
    """The seat's action card lies on their discard pile, without effect (SA-35)."""

    card: Action
    """The action card that has no effect."""


class EffectLapsed(SeatEvent):
    """The action card that was fetched has nothing to act on (SA-50)."""

    card: Action
    """The action card that was fetched."""


class MovesAdded(SeatEvent):
    """The seat has `moves` more moves (SA-52, SA-59)."""

    moves: int
    """The number of moves that are added."""


class DrawnAside(Event):
    """One of three cards was drawn; nobody else sees it (SA-53)."""

    seat: Seat
    place: int
    """The index of one of the three cards, 0 to 2."""
    card: Card | None
    """Null for everybody but the seat until the game is over."""


class Kept(SeatEvent):
    """The seat holds one of the three cards, which is still seen by nobody else."""

    place: int
    """The index of one of the three cards, 0 to 2."""


class KeptNone(SeatEvent):
    """The seat keeps none of the three cards."""


class Dropped(SeatEvent):
    """One of the three cards is now the top discard."""

    place: int
    """The index of one of the three cards, 0 to 2."""
    card: Card


class LineLooked(Event):
    """The seat looked at the face-down cards of a line; nobody else sees them (SA-54)."""

    seat: Seat
    owner: Seat
    """The seat in whose layout the line is."""
    line: Line
    slots: tuple[int, ...]
    """The places of the face-down cards: column * 3 + row."""
    cards: Cards
    """The cards in these places. Null for everybody but the seat until the game is over."""


class VictimsNamed(Open):
    """Each of these seats, one after the other, is to lose a card (SA-55)."""

    seats: tuple[Seat, ...]
    """The seats in the order in which they lose a card."""


class Picked(SeatEvent):
    """The first of the two cards that are to be exchanged (SA-51, SA-56)."""

    place: Place


class Exchanged(SeatEvent):
    """The two cards have changed places, each as it lay, face up or face down."""

    one: Place
    other: Place


class Removed(SeatEvent):
    """The card went below all discards; if it lay face down nobody has seen it (SA-55)."""

    slot: LayoutSlot


class Replaced(SeatEvent):
    """A drawn card lies face up in place of the removed one."""

    slot: LayoutSlot
    card: Card


class Blocked(SeatEvent):
    """A defence of the seat has warded off the attack and is used up (SA-60)."""


class Stolen(SeatEvent):
    """The victim's action card lies on their discard pile and takes effect for the seat (SA-57)."""

    victim: Seat
    """The seat that had the card."""
    card: Action
    """The action card that takes effect."""


class Replayed(SeatEvent):
    """The action card was lifted to the top of their discard pile and takes effect once more (SA-58)."""

    card: Action
    """The action card that takes effect once more."""


class LineCleared(SeatEvent):
    """A line went onto the discard pile: the cards in the order in which they were laid there (SA-44 to SA-47)."""

    line: Line
    slots: tuple[int, ...]
    """The places that are empty now: column * 3 + row."""
    cards: tuple[Card, ...]
    """The cards that lay there, in the order in which they were discarded."""
    bonus: int
    """The points that are added to the round: negative for a line of stars, else 0."""


class LinesOffered(SeatEvent):
    """The seat may clear lines of its own that have a star in them (SA-45)."""


class LinesKept(SeatEvent):
    """The seat leaves its lines with stars in them where they are."""


class FinalLapBegan(Open):
    """Some layout has no face-down card left; every other seat has one more turn (SA-25, SA-70)."""

    finisher: Seat
    """The seat that ends the round."""


class LayoutsRevealed(Open):
    """The final lap has ended: all face-down cards are turned up (SA-71)."""

    cards: tuple[TurnedUp, ...]
    """Each card that lay face down."""


class RoundScored(Open):
    """The points of every seat in this round, the finisher's doubled where due (SA-72, SA-73)."""

    points: BySeat[int]
    """By seat: what is added to the totals."""


class Won(Open):
    """Some total has reached the target: these seats have the lowest one (SA-74)."""

    winners: tuple[Seat, ...]
    """The winning seats; several in a tie."""


SkyjoActionEvent: TypeAlias = (
    Dealt | Flipped | StarterFound | PicksGranted | PickSkipped | TurnBegan | MoveBegan | RanOut | Restocked
    | ActionsRestocked | Drawn | Taken | Swapped | Tossed | ActionTaken | ActionLaidOpen | Played | Discarded
    | DrawnAside | LineLooked | EffectLapsed | MovesAdded | Kept | KeptNone | Dropped | VictimsNamed | Picked
    | Exchanged | Removed | Replaced | Blocked | Stolen | Replayed | LineCleared | LinesOffered | LinesKept
    | FinalLapBegan | LayoutsRevealed | RoundScored | Won
)  # fmt: skip


# --- state --------------------------------------------------------------------------------------------------------

# None: the card is gone, and stays gone for the round.
Layout: TypeAlias = tuple[Annotated[Slot[Card] | None, EMPTY], ...]


class ActionCard(Value):
    """An action card in front of a seat; a fresh one cannot be played or discarded yet (SA-24)."""

    card: Action
    """The card."""
    fresh: bool
    """It cannot be played or discarded before the next turn of its owner."""


READY = {card: ActionCard(card, fresh=False) for card in ACTIONS}
FRESH = {card: ActionCard(card, fresh=True) for card in ACTIONS}

Phase: TypeAlias = Literal["deal", "setup", "turn", "reveal", "over"]

Kind: TypeAlias = Literal[
    # decisions
    "choose", "place", "flip", "pick", "look", "steal", "replay", "keep", "slot", "drop", "lines",
    # what goes on by itself: drawing three cards, naming victims, adding moves, the end of a move before and after
    # its lines are settled
    "three", "victims", "moves", "end", "fill",
]  # fmt: skip


class Pending(Value):
    """The open decision of the seat, or what goes on by itself, with the choices already made (SA-20)."""

    seat: Seat
    """The seat that decides, or for which it goes on."""
    kind: Kind
    """The decision, or what goes on by itself."""
    card: Action | None = None
    """The action card that takes effect."""
    picked: Place | None = None
    """The first of two cards to be exchanged."""
    victims: tuple[Seat, ...] = ()
    """The seats that are still to lose a card, next first."""
    kept: bool = False
    """One of the three cards was kept, so that nothing is turned up after the others are dropped."""


# The most common pending decisions, by seat.
CHOOSE = tuple(Pending(seat, "choose") for seat in range(SEATS.stop))
PLACE = tuple(Pending(seat, "place") for seat in range(SEATS.stop))
FLIP = tuple(Pending(seat, "flip") for seat in range(SEATS.stop))
END = tuple(Pending(seat, "end") for seat in range(SEATS.stop))


class State(Value):
    """The table. Who decides: the dealer while something is `owed` and in the phase `deal`; else the first
    seat of `stars`, if any, takes an action card for a star; else it is the pending seat's, and in `setup` everybody's.
    """

    options: Options
    """The options of the game."""
    deck: SkyjoActionDeck
    """The name of the deck."""
    layouts: BySeat[Layout]
    """By seat: the twelve places of a layout in columns: index = column * 3 + row.

    Null: the card is gone for the round.
    """
    totals: BySeat[int]
    """By seat: the points of all scored rounds."""
    hands: BySeat[tuple[ActionCard, ...]]
    """By seat: the action cards in front of it, face up. Each costs 10 points at the end of the round."""
    star_bonus: BySeat[int]
    """By seat: the points for cleared lines of stars in this round, zero or less."""
    phase: Phase = "deal"
    """The phase: what the game waits for."""
    round: int = 0
    """The number of the round, from 1; 0 before the first deal."""
    turn: Seat | None = None
    """The seat whose turn it is."""
    moves: int = 0
    """The number of moves that are left in this turn, the current one included."""
    pending: Pending | None = None
    """The decision that is open, or what goes on by itself; null between turns and in the phase `setup`."""
    stars: tuple[Seat, ...] = ()
    """The seats that may take an action card for a star, in the order in which they do."""
    owed: Owed | None = None
    """The card that comes as soon as an empty pile is restocked."""
    draw: Cards = ()
    """The draw pile, face down; the last card is the top."""
    discard: Cards = ()
    """The discard pile; the last card is the top, face up. Null: a card that the viewer has never seen."""
    held: Card | None = None
    """The playing card in the hand of the seat `turn`. A drawn one is null for the others: see `held_from`."""
    held_from: Literal["draw", "discard", "three"] | None = None
    """The place that the card in the hand comes from; null: no card is held."""
    three: tuple[Annotated[Slot[Card] | None, EMPTY], ...] = ()
    """The three drawn cards, by place; null is a place that is empty again."""
    open: tuple[Annotated[Action | None, EMPTY], ...] = (None,) * OPEN
    """The four open action cards, by place; null is a gap."""
    action_pile: tuple[Action | None, ...] = ()
    """The pile of action cards, face down; the last card is the top."""
    action_discard: tuple[Action, ...] = ()
    """The discarded action cards, face up; the last card is the top."""
    finisher: Seat | None = None
    """The seat that turned up its last card and so ends the round."""
    starter: Seat | None = None
    """The seat that begins the round; null until it is known."""
    rounds: tuple[tuple[int, ...], ...] = ()
    """The points by seat of each scored round, first to last."""
    winners: tuple[Seat, ...] | None = None
    """The seats that have won; null until the game is over."""


def indifferent(_: State, one: SkyjoActionMove, other: SkyjoActionMove) -> bool:
    """Two cards that lie face down look alike."""
    return isinstance(one, Flip) and isinstance(other, Flip)


def initial(seats: int, options: Options, deck: SkyjoActionDeck) -> State:
    need = SLOTS * seats + THREE + 1  # SA-3: then three cards can always be drawn
    check_enough(seats, need, len(deck.playing), "numbers and stars")
    return State(
        options, deck, layouts=((),) * seats, totals=(0,) * seats, hands=((),) * seats, star_bonus=(0,) * seats
    )


# --- evolve -------------------------------------------------------------------------------------------------------


EFFECTS: dict[Action, Kind] = {
    "swap_own": "pick", "double_move": "moves", "draw_three": "three", "look_line": "look",
    "remove_one_each": "victims", "swap_players": "pick", "steal_action": "steal",
    "play_discarded_action": "replay", "defence": "moves",
}  # fmt: skip
"""The pending decision when the action card takes effect."""


def pending_in(state: State) -> Pending:
    assert state.pending is not None
    return state.pending


def attack(pending: Pending, victims: tuple[Seat, ...]) -> Pending:
    """The pending decision while these seats are still to be attacked."""
    return Pending(pending.seat, "pick", pending.card, victims=victims) if victims else END[pending.seat]


def ready(hand: tuple[ActionCard, ...]) -> tuple[ActionCard, ...]:
    """The same cards, none of them fresh any more: the newest was, and the last ones may have been."""
    others, newest = hand[:-1], READY[hand[-1].card]
    if others and others[-1].fresh:
        others = ready(others)
    return others + (newest,)


def used_up(state: State, seat: Seat, held: ActionCard, pending: Pending) -> State:
    """The action card has gone from the seat's hand onto their discard pile; of several the first (section 6.1)."""
    hand = list(state.hands[seat])
    hand.remove(held)
    hands = put(state.hands, seat, tuple(hand))
    return replace(state, hands=hands, action_discard=state.action_discard + (held.card,), pending=pending)


def oldest(hand: tuple[ActionCard, ...], card: Action) -> ActionCard:
    """The first of such cards: the fresh ones are behind the others."""
    return READY[card] if READY[card] in hand else FRESH[card]


def dealt(state: State, event: Dealt) -> State:
    """The initial state, except options, deck, totals, rounds and the starting seat."""
    seats = len(state.layouts)
    return State(
        state.options,
        state.deck,
        layouts=tuple([tuple([Slot(card, up=False) for card in cards]) for cards in event.layouts]),
        totals=state.totals,
        hands=((),) * seats,
        star_bonus=(0,) * seats,
        phase="setup",
        round=state.round + 1,
        draw=event.draw,
        discard=(event.discard,),
        open=event.open + (None,) * (OPEN - len(event.open)),
        action_pile=event.action_pile,
        action_discard=event.action_discard,
        starter=state.starter,
        rounds=state.rounds,
    )


def laid(layouts: tuple[Layout, ...], event: Flipped | Swapped | Replaced) -> tuple[Layout, ...]:
    """The card lies face up in the slot."""
    return lay(layouts, event.seat, event.slot, Slot(event.card, up=True))


def flipped(state: State, event: Flipped) -> State:
    pending = None if state.phase == "setup" else END[event.seat]
    return replace(state, layouts=laid(state.layouts, event), pending=pending)


def starter_found(state: State, event: StarterFound) -> State:
    return replace(state, starter=event.seat)


def picks_granted(state: State, event: PicksGranted) -> State:
    return replace(state, stars=event.seats)


def pick_skipped(state: State, _: PickSkipped) -> State:
    return replace(state, stars=state.stars[1:])


def turn_began(state: State, event: TurnBegan) -> State:
    hands = state.hands
    hand = hands[event.seat]
    if hand and hand[-1].fresh:
        hands = put(hands, event.seat, ready(hand))
    return replace(state, phase="turn", turn=event.seat, moves=1, hands=hands, pending=CHOOSE[event.seat])


def move_began(state: State, event: MoveBegan) -> State:
    return replace(state, moves=event.moves, pending=CHOOSE[event.seat])


def ran_out(state: State, event: RanOut) -> State:
    return replace(state, owed=event.owed)


def restocked(state: State, event: Restocked) -> State:
    return replace(state, draw=event.draw, discard=state.discard[-1:])


def actions_restocked(state: State, event: ActionsRestocked) -> State:
    return replace(state, action_pile=event.action_pile, action_discard=state.action_discard[-1:])


def drawn(state: State, event: Drawn) -> State:
    draw, pending = state.draw[:-1], PLACE[event.seat]
    return replace(state, draw=draw, held=event.card, held_from="draw", owed=None, pending=pending)


def taken(state: State, event: Taken) -> State:
    discard, pending = state.discard[:-2] + event.top, PLACE[event.seat]
    return replace(state, discard=discard, held=event.card, held_from="discard", pending=pending)


def swapped(state: State, event: Swapped) -> State:
    pending = Pending(event.seat, "drop", kept=True) if state.held_from == "three" else END[event.seat]
    return replace(
        state,
        layouts=laid(state.layouts, event),
        discard=state.discard + (event.out,),
        held=None,
        held_from=None,
        pending=pending,
    )


def tossed(state: State, event: Tossed) -> State:
    pending = END[event.seat] if all_up(state.layouts[event.seat]) else FLIP[event.seat]
    discard = state.discard + (event.card,)
    return replace(state, discard=discard, held=None, held_from=None, pending=pending)


def action_taken(state: State, event: ActionTaken) -> State:
    seat, source, pile, row = event.seat, event.source, state.action_pile, state.open
    pending = state.pending if state.stars else END[seat]  # behind a star goes on what it interrupted
    if state.stars or state.owed is not None:
        state = replace(state, stars=state.stars[1:], owed=None)
    if source == "pile":
        pile = pile[:-1]
    elif event.laid:
        pile, row = pile[:-1], put(row, source, event.laid[0])
    else:
        row = put(row, source, None)
    hands = put(state.hands, seat, state.hands[seat] + (FRESH[event.card],))
    return replace(state, action_pile=pile, open=row, hands=hands, pending=pending)


def action_laid_open(state: State, event: ActionLaidOpen) -> State:
    row = put(state.open, event.place, event.card)
    return replace(state, open=row, action_pile=state.action_pile[:-1], owed=None)


def played(state: State, event: Played) -> State:
    pending = Pending(event.seat, EFFECTS[event.card], event.card)
    return used_up(state, event.seat, READY[event.card], pending)


def discarded(state: State, event: Discarded) -> State:
    return used_up(state, event.seat, READY[event.card], END[event.seat])


def drawn_aside(state: State, event: DrawnAside) -> State:
    three = (*state.three, Slot(event.card, up=False))
    pending = pending_in(state) if len(three) < THREE else Pending(event.seat, "keep")
    return replace(state, draw=state.draw[:-1], three=three, owed=None, pending=pending)


def line_looked(state: State, event: LineLooked) -> State:
    layouts = state.layouts
    for slot, card in zip(event.slots, event.cards, strict=True):
        seen: Slot[Card] = Slot(card, up=False)
        if card is not None and layouts[event.owner][slot] != seen:  # what one has known before one still knows
            layouts = lay(layouts, event.owner, slot, seen)
    return replace(state, layouts=layouts, pending=END[event.seat])


def effect_lapsed(state: State, event: EffectLapsed) -> State:
    return replace(state, pending=END[event.seat])


def moves_added(state: State, event: MovesAdded) -> State:
    return replace(state, moves=state.moves + event.moves, pending=END[event.seat])


def kept(state: State, event: Kept) -> State:
    held = state.three[event.place]
    assert held is not None
    three, pending = put(state.three, event.place, None), Pending(event.seat, "slot")
    return replace(state, three=three, held=held.card, held_from="three", pending=pending)


def kept_none(state: State, event: KeptNone) -> State:
    return replace(state, pending=Pending(event.seat, "drop"))


def dropped(state: State, event: Dropped) -> State:
    three, pending = put(state.three, event.place, None), pending_in(state)
    if three == (None,) * THREE:
        three, pending = (), END[event.seat] if pending.kept else FLIP[event.seat]
    return replace(state, three=three, discard=state.discard + (event.card,), pending=pending)


def victims_named(state: State, event: VictimsNamed) -> State:
    return replace(state, pending=attack(pending_in(state), event.seats))


def picked(state: State, event: Picked) -> State:
    return replace(state, pending=replace(pending_in(state), picked=event.place))


def crossed(layouts: tuple[Layout, ...], one: Place, other: Place) -> tuple[Layout, ...]:
    """The two cards have changed places."""
    this, that = layouts[one.seat][one.slot], layouts[other.seat][other.slot]
    return lay(lay(layouts, one.seat, one.slot, that), other.seat, other.slot, this)


def exchanged(state: State, event: Exchanged) -> State:
    return replace(state, layouts=crossed(state.layouts, event.one, event.other), pending=END[event.seat])


def removed(state: State, event: Removed) -> State:
    gone = state.layouts[event.seat][event.slot]
    assert gone is not None
    layouts = lay(state.layouts, event.seat, event.slot, None)
    return replace(state, layouts=layouts, discard=(gone.card, *state.discard))


def replaced(state: State, event: Replaced) -> State:
    return replace(
        state,
        layouts=laid(state.layouts, event),
        draw=state.draw[:-1],
        owed=None,
        pending=attack(pending_in(state), pending_in(state).victims[1:]),
    )


def blocked(state: State, event: Blocked) -> State:
    pending = attack(pending_in(state), pending_in(state).victims[1:])
    return used_up(state, event.seat, oldest(state.hands[event.seat], "defence"), pending)


def stolen(state: State, event: Stolen) -> State:
    pending = Pending(event.seat, EFFECTS[event.card], event.card)
    return used_up(state, event.victim, oldest(state.hands[event.victim], event.card), pending)


def replayed(state: State, event: Replayed) -> State:
    pile, pending = state.action_discard, Pending(event.seat, EFFECTS[event.card], event.card)
    place = len(pile) - 1 - pile[::-1].index(event.card)  # the topmost
    return replace(state, action_discard=(*pile[:place], *pile[place + 1 :], event.card), pending=pending)


def line_cleared(state: State, event: LineCleared) -> State:
    layouts = state.layouts
    for slot in event.slots:
        layouts = lay(layouts, event.seat, slot, None)
    return replace(
        state,
        layouts=layouts,
        discard=state.discard + event.cards,
        star_bonus=put(state.star_bonus, event.seat, state.star_bonus[event.seat] + event.bonus),
        pending=END[pending_in(state).seat],
    )


def lines_offered(state: State, event: LinesOffered) -> State:
    return replace(state, pending=Pending(event.seat, "lines"))


def lines_kept(state: State, event: LinesKept) -> State:
    return replace(state, pending=Pending(event.seat, "fill"))


def final_lap_began(state: State, event: FinalLapBegan) -> State:
    return replace(state, finisher=event.finisher, moves=0)


def layouts_revealed(state: State, event: LayoutsRevealed) -> State:
    assert state.finisher is not None
    layouts = state.layouts
    for turned in event.cards:
        layouts = lay(layouts, turned.seat, turned.slot, Slot(turned.card, up=True))
    return replace(state, layouts=layouts, phase="reveal", turn=None, moves=0, pending=END[state.finisher])


def round_scored(state: State, event: RoundScored) -> State:
    totals = tuple(total + more for total, more in zip(state.totals, event.points, strict=True))
    rounds = (*state.rounds, event.points)
    return replace(state, totals=totals, rounds=rounds, starter=state.finisher, phase="deal", pending=None)


def won(state: State, event: Won) -> State:
    return replace(state, winners=event.winners, phase="over")


evolve: Dispatch[State] = Dispatch(
    SkyjoActionEvent, dealt, flipped, starter_found, picks_granted, pick_skipped, turn_began, move_began, ran_out,
    restocked, actions_restocked, drawn, taken, swapped, tossed, action_taken, action_laid_open, played, discarded,
    drawn_aside, line_looked, effect_lapsed, moves_added, kept, kept_none, dropped, victims_named, picked,
    exchanged, removed, replaced, blocked, stolen, replayed, line_cleared, lines_offered, lines_kept,
    final_lap_began, layouts_revealed, round_scored, won,
)  # fmt: skip


def seen_drawn(viewer: Viewer, event: Drawn) -> SkyjoActionEvent:
    return event if event.seat == viewer else Drawn(event.seat, None)


def seen_drawn_aside(viewer: Viewer, event: DrawnAside) -> SkyjoActionEvent:
    return event if event.seat == viewer else DrawnAside(event.seat, event.place, None)


def seen_looked(viewer: Viewer, event: LineLooked) -> SkyjoActionEvent:
    return event if event.seat == viewer else replace(event, cards=hide(event.cards))


def seen_restocked(_: Viewer, event: Restocked) -> SkyjoActionEvent:
    return Restocked(hide(event.draw))


def seen_actions_restocked(_: Viewer, event: ActionsRestocked) -> SkyjoActionEvent:
    return ActionsRestocked(hide(event.action_pile))


def seen_dealt(_: Viewer, event: Dealt) -> SkyjoActionEvent:
    layouts = tuple(map(hide, event.layouts))
    return replace(event, layouts=layouts, draw=hide(event.draw), action_pile=hide(event.action_pile))


redact = Redact(
    SkyjoActionEvent, seen_by_all, seen_drawn, seen_drawn_aside, seen_looked, seen_restocked, seen_actions_restocked,
    seen_dealt,
)  # fmt: skip
"""SA-13: a drawn card is shown to its drawer, a face-down card to the seat that looks at it, not to its owner."""
