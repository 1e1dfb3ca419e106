"""The rulebook of Skyjo Action as sentences. Ids and edge cases are those of `docs/rules/skyjo_action.md`.

Tables, moves and outcomes are written in its notation: see `skyjo_action_notation`.
"""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any, get_args

import msgspec
import pytest
from msgspec.structs import replace

from domain.deck import InvalidDeck, read
from domain.fairness.chance import Dealer
from domain.ruleset import InvalidSetup
from domain.rulesets.skyjo_action import SKYJO_ACTION, Options, SkyjoActionDeck, State
from domain.rulesets.skyjo_action.play import complete_lines, follows
from domain.rulesets.skyjo_action.table import (
    ACTIONS,
    STAR,
    Action,
    ActionLaidOpen,
    ActionsRestocked,
    ActionTaken,
    Blocked,
    Dealt,
    Discard,
    Discarded,
    Draw,
    Drawn,
    DrawnAside,
    Drop,
    Dropped,
    EffectLapsed,
    Exchanged,
    FinalLapBegan,
    Flip,
    Flipped,
    Keep,
    KeepNone,
    Kept,
    KeptNone,
    LayoutsRevealed,
    LineCleared,
    LineLooked,
    LinesKept,
    LinesOffered,
    Look,
    MoveBegan,
    MovesAdded,
    Owed,
    Pending,
    Pick,
    Picked,
    PicksGranted,
    PickSkipped,
    Place,
    Play,
    Played,
    RanOut,
    Removed,
    Replaced,
    Replayed,
    Restocked,
    RoundScored,
    SkipAction,
    StarterFound,
    Steal,
    Stolen,
    Swap,
    Swapped,
    Take,
    TakeAction,
    Taken,
    Toss,
    Tossed,
    TurnBegan,
    TurnedUp,
    VictimsNamed,
    Won,
)
from domain.rulesets.skyjo_grid import SLOTS, Slot, all_up
from tests.domain.skyjo_action_notation import DECK, begin, last_turn, layout, moves, outcome, play, table
from tests.domain.test_skyjo import Unshuffled
from tests.kit import laws, spec
from tests.kit.random_play import random_play
from tests.kit.spec import Given
from tests.kit.zones import CARDS

EVERY_NUMBER_OF_SEATS = range(2, 9)

PLAIN = "1 (2) 3 4 / 5 (6) 7 8 / (9) (10) 11 12"
"""A layout in which nothing is about to happen."""
LAST_CARD = "1 2 3 4 / 5 6 7 8 / 9 (10) 11 12"
DONE = "1 2 3 4 / 5 6 7 8 / 9 10 11 12"
FEW = "1 . . . / 4 . . . / 5 . . ."
"""Ten points."""
EMPTY = ". . . . / . . . . / . . . ."
FOUR = "row look_line swap_own double_move draw_three"


def start(seats: int = 2, **options: Any) -> Given:
    return spec.given(SKYJO_ACTION, SKYJO_ACTION.initial(seats, Options(**options), DECK))


def comes_to(before: str, made: str, after: str) -> Given:
    """From the table the moves lead to the outcome; restocks are dealt as they come."""
    game = play(begin(before), made) if made else begin(before)
    outcome(game, after)
    return game


def ends(before: str, after: str) -> Given:
    """The final lap ends, and that is what comes of it."""
    game = last_turn(table(before))
    outcome(game, after)
    return game


def deck(
    numbers: dict[str, int], stars: int = 0, actions: dict[str, int] | None = None, **more: Any
) -> SkyjoActionDeck:
    text = {"ruleset": "skyjo_action", "name": "own", "provenance": "", "numbers": numbers, "stars": stars}
    made = read(
        SkyjoActionDeck, "skyjo_action", msgspec.json.encode(text | {"actions": actions or {}, "blank": 0} | more)
    )
    assert isinstance(made, SkyjoActionDeck)
    return made


# --- the deck and the options -------------------------------------------------------------------------------------


def test_the_official_deck_has_120_playing_cards_and_27_action_cards():
    """SA-1, SA-2: the three blank ones are not played with."""
    copies = {-2: 3, -1: 7, 0: 11, STAR: 15} | dict.fromkeys(range(1, 13), 7)
    assert Counter(DECK.playing) == copies
    assert Counter(DECK.actions) == dict.fromkeys(ACTIONS, 3)
    assert (len(DECK.playing), len(DECK.actions), DECK.data.blank) == (120, 27, 3)
    assert len(DECK.cards) == 147


def test_cards_come_in_canonical_order_whatever_the_order_in_the_file():
    """SA-2: numbers rising, then stars; action cards kind by kind in the order of section 6.3."""
    own = deck({"7": 1, "-3": 2, "10": 1}, 2, {"defence": 1, "swap_own": 2, "look_line": 1})
    assert own.playing == (-3, -3, 7, 10, STAR, STAR)
    assert own.actions == ("swap_own", "swap_own", "look_line", "defence")
    annotated, _ = get_args(Action)
    assert get_args(annotated) == ACTIONS


@pytest.mark.parametrize("seats", EVERY_NUMBER_OF_SEATS)
def test_a_deck_needs_twelve_playing_cards_for_every_seat_and_four_more(seats: int):
    """SA-3: stars count, action cards and blank ones do not."""
    enough, few = 12 * seats + 4, {"defence": 50}
    assert SKYJO_ACTION.initial(seats, Options(), deck({"5": enough - 1}, 1)).phase == "deal"
    with pytest.raises(InvalidSetup) as refusal:
        SKYJO_ACTION.initial(seats, Options(), deck({"5": enough - 2}, 1, few, blank=9))
    assert (
        str(refusal.value)
        == f"{seats} seats need a deck of at least {enough} numbers and stars, this one has {enough - 1}."
    )


def test_any_number_of_action_cards_will_do():
    """SA-3, SA-66: with two cards two places are gaps, with none all are."""
    for actions, row in (({}, (None,) * 4), ({"defence": 2}, ("defence", "defence", None, None))):
        start = SKYJO_ACTION.initial(2, Options(), deck({"5": 30}, 0, actions))
        assert spec.given(SKYJO_ACTION, start).dealt(Unshuffled()).state.open == row


NO_NUMBER = r"Expected `str` matching regex '^(0|-?[1-9][0-9]{0,5})$(?!\\n)' - at `key` in `$.numbers`"
FAULTS = [
    ({"numbers": {}}, "The deck has neither numbers nor stars - at `$.numbers`"),
    (
        {"numbers": {"1": 999}, "stars": 1, "actions": {"defence": 1}},
        "The deck has 1001 cards, more than 1000 - at `$`",
    ),
    ({"numbers": {"01": 1}}, NO_NUMBER),
    ({"stars": -1}, "Expected `int` >= 0 - at `$.stars`"),
    ({"actions": {"attack": 1}}, "Invalid enum value 'attack' - at `key` in `$.actions`"),
    ({"actions": {"defence": 1001}}, "Expected `int` <= 1000 - at `$.actions[...]`"),
    ({"jokers": 1}, "Object contains unknown field `jokers`"),
    ({"ruleset": "skyjo"}, "The deck is for the ruleset 'skyjo', not for 'skyjo_action' - at `$.ruleset`"),
]


@pytest.mark.parametrize(("change", "message"), FAULTS, ids=[message for _, message in FAULTS])
def test_a_faulty_deck_is_refused_with_the_fault_and_its_place(change: dict[str, Any], message: str):
    """SA-3."""
    text = {"ruleset": "skyjo_action", "name": "own", "provenance": "", "numbers": {"1": 40}, "stars": 0,
            "actions": {}, "blank": 0} | change  # fmt: skip
    with pytest.raises(InvalidDeck) as refusal:
        read(SkyjoActionDeck, "skyjo_action", msgspec.json.encode(text))
    assert str(refusal.value) == message


def test_a_deck_may_have_a_thousand_cards():
    """SA-3."""
    assert sum(deck({"5": 999}, 1, {}).data.numbers.values()) == 999


def test_two_to_eight_seats():
    """SA-4."""
    assert list(SKYJO_ACTION.seats) == list(EVERY_NUMBER_OF_SEATS)


def test_the_options_default_to_the_official_rules():
    """SA-4."""
    assert msgspec.convert({}, Options) == Options(
        target_points=100,
        double_only_positive=True,
        star_line_bonus=True,
        star_action="may",
        short_rows=True,
        take_from_action_pile=True,
        discarded_action_choice="top",
        seed_action_discard=False,
    )


