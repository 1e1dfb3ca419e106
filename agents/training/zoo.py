"""A PettingZoo AEC environment for every ruleset."""

import os
from collections.abc import Sequence
from hashlib import sha256
from struct import Struct
from typing import Any, Literal, TypeAlias

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from agents.arena.records import record_of
from agents.bots import bot_named
from agents.search import ahead
from agents.table import Bot, Question, Rules, Table
from agents.training.actions import Actions
from domain.rulesets import RULESETS

Reward: TypeAlias = Literal["win", "points", "round"]
LOWEST, HIGHEST = -(2**15), 2**15 - 1


def untold(_: Question) -> int:
    """The bot at seats whose actions the environment receives: it is never asked."""
    raise AssertionError("an agent is asked as if it were a bot")


class TableEnv(AECEnv):
    """A table of one ruleset. Agents are `seat_0`, `seat_1` ...; the lowest seat that has a choice acts next.

    An observation has the `observation`, numbers of what the seat sees, and the `action_mask`. Rewards are zero-sum: at
    the end the share of the victory less that of an average seat (`win`) or the points ahead of the other seats
    (`points`), or the latter after every round (`round`). An illegal action raises ValueError and changes nothing.
    Seats with a name in `opponents` are played by that bot, and are no agents.
    """

    def __init__(
        self, ruleset: str, seats: int, options: dict[str, Any] | None = None, reward: Reward = "win",
        opponents: Sequence[str | None] | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        rules: Rules = RULESETS[ruleset]
        self.rules, self.seats, self.reward = rules, seats, reward
        self.options = rules.options(**(options or {}))
        self.names = tuple(opponents or [None] * seats)
        if len(self.names) != seats:
            raise ValueError(f"{len(self.names)} opponents for {seats} seats; None is an agent")
        self.bots = [Bot(untold) if name is None else bot_named(rules, name) for name in self.names]
        deck: Any = next(iter(rules.decks.values()))
        initial = rules.initial(seats, self.options, deck)
        self.actions = Actions(rules, len(getattr(deck, "cards", ())))
        self.metadata = {"name": f"{ruleset}_v{rules.version}", "is_parallelizable": False, "render_modes": []}
        self.render_mode = None
        self.possible_agents = [f"seat_{seat}" for seat in range(seats) if self.names[seat] is None]
        self._seat_of = {f"seat_{seat}": seat for seat in range(seats)}
        length = len(rules.features(initial, 0))
        self._packed = Struct(f"{length}h").pack
        self._spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(LOWEST, HIGHEST, (length,), np.int16),
                    "action_mask": spaces.Box(0, 1, (len(self.actions),), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._choices = {agent: spaces.Discrete(len(self.actions)) for agent in self.possible_agents}
        self.state_space = spaces.Box(LOWEST, HIGHEST, (length * seats,), np.int16)
        self._legal: Sequence[Any] = ()
        self._numbers: list[int] = []

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._choices[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game. The seed determines all deals and the choices of the opponents."""
        del options
        secret = os.urandom(32) if seed is None else sha256(f"train:{seed}".encode()).digest()
        self.table = Table(self.rules, self.options, self.bots, secret)
        self.agents = self.possible_agents[:]
        self.rewards, self._rewarded = dict.fromkeys(self.agents, 0.0), False
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {"legal": 0, "seat": self._seat_of[agent]} for agent in self.agents}
        self._counted = self.rules.standing(self.table.state)
        self.agent_selection = self.agents[0]
        self._select()

    def _select(self) -> None:
        """The seat that is to act next, once the bots have moved."""
        table = self.table
        while table.acting is not None and self.names[table.acting] is not None:
            question = table.question()
            table.move(question.legal[self.bots[table.acting].choose(question)])
        if table.acting is None:
            self.terminations = dict.fromkeys(self.agents, True)
            self._legal, self._numbers = (), []
            for info in self.infos.values():
                info["legal"] = 0
            return
        self.agent_selection = agent = f"seat_{table.acting}"
        self._legal = self.rules.legal(table.view(table.acting), table.acting)
        self._numbers = self.actions.of(self._legal)
        self.infos[agent]["legal"] = len(self._legal)

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        seat = self._seat_of[agent]
        mask = bytearray(len(self.actions.moves))
        if agent == self.agent_selection:
            for number in self._numbers:
                mask[number] = 1
        packed = bytearray(self._packed(*self.rules.features(self.table.view(seat), seat)))
        # Arrays over buffers take half the time of arrays from lists.
        return {"observation": np.frombuffer(packed, np.int16), "action_mask": np.frombuffer(mask, np.int8)}

    def step(self, action: int | None) -> None:
        """Raises ValueError if the action is not legal."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        try:
            chosen = self._numbers.index(int(action if action is not None else -1))
        except ValueError:
            raise ValueError(f"the action {action} is not legal; see the action mask") from None
        self._cumulative_rewards[agent] = 0.0
        if self._rewarded:
            self.rewards, self._rewarded = dict.fromkeys(self.agents, 0.0), False
        self.table.move(self._legal[chosen])
        self._select()
        self._reward()

    def _reward(self) -> None:
        over = self.table.acting is None
        if self.reward == "round":
            standing = self.rules.standing(self.table.state)
            if standing != self._counted:
                gains = [now - before for now, before in zip(standing, self._counted, strict=True)]
                self._counted = standing
                self._pay({agent: ahead(gains, self._seat_of[agent]) for agent in self.agents})
        elif over:
            self._pay({agent: self._final(self._seat_of[agent]) for agent in self.agents})

    def _pay(self, rewards: dict[str, float]) -> None:
        self.rewards, self._rewarded = rewards, True
        for agent, reward in rewards.items():
            self._cumulative_rewards[agent] += reward

    def _final(self, seat: int) -> float:
        result = self.table.result
        if self.reward == "points" or result is None:
            return ahead(self.rules.standing(self.table.state), seat)
        share = 1 / len(result.winners) if seat in result.winners else 0.0
        return share - 1 / self.seats

    def state(self) -> NDArray[Any]:
        """The truth, for centralised critics only: the numbers of all seats, hidden cards included."""
        truth = self.table.state
        numbers = [number for seat in range(self.seats) for number in self.rules.features(truth, seat)]
        return np.array(numbers, np.int16)

    def record(self) -> bytes:
        """The game so far as a record; `stammtisch verify` and `replay` read it once the game is over."""
        names = [name or f"seat_{seat}" for seat, name in enumerate(self.names)]
        return record_of(self.table, self.options, names)

    def render(self) -> None:
        """Nothing is drawn: look at `record()` in the browser or with `stammtisch replay`."""

    def close(self) -> None: ...


def table(
    ruleset: str, seats: int, options: dict[str, Any] | None = None, reward: Reward = "win",
    opponents: Sequence[str | None] | None = None,
) -> TableEnv:  # fmt: skip
    """An environment; see `TableEnv`."""
    return TableEnv(ruleset, seats, options, reward, opponents)
