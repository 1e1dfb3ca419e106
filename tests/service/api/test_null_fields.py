"""Generated clients often send null for absent fields. In a move both mean the same, for every ruleset."""

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, get_args

import msgspec
import pytest

from domain.codec import encode
from domain.game.commands import Join
from domain.messages import Move, Value
from domain.ruleset import Ruleset
from domain.rulesets import RULESETS, VERSIONS
from service.api.contract import Contract
from service.api.decoding import decoded
from service.games.idempotency import request_key
from stammtisch.testing.playing import Play, Table
from tests.support.clients import any_of, done, fewest, in_process, problem

Rules = Ruleset[Any, Any, Any]
Json = dict[str, Any]

every_ruleset = pytest.mark.parametrize("rules", VERSIONS.values(), ids=list(VERSIONS))


def kinds(rules: Rules) -> tuple[type[Any], ...]:
    """The types of moves."""
    return get_args(rules.move) or (rules.move,)


def optional(kind: type[Any]) -> Iterator[tuple[str, Any]]:
    """The optional fields and their defaults."""
    for field in msgspec.structs.fields(kind):
        if not field.required:
            assert field.default is not msgspec.NODEFAULT, "no optional field of a move has a factory"
            yield field.encode_name, field.default


def nulled(move: Any) -> Iterator[Json]:
    """Variants of the move in which its default fields are null, one by one and all at once."""
    listed: Json = msgspec.json.decode(encode(move))
    plain = [name for name, default in optional(type(move)) if getattr(move, name) == default]
    for name in plain:
        yield listed | {name: None}
    yield listed | dict.fromkeys(plain)


@every_ruleset
def test_listed_moves_with_null_for_absent_fields_are_accepted_and_mean_the_same(rules: Rules) -> None:
    stated, seen = Contract((), rules.move), set()
    for seed in range(8):
        seats = rules.seats[seed % len(rules.seats)]
        for _, move in Play(rules, Table(seats=seats, options=rules.options(), seed=seed, moves=400)).choices:
            seen.add(type(move))
            for form in nulled(move):
                again = decoded(stated, msgspec.json.encode(form))
                assert again == move
                assert type(again) is type(move) and encode(again) == encode(move), "what is served stays the same"
                assert request_key("ada", "key", "move", None, again) == request_key("ada", "key", "move", None, move)
    assert len(seen) > len(kinds(rules)) // 2


@every_ruleset
def test_numbers_may_be_spelled_as_fractions_and_mean_the_same(rules: Rules) -> None:
    """`5.0` is an integer in JSON Schema. The idempotency key of a request depends on what it means."""
    stated, changed = Contract((), rules.move), 0
    for seed in range(2):
        for _, move in Play(rules, Table(seats=rules.seats[0], options=rules.options(), seed=seed, moves=100)).choices:
            marked = encode(with_marked_integers(msgspec.json.decode(encode(move))))
            for spelling in (rb"\1.0", rb"\1.00e0", rb"\1e0", rb"\1E+00"):
                form, found = re.subn(rb'"@(-?[0-9]+)@"', spelling, marked)
                again = decoded(stated, form)
                assert again == move
                assert request_key("ada", "key", "move", None, again) == request_key("ada", "key", "move", None, move)
                changed += found
    assert changed or b'"integer"' not in encode(msgspec.json.schema(rules.move))


def with_marked_integers(value: Any) -> Any:
    match value:
        case bool():
            return value
        case int():
            return f"@{value}@"
        case list():
            return [with_marked_integers(item) for item in value]
        case dict():
            return {key: with_marked_integers(item) for key, item in value.items()}
    return value


