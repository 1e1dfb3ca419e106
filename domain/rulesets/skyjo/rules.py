"""Deck, table, moves and events, in the order of a round. The rules: docs/rules/skyjo.md."""

from functools import reduce
from itertools import compress
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta
from msgspec.structs import replace

from domain.cards import CARD, EMPTY, hide, known, put
from domain.deck import Deck, DeckData, InvalidDeck
from domain.fairness.chance import Chance
from domain.messages import Dealing, Dispatch, Drawing, Event, Move, Open, Redact, Value, by_type, seen_by_all
from domain.ruleset import BySeat, Illegal, Seat, SeatEvent, Tally, Viewer, check_enough, clockwise, lowest
from domain.rulesets.skyjo_grid import (
    COLUMNS,
    ROWS,
    SLOTS,
    Copies,
    LayoutSlot,
    Number,
    Slot,
    SlotNumber,
    all_up,
    dealt_layouts,
    doubled,
    face,
    face_down,
    face_up,
    first_to_play,
    lay,
    rising,
    still_turning,
)

Card: TypeAlias = Annotated[int, CARD, Meta(description="The number on the card.")]
Cards: TypeAlias = tuple[Card | None, ...]


# --- the deck and the options -------------------------------------------------------------------------------------


class SkyjoDeckData(DeckData):
    """The number of cards for each number."""

    numbers: dict[Number, Copies]
    """The number of cards of each value."""


class SkyjoDeck(Deck[SkyjoDeckData]):
    """The cards in rising order, whatever the order in the file."""

    __slots__ = ("cards",)
    data_type = SkyjoDeckData

    def __init__(self, data: SkyjoDeckData) -> None:
        super().__init__(data)
        self.cards = rising(data.numbers)
        if not self.cards:
            raise InvalidDeck("The deck has no cards - at `$.numbers`")


class Options(Value, forbid_unknown_fields=True):
    """Fixed when the game is opened (SK-3)."""

    target_points: Annotated[
        int, Meta(ge=1, le=1000, description="The game ends after the round in which some total reaches this.")
    ] = 100
    double_only_positive: Annotated[
        bool, Meta(description="A finisher's points of zero or less are never doubled. False: they may be.")
    ] = True


# --- moves --------------------------------------------------------------------------------------------------------


class Flip(Move):
    """Turn up a face-down card of your own: at the beginning of a round, or after a toss (SK-20, SK-25)."""

    slot: SlotNumber


class Draw(Move):
    """Draw the top card of the draw pile (SK-21)."""


class Take(Move):
    """Take the top card of the discard pile; it must then be swapped in (SK-22)."""


class Swap(Move):
    """Lay the card you hold in place of one of yours, which goes to the discard pile (SK-23)."""

    slot: SlotNumber


class Toss(Move):
    """Put the drawn card onto the discard pile; then turn up one of yours (SK-24)."""


SkyjoMove: TypeAlias = Flip | Draw | Take | Swap | Toss

# Moves that recur in many lists.
FLIPS = tuple(Flip(slot) for slot in range(SLOTS))
SWAPS = tuple(Swap(slot) for slot in range(SLOTS))
DRAW, TAKE, TOSS = Draw(), Take(), Toss()


# --- events -------------------------------------------------------------------------------------------------------


class Dealt(Dealing):
    """A round begins: twelve cards face down for each seat, one face up, the rest is the draw pile (SK-40)."""

    draws = (Drawing(shuffle=("layouts/*/*", "discard", "draw/*")),)

    layouts: BySeat[Cards]
    """By seat: the cards, at column * 3 + row. All lie face down. Null for everybody until the game is over."""
    draw: Cards
    """The draw pile; the last card is its top. Null for everybody until the game is over."""
    discard: Card
    """The first card of the discard pile."""


class Flipped(SeatEvent):
    """The seat turned up one of its cards."""

    slot: LayoutSlot
    card: Card


class TurnBegan(SeatEvent):
    """It is the seat's turn: draw or take."""


class RanOut(SeatEvent):
    """The seat wants to draw and the draw pile is empty."""


class Restocked(Dealing):
    """All discards but the top one were shuffled and are the new draw pile (SK-42)."""

    draw: Cards
    """The new draw pile; the last card is its top. Null for everybody until the game is over."""


class Drawn(Event):
    """The seat holds the top card of the draw pile; nobody else sees it."""

    seat: Seat
    card: Card | None
    """Null for everybody but the seat until the game is over."""


class Taken(SeatEvent):
    """The seat holds the top card of the discard pile."""

    card: Card


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


