"""What verification says of games with house players."""

from random import Random
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain import game as aggregate
from domain.fairness import record
from domain.fairness.verification import verify
from domain.game import (
    OPEN,
    Game,
    Gone,
    Joined,
    Rejoined,
    SeatTerms,
)
from domain.ruleset import Seat
from stammtisch.testing import doing
from stammtisch.testing.playing import ID, Rules
from stammtisch.testing.seats import Sitting, person, places
from tests.domain.test_house_players import (
    SECRET,
    SKYJO,
    a_peeking_bot,
    checked,
    choices_of_bots,
    every_ruleset,
    every_table,
    failed,
    log_of,
    opening,
    rewritten,
    the_truth,
    waiting_for,
    with_one_player,
)

pytestmark = pytest.mark.slow

# --- verification -------------------------------------------------------------------------------------------------


def with_departures(rules: Rules) -> Sitting:
    """A game with a bot from the beginning, and players who leave and come back."""
    games = (departing(rules, Random(seed)) for seed in range(1, 40))
    return next(each for each in games if {Gone, Rejoined} <= {type(event) for event in each.events})


def departing(rules: Rules, dice: Random) -> Sitting:
    """A game with a bot from the beginning, and players who may leave and come back."""
    sitting = Sitting(rules)
    sitting.open(places("careful/1", None, None), SECRET, absent="random/1")
    while sitting.game.status == "running":
        seat = 1 + dice.randrange(2)
        if dice.random() < 0.1 and sitting.game.present not in ((seat,), ()) and seat in sitting.game.present:
            sitting.abandon(seat)
        elif dice.random() < 0.2 and seat in sitting.game.gone and sitting.game.departures.count(seat) < 3:
            sitting.rejoin(seat)
        else:
            acting = aggregate.to_act(rules, sitting.game)
            sitting.move(acting[0], dice.choice(aggregate.legal(rules, sitting.game, acting[0])))
    return sitting


@every_table
def test_a_record_shows_that_bots_chose_from_what_they_saw(rules: Rules, seats: int):
    sitting = with_one_player(rules, seats).play()
    checks = checked(record.of(ID, log_of(sitting)))
    assert failed(checks) == {}
    assert checks["bots"].ok is True
    assert checks["bots"].detail == f"{choices_of_bots(sitting)} choices of bots, made again from what they saw"


@every_ruleset
def test_a_record_with_departures_is_right(rules: Rules):
    checks = checked(record.of(ID, log_of(with_departures(rules))))
    assert failed(checks) == {}
    assert checks["bots"].ok is True


