"""Decks of the operator's own: files in a folder that the setting `decks` names, beside those that come with us.

A game records all cards that it is played with, so a file may be changed or go at any time: that is seen at the next
start, and games that are under way go on with what they began with.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from domain import deck
from domain.codec import builtins
from domain.deck import Deck
from domain.game import Rules
from domain.ruleset import InvalidSetup
from domain.rulesets import RULESETS
from service.identity.display_names import is_readable
from service.settings import InvalidSettings, Settings

LARGEST = 256 * 1024
"""Bytes of a deck file at most: the whole deck goes into each game."""


UNREADABLE = "must not have control characters other than newlines and tabs, or any that change the direction of text"


class Envelope(msgspec.Struct):
    """What says for which ruleset a deck is."""

    ruleset: str


def offered(settings: Settings) -> dict[str, Rules]:
    """All rulesets by name, with all decks that can be chosen. Raises `InvalidSettings`."""
    rulesets = dict(RULESETS)
    if settings.decks:
        folder = Path(settings.decks)
        if not folder.is_dir():
            raise InvalidSettings(f"STAMMTISCH_DECKS: there is no folder {settings.decks!r}")
        for file in sorted(folder.glob("*.json")):
            rules, added = read(file)
            if added.name in rulesets[rules.name].decks:
                raise InvalidSettings(
                    f"{file}: {rules.name} has a deck of the name {added.name!r} already - at `$.name`"
                )
            rulesets[rules.name] = rulesets[rules.name].with_deck(added)
    return rulesets


def read(file: Path) -> tuple[Rules, Deck[Any]]:
    """The deck in the file, and its ruleset. Raises `InvalidSettings` with the file, what is wrong, and where."""
    try:
        if file.stat().st_size > LARGEST:
            raise InvalidSettings(f"{file}: a deck file has at most {LARGEST // 1024} KiB")
        text = file.read_bytes()
        name = msgspec.json.decode(text, type=Envelope).ruleset
        if name not in RULESETS:
            raise InvalidSettings(f"{file}: there is no ruleset {name!r}, but {', '.join(RULESETS)} - at `$.ruleset`")
        rules = RULESETS[name]
        found = deck.read(rules.deck, name, text)
    except OSError as error:
        raise InvalidSettings(f"{file}: {error.strerror}") from None
    except (deck.InvalidDeck, msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidSettings(f"{file}: {error}") from None
    if (place := unreadable(found.data, "$")) is not None:
        raise InvalidSettings(f"{file}: A text {UNREADABLE} - at `{place}`")
    if not seats_for(rules, found):
        raise InvalidSettings(f"{file}: {unfit(rules, found, rules.seats[0])}")
    return rules, found


def unreadable(data: deck.DeckData, path: str) -> str | None:
    """The first place in the deck with a text that cannot be shown as it is; None if there is none."""
    return next((place for place, text in _texts(builtins(data), path) if not is_readable(text)), None)


def _texts(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """All strings in a JSON value, with their places."""
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
    """How many can play with the deck."""
    return [seats for seats in rules.seats if not unfit(rules, chosen, seats)]


def unfit(rules: Rules, chosen: Deck[Any], seats: int) -> str:
    """Why so many cannot play with the deck; empty if they can."""
    try:
        rules.initial(seats, rules.options(), chosen)
    except InvalidSetup as error:
        return str(error)
    return ""


def known(ruleset: str) -> Rules:
    if ruleset not in RULESETS:
        raise InvalidSettings(f"there is no ruleset {ruleset!r}, but {', '.join(RULESETS)}")
    return RULESETS[ruleset]
