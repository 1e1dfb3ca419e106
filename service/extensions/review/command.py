"""The command `review`: verifies a record, weighs every choice in it, and says where the result comes from."""

import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import groupby
from typing import Any

from msgspec import UNSET

from agents.review.job import in_processes, review, streamed
from agents.review.page import PARTS, page
from agents.review.played import NotReviewable
from agents.review.weighing import Progress
from agents.review.wording import Wording, names_of, worst
from domain.codec import canonical, encode
from domain.fairness.record import Record, Unreadable, complete
from domain.fairness.verification import flawless, verify
from domain.registry import VERSIONS
from domain.review import HALF, Review
from service.cli.exit_status import ExitStatus
from service.cli.options import Refused
from service.cli.progress import progress_bar
from service.cli.record_files import open_output, wrong_checks
from service.cli.replay import InvalidReplay, load
from service.cli.terminal import failed, printable
from service.process import packages


def run(arguments: Namespace) -> ExitStatus:
    """Verify the record and review its game. Prints nothing unless every check was made and succeeded."""
    try:
        record = load(arguments.file, arguments.game)
    except (Unreadable, InvalidReplay) as error:
        return failed(f"{arguments.file}: {error}", ExitStatus.UNUSABLE)
    if not flawless(checks := verify(record)):
        return failed(f"The record is not valid: {wrong_checks(checks)}", ExitStatus.REJECTED)
    if not {*arguments.seat} <= {*range(len(record.seats))}:
        raise Refused(f"The game has the seats 0 to {len(record.seats) - 1}.")
    with ExitStack() as stack:
        try:
            steps = reviewed(record, arguments, stack)
        except NotReviewable as error:
            return failed(str(error), ExitStatus.REJECTED)
        if arguments.stream:
            for step in steps:
                sys.stdout.write(line_of(step))
                sys.stdout.flush()
            return ExitStatus.OK
        found = with_progress(steps)
    wording = Wording(VERSIONS[record.rules], record.deck, arguments.language, names_of(record, arguments.language))
    if arguments.page is not None:
        with open_output(arguments.page) as out:
            out.write(page(found, wording, arguments.language).encode())
    elif arguments.json:
        sys.stdout.write(canonical(found).decode() + "\n")
    else:
        for line in lines(found, wording, arguments.top):
            sys.stdout.write(printable(line) + "\n")
    return ExitStatus.OK


def reviewed(
    record: Record[Any, Any, Any, Any], arguments: Namespace, stack: ExitStack
) -> Iterator[Progress | Review[Any]]:
    work = None
    if arguments.processes > 1:
        work = in_processes(stack, encode(complete(record)), arguments.processes, packages.load)
    how = streamed if arguments.stream else review
    return how(record, arguments.plan, arguments.seat or None, work)


def line_of(step: Progress | Review[Any]) -> str:
    """A line of `--stream`: progress, or a document."""
    return canonical(step._asdict() if isinstance(step, Progress) else step).decode() + "\n"


def with_progress(steps: Iterator[Progress | Review[Any]]) -> Review[Any]:
    """The final document, while standard error shows how far the review is, if it is a terminal."""
    for _, phase in groupby(steps, key=lambda step: step.phase if isinstance(step, Progress) else ""):
        first = next(phase)
        if isinstance(first, Review):
            found = first
        else:
            with progress_bar(first.phase, first.all) as advance:
                advance(1)
                for _ in phase:
                    advance(1)
    return found


# --- as text ----------------------------------------------------------------------------------------------------------


def lines(found: Review[Any], wording: Wording, top: int) -> Iterator[str]:
    """The split of each seat's result, then the moments that have cost most."""
    said = wording.words
    yield f"{'':16}{said['result']:>18} ={' +'.join(f'{said[part]:>18}' for part in PARTS)}"
    for seat, row in enumerate(found.accounts):
        figures = " +".join(f"{getattr(row, part):>+18.1f}" for part in PARTS)
        half = wording.number(HALF * row.error)
        yield f"{wording.names[seat]:16.16}{row.result:>+18.1f} ={figures}   ({said['luck']} ± {half})"
    yield ""
    for choice in worst(found)[:top]:
        kind = "" if choice.category is UNSET else said[choice.category]
        yield f"{choice.version:>5}  {wording.names[choice.seat]}  {kind:14}{wording.sentence(choice)}"
