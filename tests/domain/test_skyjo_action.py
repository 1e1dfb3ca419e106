"""The rulebook of Skyjo Action as sentences: those of `sentences/skyjo_action.txt`, and what needs more than a table
and moves. Ids and edge cases are those of `docs/rules/skyjo_action.md`."""

from collections import Counter
from collections.abc import Iterator
from typing import Any, get_args

import pytest
from msgspec.structs import replace

from domain.rulesets.skyjo_action import SKYJO_ACTION
from domain.rulesets.skyjo_action import table as structs
from domain.rulesets.skyjo_action.play import complete_lines, follows
from domain.rulesets.skyjo_action.table import (
    ACTIONS,
    STAR,
    Action,
    ActionsRestocked,
    Dealt,
    Discarded,
    Draw,
    Exchanged,
    FinalLapBegan,
    Flip,
    Flipped,
    LineCleared,
    MoveBegan,
    Options,
    Pending,
    Played,
    Replaced,
    Replayed,
    RoundScored,
    StarterFound,
    State,
    Swap,
    Swapped,
    Take,
    TurnBegan,
)
from domain.rulesets.skyjo_grid import SLOTS, Slot, all_up
from stammtisch.testing.spec import Given, InOrder, given
from tests.domain.skyjo_action_notation import DECK, begin, last_turn, layout, outcome, play, table
from tests.domain.test_setups import SMALL, made
from tests.kit.random_play import random_play
from tests.kit.worked import Notation, Vector, each_sentence

EVERY_NUMBER_OF_SEATS = range(2, 9)

PLAIN = "1 (2) 3 4 / 5 (6) 7 8 / (9) (10) 11 12"
"""A layout in which nothing is about to happen."""
LAST_CARD = "1 2 3 4 / 5 6 7 8 / 9 (10) 11 12"
DONE = "1 2 3 4 / 5 6 7 8 / 9 10 11 12"
FEW = "1 . . . / 4 . . . / 5 . . ."
"""Ten points."""


def start(seats: int = 2, **options: Any) -> Given:
    return given(SKYJO_ACTION, SKYJO_ACTION.initial(seats, Options(**options), DECK))


@each_sentence("skyjo_action")
def test_the_rules_hold(case: Vector):
    Notation(begin, play, outcome, {**vars(structs), "known": known_faces}, blindfolded).check(case)


# --- the deck and the options -------------------------------------------------------------------------------------


def test_the_official_deck_has_120_playing_cards_and_27_action_cards():
    """SA-1, SA-2: the three blank ones are not played with."""
    copies = {-2: 3, -1: 7, 0: 11, STAR: 15} | dict.fromkeys(range(1, 13), 7)
    assert Counter(DECK.playing) == copies
    assert Counter(DECK.actions) == dict.fromkeys(ACTIONS, 3)
    assert (len(DECK.playing), len(DECK.actions), DECK.data.blank) == (120, 27, 3)
    assert len(DECK.cards) == 147


def test_the_kinds_of_action_cards_are_listed_once():
    """SA-2, section 6.3."""
    annotated, _ = get_args(Action)
    assert get_args(annotated) == ACTIONS


def test_any_number_of_action_cards_will_do():
    """SA-3, SA-66: with two cards two places are gaps, with none all are."""
    for actions, row in (({}, (None,) * 4), ({"defence": 2}, ("defence", "defence", None, None))):
        own = made(SKYJO_ACTION, **SMALL | {"numbers": {"5": 30}, "actions": actions})
        assert given(SKYJO_ACTION, SKYJO_ACTION.initial(2, Options(), own)).dealt(InOrder()).state.open == row


def test_a_deck_may_have_a_thousand_cards():
    """SA-3."""
    assert made(SKYJO_ACTION, **SMALL | {"numbers": {"5": 999}, "stars": 1}).data.numbers == {"5": 999}


# --- dealing and setup --------------------------------------------------------------------------------------------


def test_slots_are_numbered_column_by_column():
    """SA-10."""
    numbered = layout("0 3 6 9 / 1 4 7 10 / 2 5 8 11")
    assert [slot and slot.card for slot in numbered] == list(range(12))


