"""The routes for operators: is it alive, is it ready, what does it measure."""

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler

from domain.messages import Value
from domain.wire import encode
from service.api import problems
from service.api.contract import JSON, Answer, contract, problem
from service.stammtisch import Stammtisch


class Health(Value):
    """`live`: the process answers. `ready`: it can reach its database."""

    status: str


def operation_routes(house: Stammtisch) -> list[HTTPRouteHandler]:
    @get("/health/live", operation_id="live", summary="Is the process alive?", tags=["Operations"], security=[],
        opt=contract(Answer(200, Health)),
    )  # fmt: skip
    async def live() -> Response[bytes]:
        """Restart the process when this fails."""
        return Response(encode(Health("live")), media_type=JSON, headers={"Cache-Control": "no-store"})

    @get("/health/ready", operation_id="ready", summary="Can it serve?", tags=["Operations"], security=[],
        opt=contract(Answer(200, Health), problem(problems.Unavailable, "Retry-After")),
    )  # fmt: skip
    async def ready() -> Response[bytes]:
        """Send no traffic while this fails."""
        await house.store.position()
        return Response(encode(Health("ready")), media_type=JSON, headers={"Cache-Control": "no-store"})

    @get("/metrics", operation_id="metrics", summary="Numbers for Prometheus", tags=["Operations"], security=[],
        opt=contract(Answer(200, str, "In the exposition format of Prometheus.", media="text/plain")),
    )  # fmt: skip
    async def metrics() -> Response[bytes]:
        """Of this process alone."""
        return Response(house.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")

    return [live, ready, metrics]