class ColumnCleared(SeatEvent):
    """Three equal cards of a column went onto the discard pile (SK-28)."""

    column: int
    """The number of the column, from 0 at the left."""
    card: Card
    """The number that stood on all three."""


class FinalLapBegan(Open):
    """The seat has no face-down card left; every other seat has one more turn (SK-29, SK-50)."""

    finisher: Seat
    """The seat that ends the round."""


class TurnedUp(Value):
    """A card that lay face down."""

    seat: Seat
    slot: LayoutSlot
    card: Card


class LayoutsRevealed(Open):
    """The round has ended: all face-down cards are turned up (SK-50)."""

    cards: tuple[TurnedUp, ...]
    """Each card that lay face down."""


class RoundScored(Open):
    """The points of every seat in this round, the finisher's doubled where due (SK-51)."""

    points: BySeat[int]
    """By seat: what is added to the totals."""


class Won(Open):
    """Some total has reached the target: these seats have the lowest one (SK-53)."""

    winners: tuple[Seat, ...]
    """The winning seats; several in a tie."""


SkyjoEvent: TypeAlias = (
    Dealt | Flipped | TurnBegan | RanOut | Restocked | Drawn | Taken | Swapped | Tossed | ColumnCleared | FinalLapBegan
    | LayoutsRevealed | RoundScored | Won
)  # fmt: skip


# --- state --------------------------------------------------------------------------------------------------------


# None: the card is gone, and stays gone for the round.
Layout: TypeAlias = tuple[Annotated[Slot[Card] | None, EMPTY], ...]

Phase: TypeAlias = Literal["deal", "setup", "turn", "restock", "place", "flip", "settle", "over"]


class State(Value):
    """The table. The dealer acts in `deal` and `restock`, nobody in `settle` (what a move entails) and `over`."""

    options: Options
    """The options of the game."""
    deck: SkyjoDeck
    """The name of the deck."""
    layouts: BySeat[Layout]
    """By seat: the twelve places of a layout in columns: index = column * 3 + row.

    Null: the card is gone for the round.
    """
    totals: BySeat[int]
    """By seat: the points of all scored rounds."""
    phase: Phase = "deal"
    """The phase: what the game waits for."""
    round: int = 0
    """The number of the round, from 1; 0 before the first deal."""
    turn: Seat | None = None
    """The seat whose turn it is."""
    draw: Cards = ()
    """The draw pile, face down; the last card is the top."""
    discard: tuple[Card, ...] = ()
    """The discard pile, face up; the last card is the top."""
    held: Card | None = None
    """The card in the hand of the seat `turn`. A drawn one is null for the others: see `held_from`."""
    held_from: Literal["draw", "discard"] | None = None
    """The pile from which the card in the hand comes; null: no card is held."""
    finisher: Seat | None = None
    """The seat that turned up its last card and so ends the round."""
    starter: Seat | None = None
    """The seat that begins the round; null until it is known."""
    rounds: tuple[tuple[int, ...], ...] = ()
    """The points by seat of each scored round, first to last."""
    winners: tuple[Seat, ...] | None = None
    """The seats that have won; null until the game is over."""


def indifferent(_: State, one: SkyjoMove, other: SkyjoMove) -> bool:
    """Two cards that lie face down look alike."""
    return isinstance(one, Flip) and isinstance(other, Flip)


def initial(seats: int, options: Options, deck: SkyjoDeck) -> State:
    check_enough(seats, SLOTS * seats + 2, len(deck.cards))  # SK-2: then a card can always be drawn
    return State(options, deck, layouts=((),) * seats, totals=(0,) * seats)


# --- legal moves --------------------------------------------------------------------------------------------------


def to_act(state: State) -> tuple[Seat, ...]:
    """SK-14."""
    match state.phase:
        case "turn" | "place" | "flip":
            assert state.turn is not None
            return (state.turn,)
        case "setup":
            return tuple(seat for seat, layout in enumerate(state.layouts) if still_turning(layout))
        case _:
            return ()


def legal(state: State, seat: Seat) -> list[SkyjoMove]:
    """At most 13 moves: SK-20 to SK-25."""
    if state.phase == "setup":
        layout = state.layouts[seat]
        return [FLIPS[slot] for slot in face_down(layout)] if still_turning(layout) else []
    if seat != state.turn:
        return []
    match state.phase:
        case "turn":
            return [DRAW, TAKE]
        case "place":
            swaps = compress(SWAPS, state.layouts[seat])  # where the layout has a card
            return [*swaps, TOSS] if state.held_from == "draw" else [*swaps]
        case "flip":
            return [FLIPS[slot] for slot in face_down(state.layouts[seat])]
        case _:
            return []


