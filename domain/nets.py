"""Small trained networks: one hidden layer, whole numbers only, so that every machine chooses the same."""

from collections.abc import Sequence
from functools import cached_property

import msgspec

from domain.bundled import trained


class Net(msgspec.Struct, frozen=True, dict=True):
    """What was learned, in whole numbers. `agents.training.values` writes it."""

    unit: int
    """The value of one point."""
    layer: tuple[tuple[int, ...], ...]
    """By hidden unit, the weight of each number that is put in."""
    shift: tuple[int, ...]
    """By hidden unit."""
    last: tuple[int, ...]
    """By hidden unit, its weight in the value."""
    base: int
    """The value when no hidden unit answers."""

    @cached_property
    def _by_number(self) -> tuple[tuple[int, ...], ...]:
        """By number that is put in, its weight in each hidden unit."""
        return tuple(zip(*self.layer, strict=True))

    def value(self, numbers: Sequence[int]) -> int:
        """In `unit`s. Most numbers are 0 or 1."""
        parts = [
            weights if number == 1 else [number * weight for weight in weights]
            for number, weights in zip(numbers, self._by_number, strict=True)
            if number
        ]
        answers = map(sum, zip(self.shift, *parts, strict=True))
        return self.base + sum(
            [answer * weight for answer, weight in zip(answers, self.last, strict=True) if answer > 0]
        )


def trained_net(home: str) -> Net:
    """The net of the ruleset in that package."""
    return msgspec.json.decode(trained(home), type=Net)
