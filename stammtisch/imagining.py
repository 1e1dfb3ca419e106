"""Worlds that a seat can imagine: every deal that fits what it has seen, equally likely."""

from domain.imagining import (
    Contradiction,
    Covered,
    Eras,
    Layer,
    Moved,
    NothingImagined,
    Shuffles,
    dealt_within,
    drawn_again,
    faces,
    followed,
    imagined,
    less,
    one_way,
    open_,
    seen_as,
)

__all__ = [
    "Contradiction", "Covered", "Eras", "Layer", "Moved", "NothingImagined", "Shuffles", "dealt_within", "drawn_again",
    "faces", "followed", "imagined", "less", "one_way", "open_", "seen_as",
]  # fmt: skip
