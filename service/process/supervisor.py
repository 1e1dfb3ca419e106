"""Forks processes from a prepared one, and replaces those that end.

The parent has imported everything and made the application. It has no event loop, no connections and, without traces,
no threads: those begin after the fork. A fork takes milliseconds, where a new interpreter imports for a second. Sockets
that the parent holds stay open, so clients wait while a process is replaced.

The children end with the parent, also when it is killed.
"""

import logging
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from threading import Thread
from types import FrameType
from typing import NoReturn

from service.process import output

log = logging.getLogger(__name__)

SETTLED = 5.0
"""Seconds. A process that ends sooner after its fork counts as a failure; one that ends later resets the count."""
AT_ONCE = 3
"""Failures in a row after which the next process starts without a pause."""
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0
"""Seconds before the start after further failures: the pause doubles with each."""
MAX_FAILURES = 12
"""Failures in a row after which the supervisor gives up. The pauses between them take 21 seconds."""

STOP = signal.SIGTERM, signal.SIGINT
WAKING = *STOP, signal.SIGCHLD


class Child:
    """A process to keep running.

    `run` is called in the fork and returns the exit status. `vital`: the supervisor gives up when it fails too often.
    Another child is tried for ever, unless it exits with the status `final`.
    """

    def __init__(self, name: str, run: Callable[[], int], *, vital: bool = True, final: int | None = None) -> None:
        self.name = name
        self.run = run
        self.vital = vital
        self.final = final
        self.failures = 0
        """Those in a row."""
        self.forked_at = 0.0

    def pause(self) -> float:
        doubled = self.failures - AT_ONCE - 1
        return 0.0 if doubled < 0 else min(LONGEST_PAUSE, FIRST_PAUSE * 2**doubled)

    def ended(self, now: float) -> None:
        self.failures = self.failures + 1 if now - self.forked_at < SETTLED else 0


class Supervisor:
    """`release` is called when the children have to stop: it closes what only they still need."""

    def __init__(self, children: Sequence[Child], release: Callable[[], None]) -> None:
        self._children = children
        self._release = release
        self._running: dict[int, Child] = {}
        self._stopping = False
        self._parent_lives = os.pipe()
        self._signals = os.pipe()
        """Signals are written here, so that one which comes just before the parent waits is not missed."""
        for end in self._signals:
            os.set_blocking(end, False)

    def run(self) -> bool:
        """Keep the children running until SIGTERM or SIGINT, then wait for them. False: it gave up."""
        wakeup = signal.set_wakeup_fd(self._signals[1], warn_on_full_buffer=False)
        handlers = {number: signal.signal(number, self._stop) for number in WAKING}
        gave_up = False
        try:
            for child in self._children:
                self._fork(child)
            while self._running:
                select.select([self._signals[0]], [], [])
                os.read(self._signals[0], 1024)
                for child, pid, status in self._ended():
                    if not self._stopping and not self._replace(child, pid, status):
                        gave_up = True
                        self._stop(signal.SIGTERM)
        finally:
            signal.set_wakeup_fd(wakeup)
            for number, handler in handlers.items():
                signal.signal(number, handler)
        return not gave_up

    def _ended(self) -> Iterator[tuple[Child, int, int]]:
        """The children that have ended, with their process ids and statuses."""
        while self._running:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            if pid in self._running:  # else an orphan: this is process 1 of a container
                yield self._running.pop(pid), pid, status

    def _stop(self, number: int, _: FrameType | None = None) -> None:
        if number == signal.SIGCHLD:  # it wakes the parent up, nothing else
            return
        if self._stopping and number != signal.SIGINT:
            return
        passed_on = signal.SIGINT if self._stopping else signal.SIGTERM  # a second Ctrl-C does not wait for clients
        if not self._stopping:
            self._stopping = True
            self._release()
        for pid in self._running:
            with suppress(ProcessLookupError):
                os.kill(pid, passed_on)

    def _replace(self, child: Child, pid: int, status: int) -> bool:
        """Whether to go on."""
        code = os.waitstatus_to_exitcode(status)
        child.ended(time.monotonic())
        how = f"{child.name} (process {pid}) has ended " + (
            f"with status {code}" if code >= 0 else f"by signal {-code}"
        )
        if code == child.final and not child.vital:
            report(f"{how} and is not started again")
        elif child.vital and child.failures > MAX_FAILURES:
            report(f"{how}, {child.failures} times in a row within {SETTLED:.0f} seconds of its start; giving up")
            return False
        else:
            report(f"{how} and is replaced")
            self._fork(child)
        return True

    def _fork(self, child: Child) -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, STOP)  # a signal finds the new process in `_running`, or none
        try:
            if self._stopping:
                return
            child.forked_at = time.monotonic()
            pid = os.fork()
            if pid == 0:
                self._become(child)
            self._running[pid] = child
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP)

    def _become(self, child: Child) -> NoReturn:
        status = 1
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            for number in STOP:
                signal.signal(number, leave)
            for end in self._signals:
                os.close(end)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP)
            os.close(self._parent_lives[1])
            Thread(target=end_with, args=(self._parent_lives[0],), name="end-with-parent", daemon=True).start()
            output.make_nonblocking()
            time.sleep(child.pause())
            status = child.run()
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 0
        except BaseException:
            log.exception("%s has failed", child.name)
        finally:
            output.drain()
            os._exit(status)


def leave(*_: object) -> NoReturn:
    """Ends a child before it handles signals itself, and after: servers raise them again at their end."""
    sys.exit(0)


def end_with(parent: int) -> None:
    """An orphan would hold the database's lock and the port."""
    os.read(parent, 1)
    os.kill(os.getpid(), signal.SIGKILL)


def report(line: str) -> None:
    """Log what can be written at once. The parent must not wait for the reader of its standard error."""
    with suppress(OSError, ValueError, AttributeError):
        if select.select([], [sys.stderr.fileno()], [], 0)[1]:
            log.warning(line)
