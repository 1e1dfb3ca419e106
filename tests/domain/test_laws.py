"""The laws over every registered ruleset, every number of seats and every option, on random play."""

from itertools import cycle
from typing import Any, get_args

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from domain.ruleset import InvalidSetup
from domain.rulesets import RULESETS, VERSIONS
from stammtisch.testing import laws
from stammtisch.testing.checking import every_option
from stammtisch.testing.playing import Play, Rules, Table
from tests.kit.values import values
from tests.support.every import every_table

every_ruleset = pytest.mark.parametrize("rules", VERSIONS.values(), ids=list(VERSIONS))


def share(cost: int) -> settings:
    """The number of examples of the profile, divided by the cost of one example."""
    return settings(max_examples=settings.default.max_examples // cost)


@st.composite
def tables(draw: st.DrawFn, rules: Rules, seats: int) -> Table:
    """Random options that fit the seats, a random deal, two random cards to exchange."""
    options = draw(values(rules.options))
    try:
        rules.initial(seats, options, next(iter(rules.decks.values())))
    except InvalidSetup:
        reject()
    return Table(
        seats=seats,
        options=options,
        seed=draw(st.integers(0, 2**32)),
        strangers=tuple(draw(st.lists(values(rules.move), max_size=20))),
        exchange=draw(st.tuples(st.integers(0, 2), st.integers(0, 200), st.integers(0, 200))),
    )


@every_table
@share(12)
@given(data=st.data())
def test_every_play_obeys_the_laws(rules: Rules, seats: int, data: st.DataObject):
    """Laws 1 to 7.

    SK invariant 1, SK invariant 9, SK invariant 10, SA invariant 1, SA invariant 5, SA invariant 11, SA invariant 12,
    SC-70, SD-93, SP-95.
    """
    play = Play(rules, data.draw(tables(rules, seats)))
    for law in laws.OF_ONE_PLAY:
        law(play)


@every_table
@share(5)
@given(data=st.data())
def test_no_view_tells_two_worlds_apart(rules: Rules, seats: int, data: st.DataObject):
    """Law 8."""
    laws.two_worlds(rules, data.draw(tables(rules, seats)))


@every_table
@share(20)
@given(data=st.data())
def test_every_game_ends(rules: Rules, seats: int, data: st.DataObject):
    """Law 9."""
    laws.termination(rules, data.draw(tables(rules, seats)))


def tags(union: Any) -> set[str]:
    return {cls.__struct_config__.tag for cls in (get_args(union) or (union,))}


@every_ruleset
def test_random_play_visits_everything(rules: Rules):
    """Every type of move and event, with few seats and with many: otherwise the laws cover less than they claim."""
    moves, events = set(), set()
    for seed, options in zip(range(100), cycle(every_option(rules)), strict=False):
        seats = rules.seats[seed % 2 - 1]
        play = Play(rules, Table(seats=seats, options=options, seed=seed, moves=2000))
        moves |= {type(move).__struct_config__.tag for _, move in play.choices}
        events |= {type(event).__struct_config__.tag for event in play.events}
        if moves == tags(rules.move) and events >= tags(rules.event):
            return
    raise AssertionError(f"never seen: {tags(rules.move) - moves}, {tags(rules.event) - events}")


@every_ruleset
def test_everything_has_a_label_in_english_and_german(rules: Rules):
    """No label names something that does not exist."""
    assert set(rules.labels) == {"en", "de"}
    for labels in rules.labels.values():
        assert set(labels.moves) == tags(rules.move)
        assert set(labels.events) == tags(rules.event)
        assert set(labels.options) == set(rules.options.__struct_fields__)
        texts = [
            labels.title,
            labels.summary,
            *(text for names in (labels.moves, labels.events) for text in names.values()),
        ]
        assert all(text.strip() == text != "" for text in texts)


SECRET = {
    "skyjo": {"dealt", "drawn", "restocked"},
    "skyjo_action": {"dealt", "restocked", "actions_restocked", "drawn", "drawn_aside", "line_looked"},
    "scout": {"dealt", "oriented", "shown", "scouted"},
    "scandaroon": {"prepared", "hands_dealt", "reshuffled", "drawn"},
    "scopinion": {"dealt", "drawn", "drawn_aside", "shuffled", "secured", "turn_ended"},
}


@pytest.mark.parametrize("name", SECRET)
def test_everything_else_is_open_to_everybody(name: str):
    """SK-13, SA-13, SC-4, SD-59, SD-20, SP-4, SP-5, SP-14: law 4 finds that no viewer gets another event."""
    rules = RULESETS[name]
    secret = {kind.__struct_config__.tag for kind in get_args(rules.event) if kind not in rules.open_events}
    assert secret == SECRET[name]


@every_ruleset
def test_the_languages_name_the_same_cards(rules: Rules):
    assert set(rules.labels["en"].cards) == set(rules.labels["de"].cards)


@every_ruleset
def test_every_option_has_a_default(rules: Rules):
    """A game can be opened without options."""
    for seats in rules.seats:
        rules.initial(seats, rules.options(), next(iter(rules.decks.values())))


@every_ruleset
def test_no_event_of_a_ruleset_has_the_tag_of_a_lifecycle_event(rules: Rules):
    assert not tags(rules.event) & {"opened", "joined", "left", "begun", "ended", "aborted", "revealed"}


def test_the_newest_versions_are_among_all_versions():
    assert {rules.rules: rules for rules in RULESETS.values()}.items() <= VERSIONS.items()
    assert all(name == rules.name for name, rules in RULESETS.items())
