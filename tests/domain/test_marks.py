"""What the schemas mark for a reader that does not know the ruleset: seats, values by seat, empty places."""

from typing import Annotated, Any

import msgspec
import pytest
from msgspec import Struct

from domain.cards import CARD, EMPTY
from domain.game import Rules
from domain.ruleset import BySeat, Seat
from domain.rulesets import VERSIONS
from stammtisch.testing.marks import contradictions, covered, marks
from stammtisch.testing.playing import Play, Table, type_info

pytestmark = pytest.mark.slow

every_version = pytest.mark.parametrize("rules", VERSIONS.values(), ids=list(VERSIONS))


def plays(rules: Rules) -> list[Play]:
    return [Play(rules, Table(seats, rules.options(), seats, moves=60)) for seats in {rules.seats[0], rules.seats[-1]}]


@every_version
def test_the_marks_of_states_and_views_hold(rules: Rules):
    for play in plays(rules):
        marks(play)


@every_version
def test_every_list_of_the_state_that_has_an_item_for_each_seat_has_the_mark(rules: Rules):
    """With two numbers of seats, so that a list of another kind has another length at some time."""
    states = [(play.table.seats, game.state) for play in plays(rules) for game in play.games if game.state is not None]
    _, found = msgspec.json.schema_components([rules.state], schema_hook=lambda _: {"type": "string"})
    for name, schema in found["State"]["properties"].items():
        values = [(seats, getattr(state, name)) for seats, state in states]
        listed = [(seats, value) for seats, value in values if isinstance(value, tuple) and value]
        if listed and len({seats for seats, _ in listed}) > 1 and all(len(value) == seats for seats, value in listed):
            assert "x-by-seat" in str(schema), name


Card = Annotated[int, CARD]


class Marked(Struct):
    turn: Seat = 0
    totals: BySeat[int] = (0, 0)
    slots: tuple[Annotated[Card | None, EMPTY], ...] = (1, None)
    pile: tuple[Card | None, ...] = (1,)


def wrong(state: Marked) -> list[str]:
    return list(contradictions(type_info(Marked), state, 2))


@pytest.mark.parametrize(
    ("state", "found"),
    [
        (Marked(turn=2), "`turn` has the mark of a seat and is 2"),
        (Marked(totals=(0, 0, 0)), "`totals` has the mark of a list by seat and 3 items, for 2 seats"),
        (Marked(pile=(None,)), "`pile/0` is null in the full state; give its type the mark `EMPTY`"),
    ],
)
def test_a_wrong_mark_is_found(state: Marked, found: str):
    assert wrong(Marked()) == wrong(Marked(totals=())) == []
    assert wrong(state) == [found]


@pytest.mark.parametrize(
    ("view", "found"),
    [((None, None), ["`slots/0` has the mark of an empty place, and its null hides 1"]), ((1, None), [])],
)
def test_an_empty_place_that_hides_a_card_is_found(view: Any, found: list[str]):
    assert list(covered(type_info(Marked), Marked(slots=view, pile=(None,)), Marked())) == found
