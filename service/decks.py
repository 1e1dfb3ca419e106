"""Decks of the operator's own: files in a folder that the setting `decks` names, beside those that come with us.

A game records all cards that it is played with, so a file may be changed or go at any time: that is seen at the next
start, and games that are under way go on with what they began with.
"""

import sys
from collections.abc import Iterator, Sequence
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
    """All rulesets by name, with all decks that can be chosen. Raises `Faulty`."""
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
    """The deck in the file, and the ruleset that can be played with it. Raises `Faulty`: the file, what, and where."""
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


# --- the command line ---------------------------------------------------------------------------------------------


def check(files: Sequence[str]) -> int:
    """Say of each file what is in it or what is wrong with it; returns the exit status."""
    faults = 0
    for file in files:
        try:
            rules, found = read(Path(file))
        except InvalidSettings as error:
            sys.stdout.write(f"{error}\n")
            faults += 1
        else:
            seats = ", ".join(map(str, seats_for(rules, found)))
            sys.stdout.write(f"{file}: the deck {found.name!r} for {rules.name}, for {seats} players\n")
    return min(faults, 1)


def show(ruleset: str, name: str | None) -> int:
    """Write down a deck that comes with us, to begin one's own with. Raises `Faulty`."""
    decks = known(ruleset).decks
    if name is not None and name not in decks:
        raise InvalidSettings(f"{ruleset} has no deck {name!r}, but {', '.join(decks)}")
    shown = decks[name] if name is not None else next(iter(decks.values()))
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(shown.data)).decode() + "\n")
    return 0


def schema(ruleset: str) -> int:
    """Write down the JSON Schema of the ruleset's deck files. Raises `Faulty`."""
    described = msgspec.json.schema(known(ruleset).deck.data_type)
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(described)).decode() + "\n")
    return 0


def known(ruleset: str) -> Rules:
    if ruleset not in RULESETS:
        raise InvalidSettings(f"there is no ruleset {ruleset!r}, but {', '.join(RULESETS)}")
    return RULESETS[ruleset]
