"""The rulebook of Scandaroon as sentences. Ids are those of `docs/rules/scandaroon.md`, tables are in its notation."""

import dataclasses
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.cards import put
from domain.deck import InvalidDeck
from domain.fairness.chance import Dealer
from domain.ruleset import InvalidSetup, Result
from domain.rulesets.scandaroon import SCANDAROON, Options, State
from domain.rulesets.scandaroon.deck import SYMBOLS
from domain.rulesets.scandaroon.play import trump_turned, victory_points
from domain.rulesets.scandaroon.table import (
    Boosted,
    Drawn,
    Exchange,
    Exchanged,
    HandsDealt,
    HighScore,
    Pass,
    Passed,
    Pending,
    Place,
    Play,
    Played,
    Prepared,
    Protected,
    Removed,
    Reshuffled,
    Returned,
    RoundScored,
    SetTrump,
    Shifted,
    Slot,
    Spent,
    Spot,
    Stolen,
    Stone,
    StonePlayed,
    Stop,
    Swapped,
    TableCleared,
    Target,
    Targeted,
    TrumpChanged,
    TrumpFlipped,
    TrumpRevealed,
    TurnBegan,
    Use,
    Used,
    Won,
)
from domain.rulesets.scandaroon.values import current_values, final_values, pile_totals, scores
from tests.domain.scandaroon_notation import DECK, PRINTED, at, deck_of, move, outcome, play
from tests.kit import laws, spec
from tests.kit.laws import Table
from tests.kit.spec import Given

ALL = (None, 0, 1, 2)
"""A bystander and the seats of a table of three."""


class Chance:
    """Leaves all cards in their order, and draws the given lot."""

    def __init__(self, lot: int = 0) -> None:
        self.lot = lot
        self.asked: list[Any] = []

    def below(self, n: int) -> int:
        self.asked.append(n)
        return self.lot

    def shuffled(self, items: Sequence[Any]) -> tuple[Any, ...]:
        self.asked.append(tuple(items))
        return tuple(items)


def start(seats: int = 3, **options: Any) -> Given:
    return spec.given(SCANDAROON, SCANDAROON.initial(seats, Options(**options), DECK))


def ability(kind: str, **more: Any) -> dict[str, Any]:
    return {"ability": {"kind": kind, **more}}


def effect(direction: str, reach: Any, amount: int, **more: Any) -> dict[str, Any]:
    return {"effect": [{"direction": direction, "reach": reach, "amount": amount, **more}]}


def targets(game: Given) -> list[str]:
    """What the seat on turn may choose, as `row.position`."""
    listed = SCANDAROON.legal(game.state, game.state.turn)
    return [f"{move.row}.{move.position}" for move in listed if isinstance(move, Target)]


# --- the deck -----------------------------------------------------------------------------------------------------


def test_the_shipped_deck_is_what_the_rules_tell_of_the_printed_one():
    """SD-2, SD-5, SD-13."""
    faces = DECK.data.cards
    assert len(faces) == 51
    assert [face.id for face in faces if not face.symbols] == ["N5"]
    assert sum(len(face.symbols) == 2 for face in faces) == 6
    assert {face.base for face in faces} == set(range(8))
    assert [face.id for face in faces if face.end] == ["S6", "S7", "M6", "M7", "T6", "T7", "X6", "X7"]
    assert [face.id for face in faces if face.play_anywhere] == ["S0", "M0", "T0", "X0"]
    assert sum(face.effect is not None for face in faces) == sum(face.ability is not None for face in faces) == 15
    assert sum(face.base for face in faces) == 168
    assert Counter(symbol for face in faces for symbol in face.symbols) == dict.fromkeys(SYMBOLS, 14)
    kinds = Counter(face.ability.__struct_config__.tag for face in faces if face.ability is not None)
    assert kinds == {"remove": 3, "boost": 3, "set_trump": 4, "draw": 2, "move": 1, "swap": 1, "return": 1}


def test_the_shipped_deck_says_that_it_is_a_reconstruction():
    """SD-1, SD-15: the default, by its name and in its provenance."""
    assert list(SCANDAROON.decks) == ["reconstruction-1"]
    assert DECK.data.provenance.startswith("A reconstruction, not the printed cards")


def test_a_card_is_written_as_in_the_rules_document():
    """SD-6."""
    assert msgspec.to_builtins(DECK.faces["S2b"]) == {
        "id": "S2b", "base": 2, "symbols": ("scimitar",), "ability": None, "end": False, "play_anywhere": False,
        "effect": ({"direction": "left", "reach": 1, "amount": 2},),
    }  # fmt: skip


def test_cards_come_to_be_shuffled_in_the_order_of_the_file():
    """SD-6, SD-60: the canonical order of the protocol."""
    assert deck_of(PRINTED[::-1]).cards == DECK.cards[::-1]


def changed(**more: Any) -> list[dict[str, Any]]:
    """The cards, the second of them changed."""
    return [PRINTED[0], PRINTED[1] | more, *PRINTED[2:]]


TWICE = {"symbols": ["turban", "turban"]}
FAULTS = [
    (changed(id="S0"), {}, "There is a card S0 already - at `$.cards[1].id`"),
    (changed(id=""), {}, r"Expected `str` matching regex '^[!-~]{1,64}$(?!\\n)' - at `$.cards[1].id`"),
    (changed(base=-1), {}, "Expected `int` >= 0 - at `$.cards[1].base`"),
    (changed(base=2.5), {}, "Expected `int`, got `float` - at `$.cards[1].base`"),
    (changed(symbols=["heart"]), {}, "Invalid enum value 'heart' - at `$.cards[1].symbols[0]`"),
    (changed(**TWICE), {}, "A card bears a symbol once - at `$.cards[1].symbols`"),
    (changed(colour="red"), {}, "Object contains unknown field `colour` - at `$.cards[1]`"),
    (changed(effect=[]), {}, "Expected `array` of length >= 1 - at `$.cards[1].effect`"),
    (changed(**effect("up", 1, 1)), {}, "Invalid enum value 'up' - at `$.cards[1].effect[0].direction`"),
    (changed(**effect("left", 0, 1)), {}, "Expected `int` >= 1 - at `$.cards[1].effect[0].reach`"),
    (changed(**effect("left", "far", 1)), {}, "Invalid enum value 'far' - at `$.cards[1].effect[0].reach`"),
    (changed(**effect("left", 1, 0)), {}, "An effect changes values by some amount - at `$.cards[1].effect[0].amount`"),
    (changed(**effect("table", 1, 1)), {}, "The direction table reaches all - at `$.cards[1].effect[0].reach`"),
    (changed(**effect("left", 1, 1, **TWICE)), {}, "A symbol is listed once - at `$.cards[1].effect[0].symbols`"),
    (changed(**effect("left", 1, 1, symbols=[])), {},
     "Expected `array` of length >= 1 - at `$.cards[1].effect[0].symbols`"),
    (changed(**ability("destroy")), {}, "Invalid value 'destroy' - at `$.cards[1].ability.kind`"),
    (changed(**ability("remove")), {}, "Object missing required field `target` - at `$.cards[1].ability`"),
    (changed(**ability("remove", target={"row": "own"})), {},
     "Object contains unknown field `row` - at `$.cards[1].ability.target`"),
    (changed(**ability("remove", target={"max": "self"})), {},
     "Invalid enum value 'self' - at `$.cards[1].ability.target.max`"),
    (changed(**ability("remove", target={}, count=0)), {}, "Expected `int` >= 1 - at `$.cards[1].ability.count`"),
    (changed(**ability("remove", target=TWICE)), {},
     "A symbol is listed once - at `$.cards[1].ability.target.symbols`"),
    (changed(**ability("boost", amount=2)), {}, "A boost has either a target or an area - at `$.cards[1].ability`"),
    (changed(**ability("boost", amount=2, target={}, area={"direction": "left", "reach": 1})), {},
     "A boost has either a target or an area - at `$.cards[1].ability`"),
    (changed(**ability("boost", amount=0, target={})), {},
     "A boost changes values by some amount - at `$.cards[1].ability.amount`"),
    (changed(**ability("boost", amount=1, area={"direction": "elsewhere", "reach": 2})), {},
     "The direction elsewhere reaches all - at `$.cards[1].ability.area.reach`"),
    (changed(**ability("boost", amount=1, area={"direction": "left", "reach": 2}, count=2)), {},
     "A boost of an area happens once - at `$.cards[1].ability.count`"),
    (changed(**ability("set_trump", values=["none", "none"])), {},
     "A trump is listed once - at `$.cards[1].ability.values`"),
    (changed(**ability("swap", first={}, second={}, max_difference=-1)), {},
     "Expected `int` >= 0 - at `$.cards[1].ability.max_difference`"),
    (changed(**ability("swap", first=TWICE, second={})), {},
     "A symbol is listed once - at `$.cards[1].ability.first.symbols`"),
    (changed(**ability("swap", first={}, second=TWICE)), {},
     "A symbol is listed once - at `$.cards[1].ability.second.symbols`"),
    (changed(**ability("move", target={}, to="away")), {}, "Invalid enum value 'away' - at `$.cards[1].ability.to`"),
    ([], {}, "Expected `array` of length >= 1 - at `$.cards`"),
    (PRINTED, {"stone": {"crescent": "steal"}},
     "Each of scimitar, crescent, turban, cross_tile has one of the outcomes score_pile, exchange, protect, steal to "
     "itself - at `$.stone`"),
    (PRINTED, {"stone": dict.fromkeys(SYMBOLS, "steal")},
     "Each of scimitar, crescent, turban, cross_tile has one of the outcomes score_pile, exchange, protect, steal to "
     "itself - at `$.stone`"),
    (PRINTED, {"stone": {"heart": "steal"}}, "Invalid enum value 'heart' - at `key` in `$.stone`"),
    (PRINTED, {"ruleset": "skyjo"}, "The deck is for the ruleset 'skyjo', not for 'scandaroon' - at `$.ruleset`"),
]  # fmt: skip


