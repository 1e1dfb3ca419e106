"""The OpenAPI document: committed, valid, exact, and for each ruleset independent of the others."""

import json
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from domain import rulesets
from domain.game import Rules
from domain.messages import pascal
from domain.rulesets import RULESETS
from openapi import build
from service import app as application
from service.api.contract import JSON, OPTIONAL, PROBLEM, REQUIRED
from service.documents.any_ruleset import TAG
from service.documents.config import HEADERS
from service.documents.document import document, step_of
from service.games import decks as served
from service.runtime import Runtime
from service.settings import Settings
from tests.support.clients import Service, done, fewest, in_process
from tests.support.every import every_problem

pytestmark = [pytest.mark.checked, pytest.mark.turns("rulesets")]

Json = dict[str, Any]

REF = "#/components/schemas/"
ROOT = Path(__file__).parents[2]
DOCUMENT: Json = json.loads(build.FILE.read_bytes())
COMPONENTS: Json = DOCUMENT["components"]["schemas"]
OPERATIONS: dict[str, tuple[str, str, Json]] = {
    operation["operationId"]: (method.upper(), path, operation)
    for path, methods in DOCUMENT["paths"].items()
    for method, operation in methods.items()
}

FIRST = next(iter(RULESETS))


def nodes(node: Any) -> Iterator[Json]:
    """All objects in a JSON value, itself included."""
    if isinstance(node, dict):
        yield node
    for inner in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from nodes(inner)


def target(ref: str) -> Any:
    """The node that a reference refers to."""
    node: Any = DOCUMENT
    for step in ref.removeprefix("#/").split("/"):
        node = node[step]
    return node


def followed(node: Any, seen: set[str]) -> Iterator[Json]:
    """All objects in a schema and in the components it refers to."""
    for each in nodes(node):
        yield each
        if (ref := each.get("$ref")) and ref not in seen:
            seen.add(ref)
            yield from followed(target(ref), seen)


# --- as a whole ---------------------------------------------------------------------------------------------------


@pytest.mark.anyio
async def test_the_served_document_is_the_committed_one(running: Service) -> None:
    answer = await running.stranger.get("/schema/openapi.json")
    assert answer.headers["content-type"].startswith("application/")
    assert done(answer) == json.loads(build.FILE.read_bytes())


def test_the_document_is_valid_openapi_3_1() -> None:
    assert DOCUMENT["openapi"].startswith("3.1")
    from openapi_spec_validator import OpenAPIV31SpecValidator  # takes a quarter of a second to load

    OpenAPIV31SpecValidator(DOCUMENT).validate()


def test_every_reference_resolves() -> None:
    for node in nodes(DOCUMENT):
        for ref in [node["$ref"]] if "$ref" in node else node.get("discriminator", {}).get("mapping", {}).values():
            assert target(ref), ref


# --- schemas ------------------------------------------------------------------------------------------------------


def test_every_tagged_union_has_a_discriminator_with_a_complete_mapping() -> None:
    unions = 0
    for node in nodes(DOCUMENT):
        refs = [each["$ref"] for each in (*node.get("anyOf", ()), *node.get("oneOf", ())) if "$ref" in each]
        if len([ref for ref in refs if "properties" in target(ref)]) > 1:
            assert refs == [each.get("$ref") for each in node["oneOf"]]
            field = node["discriminator"]["propertyName"]
            tagged = {target(ref)["properties"][field]["const"]: ref for ref in refs}
            assert node["discriminator"] == {"propertyName": field, "mapping": tagged}
            unions += 1
    assert unions > 2 * len(RULESETS)


def test_request_bodies_forbid_unknown_fields() -> None:
    for name, (_, _, operation) in OPERATIONS.items():
        for node in followed(operation.get("requestBody", {}), set()):
            if "properties" in node and (name != "make_film" or "format" in node["properties"]):
                # The generic routes cannot state the fields of a particular ruleset. What is unknown within a record is
                # refused, but not by the schema (422).
                generic = node == COMPONENTS["GameMove"] and name in ("game_move", "solve_puzzle")
                assert node["additionalProperties"] is generic, (name, node)