@pytest.mark.parametrize(
    "options",
    [{"target_points": 0}, {"target_points": 1001}, {"star_action": "can"}, {"discarded_action_choice": "bottom"},
     {"short_rows": 1}, {"deck": "skyjo_action"}],
)  # fmt: skip
def test_other_options_are_refused(options: dict[str, Any]):
    """SA-4."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(options, Options)


# --- dealing and setup --------------------------------------------------------------------------------------------


def test_slots_are_numbered_column_by_column():
    """SA-10."""
    numbered = layout("0 3 6 9 / 1 4 7 10 / 2 5 8 11")
    assert [slot and slot.card for slot in numbered] == list(range(12))


@pytest.mark.parametrize("seed", [False, True])
@pytest.mark.parametrize("seats", EVERY_NUMBER_OF_SEATS)
def test_everybody_gets_twelve_face_down_cards_and_four_action_cards_lie_open(seats: int, seed: bool):
    """SA-66, SA-12: an option opens the action discard pile as well."""
    cut, first = 12 * seats, 5 if seed else 4
    dealt = start(seats, seed_action_discard=seed).dealt(Unshuffled()).state
    assert [[slot.card for slot in own] for own in dealt.layouts] == [
        list(DECK.playing[12 * seat : 12 * seat + 12]) for seat in range(seats)
    ]
    assert not any(slot.up for own in dealt.layouts for slot in own)
    assert (dealt.discard, dealt.draw) == ((DECK.playing[cut],), DECK.playing[cut + 1 :])
    assert (dealt.open, dealt.action_discard) == (DECK.actions[:4], DECK.actions[4:first])
    assert dealt.action_pile == DECK.actions[first:]
    assert (dealt.hands, dealt.star_bonus, dealt.finisher, dealt.pending) == (((),) * seats, (0,) * seats, None, None)


def test_both_decks_are_shuffled_whole_for_every_round_and_nothing_else_is_random():
    """SA-66, SA-68."""
    chance = Unshuffled()
    start().dealt(chance)
    assert chance.asked == [DECK.playing, DECK.actions]


def test_a_new_round_resets_everything_but_totals_rounds_and_the_starter():
    """SA-66, SA-74."""
    third = table(
        f"0: {FEW} | 1: {DONE} | finisher 0 | totals 3 4 | hand 1: defence | bonus -10 0 | adiscard look_line"
    )
    third = replace(third, round=3, rounds=((3, 4),))
    after = spec.given(SKYJO_ACTION, last_turn(third).state).dealt(Unshuffled()).state
    kept = {"totals": (3, 4 + 88), "rounds": ((3, 4), (0, 88)), "round": 4, "starter": 0}
    assert after == replace(start().dealt(Unshuffled()).state, **kept)


def test_the_dealer_deals_when_a_round_is_due_and_restocks_when_a_card_is_owed_and_never_else():
    """SA-20, SA-68."""
    for phase in get_args(State.__annotations__["phase"]):
        events = spec.given(SKYJO_ACTION, replace(table("turn 0"), phase=phase)).dealt(Unshuffled()).events
        assert [type(event) for event in events] == ([Dealt] if phase == "deal" else [])


def test_in_the_setup_everybody_turns_up_two_cards_in_any_order():
    """SA-38, SA-20."""
    game = start(3).dealt(Unshuffled())
    for seat, slot in [(2, 0), (0, 5), (2, 11), (1, 1), (1, 2)]:
        card = game.state.layouts[seat][slot].card
        game = game.when(seat, Flip(slot)).then(Flipped(seat, slot, card))
    assert SKYJO_ACTION.to_act(game.state) == (0,)
    game.legal(1)
    game.when(0, Flip(0)).then(Flipped(0, 0, -2), StarterFound(2), TurnBegan(2))


REST = "(1) (1) (1) / (1) (1) (1) (1)"
SETUP = f"phase setup | 0: {{}} (1) (1) (1) / {{}} {REST} | 1: {{}} (1) (1) (1) / ({{}}) {REST}"


@pytest.mark.parametrize(
    ("shown", "first"),
    [("5 5 6 5", 1), ("5 6 6 4", 0), ("5 5 9 1", 1), ("9 1 5 5", 0), ("5 4 4 5", 0), ("* 9 4 4", 0), ("* * -1 -1", 0)],
)
def test_the_highest_sum_begins_then_the_higher_card_then_the_lowest_seat(shown: str, first: int):
    """SA-21, SA-42: a star counts 0."""
    game = play(begin(SETUP.format(*shown.split()) + " | row - - - - | pile none"), "1 flip 1")
    assert (game.state.turn, game.state.starter) == (first, first)


def test_later_rounds_are_begun_by_the_last_finisher_whatever_the_cards_show():
    """SA-21."""
    game = begin(SETUP.format(12, 12, 0, 0) + " | starter 1").when(1, Flip(1))
    game.then(Flipped(1, 1, 0), TurnBegan(1))


def test_stars_of_the_setup_are_paid_clockwise_from_the_starter_before_the_first_turn():
    """SA-22: a seat with two of them twice in a row."""
    game = begin(f"{SETUP.format('*', '*', '*', 5)} | {FOUR} | pile defence").when(1, Flip(1))
    game.then(Flipped(1, 1, 5), StarterFound(1), PicksGranted((1, 0, 0)))
    game.legal(0)
    game = game.when(1, SkipAction()).then(PickSkipped(1)).when(0, TakeAction(1))
    game = game.then(ActionTaken(0, 1, "swap_own", ("defence",))).when(0, TakeAction(1))
    game.then(ActionTaken(0, 1, "defence", ()), TurnBegan(1))


def test_in_the_setup_no_line_is_tested():
    """SA-22: two face-up cards complete none."""
    rest = "(1) (1) (1) / (1) (1) (1) (1)"
    game = begin(f"phase setup | 0: . (1) (1) (1) / 5 {rest} | 1: 5 (1) (1) (1) / 5 {rest}").when(0, Flip(2))
    assert not [event for event in game.events if isinstance(event, LineCleared)]


def test_action_cards_of_the_setup_are_ready_in_the_first_turn():
    """SA-23: at the beginning of a turn all action cards become ready."""
    comes_to(
        f"{SETUP.format('*', 9, 1, 2)} | {FOUR}",
        "1 flip 1; 0 take_action 1",
        "turn 0 | hand 0: swap_own | moves 1 | allowed 0 play swap_own | allowed 0 discard swap_own",
    )


# --- whose decision -----------------------------------------------------------------------------------------------

EVERY_DECISION = [
    ("turn 0", "", "choose"),
    ("turn 0", "0 draw", "place"),
    ("turn 0", "0 draw; 0 toss", "flip"),
    ("turn 0 | draw *", "0 draw; 0 swap 0", "star"),
    ("turn 0 | hand 0: swap_own", "0 play swap_own", "pick"),
    ("turn 0 | hand 0: look_line", "0 play look_line", "look"),
    ("turn 0 | hand 0: steal_action | hand 1: look_line", "0 play steal_action", "steal"),
    (
        "turn 0 | hand 0: play_discarded_action | adiscard defence | option discarded_action_choice=any",
        "0 play play_discarded_action",
        "replay",
    ),
    ("turn 0 | hand 0: draw_three | draw 1 2 3", "0 play draw_three", "keep"),
    ("turn 0 | hand 0: draw_three | draw 1 2 3", "0 play draw_three; 0 keep 0", "slot"),
    ("turn 0 | hand 0: draw_three | draw 1 2 3", "0 play draw_three; 0 keep 0; 0 swap 1", "drop"),
    ("turn 0 | 0: * 1 2 3 / 8 (4) 5 6 / 8 7 9 0", "0 take_action 0", "lines"),
]


@pytest.mark.parametrize(("before", "made", "kind"), EVERY_DECISION, ids=[kind for *_, kind in EVERY_DECISION])
def test_one_seat_decides_and_everybody_can_see_what(before: str, made: str, kind: str):
    """SA-20: the other seats have no move."""
    comes_to(before, made, f"decide 0 {kind} | legal 1: none")


def test_while_a_card_is_owed_nobody_has_a_move():
    """SA-20: the dealer has to restock first."""
    game = begin("turn 0 | draw none | discard 1 2 3").when(0, Draw()).then(RanOut(Owed("held", 0, 0)))
    assert SKYJO_ACTION.to_act(game.state) == ()
    game.legal(0).legal(1)


@pytest.mark.parametrize("phase", ["deal", "over"])
def test_between_the_rounds_and_after_the_game_nobody_has_a_move(phase: str):
    """SA-20."""
    game = spec.given(SKYJO_ACTION, replace(table("seats 3"), phase=phase))
    assert SKYJO_ACTION.to_act(game.state) == ()
    for seat in range(3):
        game.legal(seat)
        game.when(seat, Draw()).illegal()


# --- regular moves ------------------------------------------------------------------------------------------------


def test_a_move_begins_in_one_of_five_ways_and_there_is_no_passing():
    """SA-30, SA-31 to SA-35."""
    comes_to(
        "turn 0 | hand 0: double_move ~defence | row look_line - - swap_own",
        "",
        "legal 0: draw, take, take_action 0, take_action 3, take_action pile, play double_move, discard double_move",
    )


def test_the_top_card_of_the_draw_pile_is_drawn_and_may_be_swapped_in_or_tossed():
    """SA-31, SA-36, SA-37."""
    game = begin(f"0: {PLAIN} | turn 0 | draw 5 6 | discard 0").when(0, Draw()).then(Drawn(0, 5))
    game.legal(0, *map(Swap, range(SLOTS)), Toss())
    assert (game.state.draw, game.state.held, game.state.held_from) == ((6,), 5, "draw")
    game.when(0, Swap(3)).then(Swapped(0, 3, 5, out=2), TurnBegan(1))
    game = game.when(0, Toss()).then(Tossed(0, 5)).legal(0, Flip(2), Flip(3), Flip(4), Flip(5))
    assert game.state.discard == (0, 5)
    game.when(0, Flip(0)).illegal()
    game.when(0, Flip(4)).then(Flipped(0, 4, 6), TurnBegan(1))


def test_the_top_card_of_the_discard_pile_is_taken_and_must_be_swapped_in():
    """SA-32, SA-36: the event tells which card is now the top one (SA-15)."""
    game = begin(f"0: {PLAIN} | turn 0 | discard 7 6 5").when(0, Take()).then(Taken(0, 5, top=(6,)))
    game.legal(0, *map(Swap, range(SLOTS)))
    assert (game.state.discard, game.state.held, game.state.held_from) == ((7, 6), 5, "discard")
    assert game.when(0, Swap(0)).state.discard == (7, 6, 1)


def test_of_a_single_discard_nothing_is_left_until_the_swap():
    """SA-32, SA-15."""
    game = begin(f"0: {PLAIN} | turn 0 | discard 5").when(0, Take()).then(Taken(0, 5, top=()))
    assert game.state.discard == ()
    assert game.when(0, Swap(2)).state.discard == (9,)


def test_nothing_is_swapped_into_a_cleared_slot():
    """SA-36, SA-10."""
    comes_to("0: 1 . (3) 4 / 1 . 7 8 / 2 . 11 12 | turn 0", "0 take", "illegal 0 swap 3 | allowed 0 swap 6")


def test_an_open_action_card_is_taken_and_replaced_in_the_same_place():
    """SA-33, SA-24: it lies there fresh, behind those that came before."""
    game = begin(f"turn 0 | hand 0: defence | {FOUR} | pile swap_players").when(0, TakeAction(2))
    game.then(ActionTaken(0, 2, "double_move", ("swap_players",)), TurnBegan(1))
    outcome(game, "hand 0: defence ~double_move | row look_line swap_own swap_players draw_three | pile none")


def test_the_top_card_of_the_action_pile_is_taken():
    """SA-33."""
    game = begin(f"turn 0 | {FOUR} | pile defence swap_own").when(0, TakeAction("pile"))
    game.then(ActionTaken(0, "pile", "defence", ()), TurnBegan(1))
    outcome(game, f"{FOUR} | pile swap_own")


def test_by_option_the_action_pile_is_for_stars_only():
    """SA-33, SA-40, SA-4."""
    option = "option take_from_action_pile=false | turn 0 | draw *"
    comes_to(option, "", "illegal 0 take_action pile")
    comes_to(option, "0 draw; 0 swap 0", "allowed 0 take_action pile")


def test_a_gap_cannot_be_taken_from():
    """SA-33."""
    comes_to("turn 0 | row - look_line - - | pile none", "", "legal 0: draw, take, take_action 1")


def test_a_played_card_lies_on_the_discards_before_its_effect_begins():
    """SA-34."""
    game = begin("turn 0 | hand 0: look_line defence | adiscard double_move").when(0, Play("look_line"))
    game.then(Played(0, "look_line"))
    outcome(game, "hand 0: defence | adiscard double_move look_line | decide 0 look")


def test_an_action_card_may_be_discarded_without_effect():
    """SA-35."""
    game = begin("turn 0 | hand 0: look_line").when(0, Discard("look_line"))
    game.then(Discarded(0, "look_line"), TurnBegan(1))
    outcome(game, "hand 0: none | adiscard look_line")


def test_of_equal_action_cards_the_one_acquired_first_is_used():
    """SA-34, section 6.1."""
    comes_to(
        "turn 0 | hand 0: defence look_line ~defence | hand 1: look_line",
        "0 discard defence",
        "hand 0: look_line ~defence",
    )


def test_a_fresh_card_can_be_neither_played_nor_discarded_until_the_next_turn():
    """SA-24, SA-23."""
    game = comes_to(f"turn 0 | {FOUR}", "0 take_action 3", "turn 1 | hand 0: ~draw_three | illegal 0 play draw_three")
    outcome(play(game, "1 take_action 0"), "turn 0 | hand 0: draw_three | allowed 0 play draw_three")


def test_after_a_toss_with_nothing_to_turn_up_the_move_ends():
    """SA-37: possible in the final lap only."""
    game = begin(f"0: {DONE} | turn 0 | finisher 2 | draw 5 | seats 3").when(0, Draw()).when(0, Toss())
    game.then(Tossed(0, 5), TurnBegan(1))


# --- stars --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "made"),
    [("draw *", "0 draw; 0 swap 0"), ("discard 1 *", "0 take; 0 swap 1"), ("draw 5", "0 draw; 0 toss; 0 flip 3")],
    ids=["drawn and laid", "taken and laid", "turned up"],
)
def test_a_star_that_is_laid_or_turned_up_gives_an_action_card(before: str, made: str):
    """SA-40, SA-36, SA-38."""
    game = comes_to(
        f"0: 1 (*) 3 4 / 5 (6) 7 8 / (9) (10) 11 12 | turn 0 | {FOUR} | {before}",
        made,
        "decide 0 star | turn 0 | legal 0: take_action 0, take_action 1, take_action 2, take_action 3, "
        "take_action pile, skip_action",
    )
    assert game.events[-1] == PicksGranted((0,))
    game.when(0, TakeAction(0)).then(ActionTaken(0, 0, "look_line", ("look_line",)), TurnBegan(1))
    game.when(0, SkipAction()).then(PickSkipped(0), TurnBegan(1))


def test_by_option_the_action_card_for_a_star_must_be_taken():
    """SA-40, SA-4."""
    comes_to("option star_action=must | turn 0 | draw *", "0 draw; 0 swap 0", "illegal 0 skip_action")


@pytest.mark.parametrize("option", ["may", "must"])
def test_a_pick_without_any_card_lapses(option: str):
    """SA-40: the event says that nothing was taken."""
    game = begin(
        f"option star_action={option} | 0: {PLAIN} | turn 0 | draw * | row - - - - | pile none | adiscard defence"
    )
    game = game.when(0, Draw()).when(0, Swap(0))
    game.then(Swapped(0, 0, STAR, out=1), PicksGranted((0,)), PickSkipped(0), TurnBegan(1))


def test_picks_are_made_in_the_final_lap_too():
    """SA-40, SA-70."""
    comes_to(f"turn 1 | finisher 0 | seats 3 | 1: {PLAIN} | draw *", "1 draw; 1 swap 3", "decide 1 star")


NO_PICK = [
    ("draw *", "0 draw; 0 toss", "decide 0 flip"),
    ("0: (*) 2 3 4 / 5 6 7 8 / 9 (10) 11 12 | discard 5", "0 take; 0 swap 0", "turn 1 | discard *"),
    ("0: * (*) 3 4 / 5 6 7 8 / 9 (10) 11 12 | hand 0: swap_own", "0 play swap_own; 0 pick 0:0; 0 pick 0:3", "turn 1"),
    ("0: (*) 2 3 4 / 5 6 7 8 / 9 (10) 11 12 | hand 0: look_line", "0 play look_line; 0 look 0:c0", "turn 1"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "made", "after"), NO_PICK)
def test_other_stars_give_nothing(before: str, made: str, after: str):
    """SA-41: tossed, swapped out, exchanged, looked at."""
    comes_to(f"turn 0 | {before}", made, f"{after} | hand 0: none")


def test_dropped_stars_give_nothing():
    """SA-41."""
    game = comes_to(
        f"turn 0 | 0: {LAST_CARD} | hand 0: draw_three | draw * 1 * 2",
        "0 play draw_three; 0 keep 1; 0 swap 0; 0 drop 2",
        "turn 1 | discard 0 1 * * | hand 0: none",
    )
    assert not [event for event in game.events if isinstance(event, PicksGranted)]


def test_stars_of_the_final_reveal_give_nothing():
    """SA-41, SA-71."""
    ends(f"0: {FEW} | 1: 1 2 3 4 / 5 6 7 8 / 9 (*) 2 (*) | finisher 0", "points 10 47 | phase deal")


# --- lines --------------------------------------------------------------------------------------------------------


def lines_of(text: str, **options: Any) -> dict[str, bool]:
    """The complete lines, and whether they have a star."""
    state = replace(table(f"0: {text}"), options=Options(**options))
    return dict(complete_lines(state.layouts[0], state.options))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("5 1 2 3 / 5 2 3 4 / 5 6 7 8", {"c0": False}),
        ("5 1 2 3 / (5) 2 3 4 / 5 6 7 8", {}),
        ("5 1 2 3 / * 2 3 4 / 5 6 7 8", {"c0": True}),
        ("* 1 2 3 / * 2 3 4 / 5 6 7 8", {"c0": True}),
        ("* 1 2 3 / * 2 3 4 / * 6 7 8", {"c0": True}),
        ("* 1 2 3 / 4 2 3 4 / 5 6 7 8", {}),
        (". 1 2 3 / 5 2 3 4 / 5 6 7 8", {}),
        ("5 5 5 5 / 1 2 3 4 / 2 6 7 8", {"r0": False}),
        ("5 5 * 5 / 1 2 3 4 / 2 6 7 8", {"r0": True}),
        ("5 5 . 5 / 1 2 . 4 / 2 6 . 8", {"r0": False}),
        (". 5 . 5 / . 2 . 4 / . 6 . 8", {}),
        ("5 5 5 (5) / 1 2 3 4 / 2 6 7 8", {}),
        (". . . . / 1 2 3 4 / 2 6 7 8", {}),
        ("-1 -1 -1 -1 / -1 2 3 4 / -1 6 7 8", {"c0": False, "r0": False}),
        ("0 1 2 3 / 0 2 3 4 / 0 6 7 8", {"c0": False}),
    ],
)
def test_a_line_is_complete_when_its_open_numbers_are_equal_and_stars_fit_everything(text: str, found: dict[str, bool]):
    """SA-11."""
    assert lines_of(text) == found


def test_by_option_only_rows_of_four_are_lines():
    """SA-11, SA-4."""
    assert lines_of("5 5 . 5 / 1 2 . 4 / 2 6 . 8", short_rows=False) == {}
    assert lines_of("5 5 5 5 / 1 2 3 4 / 2 6 7 8", short_rows=False) == {"r0": False}
    assert lines_of("5 1 2 3 / 5 2 3 4 / 5 6 7 8", short_rows=False) == {"c0": False}


@pytest.mark.parametrize("number", [-2, -1, 0, 12])
@pytest.mark.parametrize("line", ["c0", "c1", "c2", "c3", "r0", "r1", "r2"])
def test_every_number_line_goes_by_itself(line: str, number: int):
    """SA-44, SA-43: at the end of the move, also negative numbers."""
    state = table(f"turn 0 | discard 3 {number}")
    slots = [3 * int(line[1]) + i for i in range(3)] if line[0] == "c" else [int(line[1]) + 3 * i for i in range(4)]
    own = [Slot(20 + i, up=i % 4 != 0) for i in range(SLOTS)]
    for slot in slots:
        own[slot] = Slot(number, up=True)
    own[slots[-1]] = Slot(7, up=False)
    game = spec.given(SKYJO_ACTION, replace(state, layouts=(tuple(own), state.layouts[1]))).when(0, Take())
    game = game.when(0, Swap(slots[-1]))
    game.then(
        Swapped(0, slots[-1], number, out=7),
        LineCleared(0, line, tuple(slots), (number,) * len(slots), 0),
        TurnBegan(1),
    )
    assert game.state.discard == (3, 7) + (number,) * len(slots)


def test_lines_are_tested_at_the_end_of_a_move_only():
    """SA-43: the pick for a star comes first, and then a line that it completes is offered."""
    game = begin("0: 5 1 2 3 / (1) 4 6 7 / 5 8 9 10 | turn 0 | draw *").when(0, Draw()).when(0, Swap(1))
    game.then(Swapped(0, 1, STAR, out=1), PicksGranted((0,)))
    game.when(0, SkipAction()).then(PickSkipped(0), LinesOffered(0))


def test_a_joker_line_is_the_owners_to_clear_or_to_keep():
    """SA-45: after it is kept the move goes on to its end."""
    game = begin("0: * (1) 2 3 / 5 4 6 7 / 5 8 9 10 | turn 0").when(0, TakeAction(0))
    game = game.legal(0, *moves("clear_line c0, keep_lines"))
    game.when(0, moves("clear_line c0")[0]).then(LineCleared(0, "c0", (0, 1, 2), (STAR, 5, 5), 0), TurnBegan(1))
    game.when(0, moves("keep_lines")[0]).then(LinesKept(0), TurnBegan(1))


def test_after_a_joker_line_is_cleared_the_others_are_offered_again():
    """SA-45, SA-25: back to the number lines first."""
    comes_to(
        "0: * * (1) 3 / 5 6 4 7 / 5 6 9 10 | turn 0",
        "0 take_action 0; 0 clear_line c1",
        "decide 0 lines | legal 0: clear_line c0, keep_lines",
    )


def test_of_a_joker_line_the_stars_go_first():
    """SA-46: slots ascending within each kind."""
    comes_to(
        "0: 5 * 5 * / 1 2 3 4 / (1) 6 7 8 | turn 0 | discard 9",
        "0 take_action 0; 0 clear_line r0",
        "discard 9 * * 5 5",
    )


@pytest.mark.parametrize(
    ("text", "line", "bonus"),
    [
        ("* 1 2 3 / * 4 6 7 / * 8 9 (1)", "c0", -10),
        ("* * * * / 1 4 6 7 / 2 8 9 (1)", "r0", -15),
        (". * * * / . 4 6 7 / . 8 9 (1)", "r0", -10),
        ("* * * 5 / 1 4 6 7 / 2 8 9 (1)", "r0", 0),
    ],
)
def test_lines_of_nothing_but_stars_are_worth_a_bonus(text: str, line: str, bonus: int):
    """SA-47: which is an option (SA-4)."""
    comes_to(f"0: {text} | turn 0", f"0 take_action 0; 0 clear_line {line}", f"bonus {bonus} 0")
    without = f"option star_line_bonus=false | 0: {text} | turn 0"
    comes_to(without, f"0 take_action 0; 0 clear_line {line}", "bonus 0 0")


# --- the end of a move --------------------------------------------------------------------------------------------


def test_the_next_turn_is_the_next_seats_clockwise():
    """SA-25."""
    comes_to("seats 3 | turn 1", "1 take_action 0", "turn 2 | moves 1 | finisher none")
    comes_to("seats 3 | turn 2", "2 take_action 0", "turn 0")


def test_another_move_of_the_same_turn_follows_while_there_is_one():
    """SA-25, SA-30."""
    game = begin("turn 0 | hand 0: defence").when(0, Play("defence"))
    game.then(Played(0, "defence"), MovesAdded(0, 1), MoveBegan(0, 1))


def test_who_leaves_no_face_down_card_anywhere_is_the_finisher():
    """SA-25, SA-70: cleared slots count as turned up."""
    game = begin(f"0: . 2 3 4 / . 6 7 8 / . (10) 11 12 | 1: {PLAIN} | turn 0 | discard 9").when(0, Take())
    game.when(0, Swap(5)).then(Swapped(0, 5, 9, out=10), FinalLapBegan(0), TurnBegan(1))


def test_number_lines_go_before_the_finisher_is_determined():
    """SA-25, SA-44."""
    game = begin(f"0: 1 2 3 5 / 5 6 7 5 / 9 10 11 (0) | 1: {PLAIN} | turn 0 | discard 5").when(0, Take())
    game = game.when(0, Swap(11))
    assert [type(event) for event in game.events] == [Swapped, LineCleared, FinalLapBegan, TurnBegan]


def test_gaps_are_filled_after_the_lines_the_lowest_first():
    """SA-25, SA-67: a card played in this move makes the pile able to give one."""
    game = begin("turn 0 | hand 0: look_line | row - defence - - | pile none | adiscard swap_own swap_players")
    game = game.when(0, Discard("look_line")).then(Discarded(0, "look_line"), RanOut(Owed("open", 0, 0)))
    game = game.dealt(Unshuffled())
    game.then(
        ActionsRestocked(("swap_own", "swap_players")),
        ActionLaidOpen(0, "swap_players"),
        ActionLaidOpen(2, "swap_own"),
        TurnBegan(1),
    )
    outcome(game, "row swap_players defence swap_own - | pile none | adiscard look_line")


def test_gaps_are_filled_all_at_once_where_the_pile_has_a_card_for_each():
    """SA-25, SA-67."""
    game = begin("turn 0 | hand 0: look_line | row - defence - - | pile none | adiscard swap_own defence swap_players")
    game = game.when(0, Discard("look_line")).dealt(Unshuffled())
    game.then(
        ActionsRestocked(("swap_own", "defence", "swap_players")),
        ActionLaidOpen(0, "swap_players"),
        ActionLaidOpen(2, "defence"),
        ActionLaidOpen(3, "swap_own"),
        TurnBegan(1),
    )


# --- action cards -------------------------------------------------------------------------------------------------


def test_swap_own_exchanges_two_own_cards_as_they_lie():
    """SA-51."""
    game = begin(f"0: {PLAIN} | turn 0 | hand 0: swap_own").when(0, Play("swap_own"))
    game.legal(0, *(Pick(0, slot) for slot in range(SLOTS)))
    game = game.when(0, Pick(0, 0)).then(Picked(0, Place(0, 0)))
    game.legal(0, *(Pick(0, slot) for slot in range(1, SLOTS)))
    game = game.when(0, Pick(0, 3)).then(Exchanged(0, Place(0, 0), Place(0, 3)), TurnBegan(1))
    outcome(game, "0: (2) 1 3 4 / 5 (6) 7 8 / (9) (10) 11 12")


def test_double_move_adds_two_moves():
    """SA-52."""
    game = begin("turn 0 | hand 0: double_move").when(0, Play("double_move"))
    game.then(Played(0, "double_move"), MovesAdded(0, 2), MoveBegan(0, 2))


def test_draw_three_one_is_kept_and_swapped_in_the_others_dropped():
    """SA-53, SA-36."""
    game = begin(f"0: {PLAIN} | turn 0 | hand 0: draw_three | draw 5 6 7 8 | discard 0").when(0, Play("draw_three"))
    game.then(Played(0, "draw_three"), DrawnAside(0, 0, 5), DrawnAside(0, 1, 6), DrawnAside(0, 2, 7))
    game.legal(0, *moves("keep 0, keep 1, keep 2, keep_none"))
    game = game.when(0, Keep(1)).then(Kept(0, 1))
    game.legal(0, *map(Swap, range(SLOTS)))
    game.when(0, Toss()).illegal()
    game = game.when(0, Swap(2)).then(Swapped(0, 2, 6, out=9)).legal(0, *moves("drop 0, drop 2"))
    game = game.when(0, Drop(2)).then(Dropped(0, 2, 7), Dropped(0, 0, 5), TurnBegan(1))
    outcome(game, "discard 0 9 7 5 | draw 8 | 0: 1 (2) 3 4 / 5 (6) 7 8 / 6 (10) 11 12")
    assert (game.state.three, game.state.held, game.state.held_from) == ((), None, None)


def test_one_of_three_is_kept_where_no_card_is_left_to_turn_up():
    """SA-53."""
    game = begin(f"0: {DONE} | turn 0 | hand 0: draw_three | draw 1 2 3").when(0, Play("draw_three"))
    game.legal(0, Keep(0), Keep(1), Keep(2)).when(0, KeepNone()).illegal()


def test_draw_three_none_is_kept_and_a_card_turned_up():
    """SA-53, SA-38."""
    game = begin(f"0: {PLAIN} | turn 0 | hand 0: draw_three | draw 5 6 7 8 | discard 0")
    game = play(game, "0 play draw_three; 0 keep_none")
    assert game.events == [KeptNone(0)]
    game = game.legal(0, *moves("drop 0, drop 1, drop 2")).when(0, Drop(0)).then(Dropped(0, 0, 5))
    game = game.when(0, Drop(1)).then(Dropped(0, 1, 6), Dropped(0, 2, 7)).legal(0, *map(Flip, (2, 3, 4, 5)))
    game = game.when(0, Flip(5)).then(Flipped(0, 5, 10), TurnBegan(1))
    outcome(game, "discard 0 5 6 7")


def test_a_restock_comes_between_when_the_three_are_drawn():
    """SA-53, SA-65."""
    game = begin("turn 0 | hand 0: draw_three | draw 3 | discard 4 5 6 7").when(0, Play("draw_three"))
    game.then(Played(0, "draw_three"), DrawnAside(0, 0, 3), RanOut(Owed("three", 0, 1)))
    game = game.dealt(Unshuffled()).then(Restocked((4, 5, 6)), DrawnAside(0, 1, 6), DrawnAside(0, 2, 5))
    outcome(game, "decide 0 keep | discard 7 | draw 4")


def test_look_line_shows_the_face_down_cards_of_any_line_that_has_some():
    """SA-54: also one's own, and nothing has to be confirmed."""
    game = begin(f"0: {PLAIN} | 1: {DONE.replace('10', '(10)')} | turn 0 | hand 0: look_line").when(
        0, Play("look_line")
    )
    lines = [(0, "c0"), (0, "c1"), (0, "r0"), (0, "r1"), (0, "r2"), (1, "c1"), (1, "r2")]
    game.legal(0, *(Look(seat, line) for seat, line in lines))
    game.when(0, Look(0, "c1")).then(LineLooked(0, 0, "c1", (3, 4, 5), (2, 6, 10)), TurnBegan(1))
    game.when(0, Look(0, "r2")).then(LineLooked(0, 0, "r2", (2, 5), (9, 10)), TurnBegan(1))


