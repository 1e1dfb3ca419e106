"""The cost of many stored games for a move, a read, a page of the lobby or the standings, a start, a rebuild.

`python -m tests.bench growth --games 100000` compares a database of 100,000 finished games with one of a thousand.
Playing them would take days. So a few games are played and stored many times, under new ids, with other players and
matching hashes, appended as the importer does. (Only their deals do not follow from their ids, so no verifier would
accept them.) The ruleset is the one with the shortest games, and the games are the shortest of many.
"""

import asyncio
import random
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from itertools import count, cycle, islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, NamedTuple

import msgspec
import uvloop
from msgspec.structs import replace

from domain import game
from domain.codec import encode
from domain.fairness import chain
from domain.game import Joined, Opened, Rules
from domain.game.log import Stored
from domain.rulesets import RULESETS
from projections.lobby import LIMIT
from projections.projection import Projections
from service import databases
from service.clock import new_id
from service.games.shelf import Shelf as Rulesets
from service.games.topics import topic
from service.live import projection_runner
from service.log.mapper import Row
from service.settings import Settings
from tests.bench.cpu import resident
from tests.bench.http import Served, load, served
from tests.bench.load import Connection, connect, guests, looks, moves
from tests.golden import Golden, play

FEW = 1_000
CLIENTS = 8
SAMPLES = 8
PLAYED = 250
"""Games played of each ruleset; the samples are the shortest."""
COLD = 50
ASKED = 400
"""Number of first reads of games, and of requested pages of each kind."""
PER_PAGE = 10
"""Games on a player's page, typical for most players."""
AT_ONCE = 400
"""Games in one append."""

Figures = dict[str, float]
"""The figures, in seconds; memory in bytes."""

START = "a start"
MEMORY = "memory after it"
MOVE = "a move's p50"
LOOK = "a look's p50"


class Grown(NamedTuple):
    """The figures for several numbers of stored games, by round."""

    sizes: tuple[int, ...]
    rounds: list[list[Figures]]
    """By round, then by size."""
    events: int
    """Figures of the largest database."""
    appended: float
    """Events per second into the log."""
    rebuilt: float
    """Events per second from the log into all projections."""

    def rows(self) -> Iterator[tuple[str, str, str, str]]:
        """The ratio of the largest database to the smallest."""
        few, many = f"{self.sizes[0]:,}", f"{self.sizes[-1]:,}"
        for what in self.rounds[0][0]:
            less, *_, more = self.of(what)
            ratio = median(figures[-1][what] / figures[0][what] for figures in self.rounds)
            yield f"{what}, {many} games stored", told(what, more), f"{told(what, less)}: {few}", f"{ratio:.2f}"

    def of(self, what: str) -> list[float]:
        """The medians, by size."""
        return [median(figures[at][what] for figures in self.rounds) for at in range(len(self.sizes))]


def told(what: str, figure: float) -> str:
    return f"{figure / 2**20:.0f} MiB" if what == MEMORY else f"{figure * 1e3:.2f} ms"


# --- many games ---------------------------------------------------------------------------------------------------


def samples() -> list[Golden]:
    """Public sample games: the shortest ones, of the ruleset with the shortest games."""
    played = [sorted(islice(public(rules), PLAYED), key=length)[:SAMPLES] for rules in RULESETS.values()]
    return min(played, key=lambda games: sum(map(length, games)))


def length(golden: Golden) -> int:
    return len(golden.log)


def public(rules: Rules) -> Iterator[Golden]:
    for number in count():
        golden = play(rules, f"growth {number}", min(rules.seats), {})
        if golden is not None and not golden.log[0].event.private:
            yield golden


class Written(NamedTuple):
    """A row of a game without its head: the bytes before and after it, and the hashes that it is derived from."""

    entry: Stored[Any, Any]
    topic: str
    before: bytes
    behind: bytes
    hashes: bytes

    @classmethod
    def of(cls, rules: Rules, entry: Stored[Any, Any]) -> "Written":
        before, _, behind = encode(entry).partition(entry.head.encode())
        return cls(
            entry, topic(rules.rules, type(entry.event)), before, behind, bytes.fromhex(entry.public + entry.secret)
        )


