"""The rulebook of Skyjo as sentences: those of `sentences/skyjo.txt`, and what needs more than a table and moves. Ids
and edge cases are those of `docs/rules/skyjo.md`."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.deck import read
from domain.rulesets.skyjo import SKYJO, rules
from domain.rulesets.skyjo.rules import (
    SLOTS,
    ColumnCleared,
    Dealt,
    Draw,
    Drawn,
    FinalLapBegan,
    Flip,
    Flipped,
    LayoutsRevealed,
    Options,
    Restocked,
    RoundScored,
    SkyjoDeck,
    Slot,
    State,
    Swap,
    Take,
    Toss,
    TurnBegan,
    Won,
)
from domain.rulesets.skyjo_grid import all_up, face_up
from stammtisch.testing.spec import Given, InOrder, given
from tests.domain.skyjo_notation import begin, last_turn, layout, outcome, play, table
from tests.kit.random_play import random_play
from tests.kit.worked import Notation, Vector, each_sentence

EVERY_NUMBER_OF_SEATS = range(2, 9)
DECK = SKYJO.decks["skyjo"]

PLAIN = "0: 1 (2) 3 4 / 5 (6) 7 8 / (9) (10) 11 12"
"""A layout in which nothing is about to happen."""
LAST_CARD = "1 2 3 4 / 5 6 7 8 / 9 (10) 11 12"
DONE = "1 2 3 4 / 5 6 7 8 / 9 10 11 12"
FEW = "1 . . . / 4 . . . / 5 . . ."
"""Ten points."""


def start(seats: int = 2, **options: Any) -> Given:
    return given(SKYJO, SKYJO.initial(seats, Options(**options), DECK))


def deck(numbers: dict[str, int]) -> SkyjoDeck:
    text = {"ruleset": "skyjo", "name": "own", "provenance": "made up", "numbers": numbers}
    return read(SkyjoDeck, "skyjo", msgspec.json.encode(text))


@each_sentence("skyjo")
def test_the_rules_hold(case: Vector):
    Notation(begin, play, outcome, vars(rules)).check(case)


# --- dealing ------------------------------------------------------------------------------------------------------


def test_slots_are_numbered_column_by_column():
    """SK-10."""
    numbered = layout("0 3 6 9 / 1 4 7 10 / 2 5 8 11")
    assert [slot and slot.card for slot in numbered] == list(range(12))


@pytest.mark.parametrize("seats", EVERY_NUMBER_OF_SEATS)
def test_everybody_gets_twelve_face_down_cards_one_opens_the_discard_pile_the_rest_is_drawn_from(seats: int):
    """SK-40, SK-41, SK-12: of the whole deck, which is shuffled for every round."""
    cards, cut, chance = tuple(range(12 * seats + 5)), 12 * seats, InOrder()
    own = deck({str(number): 1 for number in cards})
    dealt = given(SKYJO, SKYJO.initial(seats, Options(), own)).dealt(chance).state
    assert chance.asked == [own.cards]
    assert [[slot.card for slot in cards_of] for cards_of in dealt.layouts] == [
        list(cards[12 * seat : 12 * seat + 12]) for seat in range(seats)
    ]
    assert not any(slot.up for cards_of in dealt.layouts for slot in cards_of)
    assert dealt.discard == (cards[cut],)
    assert dealt.draw == cards[cut + 1 :]


def test_a_new_round_resets_everything_but_totals_rounds_and_the_starter():
    """SK-40."""
    third = replace(table(f"0: {FEW} | 1: {DONE} | finisher 0 | totals 3 4 | discard 1 2 3"), round=3, rounds=((3, 4),))
    after = given(SKYJO, last_turn(third).state).dealt(InOrder()).state
    fresh = start().dealt(InOrder()).state
    kept = {"totals": (13, 82), "rounds": ((3, 4), (10, 78)), "round": 4, "starter": 0}
    assert after == replace(fresh, **kept)


def test_the_dealer_deals_when_a_round_is_due_and_restocks_when_a_card_must_be_drawn_and_never_else():
    """SK-14, SK-41, SK-52: and in between nobody has a move."""
    for phase in ("deal", "setup", "turn", "restock", "place", "flip", "settle", "over"):
        game = given(SKYJO, replace(table(f"{PLAIN} | turn 0 | discard 1 2"), phase=phase))
        events = game.dealt(InOrder()).events
        assert [type(event) for event in events] == {"deal": [Dealt], "restock": [Restocked, Drawn]}.get(phase, [])
        if phase in ("deal", "restock", "settle", "over"):
            assert SKYJO.to_act(game.state) == ()
            for seat in (0, 1):
                game.legal(seat)
                game.when(seat, Draw()).illegal()


def test_in_the_setup_everybody_turns_up_two_cards_in_any_order():
    """SK-20, SK-14."""
    game = start(3).dealt(InOrder())
    for seat, slot in [(2, 0), (0, 5), (2, 11), (1, 1), (1, 2)]:
        card = game.state.layouts[seat][slot].card
        game = game.when(seat, Flip(slot)).then(Flipped(seat, slot, card))
    assert SKYJO.to_act(game.state) == (0,)
    game.when(0, Flip(0)).then(Flipped(0, 0, -2), TurnBegan(2))


@pytest.mark.parametrize("phase", ["turn", "place", "flip"])
def test_only_the_seat_whose_turn_it_is_has_moves(phase: str):
    """SK-14."""
    game = given(SKYJO, replace(table(f"{PLAIN} | turn 0"), phase=phase, held=5, held_from="draw"))
    assert SKYJO.to_act(game.state) == (0,)
    game.legal(1)
    for move in (Draw(), Take(), Toss(), Swap(0), Flip(0)):
        game.when(1, move).illegal()


# --- columns, the final lap, points -------------------------------------------------------------------------------


@pytest.mark.parametrize("column", range(4))
def test_every_column_of_every_number_goes(column: int):
    """SK-28: compulsorily, also a negative one."""
    for number in (-2, -1, 0, 12):
        cards = [Slot(n + 1, up=n != 11 - 3 * column) for n in range(SLOTS)]
        cards[3 * column : 3 * column + 3] = [Slot(number, up=True), Slot(number, up=True), Slot(7, up=False)]
        state = replace(table(f"turn 0 | discard {number}"), layouts=(tuple(cards), layout(DONE)))
        game = given(SKYJO, state).when(0, Take()).when(0, Swap(3 * column + 2))
        assert game.events[1] == ColumnCleared(0, column, number)
        assert game.state.layouts[0][3 * column : 3 * column + 3] == (None, None, None)
        assert game.state.discard == (7, number, number, number)


@pytest.mark.parametrize("seats", EVERY_NUMBER_OF_SEATS)
@pytest.mark.parametrize("finisher", [0, 1])
def test_after_the_finishers_turn_every_other_seat_has_exactly_one(seats: int, finisher: int):
    """SK-50, SK-27, for every number of seats."""
    state = replace(table("turn 0 | discard 9"), layouts=(layout(LAST_CARD),) * seats, totals=(0,) * seats)
    game, turns = given(SKYJO, replace(state, turn=finisher)), []
    while game.state.phase == "turn":
        turns.append(game.state.turn)
        game = game.when(game.state.turn, Take()).when(game.state.turn, Swap(5))
    assert turns == [(finisher + i) % seats for i in range(seats)]
    assert game.state.finisher == game.state.starter == finisher


SCORES = [
    ((5, 5), 0, True, (10, 5)), ((5, 3, 3), 0, True, (10, 3, 3)), ((5, 7, 7), 0, True, (5, 7, 7)),
    ((5, 9, 5), 0, True, (10, 9, 5)), ((6, 5), 0, True, (12, 5)),
    ((0, -3), 0, True, (0, -3)), ((0, -3), 0, False, (0, -3)),
    ((-4, -5), 0, True, (-4, -5)), ((-4, -5), 0, False, (-8, -5)), ((-4, -3), 0, False, (-4, -3)),
    ((9, 8, 20), 0, True, (18, 8, 20)), ((9, 8, 20), 1, True, (9, 8, 20)), ((9, 8, 20), 2, True, (9, 8, 40)),
]  # fmt: skip


def test_the_finisher_is_doubled_unless_strictly_the_lowest():
    """SK-51, SK-3, edge case 14, edge case 15: undoubled points are compared, and nobody else is doubled. Zero never
    changes, negative points do by option only. Three cards each, of which the last two count 0 and 10, so that no
    column is complete."""
    for points, finisher, only_positive, counted in SCORES:
        layouts = tuple((Slot(p - 10, up=True), Slot(0, up=True), Slot(10, up=True), *[None] * 9) for p in points)
        state = replace(table("turn 0"), layouts=layouts, totals=(0,) * len(points), finisher=finisher)
        state = replace(state, options=Options(double_only_positive=only_positive))
        assert last_turn(state).state.rounds[-1] == counted, (points, finisher, only_positive)


def test_the_target_is_an_option():
    """SK-52, SK-3."""
    state = table(f"0: {FEW} | 1: {DONE} | finisher 0 | totals 0 0")
    assert last_turn(replace(state, options=Options(target_points=78))).events[-1] == Won((0,))
    assert last_turn(replace(state, options=Options(target_points=79))).state.phase == "deal"


# --- who sees what ------------------------------------------------------------------------------------------------

VIEWERS = (None, 0, 1, 2)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_of_a_deal_everybody_sees_the_open_discard_and_how_many_cards_lie_where(viewer: int | None):
    """SK-13: not even the owner may look at a face-down card."""
    game = start(3).dealt(InOrder())
    assert game.shown(viewer) == [Dealt(((None,) * 12,) * 3, draw=(None,) * 113, discard=DECK.cards[36])]
    view = SKYJO.view(start(3).state, [*game.events, *game.when(0, Flip(0)).events], viewer)
    assert [slot and slot.card for slot in view.layouts[0]] == [-2, *[None] * 11]
    assert {slot and slot.card for own in view.layouts[1:] for slot in own} == set(view.draw) == {None}
    assert view.discard == game.state.discard


# --- invariants; 1, 9 and 10 are laws: see `test_laws` ------------------------------------------------------------


def a_game(seats: int) -> Iterator[tuple[State, Any, State]]:
    return random_play(SKYJO, start(seats).state, seed=seats, moves=1500)


every_game = pytest.mark.parametrize("seats", [2, 3, 5, 8])


@every_game
def test_what_holds_whenever_somebody_has_a_choice(seats: int):
    """Invariants 2 and 3, invariant 4: columns are whole or gone in every phase; a card is held in `place` only."""
    states = [state for _, _, state in a_game(seats)]
    assert {state.phase for state in states if SKYJO.to_act(state)} == {"setup", "turn", "place", "flip"}
    for state in states:
        having = [seat for seat in range(seats) if SKYJO.legal(state, seat)]
        if state.phase == "setup":
            assert having or all(len(face_up(each)) == 2 for each in state.layouts)
        else:
            assert having == ([state.turn] if state.phase in ("turn", "place", "flip") else [])
        if not SKYJO.to_act(state):
            continue
        assert (state.held is None) == (state.held_from is None) == (state.phase != "place")
        columns = [each[i : i + 3] for each in state.layouts for i in range(0, len(each), 3)]
        assert all(column.count(None) in (0, 3) for column in columns)
        if state.phase == "turn":
            assert not any(
                None not in column and all(slot.up for slot in column) and len({slot.card for slot in column}) == 1
                for column in columns
            )
            assert state.discard
            assert state.finisher is not None or not any(map(all_up, state.layouts))


@every_game
def test_what_holds_from_event_to_event(seats: int):
    """Invariants 5 and 6, invariants 7 and 8.

    No card turns face down, no cleared slot is filled. The final lap is one turn for everybody else, clockwise. The
    draw pile only shrinks until it is restocked, which leaves one discard. Totals add up, and only the points of the
    finisher are doubled."""
    turns: list[int] = []
    seen = set()
    for before, event, after in a_game(seats):
        seen.add(type(event))
        if not isinstance(event, Dealt):
            for old, new in zip(before.layouts, after.layouts, strict=True):
                for was, slot in zip(old, new, strict=True):
                    assert slot is None or (was is not None and slot.up >= was.up)
            if not isinstance(event, Restocked):
                assert after.draw == before.draw[: len(after.draw)]
        match event:
            case Restocked():
                assert (before.draw, len(after.discard)) == ((), 1)
            case FinalLapBegan():
                turns = []
            case TurnBegan(seat=seat):
                turns.append(seat)
            case LayoutsRevealed():
                assert turns == [(after.finisher + i) % seats for i in range(1, seats)]
            case RoundScored(points=points):
                assert after.totals == tuple(map(sum, zip(*after.rounds, strict=True)))
                for seat, number in enumerate(points):
                    cards = sum(slot.card for slot in before.layouts[seat] if slot)
                    assert number == cards or (seat == before.finisher and number == 2 * cards)
    assert seen >= {LayoutsRevealed, RoundScored} | ({Restocked} if seats == 8 else set())


def test_a_round_can_be_prolonged_at_will():
    """Invariant 11: two seats swap face-up cards for ever."""
    game = begin(f"{PLAIN} | 1: 4 (2) 3 4 / 5 (6) 7 8 / (9) (10) 11 12 | turn 0 | discard 0")
    first = game.state
    for turn in range(6):
        game = game.when(turn % 2, Take()).when(turn % 2, Swap(0))
    assert game.state == first
