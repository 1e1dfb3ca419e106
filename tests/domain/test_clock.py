"""Clocks: each time control by example, then laws 1 to 5 over random games, each with a planted fault."""

from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain import game as aggregate
from domain.codec import encode
from domain.fairness import record
from domain.fairness.verification import Check, verify
from domain.game import (
    LIFECYCLE,
    Aborted,
    Agreed,
    CannotGrant,
    Gone,
    Granted,
    NotRunning,
    NotSeated,
    Rejoined,
    Resumed,
    Revealed,
    event_type,
    timekeeping,
)
from domain.game import clock as clocks
from domain.game.clock import GRACE, SECOND, Clock, Dial, Dials, microseconds, overdue, runs_out, tick
from domain.game.log import Entry, Stored
from domain.ruleset import InvalidSetup, Seat
from domain.rulesets import RULESETS
from service.clock import text_of
from stammtisch.testing import doing
from stammtisch.testing.clocked import SECRET, START, Clocked
from stammtisch.testing.playing import ID, Rules
from stammtisch.testing.seats import person
from tests.domain.test_chain import VECTORS
from tests.verifiers import samples

every_ruleset = pytest.mark.parametrize("rules", RULESETS.values(), ids=list(RULESETS))
SKYJO, SCOUT = RULESETS["skyjo"], RULESETS["scout"]

# --- time controls ------------------------------------------------------------------------------------------------

Step = tuple[float, Seat | None, tuple[Seat, ...], tuple[tuple[float, float], ...]]
"""The second of an append, who moved, who acts then; and what each seat has left in bank and reserve."""

CONTROLS: dict[str, tuple[Clock, int, list[Step]]] = {
    "sudden death": (Clock(60), 2, [
        (0, None, (0,), ((60, 0), (60, 0))),
        (10, 0, (1,), ((50, 0), (60, 0))),
        (15, 1, (0,), ((50, 0), (55, 0))),
        (65, 0, (1,), ((0, 0), (55, 0))),
    ]),
    "increment, never above the bank": (Clock(180, increment=10), 2, [
        (0, None, (0,), ((180, 0), (180, 0))),
        (4, 0, (1,), ((180, 0), (180, 0))),
        (34, 1, (0,), ((180, 0), (160, 0))),
        (35, 0, (1,), ((180, 0), (160, 0))),
        (36, 1, (0,), ((180, 0), (169, 0))),
    ]),
    "days for each choice": (Clock(259_200, increment=259_200), 2, [
        (0, None, (0,), ((259_200, 0), (259_200, 0))),
        (250_000, 0, (1,), ((259_200, 0), (259_200, 0))),
    ]),
    "days, with a reserve": (Clock(100, increment=100, reserve=50), 2, [
        (0, None, (0,), ((100, 50), (100, 50))),
        (120, 0, (1,), ((100, 30), (100, 50))),
        (230, 1, (0,), ((100, 30), (100, 40))),
        (355, 0, (1,), ((100, 5), (100, 40))),
    ]),
    "delay": (Clock(60, delay=5), 2, [
        (0, None, (0,), ((60, 0), (60, 0))),
        (5, 0, (1,), ((60, 0), (60, 0))),
        (12.5, 1, (0,), ((60, 0), (57.5, 0))),
    ]),
    "a seat that plays on gets its increment": (Clock(60, increment=3), 2, [
        (0, None, (0,), ((60, 0), (60, 0))),
        (10, 0, (0,), ((53, 0), (60, 0))),
        (20, 0, (1,), ((46, 0), (60, 0))),
    ]),
    "choices at the same time": (Clock(60), 3, [
        (0, None, (0, 1, 2), ((60, 0), (60, 0), (60, 0))),
        (10, 1, (0, 2), ((60, 0), (50, 0), (60, 0))),
        (25, 0, (2,), ((35, 0), (50, 0), (60, 0))),
        (30, 2, (0,), ((35, 0), (50, 0), (30, 0))),
    ]),
    "a choice that another move takes away": (Clock(60, increment=1), 2, [
        (0, None, (0, 1), ((60, 0), (60, 0))),
        (10, 0, (0,), ((51, 0), (51, 0))),
    ]),
    "within the grace nothing is left": (Clock(60, reserve=5), 2, [
        (0, None, (0,), ((60, 5), (60, 5))),
        (66.5, 0, (1,), ((0, 0), (60, 5))),
    ]),
}  # fmt: skip


