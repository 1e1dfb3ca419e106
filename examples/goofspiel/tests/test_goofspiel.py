"""The rules as sentences, and the laws of every ruleset."""

from goofspiel import GOOFSPIEL, Bid, BidPlaced, Dealt, PrizeTurned, PrizeWon, Shown, State

from stammtisch.testing import given, laws_of

test_laws = laws_of(GOOFSPIEL, games=2)

START: State = GOOFSPIEL.initial(2, GOOFSPIEL.options(), GOOFSPIEL.decks["french"])
TABLE = given(GOOFSPIEL, START, Dealt(tuple(reversed(START.stock))), PrizeTurned("♦A"))


def test_both_choose_at_once_and_nobody_sees_the_other_bid() -> None:
    assert GOOFSPIEL.to_act(TABLE.state) == (0, 1)
    chosen = TABLE.when(1, Bid("♠7")).then(BidPlaced(1, "♠7"))
    assert chosen.shown(0) == [BidPlaced(1, None)]
    chosen.when(1, Bid("♠8")).illegal()


def test_the_highest_bid_wins_the_prize() -> None:
    both = TABLE.when(0, Bid("♣9")).when(1, Bid("♠7"))
    both.then(BidPlaced(1, "♠7"), Shown(("♣9", "♠7")), PrizeWon((0,), (1, 0)), PrizeTurned("♦2"))


def test_nobody_wins_the_prize_of_equal_bids() -> None:
    both = TABLE.when(0, Bid("♣7")).when(1, Bid("♠7"))
    both.then(BidPlaced(1, "♠7"), Shown(("♣7", "♠7")), PrizeWon((), (0, 0)), PrizeTurned("♦2"))
    assert "♦A" in both.state.spent
