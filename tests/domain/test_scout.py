"""The rulebook of SCOUT as sentences. Ids are those of `docs/rules/scout.md`; tables are written in its notation."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations, pairwise, product
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.cards import hide
from domain.deck import InvalidDeck, read
from domain.fairness.chance import Dealer
from domain.ruleset import InvalidSetup
from domain.rulesets.scout import SCOUT
from domain.rulesets.scout.rules import (
    HAND,
    NOTHING,
    Dealt,
    Keep,
    LotDrawn,
    Options,
    Oriented,
    RoundScored,
    Scout,
    ScoutDeck,
    Scouted,
    Show,
    Shown,
    State,
    Stuck,
    Turn,
    TurnBegan,
    Won,
    shows_that_beat,
    strength,
    upside_down,
)
from tests.domain.scout_notation import DECK, at, cards
from tests.kit import spec
from tests.kit.spec import Given
from tests.kit.work import lines_run

EVERY_NUMBER_OF_SEATS = range(2, 6)
SEED = Options(two_player="seed")
NARROW = Options(scout_and_show="scouted_card")


def start(seats: int = 3, **options: Any) -> Given:
    return spec.given(SCOUT, SCOUT.initial(seats, Options(**options), DECK))


class Chance:
    """Leaves all cards in their order; `below` gives these numbers in turn, and 0 when there are no more."""

    def __init__(self, *numbers: int) -> None:
        self.numbers = list(numbers)
        self.asked: list[Any] = []

    def below(self, n: int) -> int:
        self.asked.append(n)
        return self.numbers.pop(0) if self.numbers else 0

    def shuffled(self, items: Sequence[Any]) -> tuple[Any, ...]:
        self.asked.append(tuple(items))
        return tuple(items)


def dealt(seats: int, chance: Chance | None = None, first: int = 0, **options: Any) -> Given:
    """The first round, just dealt."""
    return start(seats, **options).dealt(Chance(first)).dealt(chance or Chance())


def deck(*printed: Any, **more: Any) -> ScoutDeck:
    text = {"ruleset": "scout", "name": "own", "provenance": "made up", "cards": printed, **more}
    made = read(ScoutDeck, "scout", msgspec.json.encode(text))
    assert isinstance(made, ScoutDeck)
    return made


def printed(low: int, high: int, *players: int) -> dict[str, Any]:
    return {"numbers": [low, high], "players": players or (2, 3, 4, 5)}


# --- the deck and the options -------------------------------------------------------------------------------------


def test_the_official_deck_has_each_pair_of_different_numbers_once():
    """SC-1, SC-2."""
    assert DECK.cards == tuple(combinations(range(1, 11), 2))
    assert len(DECK.cards) == 45


def test_which_cards_are_in_play_depends_on_the_number_of_seats():
    """SC-2."""
    all_but = set(DECK.cards).difference
    assert all_but(DECK.in_play(2)) == all_but(DECK.in_play(4)) == {(9, 10)}
    assert all_but(DECK.in_play(3)) == {(number, 10) for number in range(1, 10)}
    assert DECK.in_play(5) == DECK.cards
    assert [len(DECK.in_play(seats)) for seats in EVERY_NUMBER_OF_SEATS] == [44, 36, 44, 45]


def test_cards_stay_in_the_order_of_the_file():
    """SC-2, and the canonical order of the protocol."""
    assert deck(printed(3, 4), printed(1, 2), printed(1, 9)).cards == ((3, 4), (1, 2), (1, 9))


@pytest.mark.parametrize("seats", EVERY_NUMBER_OF_SEATS)
@pytest.mark.parametrize("mode", ["official", "seed"])
def test_a_deck_needs_a_hand_for_every_seat(seats: int, mode: str):
    """SC-2, SC-21."""
    least = {2: 44, 3: 36, 4: 44, 5: 45}[seats]
    pairs = list(combinations(range(1, 12), 2))
    others = tuple(number for number in EVERY_NUMBER_OF_SEATS if number != seats)
    enough = deck(*(printed(*pair, seats) for pair in pairs[:least]), printed(50, 60, *others))
    state = SCOUT.initial(seats, Options(two_player=mode), enough)
    assert spec.given(SCOUT, state).dealt(Chance()).dealt(Chance()).state.phase == "orient"
    with pytest.raises(InvalidSetup) as refusal:
        SCOUT.initial(
            seats,
            Options(two_player=mode),
            deck(*(printed(*pair, seats) for pair in pairs[1:least]), printed(50, 60, *others)),
        )
    assert str(refusal.value) == (
        f"{seats} seats need a deck of at least {least} cards for {seats} players, this one has {least - 1}."
    )


def test_of_a_larger_deck_some_cards_stay_out_of_the_round():
    """SC-21: nobody sees them, nor where they are."""
    large = deck(*(printed(*pair) for pair in combinations(range(1, 12), 2)))
    for seats, options in [(2, Options()), (2, SEED), (3, Options())]:
        state = spec.given(SCOUT, SCOUT.initial(seats, options, large)).dealt(Chance()).dealt(Chance()).state
        assert sum(map(len, state.hands)) + len(state.aside) == HAND[seats] * seats


FAULTS = [
    ([], "Expected `array` of length >= 1 - at `$.cards`"),
    ([{"numbers": [1, 2]}], "Object missing required field `players` - at `$.cards[0]`"),
    ([{"numbers": [1, 2], "players": [2], "id": "1-2"}], "Object contains unknown field `id` - at `$.cards[0]`"),
    ([printed(1, 2), printed(3, 3)], "A card has two numbers, the lower one first - at `$.cards[1].numbers`"),
    ([printed(4, 3)], "A card has two numbers, the lower one first - at `$.cards[0].numbers`"),
    ([printed(1, 2), printed(1, 3), printed(1, 2)], "There is a card 1-2 already - at `$.cards[2].numbers`"),
    ([printed(0, 3)], "Expected `int` >= 1 - at `$.cards[0].numbers[0]`"),
    ([printed(1, 3, 6)], "Expected `int` <= 5 - at `$.cards[0].players[0]`"),
    ([{"numbers": [1, 2, 3], "players": [2]}], "Expected `array` of length 2 - at `$.cards[0].numbers`"),
    ([{"numbers": ["1", 2], "players": [2]}], "Expected `int`, got `str` - at `$.cards[0].numbers[0]`"),
]


@pytest.mark.parametrize(("faulty", "message"), FAULTS, ids=[message for _, message in FAULTS])
def test_a_faulty_deck_is_refused_with_the_fault_and_its_place(faulty: Any, message: str):
    """SC-1, SC-2."""
    with pytest.raises(InvalidDeck) as refusal:
        deck(*faulty)
    assert str(refusal.value) == message


def test_two_to_five_seats():
    """SC-3 and the table of options."""
    assert list(SCOUT.seats) == [2, 3, 4, 5]


def test_the_options_default_to_the_official_rules():
    """SC-3 and the table of options."""
    assert msgspec.convert({}, Options) == Options(two_player="official", scout_and_show="any")


@pytest.mark.parametrize("options", [{"two_player": "own"}, {"scout_and_show": True}, {"players": 3}, {"deck": "own"}])
def test_other_options_are_refused(options: dict[str, Any]):
    """SC-3 and the table of options."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(options, Options)


