"""Deck, table, moves and events, in the order of a round. The rules: docs/rules/scout.md."""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise
from operator import sub
from typing import Annotated, Any, Literal, TypeAlias, cast

from msgspec import Meta
from msgspec.structs import replace

from domain.cards import CARD, hide, known, put
from domain.deck import Deck, DeckData, InvalidDeck
from domain.fairness.chance import Chance
from domain.messages import Dealing, Dispatch, Drawing, Event, Move, Open, Redact, Value, by_type, seen_by_all
from domain.ruleset import BySeat, Illegal, Seat, SeatEvent, Tally, Viewer, check_enough, highest

HAND = {2: 22, 3: 12, 4: 11, 5: 9}
"""Cards in a hand by the number of seats (SC-21)."""
HAND_FOR_TWO = 11
CHIPS_FOR_TWO = 3

Card: TypeAlias = Annotated[
    tuple[int, int],
    CARD,
    Meta(description="[up, down]: the number that counts, and the one that is upside down."),
]
Cards: TypeAlias = tuple[Card | None, ...]
"""From left to right."""


# --- the deck and the options -------------------------------------------------------------------------------------

Number = Annotated[int, Meta(ge=1, le=1000)]


class PrintedCard(Value, forbid_unknown_fields=True):
    """A card as the deck file lists it."""

    numbers: Annotated[tuple[Number, Number], Meta(description="The lower one first.")]
    players: Annotated[
        tuple[Annotated[int, Meta(ge=2, le=5)], ...],
        Meta(description="The numbers of seats with which the card is in play."),
    ]


class ScoutDeckData(DeckData):
    """The cards in canonical order, as they are shuffled."""

    cards: Annotated[tuple[PrintedCard, ...], Meta(min_length=1)]
    """All cards, for every number of seats."""


class ScoutDeck(Deck[ScoutDeckData]):
    """The cards in the order of the file, the lower number up."""

    __slots__ = ("_in_play", "cards")
    data_type = ScoutDeckData

    def __init__(self, data: ScoutDeckData) -> None:
        super().__init__(data)
        self.cards = tuple(card.numbers for card in data.cards)
        for place, (low, high) in enumerate(self.cards):
            if low >= high:
                raise InvalidDeck(f"A card has two numbers, the lower one first - at `$.cards[{place}].numbers`")
            if (low, high) in self.cards[:place]:
                raise InvalidDeck(f"There is a card {low}-{high} already - at `$.cards[{place}].numbers`")
        self._in_play = {seats: tuple(card.numbers for card in data.cards if seats in card.players) for seats in HAND}

    def in_play(self, seats: int) -> tuple[Card, ...]:
        """The cards for that number of seats (SC-2)."""
        return self._in_play[seats]


class Options(Value, forbid_unknown_fields=True):
    """Fixed when the game is opened."""

    two_player: Annotated[
        Literal["official", "seed"],
        Meta(description="The rules for two. official: the game for two: scouting costs a chip. seed: as with more."),
    ] = "official"
    scout_and_show: Annotated[
        Literal["any", "scouted_card"],
        Meta(description="The set to show after Scout & Show: any set that beats, or one with the card just taken."),
    ] = "any"


# --- moves --------------------------------------------------------------------------------------------------------

End: TypeAlias = Literal["left", "right"]
ENDS: tuple[End, ...] = ("left", "right")
SIDES = (False, True)
"""A card as it lies, and upside down."""


class Keep(Move):
    """Hold your hand as it was dealt (SC-10)."""


class Turn(Move):
    """Turn your whole hand by 180 degrees: the other numbers count, in reverse order (SC-11)."""


class Show(Move):
    """Lay neighbouring cards of your hand down as the new active set; they must beat the old one (SC-13)."""

    start: Annotated[
        int,
        Meta(
            ge=0, description="The place of the leftmost card in your hand.",
            extra_json_schema={"x-at": "hands/{you}/{start}"},
        ),
    ]  # fmt: skip
    count: Annotated[int, Meta(ge=1, description="The number of cards.")]


