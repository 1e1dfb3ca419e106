"""Versions: what a second version of a ruleset must keep, and that old games continue with the first version."""

import dataclasses
from collections.abc import Sequence
from itertools import combinations
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from domain import game as aggregate
from domain.codec import encode
from domain.fairness.chain import root
from domain.fairness.record import complete, decode, of, record_type
from domain.fairness.verification import verify
from domain.game import Game, Rules
from domain.game.events import RESERVED_EVENTS
from domain.game.log import stored_type, written
from domain.messages import Event, pascal
from domain.ruleset import Illegal, Result
from domain.rulesets import RULESETS, VERSIONS, InvalidRuleset
from domain.rulesets import registered as register
from stammtisch.testing import laws
from stammtisch.testing.playing import ID, Play, Table
from stammtisch.testing.spec import given as given_state
from tests.domain.two_versions import FIRST, SECOND, Bag, Pass, Passed, State, Take, Taken, Won
from tests.kit.values import values

BOTH = [FIRST, SECOND]


def members(union: Any) -> set[Any]:
    return {*(get_args(union) or (union,))}


def successions(registry: Sequence[Rules]) -> list[tuple[Rules, Rules]]:
    """Each version with each of the later ones."""
    ordered = sorted(registry, key=lambda rules: rules.version)
    return [(old, new) for old, new in combinations(ordered, 2) if old.name == new.name]


def unfaithful(old: Rules, new: Rules) -> list[str]:
    """Messages and types of the older version that the newer one does not have unchanged."""
    shared = [field for field in ("options", "deck", "state") if getattr(old, field) is not getattr(new, field)]
    lost = [field for field in ("move", "event") if not members(getattr(old, field)) <= members(getattr(new, field))]
    return shared + lost


# --- every ruleset ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("registry", [[*VERSIONS.values()], BOTH], ids=["registered", "pebbles"])
def test_a_new_version_has_all_messages_of_the_old_ones(registry: list[Rules]) -> None:
    """The routes have the types of the newest version and must fit every game of the ruleset."""
    assert {f"{old.rules} -> {new.rules}": unfaithful(old, new) for old, new in successions(registry)} == {
        f"{old.rules} -> {new.rules}": [] for old, new in successions(registry)
    }


def test_new_games_are_opened_by_the_newest_version() -> None:
    for name, newest in RULESETS.items():
        assert newest.version == max(rules.version for rules in VERSIONS.values() if rules.name == name)


@pytest.mark.parametrize("name", ["", "Whist", "org.", ".whist", "org.Example.whist", "whist/2", "org example"])
def test_a_ruleset_has_a_name_of_its_project_or_of_a_domain(name: str) -> None:
    assert [*register(dataclasses.replace(FIRST, name="org.ex-ample.whist"))] == ["org.ex-ample.whist/1"]
    with pytest.raises(InvalidRuleset, match="not the name"):
        register(dataclasses.replace(FIRST, name=name))


@pytest.mark.parametrize("name", sorted(RESERVED_EVENTS))
def test_no_event_of_a_ruleset_has_the_name_of_one_that_every_game_has(name: str) -> None:
    event = type(pascal(name), (Event,), {})
    with pytest.raises(InvalidRuleset, match=f"`{name}`"):
        register(dataclasses.replace(FIRST, event=FIRST.event | event))


def test_the_law_bites() -> None:
    """Another type of state, a move that is gone, an event that means something else."""

    class Taken(Event):
        """Of the same tag as the event that there is already."""

    class OtherState(State):
        """Of the same fields."""

    assert unfaithful(FIRST, dataclasses.replace(SECOND, state=OtherState)) == ["state"]
    assert unfaithful(FIRST, dataclasses.replace(SECOND, move=Pass)) == ["move"]
    assert unfaithful(FIRST, dataclasses.replace(SECOND, event=Taken | Won)) == ["event"]
    assert unfaithful(FIRST, FIRST) == []


# --- the two versions ---------------------------------------------------------------------------------------------


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in `domain/rulesets/__init__.py`."""
    monkeypatch.setitem(RULESETS, SECOND.name, SECOND)
    for rules in BOTH:
        monkeypatch.setitem(VERSIONS, rules.rules, rules)


def at_the_end(rules: Rules) -> State:
    """One pebble is left, it is seat 0's turn."""
    state: State = rules.initial(2, rules.options(), Bag(FIRST.decks["bag"].data))
    return replace(state, pebbles=1, turn=0)


def test_the_versions_decide_differently_and_write_down_alike() -> None:
    given_state(FIRST, at_the_end(FIRST)).when(0, Take(1)).then(Taken(0, 1), Won(0))
    given_state(SECOND, at_the_end(SECOND)).when(0, Take(1)).then(Taken(0, 1), Won(1))
    given_state(SECOND, at_the_end(SECOND)).when(0, Pass()).then(Passed(0)).when(0, Pass()).illegal()


def test_a_move_of_the_newer_version_is_illegal_in_the_older_one() -> None:
    with pytest.raises(Illegal):
        FIRST.decide(at_the_end(FIRST), 0, Pass())


@given(move=values(SECOND.move))
def test_the_older_version_refuses_unknown_moves_as_illegal(move: Any) -> None:
    state = at_the_end(FIRST)
    assert laws.accepted(FIRST, state, 0, move) == (move in FIRST.legal(state, 0))


def test_a_new_field_is_absent_in_games_of_the_older_version() -> None:
    first, second = at_the_end(FIRST), at_the_end(SECOND)
    assert (first.passed, second.passed) == (UNSET, (False, False))
    assert b"passed" not in encode(first)
    assert b'"passed":[false,false]' in encode(second)


@pytest.mark.parametrize("rules", BOTH, ids=["1", "2"])
@given(seed=st.integers(0, 2**32), seats=st.sampled_from(FIRST.seats))
def test_both_versions_obey_the_laws(rules: Rules, seed: int, seats: int) -> None:
    play = Play(rules, Table(seats=seats, options=rules.options(), seed=seed, strangers=(Pass(), Take(3))))
    for law in (laws.replay, laws.shadow, laws.legality, laws.redaction, laws.fairness, laws.completeness):
        law(play)


@pytest.mark.parametrize("rules", BOTH, ids=["1", "2"])
def test_an_old_log_is_folded_with_the_version_of_its_game(rules: Rules, registered: None) -> None:  # noqa: ARG001
    decisions = Play(rules, Table(seats=2, options=rules.options(), seed=1)).decisions
    head, log = root(ID), []
    for decision in decisions:
        log += written(rules, decision, head, "2026-01-01T00:00:00.000000Z")
        head = bytes.fromhex(log[-1].head)
    rows = [encode(entry) for entry in log]
    read = [msgspec.json.decode(row, type=stored_type(VERSIONS[log[0].event.rules])) for row in rows]
    played = aggregate.fold(VERSIONS[log[0].event.rules], Game(ID), [entry.event for entry in read])
    assert played == decisions[-1].game
    assert isinstance(played.result, Result)
    assert all(check.ok for check in verify(decode(encode(complete(of(ID, log))))))


def test_the_record_of_an_old_game_is_one_of_the_newest_version_as_far_as_types_go(registered: None) -> None:  # noqa: ARG001
    decision = Play(FIRST, Table(seats=2, options=FIRST.options(), seed=1)).decisions[0]
    log = [*written(FIRST, decision, root(ID), "2026-01-01T00:00:00.000000Z")]
    text = encode(of(ID, log))
    assert encode(msgspec.json.decode(text, type=record_type(SECOND))) == text
