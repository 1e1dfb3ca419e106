"""The search: which moves it tries, what it makes of the playouts, that it cannot see more than its seat."""

from dataclasses import replace as but
from typing import Any

import pytest
from msgspec.structs import replace

from agents.bots import UnknownBot, bot_named
from agents.search import deep, sight
from agents.table import Question, Table
from domain.ruleset import Budget
from domain.rulesets import RULESETS
from domain.searching import Lots, best_moves, better_than_first, gained, hopeful, ruler

every_ruleset = pytest.mark.parametrize("name", RULESETS)


def middle_of(name: str, seed: int, moves: int = 25) -> Table:
    """A game of `random`, in which every seat's events are kept, at a choice between several moves."""
    rules = RULESETS[name]
    bots = [bot_named(rules, "random")._replace(looks_back=True)] * rules.seats[0]
    table = Table(rules, rules.options(**rules.board), bots, bytes([seed]) * 32)
    while moves > 0 or len(table.question().legal) < 3:
        question = table.question()
        table.move(question.legal[bots[0].choose(question)])
        moves -= 1
    return table


@every_ruleset
def test_it_chooses_a_legal_move_again_and_again_the_same(name: str):
    """With the same dice. It only gets the question, in which there is nothing that the seat does not see."""
    table = middle_of(name, 1)
    chosen = [deep(Budget(2, 2)).choose(table.question()) for _ in range(2)]
    assert chosen[0] == chosen[1]
    assert 0 <= chosen[0] < len(table.question().legal)


@every_ruleset
def test_it_cannot_tell_worlds_apart_that_its_seat_cannot_tell_apart(name: str):
    """In another world in which the seat has seen the same it is asked the same."""
    table = middle_of(name, 2)
    rules, asked = table.rules, table.question()
    history = rules.imagine(asked.initial, asked.seen, asked.seat, Lots(5))
    seen = [rules.redact(event, asked.seat) for event in history]
    view = rules.fold(asked.initial, seen)
    other = asked._replace(view=view, legal=rules.legal(view, asked.seat), seen=seen, dice=Lots(3))
    assert deep(Budget(2, 2)).choose(other) == deep(Budget(2, 2)).choose(asked._replace(dice=Lots(3)))


def test_the_moves_that_are_tried_are_the_bots_best_in_order():
    table = middle_of("scout", 3)
    question = table.question()
    policy = table.rules.bots[ruler(table.rules)]
    best = best_moves(policy, sight(question), 3, Lots(9))
    assert len(set(best)) == 3
    assert best[0] == policy(question.view, question.seat, question.legal, Lots(9))
    assert sorted(best_moves(policy, sight(question), 10**6, question.dice)) == [*range(len(question.legal))]


@pytest.mark.parametrize(
    ("tried", "place"),
    [
        ([[10, 10, 10]], 0),
        ([[10, 10, 10], [20, 20, 20]], 1),
        ([[10, 10, 10], [20, 20, 20], [30, 30, 30]], 2),
        ([[10, 10, 10], [0, 5, 9]], 0),
        ([[0, 0, 0, 0], [90, -80, 90, -80]], 0),
        ([[50]], 0),
        ([[50], [60]], 1),
    ],
)
def test_a_move_must_be_better_than_the_bots_own_beyond_doubt(tried: list[list[int]], place: int):
    assert better_than_first(dict(enumerate(tried))) == place


def test_hopeless_moves_get_no_more_worlds():
    """The bot's own move stays, however it does: it is what the others are compared with."""
    own, worse, unsure, better = [0] * 4, [-10, -20] * 2, [-90, 80] * 2, [10, 20] * 2
    assert hopeful({5: own, 3: worse, 4: unsure, 0: better}) == {5: own, 4: unsure, 0: better}
    assert [*hopeful({2: worse, 1: better})] == [2, 1]


