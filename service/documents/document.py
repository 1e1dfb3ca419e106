"""The OpenAPI document: Litestar's paths and parameters, completed with the bodies that the contracts state."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Any, TypeAlias

import msgspec
from litestar import Litestar
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.routes import HTTPRoute
from litestar.types import ASGIApp, Receive, Send

from domain.game import Rules
from service.api.contract import Answer, contract_of, parameter_types, problem
from service.api.operations import OPERATIONS, ruleset_in
from service.api.problems import ANYWHERE, NotFound
from service.documents import any_ruleset
from service.documents.components import Namespace, distinct, input_and_output
from service.documents.examples import add_response_examples, exchanges_by_operation, request_examples
from service.extension import REGISTERED
from service.server.compression import CompressedResponse, current_document, document_response
from service.server.request import LazyRequest
from service.tasks import computed

Json: TypeAlias = dict[str, Any]

SEQUENCES = "application/x-ndjson", "text/event-stream"
"""Media types of bodies that are a sequence of items. `x-item-schema` is the schema of one item, `x-message-schemas`
are those of other messages."""

METHODS = "get", "head", "post", "put", "patch", "delete"

STEPS = (
    "register", "me", "rename", "hand_over", "take_over", "sign_out", "forget",
    "player", "rulesets", "ruleset", "description", "lesson", "deck", "captions", "rules", "lobby",
    *(each.id for each in OPERATIONS),
    "live", "ready", "metrics",
)  # fmt: skip
"""Operations in the order in which a client needs them: from registration to what can be done after a game."""


class DocumentPlugin(JsonRenderPlugin):
    """Serves `document` in place of Litestar's own, with an ETag and compressed."""

    def __init__(self, registry: Mapping[str, Rules], headers: Mapping[str, Any]) -> None:
        super().__init__()
        self.registry, self.headers = registry, headers
        self._response: CompressedResponse | None = None
        self._making = asyncio.Lock()

    def middleware(self) -> Callable[[ASGIApp], ASGIApp]:
        """Serves the document in place of Litestar's handler, whose response can have neither."""
        paths = {"/schema", *(f"/schema{path}" for path in self.paths)}

        def wrap(app: ASGIApp) -> ASGIApp:
            async def serve(scope: Any, receive: Receive, send: Send) -> None:
                asked = scope["method"] == "GET" and scope["path_template"] in paths
                await (await self._current(scope) if asked else app)(scope, receive, send)

            return serve

        return wrap

    async def _current(self, scope: Any) -> ASGIApp:
        async with self._making:
            if self._response is None:
                self._response = await self._make(scope["litestar_app"])
        return current_document(LazyRequest(scope), self._response)

    async def _make(self, app: Litestar) -> CompressedResponse:
        """In a thread: it takes a second, and others do not wait."""

        def made() -> CompressedResponse:
            return document_response(msgspec.json.encode(document(app, self.registry, self.headers)))

        return await computed(made)


