"""The appends of a game without the rules of its moves: where each begins and ends, who acts after it, who moved.

An append is what one command added to the log: a seat taken or left, or a choice with all its consequences, among them
the choices of bots, except those that search. The first append opens the game; that of a branch also repeats the
choices of its parent. All of this is public except the moves, so it is checked for every record, including redacted
ones.
"""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple, TypeAlias

from msgspec import UNSET

from domain.game import (
    LIFECYCLE,
    Aborted,
    Begun,
    Ended,
    Gone,
    Granted,
    Hinted,
    Joined,
    Opened,
    Parent,
    Rejoined,
    Resumed,
    Revealed,
    TakenBack,
    bots_of,
    seats_of_opener,
)
from domain.game.log import Entry
from domain.game.questions import wants_back
from domain.game.undo import Made, note, reaches
from domain.ruleset import BotName, Seat

AnyEntry: TypeAlias = Entry[Any, Any]


class Violation(NamedTuple):
    """The first version that is not valid, and why."""

    version: int
    detail: str


def starts_append(before: AnyEntry | None) -> bool:
    """Whether the entry after `before` is the first of its append."""
    return before is None or before.more <= 0


def is_chosen(entry: AnyEntry) -> bool:
    """Whether the choice of a seat caused the event."""
    return entry.by is not None and type(entry.event) not in LIFECYCLE


def is_expiry(event: Any) -> bool:
    """Whether a player ran out of time. One append removes all players who have."""
    return isinstance(event, Gone) and event.cause == "expired"


def violation(entries: Sequence[AnyEntry], *, complete: bool, searches: Collection[BotName] = ()) -> Violation | None:
    """The first entry that cannot be where it is; None if there is none. Never raises for entries that can be read.

    `complete`: the record is not redacted, so no move may be missing. `searches`: the bots for which the game waits.
    """
    opened, before = entries[0].event, None
    append = _Append(opened if isinstance(opened, Opened) else None, complete, searches)
    for version, entry in enumerate(entries, 1):
        if wrong := append.next(entry, before):
            return Violation(version, wrong)
        before = entry
    if before is not None and before.more:
        return Violation(len(entries) + 1, f"The record ends within an append: {before.more} events must follow.")
    return None


