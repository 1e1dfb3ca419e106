"""What cards count, and which cards an effect, an ability or an action stone reaches."""

from collections.abc import Iterator, Mapping

from msgspec import UNSET

from domain.ruleset import Seat
from domain.rulesets.scandaroon.deck import Area, Face, Filter
from domain.rulesets.scandaroon.history import slot_at
from domain.rulesets.scandaroon.table import Row, Spot, State

# --- values -------------------------------------------------------------------------------------------------------


def current_values(state: State) -> list[list[int]]:
    """By row and slot; an empty slot counts 0 (SD-24, SD-25)."""
    faces, rows = state.deck.faces, state.rows
    values = [[0 if slot is None else faces[slot.card].base + slot.boost for slot in row] for row in rows]
    for seat, row in enumerate(rows):
        for position, slot in enumerate(row):
            if slot is not None:
                for effect in faces[slot.card].effect or ():
                    for spot in reached(state, Spot(seat, position), effect):
                        values[spot.row][spot.position] += effect.amount
    if state.options.value_floor is None:
        return values
    return [[max(value, 0) for value in row] for row in values]


def final_values(state: State) -> list[list[int]]:
    """The current values, of trumps twice (SD-26)."""
    values, faces = current_values(state), state.deck.faces
    for row, counted in zip(state.rows, values, strict=True):
        for position, slot in enumerate(row):
            if slot is not None and state.trump in faces[slot.card].symbols:
                counted[position] *= 2
    return values


def scores(state: State) -> tuple[int, ...]:
    """What every row counts now (SD-26)."""
    return tuple([sum(row) for row in final_values(state)])


def pile_totals(state: State) -> list[int]:
    """What every score pile counts: base values, and the action stone (SD-66)."""
    faces = state.deck.faces
    return [
        sum([faces[card].base for card in pile]) + (STONE_ON_PILE if stone == "pile" else 0)
        for pile, stone in zip(state.score_piles, state.stones, strict=True)
    ]


STONE_ON_PILE = 4
"""What an action stone adds to its score pile (SD-50)."""


# --- rows ---------------------------------------------------------------------------------------------------------


def occupied(row: Row) -> list[int]:
    """The slots that hold a card."""
    return [position for position, slot in enumerate(row) if slot is not None]


def closed(row: Row, faces: Mapping[str, Face]) -> bool:
    """The last card is an end card (SD-35)."""
    for slot in reversed(row):
        if slot is not None:
            return faces[slot.card].end
    return False


# --- what a card reaches ------------------------------------------------------------------------------------------


def reached(state: State, spot: Spot, area: Area) -> Iterator[Spot]:
    """The cards that the one in the slot reaches (SD-7)."""
    faces, symbols = state.deck.faces, area.symbols
    for seat, position in candidates(state, spot, area):
        if symbols is UNSET or not symbols_of(state, seat, position, faces).isdisjoint(symbols):
            yield Spot(seat, position)


def symbols_of(state: State, seat: Seat, position: int, faces: Mapping[str, Face]) -> frozenset[str]:
    return frozenset(faces[slot_at(state, Spot(seat, position)).card].symbols)


def candidates(state: State, spot: Spot, area: Area) -> Iterator[tuple[Seat, int]]:
    """Those whatever their symbols."""
    if area.direction in ("table", "elsewhere"):
        for seat, row in enumerate(state.rows):
            if seat != spot.row or area.direction == "table":
                yield from (
                    (seat, position) for position in occupied(row) if (seat, position) != (spot.row, spot.position)
                )
        return
    places = occupied(state.rows[spot.row])
    own = places.index(spot.position)
    reach = len(places) if area.reach == "all" else area.reach
    if area.direction != "right":
        yield from ((spot.row, position) for position in places[max(own - reach, 0) : own])
    if area.direction != "left":
        yield from ((spot.row, position) for position in places[own + 1 : own + 1 + reach])


# --- what may be chosen -------------------------------------------------------------------------------------------


def targets(state: State, seat: Seat, chosen: Filter, user: Spot | None) -> Iterator[Spot]:
    """The cards that the filter admits; `user` is the ability card, if it is an ability that asks (SD-9)."""
    faces, rows = state.deck.faces, chosen.rows
    low, high = limit(state, chosen.min, user), limit(state, chosen.max, user)
    values = current_values(state) if chosen.compare == "current" else None
    for number, row in enumerate(state.rows):
        if state.passed[number] or (rows != "any" and (number == seat) != (rows == "own")):
            continue
        for position in places(row, chosen):
            slot = row[position]
            assert slot is not None
            face = faces[slot.card]
            value = face.base if values is None else values[number][position]
            if (
                slot.protected_by is None
                and (low is None or value >= low)
                and (high is None or value <= high)
                and (chosen.symbols is UNSET or not set(chosen.symbols).isdisjoint(face.symbols))
                and (chosen.end is UNSET or face.end == chosen.end)
                and (user is None or position != user.position or number != user.row)
            ):
                yield Spot(number, position)


def places(row: Row, chosen: Filter) -> list[int]:
    """The slots of a row that the filter looks at."""
    found = occupied(row)
    if chosen.place == "any":
        return found
    return found[-1:] if chosen.place == "last" else found[:1]


def limit(state: State, value: object, user: Spot | None) -> int | None:
    """The number that a limit stands for."""
    if isinstance(value, int):
        return value
    if value is UNSET:
        return None
    assert user is not None
    if value == "self_base":
        return state.deck.faces[slot_at(state, user).card].base
    return current_values(state)[user.row][user.position]
