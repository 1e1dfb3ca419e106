"""High Card. Rule ids (HC-n) are those of docs/rules/high_card.md."""

from msgspec.structs import replace

from domain.rulesets.high_card import HIGH_CARD
from domain.rulesets.high_card.rules import Dealt, Play, Played, RoundScored, TurnBegan, Won
from stammtisch.testing.spec import given

START = HIGH_CARD.initial(2, HIGH_CARD.options(), HIGH_CARD.decks["high_card"])
DEAL = Dealt(((1, 2, 3, 0), (-6, 4, 3, -2)), (5,))


def test_seats():
    """HC-1"""
    assert [*HIGH_CARD.seats] == [2, 3, 4]


def test_everybody_sees_their_own_cards_only():
    """HC-2"""
    seen = replace(DEAL, hands=((None,) * 4, DEAL.hands[1]), draw=(None,))
    assert HIGH_CARD.redact(DEAL, 1) == seen


def test_everybody_plays_one_card_and_gets_its_number():
    """HC-3, HC-4"""
    first = given(HIGH_CARD, START, DEAL, TurnBegan(0)).when(0, Play(2)).then(Played(0, 2, 3), TurnBegan(1))
    second = first.when(1, Play(0)).then(Played(1, 0, -6), RoundScored((3, -6)), TurnBegan(0))
    assert second.state.totals == (3, -6)
    first.when(0, Play(0)).illegal()
    second.when(0, Play(3)).illegal()


def test_the_highest_total_wins_and_equal_ones_share():
    """HC-5"""
    table = given(HIGH_CARD, START, Dealt(((1, 2, 3, 0), (3, 2, 1, 0)), ()), TurnBegan(0))
    for _ in range(2):
        table = table.when(0, Play(0)).when(1, Play(0))
    last = table.when(0, Play(0))
    last.when(1, Play(0)).then(Played(1, 0, 1), RoundScored((3, 1)), Won((0, 1)))
    last.when(1, Play(1)).then(Played(1, 1, 0), RoundScored((3, 0)), Won((0,)))
