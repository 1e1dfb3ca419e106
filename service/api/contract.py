"""What every operation takes and answers, stated once at its handler; and the OpenAPI document that is made of it.

Litestar documents paths, parameters, tags and summaries. Bodies come from here: msgspec's JSON Schemas of them are
exact (discriminators, `additionalProperties: false`, docstrings), Litestar's are not. A component that belongs to a
ruleset bears its name in front (`ChessMoved`), so name and schema stay as they are, whatever rulesets come and go.
"""

import sys
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, reduce
from http import HTTPStatus
from inspect import cleandoc
from operator import or_
from types import NoneType, UnionType
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin

import msgspec
from litestar import Litestar, Request
from litestar.di import Provide
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.routes import HTTPRoute

from domain import codec
from domain.deck import Deck, Name
from domain.game import Rules, event_type
from domain.messages import Event, Move
from service.api import neutral
from service.api.forms import BESIDE, bare, nullable, plain, renamed, without_defaults
from service.api.problems import ANYWHERE, NotFound, Problem
from service.api.resources import Page
from service.api.transcripts import add_answers, transcript

Json: TypeAlias = dict[str, Any]

JSON, PROBLEM = "application/json", "application/problem+json"
SEQUENCES = "application/x-ndjson", "text/event-stream"
"""Media types of bodies that are as long as there is something to tell. `x-item-schema` says what each item is."""


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
        """By the `type` of each move that the body may be: the fields that may be absent, and so may be null."""
        parts = get_args(self.body) or (self.body,)
        kinds = [part for part in parts if isinstance(part, type) and issubclass(part, Move)]
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
    found: dict[str, dict[str, Any]] = {}
    for exchange in transcript(rules):
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

    A type is the ruleset's if the ruleset's record mentions it or if it is made of such types, else the core's. The
    ruleset's begin with its name: `ChessView`. A `Literal` that a module gives a name is a component as well.
    """

    def __init__(self, rules: Rules | None = None) -> None:
        self.prefix = pascal(rules.name) if rules else ""
        self.record = [rules.options, rules.deck.data_type, rules.state, rules.move, rules.event] if rules else []
        self.unions = {"Move": rules.move, "Event": event_type(rules)} if rules else {}
        self.roles = {rules.options: "Options", rules.deck.data_type: "Deck", rules.state: "View"} if rules else {}
        self.asked: list[tuple[Any, Json]] = []
        self.sparing: set[str] = set()
        """References to the components whose fields are not sent where they are as by default."""
        self.moves: set[str] = set()
        """References to the components that are moves."""

    def schema(self, kind: Any) -> Json:
        """The type's schema, empty until `components` fills it in: names depend on all the types together."""
        schema: Json = {}
        self.asked.append((kind, schema))
        return schema

    def components(self) -> Json:
        """All components by reference; and fills in the schemas that were asked for."""
        kinds = [*self.record, *self.unions.values(), *(kind for kind, _ in self.asked)]
        structs = structs_in(kinds)
        made, found = msgspec.json.schema_components(kinds, schema_hook=deck_by_name, ref_template=PLACE + "{name}")
        schemas, bodies = iter(made), {PLACE + name: schema for name, schema in found.items()}
        own = reachable([next(schemas) for _ in self.record], bodies)
        named = {PLACE + self.prefix + name: next(schemas) for name in self.unions}
        names: dict[str, str] = {}
        modules: dict[str, str] = {}
        for ref, body in bodies.items():
            kind = structs[body.pop("title")]
            struct = get_origin(kind) or kind
            prefix = "" if own.isdisjoint(reachable([ref], bodies)) else self.prefix
            names[ref] = PLACE + prefix + self.name(kind)
            # What a module of the core names is the core's, wherever it is used.
            modules[struct.__module__] = prefix and modules.get(struct.__module__, prefix)
            if struct.__struct_config__.omit_defaults:
                self.sparing.add(names[ref])
            if issubclass(struct, Move):
                self.moves.add(names[ref])
        for module, prefix in sorted(modules.items(), key=lambda item: item[1]):
            for name, schema in aliases(module).items():
                if schema not in named.values():
                    named[PLACE + prefix + name] = schema
        used: set[str] = set()

        def final(node: Any) -> Any:
            """With the final names; what has a name is not written out."""
            match node:
                case {"title": str(title)}:
                    named.setdefault(PLACE + title, {key: node[key] for key in node if key != "title"})
                    used.add(PLACE + title)
                    return {"$ref": PLACE + title}
                case {"anyOf": _} | {"enum": _} if refs := [ref for ref, one in named.items() if one == bare(node)]:
                    used.add(refs[0])
                    return {"$ref": refs[0]} | {key: final(node[key]) for key in BESIDE if key in node}
                case {"anyOf": [*others, {"type": "null"} as null]} if {"anyOf": others} in named.values():
                    return final(node | {"anyOf": [{"anyOf": others}, null]})
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
            return plain({key: final(value) for key, value in node.items()})

        for (_, schema), done in zip(self.asked, schemas, strict=True):
            schema |= final(done)
        components = [(names[ref], final(body)) for ref, body in bodies.items()]
        used |= {PLACE + self.prefix + name for name in self.unions}
        while waiting := used - {ref for ref, _ in components}:  # a named one may be made of others
            components += [(ref, written(named[ref])) for ref in sorted(waiting)]
        return distinct(components)

    def name(self, kind: Any) -> str:
        """The Struct's name in the document, without the prefix of the ruleset."""
        struct = get_origin(kind) or kind
        if struct in self.roles:
            return self.roles[struct]
        name: str = TITLES.get(struct.__name__, struct.__name__)
        if struct is Page:
            (item,) = get_args(kind)
            return self.name(item) + name
        bases = {Move: "Move", Event: "Event", Problem: "Problem"}
        return name + next((suffix for base, suffix in bases.items() if issubclass(struct, base)), "")


