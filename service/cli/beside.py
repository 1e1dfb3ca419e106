"""A process that runs beside this one, and is started again when it dies."""

import logging
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Event, Lock, Thread

from service.cli.exit_status import ExitStatus
from service.process import interpreter

log = logging.getLogger(__name__)

PAUSE = 1.0
"""Seconds before the process is started again."""


@contextmanager
def beside(arguments: Sequence[str]) -> Iterator[None]:
    """`python` with these arguments, until the block ends. Then its standard input is closed, and it is waited for.

    A process that exits with the status for unusable settings is not started again.
    """
    stopping, lock = Event(), Lock()
    running: list[subprocess.Popen[bytes]] = []

    def run() -> None:
        while True:
            with lock:
                if stopping.is_set():
                    return
                running[:] = [_started(arguments)]
            status = running[0].wait()
            if stopping.is_set() or status == ExitStatus.UNUSABLE:
                return
            log.warning("the process %s has ended with status %d and is started again", " ".join(arguments), status)
            stopping.wait(PAUSE)

    thread = Thread(target=run, name="beside", daemon=True)
    thread.start()
    try:
        yield
    finally:
        with lock:
            stopping.set()
        for process in running:
            assert process.stdin is not None
            process.stdin.close()
        thread.join()


def _started(arguments: Sequence[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        interpreter.command(arguments),
        stdin=subprocess.PIPE,
        env=interpreter.environment(),
        start_new_session=True,  # Ctrl-C reaches this process only
    )
