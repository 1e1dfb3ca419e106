"""Base classes: values, and the two kinds of message (moves and events).

In JSON a message is an object whose field `type` is its class name in snake_case. Tags never change.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, ClassVar, Generic, Literal, TypeVar, dataclass_transform, get_args, get_type_hints

from msgspec import UNSET, Struct, UnsetType, inspect

T = TypeVar("T")


def snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def pascal(name: str) -> str:
    """`two_words` as `TwoWords`."""
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))


def members(union: Any) -> tuple[Any, ...]:
    """The types of a union, or the type itself if it is none."""
    return get_args(union) or (union,)


def tag(kind: Any) -> str:
    """The tag of a message or of its type."""
    return str(kind.__struct_config__.tag)


@cache  # all of a ruleset: 4 to 16 ms, and laws and mutants describe hundreds of rulesets that differ in one function
def fields(kind: Any) -> tuple[inspect.Field, ...]:
    info: Any = inspect.type_info(kind)
    return tuple(info.fields)


# gc=False: a frozen value cannot be part of a reference cycle, so the garbage collector need not visit it.
@dataclass_transform(frozen_default=True)
class Value(Struct, frozen=True, gc=False):
    """An immutable value, compared by content."""


class Move(Value, tag=snake, tag_field="type", forbid_unknown_fields=True):
    """A seat's choice, in the imperative: `Drawing`. It does not contain the seat, which follows from the sender."""


class Event(Value, tag=snake, tag_field="type"):
    """Something that happened, in the past tense: `Drawn`. A field that can be redacted admits None.

    Decoding ignores unknown fields, so that later versions can add fields with defaults.
    """


class Drawing(Value):
    """A draw of the dealer, as its event shows it. `{seat}` in a path repeats the draw for each seat, rising."""

    shuffle: tuple[str, ...] | UnsetType = UNSET
    """The paths to the cards of a shuffle, in the order after it; `*` is each item of a list."""
    turned: bool | UnsetType = UNSET
    """True: then a lot is drawn for each card, and 1 turns it around."""
    below: int | Literal["seats"] | UnsetType = UNSET
    """The number of outcomes of a lot."""
    at: str | UnsetType = UNSET
    """The field of the event that a lot decides."""


class Dealing(Event):
    """A dealer's event that involves chance: the first event of each dealer step, and no other event."""

    draws: ClassVar[tuple["Drawing", ...]] = ()
    """What is drawn, in this order. Empty: one shuffle of all cards of the event, or one lot among the seats."""


class Open(Event):
    """An event without hidden fields: redaction is skipped."""


def seen_by_all(_: Any, event: Open) -> Any:
    """The redactor of open events: returns the event unchanged."""
    return event


def by_type(union: Any, *functions: Callable[..., T]) -> Mapping[type[Any], Callable[..., T]]:
    """A dispatch table: each function by the message classes that the annotation of its last parameter covers.

    The annotation is a class, a base class or a union. Look up with `type(message)`, which takes the same time for
    every class; a `match` tries its class patterns one after the other. Raises TypeError unless exactly one function
    covers each member of `union`.
    """
    members = get_args(union)
    found: list[tuple[type[Any], Callable[..., T]]] = []
    for function in functions:
        *_, annotation = (kind for name, kind in get_type_hints(function).items() if name != "return")
        found += [(member, function) for member in members if issubclass(member, annotation)]
    if sorted(kind.__name__ for kind, _ in found) != sorted(kind.__name__ for kind in members):
        raise TypeError(f"not exactly one function for each of: {[kind.__name__ for kind, _ in found]}")
    return dict(found)


class Dispatch(Generic[T]):
    """Functions for message classes, called as one: `Dispatch(Event, drawn, taken)(state, event)`.

    `functions` is the table of `by_type`. A loop over many messages looks up in it directly, which saves a call each.
    """

    __slots__ = ("functions",)

    def __init__(self, union: Any, *functions: Callable[..., T]) -> None:
        self.functions = by_type(union, *functions)

    def __call__(self, value: Any, message: Any) -> T:
        return self.functions[type(message)](value, message)


class Redact:
    """The redaction of events as one function: `Redact(Event, seen_by_all, seen_drawn)(event, viewer)`."""

    __slots__ = ("functions",)

    def __init__(self, union: Any, *functions: Callable[[Any, Any], Any]) -> None:
        self.functions = by_type(union, *functions)

    def __call__(self, event: Any, viewer: Any) -> Any:
        return self.functions[type(event)](viewer, event)
