"""Every number and time that a client can send, wherever the contract lists one: what no clock can show and no counter
can hold is refused with a clear problem, and changes nothing. The times in tokens: `tests/identity/test_tokens.py`."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.support.clients import Caller, Json, Service, done, in_process

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

DOCUMENT = json.loads((Path(__file__).parents[3] / "openapi" / "openapi.json").read_text())
RULESET = "skyjo"
OTHERS = "scout", "skyjo_action", "scopinion", "scandaroon", "game"
"""The same operations: generated for each ruleset, and for any."""

NUMBERS = ["-1", "1.5", "1e400", "NaN", "-Infinity", str(2**63), "9" * 30, "9" * 400, "true", '"1"', "[]"]
NO_JSON = NUMBERS[2:5] + NUMBERS[7:8]
"""Numbers that no JSON has, or that no number of 64 bits holds."""
TIMES = [
    "10000-01-01T00:00:00.000000Z", "0000-01-01T00:00:00.000000Z", "2026-02-30T00:00:00.000000Z", "1767225600000",
    "2026-01-31T24:00:00.000000Z", "2026-01-31T18:00:60.000000Z", "2026-01-31T18:00:00.000000+00:00", "NaN", "", "now",
    "9999-12-31T23:59:59.999999Z", "-001-01-01T00:00:00.000000Z", "\uff12026-01-31T18:00:00.000000Z",
]  # fmt: skip
DAYS = ["0000-00-00", "9999-99-99", "2026-02-30", "10000-01-01", "1767225600", "-001-01-01"]
IN_URLS = ["-1", "1.5", "1e5", "NaN", "Infinity", "9" * 30, "9" * 400, "0x1", "1_0", "\uff11", ""]
GOOD = [
    "2031-01-31T18:00:00.000000Z", "2026-01-31", RULESET, "0" * 64, "0190ffff-0000-7000-8000-00000000dea1",
    "https://club.example/hook", "random/1",
]  # fmt: skip
"""Texts, of which one matches each pattern."""


class Field(NamedTuple):
    operation: str
    method: str
    path: str
    place: tuple[str | int, ...]
    body: Json
    """A body whose value at this place is the marker."""
    is_time: bool


MARKER = "the value"
NEEDED: dict[str, Json] = {
    "open_pairing": {"tables": [[{"player": each}, "random/1"] for each in ("Ann", "Bob")], "deal": "same"}
}
"""What a body needs besides its required fields."""


def resolved(schema: Json) -> Json:
    while "$ref" in schema:
        schema = DOCUMENT["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return schema


def variants(schema: Json) -> list[Json]:
    schema = resolved(schema)
    found = schema.get("oneOf") or schema.get("anyOf")
    return [each for one in found for each in variants(one)] if found else [schema]


def least(schema: Json) -> Any:
    """A small value of this schema."""
    schema = variants(schema)[0]
    if "const" in schema or "enum" in schema:
        return schema["const"] if "const" in schema else schema["enum"][0]
    match schema.get("type"):
        case "object":
            return {name: least(schema["properties"][name]) for name in schema.get("required", ())}
        case "array":
            return [least(schema["items"]) for _ in range(schema.get("minItems", 0))] if "items" in schema else []
        case "integer" | "number":
            return schema.get("minimum", 0)
        case "boolean":
            return True
        case "string":
            return next((text for text in GOOD if re.search(schema.get("pattern", "^skyjo"), text)), "x")
    return None


def marked(schema: Json, depth: int = 5) -> Iterator[tuple[tuple[str | int, ...], Any, bool]]:
    """Values of this schema with the marker in place of one number or time: the place, the value, whether a time."""
    for each in variants(schema):
        kind, text = each.get("type"), each.get("pattern", "")
        if kind in ("integer", "number") or (kind == "string" and text.startswith("^[0-9]{4}-")):
            yield (), MARKER, kind == "string"
        elif kind == "object" and depth:
            for name, part in each.get("properties", {}).items():
                for place, value, is_time in marked(part, depth - 1):
                    yield (name, *place), least(each) | {name: value}, is_time
        elif kind == "array" and depth and isinstance(each.get("items"), dict):
            for place, value, is_time in marked(each["items"], depth - 1):
                yield (0, *place), [value] * max(1, each.get("minItems", 1)), is_time


def operations() -> Iterator[tuple[str, str, Json]]:
    for path, methods in DOCUMENT["paths"].items():
        for method, operation in methods.items():
            if method in ("get", "post", "put", "patch", "delete") and not operation["operationId"].startswith(OTHERS):
                yield method.upper(), path, operation


def fields() -> Iterator[Field]:
    """In bodies. A record is a body, too; its forgeries are those of `tests/verifiers`."""
    for method, path, operation in operations():
        body = operation.get("requestBody", {}).get("content", {}).get("application/json")
        if body is None or operation["operationId"] == "make_film":
            continue
        seen = set[tuple[str | int, ...]]()
        for place, value, is_time in marked(body["schema"]):
            if place not in seen:
                seen.add(place)
                name = operation["operationId"]
                yield Field(name, method, path, place, value | NEEDED.get(name, {}), is_time)


FIELDS = list(fields())


class Table(NamedTuple):
    house: Service
    ann: Caller
    game: str
    players: dict[str, str]
    """Their ids, by name."""

    def path(self, path: str, **given: str) -> str:
        values = {
            "game_id": self.game.rpartition("/")[2], "ruleset": RULESET, "seat": "0", "version": "1",
            "day": "2026-01-31", "player_id": self.ann.id, "deck": RULESET, "hash": "0" * 64,
        } | given  # fmt: skip
        return re.sub(r"\{(\w+)\}", lambda found: values.get(found[1], GOOD[4]), path)


@pytest.fixture
async def table(tmp_path: Path) -> Any:
    async with in_process(tmp_path / "games.db") as house:
        players = await house.guests("Ann", "Bob")
        game = await house.table(RULESET, players, clock={"bank": 60}, absent="random/1")
        yield Table(house, players[0], game, {each.name: each.id for each in players})


async def test_in_bodies(table: Table) -> None:
    """What is not of the kind that the contract says is 400, and names its place where it is read."""
    assert {field.is_time for field in FIELDS} == {True, False}
    before, games = await table.ann.look(table.game), done(await table.ann.get("/v1/games"))
    wrong = []
    for field in FIELDS:
        values = [json.dumps(each) for each in TIMES] + NUMBERS[:7] if field.is_time else NUMBERS
        for value in values:
            text = json.dumps(field.body).replace(json.dumps(MARKER), value)
            for name, player in table.players.items():
                text = text.replace(f'"{name}"', f'"{player}"')
            headers = {"Content-Type": "application/json", "Idempotency-Key": "numbers"}
            answer = await table.ann.send(field.method, table.path(field.path), text.encode(), headers=headers)
            told = answer.json().get("errors", [{}])[0].get("path", "") if answer.status_code == 400 else ""
            refused = (answer.status_code, field.place) == (
                409,
                ("at",),
            )  # a game that is not over has no branch from any version
            refused |= told == "$." + ".".join(map(str, field.place)) or (value in NO_JSON and told.startswith("$"))
            if not refused:
                wrong.append((field.operation, field.place, value[:40], answer.status_code, answer.text[:200]))
    assert wrong == []
    assert (await table.ann.look(table.game), done(await table.ann.get("/v1/games"))) == (before, games)


async def test_in_urls_and_headers(table: Table) -> None:
    before, wrong, tried = await table.ann.look(table.game), [], 0
    for method, path, operation in operations():
        for given in operation.get("parameters", ()):
            if "$ref" in given:
                given = DOCUMENT["components"]["parameters"][given["$ref"].rpartition("/")[2]]
            name, place, schema = given["name"], given["in"], resolved(given["schema"])
            values = IN_URLS if schema.get("type") == "integer" or name in ("Last-Event-ID", "version", "seat") else ()
            values = DAYS if name == "day" else values
            for value in values:
                if method != "GET" and place == "query":
                    continue
                query = {name: value} if place == "query" else {}
                headers = {name: value.encode()} if place == "header" else {}
                if place == "header":
                    headers["Accept"] = b"text/event-stream"
                where = table.path(path, **({name: value or "%20"} if place == "path" else {}))
                answer = await table.ann.send(method, where, headers=headers, **query)
                tried += 1
                if not 400 <= answer.status_code < 500:
                    wrong.append((operation["operationId"], name, value[:40], answer.status_code, answer.text[:200]))
    assert wrong == []
    assert tried > 150
    assert await table.ann.look(table.game) == before
