"""One service for each SQLite file: a lock on an empty file beside the database, `games.db.lock`.

A single-process service answers from memory without reading the log again, so two services on one file would show
outdated games. All processes of a service hold the same lock: forks inherit it. The operating
system releases it when the last of them ends, also after a crash. The lock file itself remains.

Other commands (`import`, `export`, `rebuild` ...) take no lock and can run beside a service.
"""

import os
import sys
import time
from pathlib import Path

TIMEOUT = 5.0
"""Seconds to wait for the lock. When the parent of a service is killed, its processes end a moment later."""
POLL_INTERVAL = 0.02
"""Seconds between attempts."""


class InUse(Exception):
    """Another service holds the lock."""


def claim(database: Path, *, shared: bool) -> None:
    """Lock the SQLite file until this process and its forks end, exclusively or `shared` with other services that ask
    for a shared lock.

    On a file system without locks: writes a warning to stderr. Raises `InUse`, `OSError`.
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
            return
        else:
            return  # the descriptor stays open until the process ends, and with it the lock is held


class LeaderLock:
    """A lock on an empty file beside the database, `games.db.leader`, that one process at a time holds. On a file
    system without locks every process does."""

    def __init__(self, database: Path) -> None:
        path = database.resolve()
        self._path = path.with_name(path.name + ".leader")
        self._descriptor: int | None = None

    def hold(self) -> bool:
        """Whether the lock is held here: acquires or confirms it. Raises `OSError`."""
        import fcntl

        if self._descriptor is None:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(descriptor)
                return False
            except OSError:
                os.close(descriptor)
                return True
            self._descriptor = descriptor
        return True

    def close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