@every_ruleset
def test_records_of_every_seat_are_right_as_far_as_they_go(rules: Rules):
    """Before the end: `bots` cannot be checked, and nothing else is wrong."""
    sitting = with_departures(rules)
    middle = sitting.decisions[len(sitting.decisions) // 2].game.version
    log = log_of(sitting)
    while log[middle - 1].more:
        middle += 1
    for viewer in (None, 0, 1, 2):
        checks = checked(record.seen(rules, record.of(ID, log[:middle]), viewer))
        assert failed(checks) == {}, viewer
        assert checks["bots"].ok is None
    running = {check.name: check for check in verify(record.of(ID, log[:middle]), running=True)}
    assert failed(running) == {}
    assert running["bots"].ok is True


def test_a_game_without_bots_has_no_such_check():
    sitting = Sitting(SKYJO)
    sitting.open(places(None, None), SECRET)
    assert "bots" not in checked(record.of(ID, log_of(sitting.play())))


def overruled(sitting: Sitting, number: int) -> tuple[Sitting, int]:
    """The game with another legal move in the bots' choice of that number; and the version of this move."""
    rules, forged = sitting.rules, Sitting(sitting.rules)
    asked, version = 0, 0

    def bots(game: Game, seat: Seat, caused: Any) -> Any:
        nonlocal asked, version
        chosen = honest(game, seat, caused)
        asked += 1
        others = [move for move in rules.legal(game.state, seat) if move != chosen]
        if asked >= number and others and not version:
            version = forged.game.version + len(caused) + 1
            return others[0]
        return chosen

    opened, *rest = sitting.decisions
    forged.append(opened)
    for decision in rest:
        event, by, move = decision.events[0], decision.by[0], decision.moves[0]
        honest = forged.bots
        if isinstance(event, Joined):
            forged.append(doing.decision(rules, forged.game, [event], (by,), bots=bots))
        elif by is not None and move in aggregate.legal(rules, forged.game, by):
            forged.append(doing.move(rules, forged.game, by, move, bots))
        else:
            break
    dice = Random(number)
    while acting := aggregate.to_act(rules, forged.game):
        forged.move(acting[0], dice.choice(aggregate.legal(rules, forged.game, acting[0])))
    return forged, version


@every_ruleset
@pytest.mark.parametrize("share", [0, 0.2, 0.4], ids=["first", "early", "middle"])
def test_a_bot_that_was_overruled_is_named_with_its_version(rules: Rules, share: float):
    """Law 8. Everything else is right: the move is legal, and the hashes are those of the forged game."""
    honest = with_one_player(rules).play(seed=4)
    forged, version = overruled(honest, 1 + int(share * choices_of_bots(honest)))
    checks = checked(record.of(ID, log_of(forged)))
    assert failed(checks) == {"bots": version}
    assert "chooses differently" in checks["bots"].detail


def test_a_bot_that_peeked_is_found():
    """The server shows it the truth; verification asks again with the view."""
    sitting = Sitting(SKYJO, sight=the_truth)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(SKYJO.bots, "careful/1", a_peeking_bot)
        sitting.open(places("careful/1", "careful/1", None), SECRET)
        sitting.play()
        assert failed(checked(record.of(ID, log_of(sitting)))).keys() == {"bots"}
        honest = with_one_player(SKYJO).play()
        assert failed(checked(record.of(ID, log_of(honest)))) == {}


@pytest.mark.parametrize("forged", [(), places(None), places(None, None), places(None, None, None, None)])
def test_another_number_of_places_is_found_by_life(forged: Any):
    log = log_of(waiting_for("p1", "p2", None))
    sitting, kept = Sitting(SKYJO), (OPEN, OPEN, SeatTerms(player=person(0)))
    sitting.append(doing.open_game(SKYJO, ID, opening(kept), sit=True, entropy=""))
    for each in (log, log_of(sitting)):
        opened = replace(each[0].event, places=forged)
        checks = {check.name: check for check in verify(rewritten(each, 0, event=opened), running=True)}
        assert (checks["life"].ok, checks["life"].version) == (False, 1)


def test_forged_departures_are_found_by_life():
    sitting = with_departures(SKYJO)
    log = log_of(sitting)
    gone = next(number for number, event in enumerate(sitting.events) if isinstance(event, Gone))
    back = next(number for number, event in enumerate(sitting.events) if isinstance(event, Rejoined))
    event = sitting.events[gone]
    for forged in (
        replace(event, moved=not event.moved), replace(event, bot="careful/1"), replace(event, bot=UNSET),
        replace(event, seat=0), replace(event, seat=7),
    ):  # fmt: skip
        checks = {check.name: check for check in verify(rewritten(log, gone, event=forged))}
        assert checks["life"].version == gone + 1, forged
        assert checks["life"].ok is False
    other = 3 - sitting.events[back].seat
    checks = {check.name: check for check in verify(rewritten(log, back, event=Rejoined(other)))}
    assert checks["life"].ok is False


def test_a_bots_move_without_the_move_is_found_by_appends():
    sitting = with_one_player(SKYJO).play()
    log = log_of(sitting)
    number = next(i for i, (move, by) in enumerate(zip(sitting.moves, sitting.by, strict=True)) if move and by == 0)
    checks = {check.name: check for check in verify(rewritten(log, number, move=UNSET))}
    assert (checks["appends"].ok, checks["appends"].version) == (False, number + 1)


def test_a_bot_that_is_left_to_act_is_found_by_appends():
    log = log_of(with_one_player(SKYJO).play())
    number = next(i for i, entry in enumerate(log) if entry.acting == (2,))
    checks = {check.name: check for check in verify(rewritten(log, number, acting=(0, 2)))}
    assert (checks["appends"].ok, checks["appends"].version) == (False, number + 1)
    assert checks["appends"].detail == "A bot makes its choice in the append that gives it."
