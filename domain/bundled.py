"""Reads the data files of a ruleset: its decks, its labels and its lesson.

The files are package data. No other module of the domain reads files.
"""

from importlib.resources import files
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.messages import Value


class PlaceLabel(Value, forbid_unknown_fields=True):
    """The name of an index into a zone: `{number}` is the index + 1.

    In a zone of `rows`, which is filled column by column, `{column}` and `{row}` are the place in it, each from 1.
    """

    text: str
    """The template."""
    rows: int | UnsetType = UNSET
    """The number of rows of the zone. Absent: it has no columns and rows."""


class Prompt(Value, forbid_unknown_fields=True, omit_defaults=True):
    """The question to a player in a state: templates, whose placeholders are paths into the view."""

    ask: str
    """The question, of one short line. A card in it is shown by its number or its name."""
    do: dict[str, str] = {}
    """The verbs of buttons, by the `type` of the move or by `type.value` of its field."""
    say: str | UnsetType = UNSET
    """The question for a screen reader, with everything that can be chosen. Absent: `ask`."""
    when: tuple[str, ...] = ()
    """Conditions on the view and the legal moves: of the prompts of a state, the one with the most that hold is asked.
    A variant without conditions is asked while a move is composed."""


class BotLabel(Value, forbid_unknown_fields=True):
    """The name of a bot, and a description of its play."""

    title: str
    """The bot's name in this language."""
    about: str
    """A description of its play, in a sentence or two."""


class Labels(Value, forbid_unknown_fields=True):
    """Everything that a frontend says of a ruleset, in one language."""

    title: str
    """The name of the game."""
    summary: str
    """A description of the game, in a sentence."""
    moves: Annotated[dict[str, str], Meta(description="The description of a move, by its `type`.")]
    fields: Annotated[dict[str, str], Meta(description="The fields of moves.")]
    events: Annotated[dict[str, str], Meta(description="The name of an event, by its `type`.")]
    sentences: Annotated[dict[str, str], Meta(description="Sentences about events, by their `type`: templates.")]
    values: dict[str, dict[str, str]]
    """The values of enumerations, and `true` and `false` where they need a name, by field."""
    phases: Annotated[dict[str, str], Meta(description="The task of a phase, by the `phase` of the view.")]
    zones: Annotated[dict[str, str], Meta(description="The fields of the view that hold cards.")]
    facts: Annotated[dict[str, str], Meta(description="The other fields of the view.")]
    parts: dict[str, str]
    """The fields of objects in the view."""
    places: Annotated[dict[str, PlaceLabel], Meta(description="Indices into zones, by field.")]
    options: dict[str, str]
    """The options that a game can be opened with, by field."""
    bots: Annotated[dict[str, BotLabel], Meta(description="The bots, by their name and version.")]
    cards: dict[str, str]
    """Kinds of cards; `back` is a face-down card, `hidden` one in a sentence."""
    options_explained: dict[str, str] = {}
    """The effect of each option, by field."""
    quiet: tuple[str, ...] = ()
    """The types of events that report nothing that the view does not show, too."""
    choices: dict[str, str] = {}
    """A move with its cards, by the move's `type`, in brackets a variant: templates as in `prompts`."""
    prompts: dict[str, Prompt] = {}
    """The question to a player, by state: `phase` or `pending.kind`, `>move` while a move is composed."""


Text = dict[str, str]
"""A text for people by language: `en` and `de`."""


class RuleBox(Value):
    """A part of the rules for people, of at most 60 words. The file has more of it for the pages."""

    title: Text
    """The point, in a few words."""
    text: Text
    """The text of the rule."""


class RulesForPeople(Value):
    """The file `rules.json`, as far as others than the pages read it."""

    boxes: tuple[RuleBox, ...]


class LessonReply(Value, forbid_unknown_fields=True):
    """A move of another seat, played for it."""

    seat: int
    """The seat."""
    move: Any
    """Its move."""


class LessonStep(Value, forbid_unknown_fields=True, omit_defaults=True):
    """A step of a lesson: something is explained, and the learner makes a move. Without a move they read on."""

    state: str
    """The `kind` of the pending decision in the learner's view, otherwise its `phase`."""
    say: Text
    """The explanation, in one to three sentences."""
    task: Text
    """The task of the learner, in a few words."""
    title: Text = {}
    """The point that the step makes, in a few words. Without one it goes on with the step before."""
    move: Any = None
    """The move of seat 0. Null: there is nothing to do."""
    point: tuple[str, ...] = ()
    """The things of the table that the step is about, as in `docs/table-descriptions.md`."""
    free: bool = False
    """Any legal move will do, because the rest of the lesson is the same after each."""
    reply: tuple[LessonReply, ...] = ()
    """The moves of the others after it."""


class Lesson(Value, forbid_unknown_fields=True, omit_defaults=True):
    """A guided first game. Its cards are known: the deal follows from `id` and `secret`."""

    id: str
    """The id of the lesson, a UUID. Its games name it as their `parent`."""
    secret: str
    """The secret that all deals of its games follow from: 32 bytes in hex."""
    seats: tuple[str, ...]
    """The seats with their players. The learner has seat 0."""
    steps: tuple[LessonStep, ...]
    """The steps in order. The last one has no move."""
    options: Any = {}
    """The options of the game that are not the usual ones."""


def lesson(home: str) -> Lesson | None:
    """The ruleset's lesson; None if it has none."""
    file = files(home).joinpath("lesson.json")
    return msgspec.json.decode(file.read_bytes(), type=Lesson) if file.is_file() else None


def boxes(home: str) -> tuple[RuleBox, ...]:
    """The ruleset's rules for people; empty if it has none."""
    file = files(home).joinpath("rules.json")
    return msgspec.json.decode(file.read_bytes(), type=RulesForPeople).boxes if file.is_file() else ()


def deck_text(home: str, file: str) -> bytes:
    """A deck file in the ruleset's package."""
    return files(home).joinpath(file).read_bytes()


def trained(home: str) -> bytes:
    """What a published bot has learned."""
    return files(home).joinpath("trained.json").read_bytes()


def captions(home: str) -> dict[str, dict[str, str]]:
    """The ruleset's templates for captions by language; empty if it has none."""
    file = files(home).joinpath("captions.json")
    return msgspec.json.decode(file.read_bytes(), type=dict[str, dict[str, str]]) if file.is_file() else {}


def labels(home: str) -> dict[str, dict[str, Any]]:
    """The ruleset's labels by language, which can leave some out; empty if it has none."""
    file = files(home).joinpath("labels.json")
    return msgspec.json.decode(file.read_bytes(), type=dict[str, dict[str, Any]]) if file.is_file() else {}
