"""The descriptions of fields: the docstrings below them in the code, and what the values of enumerations mean.

Python does not keep docstrings of fields, so they are read from the source.
"""

import ast
import inspect
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from inspect import cleandoc
from typing import Any, TypeAlias

import msgspec

from domain.bundled import Labels

Json: TypeAlias = dict[str, Any]


FIELDS_OF = "__fields_of__"
"""The name of a class attribute: the Struct whose docstrings describe the fields of a Struct that is made from it."""


def described(schema: Json, struct: type, labels: Labels | None) -> Json:
    """The schema of the Struct, in which every field has a description that has a docstring.

    The description of the field's type follows the docstring.
    `labels`: of the ruleset that the Struct belongs to. They tell what the values of its fields mean.
    """
    docs = field_docs(struct)
    fields = {}
    for name, field in schema.get("properties", {}).items():
        own = None if "title" in field else docs.get(name)  # a component is described once for all
        about = " ".join(text for text in (own, field.get("description")) if text)
        parts = [about, labels and _values(name, field, labels)]
        text = "\n\n".join(part for part in parts if part)
        fields[name] = field | {"description": text} if text else field
    return schema | {"properties": fields} if fields else schema


def field_docs(struct: type) -> dict[str, str]:
    """The docstrings of the fields of the Struct by their names in JSON, inherited ones included."""
    docs: dict[str, str] = {}
    for each in (*reversed(struct.__mro__), *filter(None, (vars(struct).get(FIELDS_OF),))):
        docs |= _in_module(each.__module__).get(each.__qualname__.rpartition(".")[2], {})
    names = {field.name: field.encode_name for field in msgspec.structs.fields(struct)}
    return {names[name]: text for name, text in docs.items() if name in names}


@cache
def _in_module(module: str) -> Mapping[str, Mapping[str, str]]:
    """The docstrings of all fields in the module: by class, then by field."""
    try:
        tree = ast.parse(inspect.getsource(sys.modules[module]))
    except (OSError, TypeError):  # an extension, a builtin: it has no source
        return {}
    return {each.name: dict(_in_class(each)) for each in tree.body if isinstance(each, ast.ClassDef)}


def _in_class(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for field, following in zip(node.body, node.body[1:], strict=False):
        match field, following:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                yield name, cleandoc(text)


def _values(name: str, field: Json, labels: Labels) -> str:
    """What the values of the enumeration mean, as a Markdown list; empty if there is nothing to say."""
    words = labels.phases if name == "phase" else labels.values.get(name, {})
    allowed = set(_constants(field))
    return "\n".join(f"- `{value}`: {text}" for value, text in words.items() if value in allowed)


def _constants(node: Any) -> Iterator[str]:
    match node:
        case {"enum": [*values]}:
            yield from map(str, values)
        case {"type": "boolean"}:
            yield from ("true", "false")
        case {"anyOf": [*several]}:
            for each in several:
                yield from _constants(each)
        case {"type": "array", "items": items}:
            yield from _constants(items)
