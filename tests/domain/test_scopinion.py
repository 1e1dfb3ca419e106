"""The rulebook of scopinion as sentences: those of `sentences/scopinion.txt`, and what needs more than a table and
moves. Ids are those of `docs/rules/scopinion.md`."""

import dataclasses
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain, combinations, permutations
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from domain.cards import hide
from domain.fairness.chance import Dealer
from domain.ruleset import InvalidSetup
from domain.rulesets.scopinion import SCOPINION
from domain.rulesets.scopinion import table as structs
from domain.rulesets.scopinion.payments import FEW, from_few, from_many, pays, worth
from domain.rulesets.scopinion.table import (
    Bought,
    Breakdown,
    Buy,
    CardsRevealed,
    Dealt,
    Drawn,
    DrawnAside,
    DrawOne,
    DrawTwo,
    EndTriggered,
    EndTurn,
    Kept,
    Options,
    PikOff,
    PikOffMade,
    Played,
    Scored,
    Secure,
    Secured,
    Shuffled,
    State,
    Take,
    Trash,
    Trashed,
    Triple,
    TurnBegan,
    TurnEnded,
    Won,
)
from stammtisch.testing import laws, playing
from stammtisch.testing.spec import Given, InOrder, given
from tests.domain.scopinion_notation import DECK, at, outcome, play
from tests.domain.test_setups import made, opinion
from tests.kit.random_play import random_play
from tests.kit.work import lines_run
from tests.kit.worked import Notation, Vector, each_sentence

EVERY_NUMBER_OF_SEATS = range(2, 5)
VIEWERS = (None, 0, 1)
EXPERT = Options(mode="expert")
PRINTED = DECK.printed


@each_sentence("scopinion", " · ")
def test_the_rules_hold(case: Vector):
    seat = at(case.before or "-").state.turn
    notation = Notation(
        lambda text: at(text or "-"), play, lambda game, text: outcome(game, seat, text), vars(structs), blindfolded,
        " · ", " ; ",
    )  # fmt: skip
    notation.check(case)


def blindfolded(state: State, viewer: int | None) -> State:
    """The hands as somebody sees them who has just come."""
    hands = tuple(hand if seat == viewer else hide(hand) for seat, hand in enumerate(state.hands))
    return replace(state, hands=hands, decks=tuple(map(hide, state.decks)))


def start(seats: int = 2, **options: Any) -> Given:
    return given(SCOPINION, SCOPINION.initial(seats, Options(**options), DECK))


def listed(game: Given, kind: Any) -> list[Any]:
    return [move for move in SCOPINION.legal(game.state, game.state.turn) if isinstance(move, kind)]


def begins(event: Any) -> bool:
    """With it a turn begins."""
    return isinstance(event, TurnBegan) or (isinstance(event, TurnEnded) and event.goes_on)


# --- the deck and the options -------------------------------------------------------------------------------------


def symbols(card: Any) -> str:
    return (
        "G" * card.green + "R" * card.red + "S" * card.spades + "b" * card.border + "z" * card.bolt + "a" * card.arrow
    )


START = ["Sb", "S", "S", "S", "SSb", "SSb", "SSb", "SS", "SS"]
CENTRAL = [
    "Gb Gbz Sbz Sba", *["G Gz Sz GG a"] * 3, *["G Gb Sbz Ga Sba"] * 3, *["G Gb Sb Sa R"] * 3
]  # fmt: skip
TARGETS = "R R GR GR GGR GGR RR RR GRR GRR GRR*4 GGRR*4 RRR*4 GRRR*4 GRRR RRRR GRRRR RRRRR GRRRRR"


