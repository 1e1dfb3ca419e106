"""When to look at the games with a clock: bounds, claims, and rebuilding."""

from random import Random
from typing import Any

from msgspec import UNSET
from sqlalchemy import Engine

from domain.game.clock import GRACE, SECOND, Clock, microseconds
from projections.deadlines import NEVER, START, claim, due, postpone
from projections.projection import Projections
from tests.projections.conftest import Given
from tests.projections.histories import AT, Table, recorded

TERMS: dict[str, Any] = {"clock": Clock(60, delay=3, reserve=10), "absent": "abort"}
FIRST = microseconds(AT) + 73 * SECOND + GRACE


def begun(name: str, **terms: Any) -> tuple[Table, list[Any]]:
    table = Table(name)
    return table, [*table.open("ada", seats=2, **(TERMS | terms)), *table.join("bob")]


def found(engine: Engine, now: int, limit: int = 100) -> list[str]:
    return [each.game for each in due(engine, now, START, limit)]


def test_a_game_is_due_when_a_first_choice_can_run_out(engine: Engine, given: Given) -> None:
    waiting = Table("waiting").open("ada", seats=2, **TERMS)
    _, rows = begun("begun")
    _, untimed = begun("untimed", clock=UNSET)
    given(waiting, rows, untimed)
    assert found(engine, FIRST - 1) == []
    assert found(engine, FIRST) == ["begun"]
    assert found(engine, NEVER - 1) == ["begun"], "a game that waits is not due"


def test_a_game_that_is_over_is_not_due(engine: Engine, given: Given) -> None:
    table, rows = begun("a")
    _, others = begun("b")
    given(rows, others)
    given(table.play(Random(1)))
    assert found(engine, NEVER - 1) == ["b"]
    whole, rows = begun("c")
    given([*rows, *whole.play(Random(1))])
    assert found(engine, NEVER - 1) == ["b"]


def test_moves_write_nothing(engine: Engine, given: Given) -> None:
    table, rows = begun("a")
    given(rows)
    postpone(engine, {"a": FIRST + 5})
    given(table.move(Random(1)))
    assert found(engine, FIRST + 4) == []
    assert found(engine, FIRST + 5) == ["a"]


def test_one_process_claims_a_game(engine: Engine, given: Given) -> None:
    for name in "abc":
        given(begun(name)[1])
    assert claim(engine, ["a", "b", "x"], FIRST, FIRST + 30) == {"a", "b"}
    assert claim(engine, ["a", "b", "c"], FIRST + 29, FIRST + 60) == {"c"}
    assert found(engine, FIRST + 29) == []
    assert claim(engine, ["a", "b"], FIRST + 30, FIRST + 60) == {"a", "b"}, "a claim expires"
    postpone(engine, {"a": FIRST + 40, "b": NEVER})
    assert found(engine, FIRST + 59) == ["a"], "a claim ends when the game was looked after"
    assert claim(engine, [], FIRST, FIRST) == set()
    assert claim(engine, ["c"], FIRST - 1, FIRST) == set(), "it is not due yet"


def test_pages_are_in_the_order_of_deadlines(engine: Engine, given: Given) -> None:
    bounds = dict(zip("abcdefg", (5, 3, 3, 9, 1, 3, 7), strict=True))
    for name in bounds:
        given(begun(name)[1])
    postpone(engine, bounds)
    pages, last = [], START
    while page := due(engine, 8, last, 2):
        pages.append([each.game for each in page])
        last = page[-1]
    assert pages == [["e", "b"], ["c", "f"], ["a", "g"]]


def test_a_rebuilt_table_has_the_first_bounds(engine: Engine, projections: Projections, given: Given) -> None:
    """They are earlier than necessary, but right."""
    _, rows = begun("a")
    given(rows)
    claim(engine, ["a"], FIRST, FIRST + 9)
    postpone(engine, {"a": FIRST + 10**9})
    projections.rebuild()
    batch = recorded(rows)
    projections.apply(batch, 0, batch[-1].position)
    assert found(engine, FIRST) == ["a"]
