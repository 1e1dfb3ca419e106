"""The rulebook of Skyjo as sentences. Ids and edge cases are those of `docs/rules/skyjo.md`.

Tables are written in its notation, row by row: `5` face up, `(5)` face down, `.` cleared; `draw` has the next card
first, `discard` the top card last.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.deck import InvalidDeck, read
from domain.ruleset import InvalidSetup
from domain.rulesets.skyjo import SKYJO
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
    RanOut,
    Restocked,
    RoundScored,
    SkyjoDeck,
    Slot,
    State,
    Swap,
    Swapped,
    Take,
    Taken,
    Toss,
    Tossed,
    TurnBegan,
    TurnedUp,
    Won,
)
from domain.rulesets.skyjo_grid import all_up, face_up
from tests.domain.skyjo_notation import last_turn, layout, table
from tests.kit import laws, spec
from tests.kit.random_play import random_play
from tests.kit.spec import Given
from tests.kit.zones import CARDS

EVERY_NUMBER_OF_SEATS = range(2, 9)
DECK = SKYJO.decks["skyjo"]

PLAIN = "0: 1 (2) 3 4 / 5 (6) 7 8 / (9) (10) 11 12"
"""A layout in which nothing is about to happen."""
LAST_CARD = "0: 1 2 3 4 / 5 6 7 8 / 9 (10) 11 12"
DONE = "1 2 3 4 / 5 6 7 8 / 9 10 11 12"
FEW = "1 . . . / 4 . . . / 5 . . ."
"""Ten points."""


def given(text: str, **changes: Any) -> Given:
    return spec.given(SKYJO, replace(table(text), **changes))


def start(seats: int = 2, **options: Any) -> Given:
    return spec.given(SKYJO, SKYJO.initial(seats, Options(**options), DECK))


class Unshuffled:
    """A chance that leaves every pile as it is, and remembers what it was asked to shuffle."""

    def __init__(self) -> None:
        self.asked: list[Sequence[Any]] = []

    def below(self, n: int) -> int:
        raise AssertionError(f"lots are never drawn (SK-41): {n}")

    def shuffled(self, items: Sequence[Any]) -> tuple[Any, ...]:
        self.asked.append(items)
        return tuple(items)


def deck(numbers: dict[str, int], name: str = "own") -> SkyjoDeck:
    text = {"ruleset": "skyjo", "name": name, "provenance": "made up", "numbers": numbers}
    made = read(SkyjoDeck, "skyjo", msgspec.json.encode(text))
    assert isinstance(made, SkyjoDeck)
    return made


# --- the deck and the options -------------------------------------------------------------------------------------


def test_the_official_deck_has_150_cards():
    """SK-1."""
    assert len(DECK.cards) == 150
    copies = {-2: 5, -1: 10, 0: 15} | dict.fromkeys(range(1, 13), 10)
    assert {number: DECK.cards.count(number) for number in set(DECK.cards)} == copies


def test_cards_come_in_rising_order_whatever_the_order_in_the_file():
    """SK-1, and the canonical order of the protocol."""
    assert deck({"7": 1, "-3": 2, "0": 1, "10": 1}).cards == (-3, -3, 0, 7, 10)
    assert list(DECK.cards) == sorted(DECK.cards)


@pytest.mark.parametrize("seats", EVERY_NUMBER_OF_SEATS)
def test_a_deck_needs_twelve_cards_for_every_seat_and_two_more(seats: int):
    """SK-2."""
    assert SKYJO.initial(seats, Options(), deck({"5": 12 * seats + 2})).phase == "deal"
    with pytest.raises(InvalidSetup) as refusal:
        SKYJO.initial(seats, Options(), deck({"5": 12 * seats + 1}))
    assert (
        str(refusal.value)
        == f"{seats} seats need a deck of at least {12 * seats + 2} cards, this one has {12 * seats + 1}."
    )


def test_any_numbers_make_a_deck():
    """SK-2."""
    assert deck({"-99999": 1, "99999": 1}).cards == (-99999, 99999)


FAULTS = [
    (b"[]", "Expected `object`, got `array`"),
    (b"{", "Input data was truncated"),
    (b'{"ruleset": "skyjo", "name": "own", "provenance": ""}', "Object missing required field `numbers`"),
    (b'{"ruleset": "skyjo", "name": "own", "provenance": "", "numbers": {}}', "The deck has no cards - at `$.numbers`"),
    (
        b'{"ruleset": "skyjo", "name": "own", "provenance": "", "numbers": {"1": 0}}',
        "The deck has no cards - at `$.numbers`",
    ),
    (
        b'{"ruleset": "other", "name": "own", "provenance": "", "numbers": {"1": 9}}',
        "The deck is for the ruleset 'other', not for 'skyjo' - at `$.ruleset`",
    ),
    (
        b'{"ruleset": "skyjo", "name": "own", "provenance": "", "numbers": {"1": -1}}',
        "Expected `int` >= 0 - at `$.numbers[...]`",
    ),
    (
        b'{"ruleset": "skyjo", "name": "own", "provenance": "", "numbers": {"1": "9"}}',
        "Expected `int`, got `str` - at `$.numbers[...]`",
    ),
    (
        b'{"ruleset": "skyjo", "name": "own", "provenance": "", "numbers": {"1": 9}, "stars": 1}',
        "Object contains unknown field `stars`",
    ),
]


@pytest.mark.parametrize(("text", "message"), FAULTS, ids=[message for _, message in FAULTS])
def test_a_faulty_deck_is_refused_with_the_fault_and_its_place(text: bytes, message: str):
    """SK-2."""
    with pytest.raises(InvalidDeck) as refusal:
        read(SkyjoDeck, "skyjo", text)
    assert str(refusal.value) == message


@pytest.mark.parametrize("number", ["one", "", "+1", "01", "-0", "1.5", " 1", "1 ", "1\n", "1e3", "1_0", "\u0661"])
def test_a_card_is_an_integer_written_in_one_way_only(number: str):
    """SK-1: else two keys would be the same card."""
    with pytest.raises(InvalidDeck, match="regex"):
        deck({number: 30})


@pytest.mark.parametrize("name", ["", "Own", "own deck", "-own", "own\n", "x" * 65])
def test_a_deck_has_a_plain_name(name: str):
    """SK-2."""
    with pytest.raises(InvalidDeck, match=r"regex.* - at `\$.name`"):
        deck({"1": 30}, name)


def test_two_to_eight_seats():
    """SK-3."""
    assert list(SKYJO.seats) == [2, 3, 4, 5, 6, 7, 8]


def test_the_options_default_to_the_official_rules():
    """SK-3."""
    assert msgspec.convert({}, Options) == Options(target_points=100, double_only_positive=True)


@pytest.mark.parametrize(
    "options",
    [{"target_points": 0}, {"target_points": 1001}, {"target_points": "9"}, {"double_only_positive": 1}, {"speed": 1}],
)
def test_other_options_are_refused(options: dict[str, Any]):
    """SK-3."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(options, Options)


