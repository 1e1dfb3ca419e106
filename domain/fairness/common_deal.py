"""Whether records are of games of one deal: the same cards, played at different tables."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from domain.codec import canonical
from domain.fairness.record import Record
from domain.fairness.verification import Check
from domain.game import LIFECYCLE, Opened, bots_of
from domain.messages import Value

AnyRecord = Record[Any, Any, Any, Any]


class _Common(Value):
    """What the games of a deal have in common."""

    deal: Any
    commitment: str
    rules: str
    seats: int
    options: Any
    deck: Any
    bots: Sequence[Any]
    entropies: Sequence[str]


def _common(record: AnyRecord) -> _Common:
    opened: Opened[Any, Any] = record.events[0].event
    return _Common(
        opened.deal or None, opened.commitment, opened.rules, opened.seats, opened.options, opened.deck,
        bots_of(opened), [seat.entropy for seat in record.seats],
    )  # fmt: skip


def same_deal(records: Sequence[AnyRecord]) -> Check:
    """The check of the last record against those before it."""
    last, first = records[-1], records[0]
    ours, theirs = _common(last), _common(first)
    wrong = [
        name for name in _Common.__struct_fields__ if canonical(getattr(ours, name)) != canonical(getattr(theirs, name))
    ]
    if wrong or ours.deal is None:
        return Check("same-deal", False, None, f"another {', '.join(wrong)}" if wrong else "The game has no deal.")
    before = {seat.player: each.id for each in records[:-1] for seat in each.seats if seat.player is not None}
    twice = [f"{seat.player} played it in {before[seat.player]} too" for seat in last.seats if seat.player in before]
    return Check("same-deal", not twice, None, "; ".join(["the same deal", *twice, _parting(first, last)]))


def _parting(one: AnyRecord, other: AnyRecord) -> str:
    """The first event of the ruleset that differs."""
    played = [[entry for entry in each.events if type(entry.event) not in LIFECYCLE] for each in (one, other)]
    for here, there in zip_longest(*played):
        if here is None or there is None:
            return "one of the games ends before an event differs"
        if here.event != there.event:
            return f"the first difference is version {there.version} here, {here.version} in {one.id}"
    return "no event differs"
