"""Hints: who can ask, what is recorded, and what it changes."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from agents.review.played import of_record
from domain import game as aggregate
from domain.game import AlreadyHinted, Hinted, NoHint, NotRunning, NotSeated, SeatTerms, TakenBack, undo
from domain.game.clock import Clock
from domain.game.commands import AskForHint
from domain.ruleset import InvalidSetup
from domain.rulesets import RULESETS
from stammtisch.testing import doing
from stammtisch.testing.playing import ID
from stammtisch.testing.seats import person, places
from stammtisch.testing.undoing import Undoing, undoing
from tests.verifiers import samples

SKYJO = RULESETS["skyjo"]
ALONE = (None, "random/1", "random/1")


def begun(**terms: Any) -> Undoing:
    return undoing(SKYJO, *ALONE, hints=True, **terms)


def opened_with(seats: Sequence[SeatTerms], **terms: Any) -> None:
    deck = next(iter(SKYJO.decks.values())).data
    aggregate.terms(
        SKYJO, len(seats), SKYJO.options(), deck, person(0), bytes(32), aggregate.Agreed(places=tuple(seats), **terms)
    )


def test_hints_are_for_a_player_who_is_alone_with_bots():
    opened_with(places(*ALONE), hints=True)
    opened_with((SeatTerms(player="ann"), SeatTerms(bot="careful/1")), hints=True)
    for seats in (places(None, None, "random/1"), places(None, None), (SeatTerms(player="ann"), SeatTerms())):
        with pytest.raises(InvalidSetup, match="alone with bots"):
            opened_with(seats, hints=True)
    with pytest.raises(InvalidSetup, match="alone with bots"):
        opened_with(places(*ALONE), hints=False)
    with pytest.raises(InvalidSetup, match="alone with bots"):
        opened_with(places(*ALONE), hints=True, private=True, deal=samples.DEAL)


def test_a_hint_is_recorded_and_changes_nothing_else():
    sitting = begun(clock=Clock(60))
    before = sitting.game
    decided = sitting.later(3).ask_for_hint(0)
    assert (decided.events, decided.by, decided.moves) == ((Hinted(0),), (0,), (UNSET,))
    assert decided.acting == aggregate.to_act(SKYJO, before)
    assert replace(sitting.game, version=before.version, hinted=None) == before
    assert sitting.times is not None
    assert sitting.times.dials[0].since is not None, "the clock goes on"


def test_a_choice_has_one_hint_and_the_next_one_another():
    sitting = begun()
    sitting.ask_for_hint(0)
    with pytest.raises(AlreadyHinted):
        sitting.ask_for_hint(0)
    sitting.some_move(Random(1), 0)
    sitting.ask_for_hint(0)
    assert [type(event) for event in sitting.events].count(Hinted) == 2


def test_a_hint_stays_in_the_record_when_the_move_is_taken_back():
    """A move after a hint can be taken back as before. Then the seat can ask again, and both hints are recorded."""
    for seed in range(20):
        sitting = begun()
        while sitting.game.status == "running":
            sitting.ask_for_hint(0)
            table = sitting.game.state
            sitting.some_move(Random(seed), 0)
            if sitting.take_back(0):
                assert sitting.game.state == table
                sitting.ask_for_hint(0)
                assert [type(event) for event in sitting.events[-2:]] == [TakenBack, Hinted]
                assert undo.latest_moves(sitting.log, sitting.game) == sitting.made
                return
    raise AssertionError("no move was free")


def test_a_hint_changes_nothing_about_which_moves_are_free():
    def free(*, asks: bool) -> list[bool]:
        sitting, dice, found = begun(), Random(2), []
        while sitting.game.status == "running" and len(found) < 60:
            sitting.some_move(dice, 0)
            if asks and sitting.game.status == "running":
                sitting.ask_for_hint(0)
            found.append(sitting.free(0) is not None)
        return found

    assert free(asks=True) == free(asks=False)
    assert {*free(asks=True)} == {True, False}


def test_who_cannot_ask():
    sitting = begun()
    for who, refusal in ((person(1), NotSeated), ("stranger", NotSeated)):
        with pytest.raises(refusal):
            doing.act(SKYJO, sitting.game, who, AskForHint())
    with pytest.raises(NotRunning):
        doing.act(SKYJO, replace(sitting.game, status="finished"), person(0), AskForHint())
    with pytest.raises(NoHint, match="no hints"):
        undoing(SKYJO, *ALONE).ask_for_hint(0)
    with pytest.raises(NoHint, match="no choice"):
        doing.act(SKYJO, replace(sitting.game, state=waits_for_others(sitting)), person(0), AskForHint())


def waits_for_others(sitting: Undoing) -> Any:
    """The table when another seat has the choice."""
    decided = doing.move(SKYJO, sitting.game, 0, aggregate.legal(SKYJO, sitting.game, 0)[0], doing.later)
    state, seat = decided.game.state, 0
    while 0 in SKYJO.to_act(state):
        state = SKYJO.fold(state, SKYJO.decide(state, seat, SKYJO.legal(state, seat)[0]))
    return state


def test_a_rematch_has_hints_and_a_branch_has_none():
    sitting = begun()
    sitting.ask_for_hint(0)
    at = sitting.log[-1].version
    while sitting.game.status == "running":
        sitting.some_move(Random(1), 0)
    again = aggregate.repeated(SKYJO, sitting.game, person(0), bytes(32), ())
    assert again.hints is True
    past = sitting.log[:at]
    events, by, moves = zip(*((entry.event, entry.by, entry.move) for entry in past), strict=True)
    branch = aggregate.branch(SKYJO, samples.BRANCH, ID, events, by, moves, person(0))
    assert branch.events[0].hints is UNSET
    assert not any(isinstance(event, Hinted) for event in branch.events)


def test_the_review_knows_which_choices_were_hinted():
    """The next one of the seat that stands. It stays hinted if it is taken back and made again."""
    whole = samples.hinted(SKYJO)
    last = {
        number: max([entry.version for entry in whole.events[:number] if isinstance(entry.event, Hinted)], default=0)
        for number in range(len(whole.events) + 1)
    }
    own, hinted = list[int](), set[int]()
    for made in of_record(whole).moves:
        if made.seat == 0 and last[made.version] > (own[-1] if own else 0):
            hinted.add(made.version)
        own += [made.version] if made.seat == 0 else []
    assert {made.version for made in of_record(whole).moves if made.hinted} == hinted
    assert len(hinted) > 1


def test_a_hint_is_of_the_next_choice_if_a_bot_chooses_meanwhile():
    """A bot that searches takes its time, and at the beginning of a round everybody has a choice."""
    rules = RULESETS["scout"]
    sitting = undoing(rules, None, "deep/1", "random/1", hints=True)
    assert aggregate.to_act(rules, sitting.game)[:2] == (0, 1)
    sitting.ask_for_hint(0)
    while sitting.game.status == "running":
        acting = aggregate.to_act(rules, sitting.game)
        seat = 1 if 1 in acting else acting[0]
        sitting.append(
            doing.move(rules, sitting.game, seat, aggregate.legal(rules, sitting.game, seat)[0], sitting.bots)
        )
    moves = of_record(samples.record_of(ID, sitting.log)).moves
    assert [made.seat for made in moves[:2]] != [0, 0]
    assert [made.hinted for made in moves if made.seat == 0][:2] == [True, False]
    assert not any(made.hinted for made in moves if made.seat)