# Each raises `Illegal` unless the move is in `legal` (checked without building the list).


def draw(state: State, seat: Seat, _: Draw) -> list[SkyjoEvent]:
    if seat != state.turn or state.phase != "turn":
        raise Illegal
    return [Drawn(seat, state.draw[-1])] if state.draw else [RanOut(seat)]


def take(state: State, seat: Seat, _: Take) -> list[SkyjoEvent]:
    if seat != state.turn or state.phase != "turn":
        raise Illegal
    return [Taken(seat, state.discard[-1])]


def swap(state: State, seat: Seat, move: Swap) -> list[SkyjoEvent]:
    slot = state.layouts[seat][move.slot] if seat == state.turn and state.phase == "place" else None
    if slot is None:
        raise Illegal
    return turn_end(state, Swapped(seat, move.slot, known(state.held), known(slot.card)))


def toss(state: State, seat: Seat, _: Toss) -> list[SkyjoEvent]:
    if seat != state.turn or state.phase != "place" or state.held_from != "draw":
        raise Illegal
    return [Tossed(seat, known(state.held))]


def flip(state: State, seat: Seat, move: Flip) -> list[SkyjoEvent]:
    if move not in legal(state, seat):
        raise Illegal
    flipped = Flipped(seat, move.slot, face(state.layouts[seat][move.slot]))
    return turn_end(state, flipped) if state.phase == "flip" else setup_end(state, flipped)


DECISIONS = by_type(SkyjoMove, draw, take, swap, toss, flip)


def decide(state: State, seat: Seat, move: SkyjoMove) -> list[SkyjoEvent]:
    return DECISIONS[type(move)](state, seat, move)


def setup_end(state: State, flipped: Flipped) -> list[SkyjoEvent]:
    """It was turned up, and the first turn begins once all seats have turned up two cards (SK-26)."""
    state = evolve(state, flipped)
    if to_act(state):
        return [flipped]
    starter = state.starter
    if starter is None:
        starter = first_to_play([face_up(layout) for layout in state.layouts])
    return [flipped, TurnBegan(starter)]


