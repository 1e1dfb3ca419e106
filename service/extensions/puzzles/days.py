"""The puzzle of a day: from games of this service, or one of those that the extension ships."""

from collections.abc import Callable, Mapping
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from domain.game import Rules
from service.extensions.puzzles import table
from service.extensions.puzzles.kept import KeptPuzzle, today

_kept = msgspec.json.Decoder(KeptPuzzle)


async def puzzle_of(day: str, rulesets: Mapping[str, Rules], ask: Callable[..., Any]) -> KeptPuzzle | None:
    """The puzzle of a day that is not to come, if it is of one of these rulesets. Raises `Unavailable`."""
    if day > today():
        return None
    text = await ask(table.of_day, day)
    kept = shipped_for(day, rulesets) if text is None else _kept.decode(text)
    return kept if kept is not None and kept.ruleset in rulesets else None


@cache
def shipped() -> tuple[KeptPuzzle, ...]:
    """In the order of their days."""
    return tuple(_kept.decode_lines(files(__package__).joinpath("shipped.jsonl").read_bytes()))


def shipped_for(day: str, rulesets: Mapping[str, Rules]) -> KeptPuzzle | None:
    """One after another, and from the beginning again; None if there is no such day, or none of these games."""
    try:
        number = date.fromisoformat(day).toordinal()
    except ValueError:
        return None
    fitting = [each for each in shipped() if each.ruleset in rulesets and rulesets[each.ruleset].rules == each.rules]
    return fitting[number % len(fitting)] if fitting else None