def test_the_deck_is_the_reconstruction_of_the_tables():
    """SP-1, SP-2."""
    by_kind = {
        kind: [card for card in PRINTED.values() if card.kind == kind] for kind in ("start", "central", "target")
    }
    assert [symbols(card) for card in by_kind["start"]] == START * 4
    assert [symbols(card) for card in by_kind["central"]] == " ".join(CENTRAL).split()
    expected = [part.split("*")[0] for part in TARGETS.split() for _ in range(4 if "*" in part else 1)]
    assert [symbols(card) for card in by_kind["target"]] == expected
    assert [card.value for card in by_kind["start"]] == [0, 1, 2, 3, 4, 4, 5, 6, 7] * 4
    assert Counter(card.value for card in by_kind["central"]) == {0: 4, **dict.fromkeys(range(1, 10), 5)}
    assert {card.id for card in PRINTED.values() if card.mix} == {f"t{value}-1" for value in range(24, 29)}


def test_what_is_certain_of_the_printed_game_holds():
    """SP-2: the counts, 14 spades in each colour, the groups, the borders of the examples."""
    assert Counter(card.kind for card in PRINTED.values()) == {"start": 36, "central": 49, "target": 31}
    for colour in ("green", "blue", "red", "orange"):
        own = [card for card in PRINTED.values() if card.colour == colour]
        assert (sum(card.spades for card in own), min(card.spades for card in own)) == (14, 1)
        assert {card.value for card in own if card.border} == {0, 4, 5}
    groups = {group: {card.value for card in PRINTED.values() if card.group == group} for group in "ABC"}
    assert groups == {"A": {*range(10, 20)}, "B": {*range(20, 24)}, "C": {*range(24, 29)}}


def deck(leave: str = "", add: Sequence[dict[str, Any]] = (), **changes: dict[str, Any]) -> Any:
    return made(SCOPINION, **opinion(leave, add, **changes))


def test_functions_belong_to_the_printed_number_and_to_the_arrow():
    """SP-3: and none to a target, whatever its value."""
    extended = deck(add=[{"id": "t2-1", "kind": "target", "value": 2, "group": "A"}])
    for card in extended.printed.values():
        by_number = {0: "take", 1: "draw_one", 2: "draw_two", 3: "triple"}.get(card.value)
        expected = {by_number} - {None} | ({"trash"} if card.arrow else set())
        assert set(extended.functions[card.id]) == (set() if card.kind == "target" else expected)


def test_a_deck_says_that_it_is_a_reconstruction():
    """SP-2."""
    assert DECK.name == "reconstruction-1"
    assert DECK.data.provenance.startswith("A reconstruction")


def test_a_deck_may_have_just_as_many_cards_as_are_needed():
    """Section 3, SP-41: then nothing is left to fill the display."""
    least = deck("c[1-8].*|c9-5|o.*|r.*|t2[12]-.|t23-[2-4]")
    assert [len(cards) for cards in (least.starts, least.supply, least.covered)] == [2, 15 + 3, 5]
    state = given(SCOPINION, SCOPINION.initial(2, Options(), least)).dealt(InOrder()).state
    assert (len(state.display), state.supply) == (3, ())


def test_a_smaller_deck_is_played_with_as_it_is():
    """SP-2, SP-41: without a target of group B the lowest purple one is on top; other values are as good."""
    small = deck("t2[0-3].*|o.*|b4-2|c1-.", c9_5={"value": 12, "id": "c12-1"})
    with pytest.raises(InvalidSetup):
        SCOPINION.initial(2, Options(), small)
    small = deck("t2[0-2].*|o.*|b4-2", add=[{"id": "t23-5", "kind": "target", "value": 23, "group": "B"}])
    state = given(SCOPINION, SCOPINION.initial(2, Options(), small)).dealt(InOrder()).state
    assert (state.targets, state.top_open) == (("t28-1", "t27-1", "t26-1", "t25-1", "t24-1"), True)
    assert len(state.decks[1]) + len(state.hands[1]) == 8


