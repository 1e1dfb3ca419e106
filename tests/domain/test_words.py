"""The common words of all rulesets: the same thing has the same name (docs/adding-a-ruleset.md)."""

from typing import Any, get_args, get_type_hints

import pytest
from msgspec.structs import fields

from domain.game import Rules
from domain.rulesets import VERSIONS
from tests.kit.random_play import random_play

every_version = pytest.mark.parametrize("rules", VERSIONS.values(), ids=list(VERSIONS))

PHASES = {"deal", "turn", "over"}
FIELDS = {"options", "deck", "phase", "turn", "starter", "winners"}
OTHER_WORDS = {"start", "scores", "winner"}
OTHER_PHASES = {"act", "choose", "end"}


def names(rules: Rules) -> set[str]:
    return {field.name for field in fields(rules.state)}


def events(rules: Rules, tag: str) -> list[Any]:
    return [kind for kind in get_args(rules.event) if kind.__struct_config__.tag == tag]


@every_version
def test_the_state_has_the_common_fields(rules: Rules):
    assert names(rules) >= FIELDS
    assert ("totals" in names(rules)) == ("rounds" in names(rules)) != ("breakdown" in names(rules))
    assert not names(rules) & OTHER_WORDS


@every_version
def test_the_phases_have_the_common_words(rules: Rules):
    phases = get_args(get_type_hints(rules.state)["phase"])
    assert set(phases) >= PHASES
    assert phases[-1] == "over"
    assert not set(phases) & OTHER_PHASES


@every_version
def test_events_have_the_common_fields(rules: Rules):
    for tag, field in (("turn_began", "seat"), ("won", "winners")):
        (kind,) = events(rules, tag)
        assert field in kind.__struct_fields__
    for kind in events(rules, "round_scored"):
        assert "points" in kind.__struct_fields__
    for kind in get_args(rules.event):
        if "start" in kind.__struct_fields__:
            assert kind.__struct_config__.tag == "shown"  # a place in a hand


@every_version
def test_a_turn_begins_in_the_phase_of_that_name(rules: Rules):
    seats = rules.seats[0]
    state = rules.initial(seats, rules.options(), next(iter(rules.decks.values())))
    assert state.winners is None
    begun = 0
    for _, event, after in random_play(rules, state, seed=1, moves=2_000):
        match event.__struct_config__.tag:
            case "turn_began":
                begun += 1
                if begun == 1:  # Skyjo's first round has no starter before its first turn
                    assert after.starter in (None, event.seat)
                assert (after.phase, after.turn, rules.to_act(after)) == ("turn", event.seat, (event.seat,))
            case "won":
                assert (after.phase, after.winners) == ("over", event.winners)
    assert begun > 1
