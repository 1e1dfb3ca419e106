"""Types: cards, deck, options, moves, events, state. Then the state after each event, and the redaction of events."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta
from msgspec.structs import replace

from domain.cards import CARD, EMPTY, hide, put, without, without_one
from domain.deck import Deck, DeckData, InvalidDeck
from domain.messages import Dealing, Dispatch, Drawing, Event, Move, Open, Redact, Value, seen_by_all
from domain.ruleset import BySeat, InvalidSetup, Seat, SeatEvent, Viewer, check_enough
from domain.zones import cards_of

SEATS = range(2, 5)
DISPLAY = 3
"""The number of cards face up in the middle."""
HAND = 2
"""The number of cards that a seat draws at the end of a turn, and before its first one."""
OUT_OF_SUPPLY = {2: 15, 3: 9, 4: 0}
"""Cards of the supply that stay out of the game, by the number of seats (SP-41)."""
OUT_OF_TARGETS = {2: 5, 3: 3, 4: 0}
"""Cards of group B that stay out of the game, by the number of seats (SP-41)."""
PURPLE = range(24, 29)
"""The values of group C: there is one card of each (SP-2)."""
OMEN = 27
"""With this target on top the end of the game is near (SP-50)."""

Card: TypeAlias = Annotated[
    str, CARD, Meta(description="A card's id: the letter of its kind or colour, its value, and which copy it is.")
]
Cards: TypeAlias = tuple[Card | None, ...]
"""A pile's last card is its top."""
Named: TypeAlias = Annotated[
    str, CARD, Meta(pattern=r"^[gbroct](0|[1-9][0-9]?)-[1-9][0-9]?$(?!\n)", description="A card's id.")
]

Function: TypeAlias = Literal["take", "draw_one", "draw_two", "triple", "trash"]
FUNCTIONS: dict[int, Function] = {0: "take", 1: "draw_one", 2: "draw_two", 3: "triple"}
"""By the printed number; the arrow's is `trash` (SP-3)."""


# --- the deck and the options -------------------------------------------------------------------------------------

Kind: TypeAlias = Literal["start", "central", "target"]
Colour: TypeAlias = Literal["green", "blue", "red", "orange"]
COLOURS: tuple[Colour, ...] = ("green", "blue", "red", "orange")
Group: TypeAlias = Literal["A", "B", "C"]
Symbols = Annotated[int, Meta(ge=0, le=99)]


class PrintedCard(Value, forbid_unknown_fields=True, omit_defaults=True):
    """A card as the deck file lists it (SP-1). What is left out is not on the card."""

    id: Annotated[
        Named,
        Meta(
            description="g, b, r, o for a start card of that colour, c for a central card, t for a target; the value; "
            "and behind a hyphen which one it is of several."
        ),
    ]
    kind: Kind
    """`start`: in a seat's first deck; `central`: in the supply; `target`: worth points in a vault."""
    value: Annotated[int, Meta(ge=0, le=99)]
    """The printed number: the price of the card, and what it pays."""
    colour: Annotated[Colour | None, Meta(description="The colour of a start card; null for others.")] = None
    group: Annotated[Group | None, Meta(description="The group of a target; null for others.")] = None
    green: Annotated[Symbols, Meta(description="Green hearts.")] = 0
    red: Annotated[Symbols, Meta(description="Red hearts.")] = 0
    spades: Symbols = 0
    """Each takes off two points unless a green heart neutralises it."""
    border: Annotated[bool, Meta(description="A red border.")] = False
    bolt: bool = False
    """A bolt: the card comes to the hand as soon as it is bought."""
    arrow: bool = False
    """An arrow: the card can trash another one."""
    mix: Annotated[bool, Meta(description="The symbol for shuffling, on targets of group C.")] = False


class ScopinionDeckData(DeckData):
    """The cards in canonical order, as they are shuffled."""

    cards: Annotated[tuple[PrintedCard, ...], Meta(min_length=1, max_length=1000)]
    """All cards, each with an id of its own."""