# --- the deal -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", EVERY_NUMBER_OF_SEATS)
def test_the_table_is_laid(seats: int):
    """SP-41, SP-54."""
    chance = InOrder(seats - 1)
    game = start(seats).dealt(chance)
    assert chance.asked == [seats, *DECK.starts[:seats], DECK.supply, DECK.covered]
    state, out = game.state, {2: (15, 5), 3: (9, 3), 4: (0, 0)}[seats]
    assert (state.starter, state.turn, state.phase) == (seats - 1, seats - 1, "turn")
    for seat, own in enumerate(DECK.starts[:seats]):
        assert (state.hands[seat], state.decks[seat]) == ((own[-1], own[-2]), own[:-2])
    left = DECK.supply[: len(DECK.supply) - out[0]]
    assert (state.display, state.supply) == (left[-3:], left[:-3])
    covered = DECK.covered[: len(DECK.covered) - out[1]]
    assert state.targets == ("t28-1", "t27-1", "t26-1", "t25-1", "t24-1", *covered)
    assert state.top_open
    assert state.removed == DECK.supply[len(left) :] + DECK.covered[len(covered) :]


def test_a_pile_is_shuffled_from_bottom_to_top_the_deck_below_the_discard():
    """SP-42."""
    game = at("hand=c8-2 g4-1 · deck=c1-1 c2-1 · discard=c3-1 c5-1 · targets=t28-1 t27-1 t26-1 t25-1 t24-1")
    game = game.when(0, Buy("t24-1", ("c8-2", "g4-1"))).when(0, EndTurn(reshuffle=True))
    chance = InOrder()
    SCOPINION.deal(game.state, chance)
    assert chance.asked == [("c1-1", "c2-1", "c3-1", "c5-1", "c8-2", "g4-1", "t24-1")]


def test_the_dealer_acts_when_the_table_is_to_be_laid_or_a_shuffle_is_due_and_never_else():
    """SP-42, SP-6: refilling the display and turning up targets involve no chance."""
    for state in every_state(range(2)):
        assert SCOPINION.deal(state, InOrder()) == []
    drawing = at("hand=g2-1 · deck=- · discard=g6-1").when(0, DrawTwo("g2-1"))
    assert SCOPINION.to_act(drawing.state) == ()
    assert [type(event) for event in drawing.dealt(InOrder()).events] == [Shuffled, Drawn, Drawn]


# --- payments -----------------------------------------------------------------------------------------------------


def test_cards_with_a_red_border_count_double_together_and_never_alone():
    """SP-11, SP-77."""
    assert worth(((4, True), (4, True))) == 16
    assert worth(((5, True), (2, False))) == 7
    assert worth(((0, True), (5, True), (3, False))) == 13
    assert worth(()) == 0


def subsets(count: int) -> Iterator[tuple[int, ...]]:
    return chain.from_iterable(combinations(range(count), size) for size in range(1, count + 1))


@pytest.mark.slow
def test_exactly_the_irredundant_payments_are_found():
    """SP-97: against every set of cards, with hands of all kinds."""
    dice = Random(97)
    for _ in range(150):
        borders = dice.choice([0, 0.2, 0.5, 0.8, 1])
        hand = tuple((dice.randrange(10), dice.random() < borders) for _ in range(dice.randrange(8)))
        prices = [dice.randrange(29) for _ in range(4)]
        names = [f"{place}" for place in range(len(hand))]
        many, few = from_many(names, dict(zip(names, hand, strict=True)), prices), from_few(hand[:FEW])
        for price in prices:
            least = irredundant(hand, price)
            found = many.get(price, [])
            assert (len(found), {tuple(map(int, pay)) for pay in found}) == (len(least), least)
            paying = few[price] if price < len(few) else []
            assert (len(paying), {*paying}) == (len(set(paying)), irredundant(hand[:FEW], price))
            for chosen in subsets(len(hand)):
                assert pays([hand[place] for place in chosen], price) == (chosen in least)


def irredundant(hand: tuple[Any, ...], price: int) -> set[tuple[int, ...]]:
    """The minimal sets of places that are enough."""
    enough = [chosen for chosen in subsets(len(hand)) if worth([hand[place] for place in chosen]) >= price]
    return {chosen for chosen in enough if not any(set(other) < set(chosen) for other in enough)}


