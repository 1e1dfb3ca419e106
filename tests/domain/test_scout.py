"""The rulebook of SCOUT as sentences: those of `sentences/scout.txt`, and what needs more than a table and moves. Ids
are those of `docs/rules/scout.md`."""

from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import combinations, pairwise, product
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from domain.cards import hide
from domain.fairness.chance import Dealer
from domain.rulesets.scout import SCOUT, rules
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
    Scouted,
    Show,
    Shown,
    State,
    Turn,
    TurnBegan,
    Won,
    shows_that_beat,
    strength,
    upside_down,
)
from stammtisch.testing.spec import Given, InOrder, given
from tests.domain.scout_notation import DECK, at, cards, outcome, play
from tests.domain.test_setups import made, pairs
from tests.kit.random_play import random_play
from tests.kit.work import lines_run
from tests.kit.worked import Notation, Vector, each_sentence

EVERY_NUMBER_OF_SEATS = range(2, 6)
SEED = Options(two_player="seed")
NARROW = Options(scout_and_show="scouted_card")


@each_sentence("scout")
def test_the_rules_hold(case: Vector):
    Notation(at, play, outcome, vars(rules), seen).check(case)


def start(seats: int = 3, **options: Any) -> Given:
    return given(SCOUT, SCOUT.initial(seats, Options(**options), DECK))


def dealt(seats: int, chance: InOrder | None = None, first: int = 0, **options: Any) -> Given:
    """The first round, just dealt."""
    return start(seats, **options).dealt(InOrder(first)).dealt(chance or InOrder())


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


def test_of_a_larger_deck_some_cards_stay_out_of_the_round():
    """SC-21: nobody sees them, nor where they are."""
    large = made(SCOUT, **pairs(*combinations(range(1, 12), 2)))
    for seats, options in [(2, Options()), (2, SEED), (3, Options())]:
        state = given(SCOUT, SCOUT.initial(seats, options, large)).dealt(InOrder()).dealt(InOrder()).state
        assert sum(map(len, state.hands)) + len(state.aside) == HAND[seats] * seats


def test_chips_and_the_scout_and_show_chip_are_counted_for_every_seat():
    """SC-3: one Scout & Show chip in a round."""
    state = dealt(4).state
    assert (state.chips, state.combo) == ((0,) * 4, (True,) * 4)


# --- the lot and the deal -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", EVERY_NUMBER_OF_SEATS)
def test_who_begins_the_first_round_is_drawn_by_lot_once(seats: int):
    """SC-20."""
    chance = InOrder(seats - 1)
    game = start(seats).dealt(chance).then(LotDrawn(seats - 1))
    assert chance.asked == [seats]
    assert (game.state.starter, game.state.phase, game.state.round) == (seats - 1, "deal", 1)


@pytest.mark.parametrize("seats", EVERY_NUMBER_OF_SEATS)
@pytest.mark.parametrize("mode", ["official", "seed"])
def test_everybody_gets_a_hand_of_the_cards_in_play(seats: int, mode: str):
    """SC-21, SC-40, SC-59: 12, 11 or 9 cards; 22 or 11 with two seats."""
    chance = InOrder()
    state = dealt(seats, chance, two_player=mode).state
    size = {2: 11 if mode == "official" else 22, 3: 12, 4: 11, 5: 9}[seats]
    playing = DECK.in_play(seats)
    assert state.hands == tuple(playing[size * seat : size * (seat + 1)] for seat in range(seats))
    assert state.aside == playing[size * seats :]
    assert chance.asked == [playing, *[2] * len(playing)]


def test_every_card_lies_one_way_up_or_the_other():
    """SC-21, SC-1: in play it is the pair of the upper and the lower number."""
    state = dealt(3, InOrder(0, 1, 1)).state
    assert state.hands[0][:4] == ((1, 2), (3, 1), (4, 1), (1, 5))


def test_a_new_round_resets_everything_but_scores_rounds_and_the_start():
    """SC-21, SC-25."""
    ended = at(
        "round=2 | starter=1 | h0=6/1 | active=1: 5/9 | chips=1,2,3 | collected=3,2,1 | combo=0,0,1 | totals=3,4,5"
    )
    game = ended.when(0, Show(0, 1))
    again = given(SCOUT, game.state).dealt(InOrder()).state
    fresh = dealt(3).state
    kept = {name: getattr(game.state, name) for name in ("totals", "rounds", "round", "starter")}
    assert again == replace(fresh, **kept)
    assert (again.round, again.starter, again.totals) == (3, 2, (3 + 1 + 4, 4 + 2 + 2 - 3, 5 + 3 + 1 - 3))


