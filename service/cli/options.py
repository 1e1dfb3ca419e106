"""Options of a game on the command line: `NAME=VALUE`."""

from collections.abc import Sequence
from typing import Any

import msgspec


class BadOption(Exception):
    """An option that the ruleset does not have, or a value that is not valid. The message says which."""


def options_of(rules: Any, given: Sequence[str]) -> dict[str, Any]:
    """The values are JSON, or words. Raises `BadOption`."""
    found: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or name not in rules.options.__struct_fields__:
            listed = ", ".join(rules.options.__struct_fields__)
            raise BadOption(f"{text!r} is not an option of {rules.name} with a value: {listed}.")
        try:
            found[name] = msgspec.json.decode(value)
        except msgspec.DecodeError:
            found[name] = value
    try:
        msgspec.convert(found, rules.options)
    except msgspec.ValidationError as error:
        raise BadOption(f"The options are not valid: {error}") from None
    return found