def test_the_largest_hand_has_twelve_cards():
    """SP-25, SP-30: a turn begins with at most three, and only a 2 makes the hand larger, by one; there are nine with
    four seats, and all may come to be one seat's. The stage, where they lie then, is not shuffled in (SP-32)."""
    twos = [card.id for card in PRINTED.values() if card.value == 2]
    others = [card.id for card in PRINTED.values() if card.kind == "start" and card.value != 2][:12]
    assert len(twos) == 9
    deck = [*others, *twos[3:]]
    game = at(f"n=4 · hand={' '.join(twos[:3])} · deck={' '.join(deck)}")
    for number, two in enumerate(sorted(twos, key=[*twos[:3], *reversed(deck)].index)):
        assert len(game.state.hands[0]) == 3 + number
        game = game.when(0, DrawTwo(two))
    assert sorted(game.state.hands[0]) == sorted(others)


WORST = [
    ("b3-1 b4-1 c3-1 c3-2 c3-3 c3-4 c3-5 c4-1 c4-4 g3-1 o3-1 r3-1", "t18-1 t19-1 t15-1", "t22-1", 3282),
    ("b4-2 b6-1 c4-4 c5-2 c6-1 c6-2 c7-2 c8-4 c9-5 g4-2 o7-1 r3-1", "t14-1 t13-1 t19-1", "t28-1", 516),
    ("b1-1 c4-2 c4-4 c6-5 c7-1 c7-3 c8-4 c9-4 c9-5 r3-1 r5-1 r6-1", "t18-1 t17-1 c9-2", "t27-1", 420),
]
"""Twelve cards and a table with the most payments that a search has found, and some that take long for their number."""


@pytest.mark.parametrize(("hand", "display", "target", "count"), WORST, ids=[str(count) for *_, count in WORST])
def test_the_list_of_moves_of_a_worst_hand_takes_little_work_for_each(hand: str, display: str, target: str, count: int):
    """SP-96, SP-97: the lines of Python that run, which take less than a millisecond."""
    game = at(f"n=4 · hand={hand} · display={display} · targets={target}")
    assert len(listed(game, Buy)) == count
    assert lines_run(lambda: SCOPINION.legal(game.state, 0)) < 15_000


def test_payments_of_large_hands_are_as_many_as_they_must_be():
    """SP-97: of fourteen equal cards any seven; the work goes into what is found, not into all sets."""
    names = [f"{place}" for place in range(14)]
    assert len(from_many(names, dict.fromkeys(names, (4, False)), [28])[28]) == 3432
    assert len(from_many(names[:12], dict.fromkeys(names, (4, True)), [28])[28]) == 495


def test_in_expert_mode_a_target_pays_a_central_card_of_its_value_or_less():
    """SP-64: the values of printed ones are all less."""
    dear = deck(c9_5={"value": 12, "id": "c12-1"})
    state = replace(at("mode=expert · hand=t11-1 t12-1 t13-1").state, deck=dear, display=("c12-1", None, None))
    game = given(SCOPINION, state)
    assert {move.pay for move in listed(game, Buy) if move.card == "c12-1"} == {("t12-1",), ("t13-1",)}
    game.when(0, Buy("c12-1", ("t11-1",))).illegal()
    game.when(0, Buy("c12-1", ("t12-1",))).then(Bought(0, "c12-1", "pay", ("t12-1",), "stage"))


def test_in_expert_mode_a_handicap_changes_nothing():
    """Section 3, SP-61."""
    plain = start(2, mode="expert").dealt(InOrder())
    handicapped = start(2, mode="expert", handicap=(0,)).dealt(InOrder())
    assert SCOPINION.legal(plain.state, 0) == SCOPINION.legal(handicapped.state, 0)


# --- the end of the game ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "first", "turn"), [(n, s, t) for n in (2, 3, 4) for s in range(n) for t in range(n)])
def test_when_the_end_is_near_the_round_is_played_to_its_end_and_one_more(seats: int, first: int, turn: int):
    """SP-50, SP-51, SP-100: every seat has had the same number of turns."""
    game = at(f"n={seats} · starter={first} · turn={turn} · hand=c9-2 c4-2 · targets=t28-1 t27-1 t26-1")
    game = game.when(turn, Buy("t26-1", ("c4-2", "c9-2")))
    rest = seats - 1 - (turn - first) % seats
    assert game.events[-1] == EndTriggered(rest + seats)
    ended = 0
    while game.state.phase != "over":
        game, ended = game.when(game.state.turn, EndTurn()).restocked(), ended + 1
    assert ended == 1 + rest + seats
    assert game.state.turn == (first - 1) % seats