class ScopinionDeck(Deck[ScopinionDeckData]):
    """The cards of the file by what they are for, all in the order of the file."""

    __slots__ = (
        "cards", "covered", "ends", "functions", "printed", "purple", "spaded", "starts", "supply", "targets",
        "tripled", "weights",
    )  # fmt: skip
    data_type = ScopinionDeckData

    def __init__(self, data: ScopinionDeckData) -> None:
        super().__init__(data)
        self.printed = {card.id: card for card in data.cards}
        """The cards by id."""
        self.cards = tuple(card.id for card in data.cards)
        colours = (tuple(card.id for card in data.cards if card.colour == colour) for colour in COLOURS)
        self.starts = tuple(cards for cards in colours if cards)
        """The start sets, as the colours come (SP-41)."""
        self.supply = tuple(card.id for card in data.cards if card.kind == "central" or card.group == "A")
        self.covered = tuple(card.id for card in data.cards if card.group == "B")
        """The targets that lie face down."""
        purple = (card for card in data.cards if card.group == "C")
        self.purple = tuple(card.id for card in sorted(purple, key=lambda card: -card.value))
        """The targets below them, the lowest on top."""
        self.targets = frozenset(card.id for card in data.cards if card.kind == "target")
        self.spaded = frozenset([None, *(card.id for card in data.cards if card.spades)])
        """What a place of the display can hold that shows only spades: such a card, or nothing."""
        self.weights = {card.id: (card.value, card.border) for card in data.cards}
        self.tripled = {card.id: frozenset(tripled(card.value)) for card in data.cards}
        """What three times the card pays."""
        self.functions = {card.id: functions(card) for card in data.cards}
        self.ends = {card: EndTurn(card) for card in (None, *self.cards)}
        """The moves that end a turn, by the card that is held: they are listed again and again."""
        check(data.cards)


def functions(card: PrintedCard) -> tuple[Function, ...]:
    """What the card may be used for (SP-3)."""
    if card.kind == "target":
        return ()
    by_number = [FUNCTIONS[card.value]] if card.value in FUNCTIONS else []
    return (*by_number, "trash") if card.arrow else tuple(by_number)


def tripled(value: int) -> range:
    """The prices for which three times the value is enough, and neither it nor the 3 would be alone (SP-21)."""
    return range(max(value, 3) + 1, 3 * value + 1)


def check(cards: tuple[PrintedCard, ...]) -> None:
    """Raises `InvalidDeck` for the first error of a card, then of the whole deck (SP-1, section 3)."""
    seen = set()
    for place, card in enumerate(cards):
        for field, fault in faults(card):
            raise InvalidDeck(f"{fault} - at `$.cards[{place}].{field}`")
        if card.id in seen:
            raise InvalidDeck(f"There is a card {card.id} already - at `$.cards[{place}].id`")
        seen.add(card.id)
    purple = Counter(card.value for card in cards if card.group == "C")
    if purple != Counter(PURPLE):
        raise InvalidDeck(
            f"Group C is one card of each value from {PURPLE.start} to {PURPLE.stop - 1}, here {listed(purple)} - at "
            "`$.cards`"
        )
    if not any(card.kind == "start" for card in cards):
        raise InvalidDeck("There is no start card - at `$.cards`")


def listed(values: Counter[int]) -> str:
    return ", ".join(map(str, sorted(values.elements()))) or "none"


def faults(card: PrintedCard) -> Iterator[tuple[str, str]]:
    """The errors, each with its field."""
    if (card.kind == "start") != (card.colour is not None):
        yield "colour", "Start cards have a colour, others have none"
    if (card.kind == "target") != (card.group is not None):
        yield "group", "Targets have a group, others have none"
    begins = f"{(card.colour or card.kind)[0]}{card.value}-"
    if not card.id.startswith(begins):
        yield "id", f"The id of this card begins with {begins}"
    if card.kind == "target":
        yield from ((field, "Targets have no such symbol") for field in NOT_ON_TARGETS if getattr(card, field))
    if card.group != "C":
        if card.mix:
            yield "mix", "Only targets of group C have this symbol"
        if card.kind == "target" and card.value in PURPLE:
            yield "group", f"A target of value {card.value} is of group C"


NOT_ON_TARGETS = ("spades", "border", "bolt", "arrow")


class Options(Value, forbid_unknown_fields=True):
    """Fixed when the game is opened (section 3)."""

    mode: Annotated[
        Literal["base", "expert"],
        Meta(description="expert: a showcase, functions once in a turn, no holding after buying."),
    ] = "base"
    handicap: Annotated[
        tuple[Annotated[int, Meta(ge=0, lt=4)], ...],
        Meta(
            max_length=4,
            description="Seats that may use each function only once in a turn. In expert mode all are so limited.",
            extra_json_schema={"uniqueItems": True},
        ),
    ] = ()


# --- moves --------------------------------------------------------------------------------------------------------

