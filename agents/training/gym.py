"""Gymnasium environments: one seat, bots on the others."""

from collections.abc import Sequence
from typing import Any

import gymnasium
from numpy.typing import NDArray

from agents.training.zoo import Reward, TableEnv

Observation = dict[str, NDArray[Any]]


class SeatEnv(gymnasium.Env[Observation, int]):
    """One seat of a table, the first by default. A reward is what the seat has got since its last action."""

    def __init__(
        self, ruleset: str, opponents: Sequence[str] = ("random",), seat: int = 0,
        options: dict[str, Any] | None = None, reward: Reward = "win",
    ) -> None:  # fmt: skip
        names: list[str | None] = [*opponents]
        names.insert(seat, None)
        self.table = TableEnv(ruleset, len(names), options, reward, names)
        self.agent = f"seat_{seat}"
        self.observation_space = self.table.observation_space(self.agent)
        self.action_space = self.table.action_space(self.agent)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        del options
        # Without a seed the next game follows from the generator that the last seed has set.
        drawn = int(self.np_random.integers(2**63)) if seed is None else seed
        self.table.reset(seed=drawn)
        return self.table.observe(self.agent), {**self.table.infos[self.agent]}

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Raises ValueError if the action is not legal."""
        table = self.table
        table.step(action)
        over = table.terminations[self.agent]
        return table.observe(self.agent), table.rewards[self.agent], over, False, {**table.infos[self.agent]}


def vector(number: int, ruleset: str, **arguments: Any) -> gymnasium.vector.AsyncVectorEnv:
    """That many environments, each in a process of its own."""
    return gymnasium.vector.AsyncVectorEnv([lambda: SeatEnv(ruleset, **arguments) for _ in range(number)])
