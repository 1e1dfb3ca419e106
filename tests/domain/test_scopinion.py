"""The rulebook of scopinion as sentences. Ids are those of `docs/rules/scopinion.md`, tables are in its notation."""

import dataclasses
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain, combinations, pairwise, permutations
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.cards import hide
from domain.deck import InvalidDeck, read
from domain.fairness.chance import Dealer
from domain.ruleset import InvalidSetup
from domain.rulesets.scopinion import SCOPINION, Options, ScopinionDeck, State
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
    KeepDrawn,
    Kept,
    PikOff,
    PikOffMade,
    Played,
    Rejected,
    Scored,
    Secure,
    Secured,
    Shuffled,
    Take,
    Trash,
    Trashed,
    Triple,
    TurnBegan,
    TurnEnded,
    Won,
)
from tests.domain.scopinion_notation import DECK, InOrder, at, cards, dealt, play
from tests.kit import laws, spec
from tests.kit.spec import Given
from tests.kit.work import lines_run

EVERY_NUMBER_OF_SEATS = range(2, 5)
VIEWERS = (None, 0, 1)
EXPERT = Options(mode="expert")
PRINTED = DECK.printed


def start(seats: int = 2, **options: Any) -> Given:
    return spec.given(SCOPINION, SCOPINION.initial(seats, Options(**options), DECK))


def after(table: str, moves: str) -> Given:
    return play(at(table), moves)


def listed(game: Given, kind: Any) -> list[Any]:
    return [move for move in SCOPINION.legal(game.state, game.state.turn) if isinstance(move, kind)]


def happened(game: Given) -> list[Any]:
    """Without whose turn it is."""
    return [event for event in game.events if not isinstance(event, TurnBegan)]


def begins(event: Any) -> bool:
    """With it a turn begins."""
    return isinstance(event, TurnBegan) or (isinstance(event, TurnEnded) and event.goes_on)


class Chance(InOrder):
    """Leaves the order as it lies, and remembers what it was asked."""

    def __init__(self, lot: int = 0) -> None:
        self.lot = lot
        self.asked: list[Any] = []

    def below(self, n: int) -> int:
        self.asked.append(n)
        return self.lot

    def shuffled(self, items: Sequence[Any]) -> tuple[Any, ...]:
        self.asked.append(tuple(items))
        return tuple(items)


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


def test_functions_belong_to_the_printed_number_and_to_the_arrow():
    """SP-3: and none to a target, whatever its value."""
    deck = own_deck(add=[{"id": "t2-1", "kind": "target", "value": 2, "group": "A"}])
    for card in deck.printed.values():
        by_number = {0: "take", 1: "draw_one", 2: "draw_two", 3: "triple"}.get(card.value)
        expected = {by_number} - {None} | ({"trash"} if card.arrow else set())
        assert set(deck.functions[card.id]) == (set() if card.kind == "target" else expected)


def test_a_deck_says_that_it_is_a_reconstruction():
    """SP-2."""
    assert DECK.name == "reconstruction-1"
    assert DECK.data.provenance.startswith("A reconstruction")


def own_deck(
    *changes: tuple[str, dict[str, Any]], leave: str = "", add: Sequence[dict[str, Any]] = ()
) -> ScopinionDeck:
    """The shipped deck with some cards changed, some left out and some added."""
    raw = msgspec.to_builtins(DECK.data)
    listed = [card for card in raw["cards"] if not leave or not re.fullmatch(leave, card["id"])]
    changed = [{**card, **dict(changes).get(card["id"], {})} for card in listed]
    made = read(ScopinionDeck, "scopinion", msgspec.json.encode({**raw, "name": "own", "cards": [*changed, *add]}))
    assert isinstance(made, ScopinionDeck)
    return made


FAULTS = [
    ([("g1-1", {"id": "g0-1"})], "The id of this card begins with g1- - at `$.cards[1].id`"),
    ([("g4-2", {"id": "g4-1"})], "There is a card g4-1 already - at `$.cards[5].id`"),
    ([("g1-1", {"id": "1"})], None),
    ([("g1-1", {"value": 100})], "Expected `int` <= 99 - at `$.cards[1].value`"),
    ([("g1-1", {"spade": 1})], "Object contains unknown field `spade` - at `$.cards[1]`"),
    ([("g1-1", {"colour": None})], "Start cards have a colour, others have none - at `$.cards[1].colour`"),
    ([("c0-1", {"colour": "red"})], "Start cards have a colour, others have none - at `$.cards[36].colour`"),
    ([("c0-1", {"group": "A"})], "Targets have a group, others have none - at `$.cards[36].group`"),
    ([("t10-1", {"group": None})], "Targets have a group, others have none - at `$.cards[85].group`"),
    ([("t10-1", {"group": "D"})], "Invalid enum value 'D' - at `$.cards[85].group`"),
    *(([("t10-1", {field: 1 if field == "spades" else True})],
       f"Targets have no such symbol - at `$.cards[85].{field}`") for field in ("spades", "border", "bolt", "arrow")),
    ([("t10-1", {"mix": True})], "Only targets of group C have this symbol - at `$.cards[85].mix`"),
    ([("c0-1", {"mix": True})], "Only targets of group C have this symbol - at `$.cards[36].mix`"),
    ([("t24-1", {"group": "B", "mix": False})], "A target of value 24 is of group C - at `$.cards[111].group`"),
    ([("t24-1", {"id": "t25-2", "value": 25})],
     "Group C is one card of each value from 24 to 28, here 25, 25, 26, 27, 28 - at `$.cards`"),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "message"), FAULTS, ids=[str(message) for _, message in FAULTS])
def test_a_faulty_deck_is_refused_with_the_fault_and_its_place(changes: Any, message: str | None):
    """SP-1, section 3."""
    with pytest.raises(InvalidDeck) as refusal:
        own_deck(*changes)
    if message:
        assert str(refusal.value) == message
    else:
        assert "at `$.cards[1].id`" in str(refusal.value)


def test_a_deck_lacks_neither_purple_targets_nor_start_cards():
    """SP-1, section 3: also when all cards by themselves are in order."""
    for leave, message in [
        ("t2[4-8]-1", "Group C is one card of each value from 24 to 28, here none - at `$.cards`"),
        ("[gbro].*", "There is no start card - at `$.cards`"),
    ]:
        with pytest.raises(InvalidDeck) as refusal:
            own_deck(leave=leave)
        assert str(refusal.value) == message


UNFIT = [
    (4, {}, "o.*", "4 seats need a deck with at least 4 start sets, this one has 3."),
    (2, {}, "c[1-9].*", "2 seats need a deck of at least 18 central cards and targets of group A, this one has 14."),
    (2, {}, "t2[0-2].*", "2 seats need a deck of at least 5 targets of group B, this one has 4."),
    (3, {"handicap": (0, 0)}, "", "The seats of `handicap` are different ones from 0 to 2."),
    (3, {"handicap": (3,)}, "", "The seats of `handicap` are different ones from 0 to 2."),
]


@pytest.mark.parametrize(("seats", "options", "leave", "message"), UNFIT, ids=[message for *_, message in UNFIT])
def test_seats_options_and_deck_must_go_together(seats: int, options: dict[str, Any], leave: str, message: str):
    """Section 3, SP-41."""
    with pytest.raises(InvalidSetup) as refusal:
        SCOPINION.initial(seats, Options(**options), own_deck(leave=leave))
    assert str(refusal.value) == message


def test_a_deck_may_have_just_as_many_cards_as_are_needed():
    """Section 3, SP-41: then nothing is left to fill the display."""
    least = own_deck(leave="c[1-8].*|c9-5|o.*|r.*|t2[12]-.|t23-[2-4]")
    assert [len(cards) for cards in (least.starts, least.supply, least.covered)] == [2, 15 + 3, 5]
    state = spec.given(SCOPINION, SCOPINION.initial(2, Options(), least)).dealt(InOrder()).state
    assert (len(state.display), state.supply) == (3, ())


