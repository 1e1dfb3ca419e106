"""The dealer's random numbers, derived from the game's secret so that everybody can check them afterwards.

Protocol `stammtisch/1`: the key of a game mixes its secret with what the seats contributed; every step of the dealer
draws from a stream of words of its own. SHA-256 and HMAC are all that a verifier needs.
"""

from collections.abc import Iterator, Sequence
from itertools import count
from struct import Struct
from typing import Protocol, TypeVar

from domain.fairness.hashes import hmac_sha256

C = TypeVar("C")

PROTOCOL = "stammtisch/1"

_WORDS = Struct(">8I")  # a SHA-256 digest, cut into big-endian words of 32 bits


class Chance(Protocol):
    """What a ruleset's `deal` may ask for."""

    def below(self, n: int) -> int:
        """A number from 0 to n-1, all equally likely."""

    def shuffled(self, items: Sequence[C]) -> tuple[C, ...]:
        """The items in an order drawn from all orders with equal likelihood."""


def dealing_key(secret: bytes, game_id: str, entropies: Sequence[str]) -> bytes:
    """K of the protocol: 32 bytes from which all deals of the game follow."""
    text = "\n".join((PROTOCOL, game_id, *entropies))
    return hmac_sha256(secret, text.encode())


def words(secret: bytes, game_id: str, entropies: Sequence[str], step: int) -> Iterator[int]:
    """The stream of 32-bit words of one of the dealer's steps (0, 1, ...), without end."""
    key = dealing_key(secret, game_id, entropies)
    for block in count():
        yield from _WORDS.unpack(hmac_sha256(key, f"deal:{step}:{block}".encode()))


class Dealer:
    """The dealer at one step of a game. Nothing is computed until chance is asked for: most moves deal nothing."""

    __slots__ = ("_words",)

    def __init__(self, secret: bytes, game_id: str, entropies: Sequence[str], step: int) -> None:
        self._words = words(secret, game_id, entropies, step)

    def below(self, n: int) -> int:
        # Words in the incomplete last multiple of n are skipped: they would favour the small numbers.
        limit = 2**32 - 2**32 % n
        while (word := next(self._words)) >= limit:
            pass
        return word % n

    def shuffled(self, items: Sequence[C]) -> tuple[C, ...]:
        """Fisher-Yates from the end. `items` must come in the canonical order: a deck's own, a pile's bottom first."""
        cards = list(items)
        for i in range(len(cards) - 1, 0, -1):
            j = self.below(i + 1)
            cards[i], cards[j] = cards[j], cards[i]
        return tuple(cards)
