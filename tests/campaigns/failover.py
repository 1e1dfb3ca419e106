"""The loss of the primary of PostgreSQL under load: what is lost, and how long players wait.

Two real servers; `kill -9` of all processes of the primary; its standby is promoted. Players repeat each request with
its key until it is answered, at several processes in turn.
"""

import asyncio
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import NamedTuple

import httpx

from service import databases
from service.settings import InvalidSettings, read
from tests.e2e.test_failover import HOLES, Player, heads, lost_of, reported, verified
from tests.support import servers
from tests.support.crowd import cluster
from tests.support.servers import START_TIMEOUT, Pair


class Case(NamedTuple):
    """`pause`: seconds from the loss to the promotion. `behind`: seconds of moves that the standby does not have."""

    synchronous: bool
    pause: float = 0
    behind: float = 0

    def __str__(self) -> str:
        how = "synchronous" if self.synchronous else "asynchronous"
        behind = f", {self.behind:g} s behind" if self.behind else ""
        return f"{how}{behind}, promoted " + (f"after {self.pause:g} s" if self.pause else "at once")


CASES = Case(True, 1), Case(True, 6), Case(False), Case(False, behind=2)


class Figures(NamedTuple):
    """Acknowledged moves; those that are lost; games with lost moves, and those of them that the processes named.
    Answers 503, and the seconds that the longest answer took. Seconds from the end of the promotion until the first
    player and until every player had made a move. Games whose versions have a gap."""

    acknowledged: int
    lost: int
    games: int
    named: int
    busy: int
    longest: float
    first: float
    last: float
    holes: int

    def holds(self, case: Case) -> bool:
        return self.holes == 0 and self.games == self.named and not (case.synchronous and self.lost)

    def __str__(self) -> str:
        lost = f"{self.lost:,}, in {self.games} games, {self.named} of them named" if self.lost else "0"
        return (
            f"{self.acknowledged:,} | {lost} | {self.busy} times 503, the longest answer {self.longest:.1f} s | "
            f"first move {self.first:.1f} s, every player {self.last:.1f} s"
        )


def migrate(pair: Pair) -> None:
    """On a busy machine a connection to a server that has just begun can take longer than the service waits for it."""
    until = monotonic() + START_TIMEOUT
    while True:
        try:
            return databases.migrate(read({}, database=pair.url))
        except InvalidSettings:
            if monotonic() > until:
                raise


async def played(case: Case, pair: Pair, folder: Path, given: Namespace) -> Figures:
    migrate(pair)
    with cluster(folder, pair.url, processes=given.processes, max_open_games=100) as processes:
        async with httpx.AsyncClient(timeout=60) as http:
            token = (await http.post(f"{processes.url}/v1/players", json={"name": "Ann"})).json()["token"]
            players = [Player(processes, http, token, number) for number in range(given.players)]
            ending = asyncio.Event()

            async def all_moved(since: float) -> None:
                while any(not player.moves or player.moves[-1].at < since for player in players):  # noqa: ASYNC110
                    await asyncio.sleep(0.01)

            async with asyncio.TaskGroup() as tasks:
                for player in players:
                    tasks.create_task(player.play(ending))
                await all_moved(0)
                await asyncio.sleep(given.seconds)
                if case.behind:
                    await asyncio.to_thread(pair.fall_behind)
                    await asyncio.sleep(case.behind)
                await asyncio.to_thread(pair.fail_over, case.pause)
                promoted = monotonic()
                await all_moved(promoted)
                await asyncio.sleep(given.seconds)
                ending.set()
            await verified(players)
            stored = heads(pair)
            lost = lost_of(players, stored)
            moves = [[move.at for move in player.moves] for player in players]
            after = [min(at for at in made if at > promoted) - promoted for made in moves]
            return Figures(
                sum(map(len, moves)), len(lost), len(known := {move.game for move in lost if (move.game, 1) in stored}),
                len(known & reported(processes, lost)), sum(player.busy for player in players),
                max(player.longest for player in players), min(after), max(after), len(pair.primary.execute(HOLES)),
            )  # fmt: skip


def options(parser: ArgumentParser) -> None:
    parser.add_argument("--processes", type=int, default=4)
    parser.add_argument("--players", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=5, help="of play before the loss, and again after it")


def main(given: Namespace) -> int:
    kept = True
    sys.stdout.write("| | acknowledged moves | lost | clients see | after the promotion |\n|---|---|---|---|---|\n")
    for case in CASES:
        with TemporaryDirectory() as folder, servers.pair(synchronous=case.synchronous) as pair:
            found = asyncio.run(played(case, pair, Path(folder), given))
        kept = kept and found.holds(case)
        sys.stdout.write(f"| {case} | {found} |{'' if found.holds(case) else f' NOT KEPT: {found!r}'}\n")
        sys.stdout.flush()
    return int(not kept)
