"""The process that makes the choices of bots that search: `python -m service.cli.search_process`.

Each line of standard input is a question, each line of standard output the answer: the index of a move. A question
contains what its seat has seen, and what all random numbers follow from; nothing else of the game. The process ends
with its input.
"""

import sys
from collections.abc import Callable
from typing import Any

import msgspec

from domain.codec import encode
from domain.game import Rules
from domain.registry import VERSIONS
from domain.ruleset import Sight
from domain.searching import Lots, searched
from service.games.search_questions import Table, questions
from service.process import packages


def situation(asked: Table) -> tuple[Rules, Any, list[Any]]:
    """The rules, the initial state, and the events that the seat has seen."""
    rules = VERSIONS[asked.rules]
    deck = rules.deck_of(msgspec.json.decode(asked.deck, type=rules.deck.data_type))
    initial = rules.initial(asked.seats, msgspec.json.decode(asked.options, type=rules.options), deck)
    return rules, initial, msgspec.json.decode(asked.seen, type=list[rules.event])  # type: ignore[name-defined]


def answer(line: bytes) -> int:
    """The index of the move that the bot chooses."""
    question = questions.decode(line)
    rules, initial, seen = situation(question.table)
    view, seat = rules.fold(initial, seen), question.table.seat
    sight = Sight(initial, seen, view, seat, rules.legal(view, seat))
    return searched(rules, rules.searches[question.bot], sight, Lots(question.lot))


def answer_lines(answer: Callable[[bytes], Any]) -> None:
    """Answer each line of standard input by a line of standard output."""
    packages.load()
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(encode(answer(line)) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    answer_lines(answer)
