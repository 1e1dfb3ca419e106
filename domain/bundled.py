"""The data files that come with the domain: decks, and labels for people.

Package data, like a module's own source: the only reading that the domain does.
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


def deck_text(file: str) -> bytes:
    """A deck file as it was shipped."""
    return files("domain").joinpath("decks", file).read_bytes()


def labels(ruleset: str) -> dict[str, Labels]:
    """The ruleset's labels by language."""
    text = files("domain").joinpath("rulesets", f"{ruleset}.labels.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, Labels])
