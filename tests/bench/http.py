"""Durable moves over HTTP, compared with an empty route on the same server."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from service import settings
from tests.bench.cpu import Cpu
from tests.bench.load import Figures, apart, moves, pings
from tests.support.servers import living

SERVE = """
import sys
from service import settings
from service.cli import serve
from uvicorn.importer import import_from_string
serve.serve(settings.read(port=0), create=import_from_string(sys.argv[1]))
"""


class Served(NamedTuple):
    port: int
    pid: int
    parent: int
    """The process that forked the one that serves."""


@contextmanager
def served(factory: str, folder: Path, **given: str) -> Iterator[Served]:
    """A server process with this application."""
    many = dict.fromkeys(
        ("max_connections", "max_connections_per_address", "max_streams", "max_streams_per_caller",
         "max_streams_per_address"), "20000",
    )  # fmt: skip
    environment = os.environ | settings.variables({"database": str(folder / "bench.db"), **many, **given})
    with (folder / "access.log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-c", SERVE, factory], env=environment, stdout=log, stderr=subprocess.PIPE, text=True
        )
        try:
            assert process.stderr is not None
            announced = ""
            while (found := re.search(r"listens at http://[^ ]+:(\d+)", announced)) is None:
                line = process.stderr.readline()
                assert line, announced
                announced += line
            yield Served(int(found[1]), living(process.pid)[0], process.pid)
        finally:
            process.terminate()
            process.wait(20)


def load(measure: Callable[..., Coroutine[Any, Any, Figures]], server: Served, *given: object) -> Figures:
    """The measurement of clients in a separate process, with the CPU time of the server."""
    cpu = Cpu(server.pid)
    made = apart(measure, server.port, *given)
    made.cpu = cpu.seconds()
    return made


class Round(NamedTuple):
    """Moves and the two floors, in turns on the same machine."""

    moves: Figures
    noop: Figures
    bare: Figures


def rounds(ruleset: str, games: int, seconds: float, count: int) -> Iterator[Round]:
    """`noop`: an empty POST on the same server. `bare`: an empty POST on a server without anything else."""
    nothing = "/noop", '{"type":"swap","slot":3}', games, seconds
    with (
        TemporaryDirectory() as one,
        TemporaryDirectory() as other,
        served("tests.bench.noop:create", Path(one), rate_limit="1000000", registration_rate_limit="off") as ours,
        served("tests.bench.noop:bare", Path(other)) as bare,
    ):
        for _ in range(count):
            yield Round(
                load(moves, ours, ruleset, 3, games, seconds), load(pings, ours, *nothing),
                load(pings, bare, *nothing),
            )  # fmt: skip