class Scout(Move):
    """Take a card from an end of the active set into your hand (SC-15)."""

    end: Annotated[End, Meta(description="A single card is the left one.")]
    flip: Annotated[bool, Meta(description="Put it in upside down (SC-16).")]
    position: Annotated[
        int,
        Meta(
            ge=0,
            description="The index of the hand card to insert before, from 0; your number of cards: the right end.",
        ),
    ]
    show: Annotated[bool, Meta(description="Scout & Show: spend that chip, and show a set next (SC-18).")]


ScoutMove: TypeAlias = Keep | Turn | Show | Scout

KEEP, TURN = Keep(), Turn()


# --- events -------------------------------------------------------------------------------------------------------

Cause: TypeAlias = Literal["empty_hand", "unbeaten", "stuck"]
"""Why a round ended (SC-22, SC-23, SC-44)."""


class LotDrawn(Dealing, Open):
    """The seat begins the first round (SC-20)."""

    seat: Seat


class Dealt(Dealing):
    """A round begins: each seat has a hand; in the official game for two the other cards wait for round 2 (SC-21)."""

    draws = (Drawing(shuffle=("hands/*/*", "aside/*"), turned=True),)

    hands: BySeat[Cards]
    """By seat: the cards from left to right. Null for everybody but their seat until the game is over."""
    aside: Cards
    """The cards for the second round of the official game for two; else empty. Null for everybody until the game is
    over."""


class Oriented(Event):
    """The seat has decided how to hold its hand; only the seat itself sees whether it turned it."""

    seat: Seat
    turned: bool | None


class TurnBegan(SeatEvent):
    """It is the seat's turn, or in the official game for two still its turn (SC-42)."""


class Shown(Event):
    """The cards lie in the middle as they left the hand. Only the seat itself sees their place in the hand."""

    seat: Seat
    start: int | None
    """The place of the leftmost card in the hand, from 0. Null for everybody but the seat until the game is over."""
    cards: tuple[Card, ...]
    """The new active set, from left to right."""


class Scouted(Event):
    """The seat took the card, shown as it lay. Only the seat itself sees its orientation and its place in the hand."""

    seat: Seat
    end: End
    card: Card
    flip: bool | None
    position: int | None
    """The place in the hand, from 0 at the left. Null for everybody but the seat until the game is over."""
    show: bool


class Stuck(SeatEvent):
    """It would be the seat's turn, but it has neither a chip nor a set that beats the active one (SC-44)."""


class RoundScored(Open):
    """The end of a round with its cause, and the points of every seat; hands of exempt seats cost nothing (SC-24)."""

    cause: Cause
    exempt: tuple[Seat, ...]
    """The seats whose hands cost nothing."""
    points: BySeat[int]
    """By seat: what is added to the totals."""


class Won(Open):
    """All rounds are played: these seats have the highest total (SC-26)."""

    winners: tuple[Seat, ...]
    """The winning seats; several in a tie."""


ScoutEvent: TypeAlias = LotDrawn | Dealt | Oriented | TurnBegan | Shown | Scouted | Stuck | RoundScored | Won


# --- state --------------------------------------------------------------------------------------------------------

Phase: TypeAlias = Literal["lot", "deal", "orient", "turn", "combo", "settle", "over"]


class Round(Value):
    """A round that has been played."""

    cause: Cause
    """The reason why the round ended."""
    exempt: tuple[Seat, ...]
    """The seats whose hands cost nothing."""
    points: BySeat[int]
    """By seat: the points of the round."""


