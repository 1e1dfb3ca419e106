"""What the cards count now (`tally`) follows from the view, and agrees with the truth and with the final points."""

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

from domain.game import Rules
from domain.ruleset import Tally
from domain.rulesets import VERSIONS
from domain.rulesets.skyjo import SKYJO
from stammtisch.testing.playing import Play, Table
from tests.domain.test_annotations import resolved

every_version = pytest.mark.parametrize("rules", VERSIONS.values(), ids=list(VERSIONS))


def check(rules: Rules, play: Play) -> int:
    """Law: every viewer gets the tally of the truth, or null where it depends on hidden cards.

    Returns the number of tallies.
    """
    checked = 0
    for number, truth in enumerate(play.games):
        if truth.state is None:
            continue
        full = rules.tally(truth.state)
        assert len(full.points) == play.table.seats
        assert None not in full.points, "nothing is hidden from the truth"
        for viewer in play.viewers:
            state = play.views[viewer][number].state
            seen = rules.tally(state)
            assert len(seen.points) == len(full.points)
            assert all(ours in (None, theirs) for ours, theirs in zip(seen.points, full.points, strict=True))
            assert viewer is None or seen.points[viewer] is not None, "everybody can count their own cards"
            assert seen.values == full.values
            for place in seen.values:
                assert resolved(as_json(state, place), place) is not None, place
            checked += 1
    return checked


def as_json(state: Any, place: str) -> dict[str, Any]:
    """The zone of the place."""
    zone = place.split("/", maxsplit=1)[0]
    return {zone: [list(part) for part in getattr(state, zone)]}


@every_version
def test_a_tally_follows_from_the_view(rules: Rules):
    for seats in (rules.seats[0], rules.seats[-1]):
        assert check(rules, Play(rules, Table(seats, rules.options(), seats, moves=150)))


def test_a_tally_that_reads_hidden_cards_is_found():
    def peeking(state: Any) -> Tally:
        return Tally(tuple(sum(slot.card or 0 for slot in layout if slot is not None) for layout in state.layouts))

    with pytest.raises(AssertionError):
        rules = dataclasses.replace(SKYJO, tally=peeking)
        check(rules, Play(rules, Table(2, rules.options(), 1, moves=20)))


def skyjo(state: Any, event: Any) -> bool:
    """The finisher's points may be doubled."""
    pairs = enumerate(zip(SKYJO.tally(state).points, event.points, strict=True))
    return all(ours == points or (seat == state.finisher and points == 2 * ours) for seat, (ours, points) in pairs)


def scout(state: Any, event: Any) -> bool:
    """The hands of exempt seats cost nothing."""
    hands = [len(hand) if seat in event.exempt else 0 for seat, hand in enumerate(state.hands)]
    ours = VERSIONS["scout/1"].tally(state).points
    return tuple(points + hand for points, hand in zip(ours, hands, strict=True)) == event.points


def skyjo_action(state: Any, event: Any) -> bool:
    pairs = enumerate(zip(VERSIONS["skyjo_action/1"].tally(state).points, event.points, strict=True))
    return all(ours == points or (seat == state.finisher and points == 2 * ours) for seat, (ours, points) in pairs)


def scandaroon(state: Any, event: Any) -> bool:
    return VERSIONS["scandaroon/1"].tally(state).points == event.scores


def scopinion(state: Any, event: Any) -> bool:
    ours = VERSIONS["scopinion/1"].tally(state).points
    return ours == tuple(each.vault + each.showcase + each.pairs for each in event.breakdown)


SCORED: dict[str, tuple[str, Callable[[Any, Any], bool]]] = {
    "skyjo/1": ("round_scored", skyjo),
    "skyjo_action/1": ("round_scored", skyjo_action),
    "scout/1": ("round_scored", scout),
    "scandaroon/1": ("round_scored", scandaroon),
    "scopinion/1": ("scored", scopinion),
}
"""Rulesets in which points depend on more than the cards that count, with the event that scores them."""


@every_version
def test_a_tally_is_what_is_scored_in_the_end(rules: Rules):
    tag, agrees = SCORED.get(
        rules.rules, ("round_scored", lambda state, event: rules.tally(state).points == event.points)
    )
    found = 0
    for seed in range(3):
        play = Play(rules, Table(rules.seats[0], rules.options(), seed, moves=600))
        state = None
        for event in play.events:
            if event.__struct_config__.tag == tag:
                assert agrees(state, event)
                found += 1
            if state is not None and type(event) in rules.event.__args__:
                state = rules.evolve(state, event)
            elif event.__struct_config__.tag == "begun":
                terms = play.games[-1].terms
                assert terms is not None
                state = rules.initial(terms.seats, terms.options, rules.deck_of(terms.deck))
    assert found


def test_the_values_of_a_row_add_up():
    rules = VERSIONS["scandaroon/1"]
    plays = [Play(rules, Table(3, rules.options(), seed, moves=300)) for seed in range(4)]
    changed = 0
    for state in [state for play in plays for state in play.states]:
        tally = rules.tally(state)
        for seat in range(3):
            values = [value for place, value in tally.values.items() if place.startswith(f"rows/{seat}/")]
            assert sum(values) == tally.points[seat]
            cards = [slot for slot in state.rows[seat] if slot is not None]
            assert len(values) == len(cards)
            changed += sum(value != state.deck.bases[slot.card] for value, slot in zip(values, cards, strict=True))
    assert changed