@pytest.mark.parametrize(("cards", "more", "message"), FAULTS, ids=range(len(FAULTS)))
def test_a_faulty_deck_is_refused_with_the_fault_and_its_place(cards: Any, more: dict[str, Any], message: str):
    """SD-12, SD-6 to SD-9, SD-11."""
    with pytest.raises(InvalidDeck) as refusal:
        deck_of(cards, **more)
    assert str(refusal.value) == message


@pytest.mark.parametrize("seats", [3, 4])
def test_a_deck_needs_six_cards_for_every_seat(seats: int):
    """SD-12."""
    least = 6 * seats
    assert SCANDAROON.initial(seats, Options(), deck_of(PRINTED[:least])).deck.cards == DECK.cards[:least]
    with pytest.raises(InvalidSetup) as refusal:
        SCANDAROON.initial(seats, Options(), deck_of(PRINTED[: least - 1]))
    assert str(refusal.value) == f"{seats} seats need a deck of at least {least} cards, this one has {least - 1}."


def test_another_deck_gives_the_symbols_other_outcomes():
    """SD-11: which symbol makes the stone do what stands in the deck."""
    other = dict(zip(SYMBOLS, ("exchange", "protect", "steal", "score_pile"), strict=True))
    game = at("h0: X5")
    game = game._replace(state=replace(game.state, deck=deck_of(PRINTED, stone=other)))
    game = game.when(0, move("stone hand X5 as cross_tile"))
    game.then(StonePlayed(0, "cross_tile", "score_pile", "X5"), TurnBegan(1))
    outcome(game, "piletotals 4 0 0; stone0 pile")


# --- seats and options --------------------------------------------------------------------------------------------


def test_three_or_four_seats_and_each_has_a_stone():
    """SD-14, SD-5."""
    assert list(SCANDAROON.seats) == [3, 4]
    assert start(4).state.stones == ("ready",) * 4


def test_the_options_default_to_what_the_document_says():
    """SD-16 to SD-18; rounds, hands and stones are no options (SD-19)."""
    assert msgspec.convert({}, Options) == Options(value_floor=0, tied_last_bonus="all", foreign_empty_row=True)
    assert set(Options.__struct_fields__) == {"value_floor", "tied_last_bonus", "foreign_empty_row"}


@pytest.mark.parametrize(
    "options", [{"value_floor": 1}, {"value_floor": False}, {"tied_last_bonus": "some"}, {"rounds": 3}]
)
def test_other_options_are_refused(options: dict[str, Any]):
    """SD-16 to SD-19."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(options, Options)


# --- the deal -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [3, 4])
def test_the_first_round_is_prepared_in_one_step(seats: int):
    """SD-28, SD-60, SD-72: the starter by lot, the trump cards, the cards; five cards one by one clockwise."""
    chance = Chance(lot=2)
    game = start(seats).dealt(chance)
    assert chance.asked == [seats, SYMBOLS, DECK.cards]
    top = DECK.cards[::-1]
    hands = tuple(top[(seat - 2) % seats : 5 * seats : seats] for seat in range(seats))
    game.then(
        Prepared(2, "cross_tile", SYMBOLS[:3], DECK.cards),
        HandsDealt(hands),
        TurnBegan(2),
    )
    state = game.state
    assert (state.hands, state.draw, state.discard) == (hands, DECK.cards[: -5 * seats], ())
    assert (state.round, state.phase, state.turn, state.trump, state.trump_at_start) == (
        1, "turn", 2, "cross_tile", "cross_tile",
    )  # fmt: skip


def test_the_dealer_acts_in_deal_and_before_the_third_round_and_never_else():
    """SD-29, SD-61."""
    game = play(at("round=2; r0: S7; h0: S1; draw: M1; disc: T1"), "all pass")
    due = {}
    for phase in ("deal", "turn", "settle", "reshuffle", "over"):
        events = game._replace(state=replace(game.state, phase=phase)).dealt(Chance()).events
        due[phase] = [type(event) for event in events or ()]
    assert {phase: events[0] for phase, events in due.items() if events} == {
        "deal": Prepared,
        "reshuffle": Reshuffled,
    }


def test_before_the_third_round_the_draw_pile_and_the_discards_are_shuffled_in_one_step():
    """SD-61, SD-71: the draw pile from its bottom on, then the discards as they were laid."""
    chance = Chance()
    game = play(at("round=2; trump=crescent; r0: S7; disc: S1 S2a; draw: M5 M1"), "all pass").dealt(chance)
    assert chance.asked == [("M1", "M5", "S1", "S2a")]
    assert game.events is not None
    assert game.events[0] == Reshuffled(("M1", "M5", "S1", "S2a"))
    outcome(game, "round 3; disc empty; h1 S2a M1; h2 S1; h0 M5")


def test_hands_are_filled_up_in_turn_as_far_as_the_pile_goes():
    """SD-72: of seven missing cards there are four."""
    game = at("h0: S1 S2a S3a; h1: M1 M2a M3a M4a; r2: S7; draw: T1 T2a T3a T4a", N5={})
    outcome(play(game, "all pass"), "starter 0; h0 S1 S2a S3a T1 T4a; h1 M1 M2a M3a M4a T2a; h2 T3a; draw empty")


# --- whose turn it is ---------------------------------------------------------------------------------------------


def test_turns_go_clockwise_past_those_who_have_passed():
    """SD-3, SD-29."""
    game = at("n=4; h0: S4a; h1: M4a; h3: T4a")
    outcome(play(game, "0 play S4a>0, 1 pass, 2 pass, 3 play T4a>3, 0 pass, 3 pass"), "round 2")
    outcome(play(game, "0 play S4a>0, 1 pass, 2 pass"), "turn 3")
    outcome(play(game, "0 pass, 1 pass, 2 pass, 3 play T4a>3"), "turn 3")


def test_only_the_seat_on_turn_has_moves():
    """SD-29, SD-94."""
    game = at("h0: S4a; h1: M4a; h2: T4a")
    assert SCANDAROON.to_act(game.state) == (0,)
    game.legal(1).legal(2)
    game.when(1, Play("M4a", 1)).illegal()
    game.when(1, Pass()).illegal()


def test_nobody_draws_a_card_in_a_turn_without_an_ability_or_a_stone():
    """SD-30."""
    game = play(at("h0: S4a; h1: M4a; draw: T1 T2a"), "0 play S4a>0, 1 play M4a>1, 2 pass, 0 pass, 1 pass")
    assert not any(isinstance(event, Drawn) for event in game.events or ())
    outcome(play(at("h0: S4a; draw: T1 T2a"), "0 play S4a>0"), "h0 empty; draw T1 T2a")


def test_nothing_is_answered_that_was_not_asked():
    """SD-29, SD-39."""
    game = at("h0: S4a; r0: S1; r1: M1; draw: M2a")
    for answer in (Target(1, 0), Place(position=0), SetTrump("turban"), Exchange("S4a"), Stop()):
        game.when(0, answer).illegal()


def test_what_is_pending_is_for_the_seat_on_turn_and_comes_before_everything_else():
    """SD-32, SD-33: nothing can be taken back, and a single choice must still be made."""
    game = play(at("h0: S4a; r0: S1; r1: M1; h1: M5"), "0 use 0")
    assert game.state.pending == Pending("ability", 0, left=1)
    game.legal(0, Target(1, 0)).legal(1).legal(2)
    for other in (Pass(), Play("S4a", 0), Use(0), Stop()):
        game.when(0, other).illegal()


# --- laying cards -------------------------------------------------------------------------------------------------


def test_a_card_is_laid_at_the_end_of_the_own_row():
    """SD-34, SD-36, SD-21: the first card begins it; a new slot after all others, empty ones included."""
    at("h0: S4a S5").when(0, Play("S4a", 0)).then(Played(0, 0, "S4a"), TurnBegan(1))
    outcome(play(at("h0: S4a; r0: M5 -"), "0 play S4a>0"), "r0 M5 - S4a; h0 empty")


def test_only_some_cards_may_be_laid_at_any_row():
    """SD-34: and only cards of the own hand."""
    game = at("h0: S4a X0; h1: S5; r1: M5; r2: T5; stones=gone")
    outcome(game, "only0 play S4a>0, play X0>0, play X0>1, play X0>2, pass")
    game.when(0, Play("S4a", 1)).illegal()
    game.when(0, Play("S5", 0)).illegal()
    game.when(0, Play("X0", 3)).illegal()
    game.when(0, Play("Q9", 0)).illegal()


def test_nothing_is_laid_behind_an_end_card():
    """SD-35, SD-4: only the last card counts, and an empty row is not closed."""
    outcome(at("h0: S4a; r0: S7; stones=gone"), "only0 pass")
    outcome(at("h0: S4a; r0: S7 -; stones=gone"), "only0 pass")
    outcome(at("h0: S4a; r0: S7 M5; stones=gone"), "only0 play S4a>0, pass")
    outcome(at("h0: S4a; r0: - -; stones=gone"), "only0 play S4a>0, pass")


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("r0: S2a; r1: S4a S7; h1: M5", "0 use 0, 0 target 1.1"),
        ("r0: X2a; r1: S4a S7; h1: M5", "0 use 0, 0 target 1.1"),
        ("h0: S7; r1: S4a M7; h1: M5", "0 stone hand S7 as scimitar, 0 target 1.1"),
        ("r0: T1; r1: S4a S7; h1: M5", "0 use 0, 0 target 1.1, 0 place 0"),
        ("r0: T3b T5; r1: S4a S7; h1: M5", "0 use 0, 0 target 0.1, 0 target 1.1"),
    ],
)
def test_a_row_opens_again_when_its_end_card_goes(text: str, moves: str):
    """SD-35, SD-79, SD-42: removed, returned, stolen, moved or swapped away."""
    any_card = {"X2a": ability("return", target={"rows": "any"}, to="user")}
    game = at(text, **any_card)
    assert Play("M5", 1) not in SCANDAROON.legal(replace(game.state, turn=1), 1)
    outcome(play(game, moves), "legal1 + play M5>1")


def test_an_end_card_in_the_midst_closes_nothing():
    """SD-80, SD-98: it got there by a swap."""
    game = play(at("r0: T3b S7; r1: M5 M4a; h1: X5"), "0 use 0, 0 target 0.1, 0 target 1.0")
    outcome(game, "r1 S7 M4a; legal1 + play X5>1")
    outcome(play(game, "1 play X5>1"), "r1 S7 M4a X5")


def test_an_end_card_that_may_be_laid_anywhere_closes_the_row_of_another():
    """SD-78."""
    outcome(play(at("h0: Z3; r1: M4a; h1: M5; stones=gone"), "0 play Z3>1"), "only1 pass")


def test_a_card_with_an_ability_laid_at_another_row_belongs_to_that_row():
    """SD-77, SD-37."""
    game = play(at("h0: Z8; r1: M4a; r2: T1"), "0 play Z8>1")
    outcome(game, "legal1 + use 1")
    outcome(play(game, "1 pass, 2 pass"), "legal0 - use 1")


def test_a_card_laid_at_a_row_whose_seat_has_passed_counts_and_is_as_immune():
    """SD-81, SD-36, SD-57: the seat stays passed."""
    game = play(at("trump=none; passed: 1; h0: X0 S5; r1: M4a S5; h2: S1; r2: S1"), "0 play X0>1")
    outcome(game, "score 0 6 1; turn 2; legal2 - use 0")
    outcome(play(game, "2 pass"), "turn 0; legal1 - pass")


# --- values -------------------------------------------------------------------------------------------------------

DIRECTIONS = [
    ("left", 1, "0 1 0 0 0", "0"), ("left", 2, "1 1 0 0 0", "0"), ("left", "all", "1 1 0 0 0", "0"),
    ("right", 1, "0 0 0 1 0", "0"), ("right", 2, "0 0 0 1 1", "0"), ("both", 1, "0 1 0 1 0", "0"),
    ("both", "all", "1 1 0 1 1", "0"), ("table", "all", "1 1 0 1 1", "1"), ("elsewhere", "all", "0 0 0 0 0", "1"),
]  # fmt: skip


@pytest.mark.parametrize(("direction", "reach", "own", "other"), DIRECTIONS)
def test_an_effect_reaches_in_its_direction_and_never_its_own_card(direction: str, reach: Any, own: str, other: str):
    """SD-7, SD-24."""
    zero = {"base": 0, "effect": None}
    cards = {"S1": zero, "M1": zero, "T1": zero, "X1": zero, "X2a": zero}
    game = at("trump=none; r0: S1 M1 N5 T1 X1; r2: X2a", **cards, N5={"base": 0, **effect(direction, reach, 1)})
    outcome(game, f"current0 {own}; current2 {other}")


def test_an_effect_may_be_for_some_symbols_only():
    """SD-7, SD-26: a card with two symbols counts as each."""
    game = at("trump=none; r0: S4a N5 ST2; r1: T4a", N5=effect("table", "all", 2, symbols=["scimitar"]))
    outcome(game, "current0 6 5 4; current1 4")


def test_a_card_may_have_several_effects_and_an_ability():
    """SD-7, SD-75: its effects end when it is discarded."""
    parts = [{"direction": "left", "reach": 1, "amount": 2}, {"direction": "right", "reach": "all", "amount": 1}]
    both = {"effect": parts, **ability("draw", count=1, may_play=False)}
    game = at("trump=none; r0: S4a N5 M5 T5; draw: X5", N5=both)
    outcome(game, "current0 6 5 6 6")
    outcome(play(game, "0 use 1"), "current0 4 5 5; h0 X5")


def test_gaps_close_up():
    """SD-22, SD-21: neighbours are the nearest cards, whatever has gone between them."""
    outcome(at("trump=none; r0: S4a - - T2b; r1: - M4a X3a"), "current0 6 2; current1 5 3")


def test_the_current_value_is_the_base_value_with_effects_and_boost():
    """SD-24, SD-23, SD-25: the floor is for the whole sum."""
    outcome(at("trump=none; r0: M1+3 M0; r1: M1+1 M0"), "current0 1 0; current1 0 0")
    outcome(at("value_floor=null; trump=none; r0: M1+3 M0; r1: M1+1 M0"), "current0 1 0; current1 -1 0; score 1 -1 0")


def test_a_trump_counts_twice_once_only():
    """SD-26: also with two symbols, and the floor comes before doubling."""
    outcome(at("r0: SM3 S4a; r1: T4a"), "final0 6 10; final1 4; score 16 4 0")
    outcome(at("trump=none; r0: SM3 S4a"), "final0 3 5")
    outcome(at("value_floor=null; r0: S1 S0"), "final0 -4 0")


def test_scores_are_computed_from_rows_and_trump_alone():
    """SD-26, SD-27, SD-57, SD-58, SD-103: passed and protected cards give and take as all others."""
    open_row = at("trump=crescent; r0: S4a X3a M5; r1: M2b").state
    shut = at("trump=crescent; passed: 0,1; r0: S4a!1 X3a!2 M5; r1: M2b; h2: S5; pile0: S7").state
    assert scores(open_row) == scores(shut) == (5 + 3 + 12, 4, 0)
    assert final_values(open_row) == final_values(shut)


# --- abilities ----------------------------------------------------------------------------------------------------


def test_an_ability_card_is_discarded_after_its_ability_was_used():
    """SD-37."""
    game = at("r0: S1; r1: M1").when(0, Use(0)).then(Used(0, 0))
    outcome(game, "r0 S1; disc empty; turn 0")
    game = game.when(0, Target(1, 0)).then(Removed(0, Spot(1, 0), 0), Spent(0, 0), TurnBegan(1))
    outcome(game, "r0 -; r1 -; disc M1 S1")


def test_only_unprotected_cards_with_an_ability_in_the_own_row_can_be_used():
    """SD-37, SD-58, SD-99: there is none in the others' rows to be had."""
    game = at("r0: M4a S1!2 -; r1: S1 M1; r2: M1")
    for position in (0, 1, 2, 3):
        game.when(0, Use(position)).illegal()


