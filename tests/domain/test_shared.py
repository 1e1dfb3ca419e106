"""The small parts that rulesets and service share, each tested alone."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain import bundled, codec, deck
from domain.fairness import chain
from domain.game import LIFECYCLE, Agreed, Decision, log, open_game, redact, terms
from domain.game.log import Hashed, RequestKey
from domain.messages import snake
from domain.ruleset import highest
from domain.rulesets import RULESETS, skyjo_grid

rulesets = pytest.mark.parametrize("name", RULESETS)

AT = "2026-01-01T00:00:00.000000Z"


def opening(name: str) -> Decision:
    """A hotseat game, up to the first move."""
    rules = RULESETS[name]
    (made, *_) = rules.decks.values()
    opened = terms(rules, rules.seats[0], rules.options(), made.data, "a", bytes(32), Agreed(hotseat=True))
    return open_game(rules, "game", opened, sit=True, entropy="")


@pytest.mark.parametrize(
    ("name", "tag"), [("Drawn", "drawn"), ("TurnBegan", "turn_began"), ("ABBA", "a_b_b_a"), ("draw", "draw")]
)
def test_a_message_is_named_in_snake_case(name: str, tag: str):
    assert snake(name) == tag


@pytest.mark.parametrize(
    ("points", "only_positive", "counted"),
    [
        ((5, 6), False, (5, 6)),
        ((5, 5), False, (10, 5)),
        ((7, 6), False, (14, 6)),
        ((1, 0), True, (2, 0)),
        ((0, 0), True, (0, 0)),
        ((-1, -2), True, (-1, -2)),
        ((-1, -2), False, (-2, -2)),
    ],
)
def test_the_finisher_counts_double_unless_strictly_the_lowest(
    points: tuple[int, ...], only_positive: bool, counted: tuple[int, ...]
):
    assert skyjo_grid.doubled(points, 0, only_positive=only_positive) == counted


def test_text_that_some_database_cannot_store_is_recognised():
    assert codec.is_storable("") and codec.is_storable("Zoë \ud7ff\ue000 \U0001f0a1")
    for character in "\0\ud800\udbff\udc00\udfff":
        assert not codec.is_storable(character)
        assert not codec.is_storable(f"a{character}b")


@rulesets
def test_a_deck_is_encoded_as_its_name(name: str):
    (made, *_) = RULESETS[name].decks.values()
    assert codec.builtins({"deck": made}) == {"deck": made.name}
    assert codec.encode([made]) == f'["{made.name}"]'.encode()


def test_a_value_without_a_json_form_is_named_in_the_error():
    with pytest.raises(TypeError, match=r"^object has no JSON form$"):
        codec.encode(object())


@rulesets
def test_decks_with_the_same_cards_are_equal(name: str):
    rules = RULESETS[name]
    (made, *_) = rules.decks.values()
    again = deck.read(rules.deck, name, bundled.deck_text(rules.home, rules.deck_files[0]))
    assert (made, hash(made)) == (again, hash(again))
    assert made != made.data
    other = rules.deck(_renamed(made.data))
    assert made != other
    assert {made, again, other} == {made, other}


@rulesets
def test_a_selectable_deck_is_a_shared_instance(name: str):
    rules = RULESETS[name]
    (made, *_) = rules.decks.values()
    recorded = msgspec.json.decode(codec.encode(made.data), type=rules.deck.data_type)
    assert recorded is not made.data
    assert rules.deck_of(recorded) is made
    for other in (_renamed(made.data), replace(made.data, provenance="another list under the same name")):
        assert rules.deck_of(other).data == other


def _renamed(data: Any) -> Any:
    return replace(data, name="other")


@rulesets
def test_a_deck_can_be_added(name: str):
    rules = RULESETS[name]
    (made, *_) = rules.decks.values()
    other = rules.deck(_renamed(made.data))
    assert list(rules.with_deck(other).decks.values()) == [*rules.decks.values(), other]
    assert rules.with_deck(other).with_deck(made).more_decks == (other, made)


@rulesets
def test_bundled_data_can_be_read(name: str):
    assert set(RULESETS[name].labels) == {"en", "de"}
    for labels in RULESETS[name].labels.values():
        assert labels.title and labels.summary
    for file in RULESETS[name].deck_files:
        assert bundled.deck_text(RULESETS[name].home, file).startswith(b"{")


@rulesets
def test_the_first_entry_of_an_append_has_its_command_and_each_has_the_number_that_follow(name: str):
    rules = RULESETS[name]
    decided = opening(name)
    number = len(decided.events)
    assert number > 3
    command = RequestKey("a", "key", "body")
    written = [*log.written(rules, decided, chain.root("game"), AT, command)]
    assert [entry.more for entry in written] == [*reversed(range(number))]
    assert [entry.command for entry in written] == [command] + [None] * (number - 1)
    assert [entry.event for entry in written] == [*decided.events]
    by_nobody = [*log.written(rules, decided, chain.root("game"), AT)]
    assert by_nobody[0].command is None


@rulesets
def test_a_served_entry_is_redacted_and_has_no_stored_only_fields(name: str):
    rules = RULESETS[name]
    for kept in log.written(rules, opening(name), chain.root("game"), AT, RequestKey("a", "key", "body")):
        served = log.redacted(rules, kept, 1)
        assert type(served) is Hashed
        assert served.event == redact(rules, kept.event, 1)
        others = set(Hashed.__struct_fields__) - {"event"}
        assert {field: getattr(served, field) for field in others} == {field: getattr(kept, field) for field in others}


@rulesets
def test_a_stored_entry_survives_json(name: str):
    rules = RULESETS[name]
    for entry in log.written(rules, opening(name), chain.root("game"), AT):
        assert msgspec.json.decode(codec.encode(entry), type=log.stored_type(rules)) == entry


@rulesets
@pytest.mark.parametrize("seat", [None, 0, 1])
def test_a_view_is_folded_from_the_events_redacted_for_its_viewer(name: str, seat: int | None):
    rules = RULESETS[name]
    (made, *_) = rules.decks.values()
    dealt = [event for event in opening(name).events if type(event) not in LIFECYCLE]
    before = rules.initial(rules.seats[0], rules.options(), made)
    seen = rules.view(before, dealt, seat)
    assert seen == rules.fold(before, [rules.redact(event, seat) for event in dealt])
    assert seen != rules.fold(before, dealt), "something is hidden from everybody"


@pytest.mark.parametrize(
    ("standings", "first"),
    [((3, -1, 3), (0, 2)), ((0,), (0,)), ([(2, 5), (2, 6), (1, 9)], (1,)), ([(4, 4)] * 2, (0, 1))],
)
def test_the_best_standings_share_the_first_place(standings: Any, first: tuple[int, ...]):
    assert highest(standings) == first