def test_constructs_that_break_client_generators_are_absent() -> None:
    for node in nodes([COMPONENTS, DOCUMENT["paths"]]):
        if "enum" in node and not isinstance(node["enum"], dict):
            assert len(node["enum"]) > 1 and node["type"] in ("string", "integer"), node
        if "const" in node and not isinstance(node["const"], dict):
            assert node["type"] in ("string", "integer"), node
        assert not isinstance(node.get("items"), bool), "a schema, not `false`"
        assert not {"anyOf", "discriminator"} <= node.keys(), "of a tagged union exactly one is meant"
        if node.get("type") == "object" and "properties" not in node:
            assert "additionalProperties" in node, "else it is empty for some of them"


def test_fields_with_a_default_are_not_required() -> None:
    """Some generators take a field with a default for one that is always present: defaults are in the descriptions."""
    fields = [(name, field) for each in COMPONENTS.values() for name, field in each.get("properties", {}).items()]
    assert [name for name, field in fields if "default" in field] == []
    for ruleset, rules in RULESETS.items():
        options, fields_of = rules.options(), COMPONENTS[f"{pascal(ruleset)}OptionsInput"]["properties"]
        assert COMPONENTS[f"{pascal(ruleset)}OptionsInput"]["required"] == []
        assert COMPONENTS[f"{pascal(ruleset)}Options"]["required"] == list(rules.options.__struct_fields__)
        for name in rules.options.__struct_fields__:
            if (default := getattr(options, name)) is not None:
                assert fields_of[name]["description"].endswith(f"Default: `{json.dumps(default)}`.")


def test_enumerations_in_lists_are_named_components() -> None:
    for node in nodes(COMPONENTS):
        items = node.get("items", {})
        for each in (items, *items.get("anyOf", ())) if isinstance(items, dict) else ():
            assert "enum" not in each, node


def test_schemas_have_plain_names() -> None:
    ours = re.compile("|".join(sorted(map(pascal, RULESETS), key=len, reverse=True)))
    for name, schema in COMPONENTS.items():
        assert re.fullmatch("([A-Z][a-z0-9]*)+", name)
        kind = name[len(found[0]) if (found := ours.match(name)) else 0 :]
        tag = schema.get("properties", {}).get("type")
        if tag is not None and "const" in tag and kind != "GameRecord":
            suffix = {"Move": "Move", "Event": "Event"}.get(re.sub(".*(?=Move$|Event$)", "", kind), "Problem")
            assert kind.endswith(suffix) and pascal(re.sub("-", "_", tag["const"])) == kind.removesuffix(suffix)


def derived(document: Json) -> dict[str, list[str]]:
    """The names of a document and those that generators of clients derive from them, each with what it is made of."""
    found: dict[str, list[str]] = {}

    def name(derived: str, source: str) -> None:
        found.setdefault(derived, []).append(source)

    schemas = document["components"]["schemas"]
    for schema, node in schemas.items():
        name(schema, "a schema")
        # Go has a constructor for each Struct.
        for each in (f"New{schema}", f"New{schema}WithDefaults", f"Nullable{schema}", f"NewNullable{schema}"):
            name(each, f"Go, of {schema}")
        for member in node.get("oneOf", ()):
            if "$ref" in member:
                name(f"{member['$ref'].removeprefix(REF)}As{schema}", f"Go, of {schema}")
        for field, inner in node.get("properties", {}).items():
            own = schema + pascal(field)
            # The type of the field has no name of its own. Generators keep these names apart from those of schemas.
            if inner.keys() & {"anyOf", "oneOf", "enum", "properties"} and own not in schemas:
                name(own, f"{schema}.{field}")
    for operation in (each for methods in document["paths"].values() for each in methods.values()):
        own = pascal(operation["operationId"])
        for suffix in ("Result", "Body", "Params", "Error", "Response", "Request"):
            name(own + suffix, operation["operationId"])
        name(f"Api{own}Request", operation["operationId"])
    return found


