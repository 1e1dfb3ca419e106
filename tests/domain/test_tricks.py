"""Hidden hands of a trick game: every deal that fits is equally likely. What follows from the types of a ruleset."""

from collections import Counter
from itertools import permutations
from typing import Annotated, Literal

import pytest

from domain.cards import CARD
from domain.imagining import NothingImagined, dealt_within
from domain.messages import Value
from domain.naming import completed
from domain.rulesets import RULESETS
from domain.tricks import hands_of, seen_hands
from domain.zones import cards_of, numbers_of
from stammtisch.testing.imagined import uniform
from stammtisch.testing.playing import Lots

CARDS = ("♣1", "♣2", "♦1", "♦2", "♥1")
SIZES = (2, 1, 2)
VOID = {0: "♥", 1: "♣", 2: ""}
"""By place the suit that it cannot have."""


def fits(card: str, place: int) -> bool:
    return card[0] != VOID[place]


def every_deal() -> set[tuple[frozenset[str], ...]]:
    deals = {(frozenset(each[:2]), frozenset(each[2:3]), frozenset(each[3:])) for each in permutations(CARDS)}
    return {deal for deal in deals if all(fits(card, place) for place, cards in enumerate(deal) for card in cards)}


def test_every_deal_that_fits_is_equally_likely():
    lots = Lots(1)
    found = Counter(tuple(map(frozenset, dealt_within(CARDS, SIZES, fits, lots))) for _ in range(3000))
    assert found.keys() == every_deal()
    uniform([*found.values()])


@pytest.mark.parametrize("sizes", [(3, 1, 0), (2, 2, 2), (1, 1, 1)])
def test_a_deal_that_does_not_fit_is_not_imagined(sizes: tuple[int, ...]):
    with pytest.raises(NothingImagined):
        dealt_within(CARDS[:4], sizes, lambda card, place: place != 0 or card == "♣1", Lots(0))


def test_a_deck_without_constraints_is_dealt_at_once():
    deck = [str(number) for number in range(52)]
    hands = dealt_within(deck, (13, 13, 13, 13), lambda _, __: True, Lots(0))
    assert sorted(card for hand in hands for card in hand) == sorted(deck)
    assert hands != [*hands_of(deck, 4)]


Card = Annotated[str, CARD]


class Slot(Value):
    card: Card | None


class Deal(Value):
    hands: tuple[tuple[Card | None, ...], ...]
    stock: tuple[Card | None, ...]


class Deck(Value):
    cards: tuple[str, ...]


class State(Value):
    deck: Deck
    hands: tuple[tuple[Card | None, ...], ...]
    rows: tuple[tuple[Slot, ...], ...]
    trick: tuple[Card, ...]
    held: Card | None
    pending: Card | None
    totals: tuple[int, ...]
    turn: int | None
    phase: Literal["a", "b"]


STATE = State(
    Deck(("x", "y")), (("x", None), ("y",)), ((Slot("x"),), (Slot(None),)), ("y", "x"), "y", "x", (3, 4), 1, "b"
)


def test_cards_are_found_by_their_types():
    """Not those of `pending`, which repeats a card, nor empty places."""
    assert cards_of(STATE) == ["x", "y", "x", "y", "x", "y"]


def test_numbers_begin_with_the_own_seat():
    """Of each zone the cards of each kind and the hidden ones; of the middle also its first and last card."""
    own, other = [0, 1, 0], [1, 0, 1]
    rows = [0, 0, 1], [1, 0, 0]
    middle, held, facts = [1, 1, 0, 2, 1], [0, 1, 0], [1, 1, 4, 3]
    assert numbers_of(STATE, 1) == [*own, *other, *rows[0], *rows[1], *middle, *held, *facts]
    assert len(numbers_of(STATE, 0)) == len(numbers_of(STATE, 1))


def test_everybody_sees_their_own_hand_of_a_deal():
    deal = Deal((("x",), ("y",)), ("z",))
    assert seen_hands(1, deal) == Deal(((None,), ("y",)), (None,))
    assert seen_hands(None, deal) == Deal(((None,), (None,)), (None,))


def test_labels_that_a_file_leaves_out_are_named_after_the_code():
    rules = RULESETS["skyjo"]
    given = {"en": {"title": "Own", "phases": {"place": "Place it"}}, "de": {"phases": {"over": "Aus"}}}
    english, german = completed(rules, given).values()
    assert (english.title, german.title) == ("Own", "Own")
    assert next(iter(english.phases)) == "place" and english.phases["over"] == "Over"
    assert next(iter(german.phases)) == "over" and german.phases["place"] == "Place it"
    assert german.phases.keys() == english.phases.keys() == rules.labels["en"].phases.keys()
    assert english.moves["draw"] == "Draw"
    assert english.sentences["turn_began"] == "{seat:seat}: turn began"