def test_nobody_looks_at_a_line_or_steals_from_a_hand_of_a_seat_that_is_not_there():
    """SA-54, SA-57."""
    game = begin("seats 3 | turn 0 | hand 0: look_line steal_action | hand 1: defence")
    game.when(0, Play("look_line")).when(0, Look(3, "c0")).illegal()
    game.when(0, Play("steal_action")).when(0, Steal(3, "defence")).illegal()


def test_remove_one_each_takes_a_card_of_everybody_else_and_lays_a_new_one():
    """SA-55: clockwise from the actor; the removed ones go below the discards."""
    layouts = f"0: {PLAIN} | 1: {PLAIN} | 2: {PLAIN}"
    game = begin(f"{layouts} | turn 1 | hand 1: remove_one_each | draw 7 0 | discard 8 9")
    game = game.when(1, Play("remove_one_each")).then(Played(1, "remove_one_each"), VictimsNamed((2, 0)))
    game = game.legal(1, *(Pick(2, slot) for slot in range(SLOTS))).when(1, Pick(2, 0))
    game = game.then(Removed(2, 0), Replaced(2, 0, 7)).legal(1, *(Pick(0, slot) for slot in range(SLOTS)))
    game = game.when(1, Pick(0, 3)).then(Removed(0, 3), Replaced(0, 3, 0), TurnBegan(2))
    outcome(game, "discard 2 1 8 9 | 0: 1 0 3 4 / 5 (6) 7 8 / (9) (10) 11 12 | draw none")


