"""Walks through random games of every ruleset in five windows, and checks the laws of what is drawn; resumes.

All numbers of seats have their turn, positions alternate between both languages, and pictures of some of them between
light and dark. A walk is one game in one window; `--resume FILE` notes those that are done, with what was found, and
leaves them out in the next run.
"""

import json
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

from domain.codec import builtins
from domain.rulesets import RULESETS
from tests.web.browsers import chromium
from tests.web.measures import WINDOWS
from tests.web.pictures import DRAWN, Demo, served
from tests.web.scenes import scenes, variant

PICTURED = 20
"""Of one position in this many a picture is measured."""
MOST = 8
"""Faults of a walk that are printed, at most."""


class Walk(NamedTuple):
    ruleset: str
    game: int
    window: tuple[int, int]
    seed: int
    positions: int

    @property
    def name(self) -> str:
        return f"{self.ruleset} {self.seed} {self.game} {'x'.join(map(str, self.window))} {self.positions}"


def options(parser: ArgumentParser) -> None:
    parser.add_argument("--games", type=int, default=20, help="of each ruleset")
    parser.add_argument("--positions", type=int, default=200, help="of each game at most")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rulesets", nargs="*", default=DRAWN, choices=DRAWN)
    parser.add_argument("--resume", type=Path, help="a file that notes the walks that are done")


def walks(given: Namespace) -> Iterator[Walk]:
    for game in range(given.games):
        for ruleset in given.rulesets:
            for window in WINDOWS:
                yield Walk(ruleset, game, window, given.seed, given.positions)


def positions(walk: Walk) -> Iterator[Any]:
    rules = RULESETS[walk.ruleset]
    seats, seed = rules.seats[walk.game % len(rules.seats)], walk.seed * 1000 + walk.game
    found = scenes(rules, seats, seed, walk.positions, variant(rules, walk.game))
    return (builtins(each) for each in islice(found, walk.positions))


def walked(walk: Walk) -> list[str]:
    """What is wrong in the positions of this walk."""
    found = []
    with served() as address, chromium() as browser:
        demo = Demo(browser, address)
        for number, position in enumerate(positions(walk)):
            language = ("en", "de")[(number + walk.game) % 2]
            lines = demo.walk([position], walk.window, language)
            if number % PICTURED == walk.game % PICTURED:
                theme = ("light", "dark")[number // PICTURED % 2]
                lines += demo.paint(position, walk.window, language, theme)
            found += [f"move {number}: {line}" for line in lines]
        found += [f"browser: {each}" for each in demo.complaints]
    return found


def known(file: Path | None) -> dict[str, list[str]]:
    """What was found in walks that are done. A line that was cut is none."""
    if file is None or not file.exists():
        return {}
    lines = [line for line in file.read_text().splitlines(keepends=True) if line.endswith("\n")]
    return dict(map(json.loads, lines))


def main(given: Namespace) -> int:
    done = known(given.resume)
    every = [*walks(given)]
    wrong = sum(bool(done.get(each.name)) for each in every)
    todo = [each for each in every if each.name not in done]
    sys.stderr.write(f"{len(every)} walks, {len(every) - len(todo)} of them done\n")
    with ProcessPoolExecutor(os.cpu_count() or 1, mp_context=get_context("spawn")) as pool:
        for walk, found in zip(todo, pool.map(walked, todo), strict=True):
            wrong += bool(found)
            if given.resume is not None:
                with given.resume.open("a") as notes:
                    notes.write(json.dumps([walk.name, found]) + "\n")
            for line in found[:MOST]:
                sys.stdout.write(f"{walk.name}: {line}\n")
            sys.stdout.flush()
    sys.stderr.write(f"{wrong} of {len(every)} walks found something\n")
    return int(wrong > 0)
