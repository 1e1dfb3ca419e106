"""What is said about a choice, and no more than was measured."""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
from msgspec import UNSET

from agents.review.weighing import SURE
from domain.fairness.record import Record
from domain.game import Rules
from domain.review import HALF, Choice, Review
from domain.sentences import text_of

LANGUAGES = ("en", "de")

SEATS = ("seat", "row")
"""The fields of moves that name seats."""


@cache
def words(language: str) -> Mapping[str, str]:
    text = files(__package__).joinpath("words.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, dict[str, str]])[language]


class Wording:
    """Sentences in one language about the choices of a game with this deck, whose players have these names by seat."""

    def __init__(self, rules: Rules, deck: Any, language: str, names: Sequence[str]) -> None:
        self.words, self.labels, self.names = words(language), rules.labels[language], names
        self.cards = rules.card_names(rules.deck_of(deck), language)

    def sentence(self, choice: Choice[Any], *, final: bool = True) -> str:
        """`“Toss it” cost 4.0 points (2.1 to 5.9). Best found: “Swap it in (column 2, row 3)”.`

        Empty if nothing seems to be better than what was made.
        """
        if choice.best is UNSET:
            return ""
        half = HALF * choice.error
        template = "open" if not final else "close" if choice.category is UNSET else "cost"
        made, best = (self.move(move) for move in (choice.made, choice.best))
        if made == best:  # other cards of the same name
            made, best = (self.move(move, ids=True) for move in (choice.made, choice.best))
        text = self.words[template].format(
            made=self.quoted(made), best=self.quoted(best), loss=self.number(choice.loss), half=self.number(half),
            low=self.number(choice.loss - half), high=self.number(choice.loss + half),
        )  # fmt: skip
        claimed = choice.category is not UNSET
        more = [self.words["as_house"]] * (claimed and choice.as_house) + [self.words["hinted"]] * choice.hinted
        return " ".join([text, *more])

    def number(self, figure: float) -> str:
        return f"{figure:.1f}".replace("-0.0", "0.0").replace(".", self.words["point"])

    def quoted(self, text: str) -> str:
        return self.words["quoted"].format(text=text)

    def move(self, move: Any, *, ids: bool = False) -> str:
        """The move by its label, and its fields: `Swap it in (column 3, row 1)`. `ids`: cards with their ids."""
        fields = [(name, getattr(move, name)) for name in move.__struct_fields__]
        parts = [self.field(name, value, ids=ids) for name, value in fields if says_something(value)]
        name = self.labels.moves[move.__struct_config__.tag]
        return f"{name} ({', '.join(parts)})" if parts else name

    def field(self, name: str, value: Any, *, ids: bool) -> str:
        """A number that is no place, and a seat, say nothing without the name of their field."""
        labels = self.labels
        if isinstance(value, int) and not isinstance(value, bool):
            if name in labels.places:
                return text_of(labels, name, "place", value, self.names)
            return f"{labels.fields.get(name, name)}: {self.names[value] if name in SEATS else value}"
        values = value if isinstance(value, tuple) else (value,)
        return ", ".join([self.value(name, each, ids=ids) for each in values])

    def value(self, name: str, value: Any, *, ids: bool) -> str:
        if not isinstance(value, str) or value in self.labels.values.get(name, ()):
            return text_of(self.labels, name, None, value, self.names)
        card = self.cards.get(value, self.labels.cards.get(value, value))
        return f"{card} [{value}]" if ids and card != value else card


def says_something(value: Any) -> bool:
    return value is not UNSET and value is not None and value is not False and value != ()


def worst(review: Review[Any]) -> list[Choice[Any]]:
    """The choices that may have cost something, by what they have cost at least."""
    lost = [choice for choice in review.choices if choice.best is not UNSET]
    return sorted(
        lost, key=lambda choice: (choice.category is UNSET, SURE * choice.error - choice.loss, choice.version)
    )


def names_of(record: Record[Any, Any, Any, Any], language: str) -> list[str]:
    """By seat: the display name of the player, or the seat."""
    players = [None if seat.player is None else record.names.get(seat.player) for seat in record.seats]
    return [name or words(language)["seat"].format(number=seat) for seat, name in enumerate(players)]
