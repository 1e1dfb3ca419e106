"""A tiny ruleset in two versions that exist side by side. It is registered in tests only.

Pebbles lie in the middle. In each turn a seat takes one to three of them; taking the last one wins. In version 2
taking the last one loses, and each seat can pass once in a game.

What it shows, and what a law of the versions asks of every ruleset:
- Version 2 is a separate record with the new functions and the unchanged ones of version 1.
- Both versions share the types of options, deck and state. A field that version 2 adds to the state is UNSET where the
  first version plays, so the views of its games stay as they were, byte for byte.
- What version 1 can say version 2 can say: its moves and events are among those of version 2, and a tag never means
  two things. So the routes of the newest version are those of all games.
"""

from collections.abc import Sequence
from dataclasses import replace as but
from typing import Annotated, TypeAlias, assert_never

from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from domain.bots import at_random
from domain.bundled import BotLabel, Labels
from domain.cards import put
from domain.deck import Deck, DeckData
from domain.fairness.chance import Chance
from domain.messages import Dealing, Event, Move, Value
from domain.ruleset import Illegal, Result, Ruleset, Seat, Tally, Viewer


class Options(Value, forbid_unknown_fields=True):
    """None."""


class BagData(DeckData):
    """How many pebbles there are."""

    pebbles: int


class Bag(Deck[BagData]):
    """Pebbles, all alike."""

    __slots__ = ()
    data_type = BagData


class Take(Move):
    """Take pebbles."""

    pebbles: Annotated[int, Meta(ge=1, le=3)]


class Pass(Move):
    """Take none, once in a game. New in version 2."""


class Poured(Dealing):
    """The dealer has put some of the bag's pebbles in the middle."""

    pebbles: int


class Taken(Event):
    """That many pebbles were taken from the middle."""

    seat: Seat
    pebbles: int


class Passed(Event):
    """The seat has taken none. New in version 2."""

    seat: Seat


class Won(Event):
    """No pebble is left."""

    winner: Seat


class State(Value):
    """The table."""

    bag: Bag
    pebbles: int | None = None
    turn: Seat = 0
    taken: tuple[int, ...] = ()
    winner: Seat | None = None
    passed: tuple[bool, ...] | UnsetType = UNSET
    """Who has passed. New in version 2."""


FirstMove: TypeAlias = Take
FirstEvent: TypeAlias = Poured | Taken | Won
SecondMove: TypeAlias = Take | Pass
SecondEvent: TypeAlias = Poured | Taken | Passed | Won


# --- version 1 ----------------------------------------------------------------------------------------------------


def initial(seats: int, options: Options, bag: Bag) -> State:  # noqa: ARG001
    return State(bag, taken=(0,) * seats)


def to_act(state: State) -> tuple[Seat, ...]:
    return () if state.pebbles is None or state.winner is not None else (state.turn,)


def legal(state: State, seat: Seat) -> list[FirstMove]:
    if seat not in to_act(state):
        return []
    return [Take(number) for number in (1, 2, 3) if number <= (state.pebbles or 0)]


def decide(state: State, seat: Seat, move: FirstMove) -> list[FirstEvent]:
    if move not in legal(state, seat):
        raise Illegal
    taken = Taken(seat, move.pebbles)
    return [taken, Won(seat)] if move.pebbles == state.pebbles else [taken]


def evolve(state: State, event: FirstEvent) -> State:
    match event:
        case Poured(pebbles):
            return replace(state, pebbles=pebbles)
        case Taken(seat, pebbles):
            taken = put(state.taken, seat, state.taken[seat] + pebbles)
            return replace(state, pebbles=(state.pebbles or 0) - pebbles, taken=taken, turn=following(state, seat))
        case Won(winner):
            return replace(state, winner=winner)
    assert_never(event)


def following(state: State, seat: Seat) -> Seat:
    return (seat + 1) % len(state.taken)


def redact(event: SecondEvent, _: Viewer) -> SecondEvent:
    return event


def deal(state: State, chance: Chance) -> list[FirstEvent]:
    return [Poured(8 + chance.below(state.bag.data.pebbles - 8))] if state.pebbles is None else []


def result(state: State) -> Result | None:
    return None if state.winner is None else Result(state.taken, (state.winner,))


def tally(state: State) -> Tally:
    return Tally(state.taken)


def standing(state: State) -> tuple[int, ...]:
    return state.taken


def imagine(_: State, seen: Sequence[SecondEvent], __: Seat, ___: Chance) -> list[SecondEvent]:
    """Nothing is hidden."""
    return [*seen]


def features(state: State, seat: Seat) -> list[int]:
    return [state.pebbles or 0, int(state.turn == seat), *state.taken]


FIRST = Ruleset(
    name="pebbles", home="tests.domain", version=1, seats=range(2, 4), options=Options, deck=Bag, deck_files=(),
    minutes=5, difficulty="easy",
    state=State, move=FirstMove, event=FirstEvent,
    initial=initial, to_act=to_act, legal=legal, decide=decide, evolve=evolve, redact=redact, deal=deal, result=result,
    tally=tally, standing=standing, imagine=imagine, features=features, bots={"random/1": at_random},
)  # fmt: skip


# --- version 2 ----------------------------------------------------------------------------------------------------


def initial_2(seats: int, options: Options, bag: Bag) -> State:
    return replace(initial(seats, options, bag), passed=(False,) * seats)


def legal_2(state: State, seat: Seat) -> list[SecondMove]:
    moves: list[SecondMove] = [*legal(state, seat)]
    return [*moves, Pass()] if moves and state.passed and not state.passed[seat] else moves


def decide_2(state: State, seat: Seat, move: SecondMove) -> list[SecondEvent]:
    if move not in legal_2(state, seat):
        raise Illegal
    if isinstance(move, Pass):
        return [Passed(seat)]
    taken = Taken(seat, move.pebbles)
    return [taken, Won(following(state, seat))] if move.pebbles == state.pebbles else [taken]


def evolve_2(state: State, event: SecondEvent) -> State:
    if isinstance(event, Passed):
        assert state.passed
        return replace(state, passed=put(state.passed, event.seat, True), turn=following(state, event.seat))
    return evolve(state, event)


SECOND = but(
    FIRST, version=2, move=SecondMove, event=SecondEvent, initial=initial_2, legal=legal_2, decide=decide_2,
    evolve=evolve_2,
)  # type: ignore[type-var]  # fmt: skip


# What comes in files where rulesets are registered.
BAG = BagData("pebbles", "bag", "Picked up for the tests.", 24)
LABELS = Labels(
    title="Pebbles", summary="Take one to three; the last one counts.", moves={"take": "Take pebbles", "pass": "Pass"},
    fields={"pebbles": "Pebbles"},
    events={"poured": "Pebbles are poured", "taken": "Pebbles taken", "passed": "Passed", "won": "No pebble is left"},
    sentences={
        "poured": "{pebbles} pebbles are poured", "taken": "{seat:seat} takes {pebbles}",
        "passed": "{seat:seat} passes", "won": "The last pebble is that of {winner:seat}",
    },
    values={}, phases={}, zones={}, facts={}, parts={}, places={}, options={}, cards={},
    bots={"random/1": BotLabel("Random", "Takes any number.")},
)  # fmt: skip
for ruleset in (FIRST, SECOND):
    vars(ruleset).update(decks={"bag": Bag(BAG)}, labels={"en": LABELS, "de": LABELS})
