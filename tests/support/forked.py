"""Processes of our command line that start fast: forks of a process that has already imported the service.

The imports take longer than everything else that a process does before it listens.
"""

import faulthandler
import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]

COPIES = multiprocessing.get_context("forkserver")
COPIES.set_forkserver_preload(["tests.support.preloaded", __name__])


class Forked:
    """Our command line with the interface of `subprocess.Popen`. Its output is appended to the two files. `clock`: the
    file with the offset of its wall clock (`tests.campaigns.chaos.clock`)."""

    def __init__(
        self, arguments: Sequence[str], environment: Mapping[str, str], log: Path, errors: Path, folder: Path = ROOT,
        clock: Path | None = None,
    ) -> None:  # fmt: skip
        self._process = COPIES.Process(target=_run, args=(arguments, dict(environment), log, errors, folder, clock))
        self._process.start()

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def poll(self) -> int | None:
        return self.returncode

    def wait(self, seconds: float | None = None) -> int:
        self._process.join(seconds)
        if self.returncode is None:
            raise subprocess.TimeoutExpired(str(self._process), seconds or 0)
        return self.returncode

    def send_signal(self, number: signal.Signals) -> None:
        if self.returncode is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def run_command(
    *arguments: str | Path, environment: Mapping[str, str], folder: Path = ROOT, seconds: float = 60
) -> subprocess.CompletedProcess[str]:
    """Our command line, run to its end with this working directory, without input.

    Raises subprocess.TimeoutExpired when it takes longer.
    """
    with TemporaryDirectory() as place:
        log, errors = Path(place, "log"), Path(place, "errors")
        for file in (log, errors):
            file.touch()
        process = Forked([str(each) for each in arguments], environment, log, errors, folder)
        try:
            status = process.wait(seconds)
        finally:
            process.kill()
        return subprocess.CompletedProcess([*arguments], status, log.read_text(), errors.read_text())


def _run(
    arguments: Sequence[str], environment: Mapping[str, str], log: Path, errors: Path, folder: Path, clock: Path | None
) -> None:
    os.chdir(folder)
    faulthandler.register(signal.SIGUSR1, all_threads=True)  # for tests that wait in vain: see `Server`
    for file, number in ((log, 1), (errors, 2)):
        os.dup2(os.open(file, os.O_WRONLY | os.O_APPEND), number)
    os.environ.clear()
    os.environ.update(environment)
    from service.__main__ import main

    if clock is not None:
        from tests.campaigns.chaos.clock import go_by, watched

        go_by(watched(clock))
    sys.exit(main(arguments))
