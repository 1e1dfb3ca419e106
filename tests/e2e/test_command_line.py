"""`python -m service serve`, before it serves: what is wrong is said in a sentence."""

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
    """Without any setting."""
    return {name: value for name, value in os.environ.items() if not name.startswith(settings.PREFIX)}


def test_help_tells_every_setting_with_its_meaning() -> None:
    told = serve("--help").stdout
    for field in msgspec.structs.fields(settings.Settings):
        assert f"{settings.variable(field.name)} (default: " in told


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"STAMMTISCH_PORT": "eight"}, "STAMMTISCH_PORT: Expected `int`"),
        ({"STAMMTISCH_RATE_LIMIT": "fast"}, "STAMMTISCH_RATE_LIMIT: Expected `str` matching regex"),
        ({"STAMMTISCH_COLOUR": "blue"}, "STAMMTISCH_COLOUR: Object contains unknown field"),
        ({"STAMMTISCH_SECRET": "short"}, "STAMMTISCH_SECRET: a shared secret must have at least 32"),
        ({"STAMMTISCH_ISSUER_KEY": "short"}, "STAMMTISCH_ISSUER_KEY: a shared secret must have at least 32"),
        ({"STAMMTISCH_REDIS": "http://nowhere"}, "STAMMTISCH_REDIS: Expected `str` matching regex"),
        ({"STAMMTISCH_REDIS": "redis://nowhere:x"}, "STAMMTISCH_REDIS: Port could not be cast"),
        ({"STAMMTISCH_DATABASE": "oracle://nowhere"}, "STAMMTISCH_DATABASE: 'oracle://nowhere' is neither"),
    ],
)
def test_a_faulty_setting_is_named(
    given: dict[str, str],
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    for name in os.environ.keys() - environment().keys():
        monkeypatch.delenv(name)
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(os, "environ", dict(os.environ))  # whoever serves adds to it
    monkeypatch.setattr(server, "configuration", lambda *_: pytest.fail("it serves"))
    monkeypatch.chdir(tmp_path)
    assert main(["serve"]) == 2
    said = capsys.readouterr().err
    assert said.startswith(told)
    assert len(said.splitlines()) == 1


def test_a_database_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "letter.db").write_text("Dear Sir or Madam, " * 100)
    for path in (tmp_path / "letter.db", tmp_path / "missing" / "games.db"):
        done = serve("--database", str(path))
        assert done.returncode == 2
        assert done.stderr.startswith(f"STAMMTISCH_DATABASE: '{path}' cannot be used: ")
        assert len(done.stderr.splitlines()) == 1