def test_with_more_than_two_seats_the_game_for_two_has_no_effect():
    """The table of options; SC-41, SC-17."""
    for options in (Options(), SEED):
        game = at("n=3 | active=2: 7/8 7/9 | h0=1/2 5/6")
        game = game._replace(state=replace(game.state, options=options)).when(0, Scout("left", False, 0, False))
        assert (game.state.chips, game.state.turn, game.state.scouts) == ((0, 0, 1), 1, 1)


def test_chips_and_the_scout_and_show_chip_are_counted_for_every_seat():
    """SC-3: as many scout chips as are needed, one Scout & Show chip in a round."""
    state = dealt(4).state
    assert (state.chips, state.combo) == ((0,) * 4, (True,) * 4)
    game = at("n=3 | active=2: 7/8 7/9 7/1 7/2 | chips=0,0,999 | h0=1/2").when(0, Scout("left", False, 0, False))
    assert game.state.chips == (0, 0, 1000)


# --- the lot and the deal -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", EVERY_NUMBER_OF_SEATS)
def test_who_begins_the_first_round_is_drawn_by_lot_once(seats: int):
    """SC-20."""
    chance = Chance(seats - 1)
    game = start(seats).dealt(chance).then(LotDrawn(seats - 1))
    assert chance.asked == [seats]
    assert (game.state.starter, game.state.phase, game.state.round) == (seats - 1, "deal", 1)


@pytest.mark.parametrize("seats", EVERY_NUMBER_OF_SEATS)
@pytest.mark.parametrize("mode", ["official", "seed"])
def test_everybody_gets_a_hand_of_the_cards_in_play(seats: int, mode: str):
    """SC-21, SC-40, SC-59: 12, 11 or 9 cards; 22 or 11 with two seats."""
    chance = Chance()
    state = dealt(seats, chance, two_player=mode).state
    size = {2: 11 if mode == "official" else 22, 3: 12, 4: 11, 5: 9}[seats]
    playing = DECK.in_play(seats)
    assert state.hands == tuple(playing[size * seat : size * (seat + 1)] for seat in range(seats))
    assert state.aside == playing[size * seats :]
    assert chance.asked == [playing, *[2] * len(playing)]


def test_every_card_lies_one_way_up_or_the_other():
    """SC-21, SC-1: in play it is the pair of the upper and the lower number."""
    state = dealt(3, Chance(0, 1, 1)).state
    assert state.hands[0][:4] == ((1, 2), (3, 1), (4, 1), (1, 5))


def test_a_new_round_resets_everything_but_scores_rounds_and_the_start():
    """SC-21, SC-25."""
    ended = at(
        "round=2 | starter=1 | h0=6/1 | active=1: 5/9 | chips=1,2,3 | collected=3,2,1 | combo=0,0,1 | totals=3,4,5"
    )
    game = ended.when(0, Show(0, 1))
    again = spec.given(SCOUT, game.state).dealt(Chance()).state
    fresh = dealt(3).state
    kept = {name: getattr(game.state, name) for name in ("totals", "rounds", "round", "starter")}
    assert again == replace(fresh, **kept)
    assert (again.round, again.starter, again.totals) == (3, 2, (3 + 1 + 4, 4 + 2 + 2 - 3, 5 + 3 + 1 - 3))


def test_the_dealer_acts_when_a_round_is_due_and_never_else():
    """SC-5, SC-20, SC-21."""
    due = {}
    for phase in ("lot", "deal", "orient", "turn", "combo", "settle", "over"):
        game = at("active=2: 7/8")
        due[phase] = [
            type(event) for event in game._replace(state=replace(game.state, phase=phase)).dealt(Chance()).events
        ]
    assert {phase: events for phase, events in due.items() if events} == {"lot": [LotDrawn], "deal": [Dealt]}


# --- holding the hand ---------------------------------------------------------------------------------------------


def test_everybody_decides_once_in_any_order_how_to_hold_the_hand():
    """SC-5, SC-10, SC-11, SC-12."""
    game = dealt(4, first=2)
    for seat in range(4):
        game.legal(seat, Keep(), Turn())
    for seat, move in [(3, Turn()), (0, Keep()), (2, Keep())]:
        game = game.when(seat, move).then(Oriented(seat, isinstance(move, Turn))).legal(seat)
    assert SCOUT.to_act(game.state) == (1,)
    game = game.when(1, Turn()).then(Oriented(1, True), TurnBegan(2))
    assert (game.state.phase, game.state.turn) == ("turn", 2)


def test_a_kept_hand_stays_as_it_was_dealt():
    """SC-10."""
    game = dealt(3)
    assert game.when(0, Keep()).state.hands == game.state.hands


def test_a_turned_hand_is_reversed_and_every_card_is_upside_down():
    """SC-11."""
    game = at("phase=orient | h0=1/2 3/4 5/6 | h1=1/2 3/4")
    assert game.when(0, Turn()).state.hands == (cards("6/5 4/3 2/1"), cards("1/2 3/4"), game.state.hands[2])


def test_turning_a_hand_twice_gives_it_back():
    """SC-74."""
    hand = dealt(3).state.hands[0]
    once = at("phase=orient")._replace(state=replace(dealt(3).state)).when(0, Turn()).state
    twice = spec.given(SCOUT, replace(once, oriented=(False,) * 3)).when(0, Turn()).state
    assert once.hands[0] != hand
    assert twice.hands[0] == hand


@pytest.mark.parametrize("first", [Keep(), Turn()])
@pytest.mark.parametrize("second", [Keep(), Turn(), Show(0, 1)])
def test_nobody_decides_twice(first: Any, second: Any):
    """SC-61, SC-5."""
    at("phase=orient").when(0, first).when(0, second).illegal()


def test_during_the_round_nobody_turns_the_hand():
    """SC-12."""
    for move in (Keep(), Turn()):
        at("h0=1/2 3/4").when(0, move).illegal()


# --- sets and strength --------------------------------------------------------------------------------------------

SETS = ["5/1", "5/1 5/2", "5/1 6/2", "6/1 5/2", "2/1 3/1 4/1 5/1", "9/1 8/1 7/1", "10/1 10/2 10/3", "9/1 10/1"]
NO_SETS = ["5/1 7/1", "10/1 1/2", "1/2 10/1", "3/1 4/1 3/2", "5/1 5/2 6/1", "4/1 5/1 5/2", "1/2 3/1 5/1", "5/1 4/1 5/2"]


@pytest.mark.parametrize("text", SETS)
def test_one_number_or_a_row_of_numbers_is_a_set(text: str):
    """SC-7."""
    block = cards(text)
    game = at("n=5")._replace(state=replace(at("n=5").state, hands=(block,) * 5))
    assert game.when(0, Show(0, len(block))).events is not None


