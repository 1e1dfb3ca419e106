"""Worlds that a seat can imagine: whole histories in which it has seen exactly what it has seen.

A ruleset's `imagine` follows the seat's events with a `Covered` object in place of every hidden card, so `evolve`
itself tracks where each of them lies. Faces that are laid open later are noted on the objects. The others are drawn by
lot at the end, shuffle by shuffle, so that every deal that fits is equally likely.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from math import comb, perm
from typing import Any, Generic, TypeVar

from domain.fairness.chance import Chance

C = TypeVar("C")
T = TypeVar("T")

TRIES = 50
"""How often an imagination may contradict itself before `NothingImagined` is raised."""

WORDS = 2**32


class Contradiction(Exception):
    """The choices made at random so far cannot lead to what was seen."""


class NothingImagined(Exception):
    """None of the tries has led to what was seen."""


class Covered(Generic[C]):
    """A hidden card: its face once known, and the number of the shuffle that it lies in."""

    __slots__ = ("face", "shuffle")

    def __init__(self, shuffle: int) -> None:
        self.shuffle = shuffle
        self.face: C | None = None


def open_(card: Any, face: Any) -> None:
    """The card, if it was hidden, turns out to be this one."""
    if type(card) is Covered:
        card.face = face


def faces(cards: Iterable[Any]) -> tuple[Any, ...]:
    """The cards, hidden ones with the faces that were imagined."""
    return tuple([card.face if type(card) is Covered else card for card in cards])


def repeated(attempt: Callable[[], T], tries: int = TRIES) -> T:
    """The result of the first attempt without a contradiction. Raises `NothingImagined`."""
    for _ in range(tries):
        try:
            return attempt()
        except Contradiction:
            continue
    raise NothingImagined


class Shuffles(Generic[C]):
    """All shuffles of a history: which cards went in, and the covered places in the order that came out.

    A card that went in can itself be a covered place of an earlier shuffle.
    """

    def __init__(self) -> None:
        self._shuffled: list[tuple[list[C | Covered[C]], tuple[Covered[C], ...]]] = []

    def shuffle(self, cards: Iterable[Any]) -> tuple[Covered[C], ...]:
        """One place for each card."""
        went_in = [*cards]
        number = len(self._shuffled)
        places: tuple[Covered[C], ...] = tuple([Covered(number) for _ in went_in])  # Covered[C]() is slow
        self._shuffled.append((went_in, places))
        return places

    def settle(self, chance: Chance) -> None:
        """Give every place a face. Raises `Contradiction` if the open faces cannot have come out of the shuffles."""
        same: list[tuple[Covered[C], Covered[C]]] = []
        for went_in, places in reversed(self._shuffled):  # a face that came out of a late one went into it
            self._settle_one(went_in, places, same, chance)
        for place, before in reversed(same):
            place.face = before.face

    def _settle_one(
        self, went_in: list[Any], places: Sequence[Covered[C]], same: list[tuple[Covered[C], Covered[C]]],
        chance: Chance,
    ) -> None:  # fmt: skip
        blank = [place for place in places if place.face is None]
        shown = [place.face for place in places if place.face is not None]
        covered = [card for card in went_in if type(card) is Covered and card.face is None]
        known = faces([card for card in went_in if not (type(card) is Covered and card.face is None)])
        if covered:
            shown = self._open_some(Counter(known), shown, covered, chance)
            covered = [card for card in covered if card.face is None]
        rest: list[Any] = less(known, shown) + covered
        for place, card in zip(blank, chance.shuffled(rest), strict=True):
            if type(card) is Covered:
                same.append((place, card))
            else:
                place.face = card

    def _open_some(
        self, known: Counter[Any], shown: list[Any], covered: Sequence[Covered[C]], chance: Chance
    ) -> list[Any]:
        """Decide which of the shown faces came from covered cards, and give those the faces. Returns the other ones."""
        possible, places = self._behind(covered)
        seen = Counter(shown)
        taken = how_many(seen, known, possible, len(covered), places, chance)
        for place, face in zip(chance.shuffled(covered), taken.elements(), strict=False):
            place.face = face
        return [*(seen - taken).elements()]

    def _behind(self, covered: Sequence[Covered[C]]) -> tuple[Counter[Any], int]:
        """What the covered cards can be, and the number of places that these faces are distributed over."""
        possible: Counter[Any] = Counter()
        blank = 0
        for number in sorted({card.shuffle for card in covered}):
            went_in, places = self._shuffled[number]
            hidden = [card for card in went_in if type(card) is Covered and card.face is None]
            possible.update(faces([card for card in went_in if not (type(card) is Covered and card.face is None)]))
            possible.subtract([place.face for place in places if place.face is not None])
            blank += sum([place.face is None for place in places])
            if hidden:
                possible.update(self._behind(hidden)[0])
        return possible, blank


def less(cards: Sequence[Any], gone: Sequence[Any]) -> list[Any]:
    """The cards without the others, in the same order. Raises `Contradiction` if one of the others is not there."""
    if not gone:
        return [*cards]
    out, left = Counter(gone), []
    for card in cards:
        if out[card]:
            out[card] -= 1
        else:
            left.append(card)
    if len(left) + len(gone) != len(cards):
        raise Contradiction
    return left


def how_many(
    seen: Counter[Any], known: Counter[Any], possible: Counter[Any], covered: int, places: int, chance: Chance
) -> Counter[Any]:
    """How many of the seen faces came from covered cards, each answer as likely as it has deals.

    `known` cards went into the shuffle openly. The `covered` ones are some of the `places` over which the `possible`
    faces are distributed.
    """
    options = []
    for face, many in seen.items():
        here, there = known[face], possible[face]
        least, most = max(0, many - here), max(0, min(many, there, covered))
        options.append([(n, comb(many, n) * perm(there, n) * perm(here, many - n)) for n in range(least, most + 1)])
    ends = {n: perm(covered, n) * perm(places - n, places - n) for n in range(covered + 1)}
    behind: list[dict[int, int]] = [ends]  # by the number so far: in how many ways it goes on
    for option in reversed(options):
        last = behind[-1]
        behind.append(
            {so_far: sum([ways * last.get(so_far + n, 0) for n, ways in option]) for so_far in range(covered + 1)}
        )
    taken: Counter[Any] = Counter()
    so_far = 0
    for place, (face, option) in enumerate(zip(seen, options, strict=True)):
        after = behind[len(options) - 1 - place]
        n = drawn_by_weight([(n, ways * after.get(so_far + n, 0)) for n, ways in option], chance)
        taken[face] = n
        so_far += n
    return taken


def drawn_by_weight(options: Sequence[tuple[T, int]], chance: Chance) -> T:
    """One of the options, each as likely as its weight. Raises `Contradiction` if all weights are 0."""
    total = sum([weight for _, weight in options])
    if not total:
        raise Contradiction
    lot = chance.below(WORDS)
    for (option, _), sum_ in zip(options, accumulate([weight for _, weight in options]), strict=True):
        if sum_ * WORDS > lot * total:
            return option
    raise AssertionError("the lot is below the total")