@pytest.mark.parametrize("points", [1, 1000])
def test_the_target_may_be_1_to_1000_points(points: int):
    """SK-3."""
    assert msgspec.convert({"target_points": points}, Options).target_points == points


# --- dealing ------------------------------------------------------------------------------------------------------


def test_slots_are_numbered_column_by_column():
    """SK-10."""
    numbered = layout("0 3 6 9 / 1 4 7 10 / 2 5 8 11")
    assert [slot and slot.card for slot in numbered] == list(range(12))


@pytest.mark.parametrize("seats", EVERY_NUMBER_OF_SEATS)
def test_everybody_gets_twelve_face_down_cards_one_opens_the_discard_pile_the_rest_is_drawn_from(seats: int):
    """SK-40, SK-12."""
    cards, cut = tuple(range(12 * seats + 5)), 12 * seats
    own = deck({str(number): 1 for number in cards})
    dealt = spec.given(SKYJO, SKYJO.initial(seats, Options(), own)).dealt(Unshuffled()).state
    assert [[slot.card for slot in cards_of] for cards_of in dealt.layouts] == [
        list(cards[12 * seat : 12 * seat + 12]) for seat in range(seats)
    ]
    assert not any(slot.up for cards_of in dealt.layouts for slot in cards_of)
    assert dealt.discard == (cards[cut],)
    assert dealt.draw == cards[cut + 1 :]


def test_the_whole_deck_is_shuffled_for_every_round():
    """SK-40, SK-41."""
    chance = Unshuffled()
    start().dealt(chance)
    assert chance.asked == [DECK.cards]


def test_a_new_round_resets_everything_but_totals_rounds_and_the_starter():
    """SK-40."""
    third = replace(table(f"0: {FEW} | 1: {DONE} | finisher 0 | totals 3 4 | discard 1 2 3"), round=3, rounds=((3, 4),))
    after = spec.given(SKYJO, last_turn(third).state).dealt(Unshuffled()).state
    fresh = start().dealt(Unshuffled()).state
    kept = {"totals": (13, 82), "rounds": ((3, 4), (10, 78)), "round": 4, "starter": 0}
    assert after == replace(fresh, **kept)


def test_the_dealer_deals_when_a_round_is_due_and_restocks_when_a_card_must_be_drawn_and_never_else():
    """SK-14, SK-41."""
    due = {}
    for phase in ("deal", "setup", "turn", "restock", "place", "flip", "settle", "over"):
        events = given(f"{PLAIN} | turn 0 | discard 1 2", phase=phase).dealt(Unshuffled()).events
        due[phase] = [type(event) for event in events]
    assert {phase: events for phase, events in due.items() if events} == {
        "deal": [Dealt],
        "restock": [Restocked, Drawn],
    }


# --- setup --------------------------------------------------------------------------------------------------------


def test_in_the_setup_everybody_turns_up_two_cards_in_any_order():
    """SK-20, SK-14."""
    game = start(3).dealt(Unshuffled())
    for seat, slot in [(2, 0), (0, 5), (2, 11), (1, 1), (1, 2)]:
        card = game.state.layouts[seat][slot].card
        game = game.when(seat, Flip(slot)).then(Flipped(seat, slot, card))
    assert SKYJO.to_act(game.state) == (0,)
    game.when(0, Flip(0)).then(Flipped(0, 0, -2), TurnBegan(2))


def test_in_the_setup_only_face_down_cards_are_turned_up():
    """SK-20."""
    given("phase setup | 0: 5 (1) (1) (1) / (4) (1) (1) (1) / (1) (1) (1) (1)").when(0, Flip(0)).illegal()


def test_in_the_setup_nobody_turns_up_a_third_card():
    """SK-20."""
    game = given("phase setup | 0: 5 (1) (1) (1) / 4 (1) (1) (1) / (1) (1) (1) (1)")
    game.when(0, Flip(2)).illegal()
    game.legal(0)