def test_a_smaller_deck_is_played_with_as_it_is():
    """SP-2, SP-41: without a target of group B the lowest purple one is on top; other values are as good."""
    small = own_deck(("c9-5", {"value": 12, "id": "c12-1"}), leave="t2[0-3].*|o.*|b4-2|c1-.")
    with pytest.raises(InvalidSetup):
        SCOPINION.initial(2, Options(), small)
    small = own_deck(leave="t2[0-2].*|o.*|b4-2", add=[{"id": "t23-5", "kind": "target", "value": 23, "group": "B"}])
    state = spec.given(SCOPINION, SCOPINION.initial(2, Options(), small)).dealt(InOrder()).state
    assert (state.targets, state.top_open) == (("t28-1", "t27-1", "t26-1", "t25-1", "t24-1"), True)
    assert len(state.decks[1]) + len(state.hands[1]) == 8


def test_the_options_default_to_the_base_game():
    """Section 3."""
    assert msgspec.convert({}, Options) == Options(mode="base", handicap=())
    assert list(SCOPINION.seats) == [2, 3, 4]
    for wrong in ({"mode": "own"}, {"handicap": [4]}, {"handicap": [-1]}, {"players": 3}):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(wrong, Options)


# --- the deal -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", EVERY_NUMBER_OF_SEATS)
def test_the_table_is_laid(seats: int):
    """SP-41, SP-54."""
    chance = Chance(lot=seats - 1)
    game = start(seats).dealt(chance)
    assert chance.asked == [seats, *DECK.starts[:seats], DECK.supply, DECK.covered]
    state, out = game.state, {2: (15, 5), 3: (9, 3), 4: (0, 0)}[seats]
    assert (state.starter, state.turn, state.phase) == (seats - 1, seats - 1, "turn")
    for seat, own in enumerate(DECK.starts[:seats]):
        assert (state.hands[seat], state.decks[seat]) == ((own[-1], own[-2]), own[:-2])
    left = DECK.supply[: len(DECK.supply) - out[0]]
    assert (state.display, state.supply) == (tuple(reversed(left[-3:])), left[:-3])
    covered = DECK.covered[: len(DECK.covered) - out[1]]
    assert state.targets == ("t28-1", "t27-1", "t26-1", "t25-1", "t24-1", *covered)
    assert state.top_open
    assert state.removed == DECK.supply[len(left) :] + DECK.covered[len(covered) :]


def test_a_pile_is_shuffled_from_bottom_to_top_the_deck_below_the_discard():
    """SP-42."""
    game = at("hand=c8-2 g4-1 · deck=c1-1 c2-1 · discard=c3-1 c5-1 · targets=t28-1 t27-1 t26-1 t25-1 t24-1")
    game = game.when(0, Buy("t24-1", ("c8-2", "g4-1"))).when(0, EndTurn(reshuffle=True))
    chance = Chance()
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


@pytest.mark.parametrize(
    ("hand", "price", "expected"),
    [
        ("g0-1 g5-1 g1-1", "t10-1", {"g0-1+g5-1"}),
        ("g0-1 g3-1 g5-1", "t11-1", {"g0-1+g3-1+g5-1"}),
        ("g1-1 g2-1 g3-1 g4-1", "c5-1", {"g1-1+g4-1", "g2-1+g3-1", "g2-1+g4-1", "g3-1+g4-1"}),
        ("g0-1 g1-1", "c1-1", {"g1-1"}),
        ("g0-1 g3-1", "c0-1", {"g0-1", "g3-1"}),
        ("g0-1 b0-1", "c1-1", set()),
    ],
)
def test_a_payment_is_enough_and_no_card_of_it_can_be_spared(hand: str, price: str, expected: set[str]):
    """SP-12, SP-70: a 0 pays alone, or by its border; no change is given."""
    game = at(f"hand={hand} · display={price} c9-1 c9-2")
    assert {"+".join(move.pay) for move in listed(game, Buy) if move.card == price} == expected


def subsets(count: int) -> Iterator[tuple[int, ...]]:
    return chain.from_iterable(combinations(range(count), size) for size in range(1, count + 1))


def test_exactly_the_irredundant_payments_are_found():
    """SP-97: against every set of cards, with hands of all kinds."""
    dice = Random(97)
    for _ in range(400):
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


def test_nothing_but_a_two_makes_a_hand_larger():
    """SP-15, SP-24, SP-25, SP-30: between turns it has at most three cards."""
    for play_ in every_play(range(2)):
        for (event, before), (_, after) in pairwise(play_):
            for seat, hand in enumerate(after.hands):
                assert len(hand) <= 3 or seat == after.turn
                if len(hand) > len(before.hands[seat]):
                    assert isinstance(event, Drawn | Kept | TurnEnded | Dealt)
                if len(hand) > 3:
                    assert len(hand) <= 3 + after.used.count("draw_two")


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


def test_a_payment_lists_different_cards_of_the_hand_in_ascending_order():
    """SP-20."""
    game = at("hand=g4-1 g4-2 · display=t16-1 c9-1 c9-2")
    game.when(0, Buy("t16-1", ("g4-1", "g4-2"))).then(Bought(0, "t16-1", "pay", ("g4-1", "g4-2"), "stage"))
    for pay in (("g4-2", "g4-1"), ("g4-1", "g4-1"), ("g4-1", "g5-1"), ("g4-1", "x9-9"), ("g4-1",)):
        game.when(0, Buy("t16-1", pay)).illegal()


def test_targets_do_not_pay_in_the_base_game():
    """SP-13, SP-87: they can only be secured, held or staged."""
    game = at("hand=t10-1 g6-1 · display=c4-1 t11-1 c9-2")
    assert {type(move) for move in SCOPINION.legal(game.state, 0) if "t10-1" in str(move)} == {Secure, EndTurn}
    game.when(0, Buy("c4-1", ("t10-1",))).illegal()


# --- buying -------------------------------------------------------------------------------------------------------


def test_in_expert_mode_a_target_pays_a_central_card_of_its_value_or_less():
    """SP-64: the values of printed ones are all less."""
    deck = own_deck(("c9-5", {"value": 12, "id": "c12-1"}))
    state = replace(at("mode=expert · hand=t11-1 t12-1 t13-1").state, deck=deck, display=("c12-1", None, None))
    game = spec.given(SCOPINION, state)
    assert {move.pay for move in listed(game, Buy) if move.card == "c12-1"} == {("t12-1",), ("t13-1",)}
    game.when(0, Buy("c12-1", ("t11-1",))).illegal()
    game.when(0, Buy("c12-1", ("t12-1",))).then(Bought(0, "c12-1", "pay", ("t12-1",), "stage"))


def test_only_open_cards_can_be_bought():
    """SP-10, SP-14: those in the display, and the top target if it lies face up."""
    game = at("hand=g7-1 c9-2 c4-2 · targets=t28-1 t27-1 t26-1 t25-1 t24-1 t21-1 t20-1")
    assert {move.card for move in listed(game, Buy)} == {"c9-1", "c9-4", "c9-5", "t20-1"}
    for card in ("t21-1", "t28-1", "c8-5", "g7-1", "r7-1"):
        game.when(0, Buy(card, ("c4-2", "c9-2"))).illegal()


def test_what_is_bought_leaves_its_place_empty_and_lies_on_the_stage_behind_the_payment():
    """SP-15, SP-20, SP-14: each hand card serves once."""
    game = after("hand=g5-1 g6-1 · display=c4-1 c9-1 c9-2", "buy c4-1 pay g5-1")
    state = game.state
    assert (state.display, state.stage, state.hands[0]) == ((None, "c9-1", "c9-2"), ("g5-1", "c4-1"), ("g6-1",))
    assert (state.bought, state.mix, state.used) == (True, False, ())
    game.when(0, Buy("c9-1", ("g5-1", "g6-1"))).illegal()


