"""The exit status of all commands."""

from collections.abc import Mapping
from enum import IntEnum


class ExitStatus(IntEnum):
    OK = 0
    REJECTED = 1
    UNUSABLE = 2
    UNCHECKED = 3
    INTERRUPTED = 130


MEANINGS: Mapping[ExitStatus, str] = {
    ExitStatus.OK: "success",
    ExitStatus.REJECTED: "a record, game, deck or input file was rejected; everything else was processed",
    ExitStatus.UNUSABLE: "an argument, setting, file or database cannot be used, or what serves fails again and again; "
    "a message on stderr says why",
    ExitStatus.UNCHECKED: "`verify`: nothing is wrong, but not every check could be made",
    ExitStatus.INTERRUPTED: "interrupted by Ctrl-C",
}
"""As `stammtisch --help` and docs/commands.md show it."""