def test_the_moves_of_the_setup_are_the_flips_of_all_face_down_cards():
    """SK-20."""
    game = given("phase setup | 0: 5 (1) (1) (1) / (4) (1) (1) (1) / (1) (1) (1) (1)")
    game.legal(0, *map(Flip, range(1, 12)))
    game.legal(1, *map(Flip, range(12)))


def test_during_the_setup_no_column_is_tested():
    """SK-28: two face-up cards complete none."""
    game = given("phase setup | 0: 5 (1) (1) (1) / (5) (1) (1) (1) / (5) (1) (1) (1)")
    game.when(0, Flip(1)).then(Flipped(0, 1, 5))


REST = "(1) (1) (1) / (1) (1) (1) (1)"
SETUP = f"phase setup | 0: {{}} (1) (1) (1) / {{}} {REST} | 1: {{}} (1) (1) (1) / ({{}}) {REST}"


@pytest.mark.parametrize(
    ("shown", "first"),
    [
        ((5, 5, 6, 5), 1),
        ((5, 6, 6, 4), 0),
        ((9, 0, 5, 5), 1),
        ((5, 5, 9, 1), 1),
        ((9, 1, 5, 5), 0),
        ((5, 4, 4, 5), 0),
        ((-1, -2, -2, -2), 0),
    ],
    ids=[
        "higher sum",
        "higher sum of seat 0",
        "higher sum against a higher card",
        "tie, higher card",
        "tie, higher card of seat 0",
        "full tie",
        "negative",
    ],
)
def test_the_highest_sum_begins_then_the_higher_card_then_the_lowest_seat(shown: tuple[int, ...], first: int):
    """SK-26."""
    given(SETUP.format(*shown)).when(1, Flip(1)).then(Flipped(1, 1, shown[3]), TurnBegan(first))


def test_later_rounds_are_begun_by_the_last_finisher_whatever_the_cards_show():
    """SK-26."""
    game = given(SETUP.format(12, 12, 0, 0) + " | starter 1")
    game.when(1, Flip(1)).then(Flipped(1, 1, 0), TurnBegan(1))


# --- a turn -------------------------------------------------------------------------------------------------------


def test_a_turn_begins_with_drawing_or_taking():
    """SK-15, SK-21, SK-22: there is no passing."""
    given(f"{PLAIN} | turn 0").legal(0, Draw(), Take())


@pytest.mark.parametrize("phase", ["turn", "place", "flip"])
def test_only_the_seat_whose_turn_it_is_has_moves(phase: str):
    """SK-14."""
    game = given(f"{PLAIN} | turn 0", phase=phase, held=5, held_from="draw")
    assert SKYJO.to_act(game.state) == (0,)
    game.legal(1)
    for move in (Draw(), Take(), Toss(), Swap(0), Flip(0)):
        game.when(1, move).illegal()


@pytest.mark.parametrize("phase", ["deal", "restock", "settle", "over"])
def test_between_the_turns_nobody_has_a_move(phase: str):
    """SK-14."""
    game = given(f"{PLAIN} | turn 0", phase=phase)
    assert SKYJO.to_act(game.state) == ()
    for seat in (0, 1):
        game.legal(seat)
        game.when(seat, Draw()).illegal()


def test_the_top_card_of_the_draw_pile_is_drawn():
    """SK-21."""
    game = given(f"{PLAIN} | turn 0 | draw 5 6 7").when(0, Draw()).then(Drawn(0, 5))
    assert (game.state.draw, game.state.held, game.state.held_from, game.state.phase) == ((7, 6), 5, "draw", "place")


def test_the_top_card_of_the_discard_pile_is_taken():
    """SK-22."""
    game = given(f"{PLAIN} | turn 0 | discard 7 6 5").when(0, Take()).then(Taken(0, 5))
    state = game.state
    assert (state.discard, state.held, state.held_from, state.phase) == ((7, 6), 5, "discard", "place")


def test_a_held_card_is_swapped_in_and_the_one_that_lay_there_goes_to_the_discard_pile():
    """SK-23, SK-27."""
    game = given(f"{PLAIN} | turn 0 | draw 5 | discard 0").when(0, Draw()).when(0, Swap(3))
    game.then(Swapped(0, 3, 5, out=2), TurnBegan(1))
    assert game.state.layouts[0] == layout("1 5 3 4 / 5 (6) 7 8 / (9) (10) 11 12")
    assert game.state.discard == (0, 2)
    assert (game.state.held, game.state.held_from) == (None, None)


def test_a_drawn_card_may_be_tossed_and_then_a_card_is_turned_up():
    """SK-24, SK-25."""
    game = given(f"{PLAIN} | turn 0 | draw 5 | discard 0").when(0, Draw()).when(0, Toss()).then(Tossed(0, 5))
    game.legal(0, Flip(2), Flip(3), Flip(4), Flip(5))
    assert (game.state.held, game.state.held_from) == (None, None)
    game = game.when(0, Flip(2)).then(Flipped(0, 2, 9), TurnBegan(1))
    assert game.state.discard == (0, 5)
    assert game.state.layouts[0] == layout("1 (2) 3 4 / 5 (6) 7 8 / 9 (10) 11 12")


def test_after_a_toss_a_face_up_card_or_an_empty_slot_cannot_be_turned_up():
    """SK-25."""
    game = given("0: 1 . (3) 4 / 1 . 7 8 / 2 . 11 12 | turn 0", phase="flip")
    game.when(0, Flip(0)).illegal()
    game.when(0, Flip(3)).illegal()
    game.legal(0, Flip(6))


