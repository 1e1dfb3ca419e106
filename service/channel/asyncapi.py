"""The AsyncAPI document of the play channel, written from the types of its messages.

The schemas are those of the OpenAPI document: a client that reads both finds the same types under the same names.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from inspect import cleandoc
from operator import or_
from typing import Any, TypeAlias

from domain.game import Rules
from service.api import problems
from service.api.operations import Operation, every_operation, exchanges, illegal_type, item_type, late_type, stale_type
from service.channel import messages
from service.documents.components import Namespace, distinct, input_and_output

Json: TypeAlias = dict[str, Any]
Kind: TypeAlias = Callable[[Rules], Any]
"""The type of a message in games of a ruleset."""

SUBPROTOCOL = "stammtisch.v1"

LOCATION = "#/channels/play"

DESCRIPTION = f"""One web socket for everything that a player does in games.

Open `/v1/channel` with the subprotocol `{SUBPROTOCOL}`. The first message is `authenticate`, unless the upgrade has an
`Authorization` header or the caller has no token. Every message is one JSON object in a text frame of at most 64 KiB,
with its `type`. The page "The play channel" of the documentation explains limits, resuming and close codes."""


def any_problem() -> Any:
    """The problems that do not depend on the ruleset: of every request, and those that the table of operations
    names."""
    rows = every_operation()
    of_games: Any = reduce(or_, _refusals(each for each in rows if each.answer is not None)) | (
        problems.Malformed | problems.Unauthenticated | problems.Forbidden | problems.NotSeated | problems.NotFound
        | problems.Gone
    )  # fmt: skip
    theirs = reduce(or_, _refusals(each for each in rows if each.exchange is not None), of_games)
    return theirs | (
        problems.IdempotencyKeyReused | problems.TooManyRequests | problems.Internal | problems.Unavailable
    )


def _refusals(rows: Iterable[Operation]) -> list[Any]:
    return [problems.PROBLEM_OF.get(why, why) for each in rows for why in each.refuses]


def of_problem(rules: Rules) -> Any:
    return late_type(rules) | illegal_type(rules) | stale_type(rules)


def requests() -> dict[type[Any], tuple[type[Any], ...]]:
    """The requests with their answers besides `problem`."""
    return {
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
        **{each.request: (each.answer,) for each in exchanges()},
    }


UNSOLICITED: tuple[type[Any], ...] = (
    messages.Events, messages.State, messages.End, messages.Lobby, messages.EndLobby, messages.Turn, messages.EndTurns,
)  # fmt: skip


def unsolicited() -> tuple[type[Any], ...]:
    """What the service sends without a request."""
    return *UNSOLICITED, *(kind for each in exchanges() for kind in each.sends)


def sent() -> tuple[type[Any], ...]:
    """What the service sends."""
    answers = [each for kinds in requests().values() for each in kinds]
    return tuple(dict.fromkeys([*answers, messages.Refused, *unsolicited()]))


OF_RULESET: Mapping[type[Any], Kind] = {
    messages.MakeMove: lambda rules: messages.MakeMove[rules.move],  # type: ignore[name-defined]
    messages.Moved: lambda rules: messages.Moved[item_type(rules)],  # type: ignore[misc]
    messages.LegalMoves: lambda rules: messages.LegalMoves[rules.move],  # type: ignore[name-defined]
    messages.Refused: lambda rules: messages.Refused[of_problem(rules)],  # type: ignore[misc]
    messages.Events: lambda rules: messages.Events[item_type(rules)],  # type: ignore[misc]
    messages.State: lambda rules: messages.State[rules.move],  # type: ignore[name-defined]
}
"""The types of the core that depend on the ruleset."""

WITH_PROBLEM: tuple[Any, ...] = messages.Refused, messages.End, messages.EndLobby, messages.EndTurns
"""Generic messages that do not depend on the ruleset."""


def document(registry: Mapping[str, Rules]) -> Json:
    """The document for these rulesets. Deterministic."""
    core, spaces = Namespace(), {name: Namespace(rules) for name, rules in registry.items()}
    made: Json = {}
    received: list[Json] = []
    answered: list[Json] = []
    theirs = {each.answer: each.answer_of for each in exchanges() if each.answer_of is not None}
    of_ruleset = {**OF_RULESET, **theirs}
    with_problem: list[Any] = [kind for each in exchanges() for kind in each.sends if hasattr(kind, "__parameters__")]
    any_game = {kind: kind[any_problem()] for kind in (*WITH_PROBLEM, *with_problem)}

    def payload(kind: type[Any], schemas: list[Json]) -> Json:
        found = [spaces[name].schema(of_ruleset[kind](rules)) for name, rules in registry.items() if kind in of_ruleset]
        if kind not in of_ruleset or kind in any_game:
            found.append(core.schema(any_game.get(kind, kind)))
        schemas += found
        return found[0] if len(found) == 1 else {"anyOf": found}

    for kinds, schemas in ((tuple(requests()), received), (sent(), answered)):
        for kind in kinds:
            made[kind.__name__] = {
                "name": kind.__struct_config__.tag,
                "title": kind.__name__,
                "description": cleandoc(kind.__doc__ or ""),
                "payload": payload(kind, schemas),
            }
    for kind in sent():
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
            "schemas": input_and_output(components, received, answered, (core, *spaces.values())),
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}},
        },
    })  # fmt: skip
    return written


def operations() -> Json:
    """The operations, from the point of view of the service."""
    channel = {"$ref": LOCATION}
    made: Json = {}
    for kind, answers in requests().items():
        made[str(kind.__struct_config__.tag)] = {
            "action": "receive",
            "channel": channel,
            "summary": row.summary if (row := messages.COMMANDS.get(kind)) else first_line(kind),
            "messages": [reference(kind)],
            "reply": {"channel": channel, "messages": [*map(reference, answers), reference(messages.Refused)]},
        }
    for each in unsolicited():
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