def turn_end(state: State, placed: Swapped | Flipped) -> list[SkyjoEvent]:
    """The seat placed or turned up its card, and what follows from it (SK-27)."""
    seat, slot, finisher = placed.seat, placed.slot, state.finisher
    layout = put(state.layouts[seat], slot, Slot(placed.card, up=True))
    events: list[SkyjoEvent] = [placed, *complete(layout, seat, slot // ROWS)]
    if finisher is None and all_up(layout):
        events.append(FinalLapBegan(seat))
    following = (seat + 1) % len(state.layouts)
    if following != finisher:
        return [*events, TurnBegan(following)]
    return [*events, *round_end(reduce(evolve, events, state), finisher)]


def complete(layout: Layout, seat: Seat, column: int) -> list[ColumnCleared]:
    """Three equal face-up cards in the column of the seat's layout go (SK-28)."""
    cards = layout[column * ROWS : (column + 1) * ROWS]
    first, second, third = cards
    if first is None or not first.up or first != second or first != third:
        return []
    return [ColumnCleared(seat, column, known(first.card))]


def round_end(state: State, finisher: Seat) -> list[SkyjoEvent]:
    """Reveal, columns of all seats, points (SK-50 to SK-53)."""
    hidden = tuple(
        TurnedUp(seat, slot, face(layout[slot]))
        for seat, layout in enumerate(state.layouts)
        for slot in face_down(layout)
    )
    events: list[SkyjoEvent] = [LayoutsRevealed(hidden)]
    layouts = reduce(evolve, events, state).layouts
    for seat in clockwise(finisher, len(layouts)):
        for column in range(COLUMNS):
            events += complete(layouts[seat], seat, column)
    points = tuple(sum(face_up(layout)) for layout in reduce(evolve, events, state).layouts)
    scored = RoundScored(doubled(points, finisher, only_positive=state.options.double_only_positive))
    totals = evolve(state, scored).totals
    events.append(scored)
    if max(totals) >= state.options.target_points:
        events.append(Won(lowest(totals)))
    return events


def deal(state: State, chance: Chance) -> list[SkyjoEvent]:
    match state.phase:
        case "deal":  # SK-40
            cards = chance.shuffled(state.deck.cards)
            cut = SLOTS * len(state.layouts)
            layouts = dealt_layouts(cards, len(state.layouts))
            return [Dealt(layouts, draw=cards[cut + 1 :], discard=cards[cut])]
        case "restock":  # SK-42
            assert state.turn is not None
            draw = chance.shuffled(state.discard[:-1])
            return [Restocked(draw), Drawn(state.turn, draw[-1])]
        case _:
            return []


def appraise(state: State) -> tuple[int, ...]:
    """All cards, face-down ones as well."""
    return tuple([-sum([face(slot) for slot in layout if slot is not None]) for layout in state.layouts])


def tally(state: State) -> Tally:
    """The numbers that lie open (SK-51)."""
    return Tally(tuple([sum(face_up(layout)) for layout in state.layouts]))


# --- evolve -------------------------------------------------------------------------------------------------------


def dealt(state: State, event: Dealt) -> State:
    return replace(
        state,
        layouts=tuple(tuple(Slot(card, up=False) for card in cards) for cards in event.layouts),
        draw=event.draw,
        discard=(event.discard,),
        finisher=None,
        round=state.round + 1,
        phase="setup",
    )


def flipped(state: State, event: Flipped) -> State:
    layouts = lay(state.layouts, event.seat, event.slot, Slot(event.card, up=True))
    return replace(state, layouts=layouts, phase="setup" if state.phase == "setup" else "settle")


def turn_began(state: State, event: TurnBegan) -> State:
    return replace(state, turn=event.seat, phase="turn")


def ran_out(state: State, _: RanOut) -> State:
    return replace(state, phase="restock")


def restocked(state: State, event: Restocked) -> State:
    return replace(state, draw=event.draw, discard=state.discard[-1:])


def drawn(state: State, event: Drawn) -> State:
    return replace(state, draw=state.draw[:-1], held=event.card, held_from="draw", phase="place")


def taken(state: State, event: Taken) -> State:
    return replace(state, discard=state.discard[:-1], held=event.card, held_from="discard", phase="place")


def swapped(state: State, event: Swapped) -> State:
    layouts = lay(state.layouts, event.seat, event.slot, Slot(event.card, up=True))
    discard = state.discard + (event.out,)
    return replace(state, layouts=layouts, discard=discard, held=None, held_from=None, phase="settle")


def tossed(state: State, event: Tossed) -> State:
    return replace(state, discard=state.discard + (event.card,), held=None, held_from=None, phase="flip")


def column_cleared(state: State, event: ColumnCleared) -> State:
    layouts = state.layouts
    for slot in range(event.column * ROWS, (event.column + 1) * ROWS):
        layouts = lay(layouts, event.seat, slot, None)
    return replace(state, layouts=layouts, discard=state.discard + (event.card,) * ROWS)


def final_lap_began(state: State, event: FinalLapBegan) -> State:
    return replace(state, finisher=event.finisher)


def layouts_revealed(state: State, event: LayoutsRevealed) -> State:
    layouts = state.layouts
    for turned in event.cards:
        layouts = lay(layouts, turned.seat, turned.slot, Slot(turned.card, up=True))
    return replace(state, layouts=layouts)


def round_scored(state: State, event: RoundScored) -> State:
    totals = tuple(total + more for total, more in zip(state.totals, event.points, strict=True))
    rounds = (*state.rounds, event.points)
    return replace(state, totals=totals, rounds=rounds, starter=state.finisher, turn=None, phase="deal")


def won(state: State, event: Won) -> State:
    return replace(state, winners=event.winners, phase="over")


evolve: Dispatch[State] = Dispatch(
    SkyjoEvent, dealt, flipped, turn_began, ran_out, restocked, drawn, taken, swapped, tossed, column_cleared,
    final_lap_began, layouts_revealed, round_scored, won,
)  # fmt: skip


# --- redaction ----------------------------------------------------------------------------------------------------


def seen_dealt(_: Viewer, event: Dealt) -> SkyjoEvent:
    return Dealt(tuple(map(hide, event.layouts)), hide(event.draw), event.discard)


def seen_restocked(_: Viewer, event: Restocked) -> SkyjoEvent:
    return Restocked(hide(event.draw))


def seen_drawn(viewer: Viewer, event: Drawn) -> SkyjoEvent:
    return event if event.seat == viewer else Drawn(event.seat, None)


redact = Redact(SkyjoEvent, seen_by_all, seen_dealt, seen_restocked, seen_drawn)
"""SK-13: not even the owner sees a face-down card; a drawn card is shown to the seat that drew it."""
