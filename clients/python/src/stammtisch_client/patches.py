"""JSON Patch (RFC 6902), as the service sends it: `replace`, and `add` and `remove` for items of arrays."""

import re
from typing import Any

from .errors import InvalidPatch

INDEX = re.compile("0|[1-9][0-9]{0,8}")


def patched(view: Any, patch: list[dict[str, Any]]) -> Any:
    """The view after the patch. Does not change `view`; what the patch does not touch stays the same object. Raises
    `InvalidPatch`."""
    for operation in patch:
        match operation:
            case {"op": "replace" | "add" as op, "path": str(path), "value": value}:
                view = _changed(view, _keys(path), op, value)
            case {"op": "remove" as op, "path": str(path)}:
                view = _changed(view, _keys(path), op, None)
            case _:
                raise InvalidPatch(f"Not an operation of a patch: {operation!r:.200}")
    return view


def _keys(path: str) -> list[str]:
    before, *keys = path.split("/")
    if before:
        raise InvalidPatch(f"Not a path: {path!r:.200}")
    return keys


def _changed(node: Any, path: list[str], op: str, value: Any) -> Any:
    if not path:
        if op != "replace":
            raise InvalidPatch(f"A patch has `{op}` of the whole view.")
        return value
    name, *rest = path
    kind: object = node.__class__
    if kind is list and INDEX.fullmatch(name) and int(name) < len(node) + (op == "add" and not rest):
        key: Any = int(name)
    elif kind is dict and name in node and (rest or op == "replace"):
        key = name
    else:
        raise InvalidPatch(f"A patch has `{op}` where nothing fits: {name!r:.200}")
    copy: Any = node.copy()
    if rest:
        copy[key] = _changed(node[key], rest, op, value)
    elif op == "add":
        copy.insert(key, value)
    elif op == "remove":
        del copy[key]
    else:
        copy[key] = value
    return copy
