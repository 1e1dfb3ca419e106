"""The command `arena`: measures bots by duplicate deals."""

import gzip
import sys
from argparse import Namespace
from collections import Counter, deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from agents.arena.boards import Arena, Board, Field, Outcome, Terms, named_apart
from agents.arena.journal import Journal
from agents.arena.report import Report
from agents.arena.statistics import EVERY, FEWEST, Stop, decided, narrow_enough
from agents.bots import UnknownBot
from agents.external import Manners
from agents.modules import search_here
from agents.processes import in_processes
from domain.codec import encode
from domain.registry import RULESETS
from domain.ruleset import InvalidSetup
from service.cli.exit_status import ExitStatus
from service.cli.options import Refused, options_of
from service.cli.progress import progress_bar
from service.process import packages

Rules = Any


def run(arguments: Namespace) -> ExitStatus:
    search_here()
    terms = terms_of(arguments)
    stop = stop_of(arguments)
    folder = new_folder(arguments.report, arguments.resume)
    if arguments.boards < 1:
        raise Refused("An arena needs at least one board.")
    if arguments.records and folder is None:
        raise Refused("`--records` needs a folder: `--report`.")
    arena, times = played(terms, arguments, stop, folder)
    report = Report(arena, times, arguments.sprt)
    if arguments.json:
        sys.stdout.write(encode(arena).decode() + "\n")
    else:
        sys.stdout.write("\n".join(report.lines()) + "\n")
    if folder is not None:
        report.write(folder)
    return ExitStatus.OK


def terms_of(arguments: Namespace) -> Terms:
    """Raises `Refused`."""
    rules = RULESETS.get(arguments.ruleset)
    if rules is None:
        raise Refused(
            f"There is no ruleset {arguments.ruleset!r}: {', '.join(RULESETS)}. Those of packages need "
            f"{packages.SETTING}: the names of the packages, or *."
        )
    seats, bots = arguments.seats or len(arguments.bots), arguments.bots
    if len(bots) < 2:
        raise Refused("An arena needs at least two bots.")
    if seats not in rules.seats:
        raise Refused(f"{rules.name} has {rules.seats[0]} to {rules.seats[-1]} seats, not {seats}.")
    if len(bots) > seats:
        raise Refused(f"{len(bots)} bots need as many seats, not {seats}.")
    if rules.teams is not None and len(bots) > (teams := len(rules.teams(seats))):
        raise Refused(f"{len(bots)} bots need as many teams, not {teams}: partners are the same bot.")
    options = {**rules.board, **options_of(rules, arguments.option)}
    terms = Terms(rules=rules.rules, options=options, seats=seats, bots=named_apart(bots), seed=arguments.seed)
    try:
        rules.initial(seats, rules.options(**options), next(iter(rules.decks.values())))
        assert Field(rules, terms).bots
    except (UnknownBot, InvalidSetup) as error:
        raise Refused(error) from None
    return terms


def stop_of(arguments: Namespace) -> Stop | None:
    if arguments.sprt is not None:
        low, high = arguments.sprt
        if low >= high:
            raise Refused("The bounds of `--sprt` rise: LOW,HIGH.")
        return decided(low, high)
    if arguments.until is not None:
        if arguments.until <= 0:
            raise Refused("The half-width of `--until` is above 0.")
        return narrow_enough(arguments.until)
    return None


def new_folder(name: str | None, resume: bool = False) -> Path | None:
    """The folder of the report, made now. Raises `Refused` if it exists: reports are never overwritten."""
    if name is None:
        return None
    folder = Path(name)
    try:
        folder.mkdir(parents=True, exist_ok=resume and not (folder / "results.json").exists())
    except FileExistsError:
        raise Refused(f"{name} exists already.") from None
    return folder


def played(
    terms: Terms, arguments: Namespace, stop: Stop | None, folder: Path | None
) -> tuple[Arena, list[Counter[int]]]:
    """The boards in their order, until enough are played, and the times of the choices of each bot."""
    boards: list[Board] = []
    times: list[Counter[int]] = [Counter() for _ in terms.bots]
    with ExitStack() as stack:
        advance = stack.enter_context(progress_bar("boards", arguments.boards))
        records = None
        if arguments.records and folder is not None:
            records = stack.enter_context(gzip.open(folder / "games.ndjson.gz", "wb"))
        for outcome in outcomes(stack, terms, arguments.boards, arguments, folder):
            boards.append(outcome.board)
            for all_, some in zip(times, outcome.times, strict=True):
                all_.update(some)
            if records is not None:
                records.writelines(outcome.records)
            advance(1)
            looked = len(boards) >= FEWEST and len(boards) % EVERY == 0
            if looked and stop is not None and stop(Arena(terms, tuple(boards))):
                break
    return Arena(terms, tuple(boards)), times


def outcomes(
    stack: ExitStack, terms: Terms, boards: int, arguments: Namespace, folder: Path | None
) -> Iterator[Outcome]:
    """By number of the board, whatever is done first."""
    processes = arguments.processes
    jobs = [(terms, number, arguments.records, arguments.review) for number in range(boards)]
    if any(name.startswith("http") for name in terms.bots) or arguments.at_once > 1:
        return at_once(stack, terms, boards, arguments, folder)
    if processes == 1:
        return map(play, jobs)
    return in_processes(stack, processes, packages.load).map(play, jobs)


def at_once(
    stack: ExitStack, terms: Terms, boards: int, arguments: Namespace, folder: Path | None
) -> Iterator[Outcome]:
    """Many games at once, in threads: bots outside take their time elsewhere."""
    manners = Manners(arguments.think, arguments.retries, arguments.strikes, arguments.text)
    try:
        journal = Journal(None if folder is None else folder / "choices.ndjson", encode([terms, manners]))
    except ValueError as error:
        raise Refused(error) from None
    rules = RULESETS[terms.rules.split("/")[0]]
    field = Field(
        rules, terms, records=arguments.records, review=arguments.review, manners=manners, journal=journal
    )  # fmt: skip
    assert field.bots
    threads = stack.enter_context(ThreadPoolExecutor(arguments.at_once))
    stack.callback(threads.shutdown, wait=True, cancel_futures=True)
    ahead: deque[tuple[int, list[Future[Any]]]] = deque()
    number = 0
    while number < boards or ahead:
        while number < boards and sum([not each.done() for _, of in ahead for each in of]) < 2 * arguments.at_once:
            ahead.append((number, [threads.submit(field.play_one, number, each) for each in field.seatings]))
            number += 1
        first, games = ahead.popleft()
        yield field.together(first, [each.result() for each in games])


def play(job: tuple[Terms, int, bool, bool]) -> Outcome:
    terms, number, records, review = job
    return field_of(encode(terms), records, review).play(number)


@cache
def field_of(terms: bytes, records: bool, review: bool) -> Field:
    """Made once in each process."""
    decoded = msgspec.json.decode(terms, type=Terms)
    return Field(RULESETS[decoded.rules.split("/")[0]], decoded, records=records, review=review)