def test_names_that_generators_derive_are_not_those_of_others() -> None:
    """Go compiles no constructor `NewGame` beside a type of this name, and TypeScript no two types."""
    assert {name: of for name, of in derived(DOCUMENT).items() if len(of) > 1} == {}
    planted: Json = {
        "paths": {"/a": {"get": {"operationId": "game_record"}}},
        "components": {
            "schemas": {
                "Game": {"properties": {}}, "NewGame": {}, "GameRecord": {"properties": {"result": {"anyOf": []}}},
            }
        },
    }  # fmt: skip
    assert {name for name, of in derived(planted).items() if len(of) > 1} == {"NewGame", "GameRecordResult"}


def test_optional_fields_of_moves_may_be_null() -> None:
    found = 0
    for name, schema in COMPONENTS.items():
        if name.endswith("Move") and "properties" in schema:
            for field in schema["properties"].keys() - set(schema["required"]):
                assert {"type": "null"} in schema["properties"][field]["anyOf"]
                found += 1
    assert found > 4


@pytest.mark.parametrize("ruleset", ["game", *RULESETS])
def test_pages_lines_and_streams_of_events_have_media_types_of_their_own(ruleset: str) -> None:
    prefix = "" if ruleset == "game" else pascal(ruleset)
    content = OPERATIONS[f"{ruleset}_events"][2]["responses"]["200"]["content"]
    assert content[JSON]["schema"] == {"$ref": f"{REF}{prefix}EventItemPage"}
    item = {"schema": {"type": "string"}, "x-item-schema": {"$ref": f"{REF}{prefix}EventItem"}}
    assert content["application/x-ndjson"] == item
    assert content["text/event-stream"] == item | {"x-message-schemas": [{"$ref": f"{REF}{prefix}Situation"}]}


@pytest.mark.by_default()  # the served one is the committed one
def test_the_document_is_the_same_at_every_start() -> None:
    """Including its order, which must not depend on the hash seed of Python."""
    program = "import sys; from openapi import build; sys.stdout.buffer.write(build.written(build.built()))"
    start = subprocess.run(
        [sys.executable, "-c", program], env={"PYTHONHASHSEED": "1"}, cwd=ROOT, stdout=subprocess.PIPE
    )
    assert start.returncode == 0 and start.stdout == build.FILE.read_bytes(), "run `make openapi`"


def test_types_and_fields_are_described() -> None:
    """Except unions and enumerations, which have no docstring, and fields with one value only, which tell types
    apart."""
    for component, schema in COMPONENTS.items():
        if not schema.keys() & {"oneOf", "anyOf", "enum"}:
            assert schema["description"].strip(), component
        for name, field in schema.get("properties", {}).items():
            assert name == "type" or "const" in field or described(field), (component, name)


def described(schema: Json) -> bool:
    """Whether a field has a description, its own or that of its type."""
    return "description" in schema or ("$ref" in schema and "description" in target(schema["$ref"]))


NO_NOUN = re.compile(
    "(As|By how|For|From|How|If|In|Of|On|Since|The same|This|Those|To|What|When|Where|Whether|Which|Who|Whose|Why|With)"
    "\\b"
)
"""A description that begins with one of these words does not say first what the value is."""


def test_descriptions_begin_with_what_the_value_is() -> None:
    """They are the text of the API: a noun comes first, or True. `By seat: the cards` is a noun with its index."""
    channel: Json = json.loads((build.FILE.with_name("asyncapi.json")).read_bytes())
    found = {
        text
        for schema in (*COMPONENTS.values(), *channel["components"]["schemas"].values())
        for node in (schema, *schema.get("properties", {}).values())
        if NO_NOUN.match(text := node.get("description", ""))
    }
    assert found == set()
    assert NO_NOUN.match("Whether it runs.") and not NO_NOUN.match("The tokens.")


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_phases_of_a_view_are_explained(ruleset: str) -> None:
    phase = COMPONENTS[f"{pascal(ruleset)}View"]["properties"]["phase"]
    for name, words in RULESETS[ruleset].labels["en"].phases.items():
        assert f"- `{name}`: {words}" in phase["description"].splitlines()


def test_layouts_are_described_as_lists_of_columns() -> None:
    for schema in COMPONENTS.values():
        if "layouts" in (fields := schema.get("properties", {})) and "phase" in fields:
            assert "column * 3 + row" in fields["layouts"]["description"]


