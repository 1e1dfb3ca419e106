"""The components of the OpenAPI document: JSON Schemas of all types, with names that do not depend on each other.

A component of a ruleset has the ruleset's name as prefix (`ChessMoved`). Adding or removing a ruleset therefore changes
neither names nor schemas of the others.
"""

import sys
from collections.abc import Collection, Iterable, Mapping
from inspect import cleandoc
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin

import msgspec

from domain.game import Rules, event_type
from domain.messages import Event, Move, pascal
from domain.schemas import deck_by_name
from service.api.operations import OPERATIONS
from service.api.problems import Problem
from service.api.resources import PageResource
from service.documents.schema_rewrites import (
    SIBLINGS,
    rewritten,
    with_nullable_fields,
    with_references,
    without_defaults,
    without_siblings,
)
from service.field_docs import FIELDS_OF, described

Json: TypeAlias = dict[str, Any]

PREFIX = "#/components/schemas/"
"""The start of every reference to a component."""


class Namespace:
    """The schemas of one ruleset, or without `rules` those of the core.

    A type belongs to the ruleset if the ruleset's record refers to it, or if it contains such a type; all others belong
    to the core. Components of the ruleset start with its name: `ChessView`. A named `Literal` of a module is also a
    component.
    """

    def __init__(self, rules: Rules | None = None) -> None:
        self.prefix = pascal(rules.name) if rules else ""
        self.labels = rules.labels["en"] if rules else None
        self.record = [rules.options, rules.deck.data_type, rules.state, rules.move, rules.event] if rules else []
        self.unions = {"Move": rules.move, "Event": event_type(rules)} if rules else {}
        self.roles = {rules.options: "Options", rules.deck.data_type: "Deck", rules.state: "View"} if rules else {}
        self.requested: list[tuple[Any, Json]] = []
        self.without_default_values: set[str] = set()
        """References to the components that omit fields with their default value when they are sent."""
        self.moves: set[str] = set()
        """References to the components that are moves."""

    def schema(self, kind: Any) -> Json:
        """The schema of the type, empty until `components` fills it in: names depend on all types together."""
        schema: Json = {}
        self.requested.append((kind, schema))
        return schema

    def components(self) -> Json:
        """All components by reference. Fills in the schemas that `schema` returned."""
        kinds = [*self.record, *self.unions.values(), *(kind for kind, _ in self.requested)]
        structs = structs_in(kinds)
        made, found = msgspec.json.schema_components(kinds, schema_hook=deck_by_name, ref_template=PREFIX + "{name}")
        schemas, bodies = iter(made), {PREFIX + name: schema for name, schema in found.items()}
        own = reachable([next(schemas) for _ in self.record], bodies)
        named = {PREFIX + self.prefix + name: next(schemas) for name in self.unions}
        names: dict[str, str] = {}
        modules: dict[str, str] = {}
        for ref, body in bodies.items():
            kind = structs[body.pop("title")]
            struct = get_origin(kind) or kind
            prefix = "" if own.isdisjoint(reachable([ref], bodies)) else self.prefix
            names[ref] = PREFIX + prefix + self.name(kind)
            bodies[ref] = described(body, struct, self.labels if prefix else None)
            # Named types of a core module belong to the core, wherever they are used.
            module = getattr(struct, FIELDS_OF, struct).__module__
            modules[module] = prefix and modules.get(module, prefix)
            if struct.__struct_config__.omit_defaults:
                self.without_default_values.add(names[ref])
            if issubclass(struct, Move):
                self.moves.add(names[ref])
        for module, prefix in sorted(modules.items(), key=lambda item: item[1]):
            for name, schema in aliases(module).items():
                if schema not in named.values():
                    named[PREFIX + prefix + name] = schema
        used: set[str] = set()

        def final(node: Any) -> Any:
            """The node with final names; a component is replaced by a reference to it."""
            match node:
                case {"title": str(title)}:
                    named.setdefault(PREFIX + title, {key: node[key] for key in node if key != "title"})
                    used.add(PREFIX + title)
                    return {"$ref": PREFIX + title}
                case {"anyOf": _} | {"enum": _} if refs := [
                    ref for ref, one in named.items() if one == without_siblings(node)
                ]:
                    used.add(refs[0])
                    return {"$ref": refs[0]} | {key: final(node[key]) for key in SIBLINGS if key in node}
                case {"anyOf": [*others, {"type": "null"} as null]} if {"anyOf": others} in named.values():
                    return final(node | {"anyOf": [{"anyOf": others}, null]})
                case {"description": str(text)}:
                    return finished(node) | {"description": cleandoc(text)}
                case dict():
                    return finished(node)
                case list() | tuple():  # msgspec leaves default values that are tuples as tuples
                    return [final(item) for item in node]
                case str():
                    return names.get(node, node)
            return node

        def finished(node: Json) -> Json:
            return rewritten({key: final(value) for key, value in node.items()})

        for (_, schema), done in zip(self.requested, schemas, strict=True):
            schema |= final(done)
        components = [(names[ref], final(body)) for ref, body in bodies.items()]
        used |= {PREFIX + self.prefix + name for name in self.unions}
        while waiting := used - {ref for ref, _ in components}:  # a named schema may refer to others
            components += [(ref, finished(named[ref])) for ref in sorted(waiting)]
        return distinct(components)

    def name(self, kind: Any) -> str:
        """The name of the Struct in the document, without the ruleset's prefix."""
        struct = get_origin(kind) or kind
        if struct in self.roles:
            return self.roles[struct]
        name: str = BODIES.get(struct) or TITLES.get(struct.__name__, struct.__name__)
        if struct is PageResource:
            (item,) = get_args(kind)
            return self.name(item) + name
        bases = {Move: "Move", Event: "Event", Problem: "Problem"}
        return name + next((suffix for base, suffix in bases.items() if issubclass(struct, base)), "")


