"""Verification of records: every honestly played game passes, and each check finds the errors that it is made for."""

import json
import re
from collections.abc import Callable
from hashlib import sha256
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import asdict, replace

from domain import game
from domain.codec import encode
from domain.deck import DeckData
from domain.fairness import chain, record, verification
from domain.fairness.record import Unreadable
from domain.fairness.verification import Check, flawless, verify
from domain.game import Aborted, Begun, Ended, Joined, Left, Parent, Revealed, Rules
from domain.ruleset import Result
from domain.rulesets import VERSIONS
from stammtisch.testing.playing import ID
from tests.verifiers import forging, samples
from tests.verifiers.samples import AnyRecord, plain, seen

every_ruleset = pytest.mark.parametrize("rules", VERSIONS.values(), ids=list(VERSIONS))

RULES = next(iter(VERSIONS.values()))
ALL = [
    "format", "header", "versions", "times", "appends", "life", "heads", "commitment", "rules", "deals",
]  # fmt: skip
HASHES = ("public", "secret", "heads")


def failures(checks: tuple[Check, ...]) -> dict[str, int | None]:
    """The first wrong version by the name of the check."""
    assert all(check.detail for check in checks)
    return {check.name: check.version for check in checks if check.ok is False}


# --- what is right ------------------------------------------------------------------------------------------------


@every_ruleset
def test_every_played_game_is_right(rules: Rules, everything: bool):
    """With any number of seats and any options, played to the end."""
    for seats in rules.seats:
        for seed in range(3 if everything else 1):
            checks = verify(samples.finished(rules, seats, seed))
            assert [check.name for check in checks] == ALL
            assert all(check.ok for check in checks), checks


@every_ruleset
def test_a_branch_is_right_and_so_is_a_game_that_all_players_left(rules: Rules):
    for found in (samples.branched(rules, 0), samples.branched(rules, 1), samples.given_up(rules)):
        assert all(check.ok for check in verify(found)), verify(found)


@every_ruleset
def test_an_aborted_game_is_right_for_every_cause(rules: Rules):
    for cause, found in samples.aborted(rules).items():
        assert found.events[-2].event == Aborted(cause)
        assert all(check.ok for check in verify(found)), verify(found)
        assert flawless(verify(seen(rules, found, None)))


@every_ruleset
def test_a_game_that_continues_beyond_its_maximum_length_is_wrong(rules: Rules):
    """In the complete record and in a redacted one."""
    whole = samples.shortest(rules, rules.seats[0])
    length = next(
        n for n, (one, two) in enumerate(pairwise(whole.events), 1)
        if n > len(whole.events) // 2 and two.by is not None and two.by != one.by
    )  # fmt: skip
    forged = record.decode(encode(samples.chained_anew(plain(opening(whole, longest=length)))))
    assert failures(verify(forged)) == {"life": length + 1, "rules": length + 1}
    assert failures(verify(seen(rules, forged, None))) == {"life": length + 1, "order": length + 1}
    too_short = record.decode(
        encode(samples.chained_anew(plain(opening(samples.aborted(rules)["longest"], longest=99))))
    )
    assert {"life", "rules"} <= set(failures(verify(too_short)))
    assert {"life", "order"} <= set(failures(verify(seen(rules, too_short, None))))


@every_ruleset
def test_a_running_game_is_right_so_far(rules: Rules):
    """With the complete log everything is checked, otherwise what can be known; no check claims more."""
    for seats in rules.seats:
        whole = samples.running(rules, seats, 0)
        assert all(check.ok for check in verify(whole, running=True))
        assert failures(verify(whole)) == {"rules": len(whole.events) + 1}
        redacted = [seen(rules, whole, viewer) for viewer in (None, 0, seats - 1)]
        for shown in (*redacted, record.sealed(rules, whole)):
            found = {check.name: check.ok for check in verify(shown)}
            unknown = dict.fromkeys(("secret", "commitment", "rules", "deals"))
            assert found == {"order": True} | dict.fromkeys((*ALL, *HASHES), True) | unknown