@pytest.mark.parametrize("text", NO_SETS)
def test_nothing_else_is_a_set(text: str):
    """SC-7: 10 and 1 are no neighbours, and a row goes one way."""
    block = cards(text)
    game = at("n=5")._replace(state=replace(at("n=5").state, hands=(block,) * 5))
    game.when(0, Show(0, len(block))).illegal()


WEAK_TO_STRONG = ["1/2", "2/1", "10/1", "1/2 2/3", "2/3 3/4", "9/1 10/1", "1/2 1/3", "10/1 10/2", "1/2 2/3 3/4",
                  "1/2 1/3 1/4", "10/1 10/2 10/3", "1/2 2/3 3/4 4/5"]  # fmt: skip


@pytest.mark.parametrize(("active", "shown"), [*product(WEAK_TO_STRONG, repeat=2)])
def test_more_cards_beat_fewer_then_one_number_beats_a_row_then_the_lowest_number_counts(active: str, shown: str):
    """SC-8, SC-58: equal strength never beats."""
    game = at(f"n=5 | h0={shown} 9/7 7/9 5/7 | active=2: {active}")
    stronger = WEAK_TO_STRONG.index(shown) > WEAK_TO_STRONG.index(active)
    assert (game.when(0, Show(0, len(cards(shown)))).events is not None) == stronger


@pytest.mark.parametrize(("active", "shown"), [("3/1 4/2", "4/5 3/6"), ("4/1 3/2", "3/5 4/6"), ("5/1", "5/2")])
def test_the_direction_of_a_row_does_not_matter(active: str, shown: str):
    """SC-8, SC-58."""
    at(f"h0={shown} 1/2 | active=2: {active}").when(0, Show(0, len(cards(shown)))).illegal()


def test_beating_is_a_strict_order():
    """SC-75."""
    forces = {NOTHING}
    for row in ([*range(1, 11)], [*range(10, 0, -1)], [5] * 6, [10] * 6):
        hand = tuple((number, 11) for number in row)
        forces.update(strength(hand[show.start :][: show.count]) for show in shows_that_beat(row))
    for a, b, c in product(sorted(forces)[::5], repeat=3):
        assert not a > a
        assert not (a > b and b > a)
        assert a > c or not (a > b and b > c)
    assert all(a == b or (a > b) != (b > a) for a, b in combinations(forces, 2))


def test_what_is_left_of_the_active_set_counts():
    """SC-9: of a row of two a single card is left, as strong as any single card of its number."""
    assert strength(cards("8/1")) == (1, True, 8)
    game = at("n=4 | active=3: 7/1 8/1 | h1=8/2 1/3 | h0=1/2").when(0, Scout("right", False, 0, False))
    game.when(1, Show(0, 1)).then(Shown(1, 0, cards("8/2")), TurnBegan(2))
    game = at("n=4 | active=3: 7/1 8/1 | h1=8/2 1/3 | h0=1/2").when(0, Scout("left", False, 0, False))
    game.when(1, Show(0, 1)).illegal()


# --- show ---------------------------------------------------------------------------------------------------------


def test_a_set_that_beats_is_shown_and_the_old_one_collected():
    """SC-13, SC-14."""
    game = at("h0=1/2 5/6 5/7 9/1 | active=2: 7/8 8/9 | scouts=1 | collected=1,1,1").when(0, Show(1, 2))
    game.then(Shown(0, 1, cards("5/6 5/7")), TurnBegan(1))
    state = game.state
    assert (state.collected, state.hands[0], state.active) == ((3, 1, 1), cards("1/2 9/1"), cards("5/6 5/7"))
    assert (state.owner, state.scouts, state.turn) == (0, 0, 1)


def test_a_set_is_shown_from_neighbouring_cards_within_the_hand():
    """SC-13."""
    game = at("h0=5/1 6/1 5/2")
    game.legal(0, Show(0, 1), Show(1, 1), Show(2, 1), Show(0, 2), Show(1, 2))
    for move in (Show(3, 1), Show(2, 2), Show(0, 4), Show(-1, 1), Show(-2, 2), Show(0, 0), Show(1, -1)):
        game.when(0, move).illegal()


def test_in_the_first_turn_of_a_round_only_shows_are_legal():
    """SC-50, SC-9."""
    game = dealt(3)
    for seat in range(3):
        game = game.when(seat, Keep())
    listed = SCOUT.legal(game.state, 0)
    assert {type(move) for move in listed} == {Show}
    assert len(listed) >= 12
    assert game.when(0, Show(0, 1)).state.collected == (0, 0, 0)


def test_the_turn_goes_clockwise():
    """SC-14, SC-17."""
    for move in (Show(0, 1), Scout("left", False, 0, False)):
        game = at("turn=2 | h2=9/1 1/2 | active=0: 8/1 8/2 | n=3")
        if isinstance(move, Show):
            game = game._replace(state=replace(game.state, active=cards("8/1")))
        assert game.when(2, move).state.turn == 0


@pytest.mark.parametrize("phase", ["turn", "combo"])
def test_only_the_seat_whose_turn_it_is_has_moves(phase: str):
    """SC-5, SC-71."""
    game = at("turn=1 | active=0: 1/2 | h0=9/1 8/1 | h1=9/2 8/2 | h2=9/3 8/3")
    game = game._replace(state=replace(game.state, phase=phase, inserted=0))
    assert SCOUT.to_act(game.state) == (1,)
    for seat in (0, 2):
        game.legal(seat)
        for move in (Show(0, 1), Scout("left", False, 0, False), Scout("left", False, 0, True), Keep(), Turn()):
            game.when(seat, move).illegal()


@pytest.mark.parametrize("phase", ["lot", "deal", "settle", "over"])
def test_between_the_turns_nobody_has_a_move(phase: str):
    """SC-5, SC-71."""
    game = at("active=1: 1/2 | h0=9/1 8/1")
    game = game._replace(state=replace(game.state, phase=phase))
    assert SCOUT.to_act(game.state) == ()
    for seat in range(3):
        game.legal(seat)
        for move in (Show(0, 1), Scout("left", False, 0, False), Keep()):
            game.when(seat, move).illegal()


def test_there_is_no_pass_and_none_is_needed():
    """SC-6: a seat that can beat nothing can scout."""
    game = at("h0=1/2 1/3 | active=2: 9/1 9/2")
    assert {type(move) for move in SCOUT.legal(game.state, 0)} == {Scout}


# --- scout --------------------------------------------------------------------------------------------------------


def test_a_card_from_either_end_goes_to_any_place_either_way_up():
    """SC-15, SC-16: two ends, two ways, three places."""
    game = at("h0=1/2 5/6 | active=2: 7/8 7/9 7/1 | combo=0,1,1")
    places = product(("left", "right"), (False, True), range(3))
    game.legal(0, *(Scout(end, flip, position, False) for end, flip, position in places))


@pytest.mark.parametrize(
    ("position", "flip", "hand"),
    [(0, False, "7/8 1/2 5/6"), (1, False, "1/2 7/8 5/6"), (2, True, "1/2 5/6 8/7"), (0, True, "8/7 1/2 5/6")],
)
def test_it_goes_in_front_of_the_card_at_that_place(position: int, flip: bool, hand: str):
    """SC-16."""
    game = at("n=4 | h0=1/2 5/6 | active=2: 7/8 7/9").when(0, Scout("left", flip, position, False))
    game.then(Scouted(0, "left", (7, 8), flip, position, False), TurnBegan(1))
    assert game.state.hands[0] == cards(hand)
    assert game.state.active == cards("7/9")


