"""Applies JSON patches (RFC 6902) strictly: only `add`, `remove` and `replace`, only at places that exist."""

from typing import Any, TypeAlias

Json: TypeAlias = Any


def applied(document: Json, operations: list[dict[str, Json]]) -> Json:
    """The document after the operations. Parts of `document` may be changed in place."""
    for operation in operations:
        document = _changed(document, operation)
    return document


def _changed(document: Json, operation: dict[str, Json]) -> Json:
    op, path = operation["op"], operation["path"]
    assert operation.keys() == ({"op", "path"} if op == "remove" else {"op", "path", "value"})
    if path == "":
        assert op == "replace"
        return operation["value"]
    assert path.startswith("/")
    assert "~" not in path, "our names need no escapes, and docs/streams.md says so"
    *parents, last = path[1:].split("/")
    target = document
    for part in parents:
        target = target[_key(target, part)]
    key = _key(target, last)
    match op:
        case "add":
            assert isinstance(target, list), "only items of arrays are added"
            assert key <= len(target)
            target.insert(key, operation["value"])
        case "remove":
            assert isinstance(target, list), "only items of arrays are removed"
            del target[key]
        case "replace":
            assert isinstance(target, list) or key in target
            target[key] = operation["value"]
        case _:
            raise AssertionError(f"{op} is not one of the operations")
    return document


def _key(target: Json, part: str) -> Any:
    if isinstance(target, list):
        assert part.isdecimal(), f"{part} is not an index"
        assert part == str(int(part))
        return int(part)
    return part