class State(Value):
    """The table. The dealer acts in `lot` and `deal`, nobody in `settle` (what a move entails) and `over`."""

    options: Options
    """The options of the game."""
    deck: ScoutDeck
    """The name of the deck."""
    hands: BySeat[Cards]
    """By seat: the cards from left to right. Cards of others are null; their number is not hidden."""
    collected: BySeat[int]
    """By seat: the number of beaten cards, one point each."""
    chips: BySeat[int]
    """By seat: the number of scout chips, one point each."""
    combo: BySeat[bool]
    """By seat: whether it still has the Scout & Show chip."""
    oriented: BySeat[bool]
    """By seat: whether it has kept or turned its hand."""
    totals: BySeat[int]
    """By seat: the points of all scored rounds."""
    phase: Phase = "lot"
    """The phase: what the game waits for."""
    round: int = 1
    """The number of the round, from 1."""
    starter: Seat | None = None
    """The seat that has, or will have, the first turn of the round."""
    turn: Seat | None = None
    """The seat whose turn it is."""
    aside: Cards = ()
    """The cards set aside for the second round of the official game for two, unseen."""
    active: tuple[Card, ...] = ()
    """The active set, from left to right; cards are scouted from its ends."""
    owner: Seat | None = None
    """The seat that showed the active set, even if nothing of it is left."""
    scouts: int = 0
    """Plain scouts since the last show; not counted in the official game for two."""
    inserted: int | None = None
    """The index in the hand of the card just taken, in phase `combo`; null in others."""
    rounds: tuple[Round, ...] = ()
    """The scored rounds, first to last."""
    winners: tuple[Seat, ...] | None = None
    """The seats that have won; null until the game is over."""


def initial(seats: int, options: Options, deck: ScoutDeck) -> State:
    least, has = HAND[seats] * seats, len(deck.in_play(seats))
    check_enough(seats, least, has, f"cards for {seats} players")  # with two seats both games need the same number
    return State(
        options, deck, hands=((),) * seats, collected=(0,) * seats, chips=(0,) * seats, combo=(False,) * seats,
        oriented=(False,) * seats, totals=(0,) * seats,
    )  # fmt: skip


def for_two(state: State) -> bool:
    """It is the official game for two (SC-40 to SC-46)."""
    return len(state.hands) == 2 and state.options.two_player == "official"


# --- sets ---------------------------------------------------------------------------------------------------------

Strength: TypeAlias = tuple[int, bool, int]
"""How many cards, whether of one number, the lowest number: compared in this order, more is stronger (SC-8)."""

NOTHING: Strength = (0, False, 0)
"""Without an active set: weaker than every set."""

STEPS = ({0}, {1}, {-1})
"""The steps from card to card in a set: all steps of one set are equal."""
NO_STEP = 2
"""Behind the last card."""


def upper(cards: Cards) -> list[int]:
    """The numbers that count. All cards must be known; a hidden one raises TypeError."""
    return [card[0] for card in cards]  # type: ignore[index]


def is_set(cards: tuple[Card, ...]) -> bool:
    """One number, or numbers that rise or fall by one at every step (SC-7)."""
    return len(cards) == 1 or {right[0] - left[0] for left, right in pairwise(cards)} in STEPS


def strength(cards: tuple[Card, ...]) -> Strength:
    """The strength of a set or of its rest; its lowest number is at an end (SC-8, SC-9)."""
    if not cards:
        return NOTHING
    first, last = cards[0][0], cards[-1][0]
    return len(cards), first == last, first if first < last else last


def shows_that_beat(row: Sequence[int], beaten: Strength = NOTHING) -> list[Show]:
    """A show for every set in the row that beats: the single cards, then the longer ones from left to right (SC-13)."""
    count, alike, lowest = beaten
    single = single_shows(len(row)) if count < 2 else ()
    found = [*single] if count == 0 else [show for show in single if row[show.start] > lowest]
    steps = [*map(sub, row[1:], row), NO_STEP]
    for start, step in enumerate(steps):
        if -1 <= step <= 1:
            last = start
            while steps[last] == step:
                last += 1
                size = last - start + 1
                if size > count or (size == count and (step == 0, row[last if step < 0 else start]) > (alike, lowest)):
                    found.append(Show(start, size))
    return found


@cache
def single_shows(places: int) -> tuple[Show, ...]:
    """The moves that show one card, for that number of places; cached, since they recur in most lists."""
    return (*single_shows(places - 1), Show(places - 1, 1)) if places else ()


