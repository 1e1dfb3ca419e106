"""The published description of a ruleset: what a verifier needs that does not know the rules (decision 24).

It is JSON, generated from the types, and the same bytes on every machine: fields of events and moves, which fields of
events a bystander does not see, and what the events of the dealer draw. `opened` has its hash.
"""

import re
from functools import cache
from hashlib import sha256
from typing import Any, Literal

from msgspec import inspect as kinds

from domain.codec import canonical
from domain.messages import Dealing, Drawing, Open, Value, fields, members, tag

FORMAT: Literal["stammtisch-rules/1"] = "stammtisch-rules/1"
NAME = re.compile("[a-z][a-z0-9_]{0,63}")
"""A type or a field in a description."""
MAX_BYTES, MAX_PATHS, MAX_STEPS, MAX_DEPTH = 65_536, 64, 16, 8
"""Verifiers refuse a description of more bytes, with more paths in all, a longer path or a deeper hidden field (G6)."""


class Undescribable(ValueError):
    """Nobody could check the games of the ruleset without its rules. The message says why."""


class Description(Value):
    """The data with which a verifier checks chance and hidden fields without the rules."""

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
    """The description of the ruleset, in canonical JSON. Raises `Undescribable`."""
    events = {tag(kind): kind for kind in members(rules.event)}
    for kind in (*members(rules.event), *members(rules.move)):
        if wrong := [name for name in (tag(kind), *_names(kind)) if not NAME.fullmatch(name)]:
            raise Undescribable(f"{wrong[0]!r} of {tag(kind)} is not lower-case letters, digits and _")
    found = canonical(
        told := Description(
            FORMAT,
            rules.rules,
            (rules.seats[0], rules.seats[-1]),
            events={name: _names(kind) for name, kind in events.items()},
            moves={tag(kind): _names(kind) for kind in members(rules.move)},
            hidden={name: hidden for name, kind in events.items() if (hidden := _hidden(kind))},
            draws={name: _drawn(kind) for name, kind in events.items() if issubclass(kind, Dealing)},
        )
    )
    paths = [path for draws in told.draws.values() for draw in draws for path in draw.shuffle or ()]
    depths = [depth for hidden in told.hidden.values() for depth in hidden.values()]
    steps = [path.count("/") + 1 for path in paths]
    for what, size, most in (
        ("bytes", len(found), MAX_BYTES),
        ("paths", len(paths), MAX_PATHS),
        ("steps in a path", max(steps, default=0), MAX_STEPS),
        ("lists around a hidden card", max(depths, default=0), MAX_DEPTH),
    ):
        if size > most:
            raise Undescribable(f"its description has {size} {what}; verifiers refuse more than {most}")
    return found


@cache
def description_hash(rules: Any) -> str:
    """The hash in `opened`, in lower-case hex."""
    return sha256(description(rules)).hexdigest()


def _names(kind: Any) -> tuple[str, ...]:
    return tuple(sorted([field.encode_name for field in fields(kind)]))


def _hidden(kind: Any) -> dict[str, int]:
    """The fields that can be hidden, with the number of nested lists around what can be null."""
    if issubclass(kind, Open):
        return {}
    found = {field.encode_name: (_depth(field.type), field.type) for field in fields(kind)}
    for name, (depth, type_) in found.items():
        if depth is None and _nullable(type_):
            raise Undescribable(f"{tag(kind)}.{name} hides something within an object: only lists can be around it")
    return {name: depth for name, (depth, _) in found.items() if depth is not None}


def _nullable(kind: Any, around: tuple[type, ...] = ()) -> bool:
    """Whether null can be anywhere in the value. `around`: the classes of objects that it is in."""
    if isinstance(kind, kinds.StructType):
        inside = (*around, kind.cls)
        return kind.cls not in around and any(_nullable(field.type, inside) for field in kind.fields)
    inner = [getattr(kind, name, ()) for name in ("type", "item_type", "value_type", "types", "item_types")]
    parts = [each for part in inner for each in (part if isinstance(part, tuple) else (part,))]
    return isinstance(kind, kinds.NoneType | kinds.AnyType) or any(_nullable(each, around) for each in parts)


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
    paths = tuple([path for field in fields(kind) if (path := _path(field.encode_name, field.type))])
    if kind.draws:
        steps = {str(path).partition("/")[0] for each in kind.draws for path in each.shuffle or (each.at,)}
        if unknown := steps - {*_names(kind)}:
            raise Undescribable(f"the draws of {tag(kind)} name {min(unknown)!r}, which is no field of it")
        return kind.draws
    if paths:
        return (Drawing(shuffle=paths),)
    if not fields(kind):
        raise Undescribable(f"{tag(kind)} has neither cards nor a lot; declare its `draws`")
    return (Drawing(below="seats", at=fields(kind)[0].encode_name),)


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
