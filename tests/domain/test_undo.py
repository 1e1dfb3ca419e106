"""Moves that are taken back: freely if they revealed nothing, otherwise if all players agree."""

import dataclasses
from itertools import zip_longest
from random import Random
from typing import Any
from zlib import crc32

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain import game as aggregate
from domain.codec import encode
from domain.fairness import record
from domain.fairness.verification import verify
from domain.game import LIFECYCLE, Aborted, Game, NotUndoable, Revealed, TakenBack, evolution, state, timekeeping, undo
from domain.game.clock import SECOND, Clock
from domain.game.events import Voted
from domain.game.questions import MOST_QUESTIONS, CannotVote
from domain.game.undo import MOST_UNDOS, Made
from domain.messages import Dealing
from domain.ruleset import Illegal, Viewer
from domain.rulesets import RULESETS
from stammtisch.testing import doing
from stammtisch.testing.imagined import Lots
from stammtisch.testing.laws import Worlds, exchanging
from stammtisch.testing.playing import ID, Rules, Table, again, at_random, tag
from stammtisch.testing.undoing import Undoing, never_happened, of_the_rules, undoing, without_leaving
from tests.verifiers import samples

every_ruleset = pytest.mark.parametrize("rules", RULESETS.values(), ids=list(RULESETS))
MODES = ("free", "agreed")
every_mode = pytest.mark.parametrize("mode", MODES)
CLOCK = Clock(bank=60, increment=5, delay=2, reserve=30)
SKYJO, SCOUT, SCANDAROON = RULESETS["skyjo"], RULESETS["scout"], RULESETS["scandaroon"]


def played(rules: Rules, seed: int, mode: str, most: int = 120) -> Undoing:
    dice = Random(seed)
    bots = [None, None, dice.choice((None, "random/1"))]
    sitting = undoing(rules, *bots, mode=mode, clock=dice.choice((UNSET, CLOCK)))
    sitting.play_out(seed, most)
    return sitting


# --- laws ---------------------------------------------------------------------------------------------------------


@every_ruleset
@every_mode
def test_what_was_taken_back_never_happened(rules: Rules, mode: str):
    taken = 0
    for seed in range(3):
        sitting = without_leaving(rules, seed, mode, 60)
        taken += len(sitting.game.taken_back)
        never_happened(sitting)
    assert taken


@every_ruleset
@every_mode
def test_records_with_undo_are_valid_and_others_are_found(rules: Rules, mode: str):
    """With clocks, leavers and bots. Every check passes; a take-back that the server invented does not."""
    taken = 0
    for seed in range(2):
        sitting = played(rules, seed, mode)
        taken += len(sitting.game.taken_back)
        checks = verify(record.of(ID, sitting.log), running=sitting.game.status == "running")
        assert [check for check in checks if check.ok is False] == []
        for viewer in (None, 0) if sitting.game.status == "running" else ():
            seen = record.seen(rules, record.of(ID, sitting.log), viewer)
            assert [check for check in verify(seen) if check.ok is False] == []
        assert timekeeping.fold(sitting.log) == sitting.times
    assert taken


@every_ruleset
def test_who_is_asked_makes_no_difference(rules: Rules):
    """Asking a bystander and those who were shown more gives the same as asking everybody."""
    free = 0
    for sitting, made in moves_made(rules, 3, 80):
        everybody = silent_for_all(sitting, made)
        assert revealed_nothing(sitting, made) == everybody
        free += everybody
    assert free


@every_ruleset
@every_mode
def test_what_was_seen_before_a_move_follows_from_any_earlier_append(rules: Rules, mode: str):
    """If that append stands; otherwise it is not known."""
    dice, found = Random(1), set[bool]()
    known: list[tuple[Viewer, int, Any]] = []

    def look(sitting: Undoing) -> None:
        made, viewer = sitting.made, dice.choice((None, 0, 1))
        for other, last, table in known[-20:]:
            stands = any(each.last == last for each in made[:-1])
            seen = undo.seen_before(rules, made, last, table, other)
            assert (seen is not None) == stands
            if stands and sitting.game.place(made[-1].to) is not None:
                assert seen == sitting.before(made[-1], other)
            found.add(stands)
        known.append((viewer, made[-1].last, sitting.seen_by(viewer).state))

    without_leaving(rules, 1, mode, 60, look)
    assert found == {True, False}


