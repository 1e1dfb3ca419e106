"""The law of marks: what the schemas of a ruleset say about its values holds in every state and view.

Clients that do not know the ruleset read the marks `x-seat`, `x-by-seat` and `x-empty` (docs/labels.md).
"""

from collections.abc import Iterator
from typing import Any, get_origin

from msgspec import UNSET
from msgspec import inspect as kinds

from stammtisch.testing.broken import Fault
from stammtisch.testing.playing import Play, hidden, type_of


def marks(play: Play) -> None:
    """A marked seat is one of the game, and a list by seat has an item for each seat or none.

    Null at a place that can be empty never hides a card; a place in a list that is null in the full state has the mark.
    """
    for number, game in enumerate(play.games):
        if game.state is None:
            continue
        if why := next(contradictions(type_of(game.state), game.state, play.table.seats), None):
            raise Fault(why, play.at(number))
        for viewer, views in play.views.items():
            view = views[number].state
            if why := next(covered(type_of(view), view, game.state), None):
                raise Fault(why, play.at(number), viewer)


def contradictions(
    kind: kinds.Type, value: Any, seats: int, path: str = "", marked: frozenset[str] = frozenset()
) -> Iterator[str]:
    """What contradicts the marks in a full state."""
    match kind:
        case kinds.Metadata(type=inner, extra_json_schema=extra):
            if extra and extra.get("x-seat") and isinstance(value, int) and not 0 <= value < seats:
                yield f"`{path}` has the mark of a seat and is {value}"
            if extra and extra.get("x-by-seat") and isinstance(value, tuple) and len(value) not in (0, seats):
                yield f"`{path}` has the mark of a list by seat and {len(value)} items, for {seats} seats"
            yield from contradictions(inner, value, seats, path, marked | frozenset(extra or ()))
        case kinds.StructType(fields=fields):
            for field in fields:
                if (part := getattr(value, field.name)) is not UNSET:
                    yield from contradictions(field.type, part, seats, f"{path}/{field.name}".lstrip("/"))
        case kinds.VarTupleType(item_type=item):
            unmarked = "x-by-seat" not in marked and "x-empty" not in _marks(item) and _nullable(item)
            for place, each in enumerate(value):
                if each is None and unmarked:
                    yield f"`{path}/{place}` is null in the full state; give its type the mark `EMPTY`"
                yield from contradictions(item, each, seats, f"{path}/{place}")
        case kinds.UnionType(types=types):
            if (member := _member(types, value)) is not None:
                yield from contradictions(member, value, seats, path, marked)


def covered(kind: kinds.Type, view: Any, truth: Any, path: str = "", empty: bool = False) -> Iterator[str]:
    """Where null in a view hides something although its mark says that the place is empty."""
    if view == truth:  # most parts
        return
    match kind:
        case kinds.Metadata(type=inner, extra_json_schema=extra):
            yield from covered(inner, view, truth, path, empty or bool(extra and extra.get("x-empty")))
        case kinds.StructType(fields=fields):
            for field in fields:
                ours, theirs = getattr(view, field.name), getattr(truth, field.name)
                if ours is not UNSET and theirs is not UNSET:
                    yield from covered(field.type, ours, theirs, f"{path}/{field.name}".lstrip("/"))
        case kinds.VarTupleType(item_type=item) if len(view) == len(truth):
            for place, (ours, theirs) in enumerate(zip(view, truth, strict=True)):
                yield from covered(item, ours, theirs, f"{path}/{place}")
        case kinds.UnionType(types=types):
            if view is None:
                if empty and truth is not None:
                    yield f"`{path}` has the mark of an empty place, and its null hides {truth!r}"
            elif (member := _member(types, view)) is not None and truth is not None:
                yield from covered(member, view, truth, path)


def _marks(kind: kinds.Type) -> frozenset[str]:
    return (
        frozenset(kind.extra_json_schema or ()) | _marks(kind.type) if isinstance(kind, kinds.Metadata) else frozenset()
    )


def _nullable(kind: kinds.Type) -> bool:
    return _nullable(kind.type) if isinstance(kind, kinds.Metadata) else hidden(kind)


def _member(types: tuple[kinds.Type, ...], value: Any) -> kinds.Type | None:
    """The type of a union that the value has, where it matters: Structs, tuples and marked integers."""
    for each in types:
        bare = each
        while isinstance(bare, kinds.Metadata):
            bare = bare.type
        match bare:
            case kinds.StructType(cls=cls) if isinstance(value, get_origin(cls) or cls):
                return each
            case kinds.VarTupleType() if isinstance(value, tuple):
                return each
            case kinds.IntType() if type(value) is int:
                return each
    return None
