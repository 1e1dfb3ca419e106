"""Measures the peers and this project in one run: `make bench-peers`.

Servers have one core, clients the other. Measurements alternate for several rounds. The table shows medians and the
median of the ratios.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

from domain.game import Rules
from domain.rulesets import RULESETS
from tests.bench import channel, engine, http
from tests.bench.agents import stepped
from tests.bench.cpu import speed
from tests.bench.load import Figures, apart, moves
from tests.bench.peers.installed import GIN, Missing, Peers, Played

PEERS_RULES = "skyjo"
SEATS = 3
GAMES = (64, 8)
SCRATCH = Path("build/peers")


def rows(quick: bool) -> Iterator[tuple[str, ...]]:
    seconds, rounds = (1.0, 1) if quick else (6.0, 5)
    peers = Peers(SCRATCH.absolute())
    try:
        peers.install()
    except Missing as missing:
        sys.exit(f"There is nothing to compare with. {missing}")
    for number in GAMES:
        yield from server_rows(peers, number, seconds, rounds)
    yield from engine_rows(peers, seconds / 3, rounds)
    yield from environment_rows(peers, seconds / 3, rounds)


@contextmanager
def on(core: int) -> Iterator[None]:
    """Pin processes started within to this core: 0 for servers, 1 for clients."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {sorted(before)[min(core, len(before) - 1)]})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


# --- servers ------------------------------------------------------------------------------------------------------


class Round(NamedTuple):
    """One round of load on each server.

    `channel` and `http`: ours, with one client for each game. `people`: ours over the channel, with a client for each
    of two seats. The others are boardgame.io, in memory and with its file store.
    """

    channel: Figures
    http: Figures
    memory: Figures
    files: Figures
    people: Figures
    people_memory: Figures


COMPARED = (
    ("channel", "the play channel", "memory", "in memory"),
    ("channel", "the play channel", "files", "with its file store"),
    ("http", "HTTP", "memory", "in memory"),
    ("http", "HTTP", "files", "with its file store"),
    ("people", "the play channel, two people at each", "people_memory", "in memory, two people at each"),
)
"""Ours and theirs, by the fields of `Round`."""


def server_rows(peers: Peers, games: int, seconds: float, rounds: int) -> Iterator[tuple[str, ...]]:
    measured = list(served(peers, games, seconds, rounds))
    for our, way, their, store in COMPARED:
        pairs = [(getattr(one, our), getattr(one, their)) for one in measured]
        name = f"durable moves over {way}, {games} games"
        by_rate = median(ours.rate / theirs.rate for ours, theirs in pairs)
        by_cpu = median(theirs.cost / ours.cost for ours, theirs in pairs)
        ours, theirs = (speed([pair[side] for pair in pairs]) for side in (0, 1))
        yield name, ours, f"{theirs}: boardgame.io {store}, web sockets", f"{by_rate:.2f}; by CPU {by_cpu:.2f}"
        for percentile in ("p50", "p99") if "memory" in their else ():
            times = [[getattr(pair[side], percentile) for pair in pairs] for side in (0, 1)]
            our_time, their_time = (median(each) * 1000 for each in times)
            name = f"a move's {percentile} over {way}, {games} games"
            yield name, f"{our_time:.1f} ms", f"{their_time:.1f} ms: in memory", f"{our_time / their_time:.2f}"


def served(peers: Peers, games: int, seconds: float, rounds: int) -> Iterator[Round]:
    with ExitStack() as stack:
        one, other = (Path(stack.enter_context(TemporaryDirectory())) for _ in range(2))
        with on(0):
            ours = stack.enter_context(
                http.served("service.app:create", one, rate_limit="1000000", registration_rate_limit="off")
            )
            memory = stack.enter_context(peers.boardgame())
            files = stack.enter_context(peers.boardgame(other))
        with on(1):
            for _ in range(rounds):
                yield Round(
                    apart(channel.moves, *ours, PEERS_RULES, SEATS, 1, games, seconds),
                    http.load(moves, ours, PEERS_RULES, SEATS, games, seconds),
                    peers.load(memory, SEATS, 1, games, seconds),
                    peers.load(files, SEATS, 1, games, seconds),
                    apart(channel.moves, *ours, PEERS_RULES, 2, 2, games, seconds),
                    peers.load(memory, 2, 2, games, seconds),
                )


# --- engines ------------------------------------------------------------------------------------------------------


def engine_rows(peers: Peers, seconds: float, rounds: int) -> Iterator[tuple[str, ...]]:
    ours: dict[str, list[Played]] = {name: [] for name in RULESETS}
    theirs: list[Played] = []
    with on(0), peers.engine("rlskyjo") as rlskyjo:
        for _ in range(rounds):
            theirs.append(rlskyjo.play(seconds))
            for name, rules in RULESETS.items():
                ours[name].append(played(rules, seconds))
    yield engine_row("rounds", PEERS_RULES, ours[PEERS_RULES], theirs, lambda play: play.rounds / play.seconds)
    for name, plays in ours.items():
        yield engine_row("moves", name, plays, theirs, lambda play: play.moves / play.seconds)


def engine_row(
    what: str, name: str, ours: list[Played], theirs: list[Played], rate: Callable[[Played], float]
) -> tuple[str, ...]:
    we, they = (median(map(rate, plays)) for plays in (ours, theirs))
    ratio = median(rate(our) / rate(their) for our, their in zip(ours, theirs, strict=True))
    return f"{name}: random play in the engine", f"{we:,.0f} {what}/s", f"{they:,.0f}/s: rlskyjo", f"{ratio:.2f}"


# --- environments -------------------------------------------------------------------------------------------------


def environment_rows(peers: Peers, seconds: float, rounds: int) -> Iterator[tuple[str, ...]]:
    """Steps with observation and legal actions: ours through PettingZoo's `last()`, with three seats."""
    ours: dict[str, list[Played]] = {name: [] for name in RULESETS}
    with ExitStack() as stack:
        stack.enter_context(on(0))
        theirs = {"rlskyjo": stack.enter_context(peers.engine("rlskyjo"))}
        theirs |= {f"{name}, gin rummy": stack.enter_context(peers.engine(name)) for name in GIN}
        steps: dict[str, list[Played]] = {name: [] for name in theirs}
        for _ in range(rounds):
            for name, peer in theirs.items():
                steps[name].append(peer.play(seconds))
            for name, plays in ours.items():
                plays.append(stepped(name, seconds))
    for name, plays in ours.items():
        we = median([play.moves / play.seconds for play in plays])
        for peer in steps if name == PEERS_RULES else [*steps][1:]:
            they = median([play.moves / play.seconds for play in steps[peer]])
            yield f"{name}: steps of the environment", f"{we:,.0f}/s", f"{they:,.0f}/s: {peer}", f"{we / they:.2f}"


GAMES_AT_ONCE = 10
"""Games between two garbage collections: right after one, nothing is in the processor's caches."""


def played(rules: Rules, seconds: float) -> Played:
    """Random games for this many seconds."""
    total = Played(0, 0, 0.0)
    until, seed = perf_counter() + seconds, 0
    while perf_counter() < until:
        play = engine.play(rules, SEATS, GAMES_AT_ONCE, seed)
        total = Played(total.moves + play.moves, total.rounds + play.rounds, total.seconds + play.seconds)
        seed += 1
    return total
