"""The same game in two worlds that differ in two exchanged cards, and their comparison."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence, Set
from contextlib import asynccontextmanager, contextmanager
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec

from domain.codec import canonical
from domain.game import Gone, Opened, Rejoined, Revealed, bots_of
from domain.game.log import Entry
from domain.rulesets import RULESETS
from service import settings
from service.cli.database import open_store
from stammtisch.testing import laws, playing
from tests.campaigns.leaks.play import Table, Terms
from tests.campaigns.leaks.session import Exchange, Heard, Names, Session, Turn, Viewer, Work, fixed
from tests.support.clients import Service, in_process
from tests.support.runtimes import runtimes

SECRET = "s" * 32
"""Signs the tokens of both worlds, so they are valid in both."""


class Leak(AssertionError):
    """An answer depends on a card that is hidden from its viewer."""


class World(NamedTuple):
    """The requests and answers in a world, and the entries of its log."""

    turns: Sequence[Turn]
    log: Sequence[Entry[Any, Any]]


def exchange_at_random(terms: Terms, dice: Random) -> Exchange:
    """Choose two cards that are hidden from some viewer when the game has begun."""
    rules = RULESETS[terms.ruleset]
    table = playing.Table(terms.seats, rules.options(), terms.seed, moves=0)
    ours, _ = playing.record(rules, table, playing.at_random(dice))
    while True:
        exchange = Exchange(dice.randrange(4), dice.randrange(200), dice.randrange(200))
        with fixed(exchange):
            theirs, _ = playing.record(rules, table, playing.at_random(dice))
        worlds, differ = laws.Worlds(rules, table), False
        for a, b in zip(ours, theirs, strict=True):
            for x, y in zip(a.events, b.events, strict=False):
                if type(x) is type(y):
                    worlds.happen(x, y)
                    differ |= x != y
        if differ and worlds.blind:
            return exchange


@asynccontextmanager
async def service_of(database: Path, ruleset: str, **given: Any) -> AsyncIterator[Service]:
    """A service with that ruleset only, which starts much faster. All its tasks have had their first round: metrics
    count what it looks after."""
    with alone(ruleset), runtimes() as made:
        async with in_process(database, secret=SECRET, **given) as running:
            async with asyncio.timeout(60):
                while not all(any(each.rounds.counts) for each in made[0].metrics.sweepers.values()):  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
            yield running


@contextmanager
def alone(ruleset: str) -> Iterator[None]:
    everything = dict(RULESETS)
    for other in everything.keys() - {ruleset}:
        del RULESETS[other]
    try:
        yield
    finally:
        RULESETS.clear()  # restores their order
        RULESETS.update(everything)


async def both(
    folder: Path,
    terms: Terms,
    exchange: Exchange,
    given: Sequence[Mapping[str, Any]] = ({}, {}),
    worked: Callable[[], Work] = dict,
    begin: Callable[[], None] = lambda: None,
) -> tuple[World, World]:
    """Play a game, then send all its requests again in a world with two cards exchanged.

    `given`: settings of the two services. `worked`: returns the work since the last call. `begin`: called before each.
    """
    async with service_of(folder / "ours.db", terms.ruleset, **given[0]) as service:
        with fixed(None):
            begin()
            ours = Session(service, worked)
            table = Table(ours, terms)
            await table.play()
            await ours.close()
    async with service_of(folder / "theirs.db", terms.ruleset, **given[1]) as service:
        with fixed(exchange):
            begin()
            theirs = Session(service, worked)
            for turn in ours.turns:
                await theirs.again(turn.asked)
                if theirs.version != turn.version:  # a move is illegal there: from now on the games differ
                    break
            await theirs.close()
    return (
        World(ours.turns, await happened(folder / "ours.db", table.id)),
        World(theirs.turns, await happened(folder / "theirs.db", table.id)),
    )


async def happened(database: Path, game: str) -> list[Entry[Any, Any]]:
    """The game's log with everything laid open."""
    async with open_store(settings.read({}, database=str(database))) as store:
        return list(await store.read(game))


