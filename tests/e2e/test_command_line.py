"""`stammtisch serve` reports a problem at the start in one line."""

import os
import re
import subprocess
from importlib.metadata import version
from pathlib import Path
from socket import socket

import msgspec
import pytest

from service import settings
from service.__main__ import main
from service.limits import Limits
from service.server import server
from service.settings import InvalidSettings, Settings
from tests.support.forked import run_command


def serve(*arguments: str, **given: str) -> subprocess.CompletedProcess[str]:
    return run_command("serve", *arguments, environment=environment() | given)


def environment() -> dict[str, str]:
    """The environment without settings."""
    return {name: value for name, value in os.environ.items() if not name.startswith(settings.PREFIX)}


def test_help_lists_every_setting() -> None:
    printed = serve("--help").stdout
    for field in settings.fields():
        assert f"{settings.variable(field.name)} (default: " in printed
    for limit in Limits.__struct_fields__:
        assert f"\n{limit} (default: " in printed


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"STAMMTISCH_PORT": "eight"}, "STAMMTISCH_PORT: must be an integer from 0 to 65535, such as `8000`"),
        ({"STAMMTISCH_RATE_LIMIT": "fast"}, "STAMMTISCH_RATE_LIMIT: must be `off`, or requests per second"),
        ({"STAMMTISCH_COLOUR": "blue"}, "STAMMTISCH_COLOUR: there is no such setting"),
        (
            {"STAMMTISCH_MAX_STREAMS": "3"},
            "STAMMTISCH_MAX_STREAMS: this is a limit, STAMMTISCH_LIMITS=max_streams=VALUE",
        ),
        (
            {"STAMMTISCH_LIMITS": "max_streams=0"},
            "STAMMTISCH_LIMITS: max_streams must be an integer of at least 1, such as `10000`",
        ),
        (
            {"STAMMTISCH_LIMITS": "max_wishes=3"},
            "STAMMTISCH_LIMITS: there is no limit 'max_wishes': address_rate_limit, ",
        ),
        ({"STAMMTISCH_LIMITS": "max_streams"}, "STAMMTISCH_LIMITS: must be `NAME=VALUE`, each name once, "),
        (
            {"STAMMTISCH_LIMITS": "max_follows=1, max_follows=2"},
            "STAMMTISCH_LIMITS: must be `NAME=VALUE`, each name once",
        ),
        ({"STAMMTISCH_SECRET": "short"}, "STAMMTISCH_SECRET: a shared secret must have at least 32"),
        ({"STAMMTISCH_ISSUER_KEY": "short"}, "STAMMTISCH_ISSUER_KEY: a shared secret must have at least 32"),
        ({"STAMMTISCH_REDIS": "http://nowhere"}, "STAMMTISCH_REDIS: must be a URL, such as `redis://localhost:6379/0`"),
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


def test_limits_are_read_from_one_setting_and_passed_on() -> None:
    given = "max_streams=3,\n max_waiting_days=0.5 address_rate_limit=1/60"
    chosen = settings.read({"STAMMTISCH_LIMITS": given}, max_streams=5)
    assert (chosen.limits.max_streams, chosen.limits.max_waiting_days) == (5, 0.5)
    assert settings.read(chosen.environment()) == chosen
    assert settings.read({}).environment()["STAMMTISCH_LIMITS"] == ""


def test_the_core_has_at_most_twenty_settings() -> None:
    assert len({each.name for each in msgspec.structs.fields(Settings)} - {"extended"}) <= 20


@pytest.mark.parametrize("name", [*(each.name for each in settings.fields()), *Limits.__struct_fields__])
def test_the_form_of_a_setting_is_told_in_words(name: str) -> None:
    assert "^" not in settings.form(name)
    found = [field for kind in [*settings.kinds(), Limits] for field in msgspec.inspect.type_info(kind).fields]  # type: ignore[attr-defined]
    (field,) = (field for field in found if field.name == name)
    if getattr(getattr(field.type, "type", field.type), "pattern", None) is not None:
        assert "form" in (field.type.extra or {}), "a pattern is no explanation"
        (example,) = re.findall(r"such as `([^`]+)`", settings.form(name))
        settings.read(settings.variables({name: example}))


def test_a_setting_with_a_password_is_not_repeated() -> None:
    with pytest.raises(InvalidSettings) as refused:
        settings.read({"STAMMTISCH_REDIS": "http://:secret@host"})
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    ("arguments", "status", "told"),
    [
        (("--version",), 0, f"stammtisch {version('stammtisch')}\n"),
        (("serve", "--database", "postgresql://ada@127.0.0.1:1/games", "--port", "0"), 2,
         "STAMMTISCH_SECRET: must be set with PostgreSQL"),
        (("migrate",), 2, "STAMMTISCH_DATABASE: name a PostgreSQL database"),
        (("migrate", "--database", "games.db"), 2, "STAMMTISCH_DATABASE: name a PostgreSQL database"),
        (("serve", "--database", "games.db", "--host", "192.0.2.1"), 2,
         "STAMMTISCH_HOST: cannot listen on 192.0.2.1: "),
    ],
)  # fmt: skip
def test_a_command_says_what_is_missing(arguments: tuple[str, ...], status: int, told: str, tmp_path: Path) -> None:
    done = run_command(*arguments, environment=environment(), folder=tmp_path)
    assert done.returncode == status
    assert (done.stdout + done.stderr).startswith(told)
    assert not [*tmp_path.iterdir()]


def test_a_port_in_use_is_named_before_any_file_is_made(tmp_path: Path) -> None:
    with socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        done = serve("--database", str(tmp_path / "games.db"), "--port", str(port))
    assert done.returncode == 2
    assert done.stderr.startswith(f"STAMMTISCH_PORT: port {port} of 127.0.0.1 is in use")
    assert len(done.stderr.splitlines()) == 1
    assert not [*tmp_path.iterdir()]


def test_an_unusable_database_is_named(tmp_path: Path) -> None:
    (tmp_path / "letter.db").write_text("Dear Sir or Madam, " * 100)
    for path in (tmp_path / "letter.db", tmp_path / "missing" / "games.db"):
        done = serve("--database", str(path))
        assert done.returncode == 2
        assert done.stderr.startswith(f"STAMMTISCH_DATABASE: '{path}' cannot be used: ")
        assert len(done.stderr.splitlines()) == 1
