"""Hearts: tricks in which every heart counts 1, and the fewest points win.

Everybody gets eight cards. The leader of a trick plays any card, all others follow suit if they can. The highest card
of the suit that was led takes the trick, and its seat leads the next one. Cards that are not dealt stay face down.
"""

from collections.abc import Sequence
from typing import Annotated, Literal, TypeAlias

from stammtisch.bots import at_random, best
from stammtisch.cards import CARD, ListedDeck, known, put, without_one
from stammtisch.rounds import added, hands_of, imagined_hands, seen_hands, whose_turn
from stammtisch.rules import (
    Chance, Dealing, Dispatch, Illegal, Meta, Move, Open, Redact, Ruleset, Seat, SeatEvent, Tally, Value, Viewer,
    check_enough, lowest, replace, seen_by_all,
)  # fmt: skip

HAND = 8
Card: TypeAlias = Annotated[str, CARD, Meta(description="Suit and rank: `♠Q`.")]
Cards: TypeAlias = tuple[Card | None, ...]


class Options(Value, forbid_unknown_fields=True):
    """Fixed when the game is opened."""

    target_points: Annotated[int, Meta(ge=1, le=100, description="A total that ends the game.")] = 10


class Play(Move):
    """Play a card of your hand."""

    card: Card


class Dealt(Dealing):
    """Everybody sees their own hand."""

    hands: tuple[Cards, ...]
    stock: Cards


class TurnBegan(SeatEvent):
    """It is the seat's turn."""


class Played(SeatEvent):
    """The seat has played a card."""

    card: Card


class TrickTaken(SeatEvent):
    """The seat takes the trick."""


class RoundScored(Open):
    """All cards are played. `points`: by seat, what is added to the totals."""

    points: tuple[int, ...]


class Won(Open):
    """These seats have the fewest points."""

    winners: tuple[Seat, ...]


HeartsMove: TypeAlias = Play
HeartsEvent: TypeAlias = Dealt | TurnBegan | Played | TrickTaken | RoundScored | Won


class State(Value):
    """The table. `taken` has by seat the cards of its tricks, `trick` the current one, the card that was led first."""

    deck: ListedDeck
    options: Options
    hands: tuple[Cards, ...]
    taken: tuple[tuple[Card, ...], ...]
    totals: tuple[int, ...]
    trick: tuple[Card, ...] = ()
    stock: Cards = ()
    rounds: tuple[tuple[int, ...], ...] = ()
    phase: Literal["deal", "turn", "settle", "over"] = "deal"
    turn: Seat | None = None
    winners: tuple[Seat, ...] | None = None


def initial(seats: int, options: Options, deck: ListedDeck) -> State:
    check_enough(seats, HAND * seats, len(deck.cards))
    return State(deck, options, ((),) * seats, ((),) * seats, (0,) * seats)


def legal(state: State, seat: Seat) -> list[Play]:
    """Follow suit; without a card of the suit, play any card."""
    if seat not in whose_turn(state):
        return []
    hand = [known(card) for card in state.hands[seat]]
    return [Play(card) for card in [card for card in hand if follows(state, card)] or hand]


def follows(state: State, card: Card) -> bool:
    return not state.trick or card[0] == state.trick[0][0]


def decide(state: State, seat: Seat, move: Play) -> list[HeartsEvent]:
    if move not in legal(state, seat):
        raise Illegal
    seats, trick = len(state.hands), (*state.trick, move.card)
    if len(trick) < seats:
        return [Played(seat, move.card), TurnBegan((seat + 1) % seats)]
    highest = max([card for card in trick if card[0] == trick[0][0]], key=state.deck.rank.__getitem__)
    taker = (seat + 1 + trick.index(highest)) % seats
    events: list[HeartsEvent] = [Played(seat, move.card), TrickTaken(taker)]
    if len(state.hands[seat]) > 1:
        return [*events, TurnBegan(taker)]
    points = tuple(map(worth, put(state.taken, taker, state.taken[taker] + trick)))
    totals = added(state.totals, points)
    over = max(totals) >= state.options.target_points
    return [*events, RoundScored(points), *([Won(lowest(totals))] if over else [])]


def worth(cards: Sequence[Card]) -> int:
    return sum([card[0] == "♥" for card in cards])


def deal(state: State, chance: Chance) -> list[HeartsEvent]:
    """In each round another seat leads first."""
    if state.phase != "deal":
        return []
    seats, cards = len(state.hands), chance.shuffled(state.deck.cards)
    dealt = Dealt(hands_of(cards[: HAND * seats], seats), tuple(cards[HAND * seats :]))
    return [dealt, TurnBegan(len(state.rounds) % seats)]


def dealt(state: State, event: Dealt) -> State:
    return replace(state, hands=event.hands, stock=event.stock, taken=((),) * len(event.hands), phase="settle")


def turn_began(state: State, event: TurnBegan) -> State:
    return replace(state, phase="turn", turn=event.seat)


def played(state: State, event: Played) -> State:
    hand = without_one(state.hands[event.seat], event.card)
    return replace(state, hands=put(state.hands, event.seat, hand), trick=(*state.trick, event.card), phase="settle")


def trick_taken(state: State, event: TrickTaken) -> State:
    return replace(state, taken=put(state.taken, event.seat, state.taken[event.seat] + state.trick), trick=())


def round_scored(state: State, event: RoundScored) -> State:
    rounds = (*state.rounds, event.points)
    return replace(state, totals=added(state.totals, event.points), rounds=rounds, phase="deal", turn=None)


def won(state: State, event: Won) -> State:
    return replace(state, winners=event.winners, phase="over")


def seen_dealt(viewer: Viewer, event: Dealt) -> Dealt:
    return seen_hands(viewer, event)


def lacking(state: State, event: Played) -> frozenset[str]:
    """The suits that the seat lacks, as it plays this card."""
    return frozenset() if follows(state, event.card) else frozenset(state.trick[0][0])


def tally(state: State) -> Tally:
    return Tally(tuple(map(worth, state.taken)))


def standing(state: State) -> tuple[int, ...]:
    return tuple([-total for total in state.totals])


def careful(state: State, _: Seat, moves: Sequence[Play], chance: Chance) -> int:
    """Stay below the trick; where the suit cannot be followed, give points away."""
    rank = state.deck.rank
    top = max([rank[card] for card in state.trick if follows(state, card)], default=-1)
    gains = [-(rank[move.card] > top) if follows(state, move.card) else worth([move.card]) for move in moves]
    return best(gains, chance)


evolve: Dispatch[State] = Dispatch(HeartsEvent, dealt, turn_began, played, trick_taken, round_scored, won)

HEARTS = Ruleset(
    name="org.example.hearts", home=__name__, version=1, seats=range(2, 5), minutes=10, difficulty="easy",
    options=Options, deck=ListedDeck, state=State, move=HeartsMove, event=HeartsEvent, initial=initial,
    to_act=whose_turn, legal=legal, decide=decide, evolve=evolve, redact=Redact(HeartsEvent, seen_by_all, seen_dealt),
    deal=deal, tally=tally, standing=standing, imagine=imagined_hands(evolve, Played, lacking),
    board={"target_points": 1}, bots={"random/1": at_random, "careful/1": careful},
)  # fmt: skip
