"""The command `deck`: check deck files, print bundled decks and the JSON Schema of deck files."""

import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from service.cli.exit_status import ExitStatus
from service.games import decks
from service.settings import InvalidSettings


def run(arguments: Namespace) -> ExitStatus:
    match arguments.action:
        case "check":
            return check(arguments.files)
        case "show":
            return show(arguments.ruleset, arguments.name)
        case "schema":
            return schema(arguments.ruleset)
    raise AssertionError(arguments.action)


def check(files: Sequence[str]) -> ExitStatus:
    """Print one line for each file: its deck, or what is wrong with it."""
    status = ExitStatus.OK
    for file in files:
        try:
            rules, found = decks.read(Path(file))
        except InvalidSettings as error:
            sys.stdout.write(f"{error}\n")
            status = ExitStatus.REJECTED
        else:
            seats = ", ".join(map(str, decks.seats_for(rules, found)))
            sys.stdout.write(f"{file}: deck {found.name!r} of {rules.name}, for {seats} players\n")
    return status


def show(ruleset: str, name: str | None) -> ExitStatus:
    """Print a bundled deck, by default the ruleset's first one. Raises `InvalidSettings`."""
    bundled = decks.bundled_ruleset(ruleset).decks
    if name is not None and name not in bundled:
        raise InvalidSettings(f"{ruleset} has no deck {name!r}; its decks are {', '.join(bundled)}")
    write_json((bundled[name] if name is not None else next(iter(bundled.values()))).data)
    return ExitStatus.OK


def schema(ruleset: str) -> ExitStatus:
    """Print the JSON Schema of the ruleset's deck files. Raises `InvalidSettings`."""
    write_json(msgspec.json.schema(decks.bundled_ruleset(ruleset).deck.data_type))
    return ExitStatus.OK


def write_json(value: Any) -> None:
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(value)).decode() + "\n")
