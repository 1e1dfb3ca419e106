"""JSON patches (RFC 6902) from one view of a game to the next, for clients that know no rules.

`step` applies an event to a view and returns how the view changed. It gets the event as the reader gets it, redacted,
so a patch cannot contain more than the reader's events and views. The parts that an event does not change are the same
objects before and after it; the comparison skips them by identity.
"""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import compress, count
from operator import attrgetter, is_not
from typing import Any, NamedTuple, TypeAlias

from msgspec import UNSET, Struct
from msgspec.structs import fields

from domain import game
from domain.codec import encode
from domain.game import Game, Rules
from domain.messages import Value


class Operation(Value, tag_field="op"):
    """A change at a place of the view, given as a JSON Pointer (RFC 6901)."""

    path: str
    """A JSON Pointer into the view; empty: the whole view."""


class AddOperation(Operation, tag="add"):
    """Insert the value into the array at `path`, before the item that has this index now. `path` ends with the index,
    which may be the length of the array."""

    value: Any
    """The new item."""


class RemoveOperation(Operation, tag="remove"):
    """Delete the item at `path` from its array."""


class ReplaceOperation(Operation, tag="replace"):
    """Set the value at `path`. The empty path is the whole view."""

    value: Any
    """The value that stands there from now on."""


Patch: TypeAlias = list[AddOperation | RemoveOperation | ReplaceOperation]
"""Operations in the order in which they are applied."""


def step(rules: Rules, seen: Game, event: Any) -> tuple[Game, Patch]:
    """The reader's view after `event`, and the patch from the view before it.

    `seen` is the game before the event as the reader sees it, at first `Game(id)`; `event` is redacted for the reader.
    The first event replaces the whole view, which is null until the game begins.
    """
    after = game.evolve(rules, seen, event)
    return after, [ReplaceOperation("", after.state)] if seen.version == 0 else patch(seen.state, after.state)


def patch(before: Any, after: Any) -> Patch:
    """The operations that turn the JSON of `before` into that of `after`; none if they are equal.

    Both consist of Structs, tuples and scalars.
    """
    found: Patch = []
    _compare(before, after, "", found)
    return found


def _compare(before: Any, after: Any, path: str, found: Patch) -> None:
    """Append the operations that change `before` into `after`, the values at `path`, which are not the same object."""
    begun, kind = len(found), type(after)
    if type(before) is not kind:
        found.append(ReplaceOperation(path, after))
    elif kind is tuple:
        _compare_tuples(before, after, path, found)
    elif (shape := _shape(kind)) is not None:  # type: ignore[arg-type]  # classes are hashable
        old, new = shape.values(before), shape.values(after)
        for field in compress(shape.numbers, map(is_not, old, new)):
            _compare(old[field], new[field], path + shape.paths[field], found)
    elif before != after:
        found.append(ReplaceOperation(path, after))
    if path and len(found) > begun + 1:
        whole: Patch = [ReplaceOperation(path, after)]
        if len(encode(whole)) < len(encode(found[begun:])):
            found[begun:] = whole


def _compare_tuples(before: tuple[Any, ...], after: tuple[Any, ...], path: str, found: Patch) -> None:
    if not before or not after:
        found.append(ReplaceOperation(path, after))
    elif len(before) == len(after):
        for index in compress(count(), map(is_not, before, after)):
            _compare(before[index], after[index], f"{path}/{index}", found)
    else:
        _compare_lengths(before, after, path, found)


def _compare_lengths(before: tuple[Any, ...], after: tuple[Any, ...], path: str, found: Patch) -> None:
    """Compare two tuples of different lengths: what they have in common at both ends stays."""
    old, new = len(before), len(after)
    least = min(old, new)
    start = _common(before, after, least)
    end = _common(before[::-1], after[::-1], least - start) if start < least else 0
    both = least - end  # up to here items are compared one by one
    for index in range(start, both):
        _compare(before[index], after[index], f"{path}/{index}", found)
    for index in range(old - end - 1, both - 1, -1):
        found.append(RemoveOperation(f"{path}/{index}"))
    for index in range(both, new - end):
        found.append(AddOperation(f"{path}/{index}", after[index]))


def _common(one: Sequence[Any], other: Sequence[Any], most: int) -> int:
    """The number of equal items at the beginning, at most `most`."""
    if one[:most] == other[:most]:  # a card on top of a pile, or off it
        return most
    return next(index for index in range(most) if one[index] != other[index])


class _Shape(NamedTuple):
    """The fields of a Struct: their numbers, their JSON Pointers, and a function that returns their values."""

    numbers: range
    paths: tuple[str, ...]
    values: Callable[[Any], tuple[Any, ...]]


@cache
def _shape(kind: Any) -> _Shape | None:
    """None for scalars and for Structs with fields that may be absent in JSON: such Structs are replaced as a whole."""
    if not issubclass(kind, Struct) or kind.__struct_config__.omit_defaults:
        return None
    known = fields(kind)
    if len(known) < 2 or any(field.default is UNSET for field in known):
        return None
    paths = tuple([f"/{field.encode_name}" for field in known])
    return _Shape(range(len(known)), paths, attrgetter(*[field.name for field in known]))
