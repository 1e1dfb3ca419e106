"""Spans of deliveries."""

from functools import partial
from pathlib import Path

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from service.extensions.webhooks.traced import TracedSender
from tests.extensions.webhooks.conftest import file_settings, live
from tests.support.clients import in_process
from tests.support.receivers import NETWORKS, delivering, receiving

pytestmark = pytest.mark.anyio


async def test_a_delivery_has_a_span_for_each_attempt(tmp_path: Path):
    given = file_settings(tmp_path / "games.db")
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    sender = partial(TracedSender, provider.get_tracer("a test"))
    async with (
        in_process(given.database, webhook_networks=NETWORKS, secret=given.secret) as service,
        receiving() as receiver,
        delivering(given, sender=sender),
    ):
        ann, bob = await service.guests("Ann", "Bob")
        hook = await live(ann, receiver, types=["game.begun"])
        receiver.answer = lambda _: 500
        await service.table("skyjo", [ann, bob])
        await receiver.until(lambda: len(receiver.received) == 2)
    provider.shutdown()
    ping, begun = exporter.get_finished_spans()
    assert {ping.name, begun.name} == {"deliver"}
    assert (ping.attributes or {})["stammtisch.status"] == "delivered"
    assert (begun.attributes or {})["http.response.status_code"] == 500
    assert (begun.attributes or {})["stammtisch.webhook"] == hook["id"]
    assert begun.status.status_code == StatusCode.ERROR
    assert receiver.url not in str([span.attributes for span in (ping, begun)])
