"""SCOUT (published by Oink Games). Every card bears two numbers, and only the upper one counts.

Nobody rearranges the hand: before the first turn a seat may turn it as a whole, and that is all. In your turn you show
neighbouring cards of one number, or of consecutive ones, that beat the active set, and collect its cards; or you scout
a card from one of its ends into your hand, for which its owner gets a chip. Once in a round you may do both. The round
ends when a hand is empty, or when everybody else has scouted in a row. Collected cards and chips count one point each,
cards left in the hand cost one. After as many rounds as there are seats the most points win. For two seats there is an
official game of its own, with three chips that scouting costs.

Rule ids (SC-n) are those of the rules document; tests cite the same ids.
"""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from operator import sub
from typing import Annotated, Literal, TypeAlias, assert_never, cast

from msgspec import Meta
from msgspec.structs import replace

from domain.cards import hide, known, put
from domain.chance import Chance
from domain.deck import Deck, DeckData, Faulty
from domain.messages import Dealing, Event, Move, Open, Value, cases
from domain.ruleset import Illegal, Result, Ruleset, Seat, Unfit, Viewer

HAND = {2: 22, 3: 12, 4: 11, 5: 9}
"""Cards in a hand by the number of seats (SC-21)."""
HAND_FOR_TWO = 11
CHIPS_FOR_TWO = 3

