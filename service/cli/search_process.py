"""The process that thinks for seats: `python -m service.cli.search_process`. It makes the choices of bots that search,
and hints.

Each line of standard input is a question, each line of standard output the answer: the index of a move, or a hint. A
question contains what its seat has seen, and what all random numbers follow from; nothing else of the game. The process
ends with its input.
"""

import sys
from typing import Any

import msgspec

from agents.review.hints import hint
from domain.codec import encode
from domain.registry import VERSIONS
from domain.ruleset import Sight
from domain.searching import Lots, searched
from service.games.search_questions import ChoiceQuestion, HintQuestion, questions
from service.process import packages


def answer(line: bytes) -> Any:
    """The index of the move that the bot chooses, or the hint."""
    question = questions.decode(line)
    asked = question.table
    rules = VERSIONS[asked.rules]
    deck = rules.deck_of(msgspec.json.decode(asked.deck, type=rules.deck.data_type))
    initial = rules.initial(asked.seats, msgspec.json.decode(asked.options, type=rules.options), deck)
    seen = msgspec.json.decode(asked.seen, type=list[rules.event])  # type: ignore[name-defined]
    match question:
        case ChoiceQuestion(bot=bot, lot=lot):
            view = rules.fold(initial, seen)
            sight = Sight(initial, seen, view, asked.seat, rules.legal(view, asked.seat))
            return searched(rules, rules.searches[bot], sight, Lots(lot))
        case HintQuestion(head=head, version=version):
            return hint(rules, initial, seen, asked.seat, bytes.fromhex(head), version=version)


def main() -> None:
    packages.load()
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(encode(answer(line)) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
