"""How many requests somebody may make (GCRA: a steady rate, with a burst in front)."""

import time
from collections import OrderedDict
from typing import NamedTuple


class Verdict(NamedTuple):
    """Whether a request may pass; times in seconds."""

    allowed: bool
    remaining: int
    retry_after: float
    reset_after: float


class RateLimit:
    """`rate` requests a second for each identity, `burst` of them at once. Knows the latest `size` identities."""

    def __init__(self, rate: float, burst: int, size: int = 100_000) -> None:
        self.burst = burst
        self._interval = 1 / rate
        self._tolerance = burst / rate
        self._size = size
        self._full_again: OrderedDict[str, float] = OrderedDict()

    def ask(self, identity: str) -> Verdict:
        """Count a request of the identity, if it may pass."""
        now = time.monotonic()
        full_again = max(self._full_again.get(identity, now), now)
        after = full_again + self._interval - now
        if after > self._tolerance:
            return Verdict(False, 0, after - self._tolerance, full_again - now)
        self._full_again[identity] = now + after
        self._full_again.move_to_end(identity)
        if len(self._full_again) > self._size:
            self._full_again.popitem(last=False)
        return Verdict(True, int((self._tolerance - after) / self._interval), 0.0, after)


def rate_limit(setting: str) -> RateLimit | None:
    """From the setting's text: `off`, a rate, or `rate/burst`."""
    if setting == "off":
        return None
    rate, _, burst = setting.partition("/")
    return RateLimit(float(rate), int(burst or max(1, float(rate))))