def test_any_number_of_cards_is_bought_in_a_turn():
    """SP-20, SP-6."""
    game = after(
        "hand=g5-1 g6-1 g7-1 · display=c4-1 c5-1 c6-1", "buy c4-1 pay g5-1 ; buy c5-1 pay g6-1 ; buy c6-1 pay g7-1"
    )
    assert game.state.stage == ("g5-1", "c4-1", "g6-1", "c5-1", "g7-1", "c6-1")


def test_a_card_with_a_bolt_comes_to_the_hand_and_may_be_used_at_once():
    """SP-15, SP-74: to pay, for its function, to be held; however it was bought."""
    game = after("hand=g4-1 · display=c1-2 c4-3 c9-2", "buy c4-3 pay g4-1")
    assert game.events == [Bought(0, "c4-3", "pay", ("g4-1",), "hand")]
    assert game.state.hands[0] == ("c4-3",)
    game = play(game, "buy c1-2 pay c4-3 ; draw_one c1-2")
    assert game.state.phase == "keep"
    assert after("hand=g0-1 · display=c4-3 c9-1 c9-2", "take c4-3 g0-1 ; end hold c4-3").state.hands[0][0] == "c4-3"


def test_a_bolt_does_nothing_when_the_card_is_drawn_or_refilled():
    """SP-74."""
    game = after("hand=g2-1 · deck=g6-1 g7-1 c4-3 c5-3 · supply=c1-3", "draw_two g2-1 ; end")
    assert game.state.discards[0][-2:] == ("c5-3", "c4-3")


def test_below_a_covered_target_another_covered_one_comes_to_light_at_turn_end_only():
    """SP-15, SP-71, SP-30."""
    table = "hand=c7-2 g4-1 c9-2 g5-1 · targets=t28-1 t27-1 t26-1 t25-1 t24-1 t21-1 t20-1"
    game = after(table, "buy t20-1 pay c7-2+g4-1")
    assert not game.state.top_open
    assert {move.card for move in listed(game, Buy)} == {"c9-1", "c9-4", "c9-5"}
    ended = play(game, "end")
    assert ended.events[0].turned == ("t21-1",)
    assert ended.state.top_open


def test_purple_targets_are_open_and_can_be_bought_one_after_the_other():
    """SP-15, SP-71, SP-72: the 24 after a covered one, and buying the 26 triggers the end at once."""
    game = after("hand=c7-2 g4-1 c8-2 g5-1", "buy t20-1 pay c7-2+g4-1 ; buy t24-1 pay c8-2+g5-1")
    assert (game.state.targets[-1], game.state.top_open, game.state.mix) == ("t25-1", True, True)
    game = after("hand=c9-2 c4-2 · targets=t28-1 t27-1 t26-1", "buy t26-1 pay c4-2+c9-2")
    assert game.events[1:] == [EndTriggered(3)]
    assert "t27-1" in {move.card for move in listed(play(at("hand=c9-2 g5-1 · targets=t28-1 t27-1"), "-"), Buy)}


def test_the_three_triples_one_other_card():
    """SP-21, SP-75."""
    game = at("hand=g3-1 g5-1 · display=t11-1 c9-1 c5-1")
    assert listed(game, Triple) == [Triple("t11-1", "g3-1", "g5-1"), Triple("c9-1", "g3-1", "g5-1")]
    game.when(0, Triple("t11-1", "g3-1", "g5-1")).then(Bought(0, "t11-1", "triple", ("g3-1", "g5-1"), "stage"))
    for by, other in (("g5-1", "g3-1"), ("g3-1", "g3-1"), ("g3-1", "g6-1"), ("c3-1", "g5-1")):
        game.when(0, Triple("t11-1", by, other)).illegal()
    game.when(0, Triple("c9-1", "g3-1", "g3-1")).illegal()
    two = at("hand=g3-1 c3-1 · display=c9-1 t10-1 c4-1")
    both = {("c9-1", "g3-1", "c3-1"), ("c9-1", "c3-1", "g3-1"), ("c4-1", "g3-1", "c3-1"), ("c4-1", "c3-1", "g3-1")}
    assert {(move.card, move.by, move.other) for move in listed(two, Triple)} == both


def test_nothing_is_tripled_that_one_of_the_two_cards_could_pay():
    """SP-21, SP-70, SP-76: where the sum is enough both are legal."""
    assert not listed(at("hand=g3-1 g5-1 · display=c5-1 c3-1 c0-1"), Triple)
    game = at("hand=g3-1 g5-1 · display=c7-1 c9-1 c9-2")
    assert game.when(0, Buy("c7-1", ("g3-1", "g5-1"))).state.used == ()
    assert game.when(0, Triple("c7-1", "g3-1", "g5-1")).state.used == ("triple",)


def test_borders_do_not_count_when_tripling_and_targets_are_not_tripled():
    """SP-21, SP-13, SP-63."""
    assert not listed(at("hand=g3-1 g4-1 · display=t13-1 t14-1 t15-1"), Triple)
    assert not listed(at("hand=g3-1 t10-1 · display=t13-1 t14-1 t15-1"), Triple)
    assert not listed(at("mode=expert · hand=g3-1 t10-1 · display=c9-1 t14-1 t15-1"), Triple)


def test_the_zero_takes_a_central_card_from_the_display_and_nothing_else():
    """SP-22, SP-73: it counts as a purchase."""
    game = at("hand=g0-1 t10-1 · display=c7-1 t11-1 c9-1")
    assert listed(game, Take) == [Take("c7-1", "g0-1"), Take("c9-1", "g0-1")]
    taken = game.when(0, Take("c9-1", "g0-1")).then(Bought(0, "c9-1", "take", ("g0-1",), "stage"))
    assert (taken.state.bought, taken.state.used) == (True, ("take",))
    for card, by in (("t11-1", "g0-1"), ("t20-1", "g0-1"), ("c7-1", "t10-1"), ("c8-5", "g0-1"), ("c7-1", "b0-1")):
        game.when(0, Take(card, by)).illegal()


def test_a_card_that_costs_nothing_is_paid_with_any_single_card_or_taken():
    """SP-70."""
    game = at("hand=g0-1 g3-1 t10-1 · display=c0-1 c9-1 c9-2")
    assert {move.pay for move in listed(game, Buy) if move.card == "c0-1"} == {("g0-1",), ("g3-1",)}
    assert Take("c0-1", "g0-1") in listed(game, Take)


# --- drawing ------------------------------------------------------------------------------------------------------


def test_the_one_draws_a_card_that_is_kept_or_rejected():
    """SP-23, SP-24, SP-6, SP-96: in between nothing else can be done."""
    game = at("hand=g1-1 g5-1 · deck=g6-1 t10-1 g7-1").when(0, DrawOne("g1-1"))
    game.then(Played(0, "g1-1", "draw_one"), DrawnAside(0, "g7-1", "deck"))
    game.legal(0, KeepDrawn(True), KeepDrawn(False)).legal(1)
    for move in (EndTurn(), DrawOne("g1-1"), Buy("c4-1", ("g5-1",))):
        game.when(0, move).illegal()
    kept = game.when(0, KeepDrawn(True)).then(Kept(0))
    assert (kept.state.hands[0], kept.state.stage, kept.state.phase) == (("g5-1", "g7-1"), ("g1-1",), "turn")
    rejected = game.when(0, KeepDrawn(False)).then(Rejected(0, "g7-1"), Drawn(0, ("t10-1",), "deck"))
    assert (rejected.state.hands[0], rejected.state.stage) == (("g5-1", "t10-1"), ("g1-1", "g7-1"))


def test_after_a_rejection_nothing_may_be_left_to_draw():
    """SP-24, SP-79: the rejected card lies on the stage and is not drawn again."""
    game = at("hand=g1-1 · deck=g7-1").when(0, DrawOne("g1-1")).when(0, KeepDrawn(False))
    game.then(Rejected(0, "g7-1"), Drawn(0, (), "graveyard"))
    assert (game.state.hands[0], game.state.stage, game.state.phase) == ((), ("g1-1", "g7-1"), "turn")