def moves_made(rules: Rules, seeds: int, most: int) -> Any:
    for seed in range(seeds):
        sitting, choose = undoing(rules, None, None, None), at_random(Random(seed))
        for _ in range(most):
            if not (choice := choose(rules, sitting.game)):
                break
            sitting.move(*choice)
            made = sitting.made[-1]
            if made.alone and sitting.game.place(made.to) is not None:
                yield sitting, made


def revealed_nothing(sitting: Undoing, made: Made) -> bool:
    return undo.revealed_nothing(sitting.rules, made, len(sitting.views), lambda viewer: sitting.before(made, viewer))


def silent_for_all(sitting: Undoing, made: Made) -> bool:
    """By an own reading: everybody foretells exactly what they were shown."""
    for viewer in (None, *range(len(sitting.views))):
        shown = [aggregate.redact(sitting.rules, event, viewer) for event in made.events]
        try:
            assert made.seat is not None
            foretold = sitting.rules.decide(sitting.before(made, viewer), made.seat, made.move)
            if [aggregate.redact(sitting.rules, event, viewer) for event in foretold] != shown:
                return False
        except Exception:
            return False
    return True


@pytest.mark.parametrize(("rules", "move"), [(SKYJO, "draw"), (SCOUT, "show")])
def test_one_view_is_enough_to_find_that_a_move_told_something(rules: Rules, move: str):
    """A drawn card is judged by the mover, and shown cards by a bystander."""
    sitting, made = next(each for each in moves_made(rules, 1, 40) if tag(each[1].move) == move)
    asked: list[Viewer] = []

    def before(viewer: Viewer) -> Any:
        asked.append(viewer)
        return sitting.before(made, viewer)

    assert not undo.revealed_nothing(rules, made, 3, before)
    assert asked == [made.seat if move == "draw" else None]


def foreseen(sitting: Undoing, made: Made, worlds: int) -> bool:
    """Law 10. In every world that a viewer could imagine before the move, it looks as it did."""
    rules, seat = sitting.rules, made.seat
    assert seat is not None
    past = of_the_rules([entry.event for entry in sitting.log[: made.to]])
    initial = aggregate.initial(rules, sitting.game)
    for viewer in range(len(sitting.views)):
        seen = [rules.redact(event, viewer) for event in past]
        shown = [rules.redact(event, viewer) for event in made.events]
        for world in range(worlds):
            imagined = rules.imagine(initial, seen, viewer, Lots(world))
            try:
                events = rules.decide(rules.fold(initial, imagined), seat, made.move)
            except Illegal:
                return False
            if [rules.redact(event, viewer) for event in events] != shown:
                return False
    return True


@every_ruleset
def test_a_free_move_looks_the_same_in_every_imagined_world(rules: Rules, everything: bool):
    free = 0
    for sitting, made in moves_made(rules, 20 if everything else 2, 60):
        if revealed_nothing(sitting, made):
            free += 1
            assert foreseen(sitting, made, 8 if everything else 1)
    assert free


def test_asking_the_mover_only_is_caught(monkeypatch: pytest.MonkeyPatch):
    """Planted fault: cards that the mover shows to others told the mover nothing. An own reading finds it, and so does
    imagination."""
    silent = undo._is_silent
    monkeypatch.setattr(
        undo, "_is_silent",
        lambda rules, made, viewer, shown, before: viewer != made.seat or silent(rules, made, viewer, shown, before),
    )  # fmt: skip
    assert any(
        revealed_nothing(sitting, made) != silent_for_all(sitting, made) for sitting, made in moves_made(SCOUT, 2, 60)
    )
    free = [foreseen(sitting, made, 1) for sitting, made in moves_made(SCOUT, 2, 40) if revealed_nothing(sitting, made)]
    assert not all(free)


