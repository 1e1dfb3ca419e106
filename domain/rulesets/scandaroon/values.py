"""The values of cards, and the cards that an effect, an ability or an action stone reaches."""

from collections.abc import Iterable, Iterator, Set
from typing import Literal

from msgspec import UNSET

from domain.ruleset import Seat
from domain.rulesets.scandaroon.deck import Area, Effect, Filter, Limit, Symbol
from domain.rulesets.scandaroon.table import Card, Row, Slot, Spot, State, slot_at

# --- values -------------------------------------------------------------------------------------------------------


# Loops: in Python 3.11 a list comprehension is a function call, and rows are short.
def current_values(state: State) -> list[list[int]]:
    """By row and slot; an empty slot counts 0 (SD-24, SD-25)."""
    bases, effects = state.deck.bases, state.deck.effects
    values: list[list[int]] = []
    acting: list[tuple[Seat, int, tuple[Effect, ...]]] = []
    for seat, row in enumerate(state.rows):
        counted: list[int] = []
        for slot in row:
            if slot is None:
                counted.append(0)
                continue
            card = slot.card
            if card in effects:
                acting.append((seat, len(counted), effects[card]))
            counted.append(bases[card] + slot.boost)
        values.append(counted)
    for seat, position, parts in acting:
        for effect in parts:
            for number, places in reached(state, seat, position, effect):
                for place in places:
                    values[number][place] += effect.amount
    if state.options.value_floor is not None:
        for counted in values:
            if counted and min(counted) < 0:
                counted[:] = [max(value, 0) for value in counted]
    return values


def final_values(state: State) -> list[list[int]]:
    """The current values, of trumps twice (SD-26)."""
    values, trumps = current_values(state), state.deck.trumps[state.trump]
    for row, counted in zip(state.rows, values, strict=True) if trumps else ():
        for position, slot in enumerate(row):
            if slot is not None and slot.card in trumps:
                counted[position] *= 2
    return values


def scores(state: State) -> tuple[int, ...]:
    """The current value of each row (SD-26)."""
    return tuple(map(sum, final_values(state)))


def pile_totals(state: State, taken: Iterable[Spot] = ()) -> list[int]:
    """The value of each score pile with these cards of the row: base values and the action stone (SD-66)."""
    bases = state.deck.bases
    totals = [STONE_ON_PILE if stone == "pile" else 0 for stone in state.stones]
    for seat, pile in enumerate(state.score_piles):
        for card in pile:
            totals[seat] += bases[card]
    for spot in taken:
        totals[spot.row] += bases[slot_at(state, spot).card]
    return totals


STONE_ON_PILE = 4
"""The points that an action stone adds to its score pile (SD-50)."""


# --- rows ---------------------------------------------------------------------------------------------------------


def occupied(row: Row) -> list[int]:
    """The slots that hold a card."""
    return [position for position, slot in enumerate(row) if slot is not None]


def slot_in(row: Row, position: int) -> Slot | None:
    """The card in that slot. None if it is empty, or not there."""
    return row[position] if 0 <= position < len(row) else None


def closed(row: Row, ends: Set[str]) -> bool:
    """The last card is an end card (SD-35)."""
    for slot in reversed(row):
        if slot is not None:
            return slot.card in ends
    return False


# --- areas ---------------------------------------------------------------------------------------------------------


def reached(state: State, seat: Seat, position: int, area: Area) -> list[tuple[Seat, list[int]]]:
    """By row the slots of the cards that the one in that slot reaches (SD-7)."""
    rows = state.rows
    if area.direction == "table" or area.direction == "elsewhere":
        cards = [(number, occupied(row)) for number, row in enumerate(rows) if number != seat]
        if area.direction == "table":
            cards.insert(seat, (seat, [place for place in occupied(rows[seat]) if place != position]))
    else:
        cards = [(seat, near(rows[seat], position, area))]
    if area.symbols is UNSET:
        return cards
    return [(number, bearing(state, number, places, area.symbols)) for number, places in cards]


def bearing(state: State, number: Seat, places: list[int], symbols: tuple[Symbol, ...]) -> list[int]:
    """Those of the slots in which a card bears one of the symbols."""
    return [place for place in places if bears(state, slot_at(state, Spot(number, place)).card, symbols)]


def near(row: Row, position: int, area: Area) -> list[int]:
    """The slots of the neighbours: `reach` on the left, on the right or on each side (SD-22)."""
    direction, reach = area.direction, area.reach
    if direction == "right":
        return nearest(row, range(position + 1, len(row)), reach)
    left = nearest(row, range(position - 1, -1, -1), reach)[::-1]
    return left if direction == "left" else left + nearest(row, range(position + 1, len(row)), reach)


def nearest(row: Row, places: range, reach: int | Literal["all"]) -> list[int]:
    """The first `reach` occupied slots of these."""
    found: list[int] = []
    for place in places:
        if row[place] is not None:
            found.append(place)
            if len(found) == reach:
                break
    return found


def bears(state: State, card: Card, symbols: tuple[Symbol, ...]) -> bool:
    return not set(symbols).isdisjoint(state.deck.faces[card].symbols)


# --- choices ------------------------------------------------------------------------------------------------------


def targets(state: State, seat: Seat, chosen: Filter, user: Spot | None) -> Iterator[Spot]:
    """The cards that the filter admits; `user` is the ability card, if it is an ability that asks (SD-9)."""
    bases, passed, rows, symbols, end = state.deck.bases, state.passed, chosen.rows, chosen.symbols, chosen.end
    low = -ENDLESS if chosen.min is UNSET else limit(state, chosen.min, user)
    high = ENDLESS if chosen.max is UNSET else limit(state, chosen.max, user)
    values = current_values(state) if chosen.compare == "current" else None
    for number, row in enumerate(state.rows):
        if passed[number] or (rows != "any" and (number == seat) != (rows == "own")):
            continue
        own = None if user is None or user.row != number else user.position
        for position, slot in enumerate(row) if chosen.place == "any" else outermost(row, chosen.place):
            if slot is None or slot.protected_by is not None or position == own:
                continue
            card = slot.card
            if (
                low <= (bases[card] if values is None else values[number][position]) <= high
                and (symbols is UNSET or bears(state, card, symbols))
                and (end is UNSET or (card in state.deck.ends) == end)
            ):
                yield Spot(number, position)


ENDLESS = 10**9
"""Higher than every value of a card."""


def outermost(row: Row, place: Literal["last", "first"]) -> list[tuple[int, Slot]]:
    """The last or the first card with its slot, if there is one."""
    cards = [(position, slot) for position, slot in enumerate(row) if slot is not None]
    return cards[-1:] if place == "last" else cards[:1]


def limit(state: State, value: Limit, user: Spot | None) -> int:
    if isinstance(value, int):
        return value
    assert user is not None
    if value == "self_base":
        return state.deck.bases[slot_at(state, user).card]
    return current_values(state)[user.row][user.position]