@pytest.mark.parametrize(("control", "seats", "steps"), CONTROLS.values(), ids=list(CONTROLS))
def test_time_controls(control: Clock, seats: int, steps: list[Step]):
    dials: Dials = (clocks.full(control),) * seats
    before: tuple[Seat, ...] = ()
    for second, by, after, left in steps:
        at = START + round(second * SECOND)
        dials = tick(control, dials, at, by, before, after)
        assert [(dial.bank / SECOND, dial.reserve / SECOND) for dial in dials] == [*left]
        assert [dial.since is not None for dial in dials] == [seat in after for seat in range(seats)]
        before = after


def entries_of(append: Any) -> list[Any]:
    """The entries of an append in the published vectors, with what time does not depend on."""
    kind = Entry[event_type(SKYJO), SKYJO.move]  # type: ignore[misc, valid-type]
    rest = {"version": 1, "more": 0, "public": "", "secret": "", "head": ""}
    return [msgspec.convert(rest | row, kind) for row in append["entries"]]


@pytest.mark.parametrize("vector", VECTORS["clocks"], ids=lambda vector: vector["about"][:30])
def test_the_published_vectors_are_reproduced(vector: Any):
    control = Clock(**vector["clock"])
    past = () if "undo" in vector else None
    times = timekeeping.Times(control, (clocks.full(control),) * vector["seats"], 0, past=past)
    for append in vector["appends"]:
        entries = entries_of(append)
        gone = tuple(entry.event.seat for entry in entries if isinstance(entry.event, Gone))
        if not isinstance(entries[0].event, Resumed):
            assert times.overdue(microseconds(entries[0].at)) == gone
        after = timekeeping.advance(times, entries)
        assert after is not None
        ends = map(after.runs_out, range(vector["seats"]))
        assert [dial.bank for dial in after.dials] == append["banks"]
        assert [dial.reserve for dial in after.dials] == append["reserves"]
        assert [end if end is None else text_of(end) for end in ends] == append["runs_out"]
        times = after


def test_the_last_second():
    control, dial = Clock(60, delay=5, reserve=10), Dial(60 * SECOND, 10 * SECOND, START)
    over = runs_out(control, dial)
    assert over == START + 75 * SECOND
    assert overdue(control, [dial], over + GRACE - 1) == ()
    assert overdue(control, [dial], over + GRACE) == (0,)
    assert runs_out(control, replace(dial, since=None)) is None


def test_seats_that_ran_out_first_come_first():
    dials = [Dial(bank * SECOND, 0, START) for bank in (30, 20, 90, 20)]
    assert overdue(Clock(90), dials, START + 60 * SECOND) == (1, 3, 0)


@pytest.mark.parametrize(
    "at", ["1970-01-01T00:00:00.000000Z", "2024-02-29T23:59:59.999999Z", "2100-03-01T00:00:00.000001Z"]
)
def test_times_are_read_exactly(at: str):
    assert text_of(microseconds(at)) == at
    assert microseconds("2024-03-01T00:00:00.000000Z") - microseconds("2024-02-29T23:59:59.999999Z") == 1


@pytest.mark.parametrize(
    "bad",
    [
        {"bank": 0}, {"bank": 4}, {"bank": -5}, {"bank": 10**9}, {"bank": 60.5}, {"bank": 60.0}, {"bank": True},
        {"bank": "60"}, {"bank": None}, {}, {"bank": 60, "increment": -1}, {"bank": 60, "delay": 86_401},
        {"bank": 60, "reserve": 10**9}, {"bank": 60, "pause": 1}, {"bank": 60, "reserve": False}, [], 60, None,
    ],
)  # fmt: skip
def test_clocks_out_of_bounds_are_not_read(bad: Any):
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(encode(bad), type=Clock)


def test_a_clock_needs_someone_who_goes_on_and_several_players():
    deck = next(iter(SKYJO.decks.values())).data
    with pytest.raises(InvalidSetup, match="`absent` must say"):
        aggregate.terms(SKYJO, 2, SKYJO.options(), deck, "a", SECRET, Agreed(clock=Clock(60)))
    with pytest.raises(InvalidSetup, match="A hotseat game has no clock"):
        aggregate.terms(SKYJO, 2, SKYJO.options(), deck, "a", SECRET, Agreed(clock=Clock(60), hotseat=True))


