"""Every line that a serving process writes is JSON with a time and a level, except on a terminal."""

import json
import logging
import os
import pty
import subprocess
import sys
from pathlib import Path
from time import time

import httpx
import pytest

from service.process.logs import JsonFormatter
from service.server.access_log import MAX_PATH, shortened
from tests.support.clients import Server
from tests.support.forked import ROOT


@pytest.mark.by_default("[1]")
@pytest.mark.parametrize("workers", [1, 2])
def test_every_line_is_json_with_time_and_level(tmp_path: Path, workers: int) -> None:
    began = time()
    with Server(tmp_path / "games.db", output=tmp_path / "server", workers=workers) as server:
        httpx.get(f"{server.url}/v1/games")
    (announced,) = [json.loads(line) for line in server.errors.splitlines()]
    assert (announced["level"], announced["logger"]) == ("info", "service.server.server")
    assert "listens at http://" in announced["message"]
    (asked,) = [line for line in map(json.loads, server.log.read_text().splitlines()) if line["path"] == "/v1/games"]
    assert (asked["level"], asked["status"]) == ("info", 200)
    assert all(began <= line["at"] <= time() for line in (announced, asked))


def test_a_traceback_stays_on_its_line() -> None:
    try:
        raise ValueError("two\nlines")
    except ValueError:
        record = logging.LogRecord("service.x", logging.ERROR, __file__, 1, "failed: %s", ("y",), sys.exc_info())
    line = JsonFormatter().format(record)
    assert "\n" not in line
    entry = json.loads(line)
    assert (entry["level"], entry["logger"], entry["message"]) == ("error", "service.x", "failed: y")
    assert "ValueError: two\nlines" in entry["exception"]


@pytest.mark.by_default()
def test_a_terminal_shows_text(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "service", "serve", "--port", "0", "--database", str(tmp_path / "games.db")]
    process = subprocess.Popen(command, cwd=ROOT, stderr=theirs, stdout=subprocess.DEVNULL)
    os.close(theirs)
    try:
        assert os.read(ours, 1000).startswith(b"Stammtisch listens at http://")
    finally:
        process.terminate()
        process.wait(60)
        os.close(ours)


def test_a_path_of_a_stranger_is_short_in_the_log() -> None:
    assert len(shortened("/" + "x" * MAX_PATH)) == MAX_PATH == 200
    assert shortened("/" + "x" * 15_900) == "/" + "x" * 198 + "…"
