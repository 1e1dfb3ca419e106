"""The worked examples of `docs/rules/scopinion.md`, word for word."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.rulesets.scopinion import SCOPINION, Options, State
from domain.rulesets.scopinion.table import EndTurn, Scored, Won
from tests.domain.scopinion_notation import DECK, OWN, at, cards, outcome, play, table
from tests.kit.spec import given
from tests.kit.worked import Vector, vectors

EXAMPLES = vectors("scopinion", r"SP[VW]-\d+ \[.+\]")


POSITIONS = [example for example in EXAMPLES if example.title.startswith("SPV")]
SCORINGS = [example for example in EXAMPLES if example.title.startswith("SPW")]


@pytest.mark.parametrize("example", POSITIONS, ids=lambda example: example.title.split()[0])
def test_the_worked_examples_come_out_as_printed(example: Vector):
    start = at(example.before)
    *accepted, _ = example.moves.split(" ; ")
    for number in range(len(accepted)):
        assert play(start, " ; ".join(accepted[: number + 1])).events is not None
    outcome(play(start, example.moves), start.state.turn, example.after)


def final(text: str) -> State:
    """`mode | zones of seat 0 | zones of seat 1`, as `own CARDS ; vault CARDS`: the last turn, about to end.

    The own cards are the deck.
    """
    mode, *seats = text.split(" | ")
    state = SCOPINION.initial(2, Options(mode=mode), DECK)
    zones: dict[str, list[tuple[str, ...]]] = {name: [(), ()] for name in OWN.values()}
    for seat, zone in enumerate(seats):
        for part in zone.split(" ; "):
            name, listed = part.split(" ", 1)
            if name not in ("own", "vault", "showcase"):
                raise ValueError(f"not understood: {part!r}")
            zones["decks" if name == "own" else OWN[name]][seat] = cards(listed)
    fields: dict[str, Any] = {name: tuple(zone) for name, zone in zones.items()}
    return replace(state, **fields, phase="turn", turn=0, starter=1, final=0)


@pytest.mark.parametrize("example", SCORINGS, ids=lambda example: example.title.split()[0])
def test_the_scores_come_out_as_printed(example: Vector):
    game = given(SCOPINION, final(example.before)).when(0, EndTurn())
    scored, won = game.events[-2:]
    assert isinstance(scored, Scored)
    assert ", ".join(str(score.total) for score in scored.breakdown) == example.moves
    assert won == Won(tuple(map(int, example.after.split(", "))))


def test_no_example_is_missing():
    numbers = [*range(1, 35), 64, *range(35, 58)]
    assert [example.title.split()[0] for example in POSITIONS] == [f"SPV-{n}" for n in numbers]
    assert [example.title.split()[0] for example in SCORINGS] == [f"SPW-{n}" for n in range(1, 7)]


UNKNOWN_TABLES = ["weather=fine", "turn", "turn=", "turn=x", "hand=g9-1", "hand=g5-1  g6-1", "display=c9-1 c9-2",
                  "mode=expret", "handicap=all", "hand=g5-1 · hand=g6-1", "phase=keep", "final=-", ""]  # fmt: skip


@pytest.mark.parametrize("text", UNKNOWN_TABLES)
def test_a_table_that_is_not_understood_is_refused(text: str):
    with pytest.raises(ValueError):
        table(text)


UNKNOWN_MOVES = ["pass", "buy c4-1", "buy c4-1 pay", "buy c4-1 pay g5-1 hand", "buy c4-1 with g5-1", "take c4-1",
                 "triple c4-1 g3-1", "end hold", "end hold g5-1 now", "end now", "draw_one", "secure t9-1"]  # fmt: skip


@pytest.mark.parametrize("text", UNKNOWN_MOVES)
def test_a_move_that_is_not_understood_is_refused(text: str):
    with pytest.raises(ValueError):
        play(at("-"), text)


UNKNOWN_OUTCOMES = ["weather=fine", "turn", "turn=x", "phase=draw", "bought=yes", "no pass", "has", "pays c9-1",
                    "pays c9-1 = {g9-1}", "display=c9-1", "Illegal", ""]  # fmt: skip


@pytest.mark.parametrize("text", UNKNOWN_OUTCOMES)
def test_an_outcome_that_is_not_understood_is_refused(text: str):
    with pytest.raises(ValueError):
        outcome(at("-"), 0, text)


WRONG_OUTCOMES = ["turn=1", "starter=1", "final=2", "phase=over", "bought=1", "mix=1", "top_open=0", "hand=g6-1",
                  "deck=r6-1", "stage=g6-1", "display=c9-1 c9-4 -", "supply=-", "drawn=g6-1", "graveyard=g6-1",
                  "no draw_one", "has buy", "pays c9-1 = {g1-1}", "illegal"]  # fmt: skip


@pytest.mark.parametrize("text", WRONG_OUTCOMES)
def test_a_wrong_outcome_is_noticed(text: str):
    with pytest.raises(AssertionError):
        outcome(at("hand=g1-1"), 0, text)
