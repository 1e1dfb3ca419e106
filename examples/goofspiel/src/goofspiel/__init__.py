"""Goofspiel, the Game of Pure Strategy: all bid at once for the prize that lies open.

Every seat has the thirteen cards of a suit, the diamonds are the prizes. A prize is turned up, and everybody chooses a
card in secret. When all have chosen, the cards are shown: the highest one wins the prize, which counts its rank, ace 1
to king 13. If several are highest, nobody gets it. All cards that were bid are gone. The most points win.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypeAlias

from stammtisch.bots import at_random, best
from stammtisch.cards import CARD, ListedDeck, cards_of, hide, known, put, without_one
from stammtisch.rules import (
    BySeat,
    Chance,
    Dealing,
    Dispatch,
    Event,
    Illegal,
    InvalidSetup,
    Meta,
    Move,
    Open,
    Redact,
    Ruleset,
    Seat,
    Tally,
    Value,
    Viewer,
    highest,
    replace,
    seen_by_all,
)

RANKS = 13
PRIZES = "♦"
Card: TypeAlias = Annotated[str, CARD, Meta(description="Suit and rank: `♠Q`.")]
Cards: TypeAlias = tuple[Card | None, ...]


class Options(Value, forbid_unknown_fields=True):
    """Fixed when the game is opened."""

    prizes: Annotated[int, Meta(ge=1, le=RANKS, description="How many prizes there are.")] = RANKS


class Bid(Move):
    """Bid a card of your hand. Nobody sees it until all have chosen."""

    card: Card


class Dealt(Dealing):
    """The prizes are shuffled. Nobody sees their order."""

    stock: Cards


class PrizeTurned(Open):
    """The top prize lies open."""

    card: Card


class BidPlaced(Event):
    """The seat has chosen its bid, which only it sees."""

    seat: Seat
    card: Card | None


class Shown(Open):
    """All bids are shown, by seat."""

    cards: tuple[Card, ...]


class PrizeWon(Open):
    """The highest bid has won the prize; nobody, if several are highest. `points`: by seat, added to the totals."""

    winners: tuple[Seat, ...]
    points: tuple[int, ...]


class Won(Open):
    """These seats have the most points."""

    winners: tuple[Seat, ...]


GoofspielMove: TypeAlias = Bid
GoofspielEvent: TypeAlias = Dealt | PrizeTurned | BidPlaced | Shown | PrizeWon | Won


class State(Value):
    """The table. A card that is bid stays in its hand until all are shown, so that every view has the same shape."""

    deck: ListedDeck
    """The name of the deck."""
    options: Options
    """The options of the game."""
    hands: BySeat[Cards]
    """By seat: everybody sees all hands, for it is known which cards were bid."""
    placed: BySeat[bool]
    """By seat: whether it has chosen its bid."""
    bids: BySeat[Card | None]
    """By seat: its bid; null for others until all are shown."""
    totals: BySeat[int]
    """By seat: the points of its prizes."""
    spent: tuple[Card, ...]
    """Cards that are gone: bids, prizes that nobody won, and the suits of seats that are not taken."""
    won: BySeat[tuple[Card, ...]]
    """By seat: its prizes."""
    stock: Cards = ()
    """The prizes to come; the last one is the top."""
    prize: Card | None = None
    """The prize that is bid for."""
    phase: Literal["deal", "bid", "settle", "over"] = "deal"
    """What the game waits for."""
    winners: tuple[Seat, ...] | None = None
    """The seats that have won; null until the game is over."""


def initial(seats: int, options: Options, deck: ListedDeck) -> State:
    suits = suits_of(deck)
    if len(suits) < seats or any(len(cards) != RANKS for cards in (*suits, prizes_of(deck))):
        raise InvalidSetup(f"{seats} seats need a suit of {RANKS} cards each, and the diamonds.")
    spent = tuple([card for suit in suits[seats:] for card in suit])
    hands: tuple[Cards, ...] = tuple(suits[:seats])
    return State(
        deck, options, hands, placed=(False,) * seats, bids=(None,) * seats, totals=(0,) * seats, spent=spent,
        won=((),) * seats, stock=prizes_of(deck),
    )  # fmt: skip


def suits_of(deck: ListedDeck) -> list[tuple[Card, ...]]:
    """The suits that seats can have."""
    found = dict.fromkeys([card[0] for card in deck.cards if card[0] != PRIZES])
    return [tuple([card for card in deck.cards if card[0] == suit]) for suit in found]


def prizes_of(deck: ListedDeck) -> tuple[Card, ...]:
    return tuple([card for card in deck.cards if card[0] == PRIZES])


def worth(deck: ListedDeck, card: Card) -> int:
    """1 for an ace, 13 for a king: the deck lists the cards of a suit in this order."""
    return deck.rank[card] % RANKS + 1


def to_act(state: State) -> tuple[Seat, ...]:
    """All who have not chosen yet, in any order."""
    return tuple([seat for seat, placed in enumerate(state.placed) if not placed]) if state.phase == "bid" else ()


def legal(state: State, seat: Seat) -> list[Bid]:
    return [Bid(known(card)) for card in state.hands[seat]] if seat in to_act(state) else []


def decide(state: State, seat: Seat, move: Bid) -> list[GoofspielEvent]:
    if move not in legal(state, seat):
        raise Illegal
    placed = BidPlaced(seat, move.card)
    if len(to_act(state)) > 1:
        return [placed]
    bids = tuple([known(card) for card in put(state.bids, seat, move.card)])
    first = highest([worth(state.deck, card) for card in bids])
    gained = worth(state.deck, known(state.prize))
    winners = first if len(first) == 1 else ()
    points = tuple([gained if each in winners else 0 for each in range(len(bids))])
    totals = [total + more for total, more in zip(state.totals, points, strict=True)]
    events: list[GoofspielEvent] = [placed, Shown(bids), PrizeWon(winners, points)]
    if len(state.hands[seat]) - 1 > RANKS - state.options.prizes:
        return [*events, PrizeTurned(known(state.stock[-1]))]
    return [*events, Won(highest(totals))]


def deal(state: State, chance: Chance) -> list[GoofspielEvent]:
    if state.phase != "deal":
        return []
    stock = chance.shuffled(prizes_of(state.deck))
    return [Dealt(stock), PrizeTurned(stock[-1])]


def dealt(state: State, event: Dealt) -> State:
    return replace(state, stock=event.stock, phase="settle")


def prize_turned(state: State, event: PrizeTurned) -> State:
    return replace(state, stock=state.stock[:-1], prize=event.card, phase="bid")


def bid_placed(state: State, event: BidPlaced) -> State:
    placed = put(state.placed, event.seat, True)
    phase: Literal["bid", "settle"] = "settle" if all(placed) else "bid"
    return replace(state, bids=put(state.bids, event.seat, event.card), placed=placed, phase=phase)


def shown(state: State, event: Shown) -> State:
    hands = tuple([without_one(hand, card) for hand, card in zip(state.hands, event.cards, strict=True)])
    none = len(hands)
    return replace(
        state, hands=hands, bids=(None,) * none, placed=(False,) * none, spent=state.spent + event.cards
    )  # fmt: skip


def prize_won(state: State, event: PrizeWon) -> State:
    prize = known(state.prize)
    totals = tuple([total + more for total, more in zip(state.totals, event.points, strict=True)])
    if not event.winners:
        return replace(state, prize=None, spent=(*state.spent, prize))
    (seat,) = event.winners
    return replace(state, prize=None, totals=totals, won=put(state.won, seat, (*state.won[seat], prize)))


def won(state: State, event: Won) -> State:
    return replace(state, winners=event.winners, phase="over")


evolve: Dispatch[State] = Dispatch(GoofspielEvent, dealt, prize_turned, bid_placed, shown, prize_won, won)


def seen_dealt(_: Viewer, event: Dealt) -> Dealt:
    return Dealt(hide(event.stock))


def seen_bid(viewer: Viewer, event: BidPlaced) -> BidPlaced:
    return event if viewer == event.seat else BidPlaced(event.seat, None)


redact = Redact(GoofspielEvent, seen_by_all, seen_dealt, seen_bid)


def cards(state: State) -> list[Any]:
    """Bids lie in the hands until they are shown."""
    return cards_of(replace(state, bids=()))


def imagine(initial: State, seen: Sequence[Any], _: Seat, chance: Chance) -> list[Any]:
    """Prizes to come in any order; of others' bids those that were shown later, else any card of the hand."""
    turned = [event.card for event in seen if isinstance(event, PrizeTurned)]
    rest = chance.shuffled([card for card in prizes_of(initial.deck) if card not in turned])
    state, history = initial, list[Any]()
    for number, event in enumerate(seen):
        happened = event
        if isinstance(event, Dealt):
            happened = Dealt((*rest, *reversed(turned)))
        elif isinstance(event, BidPlaced) and event.card is None:
            later = next((each.cards for each in seen[number:] if isinstance(each, Shown)), None)
            card = later[event.seat] if later is not None else chance.shuffled(state.hands[event.seat])[0]
            happened = BidPlaced(event.seat, card)
        history.append(happened)
        state = evolve(state, happened)
    return history


def tally(state: State) -> Tally:
    return Tally(state.totals)


def standing(state: State) -> tuple[int, ...]:
    return state.totals


def careful(state: State, _: Seat, moves: Sequence[Bid], chance: Chance) -> int:
    """Bid about what the prize is worth, mostly one more."""
    prize = worth(state.deck, known(state.prize)) + 1 - chance.below(3) // 2
    return best([-abs(worth(state.deck, move.card) - prize) for move in moves], chance)


GOOFSPIEL = Ruleset(
    name="org.example.goofspiel", home=__name__, version=1, seats=range(2, 4), minutes=10, difficulty="easy",
    options=Options, deck=ListedDeck, state=State, move=GoofspielMove, event=GoofspielEvent, initial=initial,
    to_act=to_act, legal=legal, decide=decide, evolve=evolve, redact=redact, deal=deal, tally=tally,
    standing=standing, cards=cards, imagine=imagine, board={"prizes": 5},
    bots={"random/1": at_random, "careful/1": careful},
)  # fmt: skip
