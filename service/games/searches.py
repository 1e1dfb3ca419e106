"""Makes the choices of bots that search, in a process beside this one.

A game waits for such a bot as for a player: nothing is locked meanwhile, and other games, votes and reads go on. This
process asks about the games in which it made the latest append. If it is killed, the choice is made again wherever the
game is loaded next, or by the sweeper of deadlines. Two processes that choose at once choose the same move, and the
second append conflicts.
"""

import asyncio
import logging
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections import Counter, OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from domain import game
from domain.codec import encode
from domain.game import LIFECYCLE
from domain.game.clock import microseconds
from domain.game.commands import Choose
from domain.ruleset import Seat, Sight
from domain.searching import MOST_SEEN, Lots, best_moves, policy_of
from service.clock import wall_clock
from service.games.cached_game import PATIENCE, CachedGame
from service.games.commands import Commands
from service.games.errors import NoSuchGame, StaleDecision
from service.games.games import in_thread_if_long
from service.games.search_questions import ChoiceQuestion, table_of
from service.live.fair_queue import FairQueue, QueueFull
from service.live.network import wide_network
from service.log.errors import Unavailable
from service.paying import unpaid
from service.process import interpreter
from service.process.priority import give_way

log = logging.getLogger(__name__)

TIMEOUT = 60.0
"""Seconds after which a choice is given up and the process is replaced. A choice takes less than two on an idle
machine, so this only ends what can never end."""

PAUSE = 1.0
"""Seconds before a choice is tried again that failed; doubled for each failure in a row, up to a minute."""

COMMAND = ("-m", f"{interpreter.ROOT}service.cli.search_process")


class SearchFailed(Exception):
    """The process ended, or took too long."""


class SearchProcess:
    """The process, started with the first question and again after a failure. One question at a time. `command`: the
    arguments of the interpreter."""

    def __init__(self, command: Sequence[str] = COMMAND) -> None:
        self._command = command
        self._process: Process | None = None

    async def ask(self, question: bytes) -> int:
        """The index of the move that a bot chooses. Raises `SearchFailed`."""
        return int(await self.answer(question))

    async def answer(self, question: bytes) -> bytes:
        """The line that answers the question. Raises `SearchFailed`."""
        try:
            async with asyncio.timeout(TIMEOUT):
                return await self._ask(question)
        except (TimeoutError, OSError, ValueError) as error:
            await self.stop()
            raise SearchFailed(str(error) or type(error).__name__) from error
        except asyncio.CancelledError:  # its answer must not be read as that to another question
            await self.stop()
            raise

    async def _ask(self, question: bytes) -> bytes:
        process = self._process
        if process is None or process.returncode is not None:
            process = self._process = await asyncio.create_subprocess_exec(
                *interpreter.command(self._command),
                stdin=PIPE, stdout=PIPE, stderr=DEVNULL, env=interpreter.environment(),
                start_new_session=True,  # Ctrl-C reaches the serving process, which then closes the input
            )  # fmt: skip
            give_way(process.pid)
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(question + b"\n")
        await process.stdin.drain()
        answer = await process.stdout.readline()
        if not answer.endswith(b"\n"):
            raise ValueError("the process has ended")
        return answer

    async def stop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


MAX_NETWORKS = 10_000
"""Games of which it is known from which network they were opened."""