def test_the_next_turn_is_the_next_seats_clockwise_and_after_the_last_seat_the_first_ones():
    """SK-27, SK-15."""
    three = f"{PLAIN} | 1: {DONE.replace('9', '(9)')} | 2: {DONE.replace('9', '(9)')}"
    given(f"{three} | turn 1 | discard 9").when(1, Take()).when(1, Swap(0)).then(Swapped(1, 0, 9, 1), TurnBegan(2))
    given(f"{three} | turn 2 | discard 9").when(2, Take()).when(2, Swap(0)).then(Swapped(2, 0, 9, 1), TurnBegan(0))


# --- edge cases ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("held", [5, 1])
def test_edge_1_a_held_card_may_replace_a_face_up_card_also_one_of_the_same_value(held: int):
    """SK-23, edge case 1."""
    game = given(f"{PLAIN} | turn 0 | draw {held}").when(0, Draw()).when(0, Swap(0))
    game.then(Swapped(0, 0, held, out=1), TurnBegan(1))


def test_edge_2_a_taken_card_cannot_be_tossed_or_put_back():
    """SK-22, edge case 2."""
    game = given(f"{PLAIN} | turn 0 | discard 4 5").when(0, Take())
    game.legal(0, *map(Swap, range(SLOTS)))
    game.when(0, Toss()).illegal()


def test_edge_2_a_drawn_card_excludes_taking_the_discard():
    """SK-15, edge case 2."""
    game = given(f"{PLAIN} | turn 0 | draw 5 6").when(0, Draw())
    game.legal(0, *map(Swap, range(SLOTS)), Toss())
    game.when(0, Take()).illegal()
    game.when(0, Draw()).illegal()


def test_edge_3_a_face_down_card_that_is_swapped_out_is_first_seen_on_the_discard_pile():
    """SK-23, SK-13, edge case 3: neither the view nor the moves of its owner know it before."""
    game = given(f"{PLAIN} | turn 0 | discard 5").when(0, Take())
    assert 9 not in [getattr(event, "card", None) for event in game.shown(0)]
    for viewer in (None, 0, 1):
        assert game.when(0, Swap(2)).shown(viewer) == [Swapped(0, 2, 5, out=9), TurnBegan(1)]


def test_edge_4_nothing_is_swapped_into_a_cleared_slot():
    """SK-23, SK-11, edge case 4."""
    game = given("0: 1 . (3) 4 / 1 . 7 8 / 2 . 11 12 | turn 0 | draw 5").when(0, Draw())
    game.legal(0, *map(Swap, (0, 1, 2, 6, 7, 8, 9, 10, 11)), Toss())
    for slot in (3, 4, 5):
        game.when(0, Swap(slot)).illegal()


def test_edge_5_a_column_with_a_face_down_card_is_not_complete_though_it_is_equal():
    """SK-28, edge case 5."""
    game = given("0: 5 (1) 3 4 / 5 (6) 7 8 / (5) 0 11 12 | turn 0 | draw 9").when(0, Draw()).when(0, Swap(11))
    game.then(Swapped(0, 11, 9, out=12), TurnBegan(1))


def test_edge_5_when_all_is_revealed_it_is_complete():
    """SK-50, SK-28, edge case 5."""
    game = last_turn(table(f"0: {FEW} | 1: 5 1 3 4 / 5 6 7 8 / (5) 0 11 12 | finisher 0"))
    assert LayoutsRevealed((TurnedUp(1, 2, 5),)) in game.events
    assert ColumnCleared(1, 0, 5) in game.events


def test_edge_6_a_toss_and_a_flip_that_completes_a_column_tossed_card_first_then_the_three():
    """SK-28, SK-25, edge case 6."""
    game = given("0: 5 (1) 3 4 / 5 (6) 7 8 / (5) 0 11 12 | turn 0 | draw 9 | discard 0").when(0, Draw()).when(0, Toss())
    game = game.when(0, Flip(2)).then(Flipped(0, 2, 5), ColumnCleared(0, 0, 5), TurnBegan(1))
    assert game.state.discard == (0, 9, 5, 5, 5)


def test_edge_7_the_reveal_can_complete_several_columns_of_a_seat():
    """SK-50, edge case 7."""
    game = last_turn(table(f"0: {FEW} | 1: 5 (6) 1 4 / (5) (6) 7 8 / 5 (6) 11 12 | finisher 0"))
    cleared = [event for event in game.events if isinstance(event, ColumnCleared)]
    assert cleared == [ColumnCleared(1, 0, 5), ColumnCleared(1, 1, 6)]


def test_edge_8_the_swapped_out_card_is_never_part_of_the_column_even_if_equal():
    """SK-28, SK-27, edge case 8."""
    game = given("0: 5 (1) 3 4 / 5 (6) 7 8 / (5) 0 11 12 | turn 0 | discard 8 5").when(0, Take()).when(0, Swap(2))
    game.then(Swapped(0, 2, 5, out=5), ColumnCleared(0, 0, 5), TurnBegan(1))
    assert game.state.discard == (8, 5, 5, 5, 5)
    assert game.state.layouts[0] == layout(". (1) 3 4 / . (6) 7 8 / . 0 11 12")


def test_edge_9_a_column_may_be_the_last_cards_the_seat_is_finisher_with_no_points():
    """SK-28, SK-29, SK-50, edge case 9."""
    game = given(f"0: . . 5 . / . . 5 . / . . (9) . | 1: {DONE} | turn 0 | discard 5").when(0, Take()).when(0, Swap(8))
    game.then(Swapped(0, 8, 5, out=9), ColumnCleared(0, 2, 5), FinalLapBegan(0), TurnBegan(1))
    assert game.state.layouts[0] == (None,) * SLOTS
    assert game.when(1, Take()).when(1, Swap(0)).state.rounds == ((0, 78 - 1 + 5),)


