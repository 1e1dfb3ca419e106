"""The description of a ruleset: everything that a frontend needs to show games of any ruleset."""

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.bundled import Labels
from domain.deck import Deck
from domain.game import Rules
from domain.messages import Value
from domain.ruleset import BotName, Difficulty
from domain.schemas import schemas


class DeckNamed(Value):
    """The name of a deck and the source of its card list."""

    name: str
    """The name of the deck."""
    provenance: str
    """The source of its list of cards."""


class SeatRange(Value):
    """The smallest and the largest number of players."""

    least: int
    """The smallest number of players, bots included."""
    most: int
    """The largest number of players, bots included."""


class Ruleset(Value, kw_only=True):
    """A ruleset, with everything that a frontend needs. `schemas` are JSON Schemas."""

    name: str
    """The name of the ruleset in paths."""
    rules: str
    """The ruleset and the version of the rules of new games, `NAME/N`."""
    seats: SeatRange
    minutes: int
    """The usual length of a game, in minutes, of people who know it."""
    difficulty: Difficulty
    """The difficulty to learn it."""
    default_options: dict[str, Any]
    """The options of a game that is opened without any."""
    decks: tuple[DeckNamed, ...]
    """The decks that a game can be opened with; the first one is the default."""
    bots: tuple[BotName, ...]
    """The bots that can play a seat, the weakest first; described in `labels`."""
    labels: dict[str, Labels]
    """Texts for people, by language: `en` and `de`."""
    schemas: dict[str, Any]
    """JSON Schemas of `options`, `move`, `event`, `view` and `deck`."""


class Captions(Value):
    """The effects of cards, in each language by the card as views name it. Cards that need no words are left out."""

    en: dict[str, str]
    """Texts in English, by card."""
    de: dict[str, str]
    """Texts in German, by card."""


class ExplainedRule(Value):
    """A part of the rules."""

    title: str
    """The point, in a few words."""
    text: str
    """The text of the rule."""


class ExplainedCard(Value, omit_defaults=True):
    """A card of the deck."""

    name: str | UnsetType = UNSET
    """The name of the card. Several cards can have the same name."""
    printed: dict[str, Any] | UnsetType = UNSET
    """The print of the card, as in the deck. Absent: its id in views says everything."""
    text: str | UnsetType = UNSET
    """The effect of the card. Absent: it needs no words."""


class ExplainedRules(Value):
    """The rules of a game in one language."""

    boxes: tuple[ExplainedRule, ...]
    """The parts in the order in which a beginner needs them; empty if the ruleset has none."""
    cards: Annotated[dict[str, ExplainedCard], Meta(description="The cards that need words, as views name them.")]


class Explained(Value):
    """The rules of a game for people and for language models, by language."""

    en: ExplainedRules
    de: ExplainedRules


def explained(rules: Rules, deck: Deck[Any]) -> Explained:
    """The rules with the cards of the deck."""
    printed = {card.id: card for card in getattr(deck.data, "cards", ()) if hasattr(card, "id")}
    captions = rules.captions(deck)

    def of(language: str) -> ExplainedRules:
        names, texts = rules.card_names(deck, language), captions[language]
        cards = {
            card: ExplainedCard(
                names.get(card, UNSET), fields_of(printed[card]) if card in printed else UNSET, texts.get(card, UNSET)
            )
            for card in dict.fromkeys([*printed, *texts])
        }
        boxes = [
            ExplainedRule(*(text.get(language, text["en"]) for text in (box.title, box.text))) for box in rules.boxes
        ]
        return ExplainedRules(tuple(boxes), cards)

    return Explained(of("en"), of("de"))


def fields_of(card: Any) -> dict[str, Any]:
    return {name: value for name, value in msgspec.to_builtins(card).items() if name != "id"}


def described(rules: Rules) -> Ruleset:
    return Ruleset(
        name=rules.name,
        rules=rules.rules,
        seats=SeatRange(rules.seats[0], rules.seats[-1]),
        minutes=rules.minutes,
        difficulty=rules.difficulty,
        default_options=msgspec.to_builtins(rules.options()),
        decks=tuple(DeckNamed(deck.name, deck.data.provenance) for deck in rules.decks.values()),
        bots=rules.house,
        labels=rules.labels,
        schemas=schemas(rules),
    )