class Searches:
    """The choices that this process makes, one at a time. The networks from which games were opened take turns, or
    their openers where that is not known. `shared`: other processes make choices, too."""

    def __init__(self, commands: Commands, *, shared: bool) -> None:
        self._commands = commands
        self._shared = shared
        self._answering: dict[str, asyncio.Task[None]] = {}
        """By game that waits for a choice."""
        self._networks = OrderedDict[str, str]()
        """By game: the wide network from which it was opened here."""
        self.turns = FairQueue()
        """The order of work that takes long: of these choices, and of hints."""
        self.process = SearchProcess()
        self.made = 0
        """Choices that were made here."""
        commands.games.on_waiting = self.consider

    @property
    def waiting(self) -> int:
        """The games that wait for a choice."""
        return len(self._answering)

    def note(self, game_id: str, network: str) -> None:
        """The game was opened from this network."""
        self._networks[game_id] = wide_network(network)
        if len(self._networks) > MAX_NETWORKS:
            self._networks.popitem(last=False)

    def waiting_by_network(self) -> Counter[str]:
        """How many games of each wide network wait for a choice, as far as networks are known."""
        return Counter([self._networks.get(game_id, "") for game_id in self._answering])

    async def stop(self) -> None:
        tasks = [*self._answering.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.process.stop()

    def consider(self, cached: CachedGame, *, loaded: bool) -> None:
        """Answer for a bot that is to act in the game. `loaded`: another process may be at it already."""
        if cached.game.id not in self._answering and _searching(cached) is not None:
            age = wall_clock() - microseconds(cached.tail[-1].at)
            later = max(0, PATIENCE - age) / 1e6 if loaded and self._shared else 0.0
            self._answering[cached.game.id] = asyncio.create_task(
                self._answer(cached, later), name="search", context=unpaid()
            )

    async def _answer(self, cached: CachedGame, later: float) -> None:
        failures, pause = 0, later
        try:
            while True:
                await asyncio.sleep(pause)
                try:
                    if pause and self._shared:
                        await self._commands.games.catch_up(cached)
                    if (seat := _searching(cached)) is None:
                        return
                    opener = game.agreed(cached.game).opener
                    async with self.turns.turn(self._networks.get(cached.game.id, opener)):
                        await self._choose(cached, seat)
                    failures, pause = 0, 0.0
                except StaleDecision:  # something happened meanwhile
                    pause = 0.0
                except QueueFull:
                    pause = PAUSE
                except NoSuchGame:
                    raise
                except Exception as error:  # whatever it is, the game waits for the choice
                    expected = isinstance(error, SearchFailed | Unavailable)
                    log.warning(
                        "%s: a choice has failed: %r", cached.game.id, error, exc_info=None if expected else error
                    )
                    pause = min(60.0, PAUSE * 2**failures)
                    failures += 1
        except NoSuchGame:  # it was lost with the server that had it
            pass
        finally:
            del self._answering[cached.game.id]

    async def _choose(self, cached: CachedGame, seat: Seat) -> None:
        """Make the choice on the current version. Raises `StaleDecision`, `SearchFailed`, `Unavailable`."""
        rules, now = cached.rules, cached.game
        view = await self._commands.games.view(cached, seat)
        legal = rules.legal(view.state, seat)
        budget, lot = rules.searches[now.bot_at(seat) or ""], game.lot(now, seat)
        if len(legal) == 1 or now.played > MOST_SEEN:
            sight = Sight(None, (), view.state, seat, legal)
            [index] = best_moves(policy_of(rules, budget), sight, 1, Lots(lot))
        else:
            events = [entry.event for entry in await self._commands.games.log(cached, 0, now.version)]
            question = await in_thread_if_long(events, lambda: _question(now, seat, lot, events, cached))
            index = await self.process.ask(question)
        await self._commands.execute(cached, None, Choose(seat, now.version, legal[index]))
        self.made += 1


def _searching(cached: CachedGame) -> Seat | None:
    return game.searching(cached.rules, cached.game, cached.to_act())


def _question(now: game.Game, seat: Seat, lot: int, events: list[Any], cached: CachedGame) -> bytes:
    """What the bot at the seat is asked about this version of the game."""
    rules = cached.rules
    seen = [game.redact(rules, event, seat) for event in game.stands(events) if type(event) not in LIFECYCLE]
    return encode(ChoiceQuestion(table_of(rules, now, seat, seen), now.bot_at(seat) or "", lot))