def test_the_two_draws_two_cards_or_as_many_as_there_are():
    """SP-25."""
    at("hand=g2-1").when(0, DrawTwo("g2-1")).then(Played(0, "g2-1", "draw_two"), Drawn(0, ("r7-1", "r6-1"), "deck"))
    game = at("hand=g2-1 · deck=g7-1 · graveyard=-").when(0, DrawTwo("g2-1"))
    game.then(Played(0, "g2-1", "draw_two"), Drawn(0, ("g7-1",), "deck"), Drawn(0, (), "graveyard"))
    assert game.state.phase == "turn"


def test_an_empty_deck_is_made_anew_from_the_discard_without_the_stage():
    """SP-32, SP-78, SP-5: the test is made anew for every single card."""
    game = at("hand=g2-1 · stage=g5-1 · deck=g7-1 · discard=g6-1 c4-1").when(0, DrawTwo("g2-1"))
    game.then(Played(0, "g2-1", "draw_two"), Drawn(0, ("g7-1",), "deck"))
    game = game.dealt(InOrder()).then(Shuffled(0, ("g6-1", "c4-1")), Drawn(0, ("c4-1",), "deck"))
    assert (game.state.decks[0], game.state.discards[0], game.state.stage) == (("g6-1",), (), ("g5-1", "g2-1"))


def test_a_card_to_keep_or_reject_may_need_a_shuffle_as_well():
    """SP-32, SP-23."""
    game = at("hand=g1-1 · deck=- · discard=g6-1 c4-1").when(0, DrawOne("g1-1")).then(Played(0, "g1-1", "draw_one"))
    game = game.dealt(InOrder()).then(Shuffled(0, ("g6-1", "c4-1")), DrawnAside(0, "c4-1", "deck"))
    rejected = game.when(0, KeepDrawn(False)).then(Rejected(0, "c4-1"), Drawn(0, ("g6-1",), "deck"))
    assert rejected.state.phase == "turn"


def test_in_the_last_resort_cards_come_from_the_bottom_of_the_graveyard():
    """SP-32, SP-80: and belong to the drawer from then on."""
    game = at("hand=g2-1 · deck=- · graveyard=b6-1 c1-1 c5-3").when(0, DrawTwo("g2-1"))
    game.then(Played(0, "g2-1", "draw_two"), Drawn(0, ("b6-1", "c1-1"), "graveyard"))
    assert (game.state.graveyard, game.state.hands[0]) == (("c5-3",), ("b6-1", "c1-1"))
    assert (game.state.phase, game.state.owed) == ("turn", 0)
    aside = at("hand=g1-1 · deck=- · graveyard=b6-1").when(0, DrawOne("g1-1"))
    aside.then(Played(0, "g1-1", "draw_one"), DrawnAside(0, "b6-1", "graveyard"))
    ended = at("hand=- · deck=g6-1 · graveyard=b6-1").when(0, EndTurn())
    assert happened(ended)[1:] == [Drawn(0, ("b6-1",), "graveyard")]


def test_the_card_to_keep_or_reject_may_come_from_the_graveyard():
    """SP-23, SP-24, SP-33: its bottom card, and nothing is owed any more."""
    game = at("hand=g1-1 · deck=- · graveyard=c4-1 c5-1 c6-1").when(0, DrawOne("g1-1"))
    game.then(Played(0, "g1-1", "draw_one"), DrawnAside(0, "c4-1", "graveyard"))
    state = game.state
    assert (state.phase, state.drawn, state.owed, state.graveyard) == ("keep", "c4-1", 0, ("c5-1", "c6-1"))
    kept = game.when(0, KeepDrawn(True)).then(Kept(0))
    assert (kept.state.hands[0], kept.state.phase) == (("c4-1",), "turn")
    rejected = game.when(0, KeepDrawn(False)).then(Rejected(0, "c4-1"), Drawn(0, ("c5-1",), "graveyard"))
    assert (rejected.state.owed, rejected.state.graveyard) == (0, ("c6-1",))


def test_with_the_last_target_gone_nothing_is_open_there():
    """SP-10, SP-84."""
    game = after("final=1 · hand=c9-2 c5-2 c4-2 g5-1 · targets=t28-1", "buy t28-1 pay c5-2+c9-2")
    assert (game.state.targets, game.state.top_open) == ((), False)
    assert {move.card for move in listed(game, Buy)} == {"c9-1", "c9-4", "c9-5"}


def test_the_symbol_for_shuffling_holds_for_one_turn():
    """SP-7, SP-30: the next seat has bought nothing yet."""
    game = after("hand=c8-2 g5-1 · targets=t28-1 t27-1 t26-1 t25-1 t24-1", "buy t24-1 pay c8-2+g5-1")
    assert EndTurn(reshuffle=True) in listed(game, EndTurn)
    later = game.when(0, EndTurn()).state
    assert (later.turn, later.mix) == (1, False)
    assert listed(spec.given(SCOPINION, later), EndTurn) == [EndTurn()]


def test_to_draw_there_must_be_a_card():
    """SP-33, SP-23, SP-25, SP-88: otherwise the function is not there; the turn can be ended with an empty hand."""
    for zone, some in (
        ("deck=g7-1", True),
        ("deck=- · discard=g7-1", True),
        ("deck=- · graveyard=g7-1", True),
        ("deck=-", False),
    ):
        game = at(f"hand=g1-1 g2-1 · {zone}")
        assert bool(listed(game, DrawOne)) == bool(listed(game, DrawTwo)) == some
    at("hand=- · deck=-").legal(0, EndTurn()).when(0, EndTurn()).then(
        TurnEnded(0, (), (), (), (), False), Drawn(0, (), "graveyard"), TurnBegan(1, False)
    )


# --- trash, secure, Pik-off ---------------------------------------------------------------------------------------


def test_the_arrow_puts_another_card_onto_the_graveyard():
    """SP-26, SP-3: no spade is needed, and no target goes."""
    game = at("hand=c5-4 g6-1 t10-1 · graveyard=c1-1 · display=t16-1 t17-1 t18-1")
    game.legal(0, Trash("g6-1", "c5-4"), Secure("t10-1"), *(EndTurn(hold) for hold in (None, "c5-4", "g6-1", "t10-1")))
    trashed = game.when(0, Trash("g6-1", "c5-4")).then(Trashed(0, "c5-4", "g6-1"))
    assert (trashed.state.graveyard, trashed.state.stage, trashed.state.used) == (
        ("c1-1", "g6-1"),
        ("c5-4",),
        ("trash",),
    )
    for card, by in (("c5-4", "c5-4"), ("t10-1", "c5-4"), ("c5-4", "g6-1"), ("r7-1", "c5-4")):
        game.when(0, Trash(card, by)).illegal()


def test_a_card_with_number_and_arrow_has_either_function():
    """SP-3."""
    game = at("hand=c2-5 g6-1")
    assert listed(game, DrawTwo) == [DrawTwo("c2-5")]
    assert listed(game, Trash) == [Trash("g6-1", "c2-5")]


def test_a_target_drawn_is_secured_any_number_in_a_turn():
    """SP-27."""
    game = at("hand=t10-1 t11-1 g5-1 · vault=t12-1").when(0, Secure("t11-1")).then(Secured(0, "t11-1"))
    game = game.when(0, Secure("t10-1"))
    assert (game.state.vaults[0], game.state.used) == (("t12-1", "t11-1", "t10-1"), ())
    game.when(0, Secure("g5-1")).illegal()


def test_a_target_bought_now_cannot_be_secured_now():
    """SP-86: it lies on the stage."""
    game = after("hand=g4-1 g4-2 · display=t16-1 c9-1 c9-2", "buy t16-1 pay g4-1+g4-2")
    assert not listed(game, Secure)
    game.when(0, Secure("t16-1")).illegal()