def strongest_with(row: Sequence[int], place: int, number: int) -> Strength:
    """Of the sets that a card of that number is part of, once it has been put into the row at `place`."""
    found = 1, True, number
    for step in (0, 1, -1):
        first, last = place, place  # of the cards that are there before it is put in: row[first:last]
        while first > 0 and row[first - 1] == number - step * (place - first + 1):
            first -= 1
        while last < len(row) and row[last] == number + step * (last - place + 1):
            last += 1
        if last > first:
            low = min(number - step * (place - first), number + step * (last - place))
            found = max(found, (last - first + 1, step == 0, low))
    return found


# --- legal moves --------------------------------------------------------------------------------------------------


def to_act(state: State) -> tuple[Seat, ...]:
    """SC-5."""
    match state.phase:
        case "turn" | "combo":
            assert state.turn is not None
            return (state.turn,)
        case "orient":
            return tuple(seat for seat, done in enumerate(state.oriented) if not done)
        case _:
            return ()


def legal(state: State, seat: Seat) -> Sequence[ScoutMove]:
    """At most four scouts of either kind for every place in the hand, and the shows (SC-72)."""
    match state.phase:
        case "orient":
            return [KEEP, TURN] if can_orient(state, seat) else []
        case "turn" | "combo" if seat == state.turn:
            row = upper(state.hands[seat])
            shows = shows_that_beat(row, strength(state.active))
            if state.phase == "turn":
                return [*shows, *scouts(state, seat, row)]
            return [show for show in shows if fits(state, show)] if narrow(state) else shows
        case _:
            return []


def narrow(state: State) -> bool:
    """By the option `scouted_card`, Scout & Show shows the card just taken (SC-13)."""
    return state.options.scout_and_show == "scouted_card"


def fits(state: State, show: Show) -> bool:
    """Whether the set contains the card just taken, if the option requires it."""
    if state.phase == "turn" or not narrow(state):
        return True
    return show.start <= known(state.inserted) < show.start + show.count


def may_scout(state: State, seat: Seat) -> bool:
    """There is a card to scout (SC-15), and in the official game for two a chip to pay for it (SC-41)."""
    return len(state.active) > 0 and (not for_two(state) or state.chips[seat] > 0)


def scouts(state: State, seat: Seat, row: list[int]) -> Sequence[Scout]:
    """SC-15 and SC-18."""
    if not may_scout(state, seat):
        return ()
    ends, places = ENDS[: len(state.active)], len(row) + 1
    if not state.combo[seat]:
        return every_scout(ends, (False,), places)
    if len(ends) == 1:  # nothing is left to beat
        return every_scout(ends, (False, True), places)
    moves: list[Scout] = []
    for end in ends:
        card, rest = apart(state.active, end)
        beaten = strength(rest)
        for flip in SIDES:
            moves += scouts_at(end, flip, False, places)
            moves += those_with_a_show(state, row, card[flip], beaten, scouts_at(end, flip, True, places))
    return moves


@cache
def every_scout(ends: tuple[End, ...], shows: tuple[bool, ...], places: int) -> tuple[Scout, ...]:
    """The moves for that number of places for the card, without regard to what can be shown next."""
    return tuple(
        move for end in ends for flip in SIDES for show in shows for move in scouts_at(end, flip, show, places)
    )


@cache
def scouts_at(end: End, flip: bool, show: bool, places: int) -> tuple[Scout, ...]:
    """The moves to that number of places; cached, since they recur in most lists."""
    if places == 0:
        return ()
    return (*scouts_at(end, flip, show, places - 1), Scout(end, flip, places - 1, show))


def one_card_beats(state: State, row: list[int], number: int, beaten: Strength) -> bool:
    """Whether a single card beats: the inserted one, or any card if the option allows it. The place does not matter."""
    return (1, True, number if narrow(state) else max(number, *row)) > beaten