def buttons(rules: Rules, table: Table) -> int:
    """Law 11. In two worlds that a seat cannot tell apart it can take back the same moves. Returns their number."""
    ours, theirs = (undoing(each, *[None] * table.seats) for each in (rules, exchanging(rules, *table.exchange)))
    worlds, telling = Worlds(rules, table), rules.telling
    choose, found = at_random(Random(table.seed)), 0
    a, b = ours.events, theirs.events
    while True:
        for x, y in zip_longest(a, b):
            if not worlds.blind or (x != y and {tag(x), tag(y)} & telling):
                return found
            worlds.happen(x, y)
        for seat in [seat for seat in worlds.blind if seat is not None]:
            one, other = ours.free(seat), theirs.free(seat)
            assert (one is None) == (other is None), f"seat {seat} tells the worlds apart by what it can take back"
            found += one is not None
        choice = choose(rules, ours.game)
        if choice is None or again([choice])(rules, theirs.game) is None:
            return found
        a, b = [*ours.move(*choice).events], [*theirs.move(*choice).events]


@every_ruleset
def test_what_can_be_taken_back_betrays_nothing(rules: Rules):
    assert sum(buttons(rules, Table(3, rules.options(), seed, 60, exchange=(0, seed, seed + 7))) for seed in range(6))


def test_a_button_that_depends_on_hidden_cards_is_caught(monkeypatch: pytest.MonkeyPatch):
    """Planted fault: whether a move can be taken back follows from the truth."""
    real = undo.last_move

    def peeking(now: Game, made: list[Made], seat: int) -> Made | None:
        return None if crc32(encode(now.state)) % 2 else real(now, made, seat)

    monkeypatch.setattr(undo, "last_move", peeking)
    with pytest.raises(AssertionError, match="tells the worlds apart"):
        test_what_can_be_taken_back_betrays_nothing(SKYJO)


def test_a_reading_that_keeps_the_taking_back_is_caught(monkeypatch: pytest.MonkeyPatch):
    """Planted fault: read a second time, other events stand."""
    sitting = without_leaving(SCOUT, 0, "agreed", 60)
    never_happened(sitting)

    def kept(events: list[Any]) -> list[Any]:
        return [event for event, stood in zip(events, aggregate.standing(events), strict=True) if stood]

    monkeypatch.setattr(aggregate, "stands", kept)
    with pytest.raises((AssertionError, ValueError), match=r"law 12|nothing can be taken back"):
        never_happened(sitting)


def test_an_undo_that_keeps_the_number_of_deals_is_caught(monkeypatch: pytest.MonkeyPatch):
    """Planted fault: the step would deal again, from other random numbers."""
    back = evolution.gone_back
    monkeypatch.setattr(
        evolution, "gone_back", lambda rules, game, to: replace(back(rules, game, to), deals=game.deals)
    )
    sitting = undoing(SCANDAROON, None, None, None, mode="agreed")
    choose, dealt = at_random(Random(0)), sitting.game.dealt
    while sitting.game.dealt == dealt:
        choice = choose(SCANDAROON, sitting.game)
        assert choice
        sitting.move(*choice)
    for seat in range(3):
        sitting.vote((choice[0] + seat) % 3, "undo")
    with pytest.raises(AssertionError):
        never_happened(sitting)


# --- examples -----------------------------------------------------------------------------------------------------


def test_a_free_move_is_taken_back():
    sitting = undoing(SCOUT, None, None, None)
    before, views = sitting.game, list(sitting.views)
    seat = aggregate.to_act(SCOUT, before)[0]
    sitting.move(seat, aggregate.legal(SCOUT, before, seat)[-1])
    version = sitting.game.version
    made = sitting.free(seat)
    assert made is not None
    assert (made.seat, made.to, made.last) == (seat, before.version, version)
    decision = sitting.take_back(seat)
    assert decision is not None
    assert decision.events == (TakenBack(seat, before.version, agreed=False),)
    assert decision.by == (seat,)
    assert decision.acting == aggregate.to_act(SCOUT, before)
    assert decision.game.version == version + 1
    assert decision.game.state == before.state
    assert [view.state for view in sitting.views] == [view.state for view in views]
    assert sitting.free(seat) is None


def test_a_seat_takes_back_so_many_moves():
    sitting = undoing(SCOUT, None, None, None)
    seat = aggregate.to_act(SCOUT, sitting.game)[0]
    for _ in range(MOST_UNDOS):
        sitting.move(seat, aggregate.legal(SCOUT, sitting.game, seat)[0])
        assert sitting.take_back(seat)
    sitting.move(seat, aggregate.legal(SCOUT, sitting.game, seat)[0])
    assert sitting.free(seat) is None


