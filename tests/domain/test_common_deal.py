"""Common deals: the same cards at several tables, hidden until all of them are over."""

from random import Random
from typing import Any

import pytest

from domain import game as aggregate
from domain.fairness.chain import commitment
from domain.game import Aborted, Deal, Ended, Game, NotFinished, NotWaiting, Revealed, WrongSeal
from domain.game.commands import Abort, Join, Reveal
from domain.messages import Dealing
from domain.ruleset import InvalidSetup
from stammtisch.testing import doing
from stammtisch.testing.playing import ID, Rules, at_random
from tests.domain.test_game import ANN, SECRET, every_ruleset, opened, opening

DEAL = Deal("0190ffff-0000-7000-8000-00000000dea1", "2026-11-20T09:00:00.000000Z")
OTHER = ID.replace("0", "1")
PLAYED = (ID, 1), (OTHER, 51)
"""Games of the deal, and the seeds of their choices."""


def begun(rules: Rules, game_id: str = ID) -> list[Any]:
    """The decisions up to the first choice at a table of the deal."""
    terms = opening(rules, private=True, deal=DEAL)
    made = [doing.open_game(rules, game_id, terms, sit=True, entropy="")]
    for seat in range(1, rules.seats[0]):
        made.append(doing.join(rules, made[-1].game, f"{game_id} {seat}", None, ""))
    return made


def played(rules: Rules, game_id: str, seed: int) -> list[Any]:
    made, choose = begun(rules, game_id), at_random(Random(seed))
    while choice := choose(rules, made[-1].game):
        made.append(doing.move(rules, made[-1].game, *choice))
    return made


def events(made: list[Any]) -> list[Any]:
    return [event for decision in made for event in decision.events]


@every_ruleset
def test_two_tables_that_choose_alike_have_the_same_events(rules: Rules):
    one, other = (events(played(rules, game_id, 1)) for game_id in (ID, OTHER))
    lifecycle = aggregate.LIFECYCLE
    assert [each for each in one if type(each) not in lifecycle] == [
        each for each in other if type(each) not in lifecycle
    ]


def dealt(made: list[Any]) -> list[Any]:
    return [event for event in events(made) if isinstance(event, Dealing)]


@every_ruleset
def test_the_first_deal_is_the_same_and_another_one_than_without_a_common_deal(rules: Rules):
    assert dealt(begun(rules)) == dealt(begun(rules, OTHER))
    plain = [doing.open_game(rules, ID, opening(rules), sit=True, entropy="")]
    for seat in range(1, rules.seats[0]):
        plain.append(doing.join(rules, plain[-1].game, f"p{seat}", None, ""))
    assert dealt(plain) != dealt(begun(rules))


@every_ruleset
def test_deals_of_later_rounds_are_the_same_whatever_is_played(rules: Rules):
    """But for what was played being shuffled again. SCOUT has a round for each seat, so it always has later ones."""
    deals = {type(each) for each in dealt(begun(rules))}
    one, other = ([each for each in dealt(played(rules, *game)) if type(each) in deals] for game in PLAYED)
    rounds = min(len(one), len(other))
    assert one[:rounds] == other[:rounds]
    assert rules.name != "scout" or rounds > len(deals)


@every_ruleset
def test_a_finished_game_stays_hidden_until_its_secret_is_revealed(rules: Rules):
    made = played(rules, ID, 2)
    last = made[-1]
    assert (type(last.events[-1]), last.game.status, last.game.revealed) == (Ended, "finished", False)
    view = aggregate.fold(rules, Game(ID), aggregate.shown(rules, events(made), None))
    assert SECRET.hex() not in repr(view)
    revealed = aggregate.decide(rules, last.game, None, Reveal())
    assert (revealed.events, revealed.by, revealed.acting) == ((Revealed(SECRET.hex()),), (None,), ())
    assert commitment(SECRET).hex() == aggregate.agreed(last.game).commitment
    with pytest.raises(NotFinished):
        aggregate.decide(rules, revealed.game, None, Reveal())


@every_ruleset
def test_the_end_of_a_deal_stops_a_running_game_and_only_that_of_a_deal(rules: Rules):
    game = begun(rules)[-1].game
    with pytest.raises(NotFinished):
        aggregate.decide(rules, game, None, Reveal())
    stopped = aggregate.decide(rules, game, None, Abort("expired"))
    assert (stopped.events, stopped.game.revealed) == ((Aborted("expired"),), False)
    plain = opened(rules).game
    for seat in range(1, rules.seats[0]):
        plain = doing.join(rules, plain, f"p{seat}", None, "").game
    with pytest.raises(NotWaiting):
        aggregate.decide(rules, plain, None, Abort("expired"))


@every_ruleset
def test_nobody_adds_entropy_to_a_common_deal(rules: Rules):
    game = doing.open_game(rules, ID, opening(rules, private=True, deal=DEAL), sit=False, entropy="").game
    with pytest.raises(WrongSeal):
        aggregate.decide(rules, game, ANN, Join(0, "mine"))
    for terms in ({"private": False}, {"hotseat": True}, {"sealed": True}):
        with pytest.raises(InvalidSetup):
            opening(rules, **{"private": True, "deal": DEAL, **terms})
