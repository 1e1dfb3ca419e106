"""Notifies many subscribers in slices, with other work between."""

import asyncio
from collections import OrderedDict
from collections.abc import Iterable
from typing import Protocol

SLICE = 4
"""Subscribers that are notified before other work gets its turn. What they do takes a millisecond."""

SHARE = 1 / 10
"""The share of the time in which subscribers are notified, if there is always one who has to be."""

BURST = 0.1
"""Seconds of that in advance: a single append to a game with hundreds of followers reaches them without a pause."""

STEP = 0.002
"""The same after a pause."""


class Notified(Protocol):
    def notify(self) -> None:
        """There may be something new."""


class Slices:
    """A subscriber that waits for its slice is notified once, however often it is added: so those who cause more
    notifications than there is time for make them later, not more."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[Notified, None] = OrderedDict()
        self._scheduled = False
        self._credit = BURST
        self._until = 0.0
        """The time up to which the credit is counted."""

    def add(self, subscribers: Iterable[Notified]) -> None:
        self._waiting.update(dict.fromkeys(subscribers))
        if not self._scheduled and self._waiting:
            self._scheduled = True
            loop = asyncio.get_running_loop()
            now = loop.time()
            self._credit = min(BURST, self._credit + (now - self._until) * SHARE)
            self._until = now
            loop.call_soon(self._run)

    def _run(self) -> None:
        """Notify a slice. All that happens until the next run counts as its work: other work has to be done, too."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        self._credit -= (now - self._until) * (1 - SHARE)
        self._until = now
        if not self._waiting:
            self._scheduled = False
        elif self._credit <= 0:
            pause = (STEP - self._credit) / SHARE
            self._credit, self._until = STEP, now + pause
            loop.call_later(pause, self._run)
        else:
            for _ in range(min(SLICE, len(self._waiting))):
                self._waiting.popitem(last=False)[0].notify()
            loop.call_soon(self._run)