def the_same_after_a_restart(sitting: Undoing) -> bool:
    """The moves that the log tells are the last of those that were noted one by one. Whether there are any."""
    reread = undo.latest_moves(sitting.log, sitting.game)
    assert reread == sitting.made[len(sitting.made) - len(reread) :]
    for seat in sitting.game.present:
        assert undo.last_move(sitting.game, reread, seat) == undo.last_move(sitting.game, sitting.made, seat)
    return bool(reread)


def test_what_can_be_taken_back_is_the_same_after_a_restart(monkeypatch: pytest.MonkeyPatch):
    for module in (evolution, state):
        monkeypatch.setattr(module, "REACH", 20)  # it is reached in the middle of appends
    for mode in MODES:
        sitting, choose, found = undoing(SCOUT, None, None, None, mode=mode), at_random(Random(1)), 0
        while choice := choose(SCOUT, sitting.game):
            sitting.move(*choice)
            found += the_same_after_a_restart(sitting)
            if found % 2 and sitting.take_back(choice[0]):
                the_same_after_a_restart(sitting)
        assert found > 10


def test_a_game_can_go_back_to_the_version_before_each_of_its_latest_events(monkeypatch: pytest.MonkeyPatch):
    for module in (evolution, state):
        monkeypatch.setattr(module, "REACH", 40)
    sitting, choose = undoing(SCOUT, None, None, None, mode="agreed"), at_random(Random(1))
    dealt, after = sitting.game.dealt, 0
    while after < 12 and (choice := choose(SCOUT, sitting.game)):
        sitting.move(*choice)
        after += sitting.game.dealt > dealt
        if after % 3 == 1:
            sitting.vote(0, "abort")
            sitting.vote(0, "abort", yes=False)
    events = sitting.events
    latest = [number for number, event in enumerate(events) if type(event) not in LIFECYCLE][-40:]
    assert any(isinstance(events[number], Dealing) for number in latest), "also behind a deal"
    for version in range(len(events)):
        assert (sitting.game.place(version) is not None) == (version in latest)
    for version in latest:
        back, then = (aggregate.fold(SCOUT, Game(ID), events[:each]) for each in (len(events), version))
        back = aggregate.gone_back(SCOUT, back, version)
        assert (back.state, back.dealt, back.played) == (then.state, then.dealt, then.played)
        assert back.version == len(events)


def test_a_move_can_be_taken_back_after_any_number_of_events_that_are_none_of_the_rules():
    sitting = undoing(SCOUT, None, None, None, clock=Clock(bank=3600))
    sitting.move(0, aggregate.legal(SCOUT, sitting.game, 0)[0])
    for _ in range(300):
        sitting.grant(0, 1, 1)
    assert the_same_after_a_restart(sitting)
    assert sitting.take_back(0)


def test_without_the_terms_nothing_can_be_taken_back():
    sitting = undoing(SCOUT, None, None, None, mode=UNSET)
    seat = aggregate.to_act(SCOUT, sitting.game)[0]
    sitting.move(seat, aggregate.legal(SCOUT, sitting.game, seat)[0])
    assert sitting.game.tables is None
    assert sitting.free(seat) is None
    with pytest.raises(NotUndoable):
        sitting.vote(seat, "undo")
    with pytest.raises(ValueError, match="nothing can be taken back"):
        evolution.gone_back(SCOUT, sitting.game, sitting.log[-1].version - 1)


def test_bots_have_the_same_dice_again():
    """A vote takes back a move that a bot has answered. The same move gets the same answer."""
    sitting = undoing(SKYJO, None, "random/1", "random/1", mode="agreed")
    while 0 not in sitting.game.taken_back:
        moves = aggregate.legal(SKYJO, sitting.game, 0)
        first = sitting.move(0, moves[0])
        if len({*first.by} - {0, None}) == 2:
            back = sitting.vote(0, "undo")
            assert [type(event) for event in back.events] == [Voted, TakenBack]
            assert back.by == (0, None)
    assert of_the_rules(list(sitting.move(0, moves[0]).events)) == of_the_rules(list(first.events))


