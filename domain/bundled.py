"""Reads the data files of a ruleset: its decks and its labels.

The files are package data. No other module of the domain reads files.
"""

from importlib.resources import files
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.messages import Value


class PlaceLabel(Value, forbid_unknown_fields=True):
    """How to call an index into a zone: `{number}` is the index + 1.

    In a zone of `rows`, which is filled column by column, `{column}` and `{row}` are the place in it, each from 1.
    """

    text: str
    """The template."""
    rows: int | UnsetType = UNSET
    """How many rows the zone has. Absent: it has no columns and rows."""


class Prompt(Value, forbid_unknown_fields=True, omit_defaults=True):
    """What a player is asked in a state: templates, whose placeholders the frontend fills from the view."""

    ask: str
    """The question, of one short line. A card in it is shown by its number or its name."""
    do: dict[str, str] = {}
    """The verbs of buttons, by the `type` of the move or by `type.value` of its field."""
    say: str | UnsetType = UNSET
    """The question for a screen reader, with everything that can be chosen. Absent: `ask`."""


class BotLabel(Value, forbid_unknown_fields=True):
    """What to call a bot, and how it plays."""

    title: str
    """The bot's name in this language."""
    about: str
    """How the bot plays, in a sentence or two."""


class Labels(Value, forbid_unknown_fields=True):
    """Everything that a frontend says of a ruleset, in one language."""

    title: str
    """The name of the game."""
    summary: str
    """What the game is about, in a sentence."""
    moves: Annotated[dict[str, str], Meta(description="What a move does, by its `type`.")]
    fields: Annotated[dict[str, str], Meta(description="The fields of moves.")]
    events: Annotated[dict[str, str], Meta(description="What an event is, by its `type`.")]
    sentences: Annotated[dict[str, str], Meta(description="What has happened, by the event's `type`: templates.")]
    values: dict[str, dict[str, str]]
    """The values of enumerations, and `true` and `false` where they need a name, by field."""
    phases: Annotated[dict[str, str], Meta(description="What is to be done, by the `phase` of the view.")]
    zones: Annotated[dict[str, str], Meta(description="The fields of the view that hold cards.")]
    facts: Annotated[dict[str, str], Meta(description="The other fields of the view.")]
    places: Annotated[dict[str, PlaceLabel], Meta(description="Indices into zones, by field.")]
    options: dict[str, str]
    """The options that a game can be opened with, by field."""
    bots: Annotated[dict[str, BotLabel], Meta(description="The bots, by their name and version.")]
    cards: dict[str, str]
    """Kinds of cards; `back` is a face-down card, `hidden` one in a sentence."""
    prompts: dict[str, Prompt] = {}
    """What a player is asked, by state: `phase` or `pending.kind`, `>move` while a move is composed."""


def deck_text(home: str, file: str) -> bytes:
    """A deck file in the ruleset's package."""
    return files(home).joinpath(file).read_bytes()


def captions(home: str) -> dict[str, dict[str, str]]:
    """The ruleset's templates for captions by language; empty if it has none."""
    file = files(home).joinpath("captions.json")
    return msgspec.json.decode(file.read_bytes(), type=dict[str, dict[str, str]]) if file.is_file() else {}


def labels(home: str) -> dict[str, dict[str, Any]]:
    """The ruleset's labels by language, which can leave some out; empty if it has none."""
    file = files(home).joinpath("labels.json")
    return msgspec.json.decode(file.read_bytes(), type=dict[str, dict[str, Any]]) if file.is_file() else {}
