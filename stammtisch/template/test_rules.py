"""The rules as sentences, and the laws of every ruleset."""

from hearts import HEARTS, Dealt, Play, Played, TrickTaken, TurnBegan

from stammtisch.testing import given, laws_of

test_laws = laws_of(HEARTS, games=2)

START = HEARTS.initial(3, HEARTS.options(), next(iter(HEARTS.decks.values())))


def test_a_seat_follows_suit_and_the_highest_card_of_it_takes_the_trick():
    table = given(HEARTS, START, Dealt((("♣7", "♥8"), ("♣9", "♣A"), ("♦J", "♣K")), ()), TurnBegan(0))
    second = table.when(0, Play("♣7")).when(1, Play("♣9"))
    second.when(2, Play("♦J")).illegal()
    second.when(2, Play("♣K")).then(Played(2, "♣K"), TrickTaken(2), TurnBegan(2))
