"""The routes for operators: liveness, readiness and metrics."""

from collections.abc import Callable, Coroutine
from typing import Annotated, Any, Literal

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp
from msgspec import UNSET, Meta, UnsetType

from domain.codec import encode
from domain.messages import Value
from service.api import problems
from service.api.contract import QUERY, Answer, contract, problem
from service.core import Core
from service.live.single_flight import SingleFlight
from service.process import packages
from service.server.raw_response import RawResponse


class Health(Value):
    """`status` is `live` (the process responds) or `ready` (the database can be read, the last write succeeded, and its
    clock agrees with that of the process)."""

    status: str
    """`live` or `ready`."""
    redis: Annotated[
        Literal["up", "away"] | UnsetType,
        Meta(
            description="The state of the connection to Redis, if one is configured. While it is `away`, the "
            "service works from the database alone."
        ),
    ] = UNSET
    isolated_games: Annotated[
        int | UnsetType,
        Meta(
            description="The number of games that lobby, profiles or standings omit because one of their events cannot "
            "be applied; absent if there is none. The log names them. All other games are served, so the service is "
            "ready. `stammtisch rebuild` tries them again.",
        ),
    ] = UNSET
    unserved: Annotated[
        list[str] | UnsetType,
        Meta(
            description="Installed packages and rulesets that the setting `PACKAGES` allows and that cannot be loaded, "
            "sorted; absent if there are none. Standard error says why."
        ),
    ] = UNSET


def operation_routes(runtime: Core, check: Callable[[], Coroutine[Any, Any, None]]) -> list[HTTPRouteHandler]:
    @get("/health/live", operation_id="live", summary="Check liveness", tags=["Operations"],
        opt=contract(Answer(200, Health), cost=1),
    )  # fmt: skip
    async def live() -> ASGIApp:
        """Reports whether the process responds. Restart it when this fails."""
        return RawResponse(encode(Health("live")), headers={"Cache-Control": "no-store"})

    @get("/health/ready", operation_id="ready", summary="Check readiness", tags=["Operations"],
        opt=contract(Answer(200, Health), problem(problems.Unavailable, "Retry-After"), cost=1),
    )  # fmt: skip
    async def ready() -> ASGIApp:
        """Reports whether the process can serve requests. Send no traffic while this fails."""
        await database_ready(None)
        redis: Literal["up", "away"] | UnsetType = UNSET
        if runtime.shared is not None:
            redis = "up" if runtime.shared.lines.up else "away"
        # Isolated games do not affect readiness: every process omits the same games, so taking processes out of service
        # would not help.
        health = Health("ready", redis, runtime.projection_runner.isolated or UNSET, sorted(packages.FAILED) or UNSET)
        return RawResponse(encode(health), headers={"Cache-Control": "no-store"})

    @get("/metrics", operation_id="metrics", summary="Get the metrics", tags=["Operations"],
        opt=contract(
            Answer(200, str, "The metrics in the text format of Prometheus.", media="text/plain"),
            problem(problems.TooManyRequests, "Retry-After"),
            cost=2 * QUERY,
        ),
    )  # fmt: skip
    async def metrics() -> ASGIApp:
        """Returns the metrics of this process for Prometheus."""
        return RawResponse(runtime.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")

    # Checks the database; concurrent readiness checks share one query. Raises `Unavailable`.
    database_ready: SingleFlight[None, None] = SingleFlight(lambda _: check())
    return [live, ready, metrics]
