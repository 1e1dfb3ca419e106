"""What the commands `export` and `import` report."""

import sys
from typing import NamedTuple

from service.cli.exit_status import ExitStatus
from service.cli.terminal import one_line


class RecordRejected(Exception):
    """The record cannot be imported, or the game cannot be exported. The message says why, in one line."""

    def __init__(self, reason: str) -> None:
        super().__init__(one_line(reason))


class Summary(NamedTuple):
    """Numbers of games, and for each rejected record or game where it is and why."""

    games: int
    """Games that were exported or imported."""
    existing: int
    """Records whose games were already in the database."""
    rejected: tuple[str, ...]


def report(summary: Summary, verb: str) -> ExitStatus:
    """Print the summary to stderr, with one line for each rejection."""
    for line in summary.rejected:
        sys.stderr.write(f"{one_line(line)}\n")
    existing = f", {summary.existing} already there" if summary.existing else ""
    rejected = f", {len(summary.rejected)} rejected" if summary.rejected else ""
    sys.stderr.write(f"{summary.games} games {verb}{existing}{rejected}\n")
    return ExitStatus.REJECTED if summary.rejected else ExitStatus.OK
