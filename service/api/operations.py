"""The routes for operators: is it alive, is it ready, what does it measure."""

from typing import Annotated, Literal

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp
from msgspec import UNSET, Meta, UnsetType

from domain.messages import Value
from domain.wire import encode
from service.api import problems
from service.api.contract import Answer, contract, problem
from service.api.replies import Reply
from service.once import Once
from service.stammtisch import Stammtisch


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


def operation_routes(house: Stammtisch) -> list[HTTPRouteHandler]:
    @get("/health/live", operation_id="live", summary="Is the process alive?", tags=["Operations"],
        opt=contract(Answer(200, Health)),
    )  # fmt: skip
    async def live() -> ASGIApp:
        """Restart the process when this fails."""
        return Reply(encode(Health("live")), headers={"Cache-Control": "no-store"})

    @get("/health/ready", operation_id="ready", summary="Can it serve?", tags=["Operations"],
        opt=contract(Answer(200, Health), problem(problems.Unavailable, "Retry-After")),
    )  # fmt: skip
    async def ready() -> ASGIApp:
        """Send no traffic while this fails."""
        await reached(None)
        redis: Literal["up", "away"] | UnsetType = UNSET
        if house.redis is not None:
            redis = "up" if house.redis.up else "away"
        # Still ready: every process leaves out the same games, so nothing would be better elsewhere, and to take all
        # processes out of service for one bad game would be worse.
        health = Health("ready", redis, house.feed.isolated or UNSET)
        return Reply(encode(health), headers={"Cache-Control": "no-store"})

    @get("/metrics", operation_id="metrics", summary="Numbers for Prometheus", tags=["Operations"],
        opt=contract(
            Answer(200, str, "In the exposition format of Prometheus.", media="text/plain"),
            problem(problems.TooManyRequests, "Retry-After"),
        ),
    )  # fmt: skip
    async def metrics() -> ASGIApp:
        """Of this process alone."""
        return Reply(house.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")

    # Whether the database can be used: it is asked once, however many wait to hear it. Raises `Unavailable`.
    reached: Once[None, None] = Once(lambda _: house.store.ready())
    return [live, ready, metrics]
