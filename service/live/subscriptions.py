"""Live subscriptions of this process: wakes subscribers when there is something new to read.

A notification carries no data. Subscribers keep their own position in the log and read on from there. So nothing is
buffered for a slow reader, and a subject without subscribers costs nothing.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Set
from contextlib import contextmanager
from typing import Protocol

from service.live.network import budget_key
from service.live.shares import NoPlace, Shares
from service.live.slices import SLICE, Slices
from service.log.errors import Unavailable

LOBBY_SUBJECT = "lobby"
"""The subject of the lobby. The subject of a game is its id; all others have a colon."""


PLAYER = "player:"


def player_subject(player: str) -> str:
    """The subject of a player: notified when the player has taken a seat."""
    return PLAYER + player


def is_game(subject: str) -> bool:
    return subject != LOBBY_SUBJECT and ":" not in subject


class Subscriber(Protocol):
    def notify(self) -> None:
        """There may be something new. Returns quickly: an append waits for it."""


class Stream(Protocol):
    def give_way(self) -> None:
        """End soon: a stream of a smaller network has got the place."""


class CountedSubscriber(Subscriber, Stream, Protocol):
    """A subscriber that counts as a stream."""


class Subscription:
    """Waits for notifications of one subject. A notification between two calls of `wait` ends the second at once."""

    __slots__ = ("_gives_way", "_notified", "_waiting")

    def __init__(self) -> None:
        self._gives_way = False
        self._notified = False
        self._waiting: asyncio.Future[None] | None = None

    def notify(self) -> None:
        self._notified = True
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    def give_way(self) -> None:
        self._gives_way = True
        self.notify()

    async def wait(self, seconds: float) -> bool:
        """Wait for a notification. False if there was none within this time. Raises `Unavailable` if the stream has to
        give way."""
        if not self._notified:
            # Cheaper than an event and a time-out. With hundreds of subscribers this is what a move costs.
            loop = asyncio.get_running_loop()
            self._waiting = waiting = loop.create_future()
            timer = loop.call_later(seconds, _time_out, waiting)
            try:
                await waiting
            finally:
                timer.cancel()
                self._waiting = None
        notified, self._notified = self._notified, False
        if self._gives_way:
            raise Unavailable("the stream gives way to one of a smaller network")
        return notified


def _time_out(waiting: asyncio.Future[None]) -> None:
    if not waiting.done():
        waiting.set_result(None)


class StreamsExhausted(Exception):
    """The process has reached its limit of streams, and no network has so many that one of them gives way."""


class TooManyStreams(Exception):
    """The caller, or all callers at their address together, have reached their limit of streams."""


class Quota:
    """Limits the streams that are open under one key. `message` is the error text; `{}` in it is the limit."""

    def __init__(self, limit: int, message: str) -> None:
        self._limit = limit
        self._message = message
        self._open = Counter[str]()

    def check(self, key: str) -> None:
        """Raises `TooManyStreams` if the key cannot have another stream."""
        if self._open[key] >= self._limit:
            raise TooManyStreams(self._message.format(self._limit))

    def add(self, key: str) -> None:
        self._open[key] += 1

    def remove(self, key: str) -> None:
        self._open[key] -= 1
        if not self._open[key]:
            del self._open[key]


class Subscriptions:
    """All subscriptions of this process, by subject, and their limits.

    `most` streams in the process: then the largest network gives way (see `Shares`). `per_caller` streams of a player,
    or of an address for callers without a token; `per_address` of an address, for all callers there together.
    """

    def __init__(self, most: int = 10_000, per_caller: int = 500, per_address: int = 2_000) -> None:
        self._shares = Shares[Stream](most)
        self._slices = Slices()
        self._callers = Quota(per_caller, "You have {} streams open; close one first.")
        # An address may open at least as many streams as a single caller.
        self._addresses = Quota(
            max(per_caller, per_address), "There are {} streams open at your address; close one first."
        )
        self._by_subject: dict[str, set[Subscriber]] = {}
        self.delivered = 0
        """Events that were sent to subscribers. The streams count them."""
        self.announced = 0
        """How often the projections have changed."""
        self.on_begin: Callable[[str], object] = lambda _: None
        """Called with a subject that gets its first subscriber."""
        self.on_end: Callable[[str], object] = lambda _: None
        """Called with a subject that has lost its last subscriber."""

    @property
    def open(self) -> int:
        """Number of open streams: subscriptions, and play channels, also those that follow nothing."""
        return len(self._shares)

    @contextmanager
    def subscribe(self, subject: str, player: str | None, address: str) -> Iterator[Subscription]:
        """A subscription while the context is open.

        Read once after subscribing: there is no notification for what happened before. Raises `TooManyStreams` and
        `StreamsExhausted`.
        """
        subscription = Subscription()
        self.add(subject, subscription, player, address)
        try:
            yield subscription
        finally:
            self.remove(subject, subscription, player, address)

    def add(self, subject: str, subscriber: CountedSubscriber, player: str | None, address: str) -> Set[Subscriber]:
        """Subscribe until `remove` is called with the same arguments. Raises as `subscribe` does.

        Returns the subscribers of the subject, which follows later changes until then.
        """
        self.check(player, address)
        self.count(subscriber, player, address)
        return self.watch(subject, subscriber)

    def remove(self, subject: str, subscriber: CountedSubscriber, player: str | None, address: str) -> None:
        self.discount(subscriber, player, address)
        self.unwatch(subject, subscriber)

    def check(self, player: str | None, address: str) -> None:
        """Raises as `subscribe` does if the caller cannot have another stream."""
        self._callers.check(budget_key(player, address))
        self._addresses.check(address)
        try:
            self._shares.check(address)
        except NoPlace:
            raise StreamsExhausted from None

    def count(self, stream: Stream, player: str | None, address: str) -> None:
        """Count a stream that `check` has admitted, until `discount` is called with the same arguments."""
        evicted = None
        try:
            evicted = self._shares.take(address, stream)
        except NoPlace:  # others came between the check and this
            self._shares.add(address, stream)
        self._callers.add(budget_key(player, address))
        self._addresses.add(address)
        if evicted is not None:
            evicted.give_way()

    def discount(self, stream: Stream, player: str | None, address: str) -> None:
        self._callers.remove(budget_key(player, address))
        self._addresses.remove(address)
        self._shares.remove(stream)

    def hand_over(self, address: str, player: str) -> None:
        """Count a stream of a caller without a token for this player from now on. Raises `TooManyStreams`."""
        caller = budget_key(player, address)
        self._callers.check(caller)
        self._callers.add(caller)
        self._callers.remove(budget_key(None, address))

    def watch(self, subject: str, subscriber: Subscriber) -> Set[Subscriber]:
        """Subscribe until `unwatch` is called with the same arguments, as part of a stream that `add` has counted.
        Returns as `add`."""
        subscribers = self._by_subject.get(subject)
        if subscribers is None:
            subscribers = self._by_subject[subject] = set()
            self.on_begin(subject)
        subscribers.add(subscriber)
        return subscribers

    def unwatch(self, subject: str, subscriber: Subscriber) -> None:
        others = self._by_subject[subject]
        others.discard(subscriber)
        if not others:
            del self._by_subject[subject]
            self.on_end(subject)

    def followers(self, subject: str) -> int:
        """Number of subscribers of this subject."""
        return len(self._by_subject.get(subject, ()))

    def notify(self, subject: str) -> None:
        """Wake the subscribers of this subject; many of them in slices. This process must be able to read what is new
        by now."""
        self.wake(self._by_subject.get(subject, ()))

    def wake(self, subscribers: Collection[Subscriber]) -> None:
        """The same for these subscribers."""
        if len(subscribers) > SLICE:
            self._slices.add(subscribers)
        else:
            for subscription in subscribers:
                subscription.notify()

    def announce(self, subjects: Iterable[str]) -> None:
        """The same for subjects that the projections have changed."""
        self.announced += 1
        for subject in subjects:
            self.notify(subject)

    @property
    def subjects(self) -> Set[str]:
        return self._by_subject.keys()
