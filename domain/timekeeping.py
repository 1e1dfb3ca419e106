"""The clock of a game, folded over its log: over the time of each append, who moved, and who has a choice after it.

Nothing else enters. So whoever has the log, redacted or not, computes the same dials.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET

from domain import clock as clocks
from domain.cards import put
from domain.clock import Clock, Dials, microseconds
from domain.game import LIFECYCLE, Gone, Granted, Opened, Rejoined
from domain.log import Entry
from domain.messages import Value
from domain.ruleset import Seat


class Times(Value):
    """The dials of a game after an append. `at` is its time, `acting` are the seats whose dials run."""

    clock: Clock
    dials: Dials
    at: int
    acting: tuple[Seat, ...] = ()

    def runs_out(self, seat: Seat) -> int | None:
        """When the seat has used all of its time; None while its dial does not run."""
        return clocks.runs_out(self.clock, self.dials[seat])

    def overdue(self, at: int) -> tuple[Seat, ...]:
        """The seats whose players an append at this time has to remove, in order."""
        return clocks.overdue(self.clock, self.dials, at)


def advance(times: Times | None, append: Sequence[Entry[Any, Any]]) -> Times | None:
    """The times after the entries of one append; None without a clock. The first append of a game opens it."""
    first, acting = append[0], append[-1].acting
    event = first.event
    if times is None:
        if not isinstance(event, Opened) or event.clock is UNSET:
            return None
        times = Times(event.clock, (clocks.full(event.clock),) * event.seats, 0)
    at, after = microseconds(first.at), () if acting is UNSET else acting
    clock, dials = times.clock, times.dials
    if type(event) not in LIFECYCLE:
        return Times(clock, clocks.tick(clock, dials, at, first.by, times.acting, after), at, after)
    gone = [entry.event.seat for entry in append if isinstance(entry.event, Gone)]
    match event:
        case Rejoined(seat):
            dials = put(dials, seat, clocks.returned(clock, dials[seat]))
        case Granted(seat, seconds):
            dials = put(dials, seat, clocks.given(dials[seat], seconds))
    return Times(clock, clocks.tick(clock, dials, at, None, times.acting, after, gone), at, after)


def fold(log: Sequence[Entry[Any, Any]], times: Times | None = None) -> Times | None:
    """The times after these entries. Those of an append that is not complete do not count."""
    if times is None and not _has_clock(log):
        return None
    begin = 0
    for end, entry in enumerate(log, 1):
        if not entry.more:
            times = advance(times, log[begin:end])
            begin = end
    return times


def _has_clock(log: Sequence[Entry[Any, Any]]) -> bool:
    opened = log[0].event if log else None
    return isinstance(opened, Opened) and opened.clock is not UNSET
