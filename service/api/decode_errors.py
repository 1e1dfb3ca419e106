"""Explains the errors of msgspec to clients: in terms of JSON, not of Python, and with the allowed values."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

import msgspec
from msgspec import inspect

_AT, _KEY = " - at `", "key` in `"
_PATH = re.compile(r"\$(?:\.\w+|\[[0-9.]*\])*`")
_EXPECTED = re.compile(r"(?s)Expected `(?P<kinds>[^`]+)`(?:, got `(?P<got>\w+)`| (?P<rule>.*))?")
_INVALID = re.compile(r"(?s)Invalid (?:enum )?value (?P<value>.*)")
_STEP = re.compile(r"\.(?P<name>[^.\[]+)|\[[^\[\]]*\]")

_NAMES = {
    "int": "an integer", "float": "a number", "str": "a string", "bool": "a boolean", "array": "an array",
    "object": "an object", "null": "null",
}  # fmt: skip
_RULES = (
    (r"of length (\d+) to (\d+)", r"of \1 to \2 {unit}"),
    (r"of length >= (\d+)", r"of at least \1 {unit}"),
    (r"of length <= (\d+)", r"of at most \1 {unit}"),
    (r"of length (\d+)", r"of exactly \1 {unit}"),
    (r">= (\S+)", r"of at least \1"),
    (r"<= (\S+)", r"of at most \1"),
    (r"> (\S+)", r"above \1"),
    (r"< (\S+)", r"below \1"),
    (r"that's a multiple of (\S+)", r"that is a multiple of \1"),
    (r"matching regex '(.*?)(?:\(\?!\\+n\))?'", r"that matches the pattern \1"),
)  # fmt: skip


MAX_QUOTED = 200
"""The most characters of a request that a problem repeats."""


class Explained(NamedTuple):
    """What is wrong with the value at `path`, a JSON path that begins with `$`."""

    path: str
    message: str


def explained(error: Exception, kind: Any) -> Explained:
    """The error of decoding a value of type `kind`."""
    message, at, path = str(error).rpartition(_AT)  # the last one, because the message can quote what a client sent
    is_key = path.startswith(_KEY)
    path = path.removeprefix(_KEY)
    if not at or not _PATH.fullmatch(path):
        message, path = str(error), "$`"
    path = path[:-1]
    return Explained(path, in_json_terms(message, [] if is_key else _values(path, kind)))


def in_json_terms(message: str, allowed: Iterable[str] = ()) -> str:
    """The message without names of Python types. `allowed`: the values that are allowed, if these are few."""
    if expected := _EXPECTED.fullmatch(message):
        *others, last = (_NAMES.get(kind, kind) for kind in expected["kinds"].split(" | "))
        words = f"must be {', '.join(others)} or {last}" if others else f"must be {last}"
        if got := expected["got"]:
            return f"{words}, not {'a fraction' if got == 'float' else _NAMES.get(got, got)}"
        return f"{words} {_rule(expected['rule'], expected['kinds'])}" if expected["rule"] else words
    if invalid := _INVALID.fullmatch(message):
        value, values = short(invalid["value"].replace("'", '"')), ", ".join(allowed)
        return f"must be one of {values}, not {value}" if values else f"must not be {value}"
    return short(message)


def short(text: str) -> str:
    """The text, or its beginning if it is long."""
    return text if len(text) <= MAX_QUOTED else f"{text[:MAX_QUOTED]}..."


def _rule(rule: str, kinds: str) -> str:
    unit = "items" if kinds == "array" else "fields" if kinds == "object" else "characters"
    for pattern, words in _RULES:
        if found := re.fullmatch(pattern, rule, re.DOTALL):
            return found.expand(words).replace("{unit}", unit)
    return rule


# --- the values that are allowed at a path ------------------------------------------------------------------------


def _values(path: str, kind: Any) -> list[str]:
    """The values of the enumeration at the path, or the tags of the union there."""
    nodes = [_type_info(kind)]
    for step in _STEP.finditer(path[1:]):
        nodes = [inner for node in nodes for each in _alternatives(node) for inner in _inside(each, step["name"])]
    found = [value for node in nodes for each in _alternatives(node) for value in _constants(each)]
    return [*dict.fromkeys(msgspec.json.encode(value).decode() for value in found)]


@cache  # takes longer than everything else here
def _type_info(kind: Any) -> inspect.Type:
    return inspect.type_info(kind)


def _alternatives(node: inspect.Type) -> Iterator[inspect.Type]:
    """The type without its metadata, or the members of a union."""
    match node:
        case inspect.Metadata(type=inner):
            yield from _alternatives(inner)
        case inspect.UnionType(types=types):
            for each in types:
                yield from _alternatives(each)
        case _:
            yield node


def _inside(node: inspect.Type, name: str | None) -> Iterator[inspect.Type]:
    """The type of the field with this name, or of the items (`name` None)."""
    match node:
        case inspect.StructType(fields=fields, tag=tag, tag_field=tag_field):
            if name == tag_field and tag is not None:
                yield inspect.LiteralType((tag,))
            yield from (field.type for field in fields if field.encode_name == name)
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item) if name is None:
            yield item
        case inspect.TupleType(item_types=items) if name is None:
            yield from items
        case inspect.DictType(value_type=value):
            yield value


def _constants(node: inspect.Type) -> Iterator[Any]:
    match node:
        case inspect.LiteralType(values=values):
            yield from values
        case inspect.EnumType(cls=cls):
            yield from (each.value for each in cls)
        case inspect.NoneType():
            yield None