def test_examples_are_valid_under_their_schemas() -> None:
    for media in nodes(DOCUMENT["paths"]):
        for example in media.get("examples", {}).values() if "schema" in media else ():
            valid(example["value"], media["schema"])


@pytest.mark.parametrize("ruleset", RULESETS)
def test_response_examples_come_from_the_transcripts(ruleset: str) -> None:
    counts = {
        ("open", "201"): 4, ("look", "200"): 1, ("legal_moves", "200"): 1, ("events", "200"): 2, ("stand_up", "200"): 2,
        ("give_time", "200"): 1, ("vote", "200"): 2, ("cancel", "200"): 1, ("audit", "200"): 1,
        ("get_record", "200"): 1, ("branch", "201"): 1,
        ("deck", "200"): 1, ("captions", "200"): 1,
    }  # fmt: skip
    for (operation, status), count in counts.items():
        content = OPERATIONS[f"{ruleset}_{operation}"][2]["responses"][status]["content"]
        content = next(iter(content.values()))
        assert len(content["examples"]) == count
    others = ("register", "201"), ("lobby", "200"), ("me", "200"), ("rulesets", "200"), (f"{FIRST}_ruleset", "200")
    for operation, status in ((f"{ruleset}_sit_down", "200"), *others):
        assert OPERATIONS[operation][2]["responses"][status]["content"][JSON]["examples"]
    moved = OPERATIONS[f"{ruleset}_move"][2]["responses"]
    taken_back = OPERATIONS[f"{ruleset}_take_back"][2]["responses"]["200"]["content"][JSON].get("examples", ())
    assert len(taken_back) == 1 or ruleset != FIRST, "in a small game every move may tell something"
    assert len(moved["200"]["content"][JSON]["examples"]) == 3 + len(taken_back)
    assert len(moved["409"]["content"][PROBLEM]["examples"]) == 1
    assert not re.search(r"{(token|game|player|time|hash)", json.dumps(moved))


def test_the_generic_operations_have_the_examples_of_the_first_ruleset() -> None:
    found = 0
    for name, (_, _, operation) in OPERATIONS.items():
        if name.startswith("game_"):
            own = dict(contents(OPERATIONS[name.replace("game", FIRST, 1)][2]))
            for place, media in contents(operation):
                assert media.get("examples") == own.get(place, {}).get("examples")
                found += "examples" in media
    assert found > 12


@pytest.mark.parametrize("ruleset", RULESETS)
def test_games_of_a_ruleset_are_games(ruleset: str) -> None:
    """Bodies of a ruleset's own routes are valid under the schemas of the generic routes."""
    tried = 0
    for name, (_, _, operation) in OPERATIONS.items():
        if name.startswith("game_"):
            own = OPERATIONS[name.replace("game", ruleset, 1)][2]
            assert operation["responses"].keys() == own["responses"].keys() | {"404"}
            generic = dict(contents(operation))
            for place, media in contents(own):
                for example in media.get("examples", {}).values():
                    valid(example["value"], generic[place]["schema"])
                    tried += 1
    assert tried > 10


def contents(operation: Json) -> Iterator[tuple[str, Json]]:
    """All media type objects of the operation, by request or status and media type."""
    for place, part in (("request", operation.get("requestBody", {})), *operation["responses"].items()):
        for kind, media in part.get("content", {}).items():
            yield f"{place} {kind}", media


def valid(value: Any, schema: Json) -> None:
    Draft202012Validator(schema | {"components": DOCUMENT["components"]}).validate(value)


# --- operations ---------------------------------------------------------------------------------------------------


def test_operations_are_named_summarised_described_and_tagged() -> None:
    for name, (_, path, operation) in OPERATIONS.items():
        assert re.fullmatch("[a-z_]+", name)
        assert operation["summary"].strip() and not operation["summary"].endswith("."), name
        assert operation["description"].strip().endswith((".", "?")), name
        assert set(operation["tags"]) <= {tag["name"] for tag in DOCUMENT["tags"]}, name
        for parameter in operation.get("parameters", ()):
            assert parameter["description"].strip(), (name, parameter["name"])
        for ruleset in RULESETS:
            assert name.startswith(f"{ruleset}_") == (f"/{ruleset}" in path), f"{name} is named after its ruleset"