@pytest.mark.parametrize("seed", [False, True])
@pytest.mark.parametrize("seats", EVERY_NUMBER_OF_SEATS)
def test_everybody_gets_twelve_face_down_cards_and_four_action_cards_lie_open(seats: int, seed: bool):
    """SA-66, SA-68, SA-12: both decks are shuffled whole, nothing else is random.

    An option opens the action discard pile as well."""
    cut, first = 12 * seats, 5 if seed else 4
    chance = InOrder()
    dealt = start(seats, seed_action_discard=seed).dealt(chance).state
    assert chance.asked == [DECK.playing, DECK.actions]
    assert [[slot.card for slot in own] for own in dealt.layouts] == [
        list(DECK.playing[12 * seat : 12 * seat + 12]) for seat in range(seats)
    ]
    assert not any(slot.up for own in dealt.layouts for slot in own)
    assert (dealt.discard, dealt.draw) == ((DECK.playing[cut],), DECK.playing[cut + 1 :])
    assert (dealt.open, dealt.action_discard) == (DECK.actions[:4], DECK.actions[4:first])
    assert dealt.action_pile == DECK.actions[first:]
    assert (dealt.hands, dealt.star_bonus, dealt.finisher, dealt.pending) == (((),) * seats, (0,) * seats, None, None)


def test_a_new_round_resets_everything_but_totals_rounds_and_the_starter():
    """SA-66, SA-74."""
    third = table(
        f"0: {FEW} | 1: {DONE} | finisher 0 | totals 3 4 | hand 1: defence | bonus -10 0 | adiscard look_line"
    )
    third = replace(third, round=3, rounds=((3, 4),))
    after = given(SKYJO_ACTION, last_turn(third).state).dealt(InOrder()).state
    kept = {"totals": (3, 4 + 88), "rounds": ((3, 4), (0, 88)), "round": 4, "starter": 0}
    assert after == replace(start().dealt(InOrder()).state, **kept)


def test_the_dealer_deals_when_a_round_is_due_and_restocks_when_a_card_is_owed_and_never_else():
    """SA-20, SA-68."""
    for phase in get_args(State.__annotations__["phase"]):
        events = given(SKYJO_ACTION, replace(table("turn 0"), phase=phase)).dealt(InOrder()).events
        assert [type(event) for event in events] == ([Dealt] if phase == "deal" else [])


def test_in_the_setup_everybody_turns_up_two_cards_in_any_order():
    """SA-38, SA-20."""
    game = start(3).dealt(InOrder())
    for seat, slot in [(2, 0), (0, 5), (2, 11), (1, 1), (1, 2)]:
        card = game.state.layouts[seat][slot].card
        game = game.when(seat, Flip(slot)).then(Flipped(seat, slot, card))
    assert SKYJO_ACTION.to_act(game.state) == (0,)
    game.legal(1)
    game.when(0, Flip(0)).then(Flipped(0, 0, -2), StarterFound(2), TurnBegan(2))


@pytest.mark.parametrize("phase", ["deal", "over"])
def test_between_the_rounds_and_after_the_game_nobody_has_a_move(phase: str):
    """SA-20."""
    game = given(SKYJO_ACTION, replace(table("seats 3"), phase=phase))
    assert SKYJO_ACTION.to_act(game.state) == ()
    for seat in range(3):
        game.legal(seat)
        game.when(seat, Draw()).illegal()


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


@pytest.mark.parametrize("line", ["c0", "c1", "c2", "c3", "r0", "r1", "r2"])
def test_every_number_line_goes_by_itself(line: str):
    """SA-44, SA-43: at the end of the move, also negative numbers."""
    for number in (-2, -1, 0, 12):
        line_goes(line, number)