@pytest.mark.parametrize(
    ("display", "offered"),
    [
        ("c4-3 c5-3 c7-3", True),
        ("c4-3 c5-3 c7-1", False),
        ("c4-3 - -", True),
        ("- - -", False),
        ("c4-3 t10-1 -", False),
    ],
)
def test_a_pik_off_is_offered_if_all_cards_of_the_display_have_spades_when_the_turn_begins(display: str, offered: bool):
    """SP-7."""
    game = at(f"turn=1 · display={display} · supply=-").when(1, EndTurn())
    assert game.events[-1].pik_off == offered
    assert {move.card for move in listed(game, PikOff)} == {c for c in display.split() if c != "-" and offered}


def test_a_pik_off_moves_a_card_to_the_graveyard_and_only_its_place_is_filled_at_once():
    """SP-28, SP-81: once in a turn, no purchase; what is bought meanwhile does not cancel it."""
    game = after("hand=g7-1 · display=c4-3 c5-3 c7-3", "buy c7-3 pay g7-1").when(0, PikOff("c4-3"))
    game.then(PikOffMade(0, "c4-3", ("c8-5",)))
    assert (game.state.display, game.state.graveyard) == (("c8-5", "c5-3", None), ("c4-3",))
    assert (game.state.pik_off, listed(game, PikOff)) == (False, [])
    game.when(0, PikOff("c5-3")).illegal()
    only = at("hand=g7-1 · display=c4-3 c5-3 c7-3").when(0, PikOff("c4-3")).state
    assert (only.bought, only.display) == (False, ("c8-5", "c5-3", "c7-3"))


@pytest.mark.parametrize(
    ("table", "moves", "display", "supply"),
    [
        ("supply=c8-1 c9-1", "buy c4-3 pay g7-1 ; pik_off c7-3", (None, "c5-3", "c9-1"), ("c8-1",)),
        ("supply=c8-1 c9-1", "buy c4-3 pay g7-1 ; pik_off c5-3", (None, "c9-1", "c7-3"), ("c8-1",)),
        ("supply=c8-1 c9-1", "buy c7-3 pay g7-1 ; pik_off c5-3", ("c4-3", "c9-1", None), ("c8-1",)),
        ("supply=-", "buy c4-3 pay g7-1 ; pik_off c7-3", (None, "c5-3", None), ()),
    ],
)
def test_a_pik_off_refills_the_slot_of_its_own_card_and_no_other(
    table: str, moves: str, display: tuple[str | None, ...], supply: tuple[str, ...]
):
    """SP-28: a slot that a purchase has emptied earlier in the turn stays empty, wherever it is."""
    state = after(f"hand=g7-1 · display=c4-3 c5-3 c7-3 · {table}", moves).state
    assert (state.display, state.supply) == (display, supply)


def test_the_card_that_a_pik_off_brings_can_be_bought_in_the_same_turn():
    """SP-81; SP-100: else the display only loses cards during a turn."""
    game = after("hand=c9-1 · display=c4-3 c5-3 c7-3", "pik_off c4-3")
    assert "c8-5" in {move.card for move in listed(game, Buy)}
    bought_empty = after("hand=c9-1 · display=c4-3 - - · supply=-", "buy c4-3 pay c9-1")
    assert not listed(bought_empty, PikOff)


# --- once in a turn -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "limited"), [("handicap=0 · ", True), ("handicap=1 · ", False), ("mode=expert · ", True)]
)
def test_who_is_limited_uses_each_function_once_in_a_turn(options: str, limited: bool):
    """SP-40, SP-61, SP-102: paying with such a card is no use; the next turn begins anew."""
    table = options + "hand=g0-1 c0-1 c1-1 g1-1 · display=c4-1 c9-1 c0-3 · deck=g5-1 g6-1 g7-1"
    game = after(table, "take c4-1 g0-1 ; draw_one g1-1 ; keep")
    assert (not listed(game, Take)) == (not listed(game, DrawOne)) == limited
    assert game.state.used == ("take", "draw_one")
    assert [move.pay for move in listed(game, Buy) if move.card == "c0-3"]
    if limited:
        game.when(0, Take("c9-1", "c0-1")).illegal()
    assert play(game, "end ; end").state.used == ()


def test_in_expert_mode_a_handicap_changes_nothing():
    """Section 3, SP-61."""
    plain = start(2, mode="expert").dealt(InOrder())
    handicapped = start(2, mode="expert", handicap=(0,)).dealt(InOrder())
    assert SCOPINION.legal(plain.state, 0) == SCOPINION.legal(handicapped.state, 0)


# --- the end of a turn --------------------------------------------------------------------------------------------


def test_at_the_end_of_a_turn_all_but_the_held_card_go_to_the_discard_and_two_are_drawn():
    """SP-30, SP-29, SP-99: the stage first, then the hand."""
    game = at("hand=g5-1 g6-1 g7-1 · stage=c4-1 · discard=c1-1 · deck=c2-1 c3-1 c5-1").when(0, EndTurn("g6-1"))
    game.then(TurnEnded(0, ("g5-1", "g7-1"), ("c5-1", "c3-1"), (), (), False, goes_on=True))
    state = game.state
    assert (state.hands[0], state.discards[0]) == (("g6-1", "c5-1", "c3-1"), ("c1-1", "c4-1", "g5-1", "g7-1"))
    assert (state.stage, state.turn, state.phase, state.owed) == ((), 1, "turn", 0)


def test_any_card_of_the_hand_may_be_held_or_none():
    """SP-29: targets too; a shuffle only after buying a card with the symbol."""
    at("hand=g6-1 t10-1 · display=- - -").legal(0, Secure("t10-1"), EndTurn(), EndTurn("g6-1"), EndTurn("t10-1"))
    game = at("hand=g6-1")
    for move in (EndTurn("g5-1"), EndTurn(reshuffle=True), EndTurn("r7-1")):
        game.when(0, move).illegal()


def test_gaps_of_the_display_are_filled_in_order_while_the_supply_lasts():
    """SP-30, SP-83."""
    game = at("hand=- · display=- c4-1 - · supply=c1-1 c2-1 c3-1").when(0, EndTurn())
    assert game.events[0].filled == ("c3-1", "c2-1")
    assert (game.state.display, game.state.supply) == (("c3-1", "c4-1", "c2-1"), ("c1-1",))
    last = at("hand=- · display=- - c4-1 · supply=c1-1").when(0, EndTurn())
    assert (last.state.display, last.state.supply, last.state.final) == (("c1-1", None, "c4-1"), (), None)


def test_drawing_at_the_end_of_a_turn_the_own_stage_is_part_of_the_shuffle():
    """SP-30, SP-32."""
    game = at("hand=g5-1 · stage=c4-1 · discard=c1-1 · deck=c3-1").when(0, EndTurn())
    game.then(TurnEnded(0, ("g5-1",), ("c3-1",), (), (), False))
    game = game.dealt(InOrder()).then(
        Shuffled(0, ("c1-1", "c4-1", "g5-1")), Drawn(0, ("g5-1",), "deck"), TurnBegan(1, False)
    )
    assert game.state.hands[0] == ("c3-1", "g5-1")


def test_with_the_symbol_for_it_deck_and_discard_are_shuffled_before_drawing():
    """SP-29, SP-30, SP-85: what was bought is shuffled in, the held card is not."""
    table = "hand=c8-2 g4-1 g6-1 · deck=c1-1 · discard=c2-1 · targets=t28-1 t27-1 t26-1 t25-1 t24-1"
    game = after(table, "buy t24-1 pay c8-2+g4-1")
    assert {(move.hold, move.reshuffle) for move in listed(game, EndTurn)} == {
        (hold, again) for hold in (None, "g6-1") for again in (False, True)
    }
    game = game.when(0, EndTurn("g6-1", reshuffle=True)).then(TurnEnded(0, (), (), (), (), True))
    game = game.dealt(InOrder())
    assert game.events[:2] == [
        Shuffled(0, ("c1-1", "c2-1", "c8-2", "g4-1", "t24-1")),
        Drawn(0, ("t24-1", "g4-1"), "deck"),
    ]
    expert = after("mode=expert · " + table, "buy t24-1 pay c8-2+g4-1 showcase")
    assert {move.reshuffle for move in listed(expert, EndTurn)} == {False, True}


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
        game, ended = dealt(game.when(game.state.turn, EndTurn())), ended + 1
    assert ended == 1 + rest + seats
    assert game.state.turn == (first - 1) % seats


