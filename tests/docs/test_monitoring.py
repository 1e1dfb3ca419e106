"""The dashboard and the alerts use metrics that exist, with labels that they have."""

import json
import re
from collections.abc import Iterator
from typing import Any

import yaml

from tests.docs.pages import DOCS
from tests.docs.tables import deliverer_metrics, name, served_metrics

MONITORING = DOCS / "monitoring"


def dashboard() -> Any:
    return json.loads((MONITORING / "grafana.json").read_text())


def alerts() -> Iterator[Any]:
    for group in yaml.safe_load((MONITORING / "alerts.yml").read_text())["groups"]:
        yield from group["rules"]


def series() -> dict[str, set[str]]:
    """The names of all time series, with their labels."""
    found: dict[str, set[str]] = {}
    for metric in (*served_metrics(), *deliverer_metrics()):
        labels = {label for sample in metric.samples for label in sample.labels}
        suffixes = ("_bucket", "_sum", "_count") if metric.type == "histogram" else ("",)
        found |= {name(metric) + suffix: labels for suffix in suffixes}
    return found


def expressions() -> Iterator[str]:
    yield from (target["expr"] for panel in dashboard()["panels"] for target in panel.get("targets", ()))
    yield from (rule["expr"] for rule in alerts())


def test_dashboard_and_alerts_use_metrics_that_exist() -> None:
    known, used = series(), set[str]()
    for expression in expressions():
        names = set(re.findall(r"\bstammtisch_\w+", expression))
        used |= names
        assert names <= known.keys(), expression
        labels = {"job", *(label for each in names for label in known[each])}
        matched = re.findall(r"(\w+)=~?\"", expression)
        grouped = [label.strip() for by in re.findall(r"by \(([^)]*)\)", expression) for label in by.split(",")]
        assert {*matched, *grouped} <= labels, expression
        assert expression.count("(") == expression.count(")")
    assert len(used) > 20


def test_every_alert_is_described() -> None:
    page = (DOCS / "operations.md").read_text()
    for rule in alerts():
        assert page.count(f"| `{rule['alert']}` | ") == 1
        assert rule["annotations"]["summary"]


def test_every_panel_has_its_own_place() -> None:
    panels = dashboard()["panels"]
    places = {(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in panels}
    assert len(places) == len({panel["id"] for panel in panels}) == len(panels)


def test_a_panel_without_data_shows_zero() -> None:
    """A counter that was never increased has no series: *No data* would look like a fault."""
    panels = [panel for panel in dashboard()["panels"] if panel["type"] != "row"]
    assert {panel["fieldConfig"]["defaults"].get("noValue") for panel in panels} == {"0"}