Place: TypeAlias = Annotated[
    Literal["stage", "showcase"] | None,
    Meta(description="The place of a target in expert mode, `stage` or `showcase`; null for all other cards (SP-62)."),
]
By: TypeAlias = Annotated[Named, Meta(description="The card of your hand that has the function; it goes to the stage.")]
Wanted: TypeAlias = Annotated[Named, Meta(description="An open card: in the display, or the top target.")]


class Buy(Move):
    """Buy an open card with cards of your hand; every one must be needed (SP-20)."""

    card: Wanted
    pay: Annotated[tuple[Named, ...], Meta(min_length=1, description="The cards that are paid, in ascending order.")]
    to: Place = None


class Triple(Move):
    """Buy an open card with three times the value of one card: the function of the 3 (SP-21)."""

    card: Wanted
    by: By
    other: Annotated[Named, Meta(description="The card of your hand that counts three times.")]
    to: Place = None


class Take(Move):
    """Take a central card from the display: the function of the 0 (SP-22)."""

    card: Wanted
    by: By


class DrawOne(Move):
    """Draw a card, which you then keep or reject: the function of the 1 (SP-23)."""

    by: By


class KeepDrawn(Move):
    """Keep the card just drawn, or reject it and draw another one (SP-24)."""

    keep: bool


class DrawTwo(Move):
    """Draw two cards: the function of the 2 (SP-25)."""

    by: By


class Trash(Move):
    """Put another card of your hand onto the graveyard: the function of the arrow (SP-26)."""

    card: Annotated[Named, Meta(description="The card that goes; not a target.")]
    by: By


class Secure(Move):
    """Lay a target of your hand face down into your vault (SP-27)."""

    card: Named


class PikOff(Move):
    """Put a card of the display, all of whose cards had spades when your turn began, onto the graveyard (SP-28)."""

    card: Named


class EndTurn(Move):
    """End your turn: all cards of your hand but the one you hold go to the stage without effect (SP-29)."""

    hold: Annotated[Named | None, Meta(description="The card that stays in your hand.")] = None
    reshuffle: Annotated[
        bool, Meta(description="Shuffle deck and discard first; only after buying a card with the symbol for it.")
    ] = False


ScopinionMove: TypeAlias = Buy | Triple | Take | DrawOne | KeepDrawn | DrawTwo | Trash | Secure | PikOff | EndTurn

KEEP, REJECT = KeepDrawn(keep=True), KeepDrawn(keep=False)


# --- events -------------------------------------------------------------------------------------------------------


class Dealt(Dealing):
    """The table is laid: a deck for each seat; its two top cards are the hand (SP-41).

    Three cards of the supply lie open. `targets` lie face down on the open `purple` ones, and on them the one that was
    `turned` up; if there is none of them the purple ones are all. Removed cards stay out. All cards are in the order in
    which they lay after their shuffle.
    """

    draws = (
        Drawing(below="seats", at="starter"),
        Drawing(shuffle=("decks/{seat}/*", "hands/{seat}/*")),
        Drawing(shuffle=("supply/*", "display/*", "removed/*")),
        Drawing(shuffle=("targets/*", "turned/*", "removed_targets/*")),
    )

    starter: Seat
    """The seat that has the first turn."""
    decks: BySeat[Cards]
    """By seat: its deck; the last card is its top. Null for everybody until the game is over."""
    hands: BySeat[Cards]
    """By seat: the two cards in its hand, the last one drawn first. Null for everybody but their seat until the game is
    over."""
    supply: Cards
    """The cards that fill the display; the last card is its top. Null for everybody until the game is over."""
    display: tuple[Card, ...]
    """The open cards of the supply, by their place."""
    purple: tuple[Card, ...]
    """The open targets at the bottom of the pile; the last card is on top."""
    targets: Cards
    """The face-down targets on them; the last card is on top. Null for everybody until the game is over."""
    turned: tuple[Card, ...]
    """The target on top of all, face up; empty if only purple ones are in play."""
    removed: Cards
    """The cards of the supply that stay out of the game. Null for everybody until the game is over."""
    removed_targets: Cards
    """The targets that stay out of the game. Null for everybody until the game is over."""


class TurnBegan(SeatEvent):
    """It is the seat's turn, the first one or after cards that were owed; it may make a `pik_off` (SP-7)."""

    pik_off: bool


class Bought(SeatEvent):
    """The seat laid cards on its stage and got the card, by paying or by a function (SP-15)."""

    card: Card
    how: Literal["pay", "triple", "take"]
    laid: tuple[Card, ...]
    """The cards from the hand that are on the stage now."""
    to: Literal["stage", "hand", "showcase"]