# --- running out of time ------------------------------------------------------------------------------------------


def acting(sitting: Clocked) -> tuple[Seat, ...]:
    return aggregate.to_act(sitting.rules, sitting.game)


def dials(sitting: Clocked) -> Dials:
    assert sitting.times is not None
    return sitting.times.dials


def checked(log: list[Stored[Any, Any]]) -> dict[str, Check]:
    kept = samples.record_of(ID, log)
    assert record.decode(encode(kept)) == kept
    return {check.name: check for check in verify(kept)}


def wrong(log: list[Stored[Any, Any]]) -> dict[str, int | None]:
    return {name: check.version for name, check in checked(log).items() if check.ok is False}


def test_no_dial_runs_before_the_game_begins():
    sitting = Clocked(SKYJO)
    deck = next(iter(SKYJO.decks.values())).data
    terms = aggregate.terms(SKYJO, 2, SKYJO.options(), deck, "a", SECRET, Agreed(clock=Clock(60), absent="abort"))
    sitting.append(doing.open_game(SKYJO, ID, terms, sit=True, entropy=""))
    assert sitting.later(3600).expire() == ()
    sitting.append(doing.join(SKYJO, sitting.game, "b", None, ""))
    assert {dial.since for dial in dials(sitting)} == {sitting.now}


def test_a_bot_goes_on_for_a_player_who_runs_out_of_time():
    sitting = Clocked(SKYJO).begin(Clock(60, increment=10), None, None, None)
    sitting.later(10).some_move(Random(1), 1)
    assert sitting.later(51.9).expire() == ()
    assert sitting.later(0.1).expire() == (0, 2)
    expiry = sitting.decisions[-1]
    assert expiry.events[:2] == (
        Gone(0, moved=False, cause="expired", bot="random/1"), Gone(2, moved=False, cause="expired", bot="random/1")
    )  # fmt: skip
    assert expiry.by[:2] == (None, None)
    assert (sitting.game.gone, sitting.game.expired) == ((0, 2), (0, 2))
    assert [dial.since is None for dial in dials(sitting)] == [True, False, True]
    assert sitting.play_out(1).game.status in ("finished", "aborted")
    assert wrong(sitting.log) == {}


def test_when_all_players_run_out_of_time_the_game_is_aborted():
    sitting = Clocked(SKYJO).begin(Clock(60), None, None, None)
    assert sitting.later(62).expire() == (0, 1, 2)
    assert sitting.events[-5:] == [
        *(Gone(seat, moved=False, cause="expired", bot="random/1") for seat in range(3)),
        Aborted("absent"), Revealed(SECRET.hex()),
    ]  # fmt: skip
    assert wrong(sitting.log) == {}


def test_the_terms_can_abort_the_game_when_a_player_runs_out_of_time():
    sitting = Clocked(SKYJO).begin(Clock(60), None, None, None, absent="abort")
    assert sitting.later(62).expire() == (0, 1, 2)
    assert sitting.events[-3:] == [Gone(0, moved=False, cause="expired"), Aborted("absent"), Revealed(SECRET.hex())]
    assert wrong(sitting.log) == {}


def test_the_seats_of_bots_have_no_time_to_lose():
    sitting = Clocked(SKYJO).begin(Clock(60), "random/1", None, None)
    assert [dial.since is None for dial in dials(sitting)] == [True, False, False]
    assert sitting.later(90).expire() == (1, 2)


def test_who_comes_back_has_a_quarter_of_the_bank():
    sitting = Clocked(SKYJO).begin(Clock(60, increment=50), None, None, None)
    sitting.later(10).some_move(Random(1), 1)
    sitting.later(52).expire()
    assert dials(sitting)[0] == Dial(0, 0), "no increment for running out of time"
    sitting.rejoin(0)
    assert sitting.game.expired == (2,)
    assert dials(sitting)[0].bank == 15 * SECOND
    assert runs_out(Clock(60), dials(sitting)[0]) in (None, sitting.now + 15 * SECOND)
    assert wrong(sitting.play_out(3).log) == {}


def test_who_leaves_with_time_left_has_it_when_coming_back():
    sitting = Clocked(SKYJO).begin(Clock(60, reserve=5), None, None, None)
    sitting.later(20).abandon(0)
    assert dials(sitting)[0] == Dial(40 * SECOND, 5 * SECOND)
    sitting.later(500).expire()
    assert sitting.game.status == "aborted"