TITLES = {"GameResource": "Game", "PageResource": "Page", "LegalMoves": "ListedMoves", "Record": "GameRecord"}
"""Names of Structs in the document where they differ: `Record` is a type of TypeScript, and `LegalMoves` has a field
of the same name."""


BODIES: Mapping[Any, str] = {each.command: each.body_title for each in OPERATIONS if each.body_title}
"""Commands as the bodies of requests: what the client makes."""


def aliases(module: str) -> Json:
    """The schemas of the module's named Literals and named unions with a Literal, without their annotations."""
    found: Json = {}
    for name, alias in vars(sys.modules[module]).items():
        kind = get_args(alias)[0] if get_origin(alias) is Annotated else alias
        parts = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
        if any(get_origin(part) is Literal for part in parts) and NoneType not in parts:
            found[name] = msgspec.json.schema(kind)
    return found


def titled(kind: Any) -> str:
    """The title of the Struct in msgspec's schemas: `PageResource[LobbyGame]`."""
    parts = (part.__name__ if isinstance(part, type) else repr(part) for part in get_args(kind))
    return f"{get_origin(kind).__name__}[{', '.join(parts)}]" if get_args(kind) else kind.__name__


def structs_in(kinds: Iterable[Any]) -> dict[str, Any]:
    """The Structs that these types contain, by the titles of their schemas."""
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


def reachable(nodes: Iterable[Any], components: Json) -> set[str]:
    """The components that the nodes refer to, directly or through other components."""
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
    """The components as an object. Two different types must not have the same name."""
    known: Json = {}
    for name, schema in components:
        assert known.setdefault(name, schema) == schema, f"different types are named {name}"
    return known


def always_sent(component: Json) -> Json:
    """The component as it is sent: fields with a default are always present. (Optional fields default to UNSET.)"""
    fields, required = component.get("properties", {}), component.get("required", ())
    named = [name for name, field in fields.items() if name in required or "default" in field]
    return component | {"required": named} if named else component


def input_and_output(components: Json, received: list[Json], sent: list[Json], spaces: Collection[Namespace]) -> Json:
    """The components by name, in the forms in which they are received and sent.

    Where the forms differ (a received component may omit fields with a default) there are two components, and the
    received one has the suffix `Input`. A move has one form, so that clients can post a listed move.
    """
    sparse = set[str]().union(*(space.without_default_values for space in spaces))
    moves = set[str]().union(*(space.moves for space in spaces))
    coming, going = reachable(received, components), reachable(sent, components)
    forms = {
        ref: with_nullable_fields(component) if ref in moves else component for ref, component in components.items()
    }
    one_form = {ref for ref, form in forms.items() if ref in moves | sparse or always_sent(form) == form}
    two = (coming & going) - one_form
    while more := {ref for ref in (coming & going) - two if two & reachable([forms[ref]], components)}:
        two |= more
    inputs = {ref: f"{ref}Input" for ref in two}
    made: Json = {}
    for ref, form in forms.items():
        if ref in coming - going | two:
            made[inputs.get(ref, ref)] = without_defaults(with_references(form, inputs))
        if ref not in coming - going:
            made[ref] = without_defaults(form if ref in one_form else always_sent(form))
    for schema in received:
        schema |= with_references(schema, inputs)
    return {ref.removeprefix(PREFIX): made[ref] for ref in sorted(made)}