def test_edge_10_who_is_not_finisher_always_has_something_to_flip():
    """SK-29, edge case 10: one face-down card is left at least, and after a toss it can be turned up."""
    given(f"{LAST_CARD} | turn 0 | draw 5").when(0, Draw()).when(0, Toss()).legal(0, Flip(5))


def test_edge_11_a_discard_pile_of_one_card_is_empty_until_the_swap():
    """SK-22, edge case 11."""
    game = given(f"{PLAIN} | turn 0 | discard 5").when(0, Take())
    assert game.state.discard == ()
    assert game.when(0, Swap(2)).state.discard == (9,)


def test_edge_12_the_last_card_of_the_draw_pile_is_drawn_and_nothing_happens_until_the_next_draw():
    """SK-42, edge case 12."""
    game = given(f"{PLAIN} | turn 0 | draw 5 | discard 1 2 3").when(0, Draw()).then(Drawn(0, 5))
    game = game.when(0, Swap(0)).then(Swapped(0, 0, 5, out=1), TurnBegan(1)).legal(1, Draw(), Take())
    assert game.when(1, Draw()).then(RanOut(1)).state.phase == "restock"


def test_edge_12_it_may_happen_in_the_final_lap_too():
    """SK-42, SK-50, edge case 12."""
    game = given(f"0: {FEW} | 1: {PLAIN[3:]} | turn 1 | finisher 0 | draw none | discard 7 8")
    game = game.when(1, Draw()).then(RanOut(1)).dealt(Unshuffled()).then(Restocked((7,)), Drawn(1, 7))
    assert game.when(1, Swap(0)).state.rounds == ((10, 78 - 1 + 7),)


def test_edge_13_of_two_seats_the_other_has_exactly_one_turn_after_the_finishers():
    """SK-50, edge case 13."""
    game = given(f"{LAST_CARD} | 1: {DONE} | turn 0 | discard 9").when(0, Take()).when(0, Swap(5))
    game.then(Swapped(0, 5, 9, out=10), FinalLapBegan(0), TurnBegan(1))
    game = game.when(1, Take()).when(1, Swap(0))
    assert [type(event) for event in game.events] == [Swapped, LayoutsRevealed, RoundScored]


def score(*points: int, finisher: int = 0, **options: bool) -> tuple[int, ...]:
    """The score of a round when the layouts are worth these points: three cards each; the last two count 0
    and 10, so that no column is complete."""
    layouts = tuple((Slot(p - 10, up=True), Slot(0, up=True), Slot(10, up=True), *[None] * 9) for p in points)
    state = replace(table("turn 0"), layouts=layouts, totals=(0,) * len(points), finisher=finisher)
    scored: tuple[int, ...] = last_turn(replace(state, options=Options(**options))).state.rounds[-1]
    return scored


@pytest.mark.parametrize(
    ("points", "counted"),
    [((5, 5), (10, 5)), ((5, 3, 3), (10, 3, 3)), ((5, 7, 7), (5, 7, 7)), ((5, 9, 5), (10, 9, 5)), ((6, 5), (12, 5))],
)
def test_edge_14_the_finisher_is_doubled_unless_strictly_the_lowest(points: tuple[int, ...], counted: tuple[int, ...]):
    """SK-51, edge case 14."""
    assert score(*points) == counted


@pytest.mark.parametrize("option", [True, False])
def test_edge_15_zero_points_never_change(option: bool):
    """SK-51, edge case 15."""
    assert score(0, -3, double_only_positive=option) == (0, -3)


def test_edge_15_negative_points_are_doubled_by_option_only():
    """SK-51, SK-3, edge case 15."""
    assert score(-4, -5) == (-4, -5)
    assert score(-4, -5, double_only_positive=False) == (-8, -5)
    assert score(-4, -3, double_only_positive=False) == (-4, -3)


def test_edge_16_the_doubled_points_can_end_the_game():
    """SK-51, SK-52, edge case 16."""
    game = last_turn(table(f"0: {FEW} | 1: 1 . . . / 2 . . . / 3 . . . | finisher 0 | totals 80 0"))
    assert game.events[-2:] == [RoundScored((20, 6)), Won((1,))]
    game = last_turn(table(f"0: {FEW} | 1: 1 . . . / 2 . . . / 3 . . . | finisher 0 | totals 79 0"))
    assert game.events[-1] == RoundScored((20, 6))


def test_edge_17_totals_may_be_negative_and_may_fall_again():
    """SK-52, edge case 17."""
    minus = "-2 . . . / -1 . . . / -2 . . ."
    game = last_turn(
        table(
            f"0: {minus} | 1: {FEW} | finisher 0 | totals 2 90",
        )
    )
    assert (game.state.totals, game.state.phase) == ((-3, 100), "over")
    game = last_turn(table(f"0: {minus} | 1: {FEW} | finisher 0 | totals 102 80"))
    assert (game.state.totals, game.state.phase) == ((97, 90), "deal")


def test_edge_18_the_column_of_a_finishers_last_move_goes_before_the_finisher_is_tested():
    """SK-28, SK-29, edge case 18: it cannot be declined."""
    game = given(f"0: 1 2 3 5 / 5 6 7 5 / 9 10 11 (0) | 1: {DONE} | turn 0 | discard 5").when(0, Take())
    game.when(0, Swap(11)).then(Swapped(0, 11, 5, out=0), ColumnCleared(0, 3, 5), FinalLapBegan(0), TurnBegan(1))