def test_the_dealer_acts_when_a_round_is_due_and_never_else():
    """SC-5, SC-20, SC-21, SC-71: and in between nobody has a move."""
    due = {}
    for phase in ("lot", "deal", "orient", "turn", "combo", "settle", "over"):
        game = at("active=1: 1/2 | h0=9/1 8/1")
        game = game._replace(state=replace(game.state, phase=phase))
        due[phase] = [type(event) for event in game.dealt(InOrder()).events]
        if phase not in ("orient", "turn", "combo"):
            assert SCOUT.to_act(game.state) == ()
            for seat in range(3):
                game.legal(seat)
                for move in (Show(0, 1), Scout("left", False, 0, False), Keep()):
                    game.when(seat, move).illegal()
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


def test_turning_a_hand_twice_gives_it_back():
    """SC-74."""
    hand = dealt(3).state.hands[0]
    once = at("phase=orient")._replace(state=replace(dealt(3).state)).when(0, Turn()).state
    twice = given(SCOUT, replace(once, oriented=(False,) * 3)).when(0, Turn()).state
    assert once.hands[0] != hand
    assert twice.hands[0] == hand


WEAK_TO_STRONG = ["1/2", "2/1", "10/1", "1/2 2/3", "2/3 3/4", "9/1 10/1", "1/2 1/3", "10/1 10/2", "1/2 2/3 3/4",
                  "1/2 1/3 1/4", "10/1 10/2 10/3", "1/2 2/3 3/4 4/5"]  # fmt: skip


def test_more_cards_beat_fewer_then_one_number_beats_a_row_then_the_lowest_number_counts():
    """SC-8, SC-58: equal strength never beats."""
    for (weak, active), (strong, shown) in product(enumerate(WEAK_TO_STRONG), repeat=2):
        game = at(f"n=5 | h0={shown} 9/7 7/9 5/7 | active=2: {active}")
        assert (game.when(0, Show(0, len(cards(shown)))).events is not None) == (strong > weak), (active, shown)


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


def test_in_the_first_turn_of_a_round_only_shows_are_legal():
    """SC-50, SC-9."""
    game = dealt(3)
    for seat in range(3):
        game = game.when(seat, Keep())
    listed = SCOUT.legal(game.state, 0)
    assert {type(move) for move in listed} == {Show}
    assert len(listed) >= 12
    assert game.when(0, Show(0, 1)).state.collected == (0, 0, 0)


# --- the end of a round -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_the_round_ends_when_all_others_have_scouted_in_a_row_and_the_owner_pays_nothing_for_the_hand(seats: int):
    """SC-23, SC-24."""
    game = at(f"n={seats} | turn=1 | active=0: 7/1 7/2 7/3 7/4 7/5")
    for seat in range(1, seats):
        assert game.state.turn == seat
        game = game.when(seat, Scout("left", False, 0, False))
    assert game.events[-1] == RoundScored("unbeaten", (0,), (seats - 1, *[-4] * (seats - 1)))


@pytest.mark.parametrize("seats", EVERY_NUMBER_OF_SEATS)
def test_each_seat_begins_one_round_and_the_game_has_as_many_rounds_as_seats(seats: int):
    """SC-25, SC-46, SC-80."""
    for mode in ("official", "seed"):
        begun = [event.seat for event, before in every_event(seats, 1, two_player=mode)
                 if isinstance(event, TurnBegan) and before.phase == "orient"]  # fmt: skip
        assert sorted(begun) == list(range(seats))
        assert begun == [(begun[0] + number) % seats for number in range(seats)]


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
    game = given(SCOUT, ended).when(1, Show(0, 1))
    assert (game.state.phase, game.state.starter) == ("deal", 0)
    chance = InOrder(0, 1)
    second = given(SCOUT, game.state).dealt(chance).state
    assert chance.asked == [first.state.aside, *[2] * 22]
    assert second.hands[0][:3] == (first.state.aside[0], upside_down(first.state.aside[1]), first.state.aside[2])
    assert [tuple(sorted(card)) for hand in second.hands for card in hand] == [*first.state.aside]
    assert (second.aside, second.chips, second.combo) == ((), (3, 3), (False, False))


# --- who sees what ------------------------------------------------------------------------------------------------

VIEWERS = (None, 0, 1, 2)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_everybody_sees_the_own_hand_only(viewer: int | None):
    """SC-4, SC-40: of the others how many cards they hold; nobody sees the cards that lie aside."""
    game = dealt(3)
    hands = tuple(hand if seat == viewer else (None,) * 12 for seat, hand in enumerate(game.state.hands))
    assert game.shown(viewer) == [Dealt(hands, ())]
    (shown,) = dealt(2).shown(viewer if viewer != 2 else None)
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
    play = random_play(SCOUT, start(seats, **options).state, seed, moves=10**6)
    return ((event, before) for before, event, _ in play)


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
    for game in every_play(seeds):
        yield from (state for _, state in game if state.phase in ("orient", "turn", "combo", "deal", "over"))


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


