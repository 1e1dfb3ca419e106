"""The clock of a game, folded over its log: over the time of each append, who moved, and who has a choice after it.

Nothing else enters. So whoever has the log, redacted or not, computes the same dials.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET

from domain import clock as clocks
from domain.cards import put
from domain.clock import SECOND, Clock, Dial, Dials, microseconds
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
    """The times after these entries: as `advance` for each append, in one loop, which loads long games.

    Entries of an append that is not complete do not count. None without a clock.
    """
    if times is None:
        opened = log[0].event if log else None
        if not isinstance(opened, Opened) or opened.clock is UNSET:
            return None
        times = Times(opened.clock, (clocks.full(opened.clock),) * opened.seats, 0)
    clock, at, acting = times.clock, times.at, times.acting
    full, increment, delay = clock.bank * SECOND, clock.increment * SECOND, clock.delay * SECOND
    banks = [dial.bank for dial in times.dials]
    reserves = [dial.reserve for dial in times.dials]
    since = [dial.since for dial in times.dials]
    begin, lifecycle = 0, LIFECYCLE
    nobody: tuple[Seat, ...] = ()
    second, start = "", 0
    for end, entry in enumerate(log, 1):
        if entry.more:
            continue
        first, begin = log[begin], end
        text, mover, gone = first.at, first.by, nobody
        if type(first.event) in lifecycle:
            mover, gone = None, _changed(clock, log[end - 1 - first.more : end], banks, reserves)
        if text[:19] != second:
            second, start = text[:19], microseconds(f"{text[:19]}.000000Z")
        at, after = start + int(text[20:26]), entry.acting or ()
        for seat in acting:
            if seat == mover or seat not in after:
                used, bank = at - (since[seat] or 0) - delay, banks[seat]
                if used > bank:
                    reserves[seat] = max(0, reserves[seat] - (used - bank))
                    bank = 0
                elif used > 0:
                    bank -= used
                banks[seat] = bank if seat in gone else min(full, bank + increment)
                since[seat] = None
        for seat in after:
            if since[seat] is None:
                since[seat] = at
        acting = after
    return Times(clock, tuple(map(Dial, banks, reserves, since)), at, acting)


def _changed(
    clock: Clock, append: Sequence[Entry[Any, Any]], banks: list[int], reserves: list[int]
) -> tuple[Seat, ...]:
    """Apply what an append without a choice does to banks and reserves. Returns the seats whose players it removes."""
    match append[0].event:
        case Rejoined(seat):
            banks[seat] = max(banks[seat], clock.bank * SECOND // 4)
        case Granted(seat, seconds):
            reserves[seat] += seconds * SECOND
    return tuple([entry.event.seat for entry in append if isinstance(entry.event, Gone)])
