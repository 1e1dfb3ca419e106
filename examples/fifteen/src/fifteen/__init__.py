"""Fifteen: nine numbers lie open, and three of your own that add up to 15 win.

The seats take turns and take one number each. Nothing is dealt and nothing is hidden. Without a winner after nine
numbers it is a draw. Lay the numbers in a magic square, and you know the game.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Annotated, Literal, TypeAlias

from stammtisch.bots import at_random, best
from stammtisch.cards import CARD, ListedDeck, put
from stammtisch.rounds import whose_turn
from stammtisch.rules import (
    BySeat,
    Chance,
    Dispatch,
    Illegal,
    InvalidSetup,
    Meta,
    Move,
    Open,
    Redact,
    Result,
    Ruleset,
    Seat,
    SeatEvent,
    Tally,
    Value,
    replace,
    seen_by_all,
)

SUM = 15
Number: TypeAlias = Annotated[str, CARD, Meta(description="A number, from 1 to 9.")]


class Options(Value, forbid_unknown_fields=True):
    """The game has none."""


class Take(Move):
    """Take a number from the middle."""

    number: Number


class Taken(SeatEvent):
    """The seat has taken a number."""

    number: Number


class TurnBegan(SeatEvent):
    """It is the seat's turn."""


class Won(Open):
    """These seats have won; both in a draw."""

    winners: tuple[Seat, ...]


FifteenMove: TypeAlias = Take
FifteenEvent: TypeAlias = Taken | TurnBegan | Won


class State(Value):
    """The table."""

    deck: ListedDeck
    """The name of the deck."""
    options: Options
    """The options of the game."""
    middle: tuple[Number, ...]
    """The numbers that can be taken."""
    own: BySeat[tuple[Number, ...]]
    """By seat: the numbers that it has taken."""
    totals: BySeat[int] = (0, 0)
    """By seat: 1 for the winner."""
    phase: Literal["turn", "settle", "over"] = "turn"
    """What the game waits for."""
    turn: Seat | None = 0
    """The seat whose turn it is."""
    winners: tuple[Seat, ...] | None = None
    """The seats that have won; null until the game is over."""


def initial(seats: int, options: Options, deck: ListedDeck) -> State:
    if {*deck.cards} != {*map(str, range(1, 10))}:
        raise InvalidSetup("Fifteen needs the numbers from 1 to 9.")
    return State(deck, options, deck.cards, ((),) * seats)


def legal(state: State, seat: Seat) -> list[Take]:
    return [Take(number) for number in state.middle] if seat in whose_turn(state) else []


def decide(state: State, seat: Seat, move: Take) -> list[FifteenEvent]:
    if move not in legal(state, seat):
        raise Illegal
    taken = Taken(seat, move.number)
    if wins(state.own[seat], move.number):
        return [taken, Won((seat,))]
    return [taken, TurnBegan(1 - seat) if len(state.middle) > 1 else Won((0, 1))]


def wins(own: Sequence[Number], number: Number) -> bool:
    """Whether the number makes three of the own ones add up."""
    return any(int(one) + int(other) + int(number) == SUM for one, other in combinations(own, 2))


def deal(_: State, __: Chance) -> list[FifteenEvent]:
    return []


def taken(state: State, event: Taken) -> State:
    middle = tuple([number for number in state.middle if number != event.number])
    own = put(state.own, event.seat, (*state.own[event.seat], event.number))
    return replace(state, middle=middle, own=own, phase="settle", turn=None)


def turn_began(state: State, event: TurnBegan) -> State:
    return replace(state, phase="turn", turn=event.seat)


def won(state: State, event: Won) -> State:
    totals = tuple([int(event.winners == (seat,)) for seat in range(2)])
    return replace(state, phase="over", winners=event.winners, totals=totals)


evolve: Dispatch[State] = Dispatch(FifteenEvent, taken, turn_began, won)


def result(state: State) -> Result | None:
    """In a draw nobody has a point, and both share the first rank."""
    if state.winners is None:
        return None
    return Result(state.totals, state.winners, ranks=tuple([int(seat not in state.winners) for seat in range(2)]))


def tally(state: State) -> Tally:
    return Tally(state.totals)


def standing(state: State) -> tuple[int, ...]:
    return state.totals


def careful(state: State, seat: Seat, moves: Sequence[Take], chance: Chance) -> int:
    """Win; else keep the other one from winning; else take the number that is in most sums."""
    other = state.own[1 - seat]

    def worth(number: Number) -> int:
        lines = 3 if number == "5" else 1 - int(number) % 2
        return 100 * wins(state.own[seat], number) + 50 * wins(other, number) + lines

    return best([worth(move.number) for move in moves], chance)


FIFTEEN = Ruleset(
    name="org.example.fifteen", home=__name__, version=1, seats=range(2, 3), minutes=2, difficulty="easy",
    options=Options, deck=ListedDeck, state=State, move=FifteenMove, event=FifteenEvent, initial=initial,
    to_act=whose_turn, legal=legal, decide=decide, evolve=evolve, redact=Redact(FifteenEvent, seen_by_all), deal=deal,
    result=result, tally=tally, standing=standing, bots={"random/1": at_random, "careful/1": careful},
)  # fmt: skip
