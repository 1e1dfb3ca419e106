"""Reads the data files of a ruleset: its decks and its labels.

The files are package data. No other module of the domain reads files.
"""

from importlib.resources import files

import msgspec

from domain.messages import Value


class Labels(Value, forbid_unknown_fields=True):
    """Display names in one language, each under its name in JSON."""

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
