"""One service for each SQLite file: a lock on an empty file beside the database, `games.db.lock`.

A single-process service answers from memory without reading the log again, so two services on one file would show
outdated games. All processes of a service hold the same lock: workers and writer processes inherit it. The operating
system releases it when the last of them ends, also after a crash. The lock file itself remains.

Other commands (`import`, `export`, `rebuild` ...) take no lock and can run beside a service.
"""

import os
import sys
import time
from pathlib import Path
from typing import Any

TIMEOUT = 5.0
"""Seconds to wait for the lock. When a service is killed its writer process first commits what it has received."""
POLL_INTERVAL = 0.02
"""Seconds between attempts."""

_held: list[int] = []


class InUse(Exception):
    """Another service holds the lock."""


class FileLock:
    """A lock that this process holds until it ends. A process that `multiprocessing` spawns with it as an argument
    holds the same lock."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        _held.append(descriptor)

    def __reduce__(self) -> Any:
        from multiprocessing.reduction import DupFd  # absent on Windows, like fcntl below; other commands need neither

        return _inherited, (DupFd(self._descriptor),)


def _inherited(duplicate: Any) -> FileLock:
    return FileLock(duplicate.detach())


def held() -> tuple[int, ...]:
    """The file descriptors of the locks that this process holds, to pass to its writer process."""
    return tuple(_held)


def claimed(database: Path, *, shared: bool) -> FileLock | None:
    """Lock the SQLite file, exclusively or `shared` with other services that ask for a shared lock.

    On a file system without locks: writes a warning to stderr and returns None. Raises `InUse`, `OSError`.
    """
    import fcntl

    path = database.resolve()  # relative and symbolic paths of one file have the same lock
    path = path.with_name(path.name + ".lock")
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    until = time.monotonic() + TIMEOUT
    while True:
        try:
            fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                os.close(descriptor)
                raise InUse from None
            time.sleep(POLL_INTERVAL)
        except OSError as error:
            os.close(descriptor)
            sys.stderr.write(f"{path} cannot be locked ({error.strerror}): make sure that only one service uses it.\n")
            return None
        else:
            return FileLock(descriptor)
