"""The files of docs/deployment.md: a configuration of nginx and a unit of systemd."""

import asyncio
import configparser
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from stammtisch_client import AsyncClient

from tests.docs.pages import DOCS
from tests.docs.test_install import announced
from tests.support.clients import Server

PAGE = (DOCS / "deployment.md").read_text()
FILES = dict(re.findall(r"<!-- A test runs this block: (.*) -->\n```\w+\n([^`]*)```", PAGE))
PLAIN = "server {\n    location / { proxy_pass http://127.0.0.1:8000; }\n}\n"
"""What the page warns of."""


@contextmanager
def nginx(sites: str, url: str, folder: Path) -> Iterator[str]:
    """Runs nginx with this configuration, without TLS, in front of the service. Gives its URL."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    sites = re.sub(r"(?m)^ *ssl_certificate.*\n", "", sites)
    sites = sites.replace("listen 443 ssl;", "").replace("server {", f"server {{\n    listen 127.0.0.1:{port};")
    paths = "".join(
        f"    {each}_temp_path {folder};\n" for each in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    file = folder / "nginx.conf"
    file.write_text(
        f"worker_processes 1;\npid {folder}/pid;\ndaemon off;\nevents {{}}\nhttp {{\n    access_log off;\n{paths}"
        + sites.replace("http://127.0.0.1:8000", url) + "}\n"
    )  # fmt: skip
    process = subprocess.Popen(["nginx", "-e", folder / "errors", "-c", file])
    try:
        for _ in range(600):
            with socket.socket() as client:
                if client.connect_ex(("127.0.0.1", port)) == 0:
                    break
            assert process.poll() is None, (folder / "errors").read_text()
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(60)


async def played(url: str, *, channel: bool) -> bool:
    """Plays a game. Whether the channel was open at its first turn."""
    async with AsyncClient(url, channel=channel) as ann:
        await ann.register("Ann")
        table = await ann.open("skyjo", ["me", "random/1"], options={"target_points": 1})
        opened = []
        async for turn in table.turns():
            opened.append(ann._channel.is_open)
            await turn.play(turn.legal_moves[0])
        assert (await table.game()).status == "finished"
        return opened[-1]


with_nginx = pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not installed")


@with_nginx
def test_channels_and_streams_pass_nginx(tmp_path: Path) -> None:
    with Server(tmp_path / "games.db", trusted_proxies="127.0.0.1") as server:
        with nginx(FILES["nginx"], server.url, tmp_path) as url:
            assert asyncio.run(played(url, channel=True))
            assert not asyncio.run(played(url, channel=False))
            for path in ("/metrics", "/health/ready", "/health/live"):
                assert httpx.get(url + path).status_code == 404
                assert httpx.get(server.url + path).status_code == 200
        assert "Upgrade" not in server.errors


@with_nginx
def test_behind_a_proxy_that_drops_the_upgrade_clients_play_and_the_log_warns(tmp_path: Path) -> None:
    with Server(tmp_path / "games.db", trusted_proxies="127.0.0.1") as server:
        with nginx(PLAIN, server.url, tmp_path) as url:
            assert not asyncio.run(played(url, channel=True))
        assert server.errors.count("a proxy does not pass the header Upgrade on") == 1


def test_nginx_passes_on_what_the_service_needs() -> None:
    """Also where nginx is not installed."""
    for line in (
        "proxy_http_version 1.1;", "proxy_set_header Upgrade $http_upgrade;", "proxy_set_header Host $host;",
        "proxy_set_header Connection $connection_upgrade;", "X-Forwarded-For $proxy_add_x_forwarded_for;",
    ):  # fmt: skip
        assert line in FILES["nginx"]


def test_the_unit_of_systemd_starts_and_stops_the_service(tmp_path: Path) -> None:
    unit = configparser.ConfigParser(interpolation=None, strict=False)
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read_string(FILES["systemd"])
    service = dict(unit["Service"])
    assert (service["Restart"], service["KillMode"], service["DynamicUser"]) == ("always", "mixed", "yes")
    assert service["WorkingDirectory"] == f"/var/lib/{service['StateDirectory']}"
    variables = dict(re.findall(r"(?m)^Environment=(\w+)=(.*)$", FILES["systemd"]))
    program, *arguments = shlex.split(service["ExecStart"])
    assert program == "/opt/stammtisch/.venv/bin/stammtisch"
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("STAMMTISCH_")}
    output = tmp_path / "output"
    with output.open("wb") as to:
        process = subprocess.Popen(
            [Path(sys.executable).with_name("stammtisch"), *arguments], cwd=tmp_path, stdout=to, stderr=to,
            env=inherited | variables | {"STAMMTISCH_PORT": "0"}, start_new_session=True,
        )  # fmt: skip
    try:
        url = announced(process, output)
        assert httpx.get(f"{url}/health/ready").json()["status"] == "ready"
        assert (tmp_path / "stammtisch.db").exists()
        process.send_signal(signal.SIGTERM)  # `mixed`: to the parent alone
        process.wait(60)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    unit = tmp_path / "stammtisch.service"
    unit.write_text(FILES["systemd"].replace("/opt/stammtisch/.venv/bin/stammtisch", sys.executable))
    done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True)
    wrong = [line for line in (done.stdout + done.stderr).splitlines() if unit.name in line]
    assert wrong == []