@pytest.mark.parametrize("position", [-1, 3, 99])
def test_there_is_no_place_outside_the_hand(position: int):
    """SC-15, SC-60."""
    at("h0=1/2 5/6 | active=2: 7/8 7/9").when(0, Scout("left", False, position, False)).illegal()


def test_inner_cards_are_not_scouted():
    """SC-15: the right end is the last card."""
    game = at("n=4 | h0=1/2 | active=2: 7/8 7/9 7/1").when(0, Scout("right", False, 0, False))
    assert (game.state.hands[0], game.state.active) == (cards("7/1 1/2"), cards("7/8 7/9"))


def test_a_single_card_is_the_left_one_and_not_the_right_one():
    """SC-15."""
    game = at("n=4 | h0=1/2 5/6 | active=2: 7/8")
    assert {move.end for move in SCOUT.legal(game.state, 0) if isinstance(move, Scout)} == {"left"}
    game.when(0, Scout("right", False, 0, False)).illegal()


@pytest.mark.parametrize("active", ["0: -", "2: -"])
def test_where_no_card_lies_none_is_scouted(active: str):
    """SC-15, SC-50, SC-51."""
    game = at(f"h0=1/2 5/6 | active={active}")
    game.legal(0, Show(0, 1), Show(1, 1))
    game.when(0, Scout("left", False, 0, False)).illegal()


def test_the_owner_of_the_active_set_gets_a_chip_and_stays_its_owner():
    """SC-17, SC-57."""
    game = at("n=4 | h0=1/2 | active=2: 7/8 | chips=1,1,1,1").when(0, Scout("left", False, 0, False))
    assert (game.state.chips, game.state.owner, game.state.active, game.state.scouts) == ((1, 1, 2, 1), 2, (), 1)


def test_a_hand_may_grow():
    """SC-60."""
    game = at("n=5 | h0=x40 | active=2: 7/8 7/9 7/1").when(0, Scout("left", False, 40, False))
    assert len(game.state.hands[0]) == 41
    assert game.state.hands[0][40] == (7, 8)


def test_when_a_scout_took_the_last_card_the_next_seat_shows_anything_and_collects_nothing():
    """SC-51, SC-9."""
    game = at("n=4 | h0=1/2 | h1=1/5 1/6 9/2 | active=3: 8/9").when(0, Scout("left", False, 0, False))
    game.legal(1, Show(0, 1), Show(1, 1), Show(2, 1), Show(0, 2))
    game = game.when(1, Show(0, 1))
    assert (game.state.collected, game.state.scouts, game.state.owner) == ((0,) * 4, 0, 1)


# --- Scout & Show -------------------------------------------------------------------------------------------------


def test_after_scout_and_show_the_same_seat_must_show():
    """SC-18, SC-71, SC-62: the chip is spent."""
    game = at("h0=8/1 7/3 | active=2: 7/2 6/9 | scouts=1").when(0, Scout("left", False, 2, True))
    game.then(Scouted(0, "left", (7, 2), False, 2, True))
    state = game.state
    assert (state.phase, state.turn, state.combo, state.chips) == ("combo", 0, (False, True, True), (0, 0, 1))
    assert (state.inserted, state.scouts) == (2, 1)
    game.legal(0, Show(0, 1), Show(1, 1), Show(2, 1), Show(0, 2), Show(1, 2))
    game = game.when(0, Show(1, 2)).then(Shown(0, 1, cards("7/3 7/2")), TurnBegan(1))
    assert (game.state.inserted, game.state.scouts, game.state.collected) == (None, 0, (1, 0, 0))


def test_it_is_legal_only_if_a_show_would_be():
    """SC-18: here only if the card makes a pair, and only that way up."""
    game = at("n=4 | h0=1/5 6/1 2/3 | active=2: 4/6 4/7 4/8")
    combos = [move for move in SCOUT.legal(game.state, 0) if isinstance(move, Scout) and move.show]
    assert combos == [Scout("left", True, 1, True), Scout("left", True, 2, True)]


def test_it_may_be_used_though_a_show_was_possible_without():
    """SC-62."""
    game = at("h0=9/1 9/2 1/2 | active=2: 4/6 4/7").when(0, Scout("left", False, 3, True)).when(0, Show(0, 2))
    assert game.state.combo == (False, True, True)


def test_without_the_chip_it_is_illegal():
    """SC-18, SC-3."""
    game = at("h0=9/1 9/2 | active=2: 4/6 | combo=0,1,1")
    assert not any(move.show for move in SCOUT.legal(game.state, 0) if isinstance(move, Scout))
    game.when(0, Scout("left", False, 0, True)).illegal()


def test_the_shown_set_need_not_contain_the_scouted_card_and_an_empty_set_is_not_collected():
    """SC-19, SC-57."""
    game = at("h0=8/1 4/3 | active=2: 7/2").when(0, Scout("left", False, 0, True))
    game.legal(0, Show(0, 1), Show(1, 1), Show(2, 1), Show(0, 2))
    game = game.when(0, Show(2, 1))
    assert (game.state.collected, game.state.chips) == ((0, 0, 0), (0, 0, 1))


def test_by_the_option_scouted_card_the_shown_set_must_contain_it():
    """The table of options, SC-13, SC-18."""
    game = at("ss=scouted_card | h0=8/1 4/3 | active=2: 7/2").when(0, Scout("left", False, 0, True))
    game.legal(0, Show(0, 1), Show(0, 2))
    game = at("ss=scouted_card | h0=9/1 9/2 1/3 | active=2: 4/6 4/7 4/8 | combo=1,1,1")
    combos = [move for move in SCOUT.legal(game.state, 0) if isinstance(move, Scout) and move.show]
    assert combos == [], "the nines alone do not count"
    any_set = at("h0=9/1 9/2 9/3 1/3 | active=2: 4/5 4/6 4/7 4/8")
    combos = [move for move in SCOUT.legal(any_set.state, 0) if isinstance(move, Scout) and move.show]
    assert {move.position for move in combos} == {0, 3, 4}, "not into the three nines"


def test_the_last_of_the_others_may_scout_and_show_and_the_round_goes_on():
    """SC-53."""
    game = at("h0=8/1 4/3 | active=1: 7/2 | scouts=1").when(0, Scout("left", False, 0, True))
    assert game.state.phase == "combo"
    assert game.when(0, Show(0, 2)).state.phase == "turn"


def test_nobody_scouts_the_own_set():
    """SC-54: before it is the owner's turn again somebody has shown, or the round has ended."""
    for state in every_state(range(4)):
        if state.phase == "turn" and state.active:
            assert state.owner != state.turn or len(state.hands) == 2


# --- the end of a round -------------------------------------------------------------------------------------------