def scored(vault: str = "-", own: str = "-", showcase: str = "-", mode: str = "base") -> Breakdown:
    """Of seat 0."""
    game = at(f"mode={mode} · final=0 · starter=1 · deck={own} · vault={vault} · showcase={showcase}").when(
        0, EndTurn()
    )
    return game.restocked().state.breakdown[0]


def test_there_is_one_game_and_no_further_round():
    """SP-54, SP-103."""
    for play_ in every_play(range(2)):
        kinds = Counter(type(event) for event, _ in play_)
        assert kinds[Dealt] == kinds[Won] == kinds[EndTriggered] == 1


def test_who_only_ends_turns_never_ends_the_game():
    """SP-90, SP-88: no rule is added."""
    game = start(2).dealt(InOrder())
    for _ in range(60):
        game = game.when(game.state.turn, EndTurn()).restocked()
    assert (game.state.phase, game.state.final) == ("turn", None)


# --- who sees what ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", VIEWERS)
def test_of_the_laid_table_everybody_sees_the_own_hand_and_what_lies_open(viewer: int | None):
    """SP-4, SP-5: nobody sees a deck, the supply, the covered targets, what was removed."""
    game = start(2).dealt(InOrder())
    shown, _ = game.shown(viewer)
    truth = game.events[0]
    assert shown.hands == tuple(hand if seat == viewer else hide(hand) for seat, hand in enumerate(truth.hands))
    for zone in (*shown.decks, shown.supply, shown.targets, shown.removed, shown.removed_targets):
        assert zone
        assert set(zone) == {None}
    assert (shown.display, shown.purple, shown.turned) == (truth.display, truth.purple, truth.turned)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_in_the_end_everything_is_revealed_but_what_was_removed_and_left(viewer: int | None):
    """SP-5: hands, decks and vaults."""
    for play_ in every_play(range(1)):
        state = play_[0][1]
        for event, _ in play_:
            state = SCOPINION.evolve(state, SCOPINION.redact(event, viewer))
        last = SCOPINION.evolve(play_[-1][1], play_[-1][0])
        assert (state.hands, state.decks, state.vaults) == (last.hands, last.decks, last.vaults)
        assert set(state.removed) | set(state.supply) <= {None}


# --- over random play ---------------------------------------------------------------------------------------------


TABLES = [
    (seats, options) for seats in EVERY_NUMBER_OF_SEATS for options in ({}, {"handicap": (1,)}, {"mode": "expert"})
]


@cache
def plays(seed: int) -> list[list[tuple[Any, State]]]:
    """The events of random games, each with the state before it."""
    return [
        [(event, before) for before, event, _ in random_play(SCOPINION, start(seats, **options).state, seed, 10**6)]
        for seats, options in TABLES
    ]


def every_play(seeds: range) -> Iterator[list[tuple[Any, State]]]:
    for seed in seeds:
        yield from plays(seed)


def every_state(seeds: range) -> Iterator[State]:
    """The states in which somebody is to act, or the game is over."""
    for play_ in every_play(seeds):
        yield from (state for _, state in play_ if SCOPINION.to_act(state))
        yield SCOPINION.evolve(play_[-1][1], play_[-1][0])


def own_cards(state: State, seat: int) -> list[Any]:
    return [*state.decks[seat], *state.discards[seat], *state.hands[seat]]


def test_only_the_seat_whose_turn_it_is_has_moves():
    """SP-96, SP-6: two to keep or reject, in a turn always to end it."""
    for state in every_state(range(2)):
        moves = [SCOPINION.legal(state, seat) for seat in range(len(state.hands))]
        acting = [seat for seat, found in enumerate(moves) if found]
        if state.phase == "over":
            assert not acting
        else:
            assert acting == [state.turn]
            assert len(moves[state.turn]) == 2 if state.phase == "keep" else EndTurn() in moves[state.turn]