@pytest.mark.parametrize(
    ("text", "usable"),
    [
        ("r0: S1; r1: M5", False), ("r0: S1; r1: M2b", True),
        ("r0: M1", False), ("r0: M1; r1: M5", False), ("r0: M1 M5", True), ("r0: M1 M5!1", False),
        ("r0: M3b", False), ("r0: M3b - M5", True), ("r0: M3b M5!1", False),
        ("r0: T3b; r1: M5", False), ("r0: T3b X0; r1: M5", False), ("r0: T3b M4a; r1: M5", True),
        ("r0: T2a", True), ("r0: ST2; trump=turban", True), ("r0: ST2; trump=scimitar", True),
        ("r0: T1; r1: M5", False), ("r0: T1 M5", True), ("r0: T1; r1: M5 M6", True),
        ("passed: 1; r0: T1; r1: M5 M6", False),
        ("r0: Z6; r1: M5", True), ("r0: Z6 S7; r1: M5", True), ("r0: X1", False), ("r0: X1; draw: S1", True),
        ("r0: X2a; r1: T2b", True), ("r0: X2a; r1: T3a", False),
    ],
)  # fmt: skip
def test_an_ability_that_finds_nothing_to_act_on_cannot_be_used(text: str, usable: bool):
    """SD-38, SD-8, SD-90."""
    assert (Use(0) in SCANDAROON.legal(at(text).state, 0)) == usable


def test_a_trump_changer_with_nothing_but_the_trump_cannot_be_used():
    """SD-8, SD-44."""
    only = ability("set_trump", values=["turban"])
    assert Use(0) not in SCANDAROON.legal(at("trump=turban; r0: N5", N5=only).state, 0)
    assert Use(0) in SCANDAROON.legal(at("trump=none; r0: N5", N5=only).state, 0)


TABLE = "trump=none; passed: 2; r0: N5 S2b+1 M4a; r1: X5 T4a!2 ST2 M6; r2: T7"
"""Seat 0 has an ability; currently its row counts 7, 3 and 4, the other 5, 4, 2 and 6."""

FILTERS = [
    ({}, "0.1 0.2 1.0 1.2 1.3"),
    ({"rows": "own"}, "0.1 0.2"), ({"rows": "other"}, "1.0 1.2 1.3"), ({"rows": "any"}, "0.1 0.2 1.0 1.2 1.3"),
    ({"place": "last"}, "0.2 1.3"), ({"place": "first"}, "1.0"), ({"place": "last", "end": False}, "0.2"),
    ({"symbols": ["scimitar"]}, "0.1 1.2"), ({"symbols": ["turban", "crescent"]}, "0.2 1.2 1.3"),
    ({"end": True}, "1.3"), ({"end": False}, "0.1 0.2 1.0 1.2"),
    ({"max": 2}, "0.1 1.2"), ({"min": 5}, "1.0 1.3"), ({"min": 4, "max": 5}, "0.2 1.0"),
    ({"compare": "current", "max": 2}, "1.2"), ({"compare": "current", "min": 3, "max": 4}, "0.1 0.2"),
    ({"max": "self_base"}, "0.1 0.2 1.0 1.2"), ({"max": "self_current"}, "0.1 0.2 1.0 1.2 1.3"),
    ({"min": "self_base"}, "1.0 1.3"), ({"min": "self_current"}, ""),
]  # fmt: skip


@pytest.mark.parametrize(("filter_", "admitted"), FILTERS, ids=str)
def test_a_filter_admits_cards_of_live_rows_that_are_unprotected_and_not_the_ability_card(filter_: Any, admitted: str):
    """SD-9, SD-39, SD-40, SD-4, SD-56, SD-91: and besides what it says; the effect of S2b counts for `self_current`."""
    game = at(TABLE, N5=ability("remove", target=filter_))
    assert (Use(0) in SCANDAROON.legal(game.state, 0)) == (admitted != "")
    assert " ".join(targets(play(game, "0 use 0")) if admitted else []) == admitted