def test_an_empty_hand_ends_the_round_and_nobody_is_exempt():
    """SC-22, SC-24."""
    game = at("h0=6/1 6/3 | h1=x2 | h2=x4 | active=2: 5/1 5/4 | chips=1,0,2 | collected=3,0,5").when(0, Show(0, 2))
    game.then(Shown(0, 0, cards("6/1 6/3")), RoundScored("empty_hand", (), (6, -2, 3)))
    assert game.state.totals == (6, -2, 3)


def test_an_empty_hand_comes_before_everything_else():
    """SC-22, SC-56: also if nobody could have beaten that set; the others pay for their hands."""
    game = at("n=2 | h0=10/1 | h1=1/2 1/3 | active=1: 9/2 | chips=0,0").when(0, Show(0, 1))
    game.then(Shown(0, 0, cards("10/1")), RoundScored("empty_hand", (), (1, -2)))


def test_after_scout_and_show_an_empty_hand_ends_the_round_as_well():
    """SC-55."""
    game = at("h0=3/1 | h1=x2 | h2=x4 | active=2: 5/7 5/4").when(0, Scout("right", True, 0, True)).when(0, Show(0, 2))
    assert game.events[1:] == [RoundScored("empty_hand", (), (1, -2, 1 - 4))]


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_the_round_ends_when_all_others_have_scouted_in_a_row_and_the_owner_pays_nothing_for_the_hand(seats: int):
    """SC-23, SC-24."""
    game = at(f"n={seats} | turn=1 | active=0: 7/1 7/2 7/3 7/4 7/5")
    for seat in range(1, seats):
        assert game.state.turn == seat
        game = game.when(seat, Scout("left", False, 0, False))
    assert game.events[-1] == RoundScored("unbeaten", (0,), (seats - 1, *[-4] * (seats - 1)))


def test_a_show_begins_the_count_anew():
    """SC-14, SC-23."""
    game = at("active=0: 7/1 7/2 7/3 | turn=1 | h2=8/1 8/2 8/3 1/5").when(1, Scout("left", False, 0, False))
    game = game.when(2, Show(0, 3))
    assert game.when(0, Scout("left", False, 0, False)).state.turn == 1


def test_the_last_of_the_others_takes_the_last_card_and_the_round_ends():
    """SC-52."""
    game = at("h1=x2 | h2=x5 | h0=1/2 | active=1: 8/9 | scouts=1 | chips=0,1,0").when(0, Scout("left", False, 0, False))
    assert game.events[-1] == RoundScored("unbeaten", (1,), (-2, 2, -5))


def test_the_active_set_and_unspent_scout_and_show_chips_count_nothing():
    """SC-24: and points may be negative."""
    game = at("h0=9/1 | h1=x3 | h2=x3 | active=2: 8/1 | combo=1,1,0").when(0, Show(0, 1))
    assert game.events[-1] == RoundScored("empty_hand", (), (1, -3, -3))


@pytest.mark.parametrize("seats", EVERY_NUMBER_OF_SEATS)
def test_each_seat_begins_one_round_and_the_game_has_as_many_rounds_as_seats(seats: int):
    """SC-25, SC-46, SC-80."""
    for mode in ("official", "seed"):
        begun = [event.seat for event, before in every_event(seats, 1, two_player=mode)
                 if isinstance(event, TurnBegan) and before.phase == "orient"]  # fmt: skip
        assert sorted(begun) == list(range(seats))
        assert begun == [(begun[0] + number) % seats for number in range(seats)]


def test_the_next_round_is_dealt_at_once():
    """SC-5, SC-25."""
    game = at("starter=2 | h0=6/1").when(0, Show(0, 1))
    assert (game.state.phase, game.state.round, game.state.starter, game.state.turn) == ("deal", 2, 0, None)
    assert SCOUT.result(game.state) is None


@pytest.mark.parametrize(
    ("totals", "winners"), [("9,0,0", (0,)), ("0,9,0", (1,)), ("3,6,2", (0, 1)), ("-3,0,0", (0, 1, 2)), ("0,0,9", (2,))]
)
def test_after_the_last_round_the_highest_total_wins_and_a_tie_is_a_shared_victory(
    totals: str, winners: tuple[int, ...]
):
    """SC-26."""
    game = at(f"round=3 | h0=6/1 | totals={totals}").when(0, Show(0, 1))
    assert game.events[-2:] == [RoundScored("empty_hand", (), (0, -3, -3)), Won(winners)]
    result = SCOUT.result(game.state)
    assert result is not None
    assert (result.scores, result.winners, game.state.phase) == (game.state.totals, winners, "over")


def test_rounds_are_remembered():
    """The table of the state."""
    game = at("round=2 | h0=6/1 | starter=0").when(0, Show(0, 1))
    (played,) = game.state.rounds
    assert (played.cause, played.exempt, played.points) == ("empty_hand", (), (0, -3, -3))


def test_shows_and_scouts_may_alternate_for_ever():
    """SC-63: no rule is added."""
    game = at("h0=5/6 1/2 | h1=5/7 1/3 | h2=5/8 1/4 | active=2: 5/9")
    for turn in range(60):
        seat = turn % 3
        shows = [move for move in SCOUT.legal(game.state, seat) if isinstance(move, Show) and move.count == 1]
        if turn % 2 and shows:
            game = game.when(seat, shows[0])
        else:
            game = game.when(seat, Scout("left", False, 0, False) if game.state.active else Show(0, 1))
    assert game.state.phase == "turn"
    assert game.state.round == 1


# --- the official game for two ------------------------------------------------------------------------------------


def test_for_two_half_of_the_cards_wait_for_the_second_round():
    """SC-40, SC-46."""
    first = dealt(2, first=1)
    assert (first.state.chips, first.state.combo, first.state.starter) == ((3, 3), (False, False), 1)
    ended = replace(first.state, phase="turn", turn=1, hands=(first.state.hands[0], cards("1/2")))
    game = spec.given(SCOUT, ended).when(1, Show(0, 1))
    assert (game.state.phase, game.state.starter) == ("deal", 0)
    chance = Chance(0, 1)
    second = spec.given(SCOUT, game.state).dealt(chance).state
    assert chance.asked == [first.state.aside, *[2] * 22]
    assert second.hands[0][:3] == (first.state.aside[0], upside_down(first.state.aside[1]), first.state.aside[2])
    assert [tuple(sorted(card)) for hand in second.hands for card in hand] == [*first.state.aside]
    assert (second.aside, second.chips, second.combo) == ((), (3, 3), (False, False))


def test_for_two_scouting_costs_a_chip_and_nobody_gets_one():
    """SC-41, SC-42: and the same seat goes on."""
    game = at("n=2 | h0=1/2 5/6 | h1=x4 | active=1: 7/8 7/9").when(0, Scout("left", False, 1, False))
    game.then(Scouted(0, "left", (7, 8), False, 1, False), TurnBegan(0))
    assert (game.state.chips, game.state.turn, game.state.scouts) == ((2, 3), 0, 0)


