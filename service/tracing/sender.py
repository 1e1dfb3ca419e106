"""A span for each attempt to deliver."""

from typing import Any

from opentelemetry import trace
from opentelemetry.trace import SpanKind, Status, StatusCode, Tracer

from projections.outbox import Delivery, DeliveryStatus
from service.webhooks.sender import Sender
from service.webhooks.transport import Answer


class TracedSender(Sender):
    """Sends with a span `deliver` for each attempt. It names the webhook and not its address."""

    def __init__(self, tracer: Tracer, *args: Any) -> None:
        super().__init__(*args)
        self._tracer = tracer

    async def _attempt(self, delivery: Delivery) -> bool | None:
        attributes: dict[str, Any] = {
            "stammtisch.webhook": delivery.hook, "stammtisch.delivery": delivery.id, "stammtisch.type": delivery.type,
            "stammtisch.attempt": delivery.attempts + 1,
        }  # fmt: skip
        if delivery.game is not None:
            attributes |= {"stammtisch.game": delivery.game, "stammtisch.version": delivery.version}
        with self._tracer.start_as_current_span("deliver", kind=SpanKind.CLIENT, attributes=attributes):
            return await super()._attempt(delivery)

    async def _settle(
        self, delivery: Delivery, status: DeliveryStatus, now: int, next: int, answer: Answer | None
    ) -> None:
        span = trace.get_current_span()
        span.set_attribute("stammtisch.status", status)
        if answer is not None and answer.status is not None:
            span.set_attribute("http.response.status_code", answer.status)
        if status != "delivered":
            span.set_status(Status(StatusCode.ERROR))
        await super()._settle(delivery, status, now, next, answer)
