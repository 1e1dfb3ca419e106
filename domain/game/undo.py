"""Undo: which moves can be taken back, and by whom.

A move can be taken back freely if it revealed nothing: if everybody could have foretold all that they were shown of
it. No ruleset declares this. `decide` runs on a view as it does on the truth, and raises, or decides otherwise, where
the view does not show enough. Other moves can be taken back if the terms say so and all players agree.
"""

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any, Protocol

from msgspec import UNSET, UnsetType

from domain.game.events import LIFECYCLE, Rules, TakenBack
from domain.game.evolution import shown
from domain.game.log import Entry
from domain.game.state import REACH, Game
from domain.messages import Value
from domain.ruleset import Seat, Viewer

MOST_UNDOS = 20
"""How many moves a seat can take back in one game."""

MADE = 64
"""How many of the latest appends are considered for an undo."""


class Made(Value):
    """An append with events of the ruleset that stand. `to` is the version before it, `last` its last version.

    `seat` made the `move`; None: the append is not that of a player's move. `alone`: nothing else is in it. `events`
    are those of the ruleset.
    """

    seat: Seat | None
    to: int
    last: int
    alone: bool
    move: Any
    events: Sequence[Any]


def note(made: list[Made], append: Sequence[Entry[Any, Any]]) -> None:
    """Add an append of the log to those before it, and drop what it takes back."""
    first, last = append[0], append[-1]
    by = first.by
    if by is None or last.by != by or type(first.event) in LIFECYCLE:
        _note_other(made, append)
        return
    # The consequences of a move that nobody chose come after it, so mostly the last entry tells.
    alone = len(append) < 3 or all(entry.by == by for entry in append)
    made.append(Made(by, first.version - 1, last.version, alone, first.move, [entry.event for entry in append]))
    if len(made) > MADE:
        del made[0]


def _note_other(made: list[Made], append: Sequence[Entry[Any, Any]]) -> None:
    """Note an append that is not that of a player's move alone."""
    for entry in append:
        if type(entry.event) is TakenBack:
            while made and made[-1].to >= entry.event.to:
                made.pop()
    first, last = append[0], append[-1]
    events = [entry.event for entry in append if type(entry.event) not in LIFECYCLE]
    if events:
        seat = None if type(first.event) in LIFECYCLE else first.by
        made.append(Made(seat, first.version - 1, last.version, False, first.move, events))
        del made[:-MADE]


def reaches(made: Sequence[Made], own: Made) -> bool:
    """Whether the game can still go back to before `own`, one of the appends that stand."""
    return sum(len(each.events) for each in made if each.to >= own.to) <= REACH


def latest_moves(log: Sequence[Entry[Any, Any]], now: Game) -> list[Made]:
    """The latest appends of the log with events that stand, as far back as the game can go."""
    made: list[Made] = []
    begin = now.tables[0].version if now.tables else len(log)
    while begin and log[begin - 1].more:
        begin -= 1
    for end in range(begin, len(log)):
        if not log[end].more:
            note(made, log[begin : end + 1])
            begin = end + 1
    return made


def revealed_nothing(rules: Rules, made: Made, seats: int, before: Callable[[Viewer], Any]) -> bool:
    """Whether the move revealed nothing. `before` is the ruleset's state before it, as a viewer saw it.

    It asks a bystander, and the seats that were shown more than a bystander: all others could have foretold it, too.
    The first one who could not have is the last one asked.
    """
    seat, events = made.seat, made.events
    if seat is None or not made.alone:
        return False
    public = shown(rules, events, None)
    if rules.open_events.issuperset(map(type, events)):
        return _is_silent(rules, made, None, public, before)
    # Ask first the viewer who has more likely learned something. A move without fields, such as drawing a
    # card, shows the mover what was hidden. What other moves hide from a bystander, the mover has usually chosen.
    first = (None, seat) if made.move.__struct_fields__ else (seat, None)
    for viewer in chain(first, range(seat), range(seat + 1, seats)):
        seen = public if viewer is None else shown(rules, events, viewer)
        if (viewer is None or seen != public) and not _is_silent(rules, made, viewer, seen, before):
            return False
    return True


def _is_silent(rules: Rules, made: Made, viewer: Viewer, seen: list[Any], before: Callable[[Viewer], Any]) -> bool:
    """Whether the viewer could have foretold what they were shown."""
    assert made.seat is not None
    view = before(viewer)
    try:
        foretold = rules.decide(view, made.seat, made.move)
        return foretold == made.events or shown(rules, foretold, viewer) == seen
    except Exception:  # the view does not show enough for a decision
        return False


def seen_before(rules: Rules, made: Sequence[Made], last: int, seen: Any, viewer: Viewer) -> Any:
    """The ruleset's state before the latest move, as the viewer saw it. `seen` is what they saw after the append that
    ended with version `last`. None if that is not one of the latest appends that stand."""
    for known in range(len(made) - 2, -1, -1):
        if made[known].last == last:
            return folded(rules, made[known + 1 : -1], seen, viewer)
    return None


def folded(rules: Rules, made: Sequence[Made], seen: Any, viewer: Viewer) -> Any:
    """What the viewer saw after these appends; `seen` is what they saw before."""
    return rules.view(seen, chain.from_iterable([each.events for each in made]), viewer)


def last_move(now: Game, made: Sequence[Made], seat: Seat) -> Made | None:
    """The latest move of the seat that stands, if the game can go back to the version before it and the seat may."""
    if now.status == "running" and now.taken_back.count(seat) < MOST_UNDOS:
        for each in reversed(made):
            if each.seat == seat:
                return None if now.place(each.to) is None else each
    return None


class Told(Protocol):
    """What says whether the latest move can be taken back without asking: see `History`."""

    @property
    def made(self) -> Sequence[Made]: ...

    def revealed_nothing(self) -> bool: ...


def free_undo(now: Game, history: Told, seat: Seat | None) -> int | UnsetType | None:
    """The last version of the seat's move that it can take back without asking; None if there is none, and absent if
    nothing can be taken back in this game."""
    if now.tables is None:
        return UNSET
    made = history.made
    if seat is None or not made or made[-1].seat != seat:  # so it is for most seats at most times
        return None
    latest = last_move(now, made, seat)
    return latest.last if latest is not None and history.revealed_nothing() else None
