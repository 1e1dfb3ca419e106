"""A serving process waits for nobody who ought to read what it writes. Real processes, real pipes."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import httpx
import pytest

from service.output import Unblocked

ROOT = Path(__file__).parents[2]

ENOUGH = 3000
"""Requests whose lines in the access log exceed the buffer of 1 MiB and the pipe."""


@contextmanager
def undrained(database: Path, *, workers: int = 1) -> Iterator[tuple[httpx.Client, subprocess.Popen[str], int]]:
    """A server of which nobody reads the standard output, and what there is of it at the other end of the pipe."""
    reading, writing = os.pipe()
    environment = {**os.environ, "STAMMTISCH_RATE_LIMIT": "off", "STAMMTISCH_ADDRESS_LIMIT": "off"}
    process = subprocess.Popen(
        [sys.executable, "-m", "service", "serve", "--port", "0", "--database", database, "--workers", str(workers)],
        cwd=ROOT, env=environment, stdout=writing, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    os.close(writing)
    try:
        assert process.stderr is not None
        told = ""
        while (found := re.search(r"listens at (http://\S+)", told)) is None:
            told += process.stderr.readline()
        with httpx.Client(base_url=found[1], timeout=20) as client:
            yield client, process, reading
    finally:
        process.kill()
        process.wait(10)
        os.close(reading)


def asked(client: httpx.Client, times: int) -> None:
    path = "/v1/" + "x" * 400  # long lines fill a pipe sooner
    for _ in range(times):
        assert client.get(path).status_code == 404


@pytest.mark.by_default("[1]")
@pytest.mark.parametrize("workers", [1, 2])
def test_nobody_reads_the_access_log_and_everybody_is_answered(tmp_path: Path, workers: int) -> None:
    with undrained(tmp_path / "games.db", workers=workers) as (client, process, _):
        asked(client, ENOUGH)
        assert client.get("/health/live").status_code == 200
        assert client.get("/health/ready").status_code == 200
        metrics = client.get("/metrics").text.splitlines()
        lost = [line for line in metrics if line.startswith("stammtisch_dropped_lines")]
        if workers == 1:
            assert float(lost[0].split()[1]) > 0
        begun = monotonic()
        process.send_signal(signal.SIGTERM)
        process.wait(20)
        assert monotonic() - begun < 15


def test_who_reads_again_gets_whole_lines(tmp_path: Path) -> None:
    with undrained(tmp_path / "games.db") as (client, process, reading):
        asked(client, ENOUGH)
        process.send_signal(signal.SIGTERM)
        text = b""
        while piece := os.read(reading, 65536):
            text += piece
        process.wait(20)
    lines = text.splitlines()
    assert 1000 < len(lines) < ENOUGH
    assert all(line.startswith(b'{"at":') and line.endswith(b"}") for line in lines)


def test_a_reader_who_is_gone_disturbs_nobody(tmp_path: Path) -> None:
    with undrained(tmp_path / "games.db") as (client, _, reading):
        os.dup2(os.open(os.devnull, os.O_RDONLY), reading)  # closes the pipe
        for _ in range(3):
            asked(client, 200)
        assert client.get("/health/live").status_code == 200


def test_writing_returns_at_once_and_lost_lines_are_counted() -> None:
    reading, writing = os.pipe()
    with os.fdopen(writing, "w") as beneath:
        stream = Unblocked(beneath, room=1000)
        begun = monotonic()
        for number in range(100_000):
            stream.write(f"{number:09}\n")
            stream.flush()
        assert monotonic() - begun < 5
        assert stream.dropped > 0
        lines: list[bytes] = []
        while len(lines) + stream.dropped < 100_000:
            lines += os.read(reading, 65536).splitlines()
        stream.drain()
    numbers = [int(line) for line in lines]
    assert numbers == sorted(set(numbers))
    assert len(numbers) + stream.dropped == 100_000
    os.close(reading)


def test_what_cannot_be_encoded_is_escaped() -> None:
    reading, writing = os.pipe()
    with os.fdopen(writing, "w") as beneath:
        stream = Unblocked(beneath)
        stream.write("\ud800\n")
        stream.drain()
        assert os.read(reading, 100) == b"\\ud800\n"
    os.close(reading)