def test_behind_a_star_of_the_last_victim_the_lines_of_all_victims_go():
    """SA-25, SA-44, SA-55: the star is paid first."""
    victim = "5 (1) (2) (3) / 5 (4) (6) (7) / 9 (8) (9) (10)"
    game = begin(f"0: {PLAIN} | 1: {victim} | 2: {PLAIN} | turn 0 | hand 0: remove_one_each | draw 5 *")
    game = play(game, "0 play remove_one_each; 0 pick 1:2; 0 pick 2:1").then(
        Removed(2, 1), Replaced(2, 1, STAR), PicksGranted((2,))
    )
    game = game.when(2, SkipAction())
    events = [(type(event), event.seat) for event in game.events]
    assert events == [(PickSkipped, 2), (LineCleared, 1), (TurnBegan, 1)]


def test_remove_one_each_passes_over_seats_without_cards():
    """SA-55."""
    game = begin(f"seats 3 | 1: {EMPTY} | turn 0 | finisher 1 | hand 0: remove_one_each")
    state = replace(game.state, finisher=None)
    game = spec.given(SKYJO_ACTION, state).when(0, Play("remove_one_each"))
    game.then(Played(0, "remove_one_each"), VictimsNamed((2,)))


def test_swap_players_exchanges_any_card_with_one_of_another_seat():
    """SA-56: also between two others, and each stays as it lies."""
    game = begin(f"seats 3 | 0: {PLAIN} | 1: {PLAIN} | 2: {LAST_CARD} | turn 0 | hand 0: swap_players")
    game = game.when(0, Play("swap_players"))
    game.legal(0, *(Pick(seat, slot) for seat in range(3) for slot in range(SLOTS)))
    game = game.when(0, Pick(2, 5)).then(Picked(0, Place(2, 5)))
    game.legal(0, *(Pick(seat, slot) for seat in (0, 1) for slot in range(SLOTS)))
    game = game.when(0, Pick(1, 0)).then(Exchanged(0, Place(2, 5), Place(1, 0)), FinalLapBegan(0), TurnBegan(1))
    outcome(game, "1: (10) (2) 3 4 / 5 (6) 7 8 / (9) (10) 11 12 | 2: 1 2 3 4 / 5 6 7 8 / 9 1 11 12")


def test_steal_action_plays_a_card_of_another_seat():
    """SA-57: any seat, any kind, fresh or not."""
    game = begin("seats 3 | turn 0 | hand 0: steal_action double_move | hand 1: look_line ~look_line draw_three | "
                 "hand 2: ~double_move").when(0, Play("steal_action"))  # fmt: skip
    game.legal(0, Steal(1, "look_line"), Steal(1, "draw_three"), Steal(2, "double_move"))
    stolen = game.when(0, Steal(1, "look_line")).then(Stolen(0, 1, "look_line"))
    outcome(stolen, "hand 1: ~look_line draw_three | adiscard steal_action look_line | decide 0 look | moves 1")
    game.when(0, Steal(2, "double_move")).then(Stolen(0, 2, "double_move"), MovesAdded(0, 2), MoveBegan(0, 2))


def test_play_discarded_action_plays_the_topmost_card_of_another_kind():
    """SA-58: which is lifted to the top."""
    game = begin(
        "turn 0 | draw 1 2 3 | hand 0: play_discarded_action | adiscard look_line draw_three play_discarded_action"
    )
    game = game.when(0, Play("play_discarded_action"))
    assert game.events[:2] == [Played(0, "play_discarded_action"), Replayed(0, "draw_three")]
    outcome(game, "adiscard look_line play_discarded_action play_discarded_action draw_three | decide 0 keep")


def test_by_option_play_discarded_action_plays_any_card_of_another_kind():
    """SA-58: the topmost one of the kind, with a choice even if there is only one."""
    game = begin("option discarded_action_choice=any | turn 0 | hand 0: play_discarded_action | "
                 "adiscard look_line defence look_line draw_three").when(0, Play("play_discarded_action"))  # fmt: skip
    game = game.legal(0, *moves("replay look_line, replay defence, replay draw_three"))
    game = play(game, "0 replay look_line").then(Replayed(0, "look_line"))
    outcome(game, "adiscard look_line defence draw_three play_discarded_action look_line | decide 0 look")


def test_a_played_defence_gives_one_more_move():
    """SA-59: and protects no longer."""
    comes_to("turn 0 | hand 0: defence", "0 play defence", "hand 0: none | moves 1 | decide 0 choose")


@pytest.mark.parametrize(
    ("before", "playable"),
    [
        ("hand 0: swap_own | 0: . . . . / . . . . / . . . (1)", False),
        ("hand 0: swap_own | 0: . . . . / . . . 2 / . . . (1)", True),
        ("hand 0: steal_action", False),
        ("hand 0: steal_action | hand 1: ~look_line", True),
        ("hand 0: play_discarded_action | adiscard play_discarded_action", False),
        ("hand 0: play_discarded_action | adiscard defence", True),
        ("hand 0: look_line", True),
        (f"hand 0: look_line | 0: {DONE} | 1: {DONE}", False),
        *(
            (f"hand 0: {kind}", True)
            for kind in ("double_move", "draw_three", "remove_one_each", "swap_players", "defence")
        ),
    ],
)
def test_a_card_can_be_played_when_it_has_something_to_act_on(before: str, playable: bool):
    """SA-50, SA-34; discarded it can be always (SA-35)."""
    kind = re.search("hand 0: (\\w+)", before)[1]
    comes_to(
        f"turn 0 | {before}", "", f"{'allowed' if playable else 'illegal'} 0 play {kind} | allowed 0 discard {kind}"
    )


def test_a_fetched_card_that_has_nothing_to_act_on_is_without_effect():
    """SA-50."""
    game = begin("turn 0 | hand 0: play_discarded_action | adiscard steal_action").when(
        0, Play("play_discarded_action")
    )
    game.then(
        Played(0, "play_discarded_action"), Replayed(0, "steal_action"), EffectLapsed(0, "steal_action"), TurnBegan(1)
    )


