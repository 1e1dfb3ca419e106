"""kubernetes/stammtisch.yaml, checked without a cluster: published schemas, and what the service expects."""

from collections import defaultdict
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from service import settings
from service.__main__ import parser
from service.app import rest_api
from service.extensions.webhooks.settings import WebhookSettings
from service.runtime import Runtime

FILE = Path(__file__).parents[2] / "kubernetes" / "stammtisch.yaml"
INSIDE = {"health", "metrics"}
"""The first parts of the paths that only operators read."""

Object = dict[str, Any]


@pytest.fixture(scope="module")
def objects() -> dict[str, dict[str, Object]]:
    """By kind and name."""
    found: defaultdict[str, dict[str, Object]] = defaultdict(dict)
    for each in yaml.safe_load_all(FILE.read_text()):
        found[each["kind"]][each["metadata"]["name"]] = each
    return found


def pod(objects: dict[str, dict[str, Object]], name: str) -> Object:
    """Of a deployment or a daily job."""
    job = objects["CronJob"].get(name)
    spec = objects["Deployment"][name]["spec"] if job is None else job["spec"]["jobTemplate"]["spec"]
    found: Object = spec["template"]["spec"]
    return found


def containers(objects: dict[str, dict[str, Object]], name: str) -> list[Object]:
    spec = pod(objects, name)
    return [*spec.get("initContainers", ()), *spec["containers"]]


def test_every_object_obeys_the_published_schema(objects: dict[str, dict[str, Object]]) -> None:
    for each in (each for named in objects.values() for each in named.values()):
        kubernetes_validate.validate(each, kubernetes_validate.latest_version(), strict=True)
        assert each["metadata"]["namespace"] == "stammtisch"
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(
            {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "x"}, "spec": {"port": 1}}, "1.37", strict=True
        )


def test_its_commands_settings_and_probes_are_those_of_the_service(objects: dict[str, dict[str, Object]]) -> None:
    secret = {"database": "postgresql://USER:PASSWORD@HOST/NAME", "secret": "x" * 32}
    for name in ("stammtisch", "deliver", "puzzles"):
        for container in containers(objects, name):
            given = {
                each["name"]: each["value"] if "value" in each else secret[each["valueFrom"]["secretKeyRef"]["key"]]
                for each in container["env"]
            }
            chosen = settings.read(given)
            assert chosen.uses_postgres
            command = parser().parse_args(container["args"]).module
            port = {"serve": chosen.port, "deliver": chosen.of(WebhookSettings).deliver_port}.get(command)
            assert [each["containerPort"] for each in container.get("ports", ())] == ([port] if port else [])
            for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
                if probe in container:
                    named, path = container["ports"][0]["name"], container[probe]["httpGet"]["path"]
                    assert container[probe]["httpGet"]["port"] == named
                    assert path in {"/metrics", "/health/live", "/health/ready"}
    (serving,) = pod(objects, "stammtisch")["containers"]
    assert {serving[each]["httpGet"]["path"] for each in ("livenessProbe", "startupProbe")} == {"/health/live"}
    assert serving["readinessProbe"]["httpGet"]["path"] == "/health/ready"
    pause = int(serving["lifecycle"]["preStop"]["exec"]["command"][1])
    assert (
        pod(objects, "stammtisch")["terminationGracePeriodSeconds"]
        > pause + settings.read({}).limits.shutdown_timeout + 5
    )
    given = {each["name"]: each.get("value") for each in serving["env"]}
    assert given["STAMMTISCH_REDIS"] == "redis://valkey:6379/0"


def test_a_daily_job_finds_puzzles_and_is_not_repeated(objects: dict[str, dict[str, Object]]) -> None:
    (container,) = containers(objects, "puzzles")
    assert parser().parse_args(container["args"]).publish
    job = objects["CronJob"]["puzzles"]["spec"]
    minute, hour, *every = job["schedule"].split()
    assert (int(minute) < 60, int(hour) < 24, every) == (True, True, ["*"] * 3)
    assert (job["concurrencyPolicy"], job["jobTemplate"]["spec"]["backoffLimit"]) == ("Forbid", 0)
    assert pod(objects, "puzzles")["restartPolicy"] == "Never"


def test_services_and_budgets_select_pods_that_exist(objects: dict[str, dict[str, Object]]) -> None:
    labels = [each["spec"]["template"]["metadata"]["labels"] for each in objects["Deployment"].values()]
    selectors = [each["spec"]["selector"] for each in objects["Service"].values()]
    selectors += [
        each["spec"]["selector"]["matchLabels"]
        for kind in ("Deployment", "PodDisruptionBudget")
        for each in objects[kind].values()
    ]
    assert all(selector in labels for selector in selectors)
    for name, service in objects["Service"].items():
        ports = [each["name"] for container in containers(objects, name) for each in container.get("ports", ())]
        assert [each["targetPort"] for each in service["spec"]["ports"]] == ports


def test_the_balancer_leads_to_every_route_but_those_of_operators(
    objects: dict[str, dict[str, Object]], tmp_path: Path
) -> None:
    app = rest_api(Runtime(settings.read({}, database=str(tmp_path / "games.db"))))
    parts = {route.path.split("/")[1] for route in app.routes}
    (rule,) = objects["Ingress"]["stammtisch"]["spec"]["rules"]
    paths = {each["path"]: each["pathType"] for each in rule["http"]["paths"]}
    assert parts > INSIDE
    assert paths == {f"/{part}": "Prefix" if part else "Exact" for part in parts - INSIDE}
    backends = [each["backend"]["service"] for each in rule["http"]["paths"]]
    assert all(each == {"name": "stammtisch", "port": {"name": "http"}} for each in backends)


def test_its_containers_are_unprivileged_and_read_only(objects: dict[str, dict[str, Object]]) -> None:
    for name in (*objects["Deployment"], *objects["CronJob"]):
        spec = pod(objects, name)
        assert spec["securityContext"]["runAsNonRoot"] is True
        assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        assert spec["automountServiceAccountToken"] is False
        for container in containers(objects, name):
            assert container["securityContext"] == {
                "allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]},
            }  # fmt: skip
            assert "resources" in container or container["name"] == "migrate"
