"""The rulesets as TextArena environments, `ta.make("Stammtisch-RULESET")`: every seat, hidden hands.

An observation is the table as text with numbered moves. An action is an answer with the number of a move: the last one
in brackets counts, or else the last number.
"""

import re
from hashlib import sha256
from os import urandom
from typing import Any

import textarena as ta
from textarena.wrappers import GameMessagesAndCurrentBoardObservationWrapper

from agents.external import table_as_text
from agents.table import Bot, Table
from domain.rulesets import RULESETS

PROMPT = "You play {title}. {summary} Answer with the number of one of the listed moves in brackets, for example [1]."


def agent(_: object) -> int:
    raise AssertionError("agents are asked through `step`")


class CardEnv(ta.Env):
    """One game.

    `options`: those of the ruleset; by default those of the arena. After more than `error_allowance` answers in a row
    that name no move, the lowest published bot makes the choice, so that one seat does not end the game of all.
    """

    def __init__(
        self, ruleset: str, options: dict[str, Any] | None = None, language: str = "en", error_allowance: int = 1
    ) -> None:
        self.rules, self.language, self.error_allowance = RULESETS[ruleset], language, error_allowance
        self.options = self.rules.options(**{**self.rules.board, **(options or {})})

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """The same seed gives the same deals."""
        secret = urandom(32) if seed is None else sha256(f"textarena {seed}".encode()).digest()
        self.table = Table(self.rules, self.options, [Bot(agent, looks_back=True)] * num_players, secret)
        self.state = ta.State(num_players)
        labels = self.rules.labels[self.language]
        prompt = PROMPT.format(title=labels.title, summary=labels.summary)
        names = {seat: f"Seat {seat + 1}" for seat in range(num_players)}
        self.state.standard_resets({}, lambda **_: prompt, names)
        self.errors = 0
        self._ask()

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        state, question = self.state, self.table.question()
        seat, legal = question.seat, question.legal
        state.add_observation(action, ta.ObservationType.PLAYER_ACTION, from_id=seat, to_id=seat)
        number = named(action)
        if 1 <= number <= len(legal):
            chosen = legal[number - 1]
        else:
            self.errors += 1
            state.game_info[seat]["invalid_move"] = True
            if self.errors <= self.error_allowance:
                self._ask(f"There is no move {number}: they are numbered from 1 to {len(legal)}.\n")
                return state.step()
            lowest = next(iter(self.rules.bots.values()))
            chosen = legal[lowest(question.view, seat, legal, question.dice)]
        self.errors = 0
        state.game_info[seat]["turn_count"] += 1
        self.table.move(chosen)
        if self.table.result is None:
            self._ask()
        else:
            self._end()
        return state.step()

    def _ask(self, refused: str = "") -> None:
        question = self.table.question()
        seat = self.state.current_player_id = question.seat
        text = refused + table_as_text(question, self.language)
        self.state.add_observation(text, ta.ObservationType.GAME_BOARD, to_id=seat)

    def _end(self) -> None:
        """A reward is the points of the seat ahead of the mean."""
        standing = self.rules.standing(self.table.state)
        mean = sum(standing) / len(standing)
        self.state.done = True
        self.state.rewards = {seat: points - mean for seat, points in enumerate(standing)}
        for seat, points in enumerate(standing):
            self.state.game_info[seat]["points"] = points


def named(action: str) -> int:
    """The number that the answer names; 0: none."""
    found = re.findall(r"\[([0-9]{1,4})\]", action) or re.findall(r"[0-9]{1,4}", action)
    return int(found[-1]) if found else 0


# TextArena's usual wrapper repeats all that the seat has seen so far, which a table as text does not need.
for name in RULESETS:
    ta.envs.registration.register(
        f"Stammtisch-{name}", CardEnv, [GameMessagesAndCurrentBoardObservationWrapper], ruleset=name
    )
