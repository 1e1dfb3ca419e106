"""What is written down: values, and the two kinds of message (moves and events) that games consist of.

In JSON a message is an object whose field `type` is its name in snake_case; that name is its tag for ever.
"""

import re
from typing import dataclass_transform

from msgspec import Struct


def snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


# gc=False: a frozen value cannot become part of a reference cycle, so the collector need not visit it.
@dataclass_transform(frozen_default=True)
class Value(Struct, frozen=True, gc=False):
    """Compared by content, never changed in place."""


class Move(Value, tag=snake, tag_field="type", forbid_unknown_fields=True):
    """What a seat chooses to do, in the imperative: `Draw`. The seat is not in it; it comes from who sends it."""


class Event(Value, tag=snake, tag_field="type"):
    """What happened, in the past tense: `Drawn`. A field that may be hidden from somebody admits None, the card's back.

    Unknown fields are ignored when read, so that later versions may add some (with defaults).
    """


class Dealing(Event):
    """What the dealer did by chance. The first event of each of the dealer's steps is one, no other event is."""
