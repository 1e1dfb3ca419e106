"""Verification of what was decided, and when whose turn it was."""

from collections.abc import Callable
from dataclasses import replace as with_
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain import game
from domain.fairness.verification import verify
from domain.game import Rules
from domain.rulesets import VERSIONS
from stammtisch.testing import doing
from tests.domain.test_verification import PLAYED, RULES, TWO, changed, every_ruleset, failures, rechained, told
from tests.verifiers import samples
from tests.verifiers.samples import AnyRecord, seen

pytestmark = pytest.mark.slow

# --- what was decided, and when whose turn it was -------------------------------------------------------------------


def choices(whole: AnyRecord) -> list[int]:
    """The indices of the first events of all choices."""
    return [number for number, entry in enumerate(whole.events) if entry.move is not UNSET]


def at_choice(whole: AnyRecord, nth: int) -> int:
    """The index of the first event of a choice."""
    return choices(whole)[nth]


def other_moves(rules: Rules, whole: AnyRecord, number: int) -> list[Any]:
    """The other moves that were legal where this one was made."""
    before = game.fold(rules, game.Game(whole.id), [entry.event for entry in whole.events[:number]])
    entry = whole.events[number]
    return [move for move in game.legal(rules, before, entry.by) if move != entry.move]


@every_ruleset
def test_another_legal_move_behind_the_same_events_is_found_at_its_version(rules: Rules):
    whole, tried = samples.shortest(rules, rules.seats[0]), 0
    for number in choices(whole)[:12]:
        entry = whole.events[number]
        now = game.fold(rules, game.Game(whole.id), [entry.event for entry in whole.events[:number]])
        events = [each.event for each in whole.events[number : number + 1 + entry.more]]
        for move in other_moves(rules, whole, number)[:5]:
            if list(doing.move(rules, now, entry.by, move).events) == events:
                continue  # nobody can tell which of the two it was
            found = failures(verify(rechained(rules, changed(whole, number, move=move))))
            assert set(found) <= {"rules", "deals"}
            assert number + 1 <= min(at or 0 for at in found.values()) <= number + 1 + max(entry.more, 1)
            tried += 1
    assert tried


@every_ruleset
def test_an_illegal_move_is_found_at_its_version(rules: Rules):
    whole = samples.shortest(rules, rules.seats[0])
    number = at_choice(whole, 3)
    entry = whole.events[number]
    now = game.fold(rules, game.Game(whole.id), [entry.event for entry in whole.events[:number]])
    legal = game.legal(rules, now, entry.by)
    known = (move for at in choices(whole) for move in (whole.events[at].move, *other_moves(rules, whole, at)))
    illegal = next(move for move in known if move not in legal)
    found = told(verify(rechained(rules, changed(whole, number, move=illegal))))
    assert found == {"rules": (number + 1, f"Seat {entry.by} cannot make this move.")}


def within(whole: AnyRecord) -> int:
    """The index of the first event within the append of a choice."""
    return next(n for n, e in enumerate(whole.events) if n >= PLAYED and whole.events[n - 1].more)


def after_a_choice(whole: AnyRecord) -> int:
    """The index of the last event of an append in the middle of the game."""
    return next(n for n, e in enumerate(whole.events) if n >= PLAYED and not e.more)


MOVES_ONLY_FIRST = "Only the first event that a seat's choice caused has a move."

LAST_ACTING = "Only the last event of an append has `acting`."

RISING = "`acting` must be seats of the game in rising order."

APPENDS: list[tuple[Callable[[AnyRecord], tuple[AnyRecord, int]], str]] = [
    (lambda r: (changed(r, n := at_choice(r, 2), move=UNSET), n), "The move is missing."),
    (lambda r: (changed(r, n := within(r), move=r.events[at_choice(r, 2)].move), n), MOVES_ONLY_FIRST),
    (lambda r: (changed(r, 1, move=r.events[at_choice(r, 2)].move), 1), MOVES_ONLY_FIRST),
    (lambda r: (changed(r, n := within(r), more=r.events[n].more + 1), n), "`more` must be {}."),
    (lambda r: (changed(r, 0, more=-1), 0), "`more` is negative."),
    (lambda r: (changed(r, 0, more=2**62), 1), "`more` must be 4611686018427387903."),
    (lambda r: (changed(r, n := after_a_choice(r), acting=UNSET), n), LAST_ACTING),
    (lambda r: (changed(r, n := within(r) - 1, acting=(0,)), n), LAST_ACTING),
    (lambda r: (changed(r, n := after_a_choice(r), acting=(1, 0)), n), RISING),
    (lambda r: (changed(r, n := after_a_choice(r), acting=(0, 0)), n), RISING),
    (lambda r: (changed(r, n := after_a_choice(r), acting=(-1,)), n), RISING),
    (lambda r: (changed(r, n := after_a_choice(r), acting=(TWO,)), n), RISING),
    (lambda r: (changed(r, n := after_a_choice(r), acting=()), n),
     "A seat must have a choice while the game runs, and only then."),
    (lambda r: (changed(r, len(r.events) - 1, acting=(0,)), len(r.events) - 1),
     "A seat must have a choice while the game runs, and only then."),
    (lambda r: (changed(r, 1, acting=(0,)), 1), "A seat must have a choice while the game runs, and only then."),
    (lambda r: (changed(r, n := within(r), at=r.events[n + 3].at[:-2] + "9Z"), n),
     "It must have the time of the previous event."),
    (lambda r: (replace(r, events=r.events[:-1]), len(r.events) - 1),
     "The record ends within an append: 1 events must follow."),
]  # fmt: skip