def by_the_book(state: State) -> set[Any]:
    """The moves in a turn as the rules tell them, without any thought of time."""
    seat, expert = state.turn or 0, state.options.mode == "expert"
    hand = list(state.hands[seat])
    numbers = [card for card in hand if PRINTED[card].kind != "target"]
    targets = [card for card in hand if PRINTED[card].kind == "target"]
    spread = [card for card in state.display if card is not None]
    drawable = bool(state.decks[seat] or state.discards[seat] or state.graveyard)
    once = expert or seat in state.options.handicap

    def may(function: str) -> bool:
        return not (once and function in state.used)

    def total(chosen: Sequence[str]) -> int:
        bordered = [PRINTED[card].value for card in chosen if PRINTED[card].border]
        return sum(PRINTED[card].value for card in chosen) + (sum(bordered) if len(bordered) > 1 else 0)

    moves: set[Any] = {EndTurn(hold, again) for hold in [None, *([] if expert and state.bought else hand)]
                       for again in (False, True) if state.mix or not again}  # fmt: skip
    moves |= {Secure(card) for card in targets}
    moves |= {PikOff(card) for card in spread if state.pik_off}
    for card in [*spread, *([state.targets[-1]] if state.top_open else [])]:
        price, target = PRINTED[card].value, PRINTED[card].kind == "target"
        ways = ("stage", "showcase") if expert and target else (None,)
        for count in range(1, len(numbers) + 1):
            for chosen in combinations(sorted(numbers), count):
                spare = [total([*chosen[:i], *chosen[i + 1 :]]) for i in range(count)]
                if total(chosen) >= price and (count == 1 or max(spare) < price):
                    moves |= {Buy(card, chosen, to) for to in ways}
        if expert and not target:
            moves |= {Buy(card, (own,)) for own in targets if PRINTED[own].value >= price}
        for by, other in permutations(numbers, 2):
            value = PRINTED[other].value
            if PRINTED[by].value == 3 and may("triple") and max(3, value) < price <= 3 * value:
                moves |= {Triple(card, by, other, to) for to in ways}
        if card in spread and not target and may("take"):
            moves |= {Take(card, by) for by in numbers if PRINTED[by].value == 0}
    for by in numbers:
        if PRINTED[by].value == 1 and may("draw_one") and drawable:
            moves.add(DrawOne(by))
        if PRINTED[by].value == 2 and may("draw_two") and drawable:
            moves.add(DrawTwo(by))
        if PRINTED[by].arrow and may("trash"):
            moves |= {Trash(card, by) for card in numbers if card != by}
    return moves


def test_the_list_of_moves_is_what_the_rules_say():
    """SP-96, SP-10 to SP-14, SP-20 to SP-29: however the list is made, and every other move is refused."""
    everything: dict[Any, None] = {}
    for number, state in enumerate(every_state(range(2))):
        if state.phase == "turn" and number % 3 == 0:
            moves = SCOPINION.legal(state, state.turn)
            assert set(moves) == by_the_book(state)
            assert len(set(moves)) == len(moves)
            everything |= dict.fromkeys(moves)
            for move in list(everything)[-200:] if number % 30 == 0 else ():
                accepted = given(SCOPINION, state).when(state.turn, move).events is not None
                assert accepted == (move in moves), move


def test_with_any_hand_the_list_is_what_the_rules_say():
    """SP-20 to SP-29: also where random play does not lead."""
    dice, everything = Random(20), sorted(PRINTED)
    for number in range(150):
        chosen = dice.sample(everything, 8 + 3)
        options = Options(mode=("base", "expert")[number % 2], handicap=(0,) if number % 4 == 0 else ())
        base = at("targets=t28-1 t27-1 t26-1 t25-1 t24-1").state
        display = tuple(card if PRINTED[card].kind != "start" else None for card in chosen[8:])
        hand = tuple(card for card in chosen[: dice.randrange(8)] if card not in base.targets)
        used = tuple(dice.sample(("take", "draw_one", "draw_two", "triple", "trash"), dice.randrange(3)))
        state = replace(base, options=options, hands=(hand, ()), display=display, used=used, bought=number % 3 == 0)
        assert set(SCOPINION.legal(state, 0)) == by_the_book(state)