# --- columns, the final lap, restocking -----------------------------------------------------------------------------


def test_three_equal_cards_in_a_row_stay():
    """SK-28."""
    game = given("0: 5 5 5 9 / 1 (6) 7 8 / 2 0 11 12 | turn 0 | discard 5").when(0, Take()).when(0, Swap(9))
    game.then(Swapped(0, 9, 5, out=9), TurnBegan(1))


@pytest.mark.parametrize("number", [-2, -1, 0, 12])
@pytest.mark.parametrize("column", range(4))
def test_every_column_of_every_number_goes(number: int, column: int):
    """SK-28: compulsorily, also a negative one."""
    cards = [Slot(n + 1, up=n != 11 - 3 * column) for n in range(SLOTS)]
    cards[3 * column : 3 * column + 3] = [Slot(number, up=True), Slot(number, up=True), Slot(7, up=False)]
    state = replace(table(f"turn 0 | discard {number}"), layouts=(tuple(cards), layout(DONE)))
    game = spec.given(SKYJO, state).when(0, Take()).when(0, Swap(3 * column + 2))
    assert game.events[1] == ColumnCleared(0, column, number)
    assert game.state.layouts[0][3 * column : 3 * column + 3] == (None, None, None)
    assert game.state.discard == (7, number, number, number)


def test_cleared_slots_count_as_turned_up():
    """SK-29."""
    game = given(f"0: . 2 3 4 / . 6 7 8 / . (10) 11 12 | 1: {DONE} | turn 0 | discard 9").when(0, Take())
    game.when(0, Swap(5)).then(Swapped(0, 5, 9, out=10), FinalLapBegan(0), TurnBegan(1))


def test_a_column_cleared_at_anothers_layout_does_not_count_for_the_actor():
    """SK-27: only the acting seat's columns are tested at the end of its turn."""
    game = given(f"{PLAIN} | 1: 5 (1) 3 4 / 5 6 7 8 / 5 10 11 12 | turn 0 | discard 9").when(0, Take())
    game.when(0, Swap(0)).then(Swapped(0, 0, 9, out=1), TurnBegan(1))


@pytest.mark.parametrize("seats", EVERY_NUMBER_OF_SEATS)
@pytest.mark.parametrize("finisher", [0, 1])
def test_after_the_finishers_turn_every_other_seat_has_exactly_one(seats: int, finisher: int):
    """SK-50, SK-27, for every number of seats."""
    layouts = tuple(layout(LAST_CARD[3:]) for _ in range(seats))
    state = replace(table("turn 0 | discard 9"), layouts=layouts, totals=(0,) * seats, turn=finisher)
    game, turns = spec.given(SKYJO, state), []
    while game.state.phase == "turn":
        turns.append(game.state.turn)
        game = game.when(game.state.turn, Take()).when(game.state.turn, Swap(5))
    assert turns == [(finisher + i) % seats for i in range(seats)]
    assert game.state.finisher == game.state.starter == finisher


def test_a_second_seat_that_turns_up_its_last_card_does_not_become_finisher():
    """SK-50."""
    game = given(f"0: {DONE} | 1: {LAST_CARD[3:]} | 2: {DONE} | turn 1 | finisher 0 | discard 9").when(1, Take())
    game.when(1, Swap(5)).then(Swapped(1, 5, 9, out=10), TurnBegan(2))


def test_at_the_end_all_face_down_cards_are_turned_up_and_columns_go_clockwise_from_the_finisher():
    """SK-50."""
    rows = "5 (7) 1 4 / 5 (7) 2 8 / (5) (7) 11 12"
    game = last_turn(table(f"0: {rows} | 1: {FEW} | 2: {rows} | finisher 1"))
    hidden = [(2, 5), (3, 7), (4, 7), (5, 7)]
    revealed = LayoutsRevealed(tuple(TurnedUp(seat, *place) for seat in (0, 2) for place in hidden))
    cleared = [ColumnCleared(seat, column, number) for seat in (2, 0) for column, number in ((0, 5), (1, 7))]
    assert game.events[1:] == [revealed, *cleared, RoundScored((38, 10, 38))]


def test_points_are_the_sum_of_the_remaining_cards():
    """SK-50."""
    assert last_turn(table(f"0: {FEW} | 1: {DONE} | finisher 0")).state.rounds == ((10, 78),)


def test_the_comparison_uses_undoubled_points_and_nobody_else_is_doubled():
    """SK-51."""
    assert score(9, 8, 20, finisher=0) == (18, 8, 20)
    assert score(9, 8, 20, finisher=1) == (9, 8, 20)
    assert score(9, 8, 20, finisher=2) == (9, 8, 40)


@pytest.mark.parametrize(("before", "over"), [("89 0", False), ("90 0", True), ("91 0", True)])
def test_the_game_is_over_when_a_total_reaches_the_target(before: str, over: bool):
    """SK-52."""
    state = last_turn(table(f"0: {FEW} | 1: {DONE} | finisher 0 | totals {before}")).state
    assert (state.phase, SKYJO.result(state) is not None) == (("over", True) if over else ("deal", False))


def test_the_target_is_an_option():
    """SK-52, SK-3."""
    state = replace(table(f"0: {FEW} | 1: {DONE} | finisher 0 | totals 0 0"), options=Options(target_points=78))
    assert last_turn(state).events[-1] == Won((0,))
    assert last_turn(replace(state, options=Options(target_points=79))).state.phase == "deal"