def test_the_end_is_near_when_display_and_supply_are_empty():
    """SP-50, SP-40, SP-82, SP-83: by buying or by Pik-off; not if the supply will refill the display."""
    assert after("hand=g5-1 · display=- c4-1 - · supply=-", "buy c4-1 pay g5-1").events[1:] == [EndTriggered(3)]
    assert after("display=c4-3 - - · supply=-", "pik_off c4-3").events[1:] == [EndTriggered(3)]
    assert len(after("hand=g5-1 · display=- c4-1 - · supply=c1-1", "buy c4-1 pay g5-1").events) == 1
    assert len(after("display=c4-3 - - · supply=c1-1", "pik_off c4-3").events) == 1
    assert len(after("hand=g5-1 · display=c1-1 c4-1 - · supply=-", "buy c4-1 pay g5-1").events) == 1


def test_only_the_first_trigger_counts():
    """SP-89, SP-51."""
    game = after("final=2 · hand=g5-1 c9-2 c4-2 · display=- c4-1 - · supply=- · targets=t28-1 t27-1 t26-1",
                 "buy c4-1 pay g5-1 ; buy t26-1 pay c4-2+c9-2")  # fmt: skip
    assert game.state.final == 2


def test_the_last_targets_may_still_be_bought():
    """SP-51."""
    game = after("final=1 · hand=c9-2 c5-2 c4-2 g5-1 · targets=t28-1 t27-1", "buy t27-1 pay c5-2+c9-2")
    assert (game.state.targets, game.state.top_open, game.state.final) == (("t28-1",), True, 1)


def test_with_nothing_left_in_the_middle_turns_go_on():
    """SP-84: secure, functions."""
    game = at("final=2 · hand=t10-1 g1-1 c5-4 · display=- - - · supply=- · targets=-")
    assert {type(move) for move in SCOPINION.legal(game.state, 0)} == {Secure, DrawOne, Trash, EndTurn}


def test_the_last_turn_runs_through_the_same_steps():
    """SP-31, SP-30, SP-5."""
    game = at("final=0 · starter=1 · hand=g5-1 · display=- c4-1 c4-2 · supply=c1-1 c2-1 · targets=t28-1 t27-1")
    game = game.when(0, EndTurn())
    ended, revealed, scored, won = game.events
    assert ended == TurnEnded(0, ("g5-1",), ("r7-1", "r6-1"), ("c2-1",), (), False)
    assert revealed == CardsRevealed((("r7-1", "r6-1"), ()), ((), ()), ((), ()))
    assert (type(scored), won) == (Scored, Won((1,)))
    assert (game.state.phase, SCOPINION.to_act(game.state)) == ("over", ())


def test_the_last_turn_may_need_a_shuffle():
    """SP-31, SP-32."""
    game = at("final=0 · starter=1 · hand=g5-1 · deck=-").when(0, EndTurn())
    assert [type(event) for event in game.events] == [TurnEnded]
    game = game.dealt(InOrder())
    assert [type(event) for event in game.events] == [Shuffled, Drawn, Drawn, CardsRevealed, Scored, Won]


def scored(vault: str = "-", own: str = "-", showcase: str = "-", mode: str = "base") -> Breakdown:
    """Of seat 0."""
    game = at(f"mode={mode} · final=0 · starter=1 · deck={own} · vault={vault} · showcase={showcase}").when(
        0, EndTurn()
    )
    return dealt(game).state.breakdown[0]


def test_hearts_count_in_the_vault_red_ones_in_the_own_cards_and_spades_are_neutralised():
    """SP-52: surplus green hearts are lost, a target in the own cards is one of them, totals may be negative."""
    assert scored(vault="t16-1 t21-1", own="g7-1 c7-5 t12-1") == Breakdown(10, 0, 0, 2, -2, 3)
    assert scored(own="c1-4 c2-4") == Breakdown(0, 0, 0, 0, 0, 4)
    assert scored(own="g4-1 g4-2").total == -8


def test_deck_discard_and_hand_are_the_own_cards():
    """SP-52."""
    game = dealt(at("final=0 · starter=1 · hand=c8-5 · deck=c7-5 g6-1 · discard=c9-5").when(0, EndTurn()))
    assert game.state.breakdown[0] == Breakdown(0, 0, 0, 3, -4, 3)


@pytest.mark.parametrize(
    ("one", "other", "winners"),
    [("c7-5", "-", (0,)), ("-", "c7-5", (1,)), ("c7-5 g0-1 c1-1", "c8-5", (0,)), ("c7-5", "c8-5", (0, 1))],
)
def test_most_points_win_then_most_hearts_in_the_own_cards_then_all_of_them(
    one: str, other: str, winners: tuple[int, ...]
):
    """SP-53."""
    state = at("final=0 · starter=1").state
    state = replace(state, decks=(cards(one), cards(other)))
    game = dealt(spec.given(SCOPINION, state).when(0, EndTurn()))
    assert game.events[-1] == Won(winners)
    result = SCOPINION.result(game.state)
    assert result is not None
    assert (result.scores, result.winners) == (tuple(each.total for each in game.state.breakdown), winners)


def test_there_is_one_game_and_no_further_round():
    """SP-54, SP-103."""
    for play_ in every_play(range(2)):
        kinds = Counter(type(event) for event, _ in play_)
        assert kinds[Dealt] == kinds[Won] == kinds[EndTriggered] == 1


def test_who_only_ends_turns_never_ends_the_game():
    """SP-90, SP-88: no rule is added."""
    game = start(2).dealt(InOrder())
    for _ in range(60):
        game = dealt(game.when(game.state.turn, EndTurn()))
    assert (game.state.phase, game.state.final) == ("turn", None)


# --- expert mode --------------------------------------------------------------------------------------------------


def test_a_target_just_bought_goes_to_the_showcase_for_good_or_to_the_stage():
    """SP-60, SP-62, SP-20."""
    game = at("mode=expert · hand=g4-1 g4-2 g3-1 g5-1 · display=t16-1 c9-1 t11-1")
    assert {move.to for move in listed(game, Buy) if move.card == "t16-1"} == {"stage", "showcase"}
    assert {move.to for move in listed(game, Triple) if move.card == "t11-1"} == {"stage", "showcase"}
    assert {move.to for move in listed(game, Buy) if move.card == "c9-1"} == {None}
    shown = game.when(0, Buy("t16-1", ("g4-1", "g4-2"), "showcase"))
    shown.then(Bought(0, "t16-1", "pay", ("g4-1", "g4-2"), "showcase"))
    assert (shown.state.showcases[0], shown.state.stage) == (("t16-1",), ("g4-1", "g4-2"))
    for move in (
        Buy("t16-1", ("g4-1", "g4-2")),
        Buy("c9-1", ("g4-1", "g5-1"), "stage"),
        Triple("t11-1", "g3-1", "g5-1"),
    ):
        game.when(0, move).illegal()
    base = at("hand=g4-1 g4-2 · display=t16-1 c9-1 c9-2")
    base.when(0, Buy("t16-1", ("g4-1", "g4-2"), "showcase")).illegal()


def test_a_target_in_the_hand_pays_alone_for_a_central_card():
    """SP-64, SP-63: never for a target, never with other cards; it goes onto the stage."""
    game = at("mode=expert · hand=t10-1 g6-1 · display=c9-1 t10-1 t11-1")
    assert [move for move in listed(game, Buy) if "t10-1" in move.pay] == [Buy("c9-1", ("t10-1",))]
    assert game.when(0, Buy("c9-1", ("t10-1",))).state.stage == ("t10-1", "c9-1")
    for move in (Buy("c9-1", ("g6-1", "t10-1")), Buy("t10-1", ("t10-1",), "stage"), Buy("c9-1", ("t10-1", "t10-1"))):
        game.when(0, move).illegal()
    assert Secure("t10-1") in SCOPINION.legal(game.state, 0)
    dear = own_deck(("c9-1", {"id": "c12-1", "value": 12}))
    state = replace(at("mode=expert · hand=t10-1").state, deck=dear, display=("c12-1", None, None))
    assert not [move for move in SCOPINION.legal(state, 0) if isinstance(move, Buy)]
    spec.given(SCOPINION, state).when(0, Buy("c12-1", ("t10-1",))).illegal()


