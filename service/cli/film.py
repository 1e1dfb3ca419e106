"""The command `film`: makes a film of a record, which can be played in the browser without a server."""

import sys
from argparse import Namespace
from collections.abc import Sequence

from domain.fairness.record import Unreadable
from domain.fairness.verification import Check, flawless, verify
from service.api.films import NotFilmable, encoded_film
from service.cli.exit_status import ExitStatus
from service.cli.record_files import open_output
from service.cli.replay import InvalidReplay, load
from service.cli.terminal import one_line


def run(arguments: Namespace) -> ExitStatus:
    """Verify the record and write its film. Writes nothing unless every check was made and succeeded."""
    try:
        record = load(arguments.file, arguments.game)
    except (Unreadable, InvalidReplay) as error:
        return failed(f"{arguments.file}: {error}", ExitStatus.UNUSABLE)
    if not flawless(checks := verify(record, searches=False)):
        return failed(f"The record is not valid: {wrong_checks(checks)}", ExitStatus.REJECTED)
    try:
        made = encoded_film(record)
    except NotFilmable as error:
        return failed(str(error), ExitStatus.REJECTED)
    with open_output(arguments.output) as out:
        out.write(made + b"\n")
    return ExitStatus.OK


def wrong_checks(checks: Sequence[Check]) -> str:
    """The checks that failed, and where."""
    wrong = [check for check in checks if check.ok is False]
    places = ["" if check.version is None else f"version {check.version}: " for check in wrong]
    return "; ".join(f"{check.name}: {place}{check.detail}" for check, place in zip(wrong, places, strict=True))


def failed(message: str, status: ExitStatus) -> ExitStatus:
    sys.stderr.write(one_line(message) + "\n")
    return status
