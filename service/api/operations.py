"""The routes for operators: is it alive, is it ready, what does it measure."""

import asyncio
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
from service.stammtisch import Stammtisch


class Health(Value):
    """`live`: the process answers. `ready`: it can reach its database."""

    status: str
    redis: Annotated[
        Literal["up", "away"] | UnsetType,
        Meta(description="Where one is configured. While it is away everything is answered from the database."),
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
        await reached()
        health = Health("ready")
        if house.redis is not None:
            health = Health("ready", "up" if house.redis.up else "away")
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

    reading: asyncio.Task[int] | None = None

    async def reached() -> None:
        """Whether the database answers: all who ask meanwhile wait for the same reading. Raises `Unavailable`."""
        nonlocal reading
        if reading is None or reading.done():
            reading = asyncio.create_task(house.store.position())
            reading.add_done_callback(lambda done: done.cancelled() or done.exception())  # perhaps nobody waits by then
        await asyncio.shield(reading)

    return [live, ready, metrics]
