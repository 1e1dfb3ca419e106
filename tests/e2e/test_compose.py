"""docker-compose.yml and Dockerfile, checked without Docker: schema, settings, files, image, load balancer, standby."""

import asyncio
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from urllib.parse import quote

import httpx
import pytest
import yaml
from psycopg.conninfo import conninfo_to_dict

from service import databases, settings
from service.__main__ import parser
from tests.e2e.test_many_processes import (
    check_everything,
    unreliable_players,
)
from tests.support import wheel
from tests.support.clients import Server
from tests.support.crowd import SHORT, Cluster, cluster, metrics, wait_for_answers
from tests.support.servers import Postgres, Started, free_port, postgres

ROOT = Path(__file__).parents[2]
PARTS = sorted(path.relative_to(ROOT) for path in ROOT.glob("service/extensions/*/compose.yml"))
PASSWORD = "${POSTGRES_PASSWORD:?set it in .env}"


@pytest.fixture(scope="module")
def whole() -> dict[str, Any]:
    """As Compose puts it together: services of extensions are in files of their own."""
    found: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    for part in found.pop("include"):
        services = yaml.safe_load((ROOT / part["path"]).read_text())["services"]
        assert not services.keys() & found["services"].keys(), "Compose refuses a service that exists"
        found["services"] |= services
    return found


