"""Which cards pay a price: sums, and cards with a red border that count double together.

From a few cards, as are mostly held, what pays is remembered. The largest hand has twelve cards, the three of a turn's
beginning and one more for each of the nine 2s in a game of four; then thousands of payments are listed at once, and
each is made without trying what is none.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from math import inf
from typing import TypeAlias

Weight: TypeAlias = tuple[int, bool]
"""A card as a payment sees it: its value, and whether it has a red border."""
Places: TypeAlias = tuple[int, ...]
Payment: TypeAlias = tuple[str, ...]

Bits: TypeAlias = int
"""Some cards of a hand, the first one the lowest bit."""
Parts: TypeAlias = dict[int, dict[float, list[Bits]]]
"""Sets of cards by their worth, and by what is lost at least when one of them is left out: `inf` if there is none."""

FEW = 4
NONE: Bits = 0


def worth(cards: Iterable[Weight]) -> int:
    """The values of all cards, those with a border doubled if there are at least two of them (SP-11)."""
    total, bordered, borders = 0, 0, 0
    for value, border in cards:
        total += value
        if border:
            bordered += value
            borders += 1
    return total + bordered if borders > 1 else total


def pays(cards: Sequence[Weight], price: int) -> bool:
    """They are a legal payment: enough, and too little without any one of them, or a single card (SP-12)."""
    if len(cards) <= FEW:
        ways = from_few(tuple(cards))
        return price < len(ways) and len(ways[price][-1]) == len(cards)  # the last way is the one with the most cards
    return worth(cards) >= price > max([worth(rest) for rest in combinations(cards, len(cards) - 1)])


@lru_cache(maxsize=4096)
def from_few(hand: tuple[Weight, ...]) -> list[list[Places]]:
    """All legal payments with these cards, which are four at most, for each price from 0 up to what all come to.

    Each set pays what costs more than it comes to without one of its cards; a single card pays even 0.
    """
    ways: dict[Places, tuple[int, int]] = {(place,): (-1, value) for place, (value, _) in enumerate(hand)}
    for size in range(2, len(hand) + 1):
        for places in combinations(range(len(hand)), size):
            less = max([ways[rest][1] for rest in combinations(places, size - 1)])
            ways[places] = less, worth([hand[place] for place in places])
    found: list[list[Places]] = [[] for _ in range(worth(hand) + 1)]
    for places, (less, enough) in ways.items():
        for paying in found[less + 1 : enough + 1]:
            paying.append(places)
    return found


def from_many(cards: Sequence[str], weights: Mapping[str, Weight], prices: Sequence[int]) -> dict[int, list[Payment]]:
    """By the price, if it can be paid, all legal payments with these cards, named in their order."""
    hand = [weights[card] for card in cards]
    most = worth(hand)
    payable = {price for price in prices if price <= most}
    top = max(payable, default=0)
    plain = sums([(value, 1 << place) for place, (value, border) in enumerate(hand) if not border], top)
    bordered = doubled([(value, 1 << place) for place, (value, border) in enumerate(hand) if border], top)
    fillings = {gap: filling(plain, gap) for gap in {price - part for part in bordered for price in payable}}
    half = len(cards) // 2
    first, second, mask = choices(cards[:half]), choices(cards[half:]), (1 << half) - 1
    return {
        price: [first[bits & mask] + second[bits >> half] for bits in joined(bordered, fillings, price)]
        if price
        else [(card,) for card in cards]
        for price in payable
    }


def choices(cards: Sequence[str]) -> list[Payment]:
    """All sets of the cards, each at the place of its bits."""
    found: list[Payment] = [()]
    for card in cards:
        found += [(*chosen, card) for chosen in found]
    return found


def sums(summands: Sequence[tuple[int, Bits]], top: int) -> Parts:
    """The sets of these values, but for those that reach the top even without one of them.

    Large ones first: then the one that comes last is the one that can be spared most easily.
    """
    found: Parts = {0: {inf: [NONE]}}
    short = {0: [NONE]}
    for value, bit in sorted([summand for summand in summands if summand[0]], reverse=True):
        grown = [(total + value, [bits | bit for bits in sets]) for total, sets in short.items()]
        for total, sets in grown:
            found.setdefault(total, {}).setdefault(value, []).extend(sets)
            if total < top:
                short.setdefault(total, []).extend(sets)
    return found


def doubled(cards: Sequence[tuple[int, Bits]], top: int) -> Parts:
    """The sets of these values with borders: one counts once; of two either takes the doubling along when it is left
    out; of more all count double, whichever is left out."""
    found: Parts = {0: {inf: [NONE]}}
    for value, bit in cards:
        found.setdefault(value, {}).setdefault(value, []).append(bit)
    for (one, here), (other, there) in combinations(cards, 2):
        found.setdefault(2 * (one + other), {}).setdefault(one + other + min(one, other), []).append(here | there)
    all_twice = sums([(2 * value, bit) for value, bit in cards], top) if len(cards) > 2 else {}
    for total, by_loss in all_twice.items():
        for loss, sets in by_loss.items():
            if more := [bits for bits in sets if bits.bit_count() > 2]:
                found.setdefault(total, {}).setdefault(loss, []).extend(more)
    return found


def filling(parts: Parts, gap: int) -> list[tuple[int, list[Bits]]]:
    """Those that are worth as much, and less without any one of their cards; with what they are worth."""
    if gap <= 0:
        return [(0, [NONE])]
    return [
        (total, sets)
        for total, by_loss in parts.items()
        if total >= gap
        for loss, sets in by_loss.items()
        if total - loss < gap
    ]


def joined(bordered: Parts, fillings: dict[int, list[tuple[int, list[Bits]]]], price: int) -> list[Bits]:
    """A part with borders, and a part without them that fills the gap to the price: neither can spare a card."""
    found: list[Bits] = []
    for part, by_loss in bordered.items():
        gap = price - part
        for rest, others in fillings[gap]:
            for loss, sets in by_loss.items():
                if rest - loss < gap:
                    for bits in sets:
                        found += [bits | other for other in others] if bits else others
    return found
