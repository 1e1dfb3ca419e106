"""Traces by OpenTelemetry, which is optional: it is not imported unless `STAMMTISCH_TRACES` is on.

The core contains no spans. What is traced are a subclass of its games and a layer around the application, so without
traces they cost nothing.
"""

from typing import TYPE_CHECKING

from service.extension import Extension
from service.extensions.traces.settings import TraceSettings

if TYPE_CHECKING:
    from service.extension import Traces
    from service.settings import Settings


def traces(settings: "Settings") -> "Traces | None":
    if settings.of(TraceSettings).traces == "off":
        return None
    from service.settings import InvalidSettings

    try:
        from service.extensions.traces.provider import Tracing
    except ImportError:
        raise InvalidSettings(
            'STAMMTISCH_TRACES: OpenTelemetry is missing: install it in a working copy with `pip install ".[otel]"`'
        ) from None
    return Tracing()


TRACES = Extension(name="traces", home=__name__, settings=TraceSettings, traces=traces)
