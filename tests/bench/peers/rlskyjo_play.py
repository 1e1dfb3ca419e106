"""Random play in rlskyjo, with the Python of its own environment: `rlskyjo_play.py SEATS`.

Reads seconds from standard input, a line for each run, and answers each with a line of JSON. Each step computes the
observation and the mask of moves, then makes one of them.
"""

import json
import random
import sys
from time import process_time

from rlskyjo.game.skyjo import SkyjoGame


def play(game: SkyjoGame, seconds: float) -> dict[str, float]:
    choose = random.Random(1).random
    steps = rounds = 0
    begun = process_time()
    while (taken := process_time() - begun) < seconds:
        game.reset()
        while not game.is_terminated:
            player, _ = game.expected_action
            _, mask = game.collect_observation(player)
            moves = mask.nonzero()[0]
            game.act(player, int(moves[int(choose() * len(moves))]))
            steps += 1
        rounds += 1
    return {"moves": steps, "rounds": rounds, "seconds": taken}


def main(seats: str) -> None:
    game = SkyjoGame(num_players=int(seats))
    play(game, 1.0)  # compiles
    for line in sys.stdin:
        sys.stdout.write(json.dumps(play(game, float(line))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