def line_goes(line: str, number: int) -> None:
    state = table(f"turn 0 | discard 3 {number}")
    slots = [3 * int(line[1]) + i for i in range(3)] if line[0] == "c" else [int(line[1]) + 3 * i for i in range(4)]
    own = [Slot(20 + i, up=i % 4 != 0) for i in range(SLOTS)]
    for slot in slots:
        own[slot] = Slot(number, up=True)
    own[slots[-1]] = Slot(7, up=False)
    game = given(SKYJO_ACTION, replace(state, layouts=(tuple(own), state.layouts[1]))).when(0, Take())
    game = game.when(0, Swap(slots[-1]))
    game.then(
        Swapped(0, slots[-1], number, out=7),
        LineCleared(0, line, tuple(slots), (number,) * len(slots), 0),
        TurnBegan(1),
    )
    assert game.state.discard == (3, 7) + (number,) * len(slots)


# --- the final lap and the points ---------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", EVERY_NUMBER_OF_SEATS)
@pytest.mark.parametrize("finisher", [0, 1])
def test_after_the_finishers_turn_every_other_seat_has_exactly_one_move(seats: int, finisher: int):
    """SA-70, for every number of seats."""
    state = table(f"seats {seats} | turn {finisher} | discard 9")
    layouts = (layout(LAST_CARD),) * seats
    game = given(SKYJO_ACTION, replace(state, layouts=layouts, pending=Pending(finisher, "choose")))
    turns = []
    while game.state.phase == "turn":
        turns.append(game.state.turn)
        game = game.when(game.state.turn, Take()).when(game.state.turn, Swap(5))
    assert turns == [(finisher + i) % seats for i in range(seats)]
    assert game.state.finisher == game.state.starter == finisher


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


# --- who sees what ------------------------------------------------------------------------------------------------

VIEWERS = (None, 0, 1, 2)


def blindfolded(state: State, _: int | None) -> State:
    """The table as somebody sees it who has just come."""
    layouts = tuple(
        tuple(slot and (slot if slot.up else Slot(None, up=False)) for slot in own) for own in state.layouts
    )
    return replace(state, layouts=layouts, draw=(None,) * len(state.draw), action_pile=(None,) * len(state.action_pile))


def known_faces(layout: Any) -> list[Any]:
    """The face-down cards as the viewer knows them."""
    return [slot.card for slot in layout if slot is not None and not slot.up]


@pytest.mark.parametrize("viewer", VIEWERS)
def test_of_a_deal_everybody_sees_what_lies_open_and_how_many_cards_lie_where(viewer: int | None):
    """SA-13: not even the owner may look at a face-down card."""
    shown = start(3, seed_action_discard=True).dealt(InOrder()).shown(viewer)
    actions = DECK.actions
    assert shown == [
        Dealt(((None,) * 12,) * 3, (None,) * 83, DECK.playing[36], actions[:4], actions[4:5], (None,) * 22)
    ]


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


@every_game
def test_what_holds_whenever_somebody_has_a_choice(seats: int, seed: int, options: dict[str, Any]):
    """Invariants 2 and 3, invariant 8: one seat has moves outside of the setup, never too many; nothing is
    left over where a move begins, and then no line is complete but joker lines."""
    beginnings = 0
    for _, _, state in a_game(seats, seed, **options):
        # Nothing follows by itself.
        if not SKYJO_ACTION.to_act(state) or follows(state, state) or SKYJO_ACTION.deal(state, InOrder()):
            continue
        moves = [len(SKYJO_ACTION.legal(state, seat)) for seat in range(seats)]
        assert max(moves) <= 12 * seats + 5
        assert sum(map(bool, moves)) == len(SKYJO_ACTION.to_act(state)) >= 1
        assert len(SKYJO_ACTION.to_act(state)) == 1 or state.phase == "setup"
        if not state.pending or state.pending.kind != "choose":
            continue
        beginnings += 1
        assert all(has_star for own in state.layouts for _, has_star in complete_lines(own, state.options))
        assert (state.held, state.held_from, state.three, state.stars, state.owed) == (None, None, (), (), None)
        assert state.discard
        assert state.finisher is not None or not any(map(all_up, state.layouts))
        assert state.finisher is None or state.moves == 1
        assert None not in state.open or not (state.action_pile or len(state.action_discard) > 1)
    assert beginnings