class _Append:
    """The state of the game as far as appends depend on it."""

    def __init__(self, opened: Opened[Any, Any] | None, complete: bool, searches: Collection[BotName]) -> None:
        self.opened, self.complete = opened, complete
        self.opening = True
        """Whether this is the first append."""
        self.running = False
        self.acting: tuple[Seat, ...] = ()
        """Who has a choice after the previous append."""
        self.made: list[Made] = []
        """The appends before this one with events that stand."""
        self.asked: int | None = None
        """To which version the open question about an undo would go back; None: none is open."""
        self.begun: list[AnyEntry] = []
        """The entries of this append so far."""
        self.ends: dict[int, tuple[Seat, ...]] = {}
        """Who has a choice, by the last version of an append."""
        self.bots = {seat: bot for seat, bot in enumerate(bots_of(opened) if opened else ()) if bot}
        """By seat the bot that plays it now."""
        self.searches = searches

    def next(self, entry: AnyEntry, before: AnyEntry | None) -> str | None:
        """Why the entry cannot be the next one."""
        if before is not None and starts_append(before):
            self.opening = False
        if isinstance(entry.event, Begun | Ended | Aborted):
            self.running = isinstance(entry.event, Begun)
        elif isinstance(entry.event, Gone | Rejoined):
            self._note(entry.event)
        chosen = is_chosen(entry)
        wrong = (
            self._wrong_place(entry, before, chosen)
            or self._wrong_move(entry, before, chosen)
            or self._wrong_acting(entry)
            or self._wrong_undo(entry, entry.event)
            or self._wrong_hint(entry)
        )
        if entry.acting is not UNSET:
            self.acting = entry.acting
        self._note_entry(entry)
        return wrong

    def _note_entry(self, entry: AnyEntry) -> None:
        self.begun.append(entry)
        if not entry.more:
            if entry.acting is not UNSET:
                self.ends[entry.version] = entry.acting
            note(self.made, self.begun)
            self.begun = []

    def _wrong_undo(self, entry: AnyEntry, event: Any) -> str | None:
        """Whether the seat has a move to take back, and the same seats have a choice as before it."""
        if type(event) not in LIFECYCLE:
            self.asked = None
            return None
        if isinstance(event, Granted | Rejoined | Resumed | Hinted):  # an open question stays open
            return None
        asked, self.asked = self.asked, wants_back(event)
        if self.asked is None and not isinstance(event, TakenBack):
            return None
        if self.asked is not None and self.asked == asked:
            return None
        own = next((made for made in reversed(self.made) if made.seat == event.seat), None)
        if own is None or own.to != event.to or event.to not in self.ends:
            return "`to` must be the version before the latest move of the seat."
        if not reaches(self.made, own):
            return "Too much has happened since."
        if not isinstance(event, TakenBack):
            return None
        if not event.agreed and not (own is self.made[-1] and own.alone):
            return "Something else has happened since, so all players must agree."
        if not entry.more and entry.acting != self.ends[event.to]:
            return "The same seats must have a choice as before the move."
        return None

    def _wrong_hint(self, entry: AnyEntry) -> str | None:
        """Whether the seat has the choice about which it asks."""
        wrong = isinstance(entry.event, Hinted) and entry.event.seat not in self.acting
        return "A seat without a choice needs no hint." if wrong else None

    def _note(self, event: Gone | Rejoined) -> None:
        """From now on a bot plays the seat, or no longer."""
        self.bots.pop(event.seat, None)
        if isinstance(event, Gone) and event.bot is not UNSET:
            self.bots[event.seat] = event.bot

    def _wrong_place(self, entry: AnyEntry, before: AnyEntry | None, chosen: bool) -> str | None:
        """Whether the event can begin an append, or continue this one."""
        if before is None or starts_append(before):
            if entry.more < 0:
                return "`more` is negative."
            if chosen:
                return None if entry.by in self.acting else f"Seat {entry.by} has no choice."
            alone = isinstance(entry.event, Revealed) and self.opened is not None and self.opened.deal is not UNSET
            return None if alone or _can_start(entry.event) else f"`{_tag(entry)}` cannot begin an append."
        if entry.more != before.more - 1:
            return f"`more` must be {before.more - 1}."
        if entry.at != before.at:
            return "It must have the time of the previous event."
        if chosen and entry.by in self.bots:
            return None
        if is_expiry(entry.event) and is_expiry(before.event):
            return None
        if self.opening:
            return None if self._can_open(entry, chosen) else f"`{_tag(entry)}` must begin an append."
        if chosen and entry.by == before.by and is_chosen(before):
            return None
        return f"`{_tag(entry)}` must begin an append." if chosen or _can_start(entry.event) else None

    def _can_open(self, entry: AnyEntry, chosen: bool) -> bool:
        """Whether the event can be in the append that opens the game, after its first event."""
        opened, event = self.opened, entry.event
        if isinstance(event, Joined) and opened is not None and not opened.hotseat:
            return event.seat in seats_of_opener(opened)[:1] and entry.version == 2 and event.player == opened.opener
        if chosen:
            return opened is not None and isinstance(opened.parent, Parent)
        return isinstance(event, Joined) or not _can_start(event)

    def _wrong_move(self, entry: AnyEntry, before: AnyEntry | None, chosen: bool) -> str | None:
        """Whether the entry has a move where one belongs."""
        starts = starts_append(before)
        if entry.move is UNSET:
            if not (self.complete and chosen):
                return None
            continues = before is not None and not starts and is_chosen(before) and entry.by == before.by
            return None if continues else "The move is missing."
        if not chosen or not (starts or self.opening or entry.by in self.bots):
            return "Only the first event that a seat's choice caused has a move."
        return None

    def _wrong_acting(self, entry: AnyEntry) -> str | None:
        """Whether the last entry of the append, and no other, says who acts."""
        acting = entry.acting
        if acting is UNSET or entry.more:
            return None if acting is UNSET and entry.more else "Only the last event of an append has `acting`."
        seats = range(0 if self.opened is None else self.opened.seats)
        if list(acting) != sorted(set(acting)) or any(seat not in seats for seat in acting):
            return "`acting` must be seats of the game in rising order."
        if any(self.bots.get(seat, UNSET) not in (UNSET, *self.searches) for seat in acting):
            return "A bot makes its choice in the append that gives it."
        if bool(acting) != self.running:
            return "A seat must have a choice while the game runs, and only then."
        return None


def _can_start(event: Any) -> bool:
    """Whether the event, which no choice caused, can be the first of an append."""
    if isinstance(event, Aborted):
        return event.cause in ("cancelled", "expired", "operator")
    if isinstance(event, TakenBack):
        return not event.agreed
    return type(event) in LIFECYCLE and not isinstance(event, Begun | Ended | Revealed)


def _tag(entry: AnyEntry) -> str:
    return str(entry.event.__struct_config__.tag)
