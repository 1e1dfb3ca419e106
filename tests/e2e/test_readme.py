"""The first game of the README runs as it is written, however the service is deployed."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from socket import socket

import pytest

from tests.e2e.test_compose import balancer, caddyfile, services, whole
from tests.support.clients import Server
from tests.support.crowd import cluster

__all__ = ["caddyfile", "services", "whole"]  # fixtures

README = Path(__file__).parents[2] / "README.md"


def first_game() -> str:
    text = README.read_text()
    found = re.search(r"<!-- A test runs this block as it stands\. -->\n```sh\n(.*?)```", text, flags=re.DOTALL)
    assert found, "the README has no first game"
    return found[1]


def played(url: str, *options: str, seconds: float = 240) -> subprocess.CompletedProcess[str]:
    """Run the first game in a shell with these options."""
    here = os.environ | {"API": url, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    script = ["bash", *options, "-c", first_game()]
    return subprocess.run(script, env=here, capture_output=True, text=True, timeout=seconds)


@pytest.fixture(params=["one process", "two workers", "balanced"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """One process on a file, two workers on a file, or two processes on PostgreSQL behind a load balancer."""
    with ExitStack() as stack:
        if request.param == "balanced":
            database, how = request.getfixturevalue("migrated_url"), request.getfixturevalue("caddyfile")
            processes = stack.enter_context(cluster(tmp_path, database, trusted_proxies="127.0.0.1"))
            yield stack.enter_context(balancer(how, processes.servers, tmp_path)).url
        else:
            server = Server(tmp_path / "readme.db", workers=1 + (request.param == "two workers"))
            stack.callback(server.stop)
            yield server.url


@pytest.mark.checked
@pytest.mark.by_default("one process")  # a shell and a Python process for each move
def test_the_first_game_of_the_readme_runs_to_its_end(url: str) -> None:
    done = played(url, "-euo", "pipefail")
    assert done.returncode == 0, done.stderr
    moved, result, events, layout = done.stdout.splitlines()
    assert moved.startswith("[{'version': 6, ") and "'type': 'flipped'" in moved
    assert "'winners': [" in result
    assert re.search(r"'type': 'opened'.*'secret': '[0-9a-f]{64}'", events), "the secret is revealed"
    assert layout.count("'up': True") == 2


def test_the_first_game_of_the_readme_stops_at_an_error(tmp_path: Path) -> None:
    """The script prints the problem and sends no more requests."""
    with Server(tmp_path / "readme.db", guests="off") as server:
        done = played(server.url, seconds=240)
    assert done.returncode
    assert done.stderr.count('"type":') == 1, f"no request follows: {done.stderr}"


def test_without_a_service_the_first_game_of_the_readme_says_so_once() -> None:
    with socket() as reserved:
        reserved.bind(("127.0.0.1", 0))
        done = played(f"http://127.0.0.1:{reserved.getsockname()[1]}")
    assert done.returncode and not done.stdout
    (line,) = done.stderr.splitlines()
    assert line.startswith("curl: (7)"), line