def test_what_holds_from_event_to_event():
    """Vault and showcase hold targets and never lose one, the graveyard holds none, in the base game showcases stay
    empty (SP-98, SP-60). Between turns the stage is empty and the middle in order (SP-99, SP-7, SP-102). The end comes
    nearer by one in every turn (SP-100, SP-50). All moves but three kinds put a card of the hand onto the stage, so
    every turn is finite (SP-101). Bought means bought, and limited seats use a function once (SP-102, SP-40, SP-61).
    Nothing but a 2 makes a hand larger; between turns it has at most three cards (SP-15, SP-24, SP-25, SP-30)."""
    for play_ in every_play(range(2)):
        bought = False
        for event, before in play_:
            now = SCOPINION.evolve(before, event)
            for zone in ("vaults", "showcases"):
                for was, is_ in zip(getattr(before, zone), getattr(now, zone), strict=True):
                    assert is_[: len(was)] == was
                    assert all(PRINTED[card].kind == "target" for card in is_)
            assert all(PRINTED[card].kind != "target" for card in now.graveyard)
            limited = now.options.mode == "expert" or now.turn in now.options.handicap
            assert now.options.mode == "expert" or not any(now.showcases)
            assert not limited or len(set(now.used)) == len(now.used)
            bought = isinstance(event, Bought) or (bought and not isinstance(event, TurnEnded))
            assert now.bought == bought
            for seat, hand in enumerate(now.hands):
                assert len(hand) <= 3 + (now.used.count("draw_two") if seat == now.turn else 0)
                assert len(hand) <= len(before.hands[seat]) or isinstance(event, Drawn | Kept | TurnEnded | Dealt)
            match event:
                case EndTriggered():
                    assert before.final is None
                    assert len(now.hands) <= now.final <= 2 * len(now.hands) - 1
                case Bought(laid=laid) | Played(card=laid) | Trashed(by=laid):
                    cards = laid if isinstance(laid, tuple) else (laid,)
                    assert now.stage[: len(before.stage) + len(cards)] == before.stage + cards
            if not begins(event):
                assert now.final == before.final or isinstance(event, EndTriggered)
                continue
            assert now.final == (None if before.final is None else before.final - 1)
            assert (now.stage, now.drawn, now.used) == ((), None, ())
            assert (now.mix, now.owed, now.shuffle) == (False, 0, False)
            assert None not in now.display or not now.supply
            assert now.top_open == bool(now.targets)
            assert before.turn is None or len(now.hands[before.turn]) in (2, 3)
        turns = Counter(event.seat for event, _ in play_ if isinstance(event, TurnEnded))
        assert len(set(turns.values())) == 1
        assert len(turns) == len(play_[0][1].hands)


def test_during_a_turn_the_display_only_loses_cards():
    """SP-100, SP-28: but for the refill of a Pik-off, in the slot of its card alone."""
    behind_an_empty_slot = 0
    for event, before in chain.from_iterable(every_play(range(4))):
        now = SCOPINION.evolve(before, event)
        if isinstance(event, PikOffMade):
            refill = event.filled[0] if event.filled else None
            assert now.display == tuple(refill if card == event.card else card for card in before.display)
            behind_an_empty_slot += None in before.display[: before.display.index(event.card)] and refill is not None
        elif not isinstance(event, Dealt | TurnEnded):
            assert all(new in (old, None) for old, new in zip(before.display, now.display, strict=True))
    assert behind_an_empty_slot


def test_a_view_is_the_state_with_the_faces_of_others_replaced():
    """SP-103, SP-4, SP-5: after every single event, for every seat and for bystanders; what was seen stays known."""
    for play_ in every_play(range(1)):
        first = play_[0][1]
        views = dict.fromkeys((None, *range(len(first.hands))), first)
        openly: set[str] = set()
        for event, before in play_:
            state = SCOPINION.evolve(before, event)
            if isinstance(event, Bought) and event.to == "hand":
                openly.add(event.card)
            openly &= {card for hand in state.hands for card in hand}
            for viewer, view in views.items():
                views[viewer] = now = SCOPINION.evolve(view, SCOPINION.redact(event, viewer))
                if not isinstance(event, CardsRevealed | Scored | Won):
                    compare(now, state, viewer, openly)