def test_otherwise_the_next_round_is_dealt_at_once():
    """SK-52."""
    state = last_turn(table(f"0: {FEW} | 1: {DONE} | finisher 0")).state
    assert isinstance(spec.given(SKYJO, state).dealt(Unshuffled()).events[0], Dealt)


@pytest.mark.parametrize(("totals", "winners"), [("0 50", (0,)), ("85 85", (0,)), ("95 0", (1,)), ("92 24", (0, 1))])
def test_the_lowest_total_wins_and_a_tie_is_a_shared_victory(totals: str, winners: tuple[int, ...]):
    """SK-53: it does not matter who reached the target."""
    state = last_turn(table(f"0: {FEW} | 1: {DONE} | finisher 0 | totals {totals}")).state
    result = SKYJO.result(state)
    assert result is not None
    assert (result.winners, result.scores) == (winners, state.totals)


def test_a_restock_leaves_the_top_discard_and_shuffles_all_others_from_the_bottom():
    """SK-42."""
    chance = Unshuffled()
    game = given(f"{PLAIN} | turn 0 | draw none | discard 1 2 3 4").when(0, Draw()).then(RanOut(0))
    game = game.dealt(chance).then(Restocked((1, 2, 3)), Drawn(0, 3))
    assert chance.asked == [(1, 2, 3)]
    assert (game.state.draw, game.state.discard, game.state.held) == ((1, 2), (4,), 3)


def test_after_a_restock_the_turn_goes_on_where_it_was_interrupted():
    """SK-42, SK-21."""
    game = given(f"{PLAIN} | turn 0 | draw none | discard 1 2 3 4").when(0, Draw()).dealt(Unshuffled())
    game.legal(0, *map(Swap, range(SLOTS)), Toss())


def test_an_empty_draw_pile_alone_restocks_nothing():
    """SK-42."""
    game = given(f"{PLAIN} | turn 0 | draw none | discard 1 2 3 4").when(0, Take()).when(0, Swap(0))
    assert game.dealt(Unshuffled()).events == []


# --- who sees what ------------------------------------------------------------------------------------------------

VIEWERS = (None, 0, 1, 2)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_only_the_drawer_sees_the_drawn_card(viewer: int | None):
    """SK-13: the drawer, no other seat, no bystander."""
    game = given(f"{PLAIN} | 2: {DONE} | turn 1 | draw 5").when(1, Draw())
    assert game.shown(viewer) == [Drawn(1, 5 if viewer == 1 else None)]


@pytest.mark.parametrize("viewer", VIEWERS)
def test_only_the_drawer_sees_the_card_drawn_after_a_restock_and_nobody_the_new_draw_pile(viewer: int | None):
    """SK-13, SK-42."""
    game = given(f"{PLAIN} | 2: {DONE} | turn 1 | draw none | discard 1 2 3").when(1, Draw())
    assert game.shown(viewer) == [RanOut(1)]
    assert game.dealt(Unshuffled()).shown(viewer) == [Restocked((None, None)), Drawn(1, 2 if viewer == 1 else None)]


@pytest.mark.parametrize("viewer", VIEWERS)
def test_of_a_deal_everybody_sees_the_open_discard_and_how_many_cards_lie_where(viewer: int | None):
    """SK-13: not even the owner may look at a face-down card."""
    shown = start(3).dealt(Unshuffled()).shown(viewer)
    assert shown == [Dealt(((None,) * 12,) * 3, draw=(None,) * 113, discard=DECK.cards[36])]


@pytest.mark.parametrize("viewer", VIEWERS)
def test_everything_else_is_open_to_everybody(viewer: int | None):
    """SK-13: a card from the discard pile, a swapped-out, tossed, turned-up or cleared card, the reveal, the points."""
    layouts = f"0: 5 (1) 3 4 / 5 (6) 7 8 / (5) 0 11 12 | 1: {FEW} | 2: {PLAIN[3:]}"
    choosing = given(f"{layouts} | turn 0 | draw 9 | discard 5")
    reveal = last_turn(table(f"{layouts} | finisher 1 | totals 0 99 0"))
    open_to_all = [
        choosing.when(0, Take()),
        choosing.when(0, Take()).when(0, Swap(2)),
        choosing.when(0, Draw()).when(0, Toss()),
        choosing.when(0, Draw()).when(0, Toss()).when(0, Flip(2)),
        given(f"{LAST_CARD} | turn 0 | discard 9").when(0, Take()).when(0, Swap(5)),
        reveal,
    ]
    kinds = {type(event) for game in open_to_all for event in game.events or ()}
    assert kinds == {
        Taken, Swapped, Tossed, Flipped, ColumnCleared, TurnBegan, FinalLapBegan, LayoutsRevealed, RoundScored, Won
    }  # fmt: skip
    for game in open_to_all:
        assert game.shown(viewer) == game.events


@pytest.mark.parametrize(("viewer", "held"), [(None, None), (0, None), (1, 5), (2, None)])
def test_the_drawn_card_stays_the_drawers_secret_until_it_is_placed(viewer: int | None, held: int | None):
    """SK-13: the others know where the card comes from, and that it is there."""
    game = given(f"{PLAIN} | 2: {DONE} | turn 1 | draw 5").when(1, Draw())
    before = given(f"{PLAIN} | 2: {DONE} | turn 1 | draw 5").state
    view: State = SKYJO.fold(before, game.shown(viewer))
    assert (view.held, view.held_from) == (held, "draw")
    view = SKYJO.fold(view, game.when(1, Toss()).shown(viewer))
    assert view.discard[-1] == 5