def test_when_no_other_move_is_left_no_more_worlds_are_imagined(monkeypatch: pytest.MonkeyPatch):
    """Every other move costs a point or two. It takes eight worlds to know."""
    table, worlds = middle_of("skyjo", 7), list[Any]()
    own = best_moves(table.rules.bots["careful/1"], sight(table.question()), 1, table.question().dice)[0]

    def gained_less(_rules: Any, _policy: Any, world: Any, _seat: Any, move: Any, *_: Any) -> int:
        worlds.append(world)
        return 0 if move == question.legal[own] else -1 - len(worlds) % 2

    monkeypatch.setattr("domain.searching.gained", gained_less)
    question = table.question()
    assert deep(Budget(400, 1)).choose(question) == own
    assert worlds == [], "there is nothing to choose"
    assert deep(Budget(400, 3)).choose(question) == own
    assert len(worlds) == 3 * 8


@pytest.mark.parametrize("name", [rules.name for rules in RULESETS.values() if rules.appraise])
def test_a_short_playout_appraises_the_cards_on_the_table(name: str):
    """After one more turn of everybody, long before the round is over."""
    table, asked_of = middle_of(name, 8), list[Any]()
    appraise = table.rules.appraise
    assert appraise is not None

    def noted(state: Any) -> tuple[int, ...]:
        asked_of.append(state)
        return appraise(state)

    rules, asked = but(table.rules, appraise=noted), table.question()
    gain = gained(rules, rules.bots[ruler(rules)], table.state, asked.seat, asked.legal[0], Lots(1), 1)
    [state] = asked_of
    own, other = (appraise(state)[seat] for seat in (asked.seat, 1 - asked.seat))
    assert gain == own - other
    assert rules.to_act(state)[0] == asked.seat
    assert rules.standing(state) == rules.standing(table.state)
    shown = [-points for points in rules.tally(state).points if points is not None]
    assert [*appraise(state)] != shown, "face-down cards count too"


def test_a_playout_counts_what_the_round_brings():
    """Points of earlier rounds make no difference."""
    table = middle_of("skyjo", 4)
    asked, rules = table.question(), table.rules
    richer = replace(table.state, totals=(30, 50))
    gains = [
        gained(rules, rules.bots["careful/1"], state, asked.seat, asked.legal[0], Lots(1))
        for state in (table.state, richer)
    ]
    assert gains[0] == gains[1] != 0


@pytest.mark.parametrize(
    "name", ["deep/2", "deep:8", "deep:8x0", "deep:x", "deep:8x2x0", "careful/9", "erring", "", "ftp://x"]
)
def test_unknown_bots_are_named(name: str):
    with pytest.raises(UnknownBot, match="There is no bot"):
        bot_named(RULESETS["scout"], name)


def test_playouts_are_short_only_where_cards_can_be_appraised():
    assert bot_named(RULESETS["skyjo"], "deep:8x2x1").looks_back
    with pytest.raises(UnknownBot, match="go on to the end of the round"):
        bot_named(RULESETS["scout"], "deep:8x2x1")


def test_an_erring_bot_errs_as_often_as_it_says():
    table = middle_of("scout", 6)
    asked: Question = table.question()
    careful = bot_named(table.rules, "careful").choose(asked)

    def share(percent: int) -> float:
        bot: Any = bot_named(table.rules, f"erring:{percent}")
        return sum([bot.choose(asked._replace(dice=Lots(seed))) == careful for seed in range(200)]) / 200

    assert share(0) == 1.0 > share(50) > share(100)


def test_in_a_common_choice_no_seat_sees_what_another_has_chosen():
    """The policy of every seat is asked in the state in which the choice began."""
    rules = RULESETS["scout"]
    world = rules.initial(3, rules.options(), next(iter(rules.decks.values())))
    while not rules.to_act(world):
        world = rules.fold(world, rules.deal(world, Lots(1)))
    assert len(rules.to_act(world)) == 3
    asked: list[tuple[int, Any]] = []

    def policy(state: Any, seat: int, moves: Any, _: Any) -> int:
        asked.append((seat, state))
        return len(moves) - 1

    gained(rules, policy, world, 1, rules.legal(world, 1)[0], Lots(1))
    assert [(seat, state is world) for seat, state in asked[:3]] == [(0, True), (2, True), (asked[2][0], False)]
