"""Examples in the OpenAPI document: requests and responses from the transcripts in `openapi/examples`."""

import re
from collections.abc import Iterable
from hashlib import sha256
from importlib.resources import files
from typing import Any, TypeAlias
from uuid import UUID

import msgspec

from domain.game import Rules
from service.process.interpreter import ROOT

Json: TypeAlias = dict[str, Any]


def exchanges_by_operation(registry: Iterable[Rules]) -> dict[str, list[Json]]:
    """The exchanges of all transcripts by operation id. A ruleset may have no transcript yet."""
    found: dict[str, list[Json]] = {}
    for rules in registry:
        file = files(f"{ROOT}openapi").joinpath("examples", f"{rules.name}.http.json")
        exchanges = msgspec.json.decode(file.read_bytes())["exchanges"] if file.is_file() else ()
        for exchange in exchanges:
            found.setdefault(exchange["request"]["operation"], []).append(exchange)
    return found


def request_examples(exchanges: Iterable[Json]) -> Json:
    """Example objects of the request bodies, by the `type` of the move or the title of the exchange."""
    found: Json = {}
    for exchange in exchanges:
        if "body" in exchange["request"]:
            body = exchange["request"]["body"]
            found.setdefault(body.get("type", exchange["title"]), {"value": body})
    return found


def add_response_examples(responses: Json, exchanges: Iterable[Json]) -> None:
    """Adds the response bodies of the exchanges, one for each title, to the operation's `responses`."""
    for exchange in exchanges:
        answer, title = exchange["answer"], exchange["title"]
        if answer["body"] is None:
            continue
        content = responses[str(answer["status"])]["content"][answer["headers"]["content-type"]]
        name = re.sub(r"\W+", "_", title.lower()).strip("_")
        content.setdefault("examples", {}).setdefault(name, {"summary": title, "value": filled_in(answer["body"])})


def filled_in(value: Any) -> Any:
    """The value with its placeholders replaced. Transcripts use names in braces for what differs between runs."""
    match value:
        case dict():
            return {key: filled_in(item) for key, item in value.items()}
        case list():
            return [filled_in(item) for item in value]
        case str():
            return re.sub(r"{((?:token|game|player|hash)(?: \d+)?|time)}", lambda name: sample(name[1]), value)
    return value


def sample(name: str) -> str:
    """A realistic token, id, time or hash for the placeholder. The same name always gives the same value."""
    digest = sha256(name.encode()).hexdigest()
    match name.partition(" ")[0]:
        case "token":
            return f"eyJhbGciOiJIUzI1NiJ9.{digest[:32]}.{digest[32:]}"
        case "time":
            return "2026-01-31T12:00:00.000000Z"
        case "game" | "player":
            return str(UUID(digest[:32], version=4))
    return digest