def compared(terms: Terms, ours: World, theirs: World) -> int:
    """The number of equal answers about unequal tables. Raises Leak."""
    names: dict[Viewer, tuple[Names, Names]] = {}
    same = 0
    for a, b, blind, differ in side_by_side(terms, ours, theirs):
        for one, other in zip_longest(a.heard, b.heard):
            if one.viewer.seat in blind:
                proper(one)
                ourselves, themselves = names.setdefault(one.viewer, (Names(), Names()))
                alike(one, ourselves.put(one.text), themselves.put(other.text))
                same += differ
    return same


def proper(heard: Heard) -> None:
    """Raise Leak if an entry shows the move of another seat, or if its public hash does not follow from what a
    bystander gets. The moves are the same in both worlds, so the comparison cannot see it."""
    for entry in entries_in(heard.text):
        if "move" in entry and entry["by"] != heard.viewer.seat:
            raise Leak(f"{heard.viewer.name} sees the move of seat {entry['by']} in {heard.what}")
        hashed = {name: value for name, value in entry.items() if name in HASHED}
        if heard.viewer.seat is None and sha256(canonical(hashed)).hexdigest() != entry["public"]:
            raise Leak(f"the public hash of version {entry['version']} covers what {heard.viewer.name} does not see")


HASHED = {"version", "at", "by", "event", "more", "acting"}
"""The fields of an entry that the public hash covers."""


def entries_in(text: bytes) -> Iterator[dict[str, Any]]:
    """The entries in an answer: in its JSON body, its lines, or the messages of a stream."""
    for line in text.splitlines():
        line = line.removeprefix(b"data: ")
        if b'"public":' in line and line.startswith(b"{"):
            yield from _entries(msgspec.json.decode(line))


def _entries(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict) and {"version", "by", "event", "public"} <= value.keys():
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _entries(part)


def side_by_side(terms: Terms, ours: World, theirs: World) -> Iterator[tuple[Turn, Turn, Set[laws.Viewer], bool]]:
    """The turns of both worlds, with the viewers that must not be able to tell them apart, and whether they differ.

    A viewer that sees one of the exchanged cards where the rules show it may tell the worlds apart from then on. Stops
    when the secret is revealed, and when a bot that may tell the worlds apart makes another choice. Raises Leak, also
    for a bot that must not.
    """
    rules = RULESETS[terms.ruleset]
    worlds = laws.Worlds(rules, playing.Table(terms.seats, None, 0))
    telling = rules.telling
    position, differ, bots = 0, False, set[int]()
    for a, b in zip(ours.turns, theirs.turns, strict=False):
        for one, other in zip(ours.log[position : a.version], theirs.log[position : b.version], strict=False):
            if one.by in bots and (one.by, one.move) != (other.by, other.move):
                if one.by in worlds.blind:
                    raise Leak(
                        f"the bot at seat {one.by} chooses {one.move} in one world and {other.move} in the other"
                    )
                return
            x, y = one.event, other.event
            bots = bots_after(bots, x)
            if not worlds.blind or isinstance(x, Revealed) or (x != y and {playing.tag(x), playing.tag(y)} & telling):
                return
            differ |= x != y
            worlds.happen(x, y)
        if a.version != b.version:
            # A move was legal in one world only, so the mover must be able to tell the worlds apart.
            if a.asked.viewer.seat in worlds.blind:
                raise Leak(f"{a.asked.viewer.name}: {a.asked.what} is accepted in one world only")
            return
        position = a.version
        if not worlds.blind:
            return
        yield a, b, worlds.blind, differ


def bots_after(bots: set[int], event: Any) -> set[int]:
    """The seats that bots play after the event."""
    match event:
        case Opened():
            return {seat for seat, bot in enumerate(bots_of(event)) if bot}
        case Gone(seat):
            return bots | {seat}
        case Rejoined(seat):
            return bots - {seat}
    return bots


def alike(heard: Heard, ours: bytes, theirs: bytes) -> None:
    if ours != theirs:
        at = next(
            (n for n, (x, y) in enumerate(zip(ours, theirs, strict=False)) if x != y), min(len(ours), len(theirs))
        )
        shown = " / ".join(repr(text[max(0, at - 60) : at + 60]) for text in (ours, theirs))
        raise Leak(f"{heard.viewer.name} tells the worlds apart by {heard.what}: {shown}")