def test_all_players_must_agree():
    sitting = undoing(SKYJO, None, None, None, mode="agreed")
    seat = aggregate.to_act(SKYJO, sitting.game)[0]
    before = sitting.game
    sitting.move(seat, aggregate.legal(SKYJO, before, seat)[0])
    one, two = [other for other in range(3) if other != seat]
    sitting.vote(seat, "undo")
    question = sitting.game.question
    assert question is not None
    assert (question.on, question.seat, question.to, question.yes) == ("undo", seat, before.version, (seat,))
    with pytest.raises(CannotVote, match="agreed already"):
        sitting.vote(seat, "undo")
    with pytest.raises(CannotVote, match="Another question"):
        sitting.vote(one, "abort")
    assert sitting.vote(one, "undo").events == (Voted(one, "undo", yes=True, to=before.version),)
    decided = sitting.vote(two, "undo")
    assert decided.events[1:] == (TakenBack(seat, before.version, agreed=True),)
    assert sitting.game.state == before.state
    assert sitting.game.question is None


def test_a_no_or_a_move_ends_the_question():
    sitting = undoing(SKYJO, None, None, mode="agreed")
    seat = aggregate.to_act(SKYJO, sitting.game)[0]
    sitting.move(seat, aggregate.legal(SKYJO, sitting.game, seat)[0])
    with pytest.raises(CannotVote, match="no question"):
        sitting.vote(seat, "undo", yes=False)
    sitting.vote(seat, "undo")
    sitting.vote(1 - seat, "undo", yes=False)
    assert sitting.game.question is None
    sitting.vote(seat, "undo")
    mover = aggregate.to_act(SKYJO, sitting.game)[0]
    sitting.move(mover, aggregate.legal(SKYJO, sitting.game, mover)[0])
    assert sitting.game.question is None


def test_players_agree_to_abort():
    """A question about that outlives moves. It ends if somebody leaves."""
    sitting = undoing(SKYJO, None, None, None)
    sitting.vote(0, "abort")
    mover = aggregate.to_act(SKYJO, sitting.game)[0]
    sitting.move(mover, aggregate.legal(SKYJO, sitting.game, mover)[0])
    assert sitting.game.question is not None
    sitting.abandon(2)
    assert sitting.game.question is None
    sitting.vote(1, "abort")
    decided = sitting.vote(0, "abort")
    assert decided.events[1] == Aborted("agreed")
    assert isinstance(decided.events[2], Revealed)
    assert (decided.by, decided.acting) == ((0, None, None), ())
    assert sitting.game.cause == "agreed"
    assert not [check for check in verify(record.of(ID, sitting.log)) if check.ok is False]


def test_a_seat_asks_so_many_questions():
    sitting = undoing(SKYJO, None, None)
    for _ in range(MOST_QUESTIONS):
        sitting.vote(0, "abort")
        sitting.vote(0, "abort", yes=False)
    with pytest.raises(CannotVote, match="10 questions"):
        sitting.vote(0, "abort")


def test_the_clock_of_an_undo():
    """The mover keeps the time used and gives the increment back; nobody is charged for the time in between."""
    sitting = undoing(SCOUT, None, None, mode="free", clock=Clock(bank=60, increment=5, delay=2))
    seat = aggregate.to_act(SCOUT, sitting.game)[0]
    assert sitting.times is not None
    sitting.later(12)
    both = len(aggregate.to_act(SCOUT, sitting.game)) == 2
    before = sitting.times.dials
    sitting.move(seat, aggregate.legal(SCOUT, sitting.game, seat)[0])
    assert sitting.times.dials[seat].bank == 55 * SECOND
    sitting.later(7)
    assert sitting.take_back(seat)
    dial = sitting.times.dials[seat]
    assert (dial.bank, dial.since) == (60 * SECOND, sitting.now - 12 * SECOND)
    assert both
    assert sitting.times.dials[1 - seat] == before[1 - seat], "an orientation is chosen by all at once"
    sitting.later(3)
    sitting.move(seat, aggregate.legal(SCOUT, sitting.game, seat)[0])
    assert sitting.times.dials[seat].bank == (60 - 13 + 5) * SECOND


def forged(sitting: Undoing, **changes: Any) -> list[str]:
    """The checks that fail if the take-back is another one; its hashes are right."""
    log = list(sitting.log)
    number = next(number for number, entry in enumerate(log) if type(entry.event) is TakenBack)
    found = record.of(ID, log)
    entries = list(found.events)
    entries[number] = replace(entries[number], event=replace(entries[number].event, **changes))
    hashes = ("public", "secret", "heads")
    checks = verify(replace(found, events=tuple(entries)), running=True)
    return [check.name for check in checks if check.ok is False and check.name not in hashes]


