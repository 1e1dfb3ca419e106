"""PostgreSQL on the command line: migrate, serve, export."""

import os
from pathlib import Path

import httpx
import psycopg
import pytest

from service.__main__ import main
from service.settings import read
from tests.support.clients import Server, done
from tests.support.forked import run_command

Capture = pytest.CaptureFixture[str]


def test_serve_creates_the_tables_of_an_empty_database(tmp_path: Path, postgres_url: str) -> None:
    with Server(postgres_url, output=tmp_path / "server", secret="x" * 32) as server:
        player = done(httpx.post(f"{server.url}/v1/players", json={"name": "Ada"}), 201)
        assert done(httpx.get(f"{server.url}/v1/players/{player['id']}"))["name"] == "Ada"
    assert "Traceback" not in server.errors


def test_migrate_says_what_it_did(postgres_url: str, capsys: Capture) -> None:
    def told() -> str:
        assert main(["migrate", "--database", postgres_url]) == 0
        out, err = capsys.readouterr()
        label, _, what = out.partition(": ")
        assert (label, err) == (read({}, database=postgres_url).database_label, "")
        return what

    assert main(["export", "--database", postgres_url]) == 2
    assert capsys.readouterr().out == ""
    assert told() == "created all tables\n"
    assert told() == "the tables are up to date\n"
    with psycopg.connect(postgres_url) as connection:
        connection.execute("UPDATE checkpoints SET version = 0 WHERE projection = 'lobby'")
    assert told() == "updated the tables of lobby; the service rebuilds them from the log\n"
    assert main(["export", "--database", postgres_url]) == 0
    assert capsys.readouterr() == ("", "0 games exported\n")


def test_an_unreachable_server_is_reported_without_the_password(tmp_path: Path, capsys: Capture) -> None:
    nowhere = f"postgresql://ada:hush@/games?host={tmp_path}"
    served = run_command("serve", "--database", nowhere, environment=os.environ | {"STAMMTISCH_SECRET": "x" * 32})
    messages = [served.stderr]
    assert served.returncode == 2
    for name in ("migrate", "export"):
        assert main([name, "--database", nowhere]) == 2
        messages.append(capsys.readouterr().err)
    for each in messages:
        assert "STAMMTISCH_DATABASE" in each
        assert "Traceback" not in each
        assert "hush" not in each