def test_for_two_only_a_show_passes_the_turn():
    """SC-42: scouting is allowed even if a show is possible."""
    game = at("n=2 | h0=9/1 9/2 9/3 | h1=x4 | active=1: 7/8 7/9")
    game = game.when(0, Scout("left", False, 0, False)).when(0, Scout("left", False, 0, False))
    assert game.state.turn == 0
    assert game.when(0, Show(0, 1)).state.turn == 1


def test_for_two_there_is_no_scout_and_show():
    """SC-41, SC-40."""
    game = at("n=2 | h0=9/1 5/6 | active=1: 7/8 7/9")
    assert not any(isinstance(move, Scout) and move.show for move in SCOUT.legal(game.state, 0))
    game.when(0, Scout("left", False, 0, True)).illegal()


def test_for_two_without_a_chip_only_shows_are_left():
    """SC-41."""
    game = at("n=2 | h0=9/1 5/6 | active=1: 7/8 | chips=0,3")
    game.legal(0, Show(0, 1))
    game.when(0, Scout("left", False, 0, False)).illegal()


def test_for_two_any_set_may_be_shown_when_the_scout_took_the_last_card():
    """SC-43."""
    game = at("n=2 | h0=1/2 5/6 | h1=x4 | active=1: 7/8").when(0, Scout("left", False, 1, False))
    game.legal(0, Show(0, 1), Show(1, 1), Show(2, 1))


def test_for_two_the_round_ends_when_the_next_seat_has_no_move_at_all():
    """SC-44, SC-45: tested after a show for the other seat. Chips left over count."""
    game = at("n=2 | h0=8/1 8/2 3/4 | h1=1/6 2/5 | active=1: 5/9 5/7 | chips=1,0 | collected=4,2").when(0, Show(0, 2))
    game.then(Shown(0, 0, cards("8/1 8/2")), Stuck(1), RoundScored("stuck", (0,), (7, 0)))


def test_for_two_the_round_ends_when_the_scouting_seat_has_no_move_left():
    """SC-44: tested after a scout for the same seat. The owner of the active set is exempt."""
    game = at("n=2 | h0=2/1 4/6 | h1=x5 | active=1: 7/8 7/9 7/2 | chips=1,2").when(0, Scout("right", False, 1, False))
    game.then(Scouted(0, "right", (7, 2), False, 1, False), Stuck(0), RoundScored("stuck", (1,), (-3, 2)))


def test_for_two_a_chip_or_a_set_is_enough_to_go_on():
    """SC-44."""
    chip = at("n=2 | h0=8/1 8/2 3/4 | h1=1/6 2/5 | active=1: 5/9 5/7 | chips=1,1").when(0, Show(0, 2))
    assert chip.events[-1] == TurnBegan(1)
    a_set = at("n=2 | h0=8/1 8/2 3/4 | h1=9/6 9/5 | active=1: 5/9 5/7 | chips=1,0").when(0, Show(0, 2))
    assert a_set.events[-1] == TurnBegan(1)


def test_for_two_scouts_in_a_row_do_not_end_the_round():
    """SC-44, SC-42."""
    game = at("n=2 | h0=9/1 9/2 | h1=x4 | active=1: 7/8 7/9 7/1 7/2")
    for left in (2, 1, 0):
        game = game.when(0, Scout("left", False, 0, False))
        assert (game.state.chips[0], game.state.phase) == (left, "turn")


def test_two_may_play_as_more_do_and_one_plain_scout_ends_the_round():
    """SC-59."""
    game = at("n=2 | two=seed | h0=1/2 5/6 | h1=x4 | active=1: 7/8 7/9").when(0, Scout("left", False, 1, False))
    game.then(Scouted(0, "left", (7, 8), False, 1, False), RoundScored("unbeaten", (1,), (-3, 1)))
    game = at("n=2 | two=seed | h0=8/1 1/2 5/6 | h1=x4 | active=1: 7/8").when(0, Scout("left", False, 1, True))
    assert game.when(0, Show(0, 1)).state.turn == 1


# --- who sees what ------------------------------------------------------------------------------------------------

VIEWERS = (None, 0, 1, 2)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_everybody_sees_the_own_hand_only(viewer: int | None):
    """SC-4: of the others how many cards they hold."""
    game = dealt(3)
    hands = tuple(hand if seat == viewer else (None,) * 12 for seat, hand in enumerate(game.state.hands))
    assert game.shown(viewer) == [Dealt(hands, ())]


@pytest.mark.parametrize("viewer", (None, 0, 1))
def test_nobody_sees_the_cards_that_lie_aside(viewer: int | None):
    """SC-4, SC-40."""
    (shown,) = dealt(2).shown(viewer)
    assert shown.aside == (None,) * 22


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("move", [Keep(), Turn()])
def test_only_the_seat_itself_knows_whether_it_turned_its_hand(viewer: int | None, move: Any):
    """SC-4: the others see that it has decided."""
    turned = isinstance(move, Turn)
    game = dealt(3).when(1, move)
    assert game.shown(viewer) == [Oriented(1, turned if viewer == 1 else None)]
    view = SCOUT.view(start(3).state, [LotDrawn(0), *dealt(3).events, *game.events], viewer)
    assert view.oriented == (False, True, False)
    assert view.hands[1] == (game.state.hands[1] if viewer == 1 else (None,) * 12)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_of_a_show_everybody_sees_the_cards_and_only_the_seat_itself_where_they_were(viewer: int | None):
    """SC-4: both numbers of every card."""
    game = at("turn=1 | h1=1/2 5/6 5/7 9/1 | active=0: 7/8").when(1, Show(1, 2))
    assert game.shown(viewer) == [Shown(1, 1 if viewer == 1 else None, cards("5/6 5/7")), TurnBegan(2)]


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("show", [False, True])
def test_of_a_scout_everybody_sees_the_card_and_only_the_seat_itself_how_and_where_it_is_held(
    viewer: int | None, show: bool
):
    """SC-4."""
    game = at("turn=1 | h1=1/2 8/6 | active=0: 7/8 7/9").when(1, Scout("left", True, 1, show))
    flip, position = (True, 1) if viewer == 1 else (None, None)
    assert game.shown(viewer)[0] == Scouted(1, "left", (7, 8), flip, position, show)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_scouted_card_is_one_more_back_in_the_hand_of_another(viewer: int | None):
    """SC-4, SC-79: though everybody saw which one it was; `inserted` is the seat's own."""
    before = dealt(3)
    for seat in range(3):
        before = before.when(seat, Keep())
    before = before.when(0, Show(0, 1))
    game = before.when(1, Scout("left", False, 0, True))
    truth = game.state
    view = SCOUT.fold(seen(before.state, viewer), game.shown(viewer))
    assert view == seen(truth, viewer)
    assert len(view.hands[1]) == 13
    assert view.hands[1] == (truth.hands[1] if viewer == 1 else (None,) * 13)
    assert view.inserted == (0 if viewer == 1 else None)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_shown_card_leaves_the_hand_of_another_as_one_of_its_backs(viewer: int | None):
    """SC-4, SC-79."""
    before = at("turn=1 | h1=1/2 5/6 5/7 9/1 | active=0: 7/8")
    game = before.when(1, Show(1, 2))
    assert SCOUT.fold(seen(before.state, viewer), game.shown(viewer)) == seen(game.state, viewer)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_hands_are_not_revealed_at_the_end_of_a_round(viewer: int | None):
    """SC-4."""
    before = at("h0=6/1 | h1=1/2 3/4 | h2=5/6 7/8 1/9")
    game = before.when(0, Show(0, 1))
    view = SCOUT.fold(seen(before.state, viewer), game.shown(viewer))
    assert view.hands == tuple(hand if seat == viewer else hide(hand) for seat, hand in enumerate(game.state.hands))
    assert view.totals == game.state.totals


