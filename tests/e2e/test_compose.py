"""docker-compose.yml, as far as it can be looked at without Docker: what it names is there."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from service import settings
from service.__main__ import parser

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def whole() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    return found


@pytest.fixture(scope="module")
def services(whole: dict[str, Any]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = whole["services"]
    return found


def ours(services: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {name: service for name, service in services.items() if "build" in service}


def test_two_processes_serve_on_one_database_behind_one_address(services: dict[str, dict[str, Any]]) -> None:
    serving = [service for service in ours(services).values() if "command" not in service]
    assert len(serving) == 2
    assert serving[0]["environment"] == serving[1]["environment"]
    assert [name for name, service in services.items() if "ports" in service] == ["balancer"]


def test_our_commands_and_settings_are_there(services: dict[str, dict[str, Any]]) -> None:
    for service in ours(services).values():
        for name in ("STAMMTISCH_DATABASE", "STAMMTISCH_REDIS", "STAMMTISCH_SECRET"):
            assert name in service["environment"]
        given = {name: value.replace("${STAMMTISCH_SECRET:?set it in .env}", "x" * 64)
                 for name, value in service["environment"].items()}  # fmt: skip
        assert settings.read(given).on_a_server
        parser().parse_args(service.get("command", ["serve"]))


def test_whoever_is_waited_for_says_when_he_is_ready(services: dict[str, dict[str, Any]]) -> None:
    dockerfile = (ROOT / "Dockerfile").read_text()
    for service in services.values():
        for other, how in service.get("depends_on", {}).items():
            if how["condition"] == "service_healthy":
                assert "healthcheck" in services[other] or ("build" in services[other] and "HEALTHCHECK" in dockerfile)
            else:
                assert (how["condition"], services[other]["command"]) == ("service_completed_successfully", ["migrate"])


def test_the_balancer_knows_both_and_holds_nothing_back(whole: dict[str, Any], services: dict[str, Any]) -> None:
    (used,) = services["balancer"]["configs"]
    said = whole["configs"][used["source"]]["content"]
    for name in ours(services).keys() - {"migrate"}:
        assert f"{name}:8000" in said
    assert "flush_interval -1" in said
    assert "/health/ready" in said


def test_the_image_takes_commands_and_serves_by_itself() -> None:
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    assert 'ENTRYPOINT ["/venv/bin/stammtisch"]' in lines
    assert 'CMD ["serve"]' in lines
