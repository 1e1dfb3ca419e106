"""What is written down: values, and the two kinds of message (moves and events) that games consist of.

In JSON a message is an object whose field `type` is its name in snake_case; that name is its tag for ever.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, dataclass_transform, get_args

from msgspec import Struct

T = TypeVar("T")


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


class Open(Event):
    """Everybody sees all of it: nobody need be asked what a viewer sees."""


def seen_by_all(_: Any, event: Open) -> Any:
    """The case of open events, where it is asked what a viewer sees."""
    return event


def by_type(union: Any, *functions: Callable[..., T]) -> Mapping[type[Any], Callable[..., T]]:
    """The functions by the class of message, their base or the union of some, that the last parameter of each is
    annotated with.

    To be looked up by `type(message)`: the last case is found as fast as the first, whereas the class patterns of a
    `match` are tried one after the other. Raises TypeError unless there is exactly one for every member of the union.
    """
    members = get_args(union)
    found: list[tuple[type[Any], Callable[..., T]]] = []
    for function in functions:
        *_, annotation = (kind for name, kind in function.__annotations__.items() if name != "return")
        found += [(member, function) for member in members if issubclass(member, annotation)]
    if sorted(kind.__name__ for kind, _ in found) != sorted(kind.__name__ for kind in members):
        raise TypeError(f"not one case for each: {[kind.__name__ for kind, _ in found]}")
    return dict(found)
