"""Printed decks as data: read, checked, and made ready for play."""

from typing import Annotated, Any, ClassVar, Generic, TypeVar

import msgspec
from msgspec import Meta

from domain.messages import Value

# In every pattern of ours `$(?!\n)` is the end: `$` alone would let one final newline pass.
Name = Annotated[
    str, Meta(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$(?!\n)", description="The name by which a deck is chosen.")
]


class DeckData(Value, forbid_unknown_fields=True):
    """The envelope that all deck files share; each ruleset adds the fields for its cards."""

    ruleset: str
    name: Name
    provenance: Annotated[str, Meta(max_length=1000, description="Where the list of cards comes from.")]


class InvalidDeck(Exception):
    """The deck cannot be used. The message says what is wrong, and where."""


D = TypeVar("D", bound=DeckData)


class Deck(Generic[D]):
    """A checked deck. The JSON of a state has its name only, because `opened` has its cards.

    A ruleset's subclass names its `data_type`, raises `InvalidDeck` for what the types alone cannot refuse, and holds
    the cards in the form and in the canonical order in which they are dealt.
    """

    __slots__ = ("data",)
    data_type: ClassVar[type[Any]]

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
    """The deck in a deck file's text. Raises `InvalidDeck`."""
    try:
        data = msgspec.json.decode(text, type=kind.data_type)
    except msgspec.MsgspecError as error:
        raise InvalidDeck(str(error)) from None
    if data.ruleset != ruleset:
        raise InvalidDeck(f"The deck is for the ruleset {data.ruleset!r}, not for {ruleset!r} - at `$.ruleset`")
    return kind(data)
