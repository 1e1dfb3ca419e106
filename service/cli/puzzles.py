"""The command `puzzles`: positions of recorded games with one clearly best move, which the house player misses."""

import sys
from argparse import Namespace

from agents.review.played import NotReviewable, of_record
from agents.review.puzzles import puzzles
from agents.review.weighing import PLANS
from agents.review.wording import Wording
from domain.codec import encode
from domain.fairness.record import Unreadable, decode
from domain.fairness.verification import flawless, verify
from domain.review import HALF
from service.cli.exit_status import ExitStatus
from service.cli.film import wrong_checks
from service.cli.record_files import RecordText, read_file
from service.cli.review import names_of
from service.cli.terminal import one_line, printable


def run(arguments: Namespace) -> ExitStatus:
    """Print the puzzles of all records that are valid. The others are named on stderr, and rejected."""
    worst = ExitStatus.OK
    for file in arguments.files:
        for each in read_file(file):
            try:
                tell(each, arguments)
            except (Unreadable, NotReviewable) as error:
                sys.stderr.write(one_line(f"{each.place}: {error}") + "\n")
                worst = ExitStatus.REJECTED
    return worst


def tell(given: RecordText, arguments: Namespace) -> None:
    """Raises `Unreadable`, `NotReviewable`."""
    if isinstance(given.text, Unreadable):
        raise given.text
    record = decode(given.text)
    if not flawless(checks := verify(record)):
        raise Unreadable(f"The record is not valid: {wrong_checks(checks)}")
    played = of_record(record)
    wording = Wording(played.rules, record.deck, arguments.language, names_of(record, arguments.language))
    for version, puzzle in puzzles(played, PLANS[arguments.plan]):
        if arguments.json:
            line = encode(puzzle).decode()
        else:
            solution = wording.quoted(wording.move(puzzle.solution))
            gap, half = wording.number(puzzle.gap), wording.number(HALF * puzzle.error)
            line = wording.words["puzzle"].format(
                game=record.id, version=version - 1, seat=puzzle.seat, solution=solution, gap=gap, half=half
            )
        sys.stdout.write(printable(line) + "\n")
        sys.stdout.flush()
