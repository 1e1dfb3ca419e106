"""Options of a game on the command line: `NAME=VALUE`."""

from collections.abc import Sequence
from typing import Any

import msgspec

from service.cli.terminal import one_line
from service.settings import InvalidSettings


class Refused(InvalidSettings):
    """An argument of a command cannot be used. The message says why, in one line."""

    def __init__(self, reason: object) -> None:
        super().__init__(one_line(str(reason)))


def named_values(given: Sequence[str]) -> dict[str, Any]:
    """`NAME=VALUE`; the values are JSON, or words. Raises `Refused`."""
    found: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise Refused(f"{text!r} is not NAME=VALUE.")
        try:
            found[name] = msgspec.json.decode(value)
        except msgspec.DecodeError:
            found[name] = value
    return found


def options_of(rules: Any, given: Sequence[str]) -> dict[str, Any]:
    """Options of the ruleset as `named_values`. Raises `Refused`."""
    found = named_values(given)
    listed = rules.options.__struct_fields__
    if unknown := [name for name in found if name not in listed]:
        raise Refused(f"{unknown[0]!r} is not an option of {rules.name} with a value: {', '.join(listed)}.")
    try:
        msgspec.convert(found, rules.options)
    except msgspec.ValidationError as error:
        raise Refused(f"The options are not valid: {error}") from None
    return found