def again(golden: Golden, rows: Sequence[Written], game_id: str, players: Sequence[str]) -> Iterator[Row]:
    """The rows of the same game under another id, with other players."""
    rules, secret, head = golden.rules, bytes.fromhex(golden.log[0].event.secret), chain.root(game_id)
    for row in rows:
        entry = row.entry
        match entry.event:
            case Opened():
                row = Written.of(rules, linked(rules, secret, entry, replace(entry.event, opener=players[0])))
            case Joined(seat):
                row = Written.of(rules, linked(rules, secret, entry, replace(entry.event, player=players[seat])))
        head = sha256(head + row.hashes).digest()
        yield Row(game_id, entry.version, row.topic, msgspec.Raw(row.before + head.hex().encode() + row.behind))


def linked(rules: Rules, secret: bytes, entry: Stored[Any, Any], event: Any) -> Stored[Any, Any]:
    """The entry with another event, and its hashes."""
    shown, full = (
        chain.entry(entry.version, entry.at, entry.by, each, entry.more, entry.acting)
        for each in (game.redact(rules, event, None), event)
    )
    link = chain.link(b"", secret, entry.version, shown, full)
    return replace(entry, event=event, public=link.public.hex(), secret=link.secret.hex())


async def fill(settings: Settings, played: Sequence[Golden], games: int) -> tuple[list[str], int]:
    """Store this many games. Returns their ids and the number of events."""
    store = databases.open_store(settings, Rulesets().kinds())
    dice, people = random.Random(1), range(games // 5)
    shelf = [(golden, [Written.of(golden.rules, entry) for entry in golden.log]) for golden in played]
    ids = []
    try:
        for first in range(0, games, AT_ONCE):
            rows: list[Row] = []
            for golden, written in islice(cycle(shelf), min(AT_ONCE, games - first)):
                ids.append(new_id())
                players = list(map(person, dice.sample(people, golden.log[0].event.seats)))
                rows += again(golden, written, ids[-1], players)
            await store.append(rows)
        return ids, await store.position()
    finally:
        await store.stop()


def person(number: int) -> str:
    return f"player-{number:07}"


# --- measurements --------------------------------------------------------------------------------------------------


def compared(sizes: Sequence[int], rounds: int, seconds: float) -> Grown:
    """Measure databases of these numbers of games in turns, for several rounds."""
    played = samples()
    with ExitStack() as running:
        folders = [Path(running.enter_context(TemporaryDirectory())) for _ in sizes]
        rates = [stored(folder, played, games) for folder, games in zip(folders, sizes, strict=True)]
        starts = [[started(folder) for folder in folders] for _ in range(rounds)]
        shelves = [
            Shelf(running.enter_context(serving(folder)), played[0], iter(each.ids))
            for folder, each in zip(folders, rates, strict=True)
        ]
        found = [
            [start | figures for start, figures in zip(each, measured(shelves, seconds), strict=True)]
            for each in starts
        ]
    last = rates[-1]
    return Grown(tuple(sizes), found, last.events, last.appended, last.rebuilt)


class Stock(NamedTuple):
    """The games of a database, and the speed of import."""

    ids: list[str]
    events: int
    appended: float
    rebuilt: float


def stored(folder: Path, played: Sequence[Golden], games: int) -> Stock:
    """Fill a database with this many games."""
    settings = at(folder)
    begun = perf_counter()
    ids, events = asyncio.run(fill(settings, played, games))
    appended = perf_counter()
    asyncio.run(rebuild(settings))
    return Stock(ids, events, events / (appended - begun), events / (perf_counter() - appended))


def at(folder: Path) -> Settings:
    return Settings(database=str(folder / "bench.db"))


async def rebuild(settings: Settings) -> None:
    store, engine = databases.open_store(settings, Rulesets().kinds()), databases.projections(settings)
    await projection_runner.rebuild(store, Projections(engine, databases.derived()))
    engine.dispose()
    await store.stop()


@contextmanager
def serving(folder: Path) -> Iterator[Served]:
    with served("service.app:create", folder, rate_limit="off", registration_rate_limit="off") as server:
        yield server


def started(folder: Path) -> Figures:
    """Seconds until it listens."""
    begun = perf_counter()
    with serving(folder) as server:
        return {START: perf_counter() - begun, MEMORY: resident(server.pid)}


class Shelf(NamedTuple):
    """Measure a server with copies of `sample`; `ids` are games that it has not loaded yet."""

    server: Served
    sample: Golden
    ids: Iterator[str]

    def played(self, seconds: float) -> Figures:
        """The p50 of the most frequent requests."""
        rules = self.sample.rules
        seats = min(rules.seats)
        return {
            MOVE: load(moves, self.server, rules.name, seats, CLIENTS, seconds).p50,
            LOOK: load(looks, self.server, f"/v1/games/{rules.name}", seats, CLIENTS, seconds).p50,
        }

    async def visitor(self) -> "Visitor":
        """A client that reads pages. All pages are full, so their size does not depend on the stored games."""
        (token,) = await guests(self.server.port, 1)
        connection = await connect(self.server.port, token)
        name = self.sample.rules.name
        stored = [f"/v1/games/{name}/{game_id}" for game_id in islice(self.ids, COLD)]
        standings = f"/v1/standings/{name}"
        lists = {
            "the first page of the lobby": ["/v1/games"],
            "a page anywhere in it": await pages(connection, "/v1/games"),
            "a page of a player's games": await of_players(connection),
            "the first page of the standings": [standings],
            "a page anywhere in them": await pages(connection, standings),
        }
        return Visitor(
            connection,
            {"the first look at a stored game": stored}
            | {what: [*islice(cycle(some), ASKED)] for what, some in lists.items()},
        )


class Visitor(NamedTuple):
    """A client and the paths that it requests in turn."""

    connection: Connection
    paths: dict[str, list[str]]

    async def asked(self, path: str) -> float:
        """The seconds until each answer."""
        begun = perf_counter()
        await self.connection.get(path.encode())
        return perf_counter() - begun


def measured(shelves: Sequence[Shelf], seconds: float) -> list[Figures]:
    """All frequent requests, by kind."""
    played = [shelf.played(seconds) for shelf in shelves]
    return [figures | seen for figures, seen in zip(played, uvloop.run(visited(shelves)), strict=True)]


async def visited(shelves: Sequence[Shelf]) -> list[Figures]:
    """The median answer times in seconds. Requests alternate between the servers, so other load on the machine affects
    all of them."""
    visitors = [await shelf.visitor() for shelf in shelves]
    found: list[Figures] = [{} for _ in visitors]
    for what in visitors[0].paths:
        taken = [
            [await visitor.asked(path) for visitor, path in zip(visitors, paths, strict=True)]
            for paths in zip(*(visitor.paths[what] for visitor in visitors), strict=True)
        ]
        for figures, times in zip(found, zip(*taken, strict=True), strict=True):
            figures[what] = median(times)
    for visitor in visitors:
        visitor.connection.close()
    return found


async def pages(connection: Connection, path: str) -> list[str]:
    """Full pages from all over the list, in random order."""
    found, following = [], f"{path}?limit={LIMIT}"
    while following:
        page = await read(connection, following)
        if len(page["items"]) == LIMIT:
            found.append(following.replace(f"limit={LIMIT}", "limit=20"))
        following = page["next"]
    random.Random(1).shuffle(found)
    return found


async def of_players(connection: Connection) -> list[str]:
    """The first full page of the games of several players."""
    found: list[str] = []
    numbers = count()
    while len(found) < SAMPLES:
        path = f"/v1/games?player={person(next(numbers))}&limit={PER_PAGE}"
        page = await read(connection, path)
        if len(page["items"]) == PER_PAGE:
            found.append(path)
    return found


async def read(connection: Connection, path: str) -> Any:
    return msgspec.json.decode(await connection.get(path.encode()))
