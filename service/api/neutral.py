"""The routes of games as the OpenAPI document shows them once more, for clients that play whatever ruleset it is.

A lobby or a bot for all games is written against `/v1/games/{ruleset}/...`: the same routes, where options, moves,
events and views are open objects. Every game that a ruleset's own schema describes fits the neutral schema as well.
"""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, get_args, get_origin

from msgspec import Meta, Struct

from domain.game import Rules, event_type

if TYPE_CHECKING:
    from service.api.contract import Answer, Contract

Json: TypeAlias = dict[str, Any]

TAG = "Games"
ABOUT = "Games of any ruleset, for a lobby or a bot that knows none of them."

PATH = "/v1/games/{ruleset}"
Ruleset = Annotated[str, Meta(description="Of which ruleset.")]
PARAMETER: Json = {"name": "ruleset", "in": "path", "required": True, "schema": {}}
TYPED: Json = {"properties": {"type": {"type": "string"}}, "required": ["type"], "additionalProperties": True}

Options = Annotated[
    dict[str, Any], Meta(title="GameOptions", description="What was agreed, as the `options` of the ruleset say.")
]
View = Annotated[dict[str, Any], Meta(title="GameView", description="The table, as the `view` of the ruleset says.")]
Deck = Annotated[dict[str, Any], Meta(title="GameDeck", description="A deck, as the `deck` of the ruleset says.")]
Move = Annotated[
    dict[str, Any],
    Meta(
        title="GameMove",
        description="A move of any ruleset. One that is listed can be posted.",
        extra_json_schema=TYPED,
    ),
]
Event = Annotated[
    dict[str, Any], Meta(title="GameEvent", description="What has happened, in any ruleset.", extra_json_schema=TYPED)
]


def is_neutral(path: str) -> bool:
    return path == PATH or path.startswith(f"{PATH}/")


def source(path: str, registry: Mapping[str, Rules]) -> str:
    """The path of the route that a path in the document stands for. (They are alike for all rulesets.)"""
    return path.replace(PATH, f"/v1/games/{next(iter(registry))}") if is_neutral(path) else path


def paths(documented: Json, registry: Mapping[str, Rules]) -> Json:
    """The documented paths and the neutral ones."""
    rules = next(iter(registry.values()))
    own = source(PATH, registry)
    found = {path: operations for path, operations in documented.items() if path == own or path.startswith(f"{own}/")}
    return documented | {
        PATH + path.removeprefix(own): {method: _operation(one, rules) for method, one in operations.items()}
        for path, operations in found.items()
    }


def _operation(own: Json, rules: Rules) -> Json:
    return deepcopy(own) | {
        "operationId": _named(own["operationId"], rules),
        "summary": own["summary"].replace(f" of {rules.labels['en'].title}", ""),
        "tags": [TAG],
        "parameters": [deepcopy(PARAMETER), *deepcopy(own.get("parameters", []))],
    }


def _named(operation: str, rules: Rules) -> str:
    return operation.replace(rules.name, "game", 1)


def contract(stated: "Contract", rules: Rules, unknown: "Answer") -> "Contract":
    """What a ruleset's handler states, for any ruleset; `unknown` is the answer where there is no such ruleset."""
    answers = tuple([_answer(each, rules) for each in stated.answers])
    if not any(each.status == unknown.status for each in answers):
        answers = (*answers, unknown)
    return replace(stated, answers=answers, body=_kind(stated.body, rules), examples=None)


def _answer(own: "Answer", rules: Rules) -> "Answer":
    links = {
        name: to
        | {
            "operationId": _named(to["operationId"], rules),
            "parameters": {"ruleset": "$request.path.ruleset"} | to["parameters"],
        }
        for name, to in (own.links or {}).items()
    }
    return replace(own, body=_kind(own.body, rules), links=links or None, examples=None)


def _kind(own: Any, rules: Rules) -> Any:
    """The type, with open objects in place of the ruleset's own types."""
    known = (
        (rules.options, Options), (rules.state, View), (rules.move, Move), (event_type(rules), Event),
        (rules.deck.data_type, Deck),
    )  # fmt: skip
    for kind, open_kind in known:
        if own == kind:
            return open_kind
    origin, parts = get_origin(own), get_args(own)
    if origin is Literal:  # the names of its decks
        return type(parts[0])
    if origin is Annotated:  # how many may play
        return parts[0]
    if isinstance(origin, type) and issubclass(origin, Struct):
        generic: Any = origin
        return generic[tuple(_kind(part, rules) for part in parts)]
    return own
