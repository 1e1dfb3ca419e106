"""A runner for bots: takes open seats, plays all games of its player, and goes on after every interruption."""

import asyncio
import logging
import os
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import models
from .client import AsyncClient
from .errors import NoAnswer, Problem, Unsealed
from .problems import (
    Forbidden,
    IdempotencyKeyReused,
    IllegalMove,
    NotFound,
    NotRunning,
    OutOfTime,
    StaleDecision,
    Unauthenticated,
)
from .ruleset import Json
from .table import OVER, AsyncTable

log = logging.getLogger("stammtisch.bot")

SEEK_INTERVAL = 2.0
"""Seconds between two looks into the lobby."""
RETRY_INTERVAL = 5.0
"""Seconds before a game is taken up again whose messages made no sense, for example of a restored service."""
CHANGED = (StaleDecision, IllegalMove, IdempotencyKeyReused, NotRunning)
"""Answers to a move that came too late: the table has changed, and tells by itself what comes next."""

JsonTable = AsyncTable[models.Game, Json, Json, models.EventItem]


@dataclass(frozen=True, slots=True)
class Choice:
    """What a bot chooses from, as the service sent it."""

    ruleset: str
    game: str
    view: Json
    """The table as the bot sees it."""
    seat: int
    legal_moves: list[Json]
    seen: list[Json]
    """All events so far, as the bot may see them."""


Choose = Callable[[Choice], int]
"""A bot: from what it sees to the index of a legal move."""


class Bot:
    """Plays with `choose` for the player of the client.

    * `rulesets`: those whose open seats are taken; none: all.
    * `games`: how many games are played at once. Games in which the player sits already are always played.
    * `total`: how many games are played before `run` returns; None: it never does.
    """

    def __init__(
        self, client: AsyncClient, choose: Choose, *, rulesets: Collection[str] = (), games: int = 1,
        total: int | None = None,
    ) -> None:  # fmt: skip
        self._client = client
        self._choose = choose
        self._rulesets = frozenset(rulesets)
        self._games = games
        self._total = total
        self._playing: dict[str, asyncio.Task[None]] = {}
        self._over: set[str] = set()  # a message about a turn can come after the end of its game
        self._player = ""
        self._done = asyncio.Event()
        self.results: list[models.Game] = []
        """The games that are over."""

    async def run(self) -> None:
        """Play until `total` games are over. Raises what `choose` raises, and `Unauthenticated`."""
        self._player = (await self._client.me()).id
        try:
            async with asyncio.TaskGroup() as group:
                seeking = [group.create_task(self._seek(group)), group.create_task(self._follow(group))]
                await self._done.wait()
                for task in (*seeking, *self._playing.values()):
                    task.cancel()
        except BaseExceptionGroup as failures:
            raise failures.exceptions[0] from None

    # --- finding games ---

    async def _follow(self, group: asyncio.TaskGroup) -> None:
        """Play every game in which the player must act, also those that somebody else has seated them at."""
        async for table in self._client.tables_to_play():
            self._play(group, table)

    async def _seek(self, group: asyncio.TaskGroup) -> None:
        """Take up the games of before, then free seats."""
        for status in ("waiting", "running"):
            async for game in self._client.games(player=self._player, status=status):
                if self._player in _players(game):
                    self._play(group, self._client.table(game.ruleset, game.id))
        while True:
            if self._has_room():
                await self._take_seats(group)
            await asyncio.sleep(SEEK_INTERVAL)

    def _has_room(self) -> bool:
        """Whether another game may be begun."""
        begun = len(self._playing) + len(self.results)
        return len(self._playing) < self._games and (self._total is None or begun < self._total)

    async def _take_seats(self, group: asyncio.TaskGroup) -> None:
        for invited in (True, False):
            async for game in self._client.games(status="waiting", open=not invited, invited=invited):
                if not self._has_room():
                    return
                if self._player in _players(game) or (self._rulesets and game.ruleset not in self._rulesets):
                    continue
                table = self._client.table(game.ruleset, game.id)
                with suppress(Problem):  # somebody else was faster, or a limit is reached
                    await table.sit()
                    self._play(group, table)

    # --- playing ---

    def _play(self, group: asyncio.TaskGroup, table: JsonTable) -> None:
        if table.name not in self._playing and table.name not in self._over:
            task = self._playing[table.name] = group.create_task(self._play_to_the_end(table))
            task.add_done_callback(lambda _: self._playing.pop(table.name, None))

    async def _play_to_the_end(self, table: JsonTable) -> None:
        log.info("%s: playing", table.name)
        while True:
            try:
                await self._play_turns(table)
                game = await table.game()
            except Unauthenticated:
                raise
            except (Forbidden, NotFound, Unsealed) as problem:
                log.warning("%s: %s", table.name, problem)
                return
            except (Problem, NoAnswer) as problem:
                log.warning("%s: %s; trying again", table.name, problem)
                await asyncio.sleep(RETRY_INTERVAL)
                continue
            if game.status in OVER:
                log.info("%s: %s %s", table.name, game.status, game.result and game.result.scores)
                self._over.add(table.name)
                self.results.append(game)
                if len(self.results) == self._total:
                    self._done.set()
                return

    async def _play_turns(self, table: JsonTable) -> None:
        seen: list[Json] = []
        async for turn in table.turns():
            raw = turn.raw
            seen += raw["events"]
            if not seen or seen[0]["version"] > 1:
                seen = [item for item in await table.history() if item["version"] <= turn.version]
            choice = Choice(table.ruleset.name, table.id, raw["view"], turn.seat or 0, raw["legal_moves"], seen)
            try:
                await turn.play(raw["legal_moves"][self._choose(choice)])
            except OutOfTime as problem:
                log.warning("%s: %s", table.name, problem)
                if problem.document.can_return:
                    await table.sit(turn.seat)
            except CHANGED as problem:
                log.debug("%s: %s", table.name, problem)


