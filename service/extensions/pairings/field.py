"""What a result says, compared with the same seat at the other tables of the deal. Pure functions.

The field of a seat are all tables that have a result for it. Points are those of the seat alone, more is better:
measured, that tells players apart as well as points less those of the others at the table, and everybody can check it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, TypeAlias

from msgspec import Meta

from domain.messages import Value

Points: TypeAlias = Sequence[int | None]
"""By seat: the own points of the whole game, more is better; None for a seat without a result."""


class Compared(Value):
    """The result of a seat beside those of the same seat at the other tables."""

    points: int | None
    """The own points, more is better; null without a result."""
    gained: float | None
    """The points less the mean of the others; null while nobody else has a result."""
    ahead_of: Annotated[
        float | None,
        Meta(
            description="Match points: the share of the others who have fewer points, ties count half. 0 without a "
            "result, null while nobody else has one."
        ),
    ]
    place: int
    """The place among all results from 1; ties share the better one. Seats without a result come after them."""
    field: int
    """The number of results, the own one included."""


def compared(tables: Mapping[str, Points]) -> dict[str, tuple[Compared, ...]]:
    """By table and seat. Linear in the number of tables, but for a sort of the different points."""
    seats = max(map(len, tables.values()), default=0)
    fields = [_Field([points[seat] for points in tables.values()]) for seat in range(seats)]
    return {
        table: tuple([fields[seat].place(value) for seat, value in enumerate(points)])
        for table, points in tables.items()
    }


class _Field:
    def __init__(self, values: Sequence[int | None]) -> None:
        results = [value for value in values if value is not None]
        self.size, self.total = len(results), sum(results)
        self.same = Counter(results)
        self.below: dict[int, int] = {}
        seen = 0
        for value in sorted(self.same):
            self.below[value] = seen
            seen += self.same[value]

    def place(self, value: int | None) -> Compared:
        if value is None:
            return Compared(None, None, 0.0 if self.size else None, self.size + 1, self.size)
        others = self.size - 1
        gained = ahead_of = None
        if others:
            gained = value - (self.total - value) / others
            ahead_of = (self.below[value] + (self.same[value] - 1) / 2) / others
        place = self.size - self.below[value] - self.same[value] + 1
        return Compared(value, gained, ahead_of, place, self.size)
