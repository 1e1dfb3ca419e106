"""Commands that cannot write their output print one line and exit with status 2."""

import gzip
import os
import shutil
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from domain.rulesets import VERSIONS
from tests.cli.test_transfer import line, played
from tests.support.forked import run_command

ROOT = Path(__file__).parents[2]
RULES = next(iter(VERSIONS.values()))
TEXT = line(played(RULES))


def run(*arguments: str, stdout: int = subprocess.PIPE, **how: object) -> subprocess.CompletedProcess[bytes]:
    if stdout == subprocess.PIPE and not how:
        done = run_command(*arguments, environment=os.environ)
        return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.encode(), done.stderr.encode())
    return subprocess.run(
        [sys.executable, "-m", "service", *arguments],
        cwd=ROOT, stdout=stdout, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, timeout=60, **how,
    )  # type: ignore[call-overload]  # fmt: skip


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a record and the database that it was imported into."""
    folder = tmp_path_factory.mktemp("imported")
    file = folder / "games.ndjson"
    file.write_bytes(TEXT)
    assert run("import", str(file), "--database", str(folder / "games.db")).returncode == 0
    return folder


@pytest.fixture
def database(imported: Path, tmp_path: Path) -> str:
    shutil.copytree(imported, tmp_path, dirs_exist_ok=True)
    return str(tmp_path / "games.db")


def only_line(done: subprocess.CompletedProcess[bytes]) -> str:
    assert done.returncode == 2, done.stderr
    text = done.stderr.decode()
    assert text.count("\n") == 1, text
    assert "Traceback" not in text
    return text


def test_a_file_is_replaced_atomically_and_keeps_its_mode(database: str, tmp_path: Path) -> None:
    output = tmp_path / "out"
    output.write_bytes(b"old")
    output.chmod(0o600)
    assert run("export", "--output", str(output), "--database", database).returncode == 0
    assert output.read_bytes() == TEXT
    assert stat.S_IMODE(output.stat().st_mode) == 0o600
    assert not [*tmp_path.glob(".*part")]


@pytest.mark.parametrize("name", ["out.ndjson", "out.ndjson.gz"])
def test_the_target_of_a_symbolic_link_is_written(database: str, tmp_path: Path, name: str) -> None:
    (tmp_path / "there").mkdir()
    target, link = tmp_path / "there" / name, tmp_path / name
    link.symlink_to(target)
    for _ in range(2):  # the first time, the target does not exist
        assert run("export", "--output", str(link), "--database", database).returncode == 0
        assert link.is_symlink()
        text = target.read_bytes()
        assert (gzip.decompress(text) if name.endswith("gz") else text) == TEXT


def test_a_pipe_is_written_to_and_not_replaced(database: str, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    assert run("export", "--output", str(pipe), "--database", database).returncode == 0
    reader.join(60)
    assert read == [TEXT]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_devices_are_written_to_and_not_replaced(database: str) -> None:
    assert run("export", "--output", "/dev/null", "--database", database).returncode == 0
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)  # noqa: PTH116 - the device, not the path
    assert run("export", "--output", "/dev/stdout", "--database", database).stdout == TEXT


def test_an_output_file_that_cannot_be_written_is_reported_in_one_line(database: str, tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    for output in (str(tmp_path), str(tmp_path / "no" / "out"), "/dev/full", str(loop), f"{database}/out"):
        assert output in only_line(run("export", "--output", output, "--database", database))


@pytest.mark.by_default("[export]")  # the others are handled where all commands begin
@pytest.mark.parametrize("command", ["export", "verify", "verify --json", "replay", "deck show"])
def test_a_full_disk_behind_standard_output_is_reported_in_one_line(
    database: str, tmp_path: Path, command: str
) -> None:
    file = str(tmp_path / "games.ndjson")
    rest = {"export": ["--database", database], "deck show": [RULES.name]}.get(command, [file])
    with Path("/dev/full").open("wb") as full:
        assert "No space left" in only_line(run(*command.split(), *rest, stdout=full.fileno()))


@pytest.mark.by_default("[replay]")  # the others are handled where all commands begin
@pytest.mark.parametrize("command", ["export", "verify", "replay", "deck show"])
def test_a_closed_pipe_on_standard_output_causes_no_traceback(database: str, tmp_path: Path, command: str) -> None:
    file = str(tmp_path / "games.ndjson")
    rest = {"export": ["--database", database], "deck show": [RULES.name]}.get(command, [file])
    reading, writing = os.pipe()
    os.close(reading)
    done = run(*command.split(), *rest, stdout=writing)
    os.close(writing)
    assert done.returncode in (1, 2)
    assert b"Traceback" not in done.stderr and b"Exception ignored" not in done.stderr
    assert done.stderr.count(b"\n") <= 1


def unprivileged() -> None:
    """Make file permissions apply to this process even if it runs as root."""
    if os.geteuid() == 0:
        import ctypes

        ctypes.CDLL(None).prctl(24, 1, 0, 0, 0)  # PR_CAPBSET_DROP, CAP_DAC_OVERRIDE


@pytest.mark.by_default("[import]")  # the next test rebuilds
@pytest.mark.parametrize("command", ["rebuild", "import"])
def test_a_read_only_database_is_reported_in_one_line(database: str, tmp_path: Path, command: str) -> None:
    run("rebuild", "--database", database)
    for file in tmp_path.glob("games*.db*"):
        file.chmod(0o444)
    rest = [str(tmp_path / "games.ndjson")] if command == "import" else []
    message = only_line(run(command, *rest, "--database", database, preexec_fn=unprivileged))
    assert "STAMMTISCH_DATABASE" in message


@pytest.mark.checked
def test_read_only_projections_are_reported_in_one_line(database: str, tmp_path: Path) -> None:
    assert run("rebuild", "--database", database).returncode == 0
    for file in tmp_path.glob("games.projections*"):
        file.chmod(0o444)
    message = only_line(run("rebuild", "--database", database, preexec_fn=unprivileged))
    assert "readonly" in message or "read-only" in message


def test_a_read_only_postgresql_server_is_reported_in_one_line(migrated_url: str) -> None:
    url = f"{migrated_url}{'&' if '?' in migrated_url else '?'}options=-c%20default_transaction_read_only%3Don"
    for command in (["rebuild"], ["migrate"]):
        assert "read-only" in only_line(run(*command, "--database", url)), command
