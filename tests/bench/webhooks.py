"""Webhooks: how fast the log is followed, and how soon after a commit the endpoint is called, while one of 1,000
endpoints hangs.
"""

import asyncio
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time, time
from typing import NamedTuple

import msgspec

from domain.rulesets import RULESETS
from service import databases
from service.cli.database import open_mutable
from service.clock import new_id
from service.extensions.webhooks import outbox
from service.extensions.webhooks import rows as webhooks
from service.extensions.webhooks.follower import Follower, Hooks
from service.extensions.webhooks.rows import Hook
from service.games.shelf import Shelf
from service.log.game_log import GameLog, Notification
from service.settings import Settings, read
from tests.bench.growth import AT_ONCE, Written, again, person, samples
from tests.support.clients import Caller, done, in_process
from tests.support.receivers import NETWORKS, Received, Receiver, delivering, receiving

HOOKS = 1_000
PEOPLE = 100_000
"""Other players, of whom none has a webhook."""


class Followed(NamedTuple):
    """Rows per second of wall clock and of processor time; and reading their positions alone. `due`: deliveries."""

    rate: float
    rate_of_cpu: float
    floor: float
    rows: int
    due: int


async def followed(rows: int) -> Followed:
    """A log of many games is followed, of which one in a hundred concerns a webhook."""
    with TemporaryDirectory() as folder:
        settings = read({}, database=str(Path(folder, "bench.db")))
        store = databases.open_store(settings, Shelf().kinds())
        engine = databases.projections(settings)
        try:
            await fill(store, rows)
            async with open_mutable(settings) as mutable:
                for number in range(HOOKS):
                    await mutable.change(webhooks.create, live(person(number)), HOOKS)
                databases.prepare_others(settings, engine)
                follower = Follower(store, engine, Hooks(mutable), "")
                await follower.start()
                # The copied games are older than what a new outbox begins with.
                outbox.record(engine, follower.position, 0, (), ())
                follower.position = 0
                begun, used = perf_counter(), process_time()
                await follower.catch_up()
                taken, cpu = perf_counter() - begun, process_time() - used
            begun, position = perf_counter(), 0
            while found := await store.scan(bytes_at, position, 2_000):
                position = found[-1]
            floor = perf_counter() - begun
            due = outbox.backlog(engine, 0).pending
        finally:
            await store.stop()
            engine.dispose()
    return Followed(follower.rows / taken, follower.rows / cpu, follower.rows / floor, follower.rows, due)


async def fill(store: GameLog, rows: int) -> None:
    """Append copies of games, of players of whom one in a hundred has a webhook."""
    played = samples()
    written = [[Written.of(RULESETS[each.log[0].event.ruleset], entry) for entry in each.log] for each in played]
    numbers, appended = cycle(range(PEOPLE)), 0
    games = cycle(list(zip(played, written, strict=True)))
    while appended < rows:
        chunk = []
        for golden, copied in islice(games, AT_ONCE):
            people = [person(each) for each in islice(numbers, golden.log[0].event.seats)]
            chunk += again(golden, copied, new_id(), people)
        await store.append(chunk)
        appended += len(chunk)


def live(owner: str, url: str = "http://localhost:9/") -> Hook:
    return Hook(
        new_id(), owner, url, outbox.EVENTS, 0, created=1, changed=1, status="live", live=0
    )  # fmt: skip


class Called(NamedTuple):
    """Seconds from the commit of an event to the request at the endpoint, sorted, and how many webhooks there are."""

    delays: Sequence[float]
    hooks: int

    def percentile(self, part: float) -> float:
        return self.delays[min(len(self.delays) - 1, int(part * len(self.delays)))]


class Timed(Receiver):
    """Notes how late each event arrives."""

    def __init__(self) -> None:
        super().__init__()
        self.delays = list[float]()
        self.answer = self._note

    def _note(self, received: Received) -> int:
        if received.type != outbox.PING:
            self.delays.append(time() - datetime.fromisoformat(str(received.json["timestamp"])).timestamp())
        return 204


async def called(hooks: int, games: int, pause: float) -> Called:
    """Games of players with webhooks begin, one after another; the endpoint of the first webhook hangs."""
    with TemporaryDirectory() as folder:
        given = settings_of(Path(folder))
        timed = Timed()
        async with (
            in_process(given.database, webhook_networks=NETWORKS, secret=given.secret) as service,
            receiving(timed) as receiver, receiving() as hanging, delivering(given),
        ):  # fmt: skip
            hanging.answer = lambda _: None
            names = [f"P{number}" for number in range(hooks)]
            people = [await service.guest(name) for name in names]
            async with open_mutable(given) as mutable:
                for number, player in enumerate(people):
                    url = receiver.url if number else hanging.url
                    await mutable.change(webhooks.create, live(player.id, url), hooks)
            await asyncio.sleep(1)
            expected = 0
            pairs = cycle(list(zip(people[::2], people[1::2], strict=True)))
            for ann, bob in islice(pairs, games):
                expected += await begun(ann, bob, first=ann is people[0])
                await asyncio.sleep(pause)
            await receiver.until(lambda: len(timed.delays) >= expected, 120)
            for task in asyncio.all_tasks():
                if task.get_name().startswith("msg_"):
                    task.cancel()
    return Called(sorted(timed.delays), hooks)


async def begun(ann: Caller, bob: Caller, *, first: bool) -> int:
    """A game begins. Returns the deliveries that this causes at endpoints that do not hang."""
    ruleset = next(iter(RULESETS))
    game = await ann.open(ruleset, 2)
    await bob.sit(game)
    acting: list[int] = done(await ann.get(game))["to_act"]
    return 1 + (1 in acting) if first else 2 + len(acting)


def settings_of(folder: Path) -> Settings:
    given = read({}, database=str(folder / "bench.db"), webhook_networks=NETWORKS, secret="x" * 32)
    return msgspec.structs.replace(given, access_log=False, rate_limit="off")


def rows(quick: bool) -> Iterator[tuple[str, str, str, str]]:
    """The rows of the table."""
    found = asyncio.run(followed(20_000 if quick else 200_000))
    yield (
        "rows of the log followed for webhooks", f"{found.rate:,.0f}/s, {found.rate_of_cpu:,.0f} in a second of CPU",
        f"{found.floor:,.0f}/s: read without their content", f"{found.rate / found.floor:.2f}",
    )  # fmt: skip
    told = asyncio.run(called(100 if quick else HOOKS, 50 if quick else 500, 0.02))
    of = f"{told.hooks:,} webhooks of which one hangs"
    yield (f"from commit to endpoint, p50, {of}", f"{told.percentile(0.5) * 1e3:.0f} ms", "", "")
    yield (f"from commit to endpoint, p99, {of}", f"{told.percentile(0.99) * 1e3:.0f} ms", "", "")


def bytes_at(row: Notification) -> int:
    """The position of a row that is read and not decoded."""
    return row.id