def test_a_malformed_append_is_found_without_the_rules():
    """Though every hash is right; in a redacted record as well, but for a missing move."""
    whole = samples.shortest(RULES, TWO)
    for forge, stated in APPENDS:
        forged, number = forge(whole)
        detail = stated.replace("{}", str(whole.events[min(number, len(whole.events) - 1)].more))
        again = rechained(RULES, forged)
        assert told(verify(again))["appends"] == (number + 1, detail)
        if detail != "The move is missing." and again.events[min(number, len(again.events) - 1)].move is UNSET:
            assert told(verify(seen(RULES, again, None)))["appends"] == (number + 1, detail)


def test_two_appends_cannot_be_merged_or_split():
    """A choice must begin an append, and what follows from it cannot."""
    whole = samples.shortest(RULES, TWO)
    number = next(n for n, e in enumerate(whole.events) if n > PLAYED and e.by == 1 and whole.events[n - 1].by == 0)
    before = whole.events[number - 1]
    merged = changed(whole, number - 1, more=whole.events[number].more + 1, acting=UNSET)
    for back in range(2, number):
        if not whole.events[number - back].more:
            break
        merged = changed(merged, number - back, more=merged.events[number - back + 1].more + 1)
    merged = changed(merged, number, at=before.at)
    tag = whole.events[number].event.__struct_config__.tag
    found = told(verify(rechained(RULES, merged)))
    assert found["appends"] == (number + 1, f"`{tag}` must begin an append.")
    assert "rules" in found
    number = next(n for n, e in enumerate(whole.events) if n > PLAYED and e.by is None and whole.events[n - 1].more)
    split = changed(whole, number - 1, more=0, acting=(0,))
    begin = next(n for n in range(number - 1, 0, -1) if not whole.events[n - 1].more)
    for position in range(begin, number):
        split = changed(split, position, more=number - 1 - position)
    tag = whole.events[number].event.__struct_config__.tag
    found = told(verify(rechained(RULES, split)))
    assert found["appends"] == (number + 1, f"`{tag}` cannot begin an append.")
    assert "rules" in found


@every_ruleset
def test_a_wrong_seat_to_act_is_found_by_the_rules_in_any_record(rules: Rules):
    """Of a seat that exists and never acts, the append itself shows nothing wrong."""
    whole = samples.finished(rules, rules.seats[-1], 0)
    number = at_choice(whole, 5) - 1
    acting = whole.events[number].acting
    assert isinstance(acting, tuple)
    others = tuple(seat for seat in range(rules.seats[-1]) if seat not in acting)
    forged = rechained(rules, changed(whole, number, acting=tuple(sorted((*acting, *others[:1])))))
    wrong = (number + 1, f"`acting` must be {list(acting)}.")
    assert told(verify(forged)) == {"rules": wrong}
    assert told(verify(seen(rules, forged, None))) == {"order": wrong}


def test_only_a_seat_that_has_a_choice_can_make_one():
    whole = samples.shortest(RULES, TWO)
    number = at_choice(whole, 6)
    (turn,) = whole.events[number - 1].acting
    forged = rechained(RULES, changed(whole, number - 1, acting=(1 - turn,)))
    assert told(verify(forged))["appends"] == (number + 1, f"Seat {turn} has no choice.")


def test_the_rules_decide_every_move_once(monkeypatch: pytest.MonkeyPatch):
    """There is no search for the move behind an event."""
    decided = 0

    def watched(*arguments: Any) -> list[Any]:
        nonlocal decided
        decided += 1
        return RULES.decide(*arguments)

    monkeypatch.setitem(VERSIONS, RULES.rules, with_(RULES, decide=watched))
    whole = samples.finished(RULES, RULES.seats[0], 1)
    assert all(check.ok for check in verify(whole))
    assert decided == sum(entry.move is not UNSET for entry in whole.events)
