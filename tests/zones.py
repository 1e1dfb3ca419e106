"""What the laws cannot find out by themselves: which fields of a ruleset's state are zones of cards."""

from collections.abc import Callable, Iterable
from typing import Any

from domain.rulesets.skyjo import State


def skyjo(state: State) -> Iterable[Any]:
    yield from (slot.card for layout in state.layouts for slot in layout if slot is not None)
    yield from (*state.draw, *state.discard)
    if state.held is not None:
        yield state.held


CARDS: dict[str, Callable[[Any], Iterable[Any]]] = {"skyjo": skyjo}
"""By ruleset: all cards of a state, wherever they are. Every ruleset needs an entry."""

TELLING: dict[str, frozenset[str]] = {}
"""By ruleset: tags of events by which the rules themselves tell everybody something about hidden cards."""