def _players(game: models.LobbyGame) -> set[str]:
    """The ids of the players who sit at the game."""
    return {seat.player.id for seat in game.seats if seat.player is not None}


async def play(
    url: str, name: str, choose: Choose, *, token: Path | str, rulesets: Collection[str] = (), games: int = 1,
    total: int | None = None,
) -> list[models.Game]:  # fmt: skip
    """Run a bot: see `Bot`. Returns the games that were played.

    `token`: the file of the player's token. Without the file a player with this name is registered, and the file is
    written: with it the bot is the same player when it runs again, and takes up its games. A file beside it, `.seed`,
    has the secret from which its entropies of sealed games follow.
    """
    file = Path(token)
    known = await asyncio.to_thread(kept, file)
    seed = await asyncio.to_thread(kept, file.with_suffix(".seed"))
    if seed is None:
        await asyncio.to_thread(keep, file.with_suffix(".seed"), seed := os.urandom(16).hex())
    async with AsyncClient(url, known, patience=None, seed=seed.encode()) as client:
        if client.token is None:
            await asyncio.to_thread(keep, file, (await client.register(name, bot=True)).token)
        bot = Bot(client, choose, rulesets=rulesets, games=games, total=total)
        await bot.run()
        return bot.results


def kept(file: Path) -> str | None:
    """The token in the file, if it exists."""
    return file.read_text().strip() if file.exists() else None


def keep(file: Path, token: str) -> None:
    """Write a token to a file that only its owner can read."""
    draft = file.with_name(f"{file.name}.{os.getpid()}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as opened:
        opened.write(token)
    draft.replace(file)


def run(name: str, choose: Choose, **how: Any) -> list[models.Game]:
    """`play` for programs without `asyncio`."""
    how.setdefault("url", os.environ.get("API", "http://127.0.0.1:8000"))
    how.setdefault("token", f"{name}.token")
    return asyncio.run(play(name=name, choose=choose, **how))