@pytest.mark.parametrize("viewer", (None, 0, 1))
def test_everything_else_is_open_to_everybody(viewer: int | None):
    """SC-4: whose turn it is, that a seat has no move, the points, the winners, the lot."""
    stuck = at("n=2 | round=2 | h0=8/1 8/2 3/4 | h1=1/6 2/5 | active=1: 5/9 5/7 | chips=1,0").when(0, Show(0, 2))
    kept = at("n=2 | phase=orient").when(0, Keep()).when(1, Keep())
    lot = start(2).dealt(Chance(1))
    open_to_all = [*stuck.events[1:], *kept.events[1:], *lot.events]
    assert {type(event) for event in open_to_all} == {Stuck, RoundScored, Won, TurnBegan, LotDrawn}
    for event in open_to_all:
        assert SCOUT.redact(event, viewer) is event


# --- over random play ---------------------------------------------------------------------------------------------


def seen(state: State, viewer: int | None) -> State:
    """What SC-79 says that the viewer sees of a state."""
    own = state.phase == "combo" and viewer == state.turn
    return replace(
        state,
        hands=tuple(hand if seat == viewer else hide(hand) for seat, hand in enumerate(state.hands)),
        aside=hide(state.aside),
        inserted=state.inserted if own else None,
    )


def every_event(seats: int, seed: int, **options: Any) -> Iterator[tuple[Any, State]]:
    """The events of a random game, each with the state before it."""
    dice, steps = Random(f"{seats} {seed}"), 0
    state = SCOUT.initial(seats, Options(**options), DECK)
    while True:
        events = SCOUT.deal(state, Dealer(dice.randbytes(8), "a game", (), steps))
        steps += 1
        if not events:
            if not (acting := SCOUT.to_act(state)):
                return
            seat = dice.choice(acting)
            listed = SCOUT.legal(state, seat)
            kind = dice.choice(sorted({type(move).__name__ for move in listed}))
            wanted = [move for move in listed if type(move).__name__ == kind]
            events = SCOUT.decide(state, seat, dice.choice(wanted if seed % 2 else listed))
        for event in events:
            yield event, state
            state = SCOUT.evolve(state, event)


TABLES = [
    (seats, mode, narrow)
    for seats in EVERY_NUMBER_OF_SEATS
    for mode in ("official", "seed")
    for narrow in ("any", "scouted_card")
    if seats == 2 or mode == "official"
]


def every_play(seeds: range) -> Iterator[list[tuple[Any, State]]]:
    for seed in seeds:
        for seats, mode, narrow in TABLES:
            yield [*every_event(seats, seed, two_player=mode, scout_and_show=narrow)]


def every_state(seeds: range) -> Iterator[State]:
    """The states in which somebody is to act, or the round or the game has just ended."""
    for play in every_play(seeds):
        yield from (state for _, state in play if state.phase in ("orient", "turn", "combo", "deal", "over"))


def test_no_card_is_lost_and_none_is_there_twice():
    """SC-70."""
    for state in every_state(range(2)):
        if any(state.hands):
            seats = len(state.hands)
            size = 11 if seats == 2 and state.options.two_player == "official" else HAND[seats]
            assert sum(map(len, state.hands)) + len(state.active) + sum(state.collected) == size * seats
            lying = Counter(frozenset(card) for zone in (*state.hands, state.active, state.aside) for card in zone)
            assert set(lying.values()) == {1}


def test_exactly_those_have_moves_who_are_to_act():
    """SC-71, SC-5, SC-6."""
    for state in every_state(range(2)):
        moves = [len(SCOUT.legal(state, seat)) for seat in range(len(state.hands))]
        match state.phase:
            case "turn" | "combo":
                assert [seat for seat, number in enumerate(moves) if number] == [state.turn]
            case "orient":
                assert moves == [0 if done else 2 for done in state.oriented]
            case _:
                assert not any(moves)


def imaginable(state: State) -> Iterator[Any]:
    """Every move that could be legal in a turn, and more."""
    size = len(state.hands[state.turn or 0])
    yield from (Keep(), Turn())
    yield from (Show(first, count) for first in range(size + 1) for count in range(1, size + 2))
    for end, flip, position, show in product(("left", "right"), (False, True), range(size + 2), (False, True)):
        yield Scout(end, flip, position, show)


def by_the_book(state: State, seat: int) -> set[Any]:
    """The moves in a turn as the rules tell them, without any thought of time: SC-7, SC-8, SC-13, SC-15, SC-18."""
    hand, active, two = list(state.hands[seat]), list(state.active), len(state.hands) == 2
    two = two and state.options.two_player == "official"

    def force(block: list[Any]) -> tuple[int, int, int]:
        ups = [up for up, _ in block]
        return len(ups), len(set(ups)) == 1, min(ups, default=0)

    def shows(hand: list[Any], active: list[Any], inserted: int | None) -> set[Any]:
        found = set()
        for first, last in combinations(range(len(hand) + 1), 2):
            ups = [up for up, _ in hand[first:last]]
            rising, falling = [*range(ups[0], ups[0] + len(ups))], [*range(ups[0], ups[0] - len(ups), -1)]
            if ups not in (rising, falling, [ups[0]] * len(ups)):
                continue
            if inserted is not None and state.options.scout_and_show == "scouted_card" and not first <= inserted < last:
                continue
            if not active or force(hand[first:last]) > force(active):
                found.add(Show(first, last - first))
        return found

    moves = shows(hand, active, state.inserted)
    if state.phase == "combo" or not active or (two and not state.chips[seat]):
        return moves
    for end, flip, position in product(["left", "right"][: len(active)], (False, True), range(len(hand) + 1)):
        moves.add(Scout(end, flip, position, False))
        (up, down), rest = (active[0], active[1:]) if end == "left" else (active[-1], active[:-1])
        after = [*hand[:position], (down, up) if flip else (up, down), *hand[position:]]
        if state.combo[seat] and shows(after, rest, position):
            moves.add(Scout(end, flip, position, True))
    return moves


def test_the_list_of_moves_is_what_the_rules_say():
    """SC-13, SC-15, SC-18, SC-71: however the list is made, and every other move is refused."""
    for number, state in enumerate(every_state(range(2))):
        if state.phase in ("turn", "combo") and number % 4 == 0:
            listed = SCOUT.legal(state, state.turn)
            assert set(listed) == by_the_book(state, state.turn)
            assert len(set(listed)) == len(listed)
            for move in imaginable(state) if number % 16 == 0 else ():
                accepted = spec.given(SCOUT, state).when(state.turn, move).events is not None
                assert accepted == (move in listed), move