TITLES = {"GameResource": "Game", "LegalMoves": "ListedMoves", "Record": "GameRecord"}
"""Structs that the document names otherwise: `Record` is a type of TypeScript, `LegalMoves` has a field of its name."""


def pascal(name: str) -> str:
    """`two_words` as `TwoWords`."""
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))


def aliases(module: str) -> Json:
    """The schemas of the Literals, and of the unions with a Literal, that the module gives a name."""
    found: Json = {}
    for name, kind in vars(sys.modules[module]).items():
        parts = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
        if any(get_origin(part) is Literal for part in parts) and NoneType not in parts:
            found[name] = msgspec.json.schema(kind)
    return found


def titled(kind: Any) -> str:
    """The title that msgspec gives the schema of a Struct: `Page[LobbyGame]`."""
    parts = (part.__name__ if isinstance(part, type) else repr(part) for part in get_args(kind))
    return f"{get_origin(kind).__name__}[{', '.join(parts)}]" if get_args(kind) else kind.__name__


def structs_in(kinds: Iterable[Any]) -> dict[str, Any]:
    """The Structs in these types, by the titles of their schemas."""
    waiting: list[Any] = [*msgspec.inspect.multi_type_info(kinds)]
    seen: set[Any] = set()
    found: dict[str, Any] = {}
    while waiting:
        node = waiting.pop()
        if isinstance(node, msgspec.inspect.StructType):
            if node.cls in seen:
                continue
            seen.add(node.cls)
            known = found.setdefault(titled(node.cls), node.cls)
            assert known == node.cls, f"{known} and {node.cls} have the same name"
        for part in msgspec.structs.astuple(node):
            parts = part if isinstance(part, tuple) else (part,)
            waiting += [each for each in parts if isinstance(each, msgspec.inspect.Type | msgspec.inspect.Field)]
    return found


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