@pytest.fixture(scope="module")
def services(whole: dict[str, Any]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = whole["services"]
    return found


def ours(services: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {name: service for name, service in services.items() if "build" in service}


@pytest.mark.checked
def test_it_obeys_the_published_schema() -> None:
    files = ["docker-compose.yml", *map(str, PARTS)]
    checked = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", *files],
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    assert checked.returncode == 0, checked.stdout


def test_it_includes_the_services_of_all_extensions(services: dict[str, dict[str, Any]]) -> None:
    """They have the image, the settings and the restrictions of the others: no anchor of YAML holds them together.
    Paths, and the file with secrets, are those of the project."""
    included = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["include"]
    assert included == [{"path": str(part), "project_directory": "."} for part in PARTS]
    first = services["stammtisch-1"]
    for part in PARTS:
        for service in yaml.safe_load((ROOT / part).read_text())["services"].values():
            assert service["profiles"], "it starts when it is asked for"
            for key in ("build", "image", "read_only", "tmpfs", "cap_drop", "security_opt", "restart"):
                assert service[key] == first[key]
            assert service["environment"].items() >= first["environment"].items()


def test_three_equal_services_run_behind_one_load_balancer(services: dict[str, dict[str, Any]]) -> None:
    serving = [service for service in ours(services).values() if "command" not in service]
    assert len(serving) == 3
    assert all(each["environment"] == serving[0]["environment"] for each in serving)
    assert [name for name, service in services.items() if "ports" in service] == ["balancer"]
    assert services["balancer"]["ports"] == ["127.0.0.1:8000:8000"], "strangers cannot reach it without TLS"


def test_its_commands_and_settings_are_valid(services: dict[str, dict[str, Any]]) -> None:
    for service in ours(services).values():
        for name in ("STAMMTISCH_DATABASE", "STAMMTISCH_REDIS", "STAMMTISCH_SECRET"):
            assert name in service["environment"]
        given = {name: value.replace("${STAMMTISCH_SECRET:?set it in .env}", "x" * 64)
                 for name, value in service["environment"].items()}  # fmt: skip
        database = settings.read(given)
        assert database.uses_postgres
        hosts, what = conninfo_to_dict(given["STAMMTISCH_DATABASE"].replace(PASSWORD, "x")), "target_session_attrs"
        assert (hosts["host"].split(","), hosts[what]) == (["postgres", "standby"], "read-write")
        assert {*hosts["host"].split(",")} <= services.keys()
        if "entrypoint" not in service:
            parser().parse_args(service.get("command", ["serve"]))


def test_a_service_finds_puzzles_once_a_day_whatever_becomes_of_the_last_time(
    services: dict[str, dict[str, Any]], tmp_path: Path
) -> None:
    """Its script, with programs that note how they are called. The third day ends it."""
    daily = services["puzzles"]
    assert daily["init"] is True, "it ends at once when it is stopped"
    assert daily["restart"] == "unless-stopped"
    (script,) = daily["command"]
    for name, then in (("stammtisch", "exit 1"), ("sleep", 'test "$(grep -c sleep calls)" -lt 3 || kill $PPID')):
        program = tmp_path / name
        program.write_text(f'#!/bin/sh\necho "$(basename "$0") $*" >> calls\n{then}\n')
        program.chmod(0o755)
    text = in_shell(script).replace("/venv/bin/stammtisch", "stammtisch")
    environment = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
    subprocess.run([*daily["entrypoint"], text], cwd=tmp_path, env=environment, timeout=60, check=False)
    published, slept = (tmp_path / "calls").read_text().splitlines()[:2]
    assert (tmp_path / "calls").read_text().splitlines() == [published, slept] * 3
    assert parser().parse_args(published.split()[1:]).publish
    assert slept == "sleep 86400"


def test_its_services_are_unprivileged_and_read_only(services: dict[str, dict[str, Any]]) -> None:
    """Except for data in a volume and temporary files."""
    *_, last = (ROOT / "Dockerfile").read_text().split("\nFROM ")
    (user,) = re.findall(r"(?m)^USER (\S+)$", last)
    (number,) = re.findall(rf"useradd --system --uid (\d+) .*{user}\b", last)
    assert int(number) > 0
    assert re.findall(r"(?m)^VOLUME (\S+)$", last) == ["/data"]
    for service in ours(services).values():
        assert service["read_only"] is True
        assert service["tmpfs"] == ["/tmp"]
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
        assert not {"user", "privileged", "cap_add", "volumes"} & service.keys()
    (alone,) = re.findall("docker run (.*) IMAGE", (ROOT / "docker-compose.yml").read_text())
    for option in ("--read-only", "--tmpfs /tmp", "--cap-drop ALL", "--volume games:/data"):
        assert option in alone


def test_every_dependency_has_a_health_check_or_completes(services: dict[str, dict[str, Any]]) -> None:
    dockerfile = (ROOT / "Dockerfile").read_text()
    for service in services.values():
        for other, how in service.get("depends_on", {}).items():
            if how["condition"] == "service_healthy":
                assert "healthcheck" in services[other] or ("build" in services[other] and "HEALTHCHECK" in dockerfile)
            else:
                assert (how["condition"], services[other]["command"]) == ("service_completed_successfully", ["migrate"])


@pytest.mark.checked
def test_the_standby_follows_the_primary_and_takes_over(
    tmp_path: Path, whole: dict[str, Any], services: dict[str, dict[str, Any]]
) -> None:
    """The scripts of the file on real servers. The image's entry point only starts PostgreSQL once there are data."""
    primary, standby = services["postgres"], services["standby"]
    ((source, target),) = [(each["source"], each["target"]) for each in primary["configs"]]
    assert target.startswith("/docker-entrypoint-initdb.d/")
    (script,) = standby["command"]
    assert standby["volumes"] != primary["volumes"]
    with postgres() as first, ExitStack() as running:
        own = Started(first.own.program)
        running.callback(own.remove, signal.SIGINT)
        second = Postgres(f"postgresql:///postgres?host={own.folder}&user=postgres")
        entry = own.folder / "docker-entrypoint.sh"
        given = f"-c max_connections=200 -c unix_socket_directories={own.folder}"
        entry.write_text(f'#!/bin/sh\nexec "$@" -c listen_addresses= {given}\n')
        entry.chmod(0o755)
        environment = {
            "PATH": f"{own.folder}:{first.own.program.parent}:/usr/bin:/bin", "PGDATA": str(own.folder / "data"),
            "PRIMARY": standby["environment"]["PRIMARY"].replace(f"={PASSWORD}", "=x").replace(
                "=postgres", f"={first.own.folder}"
            ),
        }  # fmt: skip
        first.execute("CREATE ROLE stammtisch SUPERUSER LOGIN")
        first.execute("CREATE DATABASE stammtisch OWNER stammtisch")
        own.run("sh", "-ec", in_shell(whole["configs"][source]["content"]), PGDATA=str(first.own.folder / "data"))
        rules = first.execute("SELECT error, database FROM pg_hba_file_rules ORDER BY line_number")
        assert {error for error, _ in rules} == {None}
        assert rules[-1][1] == ["replication"]
        database = services["stammtisch-1"]["environment"]["STAMMTISCH_DATABASE"].replace(f":{PASSWORD}", "")
        hosts = ",".join(quote(str(each.folder), safe="") for each in (first.own, own))
        database = database.replace("@postgres,standby/", f"@{hosts}/")
        databases.migrate(settings.read({}, database=database))
        for _ in range(2):  # the second time there are data
            own.begin("sh", "-ec", in_shell(script), answers=lambda: second.execute(""), **environment)
            while first.execute("SELECT state FROM pg_stat_replication WHERE application_name = 'standby'") != [
                ("streaming",)
            ]:
                sleep(0.02)
            own.end(signal.SIGINT)
        own.begin("sh", "-ec", in_shell(script), answers=lambda: second.execute(""), **environment)
        with Server(database, output=tmp_path / "server", secret="x" * 32) as server, httpx.Client(timeout=60) as http:
            http.base_url = server.url
            ann = http.post("/v1/players", json={"name": "Ann"}).json()
            while first.execute("SELECT pg_current_wal_lsn()") != second.execute("SELECT pg_last_wal_replay_lsn()"):
                sleep(0.02)
            first.lose()
            second.execute("SELECT pg_promote()")
            while (moved := http.post("/v1/players", json={"name": "Bob"})).status_code == 503:
                sleep(0.05)
            assert moved.status_code == 201
            assert http.get(f"/v1/players/{ann['id']}").json()["name"] == "Ann"


def in_shell(text: str) -> str:
    """The text as the container's shell receives it: Compose writes `$$` for `$`."""
    return text.replace("$$", "$")


@pytest.fixture
def caddyfile(whole: dict[str, Any], services: dict[str, dict[str, Any]]) -> str:
    (used,) = services["balancer"]["configs"]
    assert used["target"] == "/etc/caddy/Caddyfile"
    content: str = whole["configs"][used["source"]]["content"]
    return content


class Balanced(Cluster):
    """Equal processes behind a load balancer that receives all requests."""

    def __init__(self, servers: list[Server], url: str) -> None:
        super().__init__(servers)
        self._url = url

    @property
    def url(self) -> str:
        return self._url


@contextmanager
def balancer(caddyfile: str, servers: list[Server], folder: Path, path: str = "/health/live") -> Iterator[Balanced]:
    """Run the load balancer of the file with these processes as its upstreams."""
    program = shutil.which("caddy") or Path(sys.prefix) / "bin" / "caddy"  # `make test` puts it there
    port = free_port()
    for number, server in enumerate(servers, 1):
        caddyfile = caddyfile.replace(f" stammtisch-{number}:8000 ", f" {server.url.removeprefix('http://')} ")
    caddyfile = caddyfile.replace(":8000 {", f":{port} {{")
    assert "8000" not in caddyfile
    file = folder / "Caddyfile"
    file.write_text("{\n  admin off\n}\n" + caddyfile)
    with (folder / "caddy.log").open("wb") as log:
        process = subprocess.Popen(
            [program, "run", "--config", file, "--adapter", "caddyfile"], stdout=log, stderr=log,
            env={"HOME": str(folder)},
        )  # fmt: skip
    balanced = Balanced(servers, f"http://127.0.0.1:{port}")
    try:
        wait_until_ready(process, balanced.url + path)
        yield balanced
    finally:
        process.kill()
        process.wait()


def wait_until_ready(process: subprocess.Popen[bytes], url: str) -> None:
    deadline = monotonic() + 60
    while True:
        assert process.poll() is None, "the load balancer has exited"
        assert monotonic() < deadline
        try:
            assert httpx.get(url, timeout=60).status_code == 200
            return
        except httpx.ConnectError:
            sleep(0.05)


@pytest.mark.by_default()  # three processes behind Caddy, under load
@pytest.mark.anyio
async def test_games_continue_through_the_load_balancer_when_one_process_ends(
    tmp_path: Path, migrated_url: str, redis_url: str, caddyfile: str
) -> None:
    """As in the file: PostgreSQL, Redis, three processes. Streams are complete and not buffered."""
    with (
        cluster(tmp_path, migrated_url, 3, redis=redis_url, trusted_proxies="127.0.0.1") as processes,
        balancer(caddyfile, processes.servers, tmp_path) as balanced,
    ):
        async with unreliable_players(balanced) as players, asyncio.timeout(120):
            async with asyncio.TaskGroup() as tasks:
                for ruleset in SHORT:
                    tasks.create_task(players.play_in_turn(ruleset))
                await wait_for_answers(players, 40)
                assert len({made async for made in metrics(players, "stammtisch_moves_total", 30)}) > 1
                await asyncio.to_thread(processes.servers[0].stop)
            await check_everything(players, migrated_url, balanced)
            assert players.busy == 0


def test_strangers_do_not_reach_what_operators_read(tmp_path: Path, caddyfile: str) -> None:
    """`docs/deployment.md`: keep `/metrics` and `/health/*` inside. Here every request comes from 127.0.0.1."""
    assert "not remote_ip 127.0.0.0/8 ::1" in caddyfile
    with Server(tmp_path / "games.db", output=tmp_path / "output") as server:
        for inside, expected in (("127.0.0.0/8 ::1", 200), ("192.0.2.0/24", 404)):
            changed = caddyfile.replace("127.0.0.0/8 ::1", inside)
            with (
                balancer(changed, [server] * 3, tmp_path, "/v1/rulesets") as balanced,
                httpx.Client(base_url=balanced.url, timeout=60) as http,
            ):
                for path in ("/metrics", "//metrics", "/%6detrics", "/health/live", "/health/ready", "/HEALTH/live"):
                    assert http.get(balanced.url + path).status_code in (expected, 404), path
                for path in ("/metrics", "/health/live", "/health/ready"):
                    assert http.get(path).status_code == expected
                assert http.get("/v1/rulesets").status_code == 200


def test_the_image_runs_serve_by_default() -> None:
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    assert 'ENTRYPOINT ["/venv/bin/stammtisch"]' in lines
    assert 'CMD ["serve"]' in lines


def copied() -> list[str]:
    """The files and folders of the repository that the Dockerfile copies."""
    lines = re.findall(r"(?m)^COPY (?!--from)(.*) \S+$", (ROOT / "Dockerfile").read_text())
    return [name for line in lines for name in line.split()]


def test_docker_ignores_nothing_that_the_image_needs() -> None:
    """`.dockerignore` ignores everything and then lists exceptions."""
    everything, *exceptions = (ROOT / ".dockerignore").read_text().splitlines()
    assert everything == "*"
    assert sorted(copied()) == sorted(line[1:] for line in exceptions if line.startswith("!"))


def test_the_image_has_what_the_wheel_is_built_from() -> None:
    """The wheel itself is tested in `tests/package`."""
    assert {"pyproject.toml", "README.md", "LICENSE", wheel.BACKEND["PACKAGE"], *wheel.BACKEND["LAYERS"]} <= {*copied()}


@pytest.mark.by_default()  # a wheel is built and installed
def test_the_files_that_are_copied_into_the_image_are_enough_to_serve(tmp_path: Path) -> None:
    """Install them as the Dockerfile does, then serve from an empty folder without the repository."""
    source, site, data = tmp_path / "src", tmp_path / "site", tmp_path / "data"
    source.mkdir()
    data.mkdir()
    for name in copied():
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, source / name)
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*install, "--target", site, source], check=True, capture_output=True, timeout=240)
    shutil.rmtree(source)
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(site), "STAMMTISCH_PORT": str(free_port())}
    found = "from stammtisch import service; print(service.__file__)"
    where = subprocess.run([sys.executable, "-c", found], cwd=data, env=environment, capture_output=True, text=True)
    assert where.stdout.startswith(str(site)), where.stderr
    with (data / "output").open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, site / "bin" / "stammtisch", "serve"], cwd=data, env=environment, stdout=output,
            stderr=output,
        )  # fmt: skip
    url = f"http://127.0.0.1:{environment['STAMMTISCH_PORT']}"
    try:
        wait_until_ready(process, f"{url}/health/ready")
        for path in ("/v1/rulesets", "/schema/openapi.json", "/docs"):
            assert httpx.get(url + path, timeout=60).status_code == 200, (data / "output").read_text()
    finally:
        process.kill()
        process.wait()
