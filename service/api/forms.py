"""The same JSON Schemas in other words, which generators of clients understand (tests/openapi/generators)."""

from collections.abc import Mapping
from typing import Any, TypeAlias

import msgspec

Json: TypeAlias = dict[str, Any]

BESIDE = ("description", "default")
"""What is said of the place where a named schema is used."""


def bare(node: Json) -> Json:
    """The schema without what is said of its place."""
    return {key: value for key, value in node.items() if key not in BESIDE}


def plain(node: Json) -> Json:
    """One schema in other words; those in it have been put so before."""
    match node:
        case {"anyOf": several, "discriminator": _}:
            return {key: value for key, value in node.items() if key != "anyOf"} | {"oneOf": several}
        case {"enum": [*values]}:
            (kind,) = {JSON_TYPES[type(value)] for value in values}
            only = {"const": values[0]} if len(values) == 1 else {"enum": values}
            return {key: value for key, value in node.items() if key != "enum"} | {"type": kind} | only
        case {"prefixItems": [first, *others], "items": False}:  # `maxItems` says that there are no more
            alike = all(other == first for other in others)
            rest = {key: value for key, value in node.items() if key not in ("prefixItems", "items")}
            return rest | ({"items": first} if alike else {"prefixItems": [first, *others]})
        case {"type": "object"} if not node.keys() & {"properties", "additionalProperties"}:
            return node | {"additionalProperties": True}
    return node


JSON_TYPES = {str: "string", int: "integer", bool: "boolean"}


def without_defaults(component: Json) -> Json:
    """Defaults told in words: generators take a field that has one for a field that is always there."""
    if "properties" not in component:
        return component
    required = component.get("required", ())
    return component | {
        "properties": {name: _told(field, name in required) for name, field in component["properties"].items()}
    }


def _told(field: Json, always: bool) -> Json:
    default, rest = field.get("default"), {key: value for key, value in field.items() if key != "default"}
    if default is None or always:
        return rest
    told = f"Default: `{msgspec.json.encode(default).decode()}`."
    return rest | {"description": f"{rest['description']} {told}" if "description" in rest else told}


def nullable(component: Json) -> Json:
    """A move: fields that may be absent may be null, which means the same."""
    required = component.get("required", ())
    return component | {
        "properties": {
            name: field if name in required else _or_null(field) for name, field in component["properties"].items()
        }
    }


def _or_null(field: Json) -> Json:
    null, schema = {"type": "null"}, bare(field)
    if null in schema.get("anyOf", ()):
        return field
    return {key: field[key] for key in BESIDE if key in field} | {"anyOf": [*schema.get("anyOf", [schema]), null]}


def renamed(node: Any, names: Mapping[str, str]) -> Any:
    """With other names in references."""
    match node:
        case dict():
            return {key: renamed(value, names) for key, value in node.items()}
        case list():
            return [renamed(item, names) for item in node]
        case str():
            return names.get(node, node)
    return node