class Played(SeatEvent):
    """The seat laid a card on its stage to draw (SP-23, SP-25)."""

    card: Card
    function: Literal["draw_one", "draw_two"]


class DrawnAside(Event):
    """The seat drew a card that it may keep or reject; nobody else sees it (SP-23)."""

    seat: Seat
    card: Card | None
    """Null for everybody but the seat until the game is over."""
    source: Literal["deck", "graveyard"]


class Kept(SeatEvent):
    """The drawn card is in the seat's hand."""


class Rejected(SeatEvent):
    """The drawn card lies on the seat's stage; the seat draws another one (SP-24)."""

    card: Card


class Drawn(Event):
    """The seat drew the cards into its hand one after the other; nobody else sees them (SP-32).

    From the top of its deck, or from the bottom of the graveyard: as many as are left there, perhaps none.
    """

    seat: Seat
    cards: Cards
    """First to last. Null for everybody but the seat until the game is over."""
    source: Literal["deck", "graveyard"]


class Shuffled(Dealing):
    """The rest of the seat's deck and its discard were shuffled and are its deck (SP-32, SP-42)."""

    seat: Seat
    deck: Cards
    """The new deck; the last card is its top. Null for everybody until the game is over."""


class Trashed(SeatEvent):
    """The seat laid a card with an arrow on its stage, and another one is on top of the graveyard (SP-26)."""

    by: Card
    card: Card


class Secured(Event):
    """A target from the seat's hand lies face down in its vault; nobody else sees which one (SP-27)."""

    seat: Seat
    card: Card | None
    """Null for everybody but the seat until the game is over."""


class PikOffMade(SeatEvent):
    """The seat put a card of the display on top of the graveyard; its place is filled if the supply lasts (SP-28)."""

    card: Card
    filled: tuple[Card, ...]
    """The card that is in its place now; empty if the supply is used up."""


class EndTriggered(Open):
    """The end is near: `final` more turns begin after the current one (SP-50)."""

    final: int
    """The number of turns that begin after the current one."""


class TurnEnded(Event):
    """The seat laid these cards of its hand on its stage, all of the stage on its discard, and drew (SP-30).

    Which card it has held is not told, and what it drew from its deck nobody else sees. Cards are still owed to it if
    the deck had too few, or is to be shuffled first. Then empty places of the display are filled, the first one first,
    as long as the supply lasts, and the top target is `turned` up if it lay face down. If it `goes_on` at once the
    next seat's turn has begun, and it may make a `pik_off`; not while cards are owed, and not after the last turn.
    """

    seat: Seat
    staged: tuple[Card, ...]
    """The cards that went from the hand to the stage."""
    drawn: Cards
    """The cards drawn into the hand, first to last. Null for everybody but the seat until the game is over."""
    filled: tuple[Card, ...]
    """The cards that were laid into empty places of the display, first place first."""
    turned: tuple[Card, ...]
    """The target that was turned up; empty if none was."""
    reshuffle: bool
    goes_on: bool = False
    """True: the next seat's turn has begun."""
    pik_off: bool = False


class CardsRevealed(Open):
    """After the last turn all hands, decks and vaults are open (SP-5)."""

    hands: BySeat[tuple[Card, ...]]
    """By seat: the cards in the hand."""
    decks: BySeat[tuple[Card, ...]]
    """By seat: its deck; the last card is its top."""
    vaults: BySeat[tuple[Card, ...]]
    """By seat: the targets in the vault."""


class Breakdown(Value):
    """The points of a seat's cards, line by line (SP-52, SP-66)."""

    vault: int
    """The points for the targets in the vault."""
    showcase: int
    """The points for the targets in the showcase, in expert mode."""
    pairs: int
    """One for every card of the smaller pile of targets, in expert mode."""
    red: int
    """Red hearts in the own cards."""
    spades: int
    """Minus two for each that no green heart neutralises."""
    hearts: int
    """All hearts in the own cards: they count in a tie only (SP-53)."""

    @property
    def total(self) -> int:
        return self.vault + self.showcase + self.pairs + self.red + self.spades


class Scored(Open):
    """The points of all seats, line by line (SP-52)."""

    breakdown: BySeat[Breakdown]
    """By seat: its points, line by line."""


class Won(Open):
    """These seats have the most points and, of those, the most hearts in their own cards (SP-53)."""

    winners: tuple[Seat, ...]
    """The winning seats; several in a tie."""