@pytest.mark.parametrize("text", [b"1.5", b"1e-1", b"4.000000000000000000001", b"1e16", b"1e99", b"1e999", b"-0.1"])
def test_other_fractions_are_refused(text: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        decoded(Contract((), Join), b'{"seat":%b}' % text)


def test_numbers_in_strings_stay_as_they_are() -> None:
    text = rb'{"seat":1.0,"entropy":"1.0 \" 2.0 \\"}'
    assert decoded(Contract((), Join), text) == Join(1, '1.0 " 2.0 \\')


@every_ruleset
def test_null_is_never_a_value_of_its_own_in_a_move(rules: Rules) -> None:
    """Else it could not mean the same as an absent field."""
    for kind in kinds(rules):
        for name, default in optional(kind):
            if default is not None and default is not msgspec.UNSET:
                field = next(each for each in msgspec.inspect.type_info(kind).fields if each.encode_name == name)
                assert not isinstance(field.type, msgspec.inspect.UnionType) or not field.type.includes_none


@every_ruleset
def test_fields_that_a_move_needs_are_never_null(rules: Rules) -> None:
    stated, tried = Contract((), rules.move), 0
    for kind in kinds(rules):
        for field in msgspec.structs.fields(kind):
            if field.required:
                body = {"type": kind.__struct_config__.tag, field.encode_name: None}
                with pytest.raises(msgspec.ValidationError):
                    decoded(stated, msgspec.json.encode(body))
                tried += 1
    assert tried


class Step(Move):
    """A move with one optional field of each kind."""

    to: int
    by: int | None = None
    over: int | msgspec.UnsetType = msgspec.UNSET
    far: bool = False


class Terms(Value, forbid_unknown_fields=True):
    """A body that is no move."""

    fast: bool = False


@pytest.mark.parametrize(
    "text",
    [
        b'{"type":"step","to":null}', b'{"type":"step","to":"null","over":null}', b'{"type":"step","to":1,"else":null}',
        b'{"type":"jump","over":null}', b'{"type":null}', b'{"type":[null]}', b"null", b"[null]", b'{"over":null',
        b'{"type":"step","to":1,"over":{"x":null}}', b'{"type":"step","to":1.5,"over":null}',
    ],
)  # fmt: skip
def test_null_makes_nothing_else_acceptable(text: bytes) -> None:
    with pytest.raises(msgspec.MsgspecError):
        decoded(Contract((), Step), text)


def test_the_fault_that_is_told_is_not_the_null() -> None:
    with pytest.raises(msgspec.ValidationError, match=r"Expected `int`, got `str` - at `\$.to`"):
        decoded(Contract((), Step), b'{"type":"step","over":null,"to":"x"}')


def test_a_single_move_and_unions_are_read_alike() -> None:
    text = b'{"type":"step","to":1,"by":null,"over":null,"far":null}'
    assert decoded(Contract((), Step), text) == decoded(Contract((), Step | int), text) == Step(1)


def test_other_bodies_are_read_as_strictly_as_before() -> None:
    with pytest.raises(msgspec.ValidationError):
        decoded(Contract((), Terms), b'{"fast":null}')


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
@pytest.mark.parametrize("ruleset", RULESETS)
async def test_moves_are_posted_with_null_and_repeated_without(ruleset: str, tmp_path: Path) -> None:
    by_tag = {kind.__struct_config__.tag: kind for kind in kinds(RULESETS[ruleset])}
    dice = Random(3)
    async with in_process(tmp_path / "games.db") as service:
        ann = await service.guest("Ann")
        game = await ann.open(ruleset, fewest(ruleset), hotseat=True)
        for number in range(60):
            legal = (await ann.look(game))["legal_moves"]
            if not legal:
                break
            chosen, headers = any_of(legal, dice), {"Idempotency-Key": f"{number}"}
            absent = [name for name, _ in optional(by_tag[chosen["type"]]) if name not in chosen]
            made = await ann.move(game, chosen | dict.fromkeys(absent), headers=headers)
            again = await ann.post(f"{game}/moves", chosen, headers=headers)
            assert again.headers["Idempotency-Replayed"] == "true"
            assert done(again)["events"] == made["events"]
        refused = await ann.post(f"{game}/moves", {"type": next(iter(by_tag)), "no such field": None})
        assert problem(refused, 400, "malformed")["errors"]
