"""The routes for operators: is it alive, is it ready, what does it measure."""

from typing import Annotated, Literal

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp
from msgspec import UNSET, Meta, UnsetType

from domain.codec import encode
from domain.messages import Value
from service.api import problems
from service.api.contract import Answer, contract, problem
from service.http.raw_response import RawResponse
from service.live.single_flight import SingleFlight
from service.runtime import Runtime


class Health(Value):
    """`live`: the process answers. `ready`: it can read its database, and has not failed to write to it."""

    status: str
    redis: Annotated[
        Literal["up", "away"] | UnsetType,
        Meta(description="Where one is configured. While it is away everything is answered from the database."),
    ] = UNSET
    isolated_games: Annotated[
        int | UnsetType,
        Meta(
            description="Absent unless the service is degraded: how many games lobby, profiles or standings leave out, "
            "because one of their events cannot be applied. The log names them. All other games are served, so the "
            "service is ready; `stammtisch rebuild` tries them again.",
        ),
    ] = UNSET


def operation_routes(runtime: Runtime) -> list[HTTPRouteHandler]:
    @get("/health/live", operation_id="live", summary="Is the process alive?", tags=["Operations"],
        opt=contract(Answer(200, Health)),
    )  # fmt: skip
    async def live() -> ASGIApp:
        """Restart the process when this fails."""
        return RawResponse(encode(Health("live")), headers={"Cache-Control": "no-store"})

    @get("/health/ready", operation_id="ready", summary="Can it serve?", tags=["Operations"],
        opt=contract(Answer(200, Health), problem(problems.Unavailable, "Retry-After")),
    )  # fmt: skip
    async def ready() -> ASGIApp:
        """Send no traffic while this fails."""
        await reached(None)
        redis: Literal["up", "away"] | UnsetType = UNSET
        if runtime.redis is not None:
            redis = "up" if runtime.redis.up else "away"
        # Still ready: every process leaves out the same games, so nothing would be better elsewhere, and to take all
        # processes out of service for one bad game would be worse.
        health = Health("ready", redis, runtime.projection_runner.isolated or UNSET)
        return RawResponse(encode(health), headers={"Cache-Control": "no-store"})

    @get("/metrics", operation_id="metrics", summary="Numbers for Prometheus", tags=["Operations"],
        opt=contract(
            Answer(200, str, "In the exposition format of Prometheus.", media="text/plain"),
            problem(problems.TooManyRequests, "Retry-After"),
        ),
    )  # fmt: skip
    async def metrics() -> ASGIApp:
        """Of this process alone."""
        return RawResponse(runtime.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")

    # Whether the database can be used: it is asked once, however many wait to hear it. Raises `Unavailable`.
    reached: SingleFlight[None, None] = SingleFlight(lambda _: runtime.store.ready())
    return [live, ready, metrics]
