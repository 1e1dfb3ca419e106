"""Small trained networks: one hidden layer, whole numbers only, so that every machine chooses the same."""

from collections.abc import Sequence
from operator import mul

import msgspec

from domain.bundled import trained


class Net(msgspec.Struct, frozen=True):
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

    def value(self, numbers: Sequence[int]) -> int:
        """In `unit`s."""
        value = self.base
        for weights, shift, weight in zip(self.layer, self.shift, self.last, strict=True):
            if (answer := sum(map(mul, weights, numbers)) + shift) > 0:
                value += answer * weight
        return value


def trained_net(home: str) -> Net:
    """The net of the ruleset in that package."""
    return msgspec.json.decode(trained(home), type=Net)
