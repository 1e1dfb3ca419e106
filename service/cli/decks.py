"""The command `deck`: checks deck files, and writes bundled decks and the schema of deck files."""

import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from service import decks
from service.settings import InvalidSettings


def check(files: Sequence[str]) -> int:
    """Say of each file what is in it or what is wrong with it; returns the exit status."""
    faults = 0
    for file in files:
        try:
            rules, found = decks.read(Path(file))
        except InvalidSettings as error:
            sys.stdout.write(f"{error}\n")
            faults += 1
        else:
            seats = ", ".join(map(str, decks.seats_for(rules, found)))
            sys.stdout.write(f"{file}: the deck {found.name!r} for {rules.name}, for {seats} players\n")
    return min(faults, 1)


def show(ruleset: str, name: str | None) -> int:
    """Write down a deck that comes with us, to begin one's own with. Raises `InvalidSettings`."""
    known = decks.known(ruleset).decks
    if name is not None and name not in known:
        raise InvalidSettings(f"{ruleset} has no deck {name!r}, but {', '.join(known)}")
    shown = known[name] if name is not None else next(iter(known.values()))
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(shown.data)).decode() + "\n")
    return 0


def schema(ruleset: str) -> int:
    """Write down the JSON Schema of the ruleset's deck files. Raises `InvalidSettings`."""
    described = msgspec.json.schema(decks.known(ruleset).deck.data_type)
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(described)).decode() + "\n")
    return 0
