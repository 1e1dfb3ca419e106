"""Checks of the head of a request that the framework does not make itself.

The fast path leaves requests to the framework that would not pass.
"""

from typing import Any

from litestar import Request
from litestar.params import HeaderParameter

from service.api.charges import charge, payer
from service.api.contract import MAX_BODY, Contract, Contracts
from service.api.problems import ProblemError, TooLarge, UnsupportedMediaType, malformed_request
from service.rest.input.query import check_query

LISTS = frozenset((b"if-match", b"if-none-match", b"prefer"))
"""Headers whose values are lists. Several headers with the same name are one list (RFC 9110, 5.3)."""

ENCODING, EXPECT, LENGTH = b"content-encoding", b"expect", b"content-length"


async def check_head(request: Request[Any, Any, Any]) -> None:
    """Runs before each handler, before its parameters are read. Raises `ProblemError`."""
    await check_query(request)
    headers: dict[bytes, list[bytes]] = {}
    repeated = False
    for name, value in request.scope["headers"]:
        repeated |= name in headers
        headers.setdefault(name, []).append(value)
    stated: Contract | Contracts | None = request.route_handler.opt.get("contract")
    if stated is not None and stated.cost > 1:
        row = request.route_handler.opt.get("operation")
        await charge(payer(), stated.cost - 1, opens=row is not None and row.opens, fixed=True)
    if isinstance(stated, Contracts):
        if stated.takes_body:
            _check_body(headers, MAX_BODY)
    elif stated is not None and stated.body is not None:
        _check_body(headers, stated.max_body)
    if repeated:
        _check_repeated(request, headers)


def _check_body(headers: dict[bytes, list[bytes]], most: int) -> None:
    codings = b",".join(headers.get(ENCODING, ())).lower().replace(b" ", b"").split(b",")
    if not {*codings} <= {b"", b"identity"}:
        raise ProblemError(UnsupportedMediaType(), {"Accept-Encoding": "identity"})
    length, expect = (headers.get(name, [b""])[0] for name in (LENGTH, EXPECT))
    if expect.lower() == b"100-continue" and length.isdigit() and int(length) > most:
        # The client does not send a body after this response, so the connection is not usable for another request.
        raise ProblemError(TooLarge(), {"Connection": "close"})


def _check_repeated(request: Request[Any, Any, Any], headers: dict[bytes, list[bytes]]) -> None:
    """Combine lists, of which the framework would read one header. Raises `ProblemError` if another header that the
    handler takes is repeated."""
    for parameter in request.route_handler.parsed_fn_signature.parameters.values():
        if isinstance(header := parameter.kwarg_definition, HeaderParameter):
            name = header.name or parameter.name
            values = headers.get(name.lower().encode(), [])
            if len(values) > 1 and name.lower().encode() not in LISTS:
                raise malformed_request(name, "is given more than once")
    request.scope["headers"] = [
        (name, value)
        for name, values in headers.items()
        for value in ([b", ".join(values)] if name in LISTS else values)
    ]
