"""Decks: read from data files and validated."""

from typing import Annotated, Any, ClassVar, Generic, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.messages import Value
from domain.strict import only_once

# Patterns end with `$(?!\n)`: `$` alone would accept a trailing newline.
Name = Annotated[
    str, Meta(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$(?!\n)", description="It selects the deck when a game is opened.")
]


Licence = Annotated[
    str,
    Meta(
        pattern=r"^[A-Za-z0-9.+():\- ]{1,100}$(?!\n)",
        description="The licence of these data, which records contain: an SPDX expression, `LicenseRef-` for others.",
    ),
]


class _Licensed(Value, kw_only=True):
    licence: Licence | UnsetType = UNSET


class DeckData(_Licensed, forbid_unknown_fields=True):
    """The fields that all deck files share; each ruleset adds fields for its cards."""

    ruleset: str
    """The ruleset that the deck is for."""
    name: Name
    provenance: Annotated[str, Meta(max_length=1000, description="The source of the list of cards.")]


EMPTY = "none"
"""The name of the deck without cards."""


class InvalidDeck(Exception):
    """The deck cannot be used. The message names the error and its JSON path."""


D = TypeVar("D", bound=DeckData)


class Deck(Generic[D]):
    """A validated deck. The JSON of a state contains only its name; `opened` contains the cards.

    A ruleset's subclass sets `data_type`, raises `InvalidDeck` for errors that the types cannot express, and holds the
    cards in the canonical order in which they are dealt.
    """

    __slots__ = ("data",)
    data_type: ClassVar[type[Any]] = DeckData

    def __init__(self, data: D) -> None:
        self.data = data

    @property
    def name(self) -> str:
        return self.data.name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Deck) and self.data == other.data

    def __hash__(self) -> int:
        return hash(self.name)


def read(kind: type[Deck[D]], ruleset: str, text: bytes) -> Deck[D]:
    """Decode and validate the text of a deck file. Raises `InvalidDeck`."""
    try:
        data = msgspec.json.decode(text, type=kind.data_type)
        only_once(text)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise InvalidDeck(str(error)) from None
    if data.ruleset != ruleset:
        raise InvalidDeck(f"The deck is for the ruleset {data.ruleset!r}, not for {ruleset!r} - at `$.ruleset`")
    return kind(data)


class UnknownDeck:
    """The data of a deck whose type is not known, with all fields."""

    __slots__ = ("data",)

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data

    @property
    def name(self) -> str:
        return str(self.data.get("name"))

    @property
    def provenance(self) -> str:
        return str(self.data.get("provenance"))
