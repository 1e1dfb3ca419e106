"""Deck files of the operator, from the folder in the setting `decks`. They are offered beside the bundled decks.

A game stores all cards of its deck. A file may therefore be changed or removed at any time: the change takes effect at
the next start, and games in progress keep the cards that they began with.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from domain import deck
from domain.codec import builtins
from domain.deck import Deck
from domain.game import Rules
from domain.registry import RULESETS
from domain.ruleset import InvalidSetup
from service.identity.display_names import is_displayable
from service.settings import InvalidSettings, Settings

MAX_DECK_BYTES = 256 * 1024
"""The size of a deck file. Every game contains the whole deck."""

TEXT_RULE = "must not contain control characters other than newline and tab, or characters that change text direction"


class Envelope(msgspec.Struct):
    """The field of a deck file that names its ruleset."""

    ruleset: str


def offered(settings: Settings) -> dict[str, Rules]:
    """All rulesets by name, with bundled decks and the operator's. Raises `InvalidSettings`."""
    rulesets = dict(RULESETS)
    if settings.decks:
        folder = Path(settings.decks)
        if not folder.is_dir():
            raise InvalidSettings(f"STAMMTISCH_DECKS: {settings.decks!r} is not a folder")
        for file in sorted(folder.glob("*.json")):
            rules, added = read(file)
            if added.name in rulesets[rules.name].decks:
                raise InvalidSettings(f"{file}: {rules.name} already has a deck named {added.name!r} - at `$.name`")
            rulesets[rules.name] = rulesets[rules.name].with_deck(added)
    return rulesets


def read(file: Path) -> tuple[Rules, Deck[Any]]:
    """The ruleset and the deck of the file. Raises `InvalidSettings` with the file, what is wrong, and where."""
    try:
        if file.stat().st_size > MAX_DECK_BYTES:
            raise InvalidSettings(f"{file}: a deck file has at most {MAX_DECK_BYTES // 1024} KiB")
        text = file.read_bytes()
        name = msgspec.json.decode(text, type=Envelope).ruleset
        if name not in RULESETS:
            raise InvalidSettings(f"{file}: {unknown_ruleset(name)} - at `$.ruleset`")
        rules = RULESETS[name]
        found = deck.read(rules.deck, name, text)
    except OSError as error:
        raise InvalidSettings(f"{file}: {error.strerror}") from None
    except (deck.InvalidDeck, msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidSettings(f"{file}: {error}") from None
    if (path := undisplayable_text(found.data, "$")) is not None:
        raise InvalidSettings(f"{file}: A text {TEXT_RULE} - at `{path}`")
    if not seats_for(rules, found):
        raise InvalidSettings(f"{file}: {setup_error(rules, found, rules.seats[0])}")
    return rules, found


def undisplayable_text(data: deck.DeckData, path: str) -> str | None:
    """The path of the first text in the deck that cannot be displayed unchanged; None if there is none."""
    return next((place for place, text in _texts(builtins(data), path) if not is_displayable(text)), None)


def _texts(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """All strings in a JSON value, keys included, with their paths."""
    match value:
        case str():
            yield path, value
        case dict():
            for key, item in value.items():
                yield path, key
                yield from _texts(item, f"{path}.{key}")
        case list() | tuple():
            for number, item in enumerate(value):
                yield from _texts(item, f"{path}[{number}]")


def seats_for(rules: Rules, chosen: Deck[Any]) -> list[int]:
    """The numbers of seats for which the deck can be used."""
    return [seats for seats in rules.seats if not setup_error(rules, chosen, seats)]


def setup_error(rules: Rules, chosen: Deck[Any], seats: int) -> str:
    """Why the deck cannot be used with this number of seats; empty if it can."""
    try:
        rules.initial(seats, rules.options(), chosen)
    except InvalidSetup as error:
        return str(error)
    return ""


def bundled_ruleset(name: str) -> Rules:
    """The ruleset with its bundled decks. Raises `InvalidSettings`."""
    if name not in RULESETS:
        raise InvalidSettings(unknown_ruleset(name))
    return RULESETS[name]


def unknown_ruleset(name: str) -> str:
    return f"there is no ruleset {name!r}; the rulesets are {', '.join(RULESETS)}"
