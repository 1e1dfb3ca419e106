"""Who is at a table: the seats whose players are connected, how many watch, and the phrases that they say.

All of it is about the followers of a game's events, in all processes; it belongs to no version of a game and is stored
nowhere. With Redis the processes tell each other who follows there, over one channel; each forgets what another process
has not repeated for a while. Without Redis every process knows its own followers only.
"""

import asyncio
import logging
import uuid
from collections import deque
from collections.abc import Callable, Collection
from functools import cached_property, partial
from typing import Any, NamedTuple

from domain.ruleset import Seat
from service.channel.company import Follower
from service.clock import text_of, wall_clock
from service.extensions.crowds import messages
from service.tasks import background, end
from service.versions import Lines

log = logging.getLogger(__name__)

CHANNEL = "presence"
DELAY = 0.3
"""Seconds for which changes are collected before they are reported."""
REPEAT = 20.0
"""Seconds after which a process repeats who follows there."""
EXPIRY = 3 * REPEAT
"""Seconds after which the followers of another process are forgotten."""


PHRASES, MINUTE = 5, 60.0
"""Phrases of a seat in this number of seconds. Every process hears all, also those that others have passed on."""


class There(NamedTuple):
    """The followers of a game: how many have no seat, and the seats of the others."""

    watchers: int = 0
    seats: frozenset[Seat] = frozenset()


NOBODY = There()