def test_the_last_card_of_a_row_is_looked_at_whatever_it_is():
    """SD-9, SD-76: protected, or the ability card itself, it hides its row."""
    hidden = ability("remove", target={"place": "last"})
    assert targets(play(at("r0: M4a N5; r1: S4a S5!2; r2: X5", N5=hidden), "0 use 1")) == ["2.0"]


def test_an_ability_card_counts_until_its_discard():
    """SD-74, SD-91: its effect, its boost, its place; the card that raised it may be its target."""
    game = at("trump=none; r0: S3b T2b; r1: M5 M6")
    assert targets(play(game, "0 use 0")) == ["0.1", "1.0"]
    assert targets(play(at("trump=none; r0: S3b+3; r1: M5 M6"), "0 use 0")) == ["1.0", "1.1"]
    low = at("value_floor=null; trump=none; r0: S3b+1 X0; r1: M1; h0: S5")
    assert current_values(low.state)[0] == [1, 0]
    assert Use(0) not in SCANDAROON.legal(at("value_floor=null; trump=none; r0: S3b-1 - X0; r1: M1").state, 0)
    assert targets(play(low, "0 use 0")) == ["0.1", "1.0"]


def test_several_targets_are_chosen_one_after_the_other():
    """SD-10: computed anew each time, and fewer when none is left."""
    many = {"N5": ability("remove", target={"rows": "other", "place": "last"}, count=3)}
    game = at("r0: N5; r1: M4a M5; r2: X5", **many).when(0, Use(0)).when(0, Target(1, 1))
    game.then(Removed(0, Spot(1, 1), 2))
    assert targets(game) == ["1.0", "2.0"]
    game = game.when(0, Target(1, 0)).then(Removed(0, Spot(1, 0), 1))
    game.when(0, Target(2, 0)).then(Removed(0, Spot(2, 0), 0), Spent(0, 0), TurnBegan(1))
    early = at("r0: N5; r1: M4a", **many).when(0, Use(0)).when(0, Target(1, 0))
    early.then(Removed(0, Spot(1, 0), 0), Spent(0, 0), TurnBegan(1))


def test_a_boost_may_hit_the_same_card_again():
    """SD-10, SD-41: a protected card gets none."""
    twice = {"N5": ability("boost", amount=2, target={"rows": "own"}, count=2)}
    game = at("trump=none; r0: N5 M4a S4a!1", **twice).when(0, Use(0)).when(0, Target(0, 1))
    game.then(Boosted(0, (Spot(0, 1),), 2, 1))
    outcome(play(game, "0 target 0.1"), "r0 - M4a+4 S4a!1; score 12 0 0")


def test_a_boost_of_an_area_happens_by_itself():
    """SD-8, SD-41, SD-56: to unprotected cards in live rows."""
    wide = {"N5": ability("boost", amount=-1, area={"direction": "table", "reach": "all", "symbols": ["crescent"]})}
    game = at("passed: 2; r0: N5 M4a M5!1 S4a; r1: M6; r2: M7", **wide).when(0, Use(0))
    game.then(Used(0, 0), Boosted(0, (Spot(0, 1), Spot(1, 0)), -1, 0), Spent(0, 0), TurnBegan(1))
    outcome(game, "r0 - M4a-1 M5!1 S4a; r1 M6-1; r2 M7")


def test_the_cards_that_a_boost_reaches_are_named_from_left_to_right():
    """SD-8, SD-22."""
    near = {"N5": ability("boost", amount=1, area={"direction": "both", "reach": "all"})}
    game = at("r0: M4a S4a N5 X5 T5", **near).when(0, Use(2))
    spots = tuple(Spot(0, position) for position in (0, 1, 3, 4))
    game.then(Used(0, 2), Boosted(0, spots, 1, 0), Spent(0, 2), TurnBegan(1))


def test_a_row_that_has_passed_does_not_shield_those_behind_it_from_a_boost():
    """SD-8, SD-56."""
    wide = {"N5": ability("boost", amount=1, area={"direction": "elsewhere", "reach": "all"})}
    game = at("passed: 1; r0: N5; r1: M6; r2: M7", **wide).when(0, Use(0))
    game.then(Used(0, 0), Boosted(0, (Spot(2, 0),), 1, 0), Spent(0, 0), TurnBegan(2))


def test_a_boost_stays_with_its_card_while_it_is_in_play():
    """SD-23: it goes with it through the row and to another, and is gone in a hand."""
    outcome(play(at("r0: T1 M5+2"), "0 use 0, 0 target 0.1, 0 place 0"), "r0 M5+2 -")
    outcome(play(at("r0: Z6 M5+2; r1: X5"), "0 use 0, 0 target 0.1, 0 place row 1"), "r1 X5 M5+2; r0 - -")
    outcome(play(at("r0: T3b M4a+3; r1: M5-1"), "0 use 0, 0 target 0.1, 0 target 1.0"), "r0 - M5-1; r1 M4a+3")
    taken = at("h0: S5; r1: M4a+3")
    outcome(play(taken, "0 stone hand S5 as scimitar, 0 target 1.0, 1 pass, 2 pass, 0 play M4a>0"), "r0 M4a")


def test_two_cards_exchange_their_slots():
    """SD-42, SD-90: in one row or two, and only those can come first that have a second."""
    anywhere = {"N5": ability("swap", first={"rows": "own"}, second={"rows": "any"}, max_difference=1)}
    game = at("r0: N5 M4a S7; r1: X5 X1", **anywhere).when(0, Use(0))
    assert targets(game) == ["0.1"]
    game = game.when(0, Target(0, 1)).then(Targeted(0, Spot(0, 1)))
    assert targets(game) == ["1.0"]
    game = game.when(0, Target(1, 0)).then(Swapped(0, Spot(0, 1), Spot(1, 0)), Spent(0, 0), TurnBegan(1))
    outcome(game, "r0 - X5 S7; r1 M4a X1")
    outcome(play(at("r0: N5 M6 S7", **anywhere), "0 use 0, 0 target 0.1, 0 target 0.2"), "r0 - S7 M6")


def test_the_second_card_of_a_swap_is_looked_for_as_its_filter_says():
    """SD-9, SD-42, SD-90: own cards are the user's, and the ability card's value is the limit."""
    second = {"rows": "own", "max": "self_base"}
    game = {"N5": ability("swap", first={"rows": "other"}, second=second)}
    assert targets(play(at("r0: N5 M4a; r1: M6", **game), "0 use 0")) == ["1.0"]
    assert targets(play(at("r0: N5 M4a M6; r1: M6", **game), "0 use 0, 0 target 1.0")) == ["0.1"]
    assert Use(0) not in SCANDAROON.legal(at("r0: N5 M6; r1: M6 M4a", **game).state, 0)


def test_the_card_that_is_moved_is_looked_for_as_its_filter_says():
    """SD-9, SD-43."""
    own = {"N5": ability("move", target={"rows": "own", "max": "self_base"}, to="row_end")}
    assert targets(play(at("r0: N5 M4a M6; r1: M4b", **own), "0 use 0")) == ["0.1"]


def test_a_moved_card_takes_a_slot_of_its_row_and_the_others_close_up():
    """SD-43, SD-98: gaps stay where they are."""
    game = at("r0: T1; r1: M4a - S7 X5 T5").when(0, Use(0)).when(0, Target(1, 0)).then(Targeted(0, Spot(1, 0)))
    game.legal(0, *(Place(position=position) for position in (2, 3, 4)))
    game = game.when(0, Place(position=3)).then(Shifted(0, Spot(1, 0), Spot(1, 3)), Spent(0, 0), TurnBegan(1))
    outcome(game, "r1 S7 - X5 M4a T5")
    outcome(play(at("r0: T1; r1: M4a - S7 X5 T5"), "0 use 0, 0 target 1.4, 0 place 0"), "r1 T5 - M4a S7 X5")


def test_the_ability_card_may_be_shifted_itself_before_it_is_discarded():
    """SD-32, SD-43, SD-74."""
    game = at("r0: S4a T1 M5").when(0, Use(1)).when(0, Target(0, 2)).when(0, Place(position=0))
    game.then(Shifted(0, Spot(0, 2), Spot(0, 0)), Spent(0, 2), TurnBegan(1))
    outcome(game, "r0 M5 S4a -; disc T1")


def test_a_protected_card_may_be_passed_by_a_moved_one():
    """SD-58, SD-43: it is not moved itself, but gets another slot."""
    outcome(play(at("r0: T1; r1: S4a M5!1 X4a"), "0 use 0, 0 target 1.0, 0 place 2"), "r1 M5!1 X4a S4a")


def test_a_card_goes_to_the_end_of_another_live_row_that_is_not_closed():
    """SD-8, SD-43, SD-56: an empty one counts; the option for empty rows is about laying cards."""
    game = play(at("n=4; foreign_empty_row=false; passed: 3; r0: Z6 M5; r1: S7; r3: X5"), "0 use 0, 0 target 0.1")
    game.legal(0, Place(row=2))
    game = game.when(0, Place(row=2)).then(Shifted(0, Spot(0, 1), Spot(2, 0)), Spent(0, 0), TurnBegan(1))
    outcome(game, "r2 M5; r0 - -")
    for wrong in (Place(), Place(position=0), Place(row=0), Place(row=2, position=0)):
        play(at("n=4; r0: Z6 M5"), "0 use 0, 0 target 0.1").when(0, wrong).illegal()


def test_the_trump_becomes_another_one():
    """SD-44, SD-107, SD-57: for passed rows as well."""
    game = (
        at("passed: 1; trump=crescent; r0: ST2; r1: T5")
        .when(0, Use(0))
        .legal(0, SetTrump("scimitar"), SetTrump("turban"))
    )
    game = game.when(0, SetTrump("turban")).then(TrumpChanged(0, "turban"), Spent(0, 0), TurnBegan(2))
    outcome(game, "trump turban; score 0 10 0")
    assert game.state.trump_at_start == "scimitar"


