"""The floors of HTTP: an empty POST and GET.

`create`: on our own server, so behind the same edge middleware (authentication, rate limits, metrics, access log), with
its body read as strictly. `bare`: on an application of the same framework that has nothing else at all.
"""

from litestar import Litestar, Response, get, post
from litestar.types import ASGIApp
from msgspec import Struct

from service.api.contract import Answer, contract
from service.app import create_app
from service.rest.input.bodies import body
from service.server.auth import signed_in
from service.server.raw_response import RawResponse
from service.server.request import LazyRequest
from service.settings import read


class Nothing(Struct, forbid_unknown_fields=True):
    """A body of the size of a move."""

    type: str
    slot: int


@post("/noop", status_code=200, include_in_schema=False, opt=contract(Answer(200), body=Nothing))
async def noop(request: LazyRequest) -> ASGIApp:
    signed_in(request)
    await body(request)
    return RawResponse(b"{}")


@get("/noop", include_in_schema=False, opt=contract(Answer(200)))
async def noop_get(request: LazyRequest) -> ASGIApp:
    signed_in(request)
    return RawResponse(b"{}")


def create() -> ASGIApp:
    return create_app(read(), routes=[noop, noop_get])


@post("/noop", status_code=200)
async def bare_noop() -> Response[bytes]:
    return Response(b"{}", media_type="application/json")


def bare() -> Litestar:
    return Litestar([bare_noop], openapi_config=None, logging_config=None)
