"""Worlds that a seat can imagine: every deal that fits what it has seen, equally likely."""

from domain.imagining import (
    Covered,
    Eras,
    Layer,
    Moved,
    NothingImagined,
    Shuffles,
    dealt_within,
    faces,
    followed,
    imagined,
    less,
    one_way,
    open_,
    seen_as,
)

__all__ = [
    "Covered", "Eras", "Layer", "Moved", "NothingImagined", "Shuffles", "dealt_within", "faces", "followed",
    "imagined", "less", "one_way", "open_", "seen_as",
]  # fmt: skip
