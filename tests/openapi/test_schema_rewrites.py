"""JSON Schemas that are rewritten for client generators accept the same values as before."""

from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from domain.messages import Move
from service.documents.schema_rewrites import rewritten, with_nullable_fields, without_defaults

Json = dict[str, Any]


class Left(msgspec.Struct, tag="left"):
    pass


class Right(msgspec.Struct, tag="right"):
    pass


def means_the_same(before: Json, after: Json, *values: Any) -> None:
    for value in values:
        assert Draft202012Validator(after).is_valid(value) == Draft202012Validator(before).is_valid(value), value


@pytest.mark.parametrize("kind", [tuple[int, int], tuple[int, str], tuple[int, int, str]])
def test_tuples_have_no_items_that_are_false(kind: Any) -> None:
    before = msgspec.json.schema(kind)
    after = rewritten(before)
    assert after.get("items") is not False and before["items"] is False
    means_the_same(before, after, [], [1], [1, 2], [1, "a"], ["a", 1], [1, 2, 3], [1, 2, "a"], [1, "a", 2], "ab")


@pytest.mark.parametrize("values", [("a",), ("a", "b"), (1,), (1, 2, 3)])
def test_literals_have_a_type(values: tuple[Any, ...]) -> None:
    before = {"enum": [*values]}
    after = rewritten(before)
    assert after["type"] == ("string" if isinstance(values[0], str) else "integer")
    assert ("const" in after) == (len(values) == 1)
    means_the_same(before, after, "a", "b", "c", 1, 2, 3, 4, None, [], ["a"])


def test_tagged_unions_use_one_of() -> None:
    before = msgspec.json.schema(Left | Right)
    after = rewritten(before)
    assert after["oneOf"] == before["anyOf"] and "anyOf" not in after
    means_the_same(before, after, {"type": "left"}, {"type": "right"}, {"type": "up"}, {})


def test_objects_without_stated_fields_are_open() -> None:
    assert rewritten({"type": "object"}) == {"type": "object", "additionalProperties": True}
    closed = {"type": "object", "properties": {}, "additionalProperties": False}
    assert rewritten(closed) == closed


class Step(Move):
    to: int
    by: int | None = None
    far: bool = False
    name: str | msgspec.UnsetType = msgspec.UNSET


def test_optional_fields_of_moves_accept_null() -> None:
    step = msgspec.json.schema(Step)["$defs"]["Step"]
    valid = Draft202012Validator(with_nullable_fields(step)).is_valid
    assert valid({"type": "step", "to": 1}) and valid({"type": "step", "to": 1, "by": None, "far": None, "name": None})
    assert not valid({"type": "step", "to": None}) and not valid({"type": "step", "to": 1, "far": 1})


def test_defaults_of_optional_fields_are_in_their_descriptions() -> None:
    step = without_defaults(msgspec.json.schema(Step)["$defs"]["Step"])
    assert all("default" not in field for field in step["properties"].values())
    assert step["properties"]["far"]["description"] == "Default: `false`."
    assert "description" not in step["properties"]["by"]