@pytest.mark.parametrize(
    ("moves", "may_hold"),
    [("buy c4-1 pay g5-1", False), ("take c4-1 g0-1", False), ("triple c9-1 g3-1 g5-1", False),
     ("trash g6-1 c5-4", True), ("draw_one g1-1 ; keep", True), ("-", True)],
)  # fmt: skip
def test_in_expert_mode_nothing_is_held_after_buying(moves: str, may_hold: bool):
    """SP-65, SP-91."""
    game = after("mode=expert · hand=g5-1 g0-1 g3-1 c5-4 g6-1 g1-1 g7-1 · display=c4-1 c9-1 c9-2", moves)
    assert (len(listed(game, EndTurn)) > 1) == may_hold
    held = game.when(0, EndTurn("g7-1"))
    assert (held.events is not None) == may_hold


def test_in_expert_mode_a_pik_off_does_not_forbid_to_hold():
    """SP-91."""
    game = after("mode=expert · hand=g5-1 · display=c4-3 c5-3 c7-3", "pik_off c4-3")
    assert EndTurn("g5-1") in listed(game, EndTurn)


def test_the_showcase_counts_hearts_and_pairs_with_the_vault():
    """SP-66: equal piles count as many cards as one of them has."""
    score = scored(showcase="t10-1 t12-1 t16-1", vault="t11-1 t13-1 t17-1 t18-1 t20-1", mode="expert")
    assert (score.vault, score.showcase, score.pairs) == (19, 5, 3)
    assert scored(showcase="t10-1", vault="t11-1", mode="expert").pairs == 1


# --- who sees what ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", VIEWERS)
def test_of_the_laid_table_everybody_sees_the_own_hand_and_what_lies_open(viewer: int | None):
    """SP-4, SP-5: nobody sees a deck, the supply, the covered targets, what was removed."""
    game = start(2).dealt(InOrder())
    shown, _ = game.shown(viewer)
    truth = game.events[0]
    assert shown.hands == tuple(hand if seat == viewer else hide(hand) for seat, hand in enumerate(truth.hands))
    for zone in (*shown.decks, shown.supply, shown.targets, shown.removed):
        assert zone
        assert set(zone) == {None}
    assert (shown.display, shown.purple, shown.turned) == (truth.display, truth.purple, truth.turned)


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("zone", ["deck=r6-1 r7-1", "deck=- · graveyard=r7-1 r6-1"])
def test_only_the_drawer_sees_the_drawn_cards(viewer: int | None, zone: str):
    """SP-5: also from the graveyard."""
    game = at(f"turn=1 · hand=g2-1 · {zone}").when(1, DrawTwo("g2-1"))
    source = "deck" if zone == "deck=r6-1 r7-1" else "graveyard"
    seen = ("r7-1", "r6-1") if viewer == 1 else (None, None)
    assert game.shown(viewer)[1] == Drawn(1, seen, source)
    before = replace(at(f"turn=1 · hand=g2-1 · {zone}").state)
    assert SCOPINION.fold(before, game.shown(viewer)).hands[1] == seen


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("keep", [True, False])
def test_only_the_drawer_sees_the_card_to_keep_or_reject_until_it_is_rejected(viewer: int | None, keep: bool):
    """SP-4, SP-5."""
    before = at("turn=1 · hand=g1-1")
    game = before.when(1, DrawOne("g1-1"))
    assert game.shown(viewer)[1] == DrawnAside(1, "r7-1" if viewer == 1 else None, "deck")
    view = SCOPINION.fold(before.state, game.shown(viewer))
    assert view.drawn == ("r7-1" if viewer == 1 else None)
    game = game.when(1, KeepDrawn(keep))
    view = SCOPINION.fold(view, game.shown(viewer))
    if keep:
        assert view.hands[1] == (("r7-1",) if viewer == 1 else (None,))
    else:
        assert view.stage == ("g1-1", "r7-1")
        assert view.hands[1] == (("r6-1",) if viewer == 1 else (None,))


@pytest.mark.parametrize("viewer", VIEWERS)
def test_only_its_owner_sees_which_target_is_secured(viewer: int | None):
    """SP-4, SP-5."""
    before = at("turn=1 · hand=t10-1 g5-1")
    game = before.when(1, Secure("t10-1"))
    assert game.shown(viewer) == [Secured(1, "t10-1" if viewer == 1 else None)]
    hidden = replace(before.state, hands=((), before.state.hands[1] if viewer == 1 else (None, None)))
    view = SCOPINION.fold(hidden, game.shown(viewer))
    assert (view.vaults[1], view.hands[1]) == ((("t10-1",), ("g5-1",)) if viewer == 1 else ((None,), (None,)))


@pytest.mark.parametrize("viewer", VIEWERS)
def test_at_the_end_of_a_turn_only_the_seat_itself_sees_what_it_drew_and_nobody_is_told_what_it_holds(
    viewer: int | None,
):
    """SP-5, SP-4: the staged cards are named."""
    before = at("turn=1 · hand=g5-1 g6-1 g7-1 · display=- c4-1 c9-1")
    game = before.when(1, EndTurn("g6-1"))
    own = viewer == 1
    assert game.shown(viewer)[0] == TurnEnded(
        1, ("g5-1", "g7-1"), ("r7-1", "r6-1") if own else (None, None), ("c8-5",), (), False, goes_on=True
    )
    hidden = replace(before.state, hands=((), before.state.hands[1] if own else (None,) * 3))
    assert SCOPINION.fold(hidden, game.shown(viewer)).hands[1] == (("g6-1", "r7-1", "r6-1") if own else (None,) * 3)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_nobody_sees_how_a_shuffled_deck_lies(viewer: int | None):
    """SP-5, SP-4: not even its owner."""
    game = at("turn=1 · hand=g2-1 · deck=- · discard=g6-1 c4-1 c5-1").when(1, DrawTwo("g2-1")).dealt(InOrder())
    shown = game.shown(viewer)
    assert shown == [Shuffled(1, (None,) * 3), Drawn(1, ("c5-1", "c4-1") if viewer == 1 else (None, None), "deck")]
    view = SCOPINION.fold(at("turn=1 · deck=- · discard=g6-1 c4-1 c5-1").state, shown)
    assert (view.decks[1], view.discards[1]) == ((None,), ())


@pytest.mark.parametrize("viewer", (None, 1))
def test_a_card_with_a_bolt_is_known_in_the_hand_until_it_leaves(viewer: int | None):
    """SP-5: also when others leave it, openly or not."""
    before = at("hand=g4-1 t10-1 g6-1 · display=c4-3 c9-1 c9-2")
    view = replace(before.state, hands=((None,) * 3, ()))
    game = before
    expected = {
        Buy("c4-3", ("g4-1",)): (None, None, "c4-3"),
        Secure("t10-1"): (None, "c4-3"),
        EndTurn("c4-3"): ("c4-3", None, None),
    }
    for move, hand in expected.items():
        game = game.when(0, move)
        view = SCOPINION.fold(view, game.shown(viewer))
        assert view.hands[0] == hand


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


def test_everything_else_is_open_to_everybody():
    """SP-4, SP-5, SP-14."""
    secret = (Dealt, Drawn, DrawnAside, Shuffled, Secured, TurnEnded)
    for play_ in every_play(range(1)):
        for event, _ in play_:
            if not isinstance(event, secret):
                assert SCOPINION.redact(event, None) is event


# --- over random play ---------------------------------------------------------------------------------------------


