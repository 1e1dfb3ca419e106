"""Bots outside of the process: slow ones, runs that are killed, and the committed reports of the arena, played again.

`slow`: a bot of 1.3 s with 5 s to think forfeits nothing, and 16 games at once are ten times as fast as one; a bot of
300 ms is reported with its real time. `killed`: the arena is killed with SIGKILL at ten random moments, with eight
games at once; its results are the same bytes, and no answer is asked for twice. `reports`: files of tests/arena, by
default those without a search, are the same bytes.
"""

import json
import signal
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Any, NamedTuple

import msgspec

from agents.arena.boards import Arena, Field
from domain.codec import encode
from domain.rulesets import RULESETS
from tests.support.served_bots import Served

REPORTS = Path(__file__).parents[1] / "arena"
SLOW, QUICK, THINK = 1.3, 0.3, 5
"""Seconds."""
FASTER = 10
"""How many times as fast 16 games at once are at least."""
KILLS, AT_ONCE = 10, 8


class Slow(NamedTuple):
    """`alone` and `together`: seconds for a choice, one game after the other and 16 at once."""

    choices: int
    forfeits: int
    alone: float
    together: float
    reported: tuple[float, float]
    """Milliseconds of the choices of the bot of 300 ms: the shortest and the longest."""


class Killed(NamedTuple):
    kills: int
    equal: bool
    choices: int
    asked: int
    lost: int
    """Questions that were on their way at a kill, and were asked again."""


def say(*what: object) -> None:
    sys.stdout.write(" ".join(map(str, what)) + "\n")
    sys.stdout.flush()


def options(parser: ArgumentParser) -> None:
    parser.add_argument("parts", nargs="*", help="slow, killed, reports, or files of tests/arena; by default all three")
    parser.add_argument("--boards", type=int, default=20, help="of the slow bot, one board with four games at once")


def answering(seconds: float) -> Callable[[Any], bytes]:
    def answer(_: Any) -> bytes:
        sleep(seconds)
        return b'{"index":0}'

    return answer


def arena(bot: Served, folder: Path, boards: int, *more: str) -> subprocess.Popen[bytes]:
    command = [
        sys.executable,
        "-m",
        "stammtisch",
        "arena",
        "scout",
        "--bots",
        bot.url,
        "careful",
        "--think",
        str(THINK),
    ]
    command += ["--boards", str(boards), "--report", str(folder), *more]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def journal(folder: Path) -> list[Any]:
    return [json.loads(line) for line in (folder / "choices.ndjson").read_bytes().splitlines()[1:]]


def slow(folder: Path, boards: int) -> Slow:
    alone = timed(SLOW, folder / "alone", 1, "--at-once", "1")
    together = timed(SLOW, folder / "together", boards, "--at-once", "16")
    timed(QUICK, folder / "quick", 4, "--at-once", "4")
    found = json.loads((folder / "together" / "results.json").read_bytes())
    forfeits = sum([len(game["forfeits"]) for board in found["boards"] for game in board["games"]])
    times = [1000 * line["seconds"] for line in journal(folder / "quick")]
    return Slow(together.choices, forfeits, alone.each, together.each, (min(times), max(times)))


class Timed(NamedTuple):
    choices: int
    each: float
    """Seconds of the run for each choice."""


def timed(seconds: float, folder: Path, boards: int, *more: str) -> Timed:
    bot = Served(answering(seconds))
    began = monotonic()
    assert arena(bot, folder, boards, *more).wait() == 0
    spent = monotonic() - began
    bot.close()
    return Timed(len(bot.asked), spent / len(bot.asked))


def killed(folder: Path, boards: int = 12) -> Killed:
    """Each run is killed when it has had a random number of further answers."""
    bot, dice = Served(answering(0.01)), Random(52)
    assert arena(bot, folder / "whole", boards, "--at-once", str(AT_ONCE)).wait() == 0
    choices = len(bot.asked)
    places = sorted([dice.randrange(choices) for _ in range(KILLS)])
    kills = 0
    bot.asked.clear()
    for place in places:
        process = arena(bot, folder / "killed", boards, "--at-once", str(AT_ONCE), "--resume")
        while len(bot.asked) < place and process.poll() is None:
            sleep(0.002)
        process.send_signal(signal.SIGKILL)
        kills += process.wait() == -signal.SIGKILL
    assert arena(bot, folder / "killed", boards, "--at-once", str(AT_ONCE), "--resume").wait() == 0
    bot.close()
    one, other = ((folder / name / "results.json").read_bytes() for name in ("whole", "killed"))
    return Killed(kills, one == other, choices, len(bot.asked), len(bot.asked) - len(journal(folder / "killed")))


def reports(names: Sequence[str]) -> Iterator[tuple[str, int, bool]]:
    """By file: the number of its boards, and whether they are the same bytes when they are played again."""
    for name in names:
        written = (REPORTS / name).read_bytes()
        terms = msgspec.json.decode(written, type=Arena).terms
        field = Field(RULESETS[terms.rules.split("/")[0]], terms)
        boards = len(msgspec.json.decode(written, type=Arena).boards)
        again = Arena(terms, tuple([field.play(number).board for number in range(boards)]))
        yield name, boards, encode(again) + b"\n" == written


def main(given: Namespace) -> int:
    parts = given.parts or ["slow", "killed", "reports"]
    wrong = 0
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        if "slow" in parts:
            found = slow(folder, given.boards)
            say(found, f"{found.alone / found.together:.1f} times as fast")
            low, high = found.reported
            wrong += found.forfeits > 0 or found.alone < FASTER * found.together or not 300 <= low <= high <= 400
        if "killed" in parts:
            say(ended := killed(folder))
            answers = ended.asked - ended.lost == ended.choices and ended.lost <= AT_ONCE * ended.kills
            wrong += not (ended.equal and answers and ended.kills >= KILLS - 1)
    names = [each for each in parts if each.endswith(".json")]
    if "reports" in parts:
        names += sorted([each.name for each in REPORTS.glob("*.json") if "deep" not in each.name])
    for name, boards, equal in reports(names):
        say(f"{name}: {boards} boards, {'the same bytes' if equal else 'DIFFERENT'}")
        wrong += not equal
    return int(wrong > 0)
