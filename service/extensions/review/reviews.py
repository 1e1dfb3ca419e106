"""Makes reviews on request: the queue that all processes share, and the work of this one."""

import asyncio
import gzip
import logging
from collections.abc import Callable, Sequence
from contextlib import aclosing, suppress
from time import monotonic
from typing import Any, Literal, NamedTuple, TypeAlias

import msgspec
from sqlalchemy import Row

from domain.codec import encode
from domain.fairness import record
from domain.game import Rules
from domain.game.clock import SECOND
from domain.messages import Value
from domain.review import FORMAT, Mean
from service.clock import wall_clock
from service.extensions.review import job as process
from service.extensions.review import table
from service.extensions.review.job import Document, JobFailed, Progress
from service.extensions.review.table import Failed, Job, Key, Seated, TooMany
from service.games.cached_game import CachedGame
from service.games.errors import NoSuchGame, RulesMissing
from service.games.games import Games
from service.live.fair_queue import QueueFull
from service.log.errors import Unavailable
from service.paying import unpaid

log = logging.getLogger(__name__)

Plan: TypeAlias = Literal["quick", "standard"]
"""How many worlds are imagined."""

LONGEST = 12_000
"""The longest game that is reviewed: events of the ruleset times people. The time of a review grows with their product,
because most choices are theirs, and each world is played to the end of a round of all seats."""
PACE = 700_000
"""Microseconds for each event of a game, of a ruleset without a review so far: more than any ruleset needs."""
MEANS_OF: Plan = "quick"
"""The plan whose reviews make a player's mean: one for all games, or they could not be added."""
MOST_GAMES = 50
"""The latest games that a player's mean is of, at most."""
MARGIN = 1.25
"""By how much a review may take longer than the slowest of the latest ones."""
MOST_PAUSE = 30.0
"""Seconds until the work goes on after several failures in a row, such as an outage of the database."""
POLL = 1.0
"""Seconds between two looks at the queue while another process works."""
WRITTEN = 1.0
"""Seconds between two times that progress is written."""
LONGEST_POLL = 20
"""Seconds after which a client looks again at the latest: a review that nobody asks for is dropped after 60."""
SHORTEST_POLL = 1
COMPRESSION = 6


class Made(NamedTuple):
    """A document as it is served."""

    state: Literal["first", "final"]
    body: bytes


class Pending(NamedTuple):
    """A review without an answer yet."""

    progress: Progress
    place: int
    """How many are before it."""
    wait: int
    """Seconds until it is likely to be finished."""


class TooLong(Exception):
    """The review would exceed the limits of its process."""


class Busy(Exception):
    """The queue takes no more reviews of this caller, or of `everybody`, for this number of seconds."""

    def __init__(self, seconds: int, *, everybody: bool) -> None:
        super().__init__()
        self.seconds, self.everybody = seconds, everybody


class ReviewFailed(Exception):
    """The review could not be made. It is tried again with the first request after this number of seconds."""

    def __init__(self, seconds: int) -> None:
        super().__init__()
        self.seconds = seconds


class Unwanted(Exception):
    """Nobody has asked lately for the review that is being made, and others wait."""