def document(app: Litestar, registry: Mapping[str, Rules], headers: Mapping[str, Any]) -> Json:
    """The OpenAPI document of the app. `headers` maps the names of response headers to their types.

    Deterministic, including the order of paths and methods (Litestar's is not): `in_order`.
    """
    text = app.openapi_schema.to_schema()
    core, spaces = Namespace(), {name: Namespace(rules) for name, rules in registry.items()}
    received: list[Json] = []
    sent: list[Json] = []
    described: list[Json] = []
    for path, operations in text["paths"].items():
        if (rules := registry.get(ruleset_in(path))) is not None:
            titled(operations.values(), rules)
    paths = any_ruleset.with_generic_paths(text["paths"], registry)
    exchanges = exchanges_by_operation(registry.values())
    handlers = {
        (route.path_format, method.lower()): handler
        for route in app.routes
        if isinstance(route, HTTPRoute)
        for method, (handler, _) in route.route_handler_map.items()
    }
    for path, operations in paths.items():
        for method, operation in operations.items():
            source = any_ruleset.source(path, registry)
            handler, generic = handlers[source, method], any_ruleset.is_generic(path)
            rules = registry.get(ruleset_in(source))
            space = core if generic or rules is None else spaces[rules.name]
            stated, kinds = contract_of(handler, rules), parameter_types(handler)
            operation_ids = [operation["operationId"]]
            if generic:
                operation_ids = any_ruleset.own_operation_ids(operation["operationId"], registry)
                assert rules is not None, "generic paths are those of a ruleset"
                stated = any_ruleset.generic_contract(stated, rules, problem(NotFound))
                kinds = {**kinds, "ruleset": any_ruleset.Ruleset}
            for parameter in operation.get("parameters", ()):
                default = {"default": given} if (given := parameter["schema"].get("default")) is not None else {}
                parameter["schema"] = space.schema(kinds[parameter["name"]])
                parameter["schema"] |= default
                described.append(parameter)
            recorded = next((exchanges[each] for each in operation_ids if each in exchanges), ())
            operation["responses"] = responses(stated.answers, space, sent)
            add_response_examples(operation["responses"], recorded)
            operation.pop("requestBody", None)
            if stated.body is not None:
                received.append(space.schema(stated.body))
                content = {"schema": received[-1]}
                if examples := request_examples(recorded):
                    content["examples"] = examples
                # Only the first media type: generators of clients make wrong code for a type that is there twice.
                operation["requestBody"] = {"required": True, "content": {stated.body_media[0]: content}}
    text["paths"] = in_order(paths, [tag["name"] for tag in text["tags"]])

    sent.append(core.schema(ANYWHERE))
    parts = text["components"]
    parts["headers"] = {name: {"schema": core.schema(kind)} for name, kind in headers.items()}
    components = distinct(item for space in (core, *spaces.values()) for item in space.components().items())
    for one in (*described, *parts["headers"].values()):
        one["description"] = one["schema"].pop("description", "")
    parts["schemas"] = input_and_output(components, received, [*sent, *described], (core, *spaces.values()))
    return text


def titled(operations: Iterable[Json], rules: Rules) -> None:
    """Name the ruleset in the summaries of its operations, and in the tags of those of its games."""
    title = rules.labels["en"].title
    for each in operations:
        each["summary"] = each["summary"].replace("{title}", title)
        each["tags"] = each.get("tags") or [title]


def in_order(paths: Mapping[str, Json], tags: Sequence[str]) -> Json:
    """The paths by tag, and within a tag in the order in which a client needs them."""

    def place(path: str) -> tuple[int, int, str]:
        operations = paths[path].values()
        tag = min(tags.index(operation["tags"][0]) for operation in operations)
        return tag, min(step_of(operation["operationId"]) for operation in operations), path

    return {path: {m: paths[path][m] for m in METHODS if m in paths[path]} for path in sorted(paths, key=place)}


def step_of(operation_id: str) -> int:
    """The place in `STEPS` of an operation, whose id may begin with the name of a ruleset. Unknown ones are last."""
    steps = [*STEPS, *(name for each in REGISTERED.values() for name in each.operations)]
    named = (number for number, name in enumerate(steps) if f"_{operation_id}".endswith(f"_{name}"))
    return next(named, len(steps))


def responses(answers: Iterable[Answer], space: Namespace, sent: list[Json]) -> Json:
    """The `responses` of an operation. Appends their schemas to `sent`."""
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
            if media in SEQUENCES:  # a client of OpenAPI 3.1 sees a sequence of items as text
                item, *others = [space.schema(answer.body) for answer in alike]
                sent += item, *others
                content = {"schema": {"type": "string"}, "x-item-schema": item}
                response.setdefault("content", {})[media] = content | ({"x-message-schemas": others} if others else {})
            else:
                sent.append(space.schema(reduce(or_, (answer.body for answer in alike))))
                response.setdefault("content", {})[media] = {"schema": sent[-1]}
    return made
