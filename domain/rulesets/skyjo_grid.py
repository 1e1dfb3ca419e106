"""Twelve cards for each seat, in four columns and three rows, and how their numbers are counted.

For rulesets in which layouts are turned up and cleared, and in which few points win.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Generic, TypeAlias, TypeVar

from msgspec import Meta

from domain.cards import known, put
from domain.messages import Value
from domain.ruleset import Seat

ROWS, COLUMNS = 3, 4
SLOTS = ROWS * COLUMNS

SlotNumber = Annotated[
    int,
    Meta(
        ge=0, lt=SLOTS, description="A place in the own layout: column * 3 + row.",
        extra_json_schema={"x-at": "layouts/{you}/{slot}"},
    ),
]  # fmt: skip

LayoutSlot: TypeAlias = Annotated[int, Meta(description="A place in the seat's layout: column * 3 + row.")]

Number = Annotated[str, Meta(pattern=r"^(0|-?[1-9][0-9]{0,5})$(?!\n)")]
"""A card's number as it stands in a deck file."""
Copies = Annotated[int, Meta(ge=0, le=1000)]

C = TypeVar("C")
C_co = TypeVar("C_co", covariant=True)


class Slot(Value, Generic[C_co]):
    """A card in a layout."""

    card: C_co | None
    """The card; null while the viewer may not see it."""
    up: bool
    """The card lies face up."""


def rising(copies: Mapping[str, int]) -> tuple[int, ...]:
    """The number cards of a deck in ascending order, independent of the order in its file."""
    numbers = sorted((int(number), many) for number, many in copies.items())
    return tuple(number for number, many in numbers for _ in range(many))


def face_up(layout: Iterable[Slot[C] | None]) -> list[C]:
    """The face-up cards. It never reads a face-down card, so it works on every view."""
    return [known(slot.card) for slot in layout if slot is not None and slot.up]


def still_turning(layout: Iterable[Slot[Any] | None]) -> bool:
    """Before the first turn: fewer than two cards lie open."""
    return sum([slot is not None and slot.up for slot in layout]) < 2


def is_down(slot: Slot[Any] | None) -> bool:
    """A face-down card lies there."""
    return slot is not None and not slot.up


def face_down(layout: Iterable[Slot[Any] | None]) -> list[int]:
    """The slots that hold a face-down card."""
    return [number for number, slot in enumerate(layout) if slot is not None and not slot.up]


def all_up(layout: Iterable[Slot[Any] | None]) -> bool:
    """No face-down card is left; cleared slots count as turned up."""
    # A loop: this runs at the end of every move, and the first card mostly decides.
    for slot in layout:  # noqa: SIM110
        if slot is not None and not slot.up:
            return False
    return True


def face(slot: Slot[C] | None) -> C:
    """The card in a slot that is not empty."""
    assert slot is not None
    return known(slot.card)


def lying(layouts: Sequence[Sequence[Slot[C] | None]], seat: Seat, number: int) -> C:
    """The card at that place."""
    return face(layouts[seat][number])


def lay(
    layouts: tuple[tuple[Slot[C] | None, ...], ...], seat: Seat, number: int, slot: Slot[C] | None
) -> tuple[tuple[Slot[C] | None, ...], ...]:
    """The layouts with another slot at one place; None: the card is gone."""
    changed, layout = [*layouts], [*layouts[seat]]
    layout[number] = slot
    changed[seat] = tuple(layout)
    return tuple(changed)


def dealt_layouts(cards: Sequence[C], seats: int) -> tuple[tuple[C, ...], ...]:
    """The cards of each layout, the first ones of the shuffled deck."""
    return tuple([tuple(cards[i : i + SLOTS]) for i in range(0, SLOTS * seats, SLOTS)])


def few_points(state: Any) -> tuple[int, ...]:
    """The standing where few points are good."""
    return tuple([-total for total in state.totals])


def first_to_play(shown: Sequence[Sequence[int]]) -> Seat:
    """The seat with the highest sum; of several the one with the highest single card; then the lowest seat."""
    return max(range(len(shown)), key=lambda seat: (sum(shown[seat]), max(shown[seat]), -seat))


def doubled(points: tuple[int, ...], finisher: Seat, *, only_positive: bool) -> tuple[int, ...]:
    """The points of a round: the finisher's count twice unless strictly the lowest."""
    own = points[finisher]
    beaten = own < min(put(points, finisher, own + 1))
    if beaten or (own <= 0 and only_positive):
        return points
    return put(points, finisher, 2 * own)