def test_every_documented_error_is_a_problem_document() -> None:
    known = problem_types()
    for name, (_, _, operation) in OPERATIONS.items():
        for status, response in operation["responses"].items():
            assert response["description"].strip(), (name, status)
            if int(status) < 400:
                continue
            assert response["content"].keys() == {PROBLEM}, (name, status)
            schema = response["content"][PROBLEM]["schema"]
            for kind in schema.get("oneOf", [schema]):
                fields = target(kind["$ref"])["properties"]
                assert fields["status"]["const"] == int(status), (name, kind)
                assert fields["type"]["const"] in known, (name, kind)


def problem_types() -> set[str]:
    return {str(kind.__struct_config__.tag) for kind in every_problem()}


def test_the_document_has_exactly_the_problem_types_of_the_service() -> None:
    documented = {
        kind["properties"]["type"]["const"]
        for kind in COMPONENTS.values()
        if {"type", "title", "status"} <= kind.get("properties", {}).keys()
    }
    # OpenAPI cannot describe the upgrade to a web socket.
    assert documented | {"upgrade-required"} == problem_types()


def test_every_documented_header_is_used() -> None:
    used = {node["$ref"].rpartition("/")[2] for node in nodes(DOCUMENT["paths"]) if "/headers/" in node.get("$ref", "")}
    assert used == DOCUMENT["components"]["headers"].keys()


def test_links_name_existing_operations_and_fields() -> None:
    found = [
        (source, response, link)
        for _, _, source in OPERATIONS.values()
        for response in source["responses"].values()
        for link in response.get("links", {}).values()
    ]
    assert found
    for source, response, link in found:
        _, path, operation = OPERATIONS[link["operationId"]]
        assert link["description"].strip(), link
        assert set(re.findall(r"{(\w+)}", path)) <= link["parameters"].keys(), f"the whole path is known: {link}"
        assert link["parameters"].keys() <= {parameter["name"] for parameter in operation["parameters"]}, link
        assert "requestBody" not in link or "requestBody" in operation, link
        for expression in (*link["parameters"].values(), *filter(None, [link.get("requestBody")])):
            start, _, place = expression.partition("#/")
            if start == "$response.body":
                assert pointed(response["content"][JSON]["schema"], place), link
            else:
                assert start in {f"$request.{each['in']}.{each['name']}" for each in source["parameters"]}, link


def pointed(schema: Json, place: str) -> Json:
    """The schema of the value at this JSON pointer."""
    for step in place.split("/"):
        schema = target(schema["$ref"]) if "$ref" in schema else schema
        schema = schema["items"] if step.isdecimal() else schema["properties"][step]
    return schema


# --- who may ask --------------------------------------------------------------------------------------------------


@pytest.fixture
async def running(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Service]:
    async with in_process(tmp_path_factory.mktemp("document") / "games.db") as runtime:
        yield runtime


@pytest.mark.anyio
async def test_documented_security_matches_the_enforced_one(running: Service) -> None:
    ann = await running.guest("Ann")
    games = {each: (await ann.open(each, fewest(each))).rpartition("/")[2] for each in RULESETS}
    for name, (method, path, operation) in OPERATIONS.items():
        ruleset = max((each for each in RULESETS if name.startswith(f"{each}_")), key=len, default=FIRST)
        place = {
            "seat": "0", "version": "1", "deck": next(iter(RULESETS[ruleset].decks)), "player_id": ann.id,
            "ruleset": ruleset, "game_id": games[ruleset], "webhook_id": "any", "delivery_id": "any", "hash": "0" * 64,
            "day": "2026-01-31", "pairing_id": "any",
        }  # fmt: skip
        address = re.sub(r"{(\w+)}", lambda parameter, place=place: place[parameter[1]], path)  # type: ignore[misc]
        without = (await running.stranger.send(method, address)).status_code
        wrong = (await running.stranger.send(method, address, headers={"Authorization": "Bearer wrong"})).status_code
        match operation.get("security", []):
            case [] if name == "register":
                # A generated client demands a token wherever security is stated, and here nobody has one yet.
                assert without != 401 and wrong == 401
            case []:
                assert 401 not in (without, wrong), name
            case stated if stated == OPTIONAL:
                assert without != 401 and wrong == 401, name
            case stated:
                assert stated == REQUIRED and without == wrong == 401, name
        assert ("401" in operation["responses"]) == ("security" in operation or name == "register"), name