Card: TypeAlias = Annotated[
    tuple[int, int],
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
    """The cards, in the order in which they come to be shuffled."""

    cards: Annotated[tuple[PrintedCard, ...], Meta(min_length=1)]


class ScoutDeck(Deck[ScoutDeckData]):
    """The cards in the order of the file, the lower number up."""

    __slots__ = ("cards",)
    data_type = ScoutDeckData

    def __init__(self, data: ScoutDeckData) -> None:
        super().__init__(data)
        self.cards = tuple(card.numbers for card in data.cards)
        for place, (low, high) in enumerate(self.cards):
            if low >= high:
                raise Faulty(f"A card has two numbers, the lower one first - at `$.cards[{place}].numbers`")
            if (low, high) in self.cards[:place]:
                raise Faulty(f"There is a card {low}-{high} already - at `$.cards[{place}].numbers`")

    def in_play(self, seats: int) -> tuple[Card, ...]:
        """The cards for so many seats (SC-2)."""
        return tuple(card.numbers for card in self.data.cards if seats in card.players)


class Options(Value, forbid_unknown_fields=True):
    """Fixed when the game is opened."""

    two_player: Annotated[
        Literal["official", "seed"],
        Meta(
            description="With two seats. official: the game for two, where scouting costs a chip. seed: as with more."
        ),
    ] = "official"
    scout_and_show: Annotated[
        Literal["any", "scouted_card"],
        Meta(description="What must be shown after Scout & Show: any set that beats, or one with the card just taken."),
    ] = "any"


# --- moves --------------------------------------------------------------------------------------------------------

End: TypeAlias = Literal["left", "right"]
ENDS: tuple[End, ...] = ("left", "right")


class Keep(Move):
    """Hold your hand as it was dealt (SC-10)."""


class Turn(Move):
    """Turn your whole hand by 180 degrees: the other numbers count, in reverse order (SC-11)."""


class Show(Move):
    """Lay neighbouring cards of your hand down as the new active set; they must beat the old one (SC-13)."""

    start: Annotated[int, Meta(ge=0, description="The place of the leftmost card in your hand.")]
    count: Annotated[int, Meta(ge=1, description="How many cards.")]


class Scout(Move):
    """Take a card from an end of the active set into your hand (SC-15)."""

    end: Annotated[End, Meta(description="A single card is the left one.")]
    flip: Annotated[bool, Meta(description="Put it in upside down (SC-16).")]
    position: Annotated[
        int, Meta(ge=0, description="In front of which card of your hand; as many as you hold: at the right end.")
    ]
    show: Annotated[bool, Meta(description="Scout & Show: spend that chip, and show a set next (SC-18).")]


ScoutMove: TypeAlias = Keep | Turn | Show | Scout


# --- events -------------------------------------------------------------------------------------------------------

Cause: TypeAlias = Literal["empty_hand", "unbeaten", "stuck"]
"""Why a round ended (SC-22, SC-23, SC-44)."""


class LotDrawn(Dealing):
    """The seat begins the first round (SC-20)."""

    seat: Seat


class Dealt(Dealing):
    """A round begins: everybody has a hand; in the official game for two the other cards wait for round 2 (SC-21)."""

    hands: tuple[Cards, ...]
    aside: Cards


class Oriented(Event):
    """The seat has decided how to hold its hand; only the seat itself knows whether it turned it."""

    seat: Seat
    turned: bool | None


class TurnBegan(Open):
    """It is the seat's turn, or in the official game for two still its turn (SC-42)."""

    seat: Seat


class Shown(Event):
    """The cards lie in the middle as they left the hand. Only the seat itself knows where in the hand they were."""

    seat: Seat
    start: int | None
    cards: tuple[Card, ...]


class Scouted(Event):
    """The seat took the card, here as it lay. How it holds it, and where in its hand, only the seat itself knows."""

    seat: Seat
    end: End
    card: Card
    flip: bool | None
    position: int | None
    show: bool


class Stuck(Open):
    """It would be the seat's turn, but it has neither a chip nor a set that beats the active one (SC-44)."""

    seat: Seat


class RoundScored(Open):
    """Why the round ended, and the points of every seat in it; the hands of exempt seats cost nothing (SC-24)."""

    cause: Cause
    exempt: tuple[Seat, ...]
    points: tuple[int, ...]


class Won(Open):
    """All rounds are played: these seats have the highest total (SC-26)."""

    winners: tuple[Seat, ...]


ScoutEvent: TypeAlias = LotDrawn | Dealt | Oriented | TurnBegan | Shown | Scouted | Stuck | RoundScored | Won


# --- state --------------------------------------------------------------------------------------------------------

Phase: TypeAlias = Literal["lot", "deal", "orient", "turn", "combo", "settle", "over"]


class Round(Value):
    """A round that has been played."""

    cause: Cause
    exempt: tuple[Seat, ...]
    points: tuple[int, ...]


class State(Value):
    """The table. The dealer acts in `lot` and `deal`, nobody in `settle` (what a move entails) and `over`."""

    options: Options
    deck: ScoutDeck
    hands: tuple[Cards, ...]
    collected: tuple[int, ...]
    chips: tuple[int, ...]
    combo: tuple[bool, ...]
    """Who still has the Scout & Show chip."""
    oriented: tuple[bool, ...]
    scores: tuple[int, ...]
    phase: Phase = "lot"
    round: int = 1
    start: Seat | None = None
    """The seat that has, or will have, the first turn of the round."""
    turn: Seat | None = None
    aside: Cards = ()
    active: tuple[Card, ...] = ()
    owner: Seat | None = None
    """Who showed the active set, even if nothing of it is left."""
    scouts: int = 0
    """Plain scouts since the last show; not counted in the official game for two."""
    inserted: int | None = None
    """In phase `combo`: where in the hand the card just taken is."""
    rounds: tuple[Round, ...] = ()
    winners: tuple[Seat, ...] | None = None


def initial(seats: int, options: Options, deck: ScoutDeck) -> State:
    least, has = HAND[seats] * seats, len(deck.in_play(seats))
    if has < least:  # with two seats both games need the same number
        raise Unfit(f"{seats} seats need a deck of at least {least} cards for {seats} players, this one has {has}.")
    return State(
        options, deck, hands=((),) * seats, collected=(0,) * seats, chips=(0,) * seats, combo=(False,) * seats,
        oriented=(False,) * seats, scores=(0,) * seats,
    )  # fmt: skip


def for_two(state: State) -> bool:
    """It is the official game for two (SC-40 to SC-46)."""
    return len(state.hands) == 2 and state.options.two_player == "official"


# --- sets ---------------------------------------------------------------------------------------------------------

Strength: TypeAlias = tuple[int, bool, int]
"""How many cards, whether of one number, the lowest number: compared in this order, more is stronger (SC-8)."""

NOTHING: Strength = (0, False, 0)
"""Where no card lies: weaker than every set."""

STEPS = ({0}, {1}, {-1})
"""From card to card of a set: always the same one of these."""
ONE_STEP = frozenset((0, 1, -1))
NO_STEP = 2
"""Behind the last card."""


def upper(cards: Cards) -> list[int]:
    """The numbers that count. They are asked for only where all are known; a back has none, and raises TypeError."""
    return [card[0] for card in cards]  # type: ignore[index]


def is_set(cards: tuple[Card, ...]) -> bool:
    """One number, or numbers that rise or fall by one at every step (SC-7)."""
    return len(cards) == 1 or {right[0] - left[0] for left, right in pairwise(cards)} in STEPS


def strength(cards: tuple[Card, ...]) -> Strength:
    """Of a set, or of what is left of one; the lowest number is at an end (SC-8, SC-9)."""
    if not cards:
        return NOTHING
    first, last = cards[0][0], cards[-1][0]
    return len(cards), first == last, min(first, last)


def sets(row: Sequence[int], beaten: Strength = NOTHING) -> list[tuple[int, Strength]]:
    """All sets in a row that beat: where each begins, and its strength."""
    count, _, lowest = beaten
    single = [(start, (1, True, number)) for start, number in enumerate(row) if number > lowest] if count < 2 else []
    return single + longer_sets(row, beaten)


def longer_sets(row: Sequence[int], beaten: Strength) -> list[tuple[int, Strength]]:
    """Those of at least two cards."""
    found = []
    steps = [*map(sub, row[1:], row), NO_STEP]
    for start, step in enumerate(steps):
        if step in ONE_STEP:
            last = start + 1
            while steps[last - 1] == step:
                force = last - start + 1, step == 0, row[last if step < 0 else start]
                if force > beaten:
                    found.append((start, force))
                last += 1
    return found


def strongest(row: Sequence[int]) -> Strength:
    """Of all sets in the row."""
    return max((force for _, force in sets(row)), default=NOTHING)


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


# --- what may be done ---------------------------------------------------------------------------------------------


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


def legal(state: State, seat: Seat) -> list[ScoutMove]:
    """At most four scouts of either kind for every place in the hand, and the shows (SC-72)."""
    match state.phase:
        case "orient":
            return [] if state.oriented[seat] else [Keep(), Turn()]
        case "turn" | "combo" if seat == state.turn:
            row = upper(state.hands[seat])
            shows = shows_that_beat(row, strength(state.active))
            if state.phase == "combo":
                return [show for show in shows if isinstance(show, Show) and fits(state, show)]
            return [*shows, *scouts(state, seat, row)] if may_scout(state, seat) else shows
        case _:
            return []


def shows_that_beat(row: list[int], beaten: Strength) -> list[ScoutMove]:
    """SC-13."""
    count, _, lowest = beaten
    shows: list[ScoutMove] = []
    if count == 0:
        shows += single_shows(len(row))
    elif count == 1:
        shows += [show for show, number in zip(single_shows(len(row)), row, strict=True) if number > lowest]
    shows += [Show(start, force[0]) for start, force in longer_sets(row, beaten)]
    return shows


@cache
def single_shows(places: int) -> tuple[Show, ...]:
    """The moves that show one card, from that many places."""
    return tuple(Show(place, 1) for place in range(places))


def fits(state: State, show: Show) -> bool:
    """By the option `scouted_card`, Scout & Show shows the card just taken (SC-13)."""
    if state.phase != "combo" or state.options.scout_and_show == "any":
        return True
    return show.start <= known(state.inserted) < show.start + show.count


def may_scout(state: State, seat: Seat) -> bool:
    """SC-15; in the official game for two it costs a chip (SC-41)."""
    return state.phase == "turn" and state.active != () and (not for_two(state) or state.chips[seat] > 0)


def scouts(state: State, seat: Seat, row: list[int]) -> Sequence[Scout]:
    """SC-15 and SC-18."""
    ends, places = ENDS[: len(state.active)], len(row) + 1
    if not state.combo[seat]:
        return plain_scouts(ends, places)
    moves: list[Scout] = []
    for end in ends:
        card, rest = apart(state.active, end)
        beaten = strength(rest)
        untouched = sets(row, beaten) if rest and state.options.scout_and_show == "any" else []
        for flip in (False, True):
            moves += scouts_at(end, flip, False, places)
            moves += those_with_a_show(row, card[flip], beaten, untouched, scouts_at(end, flip, True, places))
    return moves


@cache
def plain_scouts(ends: tuple[End, ...], places: int) -> tuple[Scout, ...]:
    """All moves that scout and do not show, with so many places for the card."""
    return tuple(scout for end in ends for flip in (False, True) for scout in scouts_at(end, flip, False, places))


def those_with_a_show(
    row: list[int], number: int, beaten: Strength, untouched: list[tuple[int, Strength]], shows: tuple[Scout, ...]
) -> Sequence[Scout]:
    """Those of the moves, one for each place in the row, after which some set beats.

    Either it was `untouched` in the row before, and the card is not put into it; or the card is part of it, and then
    lies beside one of nearly its number, unless it beats alone.
    """
    if (1, True, number) > beaten:
        return shows
    before = max([start for start, _ in untouched], default=-1)
    behind = min([start + force[0] for start, force in untouched], default=len(shows))
    if behind <= before + 1:
        return shows
    near = {place for i, other in enumerate(row) if -1 <= other - number <= 1 for place in (i, i + 1)}
    return [
        move
        for place, move in enumerate(shows)
        if place <= before or place >= behind or (place in near and strongest_with(row, place, number) > beaten)
    ]


@cache
def scouts_at(end: End, flip: bool, show: bool, places: int) -> tuple[Scout, ...]:
    """The moves to that many places."""
    return tuple(Scout(end, flip, place, show) for place in range(places))


def apart(active: tuple[Card, ...], end: End) -> tuple[Card, tuple[Card, ...]]:
    """The card at that end, and the rest."""
    return (active[0], active[1:]) if end == "left" else (active[-1], active[:-1])


def allowed(state: State, seat: Seat, move: ScoutMove) -> bool:
    """The move is in `legal`; told without making the list."""
    if state.phase == "orient":
        return isinstance(move, (Keep, Turn)) and not state.oriented[seat]
    if seat != state.turn or state.phase not in ("turn", "combo"):
        return False
    match move:
        case Show():
            return can_show(state, state.hands[seat], move)
        case Scout():
            hand, last = state.hands[seat], len(state.active)
            possible = may_scout(state, seat) and 0 <= move.position <= len(hand) and move.end in ENDS[:last]
            return possible and (not move.show or (state.combo[seat] and has_show_after(state, hand, move)))
        case _:
            return False


def can_show(state: State, hand: Cards, show: Show) -> bool:
    """SC-13."""
    start, end = show.start, show.start + show.count
    if not 0 <= start < end <= len(hand):
        return False
    block = tuple([known(card) for card in hand[start:end]])
    return is_set(block) and strength(block) > strength(state.active) and fits(state, show)


def has_show_after(state: State, hand: Cards, scout: Scout) -> bool:
    """SC-18."""
    card, rest = apart(state.active, scout.end)
    if not rest:  # the card beats it alone
        return True
    row, place, number = upper(hand), scout.position, card[scout.flip]
    if state.options.scout_and_show == "any":
        return bool(sets([*row[:place], number, *row[place:]], strength(rest)))
    return strongest_with(row, place, number) > strength(rest)


def decide(state: State, seat: Seat, move: ScoutMove) -> list[ScoutEvent]:
    if not allowed(state, seat, move):
        raise Illegal
    match move:
        case Show():
            cards = cast("tuple[Card, ...]", state.hands[seat][move.start : move.start + move.count])
            shown = Shown(seat, move.start, cards)
            return [shown, *after_show(state, shown)]
        case Scout():
            card, _ = apart(state.active, move.end)
            scouted = Scouted(seat, move.end, card, move.flip, move.position, move.show)
            return [scouted] if move.show else [scouted, *after_scout(state, scouted)]
        case Keep() | Turn():
            return [Oriented(seat, turned=isinstance(move, Turn)), *first_turn(state, seat)]
    assert_never(move)


def first_turn(state: State, last: Seat) -> list[ScoutEvent]:
    """Once everybody has decided how to hold the hand, this seat now (SC-12)."""
    return [TurnBegan(known(state.start))] if all(put(state.oriented, last, True)) else []


def after_show(state: State, shown: Shown) -> list[ScoutEvent]:
    """The round ends with an empty hand; else it is the next seat's turn (SC-14, SC-22)."""
    if len(shown.cards) == len(state.hands[shown.seat]):
        return round_end(evolve(state, shown), "empty_hand")
    following = (shown.seat + 1) % len(state.hands)
    return turn_for_two(evolve(state, shown), following) if for_two(state) else [TurnBegan(following)]


def after_scout(state: State, scouted: Scouted) -> list[ScoutEvent]:
    """The round ends when all others have scouted in a row (SC-17, SC-23); for two the same seat goes on (SC-42)."""
    if for_two(state):
        return turn_for_two(evolve(state, scouted), scouted.seat)
    if state.scouts + 2 == len(state.hands):
        return round_end(evolve(state, scouted), "unbeaten")
    return [TurnBegan((scouted.seat + 1) % len(state.hands))]


def turn_for_two(state: State, seat: Seat) -> list[ScoutEvent]:
    """The seat's turn, unless it has no move at all (SC-44)."""
    if not state.chips[seat] and strongest(upper(state.hands[seat])) <= strength(state.active):
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
    scores = evolve(state, scored).scores
    if state.round < len(state.hands):
        return [scored]
    return [scored, Won(tuple(seat for seat, score in enumerate(scores) if score == max(scores)))]


def deal(state: State, chance: Chance) -> list[ScoutEvent]:
    seats = len(state.hands)
    match state.phase:
        case "lot":  # SC-20
            return [LotDrawn(chance.below(seats))]
        case "deal":  # SC-21; in the official game for two the second round is played with what lay aside (SC-40)
            shuffled = chance.shuffled([known(card) for card in state.aside] or state.deck.in_play(seats))
            cards = tuple(upside_down(card) if chance.below(2) else card for card in shuffled)
            size = HAND_FOR_TWO if for_two(state) else HAND[seats]
            hands = tuple(cards[i : i + size] for i in range(0, size * seats, size))
            aside = cards[size * seats : HAND[seats] * seats]
            return [Dealt(hands, aside)]
        case _:
            return []


def result(state: State) -> Result | None:
    return None if state.winners is None else Result(state.scores, state.winners)


# --- what has happened --------------------------------------------------------------------------------------------


def lot_drawn(state: State, event: LotDrawn) -> State:
    return replace(state, start=event.seat, phase="deal")


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
        hands = put(hands, event.seat, tuple([upside_down(known(card)) for card in reversed(hands[event.seat])]))
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
    scores = tuple(score + more for score, more in zip(state.scores, event.points, strict=True))
    rounds = (*state.rounds, Round(event.cause, event.exempt, event.points))
    seats = len(scores)
    if state.round == seats:
        return replace(state, scores=scores, rounds=rounds, turn=None, phase="settle")
    start = (known(state.start) + 1) % seats
    return replace(state, scores=scores, rounds=rounds, turn=None, round=state.round + 1, start=start, phase="deal")


def won(state: State, event: Won) -> State:
    return replace(state, winners=event.winners, phase="over")


AFTER = cases(ScoutEvent, lot_drawn, dealt, oriented, turn_began, shown, scouted, stuck, round_scored, won)


def evolve(state: State, event: ScoutEvent) -> State:
    return AFTER[type(event)](state, event)


def upside_down(card: Card) -> Card:
    up, down = card
    return down, up


def without_shown(hand: Cards, shown: Shown) -> Cards:
    """Of another seat's hand we know no card, only how many there are."""
    if shown.start is None:
        return hand[len(shown.cards) :]
    left = list(hand)
    del left[shown.start : shown.start + len(shown.cards)]
    return tuple(left)


def with_scouted(hand: Cards, scouted: Scouted) -> Cards:
    """In another seat's hand the card is one more back: where it is and how it lies we did not see (SC-4)."""
    if scouted.position is None:
        return hand + (None,)
    more = list(hand)
    more.insert(scouted.position, upside_down(scouted.card) if scouted.flip else scouted.card)
    return tuple(more)


def redact(event: ScoutEvent, viewer: Viewer) -> ScoutEvent:
    """SC-4: a hand is its owner's secret, and what is done within it; what lies aside nobody sees."""
    if isinstance(event, Open):
        return event
    match event:
        case Scouted():
            if event.seat == viewer:
                return event
            return Scouted(event.seat, event.end, event.card, None, None, event.show)
        case Shown():
            return event if event.seat == viewer else Shown(event.seat, None, event.cards)
        case Oriented():
            return event if event.seat == viewer else Oriented(event.seat, None)
        case Dealt():
            hands = tuple(hand if seat == viewer else hide(hand) for seat, hand in enumerate(event.hands))
            return Dealt(hands, hide(event.aside))
        case LotDrawn():
            return event
    assert_never(event)


SCOUT = Ruleset(
    name="scout", version=1, seats=range(2, 6), options=Options, deck=ScoutDeck, shipped=("scout.json",),
    state=State, move=ScoutMove, event=ScoutEvent,
    initial=initial, to_act=to_act, legal=legal, decide=decide, evolve=evolve, redact=redact, deal=deal, result=result,
)  # fmt: skip
