"""Patches fold to the view of every version, for every viewer, over random and golden games."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain import game
from domain.codec import encode
from domain.game import Game, Rules
from domain.game.log import Entry, redacted
from domain.messages import Value
from domain.rulesets import RULESETS, VERSIONS
from projections import patches
from projections.patches import patch, step
from stammtisch.testing.playing import ID, Play, Table
from tests.golden import folder, read
from tests.kit.json_patch import applied
from tests.support.every import every_table

pytestmark = pytest.mark.slow

ALL: Literal["all"] = "all"
Seen = Callable[[Rules, Entry[Any, Any], Any], Entry[Any, Any]]


def seen_by(rules: Rules, entry: Entry[Any, Any], viewer: Any) -> Entry[Any, Any]:
    """The entry as it is served from a perspective."""
    return entry if viewer == ALL else redacted(rules, entry, viewer)


def check(rules: Rules, log: Iterable[Entry[Any, Any]], viewer: Any, seen: Seen = seen_by) -> int:
    """Law: the patches up to version N, applied in order, give the view of version N byte for byte.

    Returns the number of bytes of all patches. `seen` redacts the entries from which the patches are made.
    """
    folded, served, before, size = msgspec.UNSET, Game(ID), Game(ID), 0
    for entry in log:
        served = game.evolve(rules, served, seen_by(rules, entry, viewer).event)
        before, operations = step(rules, before, seen(rules, entry, viewer).event)
        size += len(sent := encode(operations))
        folded = applied(folded, msgspec.json.decode(sent))
        assert msgspec.json.encode(folded) == encode(served.state), f"version {entry.version}"
    return size


def entries(events: Iterable[Any]) -> list[Entry[Any, Any]]:
    return [
        Entry(version=version, at="", by=None, event=event, more=0, public="", secret="", head="")
        for version, event in enumerate(events, 1)
    ]


golden_games = [
    pytest.param(rules, file, id=f"{rules.rules}-{file.stem}")
    for rules in VERSIONS.values()
    for file in sorted(folder(rules).glob("*.jsonl"))
]


@every_table
def test_patches_of_random_games_fold_to_every_view(rules: Rules, seats: int):
    for seed in range(2):
        play = Play(rules, Table(seats, rules.options(), seed, moves=150))
        log = entries(play.events)
        for viewer in (ALL, None, *range(seats)):
            assert check(rules, log, viewer) < 500 * len(log)


@pytest.mark.parametrize(("rules", "file"), golden_games)
def test_patches_of_golden_games_fold_to_every_view(rules: Rules, file: Path, everything: bool):
    """By default of the first and of the last seat."""
    log = read(rules, file)[0].log
    seats = range(log[0].event.seats)
    for viewer in (ALL, None, *(seats if everything else (seats[0], seats[-1]))):
        check(rules, log, viewer)


def test_a_patch_that_is_made_from_the_truth_breaks_the_law():
    """The planted fault: the events are not redacted for the viewer."""
    for rules in RULESETS.values():
        log = entries(Play(rules, Table(rules.seats[-1], rules.options(), 1, moves=60)).events)
        with pytest.raises(AssertionError, match="version"):
            check(rules, log, None, seen=lambda _, entry, __: entry)


def test_a_patch_that_is_left_out_breaks_the_law(monkeypatch: pytest.MonkeyPatch):
    made = patches.patch
    monkeypatch.setattr(patches, "patch", lambda before, after: made(before, after)[:-1])
    rules = next(iter(RULESETS.values()))
    with pytest.raises(AssertionError, match="version"):
        check(rules, entries(Play(rules, Table(2, rules.options(), 1, moves=60)).events), None)


@pytest.mark.parametrize("rules", RULESETS.values(), ids=list(RULESETS))
def test_no_patch_names_a_player(rules: Rules):
    play = Play(rules, Table(rules.seats[-1], rules.options(), 1, moves=60))
    named = [event for event in play.events if isinstance(event, game.Joined)]
    assert named
    for viewer in (ALL, None, 0):
        seen = Game(ID)
        for entry in entries(play.events):
            seen, operations = step(rules, seen, seen_by(rules, entry, viewer).event)
            assert b"Player " not in encode(operations)


def test_the_first_event_replaces_the_whole_view_and_the_beginning_does_so_again():
    rules = next(iter(RULESETS.values()))
    seen, found = Game(ID), []
    for entry in entries(Play(rules, Table(2, rules.options(), 1, moves=1)).events):
        before, (seen, operations) = seen, step(rules, seen, entry.event)
        found.append(msgspec.json.decode(encode(operations)))
        if isinstance(entry.event, game.Begun):
            assert found[-1] == [{"op": "replace", "path": "", "value": msgspec.json.decode(encode(seen.state))}]
            break
        assert before.state is seen.state is None
    assert found[0] == [{"op": "replace", "path": "", "value": None}]
    assert found[1:-1] == [[]] * (len(found) - 2)


# --- any values ---------------------------------------------------------------------------------------------------


class Card(Value):
    number: int
    up: bool = False


class Note(Value):
    text: str
    more: int | UnsetType = UNSET


class Zone(Value):
    cards: tuple[int | None, ...]
    slots: tuple[Card | None, ...]
    rows: tuple[tuple[int, ...], ...]
    note: Note | None = None
    other: Card | Note | str | None = None


CARDS = st.builds(Card, st.integers(0, 3), st.booleans())
NOTES = st.builds(Note, st.text(max_size=2), st.integers(0, 1) | st.just(UNSET))
NUMBERS = st.integers(0, 3)
ZONES = st.builds(
    Zone,
    st.lists(st.none() | NUMBERS, max_size=9).map(tuple),
    st.lists(st.none() | CARDS, max_size=9).map(tuple),
    st.lists(st.lists(NUMBERS, max_size=4).map(tuple), max_size=4).map(tuple),
    st.none() | NOTES,
    st.none() | CARDS | NOTES | st.text(max_size=2),
)


@settings(max_examples=settings.default.max_examples * 5)
@given(st.none() | ZONES, st.none() | ZONES)
def test_a_patch_leads_from_any_value_to_any_other(before: Zone | None, after: Zone | None):
    operations = patch(before, after)
    assert encode(after) == msgspec.json.encode(
        applied(msgspec.json.decode(encode(before)), msgspec.json.decode(encode(operations)))
    )
    assert (operations == []) == (before == after)


ZONE = Zone((None,) * 40, (Card(1), Card(2)), ((1, 2), (3,)))


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (ZONE, []),
        (replace(ZONE, cards=(None,) * 39), [{"op": "remove", "path": "/cards/39"}]),
        (replace(ZONE, cards=(*ZONE.cards, 7)), [{"op": "add", "path": "/cards/40", "value": 7}]),
        (replace(ZONE, cards=(7, *ZONE.cards)), [{"op": "add", "path": "/cards/0", "value": 7}]),
        (replace(ZONE, cards=()), [{"op": "replace", "path": "/cards", "value": []}]),
        (replace(ZONE, slots=(Card(1), Card(2, up=True))), [{"op": "replace", "path": "/slots/1/up", "value": True}]),
        (replace(ZONE, slots=(None, Card(2))), [{"op": "replace", "path": "/slots/0", "value": None}]),
        (replace(ZONE, slots=(Card(2),)), [{"op": "remove", "path": "/slots/0"}]),
        (
            replace(ZONE, rows=((1, 2), (3, 4), (5,))),
            [{"op": "replace", "path": "/rows", "value": [[1, 2], [3, 4], [5]]}],
        ),
        (replace(ZONE, note=Note("a")), [{"op": "replace", "path": "/note", "value": {"text": "a"}}]),
        (replace(ZONE, rows=((3, 1), (3,))), [{"op": "replace", "path": "/rows/0", "value": [3, 1]}]),
    ],
)
def test_patches_are_small(after: Zone, expected: list[dict[str, Any]]):
    assert msgspec.json.decode(encode(patch(ZONE, after))) == expected


def test_a_part_that_is_the_same_object_is_not_compared():
    class Touchy(Value):
        inner: Any

        def __eq__(self, other: object) -> bool:
            raise AssertionError("compared")

    same = Touchy(1)
    assert patch((same, 1), (same, 2)) == [patches.ReplaceOperation("/1", 2)]
