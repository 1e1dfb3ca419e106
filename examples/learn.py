"""Learns a game by masked proximal policy optimisation: `python -m examples.learn RULESET --minutes 10`.

It needs the extra `train` and nothing else: one hidden layer and its gradients are written out with NumPy. Actions
that are not legal get the probability 0 before anything is drawn or compared.
"""

import sys
from argparse import ArgumentParser
from dataclasses import dataclass
from time import monotonic
from typing import Any

import numpy as np

from agents.training.gym import SeatEnv
from domain.rulesets import RULESETS

STEPS = 2_048
"""Choices between two updates."""
EPOCHS, BATCH, RATE, CLIP, ENTROPY = 4, 256, 1e-3, 0.2, 0.01
GAMMA, LAMBDA = 1.0, 0.95
HIDDEN = 128
SCALE = 20.0
"""Points that count as a reward of 1."""

Array = Any


class Net:
    """A hidden layer, logits of the actions, and a value. `Adam` moves the weights."""

    def __init__(self, inputs: int, actions: int, seed: int) -> None:
        dice = np.random.default_rng(seed)
        self.weights = [
            dice.normal(0, inputs**-0.5, (inputs, HIDDEN)), np.zeros(HIDDEN),
            dice.normal(0, 0.01, (HIDDEN, actions)), np.zeros(actions),
            dice.normal(0, HIDDEN**-0.5, (HIDDEN, 1)), np.zeros(1),
        ]  # fmt: skip
        self.first = [np.zeros_like(weight) for weight in self.weights]
        self.second = [np.zeros_like(weight) for weight in self.weights]
        self.updates = 0

    def forward(self, seen: Array, masks: Array) -> tuple[Array, Array, Array]:
        """The hidden layer, the probabilities of the actions, the values."""
        into, bias, out, shift, critic, level = self.weights
        hidden = np.tanh(seen @ into + bias)
        logits = np.where(masks, hidden @ out + shift, -1e9)
        odds = np.exp(logits - logits.max(1, keepdims=True))
        return hidden, odds / odds.sum(1, keepdims=True), (hidden @ critic + level)[:, 0]

    def learn(self, seen: Array, hidden: Array, on_logits: Array, on_values: Array) -> None:
        """One step against the gradients of logits and values."""
        _, _, out, _, critic, _ = self.weights
        back = (on_logits @ out.T + on_values[:, None] @ critic.T) * (1 - hidden**2)
        slopes = [
            seen.T @ back, back.sum(0), hidden.T @ on_logits, on_logits.sum(0),
            hidden.T @ on_values[:, None], on_values.sum(0, keepdims=True),
        ]  # fmt: skip
        norm = np.sqrt(sum([(slope**2).sum() for slope in slopes]))
        self.updates += 1
        for weight, slope, mean, square in zip(self.weights, slopes, self.first, self.second, strict=True):
            slope = slope * min(1.0, 0.5 / (norm + 1e-8))
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            weight -= RATE * (mean / (1 - 0.9**self.updates)) / (np.sqrt(square / (1 - 0.999**self.updates)) + 1e-8)


@dataclass
class Played:
    """What was seen, done and gained in a number of choices."""

    seen: Array
    masks: Array
    actions: Array
    chances: Array
    values: Array
    rewards: Array
    ends: Array


class Learner:
    def __init__(self, env: SeatEnv, seed: int = 0) -> None:
        self.env, self.dice = env, np.random.default_rng(seed)
        self.now, _ = env.reset(seed=seed)
        self.net = Net(len(self.now["observation"]), len(self.now["action_mask"]), seed)

    def play(self, steps: int) -> Played:
        rows: list[tuple[Any, ...]] = []
        for _ in range(steps):
            seen, mask = scaled(self.now["observation"]), self.now["action_mask"] == 1
            _, [chances], [value] = self.net.forward(seen[None], mask[None])
            action = int(self.dice.choice(len(chances), p=chances))
            self.now, reward, over, _, _ = self.env.step(action)
            rows.append((seen, mask, action, chances[action], value, reward / SCALE, over))
            if over:
                self.now, _ = self.env.reset()
        return Played(*map(np.array, zip(*rows, strict=True)))

    def improve(self) -> float:
        """Play and learn. Returns the mean reward of a game."""
        played = self.play(STEPS)
        gains = advantages(played)
        goals = gains + played.values
        gains = (gains - gains.mean()) / (gains.std() + 1e-8)
        for _ in range(EPOCHS):
            order = self.dice.permutation(STEPS)
            for first in range(0, STEPS, BATCH):
                self.fit(played, gains, goals, order[first : first + BATCH])
        return float(played.rewards.sum() * SCALE / max(played.ends.sum(), 1))

    def fit(self, played: Played, gains: Array, goals: Array, at: Array) -> None:
        seen, actions, gain = played.seen[at], played.actions[at], gains[at]
        hidden, chances, values = self.net.forward(seen, played.masks[at])
        rows = np.arange(len(at))
        ratio = chances[rows, actions] / played.chances[at]
        active = np.where(gain > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
        chosen = np.zeros_like(chances)
        chosen[rows, actions] = 1
        logs = np.log(chances + 1e-12)
        surprise = -(chances * logs).sum(1, keepdims=True)
        on_logits = -(active * ratio * gain)[:, None] * (chosen - chances) + ENTROPY * chances * (logs + surprise)
        self.net.learn(seen, hidden, on_logits / len(at), 0.5 * (values - goals[at]) / len(at))

    def evaluate(self, games: int, seed: int = 10**6) -> float:
        """The mean reward of games in which the likeliest action is chosen."""
        total = 0.0
        for game in range(games):
            now, _ = self.env.reset(seed=seed + game)
            over = False
            while not over:
                _, [chances], _ = self.net.forward(scaled(now["observation"])[None], now["action_mask"][None] == 1)
                now, reward, over, _, _ = self.env.step(int(chances.argmax()))
                total += reward
        self.now, _ = self.env.reset()
        return total / games


def scaled(numbers: Array) -> Array:
    return np.clip(numbers / 10.0, -5, 5)


def advantages(played: Played) -> Array:
    """Generalised advantage estimates. The last, unfinished game is taken to go on as expected."""
    gains, gain, following = np.zeros(len(played.rewards)), 0.0, played.values[-1]
    for step in range(len(gains) - 1, -1, -1):
        goes_on = 1.0 - played.ends[step]
        error = played.rewards[step] + GAMMA * following * goes_on - played.values[step]
        gain = error + GAMMA * LAMBDA * goes_on * gain
        gains[step], following = gain, played.values[step]
    return gains


def main() -> None:
    parser = ArgumentParser(prog="python -m examples.learn", description=__doc__)
    parser.add_argument("ruleset", choices=RULESETS)
    parser.add_argument("--opponents", nargs="+", default=["random"], help="bots on the other seats")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    env = SeatEnv(asked.ruleset, asked.opponents, options=dict(RULESETS[asked.ruleset].board), reward="points")
    learner, end, updates = Learner(env, asked.seed), monotonic() + 60 * asked.minutes, 0
    say(f"before: {learner.evaluate(100):+.1f} points a game")
    while monotonic() < end:
        gained, updates = learner.improve(), updates + 1
        if updates % 10 == 0:
            say(f"{updates * STEPS:,} choices: {gained:+.1f} points a game")
    say(f"after {updates * STEPS:,} choices: {learner.evaluate(500):+.1f} points a game")


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
