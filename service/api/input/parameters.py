"""Query parameters, read as strictly as the OpenAPI document says. (Litestar takes `null` for nothing, 1e1 and +10 for
10, 1 for true, what is no UTF-8 for something else, and of two parameters of a name the last.)

What an operation does not know is ignored: links are passed on with all sorts of things appended to them.
"""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import unquote_to_bytes

import msgspec
from litestar import Request
from litestar.handlers import HTTPRouteHandler
from litestar.params import QueryParameter

from service.api.contract import parameter_types
from service.api.problems import FieldError, Malformed, Refusal, malformed

MOST = 100
"""So many parts a query may have, known ones and others."""

_KNOWN = "query_parameters"
_PLAIN = re.compile(r"true|false|-?(?:0|[1-9][0-9]*)")
"""How booleans and integers are written."""


class Known(NamedTuple):
    """The type of a parameter, and whether it is written like a boolean or an integer, not like text."""

    kind: Any
    plain: bool


async def as_documented(request: Request[Any, Any, Any]) -> None:
    """Before the handler is asked. Raises a `Refusal` that names every parameter that is not what it must be."""
    sent = request.scope["query_string"]
    if not sent:
        return
    if not sent.isascii():
        raise malformed("request", "What is not ASCII must be percent-encoded")
    if sent.count(b"&") >= MOST:
        raise malformed("request", f"The query has more than {MOST} parts")
    found: dict[str, list[bytes]] = {}
    for part in sent.split(b"&"):
        name, _, value = part.replace(b"+", b" ").partition(b"=")
        found.setdefault(unquote_to_bytes(name).decode(errors="replace"), []).append(unquote_to_bytes(value))
    faults = [
        FieldError(f"?{name}", fault)
        for name, known in _known(request.route_handler).items()
        if name in found and (fault := _fault(found[name], known))
    ]
    if faults:
        raise Refusal(Malformed(detail="; ".join(f"{f.path}: {f.message}" for f in faults), errors=tuple(faults)))


def _known(handler: HTTPRouteHandler) -> Mapping[str, Known]:
    """The handler's query parameters by their names."""
    if _KNOWN not in handler.opt:
        kinds = parameter_types(handler)
        stated = {each.name: each.kwarg_definition for each in handler.parsed_fn_signature.parameters.values()}
        names = [each.name or name for name, each in stated.items() if isinstance(each, QueryParameter)]
        handler.opt[_KNOWN] = {name: Known(kinds[name], _is_plain(kinds[name])) for name in names}
    known: Mapping[str, Known] = handler.opt[_KNOWN]
    return known


def _is_plain(kind: Any) -> bool:
    told = msgspec.inspect.type_info(kind)
    while isinstance(told, msgspec.inspect.Metadata):
        told = told.type
    return isinstance(told, msgspec.inspect.IntType | msgspec.inspect.BoolType)


def _fault(values: list[bytes], known: Known) -> str:
    """What is wrong with the values that were sent for one parameter; empty if nothing is."""
    if len(values) > 1:
        return "is given more than once"
    try:
        text = values[0].decode()
        msgspec.convert(msgspec.json.decode(text) if known.plain and _PLAIN.fullmatch(text) else text, known.kind)
    except UnicodeDecodeError:
        return "is not UTF-8"
    except msgspec.MsgspecError as error:
        return str(error)
    return ""