def test_drawn_cards_come_from_the_top_and_may_be_fewer():
    """SD-45, SD-89: nothing is reshuffled in mid-round."""
    game = at("r0: X3b; draw: S5 M5 T5; disc: S1").when(0, Use(0))
    game.then(Used(0, 0), Drawn(0, ("S5", "M5")), Spent(0, 0), TurnBegan(1))
    outcome(game, "draw T5; h0 S5 M5; disc S1 X3b")
    outcome(play(at("r0: X3b; draw: S5; disc: S1"), "0 use 0"), "draw empty; h0 S5; disc S1 X3b")


def test_one_of_the_drawn_cards_may_be_played_at_once_or_none():
    """SD-46: under the rules of laying cards, while the ability card still lies there."""
    two = {"X1": ability("draw", count=2, may_play=True)}
    game = at("h0: S4a; r0: X1; r1: M7; draw: X0 M5 T5", **two).when(0, Use(0)).then(Used(0, 0), Drawn(0, ("X0", "M5")))
    assert game.state.pending == Pending("may_play", 0, drawn=("X0", "M5"))
    outcome(game, "only0 play X0>0, play X0>2, play M5>0, stop")
    game.when(0, Stop()).then(Spent(0, 0), TurnBegan(1))
    game.when(0, Play("X0", 2)).then(Played(0, 2, "X0"), Spent(0, 0), TurnBegan(1))
    closed = at("r0: X1 S7; draw: S5").when(0, Use(0))
    outcome(closed, "only0 stop")


def test_a_returned_card_goes_to_a_hand_and_may_be_laid_again():
    """SD-47: to the user's or to the hand of the row's seat."""
    game = at("r0: X2a; r1: T2b+1").when(0, Use(0)).when(0, Target(1, 0))
    game.then(Returned(0, Spot(1, 0), 0, 0), Spent(0, 0), TurnBegan(1))
    outcome(play(game, "1 pass, 2 pass, 0 play T2b>0"), "r0 - T2b")
    owner = at("r0: Z10; r1: T5").when(0, Use(0)).when(0, Target(1, 0))
    owner.then(Returned(0, Spot(1, 0), 1, 0), Spent(0, 0), TurnBegan(1))
    outcome(owner, "h1 T5; legal1 + play T5>1")


def test_several_returned_cards_are_chosen_one_after_the_other():
    """SD-10, SD-47."""
    two = {"N5": ability("return", target={"rows": "other"}, to="user", count=2)}
    game = at("r0: N5; r1: M4a M5", **two).when(0, Use(0)).when(0, Target(1, 1)).then(Returned(0, Spot(1, 1), 0, 1))
    assert targets(game) == ["1.0"]
    game = game.when(0, Target(1, 0)).then(Returned(0, Spot(1, 0), 0, 0), Spent(0, 0), TurnBegan(1))
    outcome(game, "h0 M5 M4a; r1 - -; disc N5")


# --- the action stone ---------------------------------------------------------------------------------------------


def test_a_card_is_discarded_for_the_stone_and_one_of_its_symbols_is_chosen():
    """SD-48, SD-49."""
    game = at("h0: MX3 N5 S1; r0: ST2; r1: T5; draw: S2a")
    listed = {(m.card, m.position, m.symbol) for m in SCANDAROON.legal(game.state, 0) if isinstance(m, Stone)}
    unset = msgspec.UNSET
    assert listed == {
        ("MX3", unset, "crescent"), ("MX3", unset, "cross_tile"),
        *(("N5", unset, symbol) for symbol in SYMBOLS), (unset, 0, "turban"),
    }  # fmt: skip
    for wrong in (
        Stone("crescent"), Stone("crescent", card="MX3", position=0), Stone("turban", card="MX3", position=0),
        Stone("turban", card="MX3"), Stone("crescent", card="M5"), Stone("scimitar", position=1),
    ):  # fmt: skip
        game.when(0, wrong).illegal()


def test_the_stone_is_used_once_in_a_game_and_is_the_whole_turn():
    """SD-48, SD-5, SD-101, SD-19."""
    game = at("h0: M4a M5").when(0, Stone("crescent", card="M4a"))
    game.then(StonePlayed(0, "crescent", "score_pile", "M4a"), TurnBegan(1))
    game = play(game, "1 pass, 2 pass")
    game.when(0, Stone("crescent", card="M5")).illegal()
    outcome(play(game, "0 pass"), "round 2; stone0 pile; stone1 ready")


def test_on_the_score_pile_the_stone_counts_four_for_good():
    """SD-50, SD-66: at once, but the markers move at the end of the round only."""
    game = play(at("r0: M4a; pile0: S5"), "0 stone row 0 as crescent")
    outcome(game, "piletotals 9 0 0; first; disc M4a; r0 -")
    outcome(play(game, "all pass"), "first 0; piletotals 9 0 0; stone0 pile")


def test_up_to_three_cards_are_exchanged():
    """SD-51: openly, one at least, and as many as the pile has."""
    game = at("h0: X1 S0 S1 M7 M6; draw: T5 T6 T7 X7").when(0, Stone("cross_tile", card="X1"))
    game.then(StonePlayed(0, "cross_tile", "exchange", "X1"))
    outcome(game, "only0 exchange S0, exchange S1, exchange M7, exchange M6; stone0 gone")
    game = game.when(0, Exchange("S0")).then(Exchanged(0, "S0"))
    outcome(game, "legal0 + stop, + exchange M6, - exchange S0; hands 3 0 0; draw T5 T6 T7 X7")
    game.when(0, Stop()).then(Drawn(0, ("T5",)), TurnBegan(1))
    game = game.when(0, Exchange("M6")).when(0, Exchange("S1"))
    game.then(Exchanged(0, "S1"), Drawn(0, ("T5", "T6", "T7")), TurnBegan(1))
    outcome(game, "h0 M7 T5 T6 T7; disc X1 S0 M6 S1; draw X7")


def test_the_stone_protects_a_card_of_any_live_row_until_the_round_ends():
    """SD-52, SD-82, SD-62: an ability card of somebody else, to block it; not in a passed row."""
    game = at("passed: 2; h0: T4a; r0: M5; r1: S2a M4a!1; r2: T5").when(0, Stone("turban", card="T4a"))
    assert targets(game) == ["0.0", "1.0"]
    game = game.when(0, Target(1, 0)).then(Protected(0, Spot(1, 0)), TurnBegan(1))
    outcome(game, "r1 S2a!0 M4a!1; stone0 card; legal1 - use 0")
    game = play(game, "1 pass")
    outcome(game, "r1 S2a!0 M4a!1")
    outcome(play(game, "0 pass"), "round 2; stone0 gone; stone1 gone")


def test_a_stone_stays_on_its_card_when_its_owner_passes():
    """SD-82, SD-100."""
    outcome(play(at("r0: S1; r1: M1!0 M2b; r2: X5"), "0 pass, 1 pass"), "r1 M1!0 M2b; stone0 card")


def test_a_card_of_the_same_base_value_or_less_is_stolen():
    """SD-53, SD-83, SD-40: its effect ends at once, it loses its boost, and it may be one's own."""
    game = at("trump=none; h0: S2b; r0: X2b; r1: M4a T2b+1; r2: M1!1 M3a").when(0, Stone("scimitar", card="S2b"))
    assert game.state.pending == Pending("steal", most=2)
    assert targets(game) == ["0.0", "1.1"]
    game = game.when(0, Target(1, 1)).then(Stolen(0, Spot(1, 1)), TurnBegan(1))
    outcome(game, "h0 T2b; r1 M4a -; score 2 4 5; stone0 gone")
    outcome(play(game, "1 pass, 2 pass, 0 play T2b>0"), "r0 X2b T2b; score 6 4 5")


def test_the_stone_is_judged_after_the_discard():
    """SD-54, SD-84: what was discarded is neither a hand card nor a target any more."""
    outcome(at("h0: X1; draw: S1"), "legal0 - stone hand X1 as cross_tile")
    outcome(at("r0: X1; h0: S1; draw: S1"), "legal0 + stone row 0 as cross_tile")
    outcome(at("r0: T4a; h0: T4b"), "legal0 - stone row 0 as turban, + stone hand T4b as turban")
    outcome(at("r0: S4a; r1: M5; r2: X5"), "legal0 - stone row 0 as scimitar")
    outcome(at("r0: S5; r1: M5; r2: X7"), "legal0 + stone row 0 as scimitar")
    outcome(at("h0: X1 S1"), "legal0 - stone hand X1 as cross_tile")


# --- passing ------------------------------------------------------------------------------------------------------


def test_a_seat_may_always_pass_when_nothing_is_pending_and_it_is_final():
    """SD-55, SD-86, SD-99: with cards or without; who has nothing else to do must send it."""
    outcome(at("stones=gone"), "only0 pass")
    game = at("h0: S4a; r0: S1; r1: M1").when(0, Pass()).then(Passed(0), TurnBegan(1))
    game = play(game, "1 pass, 2 pass")
    assert game.state.round == 2
    outcome(play(at("h0: S4a; h1: M4a"), "0 pass, 1 play M4a>1, 2 pass, 1 pass"), "round 2")


