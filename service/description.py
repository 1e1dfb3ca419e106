"""The description of a ruleset: everything that a frontend needs to show games of any ruleset."""

from functools import cache
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from domain.bundled import Labels
from domain.deck import Deck
from domain.deck import Name as DeckName
from domain.game import Rules
from domain.messages import Value
from domain.ruleset import BotName


class DeckNamed(Value):
    """The name of a deck and the source of its card list."""

    name: str
    """The name of the deck."""
    provenance: str
    """Where its list of cards comes from."""


class SeatRange(Value):
    """The smallest and the largest number of players."""

    least: int
    most: int


class Ruleset(Value, kw_only=True):
    """A ruleset, with everything that a frontend needs. `schemas` are JSON Schemas."""

    name: str
    rules: str
    seats: SeatRange
    default_options: dict[str, Any]
    decks: tuple[DeckNamed, ...]
    bots: Annotated[
        tuple[BotName, ...],
        Meta(description="The bots that can play a seat, the weakest first; described in `labels`."),
    ]
    labels: dict[str, Labels]
    schemas: dict[str, Any]


class Captions(Value):
    """What cards do, in each language by the card as it is named in views. Cards that need no words are left out."""

    en: dict[str, str]
    de: dict[str, str]


def described(rules: Rules) -> Ruleset:
    types = {
        "options": rules.options,
        "move": rules.move,
        "event": rules.event,
        "view": rules.state,
        "deck": rules.deck.data_type,
    }
    return Ruleset(
        name=rules.name,
        rules=rules.rules,
        seats=SeatRange(rules.seats[0], rules.seats[-1]),
        default_options=msgspec.to_builtins(rules.options()),
        decks=tuple(DeckNamed(deck.name, deck.data.provenance) for deck in rules.decks.values()),
        bots=tuple(rules.bots),
        labels=rules.labels,
        schemas={name: schema_of(kind) for name, kind in types.items()},
    )


@cache
def schema_of(kind: Any) -> dict[str, Any]:
    """The JSON Schema of the type."""
    return msgspec.json.schema(kind, schema_hook=_deck_by_name)


def _deck_by_name(kind: type) -> dict[str, Any]:
    if not issubclass(kind, Deck):
        raise NotImplementedError
    return msgspec.json.schema(DeckName)
