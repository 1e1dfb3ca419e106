"""What was asked and answered in the transcripts of `openapi/examples`, as examples of the OpenAPI document."""

import re
from collections.abc import Iterable
from hashlib import sha256
from importlib.resources import files
from typing import Any, TypeAlias
from uuid import UUID

import msgspec

from domain.game import Rules

Json: TypeAlias = dict[str, Any]


def transcript(rules: Rules) -> list[Json]:
    """What was asked and answered in the transcript of the ruleset; nothing before there is one."""
    file = files("openapi").joinpath("examples", f"{rules.name}.http.json")
    exchanges: list[Json] = msgspec.json.decode(file.read_bytes())["exchanges"] if file.is_file() else []
    return exchanges


def add_answers(responses: Json, exchanges: Iterable[Json]) -> None:
    """Bodies that were answered in a transcript, one for each of its titles."""
    for exchange in exchanges:
        answer, title = exchange["answer"], exchange["title"]
        shown = responses[str(answer["status"])]["content"][answer["headers"]["content-type"]]
        name = re.sub(r"\W+", "_", title.lower()).strip("_")
        shown.setdefault("examples", {}).setdefault(name, {"summary": title, "value": filled_in(answer["body"])})


def filled_in(value: Any) -> Any:
    """With values for the names in braces that stand in transcripts for what differs from run to run."""
    match value:
        case dict():
            return {key: filled_in(item) for key, item in value.items()}
        case list():
            return [filled_in(item) for item in value]
        case str():
            return re.sub(r"{(token|game|player|time|hash \d+)}", lambda name: stand_in(name[1]), value)
    return value


def stand_in(name: str) -> str:
    """What looks like a token, an id, a time or a hash, always the same for a name."""
    digest = sha256(name.encode()).hexdigest()
    match name:
        case "token":
            return f"eyJhbGciOiJIUzI1NiJ9.{digest[:32]}.{digest[32:]}"
        case "time":
            return "2026-01-31T12:00:00.000000Z"
        case "game" | "player":
            return str(UUID(digest[:32], version=4))
    return digest
