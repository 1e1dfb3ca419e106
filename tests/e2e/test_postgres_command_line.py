"""PostgreSQL from the command line: migrate, serve, export, import."""

import subprocess
import sys
from pathlib import Path

import httpx

from tests.clients import Server, done

ROOT = Path(__file__).parents[2]


def stammtisch(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "service", *command], cwd=ROOT, capture_output=True, text=True)


def test_an_empty_database_is_served_at_once(tmp_path: Path, postgres_url: str) -> None:
    server = Server(postgres_url, output=tmp_path / "server", secret="x" * 32)
    try:
        player = done(httpx.post(f"{server.url}/v1/players", json={"name": "Ada"}), 201)
        assert done(httpx.get(f"{server.url}/v1/players/{player['id']}"))["name"] == "Ada"
    finally:
        server.stop()
    assert "Traceback" not in server.errors


def test_a_database_is_migrated_as_often_as_one_likes(postgres_url: str) -> None:
    assert stammtisch("export", "--database", postgres_url).returncode == 2
    for _ in range(2):
        migrated = stammtisch("migrate", "--database", postgres_url)
        assert (migrated.returncode, migrated.stdout, migrated.stderr) == (0, "", "")
    assert stammtisch("export", "--database", postgres_url).stderr == "0 games exported\n"


def test_a_server_that_is_not_there_is_said_without_its_password(tmp_path: Path) -> None:
    for command in ("serve", "migrate", "export"):
        failed = stammtisch(command, "--database", f"postgresql://ada:hush@/games?host={tmp_path}")
        assert failed.returncode == 2
        assert "STAMMTISCH_DATABASE" in failed.stderr
        assert "Traceback" not in failed.stderr
        assert "hush" not in failed.stderr
