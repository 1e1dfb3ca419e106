"""Generic variants of the routes of games, for clients that support any ruleset.

A lobby or a bot for all games is written against `/v1/games/{ruleset}/...`: the same routes, documented a second time
with options, moves, events and views as open objects. Every body that is valid under a ruleset's own schema is also
valid under the generic schema.
"""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from functools import reduce
from operator import or_
from types import UnionType
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin

from msgspec import Meta, Struct

from domain.game import Rules, event_type
from service.api.contract import Answer, Contract

Json: TypeAlias = dict[str, Any]

TAG = "Games"
DESCRIPTION = "Games of any ruleset: for a lobby or a bot that has no code for a particular one."

PATH = "/v1/games/{ruleset}"
Ruleset = Annotated[str, Meta(description="The name of the ruleset.")]
PARAMETER: Json = {"name": "ruleset", "in": "path", "required": True, "schema": {}}
TYPED: Json = {"properties": {"type": {"type": "string"}}, "required": ["type"], "additionalProperties": True}

Options = Annotated[
    dict[str, Any], Meta(title="GameOptions", description="The options of the game: see `options` of the ruleset.")
]
View = Annotated[dict[str, Any], Meta(title="GameView", description="The table: see `view` of the ruleset.")]
Deck = Annotated[dict[str, Any], Meta(title="GameDeck", description="A deck: see `deck` of the ruleset.")]
Move = Annotated[
    dict[str, Any],
    Meta(
        title="GameMove",
        description="A move of any ruleset. Moves from `legal_moves` can be posted unchanged.",
        extra_json_schema=TYPED,
    ),
]
Event = Annotated[
    dict[str, Any], Meta(title="GameEvent", description="An event of any ruleset.", extra_json_schema=TYPED)
]


def is_generic(path: str) -> bool:
    return path == PATH or path.startswith(f"{PATH}/")


def source(path: str, registry: Mapping[str, Rules]) -> str:
    """The path of the route that a documented path stands for. A generic path stands for the first ruleset's route
    (the routes of all rulesets are alike)."""
    return path.replace(PATH, f"/v1/games/{next(iter(registry))}") if is_generic(path) else path


def with_generic_paths(documented: Json, registry: Mapping[str, Rules]) -> Json:
    rules = next(iter(registry.values()))
    own = source(PATH, registry)
    found = {path: operations for path, operations in documented.items() if path == own or path.startswith(f"{own}/")}
    return documented | {
        PATH + path.removeprefix(own): {method: _operation(one, rules) for method, one in operations.items()}
        for path, operations in found.items()
    }


def _operation(own: Json, rules: Rules) -> Json:
    return deepcopy(own) | {
        "operationId": _operation_id(own["operationId"], rules),
        "summary": own["summary"].replace(f" of {rules.labels['en'].title}", ""),
        "tags": [TAG],
        "parameters": [deepcopy(PARAMETER), *deepcopy(own.get("parameters", []))],
    }


def _operation_id(operation: str, rules: Rules) -> str:
    return operation.replace(rules.name, "game", 1)


def own_operation_ids(generic: str, registry: Mapping[str, Rules]) -> list[str]:
    """The operations of all rulesets that a generic operation stands for."""
    return [generic.replace("game", name, 1) for name in registry]


def generic_contract(own: Contract, rules: Rules, not_found: Answer) -> Contract:
    """The contract of a ruleset's handler, made generic. `not_found` is the response for an unknown ruleset."""
    answers = tuple([_answer(each, rules) for each in own.answers])
    if not any(each.status == not_found.status for each in answers):
        answers = (*answers, not_found)
    return replace(own, answers=answers, body=_kind(own.body, rules))


def _answer(own: Answer, rules: Rules) -> Answer:
    links = {
        name: to
        | {
            "operationId": _operation_id(to["operationId"], rules),
            "parameters": {"ruleset": "$request.path.ruleset"} | to["parameters"],
        }
        for name, to in (own.links or {}).items()
    }
    return replace(own, body=_kind(own.body, rules), links=links or None)


def _kind(own: Any, rules: Rules) -> Any:
    """The type, with open objects in place of the ruleset's types."""
    known = (
        (rules.options, Options), (rules.state, View), (rules.move, Move), (event_type(rules), Event),
        (rules.deck.data_type, Deck),
    )  # fmt: skip
    for kind, open_kind in known:
        if own == kind:
            return open_kind
    origin, parts = get_origin(own), get_args(own)
    if origin is Literal:  # the names of the ruleset's decks and bots
        return type(parts[0])
    if origin is Annotated:  # the seats
        return _kind(parts[0], rules)
    if origin in (Union, UnionType):
        return reduce(or_, [_kind(part, rules) for part in parts])
    if origin is list:
        return list[_kind(parts[0], rules)]  # type: ignore[misc]
    if isinstance(origin, type) and issubclass(origin, Struct):
        generic: Any = origin
        return generic[tuple(_kind(part, rules) for part in parts)]
    return own
