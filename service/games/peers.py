"""Keeps the games that are followed in this process up to date with what other processes append.

With a listener each append arrives as a message with its rows, so nothing is read for it. A game whose message does
not fit is read from the log. When subscriptions begin, also after a connection was lost, the last versions of their
games are read with one statement. Without a listener this is done once a second for everything that is followed.
"""

import asyncio
import logging
from collections.abc import Iterable

from service.games.games import Games
from service.live.subscriptions import Subscriptions, is_game
from service.log.errors import Unavailable
from service.log.game_log import GameLog
from service.tasks import background, end, wait_for
from service.versions import Listening, Versions

log = logging.getLogger(__name__)

POLL_INTERVAL = 1.0
"""Seconds between two looks at the log without a listener."""
BATCH_SIZE = 5_000
"""Games whose versions one statement reads at most."""


class Peers:
    """Follows the other processes from `start` to `stop`. `version_cache` and `listener`: if
    processes share more than the log."""

    def __init__(
        self, store: GameLog, games: Games, subscriptions: Subscriptions, version_cache: Versions | None = None,
        listener: Listening | None = None,
    ) -> None:  # fmt: skip
        self._store = store
        self._games = games
        self._subscriptions = subscriptions
        self._version_cache = version_cache
        self._listener = listener
        self._seen: dict[str, int] = {}
        """The last known versions of followed games that are not in memory."""
        self._unsure = set[str]()
        """Games whose versions have to be read."""
        self._behind: dict[str, int] = {}
        """Games whose log has to be read, with the version that it has at least."""
        self._work = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        listener, subscriptions = self._listener, self._subscriptions
        if listener is not None:
            listener.on_message, listener.on_begin = self._on_message, self._on_begin
            subscriptions.on_begin = listener.follow
            for subject in subscriptions.subjects:
                listener.follow(subject)
            listener.start()
        subscriptions.on_end = self._on_end
        self._task = background("peers", self._run)

    async def stop(self) -> None:
        if self._listener is not None:
            await self._listener.stop()
        if self._task is not None:
            await end(self._task)

    @property
    def heard(self) -> bool:
        """Whether messages of other processes arrive."""
        return self._listener is not None and self._listener.connected

    def doubt(self) -> None:
        """Compare everything that is followed with the log."""
        self._unsure.update(filter(is_game, self._subscriptions.subjects))
        self._work.set()

    def _on_end(self, subject: str) -> None:
        self._seen.pop(subject, None)
        if self._listener is not None:
            self._listener.unfollow(subject)

    def _on_begin(self, subjects: Iterable[str]) -> None:
        """What was appended before may have been missed."""
        for subject in subjects:
            if is_game(subject):
                self._unsure.add(subject)
            else:
                self._subscriptions.announce([subject])
        self._work.set()

    def _on_message(self, subject: str, message: bytes) -> None:
        news = None if self._version_cache is None else self._version_cache.news(message)
        if news is None:
            return
        if not news.version:
            self._subscriptions.announce([subject])
            return
        try:
            if self._games.hear(subject, news):
                return
        except Exception as error:  # a newer release may append events that this one cannot read
            log.warning("news of %s cannot be read: %s", subject, error)
        self._behind[subject] = max(news.version, self._behind.get(subject, 0))
        self._work.set()

    async def _run(self) -> None:
        while True:
            await wait_for(self._work, POLL_INTERVAL)
            self._work.clear()
            if not self.heard:
                self.doubt()
                self._work.clear()
            try:
                await self._check()
                behind, self._behind = self._behind, {}
                await asyncio.gather(*[self._refresh(*each) for each in behind.items()])
            except Exception as error:
                expected = isinstance(error, Unavailable)
                log.warning(
                    "appends of other processes cannot be read: %s", error, exc_info=None if expected else error
                )
                await asyncio.sleep(POLL_INTERVAL)
                self.doubt()

    async def _check(self) -> None:
        """Compare the versions of games with the log. Raises `Unavailable`."""
        unsure, self._unsure = sorted(self._unsure & self._subscriptions.subjects), set()
        for first in range(0, len(unsure), BATCH_SIZE):
            some = unsure[first : first + BATCH_SIZE]
            for game_id, version in zip(some, await self._store.versions(some), strict=True):
                known = self._games.version(game_id) or self._seen.get(game_id, 0)
                if known < version or self._games.is_outdated(game_id):
                    self._seen[game_id] = version
                    self._behind[game_id] = max(version, self._behind.get(game_id, 0))

    async def _refresh(self, game_id: str, version: int) -> None:
        """Raises `Unavailable`."""
        try:
            await self._games.refresh(game_id, version)
        except Unavailable:
            raise
        except Exception as error:  # affects this game only: a newer release may write events that this one cannot read
            log.warning("the log of %s cannot be read: %s", game_id, error)
