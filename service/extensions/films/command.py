"""The command `film`: makes a film of a record, which can be played in the browser without a server."""

from argparse import Namespace

from domain.fairness.record import Unreadable
from domain.fairness.verification import flawless, verify
from service.cli.exit_status import ExitStatus
from service.cli.record_files import open_output, wrong_checks
from service.cli.replay import InvalidReplay, load
from service.cli.terminal import failed
from service.extensions.films.films import NotFilmable, encoded_film


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
