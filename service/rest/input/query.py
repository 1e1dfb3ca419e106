"""Validates query parameters as strictly as the OpenAPI document states.

Litestar's own parsing is lenient: it reads `null` as None, `1e1` and `+10` as 10, `1` as true, replaces invalid UTF-8,
and of a repeated parameter it takes the last. Unknown parameters are ignored, because links often get extra parameters
appended when they are shared.
"""

import re
from collections.abc import Mapping
from itertools import chain
from typing import Any, NamedTuple
from urllib.parse import unquote_to_bytes

import msgspec
from litestar import Request
from litestar.di import Provide
from litestar.handlers import HTTPRouteHandler
from litestar.params import QueryParameter

from service.api.contract import parameter_types
from service.api.decode_errors import explained
from service.api.problems import FieldError, Malformed, ProblemError, malformed_request

MAX_PARTS = 100
"""The largest number of parts of a query, known and unknown."""

TOKENS = frozenset(("access_token", "token"))
"""Names of parameters that clients try for tokens."""

_PARAMETERS = "query_parameters"
_LITERAL = re.compile(r"true|false|-?(?:0|[1-9][0-9]*)")
"""The accepted spellings of booleans and integers."""


class Parameter(NamedTuple):
    """The type of a query parameter; `literal` if its values are booleans or integers, not text."""

    kind: Any
    literal: bool


async def check_query(request: Request[Any, Any, Any]) -> None:
    """Runs before each handler. Raises a `ProblemError` that lists every invalid parameter."""
    sent = request.scope["query_string"]
    if not sent:
        return
    if not sent.isascii():
        raise malformed_request("request", "Characters that are not ASCII must be percent-encoded")
    if sent.count(b"&") >= MAX_PARTS:
        raise malformed_request("request", f"The query has more than {MAX_PARTS} parts")
    found: dict[str, list[bytes]] = {}
    for part in sent.split(b"&"):
        name, _, value = part.replace(b"+", b" ").partition(b"=")
        found.setdefault(unquote_to_bytes(name).decode(errors="replace"), []).append(unquote_to_bytes(value))
    if found.keys() & TOKENS:
        raise malformed_request("request", "Send the token in `Authorization: Bearer ...`, because URLs end up in logs")
    errors = [
        FieldError(f"?{name}", message)
        for name, parameter in _parameters(request.route_handler).items()
        if name in found and (message := _error(found[name], parameter))
    ]
    if errors:
        raise ProblemError(Malformed(detail="; ".join(f"{e.path}: {e.message}" for e in errors), errors=tuple(errors)))


def _parameters(handler: HTTPRouteHandler) -> Mapping[str, Parameter]:
    """The query parameters of the handler by name. Kept in its `opt` after the first request."""
    if _PARAMETERS not in handler.opt:
        kinds = parameter_types(handler)
        readers: list[HTTPRouteHandler | Provide] = [handler, *handler.resolve_dependencies().values()]
        signatures = [reader.parsed_fn_signature.parameters.values() for reader in readers]
        stated = {each.name: each.kwarg_definition for each in chain.from_iterable(signatures)}
        names = [each.name or name for name, each in stated.items() if isinstance(each, QueryParameter)]
        handler.opt[_PARAMETERS] = {name: Parameter(kinds[name], _is_literal(kinds[name])) for name in names}
    parameters: Mapping[str, Parameter] = handler.opt[_PARAMETERS]
    return parameters


def _is_literal(kind: Any) -> bool:
    info = msgspec.inspect.type_info(kind)
    while isinstance(info, msgspec.inspect.Metadata):
        info = info.type
    return isinstance(info, msgspec.inspect.IntType | msgspec.inspect.BoolType)


def _error(values: list[bytes], parameter: Parameter) -> str:
    """The error in the values of one parameter; empty if they are valid."""
    if len(values) > 1:
        return "is given more than once"
    try:
        text = values[0].decode()
        literal = parameter.literal and _LITERAL.fullmatch(text)
        msgspec.convert(msgspec.json.decode(text) if literal else text, parameter.kind)
    except UnicodeDecodeError:
        return "is not UTF-8"
    except msgspec.MsgspecError as error:
        return explained(error, parameter.kind).message
    return ""
