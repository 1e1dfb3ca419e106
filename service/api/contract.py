"""What every operation takes and answers, stated once at its handler; and the OpenAPI document that is made of it.

Litestar documents paths, parameters, tags and summaries. Bodies come from here: msgspec's JSON Schemas of them are
exact (discriminators, `additionalProperties: false`, docstrings), Litestar's are not. A component that belongs to a
ruleset bears its name in front (`chess.Moved`), so name and schema stay as they are, whatever rulesets come and go.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, reduce
from http import HTTPStatus
from importlib.resources import files
from inspect import cleandoc
from operator import or_
from types import NoneType
from typing import Any, TypeAlias, get_args, get_origin

import msgspec
from litestar import Litestar, Request
from litestar.di import Provide
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.routes import HTTPRoute

from domain import wire
from domain.deck import Deck, Name
from domain.game import Rules, event_type
from domain.messages import Move
from service.api.problems import ANYWHERE

Json: TypeAlias = dict[str, Any]

JSON, PROBLEM = "application/json", "application/problem+json"


# --- what handlers state ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Answer:
    """One way in which an operation may end. Those that share a status are alternatives."""

    status: int
    body: Any = None
    """The body's type; None: there is no body."""
    description: str = ""
    """What it means, unless the docstring of the body's type says it."""
    media: str = JSON
    headers: tuple[str, ...] = ()
    """Names of headers that the document knows."""
    links: Mapping[str, Json] | None = None
    """Where it leads: see `link`."""
    examples: Mapping[str, Any] | None = None
    """Bodies by the example's name."""

    @property
    def meaning(self) -> str:
        docstring = getattr(get_origin(self.body) or self.body, "__doc__", None) if self.body else None
        return cleandoc(self.description or docstring or HTTPStatus(self.status).phrase)


@dataclass(frozen=True)
class Contract:
    """What the body of a request has to be, and how the operation may end."""

    answers: tuple[Answer, ...]
    body: Any = None
    examples: Mapping[str, Any] | None = None

    def __deepcopy__(self, memo: object) -> "Contract":
        return self  # Litestar copies routers when it takes them in, but types with constraints cannot be copied

    @cached_property
    def decoder(self) -> msgspec.json.Decoder[Any]:
        return msgspec.json.Decoder(self.body)

    @cached_property
    def optional(self) -> Mapping[str, frozenset[str]]:
        """By the `type` of each move that the body may be, the fields that may be absent, and then may be null as well."""
        kinds = [
            kind for kind in get_args(self.body) or (self.body,) if isinstance(kind, type) and issubclass(kind, Move)
        ]
        return {
            str(kind.__struct_config__.tag): frozenset(
                field.encode_name for field in msgspec.structs.fields(kind) if not field.required
            )
            for kind in kinds
        }


def contract(*answers: Answer, body: Any = None, examples: Mapping[str, Any] | None = None) -> Json:
    """The `opt` of a handler. The `opt` of a ruleset's handlers, or of their router, names the `ruleset` as well."""
    return {"contract": Contract(answers, body, examples)}


def contract_of(handler: HTTPRouteHandler) -> Contract:
    stated = handler.opt.get("contract")
    assert isinstance(stated, Contract), f"{handler} states no contract"
    return stated


def examples(rules: Rules) -> dict[str, dict[str, Any]]:
    """The bodies that were sent in the transcript of the ruleset, by operation and name; none before there is one."""
    file = files("openapi").joinpath("examples", f"{rules.name}.http.json")
    exchanges = msgspec.json.decode(file.read_bytes())["exchanges"] if file.is_file() else ()
    found: dict[str, dict[str, Any]] = {}
    for exchange in exchanges:
        request, title = exchange["request"], exchange["title"]
        if "body" in request:
            found.setdefault(request["operation"], {}).setdefault(request["body"].get("type", title), request["body"])
    return found


def problem(kind: Any, *headers: str) -> Answer:
    """The answer that is a problem document of that type; the type says of which status."""
    status = next(field.default for field in msgspec.structs.fields(kind) if field.name == "status")
    return Answer(status, kind, media=PROBLEM, headers=headers)


def link(operation: str, description: str, body: str = "", **parameters: str) -> Json:
    """The operation of that id; its parameters and body are taken from the answer: `id="$response.body#/id"`."""
    to = {"operationId": operation, "description": description, "parameters": parameters}
    return to | {"requestBody": body} if body else to


# --- schemas ------------------------------------------------------------------------------------------------------

PLACE = "#/components/schemas/"


