"""The worked examples of `docs/rules`, word for word; and the notations refuse what they do not understand."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from domain.rulesets.scopinion import SCOPINION
from domain.rulesets.scopinion.table import EndTurn, Options, Scored, State, Won
from stammtisch.testing.spec import Given, given
from tests.domain import scandaroon_notation as sd
from tests.domain import scopinion_notation as sp
from tests.domain import scout_notation as sc
from tests.domain import skyjo_action_notation as sa
from tests.domain import skyjo_notation as sk
from tests.kit.worked import Vector, vectors


class Notation(NamedTuple):
    """`apart` separates moves: each but the last one of an example has to be accepted, the last may be refused."""

    title: str
    ids: list[str]
    module: Any
    plain: str
    apart: str = ""
    moves: str = r"(.+) "

    def begin(self, text: str) -> Given:
        return self.module.begin(text) if hasattr(self.module, "begin") else self.module.at(text)

    def outcome(self, game: Given, text: str) -> None:
        if self.module is sp:
            sp.outcome(game, 0, text)
        else:
            self.module.outcome(game, text)


NOTATIONS = {
    "skyjo": Notation(r"T\d+ .+ \[SK-.+\]", [f"T{n}" for n in range(1, 24)], sk, "turn 0"),
    "skyjo_action": Notation(
        r"T\d+ .+ \[(?:SA-|edge ).+\]", [f"T{n}" for n in range(1, 56)], sa, "turn 0", moves=r"(.*?) ?"
    ),
    "scout": Notation(r"SCV-\d+ \[SC-.+\]", [f"SCV-{n}" for n in range(1, 46)], sc, "active=0: 5/6", "; "),
    "scandaroon": Notation(r"\d+ \[SD-\d+\]", [f"{n}" for n in range(1, 115)], sd, "h0: S1; r0: M6"),
    "scopinion": Notation(
        r"SP[VW]-\d+ \[.+\]",
        [*(f"SPV-{n}" for n in (*range(1, 35), 64, *range(35, 58))), *(f"SPW-{n}" for n in range(1, 7))],
        sp,
        "hand=g1-1",
        " ; ",
    ),
}
EXAMPLES = {name: vectors(name, each.title, each.moves) for name, each in NOTATIONS.items()}


@pytest.mark.parametrize("name", NOTATIONS)
def test_the_worked_examples_come_out_as_printed(name: str):
    """All of them are there."""
    notation, examples = NOTATIONS[name], EXAMPLES[name]
    assert [example.title.split()[0] for example in examples] == notation.ids
    for example in examples:
        try:
            if example.title.startswith("SPW"):
                scored_as_printed(example)
            else:
                played_as_printed(notation, example)
        except Exception as error:
            error.add_note(f"in {name}, {example.title}")
            raise


def played_as_printed(notation: Notation, example: Vector) -> None:
    game = start = notation.begin(example.before)
    for move in example.moves.split(notation.apart) if notation.apart else [example.moves] * bool(example.moves):
        assert game.events is not None
        game = notation.module.play(game, move)
    if notation.module is sp:
        sp.outcome(game, start.state.turn, example.after)
    else:
        notation.outcome(game, example.after)


def scored_as_printed(example: Vector) -> None:
    game = given(SCOPINION, final(example.before)).when(0, EndTurn())
    scored, won = game.events[-2:]
    assert isinstance(scored, Scored)
    assert ", ".join(str(score.total) for score in scored.breakdown) == example.moves
    assert won == Won(tuple(map(int, example.after.split(", "))))


def final(text: str) -> State:
    """`mode | zones of seat 0 | zones of seat 1`, as `own CARDS ; vault CARDS`: the last turn, about to end.

    The own cards are the deck.
    """
    mode, *seats = text.split(" | ")
    state = SCOPINION.initial(2, Options(mode=mode), sp.DECK)
    zones: dict[str, list[tuple[str, ...]]] = {name: [(), ()] for name in sp.OWN.values()}
    for seat, zone in enumerate(seats):
        for part in zone.split(" ; "):
            name, listed = part.split(" ", 1)
            assert name in ("own", "vault", "showcase")
            zones["decks" if name == "own" else sp.OWN[name]][seat] = sp.cards(listed)
    fields: dict[str, Any] = {name: tuple(zone) for name, zone in zones.items()}
    return replace(state, **fields, phase="turn", turn=0, starter=1, final=0)


UNKNOWN_TABLES = {
    "skyjo": ["weather fine", "turn", "turn x", "turn 0 1", "draw", "draw 5 x", "phase flip", "option deck=small",
              "0: 1 2 3", "0: 1 1 1 1 / 1 1 1 1 / 1 1 1 [1]", "0: 1 1 1 1 / 1 1 1 1 / 1 1 1 1 | 0: 1 1 1 1"],
    "skyjo_action": [
        "weather fine", "turn", "turn x", "turn 0 1", "draw", "draw 5 x", "draw none 5", "phase flip",
        "option deck=small", "option star_action=can", "option short_rows", "0: 1 2 3",
        "0: 1 1 1 1 / 1 1 1 1 / 1 1 1 [1]", "0: 1 1 1 1 / 1 1 1 1 / 1 1 1 ~1", "9: 1 1 1 1 / 1 1 1 1 / 1 1 1 1",
        "0: 1 1 1 1 / 1 1 1 1 / 1 1 1 1 | 0: 1 1 1 1 / 1 1 1 1 / 1 1 1 1", "row defence", "pile", "pile attack",
        "adiscard", "hand 0: attack", "hand 0:", "hand 0: none | hand 0: none", "seats",
        "discard", "totals", "bonus *"],
    "scout": ["weather=fine", "turn", "turn=", "turn=x", "n=6", "two=own", "ss=all", "phase=over", "phase=turn",
              "combo=2,1,1", "h0=1", "h0=1/x", "h0=1/2  3/4", "h0=x", "h3=1/2", "h0=1/2 | h0=1/2", "active=1/2",
              "active=1:", "chips=1, 2", "chips=1,2", "n=4 | combo=1,1,1", ""],
    "scandaroon": ["weather: fine", "turn=1", "n=5", "r0", "r0: ", "r0: Q1", "r0: M5+", "r0: M5*2", "r3: M5",
                   "h0: S1 -", "r0: M5; r0: M5", "trump=hearts", "trumps: none", "passed: x", "passed: 3",
                   "stone0=lost", "stones=pile", "value_floor=1", "foreign_empty_row=maybe", "record: 1"],
    "scopinion": ["weather=fine", "turn", "turn=", "turn=x", "hand=g9-1", "hand=g5-1  g6-1", "display=c9-1 c9-2",
                  "mode=expret", "handicap=all", "hand=g5-1 · hand=g6-1", "phase=keep", "final=-", ""],
}  # fmt: skip
UNKNOWN_MOVES = {
    "skyjo": ["0", "draw", "0 pass", "0 flip", "0 swap x", "x draw", ""],
    "skyjo_action": ["0", "draw", "0 pass", "0 flip", "0 take_action deck", "x draw", ""],
    "scout": ["0", "keep", "0 pass", "0 show 0", "0 show a b", "0 show 0 1 2", "0 scout middle 0", "0 scout left",
              "0 scout left 0 show", "0 scout left 0 +show flip", "0 scout left 0 flip flip", ""],
    "scandaroon": ["0", "pass", "0 play", "0 play Q1>0", "0 play S1", "0 use x", "0 target 1", "0 place",
                   "0 place row", "0 set_trump hearts", "0 stone S1 as turban", "0 stone hand S1",
                   "0 stone row 0 as none", "0 exchange", "0 draw", "0 pass [", "0 pass,"],
    "scopinion": ["pass", "buy c4-1", "buy c4-1 pay", "buy c4-1 pay g5-1 hand", "buy c4-1 with g5-1", "take c4-1",
                  "triple c4-1 g3-1", "end hold", "end hold g5-1 now", "end now", "draw_one", "secure t9-1"],
}  # fmt: skip
UNKNOWN_OUTCOMES = {
    "skyjo": ["weather fine", "turn", "turn x", "finisher", "draw", "points", "phase choose", "legal 0", "legal 0:",
              "legal 0: pass", "legal 0: flip", "illegal 0 pass", "0: 1 2", "restock none", ""],
    "skyjo_action": ["weather fine", "turn", "turn x", "finisher", "draw", "points", "phase choose", "legal 0",
                     "legal 0:", "legal 0: pass", "legal 0: flip", "illegal 0 pass", "allowed 0 pass", "0: 1 2",
                     "decide 0", "decide 0 end", "decide 0 think", "restock none", "row defence", "hand 0:", "moves",
                     "legal 0: take_action deck", ""],
    "scout": ["weather=fine", "turn", "turn=x", "phase=lot", "cause=boredom", "h0=1", "active=-", "only",
              "only scout", "only 0 pass", "can 0 pass", "combo=yes", "Illegal", ""],
    "scandaroon": ["weather fine", "turn", "turn x", "phase lot", "trump hearts", "r0 Q1", "h0 -", "only0", "legal0",
                   "only0 draw", "current0 x", "stone0 lost", "record x: 1", "Illegal", ""],
    "scopinion": ["weather=fine", "turn", "turn=x", "phase=draw", "bought=yes", "no pass", "has", "pays c9-1",
                  "pays c9-1 = {g9-1}", "display=c9-1", "can pass", "only pass", "lists pass: end", "buys g9-1",
                  "Illegal", ""],
}  # fmt: skip
WRONG_OUTCOMES = {
    "skyjo": ["turn 1", "finisher 0", "starter 0", "draw none", "discard 9", "totals 1 1", "winners 0", "phase over",
              "legal 0: draw", "legal 1: take", "illegal 0 take", "0: . . . . / . . . . / . . . ."],
    "skyjo_action": ["turn 1", "finisher 0", "starter 0", "draw none", "discard 9", "totals 1 1", "winners 0",
                     "bonus 1 1", "phase over", "legal 0: draw", "legal 1: take", "illegal 0 take", "allowed 0 toss",
                     "decide 1 choose", "decide 0 star", "decide 0 place", "moves 2", "hand 0: defence", "pile none",
                     "adiscard defence", "row - - - -", "points 0 0", "0: . . . . / . . . . / . . . ."],
    "scout": ["turn=1", "starter=2", "round=2", "phase=over", "scouts=1", "chips=1,0,0", "combo=0,1,1",
              "collected=1,0,0", "totals=1,0,0", "winners=0", "h0=1/2", "active=1: 5/6", "active=0: 5/7",
              "active=0: -", "cause=unbeaten", "exempt=-", "points=0,0,0", "only show", "only 0 show 0 1",
              "can 0 keep", "cannot 0 scout left 0", "combos 9", "illegal"],
    "scandaroon": ["turn 1", "starter 2", "round 2", "phase over", "trump turban", "trumps turban scimitar",
                   "draw S2a", "disc S2a", "hands 0 0 0", "score 9 9 9", "piletotals 1 0 0", "first 0", "second 0",
                   "nt 0", "rank 1 0 0", "totals 1 0 0", "current0 5", "final0 5", "r0 M5", "h0 S2a", "pile0 M5",
                   "stone0 gone", "record 1: 0", "only0 pass", "legal0 - pass", "legal0 + use 0", "targets 0.0"],
    "scopinion": ["turn=1", "starter=1", "final=2", "phase=over", "bought=1", "mix=1", "top_open=0", "hand=g6-1",
                  "deck=r6-1", "stage=g6-1", "display=c9-1 c9-4 -", "supply=-", "drawn=g6-1", "graveyard=g6-1",
                  "no draw_one", "has buy", "pays c9-1 = {g1-1}", "can end reshuffle", "cannot end", "only end",
                  "lists draw_one: draw_one g2-1", "buys c9-1", "illegal"],
}  # fmt: skip


each = pytest.mark.parametrize(("name", "notation"), NOTATIONS.items(), ids=list(NOTATIONS))


def passed(texts: list[str], read: Callable[[str], Any], *refusals: type[Exception]) -> list[str]:
    """The texts that are read without a refusal."""
    found = []
    for text in texts:
        with suppress(*refusals):
            read(text)
            found.append(text)
    return found


@each
def test_what_is_not_understood_is_refused(name: str, notation: Notation):
    """Tables, moves, and outcomes."""

    def outcome(text: str) -> None:
        notation.outcome(notation.begin(notation.plain), text)

    def move(text: str) -> None:
        notation.module.play(notation.begin(notation.plain), text)

    for texts, read in ((UNKNOWN_TABLES, notation.module.table), (UNKNOWN_MOVES, move), (UNKNOWN_OUTCOMES, outcome)):
        assert passed(texts[name], read, ValueError, TypeError, KeyError) == []


@each
def test_a_wrong_outcome_is_noticed(name: str, notation: Notation):
    wrong = passed(
        WRONG_OUTCOMES[name], lambda text: notation.outcome(notation.begin(notation.plain), text), AssertionError
    )
    assert wrong == []


@pytest.mark.parametrize("moves", ["0 toss", "1 draw", "0 play defence"])
def test_a_move_of_an_example_that_is_refused_is_noticed(moves: str):
    with pytest.raises(AssertionError):
        sa.play(sa.begin("turn 0"), moves)