def those_with_a_show(
    state: State, row: list[int], number: int, beaten: Strength, moves: tuple[Scout, ...]
) -> Sequence[Scout]:
    """Those of the moves, one for each place in the row, after which some set beats.

    Either it was there before, and the card is not put into it; or the card is part of it, and then lies beside one of
    nearly its number.
    """
    if one_card_beats(state, row, number, beaten):
        return moves
    untouched = [] if narrow(state) else shows_that_beat(row, beaten)
    before = max([block.start for block in untouched], default=-1)
    behind = min([block.start + block.count for block in untouched], default=len(moves))
    if behind <= before + 1:
        return moves
    near = {place for i, other in enumerate(row) if -1 <= other - number <= 1 for place in (i, i + 1)}
    return [
        move
        for place, move in enumerate(moves)
        if place <= before or place >= behind or (place in near and strongest_with(row, place, number) > beaten)
    ]


def apart(active: tuple[Card, ...], end: End) -> tuple[Card, tuple[Card, ...]]:
    """The card at that end, and the rest."""
    return (active[0], active[1:]) if end == "left" else (active[-1], active[:-1])


def can_orient(state: State, seat: Seat) -> bool:
    """SC-10, SC-11."""
    return state.phase == "orient" and not state.oriented[seat]


def can_scout(state: State, seat: Seat, move: Scout) -> bool:
    """The scout is in `legal` (checked without building the list; SC-15, SC-18)."""
    if seat != state.turn or state.phase != "turn" or not may_scout(state, seat):
        return False
    hand = state.hands[seat]
    if move.end not in ENDS[: len(state.active)] or not 0 <= move.position <= len(hand):
        return False
    return not move.show or (state.combo[seat] and has_show_after(state, hand, move))


def has_show_after(state: State, hand: Cards, move: Scout) -> bool:
    """SC-18."""
    card, rest = apart(state.active, move.end)
    row, place, number, beaten = upper(hand), move.position, card[move.flip], strength(rest)
    if one_card_beats(state, row, number, beaten):
        return True
    if narrow(state):
        return strongest_with(row, place, number) > beaten
    return bool(shows_that_beat([*row[:place], number, *row[place:]], beaten))


# --- moves --------------------------------------------------------------------------------------------------------


def orient(state: State, seat: Seat, move: Keep | Turn) -> list[ScoutEvent]:
    """The first turn begins once all seats have decided how to hold their hands (SC-12)."""
    if not can_orient(state, seat):
        raise Illegal
    oriented = Oriented(seat, turned=isinstance(move, Turn))
    return [oriented, TurnBegan(known(state.starter))] if all(put(state.oriented, seat, True)) else [oriented]


def show(state: State, seat: Seat, move: Show) -> list[ScoutEvent]:
    """A set that beats the active one is shown (SC-13). The round ends with the last card of a hand (SC-14, SC-22)."""
    if seat != state.turn or state.phase not in ("turn", "combo"):
        raise Illegal
    hand, start, end = state.hands[seat], move.start, move.start + move.count
    if not 0 <= start < end <= len(hand):
        raise Illegal
    cards = cast("tuple[Card, ...]", hand[start:end])
    if not is_set(cards) or strength(cards) <= strength(state.active) or not fits(state, move):
        raise Illegal
    shown, following = Shown(seat, start, cards), (seat + 1) % len(state.hands)
    if len(cards) == len(hand):
        return [shown, *round_end(evolve(state, shown), "empty_hand")]
    if for_two(state):
        return [shown, *turn_for_two(evolve(state, shown), following)]
    return [shown, TurnBegan(following)]


def scout(state: State, seat: Seat, move: Scout) -> list[ScoutEvent]:
    """The round ends when all others have scouted in a row (SC-17, SC-23); for two the same seat goes on (SC-42)."""
    if not can_scout(state, seat, move):
        raise Illegal
    card, _ = apart(state.active, move.end)
    scouted = Scouted(seat, move.end, card, move.flip, move.position, move.show)
    if move.show:
        return [scouted]
    if for_two(state):
        return [scouted, *turn_for_two(evolve(state, scouted), seat)]
    if state.scouts + 2 == len(state.hands):
        return [scouted, *round_end(evolve(state, scouted), "unbeaten")]
    return [scouted, TurnBegan((seat + 1) % len(state.hands))]


