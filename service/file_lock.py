"""One service for each SQLite file: a lock on an empty file beside the database, `games.db.lock`.

A service that alone appends to its log answers from memory; with a second one on the same file both would show games
as they were. All processes of a service hold the same lock: its workers and the processes that write for it inherit
it. The operating system releases it when the last of them ends, however it ends. The file stays.

Other commands (`import`, `export`, `rebuild` ...) take no lock: they work beside a service.
"""

import os
import sys
import time
from pathlib import Path
from typing import Any

PATIENCE = 5.0
"""Seconds to wait for a service that is just ending, such as the writer of one that was killed."""
PAUSE = 0.02

_held: list[int] = []


class InUse(Exception):
    """Another service holds the lock."""


class FileLock:
    """A lock that this process holds until it ends. Pickled for a process that `multiprocessing` spawns, that process
    holds the same lock."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        _held.append(descriptor)

    def __reduce__(self) -> Any:
        from multiprocessing.reduction import DupFd  # not on every system, like fcntl below; commands need neither

        return _inherited, (DupFd(self._descriptor),)


def _inherited(duplicate: Any) -> FileLock:
    return FileLock(duplicate.detach())


def held() -> tuple[int, ...]:
    """The file descriptors of all locks of this process, to be passed to processes that write for it."""
    return tuple(_held)


def claimed(database: Path, *, shared: bool) -> FileLock | None:
    """The lock for that SQLite file, exclusive or `shared` with those who share it; None on a file system that has no
    locks, which is said on stderr. Raises `InUse`, `OSError`."""
    import fcntl

    path = database.resolve()  # the same for every way to the file
    path = path.with_name(path.name + ".lock")
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    until = time.monotonic() + PATIENCE
    while True:
        try:
            fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                os.close(descriptor)
                raise InUse from None
            time.sleep(PAUSE)
        except OSError as error:
            os.close(descriptor)
            sys.stderr.write(f"{path} cannot be locked ({error.strerror}): make sure that only one service uses it.\n")
            return None
        else:
            return FileLock(descriptor)