class Namespace:
    """The schemas of one ruleset, or without rules those of the core.

    A type is the ruleset's if the ruleset's record mentions it or if it is made of such types, else the core's.
    """

    def __init__(self, rules: Rules | None = None) -> None:
        self.prefix = f"{rules.name}." if rules else ""
        self.record = [rules.options, rules.deck.data_type, rules.state, rules.move, rules.event] if rules else []
        self.unions = {"Move": rules.move, "Event": event_type(rules)} if rules else {}
        self.asked: list[tuple[Any, Json]] = []
        self.sparing: set[str] = set()
        """References to the components whose fields are not sent where they are as by default."""

    def schema(self, kind: Any) -> Json:
        """The type's schema, empty until `components` fills it in: names depend on all the types together."""
        schema: Json = {}
        self.asked.append((kind, schema))
        return schema

    def components(self) -> Json:
        """All components by reference; and fills in the schemas that were asked for."""
        kinds = [*self.record, *self.unions.values(), *(kind for kind, _ in self.asked)]
        sparing = sparing_structs(kinds)
        made, found = msgspec.json.schema_components(kinds, schema_hook=deck_by_name, ref_template=PLACE + "{name}")
        schemas, structs = iter(made), {PLACE + name: schema for name, schema in found.items()}
        own = reachable([next(schemas) for _ in self.record], structs)
        unions = {PLACE + self.prefix + name: next(schemas) for name in self.unions}
        names = {}
        for ref, struct in structs.items():
            name = struct.pop("title")  # Opened[Options, SkyjoDeckData]
            names[ref] = PLACE + (
                re.sub(r"\W+", "_", name).strip("_")
                if own.isdisjoint(reachable([ref], structs))
                else self.prefix + name.partition("[")[0]
            )
            if name in sparing:
                self.sparing.add(names[ref])

        def final(node: Any) -> Any:
            """With the final names; a union that has a name is not written out."""
            match node:
                case {"anyOf": _} if named := [ref for ref, union in unions.items() if union == node]:
                    return {"$ref": named[0]}
                case {"description": str(text)}:
                    return written(node) | {"description": cleandoc(text)}
                case dict():
                    return written(node)
                case list() | tuple():  # a default that is a tuple stays one in msgspec's schemas
                    return [final(item) for item in node]
                case str():
                    return names.get(node, node)
            return node

        def written(node: Json) -> Json:
            return {key: final(value) for key, value in node.items()}

        for (_, schema), done in zip(self.asked, schemas, strict=True):
            schema |= final(done)
        components = [(ref, written(union)) for ref, union in unions.items()]
        components += [(names[ref], final(struct)) for ref, struct in structs.items()]
        return distinct(components)


def sparing_structs(kinds: Iterable[Any]) -> set[str]:
    """The names of the Structs in these types that leave out fields which are as by default (`omit_defaults`)."""
    waiting: list[Any] = [*msgspec.inspect.multi_type_info(kinds)]
    seen: set[Any] = set()
    names: set[str] = set()
    while waiting:
        node = waiting.pop()
        if isinstance(node, msgspec.inspect.StructType):
            if node.cls in seen:
                continue
            seen.add(node.cls)
            kind: Any = get_origin(node.cls) or node.cls
            if kind.__struct_config__.omit_defaults:
                names.add(kind.__name__)
        for part in msgspec.structs.astuple(node):
            parts = part if isinstance(part, tuple) else (part,)
            waiting += [each for each in parts if isinstance(each, msgspec.inspect.Type | msgspec.inspect.Field)]
    return names


def deck_by_name(kind: type) -> Json:
    """In the JSON of a state a deck stands as its name."""
    if not issubclass(kind, Deck):
        raise NotImplementedError
    return msgspec.json.schema(Name)


def reachable(nodes: Iterable[Any], components: Json) -> set[str]:
    """The components that are referred to, those that they refer to, and so on."""
    reached: set[str] = set()
    waiting = list(nodes)
    while waiting:
        match waiting.pop():
            case dict() as node:
                waiting += node.values()
            case list() as items:
                waiting += items
            case str() as ref if ref in components and ref not in reached:
                reached.add(ref)
                waiting.append(components[ref])
    return reached


def distinct(components: Iterable[tuple[str, Json]]) -> Json:
    """The components as an object. Two types of one name that are not the same are a mistake."""
    known: Json = {}
    for name, schema in components:
        assert known.setdefault(name, schema) == schema, f"different types are named {name}"
    return known


def always_sent(component: Json) -> Json:
    """As an answer: fields with a default are written too. (Fields that may be left out default to UNSET.)"""
    fields, required = component.get("properties", {}), component.get("required", ())
    named = [name for name, field in fields.items() if name in required or "default" in field]
    return component | {"required": named} if named else component