def test_with_any_hand_and_any_active_set_the_list_is_what_the_rules_say():
    """SC-18: also where random play does not lead. Hands of few numbers, so that there are many sets."""
    dice = Random(18)
    base = at("n=4 | turn=0 | active=1: 1/2").state
    for _ in range(300):
        numbers = range(1, dice.choice((3, 4, 6, 10)))
        hand = tuple((dice.choice(numbers), dice.randint(1, 10)) for _ in range(dice.randrange(1, 12)))
        lowest, count = dice.choice(numbers), dice.randint(0, 5)
        step = dice.choice((0, 1, -1))
        active = tuple((lowest + 5 + step * i, dice.choice(numbers)) for i in range(count))
        for options in (Options(), NARROW):
            state = replace(base, options=options, hands=(hand, *base.hands[1:]), active=active)
            assert set(SCOUT.legal(state, 0)) == by_the_book(state, 0)


def test_with_fourteen_cards_the_list_takes_little_work():
    """SC-13, SC-18: the lines of Python that run, which take less than 0.2 ms."""
    dice, base = Random(14), at("n=4 | turn=0 | active=1: 7/1 7/2 7/3 7/4").state
    for options, _ in product((Options(), NARROW), range(20)):
        cards = [card if dice.random() < 0.5 else upside_down(card) for card in dice.sample(DECK.cards, 14)]
        state = replace(base, options=options, hands=(tuple(cards), *base.hands[1:]))
        assert lines_run(partial(SCOUT.legal, state, 0)) < 2_000


def test_the_list_of_moves_is_bounded():
    """SC-72."""
    for state in every_state(range(2)):
        for seat in SCOUT.to_act(state):
            kinds = Counter(getattr(move, "show", None) for move in SCOUT.legal(state, seat))
            most = 4 * (len(state.hands[seat]) + 1)
            assert max(kinds[False], kinds[True]) <= most
            if kinds[False]:
                assert kinds[False] == most // (1 if len(state.active) > 1 else 2)


def test_fewer_than_all_others_have_scouted_and_nobody_meets_the_own_set():
    """SC-73."""
    for state in every_state(range(2)):
        if state.phase == "turn":
            assert state.scouts < len(state.hands) - 1
            two = len(state.hands) == 2 and state.options.two_player == "official"
            assert not state.active or state.owner != state.turn
            assert not two or state.scouts == 0
    for play in every_play(range(1)):
        for event, state in play:
            if isinstance(event, Shown):
                assert SCOUT.evolve(state, event).scouts == 0


def rounds(play: list[tuple[Any, State]]) -> Iterator[list[tuple[Any, State]]]:
    """The events of every round, from the deal to the points."""
    events: list[tuple[Any, State]] = []
    for event, state in play:
        events.append((event, state))
        if isinstance(event, RoundScored):
            yield [pair for pair in events if not isinstance(pair[0], LotDrawn)]
            events = []


def test_as_many_chips_are_handed_out_as_cards_were_scouted():
    """SC-76: or spent, in the official game for two, and then at most six."""
    for play in every_play(range(4)):
        for played in rounds(play):
            scouted = sum(isinstance(event, Scouted) for event, _ in played)
            end = played[-1][1]
            if len(end.hands) == 2 and end.options.two_player == "official":
                assert 6 - sum(end.chips) == scouted <= 6
            else:
                assert sum(end.chips) == scouted


def test_the_points_add_up():
    """SC-77."""
    for play in every_play(range(4)):
        for event, before in play:
            if isinstance(event, RoundScored):
                paid = sum(len(hand) for seat, hand in enumerate(before.hands) if seat not in event.exempt)
                assert sum(event.points) == sum(before.collected) + sum(before.chips) - paid
                assert len(event.exempt) == (event.cause != "empty_hand")


def test_the_scout_and_show_chip_is_spent_once_and_a_show_of_the_same_seat_follows():
    """SC-78."""
    for play in every_play(range(4)):
        for played in rounds(play):
            spent = Counter(event.seat for event, _ in played if isinstance(event, Scouted) and event.show)
            assert max(spent.values(), default=0) <= 1
        for (event, _), (following, _) in pairwise(play):
            if isinstance(event, Scouted) and event.show:
                assert isinstance(following, Shown)
                assert following.seat == event.seat


def test_a_view_is_the_state_without_the_hands_of_others():
    """SC-79: after every single event, for every seat and for bystanders."""
    for play in every_play(range(2)):
        first = play[0][1]
        views = dict.fromkeys((None, *range(len(first.hands))), first)
        for event, state in play:
            for viewer, view in views.items():
                assert view == seen(state, viewer)
                views[viewer] = SCOUT.evolve(view, SCOUT.redact(event, viewer))


def test_the_game_ends_after_as_many_rounds_as_there_are_seats():
    """SC-80, SC-25."""
    for play in every_play(range(4)):
        last, before = play[-1]
        assert isinstance(last, Won)
        assert len(before.rounds) == len(before.hands) == before.round
        assert tuple(map(sum, zip(*(played.points for played in before.rounds), strict=True))) == before.totals


def test_all_three_ends_of_a_round_occur():
    """Else the tests above would hold of less than they say. SC-22, SC-23, SC-44."""
    causes = Counter(
        event.cause for play in every_play(range(4)) for event, _ in play if isinstance(event, RoundScored)
    )
    assert set(causes) == {"empty_hand", "unbeaten", "stuck"}


# --- how many games there are -------------------------------------------------------------------------------------


def sequences(state: State, depth: int) -> int:
    """The number of ways to make that many moves. After the deal there is no chance."""
    total = 0
    for seat in SCOUT.to_act(state):
        listed = SCOUT.legal(state, seat)
        if depth == 1:
            total += len(listed)
        else:
            total += sum(sequences(SCOUT.fold(state, SCOUT.decide(state, seat, move)), depth - 1) for move in listed)
    return total


PERFT = [
    (2, {}, (13, 460, 10857)),
    (2, {"two_player": "seed"}, (29, 3605, 76323)),
    (3, {}, (21, 1631, 50257)),
    (3, {"scout_and_show": "scouted_card"}, (21, 1476, 41799)),
    (4, {}, (16, 1086, 27598)),
    (5, {}, (15, 942, 26199)),
]


@pytest.mark.parametrize(("seats", "options", "counts"), PERFT, ids=str)
def test_there_are_as_many_sequences_of_moves_as_ever(seats: int, options: dict[str, Any], counts: tuple[int, ...]):
    """Frozen: from a fixed deal, everybody keeping the hand."""
    game = start(seats, **options)
    for step in range(2):
        game = game.dealt(Dealer(b"perft", "scout", (), step))
    assert sequences(game.state, 2) == 2 * seats * 2 * (seats - 1), "any two in any order, each in two ways"
    for seat in range(seats):
        game = game.when(seat, Keep())
    assert tuple(sequences(game.state, depth) for depth in (1, 2, 3)) == counts