class Reviews:
    """The reviews of this service. `command`: the arguments of the interpreter that makes one, for tests."""

    def __init__(self, games: Games, ask: Callable[..., Any], command: Sequence[str] | None = None) -> None:
        self._games = games
        self._ask = ask
        self._command = command
        self._worker: asyncio.Task[None] | None = None
        self._stopping = False
        self._claimed: Job | None = None
        """The review that this process has claimed."""
        self.made, self.failures = 0, 0

    async def stop(self) -> None:
        self._stopping = True
        if self._worker is not None:
            self._worker.cancel()
            with suppress(asyncio.CancelledError):
                await self._worker

    async def get(self, cached: CachedGame, plan: Plan, caller: str, network: str) -> Made | Pending:
        """The review of a finished game, as far as it is. Raises `TooLong`, `Busy`, `ReviewFailed`, `Unavailable`."""
        if cached.game.played * (len(cached.game.players) - cached.game.players.count(None)) > LONGEST:
            raise TooLong
        key, now = key_of(cached, plan), wall_clock()
        job, found = Job(key, cached.rules.name, cached.game.id, cached.game.version), None
        try:
            while found is None:
                if (body := await self._ask(table.finished, key, now)) is not None:
                    return Made("final", await asyncio.to_thread(gzip.decompress, body))
                found = await self._ask(table.status, key, now) or await self._ask(table.ask, job, caller, network, now)
        except TooMany as error:
            seconds = await self._seconds(error.ahead, now)
            raise Busy(max(seconds, SHORTEST_POLL), everybody=error.everybody) from None
        except Failed as error:
            raise ReviewFailed(max(SHORTEST_POLL, round(error.seconds))) from None
        self._wake()
        if found.job.has_first and (body := await self._ask(table.first, key)) is not None:
            return Made("first", await asyncio.to_thread(gzip.decompress, body))
        progress = Progress(found.job.phase, found.job.done, found.job.total)
        return Pending(progress, len(found.ahead), await self._seconds([*found.ahead, found.job], now))

    async def _seconds(self, jobs: Sequence[Row[Any]], now: int) -> int:
        """How long these reviews take from now on, one after another."""
        paces = {}
        for name, plan in {(each.ruleset, each.plan) for each in jobs}:
            measured = await self._ask(table.pace, name, plan)
            paces[name, plan] = PACE if measured is None else measured * MARGIN
        return round(sum(remaining(each, paces[each.ruleset, each.plan], now) for each in jobs) / SECOND + 0.5)

    async def seated(self, player: str, ruleset: str) -> list[Seated]:
        """The player's latest finished games, with what their quick reviews say of the player's choices."""
        found: list[Seated] = await self._ask(table.seated, player, ruleset, FORMAT, MOST_GAMES)
        return found

    async def more(self, player: str, network: str, rules: Rules, known: Sequence[Seated]) -> int:
        """Ask for quick reviews of the player's latest games that have none, as long as the queue takes them.

        The number of those that are not finished. Raises `Busy` if the queue takes none.
        """
        pending, hopeless = 0, await self._ask(table.hopeless, MEANS_OF, FORMAT, wall_clock())
        for each in known:
            if each.reviewed or each.game in hopeless:  # which need not be loaded
                continue
            try:
                cached = await self._games.find(rules, each.game)
                found = await self.get(cached, MEANS_OF, player, network)
            except Busy:  # maybe with reviews of later ones: another game has been finished meanwhile
                asked = [each.game for each in known]
                if not (pending := await self._ask(table.touch, asked, MEANS_OF, FORMAT, wall_clock())):
                    raise
                break
            except TooLong:  # it need not be loaded again
                await self._ask(table.keep_means, each.game, FORMAT, ())
                continue
            except (ReviewFailed, NoSuchGame):
                continue
            if isinstance(found, Made) and found.state == "final":
                await self._ask(table.keep_means, each.game, FORMAT, means_in(found.body))
            else:
                pending += 1
            if pending > table.WAITING_OF_CALLER:
                break
        return pending

    # --- the work ---

    def _wake(self) -> None:
        if not self._stopping and (self._worker is None or self._worker.done()):
            self._worker = asyncio.create_task(self._work(), name="reviews", context=unpaid())

    async def _work(self) -> None:
        """Make reviews as long as some wait. After a failure it goes on."""
        failures = 0
        while True:
            try:
                if self._claimed is not None:  # the database was away when its review ended
                    await self._give_back(self._claimed)
                if not await self._ask(table.waits):
                    return
                if (job := await self._ask(table.claim, wall_clock())) is None:
                    await asyncio.sleep(POLL)
                else:
                    await self._make(job)
                failures = 0
            except Exception as error:
                expected = isinstance(error, Unavailable | QueueFull)
                if not failures:
                    log.warning("reviews wait: %r", error, exc_info=None if expected else error)
                await asyncio.sleep(min(MOST_PAUSE, POLL * 2**failures))
                failures += 1

    async def _give_back(self, job: Job) -> None:
        """Let this or another process make the claimed review. Raises `Unavailable`."""
        await self._ask(table.release, job, wall_clock())
        self._claimed = None

    async def _make(self, job: Job) -> None:
        """Raises `Unavailable` and `QueueFull`: then the review is given back."""
        self._claimed = job
        try:
            text = await self._record(job)
            started = monotonic()
            final = await self._made(job, text)
            pace = round((monotonic() - started) * SECOND / job.events)
            means = means_in(final) if job.key.plan == MEANS_OF else None
            await self._ask(table.keep, job, await compressed(final), means, wall_clock(), pace)
        except asyncio.CancelledError:
            with suppress(Unavailable):
                await asyncio.shield(self._give_back(job))
            raise
        except (Unavailable, QueueFull):
            raise
        except Unwanted:
            log.info("the review of game %s gives way: nobody has asked for it lately", job.game)
            await self._ask(table.drop, job.key)
        except Exception as error:
            self.failures += 1
            expected = isinstance(error, JobFailed | NoSuchGame | RulesMissing | OSError)  # no process can be started
            log.warning("the review of game %s has failed: %s", job.game, error, exc_info=None if expected else error)
            await self._ask(table.fail, job.key, wall_clock())
        else:
            self.made += 1
        self._claimed = None

    async def _record(self, job: Job) -> bytes:
        cached = await self._games.find_any(job.game)
        self._games.need_rules(cached)
        async with self._games.long_read("reviews", cached.game.version):
            entries = await self._games.log(cached)
            return await asyncio.to_thread(lambda: encode(record.complete(record.of(job.game, entries, {}))))

    async def _made(self, job: Job, text: bytes) -> bytes:
        """The last document; meanwhile progress and the first one are written. Raises `JobFailed` and `Unwanted`."""
        written = 0.0

        async def advance(*progress: Any) -> None:
            with suppress(Unavailable):  # the work goes on; without the database nobody else claims it
                if not await self._ask(table.advance, job.key, *progress):
                    raise Unwanted

        async with aclosing(process.steps(text, ["--plan", job.key.plan], self._command)) as steps:
            async for step in steps:
                match step:
                    case Document("final", document):
                        return document
                    case Document("first", document):
                        await advance(wall_clock(), "refine", 0, 0, await compressed(document))
                    case Progress(phase, done, all_) if monotonic() - written >= WRITTEN:
                        written = monotonic()
                        await advance(wall_clock(), phase, done, all_)
        raise AssertionError("`steps` end with the last document")


def key_of(cached: CachedGame, plan: Plan) -> Key:
    return Key(cached.head.hex(), plan, FORMAT)


def remaining(job: Row[Any], pace: float, now: int) -> float:
    """Microseconds until the review is likely to be finished. Its own pace so far may be slower than that of others."""
    whole: float = job.events * pace
    if job.status != "running":
        return whole
    gone: int = now - job.started
    if job.phase == "first" and job.done:  # the first pass is about half of the work
        whole = max(whole, 2 * MARGIN * gone * job.total / job.done)
    return max(whole - gone, SECOND)


class _Means(Value):
    means: tuple[Mean, ...]


def means_in(document: bytes) -> tuple[Mean, ...]:
    return msgspec.json.decode(document, type=_Means).means


async def compressed(body: bytes) -> bytes:
    return await asyncio.to_thread(gzip.compress, body, COMPRESSION, mtime=0)
