"""Commands whose output cannot be written say so in one line, whatever it is, and end with status 2."""

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
from tests.service.test_archive import line, played
from tests.support.forked import run_command

ROOT = Path(__file__).parents[2]
RULES = next(iter(VERSIONS.values()))
TEXT = line(played(RULES))


def ran(*arguments: str, stdout: int = subprocess.PIPE, **how: object) -> subprocess.CompletedProcess[bytes]:
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
    assert ran("import", str(file), "--database", str(folder / "games.db")).returncode == 0
    return folder


@pytest.fixture
def database(imported: Path, tmp_path: Path) -> str:
    shutil.copytree(imported, tmp_path, dirs_exist_ok=True)
    return str(tmp_path / "games.db")


def in_one_line(done: subprocess.CompletedProcess[bytes]) -> str:
    assert done.returncode == 2, done.stderr
    text = done.stderr.decode()
    assert text.count("\n") == 1, text
    assert "Traceback" not in text
    return text


def test_a_file_is_replaced_whole_and_keeps_its_mode(database: str, tmp_path: Path) -> None:
    output = tmp_path / "out"
    output.write_bytes(b"old")
    output.chmod(0o600)
    assert ran("export", "--output", str(output), "--database", database).returncode == 0
    assert output.read_bytes() == TEXT
    assert stat.S_IMODE(output.stat().st_mode) == 0o600
    assert not [*tmp_path.glob(".*part")]


@pytest.mark.parametrize("name", ["out.ndjson", "out.ndjson.gz"])
def test_a_symbolic_link_stays_and_what_it_points_to_is_written(database: str, tmp_path: Path, name: str) -> None:
    (tmp_path / "there").mkdir()
    target, link = tmp_path / "there" / name, tmp_path / name
    link.symlink_to(target)
    for _ in range(2):  # first the target is not there yet
        assert ran("export", "--output", str(link), "--database", database).returncode == 0
        assert link.is_symlink()
        text = target.read_bytes()
        assert (gzip.decompress(text) if name.endswith("gz") else text) == TEXT


def test_a_pipe_is_written_to_and_stays_a_pipe(database: str, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    assert ran("export", "--output", str(pipe), "--database", database).returncode == 0
    reader.join(10)
    assert read == [TEXT]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_devices_stay_devices(database: str) -> None:
    assert ran("export", "--output", "/dev/null", "--database", database).returncode == 0
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)  # noqa: PTH116 - the device, not the path
    assert ran("export", "--output", "/dev/stdout", "--database", database).stdout == TEXT


def test_an_output_that_cannot_be_written_is_said_in_one_line(database: str, tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    for output in (str(tmp_path), str(tmp_path / "no" / "out"), "/dev/full", str(loop), f"{database}/out"):
        assert output in in_one_line(ran("export", "--output", output, "--database", database))


@pytest.mark.parametrize("command", ["export", "verify", "verify --json", "replay", "deck show"])
def test_a_full_disk_behind_the_standard_output_is_said_in_one_line(
    database: str, tmp_path: Path, command: str
) -> None:
    file = str(tmp_path / "games.ndjson")
    rest = {"export": ["--database", database], "deck show": [RULES.name]}.get(command, [file])
    with Path("/dev/full").open("wb") as full:
        assert "No space left" in in_one_line(ran(*command.split(), *rest, stdout=full.fileno()))


@pytest.mark.parametrize("command", ["export", "verify", "replay", "deck show"])
def test_a_reader_that_is_gone_leads_to_no_traceback(database: str, tmp_path: Path, command: str) -> None:
    file = str(tmp_path / "games.ndjson")
    rest = {"export": ["--database", database], "deck show": [RULES.name]}.get(command, [file])
    reading, writing = os.pipe()
    os.close(reading)
    done = ran(*command.split(), *rest, stdout=writing)
    os.close(writing)
    assert done.returncode in (1, 2)
    assert b"Traceback" not in done.stderr and b"Exception ignored" not in done.stderr
    assert done.stderr.count(b"\n") <= 1


def unprivileged() -> None:
    """Permissions count for this process, also where it is root's."""
    if os.geteuid() == 0:
        import ctypes

        ctypes.CDLL(None).prctl(24, 1, 0, 0, 0)  # PR_CAPBSET_DROP, CAP_DAC_OVERRIDE


@pytest.mark.parametrize("command", ["rebuild", "import"])
def test_a_database_that_can_only_be_read_is_said_in_one_line(database: str, tmp_path: Path, command: str) -> None:
    ran("rebuild", "--database", database)
    for file in tmp_path.glob("games*.db*"):
        file.chmod(0o444)
    rest = [str(tmp_path / "games.ndjson")] if command == "import" else []
    told = in_one_line(ran(command, *rest, "--database", database, preexec_fn=unprivileged))
    assert "STAMMTISCH_DATABASE" in told


def test_projections_that_can_only_be_read_are_said_in_one_line(database: str, tmp_path: Path) -> None:
    assert ran("rebuild", "--database", database).returncode == 0
    for file in tmp_path.glob("games.projections*"):
        file.chmod(0o444)
    told = in_one_line(ran("rebuild", "--database", database, preexec_fn=unprivileged))
    assert "readonly" in told or "read-only" in told


def test_a_server_that_can_only_be_read_is_said_in_one_line(migrated_url: str) -> None:
    url = f"{migrated_url}{'&' if '?' in migrated_url else '?'}options=-c%20default_transaction_read_only%3Don"
    for command in (["rebuild"], ["migrate"]):
        assert "read-only" in in_one_line(ran(*command, "--database", url)), command
