"""The floor of HTTP: an application of the same framework on the same server, whose one route does nothing."""

from litestar import Litestar, Response, post


@post("/noop", status_code=200)
async def noop() -> Response[bytes]:
    return Response(b"{}", media_type="application/json")


def create() -> Litestar:
    return Litestar([noop], openapi_config=None, logging_config=None)
