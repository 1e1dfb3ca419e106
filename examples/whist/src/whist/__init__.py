"""Whist: tricks for two partners against two others, with another trump suit in each round.

All 52 cards are dealt. The leader of a trick plays any card, all others follow suit if they can. The highest trump, or
else the highest card of the suit that was led, takes the trick, and its seat leads the next one. Partners, who sit
opposite each other, get a point for each trick beyond six. The first side with enough points wins.
"""

from collections.abc import Sequence
from typing import Annotated, Literal, TypeAlias

from stammtisch.bots import at_random, best
from stammtisch.cards import CARD, ListedDeck, known, put, without_one
from stammtisch.rounds import added, hands_of, imagined_hands, seen_hands, whose_turn
from stammtisch.rules import (
    BySeat,
    Chance,
    Dealing,
    Dispatch,
    Illegal,
    InvalidSetup,
    Meta,
    Move,
    Open,
    Redact,
    Ruleset,
    Seat,
    SeatEvent,
    Tally,
    Value,
    Viewer,
    highest,
    replace,
    seen_by_all,
)

SEATS = 4
BOOK = 6
"""Tricks of a side that count nothing."""

Suit: TypeAlias = Literal["♥", "♣", "♦", "♠"]
TRUMPS: tuple[Suit, ...] = ("♥", "♣", "♦", "♠")
"""By round, again and again."""
Card: TypeAlias = Annotated[str, CARD, Meta(description="Suit and rank: `♠Q`.")]
Cards: TypeAlias = tuple[Card | None, ...]


class Options(Value, forbid_unknown_fields=True):
    """Fixed when the game is opened."""

    target_points: Annotated[int, Meta(ge=1, le=50, description="The points with which a side wins.")] = 5


class Play(Move):
    """Play a card of your hand."""

    card: Card


class Dealt(Dealing):
    """All cards are dealt. Everybody sees their own hand."""

    hands: tuple[Cards, ...]


class TrumpNamed(Open):
    """The trump suit of the round."""

    trump: Suit


class TurnBegan(SeatEvent):
    """It is the seat's turn."""


class Played(SeatEvent):
    """The seat has played a card."""

    card: Card


class TrickTaken(SeatEvent):
    """The seat takes the trick."""


class RoundScored(Open):
    """All cards are played. `points`: by seat, what is added to the totals; partners get the same."""

    points: tuple[int, ...]


class Won(Open):
    """These partners have won."""

    winners: tuple[Seat, ...]


WhistMove: TypeAlias = Play
WhistEvent: TypeAlias = Dealt | TrumpNamed | TurnBegan | Played | TrickTaken | RoundScored | Won


class State(Value):
    """The table."""

    deck: ListedDeck
    """The name of the deck."""
    options: Options
    """The options of the game."""
    hands: BySeat[Cards]
    """By seat."""
    taken: BySeat[tuple[Card, ...]]
    """By seat: the cards of its tricks."""
    totals: BySeat[int]
    """By seat: the points of all rounds."""
    trick: tuple[Card, ...] = ()
    """The current trick, the card that was led first."""
    trump: Suit | None = None
    """The trump suit of the round."""
    rounds: tuple[tuple[int, ...], ...] = ()
    """The points of each round, by seat."""
    phase: Literal["deal", "turn", "settle", "over"] = "deal"
    """What the game waits for."""
    turn: Seat | None = None
    """The seat whose turn it is."""
    winners: tuple[Seat, ...] | None = None
    """The partners who have won; null until the game is over."""


def teams(_: int) -> tuple[tuple[Seat, ...], ...]:
    return (0, 2), (1, 3)


def initial(seats: int, options: Options, deck: ListedDeck) -> State:
    if len(deck.cards) != 52:
        raise InvalidSetup(f"Whist needs 52 cards, this deck has {len(deck.cards)}.")
    return State(deck, options, ((),) * seats, ((),) * seats, (0,) * seats)


def legal(state: State, seat: Seat) -> list[Play]:
    """Follow suit; without a card of the suit, play any card."""
    if seat not in whose_turn(state):
        return []
    hand = [known(card) for card in state.hands[seat]]
    return [Play(card) for card in [card for card in hand if follows(state, card)] or hand]


