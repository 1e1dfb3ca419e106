"""The AsyncAPI document is valid, up to date, and describes the messages that clients and service exchange."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from jsonschema import Draft7Validator, Draft202012Validator

from domain.rulesets import RULESETS
from openapi.build import ASYNCAPI, FILE, built_asyncapi, written
from service.channel import asyncapi, messages
from tests.support.channels import ChannelClient, channel, game_name
from tests.support.clients import any_of, fewest
from tests.support.listening import over_http

SPECIFICATION = Path(__file__).parent / "asyncapi" / "3.0.0-without-$id.json"

Json = dict[str, Any]


@pytest.fixture(scope="module")
def document() -> Json:
    made: Json = json.loads(written(built_asyncapi()))
    return made


def test_the_committed_document_is_up_to_date(document: Json) -> None:
    assert json.loads(ASYNCAPI.read_text()) == document


def test_the_document_is_valid(document: Json) -> None:
    validator = Draft7Validator(json.loads(SPECIFICATION.read_text()))
    assert [f"{list(error.absolute_path)}: {error.message}" for error in validator.iter_errors(document)] == []
    broken = document | {"operations": {"x": {"action": "shout", "channel": {"$ref": "#/channels/play"}}}}
    assert not validator.is_valid(broken)


def references(node: Any) -> Iterator[str]:
    match node:
        case {"$ref": str(ref)}:
            yield ref
    for child in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from references(child)


def test_every_reference_leads_somewhere_and_every_component_is_used(document: Json) -> None:
    found = set(references(document))
    for ref in found:
        node: Any = document
        for step in ref.removeprefix("#/").split("/"):
            node = node[step]
    parts = {f"#/components/schemas/{name}" for name in document["components"]["schemas"]}
    unused = {each.rsplit("/", 1)[1] for each in parts - found}
    # A ruleset's record is documented as a whole.
    assert not {name for name in unused if not any(name.lower().startswith(each.replace("_", "")) for each in RULESETS)}


def test_every_message_is_documented(document: Json) -> None:
    kinds = {
        kind
        for kind in vars(messages).values()
        if isinstance(kind, type) and kind.__module__ == messages.__name__ and kind.__struct_config__.tag is not None
    }
    kinds |= {*messages.COMMANDS, *messages.ANSWERS.values()}
    kinds |= {kind for each in messages.exchanges() for kind in (each.request, each.answer, *each.sends)}
    assert kinds - {messages.Request, messages.Answer} == {*asyncapi.requests(), *asyncapi.sent()}
    assert set(document["components"]["messages"]) == {
        kind.__name__ for kind in (*asyncapi.requests(), *asyncapi.sent())
    }


def plain(node: Any) -> Any:
    """The schema without discriminators, which the two specifications write differently."""
    if isinstance(node, dict):
        return {key: plain(value) for key, value in node.items() if key != "discriminator"}
    return [plain(item) for item in node] if isinstance(node, list) else node


def test_moves_and_events_have_the_schemas_of_openapi(document: Json) -> None:
    ours, theirs = document["components"]["schemas"], json.loads(FILE.read_text())["components"]["schemas"]
    shared = {name for name in ours if name in theirs and name.endswith(("Move", "Event", "Item"))}
    assert len(shared) > 100
    for name in shared:
        assert plain(ours[name]) == plain(theirs[name]), name


def test_every_field_is_described(document: Json) -> None:
    schemas = document["components"]["schemas"]

    def is_described(schema: Json) -> bool:
        named = schemas[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else {}
        return "const" in schema or "description" in schema or "description" in named

    fields = [(name, *field) for name in schemas for field in schemas[name].get("properties", {}).items()]
    assert [(name, field) for name, field, schema in fields if not is_described(schema)] == []


@pytest.mark.anyio
@pytest.mark.by_default("[skyjo]")
@pytest.mark.parametrize("ruleset", RULESETS)
async def test_the_messages_of_a_game_match_their_schemas(document: Json, tmp_path: Path, ruleset: str) -> None:
    async with over_http(tmp_path / "games.db") as service:
        names = ("Ann", "Bob", "Cem", "Dora", "Emil")[: fewest(ruleset)]
        players = await service.guests(*names)
        path = await players[0].open(ruleset, len(players))
        sent: list[Json] = []
        received: list[str] = []
        for seat, player in enumerate(players):
            async with channel(player) as mine:

                async def ask(type: str, mine: ChannelClient = mine, **fields: Any) -> Json:
                    request = {"type": type, **{name.rstrip("_"): value for name, value in fields.items()}}
                    sent.append(request | {"id": 1})
                    return await mine.ask(type, **fields)

                await ask("follow_lobby", ruleset=ruleset, status=None, open=False, after=0)
                await mine.next("lobby")
                await ask("follow", game=game_name(path), after=0, patch=True)
                if seat:
                    await ask("join", game=game_name(path), seat=seat, entropy="x", key="j")
                    if seat < len(players) - 1:
                        await ask("leave", game=game_name(path), seat=seat, key="l")
                        await ask("join", game=game_name(path))
                await ask("follow", game="nothing/nothing", as_="all")
                await ask("unfollow", game="nothing/nothing")
                await ask("unfollow_lobby")
                received += mine.texts
        dice = Random(1)
        for _ in range(15):
            seen = await players[0].look(path)
            if not seen["to_act"]:
                break
            async with channel(players[seen["to_act"][0]]) as mine:
                legal = (await mine.did("legal_moves", game=game_name(path)))["legal_moves"]
                move = {
                    "type": "move",
                    "game": game_name(path),
                    "move": any_of(legal, dice),
                    "version": seen["version"],
                }
                sent += [move | {"id": 1}, {"type": "legal_moves", "id": 2, "game": game_name(path), "as": 0}]
                await mine.did("follow", game=game_name(path), after=seen["version"] - 1)
                await mine.ask(**{**move, "type": "move"})
                await mine.ask(**{**move, "type": "move"})
                received += mine.texts
    parts = document["components"]["messages"]
    by_type = {
        (is_request, parts[kind.__name__]["name"]): Draft202012Validator(document | parts[kind.__name__]["payload"])
        for is_request, kinds in ((True, asyncapi.requests()), (False, asyncapi.sent())) for kind in kinds
    }  # fmt: skip
    seen_types = set()
    for is_request, message in [(True, each) for each in sent] + [(False, json.loads(text)) for text in received]:
        errors = list(by_type[is_request, message["type"]].iter_errors(message))
        assert errors == [], (message, errors[0].message)
        seen_types.add(message["type"])
    assert {"events", "state", "moved", "problem", "joined", "lobby", "following", "legal_moves"} <= seen_types