ScopinionEvent: TypeAlias = (
    Dealt | TurnBegan | Bought | Played | DrawnAside | Kept | Rejected | Drawn | Shuffled | Trashed | Secured
    | PikOffMade | EndTriggered | TurnEnded | CardsRevealed | Scored | Won
)  # fmt: skip


# --- state --------------------------------------------------------------------------------------------------------

Phase: TypeAlias = Literal["deal", "turn", "keep", "aside", "draw", "settle", "over"]


class State(Value):
    """The table. The dealer acts in `deal`, when a `shuffle` is wanted, and when cards are `owed` that the seat's deck
    has not, while its discard has. Nobody acts while cards are drawn, `aside` or into the hand (`draw`), between turns
    (`settle`), and in `over`.
    """

    options: Options
    """The options of the game."""
    deck: ScopinionDeck
    """The name of the deck."""
    hands: BySeat[Cards]
    """By seat: the cards in the order of arrival. Cards that the viewer cannot know are null."""
    decks: BySeat[Cards]
    """By seat: its own deck, face down; the last card is the top."""
    discards: BySeat[tuple[Card, ...]]
    """By seat: its discard pile, face up; the last card is the top."""
    vaults: BySeat[Cards]
    """By seat: the secured targets, in the order of securing. Null: a card that the viewer cannot know."""
    showcases: BySeat[tuple[Card, ...]]
    """By seat: the targets that lie openly for good, in expert mode."""
    phase: Phase = "deal"
    """The phase: what the game waits for."""
    starter: Seat | None = None
    """The seat that begins the game; null until it is known."""
    turn: Seat | None = None
    """The seat whose turn it is."""
    stage: tuple[Card, ...] = ()
    """The cards that the seat whose turn it is has played and bought, in this order."""
    drawn: Card | None = None
    """The card that is kept or rejected, in phase `keep`; null in others."""
    owed: int = 0
    """The number of cards that the seat still draws."""
    shuffle: bool = False
    """The seat wants its deck and discard to be shuffled."""
    used: tuple[Function, ...] = ()
    """The functions used in this turn."""
    bought: bool = False
    """True: a card was bought in this turn."""
    mix: bool = False
    """True: a card with the symbol for shuffling was bought in this turn."""
    pik_off: bool = False
    """The seat may put one card of the display onto the graveyard."""
    display: tuple[Annotated[Card | None, EMPTY], ...] = (None,) * DISPLAY
    """The three cards face up in the middle; null is an empty place."""
    supply: Cards = ()
    """The pile that refills the display, face down; the last card is the top."""
    targets: Cards = ()
    """The pile of targets; the last card is the top.

    Those of group C lie face up, the others face down, the top one either way.
    """
    top_open: bool = False
    """The top target lies face up."""
    graveyard: tuple[Card, ...] = ()
    """Cards out of the decks; the last card is the top, and cards are drawn from the bottom."""
    removed: Cards = ()
    """Cards that take no part in the game, never shown."""
    final: int | None = None
    """Once the end is near: how many turns still begin after the current one (SP-50)."""
    breakdown: BySeat[Breakdown] = ()
    """By seat: the points line by line; empty until the game is over."""
    winners: tuple[Seat, ...] | None = None
    """The seats that have won; null until the game is over."""


def initial(seats: int, options: Options, deck: ScopinionDeck) -> State:
    if len(deck.starts) < seats:
        raise InvalidSetup(
            f"{seats} seats need a deck with at least {seats} start sets, this one has {len(deck.starts)}."
        )
    need = OUT_OF_SUPPLY[seats] + DISPLAY
    check_enough(seats, need, len(deck.supply), "central cards and targets of group A")
    check_enough(seats, OUT_OF_TARGETS[seats], len(deck.covered), "targets of group B")
    if len(set(options.handicap)) < len(options.handicap) or any(seat >= seats for seat in options.handicap):
        raise InvalidSetup(f"The seats of `handicap` are different ones from 0 to {seats - 1}.")
    none: tuple[Cards, ...] = ((),) * seats
    opened: tuple[tuple[Card, ...], ...] = ((),) * seats
    return State(options, deck, hands=none, decks=none, discards=opened, vaults=none, showcases=opened)


# --- evolve -------------------------------------------------------------------------------------------------------


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


def cards(state: State) -> Iterable[Any]:
    """Including the start sets of unused colours."""
    if state.starter is not None:
        yield from cards_of(state)
        yield from (card for unused in state.deck.starts[len(state.hands) :] for card in unused)
