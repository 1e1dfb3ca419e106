"""What a review costs everybody else: the time of moves while a game is reviewed, and without that."""

import time
from collections.abc import Iterator
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
    with (
        TemporaryDirectory() as folder,
        served("service.app:create", Path(folder), rate_limit="off", registration_rate_limit="off") as server,
    ):
        for number in range(count):
            alone = load(moves, server, ruleset, 3, CLIENTS, seconds)
            player = Player(server, ruleset)
            player.finish()
            wait_for(player, "pending")
            reviewed = load(moves, server, ruleset, 3, CLIENTS, seconds)
            state = player.review()["state"]
            assert state != "final", "the review was over before the moves: play a longer game"
            yield Beside(alone, reviewed)
            if number < count - 1:  # the next moves are alone again
                wait_for(player, "final")


def wait_for(player: Player, state: str) -> None:
    """Until the review is in that state, and has weighed something."""
    while (found := player.review())["state"] != state or (state == "pending" and not found["progress"]["done"]):
        time.sleep(0.2)