# --- protection ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fresh", ["", "~"])
@pytest.mark.parametrize(
    ("attack", "made"),
    [("swap_players", "0 pick 1:0"), ("swap_players", "0 pick 0:0; 0 pick 1:0"), ("steal_action", "0 steal 1 defence"),
     ("steal_action", "0 steal 1 look_line")],
)  # fmt: skip
def test_a_defence_wards_off_the_whole_attack_and_is_used_up(attack: str, made: str, fresh: str):
    """SA-60: fresh or ready, without being asked, and without a move for its owner."""
    game = comes_to(
        f"0: {PLAIN} | 1: {PLAIN} | turn 0 | hand 0: {attack} | hand 1: look_line {fresh}defence defence",
        f"0 play {attack}; {made}",
        f"hand 1: look_line defence | adiscard {attack} defence | turn 1 | moves 1 | 0: {PLAIN} | 1: {PLAIN}",
    )
    assert game.events == [Blocked(1), TurnBegan(1)]


def test_of_remove_one_each_only_the_protected_seat_is_spared():
    """SA-60, SA-55: when its place in the order comes."""
    game = begin("seats 4 | turn 0 | hand 0: remove_one_each | hand 1: defence | hand 3: defence | draw 5")
    game = game.when(0, Play("remove_one_each"))
    game.then(Played(0, "remove_one_each"), VictimsNamed((1, 2, 3)), Blocked(1))
    game = game.legal(0, *(Pick(2, slot) for slot in range(SLOTS))).when(0, Pick(2, 0))
    game.then(Removed(2, 0), Replaced(2, 0, 5), Blocked(3), TurnBegan(1))
    outcome(game, "adiscard remove_one_each defence defence")


def test_the_actors_own_defence_is_not_concerned():
    """SA-60."""
    comes_to(
        "turn 0 | hand 0: swap_players defence",
        "0 play swap_players; 0 pick 0:0; 0 pick 1:0",
        "hand 0: defence | adiscard swap_players | turn 1",
    )


def test_a_defence_against_a_stolen_attack_is_the_thiefs_problem():
    """SA-60, SA-57: the thief's attack meets protections anew."""
    comes_to(
        "seats 3 | turn 0 | hand 0: steal_action | hand 1: swap_players | hand 2: defence",
        "0 play steal_action; 0 steal 1 swap_players; 0 pick 1:0; 0 pick 2:0",
        "hand 2: none | adiscard steal_action swap_players defence | turn 1",
    )


# --- chance -------------------------------------------------------------------------------------------------------


def test_a_restock_leaves_the_top_discard_and_shuffles_all_others_from_the_bottom():
    """SA-65: and the interrupted draw goes on."""
    chance = Unshuffled()
    game = begin(f"0: {PLAIN} | turn 0 | draw none | discard 1 2 3 4").when(0, Draw()).then(RanOut(Owed("held", 0, 0)))
    game = game.dealt(chance).then(Restocked((1, 2, 3)), Drawn(0, 3)).legal(0, *map(Swap, range(SLOTS)), Toss())
    assert chance.asked == [(1, 2, 3)]
    assert (game.state.draw, game.state.discard, game.state.held, game.state.owed) == ((1, 2), (4,), 3, None)


def test_nobody_acts_while_a_card_is_owed():
    """SA-20, SA-65."""
    game = begin("turn 0 | draw none | discard 1 2 3 4").when(0, Draw()).then(RanOut(Owed("held", 0, 0)))
    game.legal(0).when(0, Draw()).illegal()


def test_an_empty_pile_alone_restocks_nothing():
    """SA-65, SA-67."""
    game = begin("turn 0 | draw none | discard 1 2 3 4 | pile none | adiscard defence look_line draw_three")
    game = game.when(0, Take()).when(0, Swap(0))
    assert game.dealt(Unshuffled()).events == []


def test_a_restock_of_the_action_cards_leaves_the_top_one():
    """SA-67."""
    chance = Unshuffled()
    game = begin("turn 0 | pile none | adiscard defence look_line draw_three").when(0, TakeAction("pile"))
    game = game.then(RanOut(Owed("hand", 0, 0))).dealt(chance)
    game.then(ActionsRestocked(("defence", "look_line")), ActionTaken(0, "pile", "look_line", ()), TurnBegan(1))
    assert chance.asked == [("defence", "look_line")]
    outcome(game, "pile defence | adiscard draw_three")


def test_an_open_place_waits_for_the_restock_that_fills_it():
    """SA-33, SA-67: in the same place, and then the move ends."""
    game = begin(f"turn 0 | {FOUR} | pile none | adiscard defence look_line").when(0, TakeAction(3))
    game = game.then(ActionTaken(0, 3, "draw_three", ()), RanOut(Owed("open", 0, 3))).dealt(Unshuffled())
    game.then(ActionsRestocked(("defence",)), ActionLaidOpen(3, "defence"), TurnBegan(1))


def test_one_discarded_action_card_alone_is_no_restock():
    """SA-67: the pile cannot give a card."""
    game = begin(f"turn 0 | {FOUR} | pile none | adiscard defence")
    assert TakeAction("pile") not in SKYJO_ACTION.legal(game.state, 0)
    game.when(0, TakeAction(3)).then(ActionTaken(0, 3, "draw_three", ()), TurnBegan(1))


# --- the final lap and the points ---------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", EVERY_NUMBER_OF_SEATS)
@pytest.mark.parametrize("finisher", [0, 1])
def test_after_the_finishers_turn_every_other_seat_has_exactly_one_move(seats: int, finisher: int):
    """SA-70, for every number of seats."""
    state = table(f"seats {seats} | turn {finisher} | discard 9")
    layouts = (layout(LAST_CARD),) * seats
    game = spec.given(SKYJO_ACTION, replace(state, layouts=layouts, pending=Pending(finisher, "choose")))
    turns = []
    while game.state.phase == "turn":
        turns.append(game.state.turn)
        game = game.when(game.state.turn, Take()).when(game.state.turn, Swap(5))
    assert turns == [(finisher + i) % seats for i in range(seats)]
    assert game.state.finisher == game.state.starter == finisher


def test_in_the_final_lap_action_cards_can_only_be_taken():
    """SA-70."""
    comes_to(
        f"turn 1 | finisher 0 | 0: {DONE} | 1: {DONE} | hand 1: defence swap_own | {FOUR}",
        "",
        "legal 1: draw, take, take_action 0, take_action 1, take_action 2, take_action 3, take_action pile",
    )


def test_nobody_else_becomes_finisher():
    """SA-70, SA-25."""
    game = begin(f"0: {DONE} | 1: {LAST_CARD} | 2: {DONE} | turn 1 | finisher 0 | discard 9").when(1, Take())
    game.when(1, Swap(5)).then(Swapped(1, 5, 9, out=10), TurnBegan(2))


def test_at_the_end_all_cards_are_turned_up_and_lines_go_clockwise_from_the_finisher():
    """SA-71, SA-44."""
    rows = "5 (7) 1 4 / 5 (7) 2 8 / (5) (7) 11 12"
    game = last_turn(table(f"0: {rows} | 1: {FEW} | 2: {rows} | finisher 1 | totals 0 0 0"))
    hidden = [(2, 5), (3, 7), (4, 7), (5, 7)]
    revealed = LayoutsRevealed(tuple(TurnedUp(seat, *place) for seat in (0, 2) for place in hidden))
    cleared = [
        LineCleared(seat, line, slots, (number,) * 3, 0)
        for seat in (2, 0)
        for line, slots, number in (("c0", (0, 1, 2), 5), ("c1", (3, 4, 5), 7))
    ]
    assert game.events[1:] == [revealed, *cleared, RoundScored((38, 10, 38))]


def test_joker_lines_of_the_reveal_are_decided_seat_by_seat_clockwise_from_the_finisher():
    """SA-71, SA-45: until none is left or they are kept."""
    own = "(*) (5) 1 4 / 5 (5) 2 8 / 5 * 11 12"
    game = last_turn(table(f"0: {own} | 1: {FEW} | 2: {own} | finisher 1 | totals 0 0 0"))
    game = game.legal(2, *moves("clear_line c0, clear_line c1, keep_lines")).legal(0).legal(1)
    assert game.events[-1] == LinesOffered(2)
    game = play(game, "2 clear_line c0").legal(2, *moves("clear_line c1, keep_lines"))
    game = play(game, "2 clear_line c1").then(LineCleared(2, "c1", (5, 3, 4), (STAR, 5, 5), 0), LinesOffered(0))
    game = play(game, "0 keep_lines").then(LinesKept(0), RoundScored((38 + 20, 10, 38)))
    outcome(game, "phase deal | starter 1")


def test_points_are_numbers_ten_for_every_action_card_and_the_bonus():
    """SA-72, SA-42."""
    ends(
        f"0: {FEW} | 1: 1 2 3 4 / 5 6 7 8 / 9 * 2 * | finisher 0 | hand 1: ~defence look_line | bonus -10 -25",
        "points 0 42",
    )


def score(*points: int, finisher: int = 0, **options: bool) -> tuple[int, ...]:
    """The score of a round when the layouts are worth these points."""
    layouts = tuple((Slot(p - 10, up=True), Slot(0, up=True), Slot(10, up=True), *[None] * 9) for p in points)
    state = replace(table(f"seats {len(points)}"), layouts=layouts, finisher=finisher, options=Options(**options))
    scored: tuple[int, ...] = last_turn(state).state.rounds[-1]
    return scored


@pytest.mark.parametrize(
    ("points", "counted"),
    [((5, 5), (10, 5)), ((5, 3, 3), (10, 3, 3)), ((5, 7, 7), (5, 7, 7)), ((5, 9, 5), (10, 9, 5)), ((6, 5), (12, 5)),
     ((0, -3), (0, -3)), ((-4, -5), (-4, -5))],
)  # fmt: skip
def test_the_finisher_is_doubled_unless_strictly_the_lowest(points: tuple[int, ...], counted: tuple[int, ...]):
    """SA-73."""
    assert score(*points) == counted


def test_by_option_negative_points_are_doubled_too():
    """SA-73, SA-4."""
    assert score(-4, -5, double_only_positive=False) == (-8, -5)
    assert score(-4, -3, double_only_positive=False) == (-4, -3)


@pytest.mark.parametrize(("before", "over"), [("89 0", False), ("90 0", True), ("91 0", True)])
def test_the_game_is_over_when_a_total_reaches_the_target(before: str, over: bool):
    """SA-74."""
    state = last_turn(table(f"0: {FEW} | 1: {DONE} | finisher 0 | totals {before}")).state
    assert (state.phase, SKYJO_ACTION.result(state) is not None) == (("over", True) if over else ("deal", False))


@pytest.mark.parametrize(("totals", "winners"), [("0 50", (0,)), ("95 0", (1,)), ("92 24", (0, 1))])
def test_the_lowest_total_wins_and_a_tie_is_a_shared_victory(totals: str, winners: tuple[int, ...]):
    """SA-74."""
    game = last_turn(table(f"0: {FEW} | 1: {DONE} | finisher 0 | totals {totals}"))
    assert game.events[-1] == Won(winners)
    result = SKYJO_ACTION.result(game.state)
    assert result is not None
    assert (result.winners, result.scores) == (winners, game.state.totals)


def test_otherwise_the_next_round_is_dealt_at_once():
    """SA-74."""
    state = last_turn(table(f"0: {FEW} | 1: {DONE} | finisher 0")).state
    assert isinstance(spec.given(SKYJO_ACTION, state).dealt(Unshuffled()).events[0], Dealt)


# --- edge cases ---------------------------------------------------------------------------------------------------


def test_edge_1_a_foreign_move_that_completes_a_number_line_of_mine_removes_it():
    """SA-44, SA-25, edge case 1: a joker line stays until the end of my own next move."""
    two = "turn 0 | hand 0: swap_players | 0: {} | 1: {} (1) (2) (3) / 5 4 6 7 / 5 8 9 10"
    game = play(begin(two.format("5 (2) 3 4 / 7 (6) 1 8 / (9) (10) 11 12", "0")), "0 play swap_players; 0 pick 1:0")
    game.when(0, Pick(0, 0)).then(
        Exchanged(0, Place(1, 0), Place(0, 0)), LineCleared(1, "c0", (0, 1, 2), (5, 5, 5), 0), TurnBegan(1)
    )
    game = play(begin(two.format("* (2) 3 4 / 7 (6) 1 8 / (9) (10) 11 12", "0")), "0 play swap_players; 0 pick 1:0")
    game = game.when(0, Pick(0, 0)).then(Exchanged(0, Place(1, 0), Place(0, 0)), TurnBegan(1))
    game.when(1, TakeAction(0)).then(ActionTaken(1, 0, "look_line", ("look_line",)), LinesOffered(1))


