"""What follows from the types of a state: where its cards lie, and the table as numbers.

`CARD` marks the type of a card. A ruleset in which that is not enough, because it only counts some cards or moves point
at places, has functions of its own.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, TypeAlias, get_origin

from msgspec import Struct
from msgspec import inspect as kinds

Found: TypeAlias = Callable[[Any], list[Any]]

_TERMS = ("deck", "options")
PENDING = "pending"
"""A field of this name repeats cards that lie elsewhere: what the seat is being asked about."""
_SEATS = ("turn", "starter")


def cards_of(state: Any) -> list[Any]:
    """All cards of the state that have a face."""
    return [card for card in _cards(_kind(state))(state) if card is not None]


def _kind(state: Any) -> Any:
    return type(state)


def holds_cards(kind: kinds.Type) -> bool:
    """Whether values of the type can contain cards."""
    return _found(kind) is not None


@cache
def _cards(state: Any) -> Found:
    found = _found(kinds.type_info(state))
    return (lambda _: []) if found is None else found


def _found(kind: kinds.Type) -> Found | None:
    """What gives the cards in a value of the type, None for a hidden one or an empty place; None if it has none."""
    match kind:
        case kinds.Metadata(extra_json_schema={"x-card": True}):
            return lambda card: [card]
        case kinds.Metadata(type=inner):
            return _found(inner)
        case kinds.StructType(fields=fields):
            found = {field.name: within for field in fields if (within := _found(field.type))}
            return _in_fields({name: within for name, within in found.items() if name != PENDING})
        case kinds.VarTupleType(item_type=item):
            return _in_items(_found(item))
        case kinds.TupleType(item_types=items) if any(parts := [_found(item) for item in items]):
            return lambda value: [card for part, each in zip(parts, value, strict=True) if part for card in part(each)]
        case kinds.UnionType(types=types):
            return _in_members(types)
    return None


def _in_items(within: Found | None) -> Found | None:
    return None if within is None else lambda items: [card for each in items for card in within(each)]


def _in_fields(fields: dict[str, Found]) -> Found | None:
    if not fields:
        return None
    return lambda value: [card for name, within in fields.items() for card in within(getattr(value, name))]


def _in_members(types: Sequence[kinds.Type]) -> Found | None:
    structs = {get_origin(kind.cls) or kind.cls: _found(kind) for kind in types if isinstance(kind, kinds.StructType)}
    bare = next(filter(None, (_found(kind) for kind in types if not isinstance(kind, kinds.StructType))), None)
    if not (bare or any(structs.values())):
        return None

    def found(value: Any) -> list[Any]:
        if value is None:
            return [None]
        within = structs.get(type(value)) if isinstance(value, Struct) else bare
        return [] if within is None else within(value)

    return found


# --- numbers ----------------------------------------------------------------------------------------------------------


def numbers_of(state: Any, seat: int) -> list[int]:
    """The table as numbers, the own seat first: of each zone how many cards of each kind it has, hidden ones last; then
    the phase, whose turn it is, and the totals.

    A field is a zone, or one by seat. Of a zone in the middle the first and the last card are compared, else no order.
    """
    places = {card: place for place, card in enumerate(dict.fromkeys(getattr(state.deck, "cards", ())))}
    numbers: list[int] = []
    for zone, common in _zones(state, seat):
        counts = [0] * (len(places) + 1)
        for card in zone:
            counts[len(places) if card is None else places[card]] += 1
        numbers += counts
        if common:
            numbers += [places.get(zone[end], -1) + 1 if zone else 0 for end in (0, -1)]
    return numbers + [*_facts(state, seat)]


def _zones(state: Any, seat: int) -> Iterator[tuple[list[Any], bool]]:
    for name, kind in _fields(_kind(state)).items():
        within = None if name in (*_TERMS, PENDING) else _found(kind)
        if within is None:
            continue
        value = getattr(state, name)
        match kind:
            case kinds.VarTupleType(item_type=item) if not _is_card(item):  # by seat
                inner = _found(item)
                yield from ((inner(each), False) for each in (*value[seat:], *value[:seat]) if inner)
            case kinds.VarTupleType():
                yield within(value), True
            case _:
                yield [card for card in within(value) if card is not None], False


def _is_card(kind: kinds.Type) -> bool:
    if isinstance(kind, kinds.UnionType):
        return any(map(_is_card, kind.types))
    return isinstance(kind, kinds.Metadata) and (
        bool((kind.extra_json_schema or {}).get("x-card")) or _is_card(kind.type)
    )


def _facts(state: Any, seat: int) -> Iterator[int]:
    totals = getattr(state, "totals", ())
    for name, kind in _fields(_kind(state)).items():
        value = getattr(state, name)
        match kind:
            case _ if name in _SEATS:
                yield 0 if value is None else (value - seat) % max(len(totals), 1) + 1
            case kinds.LiteralType(values=values) if value is not None:
                yield values.index(value)
            case kinds.BoolType() | kinds.IntType():
                yield int(value)
    yield from (*totals[seat:], *totals[:seat])


@cache
def _fields(state: Any) -> dict[str, kinds.Type]:
    info: Any = kinds.type_info(state)
    return {field.name: _plain(field.type) for field in info.fields}


def _plain(kind: kinds.Type) -> kinds.Type:
    return _plain(kind.type) if isinstance(kind, kinds.Metadata) and not _is_card(kind) else kind
