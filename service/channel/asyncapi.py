"""The AsyncAPI document of the play channel, written from the types of its messages.

The schemas are those of the OpenAPI document: a client that reads both finds the same types under the same names.
"""

from collections.abc import Callable, Mapping
from functools import reduce
from inspect import cleandoc
from operator import or_
from typing import Any, TypeAlias

from domain.game import Rules
from service.api import problems
from service.api.operations import OPERATIONS, illegal_type, item_type, late_type, stale_type
from service.channel import messages
from service.documents.components import Namespace, distinct, input_and_output

Json: TypeAlias = dict[str, Any]
Kind: TypeAlias = Callable[[Rules], Any]
"""The type of a message in games of a ruleset."""

OF_COMMANDS: Any = reduce(
    or_, [problems.PROBLEM_OF.get(why, why) for each in OPERATIONS if each.answer is not None for why in each.refuses]
)
"""The problems that the table of operations names."""

ANY_PROBLEM: Any = OF_COMMANDS | (
    problems.Malformed | problems.Unauthenticated | problems.Forbidden | problems.NotSeated | problems.NotFound
    | problems.Gone | problems.NoHint
    | problems.IdempotencyKeyReused | problems.TooManyRequests | problems.Internal | problems.Unavailable
)  # fmt: skip
"""The problems that do not depend on the ruleset."""

SUBPROTOCOL = "stammtisch.v1"

LOCATION = "#/channels/play"

DESCRIPTION = f"""One web socket for everything that a player does in games.

Open `/v1/channel` with the subprotocol `{SUBPROTOCOL}`. The first message is `authenticate`, unless the upgrade has an
`Authorization` header or the caller has no token. Every message is one JSON object in a text frame of at most 64 KiB,
with its `type`. The page "The play channel" of the documentation explains limits, resuming and close codes."""


def of_problem(rules: Rules) -> Any:
    return late_type(rules) | illegal_type(rules) | stale_type(rules)


REQUESTS: Mapping[type[Any], tuple[type[Any], ...]] = {
    messages.Authenticate: (messages.Authenticated,),
    messages.Follow: (messages.Following, messages.Unfollowed),
    messages.Unfollow: (messages.Unfollowed,),
    messages.FollowLobby: (messages.FollowingLobby, messages.UnfollowedLobby),
    messages.UnfollowLobby: (messages.UnfollowedLobby,),
    messages.FollowTurns: (messages.FollowingTurns, messages.UnfollowedTurns),
    messages.UnfollowTurns: (messages.UnfollowedTurns,),
    messages.MakeMove: (messages.Moved,),
    **{request: (messages.ANSWERS[each.id],) for request, each in messages.COMMANDS.items()},
    messages.ListLegalMoves: (messages.LegalMoves,),
    messages.AskForHint: (messages.Hinted,),
    messages.Say: (messages.Said,),
}
"""The requests with their answers besides `problem`."""

UNSOLICITED: tuple[type[Any], ...] = (
    messages.Events, messages.State, messages.Presence, messages.Phrase, messages.End, messages.Lobby,
    messages.EndLobby, messages.Turn, messages.EndTurns,
)  # fmt: skip

SENT: tuple[type[Any], ...] = tuple(
    dict.fromkeys([*[each for request in REQUESTS for each in REQUESTS[request]], messages.Refused, *UNSOLICITED])
)
"""What the service sends."""

OF_RULESET: Mapping[type[Any], Kind] = {
    messages.MakeMove: lambda rules: messages.MakeMove[rules.move],  # type: ignore[name-defined]
    messages.Moved: lambda rules: messages.Moved[item_type(rules)],  # type: ignore[misc]
    messages.LegalMoves: lambda rules: messages.LegalMoves[rules.move],  # type: ignore[name-defined]
    messages.Hinted: lambda rules: messages.Hinted[rules.move],  # type: ignore[name-defined]
    messages.Refused: lambda rules: messages.Refused[of_problem(rules)],  # type: ignore[misc]
    messages.Events: lambda rules: messages.Events[item_type(rules)],  # type: ignore[misc]
    messages.State: lambda rules: messages.State[rules.move],  # type: ignore[name-defined]
}
"""The types that depend on the ruleset."""

