"""Random play in another engine, with the Python of its own environment: `random_play.py rlcard|openspiel|rlskyjo`.

Reads seconds from standard input, a line for each run, and answers each with a line of JSON. Each step computes the
observation and the legal actions, then makes one of them.
"""

import json
import random
import sys
from collections.abc import Callable
from time import process_time

SEATS = 3
CHOOSE = random.Random(1).choice


def rlcard() -> Callable[[], int]:
    """Gin rummy."""
    import rlcard

    env = rlcard.make("gin-rummy")

    def play() -> int:
        steps, (state, _) = 0, env.reset()
        while not env.is_over():
            state, _ = env.step(CHOOSE([*state["legal_actions"]]))
            steps += 1
        return steps

    return play


def openspiel() -> Callable[[], int]:
    """Gin rummy, in C++."""
    import pyspiel

    gin = pyspiel.load_game("gin_rummy")

    def play() -> int:
        steps, state = 0, gin.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(CHOOSE([action for action, _ in state.chance_outcomes()]))
                continue
            state.observation_tensor(state.current_player())
            state.apply_action(CHOOSE(state.legal_actions()))
            steps += 1
        return steps

    return play


def rlskyjo() -> Callable[[], int]:
    from rlskyjo.game.skyjo import SkyjoGame

    game, dice = SkyjoGame(num_players=SEATS), random.Random(1).random

    def play() -> int:
        steps = 0
        game.reset()
        while not game.is_terminated:
            player, _ = game.expected_action
            _, mask = game.collect_observation(player)
            moves = mask.nonzero()[0]
            game.act(player, int(moves[int(dice() * len(moves))]))
            steps += 1
        return steps

    return play


if __name__ == "__main__":
    play = {"rlcard": rlcard, "openspiel": openspiel, "rlskyjo": rlskyjo}[sys.argv[1]]()
    play()  # compiles
    for line in sys.stdin:
        moves, begun = list[int](), process_time()
        while (taken := process_time() - begun) < float(line):
            moves.append(play())
        sys.stdout.write(json.dumps({"moves": sum(moves), "rounds": len(moves), "seconds": taken}) + "\n")
        sys.stdout.flush()