def test_edge_2_who_turns_up_a_victims_last_card_is_the_finisher_with_cards_of_his_own_face_down():
    """SA-25, SA-70, edge case 2: and begins the next round, and the seat's points may be doubled."""
    game = begin(f"0: {PLAIN} | 1: {LAST_CARD} | turn 0 | hand 0: remove_one_each | draw 3 5 | discard 9")
    game = game.when(0, Play("remove_one_each")).when(0, Pick(1, 5))
    game.then(Removed(1, 5), Replaced(1, 5, 3), FinalLapBegan(0), TurnBegan(1))
    game = play(game, "1 draw; 1 toss")
    assert [type(event) for event in game.events] == [Tossed, LayoutsRevealed, RoundScored, Won]
    outcome(game, "points 156 71 | starter 0")


def test_edge_3_of_two_layouts_that_become_complete_there_is_one_finisher():
    """SA-25, edge case 3: the active seat."""
    layouts = f"0: {PLAIN} | 1: {LAST_CARD} | 2: {LAST_CARD} | 3: {PLAIN}"
    game = begin(f"{layouts} | turn 0 | hand 0: remove_one_each | draw 3 5 7")
    game = play(game, "0 play remove_one_each; 0 pick 1:5; 0 pick 2:5; 0 pick 3:0")
    game.then(Removed(3, 0), Replaced(3, 0, 7), FinalLapBegan(0), TurnBegan(1))


@pytest.mark.parametrize("kind", ["double_move", "defence"])
def test_edge_4_who_ends_the_round_has_no_further_moves(kind: str):
    """SA-25, edge case 4."""
    game = begin(f"0: {LAST_CARD} | 1: {PLAIN} | turn 0 | hand 0: {kind}")
    game = play(game, f"0 play {kind}; 0 take; 0 swap 5")
    game.then(Swapped(0, 5, 0, out=10), FinalLapBegan(0), TurnBegan(1))
    assert game.state.moves == 1


def test_edge_5_moves_add_up():
    """SA-52, edge case 5."""
    comes_to(
        "turn 0 | hand 0: double_move double_move defence",
        "0 play double_move; 0 play double_move; 0 play defence",
        "moves 3 | turn 0",
    )


def test_edge_6_a_card_taken_in_the_first_move_is_not_playable_in_the_second():
    """SA-24, edge case 6: but a defence protects at once."""
    game = comes_to(
        "turn 0 | hand 0: double_move | hand 1: swap_players | row defence look_line look_line look_line",
        "0 play double_move; 0 take_action 0",
        "turn 0 | moves 1 | hand 0: ~defence | illegal 0 play defence | illegal 0 discard defence",
    )
    game = play(game, "0 draw; 0 swap 0; 1 play swap_players; 1 pick 0:0")
    game.then(Blocked(0), TurnBegan(0))


def test_edge_7_in_the_final_lap_a_complete_layout_may_do_all_but_turn_up():
    """SA-70, SA-37, edge case 7."""
    lap = "seats 3 | turn 1 | finisher 0 | draw 5 | discard 8 | row look_line - - - | pile none | 1: {}"
    game = comes_to(lap.format(DONE), "", "legal 1: draw, take, take_action 0")
    play(game, "1 draw; 1 swap 0").then(Swapped(1, 0, 5, out=1), TurnBegan(2))
    play(game, "1 draw; 1 toss").then(Tossed(1, 5), TurnBegan(2))
    game = comes_to(lap.format(EMPTY), "", "legal 1: draw, take_action 0")
    outcome(play(game, "1 draw"), "legal 1: toss")


def test_edge_8_a_row_with_a_star_is_a_joker_line_and_without_it_a_number_line():
    """SA-44, SA-45, edge case 8: without short rows it stays."""
    row = "0: 5 5 5 * / 1 2 3 9 / (4) 6 7 9 | turn 0"
    game = begin(row).when(0, TakeAction(0)).legal(0, *moves("clear_line c3, clear_line r0, keep_lines"))
    game = play(game, "0 clear_line c3")
    assert game.events[1] == LineCleared(0, "r0", (0, 3, 6), (5, 5, 5), 0)
    game = play(begin("option short_rows=false | " + row), "0 take_action 0; 0 clear_line c3")
    assert game.events[1:] == [TurnBegan(1)]


def test_edge_9_a_column_and_a_row_of_the_same_number_share_a_card():
    """SA-44, edge case 9: six cards go."""
    game = play(begin("0: (0) 5 5 5 / 5 1 2 3 / 5 (4) 6 7 | turn 0 | discard 5"), "0 take; 0 swap 0")
    game.then(
        Swapped(0, 0, 5, out=0),
        LineCleared(0, "c0", (0, 1, 2), (5, 5, 5), 0),
        LineCleared(0, "r0", (3, 6, 9), (5, 5, 5), 0),
        TurnBegan(1),
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("0: 5 * * 5 / 5 1 2 3 / 5 (4) 6 7", "0: . * * 5 / . 1 2 3 / . (4) 6 7 | decide 0 lines"),
        ("0: 5 * * 5 / 5 1 2 3 / 5 (4) 6 7 | option short_rows=false", "0: . * * 5 / . 1 2 3 / . (4) 6 7 | turn 1"),
        ("0: 5 5 5 5 / * 1 2 3 / * (4) 6 7", "0: . . . . / * 1 2 3 / * (4) 6 7 | turn 1"),
    ],
)
def test_edge_10_a_number_line_goes_before_a_joker_line_that_shares_a_card(before: str, after: str):
    """SA-25, SA-44, edge case 10: the joker line must still be complete without it."""
    slot = Slot(9, up=False)
    state = table(f"{before} | turn 0 | discard 5")
    own = (slot, *state.layouts[0][1:])
    game = spec.given(SKYJO_ACTION, replace(state, layouts=(own, state.layouts[1]))).when(0, Take())
    outcome(game.when(0, Swap(0)), after)


def test_edge_11_of_a_column_and_a_row_of_stars_the_owner_chooses_the_order():
    """SA-47, SA-45, edge case 11."""
    stars = "0: * * * * / * 1 2 3 / * (4) 5 6 | turn 0"
    comes_to(stars, "0 take_action 0; 0 clear_line c0; 0 clear_line r0", "bonus -20 0 | turn 1")
    comes_to(stars, "0 take_action 0; 0 clear_line r0", "bonus -15 0 | turn 1")


def test_edge_12_a_line_of_negative_numbers_and_a_star_may_be_kept():
    """SA-45, edge case 12: in the reveal, too, and then it counts."""
    game = last_turn(table(f"0: {FEW} | 1: -2 1 2 3 / -2 4 5 6 / (*) 7 8 9 | finisher 0"))
    outcome(play(game, "1 keep_lines"), "points 10 41")


def test_edge_13_a_star_from_the_discards_gives_a_pick_a_tossed_one_none():
    """SA-40, SA-41, edge case 13."""
    comes_to("turn 0 | discard *", "0 take; 0 swap 0", "decide 0 star")
    comes_to("turn 0 | draw *", "0 draw; 0 toss", "decide 0 flip")


def test_edge_14_a_face_down_star_that_is_swapped_out_lies_open_for_the_next_seat():
    """SA-41, edge case 14."""
    comes_to(f"0: (*) {PLAIN[2:]} | turn 0", "0 take; 0 swap 0; 1 take; 1 swap 0", "decide 1 star")


def test_edge_15_a_star_laid_over_a_star_gives_a_new_pick():
    """SA-40, edge case 15."""
    comes_to(f"0: * {PLAIN[2:]} | turn 0 | discard 3 *", "0 take; 0 swap 0", "decide 0 star | discard 3 *")


def test_edge_16_gaps_are_filled_when_the_pile_can_give_a_card_again():
    """SA-67, SA-40, edge case 16: until then picks lapse."""
    game = begin("turn 0 | row - - - - | pile none | draw * 5 6 | hand 1: look_line defence | 0: " + PLAIN)
    game = play(game, "0 draw; 0 swap 0")
    assert PickSkipped(0) in game.events
    game = play(game, "1 discard look_line; 0 draw; 0 swap 0")
    outcome(game, "row - - - - | adiscard look_line")
    outcome(play(game, "1 discard defence"), "row look_line - - - | pile none | adiscard defence")


def test_edge_17_a_victims_pick_happens_during_the_actors_move():
    """SA-40, SA-55, SA-23, edge case 17: its card is ready in its own next turn."""
    game = comes_to(
        f"turn 0 | hand 0: remove_one_each | draw * | {FOUR}", "0 play remove_one_each; 0 pick 1:0", "decide 1 star"
    )
    outcome(play(game, "1 take_action 0"), "turn 1 | hand 1: look_line | allowed 1 play look_line")


def test_edge_18_with_two_seats():
    """SA-55, SA-56, edge case 18: exchanges are between me and the other, and there is one victim."""
    game = play(begin("turn 0 | hand 0: swap_players remove_one_each"), "0 play swap_players; 0 pick 1:4")
    game.legal(0, *(Pick(0, slot) for slot in range(SLOTS)))
    game = begin("turn 0 | hand 0: remove_one_each").when(0, Play("remove_one_each"))
    assert game.events[1] == VictimsNamed((1,))


def test_edge_19_of_two_protected_seats_the_first_named_blocks():
    """SA-60, edge case 19."""
    comes_to(
        "turn 0 | hand 0: swap_players | hand 1: defence | hand 2: defence",
        "0 play swap_players; 0 pick 2:0",
        "hand 1: defence | hand 2: none | turn 1",
    )


@pytest.mark.parametrize(
    ("kind", "after"),
    [("swap_own", "decide 0 pick | legal 1: none | illegal 0 pick 1:0"), ("draw_three", "decide 0 keep"),
     ("look_line", "decide 0 look"), ("double_move", "turn 0 | moves 2"), ("swap_players", "decide 0 pick"),
     ("remove_one_each", "decide 0 pick | illegal 0 pick 0:0 | allowed 0 pick 1:0"),
     ("steal_action", "decide 0 steal | legal 0: steal 2 look_line"),
     ("play_discarded_action", "decide 0 steal | adiscard play_discarded_action steal_action")],
)  # fmt: skip
def test_edge_20_stolen_cards_act_for_the_thief(kind: str, after: str):
    """SA-57, edge case 20: play_discarded_action finds the steal_action that was just used."""
    comes_to(
        f"turn 0 | hand 0: steal_action | hand 1: {kind} | hand 2: look_line | draw 1 2 3 4",
        f"0 play steal_action; 0 steal 1 {kind}",
        after,
    )


def test_edge_20_a_defence_cannot_be_stolen():
    """SA-57, SA-60, edge case 20."""
    comes_to(
        "turn 0 | hand 0: steal_action | hand 1: defence", "0 play steal_action; 0 steal 1 defence", "turn 1 | moves 1"
    )


@pytest.mark.parametrize(("kind", "moves"), [("defence", 1), ("double_move", 2)])
def test_edge_21_a_discarded_card_played_again_gives_its_moves(kind: str, moves: int):
    """SA-58, SA-59, SA-52, edge case 21: and no protection."""
    comes_to(
        f"turn 0 | hand 0: play_discarded_action | adiscard {kind}",
        "0 play play_discarded_action",
        f"moves {moves} | turn 0 | hand 0: none",
    )