def test_what_nobody_has_seen_is_in_no_view():
    """SK-13: the views after a deal and two flips."""
    game = start().dealt(Unshuffled())
    events = [*game.events, *game.when(0, Flip(0)).events]
    for viewer in (None, 0, 1):
        view = SKYJO.view(start().state, events, viewer)
        assert [slot and slot.card for slot in view.layouts[0]] == [-2, *[None] * 11]
        assert {slot and slot.card for slot in view.layouts[1]} == {None}
        assert set(view.draw) == {None}
        assert view.discard == game.state.discard


# --- invariants ---------------------------------------------------------------------------------------------------


def a_game(seats: int) -> Iterator[tuple[State, Any, State]]:
    return random_play(SKYJO, start(seats).state, seed=seats, moves=1500)


every_game = pytest.mark.parametrize("seats", [2, 3, 5, 8])


def decisions(seats: int) -> list[State]:
    """The states of a game in which somebody has a choice."""
    states = [state for _, _, state in a_game(seats) if SKYJO.to_act(state)]
    assert {state.phase for state in states} == {"setup", "turn", "place", "flip"}
    return states


@every_game
def test_the_cards_are_the_deck_at_every_moment(seats: int):
    """Invariant 1."""
    deck = Counter(DECK.cards)
    assert all(Counter(CARDS["skyjo"](state)) == deck for _, _, state in a_game(seats))


@every_game
def test_who_has_legal_moves(seats: int):
    """Invariant 2: that each of them is accepted, and no other, is law 6."""
    for _, _, state in a_game(seats):
        having = [seat for seat in range(seats) if SKYJO.legal(state, seat)]
        if state.phase == "setup":
            assert having or all(len(face_up(each)) == 2 for each in state.layouts)
        else:
            assert having == ([state.turn] if state.phase in ("turn", "place", "flip") else [])
    laws.completeness(laws.Play(SKYJO, laws.Table(seats=seats, options=Options(), seed=seats, moves=100)))


@every_game
def test_what_holds_at_the_beginning_of_a_turn(seats: int):
    """Invariant 3: and columns are whole or gone in every phase."""
    for state in decisions(seats):
        columns = [each[i : i + 3] for each in state.layouts for i in range(0, len(each), 3)]
        assert all(column.count(None) in (0, 3) for column in columns)
        if state.phase == "turn":
            assert not any(
                None not in column and all(slot.up for slot in column) and len({slot.card for slot in column}) == 1
                for column in columns
            )
            assert state.discard
            assert state.held is None
            assert state.finisher is not None or not any(map(all_up, state.layouts))


@every_game
def test_a_card_is_held_in_place_and_only_there(seats: int):
    """Invariant 4."""
    for state in decisions(seats):
        assert (state.held is None) == (state.held_from is None) == (state.phase != "place")


@every_game
def test_no_card_turns_face_down_and_no_cleared_slot_is_filled(seats: int):
    """Invariant 5."""
    for before, event, after in a_game(seats):
        if not isinstance(event, Dealt):
            for old, new in zip(before.layouts, after.layouts, strict=True):
                for was, slot in zip(old, new, strict=True):
                    assert slot is None or (was is not None and slot.up >= was.up)


@every_game
def test_the_final_lap_is_one_turn_for_everybody_else(seats: int):
    """Invariant 6: clockwise, and none for the finisher."""
    turns: list[int] = []
    laps = 0
    for _, event, after in a_game(seats):
        if isinstance(event, FinalLapBegan):
            turns = []
        elif isinstance(event, TurnBegan):
            turns.append(event.seat)
        elif isinstance(event, LayoutsRevealed):
            assert after.finisher is not None
            assert turns == [(after.finisher + i) % seats for i in range(1, seats)]
            laps += 1
    assert laps


def test_the_draw_pile_only_shrinks_until_it_is_restocked():
    """Invariant 7: which leaves one discard."""
    restocks = 0
    for before, event, after in (step for seats in (2, 8) for step in a_game(seats)):
        if isinstance(event, Restocked):
            restocks += 1
            assert (before.draw, len(after.discard)) == ((), 1)
        elif not isinstance(event, Dealt):
            assert after.draw == before.draw[: len(after.draw)]
    assert restocks


@every_game
def test_totals_add_up_and_only_the_finishers_points_are_doubled(seats: int):
    """Invariant 8."""
    rounds = 0
    for before, event, after in a_game(seats):
        if isinstance(event, RoundScored):
            rounds += 1
            assert after.totals == tuple(map(sum, zip(*after.rounds, strict=True)))
            for seat, points in enumerate(event.points):
                cards = sum(slot.card for slot in before.layouts[seat] if slot)
                assert points == cards or (seat == before.finisher and points == 2 * cards)
    assert rounds


@every_game
def test_views_are_folds_of_what_was_shown_and_replays_need_no_chance(seats: int):
    """Invariants 9 and 10: laws 1 to 5."""
    play = laws.Play(SKYJO, laws.Table(seats=seats, options=Options(), seed=seats))
    for law in (laws.replay, laws.shadow, laws.legality, laws.redaction, laws.secrecy):
        law(play)


def test_a_round_can_be_prolonged_at_will():
    """Invariant 11: two seats swap face-up cards for ever."""
    game = given(f"{PLAIN} | 1: 4 (2) 3 4 / 5 (6) 7 8 / (9) (10) 11 12 | turn 0 | discard 0")
    first = game.state
    for turn in range(6):
        game = game.when(turn % 2, Take()).when(turn % 2, Swap(0))
    assert game.state == first
