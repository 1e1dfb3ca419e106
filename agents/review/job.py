"""The review of a record, step by step: progress, a first answer, the final one."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any

from agents import processes as several
from agents.review.document import document
from agents.review.moments import Moment, moments
from agents.review.played import Played, of_record
from agents.review.values import Valuation
from agents.review.weighing import PLANS, Progress, Weighing, Work, in_this_process
from domain.fairness.record import Record, decode
from domain.review import Review
from domain.ruleset import Seat


def review(
    record: Record[Any, Any, Any, Any],
    plan: str = "standard",
    seats: Collection[Seat] | None = None,
    work: Work | None = None,
) -> Iterator[Progress | Review[Any]]:
    """Review the choices of these seats, by default of all. Yields two documents, the first and the final one, and
    progress before each. Raises `NotReviewable` at once.

    The record must have been verified. `work` does the steps, by default in this process.
    """
    return reviewed(of_record(record), plan, seats, work)


def reviewed(
    played: Played, plan: str, seats: Collection[Seat] | None = None, work: Work | None = None
) -> Iterator[Progress | Review[Any]]:
    """Of a game in memory."""
    values, chosen = Valuation(played.rules, played.head), [*moments(played)]
    wanted = range(played.seats) if seats is None else seats
    weighing = Weighing(values, chosen, PLANS[plan], wanted, work or in_this_process(values, chosen))
    yield from weighing.first()
    yield document(played, weighing, plan, final=False)
    yield from weighing.refine()
    yield from weighing.accounts()
    yield document(played, weighing, plan, final=True)


MANY = 400
"""Moves from which on the first document of the standard plan takes minutes."""
MOST = 2400
"""People's moves times seats up to which the standard plan takes less than ten minutes of processor time."""


def streamed(
    record: Record[Any, Any, Any, Any], plan: str, seats: Collection[Seat] | None, work: Work | None
) -> Iterator[Progress | Review[Any]]:
    """As `review`, for somebody who waits: of a long game the first document of the quick plan comes before, and a very
    long one has the quick plan only."""
    played = of_record(record)
    return quickly(played, plan, seats, work)


def quickly(
    played: Played, plan: str, seats: Collection[Seat] | None, work: Work | None
) -> Iterator[Progress | Review[Any]]:
    if plan == "standard" and played.seats * sum([not made.by_bot for made in played.moves]) > MOST:
        plan = "quick"
    if plan == "standard" and len(played.moves) > MANY:
        for step in reviewed(played, "quick", seats, work):
            yield step
            if isinstance(step, Review):
                break
    yield from reviewed(played, plan, seats, work)


# --- several processes ------------------------------------------------------------------------------------------------

_GAME: list[tuple[Valuation, Sequence[Moment]]] = []
"""In a process that does steps for another one: the game."""


def in_processes(stack: ExitStack, text: bytes, processes: int, prepare: Callable[[], None]) -> Work:
    """Does steps of the record with this text in this number of processes, until the stack is closed. `prepare` is
    called in each of them first."""
    pool = several.in_processes(stack, processes, begin, text, prepare)
    return lambda function, steps: pool.map(partial(work_on, function), steps)


def begin(text: bytes, prepare: Callable[[], None]) -> None:
    prepare()
    played = of_record(decode(text))
    _GAME.append((Valuation(played.rules, played.head), [*moments(played)]))


def work_on(function: Callable[..., Any], step: Any) -> Any:
    return function(*_GAME[0], step)


def finished(steps: Iterable[Progress | Review[Any]]) -> Review[Any]:
    """The final document."""
    *_, last = steps
    assert isinstance(last, Review)
    return last
