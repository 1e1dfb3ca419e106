"""Random play in RLCard's gin rummy, with the Python of its own environment: `rlcard_play.py`.

Reads seconds from standard input, a line for each run, and answers each with a line of JSON. Each step returns the
observation and the legal actions of the next player.
"""

import json
import random
import sys
from time import process_time

import rlcard


def play(env: rlcard.envs.Env, seconds: float) -> dict[str, float]:
    choose = random.Random(1).choice
    steps = rounds = 0
    begun = process_time()
    while (taken := process_time() - begun) < seconds:
        state, _ = env.reset()
        while not env.is_over():
            state, _ = env.step(choose([*state["legal_actions"]]))
            steps += 1
        rounds += 1
    return {"moves": steps, "rounds": rounds, "seconds": taken}


if __name__ == "__main__":
    table = rlcard.make("gin-rummy")
    for line in sys.stdin:
        sys.stdout.write(json.dumps(play(table, float(line))) + "\n")
        sys.stdout.flush()
