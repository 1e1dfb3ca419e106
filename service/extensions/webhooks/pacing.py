"""How often the service connects to an address on behalf of owners who have not shown that it is theirs.

Anybody can let any number of names lead to one address, so addresses count and not names: an IPv4 address, or the /64
network of an IPv6 address. Always paced are pings. Deliveries are paced if they lead to an address that has not
answered this name with 2xx before, while such deliveries to this address fail: the name led elsewhere when it was
pinged.
"""

from collections import OrderedDict
from collections.abc import Callable
from time import monotonic
from typing import TypeVar

from service.live.network import network

K = TypeVar("K")

PAUSE = 0.25
"""Seconds between two connections to an address that are paced."""
LATE = 0.5
"""Seconds for which a turn can be taken; then it is lost. So turns that nobody took do not add up."""
PROVEN = 3600.0
"""Seconds for which a 2xx shows that an address belongs to a name."""
SUSPECT = 600.0
"""Seconds for which a failure makes an address one of which that has to be shown."""
MAX_KEPT = 10_000
"""Entries of each kind in memory at most; the oldest go first."""


class Postponed(Exception):
    """No connection may begin before `seconds` have passed. The delivery has a turn then, which it takes by its id."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"postponed for {seconds:.2f} s")
        self.seconds = seconds


class Pace:
    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._free = OrderedDict[str, float]()
        """When the first turn is that nobody has."""
        self._turns = OrderedDict[tuple[str, str], float]()
        """When it is whose turn: the delivery's and the address's."""
        self._proven = OrderedDict[tuple[str, str], float]()
        """Until when each pair of name and address is proven."""
        self._suspect = OrderedDict[str, float]()

    def begin(self, host: str, address: str, delivery: str, *, ping: bool) -> None:
        """Begin a connection. Raises `Postponed`."""
        now, unit = self._clock(), network(address)
        if not ping and (self._proven.get((host, address), 0) > now or self._suspect.get(unit, 0) <= now):
            return
        turn = self._turns.pop((delivery, unit), None)
        if turn is None or now > turn + LATE:
            turn = max(now, self._free.get(unit, 0))
            _put(self._free, unit, turn + PAUSE)
        if turn > now:
            _put(self._turns, (delivery, unit), turn)
            raise Postponed(turn - now)

    def end(self, host: str, address: str, *, ping: bool, succeeded: bool) -> None:
        """A connection has ended, with 2xx or not."""
        now = self._clock()
        if succeeded:
            _put(self._proven, (host, address), now + PROVEN)
        elif not ping and self._proven.get((host, address), 0) <= now:
            _put(self._suspect, network(address), now + SUSPECT)


def _put(kept: OrderedDict[K, float], key: K, value: float) -> None:
    kept[key] = value
    kept.move_to_end(key)
    if len(kept) > MAX_KEPT:
        kept.popitem(last=False)