ANY_GAME: Mapping[type[Any], Any] = {
    kind: kind[ANY_PROBLEM] for kind in (messages.Refused, messages.End, messages.EndLobby, messages.EndTurns)
}
"""The types of generic messages that do not depend on the ruleset."""


def document(registry: Mapping[str, Rules]) -> Json:
    """The document for these rulesets. Deterministic."""
    core, spaces = Namespace(), {name: Namespace(rules) for name, rules in registry.items()}
    made: Json = {}
    received: list[Json] = []
    sent: list[Json] = []

    def payload(kind: type[Any], schemas: list[Json]) -> Json:
        found = [spaces[name].schema(OF_RULESET[kind](rules)) for name, rules in registry.items() if kind in OF_RULESET]
        if kind not in OF_RULESET or kind in ANY_GAME:
            found.append(core.schema(ANY_GAME.get(kind, kind)))
        schemas += found
        return found[0] if len(found) == 1 else {"anyOf": found}

    for kinds, schemas in ((tuple(REQUESTS), received), (SENT, sent)):
        for kind in kinds:
            made[kind.__name__] = {
                "name": kind.__struct_config__.tag,
                "title": kind.__name__,
                "description": cleandoc(kind.__doc__ or ""),
                "payload": payload(kind, schemas),
            }
    for kind in SENT:
        if "id" in kind.__struct_fields__:
            made[kind.__name__]["correlationId"] = {"location": "$message.payload#/id"}
    components = distinct(item for space in (core, *spaces.values()) for item in space.components().items())
    written: Json = with_discriminator_names({
        "asyncapi": "3.0.0",
        "info": {"title": "Stammtisch: the play channel", "version": "1", "description": DESCRIPTION},
        "defaultContentType": "application/json",
        "channels": {
            "play": {
                "address": "/v1/channel",
                "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in made},
                "bindings": {"ws": {"method": "GET"}},
            }
        },
        "operations": operations(),
        "components": {
            "messages": made,
            "schemas": input_and_output(components, received, sent, (core, *spaces.values())),
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}},
        },
    })  # fmt: skip
    return written


def operations() -> Json:
    """The operations, from the point of view of the service."""
    channel = {"$ref": LOCATION}
    made: Json = {}
    for kind, answers in REQUESTS.items():
        made[str(kind.__struct_config__.tag)] = {
            "action": "receive",
            "channel": channel,
            "summary": row.summary if (row := messages.COMMANDS.get(kind)) else first_line(kind),
            "messages": [reference(kind)],
            "reply": {"channel": channel, "messages": [*map(reference, answers), reference(messages.Refused)]},
        }
    for each in UNSOLICITED:
        made[f"send_{each.__struct_config__.tag}"] = {
            "action": "send",
            "channel": channel,
            "summary": first_line(each),
            "messages": [reference(each)],
        }
    return made


def first_line(kind: type[Any]) -> str:
    return cleandoc(kind.__doc__ or "").partition("\n")[0]


def reference(kind: type[Any]) -> Json:
    return {"$ref": f"{LOCATION}/messages/{kind.__name__}"}


def with_discriminator_names(node: Any) -> Any:
    """The document with discriminators as AsyncAPI writes them: the name of the field alone."""
    match node:
        case {"discriminator": {"propertyName": str(name)}}:
            rest = {key: with_discriminator_names(value) for key, value in node.items() if key != "discriminator"}
            return rest | {"discriminator": name}
        case dict():
            return {key: with_discriminator_names(value) for key, value in node.items()}
        case list():
            return [with_discriminator_names(item) for item in node]
    return node