EFFECTS = by_type(ScoutMove, orient, show, scout)


def decide(state: State, seat: Seat, move: ScoutMove) -> list[ScoutEvent]:
    return EFFECTS[type(move)](state, seat, move)


def turn_for_two(state: State, seat: Seat) -> list[ScoutEvent]:
    """The seat's turn, unless it has no move at all (SC-44)."""
    if not state.chips[seat] and not shows_that_beat(upper(state.hands[seat]), strength(state.active)):
        return [Stuck(seat), *round_end(state, "stuck")]
    return [TurnBegan(seat)]


def round_end(state: State, cause: Cause) -> list[ScoutEvent]:
    """Points, and after the last round the winners (SC-24, SC-26)."""
    exempt = () if cause == "empty_hand" else (known(state.owner),)
    points = tuple(
        state.collected[seat] + state.chips[seat] - (0 if seat in exempt else len(hand))
        for seat, hand in enumerate(state.hands)
    )
    scored = RoundScored(cause, exempt, points)
    if state.round < len(state.hands):
        return [scored]
    totals = evolve(state, scored).totals
    return [scored, Won(highest(totals))]


def deal(state: State, chance: Chance) -> list[ScoutEvent]:
    seats = len(state.hands)
    match state.phase:
        case "lot":  # SC-20
            return [LotDrawn(chance.below(seats))]
        case "deal":  # SC-21; in the official game for two the second round is played with what lay aside (SC-40)
            shuffled = chance.shuffled([lying(known(card)) for card in state.aside] or state.deck.in_play(seats))
            cards = tuple([(down, up) if chance.below(2) else (up, down) for up, down in shuffled])
            size = HAND_FOR_TWO if for_two(state) else HAND[seats]
            hands = tuple(cards[i : i + size] for i in range(0, size * seats, size))
            aside = cards[size * seats : HAND[seats] * seats]
            return [Dealt(hands, aside)]
        case _:
            return []


def standing(state: State) -> tuple[int, ...]:
    return state.totals


def tally(state: State) -> Tally:
    """What the round would count if it ended now and no hand were exempt (SC-24)."""
    counted = zip(state.collected, state.chips, state.hands, strict=True)
    return Tally(tuple([collected + chips - len(hand) for collected, chips, hand in counted]))


# --- evolve -------------------------------------------------------------------------------------------------------


def lot_drawn(state: State, event: LotDrawn) -> State:
    return replace(state, starter=event.seat, phase="deal")


def dealt(state: State, event: Dealt) -> State:
    seats = len(state.hands)
    return replace(
        state,
        hands=event.hands,
        aside=event.aside,
        collected=(0,) * seats,
        chips=(CHIPS_FOR_TWO if for_two(state) else 0,) * seats,
        combo=(not for_two(state),) * seats,
        oriented=(False,) * seats,
        active=(),
        owner=None,
        scouts=0,
        phase="orient",
    )


def oriented(state: State, event: Oriented) -> State:
    hands = state.hands
    if event.turned:
        hand = cast("tuple[Card, ...]", hands[event.seat])
        hands = put(hands, event.seat, tuple([(down, up) for up, down in reversed(hand)]))
    return replace(state, hands=hands, oriented=put(state.oriented, event.seat, True))


def turn_began(state: State, event: TurnBegan) -> State:
    return replace(state, turn=event.seat, phase="turn")


def shown(state: State, event: Shown) -> State:
    seat, collected = event.seat, state.collected
    return replace(
        state,
        hands=put(state.hands, seat, without_shown(state.hands[seat], event)),
        collected=put(collected, seat, collected[seat] + len(state.active)) if state.active else collected,
        active=event.cards,
        owner=seat,
        scouts=0,
        inserted=None,
        phase="settle",
    )