@pytest.mark.parametrize(
    ("before", "kind"),
    [("", "steal_action"), ("0: . . . . / . . . . / . . . (1)", "swap_own"),
     ("adiscard play_discarded_action", "play_discarded_action")],
)  # fmt: skip
def test_edge_22_a_card_without_a_target_can_only_be_discarded(before: str, kind: str):
    """SA-50, edge case 22."""
    comes_to(
        f"turn 0 | hand 0: {kind}{' | ' if before else ''}{before}",
        "",
        f"illegal 0 play {kind} | allowed 0 discard {kind}",
    )


@pytest.mark.parametrize(
    ("layouts", "kind"),
    [("0: . . . . / . . . . / . . . (1)", "swap_own"), (f"0: {DONE} | 1: {DONE}", "look_line")],
)
def test_edge_22_fetched_by_another_card_it_is_without_effect(layouts: str, kind: Any):
    """SA-50, edge case 22."""
    game = begin(f"{layouts} | turn 0 | hand 0: steal_action | hand 1: {kind}").when(0, Play("steal_action"))
    game = game.when(0, Steal(1, kind))
    assert game.events[:2] == [Stolen(0, 1, kind), EffectLapsed(0, kind)]


def test_edge_23_attacking_a_protected_seat_is_legal_and_uses_up_the_protection():
    """SA-60, edge case 23: any kind may be named, nothing is stolen."""
    comes_to(
        "turn 0 | hand 0: steal_action | hand 1: defence draw_three",
        "0 play steal_action",
        "legal 0: steal 1 defence, steal 1 draw_three",
    )
    comes_to("turn 0 | hand 0: steal_action | hand 1: defence draw_three", "0 play steal_action; 0 steal 1 draw_three",
             "hand 1: draw_three | decide 1 choose")  # fmt: skip


@pytest.mark.parametrize(("one", "other"), [(0, 3), (5, 8)])
def test_edge_24_equal_and_face_down_cards_may_be_exchanged(one: int, other: int):
    """SA-51, edge case 24: and do not count as turned up."""
    game = play(begin("0: 1 1 3 4 / 5 6 7 8 / 9 (2) (10) 11 | turn 0 | hand 0: swap_own"), "0 play swap_own")
    game.when(0, Pick(0, one)).when(0, Pick(0, other)).then(Exchanged(0, Place(0, one), Place(0, other)), TurnBegan(1))


@pytest.mark.parametrize(("active", "other"), [(0, 1), (1, 0)])
def test_edge_25_an_exchange_may_complete_lines_in_two_layouts(active: int, other: int):
    """SA-25, SA-44, edge case 25: the active seat's go first."""
    game = begin(
        "0: 4 1 2 3 / 4 5 6 7 / 9 (1) (2) (3) | 1: 9 1 2 3 / 9 5 6 7 / 4 (1) (2) (3) "
        f"| turn {active} | hand {active}: swap_players"
    )
    game = play(game, f"{active} play swap_players; {active} pick 1:2; {active} pick 0:2")
    assert [event.seat for event in game.events if isinstance(event, LineCleared)] == [active, other]


def test_edge_26_the_removed_card_may_come_back_by_a_restock():
    """SA-55, SA-65, edge case 26."""
    game = begin("1: (8) (1) (2) (3) / 1 2 3 4 / 5 6 7 8 | turn 0 | hand 0: remove_one_each | draw none | discard 5")
    game = game.when(0, Play("remove_one_each")).when(0, Pick(1, 0))
    game.then(Removed(1, 0), RanOut(Owed("layout", 1, 0)))
    game.dealt(Unshuffled()).then(Restocked((8,)), Replaced(1, 0, 8), TurnBegan(1))


def test_edge_26_a_removed_star_keeps_its_owner_the_action_card():
    """SA-55, edge case 26."""
    comes_to(
        "1: * (1) (2) (3) / 1 2 3 4 / 5 6 7 8 | turn 0 | hand 0: remove_one_each | hand 1: look_line | draw 5",
        "0 play remove_one_each; 0 pick 1:0",
        "hand 1: look_line | discard * 0",
    )


def test_edge_27_a_kept_star_is_paid_before_the_others_are_dropped():
    """SA-53, SA-40, edge case 27: with two cards left, two are drawn, then the third after a restock."""
    game = comes_to(
        f"turn 0 | hand 0: draw_three | draw * 5 | discard 7 8 | {FOUR}",
        "0 play draw_three; 0 keep 0; 0 swap 0",
        "decide 0 star | draw none",
    )
    outcome(play(game, "0 take_action 0"), "decide 0 drop | legal 0: drop 1, drop 2 | hand 0: ~look_line")


def test_edge_28_the_finisher_takes_the_card_for_his_last_star_first():
    """SA-25, SA-40, edge case 28: and pays for it."""
    game = begin(f"0: {LAST_CARD.replace('(10)', '(*)')} | 1: {PLAIN} | turn 0 | {FOUR}")
    game = play(game, "0 draw; 0 toss; 0 flip 5").then(Flipped(0, 5, STAR), PicksGranted((0,)))
    game.when(0, TakeAction(0)).then(ActionTaken(0, 0, "look_line", ("look_line",)), FinalLapBegan(0), TurnBegan(1))


def test_edge_29_points_with_action_cards_decide_on_doubling():
    """SA-73, SA-72, edge case 29."""
    four = "1 . . . / 1 . . . / 2 . . ."
    ends(f"0: {four} | 1: {FEW} | finisher 0 | hand 0: look_line", "points 28 10")
    ends(f"0: {four} | 1: {FEW} | finisher 0 | hand 1: look_line", "points 4 20")


def test_edge_30_an_empty_layout_with_two_action_cards_counts_20():
    """SA-72, edge case 30."""
    ends(f"0: {EMPTY} | 1: {DONE} | finisher 0 | hand 0: look_line defence", "points 20 78")


# --- who sees what ------------------------------------------------------------------------------------------------

VIEWERS = (None, 0, 1, 2)
THREE_SEATS = f"seats 3 | 0: {PLAIN} | 1: {PLAIN} | 2: {PLAIN}"


def views(game: Given, *made: str) -> tuple[State, dict[Any, State]]:
    """The truth after the moves, and what every viewer knows who has seen nothing before this table."""
    seen = {viewer: blindfolded(game.state) for viewer in VIEWERS}
    for part in "; ".join(made).split("; "):
        game = play(game, part)
        seen = {viewer: SKYJO_ACTION.fold(view, game.shown(viewer)) for viewer, view in seen.items()}
    return game.state, seen


def blindfolded(state: State) -> State:
    """The table as somebody sees it who has just come."""
    layouts = tuple(
        tuple(slot and (slot if slot.up else Slot(None, up=False)) for slot in own) for own in state.layouts
    )
    return replace(state, layouts=layouts, draw=(None,) * len(state.draw), action_pile=(None,) * len(state.action_pile))


def known_faces(view: State, seat: int) -> list[Any]:
    """The face-down cards of the layout as the viewer knows them."""
    return [slot.card for slot in view.layouts[seat] if slot is not None and not slot.up]


@pytest.mark.parametrize("viewer", VIEWERS)
def test_of_a_deal_everybody_sees_what_lies_open_and_how_many_cards_lie_where(viewer: int | None):
    """SA-13: not even the owner may look at a face-down card."""
    shown = start(3, seed_action_discard=True).dealt(Unshuffled()).shown(viewer)
    actions = DECK.actions
    assert shown == [
        Dealt(((None,) * 12,) * 3, (None,) * 83, DECK.playing[36], actions[:4], actions[4:5], (None,) * 22)
    ]


@pytest.mark.parametrize("viewer", VIEWERS)
def test_only_the_drawer_sees_the_drawn_card(viewer: int | None):
    """SA-13: the drawer, no other seat, no bystander."""
    game = begin(f"{THREE_SEATS} | turn 1 | draw 5").when(1, Draw())
    assert game.shown(viewer) == [Drawn(1, 5 if viewer == 1 else None)]


@pytest.mark.parametrize("viewer", VIEWERS)
def test_only_the_drawer_sees_the_card_drawn_after_a_restock_and_nobody_the_new_draw_pile(viewer: int | None):
    """SA-13, SA-65."""
    game = begin(f"{THREE_SEATS} | turn 1 | draw none | discard 1 2 3").when(1, Draw())
    assert game.shown(viewer) == game.events
    assert game.dealt(Unshuffled()).shown(viewer) == [Restocked((None, None)), Drawn(1, 2 if viewer == 1 else None)]


@pytest.mark.parametrize("viewer", VIEWERS)
def test_nobody_sees_the_new_pile_of_action_cards_but_everybody_the_one_taken_from_it(viewer: int | None):
    """SA-13, SA-67."""
    game = begin(f"{THREE_SEATS} | turn 1 | pile none | adiscard defence look_line draw_three").when(
        1, TakeAction("pile")
    )
    assert game.dealt(Unshuffled()).shown(viewer) == [
        ActionsRestocked((None, None)), ActionTaken(1, "pile", "look_line", ()), TurnBegan(2)
    ]  # fmt: skip


@pytest.mark.parametrize("viewer", VIEWERS)
def test_only_the_drawer_sees_the_three_cards_until_they_are_laid_somewhere(viewer: int | None):
    """SA-13, SA-53: their places are public."""
    game = begin(f"{THREE_SEATS} | turn 1 | hand 1: draw_three | draw 5 6 7").when(1, Play("draw_three"))
    mine = viewer == 1
    faces = (5, 6, 7) if mine else (None, None, None)
    assert game.shown(viewer)[1:] == [DrawnAside(1, place, face) for place, face in enumerate(faces)]
    begun = begin(f"{THREE_SEATS} | turn 1 | hand 1: draw_three | draw 5 6 7")
    _, seen = views(begun, "1 play draw_three", "1 keep 1")
    view = seen[viewer]
    assert [slot and slot.card for slot in view.three] == [faces[0], None, faces[2]]
    assert [slot is not None for slot in view.three] == [True, False, True]
    assert (view.held, view.held_from) == (faces[1], "three")
    _, seen = views(begun, "1 play draw_three", "1 keep 1", "1 swap 0", "1 drop 2")
    assert seen[viewer].discard == (0, 1, 7, 5)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_only_who_looks_at_a_line_sees_its_face_down_cards(viewer: int | None):
    """SA-14, SA-54: not their owner, not the others; everybody sees which line it was."""
    game = begin(f"{THREE_SEATS} | turn 1 | hand 1: look_line").when(1, Play("look_line")).when(1, Look(2, "r2"))
    faces = (9, 10) if viewer == 1 else (None, None)
    assert game.shown(viewer) == [LineLooked(1, 2, "r2", (2, 5), faces), TurnBegan(2)]


