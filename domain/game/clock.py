"""The time that each seat has for its choices. No timer keeps it: it follows from when each append was made.

Times are whole microseconds. A dial says what a seat has left, and since when its current choice takes time.
"""

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import Annotated, TypeAlias

from msgspec import Meta
from msgspec.structs import replace

from domain.messages import Value
from domain.ruleset import Seat

SECOND = 1_000_000
"""Microseconds."""

MILLISECOND = 1000
"""Microseconds."""

GRACE = 2 * SECOND
"""How long after a seat has run out of time its choice is still accepted: for the network, and for processes whose
clocks differ."""

NEVER = 2**63 - 1
"""No time is later: the largest integer that the databases store."""

MAX_BANK = 2_678_400
"""Seconds: 31 days."""


class Clock(Value, forbid_unknown_fields=True):
    """The time for choices, in whole seconds. Each seat has its own, which runs while the seat has a choice."""

    bank: Annotated[int, Meta(ge=5, le=MAX_BANK, description="The time of a seat at the beginning, and at most.")]
    increment: Annotated[int, Meta(ge=0, le=MAX_BANK)] = 0
    """Added to the bank after each choice, up to its maximum."""
    delay: Annotated[int, Meta(ge=0, le=86_400, description="Seconds of each choice that take no time.")] = 0
    reserve: Annotated[int, Meta(ge=0, le=7_776_000)] = 0
    """Used when the bank is empty, and never refilled by choices."""


class Dial(Value):
    """What a seat has left, and the time at which its current choice arose; None: it has no choice."""

    bank: int
    reserve: int
    since: int | None = None


Dials: TypeAlias = tuple[Dial, ...]
"""The dials by seat. Those of seats that bots play never run."""


def full(clock: Clock) -> Dial:
    """The dial of a seat before the game begins."""
    return Dial(clock.bank * SECOND, clock.reserve * SECOND)


def tick(
    clock: Clock, dials: Dials, at: int, by: Seat | None, before: Sequence[Seat], after: Sequence[Seat],
    gone: Collection[Seat] = (),
) -> Dials:  # fmt: skip
    """The dials after an append at this time.

    `by` is the seat that made a choice, if one did; `before` and `after` are the seats that have a choice before and
    after it; `gone` are those whose players it removes: their choices end without the increment.
    """
    ticked = list(dials)
    for seat in before:
        if seat == by or seat not in after:
            ticked[seat] = _stopped(clock, ticked[seat], at, 0 if seat in gone else clock.increment * SECOND)
    for seat in after:
        if seat == by or seat not in before:
            dial = ticked[seat]
            ticked[seat] = Dial(dial.bank, dial.reserve, at)
    return tuple(ticked)


def _stopped(clock: Clock, dial: Dial, at: int, increment: int) -> Dial:
    assert dial.since is not None, "the dial of a seat with a choice runs"
    used = at - dial.since - clock.delay * SECOND
    bank, reserve = dial.bank, dial.reserve
    if used > 0:
        if used > bank:
            reserve = max(0, reserve - (used - bank))
            bank = 0
        else:
            bank -= used
    return Dial(min(clock.bank * SECOND, bank + increment), reserve)


def restored(then: Dials, dials: Dials, seat: Seat, stopped: int, since: int, at: int) -> Dials:
    """The dials after the seat has taken back a move at this time. `then` are those before the move.

    The increment of the move goes back, and the seat goes on with the time that it has used: up to the move, which
    `stopped` its dial, and since then if its dial runs again. Nobody else is charged for the time `since` the dials of
    `then`, unless their choice has stayed the same.
    """
    return tuple([
        _restored(was, now, (stopped if mover == seat else since), at, goes_on=mover == seat)
        for mover, (was, now) in enumerate(zip(then, dials, strict=True))
    ])  # fmt: skip


def _restored(was: Dial, now: Dial, until: int, at: int, *, goes_on: bool) -> Dial:
    if was.since is None or (was.since == now.since and not goes_on):
        return was if was.since is None else now
    ran = until - was.since
    if goes_on and now.since is not None:
        ran += at - now.since
    return replace(was, since=at - ran)


def given(dial: Dial, time: int) -> Dial:
    """The dial with this much time added to its reserve."""
    return replace(dial, reserve=dial.reserve + time)


def returned(clock: Clock, dial: Dial) -> Dial:
    """The dial of a player who comes back: a quarter of a full bank at least."""
    return replace(dial, bank=max(dial.bank, clock.bank * SECOND // 4))


def runs_out(clock: Clock, dial: Dial) -> int | None:
    """When the seat has used all of its time; None while its dial does not run."""
    return None if dial.since is None else dial.since + clock.delay * SECOND + dial.bank + dial.reserve


def overdue(clock: Clock, dials: Iterable[Dial], at: int) -> tuple[Seat, ...]:
    """The seats that lose their turn at this time: those that ran out of time first come first."""
    ran_out = [
        (over, seat)
        for seat, dial in enumerate(dials)
        if (over := runs_out(clock, dial)) is not None and at >= over + GRACE
    ]
    return tuple([seat for _, seat in sorted(ran_out)])


def earliest(clock: Clock, dials: Iterable[Dial], at: int, gone: Collection[Seat] = ()) -> int:
    """A time before which no seat is `overdue`, however the game goes on; `at` is not before the latest append.

    Of a seat without a choice it assumes that one arises at once; for `gone` seats, when their players come back.
    Moves never bring it forward: a choice takes no more time than passes, and only from its own seat.
    """
    ends = []
    for seat, dial in enumerate(dials):
        left = returned(clock, dial) if seat in gone else dial
        ends.append((at if left.since is None else left.since) + left.bank + left.reserve)
    return min(ends) + clock.delay * SECOND + GRACE


# --- times as text ------------------------------------------------------------------------------------------------


def microseconds(at: str) -> int:
    """The microseconds from 1970 to this time, which is RFC 3339 in UTC with 6 decimals."""
    return _to_the_second(at[:19]) + int(at[20:26])


@lru_cache(maxsize=64)  # thousands of moves share a second
def _to_the_second(text: str) -> int:
    days = _days(int(text[:4]), int(text[5:7]), int(text[8:10]))
    return (days * 86_400 + int(text[11:13]) * 3600 + int(text[14:16]) * 60 + int(text[17:19])) * SECOND


def _days(year: int, month: int, day: int) -> int:
    """The days from 1970-01-01 to this one. Years are counted from March, so that a leap day is the last."""
    year, month = (year, month - 3) if month > 2 else (year - 1, month + 9)
    return 365 * year + year // 4 - year // 100 + year // 400 + (153 * month + 2) // 5 + day - 719_469
