"""Fair shares: whose delivery is attempted next, and how many attempts each owner of webhooks may have at a time.

No receiver is worth more than another, and none can be trusted to be fast. So

* a place that becomes free goes to the owner with the fewest attempts in progress; among equals, to the one who had
  none for the longest time;
* an attempt that lasts longer than `SLOW` seconds leaves its place to others, and makes its owner slow, for ten times
  as long as it lasted. Slow owners have places of their own, and one attempt at a time;
* a webhook whose last attempt failed has one attempt at a time, and pauses, twice as long after each further failure.

This knows no database, no network and no task.
"""

import heapq
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable
from itertools import count
from time import monotonic
from typing import NamedTuple

from domain.player import is_site

MAX_QUICK = 64
"""Attempts that have lasted less than `SLOW` seconds."""
MAX_SLOW = 64
"""Attempts of owners who were slow when they began."""
MAX_OPEN = 512
"""All attempts in progress."""
MAX_OF_HOOK = 4
"""Of these, to one webhook."""
MAX_OF_PLAYER = 4
"""Of these, of one player."""
MAX_OF_SITE = 16
"""Of these, of an integrating site."""

SLOW = 1.0
"""Seconds after which an attempt is slow."""
PENALTY = 10
"""For how many times as long its owner stays slow."""
FIRST_PAUSE = 1.0
"""Seconds for which a webhook pauses after two failures in a row. Each further one doubles them."""
LONGEST_PAUSE = 300.0
MAX_KEPT = 10_000
"""Owners who are remembered though nothing of theirs is in progress."""


class Candidate(NamedTuple):
    """A webhook to which something is due. `ping`: its owner wants to know whether it works again."""

    owner: str
    hook: str
    ping: bool = False


class Attempt:
    """An attempt in progress. `is_slow`: its owner was slow when it began."""

    __slots__ = ("hook", "is_slow", "owner", "since")

    def __init__(self, owner: str, hook: str, since: float, *, is_slow: bool) -> None:
        self.owner, self.hook, self.since, self.is_slow = owner, hook, since, is_slow


class Pause(NamedTuple):
    """How often in a row a webhook has failed, and until when it pauses."""

    failures: int
    until: float


class Shares:
    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._open = set[Attempt]()
        self._paused = dict[str, Pause]()
        """The webhooks whose last attempt failed."""
        self._slow_until = dict[str, float]()
        """Owners who are slow."""
        self._begun = dict[str, int]()
        """The number of the last attempt of each owner."""
        self._numbers = count(1)

    @property
    def open(self) -> int:
        return len(self._open)

    @property
    def troubled(self) -> int:
        """Webhooks whose last attempt failed."""
        return len(self._paused)

    def choose(self, candidates: Iterable[Candidate]) -> Counter[str]:
        """How many attempts may begin now to each of these webhooks."""
        now = self._clock()
        slow_owners = self._slow_owners(now)
        of_owner, of_hook = Counter(each.owner for each in self._open), Counter(each.hook for each in self._open)
        slow = sum(each.is_slow for each in self._open)
        quick = sum(not each.is_slow and now - each.since < SLOW for each in self._open)
        waiting = defaultdict[str, deque[Candidate]](deque)
        for each in candidates:
            waiting[each.owner].append(each)
        turns = [(of_owner[owner], self._begun.get(owner, 0), owner) for owner in waiting]
        heapq.heapify(turns)
        chosen = Counter[str]()
        while turns and len(self._open) + chosen.total() < MAX_OPEN:
            _, begun, owner = heapq.heappop(turns)
            is_slow = owner in slow_owners
            if (slow >= MAX_SLOW if is_slow else quick >= MAX_QUICK) or of_owner[owner] >= _most(owner, slow=is_slow):
                continue
            if (hook := self._next(waiting[owner], of_hook, now)) is None:
                continue
            chosen[hook] += 1
            of_hook[hook] += 1
            of_owner[owner] += 1
            slow, quick = slow + is_slow, quick + (not is_slow)
            heapq.heappush(turns, (of_owner[owner], begun, owner))
        return chosen

    def begin(self, owner: str, hook: str) -> Attempt:
        now = self._clock()
        attempt = Attempt(owner, hook, now, is_slow=owner in self._slow_owners(now))
        self._open.add(attempt)
        self._begun[owner] = next(self._numbers)
        return attempt

    def end(self, attempt: Attempt, *, failed: bool | None) -> None:
        """`failed` None: nothing was sent."""
        self._open.discard(attempt)
        now = self._clock()
        lasted = now - attempt.since
        if lasted > SLOW:
            self._slow_until[attempt.owner] = max(self._slow_until.get(attempt.owner, 0), now + PENALTY * lasted)
        if failed:
            failures = self._paused[attempt.hook].failures + 1 if attempt.hook in self._paused else 1
            pause = min(FIRST_PAUSE * 2 ** min(failures - 2, 20), LONGEST_PAUSE) if failures > 1 else 0
            self._paused[attempt.hook] = Pause(failures, now + pause)
        elif failed is not None:
            self._paused.pop(attempt.hook, None)
        if len(self._begun) > MAX_KEPT:
            open_ = {each.owner for each in self._open}
            self._begun = {owner: number for owner, number in self._begun.items() if owner in open_}

    def keep(self, hooks: Iterable[str]) -> None:
        known = frozenset(hooks)
        self._paused = {hook: pause for hook, pause in self._paused.items() if hook in known}

    def _slow_owners(self, now: float) -> set[str]:
        self._slow_until = {owner: until for owner, until in self._slow_until.items() if until > now}
        return self._slow_until.keys() | {each.owner for each in self._open if now - each.since >= SLOW}

    def _next(self, waiting: deque[Candidate], of_hook: Counter[str], now: float) -> str | None:
        """A webhook that may have another attempt; they take turns."""
        for _ in range(len(waiting)):
            each = waiting[0]
            waiting.rotate(-1)
            pause = self._paused.get(each.hook)
            if pause is None:
                if of_hook[each.hook] < MAX_OF_HOOK:
                    return each.hook
            elif of_hook[each.hook] < 1 and (each.ping or pause.until <= now):
                return each.hook
        return None


def _most(owner: str, *, slow: bool) -> int:
    """Attempts at the same time."""
    if slow:
        return 1
    return MAX_OF_SITE if is_site(owner) else MAX_OF_PLAYER