def test_the_row_of_a_seat_that_has_passed_is_immune_to_abilities_and_stones():
    """SD-56, SD-85: its own ability cards rest as well; only effects and the trump change what it counts."""
    game = at("trump=none; passed: 1; h0: T4a; r0: S1 T3a; r1: S1 M2b X5; r2: M1")
    assert targets(play(game, "0 use 0")) == ["0.1", "2.0"]
    assert targets(play(game, "0 stone hand T4a as turban")) == ["0.0", "0.1", "2.0"]
    wide = {"N5": effect("elsewhere", "all", 1) | ability("remove", target={"rows": "any"})}
    assert scores(at("trump=none; passed: 1; r0: N5; r1: M5 M4a; r2: X5", **wide).state)[1] == 11
    outcome(
        play(at("trump=none; passed: 1; r0: N5; r1: M5 M4a; r2: X5", **wide), "0 use 0, 0 target 2.0"), "score 0 9 0"
    )


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("r0: S1; r1: M1!2 M2b", "0 use 0, 0 target 1.0"),
        ("r0: T3b M4a; r1: M4b!2 M5", "0 use 0, 0 target 0.1, 0 target 1.0"),
        ("r0: T1; r1: M4a!2 M5", "0 use 0, 0 target 1.0"),
        ("r0: M1 M4a!2 M5", "0 use 0, 0 target 0.1"),
        ("r0: X2a; r1: M1!2 M2b", "0 use 0, 0 target 1.0"),
        ("h0: S5; r1: M1!2 M2b", "0 stone hand S5 as scimitar, 0 target 1.0"),
        ("h0: T5; r1: M1!2 M2b", "0 stone hand T5 as turban, 0 target 1.0"),
        ("r0: S1!2; r1: M1", "0 use 0"),
        ("r0: S5!2; r1: M1 M2b", "0 stone row 0 as scimitar"),
    ],
)
def test_a_protected_card_is_immune(text: str, refused: str):
    """SD-58, SD-100: to every ability and stone, its own ability included."""
    play(at(text), refused).illegal()


def test_protection_hinders_neither_laying_cards_nor_the_score_pile():
    """SD-58, SD-63."""
    game = play(at("h0: S4a; r0: S5!1"), "0 play S4a>0")
    outcome(game, "r0 S5!1 S4a")
    outcome(play(game, "all pass"), "pile0 S5; disc S4a")


# --- the end of a round -------------------------------------------------------------------------------------------


def test_a_round_ends_at_once_when_all_have_passed():
    """SD-31, SD-62 to SD-73: everything follows by itself up to the next turn."""
    game = play(
        at("trump=turban; trumps: crescent scimitar turban cross_tile; r0: S4a T5; r1: M5; r2: X5; draw: S1 S2a"),
        "0 pass, 1 pass",
    )
    game = game.when(2, Pass())
    game.then(
        Passed(2),
        RoundScored(
            (14, 5, 5), (3, 2, 2), (Spot(0, 1), Spot(1, 0), Spot(2, 0)), (), (0, 1, 2), (), HighScore(14, (0,))
        ),
        TableCleared(1),
        HandsDealt(((), ("S1",), ("S2a",))),
        TrumpRevealed("scimitar"),
        TurnBegan(1),
    )
    outcome(game, "disc S4a; round 2; turn 1; starter 1")


def test_ties_share_the_rank_and_the_next_are_skipped():
    """SD-62, SD-64."""
    for rows, points in [("S7 S6 S5 S4a", "3 2 1 0"), ("X7 T7 X5 X4a", "3 3 1 0"),
                         ("X7 T5 X5 X4a", "3 2 2 0"), ("X7 T5 X4b X4a", "3 2 1 1"), ("X5 T5 M5 M4a", "3 3 3 0"),
                         ("S4a X5 M5 T4a", "1 3 3 1")]:  # fmt: skip
        text = "; ".join(f"r{seat}: {card}" for seat, card in enumerate(rows.split()))
        outcome(play(at(f"n=4; trump=none; {text}"), "all pass"), f"sp {points}; rank {points}")


def test_leaders_keep_their_best_card_and_the_seconds_of_a_sole_leader_their_lowest():
    """SD-63: by base value, the leftmost of equals; several seconds; an empty row gives nothing."""
    outcome(
        play(at("trump=none; r0: S4a X5 M5; r1: M4a M4b; r2: T4b T4a"), "all pass"), "pile0 X5; pile1 M4a; pile2 T4b"
    )
    outcome(play(at("trump=none; r0: S4a X5; r1: M4a M5; r2: T4b"), "all pass"), "pile0 X5; pile1 M5; pile2 empty")
    outcome(play(at("trump=none; r0: S1+9; r1: -"), "all pass"), "pile0 S1; pile1 empty")


def test_leaders_of_a_round_without_trump_get_two_points_once():
    """SD-65, SD-88: begun or ended without, several leaders, once in a game; in between does not count."""
    for text, seats in [("began=none; trump=crescent", "0"), ("began=crescent; trump=none", "0"),
                        ("began=none; trump=none", "0"), ("began=crescent; trump=turban", ""),
                        ("began=none; trump=none; nt: 0", "0"), ("began=none; trump=none; nt: 2", "0 2")]:  # fmt: skip
        outcome(play(at(f"{text}; r0: S7"), "all pass"), f"nt {seats}".strip() if seats else "nt")
    outcome(play(at("trump=none; r0: S7; r2: X7"), "all pass"), "nt 0 2")


def test_score_piles_are_compared_after_every_round():
    """SD-66: the highest and the next total; also two firsts leave a second; nothing in a pile is no part."""
    game = play(at("trump=crescent; pile0: S7; pile1: M5; r2: T7; r1: X3a; r0: X1"), "all pass")
    outcome(game, "first 1; second 0 2; piletotals 7 8 7")
    outcome(play(at("trump=none; pile0: S0; r1: T1"), "all pass"), "first 1; second 0")
    outcome(play(at("trump=none; stone2=pile; r1: T1"), "all pass"), "first 2; second 1")


def test_the_highest_score_of_all_rounds_is_remembered():
    """SD-67, SD-105."""
    for record, after in [("record 6: 1 2", "7: 0"), ("record 7: 1", "7: 0 1"), ("record 8: 1", "8: 1"),
                          ("record 7: 0", "7: 0")]:  # fmt: skip
        outcome(play(at(f"trump=none; {record}; r0: S7"), "all pass"), f"record {after}")
    assert play(at("trump=none; r0: S7"), "all pass").state.record == HighScore(7, (0,))


def test_everybody_leads_a_round_in_which_nobody_laid_a_card():
    """SD-87."""
    outcome(play(at("h0: S7"), "all pass"), "sp 3 3 3; record 0: 0 1 2; first; second; pile0 empty; h0 S7; starter 1")


def test_rows_are_cleared_and_hands_and_score_piles_stay():
    """SD-69, SD-23: seat 0 first, from left to right; pass marks and boosts vanish."""
    game = play(at("trump=none; h1: T5; pile0: S7; r0: S4a+1 - M5 X5; r1: M4a M4b; r2: T4a; disc: S1"), "all pass")
    outcome(game, "disc S1 S4a X5 M4b T4a; pile0 S7 M5; pile1 M4a; h1 T5")
    assert game.state.rows == ((), (), ())
    assert game.state.passed == (False,) * 3


def test_the_left_neighbour_of_the_sole_leader_begins():
    """SD-70, SD-3: of several leaders, the left neighbour of who began before."""
    outcome(play(at("n=4; trump=none; starter=1; r3: S7; r0: T4a"), "all pass"), "starter 0; turn 0")
    outcome(play(at("n=4; trump=none; starter=1; r3: S7; r0: T7"), "all pass"), "starter 2; turn 2")


def test_the_last_place_gets_a_sixth_card():
    """SD-72, SD-17: all of several last ones or none, and nobody when all are equal."""
    pile = "draw: S1 S2a S2b S3a S3b S4a S4b S5 S6 M1 M2a M2b M3a M3b M4a M4b M5 M6"
    for text, hands in [("r0: S7; r1: T5; r2: X4a", "5 5 6"), ("r0: S7; r1: T4a; r2: X4a", "5 6 6"),
                        ("tied_last_bonus=none; r0: S7; r1: T4a; r2: X4a", "5 5 5"),
                        ("r0: T7; r1: X7; r2: M7", "5 5 5"),
                        ("tied_last_bonus=none; r0: S7; r1: T5; r2: X4a", "5 5 6")]:  # fmt: skip
        outcome(play(at(f"trump=none; {text}; {pile}"), "all pass"), f"hands {hands}")


def test_larger_hands_are_not_reduced():
    """SD-72."""
    game = at("trump=none; r0: S7; h0: S1 S2a S2b S3a S3b S4a S4b; draw: M1 M2a M2b M3a M3b M4a M4b M5 M6 X1 X5 X6")
    outcome(play(game, "all pass"), "hands 7 6 6; draw empty")


def test_the_revealed_trump_card_goes_under_the_others_and_the_next_is_revealed():
    """SD-73, SD-92: whatever the trump has become in the round."""
    game = play(at("trumps: crescent turban scimitar cross_tile; began=crescent; trump=none; r0: S7"), "all pass")
    outcome(game, "trump turban; trumps turban scimitar cross_tile crescent")
    changed_to_turban = at("trumps: scimitar crescent turban cross_tile; trump=turban; r0: S7")
    outcome(play(changed_to_turban, "all pass"), "trump crescent")


def test_after_the_turban_comes_a_round_without_trump():
    """SD-73, SD-92: its card is turned face down, and goes under the others after that round."""
    game = play(at("trumps: turban scimitar crescent cross_tile; began=turban; trump=crescent; r0: S7"), "all pass")
    outcome(game, "trump none; trumps turban scimitar crescent cross_tile")
    assert (game.state.flipped, game.state.trump_at_start) == (True, "none")
    assert trump_turned(game.state) == TrumpRevealed("scimitar")
    assert trump_turned(replace(game.state, flipped=False)) == TrumpFlipped()


def test_there_are_four_rounds_and_one_reshuffle():
    """SD-19, SD-71, SD-68, SD-104."""
    game, phases = start().dealt(Chance()), []
    for _ in range(4):
        game = play(game, "all pass")
        phases.append((game.state.round, game.state.phase))
        if game.state.phase == "reshuffle":
            game = game.dealt(Chance())
    assert phases == [(2, "turn"), (3, "reshuffle"), (4, "turn"), (4, "over")]
    assert SCANDAROON.to_act(game.state) == ()


def test_at_the_end_all_victory_points_are_counted():
    """SD-68, SD-66, SD-67, SD-65: and the rows stay as they are."""
    game = at("round=4; trump=none; rank: 3 2 1; nt: 1; stone2=pile; r0: S5; r1: T6 T1; r2: X1")
    game = play(game, "all pass")
    outcome(game, "phase over; rank 5 5 2; nt 1; first 1; second 0; record 7: 1; totals 6 12 2; winners 1; r1 - T1")
    assert SCANDAROON.result(game.state) == Result((6, 12, 2), (1,))
    assert isinstance((game.events or ())[-1], Won)


