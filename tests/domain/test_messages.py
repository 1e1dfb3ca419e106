"""Dispatch tables with one function for each type of message."""

import pytest

from domain.messages import Event, by_type


class Rung(Event):
    """The bell was rung."""


class Opened(Event):
    """The door was opened."""


class Closed(Event):
    """The door was closed."""


def rung(state: str, _: Rung) -> str:
    return state + " rung"


def moved(state: str, _: Opened | Closed) -> str:
    return state + " moved"


def opened(state: str, _: Opened) -> str:
    return state + " opened"


def test_every_type_of_message_has_its_function():
    table = by_type(Rung | Opened | Closed, rung, moved)
    assert [table[type(event)]("", event) for event in (Rung(), Opened(), Closed())] == [" rung", " moved", " moved"]


@pytest.mark.parametrize("functions", [(rung, opened), (rung, moved, opened)], ids=["none for one", "two for one"])
def test_a_type_without_a_function_or_with_two_is_refused(functions: tuple[object, ...]):
    with pytest.raises(TypeError, match="not exactly one function for each"):
        by_type(Rung | Opened | Closed, *functions)  # type: ignore[arg-type]
