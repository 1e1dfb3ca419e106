"""JSON Schemas of a ruleset's types, as the API publishes them."""

from functools import cache
from typing import Any

import msgspec

from domain.deck import Deck
from domain.deck import Name as DeckName


def schemas(rules: Any) -> dict[str, dict[str, Any]]:
    """The schemas of `options`, `move`, `event`, `view` and `deck`."""
    kinds = {
        "options": rules.options, "move": rules.move, "event": rules.event, "view": rules.state,
        "deck": rules.deck.data_type,
    }  # fmt: skip
    return {name: schema_of(kind) for name, kind in kinds.items()}


@cache
def schema_of(kind: Any) -> dict[str, Any]:
    return msgspec.json.schema(kind, schema_hook=deck_by_name)


def deck_by_name(kind: type) -> dict[str, Any]:
    """The schema hook for decks: the JSON of a state contains the name of its deck."""
    if not issubclass(kind, Deck):
        raise NotImplementedError
    return msgspec.json.schema(DeckName)
