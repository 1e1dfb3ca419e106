"""Processes of the service that begin at once: copies of one that has imported everything already, which takes longer
than all else that a process does before it listens. Else they are as the command line would begin them.
"""

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

COPIES = multiprocessing.get_context("forkserver")
COPIES.set_forkserver_preload(["service.app", "service.http.server", __name__])


class Forked:
    """Like `subprocess.Popen`, of our command line; what it writes is added to these files."""

    def __init__(self, arguments: Sequence[str], environment: Mapping[str, str], log: Path, errors: Path) -> None:
        self._process = COPIES.Process(target=_run, args=(arguments, dict(environment), log, errors))
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


def _run(arguments: Sequence[str], environment: Mapping[str, str], log: Path, errors: Path) -> None:
    for file, number in ((log, 1), (errors, 2)):
        os.dup2(os.open(file, os.O_WRONLY | os.O_APPEND), number)
    os.environ.clear()
    os.environ.update(environment)
    from service.__main__ import main

    sys.exit(main(arguments))
