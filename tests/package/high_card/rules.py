"""Deck, table, moves and events of High Card. The rules: docs/rules/high_card.md."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta
from msgspec.structs import replace

from domain.cards import CARD, hide, known, put
from domain.deck import Deck, DeckData, InvalidDeck
from domain.fairness.chance import Chance
from domain.features import padded, relative
from domain.messages import Dealing, Dispatch, Move, Open, Redact, Value, seen_by_all
from domain.ruleset import Illegal, InvalidSetup, Result, Seat, Tally, Viewer, highest

HAND, ROUNDS = 4, 3
Card: TypeAlias = Annotated[int, CARD, Meta(description="The number on the card.")]
Cards: TypeAlias = tuple[Card | None, ...]


class HighCardData(DeckData):
    """The number of each card."""

    numbers: Annotated[tuple[Annotated[int, Meta(ge=-99, le=99)], ...], Meta(max_length=200)]
    """One for each card."""


class HighCardDeck(Deck[HighCardData]):
    """The cards in rising order, whatever the order in the file."""

    __slots__ = ("cards",)
    data_type = HighCardData

    def __init__(self, data: HighCardData) -> None:
        super().__init__(data)
        self.cards = tuple(sorted(data.numbers))
        if not self.cards:
            raise InvalidDeck("The deck has no cards - at `$.numbers`")


class Options(Value, forbid_unknown_fields=True):
    """There are none."""


class Play(Move):
    """Lay down a card of your hand (HC-3)."""

    slot: Annotated[int, Meta(ge=0, lt=HAND, extra_json_schema={"x-at": "hands/{you}/{slot}"})]
    """The place of the card in your hand."""


class Dealt(Dealing):
    """Four cards for each seat; the rest stays hidden (HC-2)."""

    hands: tuple[Cards, ...]
    """By seat: four cards. Null for everybody but their seat until the game is over."""
    draw: Cards
    """The cards that were not dealt. Null for everybody until the game is over."""


class TurnBegan(Open):
    """It is the seat's turn."""

    seat: Seat


class Played(Open):
    """The seat laid down a card."""

    seat: Seat
    slot: int
    """The place that the card had in the hand."""
    card: Card


class RoundScored(Open):
    """The number of each seat's card, by seat (HC-4)."""

    points: tuple[int, ...]
    """By seat: what is added to the totals."""


class Won(Open):
    """After three rounds these seats have the highest total (HC-5)."""

    winners: tuple[Seat, ...]
    """The winning seats; several in a tie."""


HighCardEvent: TypeAlias = Dealt | TurnBegan | Played | RoundScored | Won


class State(Value):
    """The table. The dealer acts in `deal`, nobody in `settle` and `over`."""

    deck: HighCardDeck
    """The name of the deck."""
    options: Options
    """The options of the game."""
    hands: tuple[Cards, ...]
    """By seat: the cards in the hand."""
    totals: tuple[int, ...]
    """By seat: the points of all scored rounds."""
    draw: Cards = ()
    """The cards that were not dealt."""
    played: tuple[Card, ...] = ()
    """The cards of all rounds, each in the order of seats."""
    rounds: tuple[tuple[int, ...], ...] = ()
    """For each scored round, first to last: the points by seat."""
    phase: Literal["deal", "turn", "settle", "over"] = "deal"
    """What the game waits for."""
    turn: Seat | None = None
    """The seat whose turn it is."""
    starter: Seat | None = None
    """The seat that begins each round; null before the deal."""
    winners: tuple[Seat, ...] | None = None
    """The seats that have won; null until the game is over."""


def initial(seats: int, options: Options, deck: HighCardDeck) -> State:
    if len(deck.cards) < HAND * seats:
        raise InvalidSetup(f"{seats} seats need {HAND * seats} cards")
    return State(deck, options, ((),) * seats, (0,) * seats)


def to_act(state: State) -> tuple[Seat, ...]:
    return (state.turn,) if state.phase == "turn" and state.turn is not None else ()


def legal(state: State, seat: Seat) -> list[Play]:
    return [Play(slot) for slot in range(len(state.hands[seat]))] if seat in to_act(state) else []


def decide(state: State, seat: Seat, move: Play) -> list[HighCardEvent]:
    if move not in legal(state, seat):
        raise Illegal
    played = Played(seat, move.slot, known(state.hands[seat][move.slot]))
    if seat + 1 < len(state.hands):
        return [played, TurnBegan(seat + 1)]
    scored = RoundScored((*on_table(state), played.card))
    after = evolve(state, scored)
    return [played, scored, Won(highest(after.totals)) if len(after.rounds) == ROUNDS else TurnBegan(0)]


def on_table(state: State) -> tuple[Card, ...]:
    """The cards played in this round."""
    return state.played[len(state.rounds) * len(state.hands) :]


def deal(state: State, chance: Chance) -> list[HighCardEvent]:
    if state.phase != "deal":
        return []
    cards, cut = chance.shuffled(state.deck.cards), HAND * len(state.hands)
    return [Dealt(tuple(cards[i : i + HAND] for i in range(0, cut, HAND)), cards[cut:]), TurnBegan(0)]


def result(state: State) -> Result | None:
    return None if state.winners is None else Result(state.totals, state.winners)


def standing(state: State) -> tuple[int, ...]:
    return state.totals


def features(state: State, seat: Seat) -> list[int]:
    hand = padded([known(card) for card in state.hands[seat]], HAND)
    played = padded(state.played, ROUNDS * len(state.hands))
    return [len(state.hands[seat]), relative(state.turn, seat, len(state.hands)), *hand, *played, seat]


def tally(state: State) -> Tally:
    cards = on_table(state)
    return Tally((*cards, *[0] * (len(state.hands) - len(cards))))


def dealt(state: State, event: Dealt) -> State:
    return replace(state, hands=event.hands, draw=event.draw)


def turn_began(state: State, event: TurnBegan) -> State:
    return replace(state, phase="turn", turn=event.seat, starter=0)


def played(state: State, event: Played) -> State:
    hand = state.hands[event.seat]
    hands = put(state.hands, event.seat, hand[: event.slot] + hand[event.slot + 1 :])
    return replace(state, hands=hands, played=(*state.played, event.card), phase="settle")


def round_scored(state: State, event: RoundScored) -> State:
    totals = tuple(map(sum, zip(state.totals, event.points, strict=True)))
    return replace(state, totals=totals, rounds=(*state.rounds, event.points), turn=None)


def won(state: State, event: Won) -> State:
    return replace(state, winners=event.winners, phase="over")


evolve: Dispatch[State] = Dispatch(HighCardEvent, dealt, turn_began, played, round_scored, won)


def seen_dealt(viewer: Viewer, event: Dealt) -> HighCardEvent:
    hands = tuple(hand if seat == viewer else hide(hand) for seat, hand in enumerate(event.hands))
    return Dealt(hands, hide(event.draw))


redact = Redact(HighCardEvent, seen_by_all, seen_dealt)
