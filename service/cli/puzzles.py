"""The command `puzzles`: positions of recorded games with one clearly best move, which the house player misses; and
those of the next days."""

import asyncio
import sys
from argparse import Namespace
from datetime import date
from typing import Any

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from agents.review.played import NotReviewable, of_record
from agents.review.puzzles import Puzzle, puzzles
from agents.review.weighing import PLANS, Plan
from agents.review.wording import Wording
from domain.codec import encode
from domain.fairness.record import Record, Unreadable, decode
from domain.fairness.verification import flawless, verify
from domain.review import HALF
from projections import puzzles as daily
from service import databases, settings
from service.cli.database import open_store
from service.cli.exit_status import ExitStatus
from service.cli.export import record_of
from service.cli.film import wrong_checks
from service.cli.options import Refused
from service.cli.record_files import RecordText, read_file
from service.cli.review import names_of
from service.cli.terminal import one_line, printable
from service.cli.transfer import RecordRejected
from service.reviews.puzzles import KeptPuzzle, today
from service.settings import Settings


def run(arguments: Namespace) -> ExitStatus:
    """Print the puzzles of all records that are valid. The others are named on stderr, and rejected."""
    if arguments.publish == bool(arguments.files):
        raise Refused("The games come from records, or with `--publish` from the database.")
    if arguments.games < 1:
        raise Refused("At least one game is looked through.")
    if arguments.publish:
        given = settings.read(database=arguments.database)
        return asyncio.run(publish(given, arguments.games, PLANS[arguments.plan]))
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


# --- puzzles of the day -------------------------------------------------------------------------------------------


async def publish(given: Settings, most: int, plan: Plan) -> ExitStatus:
    """Look through games whose players agreed, the newest first, until the next days have a puzzle each. Of a game that
    is the first puzzle in it. Raises `InvalidSettings`."""
    status, looked, days = ExitStatus.OK, 0, list[str]()
    async with open_store(given) as store:
        engine = databases.projections(given)
        try:
            databases.prepare_others(given, engine)
            day = date.fromisoformat(today())
            for listed in daily.sources(engine)[:most]:
                if daily.free_days(engine, day) <= 0:
                    break
                try:
                    body = first_puzzle(await record_of(store, listed.id), plan)
                except (RecordRejected, Unreadable, NotReviewable) as error:
                    sys.stderr.write(one_line(f"{listed.id}: {error}") + "\n")
                    status, body = ExitStatus.REJECTED, None
                looked += 1
                if (filled := daily.keep(engine, listed.id, body, day)) is not None:
                    days.append(filled)
        except SQLAlchemyError as error:
            raise given.unusable(error) from None
        finally:
            engine.dispose()
    sys.stdout.write(f"Games looked through: {looked}. New puzzles: {', '.join(days) or 'none'}.\n")
    return status


def first_puzzle(text: bytes, plan: Plan) -> str | None:
    """The first puzzle of the game, without the game and its players. Raises `Unreadable`, `NotReviewable`."""
    record = decode(text)
    for _, puzzle in puzzles(of_record(record), plan):
        return encode(kept(record, puzzle)).decode()
    return None


def kept(record: Record[Any, Any, Any, Any], puzzle: Puzzle[Any, Any]) -> KeptPuzzle:
    return KeptPuzzle(
        ruleset=record.ruleset, rules=record.rules, options=plain(record.options), deck=record.deck.name,
        seats=len(record.seats), seat=puzzle.seat, view=plain(puzzle.view), legal_moves=plain(puzzle.moves),
        solution=plain(puzzle.solution), gap=puzzle.gap, error=puzzle.error,
    )  # fmt: skip


def plain(value: Any) -> Any:
    """As JSON values, just as the service writes them."""
    return msgspec.json.decode(encode(value))