# --- whatever other rulesets there are ----------------------------------------------------------------------------


def copied(rules: Rules, name: str, folder: Path, patch: pytest.MonkeyPatch) -> Rules:
    """The ruleset under another name, with types of the same names and other descriptions."""
    home, package = Path(str(rulesets.__file__)).parent, f"{rulesets.__name__}.{name}"
    for file in (*home.glob(f"{rules.name}.py"), *home.glob(f"{rules.name}/*.py"), *home.glob(f"{rules.name}/*.json")):
        source = re.sub(r'(?m)^(class \w+\(.*\):\n    """)', r"\1Copied. ", file.read_text())
        source = source.replace(f'name="{rules.name}"', f'name="{name}"')
        source = re.sub(rf"{re.escape(rulesets.__name__)}\.{rules.name}\b", package, source)
        source = source.replace(f'"ruleset": "{rules.name}"', f'"ruleset": "{name}"')
        target = folder / str(file.relative_to(home)).replace(rules.name, name, 1)
        target.parent.mkdir(exist_ok=True)
        target.write_text(source)
    patch.setattr(rulesets, "__path__", [*rulesets.__path__, str(folder)])
    for before in [each for each in sys.modules if each.startswith(package)]:
        del sys.modules[before]
    module = import_module(package)
    copy: Rules = next(each for each in vars(module).values() if isinstance(each, type(rules)))
    return copy


def made(registry: dict[str, Rules], tmp_path: Path, patch: pytest.MonkeyPatch) -> Json:
    """The document of a service with these rulesets."""
    patch.setattr(served, "RULESETS", registry)
    app = application.rest_api(Runtime(Settings(database=str(tmp_path / "unused.db"))))
    found: Json = json.loads(build.written(document(app, registry, HEADERS)))
    return found


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("first", [False, True])
def test_adding_a_ruleset_does_not_change_the_others(
    ruleset: str, first: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = {"copied": copied(RULESETS[ruleset], "copied", tmp_path, monkeypatch)}
    both = made(copy | RULESETS if first else RULESETS | copy, tmp_path, monkeypatch)
    after = both["components"]["schemas"]
    assert {name: json.dumps(after[name]) for name in COMPONENTS} == {
        name: json.dumps(component) for name, component in COMPONENTS.items()
    }
    assert {path: json.dumps(both["paths"][path]) for path in DOCUMENT["paths"]} == {
        path: json.dumps(operations) for path, operations in DOCUMENT["paths"].items()
    }
    new = after.keys() - COMPONENTS.keys()
    assert new and all(name.startswith("Copied") for name in new)
    longer = tuple(pascal(other) for other in RULESETS if other.startswith(f"{ruleset}_"))
    own = [name for name in COMPONENTS if name.startswith(pascal(ruleset)) and not name.startswith(longer)]
    assert len(new) == len(own)
    assert any("Copied." in after[name]["description"] for name in new if "description" in after[name])


def test_operations_are_listed_in_the_order_in_which_a_client_needs_them() -> None:
    made = build.built()
    listed = [(each["tags"][0], each["operationId"]) for path in made["paths"].values() for each in path.values()]
    tags = [tag["name"] for tag in made["tags"]]
    assert [tag for tag, _ in groupby(tag for tag, _ in listed)] == [tag for tag in tags if tag in dict(listed)]
    assert tags[0] == "Players"
    last = step_of("of no operation")
    for tag in tags:
        first = [step_of(operation) for each, operation in listed if each == tag]
        assert last not in first, f"an operation of {tag} has no place in STEPS"
    games = [operation.removeprefix("game_") for tag, operation in listed if tag == TAG]
    assert games[:6] == ["open", "sit_down", "ready", "look", "cancel", "legal_moves"]