def test_forged_take_backs_are_found():
    sitting = undoing(SCOUT, None, None, None)
    for seat in (0, 1):
        sitting.move(seat, aggregate.legal(SCOUT, sitting.game, seat)[0])
    assert sitting.take_back(1)
    assert forged(sitting) == []
    assert "appends" in forged(sitting, to=sitting.log[0].version)
    assert "appends" in forged(sitting, seat=0)
    assert "life" in forged(sitting, agreed=True)


def test_a_take_back_of_a_move_that_told_something_is_found():
    """The server took it back nevertheless: all structure is right, only the replay shows it."""
    sitting = undoing(SKYJO, None, None, mode="free")
    choose = at_random(Random(0))
    while True:
        choice = choose(SKYJO, sitting.game)
        assert choice
        sitting.move(*choice)
        made = sitting.made[-1]
        if made.alone and sitting.game.place(made.to) is not None and sitting.free(choice[0]) is None:
            break
    taken = TakenBack(choice[0], made.to, agreed=False)
    sitting.append(doing.decision(SKYJO, sitting.game, [taken], (choice[0],), bots=sitting.bots))
    checks = verify(record.of(ID, sitting.log), running=True)
    assert [check.name for check in checks if check.ok is False] == ["rules"]


def test_events_survive_json():
    for sitting in (without_leaving(SKYJO, 1, mode, 60) for mode in MODES):
        text = encode(samples.record_of(ID, sitting.log))
        assert encode(record.decode(text)) == text


def test_the_rules_of_an_older_version_may_raise_anything():
    """A ruleset whose `decide` fails on views lets nobody take back anything, and breaks nothing."""

    def decide(state: Any, seat: int, move: Any) -> Any:
        if state is not sitting.game.state:
            raise ZeroDivisionError
        return SCOUT.decide(state, seat, move)

    sitting = undoing(dataclasses.replace(SCOUT, decide=decide), None, None)
    sitting.move(0, aggregate.legal(SCOUT, sitting.game, 0)[0])
    assert sitting.free(0) is None


LONG = 3_000

ENDLESS_ROUNDS = ("skyjo", "skyjo_action")
"""A player takes the discard and swaps it into the same face-up slot, again and again."""


def without_dealing(rules: Rules, most: int, mode: str) -> tuple[Game, list[Any]]:
    """A round in which nothing is dealt, until it has `most` events or cannot go on; and the events of the game."""
    sitting, choose = undoing(rules, None, None, None, mode=mode), at_random(Random(2))
    while sitting.game.played < 12 and (choice := choose(rules, sitting.game)):
        sitting.move(*choice)
    now, events = sitting.game, list(sitting.events)
    while len(events) < most and (quiet := undealt(rules, now)):
        now = quiet.game
        events += quiet.events
    return now, events


def undealt(rules: Rules, now: Game) -> aggregate.Decision | None:
    seat = aggregate.to_act(rules, now)[0]
    for move in aggregate.legal(rules, now, seat):
        decided = doing.move(rules, now, seat, move)
        if decided.game.dealt == now.dealt and decided.game.status == "running":
            return decided
    return None


@pytest.mark.slow
@every_mode
@every_ruleset
def test_a_round_can_have_any_number_of_events(rules: Rules, mode: str):
    """What a game keeps of them does not grow, nor does the work of going back."""
    now, events = without_dealing(rules, LONG, mode)
    assert (len(events) >= LONG) == (rules.name in ENDLESS_ROUNDS)
    assert aggregate.fold(rules, Game(ID), events) == now
    for viewer in (None, 0):
        seen = aggregate.fold(rules, Game(ID), aggregate.shown(rules, events, viewer))
        assert (seen.version, seen.versions) == (now.version, now.versions)
    assert len(now.since) == len(now.versions) < 2 * aggregate.REACH
    assert len(encode(now.state)) < 3 * len(encode(aggregate.fold(rules, Game(ID), events[:30]).state))
    place = next(place for place in range(len(now.since)) if now.place(now.versions[place] - 1) is not None)
    back = aggregate.gone_back(rules, now, now.versions[place] - 1)
    assert back.state == aggregate.fold(rules, Game(ID), events[: now.versions[place] - 1]).state