def test_who_runs_out_of_time_for_the_third_time_is_gone_for_good():
    sitting = Clocked(SKYJO).begin(Clock(60, increment=60), None, None, None)
    while sitting.game.departures.count(0) < 3:
        if 0 in sitting.game.gone:
            sitting.rejoin(0)
        elif others := [seat for seat in acting(sitting) if seat]:
            sitting.some_move(Random(1), others[0])
        else:
            sitting.later(62).expire()
    with pytest.raises(aggregate.CannotRejoin):
        sitting.rejoin(0)


# --- giving time --------------------------------------------------------------------------------------------------


def test_time_goes_into_the_reserve_of_a_running_dial():
    sitting = Clocked(SKYJO).begin(Clock(60), None, None)
    before = runs_out(Clock(60), dials(sitting)[1])
    given = sitting.later(5).grant(0, 1, 30)
    assert (given.events, given.by) == ((Granted(1, 30),), (0,))
    assert before is not None
    assert runs_out(Clock(60), dials(sitting)[1]) == before + 30 * SECOND
    assert dials(sitting)[1].reserve == 30 * SECOND
    assert dials(sitting)[0] == Dial(60 * SECOND, 0, START), "the giver pays nothing and thinks on"


def test_a_bank_at_once_and_four_in_all():
    sitting = Clocked(SKYJO).begin(Clock(60), None, None)
    with pytest.raises(CannotGrant) as refused:
        sitting.grant(0, 1, 61)
    assert refused.value.most == 60
    for _ in range(3):
        sitting.grant(0, 1, 60)
    sitting.grant(0, 1, 35)
    with pytest.raises(CannotGrant) as refused:
        sitting.grant(0, 1, 26)
    assert (refused.value.most, str(refused.value)) == (25, "This seat can be given 25 seconds now.")
    sitting.grant(1, 0, 60)
    assert sitting.game.granted == (60, 215)


def test_who_can_give_time_to_whom():
    sitting = Clocked(SKYJO).begin(Clock(60), "random/1", None, None, None)
    for seat, why in ((1, "another seat"), (0, "No player"), (7, "No player"), (-1, "No player")):
        with pytest.raises(CannotGrant, match=why) as refused:
            sitting.grant(1, seat, 5)
        assert refused.value.most == 0
    sitting.abandon(2)
    with pytest.raises(CannotGrant, match="No player"):
        sitting.grant(1, 2, 5)
    with pytest.raises(NotSeated):
        sitting.grant(2, 1, 5)
    with pytest.raises(NotSeated):
        doing.grant(SKYJO, sitting.game, "stranger", 1, 5)
    with pytest.raises(NotRunning):
        doing.grant(SKYJO, replace(sitting.game, status="finished"), person(1), 3, 5)
    untimed = Clocked(SKYJO)
    untimed.open(tuple(aggregate.SeatTerms() for _ in range(2)), SECRET)
    with pytest.raises(CannotGrant, match="no clock"):
        untimed.grant(0, 1, 5)


# --- outages ------------------------------------------------------------------------------------------------------


def test_the_time_of_an_outage_goes_to_those_whose_time_ran():
    sitting = Clocked(SKYJO).begin(Clock(60), None, None)
    sitting.some_move(Random(1), 0)
    before, running = dials(sitting), acting(sitting)
    resumed = sitting.later(1).outage(100)
    assert (resumed.events, resumed.by, resumed.acting) == ((Resumed(100_000),), (None,), running)
    for seat, (was, now) in enumerate(zip(before, dials(sitting), strict=True)):
        assert now == (replace(was, reserve=100 * SECOND) if seat in running else was)
    assert sitting.expire() == (), "it ran out during the outage"
    assert sitting.later(61).expire() == running
    assert wrong(sitting.log) == {}


def test_a_player_who_had_run_out_before_an_outage_is_removed_after_it():
    sitting = Clocked(SKYJO).begin(Clock(60), None, None, None)
    running = acting(sitting)
    sitting.later(63).outage(10)
    assert sitting.expire() == running
    assert wrong(sitting.log) == {}