def test_ties_are_broken_by_the_rank_track_then_by_the_score_piles_else_shared():
    """SD-68."""
    end = "round=4; trump=crescent; r0: S5; r1: T5"
    outcome(play(at(f"{end}; rank: 1 3 0; nt: 0"), "all pass"), "totals 11 11 1; winners 1")
    outcome(play(at(f"{end}; rank: 3 3 0; nt: 0; pile0: M2b; pile1: M4a"), "all pass"), "totals 11 11 1; winners 1")
    outcome(play(at(f"{end}; rank: 3 3 0"), "all pass"), "totals 11 11 1; winners 0 1")


# --- who sees what ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", ALL)
def test_of_the_first_deal_everybody_sees_the_revealed_trump_and_no_card_of_the_pile(viewer: int | None):
    """SD-59, SD-20."""
    shown = start().dealt(Chance()).shown(viewer)[0]
    assert shown == Prepared(0, "cross_tile", (None,) * 3, (None,) * 51)


@pytest.mark.parametrize("viewer", ALL)
def test_dealt_cards_are_seen_by_who_gets_them_only(viewer: int | None):
    """SD-59, SD-28."""
    event, shown = start().dealt(Chance()).events[1], start().dealt(Chance()).shown(viewer)[1]
    for seat, cards in enumerate(event.cards):
        assert shown.cards[seat] == (cards if seat == viewer else (None,) * 5)


@pytest.mark.parametrize("viewer", ALL)
def test_nobody_sees_the_reshuffled_pile(viewer: int | None):
    """SD-59, SD-61."""
    game = play(at("round=2; r0: S7 M4a; h0: X1; disc: S1 S2a"), "all pass").dealt(Chance())
    assert game.shown(viewer)[0] == Reshuffled((None,) * 3)


@pytest.mark.parametrize("viewer", ALL)
@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("r0: X3b; draw: S5 M5", "0 use 0"),
        ("h0: X4a S1 S2a; draw: S5 M5", "0 stone hand X4a as cross_tile, 0 exchange S1, 0 exchange S2a"),
    ],
)
def test_only_the_drawer_sees_the_drawn_cards(viewer: int | None, text: str, moves: str):
    """SD-59, SD-45, SD-51."""
    drawn = [event for event in play(at(text), moves).shown(viewer) if isinstance(event, Drawn)]
    assert drawn == [Drawn(0, ("S5", "M5") if viewer == 0 else (None, None))]


@pytest.mark.parametrize("viewer", ALL)
def test_which_drawn_card_may_be_played_is_seen_by_the_drawer_only(viewer: int | None):
    """SD-20, SD-46: until it is laid."""
    game = at("r0: X1; draw: S5")
    view = SCANDAROON.view(game.state, game.when(0, Use(0)).events, viewer)
    face = "S5" if viewer == 0 else None
    assert (view.pending, view.hands[0]) == (Pending("may_play", 0, drawn=(face,)), (face,))
    game = game.when(0, Use(0))
    assert SCANDAROON.fold(view, game.when(0, Play("S5", 0)).shown(viewer)).rows[0] == (None, Slot("S5"))


@pytest.mark.parametrize("viewer", ALL)
def test_a_card_that_goes_openly_to_a_hand_is_remembered_until_it_is_laid(viewer: int | None):
    """SD-47, SD-53, SD-59: views remember what was seen."""
    hidden = ("M5", "T5") if viewer == 0 else (None, None)
    state = at("h0: S5 M5 T5; r1: S4a; draw: X5").state
    view = replace(state, hands=(("S5", "M5", "T5") if viewer == 0 else (None,) * 3, (), ()))
    game = spec.given(SCANDAROON, state).when(0, Stone("scimitar", card="S5"))
    view = SCANDAROON.fold(view, game.shown(viewer))
    game = game.when(0, Target(1, 0))
    view = SCANDAROON.fold(view, game.shown(viewer))
    assert view.hands[0] == (*hidden, "S4a")
    game = play(game, "1 pass, 2 pass").when(0, Play("S4a", 0))
    view = SCANDAROON.fold(view, [Passed(1), TurnBegan(2), Passed(2), TurnBegan(0), *game.shown(viewer)])
    assert view.hands[0] == hidden


@pytest.mark.parametrize("viewer", ALL)
def test_everything_else_is_open_to_everybody(viewer: int | None):
    """SD-59, SD-20: exchanged cards included."""
    for play_ in every_play():
        for _, event in play_[: 60 if viewer is None else 20]:
            shown = SCANDAROON.redact(event, viewer)
            assert isinstance(event, Prepared | HandsDealt | Reshuffled | Drawn) or shown is event


# --- over random play ---------------------------------------------------------------------------------------------

TABLES = [(3, Options()), (4, Options()), (3, Options(None, "none", False)), (4, Options(tied_last_bonus="none"))]


@cache
def every_play() -> list[list[tuple[State, Any]]]:
    """Every event of some random games, each with the state before it."""
    return [list(random_play(seats, options, seed)) for seats, options in TABLES for seed in range(3)]


def random_play(seats: int, options: Options, seed: int) -> Iterator[tuple[State, Any]]:
    """Passing is one of ten moves as long as there is another one, so that rounds get long."""
    dice, state, steps = Random(f"scandaroon {seats} {seed}"), SCANDAROON.initial(seats, options, DECK), 0
    while state.phase != "over":
        if acting := SCANDAROON.to_act(state):
            listed = SCANDAROON.legal(state, acting[0])
            others = [each for each in listed if each != Pass()]
            chosen = dice.choice(others if others and dice.random() < 0.9 else listed)
            events = SCANDAROON.decide(state, acting[0], chosen)
        else:
            events, steps = SCANDAROON.deal(state, Dealer(b"secret", f"{seats} {seed}", (), steps)), steps + 1
        for event in events:
            yield state, event
            state = SCANDAROON.evolve(state, event)
    yield state, None


def every_state() -> Iterator[State]:
    for played in every_play():
        yield from (state for state, _ in played)


def test_no_card_is_lost_and_none_is_there_twice():
    """SD-93, SD-21."""
    for state in every_state():
        lying = [slot.card for row in state.rows for slot in row if slot is not None]
        zones = (*state.hands, *state.score_piles, state.draw, state.discard, lying)
        if state.phase != "deal":
            assert sorted(card for zone in zones for card in zone) == sorted(DECK.cards)


def test_exactly_one_seat_has_moves_and_passing_is_one_unless_something_is_pending():
    """SD-94, SD-95, SD-33."""
    for state in every_state():
        moves = [SCANDAROON.legal(state, seat) for seat in range(len(state.hands))]
        if state.phase == "turn":
            assert [seat for seat, listed in enumerate(moves) if listed] == [state.turn]
            listed = moves[state.turn or 0]
            assert (Pass() in listed) == (state.pending is None)
            assert len(listed) < 200
            assert len(listed) == len(set(listed))
        else:
            assert not any(moves)


def test_an_ability_or_a_stone_is_offered_exactly_when_it_can_be_completed():
    """SD-38, SD-54, SD-33, SD-95: looking at what there would be to choose."""
    for state in every_state():
        if state.phase != "turn" or state.pending is not None:
            continue
        seat, listed = state.turn or 0, SCANDAROON.legal(state, state.turn)
        for position, slot in enumerate(state.rows[seat]):
            if slot is not None and slot.protected_by is None and state.deck.faces[slot.card].ability is not None:
                assert (Use(position) in listed) == completed(state, Used(seat, position), seat)
        for stone in stones(state, seat):
            outcome_ = state.deck.stone[stone.symbol]
            card = stone.card if stone.card else state.rows[seat][stone.position].card
            event = StonePlayed(seat, stone.symbol, outcome_, card, stone.position)
            possible = outcome_ == "score_pile" or bool(SCANDAROON.legal(SCANDAROON.evolve(state, event), seat))
            if outcome_ == "exchange":
                possible = possible and bool(state.draw)
            assert (stone in listed) == (possible and state.stones[seat] == "ready"), stone


def completed(state: State, event: Used, seat: int) -> bool:
    """Something would come of it."""
    after = SCANDAROON.evolve(state, event)
    if after.phase == "turn":
        choices = SCANDAROON.legal(after, seat)
        return bool(choices)
    slot = state.rows[seat][event.position]
    assert slot is not None
    kind = state.deck.faces[slot.card].ability.__struct_config__.tag
    if kind == "draw":
        return bool(state.draw)
    reach = None if slot.card == "M2a" else 1
    lying = [position for position, each in enumerate(state.rows[seat]) if each is not None]
    own = lying.index(event.position)
    near = [*lying[:own][::-1][:reach], *lying[own + 1 :][:reach]]
    return any(state.rows[seat][position].protected_by is None for position in near)


def stones(state: State, seat: int) -> Iterator[Stone]:
    """Every well-formed discard for the stone."""
    for card in state.hands[seat]:
        assert card is not None
        yield from (Stone(symbol, card=card) for symbol in state.deck.faces[card].symbols or SYMBOLS)
    for position, slot in enumerate(state.rows[seat]):
        if slot is not None and slot.protected_by is None:
            symbols = state.deck.faces[slot.card].symbols or SYMBOLS
            yield from (Stone(symbol, position=position) for symbol in symbols)


def test_every_finished_turn_brings_the_round_nearer_to_its_end():
    """SD-96: cards in play and to come, then cards in hands, then seats that have not passed."""
    for played in every_play():
        turns = [state for state, event in played if isinstance(event, TurnBegan)]
        for before, after in pairwise(turns):
            if before.round == after.round and before.turn is not None and after.turn is not None:
                assert left(after) < left(before)


def left(state: State) -> tuple[int, int, int]:
    hands = sum(map(len, state.hands))
    lying = sum(slot is not None for row in state.rows for slot in row)
    return len(state.draw) + hands + lying, hands, state.passed.count(False)


