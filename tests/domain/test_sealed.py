"""Sealed entropies: nobody chooses a deal by knowing the entropies of the others."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain import game as aggregate
from domain.fairness.chance import seal
from domain.game import (
    Aborted,
    Begun,
    CannotReady,
    Decision,
    Game,
    NotSeated,
    NotWaiting,
    Readied,
    Revealed,
    SeatsFixed,
    SeatTaken,
    WrongSeal,
)
from domain.game.commands import Cancel, Join, Leave, Ready
from domain.ruleset import InvalidSetup
from domain.rulesets import RULESETS
from stammtisch.testing import doing
from stammtisch.testing.playing import ID, Rules
from stammtisch.testing.seats import places
from tests.domain.test_game import ANN, BOB, CLEO, SECRET, every_ruleset, opened

RULES = next(iter(RULESETS.values()))
PLAYERS = ANN, BOB, CLEO
OPENED = {seat: f"of {seat}" for seat in range(3)}


def sit(game: Game, seat: int, entropy: str | None = None, rules: Rules = RULES) -> Decision:
    sealed = seal(game.id, seat, OPENED[seat] if entropy is None else entropy)
    return doing.act(rules, game, PLAYERS[seat], Join(seat, seal=sealed))


def ready(game: Game, seat: int, entropy: str | None = None, rules: Rules = RULES) -> Decision:
    return doing.act(rules, game, PLAYERS[seat], Ready(OPENED[seat] if entropy is None else entropy))


def full(rules: Rules = RULES) -> Game:
    """A sealed game whose three seats are taken."""
    game = opened(rules, 3, sealed=True).game
    for seat in range(3):
        game = sit(game, seat, rules=rules).game
    return game


@every_ruleset
def test_a_sealed_game_begins_when_the_last_player_is_ready(rules: Rules):
    game = full(rules)
    assert (game.status, game.free, game.unready, set(game.entropies)) == ("waiting", (), (0, 1, 2), {""})
    game = ready(ready(game, 2, rules=rules).game, 0, rules=rules).game
    assert (game.status, game.unready) == ("waiting", (1,))
    last = ready(game, 1, rules=rules)
    assert last.events[:2] == (Readied(1, "of 1"), Begun())
    assert (last.by[:2], last.game.status, last.game.entropies) == ((1, None), "running", tuple(OPENED.values()))


def test_the_opener_of_a_sealed_game_sits_down_later_because_the_seal_names_the_game():
    assert opened(RULES, 3, sealed=True).game.players == (None, None, None)


def test_a_seal_is_for_one_seat_of_one_game():
    assert len({seal(game, seat, "x") for game in (ID, "another") for seat in (0, 1)}) == 4


def test_bots_neither_seal_nor_ready():
    game = opened(RULES, 3, sealed=True, places=places(None, "random/1", "random/1")).game
    assert ready(sit(game, 0).game, 0).game.status in ("running", "finished")


def chosen(sealed: bool, tries: int) -> set[Any]:
    """The deals among which a server chooses that knows the secret and has the last seat, by choosing its entropy."""
    if not sealed:
        game = opened(RULES, 2).game
        joined = [doing.join(RULES, game, BOB, 1, str(entropy)) for entropy in range(tries)]
        return {decided.events[2] for decided in joined}
    game = opened(RULES, 2, sealed=True).game
    game = sit(sit(game, 0).game, 1, "0").game
    game, found = ready(game, 0).game, set()
    for entropy in range(tries):
        try:
            found.add(ready(game, 1, str(entropy)).events[2])
        except CannotReady:
            continue
    return found


def test_the_last_seat_chooses_the_deal_unless_entropies_are_sealed():
    """B.1: with the secret, each entropy is a deal to choose from. A seal leaves one."""
    assert len(chosen(sealed=False, tries=64)) == 64
    assert len(chosen(sealed=True, tries=64)) == 1


def without_a_seat() -> Game:
    return sit(opened(RULES, 3, sealed=True).game, 0).game


REFUSED = {
    "entropy instead of a seal": (lambda: opened(RULES, 3, sealed=True).game, ANN, Join(0, "x"), WrongSeal),
    "a seal and entropy": (
        lambda: opened(RULES, 3, sealed=True).game, ANN, Join(0, "x", seal(ID, 0, "x")), WrongSeal
    ),
    "a seal in a plain game": (lambda: opened(RULES, 3, sit=False).game, ANN, Join(0, "", seal(ID, 0, "")), WrongSeal),
    "ready in a plain game": (lambda: opened(RULES, 3).game, ANN, Ready("of 0"), CannotReady),
    "ready while a seat is free": (without_a_seat, ANN, Ready("of 0"), CannotReady),
    "ready without a seat": (full, "mallory", Ready("of 0"), NotSeated),
    "another entropy": (full, ANN, Ready("better for me"), CannotReady),
    "the entropy of another seat": (full, ANN, Ready("of 1"), CannotReady),
    "ready twice": (lambda: ready(full(), 0).game, ANN, Ready("of 0"), CannotReady),
    "ready after the beginning": (
        lambda: ready(ready(ready(full(), 0).game, 1).game, 2).game, ANN, Ready("of 0"), NotWaiting
    ),
    "leave when somebody is ready": (lambda: ready(full(), 0).game, BOB, Leave(1), SeatsFixed),
    "leave with `running` when somebody is ready": (
        lambda: ready(full(), 0).game, BOB, Leave(1, running=True), SeatsFixed
    ),
    "join when all seats are taken": (full, "mallory", Join(None, seal=seal(ID, 0, "")), SeatTaken),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str):
    game, by, command, refusal = REFUSED[name]
    with pytest.raises(refusal):
        aggregate.decide(RULES, game(), by, command)


def test_before_the_first_is_ready_players_leave_and_a_new_seal_takes_the_seat():
    game = doing.leave(RULES, full(), BOB, 1).game
    assert (game.unready, game.free) == ((0, 2), (1,))
    game = sit(game, 1, "another").game
    assert ready(game, 1, "another").events == (Readied(1, "another"),)


@pytest.mark.parametrize(("before", "unready"), [*enumerate([(0, 1, 2), (1, 2), (2,)])])
def test_a_game_that_expires_names_the_seats_that_did_not_ready(before: int, unready: tuple[int, ...]):
    game = full()
    for seat in range(before):
        game = ready(game, seat).game
    assert doing.expire(RULES, game).events == (Aborted("expired", unready), Revealed(SECRET.hex()))
    assert doing.act(RULES, game, ANN, Cancel()).events[0] == Aborted("cancelled")


def test_a_sealed_game_that_expires_with_a_free_seat_names_none():
    assert doing.expire(RULES, without_a_seat()).events[0] == Aborted("expired")


def test_a_rematch_of_a_sealed_game_is_sealed_and_a_branch_is_not():
    running = ready(ready(ready(full(), 0).game, 1).game, 2).game
    again = aggregate.repeated(RULES, replace(running, status="finished"), ANN, SECRET, ())
    assert again.sealed is True
    decisions = [opened(RULES, 3, sealed=True)]
    for step, seat in [(sit, 0), (sit, 1), (sit, 2), (ready, 0), (ready, 1), (ready, 2)]:
        decisions.append(step(decisions[-1].game, seat))
    events, by, moves = (
        [each for decision in decisions for each in getattr(decision, name)] for name in ("events", "by", "moves")
    )
    game = aggregate.branch(RULES, ID.replace("0", "1"), ID, events, by, moves, ANN).game
    assert (game.terms and game.terms.sealed, game.entropies) == (aggregate.agreed(game).sealed, tuple(OPENED.values()))
    assert game.state == decisions[-1].game.state


@pytest.mark.parametrize("terms", [{"hotseat": True, "sealed": True}, {"sealed": False}])
def test_terms_that_are_not_sealed_games(terms: dict[str, Any]):
    with pytest.raises(InvalidSetup):
        opened(RULES, 3, **terms)