# --- the document -------------------------------------------------------------------------------------------------


class Document(JsonRenderPlugin):
    """Serves the finished document. Litestar's own would be served in its place otherwise."""

    def __init__(self, registry: Mapping[str, Rules], headers: Mapping[str, Any]) -> None:
        super().__init__()
        self.registry, self.headers = registry, headers
        self.text = b""

    def render(self, request: Request[Any, Any, Any], openapi_schema: Json) -> bytes:  # noqa: ARG002
        self.text = self.text or msgspec.json.encode(document(request.app, self.registry, self.headers))
        return self.text


def document(app: Litestar, registry: Mapping[str, Rules], headers: Mapping[str, Any]) -> Json:
    """The OpenAPI document of the app. `headers` are the types of the headers that answers may have."""
    text = app.openapi_schema.to_schema()
    core, spaces = Namespace(), {name: Namespace(rules) for name, rules in registry.items()}
    received: list[Json] = []
    described: list[Json] = []
    for route in app.routes:
        for method, (handler, _) in route.route_handler_map.items() if isinstance(route, HTTPRoute) else ():
            if operation := text["paths"].get(route.path_format, {}).get(method.lower()):
                space = spaces[handler.opt["ruleset"]] if "ruleset" in handler.opt else core
                stated, kinds = contract_of(handler), parameter_types(handler)
                for parameter in operation.get("parameters", ()):
                    default = {"default": given} if (given := parameter["schema"].get("default")) is not None else {}
                    parameter["schema"] = space.schema(kinds[parameter["name"]])
                    parameter["schema"] |= default
                    described.append(parameter)
                operation["responses"] = responses(stated.answers, space)
                operation.pop("requestBody", None)
                if stated.body is not None:
                    received.append(space.schema(stated.body))
                    shown = with_examples(received[-1], stated.examples)
                    operation["requestBody"] = {"required": True, "content": {JSON: shown}}

    core.schema(ANYWHERE)
    parts = text["components"]
    parts["headers"] = {name: {"schema": core.schema(kind)} for name, kind in headers.items()}
    components = distinct(item for space in (core, *spaces.values()) for item in space.components().items())
    for one in (*described, *parts["headers"].values()):
        one["description"] = one["schema"].pop("description", "")
    as_stated = reachable(received, components).union(*(space.sparing for space in (core, *spaces.values())))
    parts["schemas"] = {
        ref.removeprefix(PLACE): component if ref in as_stated else always_sent(component)
        for ref, component in sorted(components.items())
    }
    return text


def parameter_types(handler: HTTPRouteHandler) -> Json:
    """The types by which Litestar checks parameters, which is not always what it documents: it forgets `ge=0`.

    None is left out: a parameter may be absent, but neither a URL nor a header can say null.
    """
    kinds: Json = {}
    readers: list[HTTPRouteHandler | Provide] = [handler, *handler.resolve_dependencies().values()]
    for reader in readers:
        for field in msgspec.structs.fields(reader.signature_model):
            name = getattr(reader.parsed_fn_signature.parameters[field.name].kwarg_definition, "name", None)
            some = [kind for kind in get_args(field.type) if kind is not NoneType]
            kinds[name or field.name] = reduce(or_, some) if NoneType in get_args(field.type) else field.type
    return kinds


def responses(answers: Iterable[Answer], space: Namespace) -> Json:
    made: Json = {}
    for status in sorted({answer.status for answer in answers}):
        group = [answer for answer in answers if answer.status == status]
        response: Json = {"description": "\n\n".join(dict.fromkeys(answer.meaning for answer in group))}
        made[str(status)] = response
        if names := sorted({name for answer in group for name in answer.headers}):
            response["headers"] = {name: {"$ref": f"#/components/headers/{name}"} for name in names}
        if links := {name: to for answer in group for name, to in (answer.links or {}).items()}:
            response["links"] = links
        for media in sorted({answer.media for answer in group if answer.body is not None}):
            alike = [answer for answer in group if answer.media == media and answer.body is not None]
            examples = {name: one for answer in alike for name, one in (answer.examples or {}).items()}
            schema = space.schema(reduce(or_, (answer.body for answer in alike)))
            response.setdefault("content", {})[media] = with_examples(schema, examples)
    return made


def with_examples(schema: Json, examples: Mapping[str, Any] | None) -> Json:
    shown = {name: {"value": wire.builtins(value)} for name, value in (examples or {}).items()}
    return {"schema": schema, "examples": shown} if shown else {"schema": schema}
