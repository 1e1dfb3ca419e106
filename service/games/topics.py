"""The topics under which the log records the events of games: `KIND.TAG`."""

from functools import cache
from typing import Any


def tag(event: Any) -> str:
    """The tag of an event, or of an event type, in JSON."""
    return str(event.__struct_config__.tag)


@cache
def topic(kind: str, event_type: Any) -> str:
    return f"{kind}.{tag(event_type)}"