def in_and_out(components: Json, received: list[Json], sent: list[Json], spaces: Collection[Namespace]) -> Json:
    """The components by name, as they are received and as they are sent.

    Where both are not the same (in what is received, fields with a default may be absent) there are two, and the one
    that is received has `Input` behind its name. A move has one form, for those that are listed can be posted.
    """
    sparing = set[str]().union(*(space.sparing for space in spaces))
    moves = set[str]().union(*(space.moves for space in spaces))
    coming, going = reachable(received, components), reachable(sent, components)
    forms = {ref: nullable(component) if ref in moves else component for ref, component in components.items()}
    one_form = {ref for ref, form in forms.items() if ref in moves | sparing or always_sent(form) == form}
    two = (coming & going) - one_form
    while more := {ref for ref in (coming & going) - two if two & reachable([forms[ref]], components)}:
        two |= more
    inputs = {ref: f"{ref}Input" for ref in two}
    made: Json = {}
    for ref, form in forms.items():
        if ref in coming - going | two:
            made[inputs.get(ref, ref)] = without_defaults(renamed(form, inputs))
        if ref not in coming - going:
            made[ref] = without_defaults(form if ref in one_form else always_sent(form))
    for schema in received:
        schema |= renamed(schema, inputs)
    return {ref.removeprefix(PLACE): made[ref] for ref in sorted(made)}


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


METHODS = "get", "head", "post", "put", "patch", "delete"


def document(app: Litestar, registry: Mapping[str, Rules], headers: Mapping[str, Any]) -> Json:
    """The OpenAPI document of the app. `headers` are the types of the headers that answers may have.

    The same for the same app, also in its order, which Litestar's paths and methods do not have.
    """
    text = app.openapi_schema.to_schema()
    core, spaces = Namespace(), {name: Namespace(rules) for name, rules in registry.items()}
    received: list[Json] = []
    sent: list[Json] = []
    described: list[Json] = []
    paths = neutral.paths(text["paths"], registry)
    answered: dict[str, list[Json]] = {}
    for exchange in (exchange for rules in registry.values() for exchange in transcript(rules)):
        answered.setdefault(exchange["request"]["operation"], []).append(exchange)
    handlers = {
        (route.path_format, method.lower()): handler
        for route in app.routes
        if isinstance(route, HTTPRoute)
        for method, (handler, _) in route.route_handler_map.items()
    }
    for path, operations in paths.items():
        for method, operation in operations.items():
            handler, of_all = handlers[neutral.source(path, registry), method], neutral.is_neutral(path)
            space = spaces[handler.opt["ruleset"]] if "ruleset" in handler.opt and not of_all else core
            stated, kinds = contract_of(handler), parameter_types(handler)
            if of_all:
                stated = neutral.contract(stated, registry[handler.opt["ruleset"]], problem(NotFound))
                kinds = {**kinds, "ruleset": neutral.Ruleset}
            for parameter in operation.get("parameters", ()):
                default = {"default": given} if (given := parameter["schema"].get("default")) is not None else {}
                parameter["schema"] = space.schema(kinds[parameter["name"]])
                parameter["schema"] |= default
                described.append(parameter)
            operation["responses"] = responses(stated.answers, space, sent)
            add_answers(operation["responses"], answered.get(operation["operationId"], ()))
            operation.pop("requestBody", None)
            if stated.body is not None:
                received.append(space.schema(stated.body))
                shown = with_examples(received[-1], stated.examples)
                operation["requestBody"] = {"required": True, "content": {JSON: shown}}
    text["paths"] = {path: {m: paths[path][m] for m in METHODS if m in paths[path]} for path in sorted(paths)}

    sent.append(core.schema(ANYWHERE))
    parts = text["components"]
    parts["headers"] = {name: {"schema": core.schema(kind)} for name, kind in headers.items()}
    components = distinct(item for space in (core, *spaces.values()) for item in space.components().items())
    for one in (*described, *parts["headers"].values()):
        one["description"] = one["schema"].pop("description", "")
    parts["schemas"] = in_and_out(components, received, [*sent, *described], (core, *spaces.values()))
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


def responses(answers: Iterable[Answer], space: Namespace, sent: list[Json]) -> Json:
    """The responses of an operation. Their schemas are added to those that are `sent`."""
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
            sent.append(schema)
            if media in SEQUENCES:  # many items, one after the other: to a client of OpenAPI 3.1 that is text
                response.setdefault("content", {})[media] = {"schema": {"type": "string"}, "x-item-schema": schema}
            else:
                response.setdefault("content", {})[media] = with_examples(schema, examples)
    return made


def with_examples(schema: Json, examples: Mapping[str, Any] | None) -> Json:
    shown = {name: {"value": codec.builtins(value)} for name, value in (examples or {}).items()}
    return {"schema": schema, "examples": shown} if shown else {"schema": schema}
