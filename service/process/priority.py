"""The priority of work that can wait, in processes beside the one that serves."""

import os
from contextlib import suppress
from pathlib import Path

NICENESS = 10
"""Beside a process that never pauses, work of this priority gets a tenth of a core."""


def give_way(pid: int) -> None:
    """Let other processes go first. The process needs a session of its own (`start_new_session`): Linux shares the
    processor among sessions first, and niceness counts only within one (autogroup, see sched(7)). Raises
    `ProcessLookupError`.
    """
    os.setpriority(os.PRIO_PROCESS, pid, NICENESS)
    with suppress(OSError):  # no autogroups
        Path(f"/proc/{pid}/autogroup").write_text(str(NICENESS))


def keep_to_one_core(pid: int) -> None:
    """Leave the other cores alone. A process that never pauses is else moved between them, and displaces those that
    serve each time. Raises `ProcessLookupError`."""
    if hasattr(os, "sched_setaffinity"):  # Linux
        os.sched_setaffinity(pid, {max(os.sched_getaffinity(pid))})
