"""`stammtisch serve` reports a problem at the start in one line."""

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from service import settings
from service.__main__ import main
from service.http import server


def serve(*arguments: str, **given: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "service", "serve", *arguments]
    return subprocess.run(command, env=environment() | given, capture_output=True, text=True, timeout=60)


def environment() -> dict[str, str]:
    """The environment without settings."""
    return {name: value for name, value in os.environ.items() if not name.startswith(settings.PREFIX)}


def test_help_lists_every_setting() -> None:
    printed = serve("--help").stdout
    for field in msgspec.structs.fields(settings.Settings):
        assert f"{settings.variable(field.name)} (default: " in printed


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"STAMMTISCH_PORT": "eight"}, "STAMMTISCH_PORT: Expected `int`"),
        ({"STAMMTISCH_RATE_LIMIT": "fast"}, "STAMMTISCH_RATE_LIMIT: Expected `str` matching regex"),
        ({"STAMMTISCH_COLOUR": "blue"}, "STAMMTISCH_COLOUR: there is no such setting"),
        ({"STAMMTISCH_SECRET": "short"}, "STAMMTISCH_SECRET: a shared secret must have at least 32"),
        ({"STAMMTISCH_ISSUER_KEY": "short"}, "STAMMTISCH_ISSUER_KEY: a shared secret must have at least 32"),
        ({"STAMMTISCH_REDIS": "http://nowhere"}, "STAMMTISCH_REDIS: Expected `str` matching regex"),
        ({"STAMMTISCH_REDIS": "redis://nowhere:x"}, "STAMMTISCH_REDIS: Port could not be cast"),
        ({"STAMMTISCH_DATABASE": "oracle://nowhere"}, "STAMMTISCH_DATABASE: 'oracle://nowhere' is neither"),
    ],
)
def test_an_invalid_setting_is_named(
    given: dict[str, str],
    expected: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    for name in os.environ.keys() - environment().keys():
        monkeypatch.delenv(name)
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(os, "environ", dict(os.environ))  # `serve` modifies it
    monkeypatch.setattr(server, "configuration", lambda *_: pytest.fail("the service starts"))
    monkeypatch.chdir(tmp_path)
    assert main(["serve"]) == 2
    message = capsys.readouterr().err
    assert message.startswith(expected)
    assert len(message.splitlines()) == 1


def test_an_unusable_database_is_named(tmp_path: Path) -> None:
    (tmp_path / "letter.db").write_text("Dear Sir or Madam, " * 100)
    for path in (tmp_path / "letter.db", tmp_path / "missing" / "games.db"):
        done = serve("--database", str(path))
        assert done.returncode == 2
        assert done.stderr.startswith(f"STAMMTISCH_DATABASE: '{path}' cannot be used: ")
        assert len(done.stderr.splitlines()) == 1
