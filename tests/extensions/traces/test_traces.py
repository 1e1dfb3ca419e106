"""Traces of requests, decisions and commits, if they are on."""

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from service.extension import traces
from service.extensions.traces import provider
from service.settings import InvalidSettings, read
from tests.support.clients import done, in_process, problem

pytestmark = pytest.mark.anyio


@pytest.fixture
def exporter(monkeypatch: pytest.MonkeyPatch) -> InMemorySpanExporter:
    """Keeps the spans, instead of sending them to a collector."""
    made = InMemorySpanExporter()
    monkeypatch.setattr(provider, "processor", lambda: SimpleSpanProcessor(made))
    return made


def named(spans: Sequence[ReadableSpan], name: str) -> list[ReadableSpan]:
    return [span for span in spans if span.name == name]


async def test_a_request_has_spans_for_its_decision_and_commit(tmp_path: Path, exporter: InMemorySpanExporter):
    async with in_process(tmp_path / "games.db", traces="on") as service:
        ann, bob = await service.guests("Ann", "Bob")
        game = await service.table("skyjo", [ann, bob])
        seen = await ann.look(game)
        mover = (ann, bob)[seen["to_act"][0]]
        chosen = (await mover.moves(game))[0]
        exporter.clear()
        trace = "4bf92f3577b34da6a3ce929d0e0e4736"
        parent = {"traceparent": f"00-{trace}-00f067aa0ba902b7-01"}
        done(await mover.post(f"{game}/moves", chosen, headers=parent))
        problem(await mover.post(f"{game}/moves", {"type": "toss", "slots": [0]}), 400, "malformed")
    spans = exporter.get_finished_spans()
    first, second = named(spans, "POST /v1/games/skyjo/{game_id}/moves")
    (decide,), (commit,) = named(spans, "decide"), named(spans, "commit")
    assert decide.parent.span_id == commit.parent.span_id == first.context.span_id  # type: ignore[union-attr]
    assert f"{first.context.trace_id:032x}" == trace, "the client's trace goes on"
    assert first.attributes["http.response.status_code"] == 200  # type: ignore[index]
    assert second.attributes["http.response.status_code"] == 400  # type: ignore[index]
    assert {span.status.status_code for span in spans} == {StatusCode.UNSET}
    assert commit.attributes["stammtisch.game"] == game.rpartition("/")[2]  # type: ignore[index]
    assert decide.attributes.keys() == {"stammtisch.game", "stammtisch.ruleset", "stammtisch.version"}  # type: ignore[union-attr]


def test_traces_without_the_extra_are_refused_at_the_start(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "service.extensions.traces.provider", None)
    with pytest.raises(InvalidSettings, match=r"\[otel\]"):
        traces(read({}, traces="on"))
    assert traces(read({})) is None
