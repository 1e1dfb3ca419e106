"""The hub: wakes those who follow a game, or the lobby, when there is news of it.

That there is news is all that it passes on. Whoever follows keeps his place in the log and reads on from there, so
nothing is buffered for a slow reader, and what is not followed costs nothing.
"""

import asyncio
from collections import Counter
from collections.abc import Iterator, Set
from contextlib import contextmanager

from service.identity.budget_key import budget_key

THE_LOBBY = "lobby"
"""What it is followed under."""


class Subscription:
    """Waits for news of what he follows. What happens between two waits ends the second at once."""

    __slots__ = ("_told", "_waiting")

    def __init__(self) -> None:
        self._told = False
        self._waiting: asyncio.Future[None] | None = None

    def tell(self) -> None:
        self._told = True
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    async def news(self, seconds: float) -> bool:
        """Wait for news, so long at most. Whether there is any."""
        if not self._told:
            # Cheaper than an event and a time-out: with hundreds of followers this is what a move costs.
            loop = asyncio.get_running_loop()
            self._waiting = waiting = loop.create_future()
            patience = loop.call_later(seconds, _give_up, waiting)
            try:
                await waiting
            finally:
                patience.cancel()
                self._waiting = None
        told, self._told = self._told, False
        return told


def _give_up(waiting: asyncio.Future[None]) -> None:
    if not waiting.done():
        waiting.set_result(None)


class StreamsExhausted(Exception):
    """There are as many followers as this process has room for."""


class TooManyStreams(Exception):
    """The caller follows as much as anybody may, or all at his address together do."""


class Share:
    """What anybody may take at once: `most`, and no more. `refusal` tells whoever wants it all the same."""

    def __init__(self, most: int, refusal: str) -> None:
        self._most = most
        self._refusal = refusal
        self._taken = Counter[str]()

    @contextmanager
    def one(self, who: str) -> Iterator[None]:
        """Taken until it is given back. Raises `TooManyStreams`."""
        if self._taken[who] >= self._most:
            raise TooManyStreams(self._refusal.format(self._most))
        self._taken[who] += 1
        try:
            yield
        finally:
            self._taken[who] -= 1
            if not self._taken[who]:
                del self._taken[who]


class Subscriptions:
    """Who follows what in this process: `room` followers at most. A game goes by its id.

    `each` of a player, or of an address where nobody is signed in; `together` of an address, whoever follows there.
    """

    def __init__(self, room: int = 10_000, each: int = 500, together: int = 2_000) -> None:
        self._room = room
        self._callers = Share(each, "You have {} streams open; close one first.")
        # Who may follow as much alone may do so from somewhere.
        self._addresses = Share(max(each, together), "There are {} streams open at your address; close one first.")
        self._followers: dict[str, set[Subscription]] = {}
        self.busy = asyncio.Event()
        """Set while anything is followed."""
        self.open = 0
        """How many followers there are."""
        self.delivered = 0
        """How many events have been sent to them."""

    @contextmanager
    def following(self, what: str, player: str | None, address: str) -> Iterator[Subscription]:
        """A follower, for as long as he follows. Read on once you have him: news from before is not told.

        Raises `TooManyStreams` and `StreamsExhausted`.
        """
        with self._callers.one(budget_key(player, address)), self._addresses.one(address):
            if self.open >= self._room:
                raise StreamsExhausted
            follower = Subscription()
            self._followers.setdefault(what, set()).add(follower)
            self.busy.set()
            self.open += 1
            try:
                yield follower
            finally:
                self.open -= 1
                self._leave(what, follower)

    def _leave(self, what: str, follower: Subscription) -> None:
        others = self._followers[what]
        others.discard(follower)
        if not others:
            del self._followers[what]
        if not self._followers:
            self.busy.clear()

    def tell(self, what: str) -> None:
        """There is news, and it can be read in this process by now."""
        for follower in self._followers.get(what, ()):
            follower.tell()

    @property
    def followed(self) -> Set[str]:
        """What somebody follows."""
        return self._followers.keys()
