"""A serving process never blocks on its standard output. Real processes, real pipes."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from service.process.output import NonBlockingOutput
from service.server.access_log import MAX_PATH

ROOT = Path(__file__).parents[2]

ENOUGH = 1200
"""Requests whose lines in the access log exceed the buffer of 1 MiB and the pipe."""


@contextmanager
def unread(database: Path, *, workers: int = 1) -> Iterator[tuple[httpx.Client, subprocess.Popen[str], int]]:
    """A client, the server process, and the reading end of its standard output, which is not read."""
    reading, writing = os.pipe()
    environment = {**os.environ, "STAMMTISCH_RATE_LIMIT": "off", "STAMMTISCH_LIMITS": "address_rate_limit=off"}
    process = subprocess.Popen(
        [sys.executable, "-m", "service", "serve", "--port", "0", "--database", database, "--workers", str(workers)],
        cwd=ROOT, env=environment, stdout=writing, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    os.close(writing)
    try:
        assert process.stderr is not None
        text = ""
        while (found := re.search(r"listens at (http://\S+)", text)) is None:
            text += process.stderr.readline()
        with httpx.Client(base_url=found[1], timeout=60) as client:
            yield client, process, reading
    finally:
        process.kill()
        process.wait(60)
        os.close(reading)


def send_requests(client: httpx.Client, number: int) -> None:
    path = "/v1/" + "%01" * MAX_PATH  # long lines fill the pipe sooner: six characters for each of these
    for _ in range(number):
        assert client.get(path).status_code == 404


@pytest.mark.checked
@pytest.mark.by_default("[1]")
@pytest.mark.parametrize("workers", [1, 2])
def test_requests_are_served_while_the_access_log_is_not_read(tmp_path: Path, workers: int) -> None:
    """A reader that resumes gets whole lines."""
    with unread(tmp_path / "games.db", workers=workers) as (client, process, reading):
        send_requests(client, ENOUGH)
        assert client.get("/health/live").status_code == 200
        assert client.get("/health/ready").status_code == 200
        metrics = client.get("/metrics").text.splitlines()
        dropped = [line for line in metrics if line.startswith("stammtisch_dropped_lines")]
        if workers == 1:
            assert float(dropped[0].split()[1]) > 0
        process.send_signal(signal.SIGTERM)
        text = b""
        while chunk := os.read(reading, 65536):
            text += chunk
        process.wait(60)
    lines = text.splitlines()
    assert 150 < len(lines) < ENOUGH + 3
    assert all(line.startswith(b'{"at":') and line.endswith(b"}") for line in lines)


@pytest.mark.by_default()
def test_requests_are_served_after_the_pipe_is_closed(tmp_path: Path) -> None:
    with unread(tmp_path / "games.db") as (client, _, reading):
        os.dup2(os.open(os.devnull, os.O_RDONLY), reading)  # closes the pipe
        for _ in range(3):
            send_requests(client, 50)
        assert client.get("/health/live").status_code == 200


def test_writes_return_at_once_and_dropped_lines_are_counted() -> None:
    reading, writing = os.pipe()
    with os.fdopen(writing, "w") as pipe:
        stream = NonBlockingOutput(pipe, max_buffer=1000)
        for number in range(100_000):
            stream.write(f"{number:09}\n")
            stream.flush()
        assert stream.dropped > 0
        lines: list[bytes] = []
        while len(lines) + stream.dropped < 100_000:
            lines += os.read(reading, 65536).splitlines()
        stream.drain()
    numbers = [int(line) for line in lines]
    assert numbers == sorted(set(numbers))
    assert len(numbers) + stream.dropped == 100_000
    os.close(reading)


def test_characters_that_cannot_be_encoded_are_escaped() -> None:
    reading, writing = os.pipe()
    with os.fdopen(writing, "w") as pipe:
        stream = NonBlockingOutput(pipe)
        stream.write("\ud800\n")
        stream.drain()
        assert os.read(reading, 100) == b"\\ud800\n"
    os.close(reading)
