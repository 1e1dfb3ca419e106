"""The table as numbers, for training."""

from domain.features import (
    Kinds,
    Places,
    code,
    counts,
    counts_of_few,
    kinds,
    kinds_in,
    padded,
    relative,
    turned,
)
from domain.zones import numbers_of

__all__ = [
    "Kinds", "Places", "code", "counts", "counts_of_few", "kinds", "kinds_in", "numbers_of", "padded", "relative",
    "turned",
]  # fmt: skip
