"""Trains the net of a published bot: what positions after a move are worth, from rounds of bots.

    python -m agents.training.values RULESET --rounds 40000 --own 10000 > trained.json

The module `trained` of the ruleset says what the net sees. First a bot plays, then the net itself; now and then a move
by lot shows what others are worth. The target is what the round brought beyond the points on the table.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Callable
from importlib import import_module
from random import Random
from typing import Any, NamedTuple, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from agents.bots import from_view
from agents.search import ahead
from agents.table import Rules, Table
from domain.nets import Net
from domain.registry import RULESETS
from domain.ruleset import Choose
from domain.searching import LONGEST

Numbers: TypeAlias = NDArray[np.float32]

UNITS = 48
"""Hidden units."""
BY_LOT = 0.15
"""The share of moves by lot."""
EPOCHS, BATCH, RATE = 8, 512, 2e-3
OUTLIER = 15.0
"""An error counts as at most this many points."""
ONE = 4096, 256
"""What one is in whole numbers, in the layer and in the last weights."""


class Samples(NamedTuple):
    numbers: Numbers
    """By position, what the net sees."""
    gains: Numbers
    """By position, the points ahead of the mean of the others that came after it."""


def rounds(rules: Rules, after: Callable[..., Any], choose: Choose[Any, Any], count: int, seed: int) -> Samples:
    """First rounds of games of every number of seats, played by `choose`."""
    lots, bot = Random(seed), from_view(choose)
    numbers, gains = list[list[int]](), list[float]()
    for _ in range(count):
        seats = lots.choice([*rules.seats])
        table = Table(rules, rules.options(), [bot] * seats, lots.randbytes(32))
        start, met = rules.standing(table.state), list[tuple[int, Any]]()
        while rules.standing(table.state) == start and len(table.moves) < LONGEST:
            question = table.question()
            by_lot = lots.random() < BY_LOT
            move = lots.choice(question.legal) if by_lot else question.legal[bot.choose(question)]
            found = after(question.view, question.seat, move)
            if found.numbers is not None:
                met.append((question.seat, found))
            table.move(move)
        points = rules.standing(table.state)
        if points != start:
            numbers += [found.numbers for _, found in met]
            gains += [ahead(points, seat) - found.lead / (seats - 1) for seat, found in met]
    return Samples(np.array(numbers, np.float32), np.array(gains, np.float32))


def fitted(samples: Samples, seed: int = 1) -> Net:
    """A net with one hidden layer of rectified units, by Adam."""
    lots = np.random.default_rng(seed)
    scale = np.maximum(np.abs(samples.numbers).max(0), 1)
    inputs = samples.numbers / scale
    width = inputs.shape[1]
    weights = [
        lots.normal(0, 2 / np.sqrt(width), (width, UNITS)).astype(np.float32), np.zeros(UNITS, np.float32),
        lots.normal(0, 1 / np.sqrt(UNITS), UNITS).astype(np.float32), np.array([samples.gains.mean()], np.float32),
    ]  # fmt: skip
    mean, square, step = [0.0 * each for each in weights], [0.0 * each for each in weights], 0
    order = np.arange(len(inputs))
    for epoch in range(EPOCHS):
        rate = RATE * (1 - epoch / EPOCHS) + 1e-5
        lots.shuffle(order)
        for start in range(0, len(order) - BATCH + 1, BATCH):
            chosen = order[start : start + BATCH]
            step += 1
            for place, slope in enumerate(slopes(weights, inputs[chosen], samples.gains[chosen])):
                mean[place] = 0.9 * mean[place] + 0.1 * slope
                square[place] = 0.999 * square[place] + 0.001 * slope * slope
                towards = mean[place] / (1 - 0.9**step) / (np.sqrt(square[place] / (1 - 0.999**step)) + 1e-8)
                weights[place] = weights[place] - np.float32(rate) * towards
    return whole([weights[0] / scale[:, None], *weights[1:]])


def slopes(weights: list[Numbers], inputs: Numbers, gains: Numbers) -> list[Numbers]:
    """Of the mean square error of the batch, by the weights."""
    layer, shift, last, base = weights
    hidden = inputs @ layer + shift
    answers = np.maximum(hidden, 0)
    error = np.clip(answers @ last + base[0] - gains, -OUTLIER, OUTLIER) / len(gains)
    back = np.outer(error, last) * (hidden > 0)
    return [inputs.T @ back, back.sum(0), answers.T @ error, np.array([error.sum()], np.float32)]


def whole(weights: list[Numbers]) -> Net:
    layer, shift, last, base = weights
    small, large = ONE
    return Net(
        unit=small * large,
        layer=tuple(tuple(row) for row in np.round(layer.T * small).astype(int).tolist()),
        shift=tuple(np.round(shift * small).astype(int).tolist()),
        last=tuple(np.round(last * large).astype(int).tolist()),
        base=round(float(base[0]) * small * large),
    )


def main() -> None:
    from domain import rulesets as rulesets  # registers the games

    parser = ArgumentParser(description="Train the net of a published bot and print it.")
    parser.add_argument("ruleset")
    parser.add_argument("--bot", default="careful/1", help="who plays first")
    parser.add_argument("--rounds", type=int, default=40_000)
    parser.add_argument("--own", type=int, default=10_000, help="rounds of the net itself")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    rules = RULESETS[asked.ruleset]
    module = import_module(f"{rules.home}.trained")
    net = fitted(rounds(rules, module.after, rules.bots[asked.bot], asked.rounds, asked.seed))
    if asked.own:  # alone: together with the first rounds the net gains less
        net = fitted(rounds(rules, module.after, module.player(net), asked.own, asked.seed + 1))
    sys.stdout.write(msgspec.json.encode(net).decode() + "\n")


if __name__ == "__main__":
    main()