def test_no_more_time_is_given_back_than_has_passed():
    """C10."""
    sitting = Clocked(SKYJO).begin(Clock(60), None, None)
    sitting.later(5)
    sitting.append(doing.resume(SKYJO, sitting.game, 5_001))
    version = sitting.game.version
    sitting.later(70).expire()
    assert wrong(sitting.log) == {"clock": version}


# --- laws ---------------------------------------------------------------------------------------------------------

CLOCKS = (Clock(30), Clock(20, increment=3), Clock(15, increment=2, delay=4, reserve=20), Clock(8, reserve=60))


def games(rules: Rules, count: int, **fault: Any) -> list[Clocked]:
    played = []
    for seed in range(count):
        dice = Random(seed)
        bots = [dice.choice((None, None, "random/1")) for _ in range(dice.choice(rules.seats) - 2)]
        played.append(Clocked(rules, **fault).begin(CLOCKS[seed % len(CLOCKS)], *bots, None, None).play_out(seed))
    return played


def appends(log: list[Stored[Any, Any]]) -> list[list[Stored[Any, Any]]]:
    found, begin = [], 0
    for end, entry in enumerate(log, 1):
        if not entry.more:
            found.append(log[begin:end])
            begin = end
    return found


def at_any_time(sitting: Clocked) -> list[timekeeping.Times | None]:
    """The times after each append."""
    found = [timekeeping.advance(None, (first := appends(sitting.log))[0])]
    for append in first[1:]:
        found.append(timekeeping.advance(found[-1], append))
    return found


def folding_is_ticking(sitting: Clocked) -> None:
    """Law 1: at once, live, and after a restart anywhere, from what everybody sees of the log."""
    assert timekeeping.fold(sitting.log) == sitting.times
    seen = record.seen(sitting.rules, record.of(ID, sitting.log), None).events
    assert timekeeping.fold(seen) == sitting.times
    for cut in range(0, len(sitting.log), 29):
        half = timekeeping.fold(sitting.log[:cut])
        done = next((entry.version + entry.more for entry in sitting.log[:cut][::-1] if not entry.more), 0)
        assert timekeeping.fold(sitting.log[done:], half) == sitting.times


def nothing_is_late_and_nobody_expires_early(sitting: Clocked) -> None:
    """Law 2."""
    assert checked(sitting.log)["clock"].ok is True


def others_change_no_dial(sitting: Clocked) -> None:
    """Law 3."""
    times = at_any_time(sitting)
    for before, after, append in zip(times, times[1:], appends(sitting.log)[1:], strict=False):
        assert before is not None and after is not None
        first = append[0]
        concerned = {entry.event.seat for entry in append if isinstance(entry.event, Gone | Rejoined | Granted)}
        concerned |= set(before.acting) if isinstance(first.event, Resumed) else set()
        concerned |= {first.by} if type(first.event) not in LIFECYCLE else set()
        for seat, (was, now) in enumerate(zip(before.dials, after.dials, strict=True)):
            if seat not in concerned and (seat in before.acting) == (seat in after.acting):
                assert was == now


