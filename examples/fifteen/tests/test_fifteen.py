"""The rules as sentences, and the laws of every ruleset."""

from fifteen import FIFTEEN, State, Take, Taken, TurnBegan, Won

from stammtisch.testing import given, laws_of

test_laws = laws_of(FIFTEEN)

START: State = FIFTEEN.initial(2, FIFTEEN.options(), FIFTEEN.decks["numbers"])


def test_three_numbers_that_add_up_to_fifteen_win() -> None:
    game = given(FIFTEEN, START).when(0, Take("5")).then(Taken(0, "5"), TurnBegan(1))
    game = game.when(1, Take("1")).when(0, Take("2")).when(1, Take("3"))
    game.when(1, Take("9")).illegal()
    game.when(0, Take("1")).illegal()
    over = game.when(0, Take("8")).then(Taken(0, "8"), Won((0,)))
    result = FIFTEEN.result(over.state)
    assert result is not None
    assert (result.winners, result.ranks) == ((0,), (0, 1))


def test_without_a_sum_it_is_a_draw() -> None:
    game = given(FIFTEEN, START)
    for turn, number in enumerate("519284376"):
        game = game.when(turn % 2, Take(number))
    assert FIFTEEN.to_act(game.state) == ()
    assert game.state.winners is not None
