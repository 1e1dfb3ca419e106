"""What a review costs everybody else: the time of moves while a game is reviewed, and without that."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tests.bench.http import load, served
from tests.bench.load import Figures, moves
from tests.bench.recovery import Player

CLIENTS = 4
"""Games that are played at once: few, so that the clients do not need both cores themselves."""


class Beside(NamedTuple):
    """Moves of the same server, one after the other."""

    alone: Figures
    reviewed: Figures


def rounds(ruleset: str, seconds: float, count: int) -> Iterator[Beside]:
    """Each has a server of its own, which ends the review with it: a whole one takes minutes."""
    for _ in range(count):
        with finished_game(ruleset) as player:
            alone = load(moves, player.server, ruleset, 3, CLIENTS, seconds)
            wait_for_work(player)
            reviewed = load(moves, player.server, ruleset, 3, CLIENTS, seconds)
            assert player.review()["state"] != "final", "the review was over before the moves: play a longer game"
            yield Beside(alone, reviewed)


@contextmanager
def finished_game(ruleset: str) -> Iterator[Player]:
    with (
        TemporaryDirectory() as folder,
        served("service.app:create", Path(folder), rate_limit="off", registration_rate_limit="off") as server,
    ):
        player = Player(server, ruleset)
        player.finish()
        yield player


def wait_for_work(player: Player) -> None:
    """Until the review has weighed something."""
    while (found := player.review())["state"] == "pending" and not found["progress"]["done"]:
        time.sleep(0.2)
