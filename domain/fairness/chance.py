"""All random numbers of a game, derived from its secret so that anybody can verify them when the game is over.

Protocol `stammtisch/1`: the key of a game is derived from its secret and the entropies of the seats; each dealer step
and each choice of a bot has its own stream of words. A step is named by its event, so the n-th deal of a kind does not
depend on what else was shuffled before. A verifier needs only SHA-256 and HMAC.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import count
from struct import Struct
from typing import Literal, Protocol, TypeVar

from domain.codec import canonical
from domain.fairness.hashes import hmac_sha256

C = TypeVar("C")

PROTOCOL: Literal["stammtisch/1"] = "stammtisch/1"

_WORDS = Struct(">8I")  # a SHA-256 digest, cut into big-endian words of 32 bits


class Chance(Protocol):
    """The random numbers that a ruleset's `deal` and its bots receive."""

    def below(self, n: int) -> int:
        """A uniformly distributed number from 0 to n-1."""

    def shuffled(self, items: Sequence[C]) -> tuple[C, ...]:
        """The items in a uniformly distributed order."""


def seal(game_id: str, seat: int, entropy: str) -> str:
    """What fixes the entropy of a seat before anybody opens theirs."""
    return sha256(f"{PROTOCOL} seal\n{game_id}\n{seat}\n{entropy}".encode()).hexdigest()


def dealing_key(secret: bytes, game_id: str, entropies: Sequence[str]) -> bytes:
    """K of the protocol: the 32-byte key from which all deals of the game follow."""
    text = "\n".join((PROTOCOL, game_id, *entropies))
    return hmac_sha256(secret, text.encode())


def words(secret: bytes, game_id: str, entropies: Sequence[str], stream: str) -> Iterator[int]:
    """The infinite sequence of 32-bit words of the stream `deal:TYPE:COUNT` or `bot:SEAT:EVENTS`."""
    key = dealing_key(secret, game_id, entropies)
    for block in count():
        yield from _WORDS.unpack(hmac_sha256(key, f"{stream}:{block}".encode()))


class Stream:
    """The random numbers of one stream of words, computed on demand: most moves deal nothing."""

    __slots__ = ("_words",)

    def __init__(self, stream: Iterator[int]) -> None:
        self._words = stream

    def below(self, n: int) -> int:
        # Rejection sampling: words in the incomplete last multiple of n would favour small numbers.
        limit = 2**32 - 2**32 % n
        while (word := next(self._words)) >= limit:
            pass
        return word % n

    def shuffled(self, items: Sequence[C]) -> tuple[C, ...]:
        """Fisher-Yates from the end."""
        cards = list(items)
        for i in range(len(cards) - 1, 0, -1):
            j = self.below(i + 1)
            cards[i], cards[j] = cards[j], cards[i]
        return tuple(cards)


class Dealer(Stream):
    """The random numbers of the dealer step that begins with an event of this type, after `count` such steps."""

    __slots__ = ()

    def __init__(self, secret: bytes, game_id: str, entropies: Sequence[str], event: str, count: int) -> None:
        super().__init__(words(secret, game_id, entropies, f"deal:{event}:{count}"))

    def shuffled(self, items: Sequence[C]) -> tuple[C, ...]:
        """The items are sorted first, so their order before does not matter: a verifier need not know it."""
        return super().shuffled(sorted(items, key=canonical))


class Undrawn:
    """No chance: the lowest number, and cards in their order. With it a dealer says which event is due."""

    def below(self, _: int) -> int:
        return 0

    def shuffled(self, items: Sequence[C]) -> tuple[C, ...]:
        return tuple(items)


class Dice(Stream):
    """The random numbers of the choice that the bot at `seat` makes after `events` events of the ruleset.

    The count names each choice of the seat once, and nobody can influence the dice by waiting.
    """

    __slots__ = ()

    def __init__(self, secret: bytes, game_id: str, entropies: Sequence[str], seat: int, events: int) -> None:
        super().__init__(words(secret, game_id, entropies, f"bot:{seat}:{events}"))
