"""What a handler states about its operation: the type of the request body and every possible response.

The handler decodes bodies by its contract, and `service.documents` writes the document from it. Litestar documents
paths, parameters, tags and summaries. Bodies come from here because msgspec's JSON Schemas are exact (discriminators,
`additionalProperties: false`, docstrings) and Litestar's are not.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, reduce
from http import HTTPStatus
from inspect import cleandoc
from operator import or_
from types import NoneType
from typing import Any, TypeAlias, get_args, get_origin

import msgspec
from litestar.di import Provide
from litestar.handlers import HTTPRouteHandler

from domain.game import Rules
from domain.messages import Move
from service.api import problems

Json: TypeAlias = dict[str, Any]

MAX_BODY = 64 * 1024
"""The largest request body of most operations, in bytes."""

JSON, PROBLEM = "application/json", "application/problem+json"

REQUIRED: list[dict[str, list[str]]] = [{"bearer": []}]
"""Security of operations that require a token."""

OPTIONAL: list[dict[str, list[str]]] = [{}, {"bearer": []}]
"""Security of operations without a required token. A token that is sent must be valid."""


@dataclass(frozen=True)
class Answer:
    """One possible response of an operation. Answers with the same status are alternatives."""

    status: int
    body: Any = None
    """The type of the body; None: no body."""
    description: str = ""
    """Replaces the docstring of the body's type."""
    media: str = JSON
    headers: tuple[str, ...] = ()
    """Names of response headers; `service.documents.config` describes them."""
    links: Mapping[str, Json] | None = None
    """OpenAPI links by name: see `link`."""

    @property
    def meaning(self) -> str:
        """The description in the document."""
        docstring = getattr(get_origin(self.body) or self.body, "__doc__", None) if self.body else None
        return cleandoc(self.description or docstring or HTTPStatus(self.status).phrase)


@dataclass(frozen=True)
class Contract:
    """The possible responses of an operation and the type of its request body (None: no body)."""

    answers: tuple[Answer, ...]
    body: Any = None
    max_body: int = MAX_BODY
    """The largest request body, in bytes."""
    body_media: tuple[str, ...] = (JSON,)
    """The media types of the request body."""
    cost: int = 1
    """For how many requests one counts: see `service.api.charges`."""

    def __deepcopy__(self, memo: object) -> "Contract":
        return self  # Litestar deep-copies routers, but types with constraints cannot be copied

    @cached_property
    def decoder(self) -> msgspec.json.Decoder[Any]:
        return msgspec.json.Decoder(self.body)

    @cached_property
    def optional(self) -> Mapping[str, frozenset[str]]:
        """For a body that is a move: the optional fields by the `type` of the move. They may also be null."""
        parts = get_args(self.body) or (self.body,)
        kinds = [part for part in parts if isinstance(part, type) and issubclass(part, Move)]
        return {
            str(kind.__struct_config__.tag): frozenset(
                field.encode_name for field in msgspec.structs.fields(kind) if not field.required
            )
            for kind in kinds
        }


@dataclass(frozen=True)
class Contracts:
    """The contracts of a handler that serves the games of all rulesets: `make` returns that of one ruleset."""

    make: Callable[[Rules], Contract]
    takes_body: bool
    cost: int = 1
    """As in `Contract`."""

    def __deepcopy__(self, memo: object) -> "Contracts":
        return self

    @cached_property
    def made(self) -> dict[str, Contract]:
        return {}

    def of(self, rules: Rules) -> Contract:
        found = self.made.get(rules.name)
        if found is None:
            found = self.made[rules.name] = self.make(rules)
        return found


def contracts(make: Callable[[Rules], Contract], *, takes_body: bool = False, cost: int = 1) -> Json:
    """The `opt` of a handler that serves the games of all rulesets."""
    return {"contract": Contracts(make, takes_body, cost)}


QUERY = 30
"""What an operation costs that queries tables."""

LISTING = 15
"""What a query of the lobby costs, whose statement is made once: 1 ms of the process, half of what others take."""

WRITE = 2 * QUERY
"""What an operation costs that waits for a write to tables and reads them again, such as a block: 6 ms."""


def contract(
    *answers: Answer, body: Any = None, max_body: int = MAX_BODY, body_media: tuple[str, ...] = (JSON,),
    cost: int = QUERY,
) -> Json:  # fmt: skip
    """The `opt` of a handler."""
    return {"contract": Contract(answers, body, max_body, body_media, cost)}


def contract_of(handler: HTTPRouteHandler, rules: Rules | None = None) -> Contract:
    """The contract of a handler; `rules` are those of the request, if it is about a ruleset."""
    stated = handler.opt.get("contract")
    if isinstance(stated, Contracts):
        assert rules is not None, f"the contract of {handler} depends on the ruleset"
        return stated.of(rules)
    assert isinstance(stated, Contract), f"{handler} states no contract"
    return stated


@cache
def problem(kind: Any, *headers: str) -> Answer:
    """The response with a problem document of this type. The type has the status."""
    status = next(field.default for field in msgspec.structs.fields(kind) if field.name == "status")
    return Answer(status, kind, media=PROBLEM, headers=headers)


def common_problems() -> tuple[Answer, ...]:
    """The problems that every operation on games can return."""
    return (
        problem(problems.Malformed),
        problem(problems.Unauthenticated, "WWW-Authenticate"),
        problem(problems.TooManyRequests, "Retry-After", "RateLimit", "RateLimit-Policy"),
        problem(problems.Unavailable, "Retry-After"),
    )


def link(operation: str, description: str, body: str = "", **parameters: str) -> Json:
    """An OpenAPI link to the operation with this id.

    `parameters` and `body` are runtime expressions: `game_id="$response.body#/id"`.
    """
    to = {"operationId": operation, "description": description, "parameters": parameters}
    return to | {"requestBody": body} if body else to


def parameter_types(handler: HTTPRouteHandler) -> Json:
    """The types by which Litestar validates the handler's parameters, by name.

    They differ from the schemas that Litestar documents (it drops `ge=0`). None is left out: a parameter may be absent,
    but neither a URL nor a header can carry null.
    """
    kinds: Json = {}
    readers: list[HTTPRouteHandler | Provide] = [handler, *handler.resolve_dependencies().values()]
    for reader in readers:
        for field in msgspec.structs.fields(reader.signature_model):
            name = getattr(reader.parsed_fn_signature.parameters[field.name].kwarg_definition, "name", None)
            some = [kind for kind in get_args(field.type) if kind is not NoneType]
            kinds[name or field.name] = reduce(or_, some) if NoneType in get_args(field.type) else field.type
    return kinds