def follows(state: State, card: Card) -> bool:
    return not state.trick or card[0] == state.trick[0][0]


def strength(state: State, card: Card, led: str) -> int:
    """Of two cards of a trick the higher one beats the other."""
    return state.deck.rank[card] % 13 + 13 * (card[0] == led) + 26 * (card[0] == state.trump)


def decide(state: State, seat: Seat, move: Play) -> list[WhistEvent]:
    if move not in legal(state, seat):
        raise Illegal
    trick = (*state.trick, move.card)
    if len(trick) < SEATS:
        return [Played(seat, move.card), TurnBegan((seat + 1) % SEATS)]
    each = [strength(state, card, trick[0][0]) for card in trick]
    taker = (seat + 1 + each.index(max(each))) % SEATS
    events: list[WhistEvent] = [Played(seat, move.card), TrickTaken(taker)]
    if len(state.hands[seat]) > 1:
        return [*events, TurnBegan(taker)]
    points = odd_tricks(put(state.taken, taker, state.taken[taker] + trick))
    totals = added(state.totals, points)
    over = max(totals) >= state.options.target_points
    return [*events, RoundScored(points), *([Won(highest(totals))] if over else [])]


def odd_tricks(taken: Sequence[Sequence[Card]]) -> tuple[int, ...]:
    """By seat the tricks of its side beyond the book."""
    tricks = [len(cards) // SEATS for cards in taken]
    return tuple([max(0, tricks[seat] + tricks[(seat + 2) % SEATS] - BOOK) for seat in range(SEATS)])


def deal(state: State, chance: Chance) -> list[WhistEvent]:
    """In each round another seat leads first."""
    if state.phase != "deal":
        return []
    number = len(state.rounds) % SEATS
    return [Dealt(hands_of(chance.shuffled(state.deck.cards), SEATS)), TrumpNamed(TRUMPS[number]), TurnBegan(number)]


def dealt(state: State, event: Dealt) -> State:
    return replace(state, hands=event.hands, taken=((),) * SEATS, phase="settle")


def trump_named(state: State, event: TrumpNamed) -> State:
    return replace(state, trump=event.trump)


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


evolve: Dispatch[State] = Dispatch(
    WhistEvent, dealt, trump_named, turn_began, played, trick_taken, round_scored, won
)  # fmt: skip


def seen_dealt(viewer: Viewer, event: Dealt) -> Dealt:
    return seen_hands(viewer, event)


redact = Redact(WhistEvent, seen_by_all, seen_dealt)


def lacking(state: State, event: Played) -> frozenset[str]:
    """The suits that the seat lacks, as it plays this card."""
    return frozenset() if follows(state, event.card) else frozenset(state.trick[0][0])


def tally(state: State) -> Tally:
    return Tally(odd_tricks(state.taken))


def standing(state: State) -> tuple[int, ...]:
    return state.totals


def careful(state: State, _: Seat, moves: Sequence[Play], chance: Chance) -> int:
    """Take the trick as cheaply as possible unless the partner has it; lead a high card; else play a low one."""
    led = state.trick[0][0] if state.trick else ""
    each = [strength(state, card, led) for card in state.trick]
    partner = len(each) > 1 and each.index(max(each)) == len(each) - 2
    top = max(each, default=0)
    gains = []
    for move in moves:
        own = strength(state, move.card, led or move.card[0])
        takes = bool(each) and own > top and not partner
        gains.append(own if not each else 100 - own if takes else -own)
    return best(gains, chance)


WHIST = Ruleset(
    name="org.example.whist", home=__name__, version=1, seats=range(SEATS, SEATS + 1), minutes=20, difficulty="medium",
    options=Options, deck=ListedDeck, state=State, move=WhistMove, event=WhistEvent, initial=initial,
    to_act=whose_turn, legal=legal, decide=decide, evolve=evolve, redact=redact, deal=deal, tally=tally,
    standing=standing, teams=teams, imagine=imagined_hands(evolve, Played, lacking), board={"target_points": 1},
    bots={"random/1": at_random, "careful/1": careful},
)  # fmt: skip