def every_event(seats: int, seed: int, **options: Any) -> Iterator[tuple[Any, State]]:
    """The events of a random game, each with the state before it."""
    dice, steps = Random(f"{seats} {seed}"), 0
    state = SCOPINION.initial(seats, Options(**options), DECK)
    while True:
        events = SCOPINION.deal(state, Dealer(dice.randbytes(8), "a game", (), steps))
        steps += 1
        if not events:
            if not (acting := SCOPINION.to_act(state)):
                return
            moves = SCOPINION.legal(state, acting[0])
            kind = dice.choice(sorted({type(move).__name__ for move in moves}))
            wanted = [move for move in moves if type(move).__name__ == kind]
            events = SCOPINION.decide(state, acting[0], dice.choice(wanted))
        for event in events:
            yield event, state
            state = SCOPINION.evolve(state, event)


TABLES = [
    (seats, options) for seats in EVERY_NUMBER_OF_SEATS for options in ({}, {"handicap": (1,)}, {"mode": "expert"})
]


@cache
def plays(seed: int) -> list[list[tuple[Any, State]]]:
    return [[*every_event(seats, seed, **options)] for seats, options in TABLES]


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


def test_every_card_is_in_exactly_one_zone():
    """SP-95."""
    for play_ in every_play(range(2)):
        for _, state in play_[1:]:
            seats = range(len(state.hands))
            zones = [*state.stage, *state.supply, *state.targets, *state.graveyard, *state.removed]
            zones += [card for card in state.display if card is not None]
            zones += [state.drawn] if state.drawn is not None else []
            for seat in seats:
                zones += [*own_cards(state, seat), *state.vaults[seat], *state.showcases[seat]]
            assert len(zones) == len(set(zones)) == 9 * len(seats) + 49 + 31


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
                accepted = spec.given(SCOPINION, state).when(state.turn, move).events is not None
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


def test_vault_and_showcase_hold_targets_and_never_lose_one():
    """SP-98, SP-60: the graveyard holds none; in the base game showcases stay empty."""
    for play_ in every_play(range(2)):
        for event, before in play_:
            now = SCOPINION.evolve(before, event)
            for zone in ("vaults", "showcases"):
                for was, is_ in zip(getattr(before, zone), getattr(now, zone), strict=True):
                    assert is_[: len(was)] == was
                    assert all(PRINTED[card].kind == "target" for card in is_)
            assert all(PRINTED[card].kind != "target" for card in now.graveyard)
            assert now.options.mode == "expert" or not any(now.showcases)


def test_between_turns_the_stage_is_empty_and_the_middle_is_in_order():
    """SP-99, SP-7, SP-102."""
    for play_ in every_play(range(2)):
        for event, before in play_:
            if begins(event):
                state = SCOPINION.evolve(before, event)
                assert (state.stage, state.drawn, state.used) == ((), None, ())
                assert (state.bought, state.mix, state.owed, state.shuffle) == (False, False, 0, False)
                assert None not in state.display or not state.supply
                assert state.top_open == bool(state.targets)
                if before.turn is not None:
                    assert len(state.hands[before.turn]) in (2, 3)


def test_during_a_turn_the_display_only_loses_cards():
    """SP-100, SP-28: but for the refill of a Pik-off, in the slot of its card alone."""
    behind_an_empty_slot = 0
    for play_ in every_play(range(12)):
        for event, before in play_:
            if isinstance(event, PikOffMade):
                now = SCOPINION.evolve(before, event)
                refill = event.filled[0] if event.filled else None
                assert now.display == tuple(refill if card == event.card else card for card in before.display)
                behind_an_empty_slot += (
                    None in before.display[: before.display.index(event.card)] and refill is not None
                )
            elif not isinstance(event, Dealt | TurnEnded):
                now = SCOPINION.evolve(before, event)
                assert all(new in (old, None) for old, new in zip(before.display, now.display, strict=True))
    assert behind_an_empty_slot


def test_the_end_comes_nearer_by_one_in_every_turn():
    """SP-100, SP-50."""
    for play_ in every_play(range(2)):
        for event, before in play_:
            now = SCOPINION.evolve(before, event)
            seats = len(now.hands)
            if isinstance(event, EndTriggered):
                assert before.final is None
                assert seats <= now.final <= 2 * seats - 1
            elif begins(event) and before.final is not None:
                assert now.final == before.final - 1
            else:
                assert now.final == before.final
        turns = Counter(event.seat for event, _ in play_ if isinstance(event, TurnEnded))
        assert len(set(turns.values())) == 1
        assert len(turns) == len(play_[0][1].hands)


def test_every_turn_is_finite():
    """SP-101: all moves but three kinds put a card of the hand onto the stage."""
    for play_ in every_play(range(2)):
        for event, before in play_:
            if isinstance(event, Bought | Played | Trashed):
                now = SCOPINION.evolve(before, event)
                laid = (
                    event.laid
                    if isinstance(event, Bought)
                    else (event.by if isinstance(event, Trashed) else event.card,)
                )
                assert now.stage[: len(before.stage) + len(laid)] == before.stage + tuple(laid)


def test_limited_seats_use_a_function_once_and_bought_means_bought():
    """SP-102, SP-40, SP-61."""
    for state in every_state(range(2)):
        if state.options.mode == "expert" or state.turn in state.options.handicap:
            assert len(set(state.used)) == len(state.used)
    for play_ in every_play(range(2)):
        bought = False
        for event, before in play_:
            bought = isinstance(event, Bought) or (bought and not isinstance(event, TurnEnded))
            assert SCOPINION.evolve(before, event).bought == bought


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


@pytest.mark.parametrize("exchange", range(7), ids=lambda n: f"shuffle-{n}")
def test_nobody_can_tell_two_worlds_apart_whichever_shuffle_differs(exchange: int):
    """SP-5, SP-103, law 8: also in the supply, in the covered targets, and in the first shuffles during play."""
    for seed in range(4):
        for options in (Options(), EXPERT):
            pair = (exchange, -1 - seed, 3 + seed)
            laws.two_worlds(SCOPINION, laws.Table(seats=2 + seed % 3, options=options, seed=seed, exchange=pair))


@pytest.mark.parametrize("event", [Dealt, Drawn, DrawnAside, Shuffled, Secured, TurnEnded])
def test_a_secret_event_that_is_shown_to_everybody_is_noticed(event: Any):
    """SP-5, law 5: the law bites for each of them."""
    leak = dataclasses.replace(
        SCOPINION, redact=lambda each, viewer: each if isinstance(each, event) else SCOPINION.redact(each, viewer)
    )
    for seed in range(8):
        try:
            laws.secrecy(laws.Play(leak, laws.Table(seats=2, options=Options(), seed=seed)))
        except AssertionError:
            return
    raise AssertionError("nobody noticed")


# --- how many games there are -------------------------------------------------------------------------------------


def sequences(game: Given, depth: int) -> int:
    """The number of ways to make that many moves, if a shuffle keeps the order."""
    moves = SCOPINION.legal(game.state, game.state.turn) if SCOPINION.to_act(game.state) else []
    if depth == 1:
        return len(moves)
    return sum(sequences(dealt(game.when(game.state.turn, move)), depth - 1) for move in moves)


PERFT: list[tuple[int, dict[str, Any], tuple[int, ...]]] = [
    (2, {}, (7, 32, 178, 1061, 7296)),
    (2, {"mode": "expert"}, (7, 29, 143, 701, 4122)),
    (3, {}, (11, 81, 466, 2796, 18634)),
    (4, {}, (5, 20, 67, 249, 987)),
]


@pytest.mark.parametrize(("seats", "options", "counts"), PERFT, ids=str)
def test_there_are_as_many_sequences_of_moves_as_ever(seats: int, options: dict[str, Any], counts: tuple[int, ...]):
    """Frozen: from a fixed deal."""
    game = start(seats, **options).dealt(Dealer(b"perft", "scopinion", (), 0))
    assert tuple(sequences(game, depth) for depth in range(1, len(counts) + 1)) == counts
