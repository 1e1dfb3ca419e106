"""Errors in requests are explained in terms of JSON, with the values that are allowed."""

from pathlib import Path
from typing import Annotated, Literal

import msgspec
import pytest
from msgspec import Meta, Struct

from domain.rulesets import RULESETS
from service.api.decode_errors import explained
from tests.support.clients import in_process, problem

pytestmark = pytest.mark.anyio

PYTHON = "`int`", "`str`", "`bool`", "`float`", "int |", "regex", "`object`", "`array`"


class Red(Struct, tag="red", tag_field="type"):
    number: int = 0


class Blue(Struct, tag="blue", tag_field="type"):
    number: Annotated[int, Meta(ge=1, le=4)] = 1
    part: Annotated[float, Meta(gt=0, lt=1)] = 0.5
    text: Annotated[str, Meta(max_length=3)] = ""
    code: Annotated[str, Meta(pattern=r"^[a-z]$(?!\n)")] = "a"
    word: Literal["one", "two"] | None = None
    digits: tuple[Literal[1, 2], ...] = ()
    pair: tuple[int, int] = (1, 2)
    many: Annotated[tuple[int, ...], Meta(min_length=2)] = (1, 2)
    few: Annotated[tuple[int, ...], Meta(max_length=2)] = ()
    mixed: int | str | None = None
    inner: dict[str, Literal["x", "y"]] = {}


@pytest.mark.parametrize(
    ("sent", "path", "message"),
    [
        ('{"type":"green"}', "$.type", 'must be one of "red", "blue", not "green"'),
        ('{"type":3}', "$.type", "must be a string"),
        ('{"type":"blue","number":"2"}', "$.number", "must be an integer, not a string"),
        ('{"type":"blue","number":1.5}', "$.number", "must be an integer, not a fraction"),
        ('{"type":"blue","number":null}', "$.number", "must be an integer, not null"),
        ('{"type":"blue","number":true}', "$.number", "must be an integer, not a boolean"),
        ('{"type":"blue","number":0}', "$.number", "must be an integer of at least 1"),
        ('{"type":"blue","number":5}', "$.number", "must be an integer of at most 4"),
        ('{"type":"blue","part":0}', "$.part", "must be a number above 0.0"),
        ('{"type":"blue","part":1}', "$.part", "must be a number below 1.0"),
        ('{"type":"blue","text":"abcd"}', "$.text", "must be a string of at most 3 characters"),
        ('{"type":"blue","code":"A"}', "$.code", "must be a string that matches the pattern ^[a-z]$"),
        ('{"type":"blue","word":"three"}', "$.word", 'must be one of "one", "two", null, not "three"'),
        ('{"type":"blue","digits":[1,3]}', "$.digits[1]", "must be one of 1, 2, not 3"),
        ('{"type":"blue","pair":[1]}', "$.pair", "must be an array of exactly 2 items"),
        ('{"type":"blue","many":[1]}', "$.many", "must be an array of at least 2 items"),
        ('{"type":"blue","few":[1,2,3]}', "$.few", "must be an array of at most 2 items"),
        ('{"type":"blue","mixed":[]}', "$.mixed", "must be an integer, a string or null, not an array"),
        ('{"type":"blue","inner":{"a":"z"}}', "$.inner[...]", 'must be one of "x", "y", not "z"'),
        ("[]", "$", "must be an object, not an array"),
        ("{", "$", "Input data was truncated"),
    ],
)  # fmt: skip
def test_an_error_is_told_in_terms_of_json(sent: str, path: str, message: str) -> None:
    with pytest.raises(msgspec.MsgspecError) as raised:
        msgspec.json.decode(sent, type=Red | Blue)
    assert explained(raised.value, Red | Blue) == (path, message)
    assert not any(word in message for word in PYTHON)


async def test_bodies_and_parameters_are_explained(database: Path, ruleset: str) -> None:
    async with in_process(database) as service:
        ann = await service.guest("Ann")
        rules = RULESETS[ruleset]
        decks = ", ".join(f'"{name}"' for name in rules.decks)
        for body, expected in (
            ({"seats": rules.seats[0], "deck": "nope"}, f'$.deck: must be one of {decks}, not "nope"'),
            ({"seats": "2"}, "$.seats: must be"),
            ({"seats": rules.seats[0], "private": 1}, "$.private: must be a boolean, not an integer"),
        ):
            answer = await ann.post(f"/v1/games/{ruleset}", body)
            detail = problem(answer, 400, "malformed")["detail"]
            assert detail.startswith(expected)
            assert not any(word in detail for word in PYTHON)
        for query, expected in (
            ("status=open", '?status: must be one of "'), ("limit=0", "?limit: must be an integer of at least 1"),
            ("limit=x", "?limit: must be an integer, not a string"),
        ):  # fmt: skip
            assert problem(await ann.get(f"/v1/games?{query}"), 400, "malformed")["detail"].startswith(expected)
        answer = await ann.post(await ann.open(ruleset) + "/moves", {"type": "nope"})
        assert problem(answer, 400, "malformed")["detail"].startswith('$.type: must be one of "')


@pytest.mark.parametrize(
    "path", ["/v1/games/go", "/v1/games/go/x/moves", "/v1/rulesets/go", "/v1/standings/go", "/v1//games/go"]
)
async def test_an_unknown_ruleset_is_answered_with_the_known_ones(database: Path, path: str) -> None:
    async with in_process(database) as service:
        told = problem(await service.stranger.get(path), 404, "not-found")
        assert told["detail"] == f"This ruleset does not exist. There are: {', '.join(RULESETS)}."


@pytest.mark.parametrize("name", ["access_token", "token"])
async def test_a_token_in_the_url_is_refused_with_a_hint(database: Path, ruleset: str, name: str) -> None:
    async with in_process(database) as service:
        ann = await service.guest("Ann")
        game = await ann.open(ruleset)
        for path in ("/v1/games", game, f"{game}/events"):
            told = problem(await ann.get(f"{path}?{name}=x.y.z"), 400, "malformed")
            assert "Authorization: Bearer" in told["detail"]
            assert "x.y.z" not in str(told)