def test_a_view_is_the_state_without_what_its_viewer_has_not_seen():
    """SD-97, SD-20: after every event; rows, piles, stones and the own hand are as they are."""
    for played in every_play()[::2]:
        first = played[0][0]
        views = dict.fromkeys((None, *range(len(first.hands))), first)
        for state, event in played:
            for viewer, view in views.items():
                hidden = {
                    "hands": view.hands,
                    "draw": view.draw,
                    "trump_cards": view.trump_cards,
                    "pending": view.pending,
                }
                assert replace(state, **hidden) == view
                assert not any(view.draw)
                for seat, (hand, seen) in enumerate(zip(state.hands, view.hands, strict=True)):
                    assert seen == hand if seat == viewer else not Counter(filter(None, seen)) - Counter(hand)
                    assert len(seen) == len(hand)
                assert viewer != state.turn or view.pending == state.pending
                if event is not None:
                    views[viewer] = SCANDAROON.evolve(view, SCANDAROON.redact(event, viewer))


def test_slots_keep_their_numbers_for_a_round():
    """SD-98, SD-21: rows get no shorter, and only a move shifts cards that it did not choose."""
    for played in every_play():
        for (before, event), (after, _) in pairwise(played):
            if event is None or isinstance(event, TableCleared):
                continue
            for old, new in zip(before.rows, after.rows, strict=True):
                assert len(new) >= len(old)
                if not isinstance(event, Shifted | Swapped):
                    stays = zip(old, new, strict=False)
                    assert all(b is None or (a is not None and a.card == b.card) for a, b in stays)


def test_what_lies_in_the_row_of_a_seat_that_has_passed_stays_there():
    """SD-99, SD-56."""
    for played in every_play():
        for (before, event), (after, _) in pairwise(played):
            if isinstance(event, RoundScored | TableCleared):
                continue
            for seat, passed in enumerate(before.passed):
                if passed:
                    assert after.rows[seat][: len(before.rows[seat])] == before.rows[seat]


def test_a_protected_card_stays_in_its_row_with_its_boost():
    """SD-100."""
    for played in every_play():
        for (before, event), (after, _) in pairwise(played):
            if not isinstance(event, RoundScored):
                for old, new in zip(before.rows, after.rows, strict=True):
                    assert {slot for slot in old if slot and slot.protected_by is not None} <= set(new)


def test_each_stone_is_used_once_and_discards_a_card():
    """SD-101."""
    for played in every_play():
        used = Counter(event.seat for _, event in played if isinstance(event, StonePlayed))
        assert max(used.values(), default=0) <= 1
        for (before, event), (after, _) in pairwise(played):
            if isinstance(event, StonePlayed):
                assert after.discard[-1] == event.card
                assert after.stones[event.seat] != "ready"
            elif before.phase != "deal":
                ready = [stone == "ready" for stone in before.stones]
                assert [stone == "ready" for stone in after.stones] == ready


def test_no_card_lies_behind_an_end_card_unless_one_was_swapped_or_moved():
    """SD-102, SD-35: with this deck, in which abilities take no card out of the midst but by these."""
    for played in every_play():
        shifted = False
        for state, event in played:
            for row in state.rows if not shifted else ():
                cards = [slot.card for slot in row if slot is not None]
                assert not any(state.deck.faces[card].end for card in cards[:-1])
            shifted = (shifted or isinstance(event, Shifted | Swapped)) and not isinstance(event, TableCleared)


def test_with_the_floor_no_score_is_below_zero():
    """SD-103, SD-16."""
    for state in every_state():
        if state.options.value_floor == 0:
            assert min(map(min, filter(None, current_values(state))), default=0) >= 0
            assert min(scores(state)) >= 0


def test_the_piles_grow_and_shrink_where_the_rules_say():
    """SD-104, SD-107: and the trump changes by an ability or with a round only."""
    for played in every_play():
        for (before, event), (after, _) in pairwise(played):
            assert len(after.draw) <= len(before.draw) or isinstance(event, Prepared | Reshuffled)
            assert len(after.discard) >= len(before.discard) or isinstance(event, Reshuffled)
            trumps = Prepared | TrumpChanged | TrumpRevealed | TrumpFlipped
            assert after.trump == before.trump or isinstance(event, trumps)


def test_points_once_got_are_never_lost_but_those_for_the_piles_and_the_record():
    """SD-105, SD-64."""
    for played in every_play():
        for (before, event), (after, _) in pairwise(played):
            assert all(b >= a for a, b in zip(before.rank_points, after.rank_points, strict=True))
            assert set(before.no_trump) <= set(after.no_trump)
            if isinstance(event, RoundScored) and before.record is not None:
                assert event.record.score >= before.record.score
            if isinstance(event, RoundScored) and len(set(event.scores)) == len(event.scores):
                assert sum(event.points) == 6


def test_the_trumps_of_the_four_rounds_differ():
    """SD-106, SD-73."""
    for played in every_play():
        at_start = {state.round: state.trump_at_start for state, _ in played if state.phase == "turn"}
        assert len(set(at_start.values())) == len(at_start) == 4


def test_a_game_ends_after_four_rounds_with_a_winner_and_at_most_nineteen_points():
    """SD-108, SD-96, SD-68."""
    for played in every_play():
        end = played[-1][0]
        assert end.phase == "over"
        assert len(end.rounds) == 4
        assert end.totals == victory_points(end)
        assert max(end.totals) <= 19
        assert min(end.totals) >= 0
        assert end.winners


def test_the_scores_of_a_round_are_those_of_its_end():
    """SD-62, SD-26."""
    for played in every_play():
        for (before, event), (after, _) in pairwise(played):
            if isinstance(event, RoundScored):
                assert event.scores == scores(before)
                leaders = {seat for seat, score in enumerate(event.scores) if score == max(event.scores)}
                assert {spot.row for spot in event.taken} >= {seat for seat in leaders if any(before.rows[seat])}
                totals = pile_totals(after)
                assert all(totals[seat] == max(totals) for seat in event.pile_first)


# --- how many games there are -------------------------------------------------------------------------------------


def sequences(state: State, depth: int) -> int:
    """The number of ways to make that many moves. Within a round there is no chance."""
    total = 0
    for seat in SCANDAROON.to_act(state):
        listed = SCANDAROON.legal(state, seat)
        if depth == 1:
            total += len(listed)
        else:
            decisions = (SCANDAROON.decide(state, seat, chosen) for chosen in listed)
            total += sum(sequences(SCANDAROON.fold(state, events), depth - 1) for events in decisions)
    return total


PERFT: list[tuple[int, int, dict[str, Any], tuple[int, ...]]] = [
    (3, 0, {}, (12, 138, 1310, 11050)),
    (3, 0, {"foreign_empty_row": False}, (10, 99, 905, 7364)),
    (3, 3, {}, (12, 94, 785, 5093)),
    (4, 2, {}, (11, 92, 781, 5704)),
]


@pytest.mark.parametrize(("seats", "laid", "options", "counts"), PERFT, ids=str)
def test_there_are_as_many_sequences_of_moves_as_ever(
    seats: int, laid: int, options: dict[str, Any], counts: tuple[int, ...]
):
    """Frozen: from a fixed deal, after that many cards of each seat."""
    state = start(seats, **options).dealt(Dealer(b"perft", "scandaroon", (), 0)).state
    for _ in range(laid * seats):
        plays = [each for each in SCANDAROON.legal(state, state.turn) if isinstance(each, Play)]
        state = SCANDAROON.fold(state, SCANDAROON.decide(state, state.turn, plays[0]))
    assert tuple(sequences(state, depth) for depth in (1, 2, 3, 4)) == counts


# --- the laws bite ------------------------------------------------------------------------------------------------


def redact_shows_the_trump_cards(event: Any, viewer: Any) -> Any:
    """Those that are not revealed yet."""
    shown: Any = SCANDAROON.redact(event, viewer)
    return replace(shown, trump_cards=event.trump_cards) if isinstance(event, Prepared) else shown


def redact_shows_every_hand(event: Any, viewer: Any) -> Any:
    return event if isinstance(event, HandsDealt) else SCANDAROON.redact(event, viewer)


def evolve_remembers_a_card_that_was_laid(state: State, event: Any) -> State:
    """Of a hand that is known in part a back is taken away, instead of the card that everybody saw go."""
    after = SCANDAROON.evolve(state, event)
    if isinstance(event, Played) and None in (hand := state.hands[event.seat]) and event.card in hand:
        place = hand.index(None)
        return replace(after, hands=put(state.hands, event.seat, hand[:place] + hand[place + 1 :]))
    return after


def legal_peeks_at_the_pile(state: State, seat: int) -> list[Any]:
    """Nobody would exchange cards for an end card."""
    return [
        each
        for each in SCANDAROON.legal(state, seat)
        if not (isinstance(each, Stone) and state.draw and state.draw[-1] in ("S7", "M7", "T7", "X7"))
    ]


FAULTY = [
    ("secrecy", redact_shows_the_trump_cards),
    ("secrecy", redact_shows_every_hand),
    ("shadow", evolve_remembers_a_card_that_was_laid),
    ("legality", legal_peeks_at_the_pile),
]


@pytest.mark.parametrize(("law", "fault"), FAULTY, ids=[fault.__name__ for _, fault in FAULTY])
def test_the_laws_catch_faults_with_secrets_that_only_this_game_has(law: str, fault: Any):
    """SD-59: trump cards under the revealed one, hands that are known in part, a pile that nobody may peek at."""
    tables = [Table(3, Options(), seed) for seed in range(12)]
    faulty = dataclasses.replace(SCANDAROON, **{fault.__name__.split("_")[0]: fault})
    assert all(kept(law, SCANDAROON, table) for table in tables)
    assert not all(kept(law, faulty, table) for table in tables)


def kept(law: str, rules: laws.Rules, table: Table) -> bool:
    try:
        getattr(laws, law)(laws.Play(rules, table))
    except AssertionError:
        return False
    return True
