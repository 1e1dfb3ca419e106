"""The rules as sentences, and the laws of every ruleset."""

from whist import WHIST, Dealt, Play, Played, RoundScored, State, TrickTaken, TrumpNamed, TurnBegan, teams

from stammtisch.rules import replace
from stammtisch.testing import given, laws_of

test_laws = laws_of(WHIST, games=2)

START: State = WHIST.initial(4, WHIST.options(), WHIST.decks["french"])
HANDS = (("♣2", "♥3"), ("♣9", "♦A"), ("♦4", "♥5"), ("♣3", "♦2"))
TABLE = given(WHIST, START, Dealt(HANDS), TrumpNamed("♥"), TurnBegan(0))


def test_a_seat_follows_suit() -> None:
    TABLE.when(0, Play("♣2")).when(1, Play("♦A")).illegal()


def test_a_trump_takes_the_trick() -> None:
    third = TABLE.when(0, Play("♣2")).when(1, Play("♣9")).when(2, Play("♥5"))
    third.when(3, Play("♣3")).then(Played(3, "♣3"), TrickTaken(2), TurnBegan(2))


def test_partners_get_the_same_points_beyond_six_tricks() -> None:
    hands = (("♥3",), ("♦A",), ("♥5",), ("♣3",))
    taken = tuple([("♠2",) * 4 * tricks for tricks in (4, 2, 4, 2)])
    table = given(WHIST, replace(TABLE.state, hands=hands, taken=taken))
    last = table.when(0, Play("♥3")).when(1, Play("♦A")).when(2, Play("♥5")).when(3, Play("♣3"))
    assert RoundScored((3, 0, 3, 0)) in (last.events or ())
    assert teams(4) == ((0, 2), (1, 3))
