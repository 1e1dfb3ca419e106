"""The published description of a ruleset: what a verifier needs that does not know the rules.

It is JSON, generated from the types, and the same bytes on every machine: fields of events and moves, which fields of
events a bystander does not see, and what the events of the dealer draw. `opened` has its hash.
"""

from functools import cache
from hashlib import sha256
from typing import Any, Literal, get_args

from msgspec import inspect as kinds

from domain.codec import canonical
from domain.messages import Dealing, Drawing, Open, Value

FORMAT: Literal["stammtisch-rules/1"] = "stammtisch-rules/1"


class Description(Value):
    """What a verifier needs to check chance and hidden fields without the rules."""

    format: Literal["stammtisch-rules/1"]
    rules: str
    """The ruleset and the version of its rules, `NAME/N`."""
    seats: tuple[int, int]
    """The smallest and the largest number of seats."""
    events: dict[str, tuple[str, ...]]
    """By the type of an event of the ruleset: its fields, sorted."""
    moves: dict[str, tuple[str, ...]]
    """By the type of a move: its fields, sorted."""
    hidden: dict[str, dict[str, int]]
    """By event: the fields that a bystander does not see, and the number of nested lists around what is null then."""
    draws: dict[str, tuple[Drawing, ...]]
    """By event of the dealer: what is drawn for it, in this order."""


@cache
def description(rules: Any) -> bytes:
    """The description of the ruleset, in canonical JSON."""
    events = {_tag(kind): kind for kind in _members(rules.event)}
    return canonical(
        Description(
            FORMAT,
            rules.rules,
            (rules.seats[0], rules.seats[-1]),
            events={name: _names(kind) for name, kind in events.items()},
            moves={_tag(kind): _names(kind) for kind in _members(rules.move)},
            hidden={name: hidden for name, kind in events.items() if (hidden := _hidden(kind))},
            draws={name: _drawn(kind) for name, kind in events.items() if issubclass(kind, Dealing)},
        )
    )


@cache
def description_hash(rules: Any) -> str:
    """The hash in `opened`, in lower-case hex."""
    return sha256(description(rules)).hexdigest()


def _members(union: Any) -> tuple[Any, ...]:
    return get_args(union) or (union,)


def _tag(kind: Any) -> str:
    return str(kind.__struct_config__.tag)


def _fields(kind: Any) -> tuple[kinds.Field, ...]:
    info: Any = kinds.type_info(kind)
    return tuple(info.fields)


def _names(kind: Any) -> tuple[str, ...]:
    return tuple(sorted([field.encode_name for field in _fields(kind)]))


def _hidden(kind: Any) -> dict[str, int]:
    """The fields that can be hidden, with the number of nested lists around what can be null."""
    if issubclass(kind, Open):
        return {}
    return {field.encode_name: depth for field in _fields(kind) if (depth := _depth(field.type)) is not None}


def _depth(kind: kinds.Type) -> int | None:
    match kind:
        case kinds.Metadata(type=inner):
            return _depth(inner)
        case kinds.VarTupleType(item_type=item):
            inside = _depth(item)
            return None if inside is None else inside + 1
        case kinds.UnionType(types=types) if any(isinstance(each, kinds.NoneType) for each in types):
            return 0
    return None


def _drawn(kind: type[Dealing]) -> tuple[Drawing, ...]:
    """What the dealer draws, as the event declares it or as it follows from its fields."""
    paths = tuple([path for field in _fields(kind) if (path := _path(field.encode_name, field.type))])
    if kind.draws:
        return kind.draws
    return (Drawing(shuffle=paths) if paths else Drawing(below="seats", at=_fields(kind)[0].encode_name),)


def _path(name: str, kind: kinds.Type) -> str | None:
    """The path to the cards in the field; None if it has none."""
    match kind:
        case kinds.Metadata(type=inner, extra_json_schema=extra):
            return name if extra and extra.get("x-card") else _path(name, inner)
        case kinds.VarTupleType(item_type=item):
            return _path(f"{name}/*", item)
        case kinds.UnionType(types=types):
            return next(filter(None, (_path(name, each) for each in types)), None)
    return None
