"""The errors of the event log."""

from collections.abc import Callable
from typing import Any


class Conflict(Exception):
    """The stream already has an event of that version."""


class Unavailable(Exception):
    """The database cannot be reached or cannot commit now. An append was recorded completely or not at all."""


def query(call: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Call a method of a recorder. Any failure raises `Unavailable`: the library lets some exceptions of the drivers
    through."""
    try:
        return call(*args, **kwargs)
    except Exception as error:
        raise Unavailable(str(error)) from error