def compare(view: State, state: State, viewer: int | None, openly: set[str]) -> None:
    for seat, hand in enumerate(view.hands):
        if seat == viewer:
            assert hand == state.hands[seat]
            assert view.vaults[seat] == state.vaults[seat]
        else:
            assert len(hand) == len(state.hands[seat])
            assert [card for card in hand if card] == [card for card in state.hands[seat] if card in openly]
            assert view.vaults[seat] == hide(state.vaults[seat])
    hidden = {"decks": tuple(map(hide, state.decks)), "supply": hide(state.supply), "removed": hide(state.removed)}
    shown = [card if place < 5 or (place == len(state.targets) - 1 and state.top_open) else None
             for place, card in enumerate(state.targets)]  # fmt: skip
    drawn = state.drawn if viewer == state.turn else None
    assert view == replace(state, hands=view.hands, vaults=view.vaults, targets=tuple(shown), drawn=drawn, **hidden)


def test_scores_are_sums_over_cards():
    """SP-104: a green heart never lowers them, a spade never raises them."""
    dice = Random(104)
    for _ in range(30):
        own = dice.sample([card for card in PRINTED if not PRINTED[card].red], 6)
        total = scored(own=" ".join(own)).total
        assert scored(own=" ".join(reversed(own))).total == total
        green = next(card for card in PRINTED if symbols(PRINTED[card]) == "G" and card not in own)
        spade = next(card for card in PRINTED if symbols(PRINTED[card]) == "S" and card not in own)
        assert scored(own=" ".join([*own, green])).total >= total >= scored(own=" ".join([*own, spade])).total


@pytest.mark.slow
@pytest.mark.parametrize("exchange", range(7), ids=lambda n: f"shuffle-{n}")
def test_nobody_can_tell_two_worlds_apart_whichever_shuffle_differs(exchange: int, everything: bool):
    """SP-5, SP-103, law 8: also in the supply, in the covered targets, and in the first shuffles during play."""
    for seed in range(4 if everything else 2):
        for options in (Options(), EXPERT):
            pair = (exchange, -1 - seed, 3 + seed)
            laws.two_worlds(SCOPINION, playing.Table(seats=2 + seed % 3, options=options, seed=seed, exchange=pair))


@pytest.mark.parametrize("event", [Dealt, Drawn, DrawnAside, Shuffled, Secured, TurnEnded])
def test_a_secret_event_that_is_shown_to_everybody_is_noticed(event: Any):
    """SP-5, law 5: the law bites for each of them."""
    leak = dataclasses.replace(
        SCOPINION, redact=lambda each, viewer: each if isinstance(each, event) else SCOPINION.redact(each, viewer)
    )
    for seed in range(8):
        try:
            laws.secrecy(playing.Play(leak, playing.Table(seats=2, options=Options(), seed=seed)))
        except AssertionError:
            return
    raise AssertionError("nobody noticed")


# --- how many games there are -------------------------------------------------------------------------------------


PERFT: list[tuple[int, dict[str, Any], tuple[int, ...]]] = [
    (2, {}, (7, 20, 163, 911, 5493)),
    (2, {"mode": "expert"}, (8, 20, 193, 939, 5154)),
    (3, {}, (7, 30, 143, 807, 4803)),
    (4, {}, (8, 34, 160, 697, 3238)),
]


@pytest.mark.parametrize(("seats", "options", "counts"), PERFT, ids=str)
def test_there_are_as_many_sequences_of_moves_as_ever(seats: int, options: dict[str, Any], counts: tuple[int, ...]):
    """Frozen: from a fixed deal."""
    game = start(seats, **options).dealt(Dealer(b"perft", "scopinion", (), "dealt", 0))
    assert tuple(game.sequences(depth) for depth in range(1, len(counts) + 1)) == counts
