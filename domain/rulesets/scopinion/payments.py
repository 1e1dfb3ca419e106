"""Which cards pay a price: sums, and cards with a red border that count double together."""

from functools import lru_cache
from itertools import combinations
from typing import TypeAlias

Weight: TypeAlias = tuple[int, bool]
"""A card as a payment sees it: its value, and whether it has a red border."""
Places: TypeAlias = tuple[int, ...]


@lru_cache(maxsize=4096)
def worth(cards: tuple[Weight, ...]) -> int:
    """The values of all cards, those with a border doubled if there are at least two of them (SP-11)."""
    bordered = [value for value, border in cards if border]
    return sum([value for value, _ in cards]) + (sum(bordered) if len(bordered) > 1 else 0)


def worth_of_two(one: Weight, other: Weight) -> int:
    total = one[0] + other[0]
    return 2 * total if one[1] and other[1] else total


def pays(cards: tuple[Weight, ...], price: int) -> bool:
    """They are a legal payment: enough, and too little without any one of them, or a single card (SP-12)."""
    if worth(cards) < price:
        return False
    return len(cards) == 1 or all(worth(cards[:place] + cards[place + 1 :]) < price for place in range(len(cards)))


@lru_cache(maxsize=16384)
def payments(hand: tuple[Weight, ...], price: int) -> tuple[Places, ...]:
    """All legal payments, each as the places of its cards in the hand (SP-12).

    Without the doubling, and with it from three borders on, a payment is a sum that is reached with its smallest
    summand: leaving one card out changes the worth by its own summand only. With two borders leaving out either of
    them also undoes the doubling; such pairs are taken one by one.
    """
    found: list[Places] = [(place,) for place, (value, _) in enumerate(hand) if value >= price]
    small = [place for place, (value, _) in enumerate(hand) if value < price]  # no other pays with a second
    if not small or worth(tuple([hand[place] for place in small]) if found else hand) < price:
        return tuple(found)
    if len(small) < 4:  # as in most hands: then two are enough, or no less than all
        pairs = [pair for pair in combinations(small, 2) if worth_of_two(hand[pair[0]], hand[pair[1]]) >= price]
        return (*found, *pairs) if pairs else (*found, tuple(small))
    plain = [(hand[place][0], place) for place in small if not hand[place][1]]
    bordered = [(hand[place][0], place) for place in small if hand[place][1]]
    found += [places for places, _ in reaching(plain, price)]
    for value, place in bordered:
        found += [(*places, place) for places, rest in reaching(plain, price - value) if rest < price]
    for (one, here), (other, there) in combinations(bordered, 2):
        found += [
            (*places, here, there)
            for places, rest in reaching(plain, price - 2 * (one + other))
            if rest + max(one, other) < price
        ]
    if len(bordered) > 2:
        borders = {place for _, place in bordered}
        summands = plain + [(2 * value, place) for value, place in bordered]
        found += [places for places, _ in reaching(summands, price) if len(borders.intersection(places)) > 2]
    return tuple(found)


def reaching(summands: list[tuple[int, int]], price: int) -> list[tuple[Places, int]]:
    """The places and the sum of the summands, (value, place) each, that together reach the price and none is idle.

    Large ones first: then a sum that is reached only now cannot do without any of its summands.
    """
    if price <= 0:
        return [((), 0)]
    left = sum([value for value, _ in summands])
    if left < price:
        return []
    found: list[tuple[Places, int]] = []
    short: list[tuple[Places, int]] = [((), 0)]
    for value, place in sorted(summands, reverse=True):
        left -= value
        grown = [((*places, place), total + value) for places, total in short]
        found += [pair for pair in grown if pair[1] >= price]
        short = [pair for pair in (*short, *grown) if pair[1] < price <= pair[1] + left]
    return found