@every_ruleset
def test_at_every_version_a_record_is_right(rules: Rules):
    """After every append, from the first one on."""
    played = samples.decisions(rules, rules.seats[0], 0)
    log, end = samples.log_of(rules, played), 0
    for decided in played[:12]:
        end += len(decided.events)
        whole = record.of(ID, log[:end])
        assert all(check.ok for check in verify(whole, running=True))
        assert flawless(verify(seen(rules, whole, 0)))


@every_ruleset
def test_in_a_redacted_record_of_a_finished_game_the_visible_events_are_verified(rules: Rules):
    found = {check.name: check.ok for check in verify(seen(rules, samples.shortest(rules, rules.seats[0]), 0))}
    assert found["commitment"] is True
    assert (found["secret"], found["rules"], found["deals"]) == (None, None, None)


def test_a_kept_head_is_a_receipt():
    whole = samples.shortest(RULES, RULES.seats[0])
    for entry in record.hashed(whole).events[:: len(whole.events) // 5]:
        assert flawless(verify(whole, head=entry.head))
    assert failures(verify(whole, head="0" * 64)) == {"receipt": None}


def said(checks: tuple[Check, ...]) -> dict[str, tuple[bool | None, str]]:
    """The outcome and the detail of each check that did not fail."""
    assert [check.version for check in checks if check.ok is not False] == [None] * len(checks)
    return {check.name: (check.ok, check.detail) for check in checks}


@every_ruleset
def test_details_say_how_much_was_checked(rules: Rules):
    whole = samples.shortest(rules, rules.seats[0])
    count, last = len(whole.events), whole.events[-1]
    log = samples.decisions(rules, rules.seats[0], next(n for n in range(6) if len(finished(rules, n)) == count))
    moves = sum(before.game.status == "running" for before in log[:-1])
    public = {
        "format": (True, f"stammtisch-record/1 of a game by {rules.rules}"),
        "header": (True, "matches the events"),
        "versions": (True, f"1 to {count}, complete"),
        "times": (True, f"{whole.events[0].at} to {last.at}, never decreasing"),
        "appends": (True, f"{len(log)} appends, each complete"),
        "life": (True, f"{count} events in a valid order"),
    }
    heads = {"heads": (True, f"{count} heads, computed, up to {whole.head}")}
    assert said(verify(whole)) == public | heads | {
        "commitment": (True, "is the hash of the secret"),
        "rules": (True, f"{moves} moves and their consequences, replayed"),
        "deals": (True, f"{log[-1].game.dealt} dealer steps, derived again"),
    }
    shown = seen(rules, whole, 0)
    hidden = sum((a.event, a.move) != (b.event, b.move) for a, b in zip(shown.events, whole.events, strict=True))
    cannot = (None, "Cannot be checked: the record is redacted or has no secret.")
    followed = {
        "public": (True, f"{count} hashes of what a bystander sees"),
        "heads": (True, f"{count} links up to {whole.head}"),
        "order": (True, f"{count} events, each valid after those before it"),
        "rules": cannot,
        "deals": cannot,
    }
    # The first event hides the secret, which the last one reveals.
    assert said(verify(shown)) == public | followed | {
        "secret": (None, f"{count - hidden} of {count} hashes; the other events are redacted."),
        "commitment": (True, "is the hash of the secret"),
    }
    early = seen(rules, samples.running(rules, rules.seats[0], 0), 0)
    assert {name: said(verify(early))[name] for name in ("secret", "commitment")} == {
        "secret": (None, "Cannot be computed before the secret is revealed."),
        "commitment": (None, "Cannot be checked before the secret is revealed."),
    }
    kept = shown.events[count // 2]
    for one in (whole, shown):
        receipt = said(verify(one, head=kept.head))["receipt"]
        assert receipt == (True, f"The given head is that of version {kept.version}.")


def finished(rules: Rules, seed: int) -> tuple[Any, ...]:
    return samples.finished(rules, rules.seats[0], seed).events


# --- what is wrong ------------------------------------------------------------------------------------------------


def changed(whole: AnyRecord, number: int, **fields: Any) -> AnyRecord:
    """The record with other fields in the entry at that index."""
    events = list(whole.events)
    events[number] = replace(events[number], **fields)
    return replace(whole, events=tuple(events))


def rechained(rules: Rules, whole: AnyRecord) -> AnyRecord:
    """The record with all hashes recomputed, as anybody can who knows the secret."""
    head, entries = chain.root(whole.id), []
    for version, entry in enumerate(whole.events, 1):
        shown = game.redact(rules, entry.event, None)
        place = version, entry.at, entry.by
        public = chain.entry(*place, shown, entry.more, entry.acting)
        full = chain.entry(*place, entry.event, entry.more, entry.acting, entry.move)
        link = chain.link(head, bytes.fromhex(whole.secret or ""), version, public, full)
        head = link.head
        hashes = {} if entry.head is UNSET else {name: value.hex() for name, value in asdict(link).items()}
        entries.append(replace(entry, version=version, **hashes))
    return replace(whole, events=tuple(entries), head=head.hex())


WHOLE = "0123456789abcdef" * 4
EARLY = "2026-11-20T07:00:00.000000Z"
TWO = RULES.seats[0]
PLAYED = TWO + 4
"""The version of the first move with the minimum number of seats: after opened, joined, begun, dealt."""


def inserted(whole: AnyRecord, version: int, event: Any, by: int | None = None) -> AnyRecord:
    """The record with an additional event at that version."""
    number = version - 1
    entry = replace(whole.events[number], event=event, by=by)
    return replace(whole, events=(*whole.events[:number], entry, *whole.events[number:]))


def cut(whole: AnyRecord, version: int) -> AnyRecord:
    """The record without the event of that version; a negative one counts from the end."""
    number = version - 1 if version > 0 else len(whole.events) + version
    return replace(whole, events=whole.events[:number] + whole.events[number + 1 :])


def opening(whole: AnyRecord, **fields: Any) -> AnyRecord:
    """The record with other fields in the first event."""
    return changed(whole, 0, event=replace(whole.events[0].event, **fields))


def first(whole: AnyRecord, kind: type[Any]) -> int:
    """The version of the first event of that type."""
    return next(entry.version for entry in whole.events if isinstance(entry.event, kind))


def told(checks: tuple[Check, ...]) -> dict[str, tuple[int | None, str]]:
    """Where and what is said to be wrong, by the name of the check."""
    return {check.name: (check.version, check.detail) for check in checks if check.ok is False}


UNLIKE = "A hash does not match the event and those before it."
WORDS: list[tuple[Callable[[AnyRecord], AnyRecord], str, int | None, str]] = [
    (lambda r: replace(r, format="x/1"), "format", None, "Unknown format 'x/1'."),
    (lambda r: replace(r, rules="x/1"), "format", None, "Unknown rules 'x/1'."),
    (lambda r: replace(r, events=r.events[1:]), "format", 1, "The first event must be `opened`."),
    (lambda r: replace(r, events=()), "format", 1, "The first event must be `opened`."),
    (lambda r: replace(r, ruleset="x"), "header", None, "`ruleset` differs from the events."),
    (lambda r: opening(replace(r, ruleset="x"), ruleset="x"), "header", None, "`ruleset` differs from the events."),
    (lambda r: opening(r, rules="x/1"), "header", None, "`rules` differs from the events."),
    (lambda r: replace(r, deck=replace(r.deck, name="x")), "header", None, "`deck` differs from the events."),
    (lambda r: replace(r, options=None), "header", None, "`options` differs from the events."),
    (lambda r: replace(r, commitment=WHOLE), "header", None, "`commitment` differs from the events."),
    (lambda r: replace(r, secret=WHOLE), "header", None, "`secret` differs from the events."),
    (lambda r: replace(r, parent=Parent("x", 1, "x")), "header", None, "`parent` differs from the events."),
    (lambda r: replace(seen(RULES, r, None), head=WHOLE), "header", None, "`head` differs from the events."),
    (lambda r: replace(r, head=WHOLE), "heads", None, "`head` does not follow from the events and the secret."),
    (lambda r: replace(r, result=Result((1, 2), (1,))), "header", None, "`result` differs from the events."),
    (lambda r: replace(r, seats=()), "header", None, "`seats` differs from the events."),
    (lambda r: opening(r, seats=1), "header", 1, f"A game has {TWO} to {RULES.seats[-1]} seats."),
    (lambda r: changed(r, 4, version=7), "versions", 5, "The version is 7."),
    (lambda r: changed(r, 4, at="noon"), "times", 5, "'noon' is not a valid time in UTC with 6 decimals."),
    (lambda r: changed(r, 4, at="2026-01-01T00:00:00.000000Z"), "times", 5,
     "2026-01-01T00:00:00.000000Z is earlier than the event before it."),
    (lambda r: changed(seen(RULES, r, None), 3, public=WHOLE), "public", 4,
     "The hash does not match the event as a bystander sees it."),
    (lambda r: changed(seen(RULES, r, None), 3, secret=WHOLE), "secret", 4,
     "The hash does not match the salt and the full event."),
    (lambda r: changed(seen(RULES, r, None), 3, head=WHOLE), "heads", 4,
     "The head does not match the previous head and the two hashes."),
    (lambda r: changed(record.hashed(r), 3, public=WHOLE), "heads", 4, UNLIKE),
    (lambda r: changed(record.hashed(r), 3, secret=WHOLE), "heads", 4, UNLIKE),
    (lambda r: changed(record.hashed(r), 3, head=WHOLE), "heads", 4, UNLIKE),
    (lambda r: opening(r, commitment=WHOLE), "commitment", 1, "It is not the hash of the secret."),
    (lambda r: opening(r, secret="x"), "commitment", 1, "The secret is not 32 bytes in lower-case hex."),
    (lambda r: opening(r, secret=WHOLE.upper()), "commitment", 1, "The secret is not 32 bytes in lower-case hex."),
    (lambda r: opening(replace(cut(r, -1), secret=None), secret=None, commitment="0"), "commitment", 1,
     "It is not 32 bytes in lower-case hex."),
]  # fmt: skip


def running() -> AnyRecord:
    return samples.running(RULES, TWO, 0)


def test_a_failure_says_what_is_wrong():
    for forge, name, version, detail in WORDS:
        assert told(verify(forge(samples.shortest(RULES, TWO))))[name] == (version, detail)


def test_of_several_hashes_that_are_wrong_the_first_is_named():
    whole = samples.shortest(RULES, TWO)
    for forged in (record.hashed(whole), seen(RULES, whole, None)):
        for number in (8, 6, 3):
            forged = changed(forged, number, public=WHOLE, secret=WHOLE, head=WHOLE)
        assert {check.version for check in verify(forged) if check.name in ("public", "secret", "heads")} == {4}


def test_of_who_has_not_seen_all_cards_every_hash_of_an_open_event_is_checked_all_the_same():
    """Only what hides something may have another one than can be computed."""
    whole = samples.shortest(RULES, TWO)
    shown = seen(RULES, whole, whole.events[PLAYED - 1].by)
    assert told(verify(changed(shown, PLAYED - 1, secret=WHOLE)))["secret"][0] == PLAYED
    assert "secret" not in told(verify(changed(shown, TWO + 2, secret=WHOLE)))


def test_a_record_hides_nothing_if_the_secret_stands_in_it_anywhere():
    """Then the rules are carried out again, and nothing is taken on trust."""
    whole = samples.shortest(RULES, TWO)
    for forged in (replace(whole, secret=None), opening(whole, secret=None)):
        assert [check.name for check in verify(forged)] == ALL


def test_an_event_that_nobody_can_have_written_has_no_hashes():
    whole = samples.shortest(RULES, TWO)
    torn = replace(whole.events[TWO + 2].event, layouts=(None,) * TWO)
    assert told(verify(changed(whole, TWO + 2, event=torn)))["heads"][0] is None
    assert told(verify(changed(seen(RULES, whole, None), TWO + 2, event=torn)))["public"][0] == TWO + 3


def test_the_times_are_told_from_the_first_event_on():
    whole, before = samples.shortest(RULES, TWO), "2026-01-01T00:00:00.000000Z"
    (times,) = [check for check in verify(changed(whole, 0, at=before)) if check.name == "times"]
    assert times.detail == f"{before} to {whole.events[-1].at}, never decreasing"


@pytest.mark.parametrize("field", ["public", "secret"])
def test_a_head_needs_both_hashes(field: str):
    whole = seen(RULES, samples.shortest(RULES, TWO), None)
    entry, before = whole.events[4], bytes.fromhex(whole.events[3].head)
    other = entry.secret if field == "public" else entry.public
    head = sha256(before + bytes.fromhex(other)).hexdigest()
    assert told(verify(changed(whole, 4, **{field: "x"}, head=head)))["heads"][0] == 5


def test_a_head_that_is_none_of_the_records_is_no_receipt():
    whole = samples.shortest(RULES, TWO)
    found = told(verify(whole, head=WHOLE))
    assert found == {"receipt": (None, "The given head is not in this record.")}


ORDERS: list[tuple[Callable[[AnyRecord], AnyRecord], int, str]] = [
    (lambda r: changed(r, 0, by=0), 1, "The terms of the game are invalid."),
    (lambda r: opening(r, seats=99), 1, "The terms of the game are invalid."),
    (lambda r: opening(r, deck=of_numbers(r.deck, {})), 1, "The terms of the game are invalid."),
    (lambda r: inserted(r, 2, r.events[0].event), 2, "`opened` must be the first event and no other."),
    (lambda r: changed(r, 1, by=None), 2, "The joining seat must cause the event."),
    (lambda r: inserted(r, 3, r.events[1].event, 0), 3, "The seat is not free."),
    (lambda r: inserted(r, 2, Joined(TWO, ANN, ""), TWO), 2, "The seat is not free."),
    (lambda r: inserted(r, 2, Joined(-1, ANN, ""), -1), 2, "The seat is not free."),
    (lambda r: inserted(r, PLAYED, Joined(0, ANN, ""), 0), PLAYED, "The seat is not free."),
    (lambda r: inserted(r, 3, Joined(1, r.events[1].event.player, ""), 1), 3,
     "The player has another seat in this game."),
    (lambda r: inserted(opening(r, hotseat=True), 2, Joined(0, ANN, ""), 0), 2,
     "In a hotseat game the opener takes every seat."),
    (lambda r: inserted(r, 2, Left(0), 0), 2, "No player can leave this seat."),
    (lambda r: inserted(r, 3, Left(0), 1), 3, "No player can leave this seat."),
    (lambda r: inserted(r, 3, Left(-TWO), -TWO), 3, "No player can leave this seat."),
    (lambda r: inserted(r, 3, Left(TWO), TWO), 3, "No player can leave this seat."),
    (lambda r: inserted(r, PLAYED, Left(0), 0), PLAYED, "No player can leave this seat."),
    (lambda r: inserted(r, 3, Begun()), 3, "A seat is free."),
    (lambda r: changed(r, first(r, Begun) - 1, by=0), TWO + 2, "A seat is free."),
    (lambda r: inserted(r, PLAYED, Begun()), PLAYED, "A seat is free."),
    (lambda r: inserted(r, 3, Aborted(), 0), 3, "The cause `left` requires that the last player has left."),
    (lambda r: inserted(inserted(r, 3, Left(0), 0), 4, Aborted(), 1), 4, "The game cannot be aborted."),
    (lambda r: inserted(r, 2, Aborted()), 2, "The game cannot be aborted."),
    (lambda r: inserted(r, PLAYED, Aborted(), 0), PLAYED, "The game cannot be aborted."),
    (lambda r: inserted(r, 3, Aborted("cancelled"), 0), 3, "The game cannot be aborted."),
    (lambda r: inserted(r, PLAYED, Aborted("cancelled")), PLAYED, "Only a waiting game is cancelled or expires."),
    (lambda r: inserted(r, PLAYED, Aborted("expired")), PLAYED, "Only a waiting game is cancelled or expires."),
    (lambda r: inserted(r, PLAYED, Aborted("longest")), PLAYED, "The game does not have its maximum length."),
    (lambda r: inserted(opening(r, longest=PLAYED), PLAYED, Aborted("longest")), PLAYED,
     "The game does not have its maximum length."),
    (lambda r: inserted(opening(r, longest=PLAYED - 1), PLAYED, Aborted("longest"), 0), PLAYED,
     "The game cannot be aborted."),
    (lambda r: inserted(opening(r, longest=2), 3, Aborted("longest")), 3,
     "The game does not have its maximum length."),
    (lambda r: inserted(r, 3, ENDED), 3, "The game is not running."),
    (lambda r: inserted(r, PLAYED, ENDED, 0), PLAYED, "The game is not running."),
    (lambda r: inserted(r, 3, Revealed(WHOLE)), 3, "The secret is revealed only when the game is over."),
    (lambda r: inserted(r, PLAYED, Revealed(WHOLE)), PLAYED, "The secret is revealed only when the game is over."),
    (lambda r: inserted(r, 3, r.events[PLAYED - 1].event), 3, "The game is not running."),
    (lambda r: cut(r, TWO + 2), TWO + 2, "The game is not running."),
    (lambda r: changed(r, PLAYED - 1, by=7), PLAYED, "It is not the turn of seat 7."),
]  # fmt: skip
ANN = "ann"
ENDED = Ended(Result((1, 2), (0,)))


def of_numbers(data: DeckData, numbers: dict[str, int]) -> DeckData:
    """The deck with that many cards of each number."""
    return replace(data, numbers=numbers)


def test_an_invalid_event_is_found_at_its_version_in_a_redacted_record():
    for whole in (running(), samples.shortest(RULES, TWO)):
        for forge, version, detail in ORDERS:
            assert told(verify(forge(seen(RULES, whole, None))))["order"] == (version, detail)


AGAIN: list[tuple[Callable[[AnyRecord], AnyRecord], str, int, str]] = [
    (lambda r: changed(r, 0, by=0), "rules", 1, "The terms of the game are invalid."),
    (lambda r: changed(r, 1, by=None), "rules", 2, "The joining seat must cause the event."),
    (lambda r: inserted(r, 3, r.events[1].event, 0), "rules", 3, "The seat is not free."),
    (lambda r: inserted(r, 3, Left(0), 1), "rules", 3, "No player can leave this seat."),
    (lambda r: inserted(r, 3, Left(0), 0), "rules", 4, "`aborted` must follow, caused by seat 0."),
    (lambda r: cut(r, TWO + 2), "rules", TWO + 2, "`begun` must follow, caused by nobody."),
    (lambda r: changed(r, TWO + 1, by=1), "rules", TWO + 2, "`begun` must follow, caused by nobody."),
    (lambda r: changed(r, TWO + 2, event=dealt_otherwise(r)), "deals", TWO + 3,
     "`dealt` differs from the deal that the secret yields."),
    (lambda r: cut(r, TWO + 3), "deals", TWO + 3, "`dealt` must follow, caused by nobody."),
    (lambda r: changed(r, TWO + 2, by=0), "deals", TWO + 3,
     "`dealt` differs from the deal that the secret yields."),
    (lambda r: inserted(r, PLAYED, Begun()), "rules", PLAYED, "No event can follow here without a move."),
    (lambda r: inserted(r, PLAYED, Left(0), 0), "rules", PLAYED, "`flipped` must follow, caused by seat 0."),
    (lambda r: changed(r, PLAYED - 1, by=7), "rules", PLAYED, "Seat 7 cannot make this move."),
    (lambda r: changed(r, PLAYED - 1, by=-1), "rules", PLAYED, "Seat -1 cannot make this move."),
    (lambda r: changed(r, PLAYED - 1, by=TWO), "rules", PLAYED, f"Seat {TWO} cannot make this move."),
    (lambda r: opening(r, deck=of_numbers(r.deck, {"1": 5})), "rules", 1,
     "This event is impossible: InvalidSetup 2 seats need a deck of at least 26 cards, this one has 5."),
    (lambda r: replace(r, events=r.events[: TWO + 2]), "rules", TWO + 3,
     "The record ends but `dealt` must follow."),
]  # fmt: skip


def dealt_otherwise(whole: AnyRecord) -> Any:
    """The first deal, with another card on top of what is dealt last."""
    event = whole.events[TWO + 2].event
    return replace(event, discard=event.discard + 1)


@pytest.mark.parametrize("runs", [True, False])
def test_where_the_rules_carried_out_again_lead_to_something_else(runs: bool):
    whole = running() if runs else samples.shortest(RULES, TWO)
    for forge, name, version, detail in AGAIN:
        checks = verify(forge(whole), running=runs)
        assert told(checks)[name] == (version, detail)
        (other,) = {"rules", "deals"} - {name}
        (stopped,) = [check for check in checks if check.name == other]
        assert (stopped.ok, stopped.version) == (None, None), detail
        assert re.fullmatch(r"Correct up to version [0-9]+; the rest cannot be replayed\.", stopped.detail)


def test_only_the_seat_of_the_previous_event_can_continue_out_of_turn():
    """All events of a move are by its seat, though after the first of them it can be the turn of another seat."""
    shown = seen(RULES, running(), None)
    *_, next_move = [n for n, entry in enumerate(shown.events[1:], 1) if entry.by == 1 - (shown.events[n - 1].by or 0)]
    assert "order" not in told(verify(shown))
    forged = changed(shown, next_move - 1, by=shown.events[next_move].by)
    assert told(verify(forged))["order"] == (next_move, f"It is not the turn of seat {shown.events[next_move].by}.")


def test_the_secret_of_a_finished_game_is_known():
    for whole in (samples.shortest(RULES, TWO), samples.given_up(RULES)):
        shown = cut(seen(RULES, whole, None), -1)
        end = (len(shown.events) + 1, "`revealed` must follow: the game is over.")
        assert told(verify(shown))["order"] == end
        again = inserted(seen(RULES, whole, None), len(whole.events), whole.events[-1].event)
        assert told(verify(again))["order"] == (len(whole.events) + 1, "No event can follow `revealed`.")
        assert "order" not in told(verify(seen(RULES, whole, None)))
        longer = inserted(whole, len(whole.events), whole.events[-1].event)
        assert told(verify(longer))["rules"] == (len(whole.events) + 1, "No event can follow `revealed`.")
    not_over = (len(running().events) + 1, "The secret is visible but the game is not over.")
    assert told(verify(running())) == {"rules": not_over}


def test_an_event_that_the_rules_cannot_apply_is_reported_with_their_error():
    whole = running()
    move = replace(whole.events[PLAYED - 1].event, slot=99)
    detail = "This event is impossible: IndexError list assignment index out of range"
    assert told(verify(changed(seen(RULES, whole, None), PLAYED - 1, event=move)))["order"] == (PLAYED, detail)
    assert verification._impossible(KeyError()) == "This event is impossible: KeyError"


@pytest.mark.parametrize(
    ("forge", "found"),
    [
        (lambda r: replace(r, format="x/1"), {"format": None}),
        (lambda r: replace(r, rules="x/1"), {"format": None}),
        (lambda r: replace(r, events=()), {"format": 1}),
        (lambda r: replace(r, events=r.events[1:]), {"format": 1}),
        (lambda r: replace(r, ruleset="x"), {"header": None}),
        (lambda r: replace(r, result=None), {"header": None}),
        (lambda r: replace(r, seats=r.seats[::-1]), {"header": None}),
        (lambda r: replace(r, head=WHOLE), {"heads": None}),
        (lambda r: replace(r, secret=None), {"header": None}),
        (lambda r: replace(r, commitment=WHOLE), {"header": None}),
        (lambda r: changed(r, 4, version=6), {"versions": 5}),
        (lambda r: changed(seen(RULES, r, None), 3, public=WHOLE), {"public": 4, "heads": 4}),
        (lambda r: changed(seen(RULES, r, None), 3, secret=WHOLE), {"secret": 4, "heads": 4}),
        (lambda r: changed(s := seen(RULES, r, None), 3, secret=s.events[3].secret.upper()), {"secret": 4, "heads": 4}),
        (lambda r: changed(seen(RULES, r, None), 3, head=WHOLE), {"heads": 4}),
        (lambda r: changed(seen(RULES, r, None), 3, at=EARLY), {"times": 4, "public": 4, "secret": 4}),
        (lambda r: changed(r, 4, at=EARLY), {"times": 5, "heads": None}),
        (lambda r: rechained(RULES, changed(r, 4, at="yesterday")), {"times": 5}),
        (lambda r: rechained(RULES, changed(r, 4, at="2026-13-20T08:00:00.000000Z")), {"times": 5}),
        (lambda r: rechained(RULES, changed(r, 4, at=EARLY)), {"times": 5}),
        (lambda r: rechained(RULES, changed(r, 1, by=1)), {"rules": 2}),
        (lambda r: rechained(RULES, changed(r, -1, by=0)), {"rules": -1}),
        (lambda r: rechained(RULES, replace(r, events=r.events[:-1])), {"rules": 0}),
        (lambda r: rechained(RULES, replace(r, events=(*r.events, r.events[-1]))), {"rules": -1}),
    ],
)  # fmt: skip
def test_each_check_finds_its_errors(forge: Callable[[AnyRecord], AnyRecord], found: dict[str, int | None]):
    """Also where the hashes are right: then the rules find it. A negative version counts from the end."""
    forged = forge(samples.shortest(RULES, RULES.seats[0]))
    length = len(forged.events)
    expected = {name: length + 1 + at if at is not None and at < 1 else at for name, at in found.items()}
    assert expected.items() <= failures(verify(forged)).items()
    assert (
        len(
            set(failures(verify(forged)))
            - set(expected)
            - {"appends", "life", "rules", "deals", "public", "secret", "heads", "order"}
        )
        == 0
    )


@every_ruleset
def test_an_invented_event_is_found_at_its_version_though_every_hash_is_right(rules: Rules):
    """Every event replaces every different one of its type."""
    whole = samples.shortest(rules, rules.seats[0])
    dice = Random(1)
    for number in dice.sample(range(1, len(whole.events) - 1), 12):
        entry = whole.events[number]
        others = [e.event for e in whole.events if type(e.event) is type(entry.event) and e.event != entry.event]
        if others:
            forged = rechained(rules, changed(whole, number, event=dice.choice(others)))
            found = failures(verify(replace(forged, result=record.result([e.event for e in forged.events]))))
            assert set(found) <= {"rules", "deals", "header"}, entry.event
            # Another move can be legal, too; then the next event does not follow.
            assert min(at or 1 for at in found.values()) >= (1 if "header" in found else number - 8), entry.event
            assert found


@pytest.mark.slow
@every_ruleset
def test_nonsense_never_raises(rules: Rules, everything: bool):
    """Any readable fields of events, even if no rules write them, lead to a failed check."""
    dice, tried = Random(2), 0
    whole = samples.shortest(rules, rules.seats[0])
    shown = seen(rules, whole, None)
    for _ in range(400):
        if tried > 12 and not everything:
            break
        base = dice.choice([whole, shown])
        number = dice.randrange(len(base.events))
        made = plain(base)
        event = made["events"][number]["event"]
        paths = [path for path in forging.places(event) if path and path != ("type",)]
        gone = [entry for entry in base.events[number + 1 : number + 2] if isinstance(entry.event, Left)]
        if not paths or gone:  # it makes no difference which player left
            continue
        path = dice.choice(paths)
        inside = forging.at(event, path[:-1])
        inside[path[-1]] = dice.choice([-1, -2, 99, 2**62, None, "x", [], [[]], [None] * 3, True, {}])
        if forging.same(event, plain(base.events[number].event)):
            continue
        try:
            forged = record.decode(json.dumps(made).encode())
        except Unreadable:
            continue
        tried += 1
        # A bystander sees nothing of what a check of the redacted record cannot find.
        unseen = base is shown and plain(record.seen(rules, forged, None)) == plain(shown)
        assert not flawless(verify(forged)) or unseen, path
        assert not flawless(verify(rechained(rules, forged))) or base is not whole, path
        verify(rechained(rules, replace(forged, id="x", seats=())), running=True)
    assert tried > 10
