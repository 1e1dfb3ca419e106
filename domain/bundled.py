"""Reads the data files of a ruleset: its decks, and its labels for people.

They are package data, like source code. Nothing else in the domain reads files.
"""

from importlib.resources import files

import msgspec

from domain.messages import Value


class Labels(Value, forbid_unknown_fields=True):
    """Names for people in one language, each under the name that stands on the wire."""

    title: str
    summary: str
    moves: dict[str, str]
    events: dict[str, str]
    options: dict[str, str]
    cards: dict[str, str]


def deck_text(ruleset: str, file: str) -> bytes:
    """A deck file in the ruleset's folder."""
    return files("domain").joinpath("rulesets", ruleset, file).read_bytes()


def labels(ruleset: str) -> dict[str, Labels]:
    """The ruleset's labels by language."""
    text = files("domain").joinpath("rulesets", ruleset, "labels.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, Labels])