class Presence:
    """The followers by game, between `start` and `stop`. `on_change` receives the id of a game that is followed here
    and whose followers may have changed."""

    def __init__(self, lines: Lines | None = None) -> None:
        self._lines = lines
        self._followers: dict[str, dict[Follower, Collection[Seat]]] = {}
        """By game: the followers here with their seats."""
        self._elsewhere: dict[str, dict[str, tuple[There, float]]] = {}
        """By game and process: its followers, and when they expire."""
        self._away: dict[str, dict[Seat, int]] = {}
        """By game that is followed here: since when seats have been without a follower that had one."""
        self._said: dict[tuple[str, Seat], deque[float]] = {}
        """By game and seat: when it said something in the last minute."""
        self._order = deque[tuple[float, tuple[str, Seat]]]()
        """The same of all seats, the earliest first."""
        self._due: dict[str, asyncio.TimerHandle] = {}
        """By game: the report that is due."""
        self._tasks: list[asyncio.Task[None]] = []
        self.on_change: Callable[[str], None] = lambda _: None

    @cached_property
    def _process(self) -> str:
        """The id of this process, chosen after the fork."""
        return uuid.uuid4().hex

    def start(self) -> None:
        if self._lines is not None:
            self._tasks.append(background("presence_channel", partial(self._listen, self._lines)))
            self._tasks.append(background("presence_repeat", self._repeat))

    async def stop(self) -> None:
        for timer in self._due.values():
            timer.cancel()
        for task in self._tasks:
            await end(task)

    def there(self, game: str) -> There:
        """Who follows the game, as far as this process knows. Exact for games that are followed here."""
        found = [self._here(game), *(there for there, _ in self._elsewhere.get(game, {}).values())]
        return There(sum(each.watchers for each in found), frozenset().union(*(each.seats for each in found)))

    def away(self, game: str) -> dict[Seat, int]:
        """The seats that had a follower and have none now, with the microseconds from 1970 at which they lost
        it. Known for as long as the game is followed here."""
        return self._away.get(game, {})

    def report(self, name: str, game: str) -> messages.Presence:
        there = self.there(game)
        away = tuple([messages.Away(seat, text_of(at)) for seat, at in sorted(self.away(game).items())])
        return messages.Presence(name, there.watchers, tuple(sorted(there.seats)), away)

    def follow(self, game: str, follower: Follower, seats: Collection[Seat]) -> None:
        """Count a follower with these seats, until `unfollow`. It can be repeated with other seats."""
        before = self.there(game).seats
        if game not in self._followers:
            self._followers[game] = {}
            self._tell(game, "?")
        self._followers[game][follower] = seats
        self._changed(game, before)

    def unfollow(self, game: str, follower: Follower) -> None:
        before, known = self.there(game).seats, self._followers[game]
        del known[follower]
        self._changed(game, before)
        if not known:
            del self._followers[game]
            self._elsewhere.pop(game, None)
            self._away.pop(game, None)

    def say(self, game: str, seat: Seat, phrase: Any) -> float:
        """Pass a phrase on to all followers of the game; it is recorded nowhere. Returns 0, or the seconds after which
        the seat may say something again: then nothing was passed on."""
        self._forget_phrases()
        said = self._said.get((game, seat))
        if said is not None and len(said) >= PHRASES:
            return said[0] + MINUTE - asyncio.get_running_loop().time()
        self._tell(game, f"!{seat},{phrase}")
        self._spoken(game, seat, phrase)
        return 0.0

    def _forget_phrases(self) -> None:
        latest = asyncio.get_running_loop().time() - MINUTE
        while self._order and self._order[0][0] <= latest:
            _, key = self._order.popleft()
            self._said[key].popleft()
            if not self._said[key]:
                del self._said[key]

    def _spoken(self, game: str, seat: Seat, phrase: Any) -> None:
        self._forget_phrases()
        now, key = asyncio.get_running_loop().time(), (game, seat)
        self._said.setdefault(key, deque()).append(now)
        self._order.append((now, key))
        for follower in tuple(self._followers.get(game, ())):
            follower.hear(seat, lambda name: messages.Phrase(name, seat, phrase))

    def _here(self, game: str) -> There:
        followers = self._followers.get(game, {}).values()
        return There(sum(not seats for seats in followers), frozenset().union(*followers))

    def _changed(self, game: str, before: frozenset[Seat]) -> None:
        """Report a change here soon, to the followers here and to the other processes."""
        self._note(game, before)
        if game not in self._due:
            self._due[game] = asyncio.get_running_loop().call_later(DELAY, self._report, game)

    def _report(self, game: str) -> None:
        del self._due[game]
        self._tell(game, _line(self._here(game)))
        self.on_change(game)

    def _note(self, game: str, before: frozenset[Seat]) -> None:
        """Note which of the seats that had a follower before have none now."""
        seats, away = self.there(game).seats, self._away.setdefault(game, {})
        for seat in before - seats:
            away[seat] = wall_clock()
        for seat in seats & away.keys():
            del away[seat]

    # --- other processes ---

    def _tell(self, game: str, what: str) -> None:
        if self._lines is not None:
            self._lines.publish(CHANNEL, f"{self._process} {game} {what}".encode())

    async def _listen(self, lines: Lines) -> None:
        async for heard in lines.listen(CHANNEL):
            if heard is None:  # some may have been lost
                for game in self._followers:
                    self._tell(game, "?")
                self._tell_all()
                continue
            for line in heard:
                self._heard(line)

    def _heard(self, line: bytes) -> None:
        try:
            process, game, what = line.decode().split(" ")
            if process == self._process:
                return
            if what == "?":
                if (here := self._here(game)) != NOBODY and game not in self._due:
                    self._tell(game, _line(here))
            elif what.startswith("!"):
                seat, _, phrase = what[1:].partition(",")
                self._spoken(game, int(seat), phrase)
            elif game in self._followers:
                self._told(game, process, _read(what))
        except ValueError:
            log.warning("the channel of presence had a line that is none: %r", line[:100])

    def _told(self, game: str, process: str, there: There) -> None:
        before = self.there(game)
        known = self._elsewhere.setdefault(game, {})
        known.pop(process, None)
        if there != NOBODY:
            known[process] = there, asyncio.get_running_loop().time() + EXPIRY
        if self.there(game) != before:
            self._note(game, before.seats)
            self.on_change(game)

    def _tell_all(self) -> None:
        for game in self._followers:
            self._tell(game, _line(self._here(game)))

    async def _repeat(self) -> None:
        while True:
            await asyncio.sleep(REPEAT)
            self._tell_all()
            self._forget(asyncio.get_running_loop().time())

    def _forget(self, now: float) -> None:
        """Forget the followers that processes do not repeat: they have ended."""
        for game, known in self._elsewhere.items():
            before = self.there(game).seats
            expired = [process for process, (_, expires) in known.items() if expires < now]
            for process in expired:
                del known[process]
            if expired:
                self._note(game, before)
                self.on_change(game)


def _line(there: There) -> str:
    """`2:0,3`: two watch, and the players of seats 0 and 3 are there."""
    return f"{there.watchers}:{','.join(map(str, sorted(there.seats)))}"


def _read(line: str) -> There:
    """Raises `ValueError`."""
    watchers, colon, seats = line.partition(":")
    if not colon:
        raise ValueError(line)
    return There(int(watchers), frozenset(int(seat) for seat in seats.split(",") if seat))
