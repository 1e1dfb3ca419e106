"""A game of bots, with the time of every choice."""

from collections.abc import Sequence
from time import thread_time_ns
from typing import Any, NamedTuple

from domain.game import Rules
from domain.ruleset import Choose, Result
from tests.kit.bot_table import MOST, BotTable


class Played(NamedTuple):
    """A game that was played: the result, None if it was given up, and the number of moves in each round."""

    result: Result | None
    rounds: tuple[int, ...]

    @property
    def moves(self) -> int:
        return sum(self.rounds)


def play(
    rules: Rules, options: Any, bots: Sequence[Choose[Any, Any]], secret: bytes, times: list[list[int]] | None = None,
    most: int = MOST,
) -> Played:  # fmt: skip
    """Play one game of at most `most` moves. `times` receives the nanoseconds of CPU of every choice, by seat."""
    table = BotTable(rules, options, len(bots), secret)
    rounds: dict[int, int] = {}
    while most and (question := table.question()):
        begun = thread_time_ns()
        chosen = question.answer(bots[question.seat])
        if times is not None:
            times[question.seat].append(thread_time_ns() - begun)
        number = getattr(table.state, "round", 1)  # a game without rounds is one
        rounds[number] = rounds.get(number, 0) + 1
        table.move(question.legal[chosen])
        most -= 1
    return Played(rules.result(table.state), tuple(rounds.values()))
