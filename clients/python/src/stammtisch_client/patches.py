"""JSON Patch (RFC 6902), as the service sends it: `replace`, and `add` and `remove` for items of arrays."""

from typing import Any


def patched(view: Any, patch: list[dict[str, Any]]) -> Any:
    """The view after the patch. Does not change `view`; what the patch does not touch stays the same object."""
    for operation in patch:
        view = _changed(view, operation["path"].split("/")[1:], operation["op"], operation.get("value"))
    return view


def _changed(node: Any, path: list[str], op: str, value: Any) -> Any:
    if not path:
        return value
    is_array: bool = type(node) is list
    key: Any = int(path[0]) if is_array else path[0]
    copy: Any = node.copy()
    if path[1:]:
        copy[key] = _changed(node[key], path[1:], op, value)
    elif op == "add":
        copy.insert(key, value)
    elif op == "remove":
        del copy[key]
    else:
        copy[key] = value
    return copy
