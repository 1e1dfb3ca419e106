"""The settings of traces."""

from typing import Literal

from msgspec import Struct


class TraceSettings(Struct, frozen=True, kw_only=True):
    traces: Literal["on", "off"] = "off"
    """Whether to send traces by OpenTelemetry (OTLP over HTTP): of requests, decisions, commits and deliveries. Needs
    the extra `otel`. The standard variables, such as `OTEL_EXPORTER_OTLP_ENDPOINT` and `OTEL_TRACES_SAMPLER`, configure
    it."""
