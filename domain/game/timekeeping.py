"""The clock of a game, folded over its log: over the time of each append, who moved, and who has a choice after it.

Nothing else enters. So every reader of the log, redacted or not, computes the same dials.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from domain.cards import put
from domain.game import clock as clocks
from domain.game.clock import MILLISECOND, SECOND, Clock, Dial, Dials, microseconds
from domain.game.events import LIFECYCLE, Gone, Granted, Opened, Rejoined, Resumed, TakenBack
from domain.game.log import Entry
from domain.game.undo import MADE
from domain.messages import Value
from domain.ruleset import Seat


class Then(Value):
    """The dials before an append with events of the ruleset: as of version `to`, at the time `since`. The append was
    made at `stopped`."""

    to: int
    since: int
    stopped: int
    dials: Dials


class Times(Value):
    """The dials of a game after an append. `at` is its time, `acting` are the seats whose dials run."""

    clock: Clock
    dials: Dials
    at: int
    acting: tuple[Seat, ...] = ()
    past: tuple[Then, ...] | None = None
    """The dials before the latest moves; None if nothing can be taken back in this game."""

    def runs_out(self, seat: Seat) -> int | None:
        """When the seat has used all of its time; None while its dial does not run."""
        return clocks.runs_out(self.clock, self.dials[seat])

    def overdue(self, at: int) -> tuple[Seat, ...]:
        """The seats whose players an append at this time has to remove, in order."""
        return clocks.overdue(self.clock, self.dials, at)


def advance(times: Times | None, append: Sequence[Entry[Any, Any]]) -> Times | None:
    """The times after the entries of one append; None without a clock. The first append of a game opens it."""
    first, last = append[0], append[-1]
    event, acting = first.event, last.acting
    if times is None:
        if not isinstance(event, Opened) or event.clock is UNSET:
            return None
        times = opening(event, event.clock)
    at, after = microseconds(first.at), () if acting is UNSET else acting
    clock, dials, past = times.clock, times.dials, times.past
    if type(event) not in LIFECYCLE:
        dials = clocks.tick(clock, dials, at, first.by, times.acting, after)
    elif taken := next((entry.event for entry in append if isinstance(entry.event, TakenBack)), None):
        dials, past = _taken_back(times, taken, at, after)
    else:
        gone = [entry.event.seat for entry in append if isinstance(entry.event, Gone)]
        credited = partial(_credited, clock, event=event, acting=times.acting)
        dials = clocks.tick(clock, credited(dials), at, None, times.acting, after, gone)
        if past is not None and isinstance(event, Granted | Rejoined | Resumed):
            past = tuple([replace(then, dials=credited(then.dials)) for then in past])
    if past is not None and any(type(entry.event) not in LIFECYCLE for entry in append):
        past = (*past, Then(first.version - 1, times.at, at, times.dials))[-MADE:]
    return Times(clock, dials, at, after, past)


def opening(opened: Opened[Any, Any], clock: Clock) -> Times:
    """The times before a game is opened."""
    return Times(clock, (clocks.full(clock),) * opened.seats, 0, past=None if opened.undo is UNSET else ())


def _credited(clock: Clock, dials: Dials, *, event: Any, acting: Sequence[Seat]) -> Dials:
    """The dials with the time that players were given or get on coming back. `acting`: the seats with a choice."""
    match event:
        case Rejoined(seat):
            return put(dials, seat, clocks.returned(clock, dials[seat]))
        case Granted(seat, seconds):
            return put(dials, seat, clocks.given(dials[seat], seconds * SECOND))
        case Resumed(milliseconds):
            for seat in acting:
                dials = put(dials, seat, clocks.given(dials[seat], milliseconds * MILLISECOND))
    return dials


def _taken_back(times: Times, taken: TakenBack, at: int, after: Sequence[Seat]) -> tuple[Dials, tuple[Then, ...]]:
    """The dials after a move was taken back, and those of the appends before it."""
    past = times.past or ()
    then = next((then for then in past if then.to == taken.to), None)
    if then is None:
        raise ValueError(f"nothing can be taken back to version {taken.to}")
    dials = clocks.restored(then.dials, times.dials, taken.seat, then.stopped, then.since, at)
    running = [
        replace(dial, since=(at if dial.since is None else dial.since) if seat in after else None)
        for seat, dial in enumerate(dials)
    ]
    return tuple(running), tuple([each for each in past if each.to < taken.to])


def fold(log: Sequence[Entry[Any, Any]], times: Times | None = None) -> Times | None:
    """The times after these entries: as `advance` for each append, in one loop, which loads long games.

    Entries of an append that is not complete do not count. None without a clock.
    """
    if times is None:
        opened = log[0].event if log else None
        if not isinstance(opened, Opened) or opened.clock is UNSET:
            return None
        times = opening(opened, opened.clock)
    if times.past is None:
        return _folded(log, times)
    begin = 0
    if not times.past and not any(type(entry.event) is TakenBack for entry in log):  # the dials of old appends are lost
        begin = _begin_of_latest(log)
        times = replace(_folded(log[:begin], times), past=())
    after: Times | None = times
    for end in range(begin, len(log)):
        if not log[end].more:
            after, begin = advance(after, log[begin : end + 1]), end + 1
    return after


def _begin_of_latest(log: Sequence[Entry[Any, Any]]) -> int:
    """Where the last appends begin whose moves can be taken back."""
    moves, begin = 0, len(log)
    while begin and moves < MADE:
        begin -= 1
        while begin and log[begin - 1].more:
            begin -= 1
        moves += type(log[begin].event) not in LIFECYCLE
    return begin


def _folded(log: Sequence[Entry[Any, Any]], times: Times) -> Times:
    """The times after these entries, none of which takes back a move."""
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
            mover, gone = None, _changed(clock, log[end - 1 - first.more : end], banks, reserves, acting)
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
    clock: Clock, append: Sequence[Entry[Any, Any]], banks: list[int], reserves: list[int], acting: Sequence[Seat]
) -> tuple[Seat, ...]:
    """Apply what an append without a choice does to banks and reserves. Returns the seats whose players it removes."""
    match append[0].event:
        case Rejoined(seat):
            banks[seat] = max(banks[seat], clock.bank * SECOND // 4)
        case Granted(seat, seconds):
            reserves[seat] += seconds * SECOND
        case Resumed(milliseconds):
            for seat in acting:
                reserves[seat] += milliseconds * MILLISECOND
    return tuple([entry.event.seat for entry in append if isinstance(entry.event, Gone)])