@every_game
def test_what_holds_from_event_to_event(seats: int, seed: int, options: dict[str, Any]):
    """Invariants 4 and 6, invariants 7 and 9, invariant 10; the others are laws: see `test_laws`.

    An exchange moves cards as they lie, and a removed card is replaced at once; no other card turns face down, no
    cleared slot is filled. Fresh cards leave a hand only by theft or by blocking. The final lap is one move for
    everybody else: hands only grow, and no foreign layout changes. Points add up; bonuses are sums of -10 and -15.
    Discarded action cards stay in order, but for a restock and a card that is played again."""
    turns: list[int] = []
    for before, event, after in a_game(seats, seed, **options):
        if not isinstance(event, Dealt | Exchanged | Replaced):
            for old, new in zip(before.layouts, after.layouts, strict=True):
                for was, slot in zip(old, new, strict=True):
                    assert slot is None or (was is not None and slot.up >= was.up)
        if not isinstance(event, Dealt | ActionsRestocked | Replayed):
            assert after.action_discard[: len(before.action_discard)] == before.action_discard
        match event:
            case Dealt():
                turns = []
            case Played() | Discarded():
                fresh = [[held for held in state.hands[event.seat] if held.fresh] for state in (before, after)]
                assert fresh[0] == fresh[1]
            case Replayed():
                assert Counter(after.action_discard) == Counter(before.action_discard)
            case LineCleared():
                assert event.bonus in (0, -10, -15)
            case RoundScored():
                assert after.totals == tuple(map(sum, zip(*after.rounds, strict=True)))
                for seat, points in enumerate(event.points):
                    own = sum(slot.card for slot in before.layouts[seat] if slot and slot.card != STAR)
                    own += 10 * len(before.hands[seat]) + before.star_bonus[seat]
                    assert points == own or (seat == before.finisher and points == 2 * own)
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


def test_a_round_can_be_prolonged_at_will():
    """Invariant 12: two seats swap face-up cards for ever."""
    game = begin(f"0: {PLAIN} | 1: {PLAIN.replace('1', '4', 1)} | turn 0 | discard 0")
    first = game.state
    for turn in range(6):
        game = game.when(turn % 2, Take()).when(turn % 2, Swap(0))
    assert game.state == first


# --- perft: how many sequences of moves there are -----------------------------------------------------------------


PERFT = {
    (2, 0, 45): [15, 157, 2068, 24666],  # turn choose
    (2, 1, 25): [13, 116, 1014, 9174],  # turn place
    (2, 1, 45): [9, 86, 819, 8052],  # turn choose, a star lies open
    (2, 13, 110): [2, 18, 172, 1608],  # turn drop
    (2, 25, 60): [12, 84, 1200, 12715],  # turn pick
    (2, 5, 45): [7, 49, 378, 3367],  # turn flip
    (2, 72, 60): [4, 39, 126, 600],  # turn keep
    (3, 13, 60): [24, 264, 2292, 23381],  # turn pick
    (3, 40, 140): [6, 42, 360, 3118],  # setup
    (3, 9, 110): [2, 14, 120, 942],  # turn lines
    (4, 11, 80): [3, 51, 1600, 12213],  # turn steal
    (4, 6, 140): [9, 100, 1012, 9875],  # turn choose
    (5, 10, 110): [33, 297, 5775],  # turn look
    (6, 0, 110): [12, 144, 1728, 12096],  # turn pick
    (8, 9, 60): [12, 24, 216, 1992],  # turn slot
}
"""Seats, seed and number of moves of a random game; what is pending in it then."""


@pytest.mark.parametrize(("seats", "seed", "moves"), PERFT)
def test_the_number_of_sequences_of_moves(seats: int, seed: int, moves: int):
    """As counted once: a change of what is legal shows here."""
    *_, (_, _, state) = a_game(seats, seed, moves)
    counted = PERFT[seats, seed, moves]
    assert [given(SKYJO_ACTION, state).restocked().sequences(depth) for depth in range(1, len(counted) + 1)] == counted
