"""What JSON Schemas tell a client that does not know the ruleset: which values are cards, and what a move points at."""

from collections.abc import Iterator
from typing import Any, get_origin

import msgspec
import pytest
from msgspec import UNSET
from msgspec import inspect as kinds

from domain.codec import encode
from domain.game import Rules
from domain.rulesets import VERSIONS
from stammtisch.testing.playing import Play, Table, type_info

pytestmark = pytest.mark.slow

every_version = pytest.mark.parametrize("rules", VERSIONS.values(), ids=list(VERSIONS))


def annotated(kind: kinds.Type, value: Any, key: str) -> Iterator[tuple[Any, Any]]:
    """All parts of the value whose type has this annotation: the annotation and the part."""
    match kind:
        case kinds.Metadata(type=inner, extra_json_schema=extra):
            if extra and key in extra:
                yield extra[key], value
            yield from annotated(inner, value, key)
        case kinds.StructType(fields=fields):
            for field in fields:
                if (part := getattr(value, field.name)) is not UNSET:
                    yield from annotated(field.type, part, key)
        case kinds.VarTupleType(item_type=item):
            for each in value:
                yield from annotated(item, each, key)
        case kinds.UnionType(types=types):
            if (found := next((each for each in types if fits(each, value)), None)) is not None:
                yield from annotated(found, value, key)


def fits(kind: kinds.Type, value: Any) -> bool:
    match kind:
        case kinds.Metadata(type=inner):
            return fits(inner, value)
        case kinds.StructType(cls=cls):
            return isinstance(value, get_origin(cls) or cls)
        case kinds.UnionType(types=types):
            return any(fits(each, value) for each in types)
        case kinds.LiteralType(values=values):
            return value in values
        case kinds.IntType():
            return type(value) is int
        case kinds.StrType():
            return isinstance(value, str)
        case kinds.TupleType() | kinds.VarTupleType():
            return isinstance(value, tuple)
        case kinds.NoneType():
            return value is None
    return False


def canonical(card: Any) -> Any:
    """A card that can be turned is the same either way."""
    return tuple(sorted(card)) if isinstance(card, tuple) else card


@every_version
def test_every_card_of_the_table_has_the_annotation(rules: Rules):
    """Law: all faces in the zones of the state have `x-card`, and only cards of the deck have it."""
    play = Play(rules, Table(rules.seats[-1], rules.options(), 1, moves=120))
    deck = set(map(canonical, next(iter(rules.decks.values())).cards))
    found = 0
    for state in play.states:
        faces = [canonical(card) for _, card in annotated(type_info(rules.state), state, "x-card")]
        assert set(faces) <= deck
        assert {canonical(card) for card in rules.cards(state) if card is not None} - out_of_game(rules, state) <= set(
            faces
        )
        found += len(faces)
    assert found


def out_of_game(rules: Rules, state: Any) -> set[Any]:
    """Cards that the helper of the laws counts although they are not on the table."""
    if rules.name == "scopinion":
        return {card for unused in state.deck.starts[len(state.hands) :] for card in unused}
    if rules.name == "scout":
        return set(state.deck.cards) - set(state.deck.in_play(len(state.hands)))
    return set()


def places(move: Any, seat: int) -> Iterator[str]:
    """The places in the view that the move points at."""
    values = {field: getattr(move, field) for field in move.__struct_fields__}
    for template, _ in annotated(type_info(type(move)), move, "x-at"):
        yield template.format(you=seat, **values)


def resolved(view: Any, place: str) -> Any:
    """What is at the place, which must be an item of a list."""
    *path, last = place.split("/")
    for part in path:
        view = view[int(part)] if isinstance(view, list) else view[part]
    assert isinstance(view, list), place
    return view[int(last)]


@every_version
def test_a_move_points_at_places_of_its_movers_view(rules: Rules):
    """Law: each `x-at` of each legal move names an item of a list in the view of the seat that may make it."""
    pointed = 0
    for seats in (rules.seats[0], rules.seats[-1]):
        play = Play(rules, Table(seats, rules.options(), seats, moves=150))
        for number, decided in enumerate(play.games):
            for seat in range(seats) if decided.state is not None and decided.status == "running" else ():
                legal = rules.legal(decided.state, seat)
                view = msgspec.json.decode(encode(play.views[seat][number].state)) if legal else None
                for place in {place for move in legal for place in places(move, seat)}:
                    resolved(view, place)
                    pointed += 1
    assert pointed or rules.name == "scopinion", "its moves name cards, which have ids"


@every_version
def test_the_schemas_have_the_annotations(rules: Rules):
    text = str(msgspec.json.schema_components([rules.move, rules.event], schema_hook=lambda _: {"type": "string"}))
    assert "'x-card': True" in text
    assert ("'x-at'" in text) == (rules.name != "scopinion")


def test_a_place_that_does_not_exist_is_found():
    """The law bites."""
    view = {"layouts": [[1, 2]], "held": 3}
    assert resolved(view, "layouts/0/1") == 2
    for place, error in (("layouts/0/2", IndexError), ("rows/0/1", KeyError), ("held", AssertionError)):
        with pytest.raises((error, ValueError)):
            resolved(view, place)
