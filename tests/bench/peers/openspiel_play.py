"""Random play in OpenSpiel's gin rummy, with the Python of its own environment: `openspiel_play.py`.

Reads seconds from standard input, a line for each run, and answers each with a line of JSON. Each step computes the
observation and the legal actions, then makes one of them. The rules are in C++.
"""

import json
import random
import sys
from time import process_time

import pyspiel


def play(game: pyspiel.Game, seconds: float) -> dict[str, float]:
    choose = random.Random(1).choice
    steps = rounds = 0
    begun = process_time()
    while (taken := process_time() - begun) < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(choose([action for action, _ in state.chance_outcomes()]))
                continue
            state.observation_tensor(state.current_player())
            state.apply_action(choose(state.legal_actions()))
            steps += 1
        rounds += 1
    return {"moves": steps, "rounds": rounds, "seconds": taken}


if __name__ == "__main__":
    gin = pyspiel.load_game("gin_rummy")
    for line in sys.stdin:
        sys.stdout.write(json.dumps(play(gin, float(line))) + "\n")
        sys.stdout.flush()