@pytest.mark.parametrize("viewer", VIEWERS)
def test_what_was_seen_stays_known_to_the_looker_while_it_lies_face_down(viewer: int | None):
    """SA-14: slots 2 and 5 of seat 2; the other two face-down cards nobody knows."""
    begun = begin(f"{THREE_SEATS} | turn 1 | hand 1: look_line")
    _, seen = views(begun, "1 play look_line", "1 look 2:r2", "2 take_action 0", "0 take_action 0")
    assert known_faces(seen[viewer], 2) == ([9, None, None, 10] if viewer == 1 else [None] * 4)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_what_was_seen_stays_known_to_the_looker_when_an_exchange_moves_it(viewer: int | None):
    """SA-14, SA-56: also when somebody else exchanges it, into another layout; the others do not learn it."""
    begun = begin(f"{THREE_SEATS} | turn 1 | hand 1: look_line | hand 2: swap_players")
    _, seen = views(begun, "1 play look_line", "1 look 2:r2", "2 play swap_players", "2 pick 2:2", "2 pick 0:3")
    assert known_faces(seen[viewer], 0) == ([None, 9, None, None] if viewer == 1 else [None] * 4)
    assert known_faces(seen[viewer], 2) == ([None, None, None, 10] if viewer == 1 else [None] * 4)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_another_look_at_the_same_cards_takes_nothing_from_who_has_seen_them(viewer: int | None):
    """SA-14: seat 1 has seen 9 and 10 of seat 2, then seat 2 looks at 9 and 5 of its own."""
    begun = begin(f"{THREE_SEATS} | turn 1 | hand 1: look_line | hand 2: look_line")
    _, seen = views(begun, "1 play look_line", "1 look 2:r2", "2 play look_line", "2 look 2:c0")
    expected = {1: [9, None, None, 10], 2: [9, None, None, None]}
    assert known_faces(seen[viewer], 2) == expected.get(viewer, [None] * 4)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_an_unseen_card_goes_below_the_discards_unseen(viewer: int | None):
    """SA-13, SA-55: who has looked at it before still knows it; a face-up one everybody knows."""
    begun = begin(f"{THREE_SEATS} | turn 1 | hand 1: look_line | hand 2: remove_one_each | draw 3 4")
    moved = "1 play look_line", "1 look 0:c0", "2 play remove_one_each", "2 pick 0:2", "2 pick 1:2"
    truth, seen = views(begun, *moved)
    assert truth.discard == (9, 9, 0)
    assert seen[viewer].discard == (None, 9 if viewer == 1 else None, 0)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_when_it_becomes_the_top_discard_everybody_sees_it(viewer: int | None):
    """SA-15: the event that takes the card above it shows it."""
    begun = begin(f"{THREE_SEATS} | turn 2 | hand 2: remove_one_each | draw 3 4 | discard 8")
    _, seen = views(begun, "2 play remove_one_each", "2 pick 0:0", "2 pick 1:2")
    assert seen[viewer].discard == (None, 1, 8)
    _, seen = views(begun, "2 play remove_one_each", "2 pick 0:2", "2 pick 1:0")
    assert seen[viewer].discard == (1, None, 8)
    game = play(begun, "2 play remove_one_each; 2 pick 0:2; 2 pick 1:0")
    game = spec.given(SKYJO_ACTION, replace(game.state, turn=0, pending=Pending(0, "choose"))).when(0, Take())
    assert game.shown(viewer) == [Taken(0, 8, top=(9,))]
    assert SKYJO_ACTION.fold(seen[viewer], game.shown(viewer)).discard == (1, 9)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_everything_else_is_open_to_everybody(viewer: int | None):
    """SA-13: all other events, to every seat and to bystanders."""
    assert {type(event) for event in every_event()} == set(get_args(SKYJO_ACTION.event))
    for event in every_event():
        if not isinstance(event, Dealt | Restocked | ActionsRestocked | Drawn | DrawnAside | LineLooked):
            assert SKYJO_ACTION.redact(event, viewer) is event


@cache
def every_event() -> list[Any]:
    """Enough random games that every kind of event occurs in them."""
    return [event for seed in range(60) for _, event, _ in a_game(8 if seed % 4 else 3, seed)]


# --- invariants ---------------------------------------------------------------------------------------------------


def a_game(seats: int, seed: int, moves: int = 600, **options: Any) -> Iterator[tuple[State, Any, State]]:
    return random_play(SKYJO_ACTION, start(seats, **options).state, seed, moves)


CHOICES: list[dict[str, Any]] = [
    {},
    {"discarded_action_choice": "any", "star_action": "must"},
    {"short_rows": False, "seed_action_discard": True},
]
GAMES = [(seats, seed, options) for seats in (2, 3, 5, 8) for seed, options in enumerate(CHOICES)]

every_game = pytest.mark.parametrize(("seats", "seed", "options"), GAMES)


def decisions(seats: int, seed: int, options: dict[str, Any]) -> list[State]:
    """The states in which somebody has a choice."""
    states = [state for _, _, state in a_game(seats, seed, **options)]
    return [state for state in states if SKYJO_ACTION.to_act(state) and settled(state)]


def settled(state: State) -> bool:
    """Nothing follows by itself."""
    return not follows(state, state) and not SKYJO_ACTION.deal(state, Unshuffled())


@every_game
def test_the_cards_are_the_decks_at_every_moment(seats: int, seed: int, options: dict[str, Any]):
    """Invariant 1: counted together, for no card is both a playing card and an action card."""
    deck = Counter(DECK.cards)
    assert all(Counter(CARDS["skyjo_action"](state)) == deck for _, _, state in a_game(seats, seed, **options))


@every_game
def test_exactly_one_seat_has_moves_and_never_too_many(seats: int, seed: int, options: dict[str, Any]):
    """Invariant 2: outside of the setup; that the lists are exact is law 6."""
    for state in decisions(seats, seed, options):
        moves = [len(SKYJO_ACTION.legal(state, seat)) for seat in range(seats)]
        assert max(moves) <= 12 * seats + 5
        assert sum(map(bool, moves)) == len(SKYJO_ACTION.to_act(state)) >= 1
        assert len(SKYJO_ACTION.to_act(state)) == 1 or state.phase == "setup"


@every_game
def test_what_holds_at_the_beginning_of_a_move(seats: int, seed: int, options: dict[str, Any]):
    """Invariants 3 and 8."""
    states = decisions(seats, seed, options)
    beginnings = [state for state in states if state.pending and state.pending.kind == "choose"]
    assert beginnings
    for state in beginnings:
        complete = [line for layout in state.layouts for line in complete_lines(layout, state.options)]
        assert all(has_star for _, has_star in complete)
        assert (state.held, state.held_from, state.three, state.stars, state.owed) == (None, None, (), (), None)
        assert state.discard
        assert state.finisher is not None or not any(map(all_up, state.layouts))
        assert state.finisher is None or state.moves == 1
        assert None not in state.open or not (state.action_pile or len(state.action_discard) > 1)


@every_game
def test_no_card_is_turned_face_down_again_and_no_cleared_slot_filled(seats: int, seed: int, options: dict[str, Any]):
    """Invariant 4: an exchange moves cards as they lie, and a removed card is replaced at once."""
    for before, event, after in a_game(seats, seed, **options):
        if isinstance(event, Dealt | Exchanged | Replaced):
            continue
        for old, new in zip(before.layouts, after.layouts, strict=True):
            for was, slot in zip(old, new, strict=True):
                assert slot is None or (was is not None and slot.up >= was.up)


@every_game
def test_fresh_cards_leave_a_hand_only_by_theft_or_by_blocking(seats: int, seed: int, options: dict[str, Any]):
    """Invariant 6."""
    for before, event, after in a_game(seats, seed, **options):
        if isinstance(event, Played | Discarded):
            fresh = [[held for held in state.hands[event.seat] if held.fresh] for state in (before, after)]
            assert fresh[0] == fresh[1]


@every_game
def test_the_final_lap_is_one_move_for_everybody_else(seats: int, seed: int, options: dict[str, Any]):
    """Invariant 7: hands only grow, and no foreign layout changes."""
    turns: list[int] = []
    for before, event, after in a_game(seats, seed, **options):
        if isinstance(event, Dealt):
            turns = []
        if after.finisher is None or after.phase != "turn":
            continue
        if isinstance(event, TurnBegan):
            turns.append(event.seat)
            assert turns == [(after.finisher + i) % seats for i in range(1, len(turns) + 1)]
            assert len(turns) < seats
        elif not isinstance(event, FinalLapBegan):
            assert not isinstance(event, MoveBegan | Played | Discarded)
            assert all(len(now) >= len(was) for was, now in zip(before.hands, after.hands, strict=True))
            changed = [seat for seat in range(seats) if before.layouts[seat] != after.layouts[seat]]
            assert changed in ([], [after.turn])


@every_game
def test_points_add_up(seats: int, seed: int, options: dict[str, Any]):
    """Invariant 9: bonuses are sums of -10 and -15, totals the sums of the rounds."""
    for before, event, after in a_game(seats, seed, **options):
        if isinstance(event, LineCleared):
            assert event.bonus in (0, -10, -15)
        if isinstance(event, RoundScored):
            assert after.totals == tuple(map(sum, zip(*after.rounds, strict=True)))
            for seat, points in enumerate(event.points):
                own = sum(slot.card for slot in before.layouts[seat] if slot and slot.card != STAR)
                own += 10 * len(before.hands[seat]) + before.star_bonus[seat]
                assert points == own or (seat == before.finisher and points == 2 * own)


@every_game
def test_discarded_action_cards_stay_in_order(seats: int, seed: int, options: dict[str, Any]):
    """Invariant 10: but for a restock and a card that is played again."""
    for before, event, after in a_game(seats, seed, **options):
        if not isinstance(event, Dealt | ActionsRestocked | Replayed):
            assert after.action_discard[: len(before.action_discard)] == before.action_discard
        if isinstance(event, Replayed):
            assert Counter(after.action_discard) == Counter(before.action_discard)


def test_what_a_seat_may_do_depends_on_its_view_alone():
    """Invariants 5 and 11: laws 2 to 5 and 8."""
    for seed, options in enumerate(CHOICES):
        laid = laws.Table(seats=2 + seed, options=Options(**options), seed=seed, exchange=(0, seed, 30 + seed))
        play = laws.Play(SKYJO_ACTION, laid)
        for law in (laws.shadow, laws.legality, laws.redaction, laws.secrecy):
            law(play)
        laws.two_worlds(SKYJO_ACTION, laid)


def test_a_replay_needs_no_chance_and_a_round_can_be_prolonged_at_will():
    """Invariant 12: law 1; and two seats swap face-up cards for ever."""
    laws.replay(laws.Play(SKYJO_ACTION, laws.Table(seats=3, options=Options(), seed=3)))
    game = begin(f"0: {PLAIN} | 1: {PLAIN.replace('1', '4', 1)} | turn 0 | discard 0")
    first = game.state
    for turn in range(6):
        game = game.when(turn % 2, Take()).when(turn % 2, Swap(0))
    assert game.state == first


# --- perft: how many sequences of moves there are -----------------------------------------------------------------


def sequences(state: State, depth: int, dealer: Dealer) -> int:
    """The number of sequences of that many moves from here; every restock is dealt in the same way."""
    state, _, acting = SKYJO_ACTION.settle(state, lambda _: dealer, 0)
    choices = [(seat, move) for seat in acting for move in SKYJO_ACTION.legal(state, seat)]
    if depth == 1:
        return len(choices)
    return sum(
        sequences(SKYJO_ACTION.fold(state, SKYJO_ACTION.decide(state, seat, move)), depth - 1, dealer)
        for seat, move in choices
    )


def after(seats: int, seed: int, moves: int) -> State:
    """A table in the midst of a random game."""
    *_, (_, _, state) = a_game(seats, seed, moves)
    return state


PERFT = {
    (2, 0, 45): [9, 127, 1449, 17402],  # turn choose
    (2, 0, 140): [2, 14, 120, 1034],  # turn drop
    (2, 1, 80): [12, 123, 1066, 10659],  # turn place
    (2, 3, 45): [4, 36, 284, 2560],  # turn flip
    (2, 3, 80): [6, 42, 520, 5353],  # turn star
    (2, 7, 45): [11, 92, 848, 8296],  # turn pick
    (2, 9, 45): [4, 39, 78, 664],  # turn keep
    (3, 3, 140): [2, 22, 234, 2802],  # turn lines
    (3, 6, 80): [36, 660, 5420],  # turn pick
    (3, 9, 140): [24, 552, 9504],  # setup
    (4, 6, 140): [7, 60, 266, 492],  # turn choose
    (4, 8, 80): [4, 67, 1975, 19227],  # turn steal
    (5, 6, 80): [34, 306, 2516, 19754],  # turn look
    (6, 0, 140): [12, 144, 1728, 12096],  # turn pick
    (8, 0, 45): [12, 24, 264, 2280],  # turn slot
}
"""Seats, seed and number of moves of a random game; what is pending in it then."""


@pytest.mark.parametrize(("seats", "seed", "moves"), PERFT)
def test_the_number_of_sequences_of_moves(seats: int, seed: int, moves: int):
    """As counted once: a change of what is legal shows here."""
    state, counted = after(seats, seed, moves), PERFT[seats, seed, moves]
    depths = range(1, len(counted) + 1)
    assert [sequences(state, depth, Dealer(b"any", "", (), 0)) for depth in depths] == counted