def scouted(state: State, event: Scouted) -> State:
    seat, owner = event.seat, state.owner
    hands = put(state.hands, seat, with_scouted(state.hands[seat], event))
    active = state.active[1:] if event.end == "left" else state.active[:-1]
    if for_two(state):
        chips = put(state.chips, seat, state.chips[seat] - 1)
        return replace(state, hands=hands, active=active, chips=chips, phase="settle")
    assert owner is not None
    chips = put(state.chips, owner, state.chips[owner] + 1)
    if event.show:
        combo, place = put(state.combo, seat, False), event.position
        return replace(state, hands=hands, active=active, chips=chips, combo=combo, inserted=place, phase="combo")
    return replace(state, hands=hands, active=active, chips=chips, scouts=state.scouts + 1, phase="settle")


def stuck(state: State, _: Stuck) -> State:
    return state


def round_scored(state: State, event: RoundScored) -> State:
    totals = tuple(total + more for total, more in zip(state.totals, event.points, strict=True))
    rounds = (*state.rounds, Round(event.cause, event.exempt, event.points))
    seats = len(totals)
    if state.round == seats:
        return replace(state, totals=totals, rounds=rounds, turn=None, phase="settle")
    starter = (known(state.starter) + 1) % seats
    return replace(state, totals=totals, rounds=rounds, turn=None, round=state.round + 1, starter=starter, phase="deal")


def won(state: State, event: Won) -> State:
    return replace(state, winners=event.winners, phase="over")


evolve: Dispatch[State] = Dispatch(
    ScoutEvent, lot_drawn, dealt, oriented, turn_began, shown, scouted, stuck, round_scored, won
)


def upside_down(card: Card) -> Card:
    up, down = card
    return down, up


def lying(card: Card) -> Card:
    """The card with the lower number up."""
    return card if card[0] < card[1] else upside_down(card)


def without_shown(hand: Cards, shown: Shown) -> Cards:
    """In another seat's hand only the number of cards is known."""
    if shown.start is None:
        return hand[len(shown.cards) :]
    left = list(hand)
    del left[shown.start : shown.start + len(shown.cards)]
    return tuple(left)


def with_scouted(hand: Cards, scouted: Scouted) -> Cards:
    """In another seat's hand the card is one more hidden card: its place and orientation are not shown (SC-4)."""
    if scouted.position is None:
        return hand + (None,)
    more = list(hand)
    more.insert(scouted.position, upside_down(scouted.card) if scouted.flip else scouted.card)
    return tuple(more)


# --- redaction ----------------------------------------------------------------------------------------------------


def seen_dealt(viewer: Viewer, event: Dealt) -> ScoutEvent:
    hands = [hand if seat == viewer else hide(hand) for seat, hand in enumerate(event.hands)]
    return Dealt(tuple(hands), hide(event.aside))


def seen_oriented(viewer: Viewer, event: Oriented) -> ScoutEvent:
    return event if event.seat == viewer else Oriented(event.seat, None)


def seen_shown(viewer: Viewer, event: Shown) -> ScoutEvent:
    return event if event.seat == viewer else Shown(event.seat, None, event.cards)


def seen_scouted(viewer: Viewer, event: Scouted) -> ScoutEvent:
    if event.seat == viewer:
        return event
    return Scouted(event.seat, event.end, event.card, None, None, event.show)


redact = Redact(ScoutEvent, seen_by_all, seen_dealt, seen_oriented, seen_shown, seen_scouted)
"""SC-4: only the owner sees a hand and what happens in it; nobody sees the cards set aside."""


def cards(state: State) -> Iterable[Any]:
    """Cards in either orientation. Collected cards and cards of a finished round for two are only counted."""
    faces = [card for zone in (*state.hands, state.active, state.aside) for card in zone]
    if not faces:
        return
    yield from (card and tuple(sorted(card)) for card in faces)
    seats, playing = len(state.hands), state.deck.in_play(len(state.hands))
    yield from (card for card in state.deck.cards if card not in playing)
    size = HAND_FOR_TWO if for_two(state) else HAND[seats]
    yield from [None] * (sum(state.collected) + len(playing) - size * seats - len(state.aside))
