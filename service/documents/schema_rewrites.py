"""Rewrites msgspec's JSON Schemas into equivalent ones that client generators understand (tests/openapi/generators)."""

from collections.abc import Mapping
from typing import Any, TypeAlias

import msgspec

Json: TypeAlias = dict[str, Any]

SIBLINGS = ("description", "default", "x-card", "x-at", "x-seat", "x-by-seat", "x-empty")
"""Keywords beside a `$ref` that describe the use of a component, not the component."""


def without_siblings(node: Json) -> Json:
    return {key: value for key, value in node.items() if key not in SIBLINGS}


def rewritten(node: Json) -> Json:
    """The schema in the form that generators understand. Nested schemas must already be rewritten."""
    match node:
        case {"anyOf": several, "discriminator": _}:
            return {key: value for key, value in node.items() if key != "anyOf"} | {"oneOf": several}
        case {"enum": [*values]}:
            (kind,) = {JSON_TYPES[type(value)] for value in values}
            only = {"const": values[0]} if len(values) == 1 else {"enum": values}
            return {key: value for key, value in node.items() if key != "enum"} | {"type": kind} | only
        case {"prefixItems": [first, *others], "items": False}:  # `maxItems` already forbids further items
            alike = all(other == first for other in others)
            rest = {key: value for key, value in node.items() if key not in ("prefixItems", "items")}
            return rest | ({"items": first} if alike else {"prefixItems": [first, *others]})
        case {"type": "object"} if not node.keys() & {"properties", "additionalProperties"}:
            return node | {"additionalProperties": True}
    return node


JSON_TYPES = {str: "string", int: "integer", bool: "boolean"}


def without_defaults(component: Json) -> Json:
    """The component with defaults moved into the descriptions.

    Some generators take a field with a default for a field that is always present.
    """
    if "properties" not in component:
        return component
    required = component.get("required", ())
    return component | {
        "properties": {
            name: _without_default(field, name in required) for name, field in component["properties"].items()
        }
    }


def _without_default(field: Json, required: bool) -> Json:
    default, rest = field.get("default"), {key: value for key, value in field.items() if key != "default"}
    if default is None or required:
        return rest
    text = f"Default: `{msgspec.json.encode(default).decode()}`."
    return rest | {"description": f"{rest['description']} {text}" if "description" in rest else text}


def with_nullable_fields(component: Json) -> Json:
    """The schema of a move in which optional fields may also be null, with the same meaning."""
    required = component.get("required", ())
    return component | {
        "properties": {
            name: field if name in required else _or_null(field) for name, field in component["properties"].items()
        }
    }


def _or_null(field: Json) -> Json:
    null, schema = {"type": "null"}, without_siblings(field)
    if null in schema.get("anyOf", ()):
        return field
    return {key: field[key] for key in SIBLINGS if key in field} | {"anyOf": [*schema.get("anyOf", [schema]), null]}


def with_references(node: Any, names: Mapping[str, str]) -> Any:
    """The schema with its references replaced: `names` maps old to new."""
    match node:
        case dict():
            return {key: with_references(value, names) for key, value in node.items()}
        case list():
            return [with_references(item, names) for item in node]
        case str():
            return names.get(node, node)
    return node