@pytest.mark.slow
def test_the_list_of_moves_is_what_the_rules_say():
    """SC-13, SC-15, SC-18, SC-71: however the list is made, and every other move is refused."""
    for number, state in enumerate(every_state(range(2))):
        if state.phase in ("turn", "combo") and number % 4 == 0:
            listed = SCOUT.legal(state, state.turn)
            assert set(listed) == by_the_book(state, state.turn)
            assert len(set(listed)) == len(listed)
            for move in imaginable(state) if number % 16 == 0 else ():
                accepted = given(SCOUT, state).when(state.turn, move).events is not None
                assert accepted == (move in listed), move


@pytest.mark.slow
def test_with_any_hand_and_any_active_set_the_list_is_what_the_rules_say():
    """SC-18: also where random play does not lead. Hands of few numbers, so that there are many sets."""
    dice = Random(18)
    base = at("n=4 | turn=0 | active=1: 1/2").state
    for _ in range(100):
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


def test_what_holds_from_event_to_event():
    """Fewer than all others have scouted, and nobody meets the own set (SC-54, SC-73). The points add up (SC-77). A
    show of the same seat follows Scout & Show (SC-78)."""
    for game in every_play(range(4)):
        for (event, state), (following, _) in pairwise([*game, (None, None)]):
            two = len(state.hands) == 2 and state.options.two_player == "official"
            if state.phase == "turn":
                assert state.scouts < (1 if two else len(state.hands) - 1)
                assert not state.active or state.owner != state.turn
            match event:
                case Shown():
                    assert SCOUT.evolve(state, event).scouts == 0
                case Scouted(show=True):
                    assert isinstance(following, Shown)
                    assert following.seat == event.seat
                case RoundScored():
                    paid = sum(len(hand) for seat, hand in enumerate(state.hands) if seat not in event.exempt)
                    assert sum(event.points) == sum(state.collected) + sum(state.chips) - paid
                    assert len(event.exempt) == (event.cause != "empty_hand")


def test_as_many_chips_are_handed_out_as_cards_were_scouted():
    """SC-76: or spent, in the official game for two, and then at most six. Scout & Show is used once (SC-78)."""
    for game in every_play(range(4)):
        scouted, combos = 0, Counter[int]()
        for event, state in game:
            if isinstance(event, Scouted):
                scouted += 1
                combos[event.seat] += event.show
            if isinstance(event, RoundScored):
                assert max(combos.values(), default=0) <= 1
                if len(state.hands) == 2 and state.options.two_player == "official":
                    assert 6 - sum(state.chips) == scouted <= 6
                else:
                    assert sum(state.chips) == scouted
                scouted, combos = 0, Counter()


def test_a_view_is_the_state_without_the_hands_of_others():
    """SC-79: after every single event, for every seat and for bystanders."""
    for game in every_play(range(2)):
        first = game[0][1]
        views = dict.fromkeys((None, *range(len(first.hands))), first)
        for event, state in game:
            for viewer, view in views.items():
                assert view == seen(state, viewer)
                views[viewer] = SCOUT.evolve(view, SCOUT.redact(event, viewer))


def test_the_game_ends_after_as_many_rounds_as_there_are_seats():
    """SC-80, SC-25."""
    for game in every_play(range(4)):
        last, before = game[-1]
        assert isinstance(last, Won)
        assert len(before.rounds) == len(before.hands) == before.round
        assert tuple(map(sum, zip(*(played.points for played in before.rounds), strict=True))) == before.totals


def test_all_three_ends_of_a_round_occur():
    """Else the tests above would hold of less than they say. SC-22, SC-23, SC-44."""
    causes = Counter(
        event.cause for game in every_play(range(4)) for event, _ in game if isinstance(event, RoundScored)
    )
    assert set(causes) == {"empty_hand", "unbeaten", "stuck"}


# --- how many games there are -------------------------------------------------------------------------------------


PERFT = [
    (2, {}, (15, 565, 15883)),
    (2, {"two_player": "seed"}, (33, 4137, 79570)),
    (3, {}, (17, 1222, 36405)),
    (3, {"scout_and_show": "scouted_card"}, (17, 1148, 29820)),
    (4, {}, (15, 1013, 27590)),
    (5, {}, (11, 584, 13978)),
]


@pytest.mark.parametrize(("seats", "options", "counts"), PERFT, ids=str)
def test_there_are_as_many_sequences_of_moves_as_ever(seats: int, options: dict[str, Any], counts: tuple[int, ...]):
    """Frozen: from a fixed deal, everybody keeping the hand."""
    game = start(seats, **options)
    for step in range(2):
        game = game.dealt(Dealer(b"perft", "scout", (), "step", step))
    assert game.sequences(2) == 2 * seats * 2 * (seats - 1), "any two in any order, each in two ways"
    for seat in range(seats):
        game = game.when(seat, Keep())
    assert tuple(game.sequences(depth) for depth in (1, 2, 3)) == counts