def time_is_conserved(sitting: Clocked) -> None:
    """Law 4: computed seat by seat from the rows, with sums instead of dials."""
    times, rows = sitting.times, appends(sitting.log)
    assert times is not None
    control = times.clock
    for seat, dial in enumerate(times.dials):
        begin, left = None, control.bank * SECOND
        reserve = control.reserve * SECOND
        for append in rows:
            at, first = microseconds(append[0].at), append[0]
            events = [entry.event for entry in append]
            after = () if append[-1].acting is UNSET else append[-1].acting
            if begin is not None and isinstance(first.event, Resumed):
                reserve += first.event.milliseconds * 1000
            reserve += sum(e.seconds for e in events if isinstance(e, Granted) and e.seat == seat) * SECOND
            if Rejoined(seat) in events:
                left = max(left, control.bank * SECOND // 4)
            chose = first.by == seat and type(first.event) not in LIFECYCLE
            gone = any(isinstance(e, Gone) and e.seat == seat for e in events)
            if begin is not None and (chose or seat not in after):
                spent = min(max(0, at - begin - control.delay * SECOND), left + reserve)
                reserve -= max(0, spent - left)
                left = max(0, left - spent)
                left = left if gone else min(left + control.increment * SECOND, control.bank * SECOND)
                begin = None
            if seat in after and begin is None:
                begin = at
        assert dial == Dial(left, reserve, begin)


def the_bound_is_never_late(sitting: Clocked) -> None:
    """Law 5: before any append that expires, every bound computed earlier lies in the past."""
    game, rows, times = aggregate.Game(ID), appends(sitting.log), at_any_time(sitting)
    bounds = []
    for append, after in zip(rows, times, strict=True):
        at = microseconds(append[0].at)
        if any(isinstance(entry.event, Gone) and entry.event.cause == "expired" for entry in append):
            assert all(bound <= at for bound in bounds)
        for entry in append:
            game = aggregate.evolve(sitting.rules, game, entry.event)
        assert after is not None
        if after.acting:
            bounds.append(clocks.earliest(after.clock, after.dials, after.at, game.gone))


LAWS: dict[int, Callable[[Clocked], None]] = {
    1: folding_is_ticking, 2: nothing_is_late_and_nobody_expires_early, 3: others_change_no_dial,
    4: time_is_conserved, 5: the_bound_is_never_late,
}  # fmt: skip


@pytest.mark.by_default("skyjo", "scout")
@every_ruleset
def test_the_laws_of_clocks(rules: Rules):
    played = games(rules, 6)
    for sitting in played:
        for law in LAWS.values():
            law(sitting)
        assert wrong(sitting.log) == {}
    seen = {type(event) for sitting in played for event in sitting.events}
    assert {Gone, Rejoined, Granted, Resumed} <= seen
    assert any(isinstance(e, Gone) and e.cause == "expired" for sitting in played for e in sitting.events)


def broken(*numbers: int, count: int = 6, **fault: Any) -> bool:
    """Whether each of these laws finds the fault in some game."""

    def breaks(law: Callable[[Clocked], None], sitting: Clocked) -> bool:
        try:
            law(sitting)
        except AssertionError:
            return True
        return False

    played = games(SCOUT, count, **fault)
    return all(any(breaks(LAWS[number], sitting) for sitting in played) for number in numbers)


def credited_twice(
    control: Clock, dials: Dials, at: int, by: Seat | None, before: Any, after: Any, gone: Any = ()
) -> Dials:
    ticked = list(tick(control, dials, at, by, before, after, gone))
    for seat in set(before) - set(gone):
        if seat == by or seat not in after:
            more = ticked[seat].bank + control.increment * SECOND
            ticked[seat] = replace(ticked[seat], bank=min(control.bank * SECOND, more))
    return tuple(ticked)


def started_by_others(
    control: Clock, dials: Dials, at: int, by: Seat | None, before: Any, after: Any, gone: Any = ()
) -> Dials:
    """Every move restarts the dials of those who have a choice."""
    ticked = tick(control, dials, at, by, before, after, gone)
    return tuple(replace(dial, since=at) if dial.since is not None else dial for dial in ticked)


def test_an_increment_that_is_credited_twice_is_caught(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(clocks, "tick", credited_twice)
    assert broken(4)
    played = games(SCOUT, 6)
    monkeypatch.undo()
    assert any(checked(sitting.log)["clock"].ok is False for sitting in played), "verification has its own dials"


def test_a_dial_that_others_start_is_caught(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(clocks, "tick", started_by_others)
    assert broken(3, 4, count=10)
    played = games(SCOUT, 6)
    monkeypatch.undo()
    assert any(checked(sitting.log)["clock"].ok is False for sitting in played)


@pytest.mark.parametrize("ahead", [SECOND, -SECOND, 60 * SECOND])
def test_expiry_by_another_clock_than_that_of_the_log_is_caught(ahead: int):
    assert broken(2, count=8, ahead=ahead)


def test_a_bound_that_forgets_seats_without_a_choice_is_caught(monkeypatch: pytest.MonkeyPatch):
    def late(control: Clock, dials: Any, _at: int, _gone: Any = ()) -> int:
        return min(over for dial in dials if (over := runs_out(control, dial)) is not None) + GRACE

    monkeypatch.setattr(clocks, "earliest", late)
    assert broken(5)


def test_dials_that_remember_more_than_the_log_are_caught():
    """Law 1: a process that adds a second of its own at every append differs from one that has just started."""
    (sitting,) = games(SKYJO, 1)
    assert sitting.times is not None
    sitting.times = replace(sitting.times, dials=tuple(replace(d, bank=d.bank + SECOND) for d in sitting.times.dials))
    with pytest.raises(AssertionError):
        folding_is_ticking(sitting)
